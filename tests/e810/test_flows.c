// SPDX-License-Identifier: GPL-2.0-only
/* Accounting of deliveries. */
#include "test_util.h"
#include "vdev_flows.h"

static struct vdev_tuple tuple(u32 n)
{
	struct vdev_tuple t = { .proto = VDEV_PROTO_UDP, .sport = n, .dport = n >> 16 };

	return t;
}

START_TEST(counts_by_queue)
{
	struct vdev_tuple t = tuple(1), never = tuple(2);
	const struct vdev_flow *flow;
	struct vdev_flows flows;

	ck_assert_int_eq(vdev_flows_init(&flows, 4), 0);
	vdev_flows_count(&flows, &t, 0xabcd, 2, false);
	vdev_flows_count(&flows, &t, 0xabcd, 2, false);
	vdev_flows_count(&flows, &t, 0xabcd, 3, true);
	flow = vdev_flows_find(&flows, &t);
	ck_assert_ptr_nonnull(flow);
	ck_assert_uint_eq(flow->packets, 3);
	ck_assert_uint_eq(flow->queue[2], 2);
	ck_assert_uint_eq(flow->hash, 0xabcd);
	ck_assert_uint_eq(flow->queue[3], 1);
	ck_assert_uint_eq(flow->last, 3);
	ck_assert(flow->by_filter);
	vdev_flows_count(&flows, &t, 0xabcd, 0, false);
	ck_assert_uint_eq(flow->last, 0);
	ck_assert(!flow->by_filter);
	ck_assert_ptr_null(vdev_flows_find(&flows, &never));
	ck_assert_uint_eq(flows.count, 1);
	vdev_flows_free(&flows);
}
END_TEST

START_TEST(a_queue_that_does_not_exist)
{
	struct vdev_tuple t = tuple(1);
	struct vdev_flows flows;

	ck_assert_int_eq(vdev_flows_init(&flows, 4), 0);
	vdev_flows_count(&flows, &t, 0xabcd, 4, false);
	ck_assert_uint_eq(flows.untracked, 1);
	vdev_flows_free(&flows);
}
END_TEST

START_TEST(many_then_full_then_reset)
{
	struct vdev_flows flows;
	struct vdev_tuple t;

	ck_assert_int_eq(vdev_flows_init(&flows, 1), 0);
	for (u32 n = 0; n < VDEV_FLOWS_MAX; n++) {
		t = tuple(n);
		vdev_flows_count(&flows, &t, 0xabcd, 0, false);
	}
	ck_assert_uint_eq(flows.count, VDEV_FLOWS_MAX);
	ck_assert_uint_eq(flows.untracked, 0);
	t = tuple(VDEV_FLOWS_MAX);
	vdev_flows_count(&flows, &t, 0xabcd, 0, false);
	ck_assert_uint_eq(flows.untracked, 1);
	for (u32 n = 0; n < VDEV_FLOWS_MAX; n += 997) {
		t = tuple(n);
		ck_assert_uint_eq(vdev_flows_find(&flows, &t)->packets, 1);
	}
	vdev_flows_reset(&flows);
	ck_assert_uint_eq(flows.count, 0);
	ck_assert_ptr_null(vdev_flows_find(&flows, &t));
	vdev_flows_count(&flows, &t, 0xabcd, 0, false);
	ck_assert_uint_eq(flows.count, 1);
	vdev_flows_free(&flows);
}
END_TEST

Suite *test_flows_suite(void)
{
	const TTest *const tests[] = {
		counts_by_queue, a_queue_that_does_not_exist, many_then_full_then_reset,
	};

	return test_suite("flows", tests, VDEV_ARRAY_SIZE(tests));
}
