// SPDX-License-Identifier: GPL-2.0-only
/* The sending side of arfs-order: one thread that keeps all flows full. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arfs-order.h"

#define CHUNK_WORDS	512
#define TCP_ROOM	16384

/**
 * struct stream - a flow on its way
 * @fd: its socket
 * @sent: datagrams sent, or bytes of TCP
 * @acked: what the receiver told it has
 * @given_up: datagrams that no answer came for, so that they do not fill the window for good
 * @heard: when anything moved last, in ms
 * @greeted: the receiver has a socket for this flow
 */
struct stream {
	int fd;
	uint64_t sent;
	uint64_t acked;
	uint64_t given_up;
	uint64_t heard;
	bool greeted;
};

static struct stream streams[ORDER_MAX_FLOWS];
static unsigned int stalls;

static int stream_open(const struct order_options *options, unsigned int index)
{
	struct sockaddr_in local = { .sin_family = AF_INET };
	struct sockaddr_in remote = { .sin_family = AF_INET, .sin_addr = options->to };
	int fd = order_socket(options);
	int room = TCP_ROOM;

	if (fd < 0)
		return fd;
	remote.sin_port = htons(options->port);
	/* What is under way of all flows has to fit any queue: loss makes order meaningless. */
	if (!options->udp)
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room));
	if (options->source_port) {
		local.sin_port = htons(options->source_port + index);
		if (bind(fd, (struct sockaddr *)&local, sizeof(local)))
			return -errno;
	}
	if (connect(fd, (struct sockaddr *)&remote, sizeof(remote)) && errno != EINPROGRESS)
		return -errno;
	return fd;
}

static void udp_send(struct stream *stream, uint64_t sequence)
{
	struct order_datagram datagram = { .sequence = sequence };

	if (send(stream->fd, &datagram, sizeof(datagram), MSG_DONTWAIT) == sizeof(datagram) &&
	    sequence != ORDER_HELLO)
		stream->sent = sequence;
}

/* What the receiver has, told by it; the highest number counts. */
static void udp_hear(struct stream *stream, uint64_t now)
{
	uint64_t have;

	while (recv(stream->fd, &have, sizeof(have), MSG_DONTWAIT) == sizeof(have)) {
		stream->greeted = true;
		stream->heard = now;
		if (have > stream->acked)
			stream->acked = have;
	}
}

static void udp_fill(const struct order_options *options, struct stream *stream, uint64_t now)
{
	uint64_t under_way;

	udp_hear(stream, now);
	under_way = stream->sent - stream->acked - stream->given_up;
	if (under_way >= options->window && now - stream->heard >= ORDER_STALL_MS) {
		stalls++;
		stream->given_up += under_way;
		stream->heard = now;
		under_way = 0;
	}
	for (; under_way < options->window; under_way++)
		udp_send(stream, stream->sent + 1);
}

/* Each word of the stream is its own number. */
static void tcp_fill(struct stream *stream, uint64_t now)
{
	uint64_t words[CHUNK_WORDS];
	unsigned int offset = stream->sent % sizeof(words[0]);
	ssize_t done;

	for (unsigned int i = 0; i < CHUNK_WORDS; i++)
		words[i] = stream->sent / sizeof(words[0]) + i;
	done = send(stream->fd, (char *)words + offset, sizeof(words) - offset,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
	if (done > 0) {
		stream->sent += done;
		stream->heard = now;
	} else if (now - stream->heard >= ORDER_STALL_MS) {
		stalls++;
		stream->heard = now;
	}
}

static bool greet_all(const struct order_options *options)
{
	uint64_t limit = order_now() + 30000;
	unsigned int greeted = 0;

	while (greeted < options->flows && order_now() < limit) {
		greeted = 0;
		for (unsigned int i = 0; i < options->flows; i++) {
			udp_hear(&streams[i], order_now());
			greeted += streams[i].greeted;
			if (!streams[i].greeted)
				udp_send(&streams[i], ORDER_HELLO);
		}
		poll(NULL, 0, ORDER_HELLO_MS);
	}
	/* Answers to what was sent twice, and the kernel's switch to stamps for all packets. */
	poll(NULL, 0, 2 * ORDER_HELLO_MS);
	return greeted == options->flows;
}

/* One round: sleep until a flow may go on, then fill all. */
static void fill_all(const struct order_options *options, struct pollfd *polls)
{
	uint64_t now;

	for (unsigned int i = 0; i < options->flows; i++) {
		polls[i].fd = streams[i].fd;
		polls[i].events = options->udp ? POLLIN : POLLOUT;
	}
	poll(polls, options->flows, ORDER_STALL_MS / 10);
	now = order_now();
	for (unsigned int i = 0; i < options->flows; i++) {
		if (options->udp)
			udp_fill(options, &streams[i], now);
		else
			tcp_fill(&streams[i], now);
	}
}

/* Hear the last answers. */
static void settle(const struct order_options *options)
{
	for (unsigned int turn = 0; turn < 10; turn++) {
		for (unsigned int i = 0; i < options->flows; i++)
			udp_hear(&streams[i], order_now());
		poll(NULL, 0, ORDER_STALL_MS / 10);
	}
}

int order_send(const struct order_options *options)
{
	struct pollfd polls[ORDER_MAX_FLOWS] = {};
	uint64_t end, sent = 0;

	for (unsigned int i = 0; i < options->flows; i++) {
		streams[i].fd = stream_open(options, i);
		if (streams[i].fd < 0)
			return order_error("flow", streams[i].fd);
	}
	if (options->udp && !greet_all(options))
		return order_error("the server does not answer all flows", -ETIMEDOUT);
	for (unsigned int i = 0; i < options->flows; i++)
		streams[i].heard = order_now();
	end = order_now() + options->seconds * 1000ull;
	while (order_now() < end)
		fill_all(options, polls);
	if (options->udp)
		settle(options);
	for (unsigned int i = 0; i < options->flows; i++) {
		sent += streams[i].sent;
		if (!options->udp)
			shutdown(streams[i].fd, SHUT_WR);
	}
	printf("sent %llu\nstalls %u\n", (unsigned long long)sent, stalls);
	/* Until the server, having read all, closes. */
	for (unsigned int i = 0; i < options->flows && !options->udp; i++) {
		polls[0] = (struct pollfd) { .fd = streams[i].fd, .events = POLLIN };
		if (poll(polls, 1, 10000) != 1)
			return order_error("the end of a flow is not answered", -ETIMEDOUT);
	}
	return 0;
}
