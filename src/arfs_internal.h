/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside of the flow table, shared by the files arfs_*.c.
 *
 * Locks, outer first, all with bottom halves off:
 *  bucket lock	the flows of one bucket: being in it, their claim, filter, ages
 *  line lock	who owns a slot and who waits for it, in order
 *  id lock	the filter ids
 * Two bucket locks, or two line locks, are never held at once. So a slot that is passed on under
 * the line lock reaches the heir's filter later, when the service takes the heir's bucket lock.
 */
#ifndef ARFS_INTERNAL_H
#define ARFS_INTERNAL_H

#include <linux/atomic.h>
#include <linux/llist.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

#include "arfs_ids.h"
#include "arfs_policy.h"
#include "arfs_table.h"

/* Flows that may wait for one slot; a line is searched with its lock held. */
#define ARFS_LINE_MAX	8

/*
 * Queues of flows that have to wait: one for each level of the retry delays, one for the reports,
 * and one for filters that moved not long ago. In the last, whose flows are due at times of their
 * own, one may stand behind another that is due later, by the interval between moves at most.
 */
#define ARFS_REPORT_LEVEL	ARFS_DELAY_LEVELS
#define ARFS_MOVE_QUEUE		(ARFS_REPORT_LEVEL + 1)
#define ARFS_DELAY_QUEUES	(ARFS_MOVE_QUEUE + 1)
/* Counters of requests of flows without a filter. */
#define ARFS_NOVICES		8192U
/* Level of a filter whose id is still on another filter in the hardware: 10 ms. */
#define ARFS_ID_WAIT_LEVEL	0
/* Level of a filter that was just written, until its packets follow: 80 ms. */
#define ARFS_SETTLE_LEVEL	3
/* Level of a filter for which the hardware has no room: 640 ms. */
#define ARFS_FULL_LEVEL		6

/* Reports under way to the service; see ARFS_FLOWS_PER_CALL. */
#define ARFS_REPORTS		1024

/**
 * enum arfs_place - where a flow is in the line for its slot
 * @ARFS_PLACE_NONE: not in line
 * @ARFS_PLACE_WAITS: another flow owns the slot
 * @ARFS_PLACE_OWNS: it owns the slot
 */
enum arfs_place {
	ARFS_PLACE_NONE,
	ARFS_PLACE_WAITS,
	ARFS_PLACE_OWNS,
};

/**
 * struct arfs_flow - a flow that the core asked to steer
 * @key_node: in its bucket; changed under the bucket lock, walked under RCU
 * @claim: slot, id and standing (arfs_claim_pack()); written under the bucket lock, read without
 * @key: 5-tuple; never changes
 * @hash: hash of @key; never changes
 * @filter: its filter; bucket lock
 * @bars: rules of the user for this tuple; bucket lock
 * @age: how long the core has let the filter go, or how long the flow has waited; bucket lock
 * @due_at: when to serve it again, while it is delayed; service only
 * @delay_node: in one of the table's delay queues; service only
 * @overdue: the delay is over, so a report that has not come does not come; service only
 * @seq: number of the flow's last write; service only
 * @moved: the filter has been moved at least once; service only
 * @moved_at: when it was last; service only
 * @resting: the core is not granted another slot: the filter was just written or moved; bucket lock
 * @absences: deletions in a row of which the device said that there was no filter; service only
 * @line_node: in the line of its slot; line lock
 * @slot: the slot whose line it is in; changed under bucket lock and line lock, read under either
 * @place: enum arfs_place; changed under the line lock, from ARFS_PLACE_NONE and to it under the
 *	bucket lock too; READ_ONCE elsewhere
 * @slot_id: id that the core keeps in the slot; ARFS_NO_ID when that is not known; line lock. While
 *	@inherits is set this flow is a holder of it
 * @inherits: the slot was passed to it and its filter does not yet have @slot_id; line lock
 * @patience: packets that are still told the owner's id, while it waits
 * @work_node: in the table's work list, while @queued
 * @queued: 1 while in the work list; set by who queues it, cleared by the service
 * @cache: where it was allocated; never changes
 * @rcu: for freeing
 */
struct arfs_flow {
	struct hlist_node key_node;
	atomic64_t claim;
	struct arfs_flow_key key;

	u32 hash;
	struct arfs_filter filter;
	struct arfs_age age;
	u32 bars;

	u32 due_at;
	struct list_head delay_node;
	bool overdue;
	bool moved;
	bool resting;
	u8 absences;
	u16 seq;
	u32 moved_at;

	struct list_head line_node;
	struct arfs_slot slot;
	u8 place;
	bool inherits;
	u16 slot_id;
	atomic_t patience;

	struct llist_node work_node;
	atomic_t queued;

	struct kmem_cache *cache;
	struct rcu_head rcu;
};

/**
 * struct arfs_bucket - flows whose keys have one hash
 * @lock: see the top of the file
 * @flows: by @key_node
 */
struct arfs_bucket {
	spinlock_t lock;	/* bucket lock */
	struct hlist_head flows;
};

/**
 * struct arfs_line - owners of, and waiters for, the slots of one hash
 * @lock: see the top of the file
 * @flows: by @line_node; the owner of a slot before its waiters, these in the order they came
 */
struct arfs_line {
	spinlock_t lock;	/* line lock */
	struct list_head flows;
};

/**
 * struct arfs_counts - counters of one CPU
 * @n: by enum arfs_count
 */
struct arfs_counts {
	unsigned long n[ARFS_COUNTS];
};

/**
 * struct arfs_report_entry - one report
 * @tag: of the write
 * @report: enum arfs_report
 */
struct arfs_report_entry {
	u32 tag;
	u8 report;
};

/**
 * struct arfs_reports - reports on their way from the interrupt to the service
 * @begin: first entry to be read; written by the service
 * @end: one after the last; written by the interrupt
 * @entry: ring, by position modulo ARFS_REPORTS
 */
struct arfs_reports {
	u32 begin;
	u32 end;
	struct arfs_report_entry entry[ARFS_REPORTS];
};

/**
 * struct arfs_table - all steered flows of one device
 * @ops: what the owner provides
 * @owner: its argument
 * @open: requests are served; written by open and close, read under RCU
 * @draining: requests are refused and all filters given up, but the service runs; as @open
 * @hash_seed: of both hashes
 * @mask: number of buckets, and of lines, less one
 * @buckets: by hash of the key
 * @lines: by hash of the slot
 * @id_lock: protects @ids
 * @ids: filter ids
 * @limit: filters that may be held; READ_ONCE/WRITE_ONCE with arfs_table_set_limit()
 * @novices: by hash of the key, requests of flows without a filter; shared by those with one hash.
 *	NULL unless the core asks once
 * @patience: packets for which a flow that waits is told the owner's id; never changes
 * @queues: rx queues there are; READ_ONCE/WRITE_ONCE with arfs_table_set_queues()
 * @move_interval: milliseconds between two moves of one filter at least; READ_ONCE/WRITE_ONCE with
 *	arfs_table_set_move_interval()
 * @flows: flows in the buckets
 * @held: flows whose filter is wanted
 * @waiting: flows in line
 * @used: by enum arfs_protocol, flows whose filter is wanted or live
 * @live: by enum arfs_protocol, flows whose filter is, or may be, in the hardware
 * @counts: per CPU
 * @flow_cache: slab of struct arfs_flow
 * @work: flows with something to do, newest first
 * @todo: the part of the work list that the service has taken and not yet served, oldest first;
 *	service only
 * @reports: of the hardware
 * @seq: number of the last write, so that no two writes with one id have the same; service only
 * @hearing: whether the hardware reports how writes went; service only
 * @writer: by id, hash of the flow that wrote a filter with it last; service only
 * @full: the hardware had no room lately; written by the service, READ_ONCE elsewhere
 * @full_at: when it said so; service only
 * @full_streak: adds in a row for which it had no room; service only
 * @delayed: by delay level, flows that have to wait, the first to be due first; service only
 * @cursor: bucket at which the next look for idle flows begins; service only
 * @looked_at: time of the last look; service only
 */
struct arfs_table {
	const struct arfs_table_ops *ops;
	void *owner;
	bool open;
	bool draining;
	u32 hash_seed;
	u32 mask;
	struct arfs_bucket *buckets;
	struct arfs_line *lines;

	spinlock_t id_lock;	/* id lock */
	struct arfs_ids *ids;

	u32 limit;
	u8 *novices;
	u32 patience;
	u32 move_interval;
	u32 queues;
	atomic_t flows;
	atomic_t held;
	atomic_t waiting;
	atomic_t used[ARFS_PROTOCOLS];
	atomic_t live[ARFS_PROTOCOLS];
	struct arfs_counts __percpu *counts;
	struct kmem_cache *flow_cache;

	struct llist_head work;
	struct llist_node *todo;
	struct arfs_reports reports;
	u16 seq;
	struct arfs_hearing hearing;
	u32 *writer;
	bool full;
	u32 full_at;
	u32 full_streak;
	struct list_head delayed[ARFS_DELAY_QUEUES];
	u32 cursor;
	u32 looked_at;
};

#define arfs_count(table, what)		this_cpu_inc((table)->counts->n[what])

/* arfs_line.c */
enum arfs_slot_verdict arfs_line_join(struct arfs_table *table, struct arfs_flow *flow,
				      struct arfs_slot slot, u16 *id);
void arfs_line_set_id(struct arfs_table *table, struct arfs_flow *flow, u16 id);
bool arfs_line_owned(struct arfs_table *table, struct arfs_slot slot);
bool arfs_line_leave(struct arfs_table *table, struct arfs_flow *flow);
bool arfs_line_inherit(struct arfs_table *table, struct arfs_flow *flow, u16 *id);

/* arfs_table.c */
u32 arfs_key_hash(const struct arfs_table *table, const struct arfs_flow_key *key);
struct arfs_bucket *arfs_bucket_of(struct arfs_table *table, u32 hash);
struct arfs_flow *arfs_flow_find(struct arfs_table *table, u32 hash,
				 const struct arfs_flow_key *key);
struct arfs_flow *arfs_flow_alloc(struct arfs_table *table, u32 hash,
				  const struct arfs_flow_key *key);
void arfs_flow_insert(struct arfs_table *table, struct arfs_bucket *bucket,
		      struct arfs_flow *flow);
void arfs_flow_queue(struct arfs_table *table, struct arfs_flow *flow);
enum arfs_write arfs_flow_step(struct arfs_table *table, struct arfs_flow *flow,
			       enum arfs_event event, struct arfs_target target);
void arfs_flow_notice(struct arfs_table *table, const struct arfs_flow *flow,
		      enum arfs_notice notice, struct arfs_target target, int error);
void arfs_flow_publish(struct arfs_table *table, struct arfs_flow *flow);
void arfs_flow_adopt(struct arfs_table *table, struct arfs_flow *flow);
void arfs_flow_forgo(struct arfs_table *table, struct arfs_flow *flow, enum arfs_count why);

/* arfs_write.c */
void arfs_flow_serve(struct arfs_table *table, struct arfs_flow *flow, u32 now);
void arfs_serve_reports(struct arfs_table *table, u32 now);

u16 arfs_id_take(struct arfs_table *table);
bool arfs_id_share(struct arfs_table *table, u16 id);
void arfs_id_drop(struct arfs_table *table, u16 id);
u32 arfs_id_holders(struct arfs_table *table, u16 id);

#endif /* ARFS_INTERNAL_H */
