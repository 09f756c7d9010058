// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_desc.h"

#include <string.h>

#define RXDID_FLEX_NIC		2
#define RXDID_FD_STATUS		0x40

/**
 * vdev_bits - a field of a queue context
 * @bytes: the context
 * @lsb: number of the field's lowest bit, counted from bit 0 of the first byte
 * @width: its width, up to 63
 */
u64 vdev_bits(const u8 *bytes, unsigned int lsb, unsigned int width)
{
	u64 value = 0;

	for (unsigned int i = 0; i < width; i++) {
		unsigned int bit = lsb + i;

		value |= (u64)(bytes[bit / 8] >> bit % 8 & 1) << i;
	}
	return value;
}

enum vdev_tx_dtype vdev_tx_dtype(const u64 desc[2])
{
	return vdev_field(desc[1], 0, 4);
}

void vdev_tx_data_decode(struct vdev_tx_data *data, const u64 desc[2])
{
	data->address = desc[0];
	data->command = vdev_field(desc[1], 4, 12);
	data->ip = vdev_field(desc[1], 9, 2);
	data->l4 = vdev_field(desc[1], 12, 2);
	data->mac_len = vdev_field(desc[1], 16, 7) * 2;
	data->ip_len = vdev_field(desc[1], 23, 7) * 4;
	data->l4_len = vdev_field(desc[1], 30, 4) * 4;
	data->size = vdev_field(desc[1], 34, 14);
	data->l2tag1 = vdev_field(desc[1], 48, 16);
}

void vdev_tx_context_decode(struct vdev_tx_context *ctx, const u64 desc[2])
{
	ctx->tunnel = vdev_field(desc[0], 0, 12);
	ctx->command = vdev_field(desc[1], 4, 7);
	ctx->tso_len = vdev_field(desc[1], 30, 18);
	ctx->mss = vdev_field(desc[1], 50, 14);
}

void vdev_tx_filter_decode(struct vdev_tx_filter *filter, const u64 desc[2])
{
	filter->queue = vdev_field(desc[0], 0, 11);
	filter->report = vdev_field(desc[0], 12, 2);
	filter->space = vdev_field(desc[0], 14, 2);
	filter->counter = vdev_field(desc[0], 16, 13);
	filter->count_packets = vdev_field(desc[0], 29, 1);
	filter->queue_priority = vdev_field(desc[0], 35, 3);
	filter->drop = vdev_field(desc[0], 40, 1);
	filter->remove = vdev_field(desc[1], 4, 1);
	filter->vsi = vdev_field(desc[1], 14, 10);
	filter->id = vdev_field(desc[1], 32, 32);
}

void vdev_tx_queue_decode(struct vdev_tx_queue_context *ctx, const u8 bytes[22])
{
	ctx->base = vdev_bits(bytes, 0, 57) << 7;
	ctx->vsi = vdev_bits(bytes, 80, 10);
	ctx->len = vdev_bits(bytes, 135, 13);
}

void vdev_rx_queue_decode(struct vdev_rx_queue_context *ctx, const u8 bytes[32])
{
	ctx->head = vdev_bits(bytes, 0, 13);
	ctx->base = vdev_bits(bytes, 32, 57) << 7;
	ctx->len = vdev_bits(bytes, 89, 13);
	ctx->buffer_size = vdev_bits(bytes, 102, 7) << 7;
	ctx->long_desc = vdev_bits(bytes, 116, 1);
}

/**
 * vdev_rx_done_encode - build the write-back form of a receive descriptor
 * @done: what to report
 * @desc: result; the driver may look at it as soon as desc[1] is stored
 */
void vdev_rx_done_encode(const struct vdev_rx_done *done, u64 desc[4])
{
	desc[0] = RXDID_FLEX_NIC | vdev_place(done->cast, 14, 2) |
		  vdev_place(done->ptype, 16, 10) | vdev_place(done->len, 32, 14);
	desc[1] = done->status | (u64)done->hash << 32;
	desc[2] = 0;
	desc[3] = done->flow_id;
}

/**
 * vdev_fd_status_encode - build the report of a Flow Director operation
 * @id: filter id of the programming descriptor
 * @remove: whether it removed a filter
 * @failure: why nothing was done
 * @desc: result, in a receive descriptor
 */
void vdev_fd_status_encode(u32 id, bool remove, enum vdev_fd_failure failure, u64 desc[4])
{
	memset(desc, 0, 4 * sizeof(*desc));
	desc[0] = RXDID_FD_STATUS | (u64)id << 32;
	desc[1] = VDEV_RX_DONE | vdev_place(remove, 1, 2) |
		  vdev_place(failure == VDEV_FD_FAILURE, 4, 1) |
		  vdev_place(failure == VDEV_FD_FAILURE_PROFILE, 5, 1);
}
