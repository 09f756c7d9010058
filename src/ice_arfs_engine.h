/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The engine of one PF, inside of the files ice_arfs*.c.
 */
#ifndef ICE_ARFS_ENGINE_H
#define ICE_ARFS_ENGINE_H

#include "ice.h"
#include "arfs_table.h"

/**
 * struct ice_arfs_refusals - packets that could not be steered, on one CPU
 * @n: by enum arfs_packet
 * @no_profile: the device has no exact 5-tuple profile for the packet's protocol
 * @adq: the queues belong to traffic classes
 */
struct ice_arfs_refusals {
	unsigned long n[ARFS_PACKET_KINDS];
	unsigned long no_profile;
	unsigned long adq;
};

/**
 * struct ice_arfs - engine of one PF
 * @anchor: what vsi->arfs_fltr_cntrs points at, no more
 * @table: the flows
 * @vsi: main VSI of the PF
 * @suspended: no hardware writes: a reset is under way. Written by suspend and rebuild, read by
 *	@work and by who queues it
 * @wq: for @work alone
 * @work: runs the table's service
 * @limit_read: jiffies at which the device's room was last read; @work only
 * @input: the filter being written; too large for the stack; @work, or while it does not run
 * @refusals: per CPU
 * @irqs: size of @irq
 * @irq: Linux interrupt of each rx queue, 0 for none. A copy, since a packet may be steered while
 *	the queues and their vectors are made anew. Written by ice_arfs_note_irqs(), read by
 *	ice_arfs_queue_llc()
 */
struct ice_arfs {
	struct ice_arfs_active_fltr_cntrs anchor;
	struct arfs_table *table;
	struct ice_vsi *vsi;
	bool suspended;
	struct workqueue_struct *wq;
	struct delayed_work work;
	unsigned long limit_read;
	struct ice_fdir_fltr input;
	struct ice_arfs_refusals __percpu *refusals;
	unsigned int irqs;
	unsigned int irq[];
};

/**
 * ice_arfs_of() - engine of a VSI
 * @vsi: the VSI, or NULL
 *
 * Context: under RCU, or where ice_remove_arfs() cannot run.
 * Return: the engine, or NULL where there is none.
 */
static inline struct ice_arfs *ice_arfs_of(struct ice_vsi *vsi)
{
	struct ice_arfs_active_fltr_cntrs *anchor;

	if (!vsi)
		return NULL;
	/* Pairs with ice_arfs_start(), which stores with release, and ice_remove_arfs(). */
	anchor = READ_ONCE(vsi->arfs_fltr_cntrs);
	return anchor ? container_of(anchor, struct ice_arfs, anchor) : NULL;
}

int ice_arfs_live(struct ice_arfs *arfs);
void ice_arfs_update_limit(struct ice_arfs *arfs);

#endif /* ICE_ARFS_ENGINE_H */
