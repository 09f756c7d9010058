/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the kernels that the fork is built for. fork/arfs.mk finds out what is named
 * ARFS_HAVE_* from the kernel's headers and from the driver's own files.
 */
#ifndef ARFS_COMPAT_H
#define ARFS_COMPAT_H

#include <linux/cpu_rmap.h>

/* From 6.9 on the RPS interface has a header of its own. */
#ifdef ARFS_HAVE_RPS_HEADER
#include <net/rps.h>
#endif

/*
 * From 6.5 on ice allocates each interrupt by itself, in ice_irq.c, and a queue vector carries its
 * Linux interrupt number; before, all are in one array of the PF.
 */
static inline unsigned int arfs_vector_irq(const struct ice_vsi *vsi, unsigned int vector)
{
#ifdef ARFS_HAVE_VECTOR_IRQ
	return vsi->q_vectors[vector]->irq.virq;
#else
	return vsi->back->msix_entries[vsi->base_vector + vector].vector;
#endif
}

#endif /* ARFS_COMPAT_H */
