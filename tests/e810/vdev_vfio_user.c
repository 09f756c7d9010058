// SPDX-License-Identifier: GPL-2.0-only
/*
 * Transport: whole messages in, replies out.
 *
 * A header is always read on its own. Ancillary file descriptors are delivered with the
 * first byte of the message they were sent with, so those that come with a header belong
 * to that message even when posted writes are queued in front of it.
 */
#include "vdev_vfio_user.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "vdev_log.h"
#include "vdev_sock.h"

_Static_assert(sizeof(struct vdev_vfu_header) == VDEV_VFU_HEADER_SIZE, "vfio-user header");

/**
 * vdev_vfu_init - listen for the client
 * @vfu: server whose @ops, @device, @region_size and @vectors are set
 * @path: UNIX socket to create
 *
 * Return: 0, or -1 after an error message.
 */
int vdev_vfu_init(struct vdev_vfu *vfu, const char *path)
{
	vfu->fd = -1;
	vfu->payload = malloc(VDEV_VFU_MAX_PAYLOAD);
	if (!vfu->payload) {
		vdev_error("out of memory for the vfio-user buffer");
		return -1;
	}
	vfu->listen_fd = vdev_sock_listen(path);
	return vfu->listen_fd < 0 ? -1 : 0;
}

void vdev_vfu_accept(struct vdev_vfu *vfu)
{
	vfu->fd = vdev_sock_accept(vfu->listen_fd);
	if (vfu->fd < 0)
		return;
	close(vfu->listen_fd);
	vfu->listen_fd = -1;
	vdev_note("vfio-user client connected");
}

void vdev_vfu_close_fds(struct vdev_vfu *vfu)
{
	for (unsigned int i = 0; i < vfu->num_fds; i++)
		if (vfu->fds[i] >= 0)
			close(vfu->fds[i]);
	vfu->num_fds = 0;
}

void vdev_vfu_close(struct vdev_vfu *vfu)
{
	vdev_vfu_close_fds(vfu);
	vdev_dma_unmap_all(&vfu->dma);
	if (vfu->fd >= 0)
		close(vfu->fd);
	if (vfu->listen_fd >= 0)
		close(vfu->listen_fd);
	vfu->fd = -1;
	vfu->listen_fd = -1;
	free(vfu->payload);
	vfu->payload = NULL;
}

enum vdev_vfu_result vdev_vfu_malformed(struct vdev_vfu *vfu, const char *what)
{
	snprintf(vfu->error, sizeof(vfu->error),
		 "malformed vfio-user message: %s (command %u, size %u)", what,
		 vfu->header.command, vfu->header.size);
	return VDEV_VFU_MALFORMED;
}

/**
 * vdev_vfu_reply - answer the message in @vfu->header
 * @vfu: server
 * @data: payload of the answer
 * @len: its length
 * @error: 0, or the positive errno that the client shall see
 *
 * A client waits for each answer, so the socket's buffer is empty here and takes it whole;
 * should it ever be full, waiting for the client is all there is to do.
 */
void vdev_vfu_reply(struct vdev_vfu *vfu, const void *data, u32 len, int error)
{
	struct vdev_vfu_header header = vfu->header;
	const u8 *parts[2] = { (const u8 *)&header, data };
	size_t sizes[2] = { sizeof(header), error ? 0 : len };

	if (vfu->header.flags & VDEV_VFU_FLAG_NO_REPLY)
		return;
	header.flags = VDEV_VFU_FLAG_REPLY | (error ? VDEV_VFU_FLAG_ERROR : 0);
	header.error = error;
	header.size = sizes[0] + sizes[1];
	while (sizes[0] + sizes[1]) {
		struct iovec iov[2] = {
			{ (void *)parts[0], sizes[0] }, { (void *)parts[1], sizes[1] },
		};
		struct msghdr msg = { .msg_iov = iov, .msg_iovlen = 2 };
		struct pollfd wait = { .fd = vfu->fd, .events = POLLOUT };
		ssize_t n = sendmsg(vfu->fd, &msg, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
			poll(&wait, 1, 1000);
			continue;
		}
		if (n < 0)
			return; /* the client has gone; the next receive says so */
		for (int i = 0; i < 2; i++) {
			size_t part = (size_t)n < sizes[i] ? (size_t)n : sizes[i];

			parts[i] += part;
			sizes[i] -= part;
			n -= part;
		}
	}
}

static void take_fds(struct vdev_vfu *vfu, struct msghdr *msg)
{
	struct cmsghdr *c;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		unsigned int n;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (unsigned int i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof(int), sizeof(fd));
			if (vfu->num_fds < VDEV_VFU_MAX_FDS)
				vfu->fds[vfu->num_fds++] = fd;
			else
				close(fd);
		}
	}
}

/* Receive up to @len bytes to @to. Return: VDEV_VFU_HANDLED when some came. */
static enum vdev_vfu_result receive_some(struct vdev_vfu *vfu, void *to, u32 len)
{
	char control[CMSG_SPACE(sizeof(int) * VDEV_VFU_MAX_FDS)];
	struct iovec iov = { .iov_base = to, .iov_len = len };
	struct msghdr msg = {
		.msg_iov = &iov, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(vfu->fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return VDEV_VFU_AGAIN;
	if (n <= 0 && vfu->got) {
		vdev_vfu_malformed(vfu, "the connection ended inside a message");
		return VDEV_VFU_MALFORMED;
	}
	if (n <= 0)
		return VDEV_VFU_GONE;
	take_fds(vfu, &msg);
	vfu->got += n;
	return VDEV_VFU_HANDLED;
}

static enum vdev_vfu_result check_header(struct vdev_vfu *vfu)
{
	if (vfu->header.size < VDEV_VFU_HEADER_SIZE)
		return vdev_vfu_malformed(vfu, "shorter than its header");
	if (vfu->header.size - VDEV_VFU_HEADER_SIZE > VDEV_VFU_MAX_PAYLOAD)
		return vdev_vfu_malformed(vfu, "longer than this server allows");
	if ((vfu->header.flags & VDEV_VFU_FLAG_TYPE) != 0)
		return vdev_vfu_malformed(vfu, "a reply to a question never asked");
	return VDEV_VFU_HANDLED;
}

/**
 * vdev_vfu_receive - receive at most one message and act on it
 * @vfu: server with a client
 *
 * Never waits for the client.
 */
enum vdev_vfu_result vdev_vfu_receive(struct vdev_vfu *vfu)
{
	enum vdev_vfu_result result;

	while (vfu->got < VDEV_VFU_HEADER_SIZE) {
		result = receive_some(vfu, (u8 *)&vfu->header + vfu->got,
				      VDEV_VFU_HEADER_SIZE - vfu->got);
		if (result != VDEV_VFU_HANDLED)
			return result;
	}
	result = check_header(vfu);
	if (result != VDEV_VFU_HANDLED)
		return result;
	while (vfu->got < vfu->header.size) {
		result = receive_some(vfu, vfu->payload + vfu->got - VDEV_VFU_HEADER_SIZE,
				      vfu->header.size - vfu->got);
		if (result != VDEV_VFU_HANDLED)
			return result;
	}
	vfu->got = 0;
	result = vdev_vfu_handle(vfu);
	vdev_vfu_close_fds(vfu);
	return result;
}
