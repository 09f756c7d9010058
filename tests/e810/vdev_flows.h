/* SPDX-License-Identifier: GPL-2.0-only */
/* How many packets of each flow were delivered to each queue. */
#ifndef VDEV_FLOWS_H
#define VDEV_FLOWS_H

#include "vdev_tuple.h"

/* 64-bit sums for this many flows and 64 queues would be too much: queue counts are 32-bit. */
#define VDEV_FLOWS_MAX		131072

/**
 * struct vdev_flow - one flow
 * @tuple: as received
 * @packets: delivered in all
 * @hash: RSS hash of the last one
 * @last: queue of the last one, relative to the VSI
 * @by_filter: whether Flow Director chose that queue
 * @next: next flow of the bucket, NULL at the end
 * @queue: delivered to each queue
 */
struct vdev_flow {
	struct vdev_tuple tuple;
	u64 packets;
	u32 hash;
	u16 last;
	bool by_filter;
	struct vdev_flow *next;
	u32 queue[];
};

/**
 * struct vdev_flows - all flows
 * @bucket: hash table
 * @all: flows in the order of their first packet
 * @count: how many
 * @num_queues: entries of each flow's @queue
 * @untracked: packets of flows that came when the table was full
 */
struct vdev_flows {
	struct vdev_flow **bucket;
	struct vdev_flow **all;
	u32 count;
	u32 num_queues;
	u64 untracked;
};

int vdev_flows_init(struct vdev_flows *flows, u32 num_queues);
void vdev_flows_free(struct vdev_flows *flows);
void vdev_flows_reset(struct vdev_flows *flows);
void vdev_flows_count(struct vdev_flows *flows, const struct vdev_tuple *tuple, u32 hash,
		      u16 queue, bool by_filter);
const struct vdev_flow *vdev_flows_find(const struct vdev_flows *flows,
					const struct vdev_tuple *tuple);

#endif /* VDEV_FLOWS_H */
