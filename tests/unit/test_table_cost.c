// SPDX-License-Identifier: GPL-2.0-only
/* The table: what a service costs does not grow with what the table holds. */
#include "arfs_policy.h"
#include "rig.h"

/* 20,000 flows in 32,768 buckets: what one call touches is bounded whatever the table holds. */
#define MANY	20000

static void fill(void)
{
	u32 flow;

	arfs_table_set_limit(rig.table, 2 * MANY);
	for (flow = 0; flow < MANY; flow++)
		rig_grant(flow, flow % 64, flow / 64);
	rig_settle();
	ck_assert_uint_eq(rig_live(), MANY);
}

static void begin(void)
{
	rig_begin(2 * MANY);
}

START_TEST(a_new_flow_among_many_costs_the_service_that_flow_and_its_quota)
{
	unsigned long locks;
	u32 looks;

	fill();
	rig_grant(MANY, 100, 1);
	looks = rig.looks;
	locks = shim_counts.locks;
	rig_service();
	/* 4 buckets are looked at for each flow that is served, with a flow or two in each. */
	ck_assert_uint_le(rig.looks - looks, 16);
	ck_assert_uint_le(shim_counts.locks - locks, 24);
	rig_expect(MANY, 100, rig_grant(MANY, 100, 1));
}
END_TEST

START_TEST(a_new_flow_among_many_failed_ones_costs_the_service_no_more)
{
	unsigned long locks;
	u32 flow;

	for (flow = 0; flow < MANY; flow++)
		rig_grant(flow, flow % 64, flow / 64);
	rig.fail = 0xffffffff;
	rig_settle();
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), MANY);
	rig.fail = 0;
	rig_grant(MANY, 100, 1);
	locks = shim_counts.locks;
	rig_service();
	ck_assert_uint_le(shim_counts.locks - locks, 24);
	ck_assert_uint_eq(rig.attempts, MANY + 1);
	rig_pass(1000);
	ck_assert_uint_eq(rig_live(), MANY + 1);
}
END_TEST

START_TEST(a_tick_among_many_looks_at_a_small_part)
{
	unsigned long locks;
	u32 looks;

	fill();
	rig.now += 1000;
	looks = rig.looks;
	locks = shim_counts.locks;
	rig_service();
	ck_assert_uint_gt(rig.looks - looks, 0);
	ck_assert_uint_le(rig.looks - looks, MANY / 16);
	ck_assert_uint_le(shim_counts.locks - locks, MANY / 16);
}
END_TEST

START_TEST(every_idle_filter_among_many_is_found_in_bounded_time)
{
	u32 id;

	fill();
	for (id = 0; id < RIG_IDS; id += 10)
		rig.idle[id] = true;
	/* One round of the cursor, the grace time, another round. */
	rig_pass(8192 + ARFS_GRACE_MS + 8192 + 500);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_EXPIRED), MANY / 10);
	ck_assert_uint_eq(rig_live(), MANY - MANY / 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: cost");
	TCase *tcase = tcase_create("many flows");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_test(tcase, a_new_flow_among_many_costs_the_service_that_flow_and_its_quota);
	tcase_add_test(tcase, a_new_flow_among_many_failed_ones_costs_the_service_no_more);
	tcase_add_test(tcase, a_tick_among_many_looks_at_a_small_part);
	tcase_add_test(tcase, every_idle_filter_among_many_is_found_in_bounded_time);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
