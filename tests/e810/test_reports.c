// SPDX-License-Identifier: GPL-2.0-only
/* Reports of filter operations: late, out of order, lost, and the bounds of what waits. */

#include "test_frames.h"
#include "test_rig.h"
#include "test_util.h"
#include "vdev_log.h"

static struct rig rig;

static struct vdev_reports *start(const char *fault)
{
	rig_start_driven(&rig, 64);
	rig_order(&rig, fault);
	return &rig.dev->reports;
}

/* Program one flow again and again, with ids that tell the reports apart. */
static void program(u32 first, u32 count)
{
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);

	for (u32 id = first; id < first + count; id++) {
		struct vdev_tx_filter f = rig_action(1, id);

		f.report = VDEV_FD_REPORT_ALWAYS;
		rig_filter(&rig, frame, len, &f);
	}
}

static u32 delivered(void)
{
	return rig.dev->rxq[RIG_CTRL_QUEUE].head;
}

/* The id in the nth report. */
static u32 id_of(u32 index)
{
	u64 *desc = rig_rx_desc(&rig, RIG_CTRL_QUEUE, index);

	ck_assert_uint_eq(desc[1], 1);	/* done, an add that went well */
	return desc[0] >> 32;
}

START_TEST(late_ones_keep_their_order)
{
	struct vdev_reports *r = start("fault reports late 500");
	u64 before = vdev_now(), due;

	program(10, 3);
	ck_assert_uint_eq(delivered(), 0);
	ck_assert_uint_eq(vdev_reports_pending(r), 3);
	due = vdev_reports_due(r);
	ck_assert_uint_ge(due, before + 500000000);
	ck_assert_uint_le(due, vdev_now() + 500000000);
	vdev_reports_tick(rig.dev, due - 1);
	ck_assert_uint_eq(delivered(), 0);
	vdev_reports_tick(rig.dev, due);
	ck_assert_uint_eq(delivered(), 1);
	vdev_reports_tick(rig.dev, due + 3600000000000);
	ck_assert_uint_eq(delivered(), 3);
	for (u32 i = 0; i < 3; i++)
		ck_assert_uint_eq(id_of(i), 10 + i);
	ck_assert_uint_eq(r->late, 3);
	ck_assert_uint_eq(r->sent, 3);
	ck_assert_uint_eq(vdev_reports_due(r), 0);
	rig_stop(&rig);
}
END_TEST

START_TEST(on_delivers_what_waits)
{
	struct vdev_reports *r = start("fault reports late 600000");

	program(1, 2);
	rig_order(&rig, "fault reports on");
	ck_assert_uint_eq(delivered(), 2);
	program(3, 1);
	ck_assert_uint_eq(delivered(), 3);
	for (u32 i = 0; i < 3; i++)
		ck_assert_uint_eq(id_of(i), 1 + i);
	ck_assert_uint_eq(r->late, 2);
	ck_assert_uint_eq(r->sent, 3);
	rig_stop(&rig);
}
END_TEST

/* All of a batch come, once each, and not one at its place. */
static void check_batch(u32 at, u32 first, u32 count)
{
	u32 seen = 0;

	for (u32 i = 0; i < count; i++) {
		u32 id = id_of(at + i);

		ck_assert_uint_ge(id, first);
		ck_assert_uint_lt(id, first + count);
		ck_assert_uint_ne(id, first + i);
		seen |= 1u << (id - first);
	}
	ck_assert_uint_eq(seen, (1u << count) - 1);
}

START_TEST(shuffled_in_batches)
{
	struct vdev_reports *r = start("fault reports shuffled");
	u64 due;

	program(0, 7);
	ck_assert_uint_eq(delivered(), 0);
	program(7, 1);
	ck_assert_uint_eq(delivered(), 8);
	check_batch(0, 0, 8);
	program(8, 11);
	ck_assert_uint_eq(delivered(), 16);
	check_batch(8, 8, 8);
	due = vdev_reports_due(r);
	ck_assert_uint_le(due, vdev_now() + 50000000);
	vdev_reports_tick(rig.dev, due - 1);
	ck_assert_uint_eq(delivered(), 16);
	vdev_reports_tick(rig.dev, due);
	ck_assert_uint_eq(delivered(), 19);
	check_batch(16, 16, 3);
	program(19, 1);
	vdev_reports_tick(rig.dev, vdev_reports_due(r));
	ck_assert_uint_eq(id_of(19), 19);	/* alone, it comes all the same */
	ck_assert_uint_eq(r->late, 20);
	rig_stop(&rig);
}
END_TEST

START_TEST(some_are_lost)
{
	struct vdev_reports *r = start("fault reports lost 2");

	program(1, 3);
	ck_assert_uint_eq(delivered(), 1);
	ck_assert_uint_eq(id_of(0), 3);
	ck_assert_uint_eq(r->lost, 2);
	ck_assert_uint_eq(r->late, 0);
	rig_order(&rig, "fault reports lost 5");
	rig_order(&rig, "fault reports lost 0");
	program(4, 1);
	ck_assert_uint_eq(delivered(), 2);
	/* What is late can be lost too. */
	rig_order(&rig, "fault reports late 1000");
	rig_order(&rig, "fault reports lost 1");
	program(5, 2);
	ck_assert_uint_eq(vdev_reports_pending(r), 1);
	rig_order(&rig, "fault reports lost 1");
	rig_order(&rig, "fault reports on");
	program(7, 1);
	ck_assert_uint_eq(id_of(2), 6);
	ck_assert_uint_eq(id_of(3), 7);
	ck_assert_uint_eq(r->lost, 3);
	rig_stop(&rig);
}
END_TEST

START_TEST(off_loses_also_what_waits)
{
	struct vdev_reports *r = start("fault reports late 1000");

	program(1, 2);
	rig_order(&rig, "fault reports off");
	program(3, 2);
	vdev_reports_tick(rig.dev, UINT64_MAX);
	rig_order(&rig, "fault reports on");
	ck_assert_uint_eq(delivered(), 0);
	ck_assert_uint_eq(r->lost, 4);
	ck_assert_uint_eq(rig.dev->count.moves, 3);	/* the operations were done */
	program(5, 1);
	ck_assert_uint_eq(id_of(0), 5);
	rig_stop(&rig);
}
END_TEST

START_TEST(resets_drop_what_waits)
{
	struct vdev_reports *r = start("fault reports late 1000");

	program(1, 2);
	vdev_reset_function(rig.dev, "test");
	ck_assert_uint_eq(vdev_reports_pending(r), 0);
	ck_assert_uint_eq(r->dropped, 2);
	ck_assert_uint_eq(r->lost, 0);
	ck_assert_int_eq(r->mode, VDEV_REPORTS_LATE);	/* the fault outlives it */
	vdev_reports_tick(rig.dev, UINT64_MAX);
	ck_assert_uint_eq(r->sent + rig.dev->count.status_lost, 0);
	rig_stop(&rig);
}
END_TEST

/* A ring without room loses reports, late or not, and the model goes on. */
START_TEST(a_full_ring)
{
	struct vdev_reports *r = start("fault reports late 1000");

	for (u32 i = 0; i < 4; i++)
		program(1, 20);
	rig_order(&rig, "fault reports on");
	ck_assert_uint_eq(r->sent, RIG_RING_LEN - 1);
	ck_assert_uint_eq(rig.dev->count.status_lost, 80 - (RIG_RING_LEN - 1));
	ck_assert_uint_eq(vdev_reports_pending(r), 0);
	rig_stop(&rig);
}
END_TEST

START_TEST(waiting_is_bounded)
{
	struct vdev_reports *r = start("fault reports late 1000");
	const u64 desc[4] = { 1, 2, 3, 4 };

	for (u32 i = 0; i < VDEV_REPORTS_MAX + 5; i++)
		vdev_reports_send(rig.dev, RIG_CTRL_QUEUE, desc, 0);
	ck_assert_uint_eq(vdev_reports_pending(r), VDEV_REPORTS_MAX);
	ck_assert_uint_eq(rig.dev->count.status_lost, 5);
	vdev_reports_tick(rig.dev, 1000000000);
	ck_assert_uint_eq(vdev_reports_pending(r), 0);
	ck_assert_uint_eq(r->sent, RIG_RING_LEN - 1);
	rig_stop(&rig);
}
END_TEST

Suite *test_reports_suite(void)
{
	const TTest *const tests[] = {
		late_ones_keep_their_order, on_delivers_what_waits, shuffled_in_batches,
		some_are_lost, off_loses_also_what_waits, resets_drop_what_waits, a_full_ring,
		waiting_is_bounded,
	};

	return test_suite("reports", tests, VDEV_ARRAY_SIZE(tests));
}
