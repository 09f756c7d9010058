// SPDX-License-Identifier: GPL-2.0-only
/* The client side: one message in flight on every connection, until the server closes it. */
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "arfs-load.h"

struct client {
	int fd;
	unsigned int received;	/* bytes of the message that is under way back */
	struct timespec sent;	/* when it was */
	bool open;
};

/* One thread and its share of the connections; nothing in it is shared. */
struct driver {
	const struct load_options *options;
	pthread_t thread;
	unsigned int index;
	struct client *clients;
	unsigned int first;
	unsigned int count;
	unsigned long messages;
	unsigned int broken;
	int error;
};

static const char message[LOAD_MAX_BYTES] = "ice-arfs";

/*
 * The port of a connection, scattered over 32768 from the first on. RSS hashes are linear: ports in
 * a row give hashes that collide less than those of real clients, or not at all. Each step maps 15
 * bits to 15 bits one to one, so no port comes twice.
 */
static unsigned int scattered_port(unsigned int first, unsigned int index)
{
	unsigned int x = index;

	x = (x * 0x9e35) & 0x7fff;
	x ^= x >> 7;
	x = (x * 0x6a2d) & 0x7fff;
	x ^= x >> 8;
	return first + x;
}

/* Eight bytes of padding as destination options: next header (the kernel's), length, PadN of four. */
static int add_ipv6_options(int fd)
{
	static const unsigned char header[8] = { 0, 0, 1, 4 };

	return setsockopt(fd, IPPROTO_IPV6, IPV6_DSTOPTS, header, sizeof(header));
}

static int client_connect(const struct load_options *options, unsigned int index)
{
	struct sockaddr_storage local, remote;
	unsigned int port = 0;
	socklen_t length;
	int error;
	int fd;

	if (load_address(options->family, options->address, options->port, &remote, &length))
		return -EINVAL;
	fd = load_socket(options);
	if (fd < 0)
		return fd;
	if (options->ipv6_options && add_ipv6_options(fd))
		goto fail;
	if (options->n_ports)
		port = options->ports[index];
	else if (options->source_port)
		port = scattered_port(options->source_port, index);
	if (port) {
		load_address(options->family, NULL, port, &local, &length);
		if (bind(fd, (struct sockaddr *)&local, length))
			goto fail;
	}
	if (connect(fd, (struct sockaddr *)&remote, length))
		goto fail;
	return fd;
fail:
	error = -errno;
	close(fd);
	return error;
}

static bool client_send(const struct driver *driver, struct client *client)
{
	ssize_t bytes = driver->options->bytes;

	client->received = 0;
	clock_gettime(CLOCK_MONOTONIC, &client->sent);
	return send(client->fd, message, bytes, MSG_NOSIGNAL) == bytes;
}

/* Take what has come back; false when the connection is over. */
static bool client_receive(struct driver *driver, struct client *client)
{
	unsigned int bytes = driver->options->bytes;
	char buffer[LOAD_MAX_BYTES];
	ssize_t got;

	got = recv(client->fd, buffer, bytes - client->received, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (got <= 0) {
		/* Unread bytes at close() turn the server's goodbye into a reset. */
		if (got < 0 && errno != ECONNRESET && errno != EPIPE && errno != ECONNREFUSED)
			driver->broken++;
		return false;
	}
	client->received += got;
	if (client->received < bytes)
		return true;
	driver->messages++;
	/* A send that fails is a connection that is closing; the next receive tells why. */
	client_send(driver, client);
	return true;
}

/* Send again what is lost; the answer to a message that was only late is one too many, no more. */
static void driver_resend(struct driver *driver)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	for (unsigned int i = 0; i < driver->count; i++) {
		struct client *client = &driver->clients[i];
		long ms = (now.tv_sec - client->sent.tv_sec) * 1000 +
			  (now.tv_nsec - client->sent.tv_nsec) / 1000000;

		if (client->open && ms >= LOAD_RESEND_MS)
			client_send(driver, client);
	}
}

static int driver_start(struct driver *driver, int epoll)
{
	for (unsigned int i = 0; i < driver->count; i++) {
		struct epoll_event event = { .events = EPOLLIN };
		struct client *client = &driver->clients[i];

		client->fd = client_connect(driver->options, driver->first + i);
		if (client->fd < 0)
			return load_error("connect", client->fd);
		client->open = true;
		event.data.ptr = client;
		if (epoll_ctl(epoll, EPOLL_CTL_ADD, client->fd, &event))
			return load_error("epoll_ctl", -errno);
		if (!client_send(driver, client))
			return load_error("first message", -errno);
	}
	return 0;
}

static void driver_loop(struct driver *driver, int epoll)
{
	int timeout = driver->options->udp ? LOAD_RESEND_MS / 4 : -1;
	unsigned int open = driver->count;
	struct epoll_event events[64];
	time_t looked_at = 0;

	while (open) {
		int n = epoll_wait(epoll, events, 64, timeout);

		if (driver->options->udp && time(NULL) != looked_at) {
			looked_at = time(NULL);
			driver_resend(driver);
		}

		for (int i = 0; i < n; i++) {
			struct client *client = events[i].data.ptr;

			if (client_receive(driver, client))
				continue;
			close(client->fd);
			client->open = false;
			open--;
		}
	}
}

static void *driver_run(void *argument)
{
	struct driver *driver = argument;
	const struct load_options *options = driver->options;
	int epoll;

	if (options->n_cpus) {
		driver->error = load_pin(options->cpus[driver->index % options->n_cpus]);
		if (driver->error) {
			load_error("--cpus", driver->error);
			return NULL;
		}
	}
	epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll < 0) {
		driver->error = load_error("epoll_create1", -errno);
		return NULL;
	}
	/* The server waits for all connections: without this one the run is void. */
	if (driver_start(driver, epoll))
		exit(1);
	driver_loop(driver, epoll);
	close(epoll);
	return NULL;
}

int load_drive(const struct load_options *options)
{
	struct driver drivers[LOAD_MAX_READERS] = {};
	unsigned long messages = 0;
	struct client *clients;
	unsigned int broken = 0;
	unsigned int first = 0;
	int error = 0;

	clients = calloc(options->connections, sizeof(*clients));
	if (!clients)
		return load_error("connections", -ENOMEM);
	for (unsigned int i = 0; i < options->threads; i++) {
		struct driver *driver = &drivers[i];

		driver->options = options;
		driver->index = i;
		driver->first = first;
		driver->count = options->connections / options->threads +
				(i < options->connections % options->threads);
		driver->clients = clients + first;
		first += driver->count;
		error = pthread_create(&driver->thread, NULL, driver_run, driver);
		if (error) {
			load_error("client thread", -error);
			exit(1);
		}
	}
	for (unsigned int i = 0; i < options->threads; i++) {
		pthread_join(drivers[i].thread, NULL);
		messages += drivers[i].messages;
		broken += drivers[i].broken;
		if (drivers[i].error)
			error = drivers[i].error;
	}
	free(clients);
	printf("connections %u messages %lu broken %u\n", options->connections, messages, broken);
	return error ? error : broken ? -ECONNABORTED : 0;
}
