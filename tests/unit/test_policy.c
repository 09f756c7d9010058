// SPDX-License-Identifier: GPL-2.0-only
/* arfs_policy.h: ageing, capacity and retries. */
#include "arfs_policy.h"
#include "unit.h"

/* Moments at which the clock is about to wrap, has wrapped, and crosses the sign bit. */
static const u32 starts[] = { 0, 1, 0x7fffffff, 0x80000000, 0xffffffff - 10, 0xffffffff };

#define STARTS	(sizeof(starts) / sizeof(starts[0]))

START_TEST(time_has_passed_at_the_limit_and_not_one_before)
{
	u32 since = starts[_i];

	ck_assert(!arfs_elapsed(since, since, 1));
	ck_assert(!arfs_elapsed(since + 4999, since, 5000));
	ck_assert(arfs_elapsed(since + 5000, since, 5000));
	ck_assert(arfs_elapsed(since + 0x90000000, since, 5000));
	ck_assert(arfs_elapsed(since, since, 0));
}
END_TEST

START_TEST(an_idle_filter_goes_after_the_grace_time)
{
	struct arfs_age age = { 0 };
	u32 now = starts[_i];

	ck_assert(!arfs_age_look(&age, true, now, ARFS_GRACE_MS));
	ck_assert(!arfs_age_look(&age, true, now + 1, ARFS_GRACE_MS));
	ck_assert(!arfs_age_look(&age, true, now + ARFS_GRACE_MS - 1, ARFS_GRACE_MS));
	ck_assert(arfs_age_look(&age, true, now + ARFS_GRACE_MS, ARFS_GRACE_MS));
}
END_TEST

START_TEST(one_sign_of_life_starts_the_grace_time_anew)
{
	struct arfs_age age = { 0 };
	u32 now = starts[_i];

	ck_assert(!arfs_age_look(&age, true, now, ARFS_GRACE_MS));
	ck_assert(!arfs_age_look(&age, false, now + ARFS_GRACE_MS - 1, ARFS_GRACE_MS));
	ck_assert(!arfs_age_look(&age, true, now + ARFS_GRACE_MS, ARFS_GRACE_MS));
	ck_assert(!arfs_age_look(&age, true, now + 2 * ARFS_GRACE_MS - 1, ARFS_GRACE_MS));
	ck_assert(arfs_age_look(&age, true, now + 2 * ARFS_GRACE_MS, ARFS_GRACE_MS));
}
END_TEST

START_TEST(a_live_filter_never_goes)
{
	struct arfs_age age = { 0 };
	u32 look;

	for (look = 0; look < 1000; look++)
		ck_assert(!arfs_age_look(&age, false, starts[_i] + look * 100000, 0));
}
END_TEST

START_TEST(without_grace_an_idle_filter_goes_at_once)
{
	struct arfs_age age = { 0 };

	ck_assert(arfs_age_look(&age, true, starts[_i], 0));
}
END_TEST

START_TEST(a_time_stamp_left_over_from_an_earlier_idleness_does_not_count)
{
	struct arfs_age age = { .since = starts[_i] - ARFS_GRACE_MS, .idle = false };

	ck_assert(!arfs_age_look(&age, true, starts[_i], ARFS_GRACE_MS));
}
END_TEST

START_TEST(idle_filters_stay_longer_the_emptier_the_table)
{
	u32 limit = 1600;

	ck_assert_uint_eq(arfs_grace_ms(0, limit), ARFS_GRACE_MS);
	ck_assert_uint_eq(arfs_grace_ms(1200, limit), ARFS_GRACE_MS);
	ck_assert_uint_lt(arfs_grace_ms(1201, limit), ARFS_GRACE_MS);
	ck_assert_uint_gt(arfs_grace_ms(1201, limit), 0);
	ck_assert_uint_gt(arfs_grace_ms(1500, limit), 0);
	ck_assert_uint_eq(arfs_grace_ms(1501, limit), 0);
	ck_assert_uint_eq(arfs_grace_ms(1600, limit), 0);
	/* The limit may be lowered under what is held. */
	ck_assert_uint_eq(arfs_grace_ms(5000, limit), 0);
}
END_TEST

START_TEST(the_grace_time_never_grows_with_fullness)
{
	u32 last = ARFS_GRACE_MS;
	u32 held, grace;

	for (held = 0; held <= (u32)_i + 1; held++) {
		grace = arfs_grace_ms(held, _i);
		ck_assert_uint_le(grace, last);
		last = grace;
	}
}
END_TEST

START_TEST(a_full_table_of_any_size_gives_no_grace)
{
	u32 limit;

	for (limit = 0; limit <= 70000; limit++)
		unit_require(arfs_grace_ms(limit, limit) == 0,
			     "limit %u, all held: expected 0 ms, seen %u ms", limit,
			     arfs_grace_ms(limit, limit));
}
END_TEST

START_TEST(capacity_admits_up_to_the_limit)
{
	ck_assert(arfs_capacity_admits(0, 1));
	ck_assert(!arfs_capacity_admits(1, 1));
	ck_assert(!arfs_capacity_admits(2, 1));
	ck_assert(!arfs_capacity_admits(0, 0));
	ck_assert(arfs_capacity_admits(15999, 16000));
	ck_assert(!arfs_capacity_admits(16000, 16000));
}
END_TEST

START_TEST(delays_double_from_level_to_level_up_to_the_cap)
{
	u32 level, delay, last = arfs_delay_ms(0);

	ck_assert_uint_eq(last, ARFS_RETRY_MIN_MS);
	for (level = 1; level < ARFS_DELAY_LEVELS; level++) {
		delay = arfs_delay_ms(level);
		ck_assert_uint_eq(delay, last * 2 < ARFS_RETRY_MAX_MS ? last * 2 :
					 ARFS_RETRY_MAX_MS);
		last = delay;
	}
	ck_assert_uint_eq(last, ARFS_RETRY_MAX_MS);
}
END_TEST

START_TEST(each_failure_in_a_row_waits_a_level_longer)
{
	unsigned int failures;

	ck_assert_uint_eq(arfs_retry_level(1), 0);
	for (failures = 2; failures <= 255; failures++)
		ck_assert_uint_eq(arfs_retry_level(failures), failures < ARFS_DELAY_LEVELS ?
				  failures - 1 : ARFS_DELAY_LEVELS - 1);
}
END_TEST

START_TEST(retries_end_after_about_15_seconds)
{
	unsigned int failures = 0;
	u32 total = 0;

	while (arfs_retry_worthwhile(++failures))
		total += arfs_delay_ms(arfs_retry_level(failures));
	ck_assert_uint_eq(failures, ARFS_MAX_FAILURES);
	ck_assert_uint_ge(total, 14000);
	ck_assert_uint_le(total, 16000);
	for (; failures <= 255; failures++)
		ck_assert(!arfs_retry_worthwhile(failures));
}
END_TEST

START_TEST(what_is_due_is_told_over_the_wrap_of_the_clock)
{
	u32 now = starts[_i];

	ck_assert_int_eq(arfs_due_in(now, now), 0);
	ck_assert_int_eq(arfs_due_in(now, now + 5000), 5000);
	ck_assert_int_eq(arfs_due_in(now + 5000, now), -5000);
}
END_TEST

START_TEST(silence_is_believed_when_it_has_lasted_and_until_the_next_report)
{
	struct arfs_hearing hearing = { .reports = false };
	u32 now = starts[_i], round;

	ck_assert(arfs_hearing_missed(&hearing, now));
	for (round = 0; round < 2; round++) {
		arfs_hearing_heard(&hearing);
		now += 3 * ARFS_SILENCE_MS;
		ck_assert(!arfs_hearing_missed(&hearing, now));
		now += ARFS_SILENCE_MS - 1;
		ck_assert(!arfs_hearing_missed(&hearing, now));
		ck_assert(arfs_hearing_missed(&hearing, ++now));
		ck_assert(arfs_hearing_missed(&hearing, ++now));
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("policy");
	TCase *age = tcase_create("age");
	TCase *room = tcase_create("room");
	TCase *retry = tcase_create("retry");

	tcase_add_loop_test(age, time_has_passed_at_the_limit_and_not_one_before, 0, STARTS);
	tcase_add_loop_test(age, an_idle_filter_goes_after_the_grace_time, 0, STARTS);
	tcase_add_loop_test(age, one_sign_of_life_starts_the_grace_time_anew, 0, STARTS);
	tcase_add_loop_test(age, a_live_filter_never_goes, 0, STARTS);
	tcase_add_loop_test(age, without_grace_an_idle_filter_goes_at_once, 0, STARTS);
	tcase_add_loop_test(age, a_time_stamp_left_over_from_an_earlier_idleness_does_not_count, 0,
			    STARTS);
	suite_add_tcase(suite, age);

	tcase_add_test(room, idle_filters_stay_longer_the_emptier_the_table);
	tcase_add_loop_test(room, the_grace_time_never_grows_with_fullness, 0, 40);
	tcase_add_test(room, a_full_table_of_any_size_gives_no_grace);
	tcase_add_test(room, capacity_admits_up_to_the_limit);
	suite_add_tcase(suite, room);

	tcase_add_test(retry, delays_double_from_level_to_level_up_to_the_cap);
	tcase_add_test(retry, each_failure_in_a_row_waits_a_level_longer);
	tcase_add_loop_test(retry, what_is_due_is_told_over_the_wrap_of_the_clock, 0, STARTS);
	tcase_add_test(retry, retries_end_after_about_15_seconds);
	tcase_add_loop_test(retry, silence_is_believed_when_it_has_lasted_and_until_the_next_report,
			    0, STARTS);
	suite_add_tcase(suite, retry);
	return unit_run(suite);
}
