// SPDX-License-Identifier: GPL-2.0-only
/* The table: how often a filter moves. */
#include <errno.h>

#include "arfs_policy.h"
#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
	arfs_table_set_move_interval(rig.table, ARFS_MOVE_MS);
}

/* A flow that has just moved, from queue 2 to queue 3. */
static u16 moved(u32 flow)
{
	u16 id = rig_grant(flow, 2, flow);

	rig_settle();
	ck_assert_uint_eq(rig_grant(flow, 3, flow), id);
	rig_settle();
	rig_expect(flow, 3, id);
	return id;
}

START_TEST(the_first_move_is_made_at_once)
{
	moved(1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DAMPED), 0);
}
END_TEST

START_TEST(a_second_move_waits_for_the_interval_to_end)
{
	u16 id = moved(1);

	ck_assert_uint_eq(rig_grant(1, 4, 1), id);
	rig_pass(ARFS_MOVE_MS - 1);
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_grant(1, 4, 1), id);
	rig_pass(1);
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig.flows[1].moves, 2);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DAMPED), 1);
}
END_TEST

START_TEST(after_the_interval_a_move_is_made_at_once_again)
{
	u16 id = moved(1);

	rig_pass(ARFS_MOVE_MS);
	rig_grant(1, 4, 1);
	rig_settle();
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DAMPED), 0);
}
END_TEST

START_TEST(of_many_queues_the_last_wins_with_one_write)
{
	u16 id = moved(1), rxq;

	for (rxq = 4; rxq < 50; rxq++) {
		ck_assert_uint_eq(rig_grant(1, rxq, 1), id);
		rig_pass(1);
	}
	rig_expect(1, 3, id);
	rig_pass(ARFS_MOVE_MS);
	rig_expect(1, 49, id);
	ck_assert_uint_eq(rig.flows[1].moves, 2);
	/* One delay, however often the queue changed in it. */
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DAMPED), 1);
	rig_check_quiet();
}
END_TEST

START_TEST(a_thread_that_wanders_costs_one_write_in_each_interval)
{
	u16 id = moved(1);
	u32 ms;

	for (ms = 0; ms < 20 * ARFS_MOVE_MS; ms += 2) {
		rig_grant(1, 4 + ms % 16, 1);
		rig_pass(2);
	}
	ck_assert_uint_ge(rig.flows[1].moves, 20);
	ck_assert_uint_le(rig.flows[1].moves, 21);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DAMPED), rig.flows[1].moves - 1);
	rig_pass(ARFS_MOVE_MS);
	rig_expect(1, 4 + (ms - 2) % 16, id);
	ck_assert_uint_eq(rig.flows[1].adds, 1);
	ck_assert_uint_eq(rig.flows[1].deletes, 0);
}
END_TEST

START_TEST(back_within_the_interval_costs_no_write)
{
	u16 id = moved(1);

	rig_grant(1, 4, 1);
	rig_pass(ARFS_MOVE_MS / 2);
	rig_grant(1, 3, 1);
	rig_pass(10 * ARFS_MOVE_MS);
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig.flows[1].moves, 1);
	rig_check_quiet();
}
END_TEST

START_TEST(other_flows_do_not_wait_with_it)
{
	u16 id, new;

	id = rig_grant(2, 2, 2);
	moved(1);
	rig_grant(1, 4, 1);
	rig_settle();
	new = rig_grant(5, 3, 5);
	rig_grant(2, 3, 2);
	rig_settle();
	rig_expect(5, 3, new);
	rig_expect(2, 3, id);
}
END_TEST

START_TEST(a_damped_move_does_not_keep_a_filter_from_being_deleted)
{
	moved(1);
	rig_grant(9, 5, 5);
	rig_settle();
	rig_grant(1, 4, 1);
	rig_settle();
	rig_refuse(1, 5, 5, -EBUSY);
	rig_settle();
	rig_expect_none(1);
	rig_pass(10 * ARFS_MOVE_MS);
	ck_assert_uint_eq(rig.flows[1].moves, 1);
	ck_assert_uint_eq(rig.flows[1].deletes, 1);
}
END_TEST

START_TEST(many_damped_moves_are_all_made_within_two_intervals)
{
	u64 random = 17;
	u32 flow;

	for (flow = 0; flow < 200; flow++) {
		moved(flow);
		rig_pass(unit_random(&random) % 2);
		if (flow)
			rig_grant(unit_random(&random) % flow, 4, 1000 + flow);
	}
	rig_pass(2 * ARFS_MOVE_MS);
	rig_check_quiet();
}
END_TEST

START_TEST(an_interval_of_nothing_damps_nothing)
{
	u16 id = moved(1);
	u32 i;

	arfs_table_set_move_interval(rig.table, 0);
	for (i = 0; i < 50; i++) {
		rig_grant(1, 4 + i % 2, 1);
		rig_settle();
		rig_expect(1, 4 + i % 2, id);
	}
	ck_assert_uint_eq(rig.flows[1].moves, 51);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DAMPED), 0);
}
END_TEST

START_TEST(moves_are_damped_while_the_clock_wraps)
{
	u16 id;

	rig.now = 0U - ARFS_MOVE_MS / 2;
	id = moved(1);
	rig_grant(1, 4, 1);
	rig_pass(ARFS_MOVE_MS - 1);
	rig_expect(1, 3, id);
	rig_pass(1);
	rig_expect(1, 4, id);
}
END_TEST

/* As the table is made, without a word from the driver. */
START_TEST(a_new_table_damps)
{
	rig_end();
	rig_begin(LIMIT);
	arfs_table_close(rig.table);
	arfs_table_destroy(rig.table);
	rig.table = arfs_table_create("rig", &rig_ops, &rig, LIMIT);
	arfs_table_open(rig.table);
	moved(1);
	rig_grant(1, 4, 1);
	rig_pass(ARFS_MOVE_MS - 1);
	ck_assert_uint_eq(rig.flows[1].moves, 1);
	rig_pass(1);
	ck_assert_uint_eq(rig.flows[1].moves, 2);
}
END_TEST

START_TEST(the_interval_counts_from_the_write_and_not_from_its_report)
{
	u16 id = rig_grant(1, 2, 1);

	rig.later = true;
	rig_settle();
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_grant(1, 3, 1);
	rig_settle();
	rig_grant(1, 4, 1);
	rig_pass(ARFS_MOVE_MS - 10);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 3, id);
	ck_assert(!rig.flows[1].posted);
	rig_pass(10);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 4, id);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: moves");
	TCase *tcase = tcase_create("damping");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_test(tcase, the_first_move_is_made_at_once);
	tcase_add_test(tcase, a_second_move_waits_for_the_interval_to_end);
	tcase_add_test(tcase, after_the_interval_a_move_is_made_at_once_again);
	tcase_add_test(tcase, of_many_queues_the_last_wins_with_one_write);
	tcase_add_test(tcase, a_thread_that_wanders_costs_one_write_in_each_interval);
	tcase_add_test(tcase, back_within_the_interval_costs_no_write);
	tcase_add_test(tcase, other_flows_do_not_wait_with_it);
	tcase_add_test(tcase, a_damped_move_does_not_keep_a_filter_from_being_deleted);
	tcase_add_test(tcase, many_damped_moves_are_all_made_within_two_intervals);
	tcase_add_test(tcase, an_interval_of_nothing_damps_nothing);
	tcase_add_test(tcase, moves_are_damped_while_the_clock_wraps);
	tcase_add_test(tcase, a_new_table_damps);
	tcase_add_test(tcase, the_interval_counts_from_the_write_and_not_from_its_report);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
