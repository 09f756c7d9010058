/* SPDX-License-Identifier: GPL-2.0-only */
/* The aRFS workload: many busy echo connections whose readers are pinned to CPUs. */
#ifndef ARFS_LOAD_H
#define ARFS_LOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

/* After this long a client takes a UDP message, or its answer, for lost and sends it again. */
#define LOAD_RESEND_MS		1000
#define LOAD_MESSAGE_BYTES	64
#define LOAD_MAX_BYTES		4096
#define LOAD_MAX_READERS	64
#define LOAD_MAX_PORTS		64
#define LOAD_MAX_CONNECTIONS	20000

/**
 * struct load_options - what the command line asked for
 * @family: AF_INET or AF_INET6
 * @address: the server's address, to which the client connects
 * @port: the server's port
 * @source_port: client: lowest of the 32768 ports it scatters over; 0 lets the kernel choose
 * @connections: number of connections
 * @readers: server: reader threads, pinned to CPUs in a row from @first_cpu on
 * @bytes: client: length of a message
 * @threads: client: threads that keep the connections busy
 * @cpus: client: the CPUs its threads are pinned to, in turn
 * @n_cpus: number of @cpus; 0 leaves the threads unpinned
 * @ports: client: the connections' ports one by one, in place of @source_port
 * @n_ports: number of @ports
 * @seconds: server: how long the connections are kept busy once all are accepted
 * @move_percent: server: share of the connections that change their reader half-way
 * @first_cpu: server: CPU of the first reader
 * @rotate_ms: server: every connection changes its reader this often, until SIGUSR1; 0: never
 * @rotate_within: server: readers change inside groups of so many in a row; 0: all are one group
 * @udp: connected UDP sockets instead of TCP
 * @ipv6_options: client: each packet has a destination options header
 * @report: server: file that holds the state of the run and the connections
 */
struct load_options {
	int family;
	const char *address;
	unsigned int port;
	unsigned int source_port;
	unsigned int connections;
	unsigned int readers;
	unsigned int bytes;
	unsigned int threads;
	int cpus[LOAD_MAX_READERS];
	unsigned int n_cpus;
	unsigned int ports[LOAD_MAX_PORTS];
	unsigned int n_ports;
	unsigned int seconds;
	unsigned int move_percent;
	unsigned int first_cpu;
	unsigned int rotate_ms;
	unsigned int rotate_within;
	bool udp;
	bool ipv6_options;
	const char *report;
};

/**
 * load_serve() - run the server until SIGTERM
 * @options: see struct load_options
 *
 * Returns in the caller once the port is open; the server goes on in a process of its own.
 *
 * Return: 0 or a negative errno, a message has been printed.
 */
int load_serve(const struct load_options *options);

/**
 * load_drive() - run the client until the server closes the connections
 * @options: see struct load_options
 *
 * Return: 0 when every connection was made and lived until the server closed it.
 */
int load_drive(const struct load_options *options);

/**
 * load_udp_accept() - wait for a client and give it a socket of its own
 * @options: see struct load_options
 * @listener: the socket that all clients write to first
 * @remote: the client; filled in
 * @length: room in @remote, then its length
 *
 * The first message is left unanswered: what comes before the socket of its own may be anybody's,
 * and the client sends it again.
 *
 * Return: the socket or a negative errno.
 */
int load_udp_accept(const struct load_options *options, int listener,
		    struct sockaddr_storage *remote, socklen_t *length);

/* A socket of the wanted kind; a file descriptor or a negative errno. */
int load_socket(const struct load_options *options);

/* Fill in a socket address of the family from text (NULL: any address); 0 or -EINVAL. */
int load_address(int family, const char *text, unsigned int port, struct sockaddr_storage *address,
		 socklen_t *length);

/* Pin the calling thread to one CPU; 0 or a negative errno. */
int load_pin(int cpu);

/* Print "arfs-load: WHAT: reason" for a negative errno and give it back. */
int load_error(const char *what, int error);

#endif
