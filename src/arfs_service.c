// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table's service: hardware writes, retries, the look for idle flows, and teardown.
 *
 * One call does what is on the work list, the retries that are due, and a bounded look for idle
 * flows: so much a tick, and so much for each flow on the work list, so that the look keeps pace
 * with the arrival of flows. Nothing here is proportional to the number of flows.
 */
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "arfs_internal.h"

/* While there are flows, this often a look for idle ones is due. */
#define ARFS_TICK_MS		250
/* Buckets that a due look visits, and buckets for each flow on the work list. */
#define ARFS_LOOK_PER_TICK	1024
#define ARFS_LOOK_PER_FLOW	4
/* Delay level of a filter whose id is still on another filter in the hardware. */
#define ARFS_ID_WAIT_LEVEL	0
/* Deletions that a flush tries for one filter. */
#define ARFS_FLUSH_TRIES	3

static const enum arfs_count arfs_written[] = {
	[ARFS_WRITE_ADD] = ARFS_COUNT_ADDED,
	[ARFS_WRITE_MOVE] = ARFS_COUNT_MOVED,
	[ARFS_WRITE_DELETE] = ARFS_COUNT_DELETED,
};

static void arfs_flow_free_rcu(struct rcu_head *rcu)
{
	struct arfs_flow *flow = container_of(rcu, struct arfs_flow, rcu);

	kmem_cache_free(flow->cache, flow);
}

/* Take a flow out of the table when nothing speaks for keeping it. */
static void arfs_flow_retire(struct arfs_table *table, struct arfs_flow *flow)
{
	lockdep_assert_held(&arfs_bucket_of(table, flow->hash)->lock);

	/*
	 * A flow in line can be queued under the line lock, by the one ahead of it; any other only
	 * under the bucket lock. So a flow in no line that is not queued now stays unqueued.
	 */
	if (flow->filter.state != ARFS_IDLE || READ_ONCE(flow->place) != ARFS_PLACE_NONE ||
	    atomic_read_acquire(&flow->queued))
		return;
	list_del_init(&flow->delay_node);
	hlist_del_rcu(&flow->key_node);
	atomic_dec(&table->flows);
	call_rcu(&flow->rcu, arfs_flow_free_rcu);
}

static void arfs_flow_delay(struct arfs_table *table, struct arfs_flow *flow, u32 now, u32 level)
{
	if (!list_empty(&flow->delay_node))
		return;
	flow->due_at = now + arfs_delay_ms(level);
	list_add_tail(&flow->delay_node, &table->delayed[level]);
}

/* Must the filter wait because the id it came by is still on its predecessor in the hardware? */
static bool arfs_flow_id_busy(struct arfs_table *table, const struct arfs_flow *flow)
{
	u16 id = flow->filter.wanted.id;

	if (flow->filter.state != ARFS_PENDING && flow->filter.state != ARFS_STALE)
		return false;
	return id != flow->filter.programmed.id && arfs_id_holders(table, id) > 1;
}

/* Does another filter wait for the id that this one has in the hardware? */
static bool arfs_flow_id_awaited(struct arfs_table *table, const struct arfs_flow *flow)
{
	return flow->filter.programmed.id != ARFS_NO_ID &&
	       arfs_id_holders(table, flow->filter.programmed.id) > 1;
}

/* What to write for the flow now, if anything. */
static enum arfs_write arfs_flow_start(struct arfs_table *table, struct arfs_flow *flow, u32 now,
				       struct arfs_target *target)
{
	enum arfs_event event = ARFS_EVENT_START;
	enum arfs_write write;

	arfs_flow_adopt(table, flow);
	if (arfs_flow_id_busy(table, flow)) {
		if (!arfs_flow_id_awaited(table, flow)) {
			arfs_flow_delay(table, flow, now, ARFS_ID_WAIT_LEVEL);
			return ARFS_WRITE_NONE;
		}
		event = ARFS_EVENT_YIELD;
	}
	write = arfs_flow_step(table, flow, event, ARFS_NO_TARGET);
	*target = flow->filter.writing;
	if (write == ARFS_WRITE_NONE)
		arfs_flow_retire(table, flow);
	return write;
}

/* Take note of how the write went and see to what follows from it. */
static void arfs_flow_finish(struct arfs_table *table, struct arfs_flow *flow, u32 now,
			     enum arfs_write write, int error)
{
	struct arfs_filter *filter = &flow->filter;

	arfs_count(table, error ? ARFS_COUNT_FAILED : arfs_written[write]);
	arfs_flow_step(table, flow, error ? ARFS_EVENT_FAIL : ARFS_EVENT_DONE, ARFS_NO_TARGET);

	/* A deletion is never given up: the hardware would steer by a filter that nobody knows. */
	if (filter->state == ARFS_FAILED && filter->wanted.id != ARFS_NO_ID &&
	    !arfs_retry_worthwhile(filter->failures))
		arfs_flow_forgo(table, flow, ARFS_COUNT_ABANDONED);

	if (filter->state == ARFS_FAILED)
		arfs_flow_delay(table, flow, now, arfs_retry_level(filter->failures));
	else if (filter->state != ARFS_IDLE && filter->state != ARFS_ACTIVE)
		arfs_flow_queue(table, flow);
	arfs_flow_publish(table, flow);
	arfs_flow_retire(table, flow);
}

/* Bring the hardware nearer to what is wanted for one flow. The flow may be gone afterwards. */
static void arfs_flow_serve(struct arfs_table *table, struct arfs_flow *flow, u32 now)
{
	struct arfs_bucket *bucket = arfs_bucket_of(table, flow->hash);
	struct arfs_target target;
	enum arfs_write write;
	int error;

	spin_lock_bh(&bucket->lock);
	write = arfs_flow_start(table, flow, now, &target);
	spin_unlock_bh(&bucket->lock);
	if (write == ARFS_WRITE_NONE)
		return;

	error = table->ops->program(table->owner, write, &flow->key, target);

	spin_lock_bh(&bucket->lock);
	arfs_flow_finish(table, flow, now, write, error);
	spin_unlock_bh(&bucket->lock);
}

static u32 arfs_serve_work(struct arfs_table *table, u32 now)
{
	struct llist_node *work = llist_reverse_order(llist_del_all(&table->work));
	struct arfs_flow *flow, *next;
	u32 served = 0;

	llist_for_each_entry_safe(flow, next, work, work_node) {
		/* Pairs with arfs_flow_queue(): from here on the flow can be queued again. */
		atomic_set_release(&flow->queued, 0);
		arfs_flow_serve(table, flow, now);
		served++;
		cond_resched();
	}
	return served;
}

/* The delay of a flow is over: put it on the work list. */
static void arfs_flow_resume(struct arfs_table *table, struct arfs_flow *flow)
{
	struct arfs_bucket *bucket = arfs_bucket_of(table, flow->hash);

	list_del_init(&flow->delay_node);
	spin_lock_bh(&bucket->lock);
	if (flow->filter.state == ARFS_FAILED)
		arfs_count(table, ARFS_COUNT_RETRIED);
	arfs_flow_step(table, flow, ARFS_EVENT_RETRY, ARFS_NO_TARGET);
	arfs_flow_queue(table, flow);
	spin_unlock_bh(&bucket->lock);
}

static void arfs_serve_delayed(struct arfs_table *table, u32 now)
{
	struct arfs_flow *flow, *next;
	u32 level;

	for (level = 0; level < ARFS_DELAY_LEVELS; level++) {
		list_for_each_entry_safe(flow, next, &table->delayed[level], delay_node) {
			if (arfs_due_in(now, flow->due_at) > 0)
				break;
			arfs_flow_resume(table, flow);
		}
	}
}

/* Is there still a reason to keep the flow's filter, or its place in line? */
static void arfs_flow_look(struct arfs_table *table, struct arfs_flow *flow, u32 now, u32 grace)
{
	const struct arfs_target wanted = flow->filter.wanted;
	bool waits = READ_ONCE(flow->place) == ARFS_PLACE_WAITS;

	if (waits) {
		if (!arfs_age_look(&flow->age, true, now, ARFS_WAIT_MS))
			return;
		arfs_flow_queue(table, flow);
		arfs_line_leave(table, flow);
		arfs_flow_publish(table, flow);
	} else if (wanted.id != ARFS_NO_ID) {
		bool let_go = table->ops->core_lets_go(table->owner, flow->slot, wanted.id);

		if (arfs_age_look(&flow->age, let_go, now, grace))
			arfs_flow_forgo(table, flow, ARFS_COUNT_EXPIRED);
	}
}

static void arfs_look_for_idle(struct arfs_table *table, u32 now, u32 buckets)
{
	u32 grace = arfs_grace_ms(atomic_read(&table->held), READ_ONCE(table->limit));

	for (buckets = min(buckets, table->mask + 1); buckets; buckets--) {
		struct arfs_bucket *bucket = &table->buckets[table->cursor];
		struct arfs_flow *flow;

		table->cursor = (table->cursor + 1) & table->mask;
		if (hlist_empty(&bucket->flows))
			continue;
		spin_lock_bh(&bucket->lock);
		hlist_for_each_entry(flow, &bucket->flows, key_node)
			arfs_flow_look(table, flow, now, grace);
		spin_unlock_bh(&bucket->lock);
	}
}

/* Milliseconds until the service must run again without being asked to. */
static u32 arfs_service_due(struct arfs_table *table, u32 now)
{
	u32 due = atomic_read(&table->flows) ? ARFS_TICK_MS : ARFS_SERVICE_IDLE;
	struct arfs_flow *flow;
	u32 level;

	for (level = 0; level < ARFS_DELAY_LEVELS; level++) {
		flow = list_first_entry_or_null(&table->delayed[level], struct arfs_flow,
						delay_node);
		if (flow)
			due = min(due, (u32)max(arfs_due_in(now, flow->due_at), 1));
	}
	return due;
}

/**
 * arfs_table_service() - write what is to be written and look for what has gone idle
 * @table: the table
 * @now: milliseconds of a clock that does not go back; may wrap
 *
 * Context: may sleep. The owner sees to it that no two calls overlap.
 * Return: milliseconds after which to call again even if nothing kicks, or ARFS_SERVICE_IDLE.
 */
u32 arfs_table_service(struct arfs_table *table, u32 now)
{
	u32 look;

	if (!READ_ONCE(table->open))	/* pairs with arfs_table_close() */
		return ARFS_SERVICE_IDLE;
	arfs_serve_delayed(table, now);
	look = arfs_serve_work(table, now) * ARFS_LOOK_PER_FLOW;
	if (arfs_elapsed(now, table->looked_at, ARFS_TICK_MS)) {
		table->looked_at = now;
		look += ARFS_LOOK_PER_TICK;
	}
	arfs_look_for_idle(table, now, look);
	return arfs_service_due(table, now);
}

/**
 * arfs_table_replay() - the device has lost all filters; write the wanted ones again
 * @table: the table
 *
 * Context: sleeps. arfs_table_service() does not run; requests may.
 */
void arfs_table_replay(struct arfs_table *table)
{
	struct arfs_flow *flow;
	u32 i;

	for (i = 0; i <= table->mask; i++) {
		struct arfs_bucket *bucket = &table->buckets[i];

		spin_lock_bh(&bucket->lock);
		hlist_for_each_entry(flow, &bucket->flows, key_node) {
			arfs_flow_step(table, flow, ARFS_EVENT_LOST, ARFS_NO_TARGET);
			arfs_flow_publish(table, flow);
			arfs_flow_queue(table, flow);
		}
		spin_unlock_bh(&bucket->lock);
		cond_resched();
	}
}

/* Remove the flow's filter from the hardware for good. */
static void arfs_flush_filter(struct arfs_table *table, const struct arfs_flow *flow)
{
	int error = -EAGAIN;
	int tries;

	for (tries = 0; error && tries < ARFS_FLUSH_TRIES; tries++)
		error = table->ops->program(table->owner, ARFS_WRITE_DELETE, &flow->key,
					    flow->filter.programmed);
	arfs_count(table, error ? ARFS_COUNT_FAILED : ARFS_COUNT_DELETED);
}

static void arfs_flush_flow(struct arfs_table *table, struct arfs_bucket *bucket,
			    struct arfs_flow *flow, bool hardware)
{
	if (hardware && flow->filter.programmed.id != ARFS_NO_ID)
		arfs_flush_filter(table, flow);

	spin_lock_bh(&bucket->lock);
	arfs_line_leave(table, flow);
	arfs_flow_step(table, flow, ARFS_EVENT_UNWANT, ARFS_NO_TARGET);
	arfs_flow_step(table, flow, ARFS_EVENT_LOST, ARFS_NO_TARGET);
	hlist_del(&flow->key_node);
	spin_unlock_bh(&bucket->lock);

	list_del_init(&flow->delay_node);
	atomic_dec(&table->flows);
}

/**
 * arfs_table_flush() - forget all flows and delete their filters
 * @table: a closed table
 * @hardware: delete the filters from the hardware too; false when it has lost them already
 *
 * Context: sleeps. arfs_table_service() does not run.
 */
void arfs_table_flush(struct arfs_table *table, bool hardware)
{
	struct hlist_node *next;
	struct arfs_flow *flow;
	HLIST_HEAD(gone);
	u32 i;

	for (i = 0; i <= table->mask; i++) {
		struct arfs_bucket *bucket = &table->buckets[i];

		hlist_for_each_entry_safe(flow, next, &bucket->flows, key_node) {
			arfs_flush_flow(table, bucket, flow, hardware);
			hlist_add_head(&flow->key_node, &gone);
			cond_resched();
		}
	}
	/* Leaving a line queues the heir, which is gone by now as well. */
	llist_del_all(&table->work);
	hlist_for_each_entry_safe(flow, next, &gone, key_node)
		kmem_cache_free(table->flow_cache, flow);
}
