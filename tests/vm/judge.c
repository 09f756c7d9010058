// SPDX-License-Identifier: GPL-2.0-only
/* The judge's logic; see judge.h. Lines in, facts out; no files, no globals. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

/* 2^32 / golden ratio as include/linux/hash.h has it (GOLDEN_RATIO_32). */
#define GOLDEN_RATIO	0x61C88647u

static int parse_address(uint8_t family, const char *text, uint8_t *address)
{
	return inet_pton(family == 4 ? AF_INET : AF_INET6, text, address) == 1 ? 0 : -EINVAL;
}

/* "v4 tcp SOURCE PORT DESTINATION PORT"; -EINVAL, or the length of what was read. */
static int parse_tuple(const char *text, struct judge_tuple *tuple)
{
	char family[3], protocol[4], source[64], destination[64];
	unsigned int source_port, destination_port;
	int length = 0;

	memset(tuple, 0, sizeof(*tuple));
	if (sscanf(text, "%2s %3s %63s %u %63s %u%n", family, protocol, source, &source_port,
		   destination, &destination_port, &length) != 6)
		return -EINVAL;
	if (strcmp(family, "v4") && strcmp(family, "v6"))
		return -EINVAL;
	if (strcmp(protocol, "tcp") && strcmp(protocol, "udp"))
		return -EINVAL;
	if (source_port > 65535 || destination_port > 65535)
		return -EINVAL;
	tuple->family = family[1] - '0';
	tuple->udp = !strcmp(protocol, "udp");
	tuple->source_port = source_port;
	tuple->destination_port = destination_port;
	if (parse_address(tuple->family, source, tuple->source) ||
	    parse_address(tuple->family, destination, tuple->destination))
		return -EINVAL;
	return length;
}

/* The value of " name=VALUE" in a line, in the given base. */
static bool value_of(const char *line, const char *name, int base, unsigned long *value)
{
	char pattern[32];
	const char *at;
	char *end;

	snprintf(pattern, sizeof(pattern), " %s=", name);
	at = strstr(line, pattern);
	if (!at)
		return false;
	at += strlen(pattern);
	*value = strtoul(at, &end, base);
	return end != at && (*end == ' ' || *end == '\n' || *end == '\0' || *end == ',');
}

static int compare(const void *a, const void *b)
{
	const struct judge_flow *one = a;
	const struct judge_flow *two = b;

	return memcmp(&one->tuple, &two->tuple, sizeof(one->tuple));
}

static struct judge_flow *find(const struct judge *judge, const struct judge_tuple *tuple)
{
	struct judge_flow key = { .tuple = *tuple };

	return bsearch(&key, judge->flows, judge->n_flows, sizeof(key), compare);
}

static int report_connection(struct judge *judge, const char *line)
{
	unsigned long reader, first, accept, moves, messages;
	struct judge_flow flow = { .last = -1, .filter = -1 };
	struct judge_flow *flows;

	if (parse_tuple(line, &flow.tuple) < 0)
		return -EINVAL;
	if (!value_of(line, "reader", 10, &reader) || !value_of(line, "first", 10, &first) ||
	    !value_of(line, "accept", 10, &accept) || !value_of(line, "moves", 10, &moves) ||
	    !value_of(line, "messages", 10, &messages))
		return -EINVAL;
	flow.reader = reader;
	flow.allowed = 1 + (accept != first) + moves;
	flow.reader_moves = moves;
	flow.messages = messages;
	flows = reallocarray(judge->flows, judge->n_flows + 1, sizeof(*flows));
	if (!flows)
		return -ENOMEM;
	flows[judge->n_flows++] = flow;
	judge->flows = flows;
	return 0;
}

int judge_report_line(struct judge *judge, const char *line)
{
	unsigned long broken;

	if (!strncmp(line, "conn ", 5))
		return report_connection(judge, line + 5);
	if (strncmp(line, "state ", 6) || !value_of(line, "broken", 10, &broken))
		return -EINVAL;
	judge->broken = broken;
	return 0;
}

void judge_sort(struct judge *judge)
{
	if (judge->n_flows)
		qsort(judge->flows, judge->n_flows, sizeof(*judge->flows), compare);
}

void judge_free(struct judge *judge)
{
	free(judge->flows);
	judge->flows = NULL;
	judge->n_flows = 0;
}

int judge_flow_line(struct judge *judge, const char *line)
{
	struct judge_tuple tuple;
	struct judge_flow *flow;
	unsigned long last, hash;

	if (strncmp(line, "flow ", 5) || parse_tuple(line + 5, &tuple) < 0 ||
	    !value_of(line, "last", 10, &last))
		return -EINVAL;
	flow = find(judge, &tuple);
	if (!flow)
		return 0;
	flow->last = last;
	flow->has_hash = value_of(line, "hash", 16, &hash);
	if (flow->has_hash)
		flow->hash = hash;
	return 0;
}

int judge_filter_line(struct judge *judge, const char *line)
{
	struct judge_tuple tuple;
	struct judge_flow *flow;
	unsigned long queue;

	if (strncmp(line, "filter ", 7) || parse_tuple(line + 7, &tuple) < 0 ||
	    !value_of(line, "queue", 10, &queue))
		return -EINVAL;
	flow = find(judge, &tuple);
	if (flow)
		flow->filter = queue;
	return 0;
}

int judge_log_line(struct judge *judge, const char *line)
{
	char action[8], outcome[16];
	struct judge_tuple tuple;
	struct judge_flow *flow;
	const char *at;
	int length = 0;

	if (sscanf(line, "%*s %7s %n", action, &length) != 1 || !length ||
	    parse_tuple(line + length, &tuple) < 0)
		return -EINVAL;
	at = strstr(line, " outcome=");
	if (!at || sscanf(at, " outcome=%15s", outcome) != 1)
		return -EINVAL;
	if (strcmp(action, "add") && strcmp(action, "move") && strcmp(action, "delete"))
		return -EINVAL;
	flow = find(judge, &tuple);
	if (!flow)
		return 0;
	if (strcmp(outcome, "ok")) {
		flow->failed++;
	} else if (!strcmp(action, "add")) {
		flow->adds++;
		flow->readded += flow->deletes > 0;
	} else if (!strcmp(action, "move")) {
		flow->moves++;
	} else {
		flow->deletes++;
	}
	return 0;
}

uint32_t judge_slot(uint32_t hash, uint32_t slots, enum judge_slot_of slot_of)
{
	unsigned int bits = 0;

	if (slot_of == JUDGE_SLOT_MASK)
		return hash & (slots - 1);
	while ((1u << bits) < slots)
		bits++;
	return bits ? (hash * GOLDEN_RATIO) >> (32 - bits) : 0;
}

/* The queue whose interrupt is bound to a CPU, -1 if there is none. */
static int queue_of(const struct judge *judge, unsigned int cpu)
{
	for (unsigned int q = 0; q < judge->n_queues; q++)
		if (judge->queue_cpu[q] == cpu)
			return q;
	return -1;
}

/* What the flows of one slot have come to. */
struct slot_state {
	bool used;
	bool served;		/* a flow is on its reader's queue */
	bool held;		/* a filter makes it so */
	bool astray;		/* a flow is not on its reader's queue */
};

static void add_to_slot(struct slot_state *slot, const struct judge_flow *flow, int queue)
{
	bool on_reader = flow->last == queue;

	slot->used = true;
	slot->served |= on_reader;
	slot->held |= on_reader && flow->filter == queue;
	slot->astray |= !on_reader;
}

static int sum_slots(const struct judge *judge, struct judge_facts *facts)
{
	size_t n = (size_t)judge->n_queues * judge->slots;
	struct slot_state *slots;

	for (size_t i = 0; i < judge->n_flows; i++)
		if (judge->flows[i].last >= 0 && !judge->flows[i].has_hash)
			return -ENODATA;
	slots = calloc(n, sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < judge->n_flows; i++) {
		const struct judge_flow *flow = &judge->flows[i];
		int queue = queue_of(judge, flow->reader);

		if (queue < 0 || flow->last < 0)
			continue;
		add_to_slot(&slots[(size_t)queue * judge->slots +
				   judge_slot(flow->hash, judge->slots, judge->slot_of)],
			    flow, queue);
	}
	for (size_t i = 0; i < n; i++) {
		facts->slots_used += slots[i].used;
		facts->slots_served += slots[i].served;
		facts->slots_idle += slots[i].astray && !slots[i].held;
	}
	free(slots);
	return 0;
}

static void sum_flow(const struct judge *judge, const struct judge_flow *flow,
		     struct judge_facts *facts)
{
	unsigned int writes = flow->adds + flow->moves + flow->failed;
	int queue = queue_of(judge, flow->reader);

	facts->seen += flow->last >= 0;
	facts->on_reader += flow->last >= 0 && flow->last == queue;
	facts->adds += flow->adds;
	facts->moves += flow->moves;
	facts->deletes += flow->deletes;
	facts->failed += flow->failed;
	facts->filtered += flow->filter >= 0;
	facts->ever_filtered += flow->adds > 0;
	facts->misdirected += flow->filter >= 0 && flow->filter != queue;
	/* A true move may be made by a delete and an add. */
	facts->readded += flow->readded > flow->reader_moves;
	facts->reader_moves += flow->reader_moves;
	facts->messages += flow->messages;
	if (writes > facts->most_writes)
		facts->most_writes = writes;
	if (writes > flow->allowed)
		facts->extra_writes += writes - flow->allowed;
}

int judge_sum(const struct judge *judge, struct judge_facts *facts)
{
	memset(facts, 0, sizeof(*facts));
	facts->flows = judge->n_flows;
	facts->broken = judge->broken;
	for (size_t i = 0; i < judge->n_flows; i++)
		sum_flow(judge, &judge->flows[i], facts);
	return sum_slots(judge, facts);
}

bool judge_verdict(const struct judge_facts *facts, char *reason, size_t size)
{
	if (!facts->flows)
		snprintf(reason, size, "no connections");
	else if (facts->broken)
		snprintf(reason, size, "%u of %u connections broke", facts->broken, facts->flows);
	else if (facts->seen != facts->flows)
		snprintf(reason, size, "the device received packets of only %u of %u connections",
			 facts->seen, facts->flows);
	else if (!facts->slots_used || facts->slots_served != facts->slots_used)
		snprintf(reason, size, "only %u of %u slots have a flow on its reader's queue",
			 facts->slots_served, facts->slots_used);
	else if (facts->slots_idle)
		snprintf(reason, size, "%u slots serve no flow although one of theirs is astray",
			 facts->slots_idle);
	else if (facts->readded)
		snprintf(reason, size, "%u flows had their filter deleted and added again",
			 facts->readded);
	else if (facts->extra_writes)
		snprintf(reason, size, "%u filter writes beyond what the traffic asks for",
			 facts->extra_writes);
	else
		return true;
	return false;
}

/* Slot of a flow, counted through all queues; -1 if nothing is known of it. */
static long slot_of(const struct judge *judge, const struct judge_flow *flow)
{
	int queue = queue_of(judge, flow->reader);

	if (queue < 0 || flow->last < 0)
		return -1;
	return (long)queue * judge->slots + judge_slot(flow->hash, judge->slots, judge->slot_of);
}

static void explain_flow(const struct judge *judge, const struct judge_flow *flow, FILE *file)
{
	fprintf(file, "  port %u: hash %08x reader %u moved %u, queue %d, last on %d, filter to %d,",
		flow->tuple.source_port, flow->hash, flow->reader, flow->reader_moves,
		queue_of(judge, flow->reader), flow->last, flow->filter);
	fprintf(file, " %u adds %u moves %u deletes %u failed\n", flow->adds, flow->moves,
		flow->deletes, flow->failed);
}

/* Explain the slot of a flow, if the flow is the first of it and nobody is served. */
static void explain_slot(const struct judge *judge, size_t first, FILE *file)
{
	long slot = slot_of(judge, &judge->flows[first]);
	struct slot_state state = {};

	if (slot < 0)
		return;
	for (size_t i = 0; i < judge->n_flows; i++) {
		const struct judge_flow *flow = &judge->flows[i];

		if (slot_of(judge, flow) != slot)
			continue;
		if (i < first)
			return;
		add_to_slot(&state, flow, queue_of(judge, flow->reader));
	}
	if (!state.astray || state.held)
		return;
	fprintf(file, "slot %ld of queue %ld serves nobody:\n", slot % judge->slots,
		slot / judge->slots);
	for (size_t i = first; i < judge->n_flows; i++)
		if (slot_of(judge, &judge->flows[i]) == slot)
			explain_flow(judge, &judge->flows[i], file);
}

void judge_explain(const struct judge *judge, FILE *file)
{
	for (size_t i = 0; i < judge->n_flows; i++)
		explain_slot(judge, i, file);
}
