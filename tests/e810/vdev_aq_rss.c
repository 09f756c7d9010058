// SPDX-License-Identifier: GPL-2.0-only
/* Admin queue: RSS key and look-up table of a VSI. */
#include <string.h>

#include "vdev.h"

#define VSI_MASK	0x3ff

/* The VSI that the command names, NULL when there is none or the buffer exceeds @max. */
static struct vdev_vsi *vsi_of(struct vdev *dev, const struct vdev_aq_command *cmd, size_t max)
{
	u16 number = cmd->desc->word[0] & VSI_MASK;

	return number < VDEV_MAX_VSIS && cmd->len <= max ? &dev->vsi[number] : NULL;
}

static enum vdev_aq_result set_key(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_vsi *vsi = vsi_of(dev, cmd, sizeof(vsi->key));

	if (!vsi)
		return VDEV_AQ_EINVAL;
	memcpy(vsi->key, cmd->buf, cmd->len);
	return VDEV_AQ_OK;
}

static enum vdev_aq_result get_key(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_vsi *vsi = vsi_of(dev, cmd, sizeof(vsi->key));

	if (!vsi)
		return VDEV_AQ_EINVAL;
	memcpy(cmd->buf, vsi->key, cmd->len);
	return VDEV_AQ_OK;
}

static enum vdev_aq_result set_lut(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_vsi *vsi = vsi_of(dev, cmd, sizeof(vsi->lut));

	/* The hash picks an entry by its low bits. */
	if (!vsi || !cmd->len || cmd->len & (cmd->len - 1))
		return VDEV_AQ_EINVAL;
	memcpy(vsi->lut, cmd->buf, cmd->len);
	vsi->lut_size = cmd->len;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result get_lut(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_vsi *vsi = vsi_of(dev, cmd, sizeof(vsi->lut));

	if (!vsi)
		return VDEV_AQ_EINVAL;
	memcpy(cmd->buf, vsi->lut, cmd->len);
	return VDEV_AQ_OK;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0b02, "set RSS key", set_key },
	{ 0x0b03, "set RSS table", set_lut },
	{ 0x0b04, "get RSS key", get_key },
	{ 0x0b05, "get RSS table", get_lut },
};

const struct vdev_aq_table vdev_aq_rss = { ops, VDEV_ARRAY_SIZE(ops) };
