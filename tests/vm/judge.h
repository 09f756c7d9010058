/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Joins what the workload knows (which CPU reads a connection) with what the device counted (which
 * queue its packets came to, which filters it was told) and says what that amounts to.
 */
#ifndef ARFS_JUDGE_H
#define ARFS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define JUDGE_MAX_QUEUES	256

/* How the core turns a packet's hash into a slot of a queue's flow table. */
enum judge_slot_of {
	JUDGE_SLOT_MASK,	/* hash & (R - 1): up to 6.12 */
	JUDGE_SLOT_MULTIPLY,	/* upper bits of hash * 2^32 / golden ratio: 7.3 */
};

/**
 * struct judge_tuple - one direction of a connection, as the device receives it
 * @family: 4 or 6
 * @udp: UDP instead of TCP
 * @source_port: host order, like @destination_port
 * @source: network order, an IPv4 address in the first four bytes
 *
 * Fully initialised, so that equal tuples are equal bytes.
 */
struct judge_tuple {
	uint8_t family;
	uint8_t udp;
	uint16_t source_port;
	uint16_t destination_port;
	uint8_t source[16];
	uint8_t destination[16];
};

/**
 * struct judge_flow - one connection
 * @tuple: what it is known by
 * @reader: CPU that reads it now
 * @allowed: filter writes that the traffic itself asks for: one, one more if accept() ran on another
 *	CPU than the first reader, one for each time the reader changed
 * @reader_moves: times it changed its reader
 * @messages: echoed so far
 * @last: queue of its last packet, -1 if the device saw none
 * @hash: the device's RSS hash of it
 * @has_hash: the device told @hash
 * @filter: queue of its live filter, -1 for none
 * @adds: successful adds, like @moves and @deletes
 * @failed: refused writes
 * @readded: successful adds that followed a delete
 */
struct judge_flow {
	struct judge_tuple tuple;
	unsigned int reader;
	unsigned int allowed;
	unsigned int reader_moves;
	unsigned long messages;
	int last;
	uint32_t hash;
	bool has_hash;
	int filter;
	unsigned int adds;
	unsigned int moves;
	unsigned int deletes;
	unsigned int failed;
	unsigned int readded;
};

/**
 * struct judge - all connections of a run and how its queues are laid out
 * @flows: sorted by tuple once judge_sort() has run
 * @n_flows: number of them
 * @broken: connections that did not live to the end
 * @queue_cpu: the CPU that each queue's interrupt is bound to
 * @n_queues: number of queues
 * @slots: rps_flow_cnt of each queue, a power of two
 * @slot_of: see enum judge_slot_of
 */
struct judge {
	struct judge_flow *flows;
	size_t n_flows;
	unsigned int broken;
	unsigned int queue_cpu[JUDGE_MAX_QUEUES];
	unsigned int n_queues;
	uint32_t slots;
	enum judge_slot_of slot_of;
};

/**
 * struct judge_facts - what a run amounts to
 * @flows: connections
 * @seen: connections of which the device received packets
 * @on_reader: connections whose last packet came to their reader's queue
 * @slots_used: distinct (reader's queue, slot) that the connections map to
 * @slots_served: of these, slots with at least one connection on its reader's queue
 * @slots_idle: slots that no filter makes use of although a connection of theirs is astray
 * @adds: filter adds, like @moves, @deletes and @failed (refused writes)
 * @filtered: connections with a live filter
 * @ever_filtered: connections that had one at some time
 * @misdirected: connections whose live filter names another queue than their reader's
 * @most_writes: most adds and moves of one connection
 * @readded: connections whose filter was deleted and added again, more often than their reader moved
 * @extra_writes: adds and moves beyond what the traffic asks for, over all connections
 * @reader_moves: times a connection changed its reader
 * @messages: echoed
 * @broken: connections that did not live to the end
 */
struct judge_facts {
	unsigned int flows;
	unsigned int seen;
	unsigned int on_reader;
	unsigned int slots_used;
	unsigned int slots_served;
	unsigned int slots_idle;
	unsigned int adds;
	unsigned int moves;
	unsigned int deletes;
	unsigned int failed;
	unsigned int filtered;
	unsigned int ever_filtered;
	unsigned int misdirected;
	unsigned int most_writes;
	unsigned int readded;
	unsigned int extra_writes;
	unsigned int reader_moves;
	unsigned long messages;
	unsigned int broken;
};

/*
 * Each takes one line. 0 for a line that is understood, also when it is about a tuple that is no
 * connection of the run; -EINVAL for one that is not. The workload's lines come first, then
 * judge_sort(), then the device's.
 */
int judge_report_line(struct judge *judge, const char *line);
int judge_flow_line(struct judge *judge, const char *line);
int judge_filter_line(struct judge *judge, const char *line);
int judge_log_line(struct judge *judge, const char *line);

void judge_sort(struct judge *judge);
void judge_free(struct judge *judge);

/**
 * judge_slot() - the slot of a hash in a table
 * @hash: hash of a flow
 * @slots: size of the table, a power of two
 * @slot_of: see enum judge_slot_of
 */
uint32_t judge_slot(uint32_t hash, uint32_t slots, enum judge_slot_of slot_of);

/**
 * judge_sum() - reckon up
 * @judge: all lines have been taken
 * @facts: filled in
 *
 * Return: 0; -ENODATA if the device told no hash of a flow, its slots are then left out; -ENOMEM.
 */
int judge_sum(const struct judge *judge, struct judge_facts *facts);

/**
 * judge_verdict() - does the run meet the project's promise
 * @facts: of the run
 * @reason: receives why not, in one line
 * @size: of @reason
 *
 * The promise: every slot that a connection maps to has one that is on its reader's queue, and a
 * filter makes it so unless RSS alone puts all of the slot's connections there; no filter was deleted
 * and added again; no write went beyond what the traffic asks for.
 */
bool judge_verdict(const struct judge_facts *facts, char *reason, size_t size);

/**
 * judge_explain() - write the connections of each slot that serves nobody
 * @judge: all lines have been taken
 * @file: where to
 */
void judge_explain(const struct judge *judge, FILE *file);

#endif
