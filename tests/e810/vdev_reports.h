/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reports of Flow Director operations on their way to the driver: status descriptors in the
 * ring of the control VSI. A fault can make them late, disordered or lost.
 */
#ifndef VDEV_REPORTS_H
#define VDEV_REPORTS_H

#include "vdev_types.h"

struct vdev;

#define VDEV_REPORTS_MAX	16384	/* power of two: indices wrap */
#define VDEV_REPORTS_BATCH	8
#define VDEV_REPORTS_BATCH_NS	50000000ull

/**
 * enum vdev_reports_mode - what becomes of a report
 * @VDEV_REPORTS_ON: it is delivered at once
 * @VDEV_REPORTS_LATE: after a fixed time
 * @VDEV_REPORTS_SHUFFLED: with others, out of order
 * @VDEV_REPORTS_OFF: it is never delivered
 */
enum vdev_reports_mode {
	VDEV_REPORTS_ON,
	VDEV_REPORTS_LATE,
	VDEV_REPORTS_SHUFFLED,
	VDEV_REPORTS_OFF,
};

struct vdev_report {
	u64 due;
	u32 queue;		/* absolute number */
	u64 desc[4];
};

/**
 * struct vdev_reports - reports that wait, and what became of others
 * @mode: what becomes of new ones
 * @delay: for VDEV_REPORTS_LATE, in nanoseconds
 * @lose: how many of the next ones are lost, whatever the mode
 * @random: state of the generator that shuffles
 * @head: counts reports taken out of @waiting
 * @tail: counts reports put into it
 * @waiting: a ring; all in it were put there in the same mode, so the first is due first
 * @sent: delivered, late ones included
 * @late: delivered late or out of order
 * @lost: never delivered, because of a fault
 * @dropped: waited when a reset came
 */
struct vdev_reports {
	enum vdev_reports_mode mode;
	u64 delay;
	u32 lose;
	u32 random;
	u32 head;
	u32 tail;
	struct vdev_report waiting[VDEV_REPORTS_MAX];
	u64 sent;
	u64 late;
	u64 lost;
	u64 dropped;
};

u32 vdev_reports_pending(const struct vdev_reports *r);
void vdev_reports_mode(struct vdev *dev, enum vdev_reports_mode mode, u64 delay, u64 now);
void vdev_reports_send(struct vdev *dev, u32 queue, const u64 desc[4], u64 now);
void vdev_reports_tick(struct vdev *dev, u64 now);
u64 vdev_reports_due(const struct vdev_reports *r);
void vdev_reports_reset(struct vdev_reports *r);

#endif /* VDEV_REPORTS_H */
