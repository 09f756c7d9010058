// SPDX-License-Identifier: GPL-2.0-only
/* The table: moves that its owner does not think worth a write, and what the owner is told. */
#include <errno.h>

#include "arfs_policy.h"
#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

/* Queues 0 to 3 are near each other, 4 to 7 too, and so on. */
static bool near(u16 from, u16 to)
{
	return from / 4 == to / 4;
}

START_TEST(a_move_that_is_not_worth_it_is_refused_and_the_filter_stays)
{
	u16 id = rig_grant(1, 0, 7);
	u32 i;

	rig.stays = near;
	rig_settle();
	for (i = 0; i < 50; i++)
		rig_refuse(1, 1 + i % 3, 7, -EBUSY);
	rig_settle();
	rig_expect(1, 0, id);
	ck_assert_uint_eq(rig.attempts, 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_STAYED), 50);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_BUSY), 0);
	ck_assert_uint_eq(rig_grant(1, 0, 7), id);
	ck_assert_uint_eq(rig_stats().waiting, 0);
	rig_check_quiet();
}
END_TEST

START_TEST(a_move_that_is_worth_it_is_made)
{
	u16 id = rig_grant(1, 0, 7);

	rig.stays = near;
	rig_settle();
	ck_assert_uint_eq(rig_grant(1, 4, 7), id);
	rig_settle();
	rig_expect(1, 4, id);
	rig_refuse(1, 5, 7, -EBUSY);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_STAYED), 1);
}
END_TEST

START_TEST(a_flow_that_stays_keeps_its_slot_and_who_waits_for_it_waits_on)
{
	u16 id = rig_grant(1, 0, 7);

	rig.stays = near;
	rig_refuse(2, 0, 7, -EBUSY);
	rig_refuse(1, 1, 7, -EBUSY);
	rig_settle();
	rig_expect(1, 0, id);
	rig_expect_none(2);
	ck_assert_uint_eq(rig_stats().waiting, 1);
	/* The slot that it did not get is free. */
	rig_grant(3, 1, 7);
}
END_TEST

START_TEST(another_slot_of_the_same_queue_is_no_move)
{
	u16 id = rig_grant(1, 0, 7);

	rig.stays = near;
	rig_settle();
	ck_assert_uint_eq(rig_grant(1, 0, 8), id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_STAYED), 0);
}
END_TEST

START_TEST(a_flow_without_a_filter_has_nowhere_to_stay)
{
	u16 id;

	rig.stays = near;
	rig_grant(9, 0, 7);
	rig_refuse(1, 0, 7, -EBUSY);
	id = rig_grant(1, 1, 7);
	rig_settle();
	rig_expect(1, 1, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_STAYED), 0);
}
END_TEST

static struct {
	u32 flow;
	struct arfs_target target;
	int error;
} told;

static void remember(enum arfs_notice what, u32 flow, struct arfs_target target, int error)
{
	(void)what;
	told.flow = flow;
	told.target = target;
	told.error = error;
}

static void expect_told(enum arfs_notice what, u32 count, u16 rxq, int error)
{
	ck_assert_uint_eq(rig.notices[what], count);
	ck_assert_uint_eq(told.flow, 1);
	ck_assert_uint_eq(told.target.rxq, rxq);
	ck_assert_int_eq(told.error, error);
}

START_TEST(the_owner_is_told_once_of_each_write_with_its_queue_and_id)
{
	u16 id = rig_grant(1, 3, 7);

	rig.during_notice = remember;
	rig_settle();
	expect_told(ARFS_NOTICE_ADDED, 1, 3, 0);
	ck_assert_uint_eq(told.target.id, id);
	rig_grant(1, 4, 7);
	rig.fail = 1;
	rig_settle();
	expect_told(ARFS_NOTICE_FAILED, 1, 4, -EIO);
	rig_pass(100);
	expect_told(ARFS_NOTICE_MOVED, 1, 4, 0);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000);
	expect_told(ARFS_NOTICE_DELETED, 1, 4, 0);
	ck_assert_uint_eq(told.target.id, id);
	ck_assert_uint_eq(rig.notices[ARFS_NOTICE_REFUSED], 0);
}
END_TEST

START_TEST(the_owner_is_told_when_the_device_reports_and_not_before)
{
	rig.later = true;
	rig.during_notice = remember;
	rig_grant(1, 3, 7);
	rig_settle();
	ck_assert_uint_eq(rig.notices[ARFS_NOTICE_ADDED], 0);
	rig_report(1, ARFS_REPORT_DONE);
	rig_settle();
	expect_told(ARFS_NOTICE_ADDED, 1, 3, 0);
	rig_grant(1, 4, 7);
	rig_settle();
	rig_lose(1, true);
	rig_pass(ARFS_REPORT_MS);
	expect_told(ARFS_NOTICE_FAILED, 1, 4, -ETIMEDOUT);
	ck_assert_uint_eq(rig.notices[ARFS_NOTICE_MOVED], 0);
}
END_TEST

START_TEST(the_owner_is_told_of_a_refusal_once_for_a_slot)
{
	u32 i;

	rig_grant(2, 3, 7);
	rig.during_notice = remember;
	for (i = 0; i < 10; i++)
		rig_refuse(1, 3, 7, -EBUSY);
	expect_told(ARFS_NOTICE_REFUSED, 1, 3, -EBUSY);
	ck_assert_uint_eq(told.target.id, ARFS_NO_ID);
	rig_grant(3, 4, 7);
	rig_refuse(1, 4, 7, -EBUSY);
	expect_told(ARFS_NOTICE_REFUSED, 2, 4, -EBUSY);
	arfs_table_set_limit(rig.table, 0);
	rig_refuse(1, 5, 7, -ENOSPC);
	expect_told(ARFS_NOTICE_REFUSED, 3, 5, -ENOSPC);
}
END_TEST

START_TEST(an_owner_that_wants_to_know_nothing_is_told_nothing)
{
	struct arfs_table_ops ops = rig_ops;
	u16 id;

	rig_end();
	rig_begin(LIMIT);
	arfs_table_close(rig.table);
	arfs_table_destroy(rig.table);
	ops.stays = NULL;
	ops.notice = NULL;
	rig.table = arfs_table_create("rig", &ops, &rig, LIMIT);
	rig.stays = near;
	arfs_table_set_move_interval(rig.table, 0);
	arfs_table_open(rig.table);
	rig_grant(1, 0, 7);
	rig_service();
	id = rig_grant(1, 1, 7);
	rig_service();
	rig_expect(1, 1, id);
	rig_end();
	rig_begin(LIMIT);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: owner");
	TCase *tcase = tcase_create("owner");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_test(tcase, a_move_that_is_not_worth_it_is_refused_and_the_filter_stays);
	tcase_add_test(tcase, a_move_that_is_worth_it_is_made);
	tcase_add_test(tcase, a_flow_that_stays_keeps_its_slot_and_who_waits_for_it_waits_on);
	tcase_add_test(tcase, another_slot_of_the_same_queue_is_no_move);
	tcase_add_test(tcase, a_flow_without_a_filter_has_nowhere_to_stay);
	tcase_add_test(tcase, the_owner_is_told_once_of_each_write_with_its_queue_and_id);
	tcase_add_test(tcase, the_owner_is_told_when_the_device_reports_and_not_before);
	tcase_add_test(tcase, the_owner_is_told_of_a_refusal_once_for_a_slot);
	tcase_add_test(tcase, an_owner_that_wants_to_know_nothing_is_told_nothing);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
