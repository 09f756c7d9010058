// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transmit rings. A doorbell only marks its queue: the guest's CPU waits for the answer to
 * each register access, so the work is done after it has been given. A queue rests while
 * the wire's buffer is full and goes on when the far end has read.
 */
#include <string.h>

#include "vdev.h"
#include "vdev_log.h"
#include "vdev_offload.h"

/* Descriptors to carry out before other sockets are looked at again. */
#define BUDGET		512

/* A packet being collected from the descriptors of one queue. */
struct gather {
	struct vdev *dev;
	struct vdev_txq *q;
	u32 len;
	bool broken;		/* too long, or not in guest memory */
	bool has_context;
	struct vdev_tx_context context;
	bool has_filter;
	u64 filter[2];
	bool report;
	u16 report_at;
};

static u8 frame[VDEV_OFFLOAD_MAX_FRAME];

/**
 * vdev_tx_doorbell - the driver has queued descriptors
 * @dev: the device
 * @queue: where
 */
void vdev_tx_doorbell(struct vdev *dev, u32 queue)
{
	if (queue < dev->num_queues && dev->txq[queue].enabled && !vdev_in_reset(dev))
		dev->txq[queue].pending = true;
}

static void send(void *arg, const u8 *data, u32 len)
{
	struct gather *g = arg;

	if (!g->dev->link_up) {
		vdev_stats_tx_link_down(g->dev);
		return;
	}
	vdev_stats_tx(g->dev, g->q->vsi, data, len);
	vdev_wire_send(&g->dev->wire, data, len);
}

static void bad_packet(struct gather *g, const char *what)
{
	if (!g->dev->count.tx_bad++)
		vdev_note("first bad packet on the transmit side: %s", what);
	if (g->q->vsi < VDEV_MAX_VSIS)
		(*vdev_reg(g->dev, E810_GLV_TEPC(g->q->vsi)))++;
}

static void finish_packet(struct gather *g, const struct vdev_tx_data *data)
{
	struct vdev_offload off = {
		.ip = data->ip, .l4 = data->l4, .mac_len = data->mac_len,
		.ip_len = data->ip_len, .l4_len = data->l4_len,
		.vlan = data->command & VDEV_TX_CMD_L2TAG1, .vlan_tag = data->l2tag1,
	};

	if (g->has_context && g->context.command & VDEV_TX_CTX_TSO)
		off.mss = g->context.mss;
	if (g->broken)
		bad_packet(g, "its buffers cannot be read");
	else if (g->has_context && g->context.tunnel)
		bad_packet(g, "offloads inside tunnels are not modelled");
	else if (vdev_offload(frame, g->len, &off, send, g))
		bad_packet(g, "its descriptors contradict its headers");
	g->len = 0;
	g->broken = false;
	g->has_context = false;
}

static void collect(struct gather *g, const struct vdev_tx_data *data)
{
	const u8 *from = vdev_dma_ptr(&g->dev->vfu.dma, data->address, data->size, false);

	if (!from || data->size > sizeof(frame) - g->len) {
		g->broken = true;
		return;
	}
	memcpy(frame + g->len, from, data->size);
	g->len += data->size;
}

static void program_filter(struct gather *g, const struct vdev_tx_data *data)
{
	const u8 *dummy = vdev_dma_ptr(&g->dev->vfu.dma, data->address, data->size, false);

	if (dummy && g->has_filter)
		vdev_fdir_program(g->dev, g->q->vsi, g->filter, dummy, data->size);
	else
		bad_packet(g, "a dummy packet without its filter");
	g->has_filter = false;
}

static void data_descriptor(struct gather *g, const u64 desc[2])
{
	struct vdev_tx_data data;

	vdev_tx_data_decode(&data, desc);
	if (data.command & VDEV_TX_CMD_RS) {
		g->report = true;
		g->report_at = g->q->head;
	}
	if (data.command & VDEV_TX_CMD_DUMMY) {
		program_filter(g, &data);
		return;
	}
	collect(g, &data);
	if (data.command & VDEV_TX_CMD_EOP)
		finish_packet(g, &data);
}

static void one_descriptor(struct gather *g, const u64 desc[2])
{
	switch (vdev_tx_dtype(desc)) {
	case VDEV_TX_DATA:
		data_descriptor(g, desc);
		break;
	case VDEV_TX_CONTEXT:
		vdev_tx_context_decode(&g->context, desc);
		g->has_context = true;
		break;
	case VDEV_TX_FILTER:
		memcpy(g->filter, desc, sizeof(g->filter));
		g->has_filter = true;
		break;
	default:
		bad_packet(g, "an unknown descriptor type");
		break;
	}
}

/* Mark the descriptor that asked for it as done, which frees all before it. */
static void report_done(struct gather *g)
{
	u64 *desc = vdev_dma_ptr(&g->dev->vfu.dma,
				 g->q->base + g->report_at * (u64)VDEV_TX_DESC_SIZE,
				 VDEV_TX_DESC_SIZE, true);

	g->report = false;
	if (desc)
		__atomic_store_n(&desc[1], desc[1] | VDEV_TX_DONE, __ATOMIC_RELEASE);
}

/* Whether a packet ends here, so that a queue may rest. */
static bool between_packets(const struct gather *g)
{
	return !g->len && !g->broken && !g->has_context && !g->has_filter;
}

static void service(struct vdev *dev, u32 index)
{
	struct gather g = { .dev = dev, .q = &dev->txq[index] };
	struct vdev_txq *q = g.q;
	u16 tail = *vdev_reg(dev, E810_QTX_COMM_DBELL(index)) & E810_QUEUE_INDEX_MASK;
	bool reported = false;
	u16 start = q->head;
	u32 done = 0;

	q->pending = false;
	if (tail >= q->len)
		return;
	while (q->head != tail) {
		const u64 *desc;

		if (between_packets(&g)) {
			start = q->head;
			if (done >= BUDGET || vdev_wire_full(&dev->wire)) {
				q->pending = true;
				break;
			}
		}
		desc = vdev_dma_ptr(&dev->vfu.dma, q->base + q->head * (u64)VDEV_TX_DESC_SIZE,
				    VDEV_TX_DESC_SIZE, false);
		if (!desc)
			break;
		one_descriptor(&g, (const u64[2]){ desc[0], desc[1] });
		if (g.report && between_packets(&g)) {
			report_done(&g);
			reported = true;
		}
		q->head = q->head + 1 == q->len ? 0 : q->head + 1;
		done++;
	}
	if (!between_packets(&g))
		q->head = start;	/* the rest of this packet is still to come */
	if (reported)
		vdev_irq_cause(dev, E810_QINT_TQCTL(index));
}

/**
 * vdev_tx_service - work on the queues whose doorbell rang
 * @dev: the device
 */
void vdev_tx_service(struct vdev *dev)
{
	for (u32 i = 0; i < dev->num_queues; i++)
		if (dev->txq[i].pending && dev->txq[i].enabled)
			service(dev, i);
}
