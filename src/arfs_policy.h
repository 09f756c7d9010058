/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How long, how many, how often: ageing, capacity and retries.
 *
 * Times are milliseconds of any clock that does not go back, in 32 bits that may wrap.
 *
 * Pure: no locks, no allocation, no globals. Compiled into the driver and into the unit tests.
 */
#ifndef ARFS_POLICY_H
#define ARFS_POLICY_H

#include <linux/types.h>

/*
 * The core calls a flow expired once its CPU took 10 * (rps_flow_cnt - 1) packets without one of
 * the flow's (rps_may_expire_flow()): with rps_flow_cnt 64 and 100,000 packets a second, 6 ms. A
 * filter goes only after the core has said so for this long without a break.
 */
#define ARFS_GRACE_MS		5000

/*
 * To a refusal the core answers with silence: it notes the CPU in the slot of the queue where the
 * packet came in, and no flow that shares that slot asks for that CPU again. But many owners are
 * soon gone, above all those that ask for the CPU of accept() before their reader is known. So a
 * flow that has to wait is told the owner's id for so many packets, which leaves the core's slots
 * as they are, and is refused only after that.
 *
 * A core that asks again by itself guards its slots itself too. It would take the owner's id for
 * the flow's own, and would not know of a slot that was passed on: with such a core nobody waits.
 */
#define ARFS_PATIENCE		256

/* A flow that waits for a slot is forgotten after this long; a packet of it may ask anew. */
#define ARFS_WAIT_MS		120000

/* Writes that may fail in a row before a filter is given up; the delays add up to 15 s. */
#define ARFS_MAX_FAILURES	12
#define ARFS_RETRY_MIN_MS	10
#define ARFS_RETRY_MAX_MS	5000

/** arfs_due_in() - milliseconds from @now to @at; negative when it has passed; any context. */
static inline s32 arfs_due_in(u32 now, u32 at)
{
	return (s32)(at - now);
}

/** arfs_elapsed() - have @ms passed between @since and @now?; any context. */
static inline bool arfs_elapsed(u32 now, u32 since, u32 ms)
{
	return (u32)(now - since) >= ms;
}

/**
 * struct arfs_age - how long the core has let a filter go
 * @idle: the core let it go at the last look
 * @since: time of the first look in a row at which it did; meaningful while @idle
 */
struct arfs_age {
	u32 since;
	bool idle;
};

/**
 * arfs_age_look() - take note of what the core says of a filter
 * @age: the filter's age
 * @core_lets_go: the core would not miss the filter
 * @now: the time of this look
 * @grace: milliseconds for which the core must have said so
 *
 * Context: any.
 * Return: true when the filter may be removed.
 */
static inline bool arfs_age_look(struct arfs_age *age, bool core_lets_go, u32 now, u32 grace)
{
	if (!core_lets_go) {
		age->idle = false;
		return false;
	}
	if (!age->idle) {
		age->idle = true;
		age->since = now;
	}
	return arfs_elapsed(now, age->since, grace);
}

/**
 * arfs_grace_ms() - how long an idle filter may stay, given the room there is
 * @held: filters held
 * @limit: filters that may be held
 *
 * Room that nobody asks for is free; the fuller the table, the sooner idle filters leave.
 *
 * Context: any.
 * Return: milliseconds; 0 when less than 1/16 is free.
 */
static inline u32 arfs_grace_ms(u32 held, u32 limit)
{
	u64 free = held < limit ? limit - held : 0;

	if (!free || free * 16 < limit)
		return 0;
	if (free * 4 < limit)
		return ARFS_GRACE_MS / 5;
	return ARFS_GRACE_MS;
}

/** arfs_capacity_admits() - is there room for one more filter?; any context. */
static inline bool arfs_capacity_admits(u32 held, u32 limit)
{
	return held < limit;
}

/*
 * Delays come in levels, so that flows with the same delay can stand in one queue in the order in
 * which they are due: ARFS_RETRY_MIN_MS, doubled from level to level, at most ARFS_RETRY_MAX_MS.
 */
#define ARFS_DELAY_LEVELS	10

/**
 * arfs_retry_level() - delay level after a failed write
 * @failures: writes that failed in a row, at least 1
 *
 * Context: any.
 */
static inline u32 arfs_retry_level(u8 failures)
{
	return failures < ARFS_DELAY_LEVELS ? failures - 1 : ARFS_DELAY_LEVELS - 1;
}

/* A report that does not come within this time does not come. */
#define ARFS_REPORT_MS		1000

/**
 * arfs_delay_ms() - milliseconds of a delay level
 * @level: a retry level, or ARFS_DELAY_LEVELS for the wait for a report
 *
 * Context: any.
 */
static inline u32 arfs_delay_ms(u32 level)
{
	u32 delay = ARFS_RETRY_MIN_MS << level;

	if (level == ARFS_DELAY_LEVELS)
		return ARFS_REPORT_MS;
	return delay < ARFS_RETRY_MAX_MS ? delay : ARFS_RETRY_MAX_MS;
}

/*
 * A core that asks once is told to ask again for so many packets of a flow without a filter. The
 * first of a connection come between accept() and the first read of its reader, and ask for
 * accept()'s CPU: a slot that is granted there in passing keeps the flows out that belong there.
 */
#define ARFS_NOVICE_CALLS	4

/**
 * arfs_novice_calls() - count one more request of a flow without a filter
 * @calls: requests counted before
 *
 * Context: any.
 * Return: the new count; 0 when it has asked often enough.
 */
static inline u8 arfs_novice_calls(u8 calls)
{
	return calls < ARFS_NOVICE_CALLS ? calls + 1 : 0;
}

/*
 * A filter is moved once in this time at most: a thread that wanders over the CPUs costs ten writes
 * a second and not one for each step. The queue that was wanted last is never forgotten.
 */
#define ARFS_MOVE_MS		100
/* The longest interval that makes sense: by then the core has forgotten an idle flow long since. */
#define ARFS_MOVE_MAX_MS	60000

/*
 * After so many adds in a row for which the device had no room, none is tried for so long. The
 * flows stay known meanwhile and are tried again.
 */
#define ARFS_FULL_STREAK	8
#define ARFS_FULL_MS		1000

/*
 * The device says of any deletion that fails that the filter is not there. It is believed when it
 * has said so for this many deletions in a row: a filter that stayed would steer, and nobody would
 * know.
 */
#define ARFS_ABSENCES	3

/** arfs_absent_for_good() - is a filter gone that was absent so often?; any context. */
static inline bool arfs_absent_for_good(u8 absences)
{
	return absences >= ARFS_ABSENCES;
}

/*
 * A device that reports may stop to. For so long its silence about a write means that nobody knows
 * how the write went; after that it is taken for a device that never reports, until it does again.
 */
#define ARFS_SILENCE_MS		5000

/**
 * struct arfs_hearing - does the device report how writes went?
 * @missed_at: time of the first report in a row that did not come; meaningful while @missed
 * @missed: the last report that was due did not come
 * @reports: the device reports; false until its first report
 */
struct arfs_hearing {
	u32 missed_at;
	bool missed;
	bool reports;
};

/** arfs_hearing_heard() - a report has come; the caller serialises; any context. */
static inline void arfs_hearing_heard(struct arfs_hearing *hearing)
{
	hearing->missed = false;
	hearing->reports = true;
}

/** arfs_hearing_waived() - no report is due any more; the caller serialises; any context. */
static inline void arfs_hearing_waived(struct arfs_hearing *hearing)
{
	hearing->missed = false;
}

/**
 * arfs_hearing_missed() - a report has not come in time
 * @hearing: what was heard until now; the caller serialises
 * @now: time in milliseconds
 *
 * Context: any.
 * Return: true when the device does not report, so that its silence means that the write was done;
 * false when the report of this write was lost.
 */
static inline bool arfs_hearing_missed(struct arfs_hearing *hearing, u32 now)
{
	if (!hearing->missed) {
		hearing->missed = true;
		hearing->missed_at = now;
	}
	if (arfs_elapsed(now, hearing->missed_at, ARFS_SILENCE_MS))
		hearing->reports = false;
	return !hearing->reports;
}

/** arfs_retry_worthwhile() - may a write that failed so often be tried again?; any context. */
static inline bool arfs_retry_worthwhile(u8 failures)
{
	return failures < ARFS_MAX_FAILURES;
}

#endif /* ARFS_POLICY_H */
