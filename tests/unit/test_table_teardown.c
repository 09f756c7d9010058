// SPDX-License-Identifier: GPL-2.0-only
/* The table: opening, closing, flushing, and its memory. */
#include <errno.h>

#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

START_TEST(a_closed_table_refuses_and_says_so)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	arfs_table_close(rig.table);
	rig_refuse(1, 3, 7, -ENODEV);
	rig_refuse(1, 4, 7, -ENODEV);
	rig_refuse(2, 3, 8, -ENODEV);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_CLOSED), 3);
	ck_assert_uint_eq(rig_stats().flows, 1);
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(a_new_table_is_closed)
{
	arfs_table_close(rig.table);
	rig_end();
	rig_begin(LIMIT);
	arfs_table_close(rig.table);
	arfs_table_destroy(rig.table);
	rig.table = arfs_table_create("rig", &(struct arfs_table_ops) { 0 }, &rig, LIMIT);
	rig_refuse(1, 3, 7, -ENODEV);
}
END_TEST

START_TEST(a_flush_deletes_each_hardware_filter_exactly_once)
{
	u32 flow;

	for (flow = 0; flow < 300; flow++)
		rig_grant(flow, flow % 4, flow);
	rig_settle();
	arfs_table_close(rig.table);
	rig.attempts = 0;
	arfs_table_flush(rig.table, true);
	ck_assert_uint_eq(rig.attempts, 300);
	ck_assert_uint_eq(rig_live(), 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DELETED), 300);
	for (flow = 0; flow < 300; flow++)
		ck_assert_uint_eq(rig.flows[flow].deletes, 1);
	ck_assert_uint_eq(rig_stats().flows, 0);
	arfs_table_flush(rig.table, true);
	ck_assert_uint_eq(rig.attempts, 300);
}
END_TEST

START_TEST(a_flush_of_a_device_that_lost_its_filters_writes_nothing)
{
	u32 flow;

	for (flow = 0; flow < 300; flow++)
		rig_grant(flow, flow % 4, flow);
	rig_settle();
	arfs_table_close(rig.table);
	rig_forget();
	rig.attempts = 0;
	arfs_table_flush(rig.table, false);
	ck_assert_uint_eq(rig.attempts, 0);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_ids_held(), 0);
}
END_TEST

/* Active, pending, failed, moved, waiting, an heir not yet served, one to be deleted. */
static void fill_with_one_of_each(void)
{
	rig_grant(1, 3, 7);
	rig_grant(2, 3, 8);
	rig_grant(3, 3, 9);
	rig_grant(4, 3, 10);
	rig_settle();
	rig_refuse(5, 3, 7, -EBUSY);
	rig_refuse(6, 3, 8, -EBUSY);
	rig_refuse(7, 3, 8, -EBUSY);
	rig_grant(8, 3, 11);
	rig.fail = 1;
	rig_settle();
	rig_grant(9, 3, 12);
	rig_grant(2, 4, 8);
	rig_refuse(3, 3, 10, -EBUSY);
}

START_TEST(a_flush_copes_with_flows_in_every_condition)
{
	fill_with_one_of_each();
	arfs_table_close(rig.table);
	rig.attempts = 0;
	arfs_table_flush(rig.table, true);
	/* In the device: 1, 2, 3 and 4. */
	ck_assert_uint_eq(rig.attempts, 4);
	ck_assert_uint_eq(rig_live(), 0);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_stats().waiting, 0);
	ck_assert_uint_eq(rig_ids_held(), 0);
}
END_TEST

/* The owner has stopped its worker by then; a kick would start it again beside the flush. */
START_TEST(a_flush_kicks_nobody)
{
	u32 flow, kicks;

	/* Owners and waiters, so many that some owners are flushed before their waiters. */
	for (flow = 0; flow < 100; flow++)
		rig_steer(flow, 3, flow % 50);
	rig_settle();
	ck_assert_uint_eq(rig_stats().waiting, 50);
	arfs_table_close(rig.table);
	kicks = rig.kicks;
	arfs_table_flush(rig.table, true);
	ck_assert_uint_eq(rig.kicks, kicks);
}
END_TEST

START_TEST(a_service_after_a_flush_finds_nothing)
{
	fill_with_one_of_each();
	arfs_table_close(rig.table);
	arfs_table_flush(rig.table, true);
	rig.attempts = 0;
	ck_assert_uint_eq(rig_service(), ARFS_SERVICE_IDLE);
	rig.now += 1000000;
	ck_assert_uint_eq(rig_service(), ARFS_SERVICE_IDLE);
	ck_assert_uint_eq(rig.attempts, 0);
}
END_TEST

START_TEST(a_service_of_a_closed_table_does_nothing)
{
	rig_grant(1, 3, 7);
	arfs_table_close(rig.table);
	ck_assert_uint_eq(rig_service(), ARFS_SERVICE_IDLE);
	ck_assert_uint_eq(rig.attempts, 0);
	rig_check();
}
END_TEST

START_TEST(a_flush_tries_a_failing_deletion_again_and_ends)
{
	rig_grant(1, 3, 7);
	rig_settle();
	arfs_table_close(rig.table);
	rig.fail = 1;
	arfs_table_flush(rig.table, true);
	rig_expect_none(1);

	arfs_table_open(rig.table);
	rig_grant(2, 3, 7);
	rig_settle();
	arfs_table_close(rig.table);
	rig.fail = 1000;
	arfs_table_flush(rig.table, true);
	ck_assert_uint_lt(rig.fail, 1000);
	ck_assert_uint_gt(rig.fail, 900);
	ck_assert_uint_eq(rig_stats().flows, 0);
	/* The device keeps what it refused to delete; here it is told to forget. */
	ck_assert(rig.flows[2].present);
	rig_forget();
}
END_TEST

START_TEST(a_table_that_is_opened_again_works_and_its_ids_have_rested)
{
	u16 first = rig_grant(1, 3, 7), again;

	rig_settle();
	arfs_table_close(rig.table);
	arfs_table_flush(rig.table, true);
	arfs_table_open(rig.table);
	again = rig_grant(1, 3, 7);
	ck_assert_uint_ne(again, first);
	rig_settle();
	rig_expect(1, 3, again);
}
END_TEST

START_TEST(off_and_on_a_thousand_times_leaves_nothing_behind)
{
	unsigned long allocated = shim_allocated();
	u64 random = 3;
	u32 round, i;

	for (round = 0; round < 1000; round++) {
		for (i = 0; i < 30; i++)
			rig_steer(unit_random(&random) % 40, unit_random(&random) % 3,
				  unit_random(&random) % 5);
		rig_service();
		for (i = 0; i < 10; i++)
			rig_steer(unit_random(&random) % 40, unit_random(&random) % 3,
				  unit_random(&random) % 5);
		arfs_table_close(rig.table);
		if (unit_random(&random) % 2) {
			rig_forget();
			arfs_table_flush(rig.table, false);
		} else {
			arfs_table_flush(rig.table, true);
		}
		unit_require(!rig_stats().flows && !rig_stats().waiting && !rig_stats().held,
			     "round %u", round);
		arfs_table_open(rig.table);
	}
	ck_assert_uint_eq(rig_live(), 0);
	/* Flows that a service freed are on their way through RCU. */
	shim_rcu_wait();
	ck_assert_uint_eq(shim_allocated(), allocated);
}
END_TEST

START_TEST(closing_twice_and_opening_twice_is_harmless)
{
	arfs_table_open(rig.table);
	rig_grant(1, 3, 7);
	arfs_table_close(rig.table);
	arfs_table_close(rig.table);
	rig_refuse(1, 3, 7, -ENODEV);
	arfs_table_open(rig.table);
	arfs_table_open(rig.table);
	rig_grant(1, 3, 7);
	rig_settle();
}
END_TEST

START_TEST(work_left_from_before_a_close_is_kicked_for_after_it)
{
	u32 kicks;
	u16 id = rig_grant(1, 3, 7);

	arfs_table_close(rig.table);
	rig_service();
	kicks = rig.kicks;
	arfs_table_open(rig.table);
	ck_assert_uint_gt(rig.kicks, kicks);
	rig_settle();
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(without_memory_no_table_is_made_and_nothing_is_left)
{
	static const struct arfs_table_ops none;
	struct arfs_table *table;
	u32 nth;

	for (nth = 1; nth < 20; nth++) {
		shim_fail_allocation(nth);
		table = arfs_table_create("memory", &none, NULL, LIMIT);
		if (table)
			break;
		unit_require(!shim_allocated(), "allocation %u failed, %lu others are left", nth,
			     shim_allocated());
	}
	/* The table, its buckets, lines, ids, writers, counters and cache. */
	ck_assert_uint_eq(nth, 8);
	shim_fail_allocation(0);
	arfs_table_destroy(table);
	ck_assert_uint_eq(shim_allocated(), 0);
}
END_TEST

START_TEST(destroying_no_table_is_harmless)
{
	arfs_table_destroy(NULL);
}
END_TEST

START_TEST(tables_of_any_limit_work)
{
	static const u32 limits[] = { 0, 1, 2, 1023, 1024, 1025, 16384, 64512, 0xffffffff };

	rig_begin(limits[_i]);
	if (limits[_i]) {
		rig_grant(1, 3, 7);
		rig_settle();
		ck_assert_uint_eq(rig_live(), 1);
	} else {
		rig_refuse(1, 3, 7, -ENOSPC);
	}
	rig_end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: teardown");
	TCase *tcase = tcase_create("open and closed");
	TCase *memory = tcase_create("memory");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_test(tcase, a_closed_table_refuses_and_says_so);
	tcase_add_test(tcase, a_new_table_is_closed);
	tcase_add_test(tcase, a_flush_deletes_each_hardware_filter_exactly_once);
	tcase_add_test(tcase, a_flush_of_a_device_that_lost_its_filters_writes_nothing);
	tcase_add_test(tcase, a_flush_copes_with_flows_in_every_condition);
	tcase_add_test(tcase, a_flush_kicks_nobody);
	tcase_add_test(tcase, a_service_after_a_flush_finds_nothing);
	tcase_add_test(tcase, a_service_of_a_closed_table_does_nothing);
	tcase_add_test(tcase, a_flush_tries_a_failing_deletion_again_and_ends);
	tcase_add_test(tcase, a_table_that_is_opened_again_works_and_its_ids_have_rested);
	tcase_add_test(tcase, off_and_on_a_thousand_times_leaves_nothing_behind);
	tcase_add_test(tcase, closing_twice_and_opening_twice_is_harmless);
	tcase_add_test(tcase, work_left_from_before_a_close_is_kicked_for_after_it);
	suite_add_tcase(suite, tcase);

	tcase_add_test(memory, without_memory_no_table_is_made_and_nothing_is_left);
	tcase_add_test(memory, destroying_no_table_is_harmless);
	tcase_add_loop_test(memory, tables_of_any_limit_work, 0, 9);
	suite_add_tcase(suite, memory);
	return unit_run(suite);
}
