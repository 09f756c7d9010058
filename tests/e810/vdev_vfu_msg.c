// SPDX-License-Identifier: GPL-2.0-only
/* What the messages of vfio-user mean. Layouts: see vdev_vfio_user.h for the source. */
#include <errno.h>
#include <linux/vfio.h>
#include <stdio.h>
#include <string.h>

#include "vdev_log.h"
#include "vdev_vfio_user.h"

struct version_payload {
	u16 major;
	u16 minor;
	char json[200];
} VDEV_PACKED;

struct dma_map_payload {
	u32 argsz;
	u32 flags;
	u64 offset;
	u64 address;
	u64 size;
} VDEV_PACKED;

struct dma_unmap_payload {
	u32 argsz;
	u32 flags;
	u64 address;
	u64 size;
} VDEV_PACKED;

struct region_access_payload {
	u64 offset;
	u32 region;
	u32 count;
} VDEV_PACKED;

#define DMA_MAP_WRITE		0x2
#define DMA_UNMAP_ALL		0x2
#define REGION_ACCESS_MAX	4096

static u32 payload_size(const struct vdev_vfu *vfu)
{
	return vfu->header.size - VDEV_VFU_HEADER_SIZE;
}

static enum vdev_vfu_result version(struct vdev_vfu *vfu)
{
	struct version_payload reply = { 0 };

	if (payload_size(vfu) < 4)
		return vdev_vfu_malformed(vfu, "VERSION without numbers");
	snprintf(reply.json, sizeof(reply.json),
		 "{\"capabilities\":{\"max_msg_fds\":%d,\"max_data_xfer_size\":%u}}", 16,
		 VDEV_VFU_MAX_PAYLOAD / 2);
	vdev_vfu_reply(vfu, &reply, 4 + strlen(reply.json) + 1, 0);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result dma_map(struct vdev_vfu *vfu)
{
	struct dma_map_payload map;
	int ret = 0;

	if (payload_size(vfu) < sizeof(map))
		return vdev_vfu_malformed(vfu, "DMA_MAP too short");
	memcpy(&map, vfu->payload, sizeof(map));
	if (vfu->num_fds)
		ret = vdev_dma_map(&vfu->dma, map.address, map.size, vfu->fds[0], map.offset,
				   map.flags & DMA_MAP_WRITE);
	vdev_note("DMA map 0x%llx + 0x%llx%s: %d", (unsigned long long)map.address,
		  (unsigned long long)map.size, vfu->num_fds ? "" : " without a file, ignored",
		  ret);
	vdev_vfu_reply(vfu, NULL, 0, -ret);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result dma_unmap(struct vdev_vfu *vfu)
{
	struct dma_unmap_payload unmap;

	if (payload_size(vfu) < sizeof(unmap))
		return vdev_vfu_malformed(vfu, "DMA_UNMAP too short");
	memcpy(&unmap, vfu->payload, sizeof(unmap));
	if (unmap.flags & DMA_UNMAP_ALL)
		vdev_dma_unmap_all(&vfu->dma);
	else
		vdev_dma_unmap(&vfu->dma, unmap.address, unmap.size);
	vdev_vfu_reply(vfu, &unmap, sizeof(unmap), 0);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result device_info(struct vdev_vfu *vfu)
{
	u32 info[4] = { sizeof(info), VFIO_DEVICE_FLAGS_PCI | VFIO_DEVICE_FLAGS_RESET,
			VFIO_PCI_NUM_REGIONS, VFIO_PCI_NUM_IRQS };

	vdev_vfu_reply(vfu, info, sizeof(info), 0);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result region_info(struct vdev_vfu *vfu)
{
	struct vfio_region_info info;

	if (payload_size(vfu) < sizeof(info))
		return vdev_vfu_malformed(vfu, "GET_REGION_INFO too short");
	memcpy(&info, vfu->payload, sizeof(info));
	if (info.index >= VDEV_ARRAY_SIZE(vfu->region_size)) {
		vdev_vfu_reply(vfu, NULL, 0, EINVAL);
		return VDEV_VFU_HANDLED;
	}
	info.argsz = sizeof(info);
	info.size = vfu->region_size[info.index];
	info.flags = info.size ? VFIO_REGION_INFO_FLAG_READ | VFIO_REGION_INFO_FLAG_WRITE : 0;
	info.cap_offset = 0;
	info.offset = 0;
	vdev_vfu_reply(vfu, &info, sizeof(info), 0);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result irq_info(struct vdev_vfu *vfu)
{
	struct vfio_irq_info info;

	if (payload_size(vfu) < sizeof(info))
		return vdev_vfu_malformed(vfu, "GET_IRQ_INFO too short");
	memcpy(&info, vfu->payload, sizeof(info));
	info.argsz = sizeof(info);
	info.flags = VFIO_IRQ_INFO_EVENTFD;
	info.count = 0;
	if (info.index == VFIO_PCI_MSIX_IRQ_INDEX) {
		info.flags |= VFIO_IRQ_INFO_NORESIZE;
		info.count = vfu->vectors;
	}
	vdev_vfu_reply(vfu, &info, sizeof(info), 0);
	return VDEV_VFU_HANDLED;
}

/* The device takes over each descriptor that it is given. */
static void set_vectors(struct vdev_vfu *vfu, const struct vfio_irq_set *set)
{
	if (set->flags & VFIO_IRQ_SET_DATA_NONE && !set->count)
		for (u32 v = 0; v < vfu->vectors; v++)
			vfu->ops->set_irq(vfu->device, v, -1);
	if (!(set->flags & VFIO_IRQ_SET_DATA_EVENTFD))
		return;
	for (u32 i = 0; i < set->count; i++) {
		int fd = -1;

		if (i < vfu->num_fds) {
			fd = vfu->fds[i];
			vfu->fds[i] = -1;
		}
		vfu->ops->set_irq(vfu->device, set->start + i, fd);
	}
}

static enum vdev_vfu_result set_irqs(struct vdev_vfu *vfu)
{
	struct vfio_irq_set set;

	if (payload_size(vfu) < sizeof(set))
		return vdev_vfu_malformed(vfu, "SET_IRQS too short");
	memcpy(&set, vfu->payload, sizeof(set));
	if (set.index == VFIO_PCI_MSIX_IRQ_INDEX) {
		if (set.start > vfu->vectors || set.count > vfu->vectors - set.start) {
			vdev_vfu_reply(vfu, NULL, 0, EINVAL);
			return VDEV_VFU_HANDLED;
		}
		set_vectors(vfu, &set);
	}
	vdev_vfu_reply(vfu, NULL, 0, 0);
	return VDEV_VFU_HANDLED;
}

/* Return: 0, or the errno of an access outside of what exists. */
static int check_access(const struct vdev_vfu *vfu, const struct region_access_payload *acc)
{
	u64 size;

	if (acc->region >= VDEV_ARRAY_SIZE(vfu->region_size) || acc->count > REGION_ACCESS_MAX)
		return EINVAL;
	size = vfu->region_size[acc->region];
	if (acc->count > size || acc->offset > size - acc->count)
		return EINVAL;
	return 0;
}

static enum vdev_vfu_result region_read(struct vdev_vfu *vfu)
{
	struct {
		struct region_access_payload acc;
		u8 data[REGION_ACCESS_MAX];
	} VDEV_PACKED reply;
	int error;

	if (payload_size(vfu) < sizeof(reply.acc))
		return vdev_vfu_malformed(vfu, "REGION_READ too short");
	memcpy(&reply.acc, vfu->payload, sizeof(reply.acc));
	error = check_access(vfu, &reply.acc);
	if (!error)
		vfu->ops->read(vfu->device, reply.acc.region, reply.acc.offset, reply.data,
			       reply.acc.count);
	vdev_vfu_reply(vfu, &reply, sizeof(reply.acc) + reply.acc.count, error);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result region_write(struct vdev_vfu *vfu)
{
	struct region_access_payload acc;
	int error;

	if (payload_size(vfu) < sizeof(acc))
		return vdev_vfu_malformed(vfu, "REGION_WRITE too short");
	memcpy(&acc, vfu->payload, sizeof(acc));
	if (payload_size(vfu) - sizeof(acc) < acc.count)
		return vdev_vfu_malformed(vfu, "REGION_WRITE with less data than it says");
	error = check_access(vfu, &acc);
	if (!error)
		vfu->ops->write(vfu->device, acc.region, acc.offset,
				vfu->payload + sizeof(acc), acc.count);
	vdev_vfu_reply(vfu, &acc, sizeof(acc), error);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result reset(struct vdev_vfu *vfu)
{
	vfu->ops->reset(vfu->device);
	vdev_vfu_reply(vfu, NULL, 0, 0);
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result (*const handlers[])(struct vdev_vfu *vfu) = {
	[VDEV_VFU_VERSION] = version,
	[VDEV_VFU_DMA_MAP] = dma_map,
	[VDEV_VFU_DMA_UNMAP] = dma_unmap,
	[VDEV_VFU_DEVICE_GET_INFO] = device_info,
	[VDEV_VFU_DEVICE_GET_REGION_INFO] = region_info,
	[VDEV_VFU_DEVICE_GET_IRQ_INFO] = irq_info,
	[VDEV_VFU_DEVICE_SET_IRQS] = set_irqs,
	[VDEV_VFU_REGION_READ] = region_read,
	[VDEV_VFU_REGION_WRITE] = region_write,
	[VDEV_VFU_DEVICE_RESET] = reset,
};

/**
 * vdev_vfu_handle - act on the message in @vfu->header and @vfu->payload
 * @vfu: server
 *
 * Commands that this server does not know are refused with ENOTSUP, as the protocol asks.
 */
enum vdev_vfu_result vdev_vfu_handle(struct vdev_vfu *vfu)
{
	u16 command = vfu->header.command;

	if (command < VDEV_ARRAY_SIZE(handlers) && handlers[command])
		return handlers[command](vfu);
	vdev_note("vfio-user command %u is not supported", command);
	vdev_vfu_reply(vfu, NULL, 0, ENOTSUP);
	return VDEV_VFU_HANDLED;
}
