// SPDX-License-Identifier: GPL-2.0-only
/* Checksum offload, segmentation, VLAN insertion. Results are judged by the parser. */
#include <string.h>

#include "test_frames.h"
#include "test_util.h"
#include "vdev_offload.h"

struct catch {
	u32 count;
	u32 len[64];
	u8 frame[64][2048];
};

static struct catch caught;

static void take(void *arg, const u8 *frame, u32 len)
{
	struct catch *c = arg;

	ck_assert_uint_lt(c->count, 64);
	ck_assert_uint_le(len, sizeof(c->frame[0]));
	memcpy(c->frame[c->count], frame, len);
	c->len[c->count++] = len;
}

static struct vdev_packet judge(u32 i)
{
	struct vdev_packet pkt;

	vdev_packet_parse(&pkt, caught.frame[i], caught.len[i]);
	vdev_packet_verify(&pkt, caught.frame[i]);
	ck_assert(pkt.ip && !pkt.bad_ip_csum && pkt.l4_checked && !pkt.bad_l4_csum);
	return pkt;
}

static struct vdev_offload offload(bool v6, enum vdev_tx_l4 l4)
{
	return (struct vdev_offload){
		.ip = v6 ? VDEV_TX_IP_V6 : VDEV_TX_IP_V4_CSUM, .l4 = l4, .mac_len = 14,
		.ip_len = v6 ? 40 : 20, .l4_len = l4 == VDEV_TX_L4_TCP ? 20 : 8,
	};
}

START_TEST(checksums_are_filled)
{
	struct vdev_offload off = offload(false, VDEV_TX_L4_TCP);
	u8 good[256], f[256];
	u32 len = test_frame_v4(good, VDEV_PROTO_TCP, 9);

	memcpy(f, good, len);
	memset(f + 24, 0xaa, 2);	/* IP checksum */
	memset(f + 50, 0x55, 2);	/* TCP checksum */
	caught.count = 0;
	ck_assert_int_eq(vdev_offload(f, len, &off, take, &caught), 0);
	ck_assert_uint_eq(caught.count, 1);
	ck_assert_uint_eq(caught.len[0], len);
	ck_assert_mem_eq(caught.frame[0], good, len);
}
END_TEST

START_TEST(udp_checksum_is_never_zero)
{
	struct vdev_offload off = offload(false, VDEV_TX_L4_UDP);
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_UDP, 2);

	/* Choose the payload so that the sum comes out as 0, which UDP spells ffff. */
	vdev_put_be16(f + 42, 0);
	vdev_put_be16(f + 40, 0);
	test_l4_sum(f + 34, VDEV_PROTO_UDP, f + 26, 8, 10);
	vdev_put_be16(f + 42, vdev_be16(f + 40));
	caught.count = 0;
	ck_assert_int_eq(vdev_offload(f, len, &off, take, &caught), 0);
	ck_assert_uint_eq(vdev_be16(caught.frame[0] + 40), 0xffff);
	judge(0);
}
END_TEST

START_TEST(without_offload_nothing_changes)
{
	struct vdev_offload off = { 0 };
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_TCP, 9);

	f[50] ^= 0xff;
	caught.count = 0;
	ck_assert_int_eq(vdev_offload(f, len, &off, take, &caught), 0);
	ck_assert_mem_eq(caught.frame[0], f, len);
}
END_TEST

/* 2500 bytes by 1000: sequence numbers, flags, lengths, identification. */
static void check_tcp_segments(bool v6)
{
	struct vdev_offload off = offload(v6, VDEV_TX_L4_TCP);
	u8 f[4096], *tcp;
	u32 headers = v6 ? 74 : 54;

	if (v6)
		test_frame_v6(f, VDEV_PROTO_TCP, 2500);
	else
		test_frame_v4(f, VDEV_PROTO_TCP, 2500);
	tcp = f + headers - 20;
	vdev_put_be32(tcp + 4, 0xfffffc00);	/* wraps inside */
	tcp[13] = 0x99;				/* CWR, ACK, PSH, FIN */
	off.mss = 1000;
	caught.count = 0;
	ck_assert_int_eq(vdev_offload(f, headers + 2500, &off, take, &caught), 0);
	ck_assert_uint_eq(caught.count, 3);
	for (u32 i = 0; i < 3; i++) {
		const u8 *t = caught.frame[i] + headers - 20;

		judge(i);
		ck_assert_uint_eq(caught.len[i], headers + (i < 2 ? 1000 : 500));
		ck_assert_uint_eq(vdev_be32(t + 4), 0xfffffc00 + 1000 * i);
		ck_assert_uint_eq(t[13], i == 0 ? 0x90 : i == 1 ? 0x10 : 0x19);
		ck_assert_mem_eq(t + 20, f + headers + 1000 * i, caught.len[i] - headers);
		if (!v6)
			ck_assert_uint_eq(vdev_be16(caught.frame[i] + 18), 0x1234 + i);
	}
}

START_TEST(tcp_segments_ipv4)
{
	check_tcp_segments(false);
}
END_TEST

START_TEST(tcp_segments_ipv6)
{
	check_tcp_segments(true);
}
END_TEST

START_TEST(udp_segments)
{
	struct vdev_offload off = offload(false, VDEV_TX_L4_UDP);
	u8 f[4096];
	u32 len = test_frame_v4(f, VDEV_PROTO_UDP, 1500);

	off.mss = 700;
	caught.count = 0;
	ck_assert_int_eq(vdev_offload(f, len, &off, take, &caught), 0);
	ck_assert_uint_eq(caught.count, 3);
	for (u32 i = 0; i < 3; i++) {
		judge(i);
		ck_assert_uint_eq(vdev_be16(caught.frame[i] + 38), i < 2 ? 708 : 108);
	}
}
END_TEST

START_TEST(vlan_is_inserted)
{
	struct vdev_offload off = offload(false, VDEV_TX_L4_TCP);
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_TCP, 9);

	off.vlan = true;
	off.vlan_tag = 0x2007;
	caught.count = 0;
	ck_assert_int_eq(vdev_offload(f, len, &off, take, &caught), 0);
	ck_assert_uint_eq(caught.len[0], len + 4);
	ck_assert_mem_eq(caught.frame[0] + 12, "\x81\x00\x20\x07\x08\x00", 6);
	judge(0);
}
END_TEST

START_TEST(padding_is_not_summed)
{
	struct vdev_offload off = offload(false, VDEV_TX_L4_UDP);
	u8 f[256] = { 0 };
	u32 len = test_frame_v4(f, VDEV_PROTO_UDP, 4);

	memset(f + len, 0xee, 60 - len);
	caught.count = 0;
	ck_assert_int_eq(vdev_offload(f, 60, &off, take, &caught), 0);
	judge(0);
}
END_TEST

static void refused(u8 *f, u32 len, const struct vdev_offload *off)
{
	ck_assert_int_ne(vdev_offload(f, len, off, take, &caught), 0);
	ck_assert_uint_eq(caught.count, 0);
}

/* What silicon calls a malicious driver must be refused, not read out of bounds. */
START_TEST(contradictions_are_refused)
{
	struct vdev_offload off;
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_TCP, 9);

	caught.count = 0;
	off = offload(false, VDEV_TX_L4_TCP);
	refused(f, 10, &off);
	off.ip_len = 16;
	refused(f, len, &off);
	off = offload(false, VDEV_TX_L4_TCP);
	off.mac_len = 250;
	refused(f, len, &off);
	off = offload(false, VDEV_TX_L4_NONE);
	off.mac_len = 100;
	refused(f, len, &off);
	off = offload(false, VDEV_TX_L4_TCP);
	off.ip = VDEV_TX_IP_NONE;
	refused(f, len, &off);
	off = offload(false, VDEV_TX_L4_SCTP);
	off.mss = 100;
	refused(f, len, &off);
	off = offload(false, VDEV_TX_L4_TCP);
	off.mss = 16383;
	refused(f, len, &off);
	off = offload(false, VDEV_TX_L4_TCP);
	refused(f, VDEV_OFFLOAD_MAX_FRAME + 1, &off);
}
END_TEST

Suite *test_offload_suite(void)
{
	const TTest *const tests[] = {
		checksums_are_filled, udp_checksum_is_never_zero, without_offload_nothing_changes,
		tcp_segments_ipv4, tcp_segments_ipv6, udp_segments, vlan_is_inserted,
		padding_is_not_summed, contradictions_are_refused,
	};

	return test_suite("offload", tests, VDEV_ARRAY_SIZE(tests));
}
