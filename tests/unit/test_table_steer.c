// SPDX-License-Identifier: GPL-2.0-only
/* The table: what the core is told when it asks. */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

START_TEST(a_new_flow_gets_an_id_and_then_a_filter)
{
	u16 id = rig_grant(1, 3, 7);

	rig_expect_none(1);
	ck_assert_uint_eq(rig_stats().held, 1);
	rig_settle();
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_CALLS), 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ADDED), 1);
	ck_assert_uint_eq(rig.writes, 1);
}
END_TEST

/* What a call may touch when it changes nothing: this CPU's counters. */
static void expect_untouched(u32 flow, u16 rxq, u32 flow_id, int answer)
{
	struct shim_counts before = shim_counts;
	u64 checksum = shim_checksum();
	u32 kicks = rig.kicks;

	ck_assert_int_eq(rig_steer(flow, rxq, flow_id), answer);
	ck_assert_uint_eq(shim_counts.locks, before.locks);
	ck_assert_uint_eq(shim_counts.allocations, before.allocations);
	ck_assert_uint_eq(shim_counts.atomic_writes, before.atomic_writes);
	ck_assert_uint_eq(shim_counts.publications, before.publications);
	ck_assert_uint_eq(shim_counts.percpu_writes, before.percpu_writes + 2);
	ck_assert_uint_eq(shim_checksum(), checksum);
	ck_assert_uint_eq(rig.kicks, kicks);
}

START_TEST(asking_again_for_what_is_granted_takes_no_lock_and_writes_nothing_shared)
{
	u16 id = rig_grant(1, 3, 7);

	expect_untouched(1, 3, 7, id);
	rig_settle();
	expect_untouched(1, 3, 7, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_HITS), 2);
}
END_TEST

START_TEST(asking_again_while_waiting_takes_no_lock_and_writes_nothing_shared)
{
	rig_grant(1, 3, 7);
	rig_refuse(2, 3, 7, -EBUSY);
	expect_untouched(2, 3, 7, -EBUSY);
	rig_settle();
	expect_untouched(2, 3, 7, -EBUSY);
}
END_TEST

START_TEST(asking_again_after_a_failed_write_takes_no_lock_and_writes_nothing_shared)
{
	rig_grant(1, 3, 7);
	rig.fail = 1;
	rig_settle();
	expect_untouched(1, 3, 7, -EIO);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNPROGRAMMED), 1);
}
END_TEST

START_TEST(ids_are_unique_among_the_flows_that_hold_one)
{
	static bool seen[RIG_IDS];
	u32 flow;
	u16 id;

	for (flow = 0; flow < LIMIT; flow++) {
		id = rig_grant(flow, flow % 16, flow / 16);
		unit_require(!seen[id], "id %u: given twice", id);
		seen[id] = true;
	}
	rig_settle();
	ck_assert_uint_eq(rig_live(), LIMIT);
}
END_TEST

START_TEST(one_flow_id_on_two_queues_is_two_slots)
{
	u16 a = rig_grant(1, 3, 7), b = rig_grant(2, 4, 7), c = rig_grant(3, 3, 8);

	ck_assert_uint_ne(a, b);
	ck_assert_uint_ne(a, c);
	rig_settle();
	rig_expect(1, 3, a);
	rig_expect(2, 4, b);
	rig_expect(3, 3, c);
}
END_TEST

/* Keys that differ in one part only; the rig's device does not know them, so no service here. */
START_TEST(flows_that_differ_in_any_one_part_of_the_tuple_are_told_apart)
{
	__be32 a[4] = { htonl(1), htonl(2), htonl(3), htonl(4) }, b[4], other;
	struct arfs_flow_key keys[16];
	int count = 0, i, ids[16];

	shim_hash_collide(_i);
	memcpy(b, a, sizeof(b));
	arfs_flow_key_ipv4(&keys[count++], ARFS_TCP, a[0], a[1], htons(1), htons(2));
	arfs_flow_key_ipv4(&keys[count++], ARFS_UDP, a[0], a[1], htons(1), htons(2));
	arfs_flow_key_ipv4(&keys[count++], ARFS_TCP, a[2], a[1], htons(1), htons(2));
	arfs_flow_key_ipv4(&keys[count++], ARFS_TCP, a[0], a[2], htons(1), htons(2));
	arfs_flow_key_ipv4(&keys[count++], ARFS_TCP, a[0], a[1], htons(3), htons(2));
	arfs_flow_key_ipv4(&keys[count++], ARFS_TCP, a[0], a[1], htons(1), htons(3));
	arfs_flow_key_ipv4(&keys[count++], ARFS_TCP, a[1], a[0], htons(2), htons(1));
	arfs_flow_key_ipv6(&keys[count++], ARFS_TCP, a, a, htons(1), htons(2));
	arfs_flow_key_ipv6(&keys[count++], ARFS_UDP, a, a, htons(1), htons(2));
	arfs_flow_key_ipv6(&keys[count++], ARFS_TCP, a, a, htons(2), htons(2));
	arfs_flow_key_ipv6(&keys[count++], ARFS_TCP, a, a, htons(1), htons(1));
	for (i = 0; i < 4 && count < 16; i++) {
		other = b[i];
		b[i] ^= htonl(0x80000000);
		arfs_flow_key_ipv6(&keys[count++], ARFS_TCP, i % 2 ? a : b, i % 2 ? b : a, htons(1),
				   htons(2));
		b[i] = other;
	}
	for (i = 0; i < count; i++)
		ids[i] = arfs_table_steer(rig.table, &keys[i], (struct arfs_slot) { .flow_id = i });
	for (i = 0; i < count; i++)
		ck_assert_int_eq(arfs_table_steer(rig.table, &keys[i],
						  (struct arfs_slot) { .flow_id = i }), ids[i]);
	ck_assert_uint_eq(rig_stats().flows, count);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_HITS), count);
	arfs_table_close(rig.table);
	arfs_table_flush(rig.table, true);
}
END_TEST

START_TEST(flows_and_slots_of_one_hash_are_told_apart)
{
	u16 ids[100];
	u32 flow;

	shim_hash_collide(true);
	for (flow = 0; flow < 100; flow++)
		ids[flow] = rig_grant(flow, flow % 5, flow / 5);
	rig_settle();
	for (flow = 0; flow < 100; flow++) {
		ck_assert_uint_eq(rig_grant(flow, flow % 5, flow / 5), ids[flow]);
		rig_expect(flow, flow % 5, ids[flow]);
	}
	ck_assert_uint_eq(rig_count(ARFS_COUNT_HITS), 100);
}
END_TEST

START_TEST(a_slot_that_is_owned_is_refused_and_its_owner_undisturbed)
{
	u16 id = rig_grant(1, 3, 7);
	u32 i;

	rig_settle();
	for (i = 0; i < 50; i++)
		rig_refuse(2, 3, 7, -EBUSY);
	rig_settle();
	rig_expect(1, 3, id);
	rig_expect_none(2);
	ck_assert_uint_eq(rig.attempts, 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_BUSY), 50);
	ck_assert_uint_eq(rig_stats().waiting, 1);
}
END_TEST

START_TEST(a_move_keeps_the_id_and_costs_one_move_and_no_deletion)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	ck_assert_uint_eq(rig_grant(1, 4, 9), id);
	rig_settle();
	rig_expect(1, 4, id);
	ck_assert_uint_eq(rig.flows[1].adds, 1);
	ck_assert_uint_eq(rig.flows[1].moves, 1);
	ck_assert_uint_eq(rig.flows[1].deletes, 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), 1);
}
END_TEST

START_TEST(a_move_frees_the_old_slot)
{
	u16 id;

	rig_grant(1, 3, 7);
	rig_grant(1, 4, 7);
	id = rig_grant(2, 3, 7);
	rig_settle();
	rig_expect(2, 3, id);
}
END_TEST

START_TEST(another_flow_id_on_the_same_queue_costs_no_write)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	ck_assert_uint_eq(rig_grant(1, 3, 700), id);
	rig_settle();
	ck_assert_uint_eq(rig.attempts, 1);
	ck_assert_uint_eq(rig_stats().flows, 1);
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(a_move_before_the_first_write_costs_one_write)
{
	u16 id = rig_grant(1, 3, 7);

	ck_assert_uint_eq(rig_grant(1, 4, 7), id);
	ck_assert_uint_eq(rig_grant(1, 5, 7), id);
	rig_settle();
	rig_expect(1, 5, id);
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(a_flow_that_moves_back_and_forth_is_told_one_id_throughout)
{
	u16 id = rig_grant(1, 3, 7);
	u32 i;

	for (i = 0; i < 200; i++) {
		ck_assert_uint_eq(rig_grant(1, i % 2 ? 3 : 4, 7), id);
		if (i % 3 == 0)
			rig_settle();
	}
	rig_settle();
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig.flows[1].deletes, 0);
}
END_TEST

START_TEST(capacity_refuses_the_flow_that_is_too_many_and_remembers_nothing_of_it)
{
	unsigned long allocated;
	u32 flow;

	for (flow = 0; flow < LIMIT; flow++)
		rig_grant(flow, 0, flow);
	rig_settle();
	allocated = shim_allocated();
	rig_refuse(LIMIT, 0, LIMIT, -ENOSPC);
	rig_refuse(LIMIT, 0, LIMIT, -ENOSPC);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FULL), 2);
	ck_assert_uint_eq(shim_allocated(), allocated);
	ck_assert_uint_eq(rig_stats().flows, LIMIT);
	rig_check();
}
END_TEST

START_TEST(a_full_table_still_moves_what_it_has)
{
	u32 flow;

	for (flow = 0; flow < LIMIT; flow++)
		rig_grant(flow, 0, flow);
	rig_settle();
	for (flow = 0; flow < LIMIT; flow++)
		rig_grant(flow, 1, flow);
	rig_settle();
	ck_assert_uint_eq(rig_count(ARFS_COUNT_MOVED), LIMIT);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FULL), 0);
}
END_TEST

START_TEST(a_raised_limit_admits_more_and_a_lowered_one_keeps_what_is_there)
{
	arfs_table_set_limit(rig.table, 1);
	rig_grant(1, 0, 1);
	rig_refuse(2, 0, 2, -ENOSPC);
	arfs_table_set_limit(rig.table, 2);
	rig_grant(2, 0, 2);
	rig_settle();
	arfs_table_set_limit(rig.table, 0);
	rig_refuse(3, 0, 3, -ENOSPC);
	rig_settle();
	ck_assert_uint_eq(rig_live(), 2);
	rig_grant(1, 0, 1);
	rig_grant(2, 0, 2);
}
END_TEST

START_TEST(without_memory_the_request_is_refused_and_the_next_one_works)
{
	rig_grant(1, 0, 1);
	shim_fail_allocations(true);
	rig_refuse(2, 0, 2, -ENOMEM);
	rig_grant(1, 0, 1);
	rig_grant(1, 1, 1);
	shim_fail_allocations(false);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_NO_MEMORY), 1);
	rig_grant(2, 0, 2);
	rig_settle();
	ck_assert_uint_eq(rig_live(), 2);
}
END_TEST

START_TEST(ids_run_out_before_they_repeat)
{
	u32 flow, given = 0;
	int answer;

	arfs_table_set_limit(rig.table, RIG_IDS);
	for (flow = 0; flow < RIG_IDS; flow++) {
		answer = rig_steer(flow, 0, flow);
		if (answer < 0)
			unit_require(answer == -ENOSPC, "flow %u: seen %d", flow, answer);
		else
			given++;
	}
	/* All 65,535 but the 1,024 that always rest. */
	ck_assert_uint_eq(given, 65535 - 1024);
	rig_check();
}
END_TEST

START_TEST(a_queue_that_the_claim_cannot_hold_is_refused)
{
	shim_expect_warnings(true);
	rig_refuse(1, ARFS_RXQ_MAX + 1, 7, -EINVAL);
	ck_assert_uint_eq(shim_warnings(), 1);
	shim_expect_warnings(false);
	ck_assert_uint_eq(rig_stats().flows, 0);
	rig_grant(1, ARFS_RXQ_MAX, 0xffffffff);
	rig_settle();
}
END_TEST

START_TEST(every_refusal_is_counted_once_under_its_reason)
{
	u64 busy = 0, full = 0, failed = 0, random = 42;
	int answer;
	u32 i;

	arfs_table_set_limit(rig.table, 20);
	for (i = 0; i < 5000; i++) {
		answer = rig_steer(unit_random(&random) % 60, unit_random(&random) % 4,
				   unit_random(&random) % 8);
		busy += answer == -EBUSY;
		full += answer == -ENOSPC;
		failed += answer == -EIO;
		rig.fail = i % 20 == 0 ? 4 : 0;
		if (i % 20 == 0)
			rig_settle();
	}
	ck_assert_uint_eq(rig_count(ARFS_COUNT_CALLS), 5000);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_BUSY), busy);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FULL), full);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_UNPROGRAMMED), failed);
	ck_assert_uint_gt(busy, 0);
	ck_assert_uint_gt(full, 0);
	ck_assert_uint_gt(failed, 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: steer");
	TCase *tcase = tcase_create("steer");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_test(tcase, a_new_flow_gets_an_id_and_then_a_filter);
	tcase_add_test(tcase,
		       asking_again_for_what_is_granted_takes_no_lock_and_writes_nothing_shared);
	tcase_add_test(tcase, asking_again_while_waiting_takes_no_lock_and_writes_nothing_shared);
	tcase_add_test(tcase,
		       asking_again_after_a_failed_write_takes_no_lock_and_writes_nothing_shared);
	tcase_add_test(tcase, ids_are_unique_among_the_flows_that_hold_one);
	tcase_add_test(tcase, one_flow_id_on_two_queues_is_two_slots);
	tcase_add_loop_test(tcase, flows_that_differ_in_any_one_part_of_the_tuple_are_told_apart, 0,
			    2);
	tcase_add_test(tcase, flows_and_slots_of_one_hash_are_told_apart);
	tcase_add_test(tcase, a_slot_that_is_owned_is_refused_and_its_owner_undisturbed);
	tcase_add_test(tcase, a_move_keeps_the_id_and_costs_one_move_and_no_deletion);
	tcase_add_test(tcase, a_move_frees_the_old_slot);
	tcase_add_test(tcase, another_flow_id_on_the_same_queue_costs_no_write);
	tcase_add_test(tcase, a_move_before_the_first_write_costs_one_write);
	tcase_add_test(tcase, a_flow_that_moves_back_and_forth_is_told_one_id_throughout);
	tcase_add_test(tcase,
		       capacity_refuses_the_flow_that_is_too_many_and_remembers_nothing_of_it);
	tcase_add_test(tcase, a_full_table_still_moves_what_it_has);
	tcase_add_test(tcase, a_raised_limit_admits_more_and_a_lowered_one_keeps_what_is_there);
	tcase_add_test(tcase, without_memory_the_request_is_refused_and_the_next_one_works);
	tcase_add_test(tcase, ids_run_out_before_they_repeat);
	tcase_add_test(tcase, a_queue_that_the_claim_cannot_hold_is_refused);
	tcase_add_test(tcase, every_refusal_is_counted_once_under_its_reason);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
