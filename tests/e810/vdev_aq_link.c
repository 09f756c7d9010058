// SPDX-License-Identifier: GPL-2.0-only
/* Admin queue: PHY and link. The port is one 100GBASE-CR4 cable that is in or out. */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

#define PHY_100GBASE_CR4	(1ull << 51)
#define SPEED_100G		0x0400
#define PHY_CAPS_AT		16
#define PHY_CAP_LINK		0x08
#define PHY_CAP_AUTONEG		0x10

#define LINK_UP			0x01
#define LINK_UP_PORT		0x20
#define LINK_MEDIA		0x40
#define LINK_SIGNAL		0x80
#define AN_COMPLETED		0x01

#define EVENTS_MASK		0x3
#define EVENTS_DISABLE		0x2
#define EVENTS_ENABLE		0x3
#define EVENTS_ENABLED		0x1

struct link_status {
	u8 conflict;
	u8 config_error;
	u8 link;
	u8 autoneg;
	u8 extended;
	u8 reserved1;
	u16 max_frame;
	u8 config;
	u8 power;
	u16 speed;
	u32 reserved2;
	u64 phy_low;
	u64 phy_high;
} VDEV_PACKED;

_Static_assert(sizeof(struct link_status) == 32, "link status");

static void fill_status(const struct vdev *dev, struct link_status *s)
{
	memset(s, 0, sizeof(*s));
	s->link = LINK_MEDIA;
	s->max_frame = VDEV_FRAME_MAX;
	if (!dev->link_up)
		return;
	s->link |= LINK_UP | LINK_UP_PORT | LINK_SIGNAL;
	s->autoneg = AN_COMPLETED;
	s->speed = SPEED_100G;
	s->phy_low = PHY_100GBASE_CR4;
}

/**
 * vdev_aq_link_event - send the driver the state of the link
 * @dev: the device
 */
void vdev_aq_link_event(struct vdev *dev)
{
	const u8 params[8] = { 0, 0, EVENTS_ENABLED };
	struct link_status status;

	fill_status(dev, &status);
	vdev_aq_event(dev, 0x0607, params, &status, sizeof(status));
}

/**
 * vdev_link_set - plug the cable in or out
 * @dev: the device
 * @up: which
 */
void vdev_link_set(struct vdev *dev, bool up)
{
	vdev_note("link %s", up ? "up" : "down");
	dev->link_up = up;
	if (dev->link_events)
		vdev_aq_link_event(dev);
}

static enum vdev_aq_result get_phy_caps(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u64 phy = PHY_100GBASE_CR4;

	(void)dev;
	if (cmd->len < PHY_CAPS_AT + 8)
		return VDEV_AQ_EINVAL;
	memset(cmd->buf, 0, cmd->len);
	memcpy(cmd->buf, &phy, sizeof(phy));
	cmd->buf[PHY_CAPS_AT] = PHY_CAP_LINK | PHY_CAP_AUTONEG;
	return VDEV_AQ_OK;
}

/* Negotiation takes no time here: its end is announced at once. */
static enum vdev_aq_result renegotiate(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)cmd;
	vdev_aq_link_event(dev);
	return VDEV_AQ_OK;
}

static enum vdev_aq_result get_link_status(struct vdev *dev, struct vdev_aq_command *cmd)
{
	u16 events = cmd->desc->word[1] & EVENTS_MASK;
	struct link_status status;

	if (events == EVENTS_ENABLE)
		dev->link_events = true;
	else if (events == EVENTS_DISABLE)
		dev->link_events = false;
	cmd->desc->word[1] = dev->link_events ? EVENTS_ENABLED : 0;
	fill_status(dev, &status);
	memset(cmd->buf, 0, cmd->len);
	memcpy(cmd->buf, &status, cmd->len < sizeof(status) ? cmd->len : sizeof(status));
	return VDEV_AQ_OK;
}

/* No module, no second port, no GPIO: nothing to find. */
static enum vdev_aq_result none(struct vdev *dev, struct vdev_aq_command *cmd)
{
	(void)dev;
	(void)cmd;
	return VDEV_AQ_ENOENT;
}

static const struct vdev_aq_op ops[] = {
	{ 0x0302, "query PFC mode", none },
	{ 0x0303, "set PFC mode", none },
	{ 0x0600, "get PHY capabilities", get_phy_caps },
	{ 0x0601, "set PHY configuration", renegotiate },
	{ 0x0603, "set MAC configuration", vdev_aq_yes },
	{ 0x0605, "restart autonegotiation", renegotiate },
	{ 0x0607, "get link status", get_link_status },
	{ 0x0613, "set event mask", vdev_aq_yes },
	{ 0x06e0, "get link topology", none },
	{ 0x06e9, "set port LED", vdev_aq_yes },
	{ 0x06ea, "get port options", none },
	{ 0x06ee, "module EEPROM", none },
	{ 0x0a00, "get LLDP MIB", none },
	{ 0x0a01, "set LLDP event", vdev_aq_yes },
	{ 0x0a05, "stop LLDP", vdev_aq_yes },
	{ 0x0a06, "start LLDP", vdev_aq_yes },
	{ 0x0a07, "get CEE configuration", none },
	{ 0x0a08, "set LLDP MIB", none },
	{ 0x0a0a, "LLDP filter", vdev_aq_yes },
};

const struct vdev_aq_table vdev_aq_link = { ops, VDEV_ARRAY_SIZE(ops) };
