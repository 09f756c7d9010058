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
 * @greeted: the receiver has a socket for this flow
 */
struct stream {
	int fd;
	uint64_t sent;
	uint64_t acked;
	bool greeted;
};

static struct stream streams[ORDER_MAX_FLOWS];

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

/* What the receiver has, told by it; the highest number counts. Returns whether it told more than before. */
static bool udp_hear(struct stream *stream)
{
	uint64_t have, before = stream->acked;

	while (recv(stream->fd, &have, sizeof(have), MSG_DONTWAIT) == sizeof(have)) {
		stream->greeted = true;
		if (have > stream->acked)
			stream->acked = have;
	}
	return stream->acked > before;
}

/* What is lost stays under way: a flow that loses a whole window is silent from then on. */
static void udp_fill(const struct order_options *options, struct stream *stream)
{
	uint64_t under_way;

	udp_hear(stream);
	for (under_way = stream->sent - stream->acked; under_way < options->window; under_way++)
		udp_send(stream, stream->sent + 1);
}

/* Each word of the stream is its own number. */
static void tcp_fill(struct stream *stream)
{
	uint64_t words[CHUNK_WORDS];
	unsigned int offset = stream->sent % sizeof(words[0]);
	ssize_t done;

	for (unsigned int i = 0; i < CHUNK_WORDS; i++)
		words[i] = stream->sent / sizeof(words[0]) + i;
	done = send(stream->fd, (char *)words + offset, sizeof(words) - offset,
		    MSG_DONTWAIT | MSG_NOSIGNAL);
	if (done > 0)
		stream->sent += done;
}

static bool greet_all(const struct order_options *options)
{
	uint64_t limit = order_now() + ORDER_PATIENCE_MS;
	unsigned int greeted = 0;

	while (greeted < options->flows && order_now() < limit) {
		greeted = 0;
		for (unsigned int i = 0; i < options->flows; i++) {
			udp_hear(&streams[i]);
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
	for (unsigned int i = 0; i < options->flows; i++) {
		polls[i].fd = streams[i].fd;
		polls[i].events = options->udp ? POLLIN : POLLOUT;
	}
	poll(polls, options->flows, ORDER_NAP_MS);
	for (unsigned int i = 0; i < options->flows; i++) {
		if (options->udp)
			udp_fill(options, &streams[i]);
		else
			tcp_fill(&streams[i]);
	}
}

/* Hear the last answers: until all that was sent is there, or nothing comes any more. */
static void settle(const struct order_options *options)
{
	uint64_t limit = order_now() + ORDER_PATIENCE_MS;
	bool missing = true;

	while (missing && order_now() < limit) {
		missing = false;
		for (unsigned int i = 0; i < options->flows; i++) {
			if (udp_hear(&streams[i]))
				limit = order_now() + ORDER_PATIENCE_MS;
			missing |= streams[i].acked < streams[i].sent;
		}
		poll(NULL, 0, ORDER_NAP_MS);
	}
}

/* Is there more to be sent: for so many seconds, or as long as there is that file. */
static bool goes_on(const struct order_options *options, uint64_t begun)
{
	if (options->while_file)
		return !access(options->while_file, F_OK);
	return order_now() - begun < options->seconds * 1000ull;
}

int order_send(const struct order_options *options)
{
	struct pollfd polls[ORDER_MAX_FLOWS] = {};
	uint64_t begun, sent = 0;

	for (unsigned int i = 0; i < options->flows; i++) {
		streams[i].fd = stream_open(options, i);
		if (streams[i].fd < 0)
			return order_error("flow", streams[i].fd);
	}
	if (options->udp && !greet_all(options))
		return order_error("the server does not answer all flows", -ETIMEDOUT);
	begun = order_now();
	while (goes_on(options, begun))
		fill_all(options, polls);
	if (options->udp)
		settle(options);
	for (unsigned int i = 0; i < options->flows; i++) {
		sent += streams[i].sent;
		if (!options->udp)
			shutdown(streams[i].fd, SHUT_WR);
	}
	printf("sent %llu\n", (unsigned long long)sent);
	/* Until the server, having read all, closes. */
	for (unsigned int i = 0; i < options->flows && !options->udp; i++) {
		polls[0] = (struct pollfd) { .fd = streams[i].fd, .events = POLLIN };
		if (poll(polls, 1, ORDER_PATIENCE_MS) != 1)
			return order_error("the end of a flow is not answered", -ETIMEDOUT);
	}
	return 0;
}
