// SPDX-License-Identifier: GPL-2.0-only
/* rps_steer.h: each decision of the patched core, at its borders. */
#include "rps_steer.h"
#include "unit.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

START_TEST(ticks_are_jiffies_in_lots_of_a_power_of_two)
{
	ck_assert_uint_eq(rps_steer_ticks(0, 8), 0);
	ck_assert_uint_eq(rps_steer_ticks(255, 8), 0);
	ck_assert_uint_eq(rps_steer_ticks(256, 8), 1);
	ck_assert_uint_eq(rps_steer_ticks(511, 8), 1);
	ck_assert_uint_eq(rps_steer_ticks(0x1234, 0), 0x1234);
}
END_TEST

START_TEST(ticks_wrap_at_sixteen_bits)
{
	ck_assert_uint_eq(rps_steer_ticks(0xffffUL << 10, 10), 0xffff);
	ck_assert_uint_eq(rps_steer_ticks(0x10000UL << 10, 10), 0);
	ck_assert_uint_eq(rps_steer_ticks(~0UL, 7), 0xffff);
}
END_TEST

START_TEST(a_slot_is_made_of_the_high_bits)
{
	ck_assert_uint_eq(rps_steer_slot(0x80000000, 1), 1);
	ck_assert_uint_eq(rps_steer_slot(0x7fffffff, 1), 0);
	ck_assert_uint_eq(rps_steer_slot(0xabcdef01, 8), 0xab);
	ck_assert_uint_eq(rps_steer_slot(0xabcdef01, 16), 0xabcd);
	ck_assert_uint_eq(rps_steer_slot(0xffffffff, 31), 0x7fffffff);
	ck_assert_uint_eq(rps_steer_slot(1, 31), 0);
}
END_TEST

START_TEST(a_table_of_one_slot_has_only_slot_0)
{
	ck_assert_uint_eq(rps_steer_slot(0, 0), 0);
	ck_assert_uint_eq(rps_steer_slot(1, 0), 0);
	ck_assert_uint_eq(rps_steer_slot(0xffffffff, 0), 0);
}
END_TEST

/* The clocks of a backlog start anywhere. */
static const u32 tails[] = { 0, 1, 0x7ffffffe, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff };

START_TEST(drained_when_the_last_packet_sent_is_taken)
{
	u32 tail = tails[_i];

	ck_assert(rps_steer_drained(tail, tail));
	ck_assert(rps_steer_drained(tail + 1, tail));
	ck_assert(rps_steer_drained(tail + 0x7fffffff, tail));
	ck_assert(!rps_steer_drained(tail - 1, tail));
	ck_assert(!rps_steer_drained(tail - 0x80000000U, tail));
}
END_TEST

static bool active_by_packets(u32 tail, u32 packets, u32 slots)
{
	return rps_steer_active(tail + packets, tail, slots, RPS_STEER_SEEN_TICKS, 0);
}

START_TEST(idle_when_a_busy_cpu_took_ten_packets_per_slot)
{
	u32 tail = tails[_i];

	ck_assert(active_by_packets(tail, 0, 1));
	ck_assert(active_by_packets(tail, 9, 1));
	ck_assert(!active_by_packets(tail, 10, 1));
	ck_assert(active_by_packets(tail, 639, 64));
	ck_assert(!active_by_packets(tail, 640, 64));
}
END_TEST

START_TEST(active_when_seen_lately_however_busy_the_cpu_is)
{
	u16 used = 0xffff;

	ck_assert(rps_steer_active(1000000, 0, 1, used, used));
	ck_assert(rps_steer_active(1000000, 0, 1, used + RPS_STEER_SEEN_TICKS - 1, used));
	ck_assert(!rps_steer_active(1000000, 0, 1, used + RPS_STEER_SEEN_TICKS, used));
	/* At least one second, whatever is left of the first tick. */
	ck_assert_uint_ge(RPS_STEER_SEEN_TICKS, 2);
}
END_TEST

START_TEST(active_while_packets_still_wait)
{
	u32 tail = tails[_i];

	ck_assert(active_by_packets(tail, -1, 1));
	ck_assert(active_by_packets(tail, -1000, 64));
	ck_assert(active_by_packets(tail, -1, 0x80000000));
}
END_TEST

START_TEST(huge_tables_do_not_overflow_the_limit)
{
	const u32 most = 0x7fffffff / RPS_STEER_BUSY_FACTOR;

	ck_assert(active_by_packets(0, most * 10 - 1, most));
	ck_assert(!active_by_packets(0, most * 10, most));
	ck_assert(active_by_packets(0, 0x7ffffffe, most + 1));
	ck_assert(!active_by_packets(0, 0x7fffffff, most + 1));
	/* Ten times these is a little more than a multiple of 2^32. */
	ck_assert(active_by_packets(0, 0x7ffffffe, 0x1999999a));
	ck_assert(active_by_packets(0, 0x7ffffffe, 0x80000000));
	ck_assert(active_by_packets(0, 0x7ffffffe, 0xffffffff));
}
END_TEST

START_TEST(idle_when_not_seen_for_so_many_ticks)
{
	static const u16 times[] = { 0, 1, 0x7fff, 0x8000, 0xfff0, 0xffff };
	u16 used = times[_i];

	ck_assert(rps_steer_active(0, 0, 64, used, used));
	ck_assert(rps_steer_active(0, 0, 64, used + RPS_STEER_IDLE_TICKS - 1, used));
	ck_assert(!rps_steer_active(0, 0, 64, used + RPS_STEER_IDLE_TICKS, used));
	ck_assert(!rps_steer_active(0, 0, 64, used + 0x8000, used));
	ck_assert(!rps_steer_active(0, 0, 64, used - 1, used));
	/* Time counts whether packets wait or not. */
	ck_assert(!rps_steer_active(0, 5, 64, used + RPS_STEER_IDLE_TICKS, used));
}
END_TEST

START_TEST(the_clock_can_tell_idle_from_active)
{
	ck_assert_uint_lt(RPS_STEER_ASK_TICKS + RPS_STEER_YIELD_TICKS, RPS_STEER_IDLE_TICKS);
	ck_assert_uint_lt(RPS_STEER_IDLE_TICKS, 0x8000);
	/* At least one second between two calls, whatever is left of the first tick. */
	ck_assert_uint_ge(RPS_STEER_ASK_TICKS, 2);
}
END_TEST

START_TEST(a_slot_without_filter_is_free_to_all)
{
	ck_assert_int_eq(rps_steer_owner(RPS_STEER_NO_FILTER, 7, 7, true), RPS_STEER_FREE);
	ck_assert_int_eq(rps_steer_owner(RPS_STEER_NO_FILTER, 7, 8, true), RPS_STEER_FREE);
	ck_assert_int_eq(rps_steer_owner(RPS_STEER_NO_FILTER, 7, 8, false), RPS_STEER_FREE);
}
END_TEST

static const u16 filters[] = { 0, 1, 0x7fff, 0x8000, RPS_STEER_NO_FILTER - 1 };

START_TEST(an_active_owner_keeps_its_slot)
{
	ck_assert_int_eq(rps_steer_owner(filters[_i], 7, 8, true), RPS_STEER_TAKEN);
	/* All bits of the hash count. */
	ck_assert_int_eq(rps_steer_owner(filters[_i], 7, 0x80000007, true), RPS_STEER_TAKEN);
	ck_assert_int_eq(rps_steer_owner(filters[_i], 0, 1, true), RPS_STEER_TAKEN);
}
END_TEST

START_TEST(an_idle_owner_loses_its_slot_to_others)
{
	ck_assert_int_eq(rps_steer_owner(filters[_i], 7, 8, false), RPS_STEER_FREE);
}
END_TEST

START_TEST(a_flow_knows_its_own_slot_idle_or_not)
{
	ck_assert_int_eq(rps_steer_owner(filters[_i], 7, 7, true), RPS_STEER_OURS);
	ck_assert_int_eq(rps_steer_owner(filters[_i], 7, 7, false), RPS_STEER_OURS);
}
END_TEST

static const u16 nows[] = { 0, 1, 2, 3, 0x7fff, 0x8001, 0xffff };

START_TEST(the_driver_is_never_asked_for_a_taken_slot)
{
	u16 now = nows[_i];
	u16 ago;

	for (ago = 0; ago < 100; ago++) {
		ck_assert(!rps_steer_may_ask(RPS_STEER_TAKEN, false, now, now - ago, now - ago));
		ck_assert(!rps_steer_may_ask(RPS_STEER_TAKEN, true, now, now - ago, now - ago));
	}
	ck_assert(!rps_steer_may_ask((enum rps_steer_owner)99, false, now, now - 9, now - 9));
}
END_TEST

START_TEST(a_free_slot_asks_but_not_twice_in_a_second)
{
	u16 now = nows[_i];
	u16 ago;

	for (ago = 0; ago < 100; ago++)
		ck_assert_int_eq(rps_steer_may_ask(RPS_STEER_FREE, false, now, now, now - ago),
				 ago >= RPS_STEER_ASK_TICKS);
}
END_TEST

START_TEST(who_was_refused_gives_others_a_turn)
{
	u16 now = nows[_i];
	u16 turn = now - RPS_STEER_ASK_TICKS;
	u16 ago;

	ck_assert(rps_steer_may_ask(RPS_STEER_FREE, false, now, now, turn));
	ck_assert(!rps_steer_may_ask(RPS_STEER_FREE, true, now, now, turn));
	for (ago = 0; ago < 100; ago++)
		ck_assert_int_eq(rps_steer_may_ask(RPS_STEER_FREE, true, now, now, now - ago),
				 ago >= RPS_STEER_ASK_TICKS + RPS_STEER_YIELD_TICKS);
}
END_TEST

START_TEST(an_owner_asks_again_only_when_its_filter_does_not_work)
{
	u16 now = nows[_i];
	u16 used, asked;
	bool due;

	for (used = 0; used < 10; used++)
		for (asked = 0; asked < 10; asked++) {
			due = used >= RPS_STEER_ASK_TICKS && asked >= RPS_STEER_ASK_TICKS;
			ck_assert_int_eq(rps_steer_may_ask(RPS_STEER_OURS, true, now, now - used,
							   now - asked), due);
		}
}
END_TEST

START_TEST(a_new_slot_bars_nobody)
{
	u16 now = nows[_i];
	u16 asked = rps_steer_never_asked(now);

	ck_assert(rps_steer_may_ask(RPS_STEER_FREE, false, now, 0, asked));
	/* The hash in it may be by chance that of the flow. */
	ck_assert(rps_steer_may_ask(RPS_STEER_FREE, true, now, 0, asked));
	ck_assert(rps_steer_may_ask(RPS_STEER_OURS, true, now, now - RPS_STEER_ASK_TICKS, asked));
}
END_TEST

START_TEST(an_owner_that_is_read_elsewhere_is_idle_at_once)
{
	u16 now = nows[_i];

	ck_assert(!rps_steer_active(0, 0, 64, now, rps_steer_long_idle(now)));
	ck_assert(!rps_steer_active(0, 9, 64, now, rps_steer_long_idle(now)));
	/* And stays so as long as it does not arrive there. */
	ck_assert(!rps_steer_active(0, 0, 64, now + 1000, rps_steer_long_idle(now)));
}
END_TEST

START_TEST(a_home_slot_lapses_when_neither_used_nor_asked_for)
{
	u16 now = nows[_i];
	u16 used, asked;

	for (used = 0; used < 10; used++)
		for (asked = 0; asked < 10; asked++)
			ck_assert_int_eq(rps_steer_lapsed(now, now - used, now - asked),
					 used >= RPS_STEER_LAPSE_TICKS &&
					 asked >= RPS_STEER_LAPSE_TICKS);
	/* Who goes by the slot asks in time, also after a packet has waited over a tick. */
	ck_assert_uint_gt(RPS_STEER_LAPSE_TICKS, RPS_STEER_ASK_TICKS + 1);
}
END_TEST

START_TEST(a_home_slot_is_set_only_when_nothing_can_be_overtaken)
{
	ck_assert(!rps_steer_in_order(false, false, false));
	ck_assert(!rps_steer_in_order(false, false, true));
	ck_assert(!rps_steer_in_order(false, true, false));
	ck_assert(!rps_steer_in_order(false, true, true));
	ck_assert(!rps_steer_in_order(true, false, false));
	ck_assert(rps_steer_in_order(true, false, true));
	ck_assert(rps_steer_in_order(true, true, false));
	ck_assert(rps_steer_in_order(true, true, true));
}
END_TEST

/*
 * The record: what was found wrong with a proposal for net.core.rps_feat_llc_affinity (v7, August
 * 2026), as far as it can be seen in values. That it is not called when off, the key's lock, the
 * threads of tun and accept() are seen in the patch and in a guest.
 */

/* 64 CPUs: six bits of CPU. */
#define MASK64	63U

START_TEST(finding_mask_polarity_the_cpu_is_the_low_part)
{
	ck_assert_int_eq(rps_steer_recorded_cpu(0xabcdef00 | 3, 0xabcdef00 | 9, MASK64, 64), 3);
	ck_assert_int_eq(rps_steer_recorded_cpu(0xabcdef00, 0xabcdef00 | 9, MASK64, 64), 0);
	ck_assert_int_eq(rps_steer_recorded_cpu(0xffffffff, 0xffffffc0, MASK64, 64), 63);
	/* One CPU has no bits: all are hash. */
	ck_assert_int_eq(rps_steer_recorded_cpu(5, 5, 0, 1), 0);
	ck_assert_int_eq(rps_steer_recorded_cpu(5, 4, 0, 1), -1);
}
END_TEST

START_TEST(finding_same_flow_the_record_of_another_is_replaced)
{
	ck_assert_int_eq(rps_steer_recorded_cpu(0x12345640 | 3, 0x12345680 | 3, MASK64, 64), -1);
	ck_assert_int_eq(rps_steer_recorded_cpu(0x92345640 | 3, 0x12345640 | 3, MASK64, 64), -1);
	/* The lowest bit of the hash that is kept, and the highest that is not. */
	ck_assert_int_eq(rps_steer_recorded_cpu(0x40 | 3, 0x00 | 3, MASK64, 64), -1);
	ck_assert_int_eq(rps_steer_recorded_cpu(0x20 | 3, 0x00 | 3, MASK64, 64), 0x23);
}
END_TEST

START_TEST(finding_empty_marker_is_no_cpu)
{
	const u32 cpu_mask = (1U << _i) - 1;
	const u32 same_hash = RPS_STEER_NO_CPU & ~cpu_mask;

	/* Such a number of CPUs is a power of two: the marker's low bits name the last of them. */
	ck_assert_int_eq(rps_steer_recorded_cpu(RPS_STEER_NO_CPU, 0x12340000, cpu_mask, 1U << _i),
			 -1);
	/* A flow whose hash begins like the marker must not take it for its own record. */
	ck_assert_int_eq(rps_steer_recorded_cpu(RPS_STEER_NO_CPU, same_hash, cpu_mask, 1U << _i),
			 -1);
	/* The marker is the whole word. */
	if (_i)
		ck_assert_int_eq(rps_steer_recorded_cpu(0x1ffff, 0x1ffff & ~cpu_mask, cpu_mask,
							1U << _i), cpu_mask);
}
END_TEST

START_TEST(finding_range_a_cpu_that_does_not_exist_is_no_cpu)
{
	/* 48 CPUs have six bits as well. */
	ck_assert_int_eq(rps_steer_recorded_cpu(0x1000 | 47, 0x1000, MASK64, 48), 47);
	ck_assert_int_eq(rps_steer_recorded_cpu(0x1000 | 48, 0x1000, MASK64, 48), -1);
	ck_assert_int_eq(rps_steer_recorded_cpu(0x1000 | 63, 0x1000, MASK64, 48), -1);
	ck_assert_int_eq(rps_steer_recorded_cpu(0x1000 | 3, 0x1000, 3, 3), -1);
}
END_TEST

START_TEST(finding_new_cpu_is_not_looked_at)
{
	u32 cpu;

	/* It is the CPU that runs: what counts is the old one, whatever the new. */
	for (cpu = 0; cpu < 64; cpu++)
		ck_assert_int_eq(rps_steer_recorded_cpu(0x1000 | 5, 0x1000 | cpu, MASK64, 48), 5);
}
END_TEST

START_TEST(finding_inactive_cpu_is_left_to_the_caller)
{
	/* Nothing here knows who is online: each CPU that can exist is handed out to be asked for. */
	ck_assert_int_eq(rps_steer_recorded_cpu(0x1000 | _i, 0x1000, MASK64, 64), _i);
}
END_TEST


START_TEST(direct_only_here_and_with_an_idle_backlog)
{
	unsigned int bits;

	for (bits = 0; bits < 8; bits++)
		ck_assert_int_eq(rps_steer_direct(bits & 1, bits & 2, bits & 4), bits == 1);
}
END_TEST

START_TEST(direct_packets_are_counted_before_they_make_an_owner_idle)
{
	/* The clock may lag by one lot: that is less than the limit of a table of usual size. */
	ck_assert_uint_ge(RPS_STEER_DIRECT_LOT, 1);
	ck_assert_uint_le(RPS_STEER_DIRECT_LOT, 64 * RPS_STEER_BUSY_FACTOR);
}
END_TEST

static TCase *tcase_clocks(void)
{
	TCase *tcase = tcase_create("clocks and slots");

	tcase_add_test(tcase, ticks_are_jiffies_in_lots_of_a_power_of_two);
	tcase_add_test(tcase, ticks_wrap_at_sixteen_bits);
	tcase_add_test(tcase, a_slot_is_made_of_the_high_bits);
	tcase_add_test(tcase, a_table_of_one_slot_has_only_slot_0);
	tcase_add_loop_test(tcase, drained_when_the_last_packet_sent_is_taken, 0, COUNT(tails));
	tcase_add_loop_test(tcase, idle_when_a_busy_cpu_took_ten_packets_per_slot, 0,
			    COUNT(tails));
	tcase_add_test(tcase, active_when_seen_lately_however_busy_the_cpu_is);
	tcase_add_loop_test(tcase, active_while_packets_still_wait, 0, COUNT(tails));
	tcase_add_test(tcase, huge_tables_do_not_overflow_the_limit);
	tcase_add_loop_test(tcase, idle_when_not_seen_for_so_many_ticks, 0, 6);
	tcase_add_test(tcase, the_clock_can_tell_idle_from_active);
	return tcase;
}

static TCase *tcase_owner(void)
{
	TCase *tcase = tcase_create("owner");

	tcase_add_test(tcase, a_slot_without_filter_is_free_to_all);
	tcase_add_loop_test(tcase, an_active_owner_keeps_its_slot, 0, COUNT(filters));
	tcase_add_loop_test(tcase, an_idle_owner_loses_its_slot_to_others, 0, COUNT(filters));
	tcase_add_loop_test(tcase, a_flow_knows_its_own_slot_idle_or_not, 0, COUNT(filters));
	tcase_add_loop_test(tcase, an_owner_that_is_read_elsewhere_is_idle_at_once, 0,
			    COUNT(nows));
	tcase_add_loop_test(tcase, a_home_slot_lapses_when_neither_used_nor_asked_for, 0,
			    COUNT(nows));
	tcase_add_test(tcase, a_home_slot_is_set_only_when_nothing_can_be_overtaken);
	return tcase;
}

static TCase *tcase_asking(void)
{
	TCase *tcase = tcase_create("asking");

	tcase_add_loop_test(tcase, the_driver_is_never_asked_for_a_taken_slot, 0, COUNT(nows));
	tcase_add_loop_test(tcase, a_free_slot_asks_but_not_twice_in_a_second, 0, COUNT(nows));
	tcase_add_loop_test(tcase, who_was_refused_gives_others_a_turn, 0, COUNT(nows));
	tcase_add_loop_test(tcase, an_owner_asks_again_only_when_its_filter_does_not_work, 0,
			    COUNT(nows));
	tcase_add_loop_test(tcase, a_new_slot_bars_nobody, 0, COUNT(nows));
	return tcase;
}

static TCase *tcase_record(void)
{
	TCase *tcase = tcase_create("record");

	tcase_add_test(tcase, finding_mask_polarity_the_cpu_is_the_low_part);
	tcase_add_test(tcase, finding_same_flow_the_record_of_another_is_replaced);
	tcase_add_loop_test(tcase, finding_empty_marker_is_no_cpu, 0, 17);
	tcase_add_test(tcase, finding_range_a_cpu_that_does_not_exist_is_no_cpu);
	tcase_add_test(tcase, finding_new_cpu_is_not_looked_at);
	tcase_add_loop_test(tcase, finding_inactive_cpu_is_left_to_the_caller, 0, 64);
	return tcase;
}

static TCase *tcase_direct(void)
{
	TCase *tcase = tcase_create("direct");

	tcase_add_test(tcase, direct_only_here_and_with_an_idle_backlog);
	tcase_add_test(tcase, direct_packets_are_counted_before_they_make_an_owner_idle);
	return tcase;
}

int main(void)
{
	Suite *suite = suite_create("rps_steer");

	suite_add_tcase(suite, tcase_clocks());
	suite_add_tcase(suite, tcase_owner());
	suite_add_tcase(suite, tcase_asking());
	suite_add_tcase(suite, tcase_record());
	suite_add_tcase(suite, tcase_direct());
	return unit_run(suite);
}
