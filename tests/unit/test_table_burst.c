// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thousands of filters written at once, as after a reset, to a device that reports each write while
 * the service is posting the next.
 */
#include <arpa/inet.h>
#include <errno.h>

#include "arfs_internal.h"
#include "shim.h"
#include "unit.h"

#define QUEUES	16

static struct {
	struct arfs_table *table;
	u32 writes;
	u32 dropped;
	u32 now;
} burst;

static int program(void *owner, enum arfs_write write, const struct arfs_flow_key *key,
		   struct arfs_target target, u32 tag)
{
	(void)owner;
	(void)write;
	(void)key;
	(void)target;
	burst.writes++;
	if (!arfs_table_report(burst.table, tag, ARFS_REPORT_DONE))
		burst.dropped++;
	return -EINPROGRESS;
}

static bool core_lets_go(void *owner, struct arfs_slot slot, u16 id)
{
	(void)owner;
	(void)slot;
	(void)id;
	return false;
}

static void kick(void *owner)
{
	(void)owner;
}

static const struct arfs_table_ops ops = {
	.program = program,
	.core_lets_go = core_lets_go,
	.kick = kick,
};

/* As the driver does: again at once while there is more, then when it is due. */
static void serve(u32 calls)
{
	for (u32 call = 0; call < calls; call++) {
		u32 due = arfs_table_service(burst.table, burst.now);

		burst.now += due == ARFS_SERVICE_IDLE ? 0 : due;
	}
}

static void steer(u32 flow)
{
	struct arfs_slot slot = { .flow_id = flow / QUEUES, .rxq = flow % QUEUES };
	struct arfs_flow_key key;

	arfs_flow_key_ipv4(&key, ARFS_TCP, htonl(0x0a000000 | flow), htonl(1), htons(flow),
			   htons(443));
	unit_require(arfs_table_steer(burst.table, &key, slot) >= 0, "flow %u is refused", flow);
}

static void all_are_live(u32 flows)
{
	struct arfs_table_stats stats;

	arfs_table_read_stats(burst.table, &stats);
	unit_require(stats.live[ARFS_TCP4] == flows, "expected %u live filters, seen %u", flows,
		     stats.live[ARFS_TCP4]);
	unit_require(!burst.dropped && !stats.count[ARFS_COUNT_FAILED],
		     "expected no report lost and no write failed, seen %u and %llu", burst.dropped,
		     (unsigned long long)stats.count[ARFS_COUNT_FAILED]);
}

START_TEST(thousands_of_filters_are_written_once_each_and_no_report_is_lost)
{
	u32 flows = _i, flow;

	burst.writes = 0;
	burst.dropped = 0;
	burst.now = 1000;
	burst.table = arfs_table_create("burst", &ops, NULL, 32767);
	arfs_table_open(burst.table);
	for (flow = 0; flow < flows; flow++)
		steer(flow);
	serve(2 * flows / 64);
	all_are_live(flows);

	burst.writes = 0;
	arfs_table_replay(burst.table);
	serve(2 * flows / 64);
	all_are_live(flows);
	ck_assert_uint_eq(burst.writes, flows);

	arfs_table_close(burst.table);
	arfs_table_flush(burst.table, false);
	arfs_table_destroy(burst.table);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: burst");
	TCase *bursts = tcase_create("bursts");

	tcase_set_timeout(bursts, 120);
	tcase_add_loop_test(bursts,
			    thousands_of_filters_are_written_once_each_and_no_report_is_lost, 12000,
			    12001);
	tcase_add_loop_test(bursts,
			    thousands_of_filters_are_written_once_each_and_no_report_is_lost, 30000,
			    30001);
	suite_add_tcase(suite, bursts);
	return unit_run(suite);
}
