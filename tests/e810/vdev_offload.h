/* SPDX-License-Identifier: GPL-2.0-only */
/* What the device does to a frame on its way out: checksums, segmentation, VLAN tag. */
#ifndef VDEV_OFFLOAD_H
#define VDEV_OFFLOAD_H

#include "vdev_desc.h"
#include "vdev_types.h"

#define VDEV_OFFLOAD_MAX_FRAME	(256u << 10)

struct vdev_offload {
	enum vdev_tx_ip ip;
	enum vdev_tx_l4 l4;
	u16 mac_len;
	u16 ip_len;
	u16 l4_len;
	u16 mss;		/* 0: do not segment */
	bool vlan;
	u16 vlan_tag;
};

typedef void (*vdev_offload_fn)(void *arg, const u8 *frame, u32 len);

int vdev_offload(u8 *frame, u32 len, const struct vdev_offload *off, vdev_offload_fn send,
		 void *arg);

#endif /* VDEV_OFFLOAD_H */
