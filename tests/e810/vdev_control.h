/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control socket: one command a line, answered by lines and a line with a single ".".
 * Commands are described in README.md.
 */
#ifndef VDEV_CONTROL_H
#define VDEV_CONTROL_H

#include <poll.h>
#include <stdio.h>

#include "vdev_types.h"

struct vdev;

#define VDEV_CONTROL_CLIENTS	16
#define VDEV_CONTROL_LINE	256
#define VDEV_CONTROL_WORDS	7

/**
 * struct vdev_control_client - one connection
 * @fd: the connection, -1 for a free place
 * @line: the command being received
 * @line_len: its length so far
 * @overlong: it did not fit; the rest of it is skipped
 * @out: answer being sent
 * @out_len: its length
 * @sent: how much of it has been sent
 * @file: rest of the answer, NULL for none; copied when @out has been sent
 */
struct vdev_control_client {
	int fd;
	char line[VDEV_CONTROL_LINE];
	u32 line_len;
	bool overlong;
	char *out;
	size_t out_len;
	size_t sent;
	FILE *file;
};

struct vdev_control {
	struct vdev *dev;
	int listen_fd;
	struct vdev_control_client client[VDEV_CONTROL_CLIENTS];
};

int vdev_control_init(struct vdev_control *ctl, struct vdev *dev, const char *path);
void vdev_control_close(struct vdev_control *ctl);
u32 vdev_control_poll(const struct vdev_control *ctl, struct pollfd *fds);
void vdev_control_service(struct vdev_control *ctl, const struct pollfd *fds, u32 count);

/**
 * struct vdev_reply - where a command writes its answer
 * @out: lines
 * @file: set to a file whose lines follow
 */
struct vdev_reply {
	FILE *out;
	FILE *file;
};

/* vdev_command.c: carry out one line, write all but the final "." */
void vdev_command_run(struct vdev *dev, const char *line, struct vdev_reply *reply);

#endif /* VDEV_CONTROL_H */
