// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of steered flows: requests of the core. See arfs_table.h.
 */
#include <linux/errno.h>
#include <linux/jhash.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/rcupdate.h>

#include "arfs_internal.h"

#define ARFS_BUCKETS_MIN	1024U
#define ARFS_BUCKETS_MAX	32768U

static_assert(offsetofend(struct arfs_flow, key) <= 64,
	      "a hit reads one cache line of the flow");

u16 arfs_id_take(struct arfs_table *table)
{
	u16 id;

	spin_lock_bh(&table->id_lock);
	id = arfs_ids_take(table->ids);
	spin_unlock_bh(&table->id_lock);
	return id;
}

bool arfs_id_share(struct arfs_table *table, u16 id)
{
	bool shared;

	spin_lock_bh(&table->id_lock);
	shared = arfs_ids_share(table->ids, id);
	spin_unlock_bh(&table->id_lock);
	return shared;
}

void arfs_id_drop(struct arfs_table *table, u16 id)
{
	bool dropped;

	spin_lock_bh(&table->id_lock);
	dropped = arfs_ids_drop(table->ids, id);
	spin_unlock_bh(&table->id_lock);
	WARN_ON_ONCE(!dropped);
}

u32 arfs_id_holders(struct arfs_table *table, u16 id)
{
	u32 holders;

	spin_lock_bh(&table->id_lock);
	holders = arfs_ids_holders(table->ids, id);
	spin_unlock_bh(&table->id_lock);
	return holders;
}

/** arfs_key_hash() - hash of a key in this table; any context. */
u32 arfs_key_hash(const struct arfs_table *table, const struct arfs_flow_key *key)
{
	return jhash2((const u32 *)key, ARFS_FLOW_KEY_WORDS, table->hash_seed);
}

/** arfs_bucket_of() - bucket of a hash; any context. */
struct arfs_bucket *arfs_bucket_of(struct arfs_table *table, u32 hash)
{
	return &table->buckets[hash & table->mask];
}

/**
 * arfs_flow_queue() - have the service look at a flow
 * @table: the table
 * @flow: the flow
 *
 * Context: bucket lock or line lock of @flow held.
 */
void arfs_flow_queue(struct arfs_table *table, struct arfs_flow *flow)
{
	/* Pairs with the service's atomic_set_release(): what was changed before is seen by it. */
	if (atomic_xchg(&flow->queued, 1))
		return;
	if (llist_add(&flow->work_node, &table->work) && READ_ONCE(table->open))
		table->ops->kick(table->owner);
}

/* Give back the ids that the filter held before a step and no longer holds. */
static void arfs_flow_drop_ids(struct arfs_table *table, const struct arfs_filter *before,
			       const struct arfs_filter *after)
{
	const u16 ids[] = { before->wanted.id, before->writing.id, before->programmed.id };
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		if (ids[i] == ARFS_NO_ID || arfs_filter_holds(after, ids[i]))
			continue;
		for (j = 0; j < i && ids[j] != ids[i]; j++)
			;
		if (j == i)
			arfs_id_drop(table, ids[i]);
	}
}

/**
 * arfs_flow_step() - apply an event to a flow's filter
 * @table: the table
 * @flow: the flow
 * @event: the event
 * @target: its target; the flow must be a holder of the id
 *
 * Context: bucket lock of @flow held.
 * Return: what to write, as arfs_filter_step().
 */
enum arfs_write arfs_flow_step(struct arfs_table *table, struct arfs_flow *flow,
			       enum arfs_event event, struct arfs_target target)
{
	enum arfs_protocol protocol = arfs_flow_key_protocol(&flow->key);
	struct arfs_filter before = flow->filter;
	enum arfs_write write;

	lockdep_assert_held(&arfs_bucket_of(table, flow->hash)->lock);

	write = arfs_filter_step(&flow->filter, event, target);
	arfs_flow_drop_ids(table, &before, &flow->filter);
	atomic_add((flow->filter.wanted.id != ARFS_NO_ID) - (before.wanted.id != ARFS_NO_ID),
		   &table->held);
	atomic_add(arfs_filter_used(&flow->filter) - arfs_filter_used(&before),
		   &table->used[protocol]);
	atomic_add(arfs_filter_present(&flow->filter) - arfs_filter_present(&before),
		   &table->live[protocol]);
	return write;
}

/** arfs_flow_notice() - tell the owner what happened to a flow; bucket lock held. */
void arfs_flow_notice(struct arfs_table *table, const struct arfs_flow *flow,
		      enum arfs_notice notice, struct arfs_target target, int error)
{
	if (table->ops->notice)
		table->ops->notice(table->owner, notice, &flow->key, target, error);
}

/**
 * arfs_flow_publish() - let the core's next request see where the flow stands
 * @table: the table
 * @flow: the flow
 *
 * Context: bucket lock of @flow held.
 */
void arfs_flow_publish(struct arfs_table *table, struct arfs_flow *flow)
{
	enum arfs_standing standing = ARFS_STANDING_NONE;
	struct arfs_filter *filter = &flow->filter;
	u16 id = 0;

	lockdep_assert_held(&arfs_bucket_of(table, flow->hash)->lock);

	if (flow->bars) {
		standing = ARFS_STANDING_BARRED;
	} else if (filter->wanted.id != ARFS_NO_ID) {
		bool stuck = filter->failures ||
			     (filter->state == ARFS_PENDING && READ_ONCE(table->full));

		standing = stuck ? ARFS_STANDING_FAILED : ARFS_STANDING_GRANTED;
		id = filter->wanted.id;
	} else if (READ_ONCE(flow->place) == ARFS_PLACE_WAITS) {
		standing = ARFS_STANDING_WAITING;
		id = READ_ONCE(flow->slot_id);
	}
	atomic64_set(&flow->claim, arfs_claim_pack(flow->slot, id, standing));
}

/**
 * arfs_flow_forgo() - a flow gives up its slot and its filter
 * @table: the table
 * @flow: the flow
 * @why: counter of the reason
 *
 * Context: bucket lock of @flow held.
 */
void arfs_flow_forgo(struct arfs_table *table, struct arfs_flow *flow, enum arfs_count why)
{
	/* Queued first: the filter leaves the hardware before the heir's, with its id, enters. */
	arfs_flow_queue(table, flow);
	arfs_line_leave(table, flow);
	arfs_flow_step(table, flow, ARFS_EVENT_UNWANT, ARFS_NO_TARGET);
	arfs_flow_publish(table, flow);
	arfs_count(table, why);
}

/**
 * arfs_flow_find() - the flow of a key
 * @table: the table
 * @hash: hash of @key
 * @key: the key
 *
 * Context: under RCU; or the bucket lock, which keeps the flow in the table.
 */
struct arfs_flow *arfs_flow_find(struct arfs_table *table, u32 hash,
				 const struct arfs_flow_key *key)
{
	struct arfs_flow *flow;

	hlist_for_each_entry_rcu(flow, &arfs_bucket_of(table, hash)->flows, key_node)
		if (arfs_flow_key_equal(&flow->key, key))
			return flow;
	return NULL;
}

/**
 * arfs_flow_alloc() - make a flow that is in no table yet
 * @table: the table it is to go into
 * @hash: hash of @key
 * @key: the key
 *
 * Context: any.
 * Return: the flow, or NULL for lack of memory.
 */
struct arfs_flow *arfs_flow_alloc(struct arfs_table *table, u32 hash,
				  const struct arfs_flow_key *key)
{
	struct arfs_flow *flow;

	flow = kmem_cache_zalloc(table->flow_cache, GFP_ATOMIC | __GFP_NOWARN);
	if (!flow)
		return NULL;
	flow->cache = table->flow_cache;
	flow->key = *key;
	flow->hash = hash;
	flow->slot_id = ARFS_NO_ID;
	INIT_LIST_HEAD(&flow->delay_node);
	arfs_filter_init(&flow->filter);
	return flow;
}

/**
 * arfs_flow_insert() - put a flow into the table
 * @table: the table
 * @bucket: bucket of its hash
 * @flow: a flow whose key the table does not have
 *
 * Context: bucket lock held.
 */
void arfs_flow_insert(struct arfs_table *table, struct arfs_bucket *bucket,
		      struct arfs_flow *flow)
{
	lockdep_assert_held(&bucket->lock);

	atomic_inc(&table->flows);
	hlist_add_head_rcu(&flow->key_node, &bucket->flows);
}

/* What a flow that waits is told: the id of the owner of its slot, then no. See ARFS_PATIENCE. */
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

/* Ask for a slot on behalf of a flow that has none or another one. */
static int arfs_flow_request(struct arfs_table *table, struct arfs_flow *flow,
			     struct arfs_slot slot)
{
	u16 id = flow->filter.wanted.id;
	bool had_filter = id != ARFS_NO_ID;
	int answer = -ENOSPC;

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
	} else if (arfs_line_join(table, flow, slot, &id) == ARFS_SLOT_REFUSE) {
		arfs_count(table, ARFS_COUNT_BUSY);
		if (had_filter)
			arfs_count(table, ARFS_COUNT_DISPLACED);
		arfs_flow_step(table, flow, ARFS_EVENT_UNWANT, ARFS_NO_TARGET);
		arfs_flow_publish(table, flow);
		arfs_flow_notice(table, flow, ARFS_NOTICE_REFUSED,
				 (struct arfs_target) { slot.rxq, ARFS_NO_ID }, -EBUSY);
		return arfs_flow_put_off(flow, READ_ONCE(flow->slot_id));
	} else if (id == ARFS_NO_ID) {
		arfs_count(table, ARFS_COUNT_FULL);
		arfs_line_leave(table, flow);
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
	return answer;
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
 * Return: the filter id; for some packets of a flow that has to wait, that of the slot's owner; or
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

	spin_lock_bh(&bucket->lock);
	flow = arfs_flow_find(table, hash, key);
	if (flow)
		arfs_flow_adopt(table, flow);
	if (!flow)
		answer = arfs_steer_new(table, bucket, hash, key, slot);
	else if (!arfs_flow_answer(table, flow, slot, &answer))
		answer = arfs_flow_request(table, flow, slot);
	/* A flow that was left with nothing is retired by the service. */
	if (flow && answer < 0 && READ_ONCE(flow->place) == ARFS_PLACE_NONE)
		arfs_flow_queue(table, flow);
	spin_unlock_bh(&bucket->lock);
out:
	rcu_read_unlock();
	return answer;
}

/**
 * arfs_table_open() - serve requests
 * @table: the table
 *
 * Context: any.
 */
void arfs_table_open(struct arfs_table *table)
{
	WRITE_ONCE(table->draining, false);	/* pairs with arfs_table_steer() */
	WRITE_ONCE(table->open, true);	/* pairs with arfs_table_steer() */
	/* What came up while the table was closed was not announced. */
	table->ops->kick(table->owner);
}

/**
 * arfs_table_close() - refuse further requests and wait for those under way
 * @table: the table
 *
 * Context: sleeps.
 */
void arfs_table_close(struct arfs_table *table)
{
	WRITE_ONCE(table->open, false);	/* pairs with arfs_table_steer() */
	synchronize_rcu();
}

/**
 * arfs_table_set_limit() - how many filters may be held
 * @table: the table
 * @limit: filters; those held already stay
 *
 * Context: any.
 */
void arfs_table_set_limit(struct arfs_table *table, u32 limit)
{
	WRITE_ONCE(table->limit, limit);	/* pairs with the READ_ONCEs of a request */
}

/**
 * arfs_table_set_move_interval() - how often one filter may be moved
 * @table: the table
 * @ms: milliseconds between two moves of a filter at least; 0: no limit
 *
 * Context: any.
 */
void arfs_table_set_move_interval(struct arfs_table *table, u32 ms)
{
	WRITE_ONCE(table->move_interval, ms);	/* pairs with the service's READ_ONCE */
}

/**
 * arfs_table_live() - filters of a protocol in the hardware
 * @table: the table
 * @protocol: the protocol
 *
 * Context: any.
 */
u32 arfs_table_live(const struct arfs_table *table, enum arfs_protocol protocol)
{
	return atomic_read(&table->live[protocol]);
}

/**
 * arfs_table_used() - filters of a protocol that are in the hardware or will be
 * @table: the table
 * @protocol: the protocol
 *
 * Context: any.
 */
u32 arfs_table_used(const struct arfs_table *table, enum arfs_protocol protocol)
{
	return atomic_read(&table->used[protocol]);
}

/**
 * arfs_table_read_stats() - sum the counters
 * @table: the table
 * @stats: written
 *
 * Context: any.
 */
void arfs_table_read_stats(const struct arfs_table *table, struct arfs_table_stats *stats)
{
	unsigned int cpu, what;

	*stats = (struct arfs_table_stats) {
		.flows = atomic_read(&table->flows),
		.held = atomic_read(&table->held),
		.waiting = atomic_read(&table->waiting),
	};
	for (what = 0; what < ARFS_PROTOCOLS; what++)
		stats->live[what] = arfs_table_live(table, what);
	for_each_possible_cpu(cpu) {
		const struct arfs_counts *counts = per_cpu_ptr(table->counts, cpu);

		for (what = 0; what < ARFS_COUNTS; what++)
			stats->count[what] += READ_ONCE(counts->n[what]);
	}
}

/**
 * arfs_table_for_each() - show every flow
 * @table: the table
 * @visit: called for each flow, with its bucket lock held
 * @cookie: argument for @visit
 *
 * Flows that come or go meanwhile may be shown or not.
 *
 * Context: may not be called with a lock of the table held. Does not sleep unless it may.
 */
void arfs_table_for_each(struct arfs_table *table,
			 void (*visit)(void *cookie, const struct arfs_flow_view *view),
			 void *cookie)
{
	struct arfs_flow *flow;
	u32 i;

	for (i = 0; i <= table->mask; i++) {
		struct arfs_bucket *bucket = &table->buckets[i];

		spin_lock_bh(&bucket->lock);
		hlist_for_each_entry(flow, &bucket->flows, key_node) {
			u64 claim = atomic64_read(&flow->claim);
			struct arfs_flow_view view = {
				.key = flow->key,
				.slot = arfs_claim_slot(claim),
				.standing = arfs_claim_standing(claim),
				.filter = flow->filter,
			};

			visit(cookie, &view);
		}
		spin_unlock_bh(&bucket->lock);
	}
}

/**
 * arfs_table_create() - make an empty, closed table
 * @name: of its slab cache; unique in the system
 * @ops: what the owner provides
 * @owner: argument for @ops
 * @limit: filters that may be held
 *
 * Context: sleeps.
 * Return: the table, or NULL for lack of memory.
 */
struct arfs_table *arfs_table_create(const char *name, const struct arfs_table_ops *ops,
				     void *owner, u32 limit)
{
	u32 buckets = roundup_pow_of_two(clamp(limit, ARFS_BUCKETS_MIN, ARFS_BUCKETS_MAX));
	struct arfs_table *table;
	u32 i;

	table = kzalloc(sizeof(*table), GFP_KERNEL);
	if (!table)
		return NULL;
	table->buckets = kvcalloc(buckets, sizeof(*table->buckets), GFP_KERNEL);
	table->lines = kvcalloc(buckets, sizeof(*table->lines), GFP_KERNEL);
	table->ids = kvzalloc(sizeof(*table->ids), GFP_KERNEL);
	table->writer = kvcalloc(ARFS_IDS, sizeof(*table->writer), GFP_KERNEL);
	table->counts = alloc_percpu(struct arfs_counts);
	table->flow_cache = kmem_cache_create(name, sizeof(struct arfs_flow), 0,
					      SLAB_HWCACHE_ALIGN, NULL);
	if (!table->buckets || !table->lines || !table->ids || !table->writer ||
	    !table->counts || !table->flow_cache) {
		arfs_table_destroy(table);
		return NULL;
	}

	table->ops = ops;
	table->owner = owner;
	table->limit = limit;
	table->patience = ARFS_PATIENCE;
	table->move_interval = ARFS_MOVE_MS;
	table->queues = ARFS_RXQ_MAX + 1;
	table->mask = buckets - 1;
	table->hash_seed = get_random_u32();
	for (i = 0; i < buckets; i++) {
		spin_lock_init(&table->buckets[i].lock);
		INIT_HLIST_HEAD(&table->buckets[i].flows);
		spin_lock_init(&table->lines[i].lock);
		INIT_LIST_HEAD(&table->lines[i].flows);
	}
	spin_lock_init(&table->id_lock);
	arfs_ids_init(table->ids);
	init_llist_head(&table->work);
	for (i = 0; i < ARFS_DELAY_QUEUES; i++)
		INIT_LIST_HEAD(&table->delayed[i]);
	return table;
}

/**
 * arfs_table_destroy() - free a table
 * @table: a table that is closed and flushed, or NULL
 *
 * Context: sleeps.
 */
void arfs_table_destroy(struct arfs_table *table)
{
	if (!table)
		return;
	WARN_ON_ONCE(table->open || atomic_read(&table->flows));
	/* Flows that the service freed are on their way through RCU to the cache. */
	rcu_barrier();
	kmem_cache_destroy(table->flow_cache);
	free_percpu(table->counts);
	kvfree(table->writer);
	kvfree(table->ids);
	kvfree(table->lines);
	kvfree(table->buckets);
	kfree(table);
}
