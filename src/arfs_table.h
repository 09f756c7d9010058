/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of steered flows.
 *
 * One struct arfs_flow per 5-tuple that the core has asked to steer. Its slot (rx queue, flow_id)
 * and filter id are attributes that change together. A flow whose slot belongs to another waits in
 * line for it; when the slot falls free the first in line gets it, with the filter id that the
 * core still keeps in that slot, so that the core's ageing goes on to work although it asked once.
 *
 * Who does what:
 *  - arfs_table_steer() runs in softirq on any CPU. Asking again for what is granted takes no lock
 *    and writes nothing shared. Everything else takes the lock of one bucket.
 *  - arfs_table_service() alone writes to the hardware and frees flows while the table is open. The
 *    table's owner runs it from one work item, never twice at once.
 */
#ifndef ARFS_TABLE_H
#define ARFS_TABLE_H

#include <linux/types.h>

#include "arfs_filter.h"
#include "arfs_flow.h"
#include "arfs_slot.h"

struct arfs_table;

/*
 * The answer "ask again", which is RPS_NO_FILTER. A core that asks once (see struct arfs_table_ops)
 * then notes no filter in the slot and lets the next packet ask anew. So it is granted a slot only
 * when the flow will stay there: what it once noted of a flow that has moved on keeps others out.
 */
#define ARFS_ASK_AGAIN		ARFS_NO_ID

/* What arfs_table_service() returns when it has nothing to come back for. */
#define ARFS_SERVICE_IDLE	0xffffffffU

/**
 * enum arfs_notice - what the owner may want to tell an observer
 * @ARFS_NOTICE_ADDED: a filter is in the hardware
 * @ARFS_NOTICE_MOVED: a filter points at another queue
 * @ARFS_NOTICE_DELETED: a filter has left the hardware
 * @ARFS_NOTICE_FAILED: a write failed
 * @ARFS_NOTICE_REFUSED: a request was refused; told once while the flow waits for the same slot
 */
enum arfs_notice {
	ARFS_NOTICE_ADDED,
	ARFS_NOTICE_MOVED,
	ARFS_NOTICE_DELETED,
	ARFS_NOTICE_FAILED,
	ARFS_NOTICE_REFUSED,
};

/**
 * struct arfs_table_ops - what the table needs of its owner
 * @program: write one filter to the hardware; for a deletion the target is what the hardware has.
 *	May sleep. Returns 0 when it is done; -EINPROGRESS when arfs_table_report() will tell;
 *	another negative errno when the hardware still has what it had
 * @core_lets_go: would the core not miss this filter (rps_may_expire_flow())? Called with a bucket
 *	lock held
 * @kick: have arfs_table_service() called soon. Called with table locks held
 * @stays: is a move from one queue to another not worth a hardware write? Called with a bucket lock
 *	held. NULL: every move is
 * @core_asks_once: the core notes what it was granted and does not ask again, and it calls only for
 *	slots that no other active flow has (from 7.x on); see ARFS_ASK_AGAIN
 * @core_asks_again: the core asks again after a refusal and only for slots that it has to give
 *	(with the core patch), so nobody waits in a line; see ARFS_PATIENCE
 * @notice: something happened to a flow; error is a negative errno or 0. Called with a bucket lock
 *	held. NULL: nobody observes
 */
struct arfs_table_ops {
	int (*program)(void *owner, enum arfs_write write, const struct arfs_flow_key *key,
		       struct arfs_target target, u32 tag);
	bool (*core_lets_go)(void *owner, struct arfs_slot slot, u16 id);
	void (*kick)(void *owner);
	bool (*stays)(void *owner, u16 from, u16 to);
	bool core_asks_once;
	bool core_asks_again;
	void (*notice)(void *owner, enum arfs_notice notice, const struct arfs_flow_key *key,
		       struct arfs_target target, int error);
};

/**
 * enum arfs_count - what the table counts
 * @ARFS_COUNT_CALLS: requests of the core
 * @ARFS_COUNT_HITS: requests for what was granted already
 * @ARFS_COUNT_BUSY: requests put off or refused because another flow owns the slot
 * @ARFS_COUNT_DEFERRED: requests that the core is to repeat with the next packet
 * @ARFS_COUNT_FULL: requests refused because the hardware or the id space is full
 * @ARFS_COUNT_CLOSED: requests refused because the table is closed
 * @ARFS_COUNT_NO_MEMORY: requests refused for lack of memory
 * @ARFS_COUNT_UNPROGRAMMED: requests refused because the hardware refused the filter
 * @ARFS_COUNT_USER_RULE: requests refused because the tuple belongs to a rule of the user
 * @ARFS_COUNT_NO_QUEUE: requests refused because the queue is going away
 * @ARFS_COUNT_COLLIDED: flows that found another flow in their slot and stood in line for it
 * @ARFS_COUNT_PASSED: slots passed on to the first flow in line
 * @ARFS_COUNT_DISPLACED: filters given up because their flow moved on to a slot that is owned
 * @ARFS_COUNT_EXPIRED: filters given up because they were idle
 * @ARFS_COUNT_ABANDONED: filters given up because their writes kept failing
 * @ARFS_COUNT_BARRED: tuples that a rule of the user took
 * @ARFS_COUNT_QUEUE_GONE: filters, and waits, given up because their queue goes away
 * @ARFS_COUNT_EVICTED: filters given up for a rule of the user, or because the owner wants none
 * @ARFS_COUNT_DRAINED: filters, and waits, given up because aRFS is switched off
 * @ARFS_COUNT_ADDED: filters added to the hardware
 * @ARFS_COUNT_MOVED: filters rewritten in the hardware
 * @ARFS_COUNT_DELETED: filters deleted from the hardware
 * @ARFS_COUNT_FAILED: hardware writes that failed
 * @ARFS_COUNT_RETRIED: filters tried again after a failed write
 * @ARFS_COUNT_UNREPORTED: hardware writes of which nothing was heard in time
 * @ARFS_COUNT_DAMPED: moves put off because the filter moved not long ago
 * @ARFS_COUNT_STAYED: moves refused because they were not worth a hardware write
 */
enum arfs_count {
	ARFS_COUNT_CALLS,
	ARFS_COUNT_HITS,
	ARFS_COUNT_BUSY,
	ARFS_COUNT_DEFERRED,
	ARFS_COUNT_FULL,
	ARFS_COUNT_CLOSED,
	ARFS_COUNT_NO_MEMORY,
	ARFS_COUNT_UNPROGRAMMED,
	ARFS_COUNT_USER_RULE,
	ARFS_COUNT_NO_QUEUE,
	ARFS_COUNT_COLLIDED,
	ARFS_COUNT_PASSED,
	ARFS_COUNT_DISPLACED,
	ARFS_COUNT_EXPIRED,
	ARFS_COUNT_ABANDONED,
	ARFS_COUNT_BARRED,
	ARFS_COUNT_QUEUE_GONE,
	ARFS_COUNT_EVICTED,
	ARFS_COUNT_DRAINED,
	ARFS_COUNT_ADDED,
	ARFS_COUNT_MOVED,
	ARFS_COUNT_DELETED,
	ARFS_COUNT_FAILED,
	ARFS_COUNT_RETRIED,
	ARFS_COUNT_UNREPORTED,
	ARFS_COUNT_DAMPED,
	ARFS_COUNT_STAYED,
	ARFS_COUNTS
};

/**
 * struct arfs_table_stats - the counters and what the table holds now
 * @count: by enum arfs_count, since the table was made
 * @flows: flows known
 * @held: flows that own a filter id: their filter is in hardware or to be written
 * @waiting: flows in line for a slot
 * @live: filters in the hardware, by enum arfs_protocol
 */
struct arfs_table_stats {
	u64 count[ARFS_COUNTS];
	u32 live[ARFS_PROTOCOLS];
	u32 flows;
	u32 held;
	u32 waiting;
};

/**
 * enum arfs_report - what the device says of a write
 * @ARFS_REPORT_DONE: it was done
 * @ARFS_REPORT_FULL: there is no room for a further filter
 * @ARFS_REPORT_ABSENT: the filter to be deleted is not there
 * @ARFS_REPORT_REFUSED: the device cannot have such a filter
 */
enum arfs_report {
	ARFS_REPORT_DONE,
	ARFS_REPORT_FULL,
	ARFS_REPORT_ABSENT,
	ARFS_REPORT_REFUSED,
};

struct arfs_table *arfs_table_create(const char *name, const struct arfs_table_ops *ops,
				     void *owner, u32 limit);
void arfs_table_destroy(struct arfs_table *table);

void arfs_table_open(struct arfs_table *table);
void arfs_table_close(struct arfs_table *table);
void arfs_table_flush(struct arfs_table *table, bool hardware);
void arfs_table_set_limit(struct arfs_table *table, u32 limit);
void arfs_table_set_move_interval(struct arfs_table *table, u32 ms);
u32 arfs_table_move_interval(const struct arfs_table *table);

int arfs_table_bar(struct arfs_table *table, const struct arfs_flow_key *key);
void arfs_table_unbar(struct arfs_table *table, const struct arfs_flow_key *key);
bool arfs_table_has_filter(struct arfs_table *table, const struct arfs_flow_key *key);
void arfs_table_set_queues(struct arfs_table *table, u32 queues);
bool arfs_table_clear_of(struct arfs_table *table, u32 queues);
u32 arfs_table_evict(struct arfs_table *table, u32 wanted);
void arfs_table_drain(struct arfs_table *table);

int arfs_table_steer(struct arfs_table *table, const struct arfs_flow_key *key,
		     struct arfs_slot slot);

bool arfs_table_report(struct arfs_table *table, u32 tag, enum arfs_report report);
u32 arfs_table_service(struct arfs_table *table, u32 now);
void arfs_table_replay(struct arfs_table *table);

u32 arfs_table_live(const struct arfs_table *table, enum arfs_protocol protocol);
u32 arfs_table_used(const struct arfs_table *table, enum arfs_protocol protocol);
void arfs_table_read_stats(const struct arfs_table *table, struct arfs_table_stats *stats);

#endif /* ARFS_TABLE_H */
