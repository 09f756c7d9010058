/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The cable: a UNIX stream server, one far end at a time. Each frame has its length in
 * front, four bytes, big endian, as the socket netdev of QEMU does it.
 */
#ifndef VDEV_WIRE_H
#define VDEV_WIRE_H

#include "vdev_packet.h"
#include "vdev_types.h"

#define VDEV_WIRE_PREFIX	4
#define VDEV_WIRE_IN		(1u << 18)
#define VDEV_WIRE_OUT		(4u << 20)
#define VDEV_WIRE_OUT_FULL	(1u << 20)

/**
 * struct vdev_wire - the cable
 * @listen_fd: where the far end connects
 * @fd: the far end, -1 when there is none
 * @in: bytes received that are not a whole frame yet
 * @in_len: how many
 * @out: bytes to send
 * @out_start: first of them
 * @out_end: one past the last
 * @dropped: frames that found no room in @out
 */
struct vdev_wire {
	int listen_fd;
	int fd;
	u8 *in;
	u32 in_len;
	u8 *out;
	u32 out_start;
	u32 out_end;
	u64 dropped;
};

/* Takes a frame. Return: false to be offered it again later. */
typedef bool (*vdev_wire_fn)(void *arg, const u8 *frame, u32 len);

int vdev_wire_init(struct vdev_wire *wire, const char *path);
void vdev_wire_close(struct vdev_wire *wire);
short vdev_wire_events(const struct vdev_wire *wire, bool held);
void vdev_wire_accept(struct vdev_wire *wire);
void vdev_wire_receive(struct vdev_wire *wire, vdev_wire_fn deliver, void *arg);
void vdev_wire_resume(struct vdev_wire *wire, vdev_wire_fn deliver, void *arg);
void vdev_wire_send(struct vdev_wire *wire, const u8 *frame, u32 len);
void vdev_wire_flush(struct vdev_wire *wire);
bool vdev_wire_full(const struct vdev_wire *wire);
int vdev_wire_parse(const u8 *bytes, u32 len, vdev_wire_fn deliver, void *arg);

#endif /* VDEV_WIRE_H */
