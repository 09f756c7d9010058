// SPDX-License-Identifier: GPL-2.0-only
/*
 * Receive: which queue a frame belongs to, and writing it to that queue's ring. Flow
 * Director decides first, by exact tuple; RSS decides for the rest.
 */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"

/* Where a frame goes and what its descriptor will say. */
struct verdict {
	u16 queue;		/* relative to the VSI */
	bool drop;
	bool hashed;
	u32 hash;
	struct vdev_filter *filter;	/* that matched, NULL for none */
	u32 flow_id;
};

/* Absolute number of a VSI's queue. */
u32 vdev_vsi_queue(const struct vdev *dev, u16 vsi, u32 relative)
{
	return (dev->vsi[vsi].props.q_mapping[0] & 0x7ff) + relative;
}

u32 vdev_vsi_num_queues(const struct vdev *dev, u16 vsi)
{
	u32 n = vsi < VDEV_MAX_VSIS ? dev->vsi[vsi].props.q_mapping[1] : 0;

	return n < dev->num_queues ? n : dev->num_queues;
}

/**
 * vdev_rx_enable - the driver enables or disables a receive queue
 * @dev: the device
 * @queue: absolute number
 * @enable: which
 */
void vdev_rx_enable(struct vdev *dev, u32 queue, bool enable)
{
	u32 words[E810_QRX_CONTEXT_DWORDS];
	struct vdev_rx_queue_context ctx;
	struct vdev_rxq *q;

	if (queue >= dev->num_queues)
		return;
	q = &dev->rxq[queue];
	if (!enable) {
		q->enabled = false;
		return;
	}
	if (q->enabled)
		return;
	for (u32 i = 0; i < E810_QRX_CONTEXT_DWORDS; i++)
		words[i] = *vdev_reg(dev, E810_QRX_CONTEXT(i, queue));
	vdev_rx_queue_decode(&ctx, (const u8 *)words);
	if (!ctx.len || !ctx.buffer_size || !ctx.long_desc) {
		vdev_note("rx queue %u has a context that makes no sense, ignored", queue);
		return;
	}
	*q = (struct vdev_rxq){
		.enabled = true, .base = ctx.base, .len = ctx.len, .head = ctx.head,
		.buffer_size = ctx.buffer_size,
	};
	vdev_note("rx queue %u: %u descriptors, buffers of %u", queue, q->len, q->buffer_size);
}

static u64 *descriptor(struct vdev *dev, struct vdev_rxq *q)
{
	return vdev_dma_ptr(&dev->vfu.dma, q->base + q->head * (u64)VDEV_RX_DESC_SIZE,
			    VDEV_RX_DESC_SIZE, true);
}

static void advance(struct vdev_rxq *q)
{
	q->head = q->head + 1 == q->len ? 0 : q->head + 1;
}

static u32 free_descriptors(struct vdev *dev, u32 queue)
{
	struct vdev_rxq *q = &dev->rxq[queue];
	u16 tail = *vdev_reg(dev, E810_QRX_TAIL(queue)) & E810_QUEUE_INDEX_MASK;

	return tail < q->len ? (tail + q->len - q->head) % q->len : 0;
}

/* The second word carries the "done" bit, so it goes last. */
static void store(u64 *to, const u64 desc[4])
{
	to[0] = desc[0];
	to[2] = desc[2];
	to[3] = desc[3];
	__atomic_store_n(&to[1], desc[1], __ATOMIC_RELEASE);
}

/**
 * vdev_rx_write_status - report something else than a packet on a receive queue
 * @dev: the device
 * @queue: absolute number
 * @desc: the descriptor to write
 *
 * Return: false when the queue has no room.
 */
bool vdev_rx_write_status(struct vdev *dev, u32 queue, const u64 desc[4])
{
	struct vdev_rxq *q;
	u64 *to;

	if (queue >= dev->num_queues || !dev->rxq[queue].enabled ||
	    !free_descriptors(dev, queue))
		return false;
	q = &dev->rxq[queue];
	to = descriptor(dev, q);
	if (!to)
		return false;
	store(to, desc);
	advance(q);
	vdev_irq_cause(dev, E810_QINT_RQCTL(queue));
	return true;
}

static void ask_rss(const struct vdev_vsi *vsi, const struct vdev_packet *pkt, struct verdict *v)
{
	if (!pkt->ip)
		return;
	v->hashed = true;
	v->hash = vdev_rss_hash(vsi->key, sizeof(vsi->key), &pkt->tuple, pkt->ports);
	if (vsi->lut_size)
		v->queue = vsi->lut[v->hash & (vsi->lut_size - 1)];
}

static void ask_flow_director(struct vdev *dev, u16 vsi, const struct vdev_packet *pkt,
			      struct verdict *v)
{
	struct vdev_filter *f;

	if (!pkt->ip)
		return;
	f = vdev_fdir_find(&dev->fdir, &pkt->tuple, vsi);
	if (!f)
		return;
	v->filter = f;
	v->drop = f->drop;
	v->flow_id = f->id;
	if (!f->rss_queue)
		v->queue = f->queue;
}

static void count_hit(struct vdev *dev, struct vdev_filter *f)
{
	f->hits++;
	dev->count.fdir_hits++;
	if (f->count_packets && f->counter < E810_FD_COUNTERS)
		vdev_stats_add(dev, E810_GLSTAT_FD_CNT0L(f->counter), 1);
}

static u16 packet_status(const struct vdev_packet *pkt, const struct verdict *v)
{
	u16 status = VDEV_RX_DONE;

	if (pkt->ip)
		status |= VDEV_RX_L3L4_CHECKED;
	if (pkt->bad_ip_csum)
		status |= VDEV_RX_BAD_IP_CSUM;
	if (pkt->bad_l4_csum)
		status |= VDEV_RX_BAD_L4_CSUM;
	if (v->hashed)
		status |= VDEV_RX_HASH_VALID;
	return status;
}

/* Return: false when a buffer is not in guest memory. */
static bool write_frame(struct vdev *dev, u32 queue, const struct vdev_packet *pkt,
			const struct verdict *v, const u8 *frame, u32 len)
{
	struct vdev_rxq *q = &dev->rxq[queue];
	struct vdev_rx_done done = {
		.cast = pkt->cast, .ptype = pkt->ptype, .status = packet_status(pkt, v),
		.hash = v->hash, .flow_id = v->flow_id,
	};

	for (u32 off = 0; off < len; off += done.len) {
		u64 *to = descriptor(dev, q), desc[4];
		u8 *buf;

		done.len = len - off < q->buffer_size ? len - off : q->buffer_size;
		buf = to ? vdev_dma_ptr(&dev->vfu.dma, to[0], done.len, true) : NULL;
		if (!buf)
			return false;
		memcpy(buf, frame + off, done.len);
		if (off + done.len == len)
			done.status |= VDEV_RX_EOP;
		vdev_rx_done_encode(&done, desc);
		store(to, desc);
		advance(q);
	}
	vdev_irq_cause(dev, E810_QINT_RQCTL(queue));
	return true;
}

static void drop(struct vdev *dev, u16 vsi)
{
	dev->count.rx_dropped++;
	if (vsi < VDEV_MAX_VSIS)
		vdev_stats_rx_vsi_dropped(dev, vsi);
}

/* The queue that the verdict names, -1 when the frame is to be dropped. */
static int queue_of(const struct vdev *dev, u16 vsi, const struct verdict *v)
{
	u32 queue = vdev_vsi_queue(dev, vsi, v->queue);

	if (v->drop || v->queue >= vdev_vsi_num_queues(dev, vsi) || queue >= dev->num_queues ||
	    !dev->rxq[queue].enabled)
		return -1;
	return queue;
}

/*
 * Room for the frame, or else whether to wait for it. Emulated CPUs are slow where the wire
 * is not, so a full ring holds the wire back for a while. A ring that was waited for in vain
 * is not waited for again until the driver fills it.
 */
enum room { ROOM, WAIT, NO_ROOM };

static enum room look_for_room(struct vdev *dev, u32 queue, u32 len)
{
	struct vdev_rxq *q = &dev->rxq[queue];
	u32 need = (len + q->buffer_size - 1) / q->buffer_size;
	u64 now;

	if (free_descriptors(dev, queue) >= need) {
		q->given_up = false;
		return ROOM;
	}
	if (q->given_up || need >= q->len)
		return NO_ROOM;
	now = vdev_now();
	if (!dev->rx_held_since) {
		dev->rx_held_since = now;
		dev->count.rx_held++;
	}
	if (now - dev->rx_held_since < VDEV_RX_HOLD_NS)
		return WAIT;
	q->given_up = true;
	return NO_ROOM;
}

static void receive(struct vdev *dev, u16 vsi, struct vdev_packet *pkt, const struct verdict *v,
		    int queue, const u8 *frame, u32 len)
{
	vdev_stats_rx_port(dev, frame, len);
	if (v->filter)
		count_hit(dev, v->filter);
	if (queue >= 0)
		vdev_packet_verify(pkt, frame);
	if (queue < 0 || !write_frame(dev, queue, pkt, v, frame, len)) {
		drop(dev, vsi);
		return;
	}
	vdev_stats_rx_vsi(dev, vsi, pkt->cast, len);
	if (pkt->ports && pkt->tuple.proto != VDEV_PROTO_SCTP)
		vdev_flows_count(&dev->flows, &pkt->tuple, v->hash, v->queue,
				 v->filter && !v->filter->rss_queue);
}

/**
 * vdev_rx_frame - a frame comes from the wire
 * @dev: the device
 * @frame: the frame, at least an Ethernet header
 * @len: its length
 *
 * Return: false when it cannot be taken yet and is to be offered again.
 */
bool vdev_rx_frame(struct vdev *dev, const u8 *frame, u32 len)
{
	struct verdict v = { .flow_id = VDEV_RX_NO_FLOW_ID };
	u16 vsi = dev->main_vsi;
	struct vdev_packet pkt;
	int queue = -1;

	if (!dev->link_up || vdev_in_reset(dev)) {
		drop(dev, VDEV_NO_VSI);
		dev->rx_held_since = 0;
		return true;
	}
	vdev_packet_parse(&pkt, frame, len);
	if (vsi != VDEV_NO_VSI) {
		ask_rss(&dev->vsi[vsi], &pkt, &v);
		ask_flow_director(dev, vsi, &pkt, &v);
		queue = queue_of(dev, vsi, &v);
	}
	if (queue >= 0) {
		enum room room = look_for_room(dev, queue, len);

		if (room == WAIT)
			return false;
		if (room == NO_ROOM)
			queue = -1;
	}
	dev->rx_held_since = 0;
	receive(dev, vsi, &pkt, &v, queue, frame, len);
	return true;
}
