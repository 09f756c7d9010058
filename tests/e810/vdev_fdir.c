// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_fdir.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * vdev_fdir_init - make an empty table
 * @fdir: the table
 * @capacity: entries in both pools together, 2 to VDEV_FDIR_MAX
 *
 * The driver wants entries in both pools, so they are split in halves as far as the
 * registers that report them allow.
 *
 * Return: 0 or a negative errno.
 */
int vdev_fdir_init(struct vdev_fdir *fdir, u32 capacity)
{
	u32 buckets = 1;

	if (capacity < 2 || capacity > VDEV_FDIR_MAX)
		return -EINVAL;
	memset(fdir, 0, sizeof(*fdir));
	while (buckets < capacity)
		buckets *= 2;
	fdir->entries = calloc(capacity, sizeof(*fdir->entries));
	fdir->buckets = calloc(buckets, sizeof(*fdir->buckets));
	if (!fdir->entries || !fdir->buckets) {
		vdev_fdir_free(fdir);
		return -ENOMEM;
	}
	fdir->mask = buckets - 1;
	fdir->guaranteed = capacity / 2;
	if (fdir->guaranteed > VDEV_FDIR_MAX_GUARANTEED)
		fdir->guaranteed = VDEV_FDIR_MAX_GUARANTEED;
	fdir->best_effort = capacity - fdir->guaranteed;
	vdev_fdir_clear(fdir, -1);
	return 0;
}

void vdev_fdir_free(struct vdev_fdir *fdir)
{
	free(fdir->entries);
	free(fdir->buckets);
	memset(fdir, 0, sizeof(*fdir));
}

u32 vdev_fdir_capacity(const struct vdev_fdir *fdir)
{
	return fdir->guaranteed + fdir->best_effort;
}

u32 vdev_fdir_live(const struct vdev_fdir *fdir)
{
	return fdir->used_guaranteed + fdir->used_best_effort;
}

static int *bucket_of(struct vdev_fdir *fdir, const struct vdev_tuple *tuple)
{
	return &fdir->buckets[vdev_tuple_hash(tuple) & fdir->mask];
}

/* The link that leads to the entry, NULL when there is none. */
static int *find_link(struct vdev_fdir *fdir, const struct vdev_tuple *tuple, int vsi)
{
	int *link;

	for (link = bucket_of(fdir, tuple); *link >= 0; link = &fdir->entries[*link].next) {
		struct vdev_filter *f = &fdir->entries[*link];

		if ((vsi < 0 || f->vsi == vsi) && vdev_tuple_equal(&f->tuple, tuple))
			return link;
	}
	return NULL;
}

/**
 * vdev_fdir_find - look a filter up
 * @fdir: the table
 * @tuple: what it matches
 * @vsi: its VSI, -1 for any
 */
struct vdev_filter *vdev_fdir_find(struct vdev_fdir *fdir, const struct vdev_tuple *tuple,
				   int vsi)
{
	int *link = find_link(fdir, tuple, vsi);

	return link ? &fdir->entries[*link] : NULL;
}

static bool take_from(u32 *used, u32 size, u16 *used_by_vsi, u16 share)
{
	if (*used >= size || *used_by_vsi >= share)
		return false;
	++*used;
	++*used_by_vsi;
	return true;
}

static bool take_guaranteed(struct vdev_fdir *fdir, u16 vsi, const struct vdev_fd_quota *quota)
{
	return take_from(&fdir->used_guaranteed, fdir->guaranteed, &fdir->vsi_guaranteed[vsi],
			 quota->guaranteed);
}

static bool take_best_effort(struct vdev_fdir *fdir, u16 vsi, const struct vdev_fd_quota *quota)
{
	return take_from(&fdir->used_best_effort, fdir->best_effort,
			 &fdir->vsi_best_effort[vsi], quota->best_effort);
}

/* Account for one more entry. Return: 1 guaranteed, 0 best effort, -1 no room. */
static int take(struct vdev_fdir *fdir, u16 vsi, enum vdev_fd_space space,
		const struct vdev_fd_quota *quota)
{
	switch (space) {
	case VDEV_FD_SPACE_GUARANTEED:
		return take_guaranteed(fdir, vsi, quota) ? 1 : -1;
	case VDEV_FD_SPACE_BEST_EFFORT:
		return take_best_effort(fdir, vsi, quota) ? 0 : -1;
	case VDEV_FD_SPACE_GUARANTEED_FIRST:
		if (take_guaranteed(fdir, vsi, quota))
			return 1;
		return take_best_effort(fdir, vsi, quota) ? 0 : -1;
	case VDEV_FD_SPACE_BEST_EFFORT_FIRST:
		if (take_best_effort(fdir, vsi, quota))
			return 0;
		return take_guaranteed(fdir, vsi, quota) ? 1 : -1;
	}
	return -1;
}

static void set_action(struct vdev_filter *f, const struct vdev_tx_filter *desc)
{
	f->queue = desc->queue;
	f->id = desc->id;
	f->counter = desc->counter;
	f->count_packets = desc->count_packets;
	f->drop = desc->drop;
	f->rss_queue = !desc->queue_priority && !desc->drop;
}

/**
 * vdev_fdir_add - program a filter
 * @fdir: the table
 * @tuple: what it matches, as seen on receive
 * @desc: the programming descriptor
 * @quota: share of the pools that the descriptor's VSI may use
 *
 * A filter that exists for the tuple gets the new action and keeps its entry.
 *
 * Return: VDEV_FD_OK or VDEV_FD_FULL.
 */
enum vdev_fd_outcome vdev_fdir_add(struct vdev_fdir *fdir, const struct vdev_tuple *tuple,
				   const struct vdev_tx_filter *desc,
				   const struct vdev_fd_quota *quota)
{
	struct vdev_filter *f = vdev_fdir_find(fdir, tuple, desc->vsi);
	int *bucket, index, pool;

	if (f) {
		set_action(f, desc);
		return VDEV_FD_OK;
	}
	if (desc->vsi >= VDEV_FDIR_VSIS || fdir->free < 0 ||
	    (fdir->limit && vdev_fdir_live(fdir) >= fdir->limit))
		return VDEV_FD_FULL;
	pool = take(fdir, desc->vsi, desc->space, quota);
	if (pool < 0)
		return VDEV_FD_FULL;
	index = fdir->free;
	f = &fdir->entries[index];
	fdir->free = f->next;
	bucket = bucket_of(fdir, tuple);
	*f = (struct vdev_filter){
		.tuple = *tuple, .vsi = desc->vsi, .guaranteed = pool, .used = true,
		.next = *bucket,
	};
	*bucket = index;
	set_action(f, desc);
	return VDEV_FD_OK;
}

/**
 * vdev_fdir_remove - remove a filter
 * @fdir: the table
 * @tuple: what it matches
 * @vsi: its VSI
 *
 * Return: VDEV_FD_OK or VDEV_FD_NOENT.
 */
enum vdev_fd_outcome vdev_fdir_remove(struct vdev_fdir *fdir, const struct vdev_tuple *tuple,
				      u16 vsi)
{
	int *link = find_link(fdir, tuple, vsi);
	struct vdev_filter *f;
	int index;

	if (!link)
		return VDEV_FD_NOENT;
	index = *link;
	f = &fdir->entries[index];
	*link = f->next;
	if (f->guaranteed) {
		fdir->used_guaranteed--;
		fdir->vsi_guaranteed[vsi]--;
	} else {
		fdir->used_best_effort--;
		fdir->vsi_best_effort[vsi]--;
	}
	f->used = false;
	f->next = fdir->free;
	fdir->free = index;
	return VDEV_FD_OK;
}

static u32 clear_all(struct vdev_fdir *fdir)
{
	u32 capacity = vdev_fdir_capacity(fdir);
	u32 live = vdev_fdir_live(fdir);

	for (u32 i = 0; i <= fdir->mask; i++)
		fdir->buckets[i] = -1;
	memset(fdir->entries, 0, capacity * sizeof(*fdir->entries));
	for (u32 i = 0; i < capacity; i++)
		fdir->entries[i].next = i + 1 < capacity ? (int)i + 1 : -1;
	fdir->free = 0;
	fdir->used_guaranteed = 0;
	fdir->used_best_effort = 0;
	memset(fdir->vsi_guaranteed, 0, sizeof(fdir->vsi_guaranteed));
	memset(fdir->vsi_best_effort, 0, sizeof(fdir->vsi_best_effort));
	return live;
}

/**
 * vdev_fdir_clear - remove many filters at once, as resets do
 * @fdir: the table
 * @vsi: whose filters, -1 for all
 *
 * Return: how many there were.
 */
u32 vdev_fdir_clear(struct vdev_fdir *fdir, int vsi)
{
	u32 capacity = vdev_fdir_capacity(fdir);
	u32 cleared = 0;

	if (vsi < 0)
		return clear_all(fdir);
	for (u32 i = 0; i < capacity; i++) {
		struct vdev_filter *f = &fdir->entries[i];

		if (!f->used || f->vsi != vsi)
			continue;
		vdev_fdir_remove(fdir, &f->tuple, f->vsi);
		cleared++;
	}
	return cleared;
}
