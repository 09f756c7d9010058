// SPDX-License-Identifier: GPL-2.0-only
/* Admin queue: the DDP package. Its tables are not used; its name and version are kept. */
#include <string.h>

#include "vdev.h"
#include "vdev_ddp.h"
#include "vdev_log.h"

struct package_info {
	u8 version[4];
	char name[28];
	u32 track_id;
	u8 in_nvm;
	u8 active;
	u8 active_at_boot;
	u8 modified;
} VDEV_PACKED;

static enum vdev_aq_result download(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_ddp_metadata meta;

	if (cmd->len != VDEV_DDP_BUFFER)
		return VDEV_AQ_EINVAL;
	dev->package.loaded = true;
	if (vdev_ddp_find_metadata(cmd->buf, &meta)) {
		memcpy(dev->package.version, meta.version, sizeof(meta.version));
		memcpy(dev->package.name, meta.name, sizeof(meta.name));
		dev->package.track_id = meta.track_id;
		vdev_note("  package %.28s %u.%u.%u.%u", meta.name, meta.version[0],
			  meta.version[1], meta.version[2], meta.version[3]);
	}
	cmd->desc->param0 = 0;
	cmd->desc->param1 = 0;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result update(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	cmd->desc->param0 = 0;
	cmd->desc->param1 = 0;
	return VDEV_AQ_OK;
}

/* Without a download the NVM's own package is active; it makes the driver download. */
static enum vdev_aq_result get_info(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct package_info info = { .version = { 1, 3 }, .name = "NVM default", .active = 1 };
	u32 count = 1;

	if (cmd->len < sizeof(count) + sizeof(info))
		return VDEV_AQ_EINVAL;
	if (dev->package.loaded) {
		memcpy(info.version, dev->package.version, sizeof(info.version));
		memcpy(info.name, dev->package.name, sizeof(info.name));
		info.track_id = dev->package.track_id;
	} else {
		info.in_nvm = 1;
	}
	memset(cmd->buf, 0, cmd->len);
	memcpy(cmd->buf, &count, sizeof(count));
	memcpy(cmd->buf + sizeof(count), &info, sizeof(info));
	return VDEV_AQ_OK;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0c40, "download package", download },
	{ 0x0c42, "update package", update },
	{ 0x0c43, "get package info", get_info },
};

const struct vdev_aq_table vdev_aq_ddp = { ops, VDEV_ARRAY_SIZE(ops) };
