// SPDX-License-Identifier: GPL-2.0-only
/* The rings of the admin queue: commands in, events out. */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

static const struct vdev_aq_table *const tables[] = {
	&vdev_aq_generic, &vdev_aq_switch, &vdev_aq_sched, &vdev_aq_link,
	&vdev_aq_nvm, &vdev_aq_rss, &vdev_aq_queue, &vdev_aq_ddp,
};

enum vdev_aq_result vdev_aq_yes(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	(void)cmd;
	return VDEV_AQ_OK;
}

/* The entry of the command tables for @opcode, NULL when the model does not know it. */
const struct vdev_aq_op *vdev_aq_find(u16 opcode)
{
	for (size_t t = 0; t < VDEV_ARRAY_SIZE(tables); t++)
		for (size_t i = 0; i < tables[t]->count; i++)
			if (tables[t]->ops[i].opcode == opcode)
				return &tables[t]->ops[i];
	return NULL;
}

static u64 ring_base(struct vdev *dev, u32 high, u32 low)
{
	return (u64)*vdev_reg(dev, high) << 32 | *vdev_reg(dev, low);
}

static u64 buffer_address(const struct vdev_aq_desc *desc)
{
	return (u64)desc->addr_high << 32 | desc->addr_low;
}

/* Commands that a probe sends by the dozen say nothing new in a log. */
static bool chatty(u16 opcode)
{
	return opcode == 0x0008 || opcode == 0x0009 || opcode == 0x0701;
}

static void run_one(struct vdev *dev, struct vdev_aq_desc *desc)
{
	static u8 buf[VDEV_AQ_BUFFER];
	struct vdev_aq_command cmd = { .desc = desc, .buf = buf };
	const struct vdev_aq_op *op = vdev_aq_find(desc->opcode);
	u64 address = buffer_address(desc);
	enum vdev_aq_result rc;
	u8 *guest = NULL;

	memset(buf, 0, sizeof(buf));
	if (desc->flags & VDEV_AQ_FLAG_BUF && desc->datalen && desc->datalen <= sizeof(buf)) {
		guest = vdev_dma_ptr(&dev->vfu.dma, address, desc->datalen, true);
		cmd.len = guest ? desc->datalen : 0;
	}
	if (guest)
		memcpy(buf, guest, cmd.len);
	rc = op ? op->run(dev, &cmd) : VDEV_AQ_ENOSYS;
	if (guest)
		memcpy(guest, buf, cmd.len);
	dev->count.aq_commands++;
	dev->count.aq_unknown += !op;
	if (!chatty(desc->opcode) || rc)
		vdev_note("aq %04x %s len %u -> %d", desc->opcode, op ? op->name : "unknown",
			  cmd.len, rc);
	desc->retval = rc;
	desc->flags |= VDEV_AQ_FLAG_DD | VDEV_AQ_FLAG_CMP | (rc ? VDEV_AQ_FLAG_ERR : 0);
}

/**
 * vdev_aq_run - carry out the commands between head and tail
 * @dev: the device
 */
void vdev_aq_run(struct vdev *dev)
{
	u32 length = *vdev_reg(dev, E810_PF_FW_ATQLEN);
	u32 count = length & E810_CTLQ_LEN_MASK;
	u32 *head = vdev_reg(dev, E810_PF_FW_ATQH);
	u32 tail = *vdev_reg(dev, E810_PF_FW_ATQT) & E810_CTLQ_LEN_MASK;
	u64 base = ring_base(dev, E810_PF_FW_ATQBAH, E810_PF_FW_ATQBAL);

	if (!(length & E810_CTLQ_LEN_ENABLE) || vdev_in_reset(dev))
		return;
	if (!count || tail >= count || *head >= count) {
		*vdev_reg(dev, E810_PF_FW_ATQLEN) |= E810_CTLQ_LEN_CRITICAL;
		return;
	}
	while (*head != tail) {
		struct vdev_aq_desc desc, *guest;

		guest = vdev_dma_ptr(&dev->vfu.dma, base + *head * sizeof(desc), sizeof(desc),
				     true);
		if (!guest) {
			*vdev_reg(dev, E810_PF_FW_ATQLEN) |= E810_CTLQ_LEN_CRITICAL;
			return;
		}
		desc = *guest;
		run_one(dev, &desc);
		*guest = desc;
		__atomic_thread_fence(__ATOMIC_RELEASE);
		*head = (*head + 1) % count;
	}
}

/**
 * vdev_aq_event - tell the driver something it has not asked for
 * @dev: the device
 * @opcode: which event
 * @params: its parameters
 * @buf: its data
 * @len: length of the data
 *
 * Lost, and marked as lost in the queue's register, when the driver left no room.
 */
void vdev_aq_event(struct vdev *dev, u16 opcode, const u8 params[8], const void *buf, u16 len)
{
	u32 *length = vdev_reg(dev, E810_PF_FW_ARQLEN);
	u32 *head = vdev_reg(dev, E810_PF_FW_ARQH);
	u32 count = *length & E810_CTLQ_LEN_MASK;
	u64 base = ring_base(dev, E810_PF_FW_ARQBAH, E810_PF_FW_ARQBAL);
	struct vdev_aq_desc *desc;
	void *data;

	if (!(*length & E810_CTLQ_LEN_ENABLE) || !count || *head >= count || vdev_in_reset(dev))
		return;
	if (*head == *vdev_reg(dev, E810_PF_FW_ARQT)) {
		*length |= E810_CTLQ_LEN_OVERFLOW;
		return;
	}
	desc = vdev_dma_ptr(&dev->vfu.dma, base + *head * sizeof(*desc), sizeof(*desc), true);
	if (!desc || desc->datalen < len)
		return;
	data = vdev_dma_ptr(&dev->vfu.dma, buffer_address(desc), len, true);
	if (!data)
		return;
	memcpy(data, buf, len);
	memcpy(desc->raw, params, 8);
	desc->opcode = opcode;
	desc->datalen = len;
	desc->retval = 0;
	desc->flags = VDEV_AQ_FLAG_DD | VDEV_AQ_FLAG_CMP | VDEV_AQ_FLAG_BUF;
	__atomic_thread_fence(__ATOMIC_RELEASE);
	*head = (*head + 1) % count;
	vdev_irq_cause(dev, E810_PFINT_FW_CTL);
}
