/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A device without a guest: memory that the tests fill as a driver would, and the admin
 * queue, one VSI with four queues and a control VSI set up in it on request.
 */
#ifndef TEST_RIG_H
#define TEST_RIG_H

#include "vdev.h"

#define RIG_MEMORY	(1u << 20)
#define RIG_BASE	0x40000000ull	/* bus address of the memory */

/* Places in the memory */
#define RIG_ATQ		0x0000
#define RIG_ARQ		0x1000
#define RIG_BUFFER	0x2000
#define RIG_EVENT	0x3000
#define RIG_TX_RING	0x4000		/* of the control queue */
#define RIG_DUMMY	0x5000
#define RIG_RX_RING(q)	(0x8000 + (q) * 0x1000)
#define RIG_RX_DATA	0x20000		/* buffers of 2048, shared by all rings */

#define RIG_ATQ_LEN	16
#define RIG_RING_LEN	64
#define RIG_VSI		8
#define RIG_CTRL_VSI	9
#define RIG_QUEUES	4
#define RIG_CTRL_QUEUE	4

struct rig {
	struct vdev *dev;
	u8 *memory;
};

void rig_start(struct rig *rig, u32 filters);
void rig_stop(struct rig *rig);

/* Both in one: a device with a driver. */
void rig_start_driven(struct rig *rig, u32 filters);

/* Send one command with @len bytes of buffer, filled at rig->memory + RIG_BUFFER. */
struct vdev_aq_desc rig_command(struct rig *rig, struct vdev_aq_desc desc, u16 len);

/*
 * Add the two VSIs, the key, the table, and enable all receive queues and the control queue.
 * To be done again after a reset.
 */
void rig_configure(struct rig *rig);

/* Program a filter for the flow whose receive side is the frame at @frame. */
void rig_filter(struct rig *rig, const u8 *frame, u32 len, const struct vdev_tx_filter *f);

/* A filter that leads the flow to a queue. */
struct vdev_tx_filter rig_action(u16 queue, u32 id);

/* Run a command. Return: its answer, to be freed. */
char *rig_ask(struct rig *rig, const char *line);

/* Run a command that is to answer nothing. */
void rig_order(struct rig *rig, const char *line);

u64 *rig_rx_desc(struct rig *rig, u32 queue, u32 index);

#endif /* TEST_RIG_H */
