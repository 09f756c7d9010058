/* SPDX-License-Identifier: GPL-2.0-only */
/* Flows that carry sequence numbers, read by threads that change their CPU: who overtakes whom? */
#ifndef ARFS_ORDER_H
#define ARFS_ORDER_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#define ORDER_MAX_FLOWS		256
#define ORDER_MAX_THREADS	16
#define ORDER_MAX_CPUS		64
/* The receiver tells how much it has after so many datagrams, and whenever it runs dry. */
#define ORDER_ACK_EVERY		8
/* A sender looks around so often, and repeats its hellos so often. */
#define ORDER_NAP_MS		100
#define ORDER_HELLO_MS		200
/* Who does not answer for so long will not: more than a guest is kept waiting for its host. */
#define ORDER_PATIENCE_MS	60000
#define ORDER_DATAGRAM_BYTES	64
/* Sequence number of a hello; the stream begins with 1. */
#define ORDER_HELLO		0

/**
 * struct order_datagram - what a UDP packet carries; the rest of it is padding
 * @sequence: ORDER_HELLO, or 1 and so on
 */
struct order_datagram {
	uint64_t sequence;
	char padding[ORDER_DATAGRAM_BYTES - sizeof(uint64_t)];
};

/**
 * struct order_options - what the command line asked for
 * @udp: UDP instead of TCP
 * @to: the server, for who sends
 * @port: of the server
 * @flows: how many
 * @source_port: sender: port of the first flow, those of the others follow; 0: the kernel's choice
 * @seconds: sender: how long it sends
 * @while_file: sender: it sends as long as there is this file, instead
 * @window: sender: datagrams under way in one flow
 * @threads: server: reader threads
 * @cpus: server: CPUs the threads go round; thread N starts on the Nth
 * @n_cpus: number of @cpus
 * @move_ms: server: a thread goes to its next CPU this often; 0: never
 * @report: server: file for the counts, written when SIGTERM comes
 */
struct order_options {
	bool udp;
	struct in_addr to;
	unsigned int port;
	unsigned int flows;
	unsigned int source_port;
	unsigned int seconds;
	const char *while_file;
	unsigned int window;
	unsigned int threads;
	int cpus[ORDER_MAX_CPUS];
	unsigned int n_cpus;
	unsigned int move_ms;
	const char *report;
};

/* Each returns 0, or a negative errno after a message. */
int order_serve(const struct order_options *options);
int order_send(const struct order_options *options);

/* Print "arfs-order: WHAT: reason" for a negative errno and give it back. */
int order_error(const char *what, int error);

/* A socket of the wanted kind, non-blocking; a file descriptor or a negative errno. */
int order_socket(const struct order_options *options);

/* Milliseconds of the monotonic clock. */
uint64_t order_now(void);

#endif
