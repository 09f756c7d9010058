/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the kernels that the fork is built for. fork/arfs.mk finds out what is named
 * ARFS_HAVE_* from the kernel's headers and from the driver's own files.
 */
#ifndef ARFS_COMPAT_H
#define ARFS_COMPAT_H

#include <linux/cpu_rmap.h>
#include <net/devlink.h>

/* From 6.9 on the RPS interface has a header of its own. */
#ifdef ARFS_HAVE_RPS_HEADER
#include <net/rps.h>
#endif

/*
 * From 7.x on the core guards the slots of its flow tables, for which it notes the flow's hash in
 * them, and asks for a flow once only. See ARFS_ASK_AGAIN. With the core patch it asks again, on
 * all kernels.
 */
#ifdef ARFS_HAVE_GUARDED_SLOTS
#define ARFS_CORE_ASKS_ONCE	true
#else
#define ARFS_CORE_ASKS_ONCE	false
#endif
#ifdef ARFS_HAVE_RPS_STEER
#define ARFS_CORE_ASKS_AGAIN	true
#else
#define ARFS_CORE_ASKS_AGAIN	false
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

	/* The map numbers its queues by their order here: queue and vector must go together. */
	if (vsi->num_q_vectors < vsi->num_rxq) {
		netdev_info(netdev, "aRFS is off: %d interrupts for %d rx queues; take fewer with ethtool -L\n",
			    vsi->num_q_vectors, vsi->num_rxq);
		return 0;
	}
	netdev->rx_cpu_rmap = alloc_irq_cpu_rmap(vsi->num_rxq);
	if (!netdev->rx_cpu_rmap)
		return -EINVAL;
	/* Vectors beyond these have tx queues only. */
	for (i = 0; i < vsi->num_rxq; i++) {
		if (irq_cpu_rmap_add(netdev->rx_cpu_rmap, arfs_vector_irq(vsi, i))) {
			arfs_cpu_rmap_free(netdev);
			return -EINVAL;
		}
	}
	return 0;
}
#endif

/*
 * Callbacks of a devlink parameter: set, and later get, were given a place for a message, the value
 * that validate sees became a pointer. From 6.3 on the driver holds the lock of its devlink
 * instance when it registers parameters. ARFS_PARAM_EXTACKS counts the places for messages in
 * struct devlink_param.
 */
#define ARFS_PARAM_ARGS		struct devlink *devlink, u32 id, struct devlink_param_gset_ctx *ctx
#define ARFS_PARAM_ARGS_EXTACK	ARFS_PARAM_ARGS, struct netlink_ext_ack *extack

#if ARFS_PARAM_EXTACKS > 2
#define ARFS_PARAM_GET(name)	int name(ARFS_PARAM_ARGS_EXTACK)
#else
#define ARFS_PARAM_GET(name)	int name(ARFS_PARAM_ARGS)
#endif

#if ARFS_PARAM_EXTACKS > 1
#define ARFS_PARAM_SET(name)	int name(ARFS_PARAM_ARGS_EXTACK)
#else
#define ARFS_PARAM_SET(name)	int name(ARFS_PARAM_ARGS)
#endif

#ifdef ARFS_HAVE_PARAM_VALUE_POINTER
#define ARFS_PARAM_VALUE(val)	(*(val))
#define ARFS_PARAM_VALIDATE(name)							\
	int name(struct devlink *devlink, u32 id, union devlink_param_value *val,	\
		 struct netlink_ext_ack *extack)
#else
#define ARFS_PARAM_VALUE(val)	(val)
#define ARFS_PARAM_VALIDATE(name)							\
	int name(struct devlink *devlink, u32 id, union devlink_param_value val,	\
		 struct netlink_ext_ack *extack)
#endif

#ifdef ARFS_HAVE_DEVL_PARAMS
#define arfs_params_register	devl_params_register
#define arfs_params_unregister	devl_params_unregister
#else
#define arfs_params_register	devlink_params_register
#define arfs_params_unregister	devlink_params_unregister
#endif

#endif /* ARFS_COMPAT_H */
