// SPDX-License-Identifier: GPL-2.0-only
/*
 * Admin queue: the tree of the transmit scheduler. The model sends in the order of
 * doorbells; the tree is kept because the driver builds, reads and tears it down.
 */
#include <string.h>

#include "vdev.h"

#define LEVELS			9
#define GROUP_HEADER		8
#define LAYER_SIZE		32

enum { TYPE_ROOT = 1, TYPE_TC, TYPE_GENERIC, TYPE_ENTRY, TYPE_LEAF };

/* A branch from the port to a queue; software takes over at the entry point. */
static const u8 default_branch[LEVELS] = {
	TYPE_ROOT, TYPE_TC, TYPE_ENTRY, TYPE_GENERIC, TYPE_GENERIC,
	TYPE_GENERIC, TYPE_GENERIC, TYPE_GENERIC, TYPE_LEAF,
};

/* How many siblings a node of each level may have. */
static const u16 max_siblings[LEVELS] = { 1, 8, 8, 8, 8, 64, 512, 8, 64 };

#define MAX_NODES_PER_LEVEL	1024
#define VALID_ALL		7

static bool exists(const struct vdev *dev, u32 id)
{
	return id && id < VDEV_SCHED_NODES && dev->sched[id].id == id;
}

static u32 new_node(struct vdev *dev, u32 parent, const void *element)
{
	for (u32 id = 1; id < VDEV_SCHED_NODES; id++) {
		struct vdev_aq_sched_node *node = &dev->sched[id];

		if (node->id == id)
			continue;
		node->parent = parent;
		node->id = id;
		memcpy(&node->element, element, sizeof(node->element));
		return id;
	}
	return VDEV_AQ_SCHED_NO_NODE;
}

/**
 * vdev_aq_sched_reset - forget the driver's tree, bring back the default branch
 * @dev: the device
 */
void vdev_aq_sched_reset(struct vdev *dev)
{
	u32 parent = VDEV_AQ_SCHED_NO_NODE;

	memset(dev->sched, 0, sizeof(dev->sched));
	for (u32 level = 0; level < LEVELS; level++) {
		struct vdev_aq_sched_element element = {
			.type = default_branch[level], .valid = VALID_ALL,
		};

		parent = new_node(dev, parent, &element);
	}
}

/**
 * vdev_aq_sched_add_leaf - give a transmit queue its place in the tree
 * @dev: the device
 * @parent: element below which it goes
 * @element: its settings
 *
 * Return: id of the leaf, VDEV_AQ_SCHED_NO_NODE when the tree is full.
 */
u32 vdev_aq_sched_add_leaf(struct vdev *dev, u32 parent, const void *element)
{
	struct vdev_aq_sched_element leaf;

	memcpy(&leaf, element, sizeof(leaf));
	leaf.type = TYPE_LEAF;
	return new_node(dev, parent, &leaf);
}

void vdev_aq_sched_remove(struct vdev *dev, u32 id)
{
	if (exists(dev, id))
		dev->sched[id].id = 0;
}

/* The default branch are the first nodes, made by vdev_aq_sched_reset(). */
static enum vdev_aq_result get_topology(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u32 no_parent = VDEV_AQ_SCHED_NO_NODE;
	u16 count = LEVELS;

	if (cmd->len < GROUP_HEADER + LEVELS * sizeof(dev->sched[0]))
		return VDEV_AQ_EINVAL;
	memset(cmd->buf, 0, GROUP_HEADER);
	memcpy(cmd->buf, &no_parent, sizeof(no_parent));
	memcpy(cmd->buf + 4, &count, sizeof(count));
	memcpy(cmd->buf + GROUP_HEADER, &dev->sched[1], LEVELS * sizeof(dev->sched[0]));
	cmd->desc->raw[1] = 1;	/* one branch */
	return VDEV_AQ_OK;
}

static enum vdev_aq_result add_elements(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_aq_sched_node *nodes = (void *)(cmd->buf + GROUP_HEADER);
	u32 parent;
	u16 count;

	memcpy(&parent, cmd->buf, sizeof(parent));
	memcpy(&count, cmd->buf + 4, sizeof(count));
	if (cmd->len < GROUP_HEADER + count * sizeof(*nodes))
		return VDEV_AQ_EINVAL;
	for (u16 i = 0; i < count; i++) {
		nodes[i].parent = parent;
		nodes[i].id = new_node(dev, parent, &nodes[i].element);
		if (nodes[i].id == VDEV_AQ_SCHED_NO_NODE)
			return VDEV_AQ_ENOSPC;
	}
	cmd->desc->word[1] = 1;	/* one group */
	return VDEV_AQ_OK;
}

static enum vdev_aq_result configure_elements(struct vdev *dev, struct vdev_aq_command *cmd)
{
	const struct vdev_aq_sched_node *nodes = (const void *)cmd->buf;
	u16 count = cmd->desc->word[0];

	if (cmd->len < count * sizeof(*nodes))
		return VDEV_AQ_EINVAL;
	for (u16 i = 0; i < count; i++)
		if (exists(dev, nodes[i].id))
			dev->sched[nodes[i].id].element = nodes[i].element;
	cmd->desc->word[1] = count;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result get_elements(struct vdev *dev, struct vdev_aq_command *cmd)
{
	struct vdev_aq_sched_node *nodes = (void *)cmd->buf;
	u16 count = cmd->desc->word[0];

	if (cmd->len < count * sizeof(*nodes))
		return VDEV_AQ_EINVAL;
	for (u16 i = 0; i < count; i++) {
		if (!exists(dev, nodes[i].id))
			return VDEV_AQ_ENOENT;
		nodes[i] = dev->sched[nodes[i].id];
	}
	cmd->desc->word[1] = count;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result delete_elements(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 count;

	memcpy(&count, cmd->buf + 4, sizeof(count));
	if (cmd->len < GROUP_HEADER + count * sizeof(u32))
		return VDEV_AQ_EINVAL;
	for (u16 i = 0; i < count; i++) {
		u32 id;

		memcpy(&id, cmd->buf + GROUP_HEADER + i * sizeof(id), sizeof(id));
		vdev_aq_sched_remove(dev, id);
	}
	cmd->desc->word[1] = 1;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result all_done(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	cmd->desc->word[1] = cmd->desc->word[0];
	return VDEV_AQ_OK;
}

static enum vdev_aq_result query_port(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u32 tc_node = 2;	/* second node of the default branch */

	(void)dev;
	if (cmd->len < 64)
		return VDEV_AQ_EINVAL;
	memset(cmd->buf, 0, 64);
	cmd->buf[0] = 1;	/* traffic class 0 is valid */
	cmd->buf[8] = 100;	/* and has all the bandwidth */
	memcpy(cmd->buf + 32, &tc_node, sizeof(tc_node));
	return VDEV_AQ_OK;
}

/* Rate limiters are numbered and otherwise ignored. */
static enum vdev_aq_result add_rate_limiter(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 id = 1;

	if (cmd->len < 12)
		return VDEV_AQ_EINVAL;
	memcpy(cmd->buf + 2, &id, sizeof(id));
	return all_done(dev, cmd);
}

static enum vdev_aq_result query_resources(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	if (cmd->len < LAYER_SIZE * (1 + LEVELS))
		return VDEV_AQ_EINVAL;
	memset(cmd->buf, 0, cmd->len);
	((u16 *)cmd->buf)[0] = LEVELS;	/* physical */
	((u16 *)cmd->buf)[1] = LEVELS;	/* logical */
	cmd->buf[5] = 32;		/* congestion domains of the device */
	cmd->buf[6] = 8;		/* and of the function */
	for (u32 level = 0; level < LEVELS; level++) {
		u8 *layer = cmd->buf + LAYER_SIZE * (1 + level);
		u16 *words = (u16 *)layer;

		layer[0] = level;
		words[1] = MAX_NODES_PER_LEVEL;
		words[2] = MAX_NODES_PER_LEVEL;
		words[5] = max_siblings[level];
		words[6] = 32;		/* rate limiters: committed, */
		words[7] = 32;		/* excess, */
		words[8] = 16;		/* shared */
	}
	return VDEV_AQ_OK;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0400, "get default topology", get_topology },
	{ 0x0401, "add scheduler elements", add_elements },
	{ 0x0403, "configure scheduler elements", configure_elements },
	{ 0x0404, "get scheduler elements", get_elements },
	{ 0x0408, "move scheduler elements", all_done },
	{ 0x0409, "suspend scheduler elements", all_done },
	{ 0x040a, "resume scheduler elements", all_done },
	{ 0x040e, "query port", query_port },
	{ 0x040f, "delete scheduler elements", delete_elements },
	{ 0x0410, "add rate limiters", add_rate_limiter },
	{ 0x0412, "query scheduler resources", query_resources },
	{ 0x0415, "remove rate limiters", all_done },
};

const struct vdev_aq_table vdev_aq_sched = { ops, VDEV_ARRAY_SIZE(ops) };
