// SPDX-License-Identifier: GPL-2.0-only
/* Framing of the wire. */
#include <string.h>

#include "test_util.h"
#include "vdev_wire.h"

static u32 frames, last_len, limit = 100;

static bool take(void *arg, const u8 *frame, u32 len)
{
	ck_assert_ptr_eq(arg, &frames);
	ck_assert_uint_eq(frame[0], 0xab);
	if (frames == limit)
		return false;
	frames++;
	last_len = len;
	return true;
}

static u32 put(u8 *to, u32 len)
{
	vdev_put_be32(to, len);
	memset(to + 4, 0xab, len);
	return 4 + len;
}

START_TEST(whole_frames)
{
	u8 stream[512];
	u32 len = put(stream, 60);

	len += put(stream + len, 14);
	len += put(stream + len, 100);
	frames = 0;
	ck_assert_int_eq(vdev_wire_parse(stream, len, take, &frames), len);
	ck_assert_uint_eq(frames, 3);
	ck_assert_uint_eq(last_len, 100);
}
END_TEST

START_TEST(partial_frames_wait)
{
	u8 stream[512];
	u32 first = put(stream, 60), len = first + put(stream + first, 80);

	for (u32 cut = 0; cut < len; cut++) {
		frames = 0;
		ck_assert_int_eq(vdev_wire_parse(stream, cut, take, &frames),
				 cut < first ? 0 : first);
		ck_assert_uint_eq(frames, cut < first ? 0 : 1);
	}
}
END_TEST

/* A frame that is not taken stays, and so does all that follows it. */
START_TEST(frames_are_held)
{
	u8 stream[512];
	u32 first = put(stream, 60), len = first + put(stream + first, 80);

	frames = 0;
	limit = 1;
	ck_assert_int_eq(vdev_wire_parse(stream, len, take, &frames), first);
	ck_assert_uint_eq(frames, 1);
	ck_assert_int_eq(vdev_wire_parse(stream + first, len - first, take, &frames), 0);
	limit = 2;
	ck_assert_int_eq(vdev_wire_parse(stream + first, len - first, take, &frames),
			 len - first);
	ck_assert_uint_eq(last_len, 80);
}
END_TEST

START_TEST(runts_are_skipped)
{
	u8 stream[64];
	u32 len = put(stream, 13);

	len += put(stream + len, 0);
	frames = 0;
	ck_assert_int_eq(vdev_wire_parse(stream, len, take, &frames), len);
	ck_assert_uint_eq(frames, 0);
}
END_TEST

START_TEST(impossible_lengths)
{
	const u8 stream[8] = { 0xff, 0xff, 0xff, 0xff };

	ck_assert_int_lt(vdev_wire_parse(stream, sizeof(stream), take, &frames), 0);
}
END_TEST

Suite *test_wire_suite(void)
{
	const TTest *const tests[] = {
		whole_frames, partial_frames_wait, frames_are_held, runts_are_skipped,
		impossible_lengths,
	};

	return test_suite("wire", tests, VDEV_ARRAY_SIZE(tests));
}
