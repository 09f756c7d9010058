/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Server side of the vfio-user protocol, version 0.0: a PCI device offered to one client
 * (QEMU) on a UNIX socket. Nothing here knows which device it is.
 *
 * Source: docs/interop/vfio-user.rst of QEMU (message layout, commands) and linux/vfio.h of
 * the kernel's user interface (the structures that the messages carry).
 */
#ifndef VDEV_VFIO_USER_H
#define VDEV_VFIO_USER_H

#include "vdev_dma.h"
#include "vdev_types.h"

#define VDEV_VFU_HEADER_SIZE	16
#define VDEV_VFU_MAX_PAYLOAD	(1u << 20)
#define VDEV_VFU_MAX_FDS	64

struct vdev_vfu_header {
	u16 id;
	u16 command;
	u32 size;
	u32 flags;
	u32 error;
} VDEV_PACKED;

enum vdev_vfu_command {
	VDEV_VFU_VERSION = 1,
	VDEV_VFU_DMA_MAP,
	VDEV_VFU_DMA_UNMAP,
	VDEV_VFU_DEVICE_GET_INFO,
	VDEV_VFU_DEVICE_GET_REGION_INFO,
	VDEV_VFU_DEVICE_GET_REGION_IO_FDS,
	VDEV_VFU_DEVICE_GET_IRQ_INFO,
	VDEV_VFU_DEVICE_SET_IRQS,
	VDEV_VFU_REGION_READ,
	VDEV_VFU_REGION_WRITE,
	VDEV_VFU_DMA_READ,
	VDEV_VFU_DMA_WRITE,
	VDEV_VFU_DEVICE_RESET,
};

#define VDEV_VFU_FLAG_REPLY	0x1
#define VDEV_VFU_FLAG_TYPE	0xf
#define VDEV_VFU_FLAG_NO_REPLY	0x10
#define VDEV_VFU_FLAG_ERROR	0x20

/**
 * struct vdev_vfu_ops - the device behind the server
 * @read: fill @buf with @len bytes of @region from @off; the range was checked
 * @write: take @len bytes; the range was checked
 * @set_irq: from now on signal @fd for @vector, -1 for nobody; the device owns @fd
 * @reset: reset the function
 */
struct vdev_vfu_ops {
	void (*read)(void *device, u32 region, u64 off, void *buf, u32 len);
	void (*write)(void *device, u32 region, u64 off, const void *buf, u32 len);
	void (*set_irq)(void *device, u32 vector, int fd);
	void (*reset)(void *device);
};

/**
 * struct vdev_vfu - the server and its one client
 * @ops: the device
 * @device: first argument of @ops
 * @region_size: size of each VFIO PCI region, 0 for one that does not exist
 * @vectors: number of MSI-X vectors
 * @dma: guest memory that the client shares
 * @listen_fd: where the client connects; -1 once it has
 * @fd: the client, -1 before it came
 * @header: header of the message being received
 * @got: bytes of the message received so far, header included
 * @payload: payload of that message
 * @fds: file descriptors that came with it
 * @num_fds: how many
 * @error: what was wrong when vdev_vfu_receive() returned VDEV_VFU_MALFORMED
 */
struct vdev_vfu {
	const struct vdev_vfu_ops *ops;
	void *device;
	u64 region_size[9];
	u32 vectors;
	struct vdev_dma dma;
	int listen_fd;
	int fd;
	struct vdev_vfu_header header;
	u32 got;
	u8 *payload;
	int fds[VDEV_VFU_MAX_FDS];
	unsigned int num_fds;
	char error[160];
};

enum vdev_vfu_result {
	VDEV_VFU_AGAIN,		/* nothing more to receive now */
	VDEV_VFU_HANDLED,	/* one message was handled, there may be more */
	VDEV_VFU_GONE,		/* the client has closed the connection */
	VDEV_VFU_MALFORMED,	/* the client broke the protocol, see error */
};

int vdev_vfu_init(struct vdev_vfu *vfu, const char *path);
void vdev_vfu_accept(struct vdev_vfu *vfu);
enum vdev_vfu_result vdev_vfu_receive(struct vdev_vfu *vfu);
void vdev_vfu_close(struct vdev_vfu *vfu);

/* What one message carries, after vdev_vfu_receive() has read all of it. */
enum vdev_vfu_result vdev_vfu_handle(struct vdev_vfu *vfu);

/* For vdev_vfu_handle(): send a reply, tell what was wrong, close what came along. */
void vdev_vfu_reply(struct vdev_vfu *vfu, const void *data, u32 len, int error);
enum vdev_vfu_result vdev_vfu_malformed(struct vdev_vfu *vfu, const char *what);
void vdev_vfu_close_fds(struct vdev_vfu *vfu);

#endif /* VDEV_VFIO_USER_H */
