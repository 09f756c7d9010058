/* SPDX-License-Identifier: GPL-2.0-only */
/* Short integer names and bit helpers shared by every file of the virtual E810. */
#ifndef VDEV_TYPES_H
#define VDEV_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Descriptors and admin-queue buffers are little endian and are used in place. */
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the virtual E810 runs on little-endian hosts only"
#endif

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

#define VDEV_BIT(n)		(1u << (n))
#define VDEV_ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
#define VDEV_PACKED		__attribute__((packed))

/* The field of @width bits (1 to 63) that starts at bit @lsb of @v. */
static inline u64 vdev_field(u64 v, unsigned int lsb, unsigned int width)
{
	return (v >> lsb) & ((1ull << width) - 1);
}

/* @v moved to bit @lsb and cut to @width bits. */
static inline u64 vdev_place(u64 v, unsigned int lsb, unsigned int width)
{
	return (v & ((1ull << width) - 1)) << lsb;
}

static inline u16 vdev_be16(const u8 *p)
{
	return (u16)(p[0] << 8 | p[1]);
}

static inline u32 vdev_be32(const u8 *p)
{
	return (u32)vdev_be16(p) << 16 | vdev_be16(p + 2);
}

static inline void vdev_put_be16(u8 *p, u16 v)
{
	p[0] = v >> 8;
	p[1] = v & 0xff;
}

static inline void vdev_put_be32(u8 *p, u32 v)
{
	vdev_put_be16(p, v >> 16);
	vdev_put_be16(p + 2, v & 0xffff);
}

#endif /* VDEV_TYPES_H */
