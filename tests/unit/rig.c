// SPDX-License-Identifier: GPL-2.0-only
#include "rig.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

#include <linux/kernel.h>

#include "arfs_internal.h"

struct rig rig;

#define KEY_TAG	0x0a000000

struct arfs_flow_key rig_key(u32 flow)
{
	__be32 saddr[4] = { htonl(0x20010db8), 0, 0, htonl(KEY_TAG | flow) };
	__be32 daddr[4] = { htonl(0x20010db8), 0, 0, htonl(0xc0000201) };
	struct arfs_flow_key key;

	if (flow % 2)
		arfs_flow_key_ipv6(&key, flow % 4 == 1 ? ARFS_TCP : ARFS_UDP, saddr, daddr,
				   htons(flow * 7), htons(443));
	else
		arfs_flow_key_ipv4(&key, flow % 4 ? ARFS_TCP : ARFS_UDP, saddr[3], daddr[3],
				   htons(flow * 7), htons(443));
	return key;
}

static u32 flow_of(const struct arfs_flow_key *key)
{
	u32 word = ntohl(key->saddr[key->ip_version == ARFS_IPV4 ? 0 : 3]);
	u32 flow = word & ~KEY_TAG;
	struct arfs_flow_key expected;

	unit_require(flow < RIG_FLOWS, "a key that no test made reached the device");
	expected = rig_key(flow);
	unit_require(arfs_flow_key_equal(key, &expected), "flow %u: key changed on its way", flow);
	return flow;
}

static void device_write(enum arfs_write write, u32 number, struct arfs_target target)
{
	struct rig_flow *flow = &rig.flows[number];

	if (flow->present)
		rig.user[flow->target.id] = 0;
	flow->present = write != ARFS_WRITE_DELETE;
	flow->adds += write == ARFS_WRITE_ADD;
	flow->moves += write == ARFS_WRITE_MOVE;
	flow->deletes += write == ARFS_WRITE_DELETE;
	if (!flow->present)
		return;
	unit_require(target.id != ARFS_NO_ID, "flow %u: written without an id", number);
	unit_require(!rig.user[target.id], "flow %u: written with id %u, which flow %u has",
		     number, target.id, rig.user[target.id] - 1);
	flow->target = target;
	rig.user[target.id] = number + 1;
}

static int program(void *owner, enum arfs_write write, const struct arfs_flow_key *key,
		   struct arfs_target target, u32 tag)
{
	u32 flow = flow_of(key);

	rig.tag = tag;
	unit_require(owner == &rig, "another owner");
	shim_might_sleep("program");
	unit_require(write == ARFS_WRITE_ADD || write == ARFS_WRITE_MOVE ||
		     write == ARFS_WRITE_DELETE, "write %d", write);
	unit_require(rig.flows[flow].present == (write != ARFS_WRITE_ADD),
		     "flow %u: write %d, but present is %d", flow, write, rig.flows[flow].present);
	rig.attempts++;
	rig.last_write = write;
	rig.last_flow = flow;
	if (rig.during)
		rig.during(write, flow);
	if (rig.fail && (rig.fail_only == ARFS_WRITE_NONE || rig.fail_only == write)) {
		rig.fail--;
		return rig.fail_with;
	}
	rig.writes++;
	device_write(write, flow, target);
	return 0;
}

static bool core_lets_go(void *owner, struct arfs_slot slot, u16 id)
{
	unit_require(owner == &rig, "another owner");
	unit_require(id != ARFS_NO_ID, "the core is asked for no filter");
	rig.looks++;
	rig.look_slot = slot;
	return rig.all_idle || __atomic_load_n(&rig.idle[id], __ATOMIC_RELAXED);
}

static void kick(void *owner)
{
	unit_require(owner == &rig, "another owner");
	__atomic_fetch_add(&rig.kicks, 1, __ATOMIC_RELAXED);
}

static const struct arfs_table_ops ops = {
	.program = program,
	.core_lets_go = core_lets_go,
	.kick = kick,
};

void rig_begin(u32 limit)
{
	memset(&rig, 0, sizeof(rig));
	rig.now = 1000000;
	rig.fail_with = -EIO;
	rig.table = arfs_table_create("rig", &ops, &rig, limit);
	ck_assert_ptr_nonnull(rig.table);
	/* Refusals at once and moves without a pause, unless a test is about just these. */
	rig.table->patience = 0;
	arfs_table_set_move_interval(rig.table, 0);
	arfs_table_open(rig.table);
}

u32 rig_live(void)
{
	u32 flow, live = 0;

	for (flow = 0; flow < RIG_FLOWS; flow++)
		live += rig.flows[flow].present;
	return live;
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
	rig.served = __atomic_load_n(&rig.kicks, __ATOMIC_RELAXED);
	return arfs_table_service(rig.table, rig.now);
}

void rig_settle(void)
{
	u32 rounds = 0;

	do {
		rig_service();
		unit_require(++rounds < 100, "the table kicks without end");
	} while (rig.kicks != rig.served);
	rig_check();
}

void rig_pass(u32 ms)
{
	u32 end = rig.now + ms, due;

	for (;;) {
		due = rig_service();
		unit_require(due, "due at once, without a kick");
		if (rig.kicks != rig.served)
			continue;
		if (due > end - rig.now)
			break;
		rig.now += due;
	}
	rig.now = end;
	rig_check();
}

void rig_expect(u32 flow, u16 rxq, u16 id)
{
	const struct rig_flow *seen = &rig.flows[flow];

	unit_require(seen->present, "flow %u: expected in the device, seen none", flow);
	unit_require(seen->target.rxq == rxq && seen->target.id == id,
		     "flow %u: expected queue %u id %u, seen queue %u id %u", flow, rxq, id,
		     seen->target.rxq, seen->target.id);
}

void rig_expect_none(u32 flow)
{
	const struct rig_flow *seen = &rig.flows[flow];

	unit_require(!seen->present, "flow %u: expected none in the device, seen queue %u id %u",
		     flow, seen->target.rxq, seen->target.id);
}

void rig_forget(void)
{
	u32 flow;

	for (flow = 0; flow < RIG_FLOWS; flow++)
		rig.flows[flow].present = false;
	memset(rig.user, 0, sizeof(rig.user));
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

static void check_standing(u32 number, const struct arfs_flow *flow)
{
	u64 claim = atomic64_read(&flow->claim);
	enum arfs_standing standing = arfs_claim_standing(claim);
	u16 wanted = flow->filter.wanted.id;

	unit_require((standing == ARFS_STANDING_GRANTED || standing == ARFS_STANDING_FAILED) ==
		     (wanted != ARFS_NO_ID), "flow %u: standing %d, wanted id %u", number, standing,
		     wanted);
	if (wanted != ARFS_NO_ID)
		unit_require(arfs_claim_id(claim) == wanted, "flow %u: told id %u, wanted %u",
			     number, arfs_claim_id(claim), wanted);
	unit_require((standing == ARFS_STANDING_FAILED) == !!(wanted != ARFS_NO_ID &&
							     flow->filter.failures),
		     "flow %u: standing %d with %u failures", number, standing,
		     flow->filter.failures);
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
	u32 number = flow_of(&flow->key);
	const struct rig_flow *device = &rig.flows[number];

	hold_targets(filter);
	hold(flow->inherits ? flow->slot_id : ARFS_NO_ID);
	unit_require(device->present == (filter->programmed.id != ARFS_NO_ID) &&
		     (!device->present || arfs_target_equal(device->target, filter->programmed)),
		     "flow %u: the table says the device has id %u, the device %s", number,
		     filter->programmed.id, device->present ? "has another" : "has none");
	unit_require(!arfs_filter_in_flight(filter), "flow %u: a write is in flight", number);
	unit_require(filter->wanted.id == ARFS_NO_ID || flow->place == ARFS_PLACE_OWNS,
		     "flow %u: wants a filter without owning its slot", number);
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
		unit_require(first == (flow->place == ARFS_PLACE_OWNS),
			     "flow %u: place %u, but it is %s in its line", flow_of(&flow->key),
			     flow->place, first ? "first" : "not first");
	}
}

static void check_totals(u32 flows, u32 held, u32 waiting)
{
	struct arfs_table_stats stats = rig_stats();
	u32 id;

	unit_require(stats.flows == flows, "%u are told, %u are there", stats.flows, flows);
	unit_require(stats.held == held, "%u are told, %u are there", stats.held, held);
	unit_require(stats.waiting == waiting, "%u are told, %u are there", stats.waiting, waiting);
	for (id = 0; id < ARFS_IDS; id++)
		unit_require(rig.table->ids->holders[id] == holds[id],
			     "id %u: %u holders are counted, %u are there", id,
			     rig.table->ids->holders[id], holds[id]);
}

void rig_check(void)
{
	u32 flows = 0, held = 0, waiting = 0, placed = 0, in_line = 0, bucket;
	struct arfs_flow *flow;

	memset(holds, 0, sizeof(holds));
	for (bucket = 0; bucket <= rig.table->mask; bucket++) {
		hlist_for_each_entry(flow, &rig.table->buckets[bucket].flows, key_node) {
			flows++;
			held += flow->filter.wanted.id != ARFS_NO_ID;
			placed += flow->place != ARFS_PLACE_NONE;
			check_flow(flow);
		}
		check_line(&rig.table->lines[bucket], &waiting, &in_line);
	}
	unit_require(placed == in_line, "%u flows have a place, %u are in line", placed, in_line);
	check_totals(flows, held, waiting);
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
				     "flow %u %s its slot, its filter is %s", flow_of(&flow->key),
				     owns ? "owns" : "does not own",
				     unit_state_name(flow->filter.state));
			unit_require(flow->place != ARFS_PLACE_NONE, "flow %u is kept for nothing",
				     flow_of(&flow->key));
			unit_require(!flow->inherits,
				     "flow %u has not adopted what it inherited",
				     flow_of(&flow->key));
		}
}
