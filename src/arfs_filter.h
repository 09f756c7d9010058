/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Life of a flow's hardware filter.
 *
 * What is wanted and what the hardware has are two fields; the state says how they compare and
 * whether a write is under way. A change of mind while a write is in flight only changes what is
 * wanted: when the write is done, the state is worked out anew and a further write follows.
 *
 *	            WANT            START            DONE
 *	  IDLE ------------> PENDING -----> ADDING --------> ACTIVE
 *	   ^                    ^             | FAIL          |  \ UNWANT
 *	   | DONE               |             v          WANT |   v
 *	DELETING <--- DOOMED    +-- RETRY -- FAILED           | DOOMED
 *	           START                      ^ FAIL          v
 *	                                    MOVING <------- STALE
 *	                                             START
 *
 * Pure: no locks, no allocation, no globals. Compiled into the driver and into the unit tests.
 */
#ifndef ARFS_FILTER_H
#define ARFS_FILTER_H

#include <linux/types.h>

/* No filter id. The core's RPS_NO_FILTER has the same value, so it can never be an id. */
#define ARFS_NO_ID	0xffff

/* Failures are counted in a byte and stay at this. */
#define ARFS_FAILURES_MAX	0xff

/**
 * struct arfs_target - where a filter sends its flow
 * @rxq: rx queue
 * @id: filter id as the core knows it; ARFS_NO_ID: there is no filter, and @rxq means nothing
 */
struct arfs_target {
	u16 rxq;
	u16 id;
};

/* A queue that no filter is wanted for: what the hardware has after a write without a report. */
#define ARFS_RXQ_UNKNOWN	0xffff

#define ARFS_NO_TARGET	((struct arfs_target) { .rxq = 0, .id = ARFS_NO_ID })

/**
 * enum arfs_state - how the wanted filter and the hardware's compare
 * @ARFS_IDLE: none wanted, none in hardware
 * @ARFS_PENDING: wanted, hardware has none
 * @ARFS_ADDING: the first write is in flight
 * @ARFS_ACTIVE: the hardware has exactly what is wanted
 * @ARFS_STALE: the hardware has one, but another queue or id is wanted
 * @ARFS_MOVING: a rewrite is in flight
 * @ARFS_DOOMED: the hardware has one that nobody wants
 * @ARFS_DELETING: a deletion is in flight
 * @ARFS_FAILED: the last write failed and waits for its retry
 */
enum arfs_state {
	ARFS_IDLE,
	ARFS_PENDING,
	ARFS_ADDING,
	ARFS_ACTIVE,
	ARFS_STALE,
	ARFS_MOVING,
	ARFS_DOOMED,
	ARFS_DELETING,
	ARFS_FAILED,
	ARFS_STATES
};

/**
 * enum arfs_event - what can happen to a filter
 * @ARFS_EVENT_WANT: a target is wanted; carries it
 * @ARFS_EVENT_UNWANT: no filter is wanted any longer
 * @ARFS_EVENT_START: the worker is ready to write
 * @ARFS_EVENT_YIELD: the worker is ready, but the wanted id is still on another filter, which may
 *	wait for this one's in turn: leave the hardware first
 * @ARFS_EVENT_DONE: the write in flight succeeded
 * @ARFS_EVENT_FAIL: the write in flight failed; the hardware has what it had before
 * @ARFS_EVENT_DOUBT: nothing was heard of the write in flight; the hardware has the old or the new
 * @ARFS_EVENT_RETRY: the wait after a failure is over
 * @ARFS_EVENT_LOST: the device forgot all filters (reset)
 */
enum arfs_event {
	ARFS_EVENT_WANT,
	ARFS_EVENT_UNWANT,
	ARFS_EVENT_START,
	ARFS_EVENT_YIELD,
	ARFS_EVENT_DONE,
	ARFS_EVENT_FAIL,
	ARFS_EVENT_DOUBT,
	ARFS_EVENT_RETRY,
	ARFS_EVENT_LOST,
	ARFS_EVENTS
};

/**
 * enum arfs_write - what to write to the hardware
 * @ARFS_WRITE_NONE: nothing
 * @ARFS_WRITE_ADD: a filter for a tuple that the hardware does not have
 * @ARFS_WRITE_MOVE: new queue and id for a tuple that it has
 * @ARFS_WRITE_DELETE: removal of the tuple
 */
enum arfs_write {
	ARFS_WRITE_NONE,
	ARFS_WRITE_ADD,
	ARFS_WRITE_MOVE,
	ARFS_WRITE_DELETE,
};

/**
 * struct arfs_filter - the filter of one flow
 * @wanted: target the core asked for last
 * @writing: target of the write in flight; ARFS_NO_TARGET while there is none or it is a deletion
 * @programmed: target that the hardware has
 * @state: enum arfs_state
 * @failures: writes that failed in a row
 */
struct arfs_filter {
	struct arfs_target wanted;
	struct arfs_target writing;
	struct arfs_target programmed;
	u8 state;
	u8 failures;
};

/** arfs_filter_init() - a filter that nobody wants yet; any context. */
static inline void arfs_filter_init(struct arfs_filter *filter)
{
	*filter = (struct arfs_filter) {
		.wanted = ARFS_NO_TARGET,
		.writing = ARFS_NO_TARGET,
		.programmed = ARFS_NO_TARGET,
		.state = ARFS_IDLE,
	};
}

/** arfs_target_equal() - same queue and id, or both none?; any context. */
static inline bool arfs_target_equal(struct arfs_target a, struct arfs_target b)
{
	return a.id == b.id && (a.id == ARFS_NO_ID || a.rxq == b.rxq);
}

/** arfs_filter_in_flight() - is a write under way?; any context. */
static inline bool arfs_filter_in_flight(const struct arfs_filter *filter)
{
	return filter->state == ARFS_ADDING || filter->state == ARFS_MOVING ||
	       filter->state == ARFS_DELETING;
}

/**
 * arfs_filter_holds() - does any of the filter's targets have this id?
 * @filter: the filter
 * @id: the id, not ARFS_NO_ID
 *
 * Context: any.
 * Return: true while the id must not be given to another filter on this one's account.
 */
static inline bool arfs_filter_holds(const struct arfs_filter *filter, u16 id)
{
	return filter->wanted.id == id || filter->writing.id == id || filter->programmed.id == id;
}

/** arfs_filter_present() - is the filter in the hardware, or on its way there?; any context. */
static inline bool arfs_filter_present(const struct arfs_filter *filter)
{
	return filter->programmed.id != ARFS_NO_ID || filter->writing.id != ARFS_NO_ID;
}

/** arfs_filter_used() - is the filter wanted, or still present?; any context. */
static inline bool arfs_filter_used(const struct arfs_filter *filter)
{
	return filter->wanted.id != ARFS_NO_ID || arfs_filter_present(filter);
}

/* The state of a filter that has no write in flight and no failure to wait for. */
static inline enum arfs_state arfs_filter_settled(const struct arfs_filter *filter)
{
	bool wanted = filter->wanted.id != ARFS_NO_ID;
	bool programmed = filter->programmed.id != ARFS_NO_ID;

	if (!wanted)
		return programmed ? ARFS_DOOMED : ARFS_IDLE;
	if (!programmed)
		return ARFS_PENDING;
	return arfs_target_equal(filter->wanted, filter->programmed) ? ARFS_ACTIVE : ARFS_STALE;
}

static inline void arfs_filter_want(struct arfs_filter *filter, struct arfs_target target)
{
	if (arfs_target_equal(filter->wanted, target))
		return;
	filter->wanted = target;
	if (arfs_filter_in_flight(filter))
		return;
	filter->failures = 0;
	filter->state = arfs_filter_settled(filter);
}

static inline enum arfs_write arfs_filter_start(struct arfs_filter *filter)
{
	switch (filter->state) {
	case ARFS_PENDING:
		filter->writing = filter->wanted;
		filter->state = ARFS_ADDING;
		return ARFS_WRITE_ADD;
	case ARFS_STALE:
		filter->writing = filter->wanted;
		filter->state = ARFS_MOVING;
		return ARFS_WRITE_MOVE;
	case ARFS_DOOMED:
		filter->state = ARFS_DELETING;
		return ARFS_WRITE_DELETE;
	default:
		return ARFS_WRITE_NONE;
	}
}

static inline enum arfs_write arfs_filter_yield(struct arfs_filter *filter)
{
	if (filter->state != ARFS_STALE)
		return ARFS_WRITE_NONE;
	filter->state = ARFS_DELETING;
	return ARFS_WRITE_DELETE;
}

static inline void arfs_filter_done(struct arfs_filter *filter)
{
	if (!arfs_filter_in_flight(filter))
		return;
	filter->programmed = filter->writing;
	filter->writing = ARFS_NO_TARGET;
	filter->failures = 0;
	filter->state = arfs_filter_settled(filter);
}

static inline void arfs_filter_fail(struct arfs_filter *filter)
{
	enum arfs_state settled;

	if (!arfs_filter_in_flight(filter))
		return;
	filter->writing = ARFS_NO_TARGET;
	if (filter->failures < ARFS_FAILURES_MAX)
		filter->failures++;
	settled = arfs_filter_settled(filter);
	/* A change of mind may have left nothing to do; then there is nothing to retry either. */
	if (settled == ARFS_IDLE || settled == ARFS_ACTIVE) {
		filter->failures = 0;
		filter->state = settled;
	} else {
		filter->state = ARFS_FAILED;
	}
}

static inline void arfs_filter_doubt(struct arfs_filter *filter)
{
	if (filter->state == ARFS_ADDING || filter->state == ARFS_MOVING)
		filter->programmed = filter->writing;
	if (arfs_filter_in_flight(filter))
		filter->programmed.rxq = ARFS_RXQ_UNKNOWN;
	arfs_filter_fail(filter);
}

/**
 * arfs_filter_step() - apply one event
 * @filter: the filter; the caller serialises the events of one filter
 * @event: what happened
 * @target: what is wanted, for ARFS_EVENT_WANT (its id is not ARFS_NO_ID); else ignored
 *
 * An event that means nothing in the present state changes nothing.
 *
 * Context: any.
 * Return: what to write now; other than ARFS_WRITE_NONE only for ARFS_EVENT_START and
 * ARFS_EVENT_YIELD, and then the caller writes it and reports ARFS_EVENT_DONE or ARFS_EVENT_FAIL.
 */
static inline enum arfs_write arfs_filter_step(struct arfs_filter *filter, enum arfs_event event,
					       struct arfs_target target)
{
	switch (event) {
	case ARFS_EVENT_WANT:
		arfs_filter_want(filter, target);
		break;
	case ARFS_EVENT_UNWANT:
		arfs_filter_want(filter, ARFS_NO_TARGET);
		break;
	case ARFS_EVENT_START:
		return arfs_filter_start(filter);
	case ARFS_EVENT_YIELD:
		return arfs_filter_yield(filter);
	case ARFS_EVENT_DONE:
		arfs_filter_done(filter);
		break;
	case ARFS_EVENT_FAIL:
		arfs_filter_fail(filter);
		break;
	case ARFS_EVENT_DOUBT:
		arfs_filter_doubt(filter);
		break;
	case ARFS_EVENT_RETRY:
		if (filter->state == ARFS_FAILED)
			filter->state = arfs_filter_settled(filter);
		break;
	case ARFS_EVENT_LOST:
		filter->writing = ARFS_NO_TARGET;
		filter->programmed = ARFS_NO_TARGET;
		filter->failures = 0;
		filter->state = arfs_filter_settled(filter);
		break;
	case ARFS_EVENTS:
		break;
	}
	return ARFS_WRITE_NONE;
}

#endif /* ARFS_FILTER_H */
