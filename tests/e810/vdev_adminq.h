/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Admin queue: layout of descriptors and buffers, codes, and the command tables.
 *
 * Source of every number and layout: ice_adminq_cmd.h of the Linux ice driver (6.1), which
 * mirrors the "Admin Queue" chapter of the E810 datasheet. Only what the model reads or
 * writes is named.
 */
#ifndef VDEV_ADMINQ_H
#define VDEV_ADMINQ_H

#include "vdev_types.h"

struct vdev;

#define VDEV_AQ_BUFFER		4096

struct vdev_aq_desc {
	u16 flags;
	u16 opcode;
	u16 datalen;
	u16 retval;
	u32 cookie_high;
	u32 cookie_low;
	union {
		u8 raw[16];
		u16 word[8];
		struct {
			u32 param0;
			u32 param1;
			u32 addr_high;
			u32 addr_low;
		};
	};
};

_Static_assert(sizeof(struct vdev_aq_desc) == 32, "admin queue descriptor");

#define VDEV_AQ_FLAG_DD		0x0001
#define VDEV_AQ_FLAG_CMP	0x0002
#define VDEV_AQ_FLAG_ERR	0x0004
#define VDEV_AQ_FLAG_BUF	0x1000

enum vdev_aq_result {
	VDEV_AQ_OK = 0,
	VDEV_AQ_ENOENT = 2,
	VDEV_AQ_EBUSY = 12,
	VDEV_AQ_EINVAL = 14,
	VDEV_AQ_ENOSPC = 16,
	VDEV_AQ_ENOSYS = 17,
};

/**
 * struct vdev_aq_command - one command being carried out
 * @desc: its descriptor, answered in place
 * @buf: copy of its buffer, VDEV_AQ_BUFFER bytes, zeros past @len; answered in place
 * @len: bytes of buffer that the driver gave; as many go back
 */
struct vdev_aq_command {
	struct vdev_aq_desc *desc;
	u8 *buf;
	u32 len;
};

struct vdev_aq_op {
	u16 opcode;
	const char *name;
	enum vdev_aq_result (*run)(struct vdev *dev, struct vdev_aq_command *cmd);
};

struct vdev_aq_table {
	const struct vdev_aq_op *ops;
	size_t count;
};

/* One table for each subject */
extern const struct vdev_aq_table vdev_aq_generic;
extern const struct vdev_aq_table vdev_aq_switch;
extern const struct vdev_aq_table vdev_aq_sched;
extern const struct vdev_aq_table vdev_aq_link;
extern const struct vdev_aq_table vdev_aq_nvm;
extern const struct vdev_aq_table vdev_aq_rss;
extern const struct vdev_aq_table vdev_aq_queue;
extern const struct vdev_aq_table vdev_aq_ddp;

/* For commands that need no more than "yes". */
enum vdev_aq_result vdev_aq_yes(struct vdev *dev, struct vdev_aq_command *cmd);

const struct vdev_aq_op *vdev_aq_find(u16 opcode);
void vdev_aq_run(struct vdev *dev);
void vdev_aq_event(struct vdev *dev, u16 opcode, const u8 params[8], const void *buf, u16 len);
void vdev_aq_sched_reset(struct vdev *dev);
u32 vdev_aq_sched_add_leaf(struct vdev *dev, u32 parent, const void *element);
void vdev_aq_sched_remove(struct vdev *dev, u32 id);
void vdev_aq_link_event(struct vdev *dev);

/* Capabilities, 0x000a and 0x000b */
struct vdev_aq_capability {
	u16 id;
	u8 major;
	u8 minor;
	u32 number;
	u32 logical_id;
	u32 phys_id;
	u64 reserved[2];
} VDEV_PACKED;

_Static_assert(sizeof(struct vdev_aq_capability) == 32, "capability element");

/* Properties of a VSI, 0x0210 and 0x0211 */
struct vdev_aq_vsi_props {
	u16 valid;
	u8 sw_id;
	u8 sw_flags[3];
	u8 security[2];
	u8 inner_vlan[8];
	u32 ingress_table;
	u32 egress_table;
	u8 outer_vlan[4];
	u16 mapping_flags;
	u16 q_mapping[16];
	u16 tc_mapping[8];
	u8 queue_options[6];
	u32 outer_up_table;
	u16 reserved1;
	u16 fd_options;
	u16 fd_dedicated;
	u16 fd_shared;
	u16 fd_default_queue;
	u16 fd_report;
	u32 pasid;
	u8 reserved2[24];
} VDEV_PACKED;

_Static_assert(sizeof(struct vdev_aq_vsi_props) == 128, "VSI properties");

/* Sections of the properties that @valid announces */
#define VDEV_AQ_VSI_SWITCH	0x0001
#define VDEV_AQ_VSI_SECURITY	0x0002
#define VDEV_AQ_VSI_VLAN	0x0004
#define VDEV_AQ_VSI_OUTER_TAG	0x0008
#define VDEV_AQ_VSI_RXQ_MAP	0x0040
#define VDEV_AQ_VSI_QUEUE_OPT	0x0080
#define VDEV_AQ_VSI_FLOW_DIR	0x0800

/* Scheduler elements, 0x0400 to 0x0415 */
struct vdev_aq_sched_element {
	u8 type;
	u8 valid;
	u8 generic;
	u8 flags;
	u16 bandwidth[4];
	u16 shared_id;
	u16 reserved;
} VDEV_PACKED;

struct vdev_aq_sched_node {
	u32 parent;
	u32 id;
	struct vdev_aq_sched_element element;
} VDEV_PACKED;

_Static_assert(sizeof(struct vdev_aq_sched_node) == 24, "scheduler element");

#define VDEV_AQ_SCHED_NO_NODE	0xffffffffu

/* Resource ids, 0x0208 and 0x0209 */
#define VDEV_AQ_RES_TYPES	128
#define VDEV_AQ_RES_IDS		2048

#endif /* VDEV_ADMINQ_H */
