/* SPDX-License-Identifier: GPL-2.0-only */
/* UNIX stream sockets that never block. */
#ifndef VDEV_SOCK_H
#define VDEV_SOCK_H

int vdev_sock_listen(const char *path);
int vdev_sock_accept(int listen_fd);

#endif /* VDEV_SOCK_H */
