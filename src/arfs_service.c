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
/*
 * Flows of the work list that one call serves. The rest waits for the next call, which comes at
 * once, reads the reports and knows the time: neither the ring of reports nor a report's time runs
 * out while thousands of filters are written.
 */
#define ARFS_FLOWS_PER_CALL	128
static_assert(ARFS_REPORTS / ARFS_FLOWS_PER_CALL > 4, "reports of two calls fit the ring twice");
/* Deletions that a flush tries for one filter. */
#define ARFS_FLUSH_TRIES	3

static u32 arfs_serve_work(struct arfs_table *table, u32 now)
{
	struct llist_node *node;
	u32 served = 0;

	if (!table->todo)
		table->todo = llist_reverse_order(llist_del_all(&table->work));
	while (table->todo && served < ARFS_FLOWS_PER_CALL) {
		struct arfs_flow *flow;

		node = table->todo;
		table->todo = node->next;
		flow = llist_entry(node, struct arfs_flow, work_node);
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
	flow->overdue = true;
	flow->resting = false;
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

	for (level = 0; level < ARFS_DELAY_QUEUES; level++) {
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

	if (table->todo)
		return 0;
	for (level = 0; level < ARFS_DELAY_QUEUES; level++) {
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
 * Return: milliseconds after which to call again even if nothing kicks, 0 when there is more to do,
 * or ARFS_SERVICE_IDLE.
 */
u32 arfs_table_service(struct arfs_table *table, u32 now)
{
	u32 look;

	if (!READ_ONCE(table->open))	/* pairs with arfs_table_close() */
		return ARFS_SERVICE_IDLE;
	if (table->full && arfs_elapsed(now, table->full_at, ARFS_FULL_MS))
		WRITE_ONCE(table->full, false);	/* pairs with arfs_flow_publish() */
	arfs_serve_reports(table, now);
	arfs_serve_delayed(table, now);
	look = arfs_serve_work(table, now) * ARFS_LOOK_PER_FLOW;
	if (arfs_elapsed(now, table->looked_at, ARFS_TICK_MS)) {
		table->looked_at = now;
		look += ARFS_LOOK_PER_TICK;
	}
	arfs_look_for_idle(table, now, look);
	return arfs_service_due(table, now);
}

/* A device without filters of ours has room again, as far as is known, and no writes to report. */
static void arfs_table_emptied(struct arfs_table *table)
{
	WRITE_ONCE(table->full, false);		/* pairs with arfs_flow_publish() */
	table->full_streak = 0;
	arfs_hearing_waived(&table->hearing);
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

	arfs_table_emptied(table);
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
static int arfs_flush_filter(struct arfs_table *table, const struct arfs_flow *flow)
{
	int error = -EAGAIN;
	int tries;

	for (tries = 0; error && error != -EINPROGRESS && tries < ARFS_FLUSH_TRIES; tries++)
		error = table->ops->program(table->owner, ARFS_WRITE_DELETE, &flow->key,
					    flow->filter.programmed, ARFS_NO_ID);
	/* Nobody waits for reports any longer: what was posted counts as done. */
	if (error == -EINPROGRESS)
		error = 0;
	arfs_count(table, error ? ARFS_COUNT_FAILED : ARFS_COUNT_DELETED);
	return error;
}

static void arfs_flush_flow(struct arfs_table *table, struct arfs_bucket *bucket,
			    struct arfs_flow *flow, bool hardware)
{
	/* A filter whose first write is in flight is in the hardware before its deletion. */
	bool present = hardware && arfs_filter_present(&flow->filter);
	int error = present ? arfs_flush_filter(table, flow) : 0;

	spin_lock_bh(&bucket->lock);
	if (present)
		arfs_flow_notice(table, flow, error ? ARFS_NOTICE_FAILED : ARFS_NOTICE_DELETED,
				 flow->filter.programmed, error);
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
	table->todo = NULL;
	hlist_for_each_entry_safe(flow, next, &gone, key_node)
		kmem_cache_free(table->flow_cache, flow);
	arfs_table_emptied(table);
}
