// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_dma.h"

#include <errno.h>
#include <sys/mman.h>

#include "vdev_log.h"

/**
 * vdev_dma_map - make a range of guest memory usable
 * @dma: the device's memory
 * @iova: bus address of the range
 * @size: its length in bytes
 * @fd: file that backs it; stays the caller's
 * @offset: where in the file the range starts
 * @writable: whether the device may write to it
 *
 * Return: 0 or a negative errno.
 */
int vdev_dma_map(struct vdev_dma *dma, u64 iova, u64 size, int fd, u64 offset, bool writable)
{
	int prot = PROT_READ | (writable ? PROT_WRITE : 0);
	void *va;

	if (!size || iova + size < iova)
		return -EINVAL;
	if (dma->count == VDEV_DMA_MAX_MAPS)
		return -ENOSPC;
	va = mmap(NULL, size, prot, MAP_SHARED, fd, offset);
	if (va == MAP_FAILED)
		return -errno;
	dma->maps[dma->count++] = (struct vdev_dma_map){
		.iova = iova, .size = size, .va = va, .writable = writable,
	};
	return 0;
}

/**
 * vdev_dma_unmap - forget a range
 * @dma: the device's memory
 * @iova: bus address that was given to vdev_dma_map()
 * @size: length that was given to vdev_dma_map()
 *
 * Return: 0, or -ENOENT when there is no such range.
 */
int vdev_dma_unmap(struct vdev_dma *dma, u64 iova, u64 size)
{
	for (unsigned int i = 0; i < dma->count; i++) {
		struct vdev_dma_map *map = &dma->maps[i];

		if (map->iova != iova || map->size != size)
			continue;
		munmap(map->va, map->size);
		*map = dma->maps[--dma->count];
		dma->last = 0;
		return 0;
	}
	return -ENOENT;
}

void vdev_dma_unmap_all(struct vdev_dma *dma)
{
	while (dma->count) {
		struct vdev_dma_map *map = &dma->maps[--dma->count];

		munmap(map->va, map->size);
	}
	dma->last = 0;
}

static void *within(const struct vdev_dma_map *map, u64 iova, u64 len, bool write)
{
	if (iova < map->iova || len > map->size || iova - map->iova > map->size - len)
		return NULL;
	if (write && !map->writable)
		return NULL;
	return map->va + (iova - map->iova);
}

/**
 * vdev_dma_ptr - where a piece of guest memory is
 * @dma: the device's memory
 * @iova: bus address
 * @len: bytes that will be touched; they must lie in one range
 * @write: whether they will be written
 *
 * Return: the address, or NULL (counted) when the device may not touch it.
 */
void *vdev_dma_ptr(struct vdev_dma *dma, u64 iova, u64 len, bool write)
{
	void *va;

	if (dma->last < dma->count) {
		va = within(&dma->maps[dma->last], iova, len, write);
		if (va)
			return va;
	}
	for (unsigned int i = 0; i < dma->count; i++) {
		va = within(&dma->maps[i], iova, len, write);
		if (!va)
			continue;
		dma->last = i;
		return va;
	}
	if (!dma->faults++)
		vdev_note("first DMA fault: %s of %llu bytes at 0x%llx",
			  write ? "write" : "read", (unsigned long long)len,
			  (unsigned long long)iova);
	return NULL;
}
