// SPDX-License-Identifier: GPL-2.0-only
/* Layout of the DDP package, by the rules that the driver checks it with. */
#include <string.h>

#include "test_util.h"
#include "vdev_ddp.h"

static u8 package[VDEV_DDP_SIZE];

static u32 get32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static u16 get16(const u8 *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Package header, one segment that ends where the file ends, buffers that fill it. */
START_TEST(headers)
{
	u32 segment, count;

	vdev_ddp_build(package);
	ck_assert_uint_eq(get32(package), 1);	/* format 1.0.0.0 */
	ck_assert_uint_eq(get32(package + 4), 1);
	segment = get32(package + 8);
	ck_assert_uint_eq(segment, 12);
	ck_assert_uint_eq(get32(package + segment), 0x10);
	ck_assert_uint_eq(get32(package + segment + 4), 0x0301);
	ck_assert_uint_eq(segment + get32(package + segment + 8), sizeof(package));
	ck_assert_uint_eq(get32(package + segment + 44), 0);
	ck_assert_uint_eq(get32(package + segment + 48), 0);
	count = get32(package + segment + 52);
	ck_assert_uint_eq(segment + 56 + count * VDEV_DDP_BUFFER, sizeof(package));
}
END_TEST

/* The bounds of ice_pkg_val_buf() and of the section enumeration in the driver. */
START_TEST(buffers)
{
	vdev_ddp_build(package);
	for (u32 b = 0; b < VDEV_DDP_BUFFERS; b++) {
		const u8 *buf = package + 68 + b * VDEV_DDP_BUFFER;
		u32 count = get16(buf), end = get16(buf + 2);

		ck_assert_uint_ge(count, 1);
		ck_assert_uint_le(count, 511);
		ck_assert_uint_ge(end, 12);
		ck_assert_uint_le(end, 4096);
		for (u32 s = 0; s < count; s++) {
			const u8 *entry = buf + 4 + 8 * s;
			u32 off = get16(entry + 4), size = get16(entry + 6);

			ck_assert_uint_eq(off % 4, 0);
			ck_assert_uint_ge(off, 12);
			ck_assert_uint_ge(off, 4 + 8 * count);
			ck_assert_uint_ge(size, 1);
			ck_assert_uint_le(off + size, end);
		}
	}
}
END_TEST

START_TEST(sections)
{
	const u32 wanted[] = { 12, 22, 32, 42, 82 };
	struct vdev_ddp_metadata meta;

	vdev_ddp_build(package);
	ck_assert(vdev_ddp_find_metadata(package + 68, &meta));
	ck_assert_mem_eq(meta.version, "\1\3\1\0", 4);
	ck_assert_str_eq(meta.name, "Virtual E810 Package");
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(wanted); i++) {
		const u8 *xlt1 = NULL;
		u32 size = 0;

		for (u32 b = 0; b < VDEV_DDP_BUFFERS && !xlt1; b++)
			xlt1 = vdev_ddp_section(package + 68 + b * VDEV_DDP_BUFFER, wanted[i],
						&size);
		ck_assert_ptr_nonnull(xlt1);
		ck_assert_uint_eq(size, 4 + 1024);
		ck_assert_uint_eq(get16(xlt1), 1024);
		ck_assert_uint_ne(xlt1[4 + 26], xlt1[4 + 24]);	/* TCP and UDP differ */
	}
}
END_TEST

START_TEST(damaged_buffers)
{
	struct vdev_ddp_metadata meta;
	u8 buf[VDEV_DDP_BUFFER];

	vdev_ddp_build(package);
	memcpy(buf, package + 68, sizeof(buf));
	buf[0] = 0xff;	/* more sections than fit */
	buf[1] = 0xff;
	ck_assert(!vdev_ddp_find_metadata(buf, &meta));
	memcpy(buf, package + 68, sizeof(buf));
	buf[8] = 0xf0;	/* a section that ends outside */
	buf[9] = 0x0f;
	ck_assert(!vdev_ddp_find_metadata(buf, &meta));
	memcpy(buf, package + 68, sizeof(buf));
	buf[10] = 4;	/* too short for metadata */
	ck_assert(!vdev_ddp_find_metadata(buf, &meta));
}
END_TEST

Suite *test_ddp_suite(void)
{
	const TTest *const tests[] = { headers, buffers, sections, damaged_buffers };

	return test_suite("ddp", tests, VDEV_ARRAY_SIZE(tests));
}
