// SPDX-License-Identifier: GPL-2.0-only
/* Admin queue: adding and disabling transmit queues. */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

struct queue_entry {
	u16 queue;
	u16 reserved1;
	u32 node;
	u8 context[22];
	u16 reserved2;
	struct vdev_aq_sched_element element;
} VDEV_PACKED;

_Static_assert(sizeof(struct queue_entry) == 48, "add Tx queue entry");

#define GROUP_HEADER		8	/* parent, number of queues, padding */
#define DISABLE_HEADER		6	/* parent, number of queues, reserved */
#define DISABLE_NOT_LAN		0x8000

static enum vdev_aq_result add_one(struct vdev *dev, u32 parent, struct queue_entry *entry)
{
	struct vdev_tx_queue_context ctx;
	struct vdev_txq *q;

	if (entry->queue >= dev->num_queues)
		return VDEV_AQ_EINVAL;
	vdev_tx_queue_decode(&ctx, entry->context);
	if (!ctx.len)
		return VDEV_AQ_EINVAL;
	entry->node = vdev_aq_sched_add_leaf(dev, parent, &entry->element);
	if (entry->node == VDEV_AQ_SCHED_NO_NODE)
		return VDEV_AQ_ENOSPC;
	q = &dev->txq[entry->queue];
	*q = (struct vdev_txq){
		.enabled = true, .base = ctx.base, .len = ctx.len, .vsi = ctx.vsi,
		.node = entry->node,
	};
	*vdev_reg(dev, E810_QTX_COMM_DBELL(entry->queue)) = 0;
	vdev_note("  tx queue %u of vsi %u: %u descriptors", entry->queue, ctx.vsi, ctx.len);
	return VDEV_AQ_OK;
}

static enum vdev_aq_result add_queues(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u8 groups = cmd->desc->raw[0];
	u32 off = 0;

	while (groups--) {
		u8 *group = cmd->buf + off;
		u32 parent;

		if (off + GROUP_HEADER > cmd->len)
			return VDEV_AQ_EINVAL;
		memcpy(&parent, group, sizeof(parent));
		off += GROUP_HEADER;
		for (u8 n = group[4]; n; n--) {
			enum vdev_aq_result rc;

			if (off + sizeof(struct queue_entry) > cmd->len)
				return VDEV_AQ_EINVAL;
			rc = add_one(dev, parent, (struct queue_entry *)(cmd->buf + off));
			if (rc)
				return rc;
			off += sizeof(struct queue_entry);
		}
	}
	return VDEV_AQ_OK;
}

static void disable_one(struct vdev *dev, u16 queue)
{
	if (queue & DISABLE_NOT_LAN || queue >= dev->num_queues)
		return;
	vdev_aq_sched_remove(dev, dev->txq[queue].node);
	dev->txq[queue] = (struct vdev_txq){ 0 };
}

static enum vdev_aq_result disable_queues(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u8 groups = cmd->desc->raw[1];
	u32 off = 0;

	while (groups-- && off + DISABLE_HEADER <= cmd->len) {
		u8 n = cmd->buf[off + 4];

		off += DISABLE_HEADER;
		for (u8 i = 0; i < n && off + 2 <= cmd->len; i++, off += 2) {
			u16 queue;

			memcpy(&queue, cmd->buf + off, sizeof(queue));
			disable_one(dev, queue);
		}
		off = (off + 3) & ~3u;	/* the next group starts on a dword */
	}
	cmd->desc->param1 = 0;	/* no congestion domain is blocked */
	return VDEV_AQ_OK;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0c30, "add Tx queues", add_queues },
	{ 0x0c31, "disable Tx queues", disable_queues },
};

const struct vdev_aq_table vdev_aq_queue = { ops, VDEV_ARRAY_SIZE(ops) };
