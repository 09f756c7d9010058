// SPDX-License-Identifier: GPL-2.0-only
/*
 * The reading side of arfs-order. A few threads share the flows and go from CPU to CPU, and with
 * them the flows' place in the kernel's tables. Whether a datagram was overtaken inside the core or
 * on the way to it is told by the kernel's receive stamp, taken where the driver hands a packet in.
 */
#include <errno.h>
#include <linux/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "arfs-order.h"

#define NAP_MS	50
#define UDP_ROOM	(1 << 21)

/**
 * struct flow - one flow as it comes out
 * @fd: its socket
 * @remote: who sends it
 * @count: datagrams, or bytes of TCP
 * @told: of these, how many the sender knows of
 * @highest: highest sequence number so far
 * @newest: highest receive stamp so far, in ns
 * @late: datagrams below @highest
 * @core_late: datagrams with a stamp below @newest
 * @ooo: TCP segments that waited for an earlier one
 * @damaged: bytes of TCP that are not those of their place
 * @done: the sender has closed
 */
struct flow {
	int fd;
	struct sockaddr_in remote;
	uint64_t count;
	uint64_t told;
	uint64_t highest;
	uint64_t newest;
	unsigned long late;
	unsigned long core_late;
	unsigned long ooo;
	unsigned long damaged;
	bool done;
};

struct reader {
	pthread_t thread;
	unsigned int index;
	int epoll;
	unsigned long moves;
};

static const struct order_options *options;
static struct flow flows[ORDER_MAX_FLOWS];
static unsigned int n_flows;
static struct reader readers[ORDER_MAX_THREADS];
static int listener;
static atomic_bool stop;

static int pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

static void want_stamps(int fd)
{
	int one = 1;

	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one));
}

/* The receive stamp of a message, 0 for none. */
static uint64_t stamp_of(struct msghdr *message)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
		struct timespec time;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&time, CMSG_DATA(c), sizeof(time));
		return time.tv_sec * 1000000000ull + time.tv_nsec;
	}
	return 0;
}

static void udp_tell(struct flow *flow)
{
	if (send(flow->fd, &flow->count, sizeof(flow->count), MSG_DONTWAIT) > 0)
		flow->told = flow->count;
}

static void udp_take(struct flow *flow, uint64_t sequence, uint64_t stamp)
{
	if (sequence == ORDER_HELLO) {
		udp_tell(flow);
		return;
	}
	flow->count++;
	if (sequence < flow->highest)
		flow->late++;
	else
		flow->highest = sequence;
	if (stamp < flow->newest)
		flow->core_late++;
	else
		flow->newest = stamp;
	if (flow->count - flow->told >= ORDER_ACK_EVERY)
		udp_tell(flow);
}

static void udp_read(struct flow *flow)
{
	for (unsigned int i = 0; i < 64; i++) {
		char control[CMSG_SPACE(sizeof(struct timespec))];
		struct order_datagram datagram;
		struct iovec io = { &datagram, sizeof(datagram) };
		struct msghdr message = {
			.msg_iov = &io, .msg_iovlen = 1,
			.msg_control = control, .msg_controllen = sizeof(control),
		};

		if (recvmsg(flow->fd, &message, MSG_DONTWAIT) != sizeof(datagram)) {
			if (flow->told != flow->count)
				udp_tell(flow);
			return;
		}
		udp_take(flow, datagram.sequence, stamp_of(&message));
	}
}

static void tcp_end(struct flow *flow)
{
	struct tcp_info info = {};
	socklen_t length = sizeof(info);

	if (!getsockopt(flow->fd, IPPROTO_TCP, TCP_INFO, &info, &length) &&
	    length > offsetof(struct tcp_info, tcpi_rcv_ooopack))
		flow->ooo = info.tcpi_rcv_ooopack;
	else
		fprintf(stderr, "arfs-order: the kernel does not tell segments out of order\n");
	flow->done = true;
	close(flow->fd);
}

static void tcp_read(struct flow *flow)
{
	unsigned char buffer[16384];
	ssize_t got;

	if (flow->done)
		return;
	got = recv(flow->fd, buffer, sizeof(buffer), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (got <= 0) {
		tcp_end(flow);
		return;
	}
	for (ssize_t i = 0; i < got; i++) {
		uint64_t at = flow->count + i;
		uint64_t word = at / sizeof(word);

		flow->damaged += buffer[i] != (unsigned char)(word >> (at % sizeof(word) * 8));
	}
	flow->count += got;
}

static void *reader_run(void *argument)
{
	struct reader *reader = argument;
	unsigned int at = reader->index % options->n_cpus;
	uint64_t moved = order_now();
	struct epoll_event events[32];

	if (pin(options->cpus[at])) {
		fprintf(stderr, "arfs-order: cannot go to CPU %d\n", options->cpus[at]);
		exit(1);
	}
	while (!atomic_load(&stop)) {
		int n = epoll_wait(reader->epoll, events, 32, options->move_ms ? : NAP_MS);

		for (int i = 0; i < n; i++) {
			if (options->udp)
				udp_read(events[i].data.ptr);
			else
				tcp_read(events[i].data.ptr);
		}
		if (!options->move_ms || order_now() - moved < options->move_ms)
			continue;
		at = (at + 1) % options->n_cpus;
		moved = order_now();
		/* A CPU that is offline is passed over. */
		reader->moves += !pin(options->cpus[at]);
	}
	return NULL;
}

static struct flow *flow_of(const struct sockaddr_in *remote)
{
	for (unsigned int i = 0; i < n_flows; i++)
		if (flows[i].remote.sin_port == remote->sin_port)
			return &flows[i];
	return NULL;
}

static void flow_add(int fd, const struct sockaddr_in *remote)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct flow *flow = &flows[n_flows];

	flow->fd = fd;
	flow->remote = *remote;
	event.data.ptr = flow;
	if (epoll_ctl(readers[n_flows % options->threads].epoll, EPOLL_CTL_ADD, fd, &event)) {
		close(fd);
		return;
	}
	n_flows++;
	if (options->udp)
		udp_tell(flow);
}

static int udp_connected(const struct sockaddr_in *remote)
{
	struct sockaddr_in local = { .sin_family = AF_INET, .sin_port = htons(options->port) };
	int fd = order_socket(options);
	int room = UDP_ROOM;

	if (fd < 0)
		return fd;
	want_stamps(fd);
	/* A message takes a page or more there, however short it is. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof(room));
	if (!bind(fd, (struct sockaddr *)&local, sizeof(local)) &&
	    !connect(fd, (const struct sockaddr *)remote, sizeof(*remote)))
		return fd;
	close(fd);
	return -1;
}

/* A socket for who sent a first datagram, and his address; -1 for nobody new. */
static int udp_accept(struct sockaddr_in *remote)
{
	socklen_t length = sizeof(*remote);
	uint64_t word;

	if (recvfrom(listener, &word, sizeof(word), 0, (struct sockaddr *)remote, &length) < 0 ||
	    flow_of(remote))
		return -1;
	return udp_connected(remote);
}

/* Take in new flows until told to stop. */
static void accept_all(void)
{
	while (!atomic_load(&stop)) {
		struct sockaddr_in remote = {};
		socklen_t length = sizeof(remote);
		int fd;

		if (n_flows == options->flows)
			fd = -1;
		else if (options->udp)
			fd = udp_accept(&remote);
		else
			fd = accept4(listener, (struct sockaddr *)&remote, &length,
				     SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			usleep(1000 * (n_flows == options->flows ? NAP_MS : 1));
		else
			flow_add(fd, &remote);
	}
}

static int report(void)
{
	FILE *file = fopen(options->report, "w");
	unsigned long moves = 0;
	struct flow sum = {};

	if (!file)
		return order_error(options->report, -errno);
	for (unsigned int i = 0; i < n_flows; i++) {
		if (!options->udp && !flows[i].done)
			tcp_end(&flows[i]);
		sum.count += flows[i].count;
		sum.late += flows[i].late;
		sum.core_late += flows[i].core_late;
		sum.ooo += flows[i].ooo;
		sum.damaged += flows[i].damaged;
	}
	for (unsigned int i = 0; i < options->threads; i++)
		moves += readers[i].moves;
	fprintf(file, "flows %u\npackets %llu\n", n_flows, (unsigned long long)sum.count);
	fprintf(file, "late %lu\ncore_late %lu\n", sum.late, sum.core_late);
	fprintf(file, "ooo %lu\ndamaged %lu\nmoves %lu\n", sum.ooo, sum.damaged, moves);
	return fclose(file) ? -errno : 0;
}

static void on_term(int signal)
{
	(void)signal;
	atomic_store(&stop, true);
}

static int serve_run(void)
{
	struct sigaction action = { .sa_handler = on_term };

	sigaction(SIGTERM, &action, NULL);
	for (unsigned int i = 0; i < options->threads; i++) {
		readers[i].index = i;
		readers[i].epoll = epoll_create1(EPOLL_CLOEXEC);
		if (readers[i].epoll < 0 ||
		    pthread_create(&readers[i].thread, NULL, reader_run, &readers[i]))
			return order_error("reader", -EAGAIN);
	}
	accept_all();
	for (unsigned int i = 0; i < options->threads; i++)
		pthread_join(readers[i].thread, NULL);
	return report();
}

int order_serve(const struct order_options *the_options)
{
	struct sockaddr_in local = { .sin_family = AF_INET };
	pid_t pid;

	options = the_options;
	local.sin_port = htons(options->port);
	listener = order_socket(options);
	if (listener < 0)
		return order_error("socket", listener);
	want_stamps(listener);
	if (bind(listener, (struct sockaddr *)&local, sizeof(local)) ||
	    (!options->udp && listen(listener, ORDER_MAX_FLOWS)))
		return order_error("listen", -errno);
	pid = fork();
	if (pid < 0)
		return order_error("fork", -errno);
	if (!pid) {
		/* Whoever reads our output waits for the parent, not for the run. */
		close(STDOUT_FILENO);
		_exit(serve_run() ? 1 : 0);
	}
	printf("%d\n", pid);
	return 0;
}
