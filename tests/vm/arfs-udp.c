// SPDX-License-Identifier: GPL-2.0-only
/* Sockets of the workload, and how a UDP server gets one for each client. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include "arfs-load.h"

int load_socket(const struct load_options *options)
{
	int type = options->udp ? SOCK_DGRAM : SOCK_STREAM;
	int one = 1;
	int fd;

	fd = socket(options->family, type | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	if (options->family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	/* A server's UDP sockets share its port. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!options->udp)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

int load_udp_accept(const struct load_options *options, int listener,
		    struct sockaddr_storage *remote, socklen_t *length)
{
	struct sockaddr_storage local;
	socklen_t local_length;
	char byte;
	int error;
	int fd;

	/* What does not fit is dropped: only the sender counts. */
	if (recvfrom(listener, &byte, sizeof(byte), 0, (struct sockaddr *)remote, length) < 0)
		return -errno;
	if (load_address(options->family, options->address, options->port, &local, &local_length))
		return -EINVAL;
	fd = load_socket(options);
	if (fd < 0)
		return fd;
	/* Connected, the kernel records for RFS which CPU reads it. */
	if (!bind(fd, (struct sockaddr *)&local, local_length) &&
	    !connect(fd, (struct sockaddr *)remote, *length))
		return fd;
	error = -errno;
	close(fd);
	return error;
}
