// SPDX-License-Identifier: GPL-2.0-only
/* BAR 0: registers that do something. All others are plain memory. */
#include "vdev.h"

struct range {
	u32 first;
	u32 last;
	void (*write)(struct vdev *dev, u32 off, u32 value);
};

static void write_dyn_ctl(struct vdev *dev, u32 off, u32 value)
{
	vdev_irq_dyn_ctl(dev, (off - E810_GLINT_DYN_CTL(0)) / 4, value);
}

static void write_doorbell(struct vdev *dev, u32 off, u32 value)
{
	*vdev_reg(dev, off) = value;
	vdev_tx_doorbell(dev, (off - E810_QTX_COMM_DBELL(0)) / 4);
}

/* Enabling takes effect at once: the status bit follows the request bit. */
static void write_rx_ctrl(struct vdev *dev, u32 off, u32 value)
{
	bool enable = value & E810_QRX_CTRL_REQ;

	*vdev_reg(dev, off) = (value & ~E810_QRX_CTRL_STAT) | (enable ? E810_QRX_CTRL_STAT : 0);
	vdev_rx_enable(dev, (off - E810_QRX_CTRL(0)) / 4, enable);
}

static void write_atq_tail(struct vdev *dev, u32 off, u32 value)
{
	*vdev_reg(dev, off) = value;
	vdev_aq_run(dev);
}

static void write_mailbox_tail(struct vdev *dev, u32 off, u32 value)
{
	*vdev_reg(dev, off) = value;
	*vdev_reg(dev, off == E810_PF_MBX_ATQT ? E810_PF_MBX_ATQH : E810_PF_SB_ATQH) = value;
}

static void write_pf_control(struct vdev *dev, u32 off, u32 value)
{
	*vdev_reg(dev, off) = value & ~E810_PFGEN_CTRL_PFSWR;
	if (value & E810_PFGEN_CTRL_PFSWR)
		vdev_reset_function(dev, "PFGEN_CTRL");
}

static void write_reset_trigger(struct vdev *dev, u32 off, u32 value)
{
	(void)off;
	if (value & E810_RTRIG_EMPR)
		vdev_reset_core(dev, VDEV_RESET_EMP);
	else if (value & E810_RTRIG_GLOBR)
		vdev_reset_core(dev, VDEV_RESET_GLOBAL);
	else if (value & E810_RTRIG_CORER)
		vdev_reset_core(dev, VDEV_RESET_CORE);
}

static void write_oicr(struct vdev *dev, u32 off, u32 value)
{
	(void)off;
	vdev_irq_oicr(dev, value);
}

static void write_nothing(struct vdev *dev, u32 off, u32 value)
{
	(void)dev;
	(void)off;
	(void)value;
}

/* Those the driver writes most come first. */
static const struct range ranges[] = {
	{ E810_GLINT_DYN_CTL(0), E810_GLINT_DYN_CTL(E810_GLINT_MAX_VECTORS - 1), write_dyn_ctl },
	{ E810_QTX_COMM_DBELL(0), E810_QTX_COMM_DBELL(VDEV_MAX_QUEUES - 1), write_doorbell },
	{ E810_PF_FW_ATQT, E810_PF_FW_ATQT, write_atq_tail },
	{ E810_QRX_CTRL(0), E810_QRX_CTRL(VDEV_MAX_QUEUES - 1), write_rx_ctrl },
	{ E810_PF_MBX_ATQT, E810_PF_MBX_ATQT, write_mailbox_tail },
	{ E810_PF_SB_ATQT, E810_PF_SB_ATQT, write_mailbox_tail },
	{ E810_PFGEN_CTRL, E810_PFGEN_CTRL, write_pf_control },
	{ E810_GLGEN_RTRIG, E810_GLGEN_RTRIG, write_reset_trigger },
	{ E810_PFINT_OICR, E810_PFINT_OICR, write_oicr },
	{ E810_GLGEN_RSTAT, E810_GLGEN_RSTAT, write_nothing },
	{ E810_GLNVM_ULD, E810_GLNVM_ULD, write_nothing },
	{ E810_GLNVM_GENS, E810_GLNVM_FLA, write_nothing },
	{ E810_GLQF_FD_SIZE, E810_GLQF_FD_CNT, write_nothing },
	{ E810_STATS_TX_FIRST, E810_STATS_TX_END - 4, write_nothing },
	{ E810_STATS_RX_FIRST, E810_STATS_RX_END - 4, write_nothing },
};

/**
 * vdev_mmio_write - the driver writes a register
 * @dev: the device
 * @off: its offset, a multiple of four inside BAR 0
 * @value: what it writes
 */
void vdev_mmio_write(struct vdev *dev, u32 off, u32 value)
{
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(ranges); i++) {
		if (off < ranges[i].first || off > ranges[i].last)
			continue;
		ranges[i].write(dev, off, value);
		return;
	}
	*vdev_reg(dev, off) = value;
}

/**
 * vdev_mmio_read - the driver reads a register
 * @dev: the device
 * @off: its offset, a multiple of four inside BAR 0
 */
u32 vdev_mmio_read(struct vdev *dev, u32 off)
{
	u32 value = *vdev_reg(dev, off);

	if (off == E810_PFINT_OICR)
		*vdev_reg(dev, off) = 0;
	return value;
}

/**
 * vdev_mmio_init - registers that are not 0 at power-on
 * @dev: the device; its Flow Director table exists
 */
void vdev_mmio_init(struct vdev *dev)
{
	*vdev_reg(dev, E810_GLNVM_ULD) = E810_GLNVM_ULD_ALL_DONE;
	*vdev_reg(dev, E810_GLNVM_FLA) = E810_GLNVM_FLA_LOCKED;
	*vdev_reg(dev, E810_GLGEN_RSTCTL) = 20;	/* the driver waits this long, and a second */
	*vdev_reg(dev, E810_GLNVM_GENS) = 6 << E810_GLNVM_GENS_SR_SHIFT;	/* 64 KB */
	*vdev_reg(dev, E810_GLQF_FD_SIZE) =
		dev->fdir.guaranteed | dev->fdir.best_effort << E810_FD_BEST_EFFORT_SHIFT;
}
