// SPDX-License-Identifier: GPL-2.0-only
/* Descriptors and queue contexts. Expected bits are spelled out, not computed by the codec. */
#include <string.h>

#include "test_util.h"
#include "vdev_desc.h"

START_TEST(bits_cross_bytes)
{
	const u8 bytes[] = { 0x00, 0xf0, 0x0f, 0x80 };

	ck_assert_uint_eq(vdev_bits(bytes, 12, 8), 0xff);
	ck_assert_uint_eq(vdev_bits(bytes, 11, 10), 0x1fe);
	ck_assert_uint_eq(vdev_bits(bytes, 31, 1), 1);
	ck_assert_uint_eq(vdev_bits(bytes, 0, 12), 0);
}
END_TEST

START_TEST(data_descriptor)
{
	/* EOP | RS | VLAN, IPv4 with checksum, TCP, 14 + 20 + 32 bytes of headers */
	const u64 desc[2] = {
		0x123456789abcull,
		0 | 0x00bull << 4 | 3ull << 9 | 1ull << 12 | 7ull << 16 | 5ull << 23 |
		8ull << 30 | 1514ull << 34 | 0xa005ull << 48,
	};
	struct vdev_tx_data d;

	ck_assert_int_eq(vdev_tx_dtype(desc), VDEV_TX_DATA);
	vdev_tx_data_decode(&d, desc);
	ck_assert_uint_eq(d.address, 0x123456789abcull);
	ck_assert(d.command & VDEV_TX_CMD_EOP);
	ck_assert(d.command & VDEV_TX_CMD_RS);
	ck_assert(d.command & VDEV_TX_CMD_L2TAG1);
	ck_assert(!(d.command & VDEV_TX_CMD_DUMMY));
	ck_assert_int_eq(d.ip, VDEV_TX_IP_V4_CSUM);
	ck_assert_int_eq(d.l4, VDEV_TX_L4_TCP);
	ck_assert_uint_eq(d.mac_len, 14);
	ck_assert_uint_eq(d.ip_len, 20);
	ck_assert_uint_eq(d.l4_len, 32);
	ck_assert_uint_eq(d.size, 1514);
	ck_assert_uint_eq(d.l2tag1, 0xa005);
}
END_TEST

START_TEST(context_descriptor)
{
	const u64 desc[2] = { 0, 1 | 1ull << 4 | 200000ull << 30 | 1448ull << 50 };
	const u64 tunnel[2] = { 3, 1 };
	struct vdev_tx_context c;

	ck_assert_int_eq(vdev_tx_dtype(desc), VDEV_TX_CONTEXT);
	vdev_tx_context_decode(&c, desc);
	ck_assert(c.command & VDEV_TX_CTX_TSO);
	ck_assert_uint_eq(c.tso_len, 200000);
	ck_assert_uint_eq(c.mss, 1448);
	ck_assert(!c.tunnel);
	vdev_tx_context_decode(&c, tunnel);
	ck_assert(c.tunnel);
}
END_TEST

START_TEST(filter_descriptor)
{
	/* As the driver fills it for a user rule: report failures, guaranteed first, count */
	const u64 desc[2] = {
		5 | 1ull << 12 | 2ull << 14 | 256ull << 16 | 1ull << 29 | 3ull << 35,
		8 | 1ull << 8 | 0x209ull << 14 | 0x3fffull << 32,
	};
	struct vdev_tx_filter f;

	ck_assert_int_eq(vdev_tx_dtype(desc), VDEV_TX_FILTER);
	vdev_tx_filter_decode(&f, desc);
	ck_assert_uint_eq(f.queue, 5);
	ck_assert_int_eq(f.report, VDEV_FD_REPORT_FAILURE);
	ck_assert_int_eq(f.space, VDEV_FD_SPACE_GUARANTEED_FIRST);
	ck_assert_uint_eq(f.counter, 256);
	ck_assert(f.count_packets);
	ck_assert_uint_eq(f.queue_priority, 3);
	ck_assert(!f.drop);
	ck_assert(!f.remove);
	ck_assert_uint_eq(f.vsi, 0x209);
	ck_assert_uint_eq(f.id, 0x3fff);
}
END_TEST

START_TEST(filter_descriptor_remove_and_drop)
{
	const u64 desc[2] = { 1ull << 40, 8 | 1ull << 4 | 0xffffffffull << 32 };
	struct vdev_tx_filter f;

	vdev_tx_filter_decode(&f, desc);
	ck_assert(f.drop);
	ck_assert(f.remove);
	ck_assert(!f.count_packets);
	ck_assert_int_eq(f.report, VDEV_FD_REPORT_NEVER);
	ck_assert_uint_eq(f.id, 0xffffffffu);
	ck_assert_uint_eq(f.vsi, 0);
}
END_TEST

START_TEST(tx_queue_context)
{
	u8 bytes[22] = { 0 };
	struct vdev_tx_queue_context c;

	bytes[0] = 0x02;	/* base 2 * 128 */
	bytes[3] = 0x01;	/* and bit 24 of it */
	bytes[10] = 0x08;	/* VSI at bit 80 */
	bytes[16] = 0x80;	/* length 256 at bit 135: bits 143.. */
	bytes[17] = 0x80;
	vdev_tx_queue_decode(&c, bytes);
	ck_assert_uint_eq(c.base, (0x01000002ull) << 7);
	ck_assert_uint_eq(c.vsi, 8);
	ck_assert_uint_eq(c.len, 0x101);
}
END_TEST

START_TEST(rx_queue_context)
{
	struct vdev_rx_queue_context c;
	u8 bytes[32] = { 0 };

	bytes[0] = 3;		/* head */
	bytes[4] = 0x10;	/* base at bit 32 */
	bytes[12] = 0x10;	/* length 2048 at bit 89 */
	bytes[13] = 0x04;	/* buffers of 16 * 128 at bit 102: bits 106.. */
	bytes[14] = 0x10;	/* 32-byte descriptors at bit 116 */
	vdev_rx_queue_decode(&c, bytes);
	ck_assert_uint_eq(c.head, 3);
	ck_assert_uint_eq(c.base, 0x10 << 7);
	ck_assert_uint_eq(c.len, 2048);
	ck_assert_uint_eq(c.buffer_size, 2048);
	ck_assert(c.long_desc);
}
END_TEST

START_TEST(rx_write_back)
{
	const struct vdev_rx_done done = {
		.cast = 2, .ptype = 26, .len = 1514, .hash = 0xdeadbeef, .flow_id = 77,
		.status = VDEV_RX_DONE | VDEV_RX_EOP | VDEV_RX_L3L4_CHECKED | VDEV_RX_HASH_VALID,
	};
	u64 desc[4];

	vdev_rx_done_encode(&done, desc);
	ck_assert_uint_eq(desc[0], 2 | 2ull << 14 | 26ull << 16 | 1514ull << 32);
	ck_assert_uint_eq(desc[1], 0x100bull | 0xdeadbeefull << 32);
	ck_assert_uint_eq(desc[2], 0);
	ck_assert_uint_eq(desc[3], 77);
}
END_TEST

START_TEST(filter_status)
{
	u64 desc[4];

	vdev_fd_status_encode(0x1234, false, VDEV_FD_FAILURE, desc);
	ck_assert_uint_eq(desc[0], 0x40 | 0x1234ull << 32);
	ck_assert_uint_eq(desc[1], 0x11);	/* done, failed */
	vdev_fd_status_encode(1, true, VDEV_FD_FAILURE_NONE, desc);
	ck_assert_uint_eq(desc[1], 0x03);	/* done, delete */
	vdev_fd_status_encode(1, true, VDEV_FD_FAILURE_PROFILE, desc);
	ck_assert_uint_eq(desc[1], 0x23);	/* done, delete, no profile */
	ck_assert_uint_eq(desc[2] | desc[3], 0);
}
END_TEST

Suite *test_desc_suite(void)
{
	const TTest *const tests[] = {
		bits_cross_bytes, data_descriptor, context_descriptor, filter_descriptor,
		filter_descriptor_remove_and_drop, tx_queue_context, rx_queue_context,
		rx_write_back, filter_status,
	};

	return test_suite("desc", tests, VDEV_ARRAY_SIZE(tests));
}
