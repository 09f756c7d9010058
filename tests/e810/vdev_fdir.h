/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The Flow Director table: exact tuples, two pools of entries, constant cost.
 *
 * Entries come from a guaranteed pool, of which each VSI owns a share, and from a
 * best-effort pool that all VSIs share. Both are sized when the model starts.
 */
#ifndef VDEV_FDIR_H
#define VDEV_FDIR_H

#include "vdev_desc.h"
#include "vdev_tuple.h"

#define VDEV_FDIR_VSIS		768
/* The driver reads 14 bits of guaranteed and 15 bits of best-effort counts. */
#define VDEV_FDIR_MAX_GUARANTEED	16383
#define VDEV_FDIR_MAX_BEST_EFFORT	32767
#define VDEV_FDIR_MAX		(VDEV_FDIR_MAX_GUARANTEED + VDEV_FDIR_MAX_BEST_EFFORT)

/**
 * struct vdev_filter - one entry
 * @tuple: what it matches, as seen on receive
 * @vsi: the VSI whose packets it matches
 * @queue: where they go, relative to the VSI
 * @id: reported in their receive descriptors
 * @counter: statistics counter, used when @count_packets
 * @count_packets: whether matches are counted there
 * @drop: drop the packet
 * @rss_queue: leave the choice of the queue to RSS
 * @guaranteed: which pool it was taken from
 * @used: whether this entry is live
 * @hits: packets matched
 * @next: next entry of the bucket or of the free list, -1 at the end
 */
struct vdev_filter {
	struct vdev_tuple tuple;
	u16 vsi;
	u16 queue;
	u32 id;
	u16 counter;
	bool count_packets;
	bool drop;
	bool rss_queue;
	bool guaranteed;
	bool used;
	u64 hits;
	int next;
};

/**
 * struct vdev_fdir - the table
 * @entries: all entries of both pools
 * @buckets: first entry for each hash, -1 for none
 * @mask: number of buckets less 1
 * @free: first free entry, -1 for none
 * @guaranteed: size of the guaranteed pool
 * @best_effort: size of the best-effort pool
 * @limit: entries that can really be had, 0 for as many as the pools have
 * @used_guaranteed: entries in use
 * @used_best_effort: likewise
 * @vsi_guaranteed: of these, by VSI
 * @vsi_best_effort: likewise
 */
struct vdev_fdir {
	struct vdev_filter *entries;
	int *buckets;
	u32 mask;
	int free;
	u32 guaranteed;
	u32 best_effort;
	u32 limit;
	u32 used_guaranteed;
	u32 used_best_effort;
	u16 vsi_guaranteed[VDEV_FDIR_VSIS];
	u16 vsi_best_effort[VDEV_FDIR_VSIS];
};

/* The last two are faults: a plain failure, a failure for want of a profile. */
enum vdev_fd_outcome {
	VDEV_FD_OK,
	VDEV_FD_FULL,
	VDEV_FD_NOENT,
	VDEV_FD_INJECTED,
	VDEV_FD_PROFILE,
};

/* How much of each pool a VSI may use. */
struct vdev_fd_quota {
	u16 guaranteed;
	u16 best_effort;
};

int vdev_fdir_init(struct vdev_fdir *fdir, u32 capacity);
void vdev_fdir_free(struct vdev_fdir *fdir);
u32 vdev_fdir_clear(struct vdev_fdir *fdir, int vsi);
u32 vdev_fdir_live(const struct vdev_fdir *fdir);
u32 vdev_fdir_capacity(const struct vdev_fdir *fdir);
struct vdev_filter *vdev_fdir_find(struct vdev_fdir *fdir, const struct vdev_tuple *tuple,
				   int vsi);
enum vdev_fd_outcome vdev_fdir_add(struct vdev_fdir *fdir, const struct vdev_tuple *tuple,
				   const struct vdev_tx_filter *desc,
				   const struct vdev_fd_quota *quota);
enum vdev_fd_outcome vdev_fdir_remove(struct vdev_fdir *fdir, const struct vdev_tuple *tuple,
				      u16 vsi);

#endif /* VDEV_FDIR_H */
