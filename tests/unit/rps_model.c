// SPDX-License-Identifier: GPL-2.0-only
/* The patched core in small: which CPU a packet goes to, backlogs, direct processing. */
#include "rps_model.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

void model_break(struct model *m, const char *format, ...)
{
	va_list args;

	if (m->broken[0])
		return;
	va_start(args, format);
	vsnprintf(m->broken, sizeof(m->broken), format, args);
	va_end(args);
}

void model_note(struct model *m, const char *format, ...)
{
	char *line = m->trace[m->lines % MODEL_TRACE];
	va_list args;

	if (!m->tracing || m->broken[0])
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(m->trace[0]), format, args);
	va_end(args);
	m->lines++;
}

u32 model_random(struct model *m, u32 limit)
{
	return unit_random(&m->random) % limit;
}

u16 model_now(const struct model *m)
{
	return rps_steer_ticks(m->time, 0);
}

u32 model_slot_index(const struct model *m, const struct model_table *table, u32 hash)
{
	/* The multiplier of hash_32(): golden ratio, linux/hash.h. */
	if (m->spread)
		return rps_steer_slot(hash * 0x61C88647U, table->log);
	return hash & ((1U << table->log) - 1);
}

static bool cpu_usable(const struct model *m, u32 cpu)
{
	return cpu < m->cpus && m->cpu[cpu].online;
}

static bool slot_drained(const struct model *m, const struct model_slot *slot)
{
	return !cpu_usable(m, slot->cpu) ||
	       rps_steer_drained(m->cpu[slot->cpu].head, slot->tail);
}

bool model_slot_active(const struct model *m, const struct model_table *table,
		       const struct model_slot *slot)
{
	u32 slots = 1U << table->log;
	const struct model_cpu *cpu;

	if (slot->cpu >= m->cpus)
		return false;
	cpu = &m->cpu[slot->cpu];
	if (m->stock)
		return (s32)(cpu->head - slot->tail) < (s32)(10 * (slots - 1));
	return rps_steer_active(cpu->head, slot->tail, slots, model_now(m), slot->used);
}

static enum rps_steer_owner slot_owner(const struct model *m, const struct model_table *table,
				       const struct model_slot *slot, u32 hash)
{
	return rps_steer_owner(slot->filter, slot->hash, hash, model_slot_active(m, table, slot));
}

static void slot_send_to(struct model *m, struct model_slot *slot, u32 cpu)
{
	slot->tail = m->cpu[cpu].head;
	slot->cpu = cpu;
}

void model_table_init(struct model *m, u8 queue, u8 log)
{
	struct model_table *table = &m->tables[queue];
	u32 i;

	memset(table, 0, sizeof(*table));
	table->log = log;
	for (i = 0; i < 1U << log; i++) {
		table->slots[i].cpu = RPS_STEER_NO_CPU;
		table->slots[i].filter = RPS_STEER_NO_FILTER;
		table->slots[i].asked = rps_steer_never_asked(model_now(m));
	}
}

u8 model_arrives_on(const struct model_flow *flow)
{
	return flow->has == MODEL_NO_QUEUE ? flow->rss : flow->has;
}

static u32 *record_of(struct model *m, const struct model_flow *flow)
{
	return &m->records[flow->hash % MODEL_RECORDS];
}

int model_recorded_cpu(const struct model *m, const struct model_flow *flow)
{
	u32 record = m->records[flow->hash % MODEL_RECORDS];

	return rps_steer_recorded_cpu(record, flow->hash & ~(MODEL_CPUS - 1U), MODEL_CPUS - 1,
				      m->cpus);
}

bool model_owns_home(const struct model *m, const struct model_flow *flow, u8 queue)
{
	int cpu = model_recorded_cpu(m, flow);
	const struct model_table *table;
	const struct model_slot *home;

	if (cpu < 0 || m->queue_of[cpu] != queue)
		return false;
	table = &m->tables[queue];
	home = &table->slots[model_slot_index(m, table, flow->hash)];
	return home->filter != RPS_STEER_NO_FILTER && home->hash == flow->hash &&
	       !rps_steer_lapsed(model_now(m), home->used, home->asked);
}

bool model_in_transit(const struct model *m, const struct model_flow *flow)
{
	int cpu = model_recorded_cpu(m, flow);

	if (flow->late || (flow->lost_at && m->time - flow->lost_at < RPS_STEER_LAPSE_TICKS))
		return true;
	return cpu >= 0 && model_arrives_on(flow) != m->queue_of[cpu] &&
	       model_owns_home(m, flow, m->queue_of[cpu]);
}

void model_excuse(struct model *m, struct model_flow *flow)
{
	flow->excused = true;
	flow->excused_at = m->time;
}

/* Nothing waits that could be overtaken, and the slots of the last move have lapsed. */
static void settle_excuse(const struct model *m, struct model_flow *flow)
{
	if (!flow->waiting && !flow->listed && !flow->late &&
	    m->time - flow->excused_at >= RPS_STEER_LAPSE_TICKS)
		flow->excused = false;
}

/* Two caches: the lower and the upper half of the CPUs. */
static bool share_cache(u32 a, u32 b)
{
	return a / (MODEL_CPUS / 2) == b / (MODEL_CPUS / 2);
}

void model_read(struct model *m, struct model_flow *flow)
{
	u32 new = (flow->hash & ~(MODEL_CPUS - 1U)) | flow->reader;
	u32 *record = record_of(m, flow);
	int cpu;
	u32 i;

	if (*record == new)
		return;
	if (m->llc) {
		cpu = rps_steer_recorded_cpu(*record, new, MODEL_CPUS - 1, m->cpus);
		if (cpu >= 0 && m->cpu[cpu].online && share_cache(cpu, flow->reader))
			return;
	}
	/* The window that each kernel has: the reader moves again before the device is done. */
	for (i = 0; i < m->flows; i++)
		if (m->flow[i].hash == flow->hash && model_in_transit(m, &m->flow[i]))
			model_excuse(m, &m->flow[i]);
	*record = new;
	model_note(m, "flow %u is read on cpu %u", (u32)(flow - m->flow), flow->reader);
}

/* Counts the calls, and holds the core to its promise of not calling too often. */
static int ask(struct model *m, struct model_flow *flow, u8 queue, struct model_slot *home)
{
	u32 index = home - m->tables[queue].slots;
	int rc;

	if (!m->stock && home->asked_at && m->time - home->asked_at < RPS_STEER_ASK_TICKS)
		model_break(m, "the driver is asked for queue %u slot %u again after %u ticks",
			    queue, index, (u32)(m->time - home->asked_at));
	home->asked_at = m->time;
	m->calls++;
	rc = model_steer(m, flow, queue, index);
	model_note(m, "  asked: flow %u to queue %u slot %u: %d", (u32)(flow - m->flow), queue,
		   index, rc);
	return rc;
}

/* Refused: who it was is noted, or others would not get a turn; not over an owner who may come back. */
static void home_refused(struct model_slot *home, enum rps_steer_owner owner, u32 hash)
{
	if (owner != RPS_STEER_FREE ||
	    (home->filter != RPS_STEER_NO_FILTER && home->hash != hash))
		return;
	home->filter = RPS_STEER_NO_FILTER;
	home->hash = hash;
}

/* A misdelivered packet: ask, perhaps. Returns the slot that says where the packet goes. */
static struct model_slot *steer_home(struct model *m, struct model_flow *flow,
				     struct model_slot *arrival, enum rps_steer_owner arrival_owner,
				     u8 queue, u32 next_cpu, bool *fixed)
{
	struct model_table *table = &m->tables[queue];
	struct model_slot *home = &table->slots[model_slot_index(m, table, flow->hash)];
	enum rps_steer_owner owner = slot_owner(m, table, home, flow->hash);
	bool rides = arrival_owner == RPS_STEER_TAKEN;
	u16 now = model_now(m);
	bool settled, carry;
	int rc;

	if (owner == RPS_STEER_OURS && rps_steer_lapsed(now, home->used, home->asked))
		owner = RPS_STEER_FREE;
	if (owner == RPS_STEER_TAKEN && arrival_owner == RPS_STEER_OURS)
		arrival->used = rps_steer_long_idle(now);
	settled = owner == RPS_STEER_OURS &&
		  (arrival_owner != RPS_STEER_OURS || arrival->filter == home->filter);
	if (settled) {
		if (arrival_owner == RPS_STEER_OURS)
			arrival->filter = RPS_STEER_NO_FILTER;
		*fixed = false;
	}
	if (!rps_steer_may_ask(owner, home->hash == flow->hash, now, home->used, home->asked))
		return settled ? home : arrival;
	carry = rides || !slot_drained(m, arrival);
	if (!settled && !rps_steer_in_order(slot_drained(m, home), rides || !carry,
					    arrival->cpu == next_cpu))
		return arrival;

	home->asked = now;
	rc = ask(m, flow, queue, home);
	if (rc < 0) {
		home_refused(home, owner, flow->hash);
		return settled ? home : arrival;
	}
	home->hash = flow->hash;
	home->used = now;
	home->filter = rc;
	if (settled)
		return home;
	if (arrival_owner == RPS_STEER_OURS)
		arrival->filter = RPS_STEER_NO_FILTER;
	if (carry) {
		home->tail = arrival->tail;
		home->cpu = arrival->cpu;
	} else {
		slot_send_to(m, home, next_cpu);
	}
	*fixed = false;
	return home;
}

static struct model_slot *steer(struct model *m, struct model_flow *flow, u8 arrived,
				struct model_slot *slot, u32 next_cpu, bool *fixed)
{
	enum rps_steer_owner owner = slot_owner(m, &m->tables[arrived], slot, flow->hash);

	*fixed = owner == RPS_STEER_TAKEN;
	if (owner == RPS_STEER_FREE && slot_drained(m, slot))
		slot->filter = RPS_STEER_NO_FILTER;
	if (m->queue_of[next_cpu] != arrived)
		return steer_home(m, flow, slot, owner, m->queue_of[next_cpu], next_cpu, fixed);
	if (owner == RPS_STEER_OURS)
		slot->used = model_now(m);
	return slot;
}

/* What the core does without the series when a slot may change its CPU. */
static struct model_slot *stock_set_cpu(struct model *m, struct model_flow *flow, u8 arrived,
					struct model_slot *slot, u32 next_cpu)
{
	u8 queue = m->queue_of[next_cpu];
	struct model_slot *old = slot;
	int rc;

	if (queue != arrived) {
		struct model_table *table = &m->tables[queue];
		struct model_slot *home;

		home = &table->slots[model_slot_index(m, table, flow->hash)];
		rc = ask(m, flow, queue, home);
		if (rc >= 0) {
			slot = home;
			slot->filter = rc;
			if (old->filter == rc)
				old->filter = RPS_STEER_NO_FILTER;
		}
	}
	slot_send_to(m, slot, next_cpu);
	return slot;
}

/* CPU that a packet goes to and the slot it is accounted in; -1: no CPU, it stays here. */
static int route_packet(struct model *m, struct model_flow *flow, u8 arrived,
			struct model_slot **through)
{
	struct model_table *table = &m->tables[arrived];
	int next_cpu = model_recorded_cpu(m, flow);
	struct model_slot *slot;
	bool fixed = false;

	*through = NULL;
	if (next_cpu < 0)
		return -1;
	slot = &table->slots[model_slot_index(m, table, flow->hash)];
	if (!m->stock)
		slot = steer(m, flow, arrived, slot, next_cpu, &fixed);
	if (slot->cpu != next_cpu &&
	    (!cpu_usable(m, slot->cpu) || (!fixed && slot_drained(m, slot)))) {
		if (m->stock)
			slot = stock_set_cpu(m, flow, arrived, slot, next_cpu);
		else
			slot_send_to(m, slot, next_cpu);
	}
	if (!cpu_usable(m, slot->cpu))
		return -1;
	*through = slot;
	return slot->cpu;
}

/* Slots of other flows that are active, as they were before a packet. */
struct held {
	struct model_slot *slot;
	struct model_slot was;
	bool protected;
};

static void hold(struct model *m, const struct model_flow *flow, u8 queue, struct held *held)
{
	struct model_table *table = &m->tables[queue];

	held->slot = &table->slots[model_slot_index(m, table, flow->hash)];
	held->was = *held->slot;
	held->protected = held->was.filter != RPS_STEER_NO_FILTER &&
			  held->was.hash != flow->hash && cpu_usable(m, held->was.cpu) &&
			  model_slot_active(m, table, held->slot);
}

static void check_held(struct model *m, const struct model_flow *flow, const struct held *held)
{
	const struct model_slot *slot = held->slot, *was = &held->was;

	if (held->protected &&
	    (slot->cpu != was->cpu || slot->filter != was->filter || slot->hash != was->hash ||
	     slot->used != was->used || slot->asked != was->asked))
		model_break(m, "a packet of flow %u changed the slot of another, hash %08x",
			    (u32)(flow - m->flow), was->hash);
}

static int route_checked(struct model *m, struct model_flow *flow, u8 arrived,
			 struct model_slot **through)
{
	int next_cpu = model_recorded_cpu(m, flow);
	u8 home_queue = next_cpu < 0 ? arrived : m->queue_of[next_cpu];
	struct held arrival, home;
	int cpu;

	if (m->stock)
		return route_packet(m, flow, arrived, through);
	hold(m, flow, arrived, &arrival);
	hold(m, flow, home_queue, &home);
	cpu = route_packet(m, flow, arrived, through);
	check_held(m, flow, &arrival);
	check_held(m, flow, &home);
	return cpu;
}

/* The end of a packet's way: in the order in which it came, or the run has failed. */
static void process(struct model *m, const struct model_packet *packet)
{
	struct model_flow *flow = &m->flow[packet->flow];

	m->processed++;
	m->judged += !flow->excused && !flow->twins;
	if ((s32)(packet->number - flow->done) < 0) {
		m->reordered++;
		if (!flow->excused && !flow->twins && !m->strict && !m->stock)
			model_break(m, "packet %u of flow %u is processed after packet %u",
				    packet->number, packet->flow, flow->done);
	} else {
		flow->done = packet->number;
	}
	settle_excuse(m, flow);
}

static void enqueue(struct model *m, u32 to, const struct model_packet *packet,
		    struct model_slot *through)
{
	struct model_cpu *cpu = &m->cpu[to];

	/* As net.core.netdev_max_backlog does. */
	if (cpu->count == MODEL_WAITING)
		return;
	if (cpu->count == cpu->taken)
		cpu->scheduled = true;
	cpu->waiting[(cpu->first + cpu->count++) % MODEL_WAITING] = *packet;
	m->flow[packet->flow].waiting++;
	cpu->tail++;
	if (through)
		through->tail = cpu->tail;
}

static bool direct(struct model *m, u32 here, int to, struct model_slot *through)
{
	struct model_cpu *cpu = &m->cpu[here];

	if (!m->direct || !rps_steer_direct(to == (int)here, cpu->scheduled, false) ||
	    !rps_steer_drained(cpu->head, through->tail))
		return false;
	through->tail = cpu->head;
	if (++cpu->uncounted >= RPS_STEER_DIRECT_LOT) {
		cpu->head += cpu->uncounted;
		cpu->tail += cpu->uncounted;
		cpu->uncounted = 0;
	}
	m->directly++;
	return true;
}

/* For the trace: queue and number of a slot, and packets that wait there. */
static const char *slot_name(const struct model *m, const struct model_slot *slot, char *name)
{
	u32 queue;

	name[0] = 0;
	for (queue = 0; slot && m->tracing && queue < m->queues; queue++) {
		u64 index = slot - m->tables[queue].slots;

		if (index < 1 << MODEL_LOG_MAX)
			snprintf(name, 40, "queue %u slot %llu filter %u", queue, index,
				 slot->filter);
	}
	return name;
}

/* What is left on a list is processed in the order of the list. */
static void process_list(struct model *m, struct model_packet *list, u32 *count)
{
	u32 i;

	for (i = 0; i < *count; i++) {
		struct model_flow *flow = &m->flow[list[i].flow];

		flow->listed--;
		process(m, &list[i]);
	}
	*count = 0;
}

void model_receive(struct model *m, u8 queue, const u8 *flows, u32 count)
{
	struct model_packet packets[MODEL_LIST], left[MODEL_LIST];
	u32 here = m->irq_cpu[queue];
	struct model_slot *through;
	u32 i, pending = 0;
	char name[40];
	int to;

	m->cpu[here].polling = true;
	for (i = 0; i < count; i++) {
		m->flow[flows[i]].listed++;
		packets[i] = (struct model_packet) { .flow = flows[i], .queue = queue,
						     .number = ++m->flow[flows[i]].sent };
	}
	for (i = 0; i < count; i++) {
		struct model_flow *flow = &m->flow[flows[i]];

		to = route_checked(m, flow, queue, &through);
		model_note(m, "cpu %u queue %u: packet %u of flow %u to cpu %d, %u wait, via %s",
			   here, queue, packets[i].number, flows[i], to, flow->waiting,
			   slot_name(m, through, name));
		if (to < 0 || direct(m, here, to, through)) {
			/* What no CPU is found for stays on the list, which goes on without it. */
			if (to < 0 && !m->direct)
				model_excuse(m, flow);
			left[pending++] = packets[i];
			/* Lists are taken apart: what is before on the list is done with. */
			if (m->direct)
				process_list(m, left, &pending);
		} else {
			flow->listed--;
			enqueue(m, to, &packets[i], through);
		}
		if (m->meanwhile)
			m->meanwhile(m, here);
	}
	process_list(m, left, &pending);
	m->cpu[here].polling = false;
}

void model_backlog(struct model *m, u32 cpu, u32 quota)
{
	struct model_cpu *c = &m->cpu[cpu];
	struct model_packet packet;
	u32 work = 0;

	while (c->scheduled && work < quota) {
		if (!c->taken) {
			c->taken = c->count;
			c->scheduled = c->count;
			continue;
		}
		packet = c->waiting[c->first];
		c->first = (c->first + 1) % MODEL_WAITING;
		c->count--;
		c->taken--;
		work++;
		m->flow[packet.flow].waiting--;
		process(m, &packet);
	}
	/* The clock moves when the CPU leaves the backlog, after the packets. */
	c->head += work;
	if (work)
		model_note(m, "cpu %u took %u packets, %u left", cpu, work, c->count);
}

void model_offline(struct model *m, u32 cpu)
{
	struct model_cpu *c = &m->cpu[cpu];
	struct model_slot *through;
	u32 i, other = 0;
	int to;

	for (i = 0; i < m->flows; i++)
		if (m->flow[i].waiting)
			model_excuse(m, &m->flow[i]);
	c->online = false;
	while (!m->cpu[other].online)
		other++;
	for (i = 0; i < m->queues; i++)
		if (m->irq_cpu[i] == cpu)
			m->irq_cpu[i] = other;
	c->taken = 0;
	c->scheduled = false;
	while (c->count) {
		struct model_packet packet = c->waiting[c->first];

		c->first = (c->first + 1) % MODEL_WAITING;
		c->count--;
		m->flow[packet.flow].waiting--;
		to = route_checked(m, &m->flow[packet.flow], packet.queue, &through);
		enqueue(m, to < 0 ? (int)other : to, &packet, through);
		c->head++;
	}
}
