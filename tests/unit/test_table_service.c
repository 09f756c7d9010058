// SPDX-License-Identifier: GPL-2.0-only
/* The table: hardware writes, failures and retries, expiry, replay, and what the service costs. */
#include <errno.h>

#include "arfs_policy.h"
#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

/* Requests that arrive while a write is in flight; each once. */
static struct {
	enum arfs_write at;
	u32 flow, flow_id;
	u16 rxq;
	int answer;
	bool done;
} meanwhile;

static void steer_meanwhile(enum arfs_write write, u32 flow)
{
	(void)flow;
	if (meanwhile.done || write != meanwhile.at)
		return;
	meanwhile.done = true;
	meanwhile.answer = rig_steer(meanwhile.flow, meanwhile.rxq, meanwhile.flow_id);
}

static void during(enum arfs_write at, u32 flow, u16 rxq, u32 flow_id)
{
	meanwhile.at = at;
	meanwhile.flow = flow;
	meanwhile.rxq = rxq;
	meanwhile.flow_id = flow_id;
	meanwhile.done = false;
	rig.during = steer_meanwhile;
}

START_TEST(a_move_during_the_first_write_is_written_after_it)
{
	u16 id = rig_grant(1, 3, 7);

	during(ARFS_WRITE_ADD, 1, 4, 7);
	rig_settle();
	ck_assert_int_eq(meanwhile.answer, id);
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig.flows[1].adds, 1);
	ck_assert_uint_eq(rig.flows[1].moves, 1);
}
END_TEST

START_TEST(a_move_during_a_move_is_written_after_it)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig_grant(1, 4, 7);
	during(ARFS_WRITE_MOVE, 1, 5, 7);
	rig_settle();
	ck_assert_int_eq(meanwhile.answer, id);
	rig_expect(1, 5, id);
	ck_assert_uint_eq(rig.flows[1].moves, 2);
}
END_TEST

START_TEST(a_flow_that_is_displaced_during_its_first_write_is_deleted_after_it)
{
	rig_grant(2, 4, 7);
	rig_settle();
	rig_grant(1, 3, 7);
	during(ARFS_WRITE_ADD, 1, 4, 7);
	rig_settle();
	ck_assert_int_eq(meanwhile.answer, -EBUSY);
	rig_expect_none(1);
	ck_assert_uint_eq(rig.flows[1].adds, 1);
	ck_assert_uint_eq(rig.flows[1].deletes, 1);
}
END_TEST

START_TEST(a_flow_that_is_wanted_again_while_it_is_deleted_is_added_again)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig.idle[id] = true;
	during(ARFS_WRITE_DELETE, 1, 4, 7);
	rig_pass(ARFS_GRACE_MS + 1000);
	ck_assert(meanwhile.done);
	ck_assert_int_ge(meanwhile.answer, 0);
	rig_expect(1, 4, meanwhile.answer);
	ck_assert_uint_eq(rig.flows[1].adds, 2);
	ck_assert_uint_eq(rig.flows[1].deletes, 1);
}
END_TEST

START_TEST(a_new_flow_in_the_slot_of_one_being_deleted_is_served)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig.idle[id] = true;
	during(ARFS_WRITE_DELETE, 2, 3, 7);
	rig_pass(ARFS_GRACE_MS + 1000);
	ck_assert_int_ge(meanwhile.answer, 0);
	rig_expect_none(1);
	rig_expect(2, 3, meanwhile.answer);
}
END_TEST

START_TEST(a_service_with_nothing_to_do_writes_nothing)
{
	rig_grant(1, 3, 7);
	rig_settle();
	rig_settle();
	rig_pass(60000);
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(the_table_kicks_for_new_work_and_for_nothing_else)
{
	u32 kicks;

	rig_grant(1, 3, 7);
	ck_assert_uint_ge(rig.kicks, 1);
	rig_settle();
	kicks = rig.kicks;
	rig_grant(1, 3, 7);
	rig_refuse(2, 3, 7, -EBUSY);
	rig_refuse(2, 3, 7, -EBUSY);
	ck_assert_uint_eq(rig.kicks, kicks);
	rig_grant(1, 4, 7);
	ck_assert_uint_gt(rig.kicks, kicks);
}
END_TEST

START_TEST(an_empty_table_asks_for_no_service)
{
	u16 id;

	ck_assert_uint_eq(rig_service(), ARFS_SERVICE_IDLE);
	id = rig_grant(1, 3, 7);
	ck_assert_uint_lt(rig_service(), ARFS_SERVICE_IDLE);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_service(), ARFS_SERVICE_IDLE);
}
END_TEST

START_TEST(a_write_that_fails_some_times_is_repeated_with_growing_delays)
{
	u32 failures, delay;
	u16 id = rig_grant(1, 3, 7);

	rig.fail = _i;
	rig_settle();
	for (failures = 1; failures <= (u32)_i; failures++) {
		ck_assert_uint_eq(rig.attempts, failures);
		rig_refuse(1, 3, 7, -EIO);
		delay = arfs_delay_ms(arfs_retry_level(failures));
		rig.now += delay - 1;
		rig_settle();
		ck_assert_uint_eq(rig.attempts, failures);
		ck_assert_uint_eq(rig_service(), 1);
		rig.now++;
		rig_settle();
	}
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_grant(1, 3, 7), id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), _i);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_RETRIED), _i);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ADDED), 1);
}
END_TEST

START_TEST(a_flow_whose_writes_keep_failing_is_given_up_and_may_ask_anew)
{
	u16 id;

	rig_grant(1, 3, 7);
	rig.fail = 1000000;
	rig_pass(60000);
	ck_assert_uint_eq(rig.attempts, ARFS_MAX_FAILURES);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), ARFS_MAX_FAILURES);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ABANDONED), 1);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_ids_held(), 0);
	rig.fail = 0;
	id = rig_grant(1, 3, 7);
	rig_settle();
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(a_failed_move_leaves_the_old_filter_and_is_repeated)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig_grant(1, 4, 7);
	rig.fail = 3;
	rig_settle();
	rig_expect(1, 3, id);
	rig_refuse(1, 4, 7, -EIO);
	rig_pass(1000);
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig.flows[1].adds, 1);
	ck_assert_uint_eq(rig.flows[1].deletes, 0);
}
END_TEST

START_TEST(a_move_that_keeps_failing_ends_with_the_old_filter_deleted)
{
	rig_grant(1, 3, 7);
	rig_settle();
	rig_grant(1, 4, 7);
	rig.fail = 1000000;
	rig.fail_only = ARFS_WRITE_MOVE;
	rig_pass(60000);
	rig_expect_none(1);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ABANDONED), 1);
}
END_TEST

START_TEST(a_deletion_is_never_given_up)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig.idle[id] = true;
	rig.fail = 40;
	rig_pass(ARFS_GRACE_MS + 1000);
	ck_assert(rig.flows[1].present);
	rig_pass(300000);
	rig_expect_none(1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), 40);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ABANDONED), 0);
	ck_assert_uint_eq(rig_stats().flows, 0);
}
END_TEST

START_TEST(a_failing_flow_asks_the_hardware_no_oftener_for_being_asked)
{
	u32 i;

	rig_grant(1, 3, 7);
	rig.fail = 1000000;
	for (i = 0; i < 1000; i++) {
		rig_steer(1, 3, 7);
		rig_settle();
	}
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(a_move_back_during_a_failing_move_is_granted_again)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig_grant(1, 4, 7);
	during(ARFS_WRITE_MOVE, 1, 3, 7);
	rig.fail = 1;
	rig_settle();
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_grant(1, 3, 7), id);
}
END_TEST

START_TEST(a_new_wish_does_not_wait_for_the_retry_of_an_old_one)
{
	u32 failures;
	u16 id = rig_grant(1, 3, 7);

	/* Eight failures: the next retry is due in 1,280 ms. */
	rig.fail = 8;
	rig_settle();
	for (failures = 1; failures < 8; failures++) {
		rig.now += arfs_delay_ms(arfs_retry_level(failures));
		rig_settle();
	}
	ck_assert_uint_eq(rig.attempts, 8);
	ck_assert_uint_eq(rig_grant(1, 4, 7), id);
	rig.fail = 1;
	rig_settle();
	ck_assert_uint_eq(rig.attempts, 9);
	rig_expect_none(1);
	rig_pass(ARFS_RETRY_MIN_MS);
	rig_expect(1, 4, id);
}
END_TEST

START_TEST(one_failing_flow_does_not_hold_up_the_others)
{
	u32 flow;

	rig_grant(1, 3, 7);
	rig.fail = 1;
	rig_settle();
	for (flow = 10; flow < 20; flow++)
		rig_grant(flow, 4, flow);
	rig_settle();
	for (flow = 10; flow < 20; flow++)
		ck_assert(rig.flows[flow].present);
}
END_TEST

START_TEST(an_idle_filter_is_deleted_after_the_grace_time)
{
	u16 id = rig_grant(1, 3, 7), busy = rig_grant(2, 3, 8);

	rig_settle();
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS - 1000);
	rig_expect(1, 3, id);
	rig_pass(2000);
	rig_expect_none(1);
	rig_expect(2, 3, busy);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_EXPIRED), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DELETED), 1);
}
END_TEST

START_TEST(a_filter_that_the_core_believes_in_is_never_deleted)
{
	u16 id = rig_grant(1, 3, 7);

	rig_pass(1000000);
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig.attempts, 1);
	ck_assert_uint_gt(rig.looks, 100);
}
END_TEST

START_TEST(a_filter_that_comes_back_to_life_within_the_grace_time_stays)
{
	u16 id = rig_grant(1, 3, 7);
	u32 round;

	for (round = 0; round < 10; round++) {
		rig.idle[id] = true;
		rig_pass(ARFS_GRACE_MS - 1000);
		rig.idle[id] = false;
		rig_pass(2000);
	}
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(an_expired_flow_may_ask_anew)
{
	u16 id = rig_grant(1, 3, 7), again;

	rig_settle();
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000);
	again = rig_grant(1, 3, 7);
	ck_assert_uint_ne(again, id);
	rig_settle();
	rig_expect(1, 3, again);
}
END_TEST

START_TEST(in_a_full_table_idle_filters_go_at_the_next_look)
{
	u16 ids[LIMIT];
	u32 flow;

	for (flow = 0; flow < LIMIT; flow++)
		ids[flow] = rig_grant(flow, 0, flow);
	rig_settle();
	rig_refuse(LIMIT, 0, LIMIT, -ENOSPC);
	for (flow = 0; flow < 10; flow++)
		rig.idle[ids[flow]] = true;
	rig_pass(600);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_EXPIRED), 10);
	rig_grant(LIMIT, 0, LIMIT);
}
END_TEST

START_TEST(expiry_and_retries_work_while_the_clock_wraps)
{
	u16 id;

	rig.now = 0U - ARFS_GRACE_MS / 2;
	id = rig_grant(1, 3, 7);
	rig_settle();
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS - 1000);
	ck_assert(rig.flows[1].present);
	rig_pass(2000);
	rig_expect_none(1);

	rig.now = 0U - 30;
	id = rig_grant(2, 3, 7);
	rig.fail = 4;
	rig_settle();
	rig_pass(1000);
	rig_expect(2, 3, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_RETRIED), 4);
}
END_TEST

START_TEST(after_a_reset_each_wanted_filter_is_written_once)
{
	u16 ids[100];
	u32 flow;

	for (flow = 0; flow < 100; flow++)
		ids[flow] = rig_grant(flow, flow % 4, flow);
	rig_refuse(200, 0, 0, -EBUSY);
	rig_settle();
	rig_forget();
	rig.attempts = 0;
	arfs_table_replay(rig.table);
	rig_settle();
	ck_assert_uint_eq(rig.attempts, 100);
	for (flow = 0; flow < 100; flow++) {
		rig_expect(flow, flow % 4, ids[flow]);
		ck_assert_uint_eq(rig.flows[flow].adds, 2);
		ck_assert_uint_eq(rig_grant(flow, flow % 4, flow), ids[flow]);
	}
	rig_expect_none(200);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DELETED), 0);
}
END_TEST

START_TEST(a_reset_forgets_failures_and_what_was_to_be_deleted)
{
	u16 failed = rig_grant(1, 3, 7);

	rig.fail = 5;
	rig_settle();
	rig.fail = 0;
	rig_grant(2, 4, 8);
	rig_settle();
	rig_grant(3, 5, 9);
	rig_settle();
	rig_refuse(3, 4, 8, -EBUSY);
	rig_refuse(1, 3, 7, -EIO);
	rig_forget();
	rig.attempts = 0;
	arfs_table_replay(rig.table);
	ck_assert_uint_eq(rig_grant(1, 3, 7), failed);
	rig_settle();
	ck_assert_uint_eq(rig.attempts, 2);
	rig_expect(1, 3, failed);
	rig_expect_none(3);
	rig_pass(1000);
	ck_assert_uint_eq(rig.attempts, 2);
}
END_TEST

START_TEST(a_move_that_was_due_when_the_device_was_reset_is_one_add)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig_grant(1, 4, 7);
	rig_forget();
	arfs_table_replay(rig.table);
	rig_settle();
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig.attempts, 2);
}
END_TEST

static void add_writes(TCase *tcase)
{
	tcase_add_test(tcase, a_move_during_the_first_write_is_written_after_it);
	tcase_add_test(tcase, a_move_during_a_move_is_written_after_it);
	tcase_add_test(tcase, a_flow_that_is_displaced_during_its_first_write_is_deleted_after_it);
	tcase_add_test(tcase, a_flow_that_is_wanted_again_while_it_is_deleted_is_added_again);
	tcase_add_test(tcase, a_new_flow_in_the_slot_of_one_being_deleted_is_served);
	tcase_add_test(tcase, a_service_with_nothing_to_do_writes_nothing);
	tcase_add_test(tcase, the_table_kicks_for_new_work_and_for_nothing_else);
	tcase_add_test(tcase, an_empty_table_asks_for_no_service);
	tcase_add_test(tcase, after_a_reset_each_wanted_filter_is_written_once);
	tcase_add_test(tcase, a_reset_forgets_failures_and_what_was_to_be_deleted);
	tcase_add_test(tcase, a_move_that_was_due_when_the_device_was_reset_is_one_add);
}

static void add_failures(TCase *tcase)
{
	tcase_add_loop_test(tcase, a_write_that_fails_some_times_is_repeated_with_growing_delays, 0,
			    ARFS_MAX_FAILURES);
	tcase_add_test(tcase, a_flow_whose_writes_keep_failing_is_given_up_and_may_ask_anew);
	tcase_add_test(tcase, a_failed_move_leaves_the_old_filter_and_is_repeated);
	tcase_add_test(tcase, a_move_that_keeps_failing_ends_with_the_old_filter_deleted);
	tcase_add_test(tcase, a_deletion_is_never_given_up);
	tcase_add_test(tcase, a_failing_flow_asks_the_hardware_no_oftener_for_being_asked);
	tcase_add_test(tcase, a_move_back_during_a_failing_move_is_granted_again);
	tcase_add_test(tcase, a_new_wish_does_not_wait_for_the_retry_of_an_old_one);
	tcase_add_test(tcase, one_failing_flow_does_not_hold_up_the_others);
}

static void add_expiry(TCase *tcase)
{
	tcase_add_test(tcase, an_idle_filter_is_deleted_after_the_grace_time);
	tcase_add_test(tcase, a_filter_that_the_core_believes_in_is_never_deleted);
	tcase_add_test(tcase, a_filter_that_comes_back_to_life_within_the_grace_time_stays);
	tcase_add_test(tcase, an_expired_flow_may_ask_anew);
	tcase_add_test(tcase, in_a_full_table_idle_filters_go_at_the_next_look);
	tcase_add_test(tcase, expiry_and_retries_work_while_the_clock_wraps);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*add)(TCase *tcase);
	} cases[] = {
		{ "writes", add_writes },
		{ "failures", add_failures },
		{ "expiry", add_expiry },
	};
	Suite *suite = suite_create("table: service");
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_add_checked_fixture(tcase, begin, rig_end);
		cases[i].add(tcase);
		suite_add_tcase(suite, tcase);
	}
	return unit_run(suite);
}
