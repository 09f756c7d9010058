// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device around the table. It takes writes one after the other: at once, or, with rig.later,
 * when the test says what came of them. A write whose report is lost took place or not; until a
 * later one is reported the table cannot know.
 */
#include "arfs_policy.h"
#include "rig.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

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

u32 rig_flow_of(const struct arfs_flow_key *key)
{
	u32 word = ntohl(key->saddr[key->ip_version == ARFS_IPV4 ? 0 : 3]);
	u32 flow = word & ~KEY_TAG;
	struct arfs_flow_key expected;

	unit_require(flow < RIG_FLOWS, "a key that no test made reached the device");
	expected = rig_key(flow);
	unit_require(arfs_flow_key_equal(key, &expected), "flow %u: key changed on its way", flow);
	return flow;
}

/* The flow that has an id in the device, if it is another one and no write of it was lost. */
static void require_unused(u32 number, u16 id)
{
	u32 user = rig.user[id];

	unit_require(!user || rig_unheard(&rig.flows[user - 1]),
		     "flow %u: written with id %u, which flow %u has", number, id, user - 1);
}

static void device_write(enum arfs_write write, u32 number, struct arfs_target target)
{
	struct rig_flow *flow = &rig.flows[number];

	rig.writes++;
	if (flow->present && rig.user[flow->target.id] == number + 1)
		rig.user[flow->target.id] = 0;
	flow->present = write != ARFS_WRITE_DELETE;
	flow->adds += write == ARFS_WRITE_ADD;
	flow->moves += write == ARFS_WRITE_MOVE;
	flow->deletes += write == ARFS_WRITE_DELETE;
	if (!flow->present)
		return;
	unit_require(target.id != ARFS_NO_ID, "flow %u: written without an id", number);
	unit_require(target.rxq != ARFS_RXQ_UNKNOWN, "flow %u: written without a queue", number);
	require_unused(number, target.id);
	flow->target = target;
	rig.user[target.id] = number + 1;
}

static void device_take_posted(u32 number)
{
	struct rig_flow *flow = &rig.flows[number];

	unit_require(flow->posted, "flow %u: nothing was posted", number);
	flow->posted = false;
	device_write(flow->posted_write, number, flow->posted_target);
}

/* A write for later. One that is still there, of a table that waits no longer, comes before it. */
static int device_post(enum arfs_write write, u32 number, struct arfs_target target, u32 tag)
{
	struct rig_flow *flow = &rig.flows[number];

	if (flow->posted) {
		device_take_posted(number);
		flow->lost = (flow->tag & 0xffff) != ARFS_NO_ID;
	}
	flow->tag = tag;
	if (rig.on_post)
		rig.on_post(tag);
	if (rig.silent) {
		device_write(write, number, target);
		return -EINPROGRESS;
	}
	flow->posted = true;
	flow->posted_write = write;
	flow->posted_target = target;
	return -EINPROGRESS;
}

/*
 * Without doubt a write must fit what the device has; in doubt it must be right in either case. A
 * flush may come before a service has read the last report.
 */
static void check_write(enum arfs_write write, u32 number)
{
	const struct rig_flow *flow = &rig.flows[number];

	unit_require(write == ARFS_WRITE_ADD || write == ARFS_WRITE_MOVE ||
		     write == ARFS_WRITE_DELETE, "write %d", write);
	if (rig.on_post || rig.silent)
		unit_require(!flow->present || write != ARFS_WRITE_ADD,
			     "flow %u: added again", number);
	else if (rig_unheard(flow))
		unit_require(write != ARFS_WRITE_ADD, "flow %u: added while in doubt", number);
	else if (flow->reported != rig.services)
		unit_require(flow->present == (write != ARFS_WRITE_ADD),
			     "flow %u: write %d, but present is %d", number, write, flow->present);
}

static int program(void *owner, enum arfs_write write, const struct arfs_flow_key *key,
		   struct arfs_target target, u32 tag)
{
	u32 flow = rig_flow_of(key);

	unit_require(owner == &rig, "another owner");
	shim_might_sleep("program");
	check_write(write, flow);
	rig.attempts++;
	rig.last_write = write;
	rig.last_flow = flow;
	if (write != ARFS_WRITE_DELETE)
		rig.flows[flow].absences = 0;
	if (rig.during)
		rig.during(write, flow);
	if (rig.fail && (rig.fail_only == ARFS_WRITE_NONE || rig.fail_only == write)) {
		rig.fail--;
		rig.fulls |= rig.fail_with == -ENOSPC;
		return rig.fail_with;
	}
	if (rig.later)
		return device_post(write, flow, target, tag);
	if (rig.flows[flow].posted)
		device_take_posted(flow);
	rig.flows[flow].lost = false;
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

static bool stays(void *owner, u16 from, u16 to)
{
	unit_require(owner == &rig, "another owner");
	unit_require(from != to, "queue %u: asked whether a flow moves from it to itself", from);
	unit_require(shim_in_atomic(), "asked without a lock");
	return rig.stays && rig.stays(from, to);
}

static void notice(void *owner, enum arfs_notice what, const struct arfs_flow_key *key,
		   struct arfs_target target, int error)
{
		unit_require(owner == &rig, "another owner");
	unit_require(!!error == (what == ARFS_NOTICE_FAILED || what == ARFS_NOTICE_REFUSED),
		     "notice %d, error %d", what, error);
	__atomic_fetch_add(&rig.notices[what], 1, __ATOMIC_RELAXED);
	if (rig.during_notice)
		rig.during_notice(what, rig_flow_of(key), target, error);
}

const struct arfs_table_ops rig_ops = {
	.program = program,
	.core_lets_go = core_lets_go,
	.kick = kick,
	.stays = stays,
	.notice = notice,
};

/*
 * Does the table still wait for the posted write? If not, its report comes too late to be heard,
 * and the flow stays in doubt; unless a flush posted it, which forgot the flow.
 */
static bool table_waits(u32 number)
{
	u32 state = rig_state(number);

	return state == ARFS_ADDING || state == ARFS_MOVING || state == ARFS_DELETING ||
	       (rig.flows[number].tag & 0xffff) == ARFS_NO_ID;
}

void rig_report(u32 number, enum arfs_report report)
{
	struct rig_flow *flow = &rig.flows[number];
	bool waits = table_waits(number);

	unit_require(flow->posted, "flow %u: nothing was posted to report", number);
	if (report == ARFS_REPORT_DONE) {
		device_take_posted(number);
		flow->lost = !waits;
	}
	if (waits)
		flow->absences = report == ARFS_REPORT_ABSENT ? flow->absences + 1 : 0;
	/* As long as the table does not believe it the device may have the filter, and here has it. */
	if (flow->posted_write == ARFS_WRITE_DELETE && flow->absences == ARFS_ABSENCES) {
		if (flow->present)
			rig.user[flow->target.id] = 0;
		flow->present = false;
		flow->absences = 0;
		flow->lost = false;
	}
	flow->lost |= !waits;
	rig.fulls |= report == ARFS_REPORT_FULL;
	flow->reported = rig.services;
	flow->posted = false;
	ck_assert(arfs_table_report(rig.table, flow->tag, report));
}

void rig_lose(u32 number, bool took_place)
{
	struct rig_flow *flow = &rig.flows[number];

	if (took_place)
		device_take_posted(number);
	unit_require(took_place || flow->posted, "flow %u: nothing was posted to lose", number);
	flow->posted = false;
	flow->lost = true;
}

u32 rig_report_all(u32 flows)
{
	u32 flow, reports = 0;

	for (flow = 0; flow < flows; flow++) {
		if (!rig.flows[flow].posted)
			continue;
		rig_report(flow, ARFS_REPORT_DONE);
		reports++;
	}
	return reports;
}

u32 rig_live(void)
{
	u32 flow, live = 0;

	for (flow = 0; flow < RIG_FLOWS; flow++)
		live += rig.flows[flow].present;
	return live;
}

void rig_forget(void)
{
	u32 flow;

	for (flow = 0; flow < RIG_FLOWS; flow++) {
		rig.flows[flow].present = false;
		rig.flows[flow].posted = false;
		rig.flows[flow].lost = false;
	}
	memset(rig.user, 0, sizeof(rig.user));
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
