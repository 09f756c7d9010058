// SPDX-License-Identifier: GPL-2.0-only
/*
 * The server side. One thread on CPU 0 accepts and deals the connections to the readers in turn;
 * a reader echoes on its own CPU what it reads. So accept() records CPU 0 for a flow and the first
 * read records the reader's CPU: one true move for each flow whose reader is not on CPU 0. Readers are
 * counted from 0 here, and told by their CPU in the report.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "arfs-load.h"

#define ACCEPT_CPU	0
/* How long a reader sleeps before it looks whether the run is over. */
#define READER_NAP_MS	200

/**
 * struct connection - one accepted connection
 * @fd: its socket
 * @remote: the client, source of what the device receives
 * @local: the server, destination of what the device receives
 * @accept_cpu: where accept() ran
 * @first: the reader it was dealt to
 * @reader: who reads it now; written by the present reader when it hands the connection on
 * @wanted: who shall read it; written by the main thread
 * @moves: times it changed its reader
 * @bytes: bytes echoed
 */
struct connection {
	int fd;
	struct sockaddr_storage remote;
	struct sockaddr_storage local;
	int accept_cpu;
	unsigned int first;
	atomic_uint reader;
	atomic_uint wanted;
	atomic_uint moves;
	atomic_ulong bytes;
};

struct server {
	const struct load_options *options;
	int listener;
	int epoll[LOAD_MAX_READERS];
	pthread_t readers[LOAD_MAX_READERS];
	pthread_t acceptor;
	struct connection *connections;
	atomic_uint accepted;		/* connections below it are complete */
	atomic_uint broken;
	atomic_bool stop;
	bool rotating;			/* main thread only */
};

struct reader_arguments {
	struct server *server;
	unsigned int index;
};

static int watch(struct server *server, unsigned int reader, struct connection *connection)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = connection };

	return epoll_ctl(server->epoll[reader], EPOLL_CTL_ADD, connection->fd, &event) ? -errno : 0;
}

static void unwatch(struct server *server, unsigned int reader, struct connection *connection)
{
	epoll_ctl(server->epoll[reader], EPOLL_CTL_DEL, connection->fd, NULL);
}

/* Hand the connection to the reader the main thread wants; true if it is no longer ours. */
static bool hand_on(struct server *server, unsigned int me, struct connection *connection)
{
	unsigned int wanted = atomic_load(&connection->wanted);

	if (wanted == me)
		return false;
	unwatch(server, me, connection);
	atomic_store(&connection->reader, wanted);
	atomic_fetch_add(&connection->moves, 1);
	if (watch(server, wanted, connection))
		atomic_fetch_add(&server->broken, 1);
	return true;
}

static void echo(struct server *server, unsigned int me, struct connection *connection)
{
	char buffer[LOAD_MAX_BYTES];
	ssize_t got;

	if (hand_on(server, me, connection))
		return;
	got = recv(connection->fd, buffer, sizeof(buffer), MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	/* The client never closes first, and its one message always fits the send buffer. */
	if (got <= 0 || send(connection->fd, buffer, got, MSG_NOSIGNAL) != got) {
		unwatch(server, me, connection);
		atomic_fetch_add(&server->broken, 1);
		return;
	}
	atomic_fetch_add_explicit(&connection->bytes, got, memory_order_relaxed);
}

static void *reader_run(void *argument)
{
	struct reader_arguments arguments = *(struct reader_arguments *)argument;
	struct server *server = arguments.server;
	unsigned int cpu = server->options->first_cpu + arguments.index;
	struct epoll_event events[64];
	char name[16];
	int error;

	free(argument);
	snprintf(name, sizeof(name), "reader%u", cpu);
	pthread_setname_np(pthread_self(), name);
	error = load_pin(cpu);
	if (error) {
		load_error("pin reader (fewer CPUs than --readers?)", error);
		exit(1);
	}
	while (!atomic_load(&server->stop)) {
		int n = epoll_wait(server->epoll[arguments.index], events, 64, READER_NAP_MS);

		for (int i = 0; i < n; i++)
			echo(server, arguments.index, events[i].data.ptr);
	}
	return NULL;
}

/* A client that has sent again before its socket was made is there already. */
static bool accepted_before(const struct server *server, const struct connection *connection)
{
	for (const struct connection *c = server->connections; c < connection; c++)
		if (!memcmp(&c->remote, &connection->remote, sizeof(c->remote)))
			return true;
	return false;
}

static int accept_one(struct server *server, struct connection *connection)
{
	socklen_t length;
	int fd;

	if (!server->options->udp) {
		length = sizeof(connection->remote);
		fd = accept4(server->listener, (struct sockaddr *)&connection->remote, &length,
			     SOCK_CLOEXEC);
		return fd < 0 ? -errno : fd;
	}
	for (;;) {
		length = sizeof(connection->remote);
		memset(&connection->remote, 0, length);
		fd = load_udp_accept(server->options, server->listener, &connection->remote,
				     &length);
		if (fd < 0 || !accepted_before(server, connection))
			return fd;
		close(fd);
	}
}

static void *acceptor_run(void *argument)
{
	struct server *server = argument;
	int error = load_pin(ACCEPT_CPU);

	for (unsigned int i = 0; !error && i < server->options->connections; i++) {
		struct connection *connection = &server->connections[i];
		unsigned int reader = i % server->options->readers;
		socklen_t length = sizeof(connection->local);

		connection->fd = accept_one(server, connection);
		if (connection->fd < 0) {
			error = connection->fd;
			break;
		}
		getsockname(connection->fd, (struct sockaddr *)&connection->local, &length);
		connection->accept_cpu = sched_getcpu();
		connection->first = reader;
		atomic_store(&connection->reader, reader);
		atomic_store(&connection->wanted, reader);
		error = watch(server, reader, connection);
		atomic_fetch_add(&server->accepted, 1);
	}
	if (error) {
		load_error("accept", error);
		exit(1);
	}
	return NULL;
}

static void print_address(FILE *file, const struct sockaddr_storage *address)
{
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)address;
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)address;
	char text[INET6_ADDRSTRLEN];

	if (address->ss_family == AF_INET)
		fprintf(file, " %s %u", inet_ntop(AF_INET, &v4->sin_addr, text, sizeof(text)),
			ntohs(v4->sin_port));
	else
		fprintf(file, " %s %u", inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof(text)),
			ntohs(v6->sin6_port));
}

/* Write the report beside its place and rename it: a reader of the file sees it whole. */
static int report(struct server *server, const char *state)
{
	unsigned int accepted = atomic_load(&server->accepted);
	char name[4096];
	FILE *file;

	if (snprintf(name, sizeof(name), "%s.new", server->options->report) >= (int)sizeof(name))
		return load_error("--report", -ENAMETOOLONG);
	file = fopen(name, "w");
	if (!file)
		return load_error(name, -errno);
	fprintf(file, "state %s accepted=%u broken=%u\n", state, accepted,
		atomic_load(&server->broken));
	for (unsigned int i = 0; i < accepted; i++) {
		struct connection *connection = &server->connections[i];

		fprintf(file, "conn %s %s", connection->remote.ss_family == AF_INET ? "v4" : "v6",
			server->options->udp ? "udp" : "tcp");
		print_address(file, &connection->remote);
		print_address(file, &connection->local);
		fprintf(file, " reader=%u first=%u accept=%d moves=%u messages=%lu\n",
			server->options->first_cpu + atomic_load(&connection->reader),
			server->options->first_cpu + connection->first, connection->accept_cpu,
			atomic_load(&connection->moves),
			atomic_load(&connection->bytes) / LOAD_MESSAGE_BYTES);
	}
	if (fclose(file) || rename(name, server->options->report))
		return load_error(server->options->report, -errno);
	return 0;
}

static void start_moves(struct server *server)
{
	const struct load_options *options = server->options;
	unsigned int n = options->connections * options->move_percent / 100;

	for (unsigned int i = 0; i < n; i++) {
		struct connection *connection = &server->connections[i];

		atomic_store(&connection->wanted, (connection->first + 1) % options->readers);
	}
}

static int start_threads(struct server *server)
{
	int error;

	for (unsigned int i = 0; i < server->options->readers; i++) {
		struct reader_arguments *arguments = malloc(sizeof(*arguments));

		if (!arguments)
			return load_error("reader", -ENOMEM);
		arguments->server = server;
		arguments->index = i;
		server->epoll[i] = epoll_create1(EPOLL_CLOEXEC);
		if (server->epoll[i] < 0)
			return load_error("epoll_create1", -errno);
		error = pthread_create(&server->readers[i], NULL, reader_run, arguments);
		if (error)
			return load_error("reader", -error);
	}
	error = pthread_create(&server->acceptor, NULL, acceptor_run, server);
	return error ? load_error("acceptor", -error) : 0;
}

/* The reader after this one in its group. */
static unsigned int next_reader(const struct load_options *options, unsigned int reader)
{
	unsigned int group = options->rotate_within ? options->rotate_within : options->readers;
	unsigned int first = reader / group * group;
	unsigned int next = reader + 1;

	return next < options->readers && next < first + group ? next : first;
}

static void rotate(struct server *server)
{
	unsigned int accepted = atomic_load(&server->accepted);

	for (unsigned int i = 0; i < accepted; i++) {
		struct connection *connection = &server->connections[i];
		unsigned int wanted = atomic_load(&connection->wanted);

		atomic_store(&connection->wanted, next_reader(server->options, wanted));
	}
}

/* Let a second pass, while the connections rotate; true when SIGTERM has come. */
static bool second(struct server *server, const sigset_t *signals)
{
	unsigned int step = server->rotating ? server->options->rotate_ms : 1000;
	const struct timespec time = {
		.tv_sec = step / 1000,
		.tv_nsec = step % 1000 * 1000000L,
	};

	for (unsigned int ms = 0; ms < 1000; ms += step) {
		switch (sigtimedwait(signals, NULL, &time)) {
		case SIGTERM:
			return true;
		case SIGUSR1:
			server->rotating = false;
			return false;
		}
		if (server->rotating)
			rotate(server);
	}
	return false;
}

/* The life of the server process: accept all, keep busy, hold until told to go. */
static int server_run(struct server *server, const sigset_t *signals)
{
	const struct load_options *options = server->options;
	unsigned int elapsed = 0;
	bool told = false;

	if (start_threads(server))
		return 1;
	while (!told && elapsed < options->seconds) {
		bool all = atomic_load(&server->accepted) == options->connections;

		if (report(server, all ? "running" : "accepting"))
			return 1;
		told = second(server, signals);
		if (all && ++elapsed == (options->seconds + 1) / 2)
			start_moves(server);
	}
	if (told)
		return 0;
	atomic_store(&server->stop, true);
	for (unsigned int i = 0; i < options->readers; i++)
		pthread_join(server->readers[i], NULL);
	if (report(server, "held"))
		return 1;
	while (!second(server, signals))
		;
	return 0;
}

static int listen_socket(const struct load_options *options)
{
	struct sockaddr_storage address;
	socklen_t length;
	int error;
	int fd;

	if (load_address(options->family, options->address, options->port, &address, &length))
		return load_error("--to", -EINVAL);
	fd = load_socket(options);
	if (fd < 0)
		return load_error("socket", fd);
	if (bind(fd, (struct sockaddr *)&address, length) ||
	    (!options->udp && listen(fd, 1024))) {
		error = load_error("listen", -errno);
		close(fd);
		return error;
	}
	return fd;
}

int load_serve(const struct load_options *options)
{
	struct server server = { .options = options, .rotating = options->rotate_ms };
	sigset_t signals;
	pid_t pid;

	server.listener = listen_socket(options);
	if (server.listener < 0)
		return server.listener;
	server.connections = calloc(options->connections, sizeof(*server.connections));
	if (!server.connections)
		return load_error("connections", -ENOMEM);
	sigemptyset(&signals);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	if (report(&server, "accepting"))
		return -EIO;
	pid = fork();
	if (pid < 0)
		return load_error("fork", -errno);
	if (!pid) {
		/* Whoever reads our output waits for the parent, not for the run. */
		close(STDOUT_FILENO);
		_exit(server_run(&server, &signals));
	}
	printf("%d\n", pid);
	return 0;
}
