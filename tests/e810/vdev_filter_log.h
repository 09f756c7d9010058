/* SPDX-License-Identifier: GPL-2.0-only */
/* One line for each filter operation, in a file. */
#ifndef VDEV_FILTER_LOG_H
#define VDEV_FILTER_LOG_H

#include <stdio.h>

#include "vdev_fdir.h"
#include "vdev_tuple.h"

enum vdev_filter_op { VDEV_FILTER_ADD, VDEV_FILTER_MOVE, VDEV_FILTER_DELETE };

/**
 * struct vdev_filter_event - one operation
 * @time: vdev_now() when it was carried out
 * @op: add; move when a filter for the tuple existed; delete
 * @outcome: what became of it
 * @tuple: as seen on receive
 * @queue: relative to the VSI
 * @from: queue before a move
 * @drop: the filter drops instead of steering
 * @id: filter id
 * @vsi: whose packets it matches
 */
struct vdev_filter_event {
	u64 time;
	enum vdev_filter_op op;
	enum vdev_fd_outcome outcome;
	struct vdev_tuple tuple;
	u16 queue;
	u16 from;
	bool drop;
	u32 id;
	u16 vsi;
};

#define VDEV_FILTER_LINE	320

struct vdev_filter_log {
	FILE *file;
	const char *path;
	bool dirty;
};

int vdev_filter_log_open(struct vdev_filter_log *log, const char *path);
void vdev_filter_log_close(struct vdev_filter_log *log);
const char *vdev_filter_log_line(const struct vdev_filter_event *event,
				 char line[VDEV_FILTER_LINE]);
void vdev_filter_log_write(struct vdev_filter_log *log, const struct vdev_filter_event *event);
void vdev_filter_log_flush(struct vdev_filter_log *log);

#endif /* VDEV_FILTER_LOG_H */
