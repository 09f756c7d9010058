/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The synthetic DDP package: just enough for the driver to leave safe mode.
 *
 * Source of the format: ice_flex_type.h (6.1) and ice_ddp.h (6.12) of the Linux ice driver.
 * A package is a header, segments, and in the configuration segment buffers of 4096 bytes,
 * each with a directory of sections.
 */
#ifndef VDEV_DDP_H
#define VDEV_DDP_H

#include "vdev_types.h"

#define VDEV_DDP_BUFFER		4096
#define VDEV_DDP_BUFFERS	3
#define VDEV_DDP_SIZE		(12 + 44 + 12 + VDEV_DDP_BUFFERS * VDEV_DDP_BUFFER)

struct vdev_ddp_metadata {
	u8 version[4];
	char name[28];
	u32 track_id;
} VDEV_PACKED;

_Static_assert(sizeof(struct vdev_ddp_metadata) == 36, "metadata section");

void vdev_ddp_build(u8 package[VDEV_DDP_SIZE]);
const u8 *vdev_ddp_section(const u8 buffer[VDEV_DDP_BUFFER], u32 type, u32 *size);
bool vdev_ddp_find_metadata(const u8 buffer[VDEV_DDP_BUFFER], struct vdev_ddp_metadata *meta);

#endif /* VDEV_DDP_H */
