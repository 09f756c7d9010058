// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Toeplitz hash against the verification suite that Microsoft publishes for receive
 * side scaling ("Verifying the RSS Hash Calculation", Windows driver documentation).
 */
#include <arpa/inet.h>
#include <string.h>

#include "test_util.h"
#include "vdev_toeplitz.h"

static const u8 key[40] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa,
};

struct vector {
	const char *src;
	u16 sport;
	const char *dst;
	u16 dport;
	u32 addresses;		/* hash without ports */
	u32 ports;		/* hash with ports */
};

static const struct vector v4[] = {
	{ "66.9.149.187", 2794, "161.142.100.80", 1766, 0x323e8fc2, 0x51ccc178 },
	{ "199.92.111.2", 14230, "65.69.140.83", 4739, 0xd718262a, 0xc626b0ea },
	{ "24.19.198.95", 12898, "12.22.207.184", 38024, 0xd2d0a5de, 0x5c2b394a },
	{ "38.27.205.30", 48228, "209.142.163.6", 2217, 0x82989176, 0xafc7327f },
	{ "153.39.163.191", 44251, "202.188.127.2", 1303, 0x5d1809c5, 0x10e828a2 },
};

static const struct vector v6[] = {
	{ "3ffe:2501:200:1fff::7", 2794, "3ffe:2501:200:3::1", 1766, 0x2cc18cd5, 0x40207d3d },
	{ "3ffe:501:8::260:97ff:fe40:efab", 14230, "ff02::1", 4739, 0x0f0c461c, 0xdde51bbf },
	{ "3ffe:1900:4545:3:200:f8ff:fe21:67cf", 44251, "fe80::200:f8ff:fe21:67cf", 38024,
	  0x4b61e985, 0x02d1feef },
};

static void check_vector(const struct vector *v, int family)
{
	struct vdev_tuple t = {
		.v6 = family == AF_INET6, .proto = VDEV_PROTO_TCP, .sport = v->sport,
		.dport = v->dport,
	};

	ck_assert_int_eq(inet_pton(family, v->src, t.src), 1);
	ck_assert_int_eq(inet_pton(family, v->dst, t.dst), 1);
	ck_assert_uint_eq(vdev_rss_hash(key, sizeof(key), &t, false), v->addresses);
	ck_assert_uint_eq(vdev_rss_hash(key, sizeof(key), &t, true), v->ports);
}

START_TEST(published_ipv4)
{
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(v4); i++)
		check_vector(&v4[i], AF_INET);
}
END_TEST

START_TEST(published_ipv6)
{
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(v6); i++)
		check_vector(&v6[i], AF_INET6);
}
END_TEST

/* Past its end a key counts as zeros; nothing there may be read. */
START_TEST(short_key)
{
	const u8 ones[8] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	const u8 short_key[4] = { 0x80, 0, 0, 0 };

	ck_assert_uint_eq(vdev_toeplitz(short_key, 4, ones, 8), 0x80000000);
	ck_assert_uint_eq(vdev_toeplitz(short_key, 4, ones, 0), 0);
}
END_TEST

Suite *test_toeplitz_suite(void)
{
	const TTest *const tests[] = { published_ipv4, published_ipv6, short_key };

	return test_suite("toeplitz", tests, VDEV_ARRAY_SIZE(tests));
}
