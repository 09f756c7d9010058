// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of steered flows: the flows, their life and the counters. See arfs_table.h.
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
 * arfs_table_move_interval() - milliseconds between two moves of a filter at least
 * @table: the table
 *
 * Context: any.
 */
u32 arfs_table_move_interval(const struct arfs_table *table)
{
	return READ_ONCE(table->move_interval);	/* pairs with arfs_table_set_move_interval() */
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
	if (ops->core_asks_once)
		table->novices = kvzalloc(ARFS_NOVICES, GFP_KERNEL);
	table->counts = alloc_percpu(struct arfs_counts);
	table->flow_cache = kmem_cache_create(name, sizeof(struct arfs_flow), 0,
					      SLAB_HWCACHE_ALIGN, NULL);
	if (!table->buckets || !table->lines || !table->ids || !table->writer ||
	    !table->counts || !table->flow_cache || (ops->core_asks_once && !table->novices)) {
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
	kvfree(table->novices);
	kvfree(table->writer);
	kvfree(table->ids);
	kvfree(table->lines);
	kvfree(table->buckets);
	kfree(table);
}
