// SPDX-License-Identifier: GPL-2.0-only
/* The table: a device that is silent, one that is full, and an end while writes are under way. */
#include <errno.h>

#include "arfs_policy.h"
#include "rig.h"

#define LIMIT	2000

static void begin(void)
{
	rig_begin(LIMIT);
	rig.later = true;
}

START_TEST(after_a_lost_report_of_an_add_the_filter_is_written_again)
{
	u32 ms;
	u16 id;

	rig_settled(9, 5, 5);
	id = rig_grant(1, 3, 7);
	rig_settle();
	rig_lose(1, _i);
	for (ms = 0; ms < ARFS_REPORT_MS; ms += 10) {
		rig_expect_state(1, ARFS_ADDING);
		rig_pass(10);
	}
	rig_expect_state(1, ARFS_FAILED);
	rig_refuse(1, 3, 7, -EIO);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNREPORTED), 1);
	rig_pass(ARFS_RETRY_MIN_MS);
	ck_assert_int_eq(rig.last_write, ARFS_WRITE_MOVE);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_grant(1, 3, 7), id);
	ck_assert_uint_eq(rig.attempts, 3);
}
END_TEST

/* The posted deletion took place, or the device says each time that there is no such filter. */
static void report_deleted(u32 flow, bool done)
{
	u32 failures = rig_count(ARFS_COUNT_FAILED), absence;

	for (absence = 1; !done && absence < ARFS_ABSENCES; absence++) {
		rig_report(flow, ARFS_REPORT_ABSENT);
		rig_settle();
		rig_expect_state(flow, ARFS_FAILED);
		failures++;
		rig_pass(arfs_delay_ms(arfs_retry_level(failures)));
		rig_expect_state(flow, ARFS_DELETING);
	}
	rig_report(flow, done ? ARFS_REPORT_DONE : ARFS_REPORT_ABSENT);
	rig_settle();
}

START_TEST(after_a_lost_report_of_an_add_that_nobody_wants_any_more_it_is_deleted)
{
	struct arfs_flow_key key = rig_key(1);

	rig_settled(9, 5, 5);
	rig_grant(1, 3, 7);
	rig_settle();
	rig_lose(1, _i);
	rig_refuse(1, 5, 5, -EBUSY);
	rig_pass(ARFS_REPORT_MS);
	rig_expect_state(1, ARFS_FAILED);
	ck_assert(arfs_table_has_filter(rig.table, &key));
	rig_pass(ARFS_RETRY_MIN_MS);
	rig_expect_state(1, ARFS_DELETING);
	report_deleted(1, _i);
	rig_expect_state(1, ARFS_IDLE);
	ck_assert(!arfs_table_has_filter(rig.table, &key));
	rig_expect_none(1);
}
END_TEST

START_TEST(after_a_lost_report_of_a_move_the_queue_is_written_again)
{
	u16 id = rig_settled(1, 3, 7);

	rig_grant(1, 4, 7);
	rig_settle();
	rig_lose(1, _i);
	/* Wanted back meanwhile: whether the device has it there nobody knows. */
	rig_grant(1, 3, 7);
	rig_pass(ARFS_REPORT_MS + ARFS_RETRY_MIN_MS);
	rig_expect_state(1, ARFS_MOVING);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(after_a_lost_report_of_a_deletion_it_is_repeated)
{
	u16 id = rig_settled(1, 3, 7);

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	rig_expect_state(1, ARFS_DELETING);
	rig_lose(1, _i);
	rig_pass(ARFS_REPORT_MS + ARFS_RETRY_MIN_MS);
	rig_expect_state(1, ARFS_DELETING);
	ck_assert_uint_eq(rig.attempts, 3);
	report_deleted(1, !_i);
	ck_assert_uint_eq(rig_stats().flows, 0);
	rig_expect_none(1);
}
END_TEST

START_TEST(after_a_lost_report_of_a_deletion_what_is_wanted_again_is_written)
{
	u16 id = rig_settled(1, 3, 7), again;

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	rig_expect_state(1, ARFS_DELETING);
	again = rig_grant(1, 3, 7);
	rig_lose(1, _i);
	rig_pass(ARFS_REPORT_MS + ARFS_RETRY_MIN_MS);
	rig_expect_state(1, ARFS_MOVING);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 3, again);
}
END_TEST

/* Flow 1 has a filter and is to move; the device does that and everything after it in silence. */
static u16 go_silent(void)
{
	u16 id = rig_settled(1, 3, 7);

	rig.silent = true;
	rig_grant(1, 4, 7);
	rig_pass(ARFS_REPORT_MS);
	rig_expect_state(1, ARFS_FAILED);
	return id;
}

START_TEST(a_device_that_goes_silent_is_asked_again_until_its_silence_is_believed)
{
	u16 id = go_silent();
	u32 unreported;

	rig_pass(ARFS_SILENCE_MS - ARFS_REPORT_MS);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), 0);
	rig_pass(2 * ARFS_REPORT_MS);
	rig_expect_state(1, ARFS_ACTIVE);
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), 1);
	/* Each took as long as a report may take. */
	unreported = rig_count(ARFS_COUNT_UNREPORTED);
	ck_assert_uint_le(unreported, ARFS_SILENCE_MS / ARFS_REPORT_MS + 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), unreported - 1);
	ck_assert_uint_eq(rig.attempts, 1 + unreported);
}
END_TEST

START_TEST(a_silent_device_is_believed_to_have_deleted_what_was_to_be_deleted)
{
	u16 id = rig_settled(1, 3, 7);

	rig.silent = true;
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000 + ARFS_REPORT_MS);
	ck_assert_uint_eq(arfs_table_live(rig.table, ARFS_TCP6), 1);
	rig_pass(ARFS_SILENCE_MS + ARFS_REPORT_MS);
	ck_assert_uint_eq(arfs_table_live(rig.table, ARFS_TCP6), 0);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DELETED), 1);
	rig_expect_none(1);
}
END_TEST

START_TEST(one_report_ends_the_belief_in_silence)
{
	go_silent();
	rig_pass(ARFS_SILENCE_MS + ARFS_REPORT_MS);
	rig_expect_state(1, ARFS_ACTIVE);
	rig.silent = false;
	rig_settled(2, 5, 9);
	rig_grant(2, 6, 9);
	rig_settle();
	rig_lose(2, _i);
	rig_pass(ARFS_REPORT_MS);
	rig_expect_state(2, ARFS_FAILED);
}
END_TEST

START_TEST(reports_that_are_lost_now_and_then_are_no_silence)
{
	u32 round;

	rig_settled(1, 3, 7);
	for (round = 0; round < 2 * ARFS_SILENCE_MS / ARFS_REPORT_MS; round++) {
		rig_grant(1, round % 2 ? 3 : 4, 7);
		rig_settle();
		rig_lose(1, _i);
		rig_pass(ARFS_REPORT_MS);
		rig_expect_state(1, ARFS_FAILED);
		rig_pass(ARFS_RETRY_MIN_MS);
		rig_report(1, ARFS_REPORT_DONE);
		rig_settle();
		rig_expect_state(1, ARFS_ACTIVE);
	}
}
END_TEST

START_TEST(a_device_whose_reports_come_late_is_not_silent)
{
	u32 late, failures;

	rig_settled(1, 3, 7);
	rig_grant(1, 4, 7);
	rig_settle();
	for (failures = 1; failures <= ARFS_SILENCE_MS / ARFS_REPORT_MS + 2; failures++) {
		late = rig.flows[1].tag;
		rig_lose(1, false);
		rig_pass(ARFS_REPORT_MS);
		rig_expect_state(1, ARFS_FAILED);
		rig_pass(arfs_delay_ms(arfs_retry_level(failures)));
		rig_expect_state(1, ARFS_MOVING);
		ck_assert(arfs_table_report(rig.table, late, ARFS_REPORT_REFUSED));
		rig_settle();
	}
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), 0);
}
END_TEST

START_TEST(silence_before_a_reset_says_nothing_of_the_writes_after_it)
{
	go_silent();
	rig_forget();
	/* The service does not run meanwhile. */
	rig.now += ARFS_SILENCE_MS;
	arfs_table_replay(rig.table);
	rig_settle();
	rig_expect_state(1, ARFS_ADDING);
	rig_pass(ARFS_REPORT_MS);
	rig_expect_state(1, ARFS_FAILED);
}
END_TEST

START_TEST(silence_of_a_device_that_never_reports_means_done)
{
	u16 id = rig_grant(1, 3, 7);

	rig.silent = true;
	rig_settle();
	rig_pass(ARFS_REPORT_MS - 1);
	rig_expect_state(1, ARFS_ADDING);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ADDED), 0);
	rig_pass(1);
	rig_expect_state(1, ARFS_ACTIVE);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ADDED), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNREPORTED), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), 0);
	rig_grant(1, 4, 7);
	rig_pass(ARFS_REPORT_MS);
	rig_expect_state(1, ARFS_ACTIVE);
	rig_expect(1, 4, id);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000 + ARFS_REPORT_MS);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig.attempts, 3);
}
END_TEST

/* Flow 1 is in the device, which has no room for flow 2 and as many more as make it count as full. */
static void fill_device(void)
{
	u32 flow;

	rig_settled(1, 3, 7);
	for (flow = 2; flow < 2 + ARFS_FULL_STREAK; flow++)
		rig_grant(flow, 3, 6 + flow);
	rig_settle();
	for (flow = 2; flow < 2 + ARFS_FULL_STREAK; flow++)
		rig_report(flow, ARFS_REPORT_FULL);
	rig_settle();
	rig_expect_state(2, ARFS_FAILED);
}

/* The device has room again and reports what it is asked for. */
static void make_room(void)
{
	u32 i;

	for (i = 0; i < 20; i++) {
		rig_pass(200);
		rig_report_all(200);
		rig_settle();
	}
}

START_TEST(one_failed_add_is_that_of_one_flow)
{
	rig_settled(1, 3, 7);
	rig_grant(2, 3, 8);
	rig_settle();
	rig_report(2, ARFS_REPORT_FULL);
	rig_settle();
	rig_expect_state(2, ARFS_FAILED);
	rig_settled(3, 3, 9);
	make_room();
	rig_expect_state(2, ARFS_ACTIVE);
}
END_TEST

START_TEST(a_full_device_is_not_asked_for_each_new_flow)
{
	u32 attempts, flow;

	fill_device();
	attempts = rig.attempts;
	for (flow = 20; flow < 120; flow++) {
		rig_grant(flow, 3, flow);
		rig_settle();
		rig_refuse(flow, 3, flow, -EIO);
		rig_refuse(2, 3, 8, -EIO);
		rig_pass(5);
	}
	ck_assert_uint_eq(rig.attempts, attempts);
	ck_assert_uint_eq(rig_stats().flows, 1 + ARFS_FULL_STREAK + 100);
}
END_TEST

START_TEST(a_second_after_it_was_full_the_device_is_asked_again)
{
	u32 attempts, flow;

	fill_device();
	attempts = rig.attempts;
	rig_grant(20, 3, 20);
	rig_pass(ARFS_FULL_MS - 1);
	ck_assert_uint_eq(rig.attempts, attempts);
	make_room();
	ck_assert_uint_gt(rig.attempts, attempts);
	for (flow = 1; flow < 2 + ARFS_FULL_STREAK; flow++)
		rig_expect_state(flow, ARFS_ACTIVE);
	rig_expect_state(20, ARFS_ACTIVE);
	rig_check_quiet();
}
END_TEST

START_TEST(what_was_granted_before_the_device_was_full_waits_and_is_refused_meanwhile)
{
	u32 attempts, flow;

	rig_settled(1, 3, 7);
	for (flow = 2; flow < 2 + ARFS_FULL_STREAK; flow++)
		rig_grant(flow, 3, 6 + flow);
	rig_settle();
	attempts = rig.attempts;
	for (flow = 2; flow < 2 + ARFS_FULL_STREAK; flow++)
		rig_report(flow, ARFS_REPORT_FULL);
	rig_grant(30, 3, 30);
	rig_settle();
	ck_assert_uint_eq(rig.attempts, attempts);
	rig_expect_state(30, ARFS_PENDING);
	rig_refuse(30, 3, 30, -EIO);
	make_room();
	rig_expect_state(30, ARFS_ACTIVE);
	rig_grant(30, 3, 30);
}
END_TEST

START_TEST(a_full_device_still_moves_and_deletes)
{
	u16 id;

	fill_device();
	id = rig_grant(1, 4, 7);
	rig_done(1);
	rig_expect(1, 4, id);
	rig_grant(1, 4, 7);
	/* Flow 2 owns that slot, so flow 1 has to go. */
	rig_refuse(1, 3, 8, -EBUSY);
	rig_settle();
	rig_expect_state(1, ARFS_DELETING);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_none(1);
}
END_TEST

/*
 * One flow of each kind whose write is under way, or was lost, or refused: 1 adding, 2 moving,
 * 3 deleting, 4 in doubt, 5 active, 6 adding though unwanted, 7 failed, 8 pending, 10 waiting.
 */
static void fill_with_one_of_each(void)
{
	u32 flow;
	u16 id;

	for (flow = 2; flow <= 5; flow++)
		rig_settled(flow, 3, flow);
	rig_grant(4, 4, 4);
	rig_settle();
	rig_lose(4, true);
	rig_pass(ARFS_REPORT_MS);
	rig_expect_state(4, ARFS_FAILED);
	rig_grant(1, 3, 1);
	rig_grant(6, 3, 6);
	rig_grant(7, 3, 7);
	rig_grant(2, 4, 2);
	id = rig_grant(9, 3, 9);
	rig_settle();
	rig_report(9, ARFS_REPORT_DONE);
	rig_report(7, ARFS_REPORT_REFUSED);
	rig_refuse(3, 3, 5, -EBUSY);
	rig_refuse(6, 3, 5, -EBUSY);
	rig_settle();
	ck_assert_uint_eq(rig_grant(9, 3, 9), id);
	rig_refuse(10, 3, 5, -EBUSY);
	rig_grant(8, 3, 8);
	rig_expect_state(1, ARFS_ADDING);
	rig_expect_state(2, ARFS_MOVING);
	rig_expect_state(3, ARFS_DELETING);
	rig_expect_state(6, ARFS_ADDING);
	rig_expect_state(7, ARFS_FAILED);
	rig_expect_state(8, ARFS_PENDING);
}

START_TEST(a_flush_deletes_once_each_filter_that_the_device_may_have)
{
	u32 flow, tags[11];

	fill_with_one_of_each();
	for (flow = 0; flow <= 10; flow++)
		tags[flow] = rig.flows[flow].tag;
	arfs_table_close(rig.table);
	rig.attempts = 0;
	arfs_table_flush(rig.table, true);
	/* 1 to 6 and 9. */
	ck_assert_uint_eq(rig.attempts, 7);
	for (flow = 0; flow <= 10; flow++)
		unit_require(rig.flows[flow].posted == ((flow >= 1 && flow <= 6) || flow == 9),
			     "flow %u", flow);
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_ids_held(), 0);

	/* The device does them, and all the reports come too late. */
	for (flow = 0; flow <= 10; flow++)
		ck_assert(arfs_table_report(rig.table, tags[flow], ARFS_REPORT_DONE));
	rig_report_all(11);
	ck_assert_uint_eq(rig_live(), 0);
	arfs_table_open(rig.table);
	rig_grant(1, 3, 1);
	rig_service();
	rig_settle();
	rig_expect_state(1, ARFS_ADDING);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
}
END_TEST

START_TEST(a_flush_repeats_a_deletion_that_could_not_be_posted)
{
	rig_settled(1, 3, 7);
	rig_grant(1, 4, 7);
	rig_settle();
	arfs_table_close(rig.table);
	rig.attempts = 0;
	rig.fail = 2;
	arfs_table_flush(rig.table, true);
	ck_assert_uint_eq(rig.attempts, 3);
	rig_report(1, ARFS_REPORT_DONE);
	rig_expect_none(1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DELETED), 1);
}
END_TEST

START_TEST(a_reset_ends_all_waits_for_reports)
{
	u32 flow, tags[11];

	fill_with_one_of_each();
	for (flow = 0; flow <= 10; flow++)
		tags[flow] = rig.flows[flow].tag;
	rig_forget();
	rig.attempts = 0;
	arfs_table_replay(rig.table);
	for (flow = 0; flow <= 10; flow++)
		ck_assert(arfs_table_report(rig.table, tags[flow], ARFS_REPORT_DONE));
	rig_settle();
	/* 1, 2, 4, 5, 7, 8 and 9 are wanted. */
	ck_assert_uint_eq(rig.attempts, 7);
	for (flow = 0; flow <= 10; flow++)
		ck_assert(arfs_table_report(rig.table, tags[flow], ARFS_REPORT_DONE));
	rig_settle();
	for (flow = 1; flow <= 9; flow++)
		rig_expect_state(flow, flow == 3 || flow == 6 ? ARFS_IDLE : ARFS_ADDING);
	ck_assert_uint_eq(rig_report_all(11), 7);
	rig_pass(ARFS_REPORT_MS + 500);
	ck_assert_uint_eq(rig.attempts, 7);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNREPORTED), 1);
	rig_check_quiet();
}
END_TEST

/* The worker has been stopped by then. */
START_TEST(a_report_to_a_closed_table_kicks_nobody)
{
	u32 kicks;

	rig_grant(1, 3, 7);
	rig_settle();
	arfs_table_close(rig.table);
	kicks = rig.kicks;
	rig_report(1, ARFS_REPORT_DONE);
	ck_assert_uint_eq(rig.kicks, kicks);
}
END_TEST

START_TEST(a_table_that_was_full_when_it_was_flushed_is_not_full_for_ever)
{
	fill_device();
	arfs_table_close(rig.table);
	arfs_table_flush(rig.table, true);
	rig_report_all(3);
	arfs_table_open(rig.table);
	if (rig_steer(3, 3, 9) == -ENOSPC) {
		rig_pass(2 * ARFS_FULL_MS);
		rig_grant(3, 3, 9);
	}
}
END_TEST

START_TEST(a_table_whose_flows_were_all_given_up_is_not_full_for_ever)
{
	u32 flow;

	fill_device();
	for (flow = 1; flow < 2 + ARFS_FULL_STREAK; flow++) {
		struct arfs_flow_key key = rig_key(flow);

		ck_assert_int_eq(arfs_table_bar(rig.table, &key), 0);
		arfs_table_unbar(rig.table, &key);
	}
	rig_settle();
	rig_report_all(200);
	rig_settle();
	ck_assert_uint_eq(rig_stats().flows, 0);
	rig_grant(30, 3, 30);
	make_room();
	rig_expect_state(30, ARFS_ACTIVE);
}
END_TEST

START_TEST(after_a_reset_the_device_has_room)
{
	fill_device();
	rig_forget();
	arfs_table_replay(rig.table);
	rig_grant(3, 3, 9);
	rig_settle();
	ck_assert_uint_eq(rig_report_all(4), 3);
}
END_TEST

/* A retry, a report and ageing all wait for their time, with nothing on the work list. */
START_TEST(what_waited_when_the_table_was_closed_is_seen_to_after_it)
{
	u16 id = rig_settled(2, 3, 8);

	rig_grant(1, 3, 7);
	rig_settle();
	rig_report(1, ARFS_REPORT_REFUSED);
	rig_settle();
	arfs_table_close(rig.table);
	rig_service();
	arfs_table_open(rig.table);
	rig_pass(1000);
	rig_expect_state(1, ARFS_ADDING);
	rig_report(1, ARFS_REPORT_DONE);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	rig_expect_state(2, ARFS_DELETING);
}
END_TEST

/* Both are the first write of their flow, with the same id. */
START_TEST(a_report_of_the_former_owner_of_an_id_means_nothing_to_the_heir)
{
	u32 first;
	u16 id;

	rig_settled(9, 5, 5);
	id = rig_grant(1, 3, 7);
	rig_settle();
	first = rig.flows[1].tag;
	rig_lose(1, true);
	rig_pass(ARFS_REPORT_MS + ARFS_RETRY_MIN_MS);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_refuse(2, 3, 7, -EBUSY);
	rig_grant(1, 4, 7);
	rig_settle();
	rig_report(1, ARFS_REPORT_DONE);
	rig_pass(100);
	rig_expect_state(2, ARFS_ADDING);
	ck_assert_uint_eq(rig.flows[2].posted_target.id, id);
	ck_assert(arfs_table_report(rig.table, first, ARFS_REPORT_DONE));
	rig_settle();
	rig_expect_state(2, ARFS_ADDING);
}
END_TEST

static void add_silence(TCase *tcase)
{
	/* The write took place, or it did not. */
	tcase_add_loop_test(tcase, after_a_lost_report_of_an_add_the_filter_is_written_again, 0, 2);
	tcase_add_loop_test(tcase,
			    after_a_lost_report_of_an_add_that_nobody_wants_any_more_it_is_deleted,
			    0, 2);
	tcase_add_loop_test(tcase, after_a_lost_report_of_a_move_the_queue_is_written_again, 0, 2);
	tcase_add_loop_test(tcase, after_a_lost_report_of_a_deletion_it_is_repeated, 0, 2);
	tcase_add_loop_test(tcase,
			    after_a_lost_report_of_a_deletion_what_is_wanted_again_is_written, 0,
			    2);
	tcase_add_test(tcase,
		       a_device_that_goes_silent_is_asked_again_until_its_silence_is_believed);
	tcase_add_test(tcase,
		       a_silent_device_is_believed_to_have_deleted_what_was_to_be_deleted);
	tcase_add_loop_test(tcase, one_report_ends_the_belief_in_silence, 0, 2);
	tcase_add_loop_test(tcase, reports_that_are_lost_now_and_then_are_no_silence, 0, 2);
	tcase_add_test(tcase, a_device_whose_reports_come_late_is_not_silent);
	tcase_add_test(tcase, silence_before_a_reset_says_nothing_of_the_writes_after_it);
	tcase_add_test(tcase, silence_of_a_device_that_never_reports_means_done);
}

static void add_full(TCase *tcase)
{
	tcase_add_test(tcase, one_failed_add_is_that_of_one_flow);
	tcase_add_test(tcase, a_full_device_is_not_asked_for_each_new_flow);
	tcase_add_test(tcase, a_second_after_it_was_full_the_device_is_asked_again);
	tcase_add_test(tcase,
		       what_was_granted_before_the_device_was_full_waits_and_is_refused_meanwhile);
	tcase_add_test(tcase, a_full_device_still_moves_and_deletes);
	tcase_add_test(tcase, a_table_that_was_full_when_it_was_flushed_is_not_full_for_ever);
	tcase_add_test(tcase, a_table_whose_flows_were_all_given_up_is_not_full_for_ever);
	tcase_add_test(tcase, after_a_reset_the_device_has_room);
}

static void add_ends(TCase *tcase)
{
	tcase_add_test(tcase, a_flush_deletes_once_each_filter_that_the_device_may_have);
	tcase_add_test(tcase, a_flush_repeats_a_deletion_that_could_not_be_posted);
	tcase_add_test(tcase, a_reset_ends_all_waits_for_reports);
	tcase_add_test(tcase, a_report_to_a_closed_table_kicks_nobody);
	tcase_add_test(tcase, what_waited_when_the_table_was_closed_is_seen_to_after_it);
	tcase_add_test(tcase, a_report_of_the_former_owner_of_an_id_means_nothing_to_the_heir);
}

int main(void)
{
	static const struct {
		const char *name;
		void (*add)(TCase *tcase);
	} cases[] = {
		{ "silence", add_silence },
		{ "full", add_full },
		{ "ends", add_ends },
	};
	Suite *suite = suite_create("table: silence");
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tcase = tcase_create(cases[i].name);

		tcase_add_checked_fixture(tcase, begin, rig_end);
		cases[i].add(tcase);
		suite_add_tcase(suite, tcase);
	}
	return unit_run(suite);
}
