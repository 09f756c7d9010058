// SPDX-License-Identifier: GPL-2.0-only
/* The table: what the driver decides over the heads of the flows. Here: tuples. */
#include <errno.h>

#include "arfs_policy.h"
#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

static void bar(u32 flow)
{
	struct arfs_flow_key key = rig_key(flow);

	ck_assert_int_eq(arfs_table_bar(rig.table, &key), 0);
}

static void unbar(u32 flow)
{
	struct arfs_flow_key key = rig_key(flow);

	arfs_table_unbar(rig.table, &key);
}

static bool has_filter(u32 flow)
{
	struct arfs_flow_key key = rig_key(flow);

	return arfs_table_has_filter(rig.table, &key);
}

START_TEST(the_filter_of_a_barred_tuple_is_deleted)
{
	rig_grant(1, 3, 7);
	rig_settle();
	ck_assert(has_filter(1));
	bar(1);
	ck_assert(has_filter(1));
	rig_settle();
	ck_assert(!has_filter(1));
	rig_expect_none(1);
	ck_assert_uint_eq(rig.flows[1].deletes, 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_BARRED), 1);
	ck_assert_uint_eq(rig_stats().held, 0);
}
END_TEST

START_TEST(a_barred_tuple_is_refused_for_every_slot_and_costs_no_write)
{
	u32 i;

	rig_grant(1, 3, 7);
	rig_settle();
	bar(1);
	rig_settle();
	rig.attempts = 0;
	for (i = 0; i < 50; i++) {
		rig_refuse(1, i % 5, i, -EEXIST);
		rig_pass(100);
	}
	ck_assert_uint_eq(rig.attempts, 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_USER_RULE), 50);
	/* Others are not affected, in its former slot neither. */
	rig_grant(2, 3, 7);
	rig_settle();
	ck_assert_uint_eq(rig_live(), 1);
}
END_TEST

START_TEST(a_refusal_of_a_barred_tuple_takes_no_lock_and_writes_nothing_shared)
{
	struct shim_counts before;
	u64 checksum;

	bar(1);
	rig_settle();
	before = shim_counts;
	checksum = shim_checksum();
	rig_refuse(1, 3, 7, -EEXIST);
	rig_refuse(1, 4, 8, -EEXIST);
	ck_assert_uint_eq(shim_counts.locks, before.locks);
	ck_assert_uint_eq(shim_counts.atomic_writes, before.atomic_writes);
	ck_assert_uint_eq(shim_counts.publications, before.publications);
	ck_assert_uint_eq(shim_counts.allocations, before.allocations);
	ck_assert_uint_eq(shim_checksum(), checksum);
}
END_TEST

START_TEST(a_tuple_that_nobody_has_asked_for_can_be_barred)
{
	bar(1);
	rig_settle();
	ck_assert(!has_filter(1));
	rig_refuse(1, 3, 7, -EEXIST);
	ck_assert_uint_eq(rig.attempts, 0);
	ck_assert_uint_eq(rig_stats().flows, 1);
	ck_assert_uint_eq(rig_ids_held(), 0);
}
END_TEST

START_TEST(a_tuple_is_barred_until_it_was_unbarred_as_often)
{
	u16 id;

	bar(1);
	bar(1);
	bar(1);
	unbar(1);
	rig_settle();
	rig_refuse(1, 3, 7, -EEXIST);
	unbar(1);
	rig_settle();
	rig_refuse(1, 3, 7, -EEXIST);
	unbar(1);
	id = rig_grant(1, 3, 7);
	rig_settle();
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(once_unbarred_and_not_asked_for_a_tuple_is_forgotten)
{
	bar(1);
	bar(2);
	rig_settle();
	unbar(1);
	rig_settle();
	ck_assert_uint_eq(rig_stats().flows, 1);
	rig_refuse(2, 3, 7, -EEXIST);
	unbar(2);
	rig_settle();
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_service(), ARFS_SERVICE_IDLE);
}
END_TEST

START_TEST(unbarring_too_often_is_harmless)
{
	u16 id;

	unbar(1);
	ck_assert_uint_eq(rig_stats().flows, 0);
	bar(1);
	unbar(1);
	unbar(1);
	unbar(1);
	id = rig_grant(1, 3, 7);
	rig_settle();
	unbar(1);
	rig_settle();
	rig_expect(1, 3, id);
	bar(1);
	rig_refuse(1, 3, 7, -EEXIST);
}
END_TEST

START_TEST(a_barred_tuple_stays_barred_however_long)
{
	bar(1);
	rig_pass(10 * ARFS_WAIT_MS);
	rig_refuse(1, 3, 7, -EEXIST);
	rig.all_idle = true;
	rig_pass(ARFS_WAIT_MS);
	rig_refuse(1, 3, 7, -EEXIST);
}
END_TEST

START_TEST(a_filter_that_is_barred_before_its_first_write_is_not_written)
{
	rig_grant(1, 3, 7);
	bar(1);
	rig_refuse(1, 3, 7, -EEXIST);
	rig_settle();
	ck_assert_uint_eq(rig.attempts, 0);
	ck_assert(!has_filter(1));
}
END_TEST

START_TEST(a_filter_that_is_barred_while_it_is_added_is_deleted_after_it)
{
	rig.later = true;
	rig_grant(1, 3, 7);
	rig_settle();
	ck_assert(has_filter(1));
	bar(1);
	rig_settle();
	rig_refuse(1, 3, 7, -EEXIST);
	ck_assert(has_filter(1));
	ck_assert_uint_eq(rig.attempts, 1);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	/* Its deletion is posted, so the device may still have it. */
	ck_assert_uint_eq(rig.attempts, 2);
	ck_assert(has_filter(1));
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert(!has_filter(1));
	rig_expect_none(1);
	rig_refuse(1, 3, 7, -EEXIST);
}
END_TEST

START_TEST(a_filter_that_is_barred_and_not_added_after_all_is_gone)
{
	rig.later = true;
	rig_grant(1, 3, 7);
	rig_settle();
	bar(1);
	rig_report(1, ARFS_REPORT_REFUSED);
	rig_settle();
	ck_assert(!has_filter(1));
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(a_deletion_for_a_rule_is_repeated_until_it_is_done)
{
	rig_grant(1, 3, 7);
	rig_settle();
	rig.fail = 5;
	bar(1);
	rig_settle();
	ck_assert(has_filter(1));
	rig_pass(1000);
	ck_assert(!has_filter(1));
	rig_expect_none(1);
}
END_TEST

START_TEST(unbarred_while_its_filter_is_deleted_a_flow_may_ask_at_once)
{
	u16 id;

	rig.later = true;
	rig_grant(1, 3, 7);
	rig_settle();
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	bar(1);
	rig_settle();
	unbar(1);
	id = rig_grant(1, 4, 7);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig.flows[1].adds, 2);
}
END_TEST

START_TEST(an_owner_that_is_barred_passes_its_slot_on)
{
	u16 id = rig_grant(1, 3, 7);

	rig_refuse(2, 3, 7, -EBUSY);
	rig_settle();
	bar(1);
	rig_settle();
	rig_expect_none(1);
	rig_expect(2, 3, id);
	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_PASSED), 1);
}
END_TEST

START_TEST(a_waiting_flow_that_is_barred_leaves_the_line)
{
	u16 id = rig_grant(1, 3, 7);

	rig_refuse(2, 3, 7, -EBUSY);
	rig_refuse(3, 3, 7, -EBUSY);
	bar(2);
	rig_refuse(2, 3, 7, -EEXIST);
	ck_assert_uint_eq(rig_stats().waiting, 1);
	rig_grant(1, 4, 7);
	rig_settle();
	rig_expect_none(2);
	rig_expect(3, 3, id);
}
END_TEST

START_TEST(an_heir_that_is_barred_before_it_is_served_passes_the_slot_on)
{
	u16 id = rig_grant(1, 3, 7);

	rig_refuse(2, 3, 7, -EBUSY);
	rig_refuse(3, 3, 7, -EBUSY);
	rig_settle();
	rig_grant(1, 4, 7);
	bar(2);
	rig_settle();
	rig_expect_none(2);
	rig_expect(3, 3, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_PASSED), 2);
}
END_TEST

START_TEST(a_reset_does_not_unbar)
{
	rig_grant(1, 3, 7);
	rig_settle();
	bar(1);
	rig_forget();
	arfs_table_replay(rig.table);
	rig_settle();
	rig_refuse(1, 3, 7, -EEXIST);
	rig_expect_none(1);
	ck_assert(!has_filter(1));
}
END_TEST

START_TEST(a_flush_forgets_what_was_barred)
{
	u16 id;

	rig_grant(1, 3, 7);
	rig_settle();
	bar(1);
	bar(2);
	arfs_table_close(rig.table);
	arfs_table_flush(rig.table, true);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert(!has_filter(1));
	arfs_table_open(rig.table);
	unbar(1);
	unbar(2);
	ck_assert_uint_eq(rig_stats().flows, 0);
	id = rig_grant(1, 3, 7);
	rig_settle();
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(a_closed_table_can_bar_and_unbar)
{
	arfs_table_close(rig.table);
	bar(1);
	bar(2);
	unbar(2);
	arfs_table_open(rig.table);
	rig_settle();
	rig_refuse(1, 3, 7, -EEXIST);
	rig_grant(2, 3, 7);
	rig_settle();
	ck_assert_uint_eq(rig_live(), 1);
}
END_TEST

START_TEST(without_memory_a_tuple_is_not_barred)
{
	struct arfs_flow_key key = rig_key(1);

	rig_grant(2, 3, 8);
	shim_fail_allocations(true);
	ck_assert_int_eq(arfs_table_bar(rig.table, &key), -ENOMEM);
	/* For one that the table knows no memory is needed. */
	bar(2);
	shim_fail_allocations(false);
	rig_refuse(2, 3, 8, -EEXIST);
	rig_grant(1, 3, 7);
	rig_settle();
	ck_assert_uint_eq(rig_live(), 1);
}
END_TEST

START_TEST(flows_of_one_hash_are_barred_one_by_one)
{
	u32 flow;

	shim_hash_collide(true);
	for (flow = 0; flow < 40; flow++)
		rig_grant(flow, 3, flow);
	rig_settle();
	for (flow = 0; flow < 40; flow += 2)
		bar(flow);
	rig_settle();
	for (flow = 0; flow < 40; flow++) {
		ck_assert_int_eq(has_filter(flow), flow % 2);
		ck_assert_int_eq(rig_steer(flow, 3, flow) == -EEXIST, flow % 2 == 0);
	}
	ck_assert_uint_eq(rig_live(), 20);
}
END_TEST

static void add_bars(TCase *tcase)
{
	tcase_add_test(tcase, the_filter_of_a_barred_tuple_is_deleted);
	tcase_add_test(tcase, a_barred_tuple_is_refused_for_every_slot_and_costs_no_write);
	tcase_add_test(tcase,
		       a_refusal_of_a_barred_tuple_takes_no_lock_and_writes_nothing_shared);
	tcase_add_test(tcase, a_tuple_that_nobody_has_asked_for_can_be_barred);
	tcase_add_test(tcase, a_tuple_is_barred_until_it_was_unbarred_as_often);
	tcase_add_test(tcase, once_unbarred_and_not_asked_for_a_tuple_is_forgotten);
	tcase_add_test(tcase, unbarring_too_often_is_harmless);
	tcase_add_test(tcase, a_barred_tuple_stays_barred_however_long);
	tcase_add_test(tcase, an_owner_that_is_barred_passes_its_slot_on);
	tcase_add_test(tcase, a_waiting_flow_that_is_barred_leaves_the_line);
	tcase_add_test(tcase, an_heir_that_is_barred_before_it_is_served_passes_the_slot_on);
	tcase_add_test(tcase, without_memory_a_tuple_is_not_barred);
	tcase_add_test(tcase, flows_of_one_hash_are_barred_one_by_one);
}

static void add_writes(TCase *tcase)
{
	tcase_add_test(tcase, a_filter_that_is_barred_before_its_first_write_is_not_written);
	tcase_add_test(tcase, a_filter_that_is_barred_while_it_is_added_is_deleted_after_it);
	tcase_add_test(tcase, a_filter_that_is_barred_and_not_added_after_all_is_gone);
	tcase_add_test(tcase, a_deletion_for_a_rule_is_repeated_until_it_is_done);
	tcase_add_test(tcase, unbarred_while_its_filter_is_deleted_a_flow_may_ask_at_once);
	tcase_add_test(tcase, a_reset_does_not_unbar);
	tcase_add_test(tcase, a_flush_forgets_what_was_barred);
	tcase_add_test(tcase, a_closed_table_can_bar_and_unbar);
}

int main(void)
{
	Suite *suite = suite_create("table: admin");
	TCase *bars = tcase_create("bars");
	TCase *writes = tcase_create("writes");

	tcase_add_checked_fixture(bars, begin, rig_end);
	add_bars(bars);
	suite_add_tcase(suite, bars);

	tcase_add_checked_fixture(writes, begin, rig_end);
	add_writes(writes);
	suite_add_tcase(suite, writes);
	return unit_run(suite);
}
