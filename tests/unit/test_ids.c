// SPDX-License-Identifier: GPL-2.0-only
/* arfs_ids.h: filter ids, unique, shared and rested. */
#include <stdlib.h>

#include "arfs_ids.h"
#include "unit.h"

/* What is promised: an id rests until so many others were freed, and the others can be held. */
#define REST		1024
#define HOLDABLE	(ARFS_IDS - REST)

static struct arfs_ids ids;

static void setup(void)
{
	arfs_ids_init(&ids);
}

/* Take until none is left; return how many were. */
static u32 take_all(u16 *taken)
{
	u32 count = 0;
	u16 id;

	while ((id = arfs_ids_take(&ids)) != ARFS_NO_ID) {
		if (taken)
			taken[count] = id;
		count++;
	}
	return count;
}

START_TEST(ids_are_unique_among_those_held)
{
	static bool held[ARFS_IDS];
	u16 id;

	while ((id = arfs_ids_take(&ids)) != ARFS_NO_ID) {
		unit_require(id < ARFS_IDS, "id %u", id);
		unit_require(!held[id], "id %u: expected once, seen twice", id);
		held[id] = true;
		unit_require(arfs_ids_holders(&ids, id) == 1, "id %u", id);
	}
}
END_TEST

START_TEST(exhaustion_is_reported_and_ends_with_a_drop)
{
	ck_assert_uint_eq(take_all(NULL), HOLDABLE);
	ck_assert_uint_eq(arfs_ids_take(&ids), ARFS_NO_ID);
	ck_assert_uint_eq(arfs_ids_take(&ids), ARFS_NO_ID);
	ck_assert(arfs_ids_drop(&ids, 0));
	ck_assert_uint_ne(arfs_ids_take(&ids), ARFS_NO_ID);
	ck_assert_uint_eq(arfs_ids_take(&ids), ARFS_NO_ID);
}
END_TEST

START_TEST(a_freed_id_rests_even_when_ids_are_scarce)
{
	static u16 taken[ARFS_IDS];
	u32 others;
	u16 id;

	take_all(taken);
	ck_assert(arfs_ids_drop(&ids, taken[100]));
	for (others = 0; others <= REST; others++) {
		id = arfs_ids_take(&ids);
		ck_assert_uint_ne(id, ARFS_NO_ID);
		if (id == taken[100])
			break;
		ck_assert(arfs_ids_drop(&ids, id));
	}
	ck_assert_msg(others >= REST,
		      "id came back after %u others were freed, expected at least %u", others,
		      REST);
	ck_assert_msg(others <= REST, "id never came back");
}
END_TEST

/* The same, for any order of takes, shares and drops. */
START_TEST(no_id_comes_back_before_others_have_been_freed)
{
	static u32 freed_at[ARFS_IDS], holders[ARFS_IDS];
	static u16 held[2 * ARFS_IDS];
	u32 held_count = 0, frees = 0, takes = 0, step, pick;
	u64 random = _i + 1;
	u16 id;

	for (step = 0; step < 400000; step++) {
		/* Two phases: mostly take until scarce, then around the edge. */
		if (unit_random(&random) % 16 < (step < 150000 ? 11 : 8)) {
			id = arfs_ids_take(&ids);
			if (id == ARFS_NO_ID)
				continue;
			takes++;
			unit_require(!holders[id], "id %u, %u holders", id, holders[id]);
			unit_require(!freed_at[id] || frees - freed_at[id] >= REST,
				      "id %u came back after %u frees, expected at least %u", id,
				      frees - freed_at[id], REST);
			holders[id] = 1;
			held[held_count++] = id;
		} else if (held_count) {
			pick = unit_random(&random) % held_count;
			id = held[pick];
			if (unit_random(&random) % 4 == 0 && held_count < ARFS_IDS) {
				unit_require(arfs_ids_share(&ids, id), "id %u", id);
				holders[id]++;
				held[held_count++] = id;
				continue;
			}
			unit_require(arfs_ids_drop(&ids, id), "id %u", id);
			held[pick] = held[--held_count];
			if (!--holders[id])
				freed_at[id] = ++frees;
		}
	}
	ck_assert_uint_gt(takes, HOLDABLE);
	for (step = 0; step < ARFS_IDS; step++)
		unit_require(arfs_ids_holders(&ids, step) == holders[step],
			     "id %u: expected %u holders, seen %u", step, holders[step],
			     arfs_ids_holders(&ids, step));
}
END_TEST

START_TEST(a_shared_id_is_free_only_after_its_last_holder)
{
	u16 id = arfs_ids_take(&ids);
	u32 free_count = ids.free_count;

	ck_assert(arfs_ids_share(&ids, id));
	ck_assert(arfs_ids_share(&ids, id));
	ck_assert_uint_eq(arfs_ids_holders(&ids, id), 3);
	ck_assert(arfs_ids_drop(&ids, id));
	ck_assert(arfs_ids_drop(&ids, id));
	ck_assert_uint_eq(arfs_ids_holders(&ids, id), 1);
	ck_assert_uint_eq(ids.free_count, free_count);
	ck_assert(arfs_ids_drop(&ids, id));
	ck_assert_uint_eq(arfs_ids_holders(&ids, id), 0);
	ck_assert_uint_eq(ids.free_count, free_count + 1);
}
END_TEST

START_TEST(an_id_that_nobody_holds_cannot_be_shared_or_dropped)
{
	u32 free_count = ids.free_count;

	ck_assert(!arfs_ids_share(&ids, 5));
	ck_assert(!arfs_ids_drop(&ids, 5));
	ck_assert(!arfs_ids_share(&ids, ARFS_NO_ID));
	ck_assert(!arfs_ids_drop(&ids, ARFS_NO_ID));
	ck_assert_uint_eq(arfs_ids_holders(&ids, ARFS_NO_ID), 0);
	ck_assert_uint_eq(ids.free_count, free_count);
}
END_TEST

START_TEST(a_second_drop_does_not_free_an_id_twice)
{
	u16 id = arfs_ids_take(&ids);
	u32 free_count;

	ck_assert(arfs_ids_drop(&ids, id));
	free_count = ids.free_count;
	ck_assert(!arfs_ids_drop(&ids, id));
	ck_assert_uint_eq(ids.free_count, free_count);
}
END_TEST

START_TEST(the_count_of_holders_does_not_overflow)
{
	u16 id = arfs_ids_take(&ids);
	u32 holders;

	for (holders = 1; holders < ARFS_ID_HOLDERS_MAX; holders++)
		unit_require(arfs_ids_share(&ids, id), "%u holders", holders);
	ck_assert(!arfs_ids_share(&ids, id));
	ck_assert_uint_eq(arfs_ids_holders(&ids, id), ARFS_ID_HOLDERS_MAX);
	for (; holders; holders--)
		unit_require(arfs_ids_drop(&ids, id), "%u holders", holders);
	ck_assert(!arfs_ids_drop(&ids, id));
}
END_TEST

START_TEST(all_ids_can_be_taken_again_after_all_were_dropped)
{
	static u16 taken[ARFS_IDS];
	u32 round, count, i;

	for (round = 0; round < 5; round++) {
		count = take_all(taken);
		ck_assert_uint_eq(count, HOLDABLE);
		for (i = 0; i < count; i++)
			unit_require(arfs_ids_drop(&ids, taken[i]), "id %u", taken[i]);
		ck_assert_uint_eq(ids.free_count, ARFS_IDS);
	}
}
END_TEST

START_TEST(the_cores_no_filter_is_no_id)
{
	ck_assert_uint_eq(ARFS_NO_ID, 0xffff);
	ck_assert_uint_le(ARFS_IDS, 0xffff);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ids");
	TCase *tcase = tcase_create("ids");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, ids_are_unique_among_those_held);
	tcase_add_test(tcase, exhaustion_is_reported_and_ends_with_a_drop);
	tcase_add_test(tcase, a_freed_id_rests_even_when_ids_are_scarce);
	tcase_add_loop_test(tcase, no_id_comes_back_before_others_have_been_freed, 0, 4);
	tcase_add_test(tcase, a_shared_id_is_free_only_after_its_last_holder);
	tcase_add_test(tcase, an_id_that_nobody_holds_cannot_be_shared_or_dropped);
	tcase_add_test(tcase, a_second_drop_does_not_free_an_id_twice);
	tcase_add_test(tcase, the_count_of_holders_does_not_overflow);
	tcase_add_test(tcase, all_ids_can_be_taken_again_after_all_were_dropped);
	tcase_add_test(tcase, the_cores_no_filter_is_no_id);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
