/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Filter ids: unique among those held, and rested before they are used again.
 *
 * The core may keep an id in a slot long after the filter has gone. Freed ids queue up: the one
 * that was freed first is used first, and the last ARFS_IDS_REST are never used: an id comes
 * back only after at least that many others were freed.
 *
 * An id can have several holders: when a slot passes to a waiting flow, the id in the core's slot
 * passes with it, while the flow that had it still waits for its deletion.
 *
 * Pure: no locks, no allocation, no globals. Compiled into the driver and into the unit tests.
 */
#ifndef ARFS_IDS_H
#define ARFS_IDS_H

#include <linux/types.h>

#include "arfs_filter.h"

/* Ids are 0 .. ARFS_NO_ID - 1. */
#define ARFS_IDS	ARFS_NO_ID
#define ARFS_IDS_REST	1024

/* Holders of one id are counted in 16 bits. */
#define ARFS_ID_HOLDERS_MAX	0xffff

/**
 * struct arfs_ids - all filter ids of one table
 * @holders: how many filters hold each id
 * @free: ring of the ids that nobody holds, oldest first
 * @first: index in @free of the oldest
 * @free_count: number of ids in @free
 */
struct arfs_ids {
	u16 holders[ARFS_IDS];
	u16 free[ARFS_IDS];
	u32 first;
	u32 free_count;
};

/** arfs_ids_init() - nobody holds any id; any context, the caller serialises all calls. */
static inline void arfs_ids_init(struct arfs_ids *ids)
{
	u32 id;

	for (id = 0; id < ARFS_IDS; id++) {
		ids->holders[id] = 0;
		ids->free[id] = id;
	}
	ids->first = 0;
	ids->free_count = ARFS_IDS;
}

/**
 * arfs_ids_take() - hold an id that nobody holds
 * @ids: the ids; the caller serialises all calls
 *
 * Context: any.
 * Return: the id, or ARFS_NO_ID when all that are free still have to rest.
 */
static inline u16 arfs_ids_take(struct arfs_ids *ids)
{
	u16 id;

	if (ids->free_count <= ARFS_IDS_REST)
		return ARFS_NO_ID;
	id = ids->free[ids->first];
	ids->first = (ids->first + 1) % ARFS_IDS;
	ids->free_count--;
	ids->holders[id] = 1;
	return id;
}

/**
 * arfs_ids_share() - one holder more for an id that is held
 * @ids: the ids; the caller serialises all calls
 * @id: an id with at least one holder
 *
 * Context: any.
 * Return: false when the id has no holder or too many, and nothing was changed.
 */
static inline bool arfs_ids_share(struct arfs_ids *ids, u16 id)
{
	if (id >= ARFS_IDS || !ids->holders[id] || ids->holders[id] == ARFS_ID_HOLDERS_MAX)
		return false;
	ids->holders[id]++;
	return true;
}

/**
 * arfs_ids_drop() - one holder less
 * @ids: the ids; the caller serialises all calls
 * @id: an id with at least one holder
 *
 * Context: any.
 * Return: false when the id has no holder, which is a fault of the caller.
 */
static inline bool arfs_ids_drop(struct arfs_ids *ids, u16 id)
{
	if (id >= ARFS_IDS || !ids->holders[id])
		return false;
	if (--ids->holders[id])
		return true;
	ids->free[(ids->first + ids->free_count) % ARFS_IDS] = id;
	ids->free_count++;
	return true;
}

/** arfs_ids_holders() - how many hold the id?; any context, the caller serialises all calls. */
static inline u32 arfs_ids_holders(const struct arfs_ids *ids, u16 id)
{
	return id < ARFS_IDS ? ids->holders[id] : 0;
}

#endif /* ARFS_IDS_H */
