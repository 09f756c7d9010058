// SPDX-License-Identifier: GPL-2.0-only
/* The table: a flow that waits for a slot is told its owner's id for some packets. */
#include <errno.h>

#include <linux/rcupdate.h>

#include "arfs_internal.h"
#include "rig.h"

#define LIMIT		1000
#define PATIENCE	20

static void begin(void)
{
	rig_begin(LIMIT);
	rig.table->patience = PATIENCE;
}

/* Flow 1 owns slot (3, 7) in the hardware. Returns its id. */
static u16 owned(void)
{
	u16 id = rig_grant(1, 3, 7);

	rig_settle();
	return id;
}

/* The flow asks for a slot and is told this id @times times, and no more. */
static void expect_patience(u32 flow, u16 rxq, u32 flow_id, u16 id, u32 times)
{
	u32 i;

	for (i = 0; i < times; i++)
		unit_require(rig_grant(flow, rxq, flow_id) == id, "flow %u, time %u", flow, i);
	for (i = 0; i < 5; i++)
		rig_refuse(flow, rxq, flow_id, -EBUSY);
}

START_TEST(a_flow_that_waits_is_told_the_owners_id_so_many_times_and_then_no)
{
	expect_patience(2, 3, 7, owned(), PATIENCE);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_BUSY), PATIENCE + 5);
	ck_assert_uint_eq(rig_stats().waiting, 1);
	rig_pass(ARFS_WAIT_MS / 2);
	rig_refuse(2, 3, 7, -EBUSY);
}
END_TEST

START_TEST(a_core_that_asks_again_is_given_the_slot_of_a_flow_it_has_parted_with)
{
	u16 first, second;

	rig_end();
	rig_begin_again(LIMIT);
	first = owned();
	second = rig_grant(2, 3, 7);
	ck_assert_uint_ne(first, second);
	rig_settle();
	ck_assert_uint_eq(rig_stats().waiting, 0);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_COLLIDED), 0);
	rig_expect(1, 3, first);
	rig_expect(2, 3, second);
	/* The owner before moves on, which hands its slot to nobody. */
	ck_assert_uint_eq(rig_grant(1, 4, 7), first);
	rig_settle();
	rig_expect(1, 4, first);
	rig_expect(2, 3, second);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_PASSED), 0);
}
END_TEST

START_TEST(a_new_table_has_the_patience_of_the_policy)
{
	u16 id = owned();

	rig_end();
	rig_begin(LIMIT);
	arfs_table_close(rig.table);
	arfs_table_destroy(rig.table);
	rig.table = arfs_table_create("rig", &rig_ops, &rig, LIMIT);
	arfs_table_open(rig.table);
	id = owned();
	expect_patience(2, 3, 7, id, ARFS_PATIENCE);
}
END_TEST

START_TEST(the_owner_is_not_disturbed)
{
	u16 id = owned();
	u32 i;

	for (i = 0; i < 2 * PATIENCE; i++) {
		rig_steer(2, 3, 7);
		ck_assert_uint_eq(rig_grant(1, 3, 7), id);
	}
	rig_settle();
	rig_expect(1, 3, id);
	rig_expect_none(2);
	ck_assert_uint_eq(rig.attempts, 1);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_HITS), 2 * PATIENCE);
	ck_assert_uint_eq(rig_ids_held(), 1);
	ck_assert_uint_eq(rig_stats().held, 1);
}
END_TEST

START_TEST(each_flow_that_waits_has_its_own_patience)
{
	u16 id = owned();

	ck_assert_uint_eq(rig_grant(3, 3, 7), id);
	expect_patience(2, 3, 7, id, PATIENCE);
	expect_patience(3, 3, 7, id, PATIENCE - 1);
}
END_TEST

START_TEST(an_heir_is_told_the_same_id_throughout)
{
	u16 id = owned();

	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	rig_grant(1, 4, 7);
	/* The slot is its own by now, though it has not been served. */
	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	rig_settle();
	rig_expect(2, 3, id);
	expect_patience(3, 3, 7, id, PATIENCE);
	for (u32 i = 0; i < 3 * PATIENCE; i++)
		ck_assert_uint_eq(rig_grant(2, 3, 7), id);
}
END_TEST

START_TEST(an_heir_whose_patience_is_over_is_told_the_id_once_it_is_served)
{
	u16 id = owned();

	expect_patience(2, 3, 7, id, PATIENCE);
	rig_grant(1, 4, 7);
	rig_settle();
	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	rig_expect(2, 3, id);
}
END_TEST

START_TEST(whoever_waits_on_is_told_the_heirs_id)
{
	u16 id = owned();

	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	ck_assert_uint_eq(rig_grant(3, 3, 7), id);
	rig_grant(1, 4, 7);
	rig_settle();
	rig_expect(2, 3, id);
	expect_patience(3, 3, 7, id, PATIENCE - 1);
}
END_TEST

START_TEST(a_flow_that_moves_to_an_owned_slot_is_told_the_owners_id)
{
	u16 id = owned(), own = rig_grant(2, 4, 8);

	rig_settle();
	rig_expect(2, 4, own);
	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	rig_settle();
	rig_expect_none(2);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_DISPLACED), 1);
	expect_patience(2, 3, 7, id, PATIENCE - 1);
	rig_expect(1, 3, id);
}
END_TEST

START_TEST(patience_begins_anew_for_another_slot)
{
	u16 id = owned(), other = rig_grant(9, 5, 5);

	expect_patience(2, 3, 7, id, PATIENCE);
	expect_patience(2, 5, 5, other, PATIENCE);
	expect_patience(2, 3, 7, id, PATIENCE);
}
END_TEST

START_TEST(patience_begins_anew_when_the_wait_was_forgotten)
{
	u16 id = owned();

	expect_patience(2, 3, 7, id, PATIENCE);
	rig_pass(ARFS_WAIT_MS + 10000);
	ck_assert_uint_eq(rig_stats().waiting, 0);
	expect_patience(2, 3, 7, id, PATIENCE);
}
END_TEST

START_TEST(a_flow_that_finds_the_line_full_is_refused_at_once)
{
	u16 id = owned();
	u32 flow;

	for (flow = 2; flow < 2 + ARFS_LINE_MAX; flow++)
		ck_assert_uint_eq(rig_grant(flow, 3, 7), id);
	rig_refuse(flow, 3, 7, -EBUSY);
	ck_assert_uint_eq(rig_stats().waiting, ARFS_LINE_MAX);
}
END_TEST

START_TEST(an_owner_whose_filter_has_failed_still_has_an_id_to_tell)
{
	u16 id = rig_grant(1, 3, 7);

	rig.fail = 1;
	rig_settle();
	rig_refuse(1, 3, 7, -EIO);
	expect_patience(2, 3, 7, id, PATIENCE);
}
END_TEST

/* As when it inherited the slot, and no id with it, and has not been served. */
START_TEST(an_owner_without_an_id_has_none_to_tell)
{
	struct arfs_flow_key key = rig_key(1);
	struct arfs_flow *owner;
	u16 id = owned();

	rcu_read_lock();
	owner = arfs_flow_find(rig.table, arfs_key_hash(rig.table, &key), &key);
	rcu_read_unlock();
	owner->slot_id = ARFS_NO_ID;
	rig_refuse(2, 3, 7, -EBUSY);
	rig_refuse(2, 3, 7, -EBUSY);
	owner->slot_id = id;
	ck_assert_uint_eq(rig_stats().waiting, 1);
}
END_TEST

START_TEST(the_answers_of_patience_take_no_lock_and_kick_nobody)
{
	struct shim_counts before;
	u16 id = owned();
	u32 kicks, i;

	ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	kicks = rig.kicks;
	before = shim_counts;
	for (i = 1; i < PATIENCE; i++)
		ck_assert_uint_eq(rig_grant(2, 3, 7), id);
	ck_assert_uint_eq(shim_counts.locks, before.locks);
	ck_assert_uint_eq(shim_counts.allocations, before.allocations);
	ck_assert_uint_eq(shim_counts.publications, before.publications);
	ck_assert_uint_eq(shim_counts.atomic_writes, before.atomic_writes + PATIENCE - 1);
	ck_assert_uint_eq(rig.kicks, kicks);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: patience");
	TCase *tcase = tcase_create("patience");

	tcase_add_checked_fixture(tcase, begin, rig_end);
	tcase_add_test(tcase,
		       a_flow_that_waits_is_told_the_owners_id_so_many_times_and_then_no);
	tcase_add_test(tcase,
		       a_core_that_asks_again_is_given_the_slot_of_a_flow_it_has_parted_with);
	tcase_add_test(tcase, a_new_table_has_the_patience_of_the_policy);
	tcase_add_test(tcase, the_owner_is_not_disturbed);
	tcase_add_test(tcase, each_flow_that_waits_has_its_own_patience);
	tcase_add_test(tcase, an_heir_is_told_the_same_id_throughout);
	tcase_add_test(tcase, an_heir_whose_patience_is_over_is_told_the_id_once_it_is_served);
	tcase_add_test(tcase, whoever_waits_on_is_told_the_heirs_id);
	tcase_add_test(tcase,
		       a_flow_that_moves_to_an_owned_slot_is_told_the_owners_id);
	tcase_add_test(tcase, patience_begins_anew_for_another_slot);
	tcase_add_test(tcase, patience_begins_anew_when_the_wait_was_forgotten);
	tcase_add_test(tcase, a_flow_that_finds_the_line_full_is_refused_at_once);
	tcase_add_test(tcase, an_owner_whose_filter_has_failed_still_has_an_id_to_tell);
	tcase_add_test(tcase, an_owner_without_an_id_has_none_to_tell);
	tcase_add_test(tcase, the_answers_of_patience_take_no_lock_and_kick_nobody);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
