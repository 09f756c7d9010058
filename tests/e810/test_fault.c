// SPDX-License-Identifier: GPL-2.0-only
/* Faults of filter operations: which ones fail, how, and that nothing is done by them. */
#include "test_frames.h"
#include "test_rig.h"
#include "test_util.h"
#include "vdev_log.h"

static struct rig rig;
static u8 frame[256];
static u32 len;

static void start(const char *fault)
{
	len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);
	rig_start_driven(&rig, 64);
	rig_order(&rig, fault);
}

/* Program the nth flow. Return: error bits of the report, 1 failed, 2 profile. */
static u32 program(u32 n, bool remove)
{
	u32 head = rig.dev->rxq[RIG_CTRL_QUEUE].head;
	struct vdev_tx_filter f = rig_action(1, n);
	u64 live = vdev_fdir_live(&rig.dev->fdir), status;

	f.report = VDEV_FD_REPORT_ALWAYS;
	f.remove = remove;
	vdev_put_be16(frame + 34, 1000 + n);
	rig_filter(&rig, frame, len, &f);
	ck_assert_uint_eq(rig.dev->rxq[RIG_CTRL_QUEUE].head, head + 1);
	status = rig_rx_desc(&rig, RIG_CTRL_QUEUE, head)[1];
	ck_assert_uint_eq(vdev_field(status, 1, 2), remove);
	if (vdev_field(status, 4, 2))
		ck_assert_uint_eq(vdev_fdir_live(&rig.dev->fdir), live);
	return vdev_field(status, 4, 2);
}

static u32 add(u32 n)
{
	return program(n, false);
}

static u32 del(u32 n)
{
	return program(n, true);
}

START_TEST(next_adds)
{
	start("fault fail-adds 2");
	ck_assert_uint_eq(add(1), 1);
	ck_assert_uint_eq(del(1), 1);	/* fails for itself, is not counted */
	ck_assert_uint_eq(rig.dev->fault.fail_adds, 1);
	ck_assert_uint_eq(add(1), 1);
	ck_assert_uint_eq(add(1), 0);
	ck_assert_uint_eq(rig.dev->fault.injected, 2);
	rig_stop(&rig);
}
END_TEST

START_TEST(adds_for_a_time)
{
	start("fault fail-adds-for 100");
	ck_assert_uint_eq(add(1), 1);
	ck_assert_uint_eq(add(2), 1);
	ck_assert_uint_gt(rig.dev->fault.fail_adds_until, vdev_now() + 90000000000);
	rig.dev->fault.fail_adds_until = vdev_now();
	ck_assert_uint_eq(add(1), 0);
	rig_order(&rig, "fault fail-adds-for 100");
	ck_assert_uint_eq(del(1), 0);
	ck_assert_uint_eq(add(1), 1);
	rig_order(&rig, "fault fail-adds-for 0");
	ck_assert_uint_eq(add(1), 0);
	rig_stop(&rig);
}
END_TEST

START_TEST(nth_add)
{
	start("fault fail-nth-add 3");
	ck_assert_uint_eq(add(1), 0);
	ck_assert_uint_eq(del(1), 0);
	ck_assert_uint_eq(add(1), 0);
	ck_assert_uint_eq(add(2), 1);
	ck_assert_uint_eq(add(2), 0);
	rig_order(&rig, "fault fail-nth-add 1");
	ck_assert_uint_eq(add(2), 1);	/* a move */
	ck_assert_uint_eq(add(2), 0);
	rig_order(&rig, "fault fail-nth-add 1");
	rig_order(&rig, "fault fail-nth-add 0");
	ck_assert_uint_eq(add(3), 0);
	rig_stop(&rig);
}
END_TEST

START_TEST(deletes)
{
	start("fault fail-deletes 1");
	ck_assert_uint_eq(add(1), 0);
	ck_assert_uint_eq(del(1), 1);
	ck_assert_uint_eq(vdev_fdir_live(&rig.dev->fdir), 1);
	ck_assert_uint_eq(del(1), 0);
	rig_stop(&rig);
}
END_TEST

/* The profile error is a bit of its own. */
START_TEST(profile_errors)
{
	start("fault fail-profile 2");
	ck_assert_uint_eq(add(1), 2);
	ck_assert_uint_eq(del(1), 2);
	ck_assert_uint_eq(add(1), 0);
	ck_assert_uint_eq(rig.dev->count.failed, 2);
	ck_assert_uint_eq(rig.dev->fault.injected, 2);
	rig_stop(&rig);
}
END_TEST

START_TEST(fewer_filters_than_advertised)
{
	u32 size;

	start("fault limit 2");
	size = vdev_mmio_read(rig.dev, E810_GLQF_FD_SIZE);
	ck_assert_uint_eq(size, 32 | 32 << 16);
	ck_assert_uint_eq(add(1), 0);
	ck_assert_uint_eq(add(2), 0);
	ck_assert_uint_eq(add(3), 1);
	ck_assert_uint_eq(add(2), 0);	/* a move needs no room */
	ck_assert_uint_eq(del(1), 0);
	ck_assert_uint_eq(add(3), 0);
	rig_order(&rig, "fault limit 1");	/* what is there stays */
	ck_assert_uint_eq(vdev_fdir_live(&rig.dev->fdir), 2);
	ck_assert_uint_eq(add(4), 1);
	vdev_reset_function(rig.dev, "test");
	ck_assert_uint_eq(rig.dev->fdir.limit, 1);
	rig_configure(&rig);
	ck_assert_uint_eq(add(1), 0);
	ck_assert_uint_eq(add(2), 1);
	rig_order(&rig, "fault limit 0");
	ck_assert_uint_eq(add(2), 0);
	ck_assert_uint_eq(rig.dev->fault.injected, 0);	/* the device is full, as it would be */
	rig_stop(&rig);
}
END_TEST

START_TEST(none_ends_all)
{
	static const char *const faults[] = {
		"fault fail-adds 9", "fault fail-adds-for 9", "fault fail-nth-add 2",
		"fault fail-deletes 9", "fault fail-profile 9", "fault limit 1",
		"fault reports off", "fault reports lost 9", "fault link down",
	};

	start("fault none");	/* of nothing */
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(faults); i++)
		rig_order(&rig, faults[i]);
	rig_order(&rig, "fault none");
	for (u32 n = 1; n < 9; n++)
		ck_assert_uint_eq(add(n), 0);
	for (u32 n = 1; n < 9; n++)
		ck_assert_uint_eq(del(n), 0);
	ck_assert(rig.dev->link_up);
	rig_stop(&rig);
}
END_TEST

Suite *test_fault_suite(void)
{
	const TTest *const tests[] = {
		next_adds, adds_for_a_time, nth_add, deletes, profile_errors,
		fewer_filters_than_advertised, none_ends_all,
	};

	return test_suite("fault", tests, VDEV_ARRAY_SIZE(tests));
}
