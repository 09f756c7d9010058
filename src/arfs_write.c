// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hardware writes: what to write for a flow, and what follows from how it went.
 *
 * A write is done when the hardware says so. Its report comes in an interrupt and goes into a ring.
 * The service takes it from there and finds the flow by the tag of the write: the id that the write
 * is about, and a number that tells this write from earlier ones with that id.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>

#include "arfs_internal.h"

static const enum arfs_count arfs_written[] = {
	[ARFS_WRITE_ADD] = ARFS_COUNT_ADDED,
	[ARFS_WRITE_MOVE] = ARFS_COUNT_MOVED,
	[ARFS_WRITE_DELETE] = ARFS_COUNT_DELETED,
};

static const enum arfs_notice arfs_write_notice[] = {
	[ARFS_WRITE_ADD] = ARFS_NOTICE_ADDED,
	[ARFS_WRITE_MOVE] = ARFS_NOTICE_MOVED,
	[ARFS_WRITE_DELETE] = ARFS_NOTICE_DELETED,
};

#define ARFS_TAG_SEQ_SHIFT	16
#define ARFS_TAG_ID_MASK	0xffff

static u32 arfs_flow_tag(const struct arfs_flow *flow, u16 id)
{
	return (u32)flow->seq << ARFS_TAG_SEQ_SHIFT | id;
}

/* The target that the write in flight is about. */
static struct arfs_target arfs_flow_subject(const struct arfs_flow *flow)
{
	return flow->filter.state == ARFS_DELETING ? flow->filter.programmed : flow->filter.writing;
}

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
	    flow->bars || atomic_read_acquire(&flow->queued))
		return;
	list_del_init(&flow->delay_node);
	hlist_del_rcu(&flow->key_node);
	atomic_dec(&table->flows);
	call_rcu(&flow->rcu, arfs_flow_free_rcu);
}

/* Have the flow served again at a time. */
static void arfs_flow_delay_until(struct arfs_table *table, struct arfs_flow *flow, u32 due_at,
				  u32 queue)
{
	flow->resting = queue == ARFS_MOVE_QUEUE;
	flow->due_at = due_at;
	list_move_tail(&flow->delay_node, &table->delayed[queue]);
}

/* Have the flow served again after the delay of a level. */
static void arfs_flow_delay(struct arfs_table *table, struct arfs_flow *flow, u32 now, u32 level)
{
	arfs_flow_delay_until(table, flow, now + arfs_delay_ms(level), level);
}

/* If the filter moved not long ago: have the flow served when it may move again. */
static bool arfs_flow_rest(struct arfs_table *table, struct arfs_flow *flow, u32 now)
{
	u32 interval = READ_ONCE(table->move_interval);

	if (!flow->moved || arfs_elapsed(now, flow->moved_at, interval))
		return false;
	arfs_flow_delay_until(table, flow, flow->moved_at + interval, ARFS_MOVE_QUEUE);
	return true;
}

/*
 * The filter was written. Packets that came in before may still ask from the queue before it; a
 * core that asks once would not take its mark from the queue between, were it granted yet another.
 */
static void arfs_flow_settle(struct arfs_table *table, struct arfs_flow *flow, u32 now)
{
	if (arfs_flow_rest(table, flow, now))
		return;
	arfs_flow_delay(table, flow, now, ARFS_SETTLE_LEVEL);
	flow->resting = true;
}

/* Has the filter to wait because it moved not long ago? */
static bool arfs_flow_damped(struct arfs_table *table, struct arfs_flow *flow, u32 now)
{
	bool waited = !list_empty(&flow->delay_node);

	if (flow->filter.state != ARFS_STALE || !arfs_flow_rest(table, flow, now))
		return false;
	if (!waited)
		arfs_count(table, ARFS_COUNT_DAMPED);
	return true;
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
static enum arfs_write arfs_flow_start(struct arfs_table *table, struct arfs_flow *flow, u32 now)
{
	enum arfs_event event = ARFS_EVENT_START;
	enum arfs_write write;

	if (arfs_flow_id_busy(table, flow)) {
		if (!arfs_flow_id_awaited(table, flow)) {
			arfs_flow_delay(table, flow, now, ARFS_ID_WAIT_LEVEL);
			return ARFS_WRITE_NONE;
		}
		event = ARFS_EVENT_YIELD;
	}
	if (arfs_flow_damped(table, flow, now))
		return ARFS_WRITE_NONE;
	if (flow->filter.state == ARFS_PENDING && table->full) {
		arfs_flow_delay(table, flow, now, ARFS_FULL_LEVEL);
		arfs_flow_publish(table, flow);
		return ARFS_WRITE_NONE;
	}
	write = arfs_flow_step(table, flow, event, ARFS_NO_TARGET);
	if (write == ARFS_WRITE_NONE) {
		arfs_flow_retire(table, flow);
		return write;
	}
	if (write != ARFS_WRITE_DELETE)
		flow->absences = 0;
	if (write == ARFS_WRITE_MOVE) {
		flow->moved = true;
		flow->moved_at = now;
	}
	/* 0 stays free: a tag below 65,536 is a rule of the user. */
	table->seq = table->seq == 0xffff ? 1 : table->seq + 1;
	flow->seq = table->seq;
	flow->overdue = false;
	table->writer[arfs_flow_subject(flow).id] = flow->hash;
	return write;
}

/* The event that an errno stands for. */
static enum arfs_event arfs_outcome(int error)
{
	switch (error) {
	case 0:
		return ARFS_EVENT_DONE;
	case -ETIMEDOUT:
		return ARFS_EVENT_DOUBT;
	default:
		return ARFS_EVENT_FAIL;
	}
}

/*
 * The device says of a failed add that it is full, whatever the reason. So one failure is that of
 * one flow; several in a row mean that there is no room, and then adding pauses.
 */
static void arfs_note_room(struct arfs_table *table, u32 now, int error)
{
	if (!error) {
		table->full_streak = 0;
	} else if (error == -ENOSPC && ++table->full_streak >= ARFS_FULL_STREAK) {
		WRITE_ONCE(table->full, true);	/* pairs with arfs_flow_publish() */
		table->full_at = now;
	}
}

/* Take note of how the write went and see to what follows from it. */
static void arfs_flow_finish(struct arfs_table *table, struct arfs_flow *flow, u32 now,
			     enum arfs_write write, int error)
{
	struct arfs_filter *filter = &flow->filter;

	list_del_init(&flow->delay_node);
	flow->resting = false;
	arfs_count(table, error ? ARFS_COUNT_FAILED : arfs_written[write]);
	arfs_flow_notice(table, flow, error ? ARFS_NOTICE_FAILED : arfs_write_notice[write],
			 arfs_flow_subject(flow), error);
	arfs_flow_step(table, flow, arfs_outcome(error), ARFS_NO_TARGET);
	if (write == ARFS_WRITE_ADD)
		arfs_note_room(table, now, error);

	/* A deletion is never given up: the hardware would steer by a filter that nobody knows. */
	if (filter->state == ARFS_FAILED && filter->wanted.id != ARFS_NO_ID &&
	    !arfs_retry_worthwhile(filter->failures))
		arfs_flow_forgo(table, flow, ARFS_COUNT_ABANDONED);

	if (filter->state == ARFS_FAILED)
		arfs_flow_delay(table, flow, now, arfs_retry_level(filter->failures));
	else if (filter->state != ARFS_IDLE && filter->state != ARFS_ACTIVE)
		arfs_flow_queue(table, flow);
	else if (filter->state == ARFS_ACTIVE && table->ops->core_asks_once)
		arfs_flow_settle(table, flow, now);
	arfs_flow_publish(table, flow);
	arfs_flow_retire(table, flow);
}

static enum arfs_write arfs_flow_write_in_flight(const struct arfs_flow *flow)
{
	switch (flow->filter.state) {
	case ARFS_ADDING:
		return ARFS_WRITE_ADD;
	case ARFS_MOVING:
		return ARFS_WRITE_MOVE;
	case ARFS_DELETING:
		return ARFS_WRITE_DELETE;
	default:
		return ARFS_WRITE_NONE;
	}
}

/* What a report means for the flow's write that it is about, as an errno. */
static int arfs_report_error(const struct arfs_flow *flow, enum arfs_write write,
			     enum arfs_report report)
{
	switch (report) {
	case ARFS_REPORT_DONE:
		return 0;
	case ARFS_REPORT_ABSENT:
		/* What was to be deleted is, as it says each time, not there: it is deleted. */
		return write == ARFS_WRITE_DELETE && arfs_absent_for_good(flow->absences) ?
		       0 : -ENOENT;
	case ARFS_REPORT_FULL:
		return -ENOSPC;
	case ARFS_REPORT_REFUSED:
		break;
	}
	return -EIO;
}

/**
 * arfs_flow_serve() - bring the hardware nearer to what is wanted for one flow
 * @table: the table
 * @flow: the flow; it may be gone afterwards
 * @now: time in milliseconds
 *
 * Context: the service; may sleep.
 */
void arfs_flow_serve(struct arfs_table *table, struct arfs_flow *flow, u32 now)
{
	struct arfs_bucket *bucket = arfs_bucket_of(table, flow->hash);
	struct arfs_target target;
	enum arfs_write write;
	int error;
	u32 tag;

	spin_lock_bh(&bucket->lock);
	arfs_flow_adopt(table, flow);
	if (arfs_filter_in_flight(&flow->filter) && flow->overdue) {
		arfs_count(table, ARFS_COUNT_UNREPORTED);
		error = arfs_hearing_missed(&table->hearing, now) ? 0 : -ETIMEDOUT;
		arfs_flow_finish(table, flow, now, arfs_flow_write_in_flight(flow), error);
		spin_unlock_bh(&bucket->lock);
		return;
	}
	write = arfs_flow_start(table, flow, now);
	if (write == ARFS_WRITE_NONE) {
		spin_unlock_bh(&bucket->lock);
		return;
	}
	target = arfs_flow_subject(flow);
	tag = arfs_flow_tag(flow, target.id);
	spin_unlock_bh(&bucket->lock);

	error = table->ops->program(table->owner, write, &flow->key, target, tag);

	spin_lock_bh(&bucket->lock);
	if (error == -EINPROGRESS)
		arfs_flow_delay(table, flow, now, ARFS_REPORT_LEVEL);
	else
		arfs_flow_finish(table, flow, now, write, error);
	spin_unlock_bh(&bucket->lock);
}

/* The flow of the bucket whose write in flight has this tag. */
static struct arfs_flow *arfs_find_writer(struct arfs_bucket *bucket, u32 tag)
{
	struct arfs_flow *flow;

	lockdep_assert_held(&bucket->lock);
	hlist_for_each_entry(flow, &bucket->flows, key_node)
		if (arfs_filter_in_flight(&flow->filter) &&
		    arfs_flow_tag(flow, arfs_flow_subject(flow).id) == tag)
			return flow;
	return NULL;
}

/* Act on one report. One that comes after its time, or twice, finds no flow. */
static void arfs_serve_report(struct arfs_table *table, u32 now, u32 tag, enum arfs_report report)
{
	u16 id = tag & ARFS_TAG_ID_MASK;
	struct arfs_bucket *bucket;
	struct arfs_flow *flow;

	if (id == ARFS_NO_ID)
		return;
	/* Late or not, it shows that the device reports. */
	arfs_hearing_heard(&table->hearing);
	bucket = arfs_bucket_of(table, table->writer[id]);
	spin_lock_bh(&bucket->lock);
	flow = arfs_find_writer(bucket, tag);
	if (flow) {
		enum arfs_write write = arfs_flow_write_in_flight(flow);

		flow->absences = report == ARFS_REPORT_ABSENT ? flow->absences + 1 : 0;
		arfs_flow_finish(table, flow, now, write, arfs_report_error(flow, write, report));
	}
	spin_unlock_bh(&bucket->lock);
}

/**
 * arfs_serve_reports() - act on the reports that have come
 * @table: the table
 * @now: time in milliseconds
 *
 * Context: the service.
 */
void arfs_serve_reports(struct arfs_table *table, u32 now)
{
	struct arfs_reports *reports = &table->reports;
	/* Pairs with arfs_table_report(): the entries before it are filled. */
	u32 end = smp_load_acquire(&reports->end);
	u32 at = reports->begin;

	for (; at != end; at++) {
		const struct arfs_report_entry *entry = &reports->entry[at % ARFS_REPORTS];

		arfs_serve_report(table, now, entry->tag, entry->report);
	}
	/* Pairs with arfs_table_report(): the entries before it have been read. */
	smp_store_release(&reports->begin, at);
}

/**
 * arfs_table_report() - the hardware tells how a write went
 * @table: the table
 * @tag: of the write
 * @report: how it went
 *
 * Context: any, hard interrupt too; the owner serialises the calls.
 * Return: false when the report had no room; the write is then taken for unreported.
 */
bool arfs_table_report(struct arfs_table *table, u32 tag, enum arfs_report report)
{
	struct arfs_reports *reports = &table->reports;
	u32 end = reports->end;

	/* Pairs with arfs_serve_reports(). */
	if (end - smp_load_acquire(&reports->begin) == ARFS_REPORTS)
		return false;
	reports->entry[end % ARFS_REPORTS] = (struct arfs_report_entry) {
		.tag = tag,
		.report = report,
	};
	/* Pairs with arfs_serve_reports(). */
	smp_store_release(&reports->end, end + 1);
	if (READ_ONCE(table->open))
		table->ops->kick(table->owner);
	return true;
}
