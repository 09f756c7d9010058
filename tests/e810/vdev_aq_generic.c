// SPDX-License-Identifier: GPL-2.0-only
/* Admin queue: versions, locks, capabilities, MAC address. */
#include <string.h>

#include "vdev.h"

/* Capability ids; source: see vdev_adminq.h */
enum {
	CAP_VALID_FUNCTIONS = 0x0005,
	CAP_VSIS = 0x0017,
	CAP_RSS = 0x0040,
	CAP_RX_QUEUES = 0x0041,
	CAP_TX_QUEUES = 0x0042,
	CAP_MSIX = 0x0043,
	CAP_FLOW_DIRECTOR = 0x0045,
	CAP_MAX_MTU = 0x0047,
};

#define LOCK_GLOBAL_CONFIG	4
#define LOCK_STATUS_OWNED	0
#define LOCK_STATUS_DONE	2
#define LOCK_TIMEOUT_MS		3000
#define LUT_ENTRY_BITS		8
#define MAC_LAN_VALID		0x10

/* Locally administered, so that it collides with no vendor's. */
static const u8 mac_address[6] = { 0x52, 0x54, 0x00, 0xe8, 0x10, 0x01 };

static enum vdev_aq_result get_version(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u8 *v = cmd->desc->raw;

	(void)dev;
	memset(v, 0, 16);
	v[9] = 7;	/* firmware 7.4 */
	v[10] = 4;
	v[13] = 1;	/* admin queue API 1.7 */
	v[14] = 7;
	return VDEV_AQ_OK;
}

/* A package that is in place stays until a core reset, so its lock says "done". */
static enum vdev_aq_result request_lock(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_aq_desc *desc = cmd->desc;

	desc->param1 = LOCK_TIMEOUT_MS;
	if (desc->word[0] == LOCK_GLOBAL_CONFIG)
		desc->word[6] = dev->package.loaded ? LOCK_STATUS_DONE : LOCK_STATUS_OWNED;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result get_capabilities(struct vdev *dev, struct vdev_aq_command *cmd)
{
	const struct vdev_aq_capability caps[] = {
		{ .id = CAP_VALID_FUNCTIONS, .number = 1 },
		{ .id = CAP_VSIS, .number = VDEV_MAX_VSIS },
		{ .id = CAP_RSS, .number = VDEV_RSS_LUT_SIZE, .logical_id = LUT_ENTRY_BITS },
		{ .id = CAP_RX_QUEUES, .number = dev->num_queues },
		{ .id = CAP_TX_QUEUES, .number = dev->num_queues },
		{ .id = CAP_MSIX, .number = dev->num_vectors },
		{ .id = CAP_FLOW_DIRECTOR, .number = vdev_fdir_capacity(&dev->fdir) },
		{ .id = CAP_MAX_MTU, .number = VDEV_FRAME_MAX },
	};
	struct vdev_aq_capability *out = (struct vdev_aq_capability *)cmd->buf;

	cmd->desc->param1 = VDEV_ARRAY_SIZE(caps);
	if (cmd->len < sizeof(caps))
		return VDEV_AQ_EINVAL;
	memcpy(out, caps, sizeof(caps));
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(caps); i++)
		out[i].major = 1;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result read_mac(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	if (cmd->len < 8)
		return VDEV_AQ_EINVAL;
	memset(cmd->buf, 0, 2);	/* port 0, LAN address */
	memcpy(cmd->buf + 2, mac_address, sizeof(mac_address));
	cmd->desc->word[0] = MAC_LAN_VALID;
	cmd->desc->raw[4] = 1;
	return VDEV_AQ_OK;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0001, "get version", get_version },
	{ 0x0002, "driver version", vdev_aq_yes },
	{ 0x0003, "queue shutdown", vdev_aq_yes },
	{ 0x0008, "request lock", request_lock },
	{ 0x0009, "release lock", vdev_aq_yes },
	{ 0x000a, "function capabilities", get_capabilities },
	{ 0x000b, "device capabilities", get_capabilities },
	{ 0x0107, "read MAC", read_mac },
	{ 0x0108, "write MAC", vdev_aq_yes },
	{ 0x0110, "clear PXE mode", vdev_aq_yes },
};

const struct vdev_aq_table vdev_aq_generic = { ops, VDEV_ARRAY_SIZE(ops) };
