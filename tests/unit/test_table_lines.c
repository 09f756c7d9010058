// SPDX-License-Identifier: GPL-2.0-only
/* The table: lines of flows that share a slot. */
#include <errno.h>

#include "arfs_internal.h"
#include "rig.h"

#define LIMIT	1000

static void begin(void)
{
	rig_begin(LIMIT);
}

/* Flow 1 owns slot (3, 7) in the hardware, flows 2 to @last wait for it. Returns the slot's id. */
static u16 line_up(u32 last)
{
	u16 id = rig_grant(1, 3, 7);
	u32 flow;

	for (flow = 2; flow <= last; flow++)
		rig_refuse(flow, 3, 7, -EBUSY);
	rig_settle();
	rig_expect(1, 3, id);
	ck_assert_uint_eq(rig_stats().waiting, last - 1);
	return id;
}

static void expect_heir(u32 heir, u16 id)
{
	rig_settle();
	rig_expect(heir, 3, id);
	ck_assert_uint_eq(rig_grant(heir, 3, 7), id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_PASSED), 1);
}

START_TEST(when_the_owner_moves_the_waiter_gets_the_slot_with_its_id)
{
	u16 id = line_up(2), moved = rig_grant(1, 4, 7);

	ck_assert_uint_ne(moved, id);
	expect_heir(2, id);
	rig_expect(1, 4, moved);
	ck_assert_uint_eq(rig.flows[1].deletes, 0);
	ck_assert_uint_eq(rig_stats().waiting, 0);
}
END_TEST

START_TEST(when_the_owner_expires_the_waiter_gets_the_slot_with_its_id)
{
	u16 id = line_up(2);

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000);
	rig_expect_none(1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_EXPIRED), 1);
	rig.idle[id] = false;
	expect_heir(2, id);
}
END_TEST

START_TEST(when_the_owner_is_displaced_the_waiter_gets_the_slot_with_its_id)
{
	u16 id = line_up(2), other = rig_grant(9, 5, 5);

	rig_refuse(1, 5, 5, -EBUSY);
	expect_heir(2, id);
	rig_expect_none(1);
	rig_expect(9, 5, other);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DISPLACED), 1);
}
END_TEST

START_TEST(when_the_owner_is_abandoned_the_waiter_gets_the_slot_with_its_id)
{
	u16 id = rig_grant(1, 3, 7);

	rig_refuse(2, 3, 7, -EBUSY);
	rig.fail = ARFS_MAX_FAILURES;
	rig_pass(20000);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_ABANDONED), 1);
	rig_expect_none(1);
	expect_heir(2, id);
}
END_TEST

START_TEST(the_line_is_served_in_the_order_of_arrival)
{
	u16 id = line_up(5);
	u32 heir;

	for (heir = 2; heir <= 5; heir++) {
		rig_grant(heir - 1, 100 + heir, 7);
		rig_settle();
		rig_expect(heir, 3, id);
		ck_assert_uint_eq(rig_stats().waiting, 5 - heir);
	}
}
END_TEST

START_TEST(a_waiter_that_asks_for_another_slot_has_left_the_line)
{
	u16 id = line_up(3), own = rig_grant(2, 6, 6);

	rig_settle();
	rig_expect(2, 6, own);
	rig_grant(1, 4, 7);
	expect_heir(3, id);
}
END_TEST

START_TEST(asking_again_does_not_cost_a_waiter_its_place)
{
	u16 id = line_up(3);

	rig_refuse(3, 3, 7, -EBUSY);
	rig_refuse(2, 3, 7, -EBUSY);
	/* Each of the two collided once. */
	ck_assert_uint_eq(rig_count(ARFS_COUNT_COLLIDED), 2);
	rig_grant(1, 4, 7);
	expect_heir(2, id);
}
END_TEST

START_TEST(a_full_line_refuses_and_remembers_nothing)
{
	unsigned long allocated;

	line_up(1 + ARFS_LINE_MAX);
	allocated = shim_allocated();
	rig_refuse(50, 3, 7, -EBUSY);
	rig_refuse(51, 3, 7, -EBUSY);
	ck_assert_uint_eq(shim_allocated(), allocated);
	ck_assert_uint_eq(rig_stats().flows, 1 + ARFS_LINE_MAX);
	ck_assert_uint_eq(rig_stats().waiting, ARFS_LINE_MAX);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_COLLIDED), ARFS_LINE_MAX);
	rig_check();
}
END_TEST

START_TEST(waiting_costs_no_hardware_write)
{
	line_up(8);
	rig_pass(30000);
	ck_assert_uint_eq(rig.attempts, 1);
}
END_TEST

START_TEST(a_flow_that_waited_too_long_is_forgotten_and_may_ask_anew)
{
	line_up(2);
	rig_pass(ARFS_WAIT_MS - 1000);
	ck_assert_uint_eq(rig_stats().waiting, 1);
	rig_pass(10000);
	ck_assert_uint_eq(rig_stats().waiting, 0);
	ck_assert_uint_eq(rig_stats().flows, 1);
	rig_refuse(2, 3, 7, -EBUSY);
	ck_assert_uint_eq(rig_stats().waiting, 1);
}
END_TEST

/* The core may have let the flow's filter go shortly before the flow moved. */
START_TEST(time_as_an_idle_owner_is_no_time_of_waiting)
{
	u16 id;

	rig_grant(1, 3, 7);
	id = rig_grant(2, 4, 7);
	rig_settle();
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS - 1000);
	rig_refuse(2, 3, 7, -EBUSY);
	rig_pass(ARFS_WAIT_MS - 500);
	ck_assert_uint_eq(rig_stats().waiting, 1);
}
END_TEST

START_TEST(a_refused_move_deletes_the_filter_that_pointed_at_the_old_queue)
{
	line_up(1);
	rig_grant(2, 5, 5);
	rig_settle();
	rig_refuse(1, 5, 5, -EBUSY);
	rig_settle();
	rig_expect_none(1);
	ck_assert_uint_eq(rig.flows[1].deletes, 1);
	ck_assert_uint_eq(rig_stats().waiting, 1);
}
END_TEST

START_TEST(a_refused_flow_gets_the_slot_it_moved_to_once_that_is_free)
{
	u16 id;

	line_up(1);
	id = rig_grant(2, 5, 5);
	rig_refuse(1, 5, 5, -EBUSY);
	rig_settle();
	rig_grant(2, 6, 6);
	rig_settle();
	rig_expect(1, 5, id);
}
END_TEST

START_TEST(the_heir_is_written_after_its_predecessor_has_left_the_hardware)
{
	u16 id = line_up(2);

	/* The predecessor's deletion fails twice; rig.c fails when two filters have one id. */
	rig.idle[id] = true;
	rig.fail = 2;
	rig.fail_only = ARFS_WRITE_DELETE;
	rig_pass(ARFS_GRACE_MS + 1000);
	rig.idle[id] = false;
	rig_pass(1000);
	rig_expect_none(1);
	rig_expect(2, 3, id);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_FAILED), 2);
}
END_TEST

START_TEST(the_core_is_asked_about_the_heir_by_slot_and_inherited_id)
{
	u16 id = line_up(2);

	rig_grant(1, 4, 7);
	rig_settle();
	rig_pass(1000);
	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000);
	rig_expect_none(2);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_EXPIRED), 1);
	ck_assert(rig.flows[1].present);
}
END_TEST

START_TEST(an_inherited_id_is_not_given_to_a_third_flow)
{
	u16 id = line_up(2);
	u32 flow;

	rig_grant(1, 4, 7);
	rig_settle();
	for (flow = 100; flow < 100 + LIMIT - 2; flow++)
		ck_assert_uint_ne(rig_grant(flow, 9, flow), id);
	rig_settle();
}
END_TEST

START_TEST(a_slot_without_a_line_is_free_for_anyone_once_its_owner_is_gone)
{
	u16 id = line_up(1);

	rig.idle[id] = true;
	rig_pass(ARFS_GRACE_MS + 1000);
	ck_assert_uint_eq(rig_stats().flows, 0);
	id = rig_grant(2, 3, 7);
	rig_settle();
	rig_expect(2, 3, id);
}
END_TEST

START_TEST(an_heir_for_whom_there_is_no_room_gives_the_slot_up)
{
	u16 id;

	line_up(2);
	rig_grant(1, 4, 7);
	arfs_table_set_limit(rig.table, 1);
	rig_settle();
	rig_expect_none(2);
	ck_assert_uint_eq(rig_stats().waiting, 0);
	arfs_table_set_limit(rig.table, LIMIT);
	id = rig_grant(2, 3, 7);
	rig_settle();
	rig_expect(2, 3, id);
}
END_TEST

START_TEST(an_heir_that_moves_before_it_is_served_passes_the_slot_on)
{
	u16 id = line_up(3), own;

	rig_grant(1, 4, 7);
	own = rig_grant(2, 5, 7);
	rig_settle();
	rig_expect(2, 5, own);
	rig_expect(3, 3, id);
	ck_assert_uint_ne(own, id);
}
END_TEST

START_TEST(slots_of_one_hash_have_lines_of_their_own)
{
	u16 a, b;

	shim_hash_collide(true);
	a = rig_grant(1, 3, 7);
	b = rig_grant(2, 3, 8);
	rig_refuse(12, 3, 8, -EBUSY);
	rig_refuse(11, 3, 7, -EBUSY);
	rig_settle();
	rig_grant(2, 4, 8);
	rig_settle();
	rig_expect(12, 3, b);
	rig_expect_none(11);
	rig_grant(1, 4, 7);
	rig_settle();
	rig_expect(11, 3, a);
}
END_TEST

/* The slot comes back to its first owner while the hardware still has the first filter. */
START_TEST(an_id_that_comes_back_to_its_first_owner_is_held_once)
{
	u16 id = line_up(2);

	rig_grant(1, 4, 7);
	rig_refuse(1, 3, 7, -EBUSY);
	rig_grant(2, 5, 7);
	rig_settle();
	rig_expect(1, 3, id);
}
END_TEST

/* Two flows, each inheriting the id that the other still has in the hardware. */
START_TEST(two_flows_that_swap_slots_get_both)
{
	rig_grant(1, 3, 7);
	rig_grant(2, 4, 7);
	rig_refuse(3, 3, 7, -EBUSY);
	rig_settle();

	rig_refuse(1, 4, 7, -EBUSY);
	rig_refuse(2, 3, 7, -EBUSY);
	rig_grant(3, 5, 7);
	rig_pass(1000);
	ck_assert_uint_eq(rig_stats().waiting, 0);
	ck_assert(rig.flows[1].present);
	ck_assert_uint_eq(rig.flows[1].target.rxq, 4);
	ck_assert(rig.flows[2].present);
	ck_assert_uint_eq(rig.flows[2].target.rxq, 3);
	ck_assert_uint_eq(rig_grant(1, 4, 7), rig.flows[1].target.id);
	ck_assert_uint_eq(rig_grant(2, 3, 7), rig.flows[2].target.id);
}
END_TEST

static void add_handing_on(TCase *tcase)
{
	tcase_add_test(tcase, when_the_owner_moves_the_waiter_gets_the_slot_with_its_id);
	tcase_add_test(tcase, when_the_owner_expires_the_waiter_gets_the_slot_with_its_id);
	tcase_add_test(tcase, when_the_owner_is_displaced_the_waiter_gets_the_slot_with_its_id);
	tcase_add_test(tcase, when_the_owner_is_abandoned_the_waiter_gets_the_slot_with_its_id);
	tcase_add_test(tcase, the_line_is_served_in_the_order_of_arrival);
	tcase_add_test(tcase, the_heir_is_written_after_its_predecessor_has_left_the_hardware);
	tcase_add_test(tcase, the_core_is_asked_about_the_heir_by_slot_and_inherited_id);
	tcase_add_test(tcase, an_inherited_id_is_not_given_to_a_third_flow);
	tcase_add_test(tcase, an_heir_for_whom_there_is_no_room_gives_the_slot_up);
	tcase_add_test(tcase, an_heir_that_moves_before_it_is_served_passes_the_slot_on);
	tcase_add_test(tcase, an_id_that_comes_back_to_its_first_owner_is_held_once);
	tcase_add_test(tcase, two_flows_that_swap_slots_get_both);
}

static void add_waiting(TCase *tcase)
{
	tcase_add_test(tcase, a_waiter_that_asks_for_another_slot_has_left_the_line);
	tcase_add_test(tcase, asking_again_does_not_cost_a_waiter_its_place);
	tcase_add_test(tcase, a_full_line_refuses_and_remembers_nothing);
	tcase_add_test(tcase, waiting_costs_no_hardware_write);
	tcase_add_test(tcase, a_flow_that_waited_too_long_is_forgotten_and_may_ask_anew);
	tcase_add_test(tcase, time_as_an_idle_owner_is_no_time_of_waiting);
	tcase_add_test(tcase, a_refused_move_deletes_the_filter_that_pointed_at_the_old_queue);
	tcase_add_test(tcase, a_refused_flow_gets_the_slot_it_moved_to_once_that_is_free);
	tcase_add_test(tcase, a_slot_without_a_line_is_free_for_anyone_once_its_owner_is_gone);
	tcase_add_test(tcase, slots_of_one_hash_have_lines_of_their_own);
}

int main(void)
{
	Suite *suite = suite_create("table: lines");
	TCase *handing_on = tcase_create("handing on");
	TCase *waiting = tcase_create("waiting");

	tcase_add_checked_fixture(handing_on, begin, rig_end);
	add_handing_on(handing_on);
	suite_add_tcase(suite, handing_on);

	tcase_add_checked_fixture(waiting, begin, rig_end);
	add_waiting(waiting);
	suite_add_tcase(suite, waiting);
	return unit_run(suite);
}
