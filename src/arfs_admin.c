// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the driver decides over the heads of the flows: tuples that belong to a user's rule, queues
 * that go away, filters that make room.
 *
 * Each takes effect in the table at once; the service then brings the hardware after it, and
 * arfs_table_clear_of() and arfs_table_has_filter() tell when it has.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>

#include "arfs_internal.h"

/**
 * arfs_table_bar() - a tuple belongs to a rule of the user
 * @table: the table
 * @key: the tuple
 *
 * Requests for the tuple are refused and its filter is given up until arfs_table_unbar() was called
 * as often as this.
 *
 * Context: any.
 * Return: 0 or -ENOMEM.
 */
int arfs_table_bar(struct arfs_table *table, const struct arfs_flow_key *key)
{
	u32 hash = arfs_key_hash(table, key);
	struct arfs_bucket *bucket = arfs_bucket_of(table, hash);
	struct arfs_flow *flow;
	int err = 0;

	rcu_read_lock();
	spin_lock_bh(&bucket->lock);
	flow = arfs_flow_find(table, hash, key);
	if (!flow) {
		flow = arfs_flow_alloc(table, hash, key);
		if (flow)
			arfs_flow_insert(table, bucket, flow);
		else
			err = -ENOMEM;
	}
	if (flow) {
		flow->bars++;
		arfs_flow_forgo(table, flow, ARFS_COUNT_BARRED);
	}
	spin_unlock_bh(&bucket->lock);
	rcu_read_unlock();
	return err;
}

/**
 * arfs_table_unbar() - a rule of the user is gone
 * @table: the table
 * @key: its tuple; one that is not barred is left as it is
 *
 * Context: any.
 */
void arfs_table_unbar(struct arfs_table *table, const struct arfs_flow_key *key)
{
	u32 hash = arfs_key_hash(table, key);
	struct arfs_bucket *bucket = arfs_bucket_of(table, hash);
	struct arfs_flow *flow;

	rcu_read_lock();
	spin_lock_bh(&bucket->lock);
	flow = arfs_flow_find(table, hash, key);
	if (flow && flow->bars) {
		flow->bars--;
		arfs_flow_publish(table, flow);
		arfs_flow_queue(table, flow);
	}
	spin_unlock_bh(&bucket->lock);
	rcu_read_unlock();
}

/**
 * arfs_table_has_filter() - may the hardware have a filter for a tuple?
 * @table: the table
 * @key: the tuple
 *
 * Context: any.
 */
bool arfs_table_has_filter(struct arfs_table *table, const struct arfs_flow_key *key)
{
	u32 hash = arfs_key_hash(table, key);
	struct arfs_bucket *bucket = arfs_bucket_of(table, hash);
	struct arfs_flow *flow;
	bool has;

	rcu_read_lock();
	spin_lock_bh(&bucket->lock);
	flow = arfs_flow_find(table, hash, key);
	has = flow && arfs_filter_present(&flow->filter);
	spin_unlock_bh(&bucket->lock);
	rcu_read_unlock();
	return has;
}

typedef void (*arfs_look_fn)(struct arfs_table *table, struct arfs_flow *flow, u32 *argument);

/* Have all flows of the table looked at, one bucket at a time. */
static void arfs_look_at_all(struct arfs_table *table, arfs_look_fn look, u32 *argument)
{
	struct arfs_flow *flow;
	u32 i;

	for (i = 0; i <= table->mask; i++) {
		struct arfs_bucket *bucket = &table->buckets[i];

		spin_lock_bh(&bucket->lock);
		hlist_for_each_entry(flow, &bucket->flows, key_node)
			look(table, flow, argument);
		spin_unlock_bh(&bucket->lock);
	}
}

static void arfs_flow_leave_queues(struct arfs_table *table, struct arfs_flow *flow, u32 *queues)
{
	if (READ_ONCE(flow->place) != ARFS_PLACE_NONE && flow->slot.rxq >= *queues)
		arfs_flow_forgo(table, flow, ARFS_COUNT_QUEUE_GONE);
}

/**
 * arfs_table_set_queues() - there are so many rx queues now
 * @table: the table
 * @queues: their number; filters and waits for queues from this on are given up
 *
 * Context: sleeps.
 */
void arfs_table_set_queues(struct arfs_table *table, u32 queues)
{
	WRITE_ONCE(table->queues, queues);	/* pairs with arfs_table_steer() */
	/* Requests that saw the old number are over then. */
	synchronize_rcu();
	arfs_look_at_all(table, arfs_flow_leave_queues, &queues);
}

static void arfs_flow_drain(struct arfs_table *table, struct arfs_flow *flow, u32 *unused)
{
	if (READ_ONCE(flow->place) != ARFS_PLACE_NONE)
		arfs_flow_forgo(table, flow, ARFS_COUNT_DRAINED);
}

/**
 * arfs_table_drain() - refuse requests and give up all filters
 * @table: an open table
 *
 * The service goes on to run and deletes the filters, as often as it takes; arfs_table_live() tells
 * how many are left. arfs_table_close() and arfs_table_flush() follow, or arfs_table_open().
 *
 * Context: sleeps.
 */
void arfs_table_drain(struct arfs_table *table)
{
	u32 unused = 0;

	WRITE_ONCE(table->draining, true);	/* pairs with arfs_table_steer() */
	/* Requests that were let in are over then. */
	synchronize_rcu();
	/* Twice: a flow that gives up its slot passes it to one that was looked at before. */
	arfs_look_at_all(table, arfs_flow_drain, &unused);
	arfs_look_at_all(table, arfs_flow_drain, &unused);
}

struct arfs_search {
	u32 queues;
	bool found;
};

static void arfs_flow_points_beyond(struct arfs_table *table, struct arfs_flow *flow,
				    u32 *argument)
{
	struct arfs_search *search = container_of(argument, struct arfs_search, queues);
	const struct arfs_filter *filter = &flow->filter;

	if ((filter->programmed.id != ARFS_NO_ID && filter->programmed.rxq >= search->queues) ||
	    (filter->writing.id != ARFS_NO_ID && filter->writing.rxq >= search->queues))
		search->found = true;
}

/**
 * arfs_table_clear_of() - does no filter in the hardware point at a queue that is gone?
 * @table: the table
 * @queues: number of queues that are left
 *
 * Context: any.
 */
bool arfs_table_clear_of(struct arfs_table *table, u32 queues)
{
	struct arfs_search search = { .queues = queues };

	arfs_look_at_all(table, arfs_flow_points_beyond, &search.queues);
	return !search.found;
}

static void arfs_flow_make_room(struct arfs_table *table, struct arfs_flow *flow, u32 *wanted)
{
	if (!*wanted || flow->filter.state != ARFS_ACTIVE)
		return;
	(*wanted)--;
	arfs_flow_forgo(table, flow, ARFS_COUNT_EVICTED);
}

/**
 * arfs_table_evict() - give up filters to make room in the hardware
 * @table: the table
 * @wanted: how many
 *
 * Context: any.
 * Return: how many will go.
 */
u32 arfs_table_evict(struct arfs_table *table, u32 wanted)
{
	u32 left = wanted;

	arfs_look_at_all(table, arfs_flow_make_room, &left);
	return wanted - left;
}
