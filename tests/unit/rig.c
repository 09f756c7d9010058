// SPDX-License-Identifier: GPL-2.0-only
#include "rig.h"

#include <errno.h>
#include <string.h>

#include <linux/kernel.h>
#include <linux/rcupdate.h>

#include "arfs_internal.h"

struct rig rig;

static void rig_begin_with(u32 limit, const struct arfs_table_ops *ops)
{
	memset(&rig, 0, sizeof(rig));
	rig.now = 1000000;
	rig.services = 1;
	rig.fail_with = -EIO;
	rig.table = arfs_table_create("rig", ops, &rig, limit);
	ck_assert_ptr_nonnull(rig.table);
	/* Refusals at once and moves without a pause, unless a test is about just these. */
	rig.table->patience = 0;
	arfs_table_set_move_interval(rig.table, 0);
	arfs_table_open(rig.table);
}

void rig_begin(u32 limit)
{
	rig_begin_with(limit, &rig_ops);
}

void rig_begin_once(u32 limit)
{
	static struct arfs_table_ops ops;

	ops = rig_ops;
	ops.core_asks_once = true;
	rig_begin_with(limit, &ops);
}

void rig_begin_again(u32 limit)
{
	static struct arfs_table_ops ops;

	ops = rig_ops;
	ops.core_asks_again = true;
	rig_begin_with(limit, &ops);
}

u32 rig_ids_held(void)
{
	u32 id, held = 0;

	for (id = 0; id < ARFS_IDS; id++)
		held += !!rig.table->ids->holders[id];
	return held;
}

void rig_end(void)
{
	struct arfs_table_stats stats;

	rig.fail = 0;
	rig.during = NULL;
	rig.later = false;
	rig.silent = false;
	arfs_table_close(rig.table);
	arfs_table_flush(rig.table, true);
	ck_assert_uint_eq(rig_live(), 0);
	ck_assert_uint_eq(rig_ids_held(), 0);
	stats = rig_stats();
	ck_assert_uint_eq(stats.flows, 0);
	ck_assert_uint_eq(stats.held, 0);
	ck_assert_uint_eq(stats.waiting, 0);
	arfs_table_destroy(rig.table);
	ck_assert_uint_eq(shim_allocated(), 0);
}

int rig_steer(u32 flow, u16 rxq, u32 flow_id)
{
	struct arfs_slot slot = { .flow_id = flow_id, .rxq = rxq };
	struct arfs_flow_key key = rig_key(flow);

	return arfs_table_steer(rig.table, &key, slot);
}

u16 rig_grant(u32 flow, u16 rxq, u32 flow_id)
{
	int answer = rig_steer(flow, rxq, flow_id);

	unit_require(answer >= 0 && answer < ARFS_NO_ID, "flow %u: expected an id, seen %d (%s)",
		     flow, answer, answer < 0 ? strerror(-answer) : "too large");
	return answer;
}

void rig_refuse(u32 flow, u16 rxq, u32 flow_id, int error)
{
	int answer = rig_steer(flow, rxq, flow_id);

	unit_require(answer == error, "flow %u: expected %d (%s), seen %d", flow, error,
		     strerror(-error), answer);
}

u32 rig_service(void)
{
	u32 due;

	rig.served = __atomic_load_n(&rig.kicks, __ATOMIC_RELAXED);
	rig.services++;
	/* The driver comes back at once while there is more to do. */
	do
		due = arfs_table_service(rig.table, rig.now);
	while (!due);
	rig.due = due != ARFS_SERVICE_IDLE;
	rig.due_at = rig.now + due;
	return due;
}

/* The driver runs the service when it is kicked or due, and at no other time. */
static bool service_is_due(void)
{
	return rig.kicks != rig.served || (rig.due && arfs_due_in(rig.now, rig.due_at) <= 0);
}

static void service_while_due(void)
{
	u32 rounds = 0;

	while (service_is_due()) {
		rig_service();
		unit_require(++rounds < 100, "the table kicks without end");
	}
}

void rig_settle(void)
{
	service_while_due();
	rig_check();
}

void rig_pass(u32 ms)
{
	u32 end = rig.now + ms;

	service_while_due();
	while (rig.due && arfs_due_in(rig.due_at, end) >= 0) {
		rig.now = rig.due_at;
		service_while_due();
	}
	rig.now = end;
	rig_check();
}

u32 rig_state(u32 number)
{
	struct arfs_flow_key key = rig_key(number);
	struct arfs_flow *flow;
	u32 state;

	rcu_read_lock();
	flow = arfs_flow_find(rig.table, arfs_key_hash(rig.table, &key), &key);
	state = flow ? flow->filter.state : ARFS_STATES;
	rcu_read_unlock();
	return state;
}

struct arfs_table_stats rig_stats(void)
{
	struct arfs_table_stats stats;

	arfs_table_read_stats(rig.table, &stats);
	return stats;
}

u64 rig_count(enum arfs_count what)
{
	return rig_stats().count[what];
}

/* The check proper. */
static u16 holds[RIG_IDS];

static void hold(u16 id)
{
	if (id != ARFS_NO_ID)
		holds[id]++;
}

static void hold_targets(const struct arfs_filter *filter)
{
	u16 wanted = filter->wanted.id, writing = filter->writing.id;
	u16 programmed = filter->programmed.id;

	hold(wanted);
	if (writing != wanted)
		hold(writing);
	if (programmed != wanted && programmed != writing)
		hold(programmed);
}

/* After a write without a report the table may believe in nothing but its own ignorance. */
static void check_doubt(u32 number, const struct arfs_filter *filter)
{
	unit_require(filter->state != ARFS_ACTIVE && filter->state != ARFS_IDLE,
		     "flow %u: %s without having heard of its last write", number,
		     unit_state_name(filter->state));
	unit_require(filter->programmed.id != ARFS_NO_ID &&
		     filter->programmed.rxq == ARFS_RXQ_UNKNOWN,
		     "flow %u: the table claims to know queue %u id %u", number,
		     filter->programmed.rxq, filter->programmed.id);
}

static void check_device(u32 number, const struct arfs_filter *filter)
{
	const struct rig_flow *device = &rig.flows[number];

	if (arfs_filter_in_flight(filter)) {
		unit_require(rig_unheard(device) || rig.silent,
			     "flow %u: a write is in flight that the device does not have", number);
		if (device->lost || rig.silent)
			return;
	} else if (rig.silent ? filter->programmed.rxq == ARFS_RXQ_UNKNOWN : rig_unheard(device)) {
		check_doubt(number, filter);
		return;
	}
	unit_require(device->present == (filter->programmed.id != ARFS_NO_ID) &&
		     (!device->present || arfs_target_equal(device->target, filter->programmed)),
		     "flow %u: the table says the device has id %u, the device %s", number,
		     filter->programmed.id, device->present ? "has another" : "has none");
}

static void check_standing(u32 number, const struct arfs_flow *flow)
{
	u64 claim = atomic64_read(&flow->claim);
	enum arfs_standing standing = arfs_claim_standing(claim);
	const struct arfs_filter *filter = &flow->filter;
	bool wanted = filter->wanted.id != ARFS_NO_ID;

	unit_require((standing == ARFS_STANDING_BARRED) == !!flow->bars, "flow %u: standing %d, %u "
		     "bars", number, standing, flow->bars);
	unit_require((standing == ARFS_STANDING_GRANTED || standing == ARFS_STANDING_FAILED) ==
		     wanted, "flow %u: standing %d, wanted id %u", number, standing,
		     filter->wanted.id);
	if (wanted)
		unit_require(arfs_claim_id(claim) == filter->wanted.id,
			     "flow %u: told id %u, wanted %u", number, arfs_claim_id(claim),
			     filter->wanted.id);
	if (wanted && filter->failures)
		unit_require(standing == ARFS_STANDING_FAILED, "flow %u: standing %d with %u "
			     "failures", number, standing, filter->failures);
	/* Without a failure of its own it is refused only for want of room in the hardware. */
	if (standing == ARFS_STANDING_FAILED && !filter->failures)
		unit_require(rig.fulls && (filter->state == ARFS_PENDING ||
					   filter->state == ARFS_ADDING),
			     "flow %u: refused without failures while %s", number,
			     unit_state_name(filter->state));
	if (standing != ARFS_STANDING_NONE)
		unit_require(arfs_slot_equal(arfs_claim_slot(claim), flow->slot),
			     "flow %u: another slot is published than it is in line for", number);
	if (standing == ARFS_STANDING_WAITING && !flow->inherits)
		unit_require(flow->place == ARFS_PLACE_WAITS, "flow %u: told to wait, place %u",
			     number, flow->place);
}

static void check_flow(struct arfs_flow *flow)
{
	const struct arfs_filter *filter = &flow->filter;
	u32 number = rig_flow_of(&flow->key);

	hold_targets(filter);
	hold(flow->inherits ? flow->slot_id : ARFS_NO_ID);
	check_device(number, filter);
	unit_require(filter->wanted.id == ARFS_NO_ID || flow->place == ARFS_PLACE_OWNS,
		     "flow %u: wants a filter without owning its slot", number);
	unit_require(!flow->bars || flow->place == ARFS_PLACE_NONE,
		     "flow %u: barred, yet in line", number);
	check_standing(number, flow);
}

static void check_line(struct arfs_line *line, u32 *waiting, u32 *in_line)
{
	struct arfs_flow *flow, *other;

	list_for_each_entry(flow, &line->flows, line_node) {
		bool first = true;

		(*in_line)++;
		*waiting += flow->place == ARFS_PLACE_WAITS;
		list_for_each_entry(other, &line->flows, line_node) {
			if (other == flow)
				break;
			first &= !arfs_slot_equal(other->slot, flow->slot);
		}
		/* Such a core guards its slots itself: whoever it asks for gets one. */
		first |= rig.table->ops->core_asks_again;
		unit_require(first == (flow->place == ARFS_PLACE_OWNS),
			     "flow %u: place %u, but it is %s in its line", rig_flow_of(&flow->key),
			     flow->place, first ? "first" : "not first");
	}
}

static void count_uses(const struct arfs_flow *flow, u32 *live, u32 *used)
{
	enum arfs_protocol protocol = arfs_flow_key_protocol(&flow->key);
	bool lives = flow->filter.programmed.id != ARFS_NO_ID ||
		     flow->filter.writing.id != ARFS_NO_ID;

	live[protocol] += lives;
	used[protocol] += lives || flow->filter.wanted.id != ARFS_NO_ID;
}

static void check_totals(u32 flows, u32 held, u32 waiting, const u32 *live, const u32 *used)
{
	struct arfs_table_stats stats = rig_stats();
	u32 id, protocol;

	unit_require(stats.flows == flows, "%u are told, %u are there", stats.flows, flows);
	unit_require(stats.held == held, "%u are told, %u are there", stats.held, held);
	unit_require(stats.waiting == waiting, "%u are told, %u are there", stats.waiting, waiting);
	unit_require(stats.count[ARFS_COUNT_ADDED] == rig.notices[ARFS_NOTICE_ADDED] &&
		     stats.count[ARFS_COUNT_MOVED] == rig.notices[ARFS_NOTICE_MOVED],
		     "the owner was not told of each write");
	for (protocol = 0; protocol < ARFS_PROTOCOLS; protocol++)
		unit_require(stats.live[protocol] == live[protocol] &&
			     arfs_table_live(rig.table, protocol) == live[protocol],
			     "protocol %u: %u are told to live, %u do", protocol,
			     stats.live[protocol], live[protocol]);
	for (protocol = 0; protocol < ARFS_PROTOCOLS; protocol++)
		unit_require(arfs_table_used(rig.table, protocol) == used[protocol],
			     "protocol %u: %u are told to be used, %u are", protocol,
			     arfs_table_used(rig.table, protocol), used[protocol]);
	for (id = 0; id < ARFS_IDS; id++)
		unit_require(rig.table->ids->holders[id] == holds[id],
			     "id %u: %u holders are counted, %u are there", id,
			     rig.table->ids->holders[id], holds[id]);
}

void rig_check(void)
{
	u32 flows = 0, held = 0, waiting = 0, placed = 0, in_line = 0, bucket;
	u32 live[ARFS_PROTOCOLS] = { 0 }, used[ARFS_PROTOCOLS] = { 0 };
	struct arfs_flow *flow;

	memset(holds, 0, sizeof(holds));
	for (bucket = 0; bucket <= rig.table->mask; bucket++) {
		hlist_for_each_entry(flow, &rig.table->buckets[bucket].flows, key_node) {
			flows++;
			held += flow->filter.wanted.id != ARFS_NO_ID;
			count_uses(flow, live, used);
			placed += flow->place != ARFS_PLACE_NONE;
			check_flow(flow);
		}
		check_line(&rig.table->lines[bucket], &waiting, &in_line);
	}
	unit_require(placed == in_line, "%u flows have a place, %u are in line", placed, in_line);
	check_totals(flows, held, waiting, live, used);
	unit_require(rig_live() <= flows, "%u filters in the device, %u flows", rig_live(), flows);
}

void rig_check_quiet(void)
{
	struct arfs_flow *flow;
	u32 bucket;

	rig_check();
	for (bucket = 0; bucket <= rig.table->mask; bucket++)
		hlist_for_each_entry(flow, &rig.table->buckets[bucket].flows, key_node) {
			bool owns = flow->place == ARFS_PLACE_OWNS;

			unit_require(flow->filter.state == (owns ? ARFS_ACTIVE : ARFS_IDLE),
				     "flow %u %s its slot, its filter is %s",
				     rig_flow_of(&flow->key), owns ? "owns" : "does not own",
				     unit_state_name(flow->filter.state));
			unit_require(flow->place != ARFS_PLACE_NONE || flow->bars,
				     "flow %u is kept for nothing",      rig_flow_of(&flow->key));
			unit_require(!flow->inherits,
				     "flow %u has not adopted what it inherited",
				     rig_flow_of(&flow->key));
		}
}

void rig_expect_state(u32 flow, u32 state)
{
	u32 seen = rig_state(flow);

	unit_require(seen == state, "flow %u: expected %s, seen %s", flow, unit_state_name(state),
		     unit_state_name(seen));
}

void rig_done(u32 flow)
{
	rig_settle();
	rig_report(flow, ARFS_REPORT_DONE);
	rig_settle();
}

u16 rig_settled(u32 flow, u16 rxq, u32 flow_id)
{
	u16 id = rig_grant(flow, rxq, flow_id);

	rig_done(flow);
	rig_expect_state(flow, ARFS_ACTIVE);
	return id;
}
