// SPDX-License-Identifier: GPL-2.0-only
/* Admin queue: switch configuration, resources, VSIs, recipes and rules. */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

#define SWITCH_ID		1
#define VSI_NUMBER_MASK		0x3ff
#define VSI_NUMBER_GIVEN	0x8000
#define FIRST_FREE_VSI		8	/* numbers below are the firmware's */

#define RES_TYPE_MASK		0x7f
#define RES_FD_GUARANTEED	0x22
#define RES_FD_BEST_EFFORT	0x23

#define DEFAULT_RECIPES		10
#define RECIPE_SIZE		64
#define RECIPE_CONTENT		16
#define RECIPE_ROOT		0x80
#define RECIPE_IGNORE		0x80

#define RULE_LOOKUP_RX		0
#define RULE_LOOKUP_TX		1
#define RULE_LARGE_ACTION	2
#define RULE_ACTION		8
#define RULE_INDEX		12
#define ACTION_TYPE_MASK	0x3
#define ACTION_FORWARD		0x0
#define ACTION_VSI_LIST		(1u << 14)

static u16 get16(const u8 *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void put16(u8 *p, u16 v)
{
	memcpy(p, &v, sizeof(v));
}

/* One element: physical port 0. */
static enum vdev_aq_result get_switch_config(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	if (cmd->len < 6)
		return VDEV_AQ_EINVAL;
	memset(cmd->buf, 0, 6);
	put16(cmd->buf + 2, SWITCH_ID);
	cmd->desc->word[1] = 0;
	cmd->desc->word[2] = 1;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result get_vlan_mode(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	memset(cmd->buf, 0, cmd->len);	/* single VLAN mode */
	return VDEV_AQ_OK;
}

static bool id_taken(const struct vdev *dev, u16 type, u32 id)
{
	return dev->resources[type][id / 8] >> id % 8 & 1;
}

static void mark_id(struct vdev *dev, u16 type, u32 id, bool taken)
{
	if (taken)
		dev->resources[type][id / 8] |= 1 << id % 8;
	else
		dev->resources[type][id / 8] &= ~(1 << id % 8);
}

/* How many ids a type has; the driver uses them as indices of tables of this size. */
static u32 num_ids(u16 type)
{
	switch (type) {
	case 0x05:		/* recipes */
		return 64;
	case 0x21:		/* blocks of 256 Flow Director counters */
		return E810_FD_COUNTERS / 256;
	case 0x58:		/* Flow Director profiles */
	case 0x60:		/* RSS profiles */
		return 128;
	case 0x59:		/* their TCAM entries */
	case 0x61:
		return 512;
	default:
		return VDEV_AQ_RES_IDS;
	}
}

/* The first id of @n free ones in a row; scanning never needs to be fast here. */
static int find_ids(const struct vdev *dev, u16 type, u32 n)
{
	u32 limit = num_ids(type), run = 0;

	for (u32 id = 0; id < limit; id++) {
		run = id_taken(dev, type, id) ? 0 : run + 1;
		if (run == n)
			return id + 1 - n;
	}
	return -1;
}

static enum vdev_aq_result alloc_resource(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 type = get16(cmd->buf) & RES_TYPE_MASK;
	u16 n = get16(cmd->buf + 2);
	int first;

	if (cmd->len < 6 || !n)
		return VDEV_AQ_EINVAL;
	/* Filter entries are amounts, not ids; the table itself watches them. */
	if (type == RES_FD_GUARANTEED || type == RES_FD_BEST_EFFORT) {
		put16(cmd->buf + 4, 0);
		return VDEV_AQ_OK;
	}
	if (4 + 2u * n > cmd->len)
		return VDEV_AQ_EINVAL;
	first = find_ids(dev, type, n);
	if (first < 0)
		return VDEV_AQ_ENOSPC;
	for (u16 i = 0; i < n; i++) {
		mark_id(dev, type, first + i, true);
		put16(cmd->buf + 4 + 2 * i, first + i);
	}
	return VDEV_AQ_OK;
}

static enum vdev_aq_result free_resource(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 type = get16(cmd->buf) & RES_TYPE_MASK;
	u16 n = get16(cmd->buf + 2);

	if (cmd->len < 4)
		return VDEV_AQ_EINVAL;
	if (type == RES_FD_GUARANTEED || type == RES_FD_BEST_EFFORT)
		return VDEV_AQ_OK;
	for (u16 i = 0; i < n && 6 + 2u * i <= cmd->len; i++) {
		u16 id = get16(cmd->buf + 4 + 2 * i);

		if (id < VDEV_AQ_RES_IDS)
			mark_id(dev, type, id, false);
	}
	return VDEV_AQ_OK;
}

static void vsi_reply(struct vdev *dev, struct vdev_aq_command *cmd, u16 number)
{
	u16 used = 0;

	for (u32 i = 0; i < VDEV_MAX_VSIS; i++)
		used += dev->vsi[i].used;
	cmd->desc->word[0] = number;
	cmd->desc->word[1] = 0;
	cmd->desc->word[2] = used;
	cmd->desc->word[3] = VDEV_MAX_VSIS - used;
}

static void note_vsi(const struct vdev *dev, u16 number)
{
	const struct vdev_aq_vsi_props *p = &dev->vsi[number].props;

	vdev_note("  vsi %u: first queue %u, %u queues, fd options %x dedicated %u shared %u",
		  number, p->q_mapping[0], p->q_mapping[1], p->fd_options, p->fd_dedicated,
		  p->fd_shared);
}

static enum vdev_aq_result add_vsi(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 number = cmd->desc->word[0];
	struct vdev_vsi *vsi;

	if (cmd->len < sizeof(vsi->props))
		return VDEV_AQ_EINVAL;
	if (number & VSI_NUMBER_GIVEN) {
		number &= VSI_NUMBER_MASK;
	} else {
		number = FIRST_FREE_VSI;
		while (number < VDEV_MAX_VSIS && dev->vsi[number].used)
			number++;
	}
	if (number >= VDEV_MAX_VSIS)
		return VDEV_AQ_ENOSPC;
	vsi = &dev->vsi[number];
	memset(vsi, 0, sizeof(*vsi));
	vsi->used = true;
	vsi->order = ++dev->vsis_added;
	memcpy(&vsi->props, cmd->buf, sizeof(vsi->props));
	note_vsi(dev, number);
	vsi_reply(dev, cmd, number);
	return VDEV_AQ_OK;
}

static enum vdev_aq_result update_vsi(struct vdev *dev, struct vdev_aq_command *cmd)
{
	const struct vdev_aq_vsi_props *from = (const struct vdev_aq_vsi_props *)cmd->buf;
	u16 number = cmd->desc->word[0] & VSI_NUMBER_MASK;
	struct vdev_aq_vsi_props *to;

	if (number >= VDEV_MAX_VSIS || !dev->vsi[number].used)
		return VDEV_AQ_ENOENT;
	if (cmd->len < sizeof(*from))
		return VDEV_AQ_EINVAL;
	to = &dev->vsi[number].props;
	if (from->valid & VDEV_AQ_VSI_RXQ_MAP) {
		to->mapping_flags = from->mapping_flags;
		memcpy(to->q_mapping, from->q_mapping, sizeof(to->q_mapping));
		memcpy(to->tc_mapping, from->tc_mapping, sizeof(to->tc_mapping));
	}
	if (from->valid & VDEV_AQ_VSI_QUEUE_OPT)
		memcpy(to->queue_options, from->queue_options, sizeof(to->queue_options));
	if (from->valid & VDEV_AQ_VSI_VLAN)
		memcpy(to->inner_vlan, from->inner_vlan, sizeof(to->inner_vlan));
	if (from->valid & VDEV_AQ_VSI_FLOW_DIR) {
		to->fd_options = from->fd_options;
		to->fd_dedicated = from->fd_dedicated;
		to->fd_shared = from->fd_shared;
		to->fd_default_queue = from->fd_default_queue;
		to->fd_report = from->fd_report;
	}
	note_vsi(dev, number);
	vsi_reply(dev, cmd, number);
	return VDEV_AQ_OK;
}

static enum vdev_aq_result free_vsi(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 number = cmd->desc->word[0] & VSI_NUMBER_MASK;

	if (number >= VDEV_MAX_VSIS || !dev->vsi[number].used)
		return VDEV_AQ_ENOENT;
	dev->vsi[number].used = false;
	if (dev->main_vsi == number)
		dev->main_vsi = VDEV_NO_VSI;
	dev->count.flushed += vdev_fdir_clear(&dev->fdir, number);
	vdev_fdir_publish(dev);
	vsi_reply(dev, cmd, number);
	return VDEV_AQ_OK;
}

/* A default recipe: a root of its own that looks at nothing in particular. */
static enum vdev_aq_result get_recipe(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 index = cmd->desc->word[1];
	u8 *content = cmd->buf + RECIPE_CONTENT;

	(void)dev;
	if (index >= DEFAULT_RECIPES)
		return VDEV_AQ_ENOENT;
	if (cmd->len < RECIPE_SIZE)
		return VDEV_AQ_EINVAL;
	memset(cmd->buf, 0, RECIPE_SIZE);
	cmd->buf[0] = index;
	content[0] = index | RECIPE_ROOT;
	memset(content + 1, RECIPE_IGNORE, 5);
	cmd->desc->word[0] = 1;
	return VDEV_AQ_OK;
}

static enum vdev_aq_result get_recipe_to_profile(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	memset(cmd->desc->raw + 8, 0, 8);
	return VDEV_AQ_OK;
}

/* The first VSI that a receive rule leads to is the one that listens to the wire. */
static void learn_main_vsi(struct vdev *dev, const u8 *rule)
{
	u16 number;
	u32 action;

	memcpy(&action, rule + RULE_ACTION, sizeof(action));
	if ((action & ACTION_TYPE_MASK) != ACTION_FORWARD || action & ACTION_VSI_LIST)
		return;
	number = vdev_field(action, 4, 10);
	if (dev->main_vsi != VDEV_NO_VSI || number >= VDEV_MAX_VSIS || !dev->vsi[number].used)
		return;
	dev->main_vsi = number;
	vdev_note("  vsi %u receives from the wire", number);
}

static enum vdev_aq_result add_rules(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 n = cmd->desc->word[0];
	u32 size = n ? cmd->len / n : 0;

	if (size < 8)
		return VDEV_AQ_EINVAL;
	for (u8 *rule = cmd->buf; n--; rule += size) {
		u16 type = get16(rule);

		put16(rule + 2, VDEV_AQ_OK);
		if (type <= RULE_LOOKUP_TX && size >= RULE_INDEX + 2) {
			put16(rule + RULE_INDEX, dev->next_rule++);
			learn_main_vsi(dev, rule);
		} else if (type == RULE_LARGE_ACTION) {
			put16(rule + 4, dev->next_rule++);
		}
	}
	return VDEV_AQ_OK;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0200, "get switch configuration", get_switch_config },
	{ 0x0203, "set port parameters", vdev_aq_yes },
	{ 0x0208, "allocate resource", alloc_resource },
	{ 0x0209, "free resource", free_resource },
	{ 0x020c, "set VLAN mode", vdev_aq_yes },
	{ 0x020d, "get VLAN mode", get_vlan_mode },
	{ 0x0210, "add VSI", add_vsi },
	{ 0x0211, "update VSI", update_vsi },
	{ 0x0213, "free VSI", free_vsi },
	{ 0x0290, "add recipe", vdev_aq_yes },
	{ 0x0291, "recipe to profile", vdev_aq_yes },
	{ 0x0292, "get recipe", get_recipe },
	{ 0x0293, "get recipe to profile", get_recipe_to_profile },
	{ 0x02a0, "add switch rules", add_rules },
	{ 0x02a1, "update switch rules", vdev_aq_yes },
	{ 0x02a2, "remove switch rules", vdev_aq_yes },
	{ 0x02a4, "clear PF configuration", vdev_aq_yes },
};

const struct vdev_aq_table vdev_aq_switch = { ops, VDEV_ARRAY_SIZE(ops) };
