// SPDX-License-Identifier: GPL-2.0-only
/* The table: whatever happens in whatever order, everything that must hold holds. */
#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

/* A request for some flow and slot, also while a write is in flight. */
static u64 random_state;

static void steer_at_random(void)
{
	rig_steer(unit_random(&random_state) % 24, unit_random(&random_state) % 3,
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
	for (step = 0; step < 24; step++) {
		rig_grant(step, 50, step);
		rig_settle();
		rig_expect(step, 50, rig_grant(step, 50, step));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: courses");
	TCase *tcase = tcase_create("courses");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_loop_test(tcase, any_course_of_events_keeps_the_table_in_order, 0, 12);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
