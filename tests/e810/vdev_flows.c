// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_flows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS		VDEV_FLOWS_MAX

/**
 * vdev_flows_init - make an empty table
 * @flows: the table
 * @num_queues: queues that can be counted for each flow
 *
 * Return: 0 or a negative errno.
 */
int vdev_flows_init(struct vdev_flows *flows, u32 num_queues)
{
	memset(flows, 0, sizeof(*flows));
	flows->bucket = calloc(BUCKETS, sizeof(*flows->bucket));
	flows->all = calloc(VDEV_FLOWS_MAX, sizeof(*flows->all));
	flows->num_queues = num_queues;
	if (flows->bucket && flows->all)
		return 0;
	vdev_flows_free(flows);
	return -ENOMEM;
}

/* Forget all flows. */
void vdev_flows_reset(struct vdev_flows *flows)
{
	for (u32 i = 0; i < flows->count; i++)
		free(flows->all[i]);
	memset(flows->bucket, 0, BUCKETS * sizeof(*flows->bucket));
	flows->count = 0;
	flows->untracked = 0;
}

void vdev_flows_free(struct vdev_flows *flows)
{
	if (flows->bucket && flows->all)
		vdev_flows_reset(flows);
	free(flows->bucket);
	free(flows->all);
	flows->bucket = NULL;
	flows->all = NULL;
}

static struct vdev_flow **bucket_of(const struct vdev_flows *flows, const struct vdev_tuple *tuple)
{
	return &flows->bucket[vdev_tuple_hash(tuple) % BUCKETS];
}

static struct vdev_flow *find(const struct vdev_flows *flows, const struct vdev_tuple *tuple)
{
	struct vdev_flow *flow = *bucket_of(flows, tuple);

	while (flow && !vdev_tuple_equal(&flow->tuple, tuple))
		flow = flow->next;
	return flow;
}

static struct vdev_flow *add(struct vdev_flows *flows, const struct vdev_tuple *tuple)
{
	struct vdev_flow **bucket = bucket_of(flows, tuple);
	struct vdev_flow *flow;

	if (flows->count == VDEV_FLOWS_MAX)
		return NULL;
	flow = calloc(1, sizeof(*flow) + flows->num_queues * sizeof(flow->queue[0]));
	if (!flow)
		return NULL;
	flow->tuple = *tuple;
	flow->next = *bucket;
	*bucket = flow;
	flows->all[flows->count++] = flow;
	return flow;
}

/**
 * vdev_flows_count - a packet was delivered
 * @flows: the table
 * @tuple: its flow
 * @hash: RSS hash that the device reports with it, 0 when it has none
 * @queue: where, relative to the VSI
 * @by_filter: whether Flow Director chose the queue
 */
void vdev_flows_count(struct vdev_flows *flows, const struct vdev_tuple *tuple, u32 hash,
		      u16 queue, bool by_filter)
{
	struct vdev_flow *flow = find(flows, tuple);

	if (!flow)
		flow = add(flows, tuple);
	if (!flow || queue >= flows->num_queues) {
		flows->untracked++;
		return;
	}
	flow->packets++;
	flow->queue[queue]++;
	flow->hash = hash;
	flow->last = queue;
	flow->by_filter = by_filter;
}

const struct vdev_flow *vdev_flows_find(const struct vdev_flows *flows,
					const struct vdev_tuple *tuple)
{
	return find(flows, tuple);
}
