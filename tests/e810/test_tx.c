// SPDX-License-Identifier: GPL-2.0-only
/* Transmit rings: from descriptors in guest memory to frames on the wire. */
#include <stdlib.h>
#include <string.h>

#include "test_frames.h"
#include "test_rig.h"
#include "test_util.h"

/* The control queue of the rig is a transmit queue like any other. */
#define QUEUE		RIG_CTRL_QUEUE
#define EOP		(0x1ull << 4)
#define RS		(0x2ull << 4)
#define TCP4		(0x160ull << 4)
#define HEADERS		(7ull << 16 | 5ull << 23 | 5ull << 30)

static struct rig rig;

static void start(void)
{
	rig_start_driven(&rig, 64);
	rig.dev->wire.out = malloc(VDEV_WIRE_OUT);
	rig.dev->wire.fd = 0;	/* connected; the tests look at the buffer and never flush it */
}

static void stop(void)
{
	free(rig.dev->wire.out);
	rig.dev->wire.fd = -1;
	rig_stop(&rig);
}

static u64 *desc(u32 i)
{
	return (u64 *)(rig.memory + RIG_TX_RING) + 2 * i;
}

static void put(u32 i, u32 offset, u32 len, u64 flags)
{
	desc(i)[0] = RIG_BASE + RIG_RX_DATA + offset;
	desc(i)[1] = flags | (u64)len << 34;
}

static void ring(u32 tail)
{
	vdev_mmio_write(rig.dev, E810_QTX_COMM_DBELL(QUEUE), tail);
	vdev_tx_service(rig.dev);
}

/* Return: length of the frame at *@at of the wire's buffer, *@at moved past it. */
static u32 next_frame(u32 *at, const u8 **frame)
{
	const u8 *out = rig.dev->wire.out + *at;
	u32 len = vdev_be32(out);

	*frame = out + 4;
	*at += 4 + len;
	return len;
}

START_TEST(scattered_frame)
{
	const u8 *frame;
	u8 want[256];
	u32 at = 0, len;

	start();
	len = test_frame_v4(rig.memory + RIG_RX_DATA, VDEV_PROTO_TCP, 30);
	memcpy(want, rig.memory + RIG_RX_DATA, len);
	put(0, 0, 20, 0);
	put(1, 20, 20, 0);
	put(2, 40, len - 40, EOP | RS);
	ring(2);	/* the rest is still to come: nothing leaves, nothing is lost */
	ck_assert_uint_eq(rig.dev->wire.out_end, 0);
	ring(3);
	ck_assert_uint_eq(next_frame(&at, &frame), len);
	ck_assert_mem_eq(frame, want, len);
	ck_assert_uint_eq(rig.dev->wire.out_end, at);
	ck_assert_uint_eq(desc(2)[1] & 0xf, 0xf);
	ck_assert_uint_eq(desc(0)[1] & 0xf, 0);
	ck_assert_uint_eq(rig.dev->txq[QUEUE].head, 3);
	ck_assert_uint_eq(rig.dev->count.tx_packets, 1);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLV_UPTCL(RIG_CTRL_VSI)), 1);
	stop();
}
END_TEST

START_TEST(segmentation_by_context)
{
	struct vdev_packet pkt;
	const u8 *frame;
	u32 at = 0, len;

	start();
	len = test_frame_v4(rig.memory + RIG_RX_DATA, VDEV_PROTO_TCP, 2000);
	desc(0)[0] = 0;
	desc(0)[1] = 1 | 1ull << 4 | 2000ull << 30 | 900ull << 50;
	put(1, 0, len, EOP | RS | TCP4 | HEADERS);
	put(2, 0, len, EOP | RS);	/* the context holds for one packet only */
	ring(3);
	for (u32 i = 0; i < 3; i++) {
		u32 size = next_frame(&at, &frame);

		ck_assert_uint_eq(size, 54 + (i < 2 ? 900 : 200));
		vdev_packet_parse(&pkt, frame, size);
		vdev_packet_verify(&pkt, frame);
		ck_assert(pkt.l4_checked && !pkt.bad_l4_csum && !pkt.bad_ip_csum);
	}
	ck_assert_uint_eq(next_frame(&at, &frame), len);
	ck_assert_uint_eq(rig.dev->wire.out_end, at);
	stop();
}
END_TEST

START_TEST(ring_wraps)
{
	const u8 *frame;
	u32 at = 0, len;

	start();
	len = test_frame_v4(rig.memory + RIG_RX_DATA, VDEV_PROTO_UDP, 30);
	for (u32 i = 0; i < 3 * RIG_RING_LEN; i++) {
		put(i % RIG_RING_LEN, 0, len, EOP | RS);
		ring((i + 1) % RIG_RING_LEN);
		ck_assert_uint_eq(next_frame(&at, &frame), len);
	}
	ck_assert_uint_eq(rig.dev->wire.out_end, at);
	ring(RIG_RING_LEN);	/* a tail that the ring does not have */
	ck_assert_uint_eq(rig.dev->wire.out_end, at);
	stop();
}
END_TEST

/* While the far end does not read, the queue rests and loses nothing. */
START_TEST(full_wire_rests_the_queue)
{
	u32 len;

	start();
	len = test_frame_v4(rig.memory + RIG_RX_DATA, VDEV_PROTO_UDP, 30);
	rig.dev->wire.out_end = VDEV_WIRE_OUT_FULL;
	put(0, 0, len, EOP | RS);
	ring(1);
	ck_assert(rig.dev->txq[QUEUE].pending);
	ck_assert_uint_eq(rig.dev->txq[QUEUE].head, 0);
	ck_assert_uint_eq(desc(0)[1] & 0xf, 0);
	rig.dev->wire.out_end = 0;
	vdev_tx_service(rig.dev);
	ck_assert(!rig.dev->txq[QUEUE].pending);
	ck_assert_uint_eq(rig.dev->wire.out_end, 4 + len);
	stop();
}
END_TEST

START_TEST(what_cannot_be_sent)
{
	u32 len;

	start();
	len = test_frame_v4(rig.memory + RIG_RX_DATA, VDEV_PROTO_UDP, 30);
	put(0, 0, len, EOP | RS);
	desc(0)[0] = 0xdead0000;	/* not guest memory */
	ring(1);
	ck_assert_uint_eq(rig.dev->count.tx_bad, 1);
	ck_assert_uint_eq(desc(0)[1] & 0xf, 0xf);	/* and yet it is done */
	put(1, 0, len, EOP | RS | 0x10ull << 4);	/* a dummy without its filter */
	ring(2);
	ck_assert_uint_eq(rig.dev->count.tx_bad, 2);
	desc(2)[1] = 7;	/* no such descriptor */
	ring(3);
	ck_assert_uint_eq(rig.dev->count.tx_bad, 3);
	desc(3)[0] = 3;	/* tunnel */
	desc(3)[1] = 1;
	put(4, 0, len, EOP | RS);
	ring(5);
	ck_assert_uint_eq(rig.dev->count.tx_bad, 4);
	ck_assert_uint_eq(rig.dev->wire.out_end, 0);
	rig.dev->link_up = false;
	put(5, 0, len, EOP | RS);
	ring(6);
	ck_assert_uint_eq(rig.dev->count.tx_dropped, 1);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLPRT_TDOLD), 1);
	ck_assert_uint_eq(rig.dev->wire.out_end, 0);
	stop();
}
END_TEST

Suite *test_tx_suite(void)
{
	const TTest *const tests[] = {
		scattered_frame, segmentation_by_context, ring_wraps, full_wire_rests_the_queue,
		what_cannot_be_sent,
	};

	return test_suite("tx", tests, VDEV_ARRAY_SIZE(tests));
}
