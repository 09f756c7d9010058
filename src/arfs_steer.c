// SPDX-License-Identifier: GPL-2.0-only
/*
 * Requests of the core: what a flow is told that asks for a slot. See arfs_table.h.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/rcupdate.h>

#include "arfs_internal.h"

/*
 * What a flow that waits is told: the id of the owner of its slot, then no, see ARFS_PATIENCE. A
 * core that asks once is told the same: with another answer it would forget the filter of an owner
 * that was silent for a moment.
 */
static int arfs_flow_put_off(struct arfs_flow *flow, u16 owner_id)
{
	if (owner_id == ARFS_NO_ID || atomic_dec_if_positive(&flow->patience) < 0)
		return -EBUSY;
	return owner_id;
}

/* What a flow that asks again for its slot is told; false: the slow path decides. */
static bool arfs_flow_answer(struct arfs_table *table, struct arfs_flow *flow,
			     struct arfs_slot slot, int *answer)
{
	u64 claim = atomic64_read(&flow->claim);
	enum arfs_standing standing = arfs_claim_standing(claim);

	if (standing != ARFS_STANDING_BARRED && !arfs_slot_equal(arfs_claim_slot(claim), slot))
		return false;

	switch (standing) {
	case ARFS_STANDING_GRANTED:
		arfs_count(table, ARFS_COUNT_HITS);
		*answer = arfs_claim_id(claim);
		return true;
	case ARFS_STANDING_WAITING:
		arfs_count(table, ARFS_COUNT_BUSY);
		*answer = arfs_flow_put_off(flow, arfs_claim_id(claim));
		return true;
	case ARFS_STANDING_FAILED:
		arfs_count(table, ARFS_COUNT_UNPROGRAMMED);
		*answer = -EIO;
		return true;
	case ARFS_STANDING_BARRED:
		arfs_count(table, ARFS_COUNT_USER_RULE);
		*answer = -EEXIST;
		return true;
	case ARFS_STANDING_NONE:
		break;
	}
	return false;
}

/* May one more filter be held? */
static bool arfs_table_admits(struct arfs_table *table)
{
	return arfs_capacity_admits(atomic_read(&table->held), READ_ONCE(table->limit));
}

/*
 * Is the filter to stay where it is? Then the core is refused: it notes the reader's new CPU in the
 * slot that the flow has, and hands the packets over to it in software.
 */
static bool arfs_flow_stays(struct arfs_table *table, const struct arfs_flow *flow,
			    struct arfs_slot slot)
{
	const struct arfs_target wanted = flow->filter.wanted;

	return table->ops->stays && wanted.id != ARFS_NO_ID && wanted.rxq != slot.rxq &&
	       table->ops->stays(table->owner, wanted.rxq, slot.rxq);
}

/* Has a flow without a filter asked too seldom for one? Where the slot has an owner is a line. */
static bool arfs_novice(struct arfs_table *table, u32 hash, struct arfs_slot slot)
{
	u8 *calls, seen;

	if (!table->ops->core_asks_once || arfs_line_owned(table, slot))
		return false;
	/* Two CPUs that count at once may count one; nothing depends on it. */
	calls = &table->novices[hash % ARFS_NOVICES];
	seen = arfs_novice_calls(READ_ONCE(*calls));
	WRITE_ONCE(*calls, seen);
	return seen;
}

/* Is the filter on its way to where the core wanted it before, or has it just been moved? */
static bool arfs_flow_unsettled(struct arfs_table *table, const struct arfs_flow *flow)
{
	if (!table->ops->core_asks_once || flow->filter.wanted.id == ARFS_NO_ID)
		return false;

	switch (flow->filter.state) {
	case ARFS_PENDING:
		/* While the device is full nobody knows when it will be written. */
		return !READ_ONCE(table->full);
	case ARFS_STALE:
	case ARFS_ADDING:
	case ARFS_MOVING:
		return true;
	default:
		return flow->resting;
	}
}

/* Ask for a slot on behalf of a flow that has none or another one. */
static int arfs_flow_request(struct arfs_table *table, struct arfs_flow *flow,
			     struct arfs_slot slot)
{
	u16 id = flow->filter.wanted.id;
	bool had_filter = id != ARFS_NO_ID;
	int answer;

	if (arfs_flow_unsettled(table, flow)) {
		arfs_count(table, ARFS_COUNT_DEFERRED);
		return ARFS_ASK_AGAIN;
	}
	if (arfs_flow_stays(table, flow, slot)) {
		arfs_count(table, ARFS_COUNT_STAYED);
		return -EBUSY;
	}
	/* Queued before the old slot finds an heir, see arfs_flow_forgo(). */
	if (had_filter)
		arfs_flow_queue(table, flow);
	/*
	 * A flow that moves keeps its id, so that the core clears it from the old slot; not so if
	 * an heir has taken over slot and id.
	 */
	if (arfs_line_leave(table, flow))
		id = ARFS_NO_ID;
	flow->age.idle = false;

	if (!had_filter && !arfs_table_admits(table)) {
		arfs_count(table, ARFS_COUNT_FULL);
		answer = -ENOSPC;
	} else if (arfs_line_join(table, flow, slot, &id) == ARFS_SLOT_REFUSE) {
		arfs_count(table, ARFS_COUNT_BUSY);
		if (had_filter)
			arfs_count(table, ARFS_COUNT_DISPLACED);
		answer = -EBUSY;
	} else if (id == ARFS_NO_ID) {
		arfs_count(table, ARFS_COUNT_FULL);
		arfs_line_leave(table, flow);
		answer = -ENOSPC;
	} else {
		struct arfs_target target = { .rxq = slot.rxq, .id = id };

		arfs_flow_step(table, flow, ARFS_EVENT_WANT, target);
		arfs_flow_queue(table, flow);
		answer = id;
	}
	if (answer < 0) {
		arfs_flow_step(table, flow, ARFS_EVENT_UNWANT, ARFS_NO_TARGET);
		arfs_flow_notice(table, flow, ARFS_NOTICE_REFUSED,
				 (struct arfs_target) { slot.rxq, ARFS_NO_ID }, answer);
	}
	arfs_flow_publish(table, flow);
	return answer == -EBUSY ? arfs_flow_put_off(flow, READ_ONCE(flow->slot_id)) : answer;
}

/**
 * arfs_flow_adopt() - make a filter of a slot that was passed to the flow
 * @table: the table
 * @flow: the flow
 *
 * Context: bucket lock of @flow held.
 */
void arfs_flow_adopt(struct arfs_table *table, struct arfs_flow *flow)
{
	struct arfs_target target = { .rxq = flow->slot.rxq };

	if (!arfs_line_inherit(table, flow, &target.id))
		return;
	if (!arfs_table_admits(table)) {
		if (target.id != ARFS_NO_ID)
			arfs_id_drop(table, target.id);
	} else {
		if (target.id == ARFS_NO_ID)
			target.id = arfs_id_take(table);
		/* The id may come back to a flow whose filter in the hardware still has it. */
		else if (arfs_filter_holds(&flow->filter, target.id))
			arfs_id_drop(table, target.id);
		flow->age.idle = false;
		arfs_line_set_id(table, flow, target.id);
		arfs_flow_step(table, flow, ARFS_EVENT_WANT, target);
	}
	if (flow->filter.wanted.id == ARFS_NO_ID)
		arfs_line_leave(table, flow);
	arfs_flow_publish(table, flow);
}

static int arfs_steer_new(struct arfs_table *table, struct arfs_bucket *bucket, u32 hash,
			  const struct arfs_flow_key *key, struct arfs_slot slot)
{
	struct arfs_flow *flow = arfs_flow_alloc(table, hash, key);
	int answer;

	if (!flow) {
		arfs_count(table, ARFS_COUNT_NO_MEMORY);
		return -ENOMEM;
	}
	answer = arfs_flow_request(table, flow, slot);
	if (READ_ONCE(flow->place) == ARFS_PLACE_NONE) {
		/* Neither granted nor in line: nobody has seen it. */
		kmem_cache_free(table->flow_cache, flow);
		return answer;
	}
	arfs_flow_insert(table, bucket, flow);
	return answer;
}

/**
 * arfs_table_steer() - the core asks to have a flow delivered to a queue
 * @table: the table
 * @key: the flow
 * @slot: the queue, and the core's slot for the flow in the table of that queue
 *
 * Context: any; softirq in practice. A request that changes nothing takes no lock, allocates
 * nothing and writes only counters of this CPU.
 * Return: the filter id; for some packets of a flow that has to wait, that of the slot's owner;
 * ARFS_ASK_AGAIN where the core asks once; or
 * * -EBUSY: another flow owns the slot
 * * -ENOSPC: the hardware, or the id space, is full
 * * -ENODEV: the table is closed, or the queue is going away
 * * -ENOMEM: out of memory
 * * -EIO: the hardware refused the filter; it will be tried again
 * * -EEXIST: the tuple belongs to a rule of the user
 * * -EINVAL: no such queue
 */
int arfs_table_steer(struct arfs_table *table, const struct arfs_flow_key *key,
		     struct arfs_slot slot)
{
	u32 hash = arfs_key_hash(table, key);
	struct arfs_bucket *bucket = arfs_bucket_of(table, hash);
	struct arfs_flow *flow;
	int answer;

	if (WARN_ON_ONCE(slot.rxq > ARFS_RXQ_MAX))
		return -EINVAL;
	arfs_count(table, ARFS_COUNT_CALLS);

	rcu_read_lock();
	/* Pairs with arfs_table_close(), which waits for the readers that saw it open. */
	if (!READ_ONCE(table->open) || READ_ONCE(table->draining)) {
		arfs_count(table, ARFS_COUNT_CLOSED);
		answer = -ENODEV;
		goto out;
	}
	/* Pairs with arfs_table_set_queues(), which waits likewise. */
	if (slot.rxq >= READ_ONCE(table->queues)) {
		arfs_count(table, ARFS_COUNT_NO_QUEUE);
		answer = -ENODEV;
		goto out;
	}
	flow = arfs_flow_find(table, hash, key);
	if (flow && arfs_flow_answer(table, flow, slot, &answer))
		goto out;
	if (!flow && arfs_novice(table, hash, slot)) {
		arfs_count(table, ARFS_COUNT_DEFERRED);
		answer = ARFS_ASK_AGAIN;
		goto out;
	}

	spin_lock_bh(&bucket->lock);
	flow = arfs_flow_find(table, hash, key);
	if (flow)
		arfs_flow_adopt(table, flow);
	if (!flow)
		answer = arfs_steer_new(table, bucket, hash, key, slot);
	else if (!arfs_flow_answer(table, flow, slot, &answer))
		answer = arfs_flow_request(table, flow, slot);
	/* A flow that was left with nothing is retired by the service. */
	if (flow && READ_ONCE(flow->place) == ARFS_PLACE_NONE)
		arfs_flow_queue(table, flow);
	spin_unlock_bh(&bucket->lock);
out:
	rcu_read_unlock();
	return answer;
}
