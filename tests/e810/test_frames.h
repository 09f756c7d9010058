/* SPDX-License-Identifier: GPL-2.0-only */
/* Frames for the unit tests, with checksums made by a sum of the tests' own. */
#ifndef TEST_FRAMES_H
#define TEST_FRAMES_H

#include <stdlib.h>
#include <string.h>

#include "vdev_packet.h"

#define TEST_SPORT	0x1234
#define TEST_DPORT	0x5678

/* Plain and slow on purpose: 16 bits at a time, folded at each step. */
static inline u16 test_sum(u32 sum, const u8 *p, u32 len)
{
	for (u32 i = 0; i < len; i++) {
		sum += i % 2 ? p[i] : (u32)p[i] << 8;
		sum = (sum & 0xffff) + (sum >> 16);
	}
	return sum;
}

static inline u32 test_l4(u8 *l4, u8 proto, u32 payload)
{
	u32 header = proto == VDEV_PROTO_TCP ? 20 : 8;

	memset(l4, 0, header);
	vdev_put_be16(l4, TEST_SPORT);
	vdev_put_be16(l4 + 2, TEST_DPORT);
	if (proto == VDEV_PROTO_TCP)
		l4[12] = 0x50;
	else
		vdev_put_be16(l4 + 4, header + payload);
	for (u32 i = 0; i < payload; i++)
		l4[header + i] = i * 7 + 1;
	return header + payload;
}

static inline void test_l4_sum(u8 *l4, u8 proto, const u8 *addresses, u32 addr_len, u32 len)
{
	u8 *field = l4 + (proto == VDEV_PROTO_TCP ? 16 : 6);
	u16 sum = test_sum(proto + len, addresses, addr_len);

	vdev_put_be16(field, 0);
	vdev_put_be16(field, ~test_sum(sum, l4, len));
}

/* 10.0.0.2 to 10.0.0.1. Return: its length. */
static inline u32 test_frame_v4(u8 *f, u8 proto, u32 payload)
{
	static const u8 start[] = {
		0x52, 0x54, 0, 0xe8, 0x10, 1, 0x52, 0x54, 0, 0, 0, 2, 0x08, 0x00,
		0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, 64, 0, 0, 0, 10, 0, 0, 2, 10, 0, 0, 1,
	};
	u32 l4 = test_l4(f + 34, proto, payload);

	memcpy(f, start, sizeof(start));
	f[23] = proto;
	vdev_put_be16(f + 16, 20 + l4);
	vdev_put_be16(f + 24, ~test_sum(0, f + 14, 20));
	test_l4_sum(f + 34, proto, f + 26, 8, l4);
	return 34 + l4;
}

/* fd00::2 to fd00::1 */
static inline u32 test_frame_v6(u8 *f, u8 proto, u32 payload)
{
	u32 l4 = test_l4(f + 54, proto, payload);

	memset(f, 0, 54);
	memcpy(f, "\x52\x54\x00\xe8\x10\x01\x52\x54\x00\x00\x00\x02\x86\xdd\x60", 15);
	vdev_put_be16(f + 18, l4);
	f[20] = proto;
	f[21] = 64;
	f[22] = 0xfd;
	f[37] = 2;
	f[38] = 0xfd;
	f[53] = 1;
	test_l4_sum(f + 54, proto, f + 22, 32, l4);
	return 54 + l4;
}

#endif /* TEST_FRAMES_H */
