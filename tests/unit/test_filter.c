// SPDX-License-Identifier: GPL-2.0-only
/* arfs_filter.h: the life of a hardware filter, every state with every event. */
#include <stdio.h>
#include <string.h>

#include "arfs_filter.h"
#include "unit.h"

/*
 * Targets: OLD is what the hardware has or had, NEW is wanted instead, NEXT is a further wish. After a
 * write of which nothing was heard the hardware may have the target, on whatever queue, or another.
 */
enum { NONE, OLD, NEW, NEXT, IN_DOUBT = 8 };
#define TARGET(which) {										\
	.rxq = (which) & IN_DOUBT ? ARFS_RXQ_UNKNOWN : (which),					\
	.id = (which) ? ((which) & ~IN_DOUBT) * 10 : ARFS_NO_ID }

#define FILTER(state_, failures_, wanted_, writing_, programmed_) {				\
	.wanted = TARGET(wanted_), .writing = TARGET(writing_),					\
	.programmed = TARGET(programmed_),							\
	.state = state_, .failures = failures_ }

/* One filter of each state; those with earlier failures show whether an event forgets them. */
static const struct arfs_filter start_of[ARFS_STATES] = {
	[ARFS_IDLE] = FILTER(ARFS_IDLE, 0, NONE, NONE, NONE),
	[ARFS_PENDING] = FILTER(ARFS_PENDING, 2, NEW, NONE, NONE),
	[ARFS_ADDING] = FILTER(ARFS_ADDING, 2, NEW, NEW, NONE),
	[ARFS_ACTIVE] = FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD),
	[ARFS_STALE] = FILTER(ARFS_STALE, 2, NEW, NONE, OLD),
	[ARFS_MOVING] = FILTER(ARFS_MOVING, 2, NEW, NEW, OLD),
	[ARFS_DOOMED] = FILTER(ARFS_DOOMED, 2, NONE, NONE, OLD),
	[ARFS_DELETING] = FILTER(ARFS_DELETING, 2, NONE, NONE, OLD),
	[ARFS_FAILED] = FILTER(ARFS_FAILED, 2, NEW, NONE, NONE),
};

static const char *const event_name[ARFS_EVENTS] = {
	[ARFS_EVENT_WANT] = "want", [ARFS_EVENT_UNWANT] = "unwant", [ARFS_EVENT_START] = "start",
	[ARFS_EVENT_YIELD] = "yield", [ARFS_EVENT_DONE] = "done", [ARFS_EVENT_FAIL] = "fail",
	[ARFS_EVENT_DOUBT] = "doubt", [ARFS_EVENT_RETRY] = "retry", [ARFS_EVENT_LOST] = "lost",
};

struct outcome {
	bool given;
	enum arfs_write write;
	struct arfs_filter filter;
};

#define GIVES(state, event, next, failures, wanted, writing, programmed, write_)		\
	[ARFS_##state][ARFS_EVENT_##event] = { .given = true, .write = ARFS_WRITE_##write_,	\
		.filter = FILTER(ARFS_##next, failures, wanted, writing, programmed) }

/* All pairs. WANT carries NEXT. A pair that is left out fails its test. */
static const struct outcome table[ARFS_STATES][ARFS_EVENTS] = {
	/*    state,    event,  next,    failures, wanted, writing, programmed, write */
	GIVES(IDLE,	WANT,	PENDING,  0, NEXT, NONE, NONE, NONE),
	GIVES(IDLE,	UNWANT,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(IDLE,	START,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(IDLE,	YIELD,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(IDLE,	DONE,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(IDLE,	FAIL,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(IDLE,	DOUBT,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(IDLE,	RETRY,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(IDLE,	LOST,	IDLE,     0, NONE, NONE, NONE, NONE),

	GIVES(PENDING,	WANT,	PENDING,  0, NEXT, NONE, NONE, NONE),
	GIVES(PENDING,	UNWANT,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(PENDING,	START,	ADDING,   2, NEW,  NEW,  NONE, ADD),
	GIVES(PENDING,	YIELD,	PENDING,  2, NEW,  NONE, NONE, NONE),
	GIVES(PENDING,	DONE,	PENDING,  2, NEW,  NONE, NONE, NONE),
	GIVES(PENDING,	FAIL,	PENDING,  2, NEW,  NONE, NONE, NONE),
	GIVES(PENDING,	DOUBT,	PENDING,  2, NEW,  NONE, NONE, NONE),
	GIVES(PENDING,	RETRY,	PENDING,  2, NEW,  NONE, NONE, NONE),
	GIVES(PENDING,	LOST,	PENDING,  0, NEW,  NONE, NONE, NONE),

	GIVES(ADDING,	WANT,	ADDING,   2, NEXT, NEW,  NONE, NONE),
	GIVES(ADDING,	UNWANT,	ADDING,   2, NONE, NEW,  NONE, NONE),
	GIVES(ADDING,	START,	ADDING,   2, NEW,  NEW,  NONE, NONE),
	GIVES(ADDING,	YIELD,	ADDING,   2, NEW,  NEW,  NONE, NONE),
	GIVES(ADDING,	DONE,	ACTIVE,   0, NEW,  NONE, NEW,  NONE),
	GIVES(ADDING,	FAIL,	FAILED,   3, NEW,  NONE, NONE, NONE),
	GIVES(ADDING,	DOUBT,	FAILED,   3, NEW,  NONE, NEW | IN_DOUBT, NONE),
	GIVES(ADDING,	RETRY,	ADDING,   2, NEW,  NEW,  NONE, NONE),
	GIVES(ADDING,	LOST,	PENDING,  0, NEW,  NONE, NONE, NONE),

	GIVES(ACTIVE,	WANT,	STALE,    0, NEXT, NONE, OLD,  NONE),
	GIVES(ACTIVE,	UNWANT,	DOOMED,   0, NONE, NONE, OLD,  NONE),
	GIVES(ACTIVE,	START,	ACTIVE,   0, OLD,  NONE, OLD,  NONE),
	GIVES(ACTIVE,	YIELD,	ACTIVE,   0, OLD,  NONE, OLD,  NONE),
	GIVES(ACTIVE,	DONE,	ACTIVE,   0, OLD,  NONE, OLD,  NONE),
	GIVES(ACTIVE,	FAIL,	ACTIVE,   0, OLD,  NONE, OLD,  NONE),
	GIVES(ACTIVE,	DOUBT,	ACTIVE,   0, OLD,  NONE, OLD,  NONE),
	GIVES(ACTIVE,	RETRY,	ACTIVE,   0, OLD,  NONE, OLD,  NONE),
	GIVES(ACTIVE,	LOST,	PENDING,  0, OLD,  NONE, NONE, NONE),

	GIVES(STALE,	WANT,	STALE,    0, NEXT, NONE, OLD,  NONE),
	GIVES(STALE,	UNWANT,	DOOMED,   0, NONE, NONE, OLD,  NONE),
	GIVES(STALE,	START,	MOVING,   2, NEW,  NEW,  OLD,  MOVE),
	GIVES(STALE,	YIELD,	DELETING, 2, NEW,  NONE, OLD,  DELETE),
	GIVES(STALE,	DONE,	STALE,    2, NEW,  NONE, OLD,  NONE),
	GIVES(STALE,	FAIL,	STALE,    2, NEW,  NONE, OLD,  NONE),
	GIVES(STALE,	DOUBT,	STALE,    2, NEW,  NONE, OLD,  NONE),
	GIVES(STALE,	RETRY,	STALE,    2, NEW,  NONE, OLD,  NONE),
	GIVES(STALE,	LOST,	PENDING,  0, NEW,  NONE, NONE, NONE),

	GIVES(MOVING,	WANT,	MOVING,   2, NEXT, NEW,  OLD,  NONE),
	GIVES(MOVING,	UNWANT,	MOVING,   2, NONE, NEW,  OLD,  NONE),
	GIVES(MOVING,	START,	MOVING,   2, NEW,  NEW,  OLD,  NONE),
	GIVES(MOVING,	YIELD,	MOVING,   2, NEW,  NEW,  OLD,  NONE),
	GIVES(MOVING,	DONE,	ACTIVE,   0, NEW,  NONE, NEW,  NONE),
	GIVES(MOVING,	FAIL,	FAILED,   3, NEW,  NONE, OLD,  NONE),
	GIVES(MOVING,	DOUBT,	FAILED,   3, NEW,  NONE, NEW | IN_DOUBT, NONE),
	GIVES(MOVING,	RETRY,	MOVING,   2, NEW,  NEW,  OLD,  NONE),
	GIVES(MOVING,	LOST,	PENDING,  0, NEW,  NONE, NONE, NONE),

	GIVES(DOOMED,	WANT,	STALE,    0, NEXT, NONE, OLD,  NONE),
	GIVES(DOOMED,	UNWANT,	DOOMED,   2, NONE, NONE, OLD,  NONE),
	GIVES(DOOMED,	START,	DELETING, 2, NONE, NONE, OLD,  DELETE),
	GIVES(DOOMED,	YIELD,	DOOMED,   2, NONE, NONE, OLD,  NONE),
	GIVES(DOOMED,	DONE,	DOOMED,   2, NONE, NONE, OLD,  NONE),
	GIVES(DOOMED,	FAIL,	DOOMED,   2, NONE, NONE, OLD,  NONE),
	GIVES(DOOMED,	DOUBT,	DOOMED,   2, NONE, NONE, OLD,  NONE),
	GIVES(DOOMED,	RETRY,	DOOMED,   2, NONE, NONE, OLD,  NONE),
	GIVES(DOOMED,	LOST,	IDLE,     0, NONE, NONE, NONE, NONE),

	GIVES(DELETING,	WANT,	DELETING, 2, NEXT, NONE, OLD,  NONE),
	GIVES(DELETING,	UNWANT,	DELETING, 2, NONE, NONE, OLD,  NONE),
	GIVES(DELETING,	START,	DELETING, 2, NONE, NONE, OLD,  NONE),
	GIVES(DELETING,	YIELD,	DELETING, 2, NONE, NONE, OLD,  NONE),
	GIVES(DELETING,	DONE,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(DELETING,	FAIL,	FAILED,   3, NONE, NONE, OLD,  NONE),
	GIVES(DELETING,	DOUBT,	FAILED,   3, NONE, NONE, OLD | IN_DOUBT, NONE),
	GIVES(DELETING,	RETRY,	DELETING, 2, NONE, NONE, OLD,  NONE),
	GIVES(DELETING,	LOST,	IDLE,     0, NONE, NONE, NONE, NONE),

	GIVES(FAILED,	WANT,	PENDING,  0, NEXT, NONE, NONE, NONE),
	GIVES(FAILED,	UNWANT,	IDLE,     0, NONE, NONE, NONE, NONE),
	GIVES(FAILED,	START,	FAILED,   2, NEW,  NONE, NONE, NONE),
	GIVES(FAILED,	YIELD,	FAILED,   2, NEW,  NONE, NONE, NONE),
	GIVES(FAILED,	DONE,	FAILED,   2, NEW,  NONE, NONE, NONE),
	GIVES(FAILED,	FAIL,	FAILED,   2, NEW,  NONE, NONE, NONE),
	GIVES(FAILED,	DOUBT,	FAILED,   2, NEW,  NONE, NONE, NONE),
	GIVES(FAILED,	RETRY,	PENDING,  2, NEW,  NONE, NONE, NONE),
	GIVES(FAILED,	LOST,	PENDING,  0, NEW,  NONE, NONE, NONE),
};

/* A want's target; the steps of the other events get one that must be ignored. */
static const struct arfs_target next = TARGET(NEXT), other = { .rxq = 9, .id = 99 };

START_TEST(every_event_in_every_state_has_its_stated_outcome)
{
	unsigned int state = _i / ARFS_EVENTS, event = _i % ARFS_EVENTS;
	struct arfs_filter filter = start_of[state];
	enum arfs_write write;
	char what[80];

	snprintf(what, sizeof(what), "%s, event %s", unit_state_name(state), event_name[event]);
	ck_assert_msg(table[state][event].given, "%s: no outcome is stated", what);
	write = arfs_filter_step(&filter, event, event == ARFS_EVENT_WANT ? next : other);
	unit_assert_filter(what, &filter, &table[state][event].filter);
	ck_assert_msg(write == table[state][event].write, "%s: expected write %d, seen %d", what,
		      table[state][event].write, write);
}
END_TEST

static enum arfs_write step(struct arfs_filter *filter, enum arfs_event event)
{
	return arfs_filter_step(filter, event, other);
}

static void want(struct arfs_filter *filter, u16 rxq, u16 id)
{
	struct arfs_target target = { .rxq = rxq, .id = id };

	ck_assert_int_eq(arfs_filter_step(filter, ARFS_EVENT_WANT, target), ARFS_WRITE_NONE);
}

static void expect(const char *what, const struct arfs_filter *seen, struct arfs_filter expected)
{
	unit_assert_filter(what, seen, &expected);
}

/* A filter that the hardware has for queue 1, id 10. */
static struct arfs_filter active(void)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_ADD);
	step(&filter, ARFS_EVENT_DONE);
	ck_assert_int_eq(filter.state, ARFS_ACTIVE);
	return filter;
}

START_TEST(a_new_filter_wants_writes_and_has_nothing)
{
	struct arfs_filter filter;

	memset(&filter, 0xa5, sizeof(filter));
	arfs_filter_init(&filter);
	expect("init", &filter, start_of[ARFS_IDLE]);
}
END_TEST

START_TEST(wanting_the_same_again_changes_nothing)
{
	struct arfs_filter filter = start_of[_i];

	if (filter.wanted.id == ARFS_NO_ID)
		return;
	want(&filter, filter.wanted.rxq, filter.wanted.id);
	unit_assert_filter(unit_state_name(_i), &filter, &start_of[_i]);
}
END_TEST

START_TEST(a_new_id_on_the_same_queue_is_a_change)
{
	struct arfs_filter filter = active();

	want(&filter, 1, 11);
	ck_assert_int_eq(filter.state, ARFS_STALE);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_MOVE);
}
END_TEST

START_TEST(a_new_queue_with_the_same_id_is_a_change)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 10);
	ck_assert_int_eq(filter.state, ARFS_STALE);
}
END_TEST

START_TEST(a_move_while_pending_costs_one_write)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	want(&filter, 2, 20);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_ADD);
	ck_assert_uint_eq(filter.writing.rxq, 2);
	step(&filter, ARFS_EVENT_DONE);
	expect("added", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, NEW, NONE, NEW));
}
END_TEST

START_TEST(a_move_during_the_first_write_is_written_after_it)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_START);
	want(&filter, 2, 20);
	step(&filter, ARFS_EVENT_DONE);
	expect("added", &filter, (struct arfs_filter)FILTER(ARFS_STALE, 0, NEW, NONE, OLD));
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_MOVE);
	step(&filter, ARFS_EVENT_DONE);
	expect("moved", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, NEW, NONE, NEW));
}
END_TEST

START_TEST(a_move_during_a_move_is_written_after_it)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 20);
	step(&filter, ARFS_EVENT_START);
	want(&filter, 3, 30);
	step(&filter, ARFS_EVENT_DONE);
	expect("moved", &filter, (struct arfs_filter)FILTER(ARFS_STALE, 0, NEXT, NONE, NEW));
}
END_TEST

START_TEST(a_move_back_during_a_move_is_written_too)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 20);
	step(&filter, ARFS_EVENT_START);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_DONE);
	expect("moved", &filter, (struct arfs_filter)FILTER(ARFS_STALE, 0, OLD, NONE, NEW));
}
END_TEST

START_TEST(a_move_back_needs_no_retry_of_the_failed_move)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 20);
	step(&filter, ARFS_EVENT_START);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD));
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_NONE);
}
END_TEST

START_TEST(a_filter_that_yields_its_id_is_added_anew_with_the_wanted_one)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 20);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_YIELD), ARFS_WRITE_DELETE);
	step(&filter, ARFS_EVENT_DONE);
	expect("deleted", &filter, (struct arfs_filter)FILTER(ARFS_PENDING, 0, NEW, NONE, NONE));
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_ADD);
	step(&filter, ARFS_EVENT_DONE);
	expect("added", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, NEW, NONE, NEW));
}
END_TEST

START_TEST(a_filter_that_fails_to_yield_its_id_is_still_known)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 20);
	step(&filter, ARFS_EVENT_YIELD);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, (struct arfs_filter)FILTER(ARFS_FAILED, 1, NEW, NONE, OLD));
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(filter.state, ARFS_STALE);
}
END_TEST

START_TEST(unwanted_before_its_write_costs_no_write)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_UNWANT);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_NONE);
	expect("unwanted", &filter, start_of[ARFS_IDLE]);
}
END_TEST

START_TEST(unwanted_while_adding_is_deleted_after_the_add)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_UNWANT);
	step(&filter, ARFS_EVENT_DONE);
	expect("added", &filter, (struct arfs_filter)FILTER(ARFS_DOOMED, 0, NONE, NONE, OLD));
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_DELETE);
	step(&filter, ARFS_EVENT_DONE);
	expect("deleted", &filter, start_of[ARFS_IDLE]);
}
END_TEST

START_TEST(unwanted_while_a_failing_add_is_in_flight_leaves_nothing_to_do)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_UNWANT);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, start_of[ARFS_IDLE]);
}
END_TEST

START_TEST(wanted_again_before_its_deletion_costs_no_write)
{
	struct arfs_filter filter = active();

	step(&filter, ARFS_EVENT_UNWANT);
	want(&filter, 1, 10);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_NONE);
	ck_assert_int_eq(filter.state, ARFS_ACTIVE);
}
END_TEST

START_TEST(wanted_again_while_deleting_is_added_after_it)
{
	struct arfs_filter filter = active();

	step(&filter, ARFS_EVENT_UNWANT);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_DELETE);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_DONE);
	expect("deleted", &filter, (struct arfs_filter)FILTER(ARFS_PENDING, 0, OLD, NONE, NONE));
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_ADD);
}
END_TEST

START_TEST(wanted_again_while_a_deletion_fails_is_still_there)
{
	struct arfs_filter filter = active();

	step(&filter, ARFS_EVENT_UNWANT);
	step(&filter, ARFS_EVENT_START);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD));
}
END_TEST

START_TEST(a_failed_add_is_repeated_as_an_add)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, (struct arfs_filter)FILTER(ARFS_FAILED, 1, OLD, NONE, NONE));
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_NONE);
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_ADD);
	step(&filter, ARFS_EVENT_DONE);
	expect("repeated", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD));
}
END_TEST

START_TEST(a_failed_move_is_repeated_as_a_move_and_the_old_filter_stays_known)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 20);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, (struct arfs_filter)FILTER(ARFS_FAILED, 1, NEW, NONE, OLD));
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_MOVE);
}
END_TEST

START_TEST(a_failed_deletion_is_repeated_and_the_filter_stays_known)
{
	struct arfs_filter filter = active();

	step(&filter, ARFS_EVENT_UNWANT);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, (struct arfs_filter)FILTER(ARFS_FAILED, 1, NONE, NONE, OLD));
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_DELETE);
	step(&filter, ARFS_EVENT_DONE);
	ck_assert_int_eq(filter.state, ARFS_IDLE);
}
END_TEST

START_TEST(after_silence_to_an_add_it_is_rewritten_and_not_shown_as_active)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_DOUBT);
	expect("in doubt", &filter, (struct arfs_filter)FILTER(ARFS_FAILED, 1, OLD, NONE,
							       OLD | IN_DOUBT));
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(filter.state, ARFS_STALE);
	/* A move is right whether the hardware has the filter or not. */
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_MOVE);
	step(&filter, ARFS_EVENT_DONE);
	expect("rewritten", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD));
}
END_TEST

START_TEST(after_silence_to_an_add_that_nobody_wants_any_more_it_is_deleted)
{
	struct arfs_filter filter;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_UNWANT);
	step(&filter, ARFS_EVENT_DOUBT);
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_DELETE);
	step(&filter, ARFS_EVENT_DONE);
	expect("deleted", &filter, start_of[ARFS_IDLE]);
}
END_TEST

/* The old queue is wanted again, and nobody knows whether the hardware still has it. */
START_TEST(after_silence_to_a_move_the_way_back_is_written_too)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 10);
	step(&filter, ARFS_EVENT_START);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_DOUBT);
	ck_assert_int_eq(filter.state, ARFS_FAILED);
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_MOVE);
	step(&filter, ARFS_EVENT_DONE);
	expect("back", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD));
}
END_TEST

/* What was to be deleted is wanted again, and nobody knows whether the hardware still has it. */
START_TEST(after_silence_to_a_deletion_a_filter_that_is_wanted_again_is_written)
{
	struct arfs_filter filter = active();

	step(&filter, ARFS_EVENT_UNWANT);
	step(&filter, ARFS_EVENT_START);
	want(&filter, 1, 10);
	step(&filter, ARFS_EVENT_DOUBT);
	ck_assert_int_eq(filter.state, ARFS_FAILED);
	step(&filter, ARFS_EVENT_RETRY);
	ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_MOVE);
	step(&filter, ARFS_EVENT_DONE);
	expect("written", &filter, (struct arfs_filter)FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD));
}
END_TEST

START_TEST(doubt_is_not_resolved_by_a_failure)
{
	struct arfs_filter filter = active();

	want(&filter, 2, 20);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_DOUBT);
	step(&filter, ARFS_EVENT_RETRY);
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_FAIL);
	expect("failed", &filter, (struct arfs_filter)FILTER(ARFS_FAILED, 2, NEW, NONE,
							     NEW | IN_DOUBT));
}
END_TEST

START_TEST(failures_are_counted_in_a_row_and_stay_at_their_maximum)
{
	struct arfs_filter filter;
	unsigned int failure;

	arfs_filter_init(&filter);
	want(&filter, 1, 10);
	for (failure = 1; failure < 600; failure++) {
		ck_assert_int_eq(step(&filter, ARFS_EVENT_START), ARFS_WRITE_ADD);
		step(&filter, ARFS_EVENT_FAIL);
		ck_assert_uint_eq(filter.failures, failure < ARFS_FAILURES_MAX ? failure :
						   ARFS_FAILURES_MAX);
		step(&filter, ARFS_EVENT_RETRY);
	}
	step(&filter, ARFS_EVENT_START);
	step(&filter, ARFS_EVENT_DONE);
	ck_assert_uint_eq(filter.failures, 0);
}
END_TEST

START_TEST(a_late_answer_to_a_write_from_before_a_reset_changes_nothing)
{
	static const enum arfs_event answers[] = {
		ARFS_EVENT_DONE, ARFS_EVENT_FAIL, ARFS_EVENT_DOUBT
	};
	struct arfs_filter filter = start_of[_i % ARFS_STATES], after;

	step(&filter, ARFS_EVENT_LOST);
	after = filter;
	step(&filter, answers[_i / ARFS_STATES]);
	unit_assert_filter(unit_state_name(_i % ARFS_STATES), &filter, &after);
}
END_TEST

START_TEST(an_id_is_held_by_each_target_that_has_it)
{
	struct arfs_filter filter = FILTER(ARFS_MOVING, 0, NEXT, NEW, OLD);

	ck_assert(arfs_filter_holds(&filter, 10));
	ck_assert(arfs_filter_holds(&filter, 20));
	ck_assert(arfs_filter_holds(&filter, 30));
	ck_assert(!arfs_filter_holds(&filter, 1));
	ck_assert(!arfs_filter_holds(&filter, 0));
}
END_TEST

START_TEST(a_filter_is_present_once_it_is_written_and_until_it_is_known_to_be_gone)
{
	bool expected = _i != ARFS_IDLE && _i != ARFS_PENDING && _i != ARFS_FAILED;
	struct arfs_filter doubtful = FILTER(ARFS_FAILED, 1, NONE, NONE, OLD | IN_DOUBT);

	ck_assert_int_eq(arfs_filter_present(&start_of[_i]), expected);
	ck_assert(arfs_filter_present(&doubtful));
}
END_TEST

START_TEST(targets_are_equal_in_both_parts_or_when_both_are_none)
{
	const struct arfs_target a = TARGET(OLD), b = { .rxq = 1, .id = 11 };
	const struct arfs_target c = { .rxq = 2, .id = 10 };
	const struct arfs_target none = TARGET(NONE), also_none = { .rxq = 7, .id = ARFS_NO_ID };

	ck_assert(arfs_target_equal(a, a));
	ck_assert(!arfs_target_equal(a, b));
	ck_assert(!arfs_target_equal(a, c));
	ck_assert(!arfs_target_equal(a, none));
	ck_assert(arfs_target_equal(none, also_none));
}
END_TEST

static void add_stories(TCase *stories)
{
	tcase_add_test(stories, a_new_filter_wants_writes_and_has_nothing);
	tcase_add_loop_test(stories, wanting_the_same_again_changes_nothing, 0, ARFS_STATES);
	tcase_add_test(stories, a_new_id_on_the_same_queue_is_a_change);
	tcase_add_test(stories, a_new_queue_with_the_same_id_is_a_change);
	tcase_add_test(stories, a_move_while_pending_costs_one_write);
	tcase_add_test(stories, a_move_during_the_first_write_is_written_after_it);
	tcase_add_test(stories, a_move_during_a_move_is_written_after_it);
	tcase_add_test(stories, a_move_back_during_a_move_is_written_too);
	tcase_add_test(stories, a_move_back_needs_no_retry_of_the_failed_move);
	tcase_add_test(stories, a_filter_that_yields_its_id_is_added_anew_with_the_wanted_one);
	tcase_add_test(stories, a_filter_that_fails_to_yield_its_id_is_still_known);
	tcase_add_test(stories, unwanted_before_its_write_costs_no_write);
	tcase_add_test(stories, unwanted_while_adding_is_deleted_after_the_add);
	tcase_add_test(stories, unwanted_while_a_failing_add_is_in_flight_leaves_nothing_to_do);
	tcase_add_test(stories, wanted_again_before_its_deletion_costs_no_write);
	tcase_add_test(stories, wanted_again_while_deleting_is_added_after_it);
	tcase_add_test(stories, wanted_again_while_a_deletion_fails_is_still_there);
	tcase_add_test(stories, a_failed_add_is_repeated_as_an_add);
	tcase_add_test(stories, a_failed_move_is_repeated_as_a_move_and_the_old_filter_stays_known);
	tcase_add_test(stories, a_failed_deletion_is_repeated_and_the_filter_stays_known);
	tcase_add_test(stories, after_silence_to_an_add_it_is_rewritten_and_not_shown_as_active);
	tcase_add_test(stories, after_silence_to_an_add_that_nobody_wants_any_more_it_is_deleted);
	tcase_add_test(stories, after_silence_to_a_move_the_way_back_is_written_too);
	tcase_add_test(stories,
		       after_silence_to_a_deletion_a_filter_that_is_wanted_again_is_written);
	tcase_add_test(stories, doubt_is_not_resolved_by_a_failure);
	tcase_add_test(stories, failures_are_counted_in_a_row_and_stay_at_their_maximum);
	tcase_add_loop_test(stories, a_late_answer_to_a_write_from_before_a_reset_changes_nothing,
			    0, 3 * ARFS_STATES);
}

int main(void)
{
	Suite *suite = suite_create("filter");
	TCase *pairs = tcase_create("pairs");
	TCase *stories = tcase_create("stories");
	TCase *parts = tcase_create("parts");

	tcase_add_loop_test(pairs, every_event_in_every_state_has_its_stated_outcome, 0,
			    ARFS_STATES * ARFS_EVENTS);
	suite_add_tcase(suite, pairs);

	add_stories(stories);
	suite_add_tcase(suite, stories);

	tcase_add_test(parts, an_id_is_held_by_each_target_that_has_it);
	tcase_add_loop_test(parts,
			    a_filter_is_present_once_it_is_written_and_until_it_is_known_to_be_gone,
			    0, ARFS_STATES);
	tcase_add_test(parts, targets_are_equal_in_both_parts_or_when_both_are_none);
	suite_add_tcase(suite, parts);
	return unit_run(suite);
}
