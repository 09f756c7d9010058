// SPDX-License-Identifier: GPL-2.0-only
/* The table: a write is done when the device says so. */
#include <errno.h>

#include "arfs_internal.h"
#include "rig.h"

#define LIMIT	2000

static void begin(void)
{
	rig_begin(LIMIT);
	rig.later = true;
}

START_TEST(a_filter_is_being_added_until_the_device_reports_it)
{
	u16 id = rig_grant(1, 3, 7);
	u32 kicks;

	rig_settle();
	rig_expect_state(1, ARFS_ADDING);
	rig_pass(ARFS_REPORT_MS - 1);
	rig_expect_state(1, ARFS_ADDING);
	ck_assert_uint_eq(rig_grant(1, 3, 7), id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ADDED), 0);
	kicks = rig.kicks;
	rig_report(1, ARFS_REPORT_DONE);
	ck_assert_uint_gt(rig.kicks, kicks);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ADDED), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNREPORTED), 0);
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(a_report_that_came_while_its_write_was_posted_is_not_lost)
{
	rig_grant(1, 3, 7);
	rig_service();
	/* Its time is over at the moment of this service, but the report is there. */
	rig_report(1, ARFS_REPORT_DONE);
	rig.now += ARFS_REPORT_MS;
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNREPORTED), 0);
}
END_TEST

START_TEST(a_move_waits_for_the_report_of_the_add)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	ck_assert_uint_eq(rig_grant(1, 4, 7), id);
	rig_settle();
	ck_assert_uint_eq(rig.attempts, 1);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_MOVING);
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), 0);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), 1);
	ck_assert_uint_eq(rig.attempts, 2);
}
END_TEST

START_TEST(a_move_and_back_before_the_report_costs_no_write)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	rig_grant(1, 4, 7);
	rig_settle();
	rig_grant(1, 3, 7);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(a_filter_is_live_from_the_first_write_to_the_report_of_its_deletion)
{
	/* By number: UDP and TCP over IPv4 are 4 and 2, TCP and UDP over IPv6 are 1 and 3. */
	static const struct {
		u32 flow;
		enum arfs_protocol protocol;
	} flows[] = { { 4, ARFS_UDP4 }, { 2, ARFS_TCP4 }, { 1, ARFS_TCP6 }, { 3, ARFS_UDP6 } };
	u32 flow = flows[_i].flow, i;
	u16 id = rig_grant(flow, 3, 7);

	ck_assert_uint_eq(arfs_table_live(rig.table, flows[_i].protocol), 0);
	/* Not written, but Flow Director may not change what it matches any more. */
	ck_assert_uint_eq(arfs_table_used(rig.table, flows[_i].protocol), 1);
	rig_settle();
	for (i = 0; i < ARFS_PROTOCOLS; i++)
		ck_assert_uint_eq(arfs_table_live(rig.table, i), i == flows[_i].protocol);
	rig_report(flow, ARFS_REPORT_DONE);
	rig_settle();
	for (i = 0; i < ARFS_PROTOCOLS; i++)
		ck_assert_uint_eq(arfs_table_live(rig.table, i), i == flows[_i].protocol);
	rig_grant(flow, 4, 7);
	rig_settle();
	ck_assert_uint_eq(arfs_table_live(rig.table, flows[_i].protocol), 1);
	rig_report(flow, ARFS_REPORT_DONE);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000 - 250);
	rig_expect_state(flow, ARFS_DELETING);
	ck_assert_uint_eq(arfs_table_live(rig.table, flows[_i].protocol), 1);
	rig_report(flow, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert_uint_eq(arfs_table_live(rig.table, flows[_i].protocol), 0);
	ck_assert_uint_eq(arfs_table_used(rig.table, flows[_i].protocol), 0);
	ck_assert_uint_eq(rig_stats().flows, 0);
}
END_TEST

START_TEST(a_deletion_that_finds_nothing_each_time_counts_as_one)
{
	u16 id = rig_settled(1, 3, 7);
	u32 absence;

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	for (absence = 1; absence < ARFS_ABSENCES; absence++) {
		rig_expect_state(1, ARFS_DELETING);
		rig_report(1, ARFS_REPORT_ABSENT);
		rig_settle();
		rig_expect_state(1, ARFS_FAILED);
		rig_pass(arfs_delay_ms(arfs_retry_level(absence)));
	}
	rig_report(1, ARFS_REPORT_ABSENT);
	rig_settle();
	ck_assert_uint_eq(rig_stats().flows, 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DELETED), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), ARFS_ABSENCES - 1);
}
END_TEST

START_TEST(a_deletion_that_the_device_refuses_at_first_is_repeated_until_it_is_done)
{
	u16 id = rig_settled(1, 3, 7);
	u32 round;

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	/* Something else in between: not the same answer each time. */
	for (round = 1; round < 2 * ARFS_ABSENCES; round++) {
		rig_report(1, round % ARFS_ABSENCES ? ARFS_REPORT_ABSENT : ARFS_REPORT_REFUSED);
		rig_settle();
		rig_expect_state(1, ARFS_FAILED);
		rig_expect(1, 3, id);
		rig_pass(arfs_delay_ms(arfs_retry_level(round)));
		rig_expect_state(1, ARFS_DELETING);
	}
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	ck_assert_uint_eq(rig_stats().flows, 0);
	rig_expect_none(1);
}
END_TEST

START_TEST(absences_of_one_filter_are_not_those_of_the_next)
{
	u16 id = rig_settled(1, 3, 7);
	u32 absence;

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	for (absence = 1; absence < ARFS_ABSENCES; absence++) {
		rig_report(1, ARFS_REPORT_ABSENT);
		rig_settle();
		if (absence < ARFS_ABSENCES - 1)
			rig_pass(arfs_delay_ms(arfs_retry_level(absence)));
	}
	/* Wanted again, written again, and idle again. */
	id = rig_grant(1, 4, 7);
	rig_pass(arfs_delay_ms(arfs_retry_level(absence)));
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 4, id);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 500);
	rig_expect_state(1, ARFS_DELETING);
	rig_report(1, ARFS_REPORT_ABSENT);
	rig_settle();
	rig_expect_state(1, ARFS_FAILED);
	rig_pass(ARFS_RETRY_MIN_MS);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_none(1);
}
END_TEST

START_TEST(an_add_of_which_the_device_says_absent_has_failed)
{
	rig_grant(1, 3, 7);
	rig_settle();
	rig_report(1, ARFS_REPORT_ABSENT);
	rig_settle();
	rig_expect_state(1, ARFS_FAILED);
	rig_refuse(1, 3, 7, -EIO);
	rig_pass(ARFS_RETRY_MIN_MS);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
}
END_TEST

START_TEST(a_filter_that_is_refused_some_times_is_tried_again_with_growing_delays)
{
	u32 failures;
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	for (failures = 1; failures <= (u32)_i; failures++) {
		ck_assert_uint_eq(rig.attempts, failures);
		rig_report(1, ARFS_REPORT_REFUSED);
		rig_settle();
		rig_expect_state(1, ARFS_FAILED);
		rig_refuse(1, 3, 7, -EIO);
		rig_pass(arfs_delay_ms(arfs_retry_level(failures)) - 1);
		ck_assert_uint_eq(rig.attempts, failures);
		rig_pass(1);
	}
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_grant(1, 3, 7), id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), _i);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_RETRIED), _i);
}
END_TEST

START_TEST(a_filter_that_is_always_refused_is_given_up)
{
	u32 refusals;

	rig_settled(9, 5, 5);
	rig_grant(1, 3, 7);
	rig_settle();
	for (refusals = 0; rig.flows[1].posted && refusals < 100; refusals++) {
		rig_report(1, ARFS_REPORT_REFUSED);
		rig_pass(arfs_delay_ms(arfs_retry_level(refusals + 1)));
	}
	ck_assert_uint_eq(refusals, ARFS_MAX_FAILURES);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ABANDONED), 1);
	rig_expect_state(1, ARFS_STATES);
	rig_expect_state(9, ARFS_ACTIVE);
}
END_TEST

START_TEST(reports_of_many_flows_in_any_order_find_theirs)
{
	u64 random = 5;
	u32 flow, left = 50;

	shim_hash_collide(_i);
	for (flow = 1; flow <= 50; flow++)
		rig_grant(flow, flow % 4, flow);
	rig_settle();
	ck_assert_uint_eq(rig.attempts, 50);
	while (left) {
		flow = 1 + unit_random(&random) % 50;
		if (!rig.flows[flow].posted)
			continue;
		rig_report(flow, flow % 5 ? ARFS_REPORT_DONE : ARFS_REPORT_REFUSED);
		left--;
		if (unit_random(&random) % 4 == 0)
			rig_settle();
	}
	rig_settle();
	for (flow = 1; flow <= 50; flow++)
		rig_expect_state(flow, flow % 5 ? ARFS_ACTIVE : ARFS_FAILED);
}
END_TEST

START_TEST(a_report_of_an_earlier_write_means_nothing_to_a_later_one)
{
	u32 first;

	rig_settled(9, 5, 5);
	rig_grant(1, 3, 7);
	rig_settle();
	first = rig.flows[1].tag;
	rig_pass(ARFS_REPORT_MS + ARFS_RETRY_MIN_MS);
	ck_assert_uint_eq(rig.attempts, 3);
	ck_assert_uint_ne(rig.flows[1].tag, first);
	ck_assert(arfs_table_report(rig.table, first, _i));
	rig_settle();
	rig_expect_state(1, ARFS_MOVING);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	ck_assert(arfs_table_report(rig.table, first, _i));
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	ck_assert_uint_eq(rig.attempts, 3);
}
END_TEST

/* A report that comes again, at once or later, whatever it says then. */
START_TEST(a_report_counts_once)
{
	u32 tag;

	rig_grant(1, 3, 7);
	rig_settle();
	tag = rig.flows[1].tag;
	rig_report(1, ARFS_REPORT_DONE);
	ck_assert(arfs_table_report(rig.table, tag, _i));
	rig_settle();
	ck_assert(arfs_table_report(rig.table, tag, _i));
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ADDED), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), 0);
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(reports_of_writes_that_nobody_knows_are_ignored)
{
	u32 tag, i;
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	tag = rig.flows[1].tag;
	ck_assert_uint_eq(tag & 0xffff, id);
	for (i = 0; i < 200; i++) {
		/* Another number, another id, no id, and the one of a rule of the user. */
		const u32 tags[] = {
			tag + 0x10000 * (i + 1), tag + i + 1, i << 16 | ARFS_NO_ID, i
		};

		if (tags[i % 4] != tag)
			ck_assert(arfs_table_report(rig.table, tags[i % 4], i % 3 ?
						    ARFS_REPORT_DONE : ARFS_REPORT_REFUSED));
	}
	rig_settle();
	rig_expect_state(1, ARFS_ADDING);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	rig_expect_state(1, ARFS_ACTIVE);
}
END_TEST

START_TEST(the_reports_of_many_rounds_fit_the_ring)
{
	u32 round;

	rig_grant(1, 3, 7);
	rig_service();
	for (round = 0; round < 3 * ARFS_REPORTS; round++) {
		rig_report(1, ARFS_REPORT_DONE);
		rig_grant(1, round % 2 ? 3 : 4, 7);
		rig_service();
		rig_service();
	}
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNREPORTED), 0);
	ck_assert_uint_eq(rig.attempts, 1 + 3 * ARFS_REPORTS);
	rig_check();
}
END_TEST

START_TEST(a_ring_without_room_says_so_and_the_writes_are_repeated)
{
	u32 flow, more = 10;

	for (flow = 0; flow < ARFS_REPORTS + more; flow++)
		rig_grant(flow, flow % 16, flow);
	rig_settle();
	ck_assert_uint_eq(rig_report_all(ARFS_REPORTS), ARFS_REPORTS);
	for (; flow > ARFS_REPORTS; flow--) {
		ck_assert(!arfs_table_report(rig.table, rig.flows[flow - 1].tag,
					     ARFS_REPORT_DONE));
		rig_lose(flow - 1, true);
	}
	rig_settle();
	for (flow = 0; flow < ARFS_REPORTS + more; flow++)
		rig_expect_state(flow, flow < ARFS_REPORTS ? ARFS_ACTIVE : ARFS_ADDING);
	rig_pass(ARFS_REPORT_MS + ARFS_RETRY_MIN_MS);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNREPORTED), more);
	ck_assert_uint_eq(rig_report_all(RIG_FLOWS), more);
	rig_settle();
	ck_assert_uint_eq(rig_live(), ARFS_REPORTS + more);
	rig_check_quiet();
}
END_TEST

static void add_reports(TCase *tcase)
{
	tcase_add_test(tcase, a_filter_is_being_added_until_the_device_reports_it);
	tcase_add_test(tcase, a_report_that_came_while_its_write_was_posted_is_not_lost);
	tcase_add_test(tcase, a_move_waits_for_the_report_of_the_add);
	tcase_add_test(tcase, a_move_and_back_before_the_report_costs_no_write);
	tcase_add_loop_test(tcase,
			    a_filter_is_live_from_the_first_write_to_the_report_of_its_deletion, 0,
			    4);
	tcase_add_test(tcase, a_deletion_that_finds_nothing_each_time_counts_as_one);
	tcase_add_test(tcase,
		       a_deletion_that_the_device_refuses_at_first_is_repeated_until_it_is_done);
	tcase_add_test(tcase, absences_of_one_filter_are_not_those_of_the_next);
	tcase_add_test(tcase, an_add_of_which_the_device_says_absent_has_failed);
	tcase_add_loop_test(tcase,
			    a_filter_that_is_refused_some_times_is_tried_again_with_growing_delays,
			    0, ARFS_MAX_FAILURES);
	tcase_add_test(tcase, a_filter_that_is_always_refused_is_given_up);
}

static void add_tags(TCase *tcase)
{
	tcase_add_loop_test(tcase, reports_of_many_flows_in_any_order_find_theirs, 0, 2);
	tcase_add_loop_test(tcase, a_report_of_an_earlier_write_means_nothing_to_a_later_one,
			    ARFS_REPORT_DONE, ARFS_REPORT_REFUSED + 1);
	tcase_add_loop_test(tcase, a_report_counts_once, ARFS_REPORT_DONE,
			    ARFS_REPORT_REFUSED + 1);
	tcase_add_test(tcase, reports_of_writes_that_nobody_knows_are_ignored);
	tcase_add_test(tcase, the_reports_of_many_rounds_fit_the_ring);
	tcase_add_test(tcase, a_ring_without_room_says_so_and_the_writes_are_repeated);
}

int main(void)
{
	Suite *suite = suite_create("table: reports");
	TCase *reports = tcase_create("reports");
	TCase *tags = tcase_create("tags");

	tcase_add_checked_fixture(reports, begin, rig_end);
	add_reports(reports);
	suite_add_tcase(suite, reports);

	tcase_add_checked_fixture(tags, begin, rig_end);
	add_tags(tags);
	suite_add_tcase(suite, tags);
	return unit_run(suite);
}
