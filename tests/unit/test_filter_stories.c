// SPDX-License-Identifier: GPL-2.0-only
/* arfs_filter.h: the life of a hardware filter, told in stories of a few events. */
#include <string.h>

#include "arfs_filter.h"
#include "filter_targets.h"
#include "unit.h"

/* For the steps of events that carry no target; it must be ignored. */
static const struct arfs_target other = { .rxq = 9, .id = 99 };

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
	Suite *suite = suite_create("filter: stories");
	TCase *stories = tcase_create("stories");

	add_stories(stories);
	suite_add_tcase(suite, stories);
	return unit_run(suite);
}
