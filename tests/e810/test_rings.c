// SPDX-License-Identifier: GPL-2.0-only
/* Receive: queue choice, write-back, statistics; interrupts; resets. */
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "test_frames.h"
#include "test_rig.h"
#include "test_util.h"
#include "vdev_log.h"

static struct rig rig;

static const struct vdev_flow *flow_of(const u8 *frame, u32 len)
{
	struct vdev_packet pkt;

	vdev_packet_parse(&pkt, frame, len);
	return vdev_flows_find(&rig.dev->flows, &pkt.tuple);
}

static u64 stat(u32 reg)
{
	return vdev_mmio_read(rig.dev, reg) | (u64)vdev_mmio_read(rig.dev, reg + 4) << 32;
}

static u32 rss_queue(const u8 *frame, u32 len, u32 *hash)
{
	struct vdev_packet pkt;
	u8 key[VDEV_RSS_KEY_SIZE];

	for (u32 i = 0; i < sizeof(key); i++)
		key[i] = i * 37 + 11;
	vdev_packet_parse(&pkt, frame, len);
	*hash = vdev_rss_hash(key, sizeof(key), &pkt.tuple, true);
	return *hash % VDEV_RSS_LUT_SIZE % RIG_QUEUES;
}

START_TEST(rss_then_flow_director)
{
	struct vdev_tx_filter f = { .id = 77, .vsi = RIG_VSI, .queue_priority = 3,
		.space = VDEV_FD_SPACE_GUARANTEED_FIRST, .counter = 256 };
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 10), hash, q;
	u64 *desc;

	rig_start_driven(&rig, 64);
	q = rss_queue(frame, len, &hash);
	vdev_rx_frame(rig.dev, frame, len);
	ck_assert_uint_eq(rig.dev->rxq[q].head, 1);
	desc = rig_rx_desc(&rig, q, 0);
	ck_assert_uint_eq(desc[0], 2 | 26ull << 16 | (u64)len << 32);
	ck_assert_uint_eq(desc[1], 0x100bull | (u64)hash << 32);
	ck_assert_uint_eq(desc[3], 0xffffffff);
	ck_assert_mem_eq(rig.memory + RIG_RX_DATA, frame, len);

	f.queue = (q + 1) % RIG_QUEUES;
	rig_filter(&rig, frame, len, &f);
	vdev_rx_frame(rig.dev, frame, len);
	ck_assert_uint_eq(rig.dev->rxq[f.queue].head, 1);
	ck_assert_uint_eq(rig_rx_desc(&rig, f.queue, 0)[3], 77);
	ck_assert_uint_eq(stat(E810_GLSTAT_FD_CNT0L(256)), 0);
	f.count_packets = true;
	rig_filter(&rig, frame, len, &f);
	vdev_rx_frame(rig.dev, frame, len);
	ck_assert_uint_eq(stat(E810_GLSTAT_FD_CNT0L(256)), 1);
	ck_assert_uint_eq(rig.dev->count.fdir_hits, 2);

	ck_assert_uint_eq(flow_of(frame, len)->packets, 3);
	ck_assert_uint_eq(flow_of(frame, len)->queue[q], 1);
	ck_assert_uint_eq(flow_of(frame, len)->queue[f.queue], 2);
	ck_assert(flow_of(frame, len)->by_filter);
	rig_stop(&rig);
}
END_TEST

START_TEST(filters_may_drop)
{
	struct vdev_tx_filter f = { .id = 1, .vsi = RIG_VSI, .drop = true,
		.space = VDEV_FD_SPACE_GUARANTEED_FIRST };
	u8 frame[256];
	u32 len = test_frame_v6(frame, VDEV_PROTO_UDP, 10);

	rig_start_driven(&rig, 64);
	rig_filter(&rig, frame, len, &f);
	vdev_rx_frame(rig.dev, frame, len);
	for (u32 q = 0; q < RIG_QUEUES; q++)
		ck_assert_uint_eq(rig.dev->rxq[q].head, 0);
	ck_assert_uint_eq(rig.dev->count.rx_dropped, 1);
	ck_assert_ptr_null(flow_of(frame, len));
	rig_stop(&rig);
}
END_TEST

START_TEST(bad_checksums_are_marked)
{
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 10), hash, q;

	rig_start_driven(&rig, 64);
	q = rss_queue(frame, len, &hash);
	frame[len - 1] ^= 1;
	vdev_rx_frame(rig.dev, frame, len);
	ck_assert_uint_eq(rig_rx_desc(&rig, q, 0)[1] & 0xffff, 0x102b);
	rig_stop(&rig);
}
END_TEST

/* A frame longer than a buffer takes several descriptors; only the last one ends it. */
START_TEST(large_frames)
{
	static u8 frame[9000];
	u32 len = test_frame_v4(frame, VDEV_PROTO_UDP, 5000), hash, q;
	u64 *desc;

	rig_start_driven(&rig, 64);
	q = rss_queue(frame, len, &hash);
	vdev_rx_frame(rig.dev, frame, len);
	ck_assert_uint_eq(rig.dev->rxq[q].head, 3);
	for (u32 i = 0; i < 3; i++) {
		desc = rig_rx_desc(&rig, q, i);
		ck_assert_uint_eq(vdev_field(desc[0], 32, 14), i < 2 ? 2048 : len - 4096);
		ck_assert_uint_eq(desc[1] & 3, i < 2 ? 1 : 3);
		ck_assert_mem_eq(rig.memory + RIG_RX_DATA + 2048 * i, frame + 2048 * i,
				 i < 2 ? 2048 : len - 4096);
	}
	rig_stop(&rig);
}
END_TEST

/*
 * One descriptor always stays free, so that a full ring differs from an empty one. A full
 * ring is waited for once; after that frames are dropped until the driver fills it.
 */
START_TEST(full_rings_hold_then_drop)
{
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 10), hash, q;

	rig_start_driven(&rig, 64);
	q = rss_queue(frame, len, &hash);
	for (u32 i = 0; i < RIG_RING_LEN - 1; i++)
		ck_assert(vdev_rx_frame(rig.dev, frame, len));
	ck_assert(!rig.dev->rx_held_since);
	ck_assert(!vdev_rx_frame(rig.dev, frame, len));
	ck_assert(!vdev_rx_frame(rig.dev, frame, len));
	ck_assert(rig.dev->rx_held_since);
	ck_assert_uint_eq(rig.dev->count.rx_held, 1);
	ck_assert_uint_eq(rig.dev->count.rx_packets, RIG_RING_LEN - 1);	/* not yet received */

	rig.dev->rx_held_since = vdev_now() - VDEV_RX_HOLD_NS;
	for (u32 i = 0; i < 7; i++)
		ck_assert(vdev_rx_frame(rig.dev, frame, len));
	ck_assert_uint_eq(rig.dev->rxq[q].head, RIG_RING_LEN - 1);
	ck_assert_uint_eq(rig.dev->count.rx_dropped, 7);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLV_RDPC(RIG_VSI)), 7);
	ck_assert_uint_eq(flow_of(frame, len)->packets, RIG_RING_LEN - 1);

	rig_rx_desc(&rig, q, 0)[0] = RIG_BASE + RIG_RX_DATA;
	vdev_mmio_write(rig.dev, E810_QRX_TAIL(q), 1);
	ck_assert(vdev_rx_frame(rig.dev, frame, len));
	ck_assert(vdev_rx_frame(rig.dev, frame, len));
	ck_assert_uint_eq(rig.dev->rxq[q].head, 1);
	ck_assert(!vdev_rx_frame(rig.dev, frame, len));	/* full anew: it is waited for anew */
	ck_assert_uint_eq(rig.dev->count.rx_dropped, 7);
	rig_stop(&rig);
}
END_TEST

START_TEST(statistics)
{
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 46);

	rig_start_driven(&rig, 64);
	ck_assert_uint_eq(len, 100);
	vdev_rx_frame(rig.dev, frame, len);
	frame[0] = 0x33;
	vdev_rx_frame(rig.dev, frame, len);
	memset(frame, 0xff, 6);
	vdev_rx_frame(rig.dev, frame, len);
	ck_assert_uint_eq(stat(E810_GLV_UPRCL(RIG_VSI)), 1);
	ck_assert_uint_eq(stat(E810_GLV_MPRCL(RIG_VSI)), 1);
	ck_assert_uint_eq(stat(E810_GLV_BPRCL(RIG_VSI)), 1);
	ck_assert_uint_eq(stat(E810_GLV_GORCL(RIG_VSI)), 300);
	ck_assert_uint_eq(stat(E810_GLPRT_UPRCL), 1);
	ck_assert_uint_eq(stat(E810_GLPRT_MPRCL), 1);
	ck_assert_uint_eq(stat(E810_GLPRT_BPRCL), 1);
	ck_assert_uint_eq(stat(E810_GLPRT_GORCL), 300);
	ck_assert_uint_eq(stat(E810_GLPRT_PRC127L), 3);
	vdev_stats_tx(rig.dev, RIG_VSI, frame, 60);
	ck_assert_uint_eq(stat(E810_GLV_BPTCL(RIG_VSI)), 1);
	ck_assert_uint_eq(stat(E810_GLPRT_PTC64L), 1);
	ck_assert_uint_eq(stat(E810_GLV_GOTCL(RIG_VSI)), 60);
	vdev_stats_add(rig.dev, E810_GLPRT_GORCL, (1ull << 40) - 1);
	ck_assert_uint_eq(stat(E810_GLPRT_GORCL), 299);	/* 40 bits, then over again */
	rig_stop(&rig);
}
END_TEST

static u64 signals(int fd)
{
	u64 n = 0;

	return read(fd, &n, sizeof(n)) == sizeof(n) ? n : 0;
}

/* Fires once, then waits for the driver; what comes meanwhile is not forgotten. */
START_TEST(interrupt_masking)
{
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 10), hash, q;
	int fd = eventfd(0, EFD_NONBLOCK);

	rig_start_driven(&rig, 64);
	q = rss_queue(frame, len, &hash);
	vdev_irq_set_fd(rig.dev, 3, fd);
	vdev_mmio_write(rig.dev, E810_QINT_RQCTL(q), 3 | E810_CAUSE_ENABLE);
	vdev_mmio_write(rig.dev, E810_GLINT_DYN_CTL(3), E810_DYN_CTL_INTENA);
	vdev_rx_frame(rig.dev, frame, len);
	vdev_irq_flush(rig.dev);
	ck_assert_uint_eq(signals(fd), 1);
	ck_assert(!(vdev_mmio_read(rig.dev, E810_GLINT_DYN_CTL(3)) & E810_DYN_CTL_INTENA));
	vdev_rx_frame(rig.dev, frame, len);
	vdev_irq_flush(rig.dev);
	ck_assert_uint_eq(signals(fd), 0);
	vdev_mmio_write(rig.dev, E810_GLINT_DYN_CTL(3),
			E810_DYN_CTL_INTENA | E810_DYN_CTL_CLEARPBA);
	vdev_irq_flush(rig.dev);
	ck_assert_uint_eq(signals(fd), 1);
	vdev_mmio_write(rig.dev, E810_GLINT_DYN_CTL(3), E810_DYN_CTL_INTENA);
	vdev_irq_flush(rig.dev);
	ck_assert_uint_eq(signals(fd), 0);
	rig_stop(&rig);
}
END_TEST

/* The driver's interrupt self-test: a software trigger of the "other" vector says so. */
START_TEST(software_interrupt)
{
	int fd = eventfd(0, EFD_NONBLOCK);

	rig_start(&rig, 64);
	vdev_irq_set_fd(rig.dev, 1, fd);
	vdev_mmio_write(rig.dev, E810_PFINT_OICR_CTL, 1 | E810_CAUSE_ENABLE);
	vdev_mmio_write(rig.dev, E810_GLINT_DYN_CTL(2),
			E810_DYN_CTL_INTENA | E810_DYN_CTL_SWINT_TRIG);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PFINT_OICR), 0);
	vdev_mmio_write(rig.dev, E810_GLINT_DYN_CTL(1),
			E810_DYN_CTL_INTENA | E810_DYN_CTL_SWINT_TRIG);
	vdev_irq_flush(rig.dev);
	ck_assert_uint_eq(signals(fd), 1);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PFINT_OICR), E810_OICR_SWINT);
	rig_stop(&rig);
}
END_TEST

START_TEST(core_reset)
{
	struct vdev_tx_filter f = { .id = 1, .vsi = RIG_VSI, .queue_priority = 3,
		.space = VDEV_FD_SPACE_GUARANTEED_FIRST };
	int fd = eventfd(0, EFD_NONBLOCK);
	u8 frame[256];
	u32 len = test_frame_v4(frame, VDEV_PROTO_TCP, 10);

	rig_start_driven(&rig, 64);
	rig_filter(&rig, frame, len, &f);
	rig.dev->package.loaded = true;
	vdev_irq_set_fd(rig.dev, 1, fd);
	vdev_mmio_write(rig.dev, E810_PFINT_OICR_CTL, 1 | E810_CAUSE_ENABLE);
	vdev_mmio_write(rig.dev, E810_PFINT_OICR_ENA, E810_OICR_GRST);
	vdev_mmio_write(rig.dev, E810_GLINT_DYN_CTL(1), E810_DYN_CTL_INTENA);

	/* Announced: everything still works, until the driver has looked. */
	vdev_mmio_write(rig.dev, E810_GLGEN_RTRIG, E810_RTRIG_CORER);
	vdev_irq_flush(rig.dev);
	ck_assert_uint_eq(signals(fd), 1);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLGEN_RSTAT), 1 | 1 << 2);
	rig.dev->reset_next_at = vdev_now();
	vdev_reset_tick(rig.dev);
	ck_assert_uint_eq(vdev_fdir_live(&rig.dev->fdir), 1);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PFINT_OICR), E810_OICR_GRST);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PFINT_OICR), 0);	/* clears on read */

	vdev_reset_tick(rig.dev);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLGEN_RSTAT), 2 | 1 << 2);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLNVM_ULD), 0);
	ck_assert_uint_eq(vdev_fdir_live(&rig.dev->fdir), 0);
	ck_assert(!rig.dev->package.loaded);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PF_FW_ATQLEN), 0);
	vdev_rx_frame(rig.dev, frame, len);
	ck_assert_uint_eq(rig.dev->count.rx_dropped, 1);
	vdev_reset_core(rig.dev, VDEV_RESET_GLOBAL);	/* one at a time */
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLGEN_RSTAT), 2 | 1 << 2);

	rig.dev->reset_next_at = 0;
	vdev_reset_tick(rig.dev);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLGEN_RSTAT), 1 << 2);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLNVM_ULD), 0x7ff);
	rig_stop(&rig);
}
END_TEST

/* A driver that never looks is reset all the same. */
START_TEST(core_reset_unnoticed)
{
	rig_start_driven(&rig, 64);
	vdev_reset_core(rig.dev, VDEV_RESET_EMP);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_GLGEN_RSTAT), 1 | 3 << 2);
	rig.dev->reset_next_at = 0;
	while (rig.dev->reset_state == VDEV_RESET_REQUESTED)
		vdev_reset_tick(rig.dev);
	ck_assert_uint_eq(rig.dev->main_vsi, VDEV_NO_VSI);
	rig_stop(&rig);
}
END_TEST

START_TEST(function_level_reset)
{
	u8 control[2] = { 0x00, 0x80 };

	rig_start_driven(&rig, 64);
	rig.dev->package.loaded = true;
	vdev_pci_write(rig.dev, 0xa8, control, 2);
	ck_assert_uint_eq(rig.dev->main_vsi, VDEV_NO_VSI);
	ck_assert(!rig.dev->rxq[0].enabled);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_QRX_CTRL(0)), 0);
	ck_assert(rig.dev->package.loaded);	/* the device's, not the function's */
	ck_assert_uint_eq(rig.dev->config[0xa9], 0);
	rig_stop(&rig);
}
END_TEST

Suite *test_rings_suite(void)
{
	const TTest *const tests[] = {
		rss_then_flow_director, filters_may_drop, bad_checksums_are_marked, large_frames,
		full_rings_hold_then_drop, statistics, interrupt_masking, software_interrupt,
		core_reset, core_reset_unnoticed, function_level_reset,
	};

	return test_suite("rings", tests, VDEV_ARRAY_SIZE(tests));
}
