// SPDX-License-Identifier: GPL-2.0-only
/* Programming Flow Director: from descriptor and dummy packet to table, log and status. */
#include "vdev.h"
#include "vdev_log.h"

static void publish_vsi(struct vdev *dev, u16 vsi)
{
	const struct vdev_fdir *fdir = &dev->fdir;

	*vdev_reg(dev, E810_GLQF_FD_CNT) =
		fdir->used_guaranteed | fdir->used_best_effort << E810_FD_BEST_EFFORT_SHIFT;
	if (vsi < VDEV_MAX_VSIS)
		*vdev_reg(dev, E810_VSIQF_FD_CNT(vsi)) = fdir->vsi_guaranteed[vsi] |
			(u32)fdir->vsi_best_effort[vsi] << E810_FD_BEST_EFFORT_SHIFT;
}

/**
 * vdev_fdir_publish - bring the driver's view of the table up to date
 * @dev: the device
 */
void vdev_fdir_publish(struct vdev *dev)
{
	for (u32 vsi = 0; vsi < VDEV_MAX_VSIS; vsi++)
		publish_vsi(dev, vsi);
}

static void count(struct vdev *dev, const struct vdev_filter_event *e)
{
	if (e->outcome != VDEV_FD_OK)
		dev->count.failed++;
	else if (e->op == VDEV_FILTER_ADD)
		dev->count.adds++;
	else if (e->op == VDEV_FILTER_MOVE)
		dev->count.moves++;
	else
		dev->count.deletes++;
}

static enum vdev_fd_outcome apply(struct vdev *dev, const struct vdev_tuple *tuple,
				  const struct vdev_tx_filter *desc, u64 now)
{
	enum vdev_fd_outcome fault = vdev_fault_take(&dev->fault, desc->remove, now);
	struct vdev_fd_quota quota = { 0 };

	if (fault != VDEV_FD_OK)
		return fault;
	if (desc->remove)
		return vdev_fdir_remove(&dev->fdir, tuple, desc->vsi);
	if (desc->vsi < VDEV_MAX_VSIS) {
		quota.guaranteed = dev->vsi[desc->vsi].props.fd_dedicated;
		quota.best_effort = dev->vsi[desc->vsi].props.fd_shared;
	}
	return vdev_fdir_add(&dev->fdir, tuple, desc, &quota);
}

static enum vdev_fd_failure failure_of(enum vdev_fd_outcome outcome)
{
	if (outcome == VDEV_FD_OK)
		return VDEV_FD_FAILURE_NONE;
	return outcome == VDEV_FD_PROFILE ? VDEV_FD_FAILURE_PROFILE : VDEV_FD_FAILURE;
}

/* Status goes to the queue that the programming VSI's properties name. */
static void report(struct vdev *dev, u16 queue_vsi, const struct vdev_tx_filter *desc,
		   const struct vdev_filter_event *event)
{
	u32 queue;
	u64 status[4];

	if (desc->report == VDEV_FD_REPORT_NEVER ||
	    (desc->report == VDEV_FD_REPORT_FAILURE && event->outcome == VDEV_FD_OK))
		return;
	if (queue_vsi >= VDEV_MAX_VSIS) {
		dev->count.status_lost++;
		return;
	}
	vdev_fd_status_encode(desc->id, desc->remove, failure_of(event->outcome), status);
	queue = vdev_vsi_queue(dev, queue_vsi, dev->vsi[queue_vsi].props.fd_report & 0x7ff);
	vdev_reports_send(dev, queue, status, event->time);
}

/**
 * vdev_fdir_program - carry out one programming descriptor
 * @dev: the device
 * @queue_vsi: VSI that owns the transmit queue it came on
 * @raw: the descriptor
 * @dummy: the dummy packet that followed it
 * @len: its length
 *
 * The dummy packet is one that the host would send: its source is what the filter matches
 * as destination on receive.
 */
void vdev_fdir_program(struct vdev *dev, u16 queue_vsi, const u64 raw[2], const u8 *dummy,
		       u32 len)
{
	struct vdev_filter_event event = { .time = vdev_now() };
	struct vdev_tx_filter desc;
	struct vdev_packet pkt;
	struct vdev_filter *old;

	vdev_tx_filter_decode(&desc, raw);
	if (len < VDEV_ETH_HEADER) {
		dev->count.failed++;
		return;
	}
	vdev_packet_parse(&pkt, dummy, len);
	event.tuple = vdev_tuple_swap(&pkt.tuple);
	event.queue = desc.queue;
	event.drop = desc.drop;
	event.id = desc.id;
	event.vsi = desc.vsi;
	old = vdev_fdir_find(&dev->fdir, &event.tuple, desc.vsi);
	event.op = desc.remove ? VDEV_FILTER_DELETE : old ? VDEV_FILTER_MOVE : VDEV_FILTER_ADD;
	event.from = old ? old->queue : 0;
	event.outcome = apply(dev, &event.tuple, &desc, event.time);
	count(dev, &event);
	publish_vsi(dev, desc.vsi);
	vdev_filter_log_write(&dev->filter_log, &event);
	report(dev, queue_vsi, &desc, &event);
}
