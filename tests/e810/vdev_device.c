// SPDX-License-Identifier: GPL-2.0-only
/* The device as a whole: made, offered to the vfio-user server, taken down. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "vdev.h"
#include "vdev_log.h"

enum { REGION_BAR0 = 0, REGION_BAR3 = 3, REGION_CONFIG = 7 };

/* Registers are read as words; a read of part of one gets that part. */
static void read_bar0(struct vdev *dev, u64 off, u8 *buf, u32 len)
{
	while (len) {
		u32 skip = off & 3;
		u32 part = len < 4 - skip ? len : 4 - skip;
		u32 value = vdev_mmio_read(dev, off & ~3ull);

		memcpy(buf, (u8 *)&value + skip, part);
		off += part;
		buf += part;
		len -= part;
	}
}

/* A register takes whole words only, as the device does. */
static void write_bar0(struct vdev *dev, u64 off, const u8 *buf, u32 len)
{
	for (; len >= 4 && !(off & 3); off += 4, buf += 4, len -= 4) {
		u32 value;

		memcpy(&value, buf, sizeof(value));
		vdev_mmio_write(dev, off, value);
	}
}

static void region_read(void *device, u32 region, u64 off, void *buf, u32 len)
{
	struct vdev *dev = device;

	if (region == REGION_BAR0)
		read_bar0(dev, off, buf, len);
	else if (region == REGION_BAR3)
		memcpy(buf, dev->bar3 + off, len);
	else
		memcpy(buf, dev->config + off, len);
}

static void region_write(void *device, u32 region, u64 off, const void *buf, u32 len)
{
	struct vdev *dev = device;

	if (region == REGION_BAR0)
		write_bar0(dev, off, buf, len);
	else if (region == REGION_BAR3)
		memcpy(dev->bar3 + off, buf, len);
	else
		vdev_pci_write(dev, off, buf, len);
}

static void set_irq(void *device, u32 vector, int fd)
{
	vdev_irq_set_fd(device, vector, fd);
}

static void reset(void *device)
{
	vdev_reset_function(device, "asked by the client");
}

static const struct vdev_vfu_ops ops = {
	.read = region_read, .write = region_write, .set_irq = set_irq, .reset = reset,
};

/* Filled by the driver a page at a time, most of it never: let the kernel find the pages. */
static int map_registers(struct vdev *dev)
{
	void *regs = mmap(NULL, VDEV_BAR0_SIZE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (regs == MAP_FAILED)
		return -1;
	dev->regs = regs;
	return 0;
}

/**
 * vdev_device_init - power on
 * @dev: the device, all zeros
 * @num_queues: Rx and Tx queues that it has
 * @num_filters: size of its Flow Director table
 *
 * Return: 0, or -1 after an error message.
 */
int vdev_device_init(struct vdev *dev, u32 num_queues, u32 num_filters)
{
	dev->num_queues = num_queues;
	dev->num_vectors = num_queues + 8;	/* "other", control queue, spare */
	for (u32 i = 0; i < VDEV_MAX_VECTORS; i++)
		dev->vector[i].fd = -1;
	if (map_registers(dev) || vdev_fdir_init(&dev->fdir, num_filters) ||
	    vdev_flows_init(&dev->flows, num_queues)) {
		vdev_error("out of memory for the device");
		return -1;
	}
	if (vdev_flash_init(dev))
		return -1;
	dev->link_up = true;
	dev->main_vsi = VDEV_NO_VSI;
	dev->next_rule = 1;
	vdev_pci_init(dev);
	vdev_mmio_init(dev);
	vdev_aq_sched_reset(dev);
	dev->vfu.ops = &ops;
	dev->vfu.device = dev;
	dev->vfu.vectors = dev->num_vectors;
	dev->vfu.region_size[REGION_BAR0] = VDEV_BAR0_SIZE;
	dev->vfu.region_size[REGION_BAR3] = VDEV_BAR3_SIZE;
	dev->vfu.region_size[REGION_CONFIG] = VDEV_CONFIG_SIZE;
	return 0;
}

void vdev_device_free(struct vdev *dev)
{
	for (u32 i = 0; i < VDEV_MAX_VECTORS; i++)
		vdev_irq_set_fd(dev, i, -1);
	vdev_fdir_free(&dev->fdir);
	vdev_flows_free(&dev->flows);
	free(dev->flash);
	if (dev->regs)
		munmap(dev->regs, VDEV_BAR0_SIZE);
}
