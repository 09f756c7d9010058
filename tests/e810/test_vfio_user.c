// SPDX-License-Identifier: GPL-2.0-only
/* The vfio-user server against good and bad clients, over a socket pair. */
#include <errno.h>
#include <linux/vfio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "test_util.h"
#include "vdev_vfio_user.h"

static struct vdev_vfu vfu;
static int client;
static u8 reg[16];
static int irq[4];
static int resets;

static void dev_read(void *device, u32 region, u64 off, void *buf, u32 len)
{
	ck_assert_ptr_eq(device, reg);
	ck_assert_uint_eq(region, 0);
	memcpy(buf, reg + off, len);
}

static void dev_write(void *device, u32 region, u64 off, const void *buf, u32 len)
{
	ck_assert_ptr_eq(device, reg);
	ck_assert_uint_eq(region, 0);
	memcpy(reg + off, buf, len);
}

static void dev_set_irq(void *device, u32 vector, int fd)
{
	ck_assert_ptr_eq(device, reg);
	ck_assert_uint_lt(vector, VDEV_ARRAY_SIZE(irq));
	if (irq[vector] >= 0)
		close(irq[vector]);
	irq[vector] = fd;
}

static void dev_reset(void *device)
{
	ck_assert_ptr_eq(device, reg);
	resets++;
}

static const struct vdev_vfu_ops ops = {
	.read = dev_read, .write = dev_write, .set_irq = dev_set_irq, .reset = dev_reset,
};

static void connect_client(void)
{
	int pair[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	client = pair[0];
	vfu = (struct vdev_vfu){
		.ops = &ops, .device = reg, .region_size = { sizeof(reg) },
		.vectors = VDEV_ARRAY_SIZE(irq), .fd = pair[1], .listen_fd = -1,
		.payload = malloc(VDEV_VFU_MAX_PAYLOAD),
	};
	memset(irq, 0xff, sizeof(irq));
	resets = 0;
}

static void disconnect(void)
{
	for (u32 i = 0; i < VDEV_ARRAY_SIZE(irq); i++)
		if (irq[i] >= 0)
			close(irq[i]);
	close(client);
	vdev_vfu_close(&vfu);
}

static void send_fd(u16 command, u32 flags, const void *payload, u32 len, int fd)
{
	struct vdev_vfu_header h = {
		.id = 7, .command = command, .size = sizeof(h) + len, .flags = flags,
	};
	char control[CMSG_SPACE(sizeof(int))] = { 0 };
	struct iovec iov[2] = { { &h, sizeof(h) }, { (void *)payload, len } };
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };

	if (fd >= 0) {
		struct cmsghdr *c = (struct cmsghdr *)control;

		msg.msg_control = control;
		msg.msg_controllen = sizeof(control);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &fd, sizeof(fd));
	}
	ck_assert_int_eq(sendmsg(client, &msg, 0), h.size);
}

/* Return: bytes of payload in the reply, or minus its error. */
static int call_fd(u16 command, void *payload, u32 len, int fd)
{
	struct vdev_vfu_header h;

	send_fd(command, 0, payload, len, fd);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_HANDLED);
	ck_assert_int_eq(recv(client, &h, sizeof(h), MSG_WAITALL), sizeof(h));
	ck_assert_uint_eq(h.id, 7);
	ck_assert_uint_eq(h.flags & VDEV_VFU_FLAG_TYPE, VDEV_VFU_FLAG_REPLY);
	if (h.flags & VDEV_VFU_FLAG_ERROR)
		return -(int)h.error;
	h.size -= sizeof(h);
	if (h.size)
		ck_assert_int_eq(recv(client, payload, h.size, MSG_WAITALL), h.size);
	return h.size;
}

static int call(u16 command, void *payload, u32 len)
{
	return call_fd(command, payload, len, -1);
}

START_TEST(version_zero)
{
	u8 buf[512] = { 0, 0, 1, 0 };

	connect_client();
	ck_assert_int_gt(call(VDEV_VFU_VERSION, buf, 4), 4);
	ck_assert_mem_eq(buf, "\0\0\0\0", 4);
	ck_assert_ptr_nonnull(strstr((char *)buf + 4, "capabilities"));
	disconnect();
}
END_TEST

START_TEST(reads_and_writes)
{
	struct {
		u64 off;
		u32 region;
		u32 count;
		u8 data[64];
	} VDEV_PACKED acc = { .off = 4, .count = 4, .data = { 1, 2, 3, 4 } };

	connect_client();
	ck_assert_int_eq(call(VDEV_VFU_REGION_WRITE, &acc, 20), 16);
	ck_assert_mem_eq(reg + 4, "\1\2\3\4", 4);
	memset(acc.data, 0, 4);
	ck_assert_int_eq(call(VDEV_VFU_REGION_READ, &acc, 16), 20);
	ck_assert_mem_eq(acc.data, "\1\2\3\4", 4);
	acc.off = 13;	/* over the end */
	ck_assert_int_eq(call(VDEV_VFU_REGION_READ, &acc, 16), -EINVAL);
	acc.off = UINT64_MAX - 1;
	ck_assert_int_eq(call(VDEV_VFU_REGION_WRITE, &acc, 20), -EINVAL);
	acc.off = 0;
	acc.region = 1;	/* does not exist */
	ck_assert_int_eq(call(VDEV_VFU_REGION_READ, &acc, 16), -EINVAL);
	acc.region = 1000;
	ck_assert_int_eq(call(VDEV_VFU_REGION_READ, &acc, 16), -EINVAL);
	disconnect();
}
END_TEST

/* A posted write queued in front must not take the descriptors of what follows it. */
START_TEST(posted_write_before_set_irqs)
{
	struct {
		u64 off;
		u32 region;
		u32 count;
		u8 data[4];
	} VDEV_PACKED acc = { .count = 4, .data = { 9, 9, 9, 9 } };
	struct vfio_irq_set set = {
		.argsz = sizeof(set), .index = VFIO_PCI_MSIX_IRQ_INDEX, .start = 2, .count = 1,
		.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
	};
	int fd = eventfd(0, 0);
	u64 one = 1;

	connect_client();
	send_fd(VDEV_VFU_REGION_WRITE, VDEV_VFU_FLAG_NO_REPLY, &acc, sizeof(acc), -1);
	send_fd(VDEV_VFU_DEVICE_SET_IRQS, 0, &set, sizeof(set), fd);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_HANDLED);
	ck_assert_int_eq(reg[0], 9);
	ck_assert_int_eq(irq[2], -1);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_HANDLED);
	ck_assert_int_ge(irq[2], 0);
	ck_assert_int_eq(write(irq[2], &one, 8), 8);
	ck_assert_int_eq(read(fd, &one, 8), 8);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_AGAIN);
	close(fd);
	disconnect();
}
END_TEST

START_TEST(irqs_out_of_range)
{
	struct vfio_irq_set set = {
		.argsz = sizeof(set), .index = VFIO_PCI_MSIX_IRQ_INDEX, .start = 3, .count = 2,
		.flags = VFIO_IRQ_SET_DATA_EVENTFD | VFIO_IRQ_SET_ACTION_TRIGGER,
	};

	connect_client();
	ck_assert_int_eq(call(VDEV_VFU_DEVICE_SET_IRQS, &set, sizeof(set)), -EINVAL);
	set.start = UINT32_MAX;
	ck_assert_int_eq(call(VDEV_VFU_DEVICE_SET_IRQS, &set, sizeof(set)), -EINVAL);
	disconnect();
}
END_TEST

START_TEST(dma_maps)
{
	struct {
		u32 argsz, flags;
		u64 offset, address, size;
	} map = { 32, 3, 4096, 0x100000, 4096 };
	struct {
		u32 argsz, flags;
		u64 address, size;
	} unmap = { 24, 0, 0x100000, 4096 };
	int fd = memfd_create("guest", MFD_CLOEXEC);
	u8 *p;

	ck_assert_int_eq(ftruncate(fd, 8192), 0);
	ck_assert_int_eq(pwrite(fd, "hello", 5, 4096), 5);
	connect_client();
	ck_assert_int_eq(call_fd(VDEV_VFU_DMA_MAP, &map, sizeof(map), fd), 0);
	p = vdev_dma_ptr(&vfu.dma, 0x100000, 5, false);
	ck_assert_ptr_nonnull(p);
	ck_assert_mem_eq(p, "hello", 5);
	ck_assert_ptr_null(vdev_dma_ptr(&vfu.dma, 0x100fff, 2, false));
	ck_assert_ptr_null(vdev_dma_ptr(&vfu.dma, 0xfffff, 1, false));
	ck_assert_ptr_null(vdev_dma_ptr(&vfu.dma, 0x100000, UINT64_MAX, false));
	ck_assert_int_eq(call(VDEV_VFU_DMA_UNMAP, &unmap, sizeof(unmap)), 24);
	ck_assert_ptr_null(vdev_dma_ptr(&vfu.dma, 0x100000, 5, false));
	map.flags = 1;	/* read only */
	ck_assert_int_eq(call_fd(VDEV_VFU_DMA_MAP, &map, sizeof(map), fd), 0);
	ck_assert_ptr_nonnull(vdev_dma_ptr(&vfu.dma, 0x100000, 5, false));
	ck_assert_ptr_null(vdev_dma_ptr(&vfu.dma, 0x100000, 5, true));
	map.size = 0;
	ck_assert_int_eq(call_fd(VDEV_VFU_DMA_MAP, &map, sizeof(map), fd), -EINVAL);
	close(fd);
	disconnect();
}
END_TEST

START_TEST(unknown_command_is_refused)
{
	u8 buf[16] = { 0 };

	connect_client();
	ck_assert_int_eq(call(99, buf, 4), -ENOTSUP);
	ck_assert_int_eq(call(VDEV_VFU_DEVICE_RESET, buf, 0), 0);
	ck_assert_int_eq(resets, 1);
	disconnect();
}
END_TEST

static void expect_malformed(const void *bytes, size_t len)
{
	connect_client();
	ck_assert_int_eq(send(client, bytes, len, 0), len);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_MALFORMED);
	ck_assert_int_ne(vfu.error[0], 0);
	disconnect();
}

START_TEST(malformed_messages)
{
	struct vdev_vfu_header h = { .command = VDEV_VFU_VERSION };
	u8 message[32] = { 0 };

	h.size = 4;	/* shorter than its header */
	expect_malformed(&h, sizeof(h));
	h.size = UINT32_MAX;
	expect_malformed(&h, sizeof(h));
	h.size = sizeof(h);
	h.flags = VDEV_VFU_FLAG_REPLY;
	expect_malformed(&h, sizeof(h));
	h.flags = 0;
	for (u16 command = VDEV_VFU_VERSION; command <= VDEV_VFU_REGION_WRITE; command++) {
		if (command == VDEV_VFU_DEVICE_GET_INFO ||
		    command == VDEV_VFU_DEVICE_GET_REGION_IO_FDS)
			continue;	/* no payload needed; not supported */
		h.command = command;
		expect_malformed(&h, sizeof(h));
	}
	/* a write that says it brings 100 bytes and brings none */
	h.size = sizeof(message);
	h.command = VDEV_VFU_REGION_WRITE;
	memcpy(message, &h, sizeof(h));
	message[28] = 100;
	expect_malformed(message, sizeof(message));
}
END_TEST

START_TEST(client_leaves)
{
	struct vdev_vfu_header h = { .command = VDEV_VFU_VERSION, .size = 20 };

	connect_client();
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_AGAIN);
	ck_assert_int_eq(send(client, &h, 7, 0), 7);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_AGAIN);
	shutdown(client, SHUT_WR);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_MALFORMED);
	disconnect();
	connect_client();
	shutdown(client, SHUT_WR);
	ck_assert_int_eq(vdev_vfu_receive(&vfu), VDEV_VFU_GONE);
	disconnect();
}
END_TEST

Suite *test_vfio_user_suite(void)
{
	const TTest *const tests[] = {
		version_zero, reads_and_writes, posted_write_before_set_irqs, irqs_out_of_range,
		dma_maps, unknown_command_is_refused, malformed_messages, client_leaves,
	};

	return test_suite("vfio_user", tests, VDEV_ARRAY_SIZE(tests));
}
