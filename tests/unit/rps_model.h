/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small network stack in which the decisions of rps_steer.h are at work.
 *
 * CPUs with backlogs, rx queues with tables of slots, a device that steers flows, and a driver that
 * is asked for it. The patched core is told here once more, in a form in which each step is atomic
 * and the state is open to those who check it. What differs between kernel lines is an option of
 * the world: where the hash's slot is, and when the backlog's clock is moved.
 */
#ifndef RPS_MODEL_H
#define RPS_MODEL_H

#include <linux/types.h>

#include "rps_steer.h"

enum {
	MODEL_CPUS = 8,
	MODEL_QUEUES = 6,
	MODEL_FLOWS = 24,
	MODEL_LOG_MAX = 5,
	MODEL_RECORDS = 64,
	MODEL_WAITING = 512,
	MODEL_LIST = 12,
	MODEL_TRACE = 400,
};

#define MODEL_NO_QUEUE	0xff

/**
 * struct model_slot - a slot, with what only the test knows
 * @asked_at: time of the last call of the driver for this slot, 0 if there was none
 */
struct model_slot {
	u16 cpu;
	u16 filter;
	u32 tail;
	u32 hash;
	u16 used;
	u16 asked;
	u64 asked_at;
};

struct model_table {
	u8 log;
	struct model_slot slots[1 << MODEL_LOG_MAX];
};

struct model_packet {
	u8 flow;
	u8 queue;
	u32 number;
};

/**
 * struct model_cpu - a CPU and its backlog
 * @waiting: ring of packets; @first is the next one, @count their number
 * @taken: of these, how many the CPU has taken from the queue that others add to
 * @scheduled: the backlog waits to be processed or is being processed
 * @uncounted: packets processed directly that head and tail do not show yet
 * @old: value of @tail when the last tick began
 */
struct model_cpu {
	bool online;
	bool scheduled;
	bool polling;
	u32 head, tail;
	u32 first, count, taken;
	u32 uncounted, old;
	struct model_packet waiting[MODEL_WAITING];
};

/**
 * struct model_flow - a flow, its reader, and what driver and device have for it
 * @twins: there is another flow with this hash, which the core takes for the same one
 * @sent: packets that arrived at a CPU, @done: number of the last one processed
 * @waiting: packets in backlogs, @listed: in a list that is being received
 * @granted: the driver has a filter for queue @queue, slot @slot, under @id
 * @has: queue that the device steers the flow to; @late: that is not what the driver granted
 * @refused_at: time of the last refusal, @right_at: when it last arrived on its reader's queue,
 * @late_since: when the driver promised, @lost_at: when the device lost or removed a filter
 * @banned: the driver always refuses this flow
 * @excused: since @excused_at its packets may be out of order, as on any kernel
 */
struct model_flow {
	u32 hash;
	bool twins;
	u8 rss;
	u8 reader;
	u32 sent, done;
	u32 waiting, listed;
	bool granted;
	u8 queue;
	u32 slot;
	u16 id;
	u8 has;
	bool late;
	bool banned;
	bool silent;
	bool excused;
	u64 refused_at, right_at, late_since, lost_at, excused_at;
};

/**
 * struct model - the world
 * @stock: the core as it is without the series
 * @spread: slots by the high bits of the multiplied hash, as in 7.3; else by the low bits
 * @fresh_ids: the driver gives a new id for each move
 * @strict: nothing is excused, reordered packets are only counted
 */
struct model {
	u64 random;
	u64 time;
	bool stock, spread, fresh_ids, strict;
	bool direct, llc;
	bool refusing;
	u32 cpus, queues, flows, room;
	u16 next_id;
	u8 queue_of[MODEL_CPUS];
	u8 irq_cpu[MODEL_QUEUES];
	u32 records[MODEL_RECORDS];
	struct model_table tables[MODEL_QUEUES];
	struct model_cpu cpu[MODEL_CPUS];
	struct model_flow flow[MODEL_FLOWS];

	u32 calls, reordered, processed, directly, judged;
	/* Called between two packets of a list: what other CPUs do in the meantime. */
	void (*meanwhile)(struct model *m, u32 cpu);

	/* First broken rule; the rest of the run means nothing. */
	char broken[400];
	bool tracing;
	u32 lines;
	char trace[MODEL_TRACE][120];
};

/** model_break() - a rule is broken; only the first one is kept */
void model_break(struct model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** model_note() - a line of the event trace */
void model_note(struct model *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** model_random() - a number below @limit */
u32 model_random(struct model *m, u32 limit);

u16 model_now(const struct model *m);
u32 model_slot_index(const struct model *m, const struct model_table *table, u32 hash);
bool model_slot_active(const struct model *m, const struct model_table *table,
		       const struct model_slot *slot);
/** model_recorded_cpu() - CPU where the flow is read as far as the core knows, or -1 */
int model_recorded_cpu(const struct model *m, const struct model_flow *flow);
/** model_excuse() - what waits of a flow may be overtaken from now on, until all of it is gone */
void model_excuse(struct model *m, struct model_flow *flow);
/** model_owns_home() - a flow is read where @queue belongs and owns its slot there */
bool model_owns_home(const struct model *m, const struct model_flow *flow, u8 queue);
/** model_in_transit() - a move was granted, and the device does not deliver accordingly (yet) */
bool model_in_transit(const struct model *m, const struct model_flow *flow);
/** model_arrives_on() - queue on which the device delivers a flow */
u8 model_arrives_on(const struct model_flow *flow);
void model_table_init(struct model *m, u8 queue, u8 log);

/** model_read() - a flow is read by its reader: the record may move */
void model_read(struct model *m, struct model_flow *flow);
/** model_receive() - the CPU of @queue takes packets of these flows, in this order */
void model_receive(struct model *m, u8 queue, const u8 *flows, u32 count);
/** model_backlog() - a CPU processes up to @quota packets of its backlog */
void model_backlog(struct model *m, u32 cpu, u32 quota);
/** model_offline() - a CPU goes; what waits there is received once more by another one */
void model_offline(struct model *m, u32 cpu);

/* Driver and device. */
/** model_steer() - ndo_rx_flow_steer(); filter id or a negative number */
int model_steer(struct model *m, struct model_flow *flow, u8 queue, u32 slot);
/** model_carry_out() - the device does what the driver granted, if no packet is on its way */
bool model_carry_out(struct model *m, struct model_flow *flow);
/** model_lose() - the device loses the filter of a flow, and the driver learns of it */
void model_lose(struct model *m, struct model_flow *flow);
/** model_expire() - the driver removes filters that the core has no use for */
void model_expire(struct model *m);

#endif /* RPS_MODEL_H */
