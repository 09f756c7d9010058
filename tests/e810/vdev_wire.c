// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_wire.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vdev_log.h"
#include "vdev_sock.h"

/**
 * vdev_wire_init - wait for the far end
 * @wire: the cable
 * @path: UNIX socket to create
 *
 * Return: 0, or -1 after an error message.
 */
int vdev_wire_init(struct vdev_wire *wire, const char *path)
{
	wire->fd = -1;
	wire->in = malloc(VDEV_WIRE_IN);
	wire->out = malloc(VDEV_WIRE_OUT);
	if (!wire->in || !wire->out) {
		vdev_error("out of memory for the wire");
		return -1;
	}
	wire->listen_fd = vdev_sock_listen(path);
	return wire->listen_fd < 0 ? -1 : 0;
}

static void hang_up(struct vdev_wire *wire, const char *why)
{
	vdev_note("wire: %s", why);
	close(wire->fd);
	wire->fd = -1;
	wire->in_len = 0;
	wire->out_start = 0;
	wire->out_end = 0;
}

void vdev_wire_close(struct vdev_wire *wire)
{
	if (wire->fd >= 0)
		close(wire->fd);
	if (wire->listen_fd >= 0)
		close(wire->listen_fd);
	free(wire->in);
	free(wire->out);
	wire->in = NULL;
	wire->out = NULL;
}

/* What to poll for; nothing is received while a frame is held back. */
short vdev_wire_events(const struct vdev_wire *wire, bool held)
{
	if (wire->fd < 0)
		return POLLIN;
	return (held ? 0 : POLLIN) | (wire->out_end > wire->out_start ? POLLOUT : 0);
}

void vdev_wire_accept(struct vdev_wire *wire)
{
	wire->fd = vdev_sock_accept(wire->listen_fd);
	if (wire->fd >= 0)
		vdev_note("wire: far end connected");
}

/**
 * vdev_wire_parse - take whole frames from a stream
 * @bytes: what came so far
 * @len: how much
 * @deliver: called for each frame that can be one
 * @arg: first argument of @deliver
 *
 * Frames too short for an Ethernet header are skipped, as a MAC would.
 *
 * Return: bytes used, or -EINVAL for a length that no frame has.
 */
int vdev_wire_parse(const u8 *bytes, u32 len, vdev_wire_fn deliver, void *arg)
{
	u32 off = 0;

	while (len - off >= VDEV_WIRE_PREFIX) {
		u32 size = vdev_be32(bytes + off);

		if (size > VDEV_FRAME_ROOM)
			return -EINVAL;
		if (len - off - VDEV_WIRE_PREFIX < size)
			break;
		if (size >= VDEV_ETH_HEADER &&
		    !deliver(arg, bytes + off + VDEV_WIRE_PREFIX, size))
			break;
		off += VDEV_WIRE_PREFIX + size;
	}
	return off;
}

/**
 * vdev_wire_receive - take what the far end has sent
 * @wire: the cable, connected
 * @deliver: called for each frame
 * @arg: first argument of @deliver
 *
 * A far end that breaks the framing is hung up on.
 */
void vdev_wire_receive(struct vdev_wire *wire, vdev_wire_fn deliver, void *arg)
{
	u32 room = VDEV_WIRE_IN - wire->in_len;
	ssize_t n;

	if (!room)
		return;
	n = recv(wire->fd, wire->in + wire->in_len, room, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		hang_up(wire, "far end has gone");
		return;
	}
	wire->in_len += n;
	vdev_wire_resume(wire, deliver, arg);
}

/**
 * vdev_wire_resume - deliver what has been received and not been taken
 * @wire: the cable
 * @deliver: called for each frame
 * @arg: first argument of @deliver
 */
void vdev_wire_resume(struct vdev_wire *wire, vdev_wire_fn deliver, void *arg)
{
	int used = vdev_wire_parse(wire->in, wire->in_len, deliver, arg);

	if (used < 0) {
		hang_up(wire, "far end sent a length that no frame has");
		return;
	}
	wire->in_len -= used;
	memmove(wire->in, wire->in + used, wire->in_len);
}

void vdev_wire_flush(struct vdev_wire *wire)
{
	while (wire->fd >= 0 && wire->out_start < wire->out_end) {
		ssize_t n = send(wire->fd, wire->out + wire->out_start,
				 wire->out_end - wire->out_start, MSG_DONTWAIT | MSG_NOSIGNAL);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n < 0) {
			hang_up(wire, "far end has gone");
			return;
		}
		wire->out_start += n;
	}
	wire->out_start = 0;
	wire->out_end = 0;
}

/* Whether the transmit queues should wait for the far end to read. */
bool vdev_wire_full(const struct vdev_wire *wire)
{
	return wire->out_end - wire->out_start >= VDEV_WIRE_OUT_FULL;
}

/**
 * vdev_wire_send - queue a frame for the far end
 * @wire: the cable
 * @frame: the frame
 * @len: its length
 *
 * Without a far end the frame is lost, as it is on a cable that ends nowhere.
 */
void vdev_wire_send(struct vdev_wire *wire, const u8 *frame, u32 len)
{
	if (wire->fd < 0)
		return;
	if (wire->out_end + VDEV_WIRE_PREFIX + len > VDEV_WIRE_OUT) {
		memmove(wire->out, wire->out + wire->out_start,
			wire->out_end - wire->out_start);
		wire->out_end -= wire->out_start;
		wire->out_start = 0;
	}
	if (wire->out_end + VDEV_WIRE_PREFIX + len > VDEV_WIRE_OUT) {
		wire->dropped++;
		return;
	}
	vdev_put_be32(wire->out + wire->out_end, len);
	memcpy(wire->out + wire->out_end + VDEV_WIRE_PREFIX, frame, len);
	wire->out_end += VDEV_WIRE_PREFIX + len;
}
