// SPDX-License-Identifier: GPL-2.0-only
#include "test_rig.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "vdev_control.h"
#include "vdev_desc.h"

static void enable_admin_queue(struct rig *rig)
{
	vdev_mmio_write(rig->dev, E810_PF_FW_ATQBAL, RIG_BASE + RIG_ATQ);
	vdev_mmio_write(rig->dev, E810_PF_FW_ATQLEN, RIG_ATQ_LEN | E810_CTLQ_LEN_ENABLE);
}

void rig_start(struct rig *rig, u32 filters)
{
	int fd = memfd_create("rig", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, RIG_MEMORY), 0);
	rig->dev = calloc(1, sizeof(*rig->dev));
	ck_assert_ptr_nonnull(rig->dev);
	ck_assert_int_eq(vdev_device_init(rig->dev, 16, filters), 0);
	rig->dev->vfu.fd = -1;
	rig->dev->vfu.listen_fd = -1;
	rig->dev->wire.fd = -1;
	ck_assert_int_eq(vdev_dma_map(&rig->dev->vfu.dma, RIG_BASE, RIG_MEMORY, fd, 0, true), 0);
	rig->memory = vdev_dma_ptr(&rig->dev->vfu.dma, RIG_BASE, RIG_MEMORY, true);
	ck_assert_ptr_nonnull(rig->memory);
	close(fd);
	enable_admin_queue(rig);
}

void rig_stop(struct rig *rig)
{
	vdev_dma_unmap_all(&rig->dev->vfu.dma);
	vdev_device_free(rig->dev);
	free(rig->dev);
}

struct vdev_aq_desc rig_command(struct rig *rig, struct vdev_aq_desc desc, u16 len)
{
	struct vdev_aq_desc *ring = (struct vdev_aq_desc *)(rig->memory + RIG_ATQ);
	u32 tail = *vdev_reg(rig->dev, E810_PF_FW_ATQT);

	desc.datalen = len;
	if (len) {
		desc.flags = VDEV_AQ_FLAG_BUF;
		desc.addr_low = RIG_BASE + RIG_BUFFER;
	}
	ring[tail] = desc;
	vdev_mmio_write(rig->dev, E810_PF_FW_ATQT, (tail + 1) % RIG_ATQ_LEN);
	ck_assert_uint_eq(vdev_mmio_read(rig->dev, E810_PF_FW_ATQH), (tail + 1) % RIG_ATQ_LEN);
	ck_assert(ring[tail].flags & VDEV_AQ_FLAG_DD);
	return ring[tail];
}

static void must(struct rig *rig, struct vdev_aq_desc desc, u16 len)
{
	ck_assert_uint_eq(rig_command(rig, desc, len).retval, 0);
}

static void add_vsi(struct rig *rig, u16 first, u16 count, u16 share)
{
	struct vdev_aq_vsi_props props = {
		.q_mapping = { first, count }, .fd_options = 9, .fd_dedicated = share,
		.fd_shared = share,
	};

	memcpy(rig->memory + RIG_BUFFER, &props, sizeof(props));
	must(rig, (struct vdev_aq_desc){ .opcode = 0x0210 }, sizeof(props));
}

/* A lookup rule of the smallest size that leads to the first VSI. */
static void add_rule(struct rig *rig)
{
	u32 action = RIG_VSI << 4 | 1 << 17;

	memset(rig->memory + RIG_BUFFER, 0, 32);
	memcpy(rig->memory + RIG_BUFFER + 8, &action, sizeof(action));
	must(rig, (struct vdev_aq_desc){ .opcode = 0x02a0, .word = { 1 } }, 32);
}

static void set_rss(struct rig *rig)
{
	u8 *buf = rig->memory + RIG_BUFFER;

	for (u32 i = 0; i < VDEV_RSS_KEY_SIZE; i++)
		buf[i] = i * 37 + 11;
	must(rig, (struct vdev_aq_desc){ .opcode = 0x0b02, .word = { RIG_VSI } },
	     VDEV_RSS_KEY_SIZE);
	for (u32 i = 0; i < VDEV_RSS_LUT_SIZE; i++)
		buf[i] = i % RIG_QUEUES;
	must(rig, (struct vdev_aq_desc){ .opcode = 0x0b03, .word = { RIG_VSI } },
	     VDEV_RSS_LUT_SIZE);
}

/* Sets @width bits of a queue context, the inverse of what the device reads. */
static void put_bits(u8 *bytes, u32 lsb, u32 width, u64 value)
{
	for (u32 i = 0; i < width; i++)
		if (value >> i & 1)
			bytes[(lsb + i) / 8] |= 1 << (lsb + i) % 8;
}

static void enable_rx(struct rig *rig, u32 q)
{
	u8 ctx[32] = { 0 };
	u32 word;

	for (u32 i = 0; i < RIG_RING_LEN; i++)
		rig_rx_desc(rig, q, i)[0] = RIG_BASE + RIG_RX_DATA + i * 2048;
	put_bits(ctx, 32, 57, (RIG_BASE + RIG_RX_RING(q)) >> 7);
	put_bits(ctx, 89, 13, RIG_RING_LEN);
	put_bits(ctx, 102, 7, 2048 >> 7);
	put_bits(ctx, 116, 1, 1);
	for (u32 i = 0; i < 8; i++) {
		memcpy(&word, ctx + 4 * i, sizeof(word));
		vdev_mmio_write(rig->dev, E810_QRX_CONTEXT(i, q), word);
	}
	vdev_mmio_write(rig->dev, E810_QRX_CTRL(q), E810_QRX_CTRL_REQ);
	ck_assert(vdev_mmio_read(rig->dev, E810_QRX_CTRL(q)) & E810_QRX_CTRL_STAT);
	vdev_mmio_write(rig->dev, E810_QRX_TAIL(q), RIG_RING_LEN - 1);
}

static void add_control_queue(struct rig *rig)
{
	u8 *buf = rig->memory + RIG_BUFFER;

	memset(buf, 0, 56);
	buf[0] = 8;	/* parent in the scheduler tree */
	buf[4] = 1;	/* one queue */
	buf[8] = RIG_CTRL_QUEUE;
	put_bits(buf + 16, 0, 57, (RIG_BASE + RIG_TX_RING) >> 7);
	put_bits(buf + 16, 80, 10, RIG_CTRL_VSI);
	put_bits(buf + 16, 135, 13, RIG_RING_LEN);
	must(rig, (struct vdev_aq_desc){ .opcode = 0x0c30, .raw = { 1 } }, 56);
}

void rig_configure(struct rig *rig)
{
	enable_admin_queue(rig);
	add_vsi(rig, 0, RIG_QUEUES, 0xffff);
	add_vsi(rig, RIG_CTRL_QUEUE, 1, 0);
	add_rule(rig);
	ck_assert_uint_eq(rig->dev->main_vsi, RIG_VSI);
	set_rss(rig);
	for (u32 q = 0; q <= RIG_CTRL_QUEUE; q++)
		enable_rx(rig, q);
	add_control_queue(rig);
}

/* The host's own packet of the flow: source and destination exchanged. */
static void write_dummy(u8 *dummy, const u8 *frame, u32 len)
{
	u32 ip = 14, addr = frame[12] == 0x08 ? 12 : 8, size = frame[12] == 0x08 ? 4 : 16;
	u32 l4 = ip + (frame[12] == 0x08 ? 20 : 40);

	memcpy(dummy, frame, len);
	memcpy(dummy + ip + addr, frame + ip + addr + size, size);
	memcpy(dummy + ip + addr + size, frame + ip + addr, size);
	memcpy(dummy + l4, frame + l4 + 2, 2);
	memcpy(dummy + l4 + 2, frame + l4, 2);
}

void rig_filter(struct rig *rig, const u8 *frame, u32 len, const struct vdev_tx_filter *f)
{
	u64 *ring = (u64 *)(rig->memory + RIG_TX_RING);
	u32 tail = *vdev_reg(rig->dev, E810_QTX_COMM_DBELL(RIG_CTRL_QUEUE));
	u64 *desc = ring + 2 * tail;

	write_dummy(rig->memory + RIG_DUMMY, frame, len);
	desc[0] = f->queue | (u64)f->report << 12 | (u64)f->space << 14 |
		  (u64)f->counter << 16 | (u64)f->count_packets << 29 |
		  (u64)f->queue_priority << 35 | (u64)f->drop << 40;
	desc[1] = 8 | (u64)f->remove << 4 | (u64)f->vsi << 14 | (u64)f->id << 32;
	desc[2] = RIG_BASE + RIG_DUMMY;
	desc[3] = 0x13ull << 4 | (u64)len << 34;	/* EOP, RS, DUMMY */
	vdev_mmio_write(rig->dev, E810_QTX_COMM_DBELL(RIG_CTRL_QUEUE), (tail + 2) % RIG_RING_LEN);
	vdev_tx_service(rig->dev);
	ck_assert_uint_eq(desc[3] & 0xf, 0xf);
}

u64 *rig_rx_desc(struct rig *rig, u32 queue, u32 index)
{
	return (u64 *)(rig->memory + RIG_RX_RING(queue) + index * VDEV_RX_DESC_SIZE);
}

struct vdev_tx_filter rig_action(u16 queue, u32 id)
{
	return (struct vdev_tx_filter){
		.queue = queue, .id = id, .vsi = RIG_VSI, .queue_priority = 3,
		.space = VDEV_FD_SPACE_GUARANTEED_FIRST,
	};
}

char *rig_ask(struct rig *rig, const char *line)
{
	struct vdev_reply reply = { 0 };
	char *text = NULL;
	size_t size;

	reply.out = open_memstream(&text, &size);
	ck_assert_ptr_nonnull(reply.out);
	vdev_command_run(rig->dev, line, &reply);
	ck_assert_ptr_null(reply.file);
	fclose(reply.out);
	return text;
}

void rig_order(struct rig *rig, const char *line)
{
	char *text = rig_ask(rig, line);

	ck_assert_str_eq(text, "");
	free(text);
}

void rig_start_driven(struct rig *rig, u32 filters)
{
	rig_start(rig, filters);
	rig_configure(rig);
}
