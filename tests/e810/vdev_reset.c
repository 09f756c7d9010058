// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resets. A function reset forgets what the driver set up: queues, VSIs, rules, filters,
 * interrupts. A core, global or EMP reset takes time, announces itself by an interrupt, and
 * forgets the DDP package and the statistics as well.
 */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

#define CORE_RESET_NS		500000000ull

static void reset_control_queues(struct vdev *dev)
{
	static const u32 first[] = { E810_PF_FW_ATQBAL, E810_PF_MBX_ATQBAL, E810_PF_SB_ATQBAL };
	static const u32 last[] = { E810_PF_FW_ATQT + 0x80, E810_PF_MBX_ARQT, E810_PF_SB_ARQT };

	for (size_t i = 0; i < VDEV_ARRAY_SIZE(first); i++)
		memset(vdev_reg(dev, first[i]), 0, last[i] + 4 - first[i]);
}

static void reset_queues(struct vdev *dev)
{
	memset(dev->txq, 0, sizeof(dev->txq));
	memset(dev->rxq, 0, sizeof(dev->rxq));
	for (u32 q = 0; q < dev->num_queues; q++) {
		*vdev_reg(dev, E810_QRX_CTRL(q)) = 0;
		*vdev_reg(dev, E810_QRX_TAIL(q)) = 0;
		*vdev_reg(dev, E810_QTX_COMM_DBELL(q)) = 0;
	}
}

static void forget_driver(struct vdev *dev)
{
	reset_control_queues(dev);
	reset_queues(dev);
	vdev_irq_reset(dev);
	memset(dev->vsi, 0, sizeof(dev->vsi));
	memset(dev->resources, 0, sizeof(dev->resources));
	dev->main_vsi = VDEV_NO_VSI;
	dev->next_rule = 1;
	dev->link_events = false;
	vdev_aq_sched_reset(dev);
	dev->count.flushed += vdev_fdir_clear(&dev->fdir, -1);
	vdev_fdir_publish(dev);
	dev->count.resets++;
}

/**
 * vdev_reset_function - reset the physical function, at once
 * @dev: the device
 * @why: for the log
 */
void vdev_reset_function(struct vdev *dev, const char *why)
{
	vdev_note("function reset: %s", why);
	forget_driver(dev);
}

/**
 * vdev_reset_core - begin a reset of the whole device
 * @dev: the device
 * @type: which kind the status register shall name
 *
 * The interrupt that announces it is raised while the interrupt setup still stands.
 */
void vdev_reset_core(struct vdev *dev, enum vdev_reset type)
{
	u32 cause;

	vdev_note("core reset of type %d begins", type);
	*vdev_reg(dev, E810_GLGEN_RSTAT) =
		E810_RSTAT_DEVSTATE_RESET | (u32)type << E810_RSTAT_TYPE_SHIFT;
	vdev_irq_oicr(dev, E810_OICR_GRST);
	vdev_irq_flush(dev);
	cause = *vdev_reg(dev, E810_PFINT_OICR);
	forget_driver(dev);
	*vdev_reg(dev, E810_PFINT_OICR) = cause;
	*vdev_reg(dev, E810_GLNVM_ULD) = 0;
	memset(&dev->package, 0, sizeof(dev->package));
	vdev_stats_clear(dev);
	dev->resetting = true;
	dev->reset_done_at = vdev_now() + CORE_RESET_NS;
}

/**
 * vdev_reset_tick - end a core reset whose time is over
 * @dev: the device
 */
void vdev_reset_tick(struct vdev *dev)
{
	if (!dev->resetting || vdev_now() < dev->reset_done_at)
		return;
	dev->resetting = false;
	*vdev_reg(dev, E810_GLGEN_RSTAT) &= ~E810_RSTAT_DEVSTATE_RESET;
	*vdev_reg(dev, E810_GLNVM_ULD) = E810_GLNVM_ULD_ALL_DONE;
	vdev_note("core reset ends");
}
