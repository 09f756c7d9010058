// SPDX-License-Identifier: GPL-2.0-only
/* The parser and the checksums. */
#include <string.h>

#include "test_frames.h"
#include "test_util.h"
#include "vdev_packet.h"

START_TEST(tcp_over_ipv4)
{
	struct vdev_packet pkt;
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_TCP, 5);

	vdev_packet_parse(&pkt, f, len);
	ck_assert(pkt.ip && pkt.ports && !pkt.fragment);
	ck_assert_uint_eq(pkt.ptype, 26);
	ck_assert_uint_eq(pkt.l3, 14);
	ck_assert_uint_eq(pkt.l4, 34);
	ck_assert_uint_eq(pkt.l4_len, 25);
	ck_assert_uint_eq(pkt.tuple.sport, TEST_SPORT);
	ck_assert_uint_eq(pkt.tuple.dport, TEST_DPORT);
	ck_assert_uint_eq(pkt.tuple.src[3], 2);
	ck_assert_uint_eq(pkt.tuple.dst[3], 1);
	vdev_packet_verify(&pkt, f);
	ck_assert(pkt.l4_checked && !pkt.bad_ip_csum && !pkt.bad_l4_csum);
}
END_TEST

START_TEST(udp_over_ipv6)
{
	struct vdev_packet pkt;
	u8 f[256];
	u32 len = test_frame_v6(f, VDEV_PROTO_UDP, 7);

	vdev_packet_parse(&pkt, f, len);
	ck_assert(pkt.ip && pkt.ports && pkt.tuple.v6);
	ck_assert_uint_eq(pkt.ptype, 90);
	ck_assert_uint_eq(pkt.l4, 54);
	vdev_packet_verify(&pkt, f);
	ck_assert(pkt.l4_checked && !pkt.bad_l4_csum);
	f[len - 1] ^= 1;
	vdev_packet_verify(&pkt, f);
	ck_assert(pkt.bad_l4_csum);
}
END_TEST

START_TEST(damage_is_seen)
{
	struct vdev_packet pkt;
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_TCP, 5);

	f[22] ^= 1;	/* time to live: the header's own checksum only */
	vdev_packet_parse(&pkt, f, len);
	vdev_packet_verify(&pkt, f);
	ck_assert(pkt.bad_ip_csum && !pkt.bad_l4_csum);
	f[22] ^= 1;
	f[len - 1] ^= 0x80;
	vdev_packet_parse(&pkt, f, len);
	vdev_packet_verify(&pkt, f);
	ck_assert(!pkt.bad_ip_csum && pkt.bad_l4_csum);
}
END_TEST

START_TEST(udp_without_checksum)
{
	struct vdev_packet pkt;
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_UDP, 5);

	f[40] = 0;
	f[41] = 0;
	vdev_packet_parse(&pkt, f, len);
	vdev_packet_verify(&pkt, f);
	ck_assert(pkt.l4_checked && !pkt.bad_l4_csum);
}
END_TEST

START_TEST(fragments_have_no_ports)
{
	struct vdev_packet pkt;
	u8 f[256];
	u32 len = test_frame_v4(f, VDEV_PROTO_UDP, 20);

	f[20] = 0x20;	/* more fragments */
	vdev_packet_parse(&pkt, f, len);
	ck_assert(pkt.ip && pkt.fragment && !pkt.ports);
	ck_assert_uint_eq(pkt.ptype, 22);
	ck_assert_uint_eq(pkt.tuple.sport, 0);
	f[20] = 0x40;	/* do not fragment: no fragment */
	vdev_packet_parse(&pkt, f, len);
	ck_assert(!pkt.fragment && pkt.ports);
}
END_TEST

START_TEST(vlan_tags_are_skipped)
{
	struct vdev_packet pkt;
	u8 plain[256], f[256];
	u32 len = test_frame_v4(plain, VDEV_PROTO_TCP, 0);

	memcpy(f, plain, 12);
	memcpy(f + 12, "\x81\x00\x00\x05", 4);
	memcpy(f + 16, plain + 12, len - 12);
	vdev_packet_parse(&pkt, f, len + 4);
	ck_assert(pkt.ports);
	ck_assert_uint_eq(pkt.l3, 18);
	ck_assert_uint_eq(pkt.tuple.dport, TEST_DPORT);
}
END_TEST

/* Every cut of a good frame must parse without reading past its end. */
static void check_cuts(u32 (*make)(u8 *, u8, u32))
{
	struct vdev_packet pkt;
	u8 whole[256];
	u32 len = make(whole, VDEV_PROTO_TCP, 4);

	for (u32 cut = VDEV_ETH_HEADER; cut < len; cut++) {
		u8 *f = malloc(cut);

		memcpy(f, whole, cut);
		vdev_packet_parse(&pkt, f, cut);
		vdev_packet_verify(&pkt, f);
		ck_assert(!pkt.ip);
		ck_assert_uint_eq(pkt.ptype, 1);
		free(f);
	}
}

START_TEST(truncated_frames)
{
	check_cuts(test_frame_v4);
	check_cuts(test_frame_v6);
}
END_TEST

START_TEST(destination_kinds)
{
	u8 f[64] = { 0 };

	ck_assert_int_eq(vdev_packet_cast(f), VDEV_UNICAST);
	f[0] = 0x33;
	ck_assert_int_eq(vdev_packet_cast(f), VDEV_MULTICAST);
	memset(f, 0xff, 6);
	ck_assert_int_eq(vdev_packet_cast(f), VDEV_BROADCAST);
}
END_TEST

/* The example of RFC 1071, section 3. */
START_TEST(internet_checksum)
{
	const u8 bytes[] = { 0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7 };

	ck_assert_uint_eq(vdev_csum_fold(vdev_csum_add(0, bytes, 8)), (u16)~0xddf2);
	ck_assert_uint_eq(vdev_csum_fold(vdev_csum_add(0, bytes, 7)), (u16)~0xdcfb);
}
END_TEST

Suite *test_packet_suite(void)
{
	const TTest *const tests[] = {
		tcp_over_ipv4, udp_over_ipv6, damage_is_seen, udp_without_checksum,
		fragments_have_no_ports, vlan_tags_are_skipped, truncated_frames,
		destination_kinds, internet_checksum,
	};

	return test_suite("packet", tests, VDEV_ARRAY_SIZE(tests));
}
