/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Slot ownership and the word in which a flow publishes it.
 *
 * A slot is one entry of the core's per-queue flow table: (rx queue, flow_id). The core keeps one
 * filter id in it, so two flows that share a slot cannot both be known to it. Up to 6.12 it lets
 * them overwrite each other; here the first keeps the slot as long as it uses it, and the others
 * wait in line for it.
 *
 * Pure: no locks, no allocation, no globals. Compiled into the driver and into the unit tests.
 */
#ifndef ARFS_SLOT_H
#define ARFS_SLOT_H

#include <linux/types.h>
#include <linux/bits.h>
#include <linux/build_bug.h>

/**
 * struct arfs_slot - one entry of the core's flow tables
 * @flow_id: index in the table of @rxq
 * @rxq: rx queue whose table it is
 */
struct arfs_slot {
	u32 flow_id;
	u16 rxq;
};

/* E810 has 2,048 rx queues (datasheet, LAN Rx queues); the published word has 12 bits for one. */
#define ARFS_RXQ_BITS	12
#define ARFS_RXQ_MAX	((1U << ARFS_RXQ_BITS) - 1)

/**
 * arfs_slot_equal() - are these the same slot?
 * @a: one slot
 * @b: the other
 *
 * Context: any.
 */
static inline bool arfs_slot_equal(struct arfs_slot a, struct arfs_slot b)
{
	return a.flow_id == b.flow_id && a.rxq == b.rxq;
}

/**
 * enum arfs_incumbent - what holds a slot that a flow asks for
 * @ARFS_INCUMBENT_NONE: nobody
 * @ARFS_INCUMBENT_SELF: the asking flow itself
 * @ARFS_INCUMBENT_OTHER: another flow
 */
enum arfs_incumbent {
	ARFS_INCUMBENT_NONE,
	ARFS_INCUMBENT_SELF,
	ARFS_INCUMBENT_OTHER,
};

/**
 * enum arfs_slot_verdict - outcome of asking for a slot
 * @ARFS_SLOT_TAKE: it was free, the asker has it now
 * @ARFS_SLOT_KEEP: the asker had it already
 * @ARFS_SLOT_REFUSE: the incumbent keeps it; the asker may wait
 */
enum arfs_slot_verdict {
	ARFS_SLOT_TAKE,
	ARFS_SLOT_KEEP,
	ARFS_SLOT_REFUSE,
};

/**
 * arfs_slot_decide() - who gets a slot?
 * @incumbent: what holds it
 *
 * Context: any.
 * Return: the verdict for the asker.
 */
static inline enum arfs_slot_verdict arfs_slot_decide(enum arfs_incumbent incumbent)
{
	switch (incumbent) {
	case ARFS_INCUMBENT_NONE:
		return ARFS_SLOT_TAKE;
	case ARFS_INCUMBENT_SELF:
		return ARFS_SLOT_KEEP;
	case ARFS_INCUMBENT_OTHER:
		break;
	}
	return ARFS_SLOT_REFUSE;
}

/**
 * enum arfs_standing - what a flow that asks again for the same slot is told
 * @ARFS_STANDING_NONE: nothing is published; the slow path decides
 * @ARFS_STANDING_GRANTED: the filter id
 * @ARFS_STANDING_WAITING: another flow owns the slot
 * @ARFS_STANDING_FAILED: the hardware refused the filter, a retry is due
 * @ARFS_STANDING_BARRED: the tuple belongs to a rule of the user; holds for every slot
 */
enum arfs_standing {
	ARFS_STANDING_NONE,
	ARFS_STANDING_GRANTED,
	ARFS_STANDING_WAITING,
	ARFS_STANDING_FAILED,
	ARFS_STANDING_BARRED,
};

/*
 * A flow publishes its slot, filter id and standing in one 64-bit word, so that a reader without a
 * lock sees all of them from one moment:
 *
 *	63        32 31      20 19  16 15         0
 *	[ flow_id  ] [  rxq   ] [ st ] [ filter id ]
 */
#define ARFS_CLAIM_ID_BITS		16
#define ARFS_CLAIM_STANDING_BITS	4
#define ARFS_CLAIM_STANDING_SHIFT	ARFS_CLAIM_ID_BITS
#define ARFS_CLAIM_RXQ_SHIFT		(ARFS_CLAIM_STANDING_SHIFT + ARFS_CLAIM_STANDING_BITS)
#define ARFS_CLAIM_FLOW_ID_SHIFT	(ARFS_CLAIM_RXQ_SHIFT + ARFS_RXQ_BITS)
static_assert(ARFS_CLAIM_FLOW_ID_SHIFT == 32, "flow_id has the upper half of the word");

/**
 * arfs_claim_pack() - the word for a slot, filter id and standing
 * @slot: slot of the flow; its rxq is at most ARFS_RXQ_MAX
 * @id: filter id, or 0 where the standing has none
 * @standing: what the flow is to be told
 *
 * Context: any.
 */
static inline u64 arfs_claim_pack(struct arfs_slot slot, u16 id, enum arfs_standing standing)
{
	return (u64)slot.flow_id << ARFS_CLAIM_FLOW_ID_SHIFT |
	       (u64)slot.rxq << ARFS_CLAIM_RXQ_SHIFT |
	       (u64)standing << ARFS_CLAIM_STANDING_SHIFT | id;
}

/** arfs_claim_slot() - the slot in a claim word; any context. */
static inline struct arfs_slot arfs_claim_slot(u64 claim)
{
	return (struct arfs_slot) {
		.flow_id = claim >> ARFS_CLAIM_FLOW_ID_SHIFT,
		.rxq = claim >> ARFS_CLAIM_RXQ_SHIFT & ARFS_RXQ_MAX,
	};
}

/** arfs_claim_id() - the filter id in a claim word; any context. */
static inline u16 arfs_claim_id(u64 claim)
{
	return claim & GENMASK(ARFS_CLAIM_ID_BITS - 1, 0);
}

/** arfs_claim_standing() - the standing in a claim word; any context. */
static inline enum arfs_standing arfs_claim_standing(u64 claim)
{
	return claim >> ARFS_CLAIM_STANDING_SHIFT & GENMASK(ARFS_CLAIM_STANDING_BITS - 1, 0);
}

#endif /* ARFS_SLOT_H */
