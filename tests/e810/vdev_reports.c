// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_reports.h"

#include <string.h>

#include "vdev.h"

static struct vdev_report *at(struct vdev_reports *r, u32 index)
{
	return &r->waiting[index % VDEV_REPORTS_MAX];
}

/* How many wait. */
u32 vdev_reports_pending(const struct vdev_reports *r)
{
	return r->tail - r->head;
}

static void deliver(struct vdev *dev, u32 queue, const u64 desc[4])
{
	if (vdev_rx_write_status(dev, queue, desc))
		dev->reports.sent++;
	else
		dev->count.status_lost++;
}

static void deliver_first(struct vdev *dev)
{
	struct vdev_reports *r = &dev->reports;
	const struct vdev_report *report = at(r, r->head++);

	r->late++;
	deliver(dev, report->queue, report->desc);
}

/* Xorshift from a fixed start: the same commands give the same disorder in each run. */
static u32 random_below(struct vdev_reports *r, u32 limit)
{
	if (!r->random)
		r->random = 0x9e3779b9;
	r->random ^= r->random << 13;
	r->random ^= r->random >> 17;
	r->random ^= r->random << 5;
	return r->random % limit;
}

/*
 * Sattolo's shuffle: a single cycle through all of them, so that each report leaves its
 * place and two are always exchanged.
 */
static void shuffle(struct vdev_reports *r)
{
	for (u32 i = vdev_reports_pending(r); i > 1; i--) {
		struct vdev_report *last = at(r, r->head + i - 1);
		struct vdev_report *other = at(r, r->head + random_below(r, i - 1));
		struct vdev_report swap = *last;

		*last = *other;
		*other = swap;
	}
}

static void deliver_all(struct vdev *dev)
{
	if (dev->reports.mode == VDEV_REPORTS_SHUFFLED)
		shuffle(&dev->reports);
	while (vdev_reports_pending(&dev->reports))
		deliver_first(dev);
}

/**
 * vdev_reports_mode - say what becomes of reports from now on
 * @dev: the device
 * @mode: what
 * @delay: nanoseconds, for VDEV_REPORTS_LATE
 * @now: vdev_now()
 *
 * Those that wait are lost when the new mode delivers none, else they are delivered.
 */
void vdev_reports_mode(struct vdev *dev, enum vdev_reports_mode mode, u64 delay, u64 now)
{
	struct vdev_reports *r = &dev->reports;

	vdev_reports_tick(dev, now);
	if (mode == VDEV_REPORTS_OFF) {
		r->lost += vdev_reports_pending(r);
		r->head = r->tail;
	}
	deliver_all(dev);
	r->mode = mode;
	r->delay = delay;
}

static void put(struct vdev *dev, u32 queue, const u64 desc[4], u64 due)
{
	struct vdev_reports *r = &dev->reports;
	struct vdev_report *report;

	if (vdev_reports_pending(r) == VDEV_REPORTS_MAX) {
		dev->count.status_lost++;
		return;
	}
	report = at(r, r->tail++);
	report->due = due;
	report->queue = queue;
	memcpy(report->desc, desc, sizeof(report->desc));
}

/**
 * vdev_reports_send - report an operation
 * @dev: the device
 * @queue: receive queue, absolute number
 * @desc: status descriptor
 * @now: vdev_now()
 */
void vdev_reports_send(struct vdev *dev, u32 queue, const u64 desc[4], u64 now)
{
	struct vdev_reports *r = &dev->reports;

	if (r->lose) {
		r->lose--;
		r->lost++;
		return;
	}
	switch (r->mode) {
	case VDEV_REPORTS_ON:
		deliver(dev, queue, desc);
		break;
	case VDEV_REPORTS_LATE:
		put(dev, queue, desc, now + r->delay);
		break;
	case VDEV_REPORTS_SHUFFLED:
		put(dev, queue, desc, now + VDEV_REPORTS_BATCH_NS);
		if (vdev_reports_pending(r) == VDEV_REPORTS_BATCH)
			deliver_all(dev);
		break;
	case VDEV_REPORTS_OFF:
		r->lost++;
		break;
	}
}

/**
 * vdev_reports_tick - deliver what is due
 * @dev: the device
 * @now: vdev_now()
 */
void vdev_reports_tick(struct vdev *dev, u64 now)
{
	struct vdev_reports *r = &dev->reports;

	while (vdev_reports_pending(r) && at(r, r->head)->due <= now) {
		if (r->mode == VDEV_REPORTS_SHUFFLED)
			deliver_all(dev);
		else
			deliver_first(dev);
	}
}

/* When the next one is due, 0 when none waits. */
u64 vdev_reports_due(const struct vdev_reports *r)
{
	return vdev_reports_pending(r) ? r->waiting[r->head % VDEV_REPORTS_MAX].due : 0;
}

/* The device is reset: what waits is not delivered. The mode stays. */
void vdev_reports_reset(struct vdev_reports *r)
{
	r->dropped += vdev_reports_pending(r);
	r->head = r->tail;
}
