// SPDX-License-Identifier: GPL-2.0-only
/*
 * Statistics registers: pairs of words that count modulo 2^40. Bytes are those of the frame
 * without its check sequence, which a socket does not carry; size classes count it in.
 */
#include <string.h>

#include "vdev.h"

#define FCS			4
#define COUNTER_MASK		((1ull << 40) - 1)

/* Registers of one direction, indexed by enum vdev_cast. */
static const u32 port_rx[] = { E810_GLPRT_UPRCL, E810_GLPRT_MPRCL, E810_GLPRT_BPRCL };
static const u32 port_tx[] = { E810_GLPRT_UPTCL, E810_GLPRT_MPTCL, E810_GLPRT_BPTCL };
static const u32 vsi_rx[] = { E810_GLV_UPRCL(0), E810_GLV_MPRCL(0), E810_GLV_BPRCL(0) };
static const u32 vsi_tx[] = { E810_GLV_UPTCL(0), E810_GLV_MPTCL(0), E810_GLV_BPTCL(0) };

struct size_class {
	u32 up_to;
	u32 rx;
	u32 tx;
};

static const struct size_class classes[] = {
	{ 64, E810_GLPRT_PRC64L, E810_GLPRT_PTC64L },
	{ 127, E810_GLPRT_PRC127L, E810_GLPRT_PTC127L },
	{ 255, E810_GLPRT_PRC255L, E810_GLPRT_PTC255L },
	{ 511, E810_GLPRT_PRC511L, E810_GLPRT_PTC511L },
	{ 1023, E810_GLPRT_PRC1023L, E810_GLPRT_PTC1023L },
	{ 1522, E810_GLPRT_PRC1522L, E810_GLPRT_PTC1522L },
	{ UINT32_MAX, E810_GLPRT_PRC9522L, E810_GLPRT_PTC9522L },
};

static const struct size_class *class_of(u32 len)
{
	const struct size_class *c = classes;

	while (len + FCS > c->up_to)
		c++;
	return c;
}

/**
 * vdev_stats_add - count in a pair of registers
 * @dev: the device
 * @reg: the lower one
 * @amount: how much
 */
void vdev_stats_add(struct vdev *dev, u32 reg, u64 amount)
{
	u32 *low = vdev_reg(dev, reg);
	u32 *high = vdev_reg(dev, reg + 4);
	u64 value = ((u64)*high << 32 | *low) + amount;

	value &= COUNTER_MASK;
	*low = (u32)value;
	*high = value >> 32;
}

void vdev_stats_rx_port(struct vdev *dev, const u8 *frame, u32 len)
{
	vdev_stats_add(dev, port_rx[vdev_packet_cast(frame)], 1);
	vdev_stats_add(dev, E810_GLPRT_GORCL, len);
	vdev_stats_add(dev, class_of(len)->rx, 1);
	dev->count.rx_packets++;
	dev->count.rx_bytes += len;
}

void vdev_stats_rx_vsi(struct vdev *dev, u16 vsi, enum vdev_cast cast, u32 len)
{
	vdev_stats_add(dev, vsi_rx[cast] + vsi * 8, 1);
	vdev_stats_add(dev, E810_GLV_GORCL(vsi), len);
}

void vdev_stats_rx_vsi_dropped(struct vdev *dev, u16 vsi)
{
	(*vdev_reg(dev, E810_GLV_RDPC(vsi)))++;
}

void vdev_stats_tx(struct vdev *dev, u16 vsi, const u8 *frame, u32 len)
{
	enum vdev_cast cast = vdev_packet_cast(frame);

	vdev_stats_add(dev, port_tx[cast], 1);
	vdev_stats_add(dev, E810_GLPRT_GOTCL, len);
	vdev_stats_add(dev, class_of(len)->tx, 1);
	if (vsi < VDEV_MAX_VSIS) {
		vdev_stats_add(dev, vsi_tx[cast] + vsi * 8, 1);
		vdev_stats_add(dev, E810_GLV_GOTCL(vsi), len);
	}
	dev->count.tx_packets++;
	dev->count.tx_bytes += len;
}

void vdev_stats_tx_link_down(struct vdev *dev)
{
	(*vdev_reg(dev, E810_GLPRT_TDOLD))++;
	dev->count.tx_dropped++;
}

void vdev_stats_clear(struct vdev *dev)
{
	memset(vdev_reg(dev, E810_STATS_TX_FIRST), 0, E810_STATS_TX_END - E810_STATS_TX_FIRST);
	memset(vdev_reg(dev, E810_STATS_RX_FIRST), 0, E810_STATS_RX_END - E810_STATS_RX_FIRST);
	memset(vdev_reg(dev, E810_GLV_RDPC(0)), 0, VDEV_MAX_VSIS * 4);
}
