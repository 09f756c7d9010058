/* SPDX-License-Identifier: GPL-2.0-only */
/* Guest memory as the client shares it: bus address ranges mapped from file descriptors. */
#ifndef VDEV_DMA_H
#define VDEV_DMA_H

#include "vdev_types.h"

#define VDEV_DMA_MAX_MAPS	256

struct vdev_dma_map {
	u64 iova;
	u64 size;
	u8 *va;
	bool writable;
};

/**
 * struct vdev_dma - the guest memory that the device may touch
 * @maps: mapped ranges, in no order
 * @count: how many are in use
 * @last: the one the last look-up hit; most look-ups repeat it
 * @faults: look-ups of addresses that are not mapped
 */
struct vdev_dma {
	struct vdev_dma_map maps[VDEV_DMA_MAX_MAPS];
	unsigned int count;
	unsigned int last;
	u64 faults;
};

int vdev_dma_map(struct vdev_dma *dma, u64 iova, u64 size, int fd, u64 offset, bool writable);
int vdev_dma_unmap(struct vdev_dma *dma, u64 iova, u64 size);
void vdev_dma_unmap_all(struct vdev_dma *dma);
void *vdev_dma_ptr(struct vdev_dma *dma, u64 iova, u64 len, bool write);

#endif /* VDEV_DMA_H */
