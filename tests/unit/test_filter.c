// SPDX-License-Identifier: GPL-2.0-only
/* arfs_filter.h: the life of a hardware filter, every state with every event. */
#include <stdio.h>

#include "arfs_filter.h"
#include "filter_targets.h"
#include "unit.h"

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

int main(void)
{
	Suite *suite = suite_create("filter");
	TCase *pairs = tcase_create("pairs");
	TCase *parts = tcase_create("parts");

	tcase_add_loop_test(pairs, every_event_in_every_state_has_its_stated_outcome, 0,
			    ARFS_STATES * ARFS_EVENTS);
	suite_add_tcase(suite, pairs);

	tcase_add_test(parts, an_id_is_held_by_each_target_that_has_it);
	tcase_add_loop_test(parts,
			    a_filter_is_present_once_it_is_written_and_until_it_is_known_to_be_gone,
			    0, ARFS_STATES);
	tcase_add_test(parts, targets_are_equal_in_both_parts_or_when_both_are_none);
	suite_add_tcase(suite, parts);
	return unit_run(suite);
}
