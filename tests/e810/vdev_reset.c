// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resets. A function reset forgets what the driver set up: queues, VSIs, rules, filters,
 * interrupts. A core, global or EMP reset is announced by an interrupt, takes time, and
 * forgets the DDP package and the statistics as well.
 */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

#define NOTICE_NS		200000000ull	/* between announcement and reset, */
#define NOTICE_LIMIT_NS		800000000ull	/* and this more for a driver that does not look */
#define CORE_RESET_NS		300000000ull

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
	vdev_reports_reset(&dev->reports);
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

static void set_state(struct vdev *dev, u32 state)
{
	u32 *rstat = vdev_reg(dev, E810_GLGEN_RSTAT);

	*rstat = (*rstat & ~E810_RSTAT_DEVSTATE_MASK) | state;
}

/**
 * vdev_reset_core - request a reset of the whole device
 * @dev: the device
 * @type: which kind the status register shall name
 *
 * The driver is told by an interrupt while its setup still stands. The reset itself begins
 * a little later, or later still when the driver takes no notice.
 */
void vdev_reset_core(struct vdev *dev, enum vdev_reset type)
{
	if (dev->reset_state != VDEV_RUNNING)
		return;
	vdev_note("core reset of type %d requested", type);
	dev->reset_state = VDEV_RESET_REQUESTED;
	dev->reset_next_at = vdev_now() + NOTICE_NS;
	*vdev_reg(dev, E810_GLGEN_RSTAT) = (u32)type << E810_RSTAT_TYPE_SHIFT;
	set_state(dev, E810_RSTAT_REQUESTED);
	vdev_irq_oicr(dev, E810_OICR_GRST);
}

/* The driver clears the cause by reading it. */
static bool noticed(struct vdev *dev)
{
	return !(*vdev_reg(dev, E810_PFINT_OICR) & E810_OICR_GRST);
}

static void begin(struct vdev *dev)
{
	u32 cause = *vdev_reg(dev, E810_PFINT_OICR);

	vdev_note("core reset begins");
	forget_driver(dev);
	*vdev_reg(dev, E810_PFINT_OICR) = cause;
	*vdev_reg(dev, E810_GLNVM_ULD) = 0;
	memset(&dev->package, 0, sizeof(dev->package));
	vdev_stats_clear(dev);
	dev->reset_state = VDEV_RESETTING;
	dev->reset_next_at = vdev_now() + CORE_RESET_NS;
	set_state(dev, E810_RSTAT_IN_PROGRESS);
}

static void end(struct vdev *dev)
{
	vdev_note("core reset ends");
	dev->reset_state = VDEV_RUNNING;
	set_state(dev, 0);
	*vdev_reg(dev, E810_GLNVM_ULD) = E810_GLNVM_ULD_ALL_DONE;
}

/**
 * vdev_reset_tick - go on with a core reset when its time has come
 * @dev: the device
 */
void vdev_reset_tick(struct vdev *dev)
{
	u64 now = vdev_now();

	if (dev->reset_state == VDEV_RUNNING || now < dev->reset_next_at)
		return;
	if (dev->reset_state == VDEV_RESETTING)
		end(dev);
	else if (noticed(dev) || now >= dev->reset_next_at + NOTICE_LIMIT_NS)
		begin(dev);
}
