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

/* Number of the last-level cache that the CPU uses. */
static inline int arfs_cpu_llc(unsigned int cpu)
{
#if defined(ARFS_HAVE_CPU_TOPOLOGY)
	return cpu_data(cpu).topo.llc_id;
#elif defined(CONFIG_X86)
	return get_llc_id(cpu);
#else
	return topology_physical_package_id(cpu);
#endif
}

/*
 * From 6.15 on the core fills the map from CPUs to queues as the queues get their interrupts. It is
 * allocated once, so it must have room for every queue that the device may ever open.
 */
#ifdef ARFS_HAVE_CORE_CPU_RMAP
static inline int arfs_cpu_rmap_create(struct ice_vsi *vsi)
{
	return netif_enable_cpu_rmap(vsi->netdev, vsi->netdev->num_rx_queues);
}

static inline void arfs_cpu_rmap_free(struct net_device *netdev) { }
#else
static inline void arfs_cpu_rmap_free(struct net_device *netdev)
{
	if (!netdev->rx_cpu_rmap)
		return;
	free_irq_cpu_rmap(netdev->rx_cpu_rmap);
	netdev->rx_cpu_rmap = NULL;
}

static inline int arfs_cpu_rmap_create(struct ice_vsi *vsi)
{
	struct net_device *netdev = vsi->netdev;
	int i;

	netdev->rx_cpu_rmap = alloc_irq_cpu_rmap(vsi->num_q_vectors);
	if (!netdev->rx_cpu_rmap)
		return -EINVAL;
	for (i = 0; i < vsi->num_q_vectors; i++) {
		if (irq_cpu_rmap_add(netdev->rx_cpu_rmap, arfs_vector_irq(vsi, i))) {
			arfs_cpu_rmap_free(netdev);
			return -EINVAL;
		}
	}
	return 0;
}
#endif

#endif /* ARFS_COMPAT_H */
