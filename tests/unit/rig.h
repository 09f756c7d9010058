/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the tests of the table put around it: a device that remembers what was written to it, a core
 * that lets filters go when told to, a clock, and a check of everything that must hold at any time.
 *
 * Flows are numbers. Even ones are IPv4, odd ones IPv6.
 */
#ifndef RIG_H
#define RIG_H

#include "arfs_table.h"
#include "shim.h"
#include "unit.h"

#define RIG_FLOWS	(1U << 17)
#define RIG_IDS		0x10000

/**
 * struct rig_flow - one flow in the device, and all that was ever written about it
 * @present: the device has it, @target: with this target
 * @adds: writes of each kind that took place
 * @moves: likewise
 * @deletes: likewise
 * @posted: a write is there, and the test has not said what comes of it
 * @posted_write: that write, @posted_target: its target
 * @tag: of the last write that was posted
 * @lost: the report of a write was lost, and none has come since
 * @absences: deletions in a row for which the device reported that it has no such filter
 * @reported: services there had been when the device reported last
 */
struct rig_flow {
	bool present;
	struct arfs_target target;
	u32 adds, moves, deletes;

	bool posted;
	enum arfs_write posted_write;
	struct arfs_target posted_target;
	u32 tag;
	bool lost;
	u32 absences;
	u32 reported;
};

/**
 * struct rig - a table and its surroundings
 * @table: the table
 * @now: the clock, in milliseconds
 * @kicks: how often the table asked for service
 * @served: @kicks that a service has answered
 * @services: how many there have been, and one
 * @due: a service is due without a kick, @due_at: at this time
 * @writes: writes the device took, @attempts: those and the ones it refused
 * @fail: refuse this many writes, @fail_with: with this error
 * @fail_only: refuse only this kind of write; ARFS_WRITE_NONE: any
 * @later: writes are posted, and rig_report() and rig_lose() say what comes of them
 * @silent: with @later: writes take place at once, and the device never reports
 * @on_post: called with each write that is posted; the test reports by itself then, or does not
 * @fulls: the device has said that it is full
 * @during: called while a write is in flight
 * @stays: says which moves are not worth a write; NULL: none
 * @notices: what the table told its owner, by enum arfs_notice, @during_notice: called with each
 * @last_write: what the last attempt was, @last_flow: of which flow
 * @idle: by id: the core lets the filter go
 * @all_idle: the core lets every filter go
 * @looks: how often the core was asked
 * @look_slot: slot it was asked for last
 * @flows: the device's memory
 * @user: flow in the device that has the id, plus 1
 */
struct rig {
	struct arfs_table *table;
	u32 now;
	u32 kicks, served, services;
	bool due;
	u32 due_at;
	u32 writes, attempts;
	u32 fail;
	int fail_with;
	enum arfs_write fail_only;
	bool later, silent, fulls;
	void (*during)(enum arfs_write write, u32 flow);
	void (*on_post)(u32 tag);
	bool (*stays)(u16 from, u16 to);
	u32 notices[ARFS_NOTICE_REFUSED + 1];
	void (*during_notice)(enum arfs_notice what, u32 flow, struct arfs_target target,
			      int error);
	enum arfs_write last_write;
	u32 last_flow;
	bool idle[RIG_IDS];
	bool all_idle;
	u32 looks;
	struct arfs_slot look_slot;
	struct rig_flow flows[RIG_FLOWS];
	u32 user[RIG_IDS];
};

extern struct rig rig;
extern const struct arfs_table_ops rig_ops;

/** rig_begin() - an open table with room for @limit filters around it; fails the test if not */
void rig_begin(u32 limit);

/** rig_begin_once() - likewise, with a core that asks once */
void rig_begin_once(u32 limit);

/** rig_begin_again() - likewise, with a core that asks again after a refusal */
void rig_begin_again(u32 limit);

/** rig_end() - close, flush and destroy; fail the test on a filter, an id or a byte left behind */
void rig_end(void);

/** rig_key() - the 5-tuple of a flow */
struct arfs_flow_key rig_key(u32 flow);

/** rig_flow_of() - the flow of a 5-tuple; fails the test if it is none */
u32 rig_flow_of(const struct arfs_flow_key *key);

/** rig_steer() - the core asks; what it is told */
int rig_steer(u32 flow, u16 rxq, u32 flow_id);

/** rig_grant() - the core asks and must be given an id, which is returned */
u16 rig_grant(u32 flow, u16 rxq, u32 flow_id);

/** rig_refuse() - the core asks and must be told @error */
void rig_refuse(u32 flow, u16 rxq, u32 flow_id, int error);

/** rig_service() - one service at the present time; what it returned */
u32 rig_service(void);

/** rig_settle() - services at the present time while any is due or kicked for, then rig_check() */
void rig_settle(void);

/** rig_pass() - let time pass with the services that are due, then rig_check() */
void rig_pass(u32 ms);

/** rig_check() - everything that must hold whenever no call is under way */
void rig_check(void);

/** rig_check_quiet() - rig_check(), and that nothing is left to write, retry or hand on */
void rig_check_quiet(void);

/** rig_expect() - the device must have this flow, on this queue with this id */
void rig_expect(u32 flow, u16 rxq, u16 id);

/** rig_expect_none() - the device must not have this flow */
void rig_expect_none(u32 flow);

/** rig_unheard() - is there a write of this flow of which the table has not heard? */
static inline bool rig_unheard(const struct rig_flow *flow)
{
	return flow->posted || flow->lost;
}

/** rig_report() - the posted write of a flow takes place, or not, and the device tells */
void rig_report(u32 flow, enum arfs_report report);

/** rig_report_all() - all that is posted of flows below @flows is done and told; how much it was */
u32 rig_report_all(u32 flows);

/** rig_lose() - the posted write of a flow takes place, or not, and the device does not tell */
void rig_lose(u32 flow, bool took_place);

/** rig_live() - filters in the device */
u32 rig_live(void);

/** rig_forget() - the device loses all filters */
void rig_forget(void);

/** rig_state() - state of a flow's filter in the table; ARFS_STATES: it does not know the flow */
u32 rig_state(u32 flow);

/** rig_expect_state() - the flow must have this state */
void rig_expect_state(u32 flow, u32 state);

/** rig_done() - services until the write of a flow is posted; it takes place and the device tells */
void rig_done(u32 flow);

/** rig_settled() - with @later: grant a filter, have it reported; its id. From then on silence is suspicious */
u16 rig_settled(u32 flow, u16 rxq, u32 flow_id);

/** rig_count() - a counter of the table */
u64 rig_count(enum arfs_count what);

/** rig_stats() - flows, held and waiting */
struct arfs_table_stats rig_stats(void);

/** rig_ids_held() - ids that anything in the table holds */
u32 rig_ids_held(void);

#endif /* RIG_H */
