// SPDX-License-Identifier: GPL-2.0-only
/* The table: whatever happens in whatever order, everything that must hold holds. */
#include <string.h>

#include "arfs_internal.h"
#include "rig.h"

#define LIMIT	1000
#define FLOWS	24

static void begin(void)
{
	rig_begin(LIMIT);
}

/* A request for some flow and slot, also while a write is in flight. */
static u64 random_state;

static void steer_at_random(void)
{
	rig_steer(unit_random(&random_state) % FLOWS, unit_random(&random_state) % 3,
		  unit_random(&random_state) % 4);
}

static void meddle(enum arfs_write write, u32 flow)
{
	(void)write;
	(void)flow;
	if (unit_random(&random_state) % 3 == 0)
		steer_at_random();
}

static void change_the_weather(void)
{
	u32 id = unit_random(&random_state) % 64;

	rig.idle[id] = unit_random(&random_state) % 2;
	if (unit_random(&random_state) % 8 == 0)
		rig.fail = unit_random(&random_state) % 3;
	if (unit_random(&random_state) % 200 == 0) {
		rig_forget();
		arfs_table_replay(rig.table);
	}
	if (unit_random(&random_state) % 300 == 0) {
		arfs_table_close(rig.table);
		rig.fail = 0;
		arfs_table_flush(rig.table, true);
		arfs_table_open(rig.table);
	}
}

static u16 grant_and_settle(u32 flow)
{
	u16 id = rig_grant(flow, 50, flow);

	rig_settle();
	ck_assert_uint_eq(rig_grant(flow, 50, flow), id);
	return id;
}

/* With failures, expiry, resets and requests in mid-write: rig_check() holds after each step. */
START_TEST(any_course_of_events_keeps_the_table_in_order)
{
	/* Served after few requests, or after many. */
	u32 pace = _i % 3 ? 4 : 40;
	u32 step, id;

	random_state = 77 + _i;
	rig.during = meddle;
	shim_hash_collide(_i % 2);
	arfs_table_set_limit(rig.table, 4 + _i * 7 % 30);
	for (step = 0; step < 1500; step++) {
		steer_at_random();
		change_the_weather();
		if (unit_random(&random_state) % pace == 0)
			rig_pass(unit_random(&random_state) % 3000);
	}
	rig.fail = 0;
	rig.during = NULL;
	arfs_table_set_limit(rig.table, LIMIT);
	for (id = 0; id < RIG_IDS; id++)
		rig.idle[id] = false;
	rig_pass(20000);
	rig_check_quiet();
	for (step = 0; step < FLOWS; step++) {
		rig_expect(step, 50, grant_and_settle(step));
	}
}
END_TEST

static u32 bars[FLOWS];

static bool stays_at_random(u16 from, u16 to)
{
	return (from ^ to) == 1;
}

/* What a device may say, or not, of a write that it has been given. */
static void answer(u32 flow)
{
	static const enum arfs_report reports[] = {
		ARFS_REPORT_REFUSED, ARFS_REPORT_FULL, ARFS_REPORT_ABSENT
	};
	u32 luck = unit_random(&random_state) % 16;

	if (luck < 3)
		rig_report(flow, reports[luck]);
	else if (luck < 5)
		rig_lose(flow, luck % 2);
	else
		rig_report(flow, ARFS_REPORT_DONE);
}

static void answer_at_random(void)
{
	u32 flow;

	for (flow = 0; flow < FLOWS; flow++)
		if (rig.flows[flow].posted && unit_random(&random_state) % 3 == 0)
			answer(flow);
}

static void bar_at_random(void)
{
	u32 flow = unit_random(&random_state) % FLOWS;
	struct arfs_flow_key key = rig_key(flow);

	if (bars[flow] && unit_random(&random_state) % 2) {
		arfs_table_unbar(rig.table, &key);
		bars[flow]--;
	} else if (unit_random(&random_state) % 2) {
		ck_assert_int_eq(arfs_table_bar(rig.table, &key), 0);
		bars[flow]++;
	}
}

static void decide_at_random(void)
{
	u32 dice = unit_random(&random_state) % 300, flow;

	if (dice < 20)
		bar_at_random();
	else if (dice < 25)
		arfs_table_evict(rig.table, unit_random(&random_state) % 4);
	else if (dice < 30)
		arfs_table_set_queues(rig.table, 1 + unit_random(&random_state) % 4);
	else if (dice < 32)
		arfs_table_set_move_interval(rig.table, unit_random(&random_state) % 300);
	else if (dice == 33)
		rig.stays = rig.stays ? NULL : stays_at_random;
	if (dice != 299)
		return;
	arfs_table_close(rig.table);
	rig.fail = 0;
	arfs_table_flush(rig.table, true);
	for (flow = 0; flow < FLOWS; flow++)
		bars[flow] = 0;
	/* Its reports come when the table has long begun anew. */
	rig_report_all(FLOWS);
	ck_assert_uint_eq(rig_live(), 0);
	arfs_table_open(rig.table);
}

static void end_all_decisions(void)
{
	u32 flow;

	for (flow = 0; flow < FLOWS; flow++) {
		struct arfs_flow_key key = rig_key(flow);

		for (; bars[flow]; bars[flow]--)
			arfs_table_unbar(rig.table, &key);
	}
	arfs_table_set_queues(rig.table, 100);
	arfs_table_set_move_interval(rig.table, 0);
	arfs_table_set_limit(rig.table, LIMIT);
	rig.stays = NULL;
	rig.fail = 0;
	rig.during = NULL;
}

/* Silence that lasts would be believed. Flows beyond these are heard of all the time. */
static void pass_hearing_of_others(u32 ms)
{
	arfs_hearing_heard(&rig.table->hearing);
	rig_pass(ms);
}

/* With reports that are late, bad, lost or missing, and everything that the driver may decide. */
START_TEST(any_course_of_reports_and_decisions_keeps_the_table_in_order)
{
	u32 step;

	random_state = 177 + _i;
	shim_hash_collide(_i % 2);
	rig.later = true;
	/* From the first report on, silence is suspicious. */
	rig_grant(0, 0, 0);
	rig_settle();
	rig_report(0, ARFS_REPORT_DONE);
	rig_settle();
	rig.during = meddle;
	rig.table->patience = _i % 4;
	arfs_table_set_limit(rig.table, 4 + _i * 7 % 30);
	for (step = 0; step < 1500; step++) {
		steer_at_random();
		answer_at_random();
		decide_at_random();
		if (unit_random(&random_state) % 200 == 0) {
			rig_forget();
			arfs_table_replay(rig.table);
		}
		rig.idle[unit_random(&random_state) % 64] = unit_random(&random_state) % 2;
		if (unit_random(&random_state) % 8 == 0)
			pass_hearing_of_others(unit_random(&random_state) %
					       (_i % 3 ? 300 : 3000));
	}
	end_all_decisions();
	memset(rig.idle, 0, sizeof(rig.idle));
	for (step = 0; step < 300; step++) {
		rig_report_all(FLOWS);
		rig_pass(100);
	}
	rig_check_quiet();
	rig.later = false;
	for (step = 0; step < FLOWS; step++)
		rig_expect(step, 50, grant_and_settle(step));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: courses");
	TCase *tcase = tcase_create("courses");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_loop_test(tcase, any_course_of_events_keeps_the_table_in_order, 0, 12);
	tcase_add_loop_test(tcase,
			    any_course_of_reports_and_decisions_keeps_the_table_in_order, 0, 16);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
