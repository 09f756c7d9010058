// SPDX-License-Identifier: GPL-2.0-only
/* The admin queue: descriptors in and out of guest memory, and what commands answer. */
#include <string.h>

#include "test_rig.h"
#include "test_util.h"

static struct rig rig;

static struct vdev_aq_desc run(u16 opcode, u16 len)
{
	return rig_command(&rig, (struct vdev_aq_desc){ .opcode = opcode }, len);
}

START_TEST(write_back)
{
	struct vdev_aq_desc d;

	rig_start(&rig, 64);
	d = rig_command(&rig, (struct vdev_aq_desc){
		.opcode = 0x0001, .cookie_high = 0x11, .cookie_low = 0x22 }, 0);
	ck_assert_uint_eq(d.retval, 0);
	ck_assert_uint_eq(d.flags, VDEV_AQ_FLAG_DD | VDEV_AQ_FLAG_CMP);
	ck_assert_uint_eq(d.cookie_high, 0x11);
	ck_assert_uint_eq(d.cookie_low, 0x22);
	ck_assert_uint_eq(d.raw[13], 1);	/* API major */
	rig_stop(&rig);
}
END_TEST

START_TEST(unknown_opcodes)
{
	struct vdev_aq_desc d;

	rig_start(&rig, 64);
	d = run(0x7abc, 16);
	ck_assert_uint_eq(d.retval, VDEV_AQ_ENOSYS);
	ck_assert(d.flags & VDEV_AQ_FLAG_ERR);
	ck_assert_uint_eq(rig.dev->count.aq_unknown, 1);
	ck_assert_ptr_null(vdev_aq_find(0x7abc));
	ck_assert_ptr_nonnull(vdev_aq_find(0x0c43));
	rig_stop(&rig);
}
END_TEST

/* The ring wraps; a buffer outside of guest memory harms nobody. */
START_TEST(ring_wraps)
{
	rig_start(&rig, 64);
	for (u32 i = 0; i < 3 * RIG_ATQ_LEN; i++)
		ck_assert_uint_eq(run(0x0002, 32).retval, 0);
	ck_assert_uint_eq(rig_command(&rig, (struct vdev_aq_desc){
		.opcode = 0x000a, .addr_low = 0xdead0000, .flags = VDEV_AQ_FLAG_BUF },
		0).retval, VDEV_AQ_EINVAL);
	rig_stop(&rig);
}
END_TEST

START_TEST(ring_outside_of_memory)
{
	rig_start(&rig, 64);
	vdev_mmio_write(rig.dev, E810_PF_FW_ATQBAL, 0xdead0000);
	vdev_mmio_write(rig.dev, E810_PF_FW_ATQT, 1);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PF_FW_ATQH), 0);
	ck_assert(vdev_mmio_read(rig.dev, E810_PF_FW_ATQLEN) & E810_CTLQ_LEN_CRITICAL);
	vdev_mmio_write(rig.dev, E810_PF_FW_ATQT, RIG_ATQ_LEN + 5);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PF_FW_ATQH), 0);
	rig_stop(&rig);
}
END_TEST

static u32 capability(u16 id)
{
	const struct vdev_aq_capability *caps = (const void *)(rig.memory + RIG_BUFFER);
	struct vdev_aq_desc d = run(0x000a, VDEV_AQ_BUFFER);

	ck_assert_uint_eq(d.retval, 0);
	for (u32 i = 0; i < d.param1; i++)
		if (caps[i].id == id)
			return caps[i].number;
	return 0;
}

START_TEST(capabilities)
{
	rig_start(&rig, 1000);
	ck_assert_uint_eq(capability(0x41), 16);
	ck_assert_uint_eq(capability(0x42), 16);
	ck_assert_uint_eq(capability(0x43), 24);
	ck_assert_uint_eq(capability(0x45), 1000);
	ck_assert_uint_eq(capability(0x12), 0);	/* no SR-IOV */
	ck_assert_uint_eq(run(0x000a, 32).retval, VDEV_AQ_EINVAL);
	rig_stop(&rig);
}
END_TEST

static int allocate(u16 type, u16 n)
{
	u16 *buf = (u16 *)(rig.memory + RIG_BUFFER);

	memset(buf, 0, 64);
	buf[0] = type;
	buf[1] = n;
	return run(0x0208, 64).retval ? -1 : buf[2];
}

START_TEST(resource_ids)
{
	u16 *buf = (u16 *)(rig.memory + RIG_BUFFER);

	rig_start(&rig, 64);
	buf = (u16 *)(rig.memory + RIG_BUFFER);
	ck_assert_int_eq(allocate(0x58, 1), 0);
	ck_assert_int_eq(allocate(0x58, 2), 1);
	ck_assert_int_eq(allocate(0x59, 1), 0);	/* each type has ids of its own */
	for (int i = 3; i < 128; i++)
		ck_assert_int_eq(allocate(0x58, 1), i);
	ck_assert_int_eq(allocate(0x58, 1), -1);	/* profiles end at 128 */
	buf[0] = 0x58;
	buf[1] = 1;
	buf[2] = 60;
	ck_assert_uint_eq(run(0x0209, 64).retval, 0);
	ck_assert_int_eq(allocate(0x58, 1), 60);
	ck_assert_int_eq(allocate(0x22, 8192), 0);	/* an amount, not ids */
	rig_stop(&rig);
}
END_TEST

START_TEST(flash_ends)
{
	struct vdev_aq_desc d = { .opcode = 0x0701 };

	rig_start(&rig, 64);
	d.word[3] = 2;
	ck_assert_uint_eq(rig_command(&rig, d, 2).retval, 0);
	ck_assert_uint_eq(rig.memory[RIG_BUFFER] & 0xc0, 0x40);	/* valid control word */
	d.raw[2] = 0x20;	/* 2 MB: the first byte that is not there */
	ck_assert_uint_eq(rig_command(&rig, d, 2).retval, VDEV_AQ_EINVAL);
	d.raw[2] = 0x1f;
	d.word[0] = 0xfffe;
	ck_assert_uint_eq(rig_command(&rig, d, 2).retval, 0);
	rig_stop(&rig);
}
END_TEST

START_TEST(scheduler_tree)
{
	struct vdev_aq_sched_node *nodes;
	struct vdev_aq_desc d;
	u32 parent;

	rig_start(&rig, 64);
	nodes = (void *)(rig.memory + RIG_BUFFER + 8);
	d = run(0x0400, 512);
	ck_assert_uint_eq(d.retval, 0);
	ck_assert_uint_eq(d.raw[1], 1);
	ck_assert_uint_eq(nodes[0].element.type, 1);
	ck_assert_uint_eq(nodes[8].element.type, 5);
	ck_assert_uint_eq(nodes[8].parent, nodes[7].id);
	parent = nodes[7].id;
	memset(rig.memory + RIG_BUFFER, 0, 64);
	memcpy(rig.memory + RIG_BUFFER, &parent, sizeof(parent));
	rig.memory[RIG_BUFFER + 4] = 2;
	ck_assert_uint_eq(run(0x0401, 8 + 2 * sizeof(*nodes)).retval, 0);
	ck_assert_uint_ne(nodes[0].id, nodes[1].id);
	ck_assert_uint_eq(nodes[1].parent, parent);
	rig.memory[RIG_BUFFER + 4] = 200;	/* more than the buffer holds */
	ck_assert_uint_eq(run(0x0401, 64).retval, VDEV_AQ_EINVAL);
	rig_stop(&rig);
}
END_TEST

START_TEST(package_download)
{
	struct vdev_aq_desc d = { .opcode = 0x0008, .word = { 4 } };

	rig_start(&rig, 64);
	ck_assert_uint_eq(rig_command(&rig, d, 0).word[6], 0);	/* lock granted */
	ck_assert_uint_eq(run(0x0c43, 400).retval, 0);
	ck_assert_str_eq((char *)rig.memory + RIG_BUFFER + 8, "NVM default");
	ck_assert_uint_eq(run(0x0c40, 100).retval, VDEV_AQ_EINVAL);
	memset(rig.memory + RIG_BUFFER, 0, VDEV_AQ_BUFFER);
	memcpy(rig.memory + RIG_BUFFER, "\1\0\x30\0\1\0\0\0\x0c\0\x24\0", 12);
	memcpy(rig.memory + RIG_BUFFER + 12, "\1\3\7\0Some Package", 16);
	ck_assert_uint_eq(run(0x0c40, VDEV_AQ_BUFFER).retval, 0);
	ck_assert_uint_eq(run(0x0c43, 400).retval, 0);
	ck_assert_mem_eq(rig.memory + RIG_BUFFER + 4, "\1\3\7\0Some Package", 17);
	ck_assert_uint_eq(rig_command(&rig, d, 0).word[6], 2);	/* already done */
	rig_stop(&rig);
}
END_TEST

/* A link event arrives on the receive side of the queue once the driver asked for it. */
START_TEST(link_events)
{
	struct vdev_aq_desc *arq, d = { .opcode = 0x0607, .word = { 0, 3 } };

	rig_start(&rig, 64);
	arq = (void *)(rig.memory + RIG_ARQ);
	arq[0] = (struct vdev_aq_desc){ .datalen = 4096, .addr_low = RIG_BASE + RIG_EVENT };
	vdev_mmio_write(rig.dev, E810_PF_FW_ARQBAL, RIG_BASE + RIG_ARQ);
	vdev_mmio_write(rig.dev, E810_PF_FW_ARQLEN, 4 | E810_CTLQ_LEN_ENABLE);
	vdev_mmio_write(rig.dev, E810_PF_FW_ARQT, 1);
	vdev_link_set(rig.dev, false);	/* nobody asked yet */
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PF_FW_ARQH), 0);
	ck_assert_uint_eq(rig_command(&rig, d, 32).word[1], 1);
	ck_assert_uint_eq(rig.memory[RIG_BUFFER + 2], 0x40);	/* down, module there */
	vdev_link_set(rig.dev, true);
	ck_assert_uint_eq(vdev_mmio_read(rig.dev, E810_PF_FW_ARQH), 1);
	ck_assert_uint_eq(arq[0].opcode, 0x0607);
	ck_assert_uint_eq(arq[0].datalen, 32);
	ck_assert_uint_eq(rig.memory[RIG_EVENT + 2] & 1, 1);
	vdev_link_set(rig.dev, false);	/* no room: marked, not written */
	ck_assert(vdev_mmio_read(rig.dev, E810_PF_FW_ARQLEN) & E810_CTLQ_LEN_OVERFLOW);
	rig_stop(&rig);
}
END_TEST

Suite *test_adminq_suite(void)
{
	const TTest *const tests[] = {
		write_back, unknown_opcodes, ring_wraps, ring_outside_of_memory, capabilities,
		resource_ids, flash_ends, scheduler_tree, package_download, link_events,
	};

	return test_suite("adminq", tests, VDEV_ARRAY_SIZE(tests));
}
