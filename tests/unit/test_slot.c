// SPDX-License-Identifier: GPL-2.0-only
/* arfs_slot.h: who gets a slot, and the word in which a flow publishes its claim. */
#include "arfs_slot.h"
#include "unit.h"

START_TEST(a_free_slot_is_taken)
{
	ck_assert_int_eq(arfs_slot_decide(ARFS_INCUMBENT_NONE), ARFS_SLOT_TAKE);
}
END_TEST

START_TEST(the_owner_keeps_its_slot)
{
	ck_assert_int_eq(arfs_slot_decide(ARFS_INCUMBENT_SELF), ARFS_SLOT_KEEP);
}
END_TEST

START_TEST(an_owner_is_never_displaced_by_another_flow)
{
	ck_assert_int_eq(arfs_slot_decide(ARFS_INCUMBENT_OTHER), ARFS_SLOT_REFUSE);
}
END_TEST

START_TEST(an_unknown_incumbent_is_left_alone)
{
	ck_assert_int_eq(arfs_slot_decide((enum arfs_incumbent)99), ARFS_SLOT_REFUSE);
}
END_TEST

START_TEST(slots_are_equal_only_in_both_parts)
{
	struct arfs_slot slot = { .flow_id = 7, .rxq = 3 };

	ck_assert(arfs_slot_equal(slot, (struct arfs_slot) { .flow_id = 7, .rxq = 3 }));
	ck_assert(!arfs_slot_equal(slot, (struct arfs_slot) { .flow_id = 7, .rxq = 4 }));
	ck_assert(!arfs_slot_equal(slot, (struct arfs_slot) { .flow_id = 8, .rxq = 3 }));
	ck_assert(!arfs_slot_equal(slot, (struct arfs_slot) { .flow_id = 3, .rxq = 7 }));
}
END_TEST

static const u32 flow_ids[] = { 0, 1, 63, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff };
static const u16 rxqs[] = { 0, 1, 2047, ARFS_RXQ_MAX - 1, ARFS_RXQ_MAX };
static const u16 ids[] = { 0, 1, 0x7fff, 0x8000, 0xfffe, 0xffff };
static const enum arfs_standing standings[] = {
	ARFS_STANDING_NONE, ARFS_STANDING_GRANTED, ARFS_STANDING_WAITING, ARFS_STANDING_FAILED,
};

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

START_TEST(a_claim_gives_back_what_was_packed_at_every_extreme)
{
	unsigned int rxq, id, standing;
	struct arfs_slot slot, seen;
	u64 claim;

	slot.flow_id = flow_ids[_i];
	for (rxq = 0; rxq < COUNT(rxqs); rxq++)
		for (id = 0; id < COUNT(ids); id++)
			for (standing = 0; standing < COUNT(standings); standing++) {
				slot.rxq = rxqs[rxq];
				claim = arfs_claim_pack(slot, ids[id], standings[standing]);
				seen = arfs_claim_slot(claim);
				ck_assert_uint_eq(seen.flow_id, slot.flow_id);
				ck_assert_uint_eq(seen.rxq, slot.rxq);
				ck_assert_uint_eq(arfs_claim_id(claim), ids[id]);
				ck_assert_int_eq(arfs_claim_standing(claim), standings[standing]);
			}
}
END_TEST

START_TEST(the_fields_of_a_claim_do_not_overlap)
{
	const struct arfs_slot none = { 0 };
	u64 flow_id = arfs_claim_pack((struct arfs_slot) { .flow_id = ~0U }, 0, 0);
	u64 rxq = arfs_claim_pack((struct arfs_slot) { .rxq = ARFS_RXQ_MAX }, 0, 0);
	u64 standing = arfs_claim_pack(none, 0, (1U << ARFS_CLAIM_STANDING_BITS) - 1);
	u64 id = arfs_claim_pack(none, 0xffff, 0);

	ck_assert_uint_eq(flow_id ^ rxq ^ standing ^ id, ~0ULL);
	ck_assert_uint_eq(flow_id | rxq | standing | id, ~0ULL);
	ck_assert_uint_eq(flow_id + rxq + standing + id, ~0ULL);
}
END_TEST

START_TEST(every_standing_fits_its_field)
{
	ck_assert_uint_lt(ARFS_STANDING_FAILED, 1U << ARFS_CLAIM_STANDING_BITS);
}
END_TEST

START_TEST(an_empty_claim_says_nothing_is_published)
{
	ck_assert_int_eq(arfs_claim_standing(0), ARFS_STANDING_NONE);
}
END_TEST

START_TEST(every_rx_queue_of_the_device_fits)
{
	/* 2,048 rx queues: E810 datasheet, LAN Rx queues. */
	ck_assert_uint_ge(ARFS_RXQ_MAX, 2048 - 1);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("slot");
	TCase *owner = tcase_create("ownership");
	TCase *claim = tcase_create("claim");

	tcase_add_test(owner, a_free_slot_is_taken);
	tcase_add_test(owner, the_owner_keeps_its_slot);
	tcase_add_test(owner, an_owner_is_never_displaced_by_another_flow);
	tcase_add_test(owner, an_unknown_incumbent_is_left_alone);
	tcase_add_test(owner, slots_are_equal_only_in_both_parts);
	suite_add_tcase(suite, owner);

	tcase_add_loop_test(claim, a_claim_gives_back_what_was_packed_at_every_extreme, 0,
			    COUNT(flow_ids));
	tcase_add_test(claim, the_fields_of_a_claim_do_not_overlap);
	tcase_add_test(claim, every_standing_fits_its_field);
	tcase_add_test(claim, an_empty_claim_says_nothing_is_published);
	tcase_add_test(claim, every_rx_queue_of_the_device_fits);
	suite_add_tcase(suite, claim);
	return unit_run(suite);
}
