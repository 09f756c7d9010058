// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_ddp.h"

#include <stdio.h>
#include <string.h>

#define SEGMENT_AT		12
#define SEGMENT_HEADER		44	/* type, version, size, name */
#define SEGMENT_ICE		0x10
#define SECTION_METADATA	1

/* XLT1 sections map packet types to groups, one for each block of the pipeline. */
#define SECTION_XLT1_SWITCH	12
#define SECTION_XLT1_ACL	22
#define SECTION_XLT1_FDIR	32
#define SECTION_XLT1_RSS	42
#define SECTION_XLT1_PE		82
#define PACKET_TYPES		1024
#define XLT1_SIZE		(4 + PACKET_TYPES)

#define BUFFER_HEADER		4
#define DIRECTORY_ENTRY		8

struct section {
	u32 type;
	u32 size;
	const void *data;
};

static void put16(u8 *p, u16 v)
{
	memcpy(p, &v, sizeof(v));
}

static void put32(u8 *p, u32 v)
{
	memcpy(p, &v, sizeof(v));
}

static u16 get16(const u8 *p)
{
	u16 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static u32 get32(const u8 *p)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Sections start on multiples of four, as the driver casts them to structures. */
static void fill_buffer(u8 *buffer, const struct section *sections, u32 count)
{
	u32 off = BUFFER_HEADER + count * DIRECTORY_ENTRY;

	memset(buffer, 0, VDEV_DDP_BUFFER);
	for (u32 i = 0; i < count; i++) {
		u8 *entry = buffer + BUFFER_HEADER + i * DIRECTORY_ENTRY;

		off = (off + 3) & ~3u;
		put32(entry, sections[i].type);
		put16(entry + 4, off);
		put16(entry + 6, sections[i].size);
		memcpy(buffer + off, sections[i].data, sections[i].size);
		off += sections[i].size;
	}
	put16(buffer, count);
	put16(buffer + 2, off);
}

/* Every packet type in a group of its own, as far as a byte can tell them apart. */
static void fill_xlt1(u8 xlt1[XLT1_SIZE])
{
	put16(xlt1, PACKET_TYPES);
	put16(xlt1 + 2, 0);
	for (u32 type = 0; type < PACKET_TYPES; type++)
		xlt1[4 + type] = type + 1 < 255 ? type + 1 : 255;
}

static void fill_buffers(u8 *buffers)
{
	struct vdev_ddp_metadata meta = {
		.version = { 1, 3, 1, 0 }, .name = "Virtual E810 Package", .track_id = 0xe8100001,
	};
	static u8 xlt1[XLT1_SIZE];
	const struct section first[] = { { SECTION_METADATA, sizeof(meta), &meta } };
	const struct section second[] = {
		{ SECTION_XLT1_SWITCH, XLT1_SIZE, xlt1 },
		{ SECTION_XLT1_ACL, XLT1_SIZE, xlt1 },
		{ SECTION_XLT1_FDIR, XLT1_SIZE, xlt1 },
	};
	const struct section third[] = {
		{ SECTION_XLT1_RSS, XLT1_SIZE, xlt1 },
		{ SECTION_XLT1_PE, XLT1_SIZE, xlt1 },
	};

	fill_xlt1(xlt1);
	fill_buffer(buffers, first, VDEV_ARRAY_SIZE(first));
	fill_buffer(buffers + VDEV_DDP_BUFFER, second, VDEV_ARRAY_SIZE(second));
	fill_buffer(buffers + 2 * VDEV_DDP_BUFFER, third, VDEV_ARRAY_SIZE(third));
}

/**
 * vdev_ddp_build - make the package
 * @package: where to
 */
void vdev_ddp_build(u8 package[VDEV_DDP_SIZE])
{
	u8 *segment = package + SEGMENT_AT;
	u8 *tables = segment + SEGMENT_HEADER;

	memset(package, 0, VDEV_DDP_SIZE);
	package[0] = 1;				/* package format 1.0.0.0 */
	put32(package + 4, 1);			/* one segment, */
	put32(package + 8, SEGMENT_AT);		/* here */
	put32(segment, SEGMENT_ICE);
	segment[4] = 1;				/* segment format 1.3 */
	segment[5] = 3;
	put32(segment + 8, VDEV_DDP_SIZE - SEGMENT_AT);
	snprintf((char *)segment + 12, 32, "ICE Configuration Data");
	put32(tables, 0);			/* device table: for all */
	put32(tables + 4, 0);			/* NVM table: for all */
	put32(tables + 8, VDEV_DDP_BUFFERS);
	fill_buffers(tables + 12);
}

/**
 * vdev_ddp_section - find a section in a buffer
 * @buffer: the buffer, not trusted
 * @type: which section
 * @size: its size
 *
 * Return: its data, or NULL when the buffer has none or is damaged.
 */
const u8 *vdev_ddp_section(const u8 buffer[VDEV_DDP_BUFFER], u32 type, u32 *size)
{
	u32 count = get16(buffer);

	if (BUFFER_HEADER + count * DIRECTORY_ENTRY > VDEV_DDP_BUFFER)
		return NULL;
	for (u32 i = 0; i < count; i++) {
		const u8 *entry = buffer + BUFFER_HEADER + i * DIRECTORY_ENTRY;
		u32 off = get16(entry + 4);

		*size = get16(entry + 6);
		if (get32(entry) == type && off + *size <= VDEV_DDP_BUFFER)
			return buffer + off;
	}
	return NULL;
}

/**
 * vdev_ddp_find_metadata - read name and version, if they are in this buffer
 * @buffer: a downloaded buffer, not trusted
 * @meta: result
 */
bool vdev_ddp_find_metadata(const u8 buffer[VDEV_DDP_BUFFER], struct vdev_ddp_metadata *meta)
{
	u32 size;
	const u8 *data = vdev_ddp_section(buffer, SECTION_METADATA, &size);

	if (!data || size < sizeof(*meta))
		return false;
	memcpy(meta, data, sizeof(*meta));
	return true;
}
