// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table under a core that asks once: it is granted only what stays, and is told to ask again until
 * then.
 */
#include <errno.h>

#include "arfs_internal.h"
#include "arfs_policy.h"
#include "rig.h"

#define LIMIT	200

static void begin(void)
{
	rig_begin_once(LIMIT);
	rig.later = true;
	arfs_table_set_move_interval(rig.table, ARFS_MOVE_MS);
}

static void expect_again(u32 flow, u16 rxq, u32 flow_id)
{
	int answer = rig_steer(flow, rxq, flow_id);

	unit_require(answer == ARFS_ASK_AGAIN, "flow %u: expected to be asked again, answered %d",
		     flow, answer);
}

/* A flow that has asked often enough for a slot is granted it. */
static u16 grant(u32 flow, u16 rxq, u32 flow_id)
{
	u32 call;

	for (call = 0; call < ARFS_NOVICE_CALLS; call++)
		expect_again(flow, rxq, flow_id);
	return rig_grant(flow, rxq, flow_id);
}

/* And the device has it. */
static u16 settle(u32 flow, u16 rxq, u32 flow_id)
{
	u16 id = grant(flow, rxq, flow_id);

	rig_done(flow);
	rig_expect_state(flow, ARFS_ACTIVE);
	rig_pass(arfs_delay_ms(ARFS_SETTLE_LEVEL));
	return id;
}

START_TEST(a_flow_that_passes_by_takes_no_slot_and_no_memory)
{
	u32 kicks = rig.kicks, call;

	for (call = 0; call < ARFS_NOVICE_CALLS; call++)
		expect_again(1, 0, 7);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DEFERRED), ARFS_NOVICE_CALLS);
	ck_assert_uint_eq(rig.kicks, kicks);
	/* Its reader is on another queue: that is where it is granted one. */
	rig_grant(1, 3, 7);
	rig_done(1);
	ck_assert_uint_eq(rig.flows[1].adds, 1);
	ck_assert_uint_eq(rig.flows[1].moves, 0);
}
END_TEST

START_TEST(a_flow_that_comes_back_later_passes_by_again)
{
	u16 id = settle(1, 3, 7);

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert_uint_eq(rig_stats().flows, 0);
	rig.idle[id] = false;
	grant(1, 3, 7);
	rig_done(1);
}
END_TEST

START_TEST(while_a_filter_is_under_way_another_slot_is_not_granted)
{
	u16 id = grant(1, 3, 7);

	expect_again(1, 4, 8);
	rig_settle();
	rig_expect_state(1, ARFS_ADDING);
	expect_again(1, 4, 8);
	/* The slot that is on its way is granted as often as it is asked for. */
	ck_assert_uint_eq(rig_grant(1, 3, 7), id);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 3, id);
	/* Packets of before may still come in where they did before. */
	expect_again(1, 4, 8);
	rig_pass(arfs_delay_ms(ARFS_SETTLE_LEVEL));
	ck_assert_uint_eq(rig_grant(1, 4, 8), id);
	rig_settle();
	rig_expect_state(1, ARFS_MOVING);
	expect_again(1, 5, 9);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig.flows[1].moves, 1);
}
END_TEST

START_TEST(after_a_move_another_slot_is_not_granted_for_the_interval)
{
	u16 id = settle(1, 3, 7);

	rig_grant(1, 4, 8);
	rig_done(1);
	expect_again(1, 5, 9);
	rig_pass(ARFS_MOVE_MS - 1);
	expect_again(1, 5, 9);
	rig_expect(1, 4, id);
	rig_pass(1);
	ck_assert_uint_eq(rig_grant(1, 5, 9), id);
	rig_done(1);
	rig_expect(1, 5, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DAMPED), 0);
}
END_TEST

START_TEST(the_first_move_is_granted_once_packets_follow_the_filter)
{
	settle(1, 3, 7);
	rig_grant(1, 4, 8);
	rig_settle();
	rig_expect_state(1, ARFS_MOVING);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
}
END_TEST

START_TEST(a_flow_that_waits_is_told_the_owners_id)
{
	u16 id = settle(1, 3, 7);

	rig.table->patience = 1;
	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	rig_refuse(2, 3, 7, -EBUSY);
	ck_assert_uint_eq(rig_stats().waiting, 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DEFERRED), ARFS_NOVICE_CALLS);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_pass(arfs_delay_ms(ARFS_ID_WAIT_LEVEL));
	rig_report(2, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_none(1);
	rig.idle[id] = false;
	rig_expect(2, 3, rig_grant(2, 3, 7));
}
END_TEST

START_TEST(a_flow_for_which_the_line_is_too_long_is_refused_and_forgotten)
{
	u32 flow;

	settle(1, 3, 7);
	for (flow = 2; flow < 2 + ARFS_LINE_MAX; flow++)
		rig_refuse(flow, 3, 7, -EBUSY);
	ck_assert_uint_eq(rig_stats().waiting, ARFS_LINE_MAX);
	rig_refuse(50, 3, 7, -EBUSY);
	ck_assert_uint_eq(rig_stats().flows, 1 + ARFS_LINE_MAX);
	/* Known, with a filter, and displaced by its move to a slot with such a line. */
	settle(60, 4, 7);
	rig_refuse(60, 3, 7, -EBUSY);
	rig_done(60);
	rig_expect_state(60, ARFS_STATES);
}
END_TEST

static bool near(u16 from, u16 to)
{
	return from / 2 == to / 2;
}

START_TEST(a_move_that_would_stay_is_deferred_while_another_is_under_way)
{
	settle(1, 0, 7);
	rig.stays = near;
	rig_grant(1, 4, 7);
	rig_settle();
	rig_expect_state(1, ARFS_MOVING);
	/* Refused now, it would be parked by the core, whatever becomes of the move. */
	expect_again(1, 5, 7);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_pass(ARFS_MOVE_MS);
	rig_refuse(1, 5, 7, -EBUSY);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_STAYED), 1);
}
END_TEST

START_TEST(a_full_device_defers_nobody)
{
	grant(1, 3, 7);
	rig.fulls = true;
	rig.table->full = true;
	rig.table->full_at = rig.now;
	ck_assert_int_ge(rig_steer(1, 4, 8), 0);
	ck_assert_int_ne(rig_steer(1, 5, 9), ARFS_ASK_AGAIN);
	rig.table->full = false;
	rig_done(1);
}
END_TEST

START_TEST(any_other_core_is_granted_at_once)
{
	u16 id;

	rig_end();
	rig_begin(LIMIT);
	rig.later = true;
	id = rig_grant(1, 3, 7);
	ck_assert_uint_eq(rig_grant(1, 4, 8), id);
	rig_refuse(2, 4, 8, -EBUSY);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DEFERRED), 0);
	rig_settle();
	rig_report_all(3);
	rig_settle();
	rig_expect(1, 4, id);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: a core that asks once");
	TCase *tcase = tcase_create("once");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_test(tcase, a_flow_that_passes_by_takes_no_slot_and_no_memory);
	tcase_add_test(tcase, a_flow_that_comes_back_later_passes_by_again);
	tcase_add_test(tcase, while_a_filter_is_under_way_another_slot_is_not_granted);
	tcase_add_test(tcase, after_a_move_another_slot_is_not_granted_for_the_interval);
	tcase_add_test(tcase, the_first_move_is_granted_once_packets_follow_the_filter);
	tcase_add_test(tcase, a_flow_that_waits_is_told_the_owners_id);
	tcase_add_test(tcase, a_flow_for_which_the_line_is_too_long_is_refused_and_forgotten);
	tcase_add_test(tcase, a_move_that_would_stay_is_deferred_while_another_is_under_way);
	tcase_add_test(tcase, a_full_device_defers_nobody);
	tcase_add_test(tcase, any_other_core_is_granted_at_once);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
