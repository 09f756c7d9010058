// SPDX-License-Identifier: GPL-2.0-only
/* The table: queues that go away, and filters that make room. */
#include <errno.h>

#include "arfs_policy.h"
#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

START_TEST(filters_of_queues_that_go_are_deleted_and_the_others_stay)
{
	u16 ids[16];
	u32 flow;

	for (flow = 0; flow < 16; flow++)
		ids[flow] = rig_grant(flow, flow, 7);
	rig_settle();
	ck_assert(arfs_table_clear_of(rig.table, 16));
	ck_assert(!arfs_table_clear_of(rig.table, 15));
	arfs_table_set_queues(rig.table, 10);
	ck_assert(!arfs_table_clear_of(rig.table, 10));
	rig_settle();
	ck_assert(arfs_table_clear_of(rig.table, 10));
	for (flow = 0; flow < 10; flow++)
		rig_expect(flow, flow, ids[flow]);
	for (; flow < 16; flow++)
		rig_expect_none(flow);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_QUEUE_GONE), 6);
	ck_assert_uint_eq(rig.attempts, 16 + 6);
	ck_assert_uint_eq(rig_stats().flows, 10);
	rig_check_quiet();
}
END_TEST

START_TEST(requests_for_queues_that_are_gone_are_refused)
{
	u16 id = rig_grant(1, 3, 7);

	arfs_table_set_queues(rig.table, 4);
	rig_refuse(1, 4, 7, -ENODEV);
	rig_refuse(2, 4, 8, -ENODEV);
	rig_refuse(2, ARFS_RXQ_MAX, 8, -ENODEV);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_NO_QUEUE), 3);
	ck_assert_uint_eq(rig_stats().flows, 1);
	ck_assert_uint_eq(rig_grant(1, 3, 7), id);
	rig_grant(2, 3, 8);
	rig_settle();
	rig_expect(1, 3, id);
	arfs_table_set_queues(rig.table, 0);
	rig_refuse(1, 0, 7, -ENODEV);
	rig_refuse(1, 3, 7, -ENODEV);
	rig_settle();
	ck_assert(arfs_table_clear_of(rig.table, 0));
	ck_assert_uint_eq(rig_stats().flows, 0);
}
END_TEST

START_TEST(queues_that_come_are_served)
{
	u16 id;

	arfs_table_set_queues(rig.table, 4);
	rig_refuse(1, 4, 7, -ENODEV);
	arfs_table_set_queues(rig.table, 5);
	id = rig_grant(1, 4, 7);
	rig_settle();
	rig_expect(1, 4, id);
	arfs_table_set_queues(rig.table, 100);
	rig_settle();
	ck_assert_uint_eq(rig_grant(1, 99, 7), id);
	rig_settle();
	rig_expect(1, 99, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_QUEUE_GONE), 0);
}
END_TEST

START_TEST(a_flow_whose_queue_went_away_may_ask_for_one_that_is_left)
{
	u16 id;

	rig_grant(1, 8, 7);
	rig_settle();
	arfs_table_set_queues(rig.table, 4);
	id = rig_grant(1, 3, 7);
	rig_settle();
	rig_expect(1, 3, id);
	ck_assert(arfs_table_clear_of(rig.table, 4));
}
END_TEST

START_TEST(lines_for_queues_that_go_are_broken_up)
{
	u32 flow;

	shim_hash_collide(_i);
	rig_grant(1, 8, 7);
	for (flow = 2; flow < 6; flow++)
		rig_refuse(flow, 8, 7, -EBUSY);
	rig_grant(9, 3, 7);
	rig_refuse(10, 3, 7, -EBUSY);
	rig_settle();
	arfs_table_set_queues(rig.table, 4);
	rig_settle();
	ck_assert_uint_eq(rig_live(), 1);
	ck_assert_uint_eq(rig_stats().flows, 2);
	ck_assert_uint_eq(rig_stats().waiting, 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_QUEUE_GONE), 5);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), 0);
	ck_assert_uint_eq(rig.attempts, 3);
}
END_TEST

/* The slot that it gives up is of another queue than the one that goes. */
START_TEST(an_heir_on_a_queue_that_stays_is_served)
{
	u16 id = rig_grant(1, 3, 7);

	rig_refuse(2, 3, 7, -EBUSY);
	rig_settle();
	rig_grant(1, 8, 7);
	arfs_table_set_queues(rig.table, 4);
	rig_settle();
	rig_expect(2, 3, id);
	rig_expect_none(1);
	ck_assert(arfs_table_clear_of(rig.table, 4));
}
END_TEST

START_TEST(a_filter_on_its_way_to_a_queue_that_goes_is_not_forgotten)
{
	rig.later = true;
	rig_grant(1, 8, 7);
	rig_settle();
	arfs_table_set_queues(rig.table, 4);
	rig_settle();
	ck_assert(!arfs_table_clear_of(rig.table, 4));
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert(!arfs_table_clear_of(rig.table, 4));
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert(arfs_table_clear_of(rig.table, 4));
	rig_expect_none(1);
}
END_TEST

START_TEST(a_filter_on_its_way_from_a_queue_that_goes_is_awaited)
{
	u16 id = rig_grant(1, 8, 7);

	rig_settle();
	rig.later = true;
	rig_grant(1, 3, 7);
	rig_settle();
	arfs_table_set_queues(rig.table, 4);
	ck_assert(!arfs_table_clear_of(rig.table, 4));
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert(arfs_table_clear_of(rig.table, 4));
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig.flows[1].deletes, 0);
}
END_TEST

START_TEST(a_damped_move_from_a_queue_that_goes_is_awaited)
{
	u16 id = rig_grant(1, 3, 7);

	arfs_table_set_move_interval(rig.table, ARFS_MOVE_MS);
	rig_settle();
	rig_grant(1, 8, 7);
	rig_settle();
	rig_grant(1, 3, 7);
	rig_settle();
	rig_expect(1, 8, id);
	arfs_table_set_queues(rig.table, 4);
	ck_assert(!arfs_table_clear_of(rig.table, 4));
	rig_pass(ARFS_MOVE_MS);
	ck_assert(arfs_table_clear_of(rig.table, 4));
	rig_expect(1, 3, id);
}
END_TEST

/* It may be on the queue that it had, or on none. */
START_TEST(a_filter_in_doubt_may_be_anywhere)
{
	rig.later = true;
	rig_grant(9, 1, 9);
	rig_grant(1, 8, 7);
	rig_settle();
	ck_assert_uint_eq(rig_report_all(10), 2);
	rig_settle();
	rig_grant(1, 3, 7);
	rig_settle();
	arfs_table_set_queues(rig.table, 4);
	rig_lose(1, _i);
	rig_pass(ARFS_REPORT_MS);
	ck_assert(!arfs_table_clear_of(rig.table, 4));
	rig_pass(ARFS_RETRY_MIN_MS);
	ck_assert(!arfs_table_clear_of(rig.table, 4));
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert(arfs_table_clear_of(rig.table, 4));
}
END_TEST

START_TEST(a_deletion_that_fails_keeps_the_queue_from_being_clear)
{
	rig_grant(1, 8, 7);
	rig_settle();
	rig.fail = 3;
	arfs_table_set_queues(rig.table, 4);
	rig_settle();
	ck_assert(!arfs_table_clear_of(rig.table, 4));
	rig_pass(1000);
	ck_assert(arfs_table_clear_of(rig.table, 4));
}
END_TEST

START_TEST(a_barred_tuple_is_barred_whatever_the_queues)
{
	struct arfs_flow_key key = rig_key(1);

	rig_grant(1, 8, 7);
	rig_settle();
	ck_assert_int_eq(arfs_table_bar(rig.table, &key), 0);
	arfs_table_set_queues(rig.table, 4);
	rig_settle();
	rig_refuse(1, 3, 7, -EEXIST);
	rig_refuse(1, 8, 7, -ENODEV);
	arfs_table_set_queues(rig.table, 16);
	rig_refuse(1, 8, 7, -EEXIST);
}
END_TEST

START_TEST(as_many_filters_as_wanted_are_evicted)
{
	static const u32 wanted[] = { 0, 1, 7, 50, 51, 1000, 0xffffffff };
	u32 expected = wanted[_i] < 50 ? wanted[_i] : 50, flow;

	for (flow = 0; flow < 50; flow++)
		rig_grant(flow, 3, flow);
	rig_settle();
	ck_assert_uint_eq(arfs_table_evict(rig.table, wanted[_i]), expected);
	rig_settle();
	ck_assert_uint_eq(rig_live(), 50 - expected);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_EVICTED), expected);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DELETED), expected);
	ck_assert_uint_eq(rig_stats().held, 50 - expected);
}
END_TEST

START_TEST(only_what_takes_room_is_evicted)
{
	u16 id = rig_grant(1, 3, 1);

	rig_settle();
	/* 2 has failed, 3 waits, 4 is not written yet. */
	rig_grant(2, 3, 2);
	rig.fail = 1;
	rig_settle();
	rig_refuse(3, 3, 2, -EBUSY);
	rig_grant(4, 3, 4);
	ck_assert_uint_eq(arfs_table_evict(rig.table, 10), 1);
	ck_assert_uint_eq(arfs_table_evict(rig.table, 10), 0);
	rig_settle();
	rig_expect_none(1);
	ck_assert(rig.flows[4].present);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_EVICTED), 1);
	/* It may ask again. */
	ck_assert_uint_ne(rig_grant(1, 3, 1), id);
	rig_settle();
	ck_assert(rig.flows[1].present);
}
END_TEST

START_TEST(a_filter_under_way_is_not_evicted_and_not_counted)
{
	rig.later = true;
	rig_grant(1, 3, 1);
	rig_settle();
	ck_assert_uint_eq(arfs_table_evict(rig.table, 1), 0);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert_uint_eq(arfs_table_evict(rig.table, 1), 1);
	rig_settle();
	ck_assert_uint_eq(arfs_table_evict(rig.table, 1), 0);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_none(1);
}
END_TEST

START_TEST(an_evicted_owner_passes_its_slot_on)
{
	u16 id = rig_grant(1, 3, 7);

	rig_refuse(2, 3, 7, -EBUSY);
	rig_settle();
	ck_assert_uint_eq(arfs_table_evict(rig.table, 1), 1);
	rig_settle();
	rig_expect_none(1);
	rig_expect(2, 3, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_PASSED), 1);
}
END_TEST

static void add_queues(TCase *tcase)
{
	tcase_add_test(tcase, filters_of_queues_that_go_are_deleted_and_the_others_stay);
	tcase_add_test(tcase, requests_for_queues_that_are_gone_are_refused);
	tcase_add_test(tcase, queues_that_come_are_served);
	tcase_add_test(tcase, a_flow_whose_queue_went_away_may_ask_for_one_that_is_left);
	tcase_add_loop_test(tcase, lines_for_queues_that_go_are_broken_up, 0, 2);
	tcase_add_test(tcase, an_heir_on_a_queue_that_stays_is_served);
	tcase_add_test(tcase, a_filter_on_its_way_to_a_queue_that_goes_is_not_forgotten);
	tcase_add_test(tcase, a_filter_on_its_way_from_a_queue_that_goes_is_awaited);
	tcase_add_test(tcase, a_damped_move_from_a_queue_that_goes_is_awaited);
	tcase_add_loop_test(tcase, a_filter_in_doubt_may_be_anywhere, 0, 2);
	tcase_add_test(tcase, a_deletion_that_fails_keeps_the_queue_from_being_clear);
	tcase_add_test(tcase, a_barred_tuple_is_barred_whatever_the_queues);
}

static void add_room(TCase *tcase)
{
	tcase_add_loop_test(tcase, as_many_filters_as_wanted_are_evicted, 0, 7);
	tcase_add_test(tcase, only_what_takes_room_is_evicted);
	tcase_add_test(tcase, a_filter_under_way_is_not_evicted_and_not_counted);
	tcase_add_test(tcase, an_evicted_owner_passes_its_slot_on);
}

int main(void)
{
	Suite *suite = suite_create("table: queues and room");
	TCase *queues = tcase_create("queues");
	TCase *room = tcase_create("room");

	tcase_add_checked_fixture(queues, begin, rig_end);
	add_queues(queues);
	suite_add_tcase(suite, queues);

	tcase_add_checked_fixture(room, begin, rig_end);
	add_room(room);
	suite_add_tcase(suite, room);
	return unit_run(suite);
}
