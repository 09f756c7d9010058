// SPDX-License-Identifier: GPL-2.0-only
/* Filters programmed through the control queue: table, log lines, counts, status, faults. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "test_frames.h"
#include "test_rig.h"
#include "test_util.h"

static struct vdev_filter *find(struct rig *rig, const u8 *frame, u32 len)
{
	struct vdev_packet pkt;

	vdev_packet_parse(&pkt, frame, len);
	return vdev_fdir_find(&rig->dev->fdir, &pkt.tuple, RIG_VSI);
}

static void check_swap(u32 (*make)(u8 *, u8, u32), u8 proto)
{
	struct vdev_tx_filter f = rig_action(2, 77);
	struct vdev_filter *entry;
	struct rig rig;
	u8 frame[256];
	u32 len = make(frame, proto, 4);

	rig_start_driven(&rig, 64);
	rig_filter(&rig, frame, len, &f);
	entry = find(&rig, frame, len);
	ck_assert_ptr_nonnull(entry);
	ck_assert_uint_eq(entry->queue, 2);
	ck_assert_uint_eq(entry->id, 77);
	ck_assert_uint_eq(entry->tuple.sport, TEST_SPORT);
	ck_assert_uint_eq(entry->tuple.proto, proto);
	f.remove = true;
	rig_filter(&rig, frame, len, &f);
	ck_assert_ptr_null(find(&rig, frame, len));
	ck_assert_uint_eq(rig.dev->count.adds, 1);
	ck_assert_uint_eq(rig.dev->count.deletes, 1);
	rig_stop(&rig);
}

START_TEST(tuple_is_swapped)
{
	check_swap(test_frame_v4, VDEV_PROTO_TCP);
	check_swap(test_frame_v4, VDEV_PROTO_UDP);
	check_swap(test_frame_v6, VDEV_PROTO_TCP);
	check_swap(test_frame_v6, VDEV_PROTO_UDP);
}
END_TEST

/* The lines that the contract promises, for each operation and outcome. */
START_TEST(log_lines)
{
	static const char *const want[] = {
		"add v4 tcp 10.0.0.2 4660 10.0.0.1 22136 queue=1 id=5 vsi=8 outcome=ok",
		"move v4 tcp 10.0.0.2 4660 10.0.0.1 22136 queue=3 id=6 vsi=8 outcome=ok from=1",
		"add v6 udp fd00::2 4660 fd00::1 22136 queue=0 id=7 vsi=8 outcome=ok",
		"add v4 udp 10.0.0.2 4660 10.0.0.1 22136 queue=0 id=8 vsi=8 outcome=full",
		"delete v4 udp 10.0.0.2 4660 10.0.0.1 22136 queue=0 id=8 vsi=8 outcome=noent",
		"move v4 tcp 10.0.0.2 4660 10.0.0.1 22136 queue=2 id=9 vsi=8 outcome=injected "
			"from=3",
		"delete v4 tcp 10.0.0.2 4660 10.0.0.1 22136 queue=2 id=9 vsi=8 outcome=ok",
	};
	char path[] = "/tmp/vdev-filter-log-XXXXXX", line[512];
	struct vdev_tx_filter f = rig_action(1, 5);
	int fd = mkstemp(path);
	struct rig rig;
	u8 frame[256];
	FILE *log;
	u32 len;

	ck_assert_int_ge(fd, 0);
	rig_start_driven(&rig, 2);
	ck_assert_int_eq(vdev_filter_log_open(&rig.dev->filter_log, path), 0);
	len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);
	rig_filter(&rig, frame, len, &f);
	f = rig_action(3, 6);
	rig_filter(&rig, frame, len, &f);
	f = rig_action(0, 7);
	len = test_frame_v6(frame, VDEV_PROTO_UDP, 0);
	rig_filter(&rig, frame, len, &f);
	f = rig_action(0, 8);
	len = test_frame_v4(frame, VDEV_PROTO_UDP, 0);
	rig_filter(&rig, frame, len, &f);
	f.remove = true;
	rig_filter(&rig, frame, len, &f);
	rig.dev->fault.fail_adds = 1;
	f = rig_action(2, 9);
	len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);
	rig_filter(&rig, frame, len, &f);
	ck_assert_uint_eq(find(&rig, frame, len)->queue, 3);
	f.remove = true;
	rig_filter(&rig, frame, len, &f);
	vdev_filter_log_close(&rig.dev->filter_log);
	log = fdopen(fd, "r");
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(want); i++) {
		char *text;

		ck_assert_ptr_nonnull(fgets(line, sizeof(line), log));
		line[strcspn(line, "\n")] = '\0';
		text = strchr(line, ' ');
		ck_assert_ptr_nonnull(text);
		*text++ = '\0';
		ck_assert_uint_eq(strlen(strchr(line, '.') + 1), 9);
		ck_assert_str_eq(text, want[i]);
	}
	ck_assert_ptr_null(fgets(line, sizeof(line), log));
	fclose(log);
	unlink(path);
	rig_stop(&rig);
}
END_TEST

START_TEST(counts_the_driver_reads)
{
	struct vdev_tx_filter f = rig_action(1, 5);
	struct rig rig;
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);

	rig_start_driven(&rig, 6);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLQF_FD_SIZE), 3 | 3 << 16);
	for (u32 i = 0; i < 4; i++) {
		frame[29] = 10 + i;	/* source address */
		rig_filter(&rig, frame, len, &f);
	}
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLQF_FD_CNT), 3 | 1 << 16);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_VSIQF_FD_CNT(RIG_VSI)), 3 | 1 << 16);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_VSIQF_FD_CNT(RIG_CTRL_VSI)), 0);
	vdev_reset_function(rig.dev, "test");
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLQF_FD_CNT), 0);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_VSIQF_FD_CNT(RIG_VSI)), 0);
	ck_assert_uint_eq(rig.dev->count.flushed, 4);
	rig_stop(&rig);
}
END_TEST

/* Status descriptors come when asked for, and only then. */
START_TEST(status_reports)
{
	struct vdev_tx_filter f = rig_action(1, 5);
	struct rig rig;
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);

	rig_start_driven(&rig, 64);
	rig_filter(&rig, frame, len, &f);
	f.report = VDEV_FD_REPORT_FAILURE;
	rig_filter(&rig, frame, len, &f);
	ck_assert_uint_eq(rig.dev->rxq[RIG_CTRL_QUEUE].head, 0);
	f.report = VDEV_FD_REPORT_ALWAYS;
	rig_filter(&rig, frame, len, &f);
	ck_assert_uint_eq(rig.dev->rxq[RIG_CTRL_QUEUE].head, 1);
	ck_assert_uint_eq(rig_rx_desc(&rig, RIG_CTRL_QUEUE, 0)[0], 0x40 | 5ull << 32);
	ck_assert_uint_eq(rig_rx_desc(&rig, RIG_CTRL_QUEUE, 0)[1], 0x01);
	rig.dev->fault.fail_adds = 1;
	f.report = VDEV_FD_REPORT_FAILURE;
	f.id = 6;
	rig_filter(&rig, frame, len, &f);
	ck_assert_uint_eq(rig_rx_desc(&rig, RIG_CTRL_QUEUE, 1)[0], 0x40 | 6ull << 32);
	ck_assert_uint_eq(rig_rx_desc(&rig, RIG_CTRL_QUEUE, 1)[1], 0x11);
	f.remove = true;
	f.report = VDEV_FD_REPORT_ALWAYS;
	rig_filter(&rig, frame, len, &f);
	ck_assert_uint_eq(rig_rx_desc(&rig, RIG_CTRL_QUEUE, 2)[1], 0x03);
	ck_assert_uint_eq(rig.dev->count.status_lost, 0);
	rig_stop(&rig);
}
END_TEST

START_TEST(a_vsi_without_a_share)
{
	struct vdev_tx_filter f = rig_action(0, 5);
	struct rig rig;
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 0);

	rig_start_driven(&rig, 64);
	f.vsi = RIG_CTRL_VSI;
	rig_filter(&rig, frame, len, &f);
	ck_assert_uint_eq(rig.dev->count.failed, 1);
	ck_assert_uint_eq(vdev_fdir_live(&rig.dev->fdir), 0);
	rig_stop(&rig);
}
END_TEST

Suite *test_fdir_prog_suite(void)
{
	const TTest *const tests[] = {
		tuple_is_swapped, log_lines, counts_the_driver_reads, status_reports,
		a_vsi_without_a_share,
	};

	return test_suite("fdir_prog", tests, VDEV_ARRAY_SIZE(tests));
}
