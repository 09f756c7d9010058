// SPDX-License-Identifier: GPL-2.0-only
/* Commands of the control socket, good and bad. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "test_frames.h"
#include "test_rig.h"
#include "test_util.h"
#include "vdev_control.h"

static struct rig rig;

static void expect(const char *line, const char *answer)
{
	char *text = rig_ask(&rig, line);

	ck_assert_str_eq(text, answer);
	free(text);
}

static void expect_error(const char *line)
{
	char *text = rig_ask(&rig, line);

	ck_assert_msg(!strncmp(text, "error: ", 7), "%s answered %s", line, text);
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);	/* one line */
	free(text);
}

START_TEST(bad_input)
{
	rig_start(&rig, 64);
	expect_error("");
	expect_error("   \t ");
	expect_error("nonsense");
	expect_error("FLOWS");
	expect_error("flows now");
	expect_error("stats 1 2 3 4 5 6");
	expect_error("fault nonsense");
	expect_error("fault fail-adds");
	expect_error("fault fail-adds x");
	expect_error("fault fail-adds -1");
	expect_error("fault fail-adds 4294967296");
	expect_error("fault fail-adds 99999999999999999999999");
	expect_error("fault fail-adds 1x");
	expect_error("fault fail-adds 1 2");
	expect_error("fault fail-adds-for 3601");
	expect_error("fault fail-nth-add first");
	expect_error("fault limit");
	expect_error("fault limit -5");
	expect_error("fault reports");
	expect_error("fault reports sometimes");
	expect_error("fault reports late");
	expect_error("fault reports late 0");
	expect_error("fault reports late 600001");
	expect_error("fault reports late 5 6");
	expect_error("fault reports lost");
	expect_error("fault reports lost many");
	expect_error("fault reports off 3");
	expect_error("fault none of them");
	expect_error("filters-count 1");
	expect_error("filter v4 tcp 10.0.0.2 1 10.0.0.1");
	expect_error("filter v5 tcp 10.0.0.2 1 10.0.0.1 2");
	expect_error("filter v4 icmp 10.0.0.2 1 10.0.0.1 2");
	expect_error("filter v6 tcp 10.0.0.2 1 10.0.0.1 2");
	expect_error("filter v4 tcp 10.0.0 1 10.0.0.1 2");
	expect_error("filter v4 tcp 10.0.0.2 65536 10.0.0.1 2");
	expect_error("filter v4 tcp 10.0.0.2 1 10.0.0.1 2 3");
	expect_error("fault link");
	expect_error("fault link sideways");
	expect_error("fault corer now");
	ck_assert_uint_eq(rig.dev->fault.fail_adds, 0);
	ck_assert_uint_eq(rig.dev->fdir.limit | rig.dev->reports.lose, 0);
	ck_assert_int_eq(rig.dev->reports.mode, VDEV_REPORTS_ON);
	ck_assert(rig.dev->link_up && rig.dev->reset_state == VDEV_RUNNING);
	rig_stop(&rig);
}
END_TEST

START_TEST(flows_and_reset)
{
	struct vdev_tx_filter f = { .queue = 3, .id = 5, .vsi = RIG_VSI, .queue_priority = 3,
		.space = VDEV_FD_SPACE_GUARANTEED_FIRST };
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);

	rig_start_driven(&rig, 64);
	expect("flows", "");
	expect("filters", "");
	expect("filters-count", "live=0\n");
	rig_filter(&rig, frame, len, &f);
	vdev_rx_frame(rig.dev, frame, len);
	vdev_rx_frame(rig.dev, frame, len);
	expect("flows", "flow v4 tcp 10.0.0.2 4660 10.0.0.1 22136 "
	       "pkts=2 last=3 by=fdir q=0,0,0,2 hash=1321e14b\n");
	expect("  filters \r", "filter v4 tcp 10.0.0.2 4660 10.0.0.1 22136 "
	       "queue=3 id=5 vsi=8 hits=2\n");
	expect("filter v4 tcp 10.0.0.2 4660 10.0.0.1 22136", "filter v4 tcp 10.0.0.2 4660 "
	       "10.0.0.1 22136 queue=3 id=5 vsi=8 hits=2\n");
	expect("filter v4 tcp 10.0.0.2 4661 10.0.0.1 22136", "");
	expect("filter v4 udp 10.0.0.2 4660 10.0.0.1 22136", "");
	expect("filters-count", "live=1\n");
	expect("reset-flows", "");
	expect("flows", "");
	rig_stop(&rig);
}
END_TEST

START_TEST(one_filter_of_ipv6)
{
	struct vdev_tx_filter f = rig_action(2, 6);
	u8 frame[256];
	u32 len = test_frame_v6(frame, VDEV_PROTO_UDP, 0);

	rig_start_driven(&rig, 64);
	rig_filter(&rig, frame, len, &f);
	expect("filter v6 udp fd00::2 4660 fd00:0::1 22136",
	       "filter v6 udp fd00::2 4660 fd00::1 22136 queue=2 id=6 vsi=8 hits=0\n");
	expect("filter v6 udp fd00::1 22136 fd00::2 4660", "");
	rig_stop(&rig);
}
END_TEST

START_TEST(stats_lines)
{
	static const char *const keys[] = {
		"adds=", "moves=", "deletes=", "failed=", "live=", "capacity=64\n",
		"rx_packets=", "tx_packets=", "link=1\n", "resetting=0\n",
		"limit=0\n", "reports_pending=0\n", "reports_late=0\n", "reports_lost=0\n",
	};
	char *text;

	rig_start(&rig, 64);
	text = rig_ask(&rig, "stats");
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(keys); i++)
		ck_assert_msg(strstr(text, keys[i]), "no %s", keys[i]);
	free(text);
	rig_stop(&rig);
}
END_TEST

START_TEST(faults)
{
	char *text;

	rig_start(&rig, 64);
	expect("fault fail-adds 3", "");
	ck_assert_uint_eq(rig.dev->fault.fail_adds, 3);
	expect("fault fail-adds 0", "");
	ck_assert_uint_eq(rig.dev->fault.fail_adds, 0);
	expect("fault link down", "");
	ck_assert(!rig.dev->link_up);
	expect("fault link up", "");
	ck_assert(rig.dev->link_up);
	expect("fault corer", "");
	ck_assert_int_eq(rig.dev->reset_state, VDEV_RESET_REQUESTED);
	expect_error("fault corer");	/* one at a time */
	text = rig_ask(&rig, "fault");
	ck_assert_ptr_nonnull(strstr(text, "fault fail-adds N: "));
	ck_assert_ptr_nonnull(strstr(text, "fault link up|down: "));
	free(text);
	text = rig_ask(&rig, "help");
	ck_assert_ptr_nonnull(strstr(text, "flows: "));
	ck_assert_ptr_nonnull(strstr(text, "fault corer: "));
	free(text);
	rig_stop(&rig);
}
END_TEST

START_TEST(filter_log_of_an_unreadable_file)
{
	rig_start(&rig, 64);
	rig.dev->filter_log.path = "/nonexistent/log";
	expect_error("filter-log");
	rig_stop(&rig);
}
END_TEST

Suite *test_command_suite(void)
{
	const TTest *const tests[] = {
		bad_input, flows_and_reset, one_filter_of_ipv6, stats_lines, faults,
		filter_log_of_an_unreadable_file,
	};

	return test_suite("command", tests, VDEV_ARRAY_SIZE(tests));
}
