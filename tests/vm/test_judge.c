// SPDX-License-Identifier: GPL-2.0-only
/* The judge over small fixed runs: right data passes, each kind of wrong data fails for its reason. */
#include <check.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

/* A run of four connections on two queues, R = 4; each array ends with NULL. */
static const char *const report[] = {
	"state held accepted=4 broken=0\n",
	"conn v4 tcp 10.9.0.2 20000 10.9.0.1 5000 reader=0 first=0 accept=0 moves=0 messages=10\n",
	"conn v4 tcp 10.9.0.2 20001 10.9.0.1 5000 reader=1 first=1 accept=0 moves=0 messages=10\n",
	"conn v4 tcp 10.9.0.2 20002 10.9.0.1 5000 reader=0 first=1 accept=0 moves=1 messages=10\n",
	"conn v6 tcp fd00:9::2 20003 fd00:9::1 5000 reader=1 first=1 accept=0 moves=0 messages=10\n",
	NULL
};

static const char *const device_flows[] = {
	"flow v4 tcp 10.9.0.2 20000 10.9.0.1 5000 pkts=9 last=0 by=rss q=9,0 hash=00000001\n",
	"flow v4 tcp 10.9.0.2 20001 10.9.0.1 5000 pkts=9 last=1 by=fdir q=3,6 hash=00000005\n",
	"flow v4 tcp 10.9.0.2 20002 10.9.0.1 5000 pkts=9 last=0 by=fdir q=4,5 hash=00000002\n",
	"flow v6 tcp fd00:9::2 20003 fd00:9::1 5000 pkts=9 last=1 by=rss q=0,9 hash=0000000b\n",
	/* Not a connection of the run. */
	"flow v4 udp 10.9.0.2 68 10.9.0.1 67 pkts=1 last=0 by=rss q=1,0 hash=00000000\n",
	NULL
};

static const char *const device_filters[] = {
	"filter v4 tcp 10.9.0.2 20001 10.9.0.1 5000 queue=1 id=1 vsi=3 hits=6\n",
	"filter v4 tcp 10.9.0.2 20002 10.9.0.1 5000 queue=0 id=2 vsi=3 hits=6\n",
	NULL
};

static const char *const device_log[] = {
	"1.000000000 add v4 tcp 10.9.0.2 20001 10.9.0.1 5000 queue=0 id=1 vsi=3 outcome=ok\n",
	"1.100000000 move v4 tcp 10.9.0.2 20001 10.9.0.1 5000 queue=1 id=1 vsi=3 outcome=ok from=0\n",
	"1.200000000 add v4 tcp 10.9.0.2 20002 10.9.0.1 5000 queue=1 id=2 vsi=3 outcome=ok\n",
	"1.300000000 move v4 tcp 10.9.0.2 20002 10.9.0.1 5000 queue=0 id=2 vsi=3 outcome=ok from=1\n",
	/* An earlier run's connection. */
	"0.500000000 add v4 tcp 10.9.0.2 20002 10.9.0.1 4999 queue=1 id=9 vsi=3 outcome=ok\n",
	NULL
};

static struct judge judge;

static void take(int (*line)(struct judge *judge, const char *line), const char *const *lines)
{
	for (; *lines; lines++)
		ck_assert_int_eq(line(&judge, *lines), 0);
}

static void setup(void)
{
	memset(&judge, 0, sizeof(judge));
	judge.n_queues = 2;
	judge.queue_cpu[1] = 1;
	judge.slots = 4;
	take(judge_report_line, report);
	judge_sort(&judge);
	take(judge_flow_line, device_flows);
	take(judge_filter_line, device_filters);
	take(judge_log_line, device_log);
}

static void teardown(void)
{
	judge_free(&judge);
}

static struct judge_facts sum(void)
{
	struct judge_facts facts;

	ck_assert_int_eq(judge_sum(&judge, &facts), 0);
	return facts;
}

/* The verdict is no, and says so with these words. */
static void refused(const char *words)
{
	struct judge_facts facts = sum();
	char reason[160];

	ck_assert(!judge_verdict(&facts, reason, sizeof(reason)));
	ck_assert_msg(strstr(reason, words), "'%s' lacks '%s'", reason, words);
}

START_TEST(good_run)
{
	struct judge_facts facts = sum();
	char reason[160];

	ck_assert_uint_eq(facts.flows, 4);
	ck_assert_uint_eq(facts.seen, 4);
	ck_assert_uint_eq(facts.on_reader, 4);
	ck_assert_uint_eq(facts.slots_used, 4);
	ck_assert_uint_eq(facts.slots_served, 4);
	ck_assert_uint_eq(facts.slots_idle, 0);
	ck_assert_uint_eq(facts.adds, 2);
	ck_assert_uint_eq(facts.moves, 2);
	ck_assert_uint_eq(facts.deletes, 0);
	ck_assert_uint_eq(facts.filtered, 2);
	ck_assert_uint_eq(facts.ever_filtered, 2);
	ck_assert_uint_eq(facts.misdirected, 0);
	ck_assert_uint_eq(facts.most_writes, 2);
	ck_assert_uint_eq(facts.extra_writes, 0);
	ck_assert_uint_eq(facts.reader_moves, 1);
	ck_assert_uint_eq(facts.messages, 40);
	ck_assert(judge_verdict(&facts, reason, sizeof(reason)));
}
END_TEST

START_TEST(empty_run)
{
	judge_free(&judge);
	refused("no connections");
}
END_TEST

START_TEST(broken_connection)
{
	ck_assert_int_eq(judge_report_line(&judge, "state held accepted=4 broken=1\n"), 0);
	refused("1 of 4 connections broke");
}
END_TEST

START_TEST(unseen_flow)
{
	judge.flows[0].last = -1;
	refused("only 3 of 4 connections");
}
END_TEST

/* Alone in its slot and on another queue: the slot is not served. */
START_TEST(astray_alone)
{
	ck_assert_int_eq(judge_flow_line(&judge, "flow v4 tcp 10.9.0.2 20001 10.9.0.1 5000 pkts=9 "
					 "last=0 by=rss q=9,0 hash=00000005\n"), 0);
	ck_assert_uint_eq(sum().on_reader, 3);
	ck_assert_uint_eq(sum().slots_idle, 1);
	refused("only 3 of 4 slots");
}
END_TEST

/* In one slot with a flow that is steered: the loser of a slot may stay where RSS puts it. */
START_TEST(astray_loser)
{
	ck_assert_int_eq(judge_flow_line(&judge, "flow v6 tcp fd00:9::2 20003 fd00:9::1 5000 pkts=9 "
					 "last=0 by=rss q=9,0 hash=00000009\n"), 0);
	ck_assert_uint_eq(sum().on_reader, 3);
	ck_assert_uint_eq(sum().slots_used, 3);
	ck_assert_uint_eq(sum().slots_served, 3);
	ck_assert_uint_eq(sum().slots_idle, 0);
}
END_TEST

/* The same, but the one that is right needs no filter: the slot is served, and idle. */
START_TEST(astray_beside_rss)
{
	ck_assert_int_eq(judge_flow_line(&judge, "flow v4 tcp 10.9.0.2 20002 10.9.0.1 5000 pkts=9 "
					 "last=1 by=rss q=0,9 hash=00000009\n"), 0);
	ck_assert_uint_eq(sum().slots_used, 3);
	ck_assert_uint_eq(sum().slots_served, 3);
	ck_assert_uint_eq(sum().slots_idle, 1);
	refused("1 slots serve no flow");
}
END_TEST

START_TEST(added_again)
{
	ck_assert_int_eq(judge_log_line(&judge, "2.0 delete v4 tcp 10.9.0.2 20001 10.9.0.1 5000 "
					"queue=1 id=1 vsi=3 outcome=ok\n"), 0);
	ck_assert_uint_eq(sum().readded, 0);
	ck_assert_uint_eq(sum().deletes, 1);
	ck_assert_int_eq(judge_log_line(&judge, "2.1 add v4 tcp 10.9.0.2 20001 10.9.0.1 5000 "
					"queue=1 id=1 vsi=3 outcome=ok\n"), 0);
	ck_assert_uint_eq(sum().readded, 1);
	refused("1 flows had their filter deleted and added again");
}
END_TEST

START_TEST(one_write_too_many)
{
	ck_assert_int_eq(judge_log_line(&judge, "2.0 move v4 tcp 10.9.0.2 20001 10.9.0.1 5000 "
					"queue=1 id=1 vsi=3 outcome=ok from=1\n"), 0);
	ck_assert_uint_eq(sum().most_writes, 3);
	refused("1 filter writes beyond");
}
END_TEST

/* accept() on another CPU and one move: three writes are what the traffic asks for. */
START_TEST(true_moves_are_allowed)
{
	ck_assert_int_eq(judge_log_line(&judge, "2.0 move v4 tcp 10.9.0.2 20002 10.9.0.1 5000 "
					"queue=0 id=2 vsi=3 outcome=ok from=1\n"), 0);
	ck_assert_uint_eq(sum().extra_writes, 0);
	ck_assert_int_eq(judge_log_line(&judge, "2.0 move v4 tcp 10.9.0.2 20002 10.9.0.1 5000 "
					"queue=0 id=2 vsi=3 outcome=ok from=1\n"), 0);
	ck_assert_uint_eq(sum().extra_writes, 1);
}
END_TEST

/* A refused write is a write that was asked for, but adds no filter. */
START_TEST(failed_write)
{
	ck_assert_int_eq(judge_log_line(&judge, "2.0 add v4 tcp 10.9.0.2 20000 10.9.0.1 5000 "
					"queue=1 id=3 vsi=3 outcome=full\n"), 0);
	ck_assert_uint_eq(sum().failed, 1);
	ck_assert_uint_eq(sum().adds, 2);
	ck_assert_uint_eq(sum().extra_writes, 0);
	ck_assert_int_eq(judge_log_line(&judge, "2.1 add v4 tcp 10.9.0.2 20000 10.9.0.1 5000 "
					"queue=1 id=3 vsi=3 outcome=full\n"), 0);
	ck_assert_uint_eq(sum().extra_writes, 1);
}
END_TEST

START_TEST(misdirected_filter)
{
	ck_assert_int_eq(judge_filter_line(&judge, "filter v4 tcp 10.9.0.2 20001 10.9.0.1 5000 "
					   "queue=0 id=1 vsi=3 hits=6\n"), 0);
	ck_assert_uint_eq(sum().misdirected, 1);
}
END_TEST

START_TEST(no_hash)
{
	struct judge_facts facts;

	ck_assert_int_eq(judge_flow_line(&judge, "flow v4 tcp 10.9.0.2 20001 10.9.0.1 5000 pkts=9 "
					 "last=1 by=rss q=0,9\n"), 0);
	ck_assert_int_eq(judge_sum(&judge, &facts), -ENODATA);
	ck_assert_uint_eq(facts.on_reader, 4);
}
END_TEST

START_TEST(bad_lines)
{
	static const char *const bad_flows[] = {
		"", "flow\n", "filter v4 tcp 10.9.0.2 1 10.9.0.1 2 last=0\n",
		"flow v5 tcp 10.9.0.2 1 10.9.0.1 2 last=0\n",
		"flow v4 sctp 10.9.0.2 1 10.9.0.1 2 last=0\n",
		"flow v4 tcp 10.9.0 1 10.9.0.1 2 last=0\n",
		"flow v6 tcp 10.9.0.2 1 10.9.0.1 2 last=0\n",
		"flow v4 tcp 10.9.0.2 65536 10.9.0.1 2 last=0\n",
		"flow v4 tcp 10.9.0.2 1 10.9.0.1 2 last=\n",
		"flow v4 tcp 10.9.0.2 1 10.9.0.1 2 pkts=3\n",
	};

	for (size_t i = 0; i < sizeof(bad_flows) / sizeof(bad_flows[0]); i++)
		ck_assert_int_eq(judge_flow_line(&judge, bad_flows[i]), -EINVAL);
	ck_assert_int_eq(judge_report_line(&judge, "conn v4 tcp 10.9.0.2 1 10.9.0.1 2 reader=0\n"),
			 -EINVAL);
	ck_assert_int_eq(judge_report_line(&judge, "hello\n"), -EINVAL);
	ck_assert_int_eq(judge_log_line(&judge, "1.0 change v4 tcp 10.9.0.2 1 10.9.0.1 2 queue=0 "
					"outcome=ok\n"), -EINVAL);
	ck_assert_int_eq(judge_log_line(&judge, "1.0 add v4 tcp 10.9.0.2 1 10.9.0.1 2 queue=0\n"),
			 -EINVAL);
	ck_assert_int_eq(judge_filter_line(&judge, "filter v4 tcp 10.9.0.2 1 10.9.0.1 2 id=0\n"),
			 -EINVAL);
}
END_TEST

START_TEST(slots)
{
	ck_assert_uint_eq(judge_slot(0xdeadbeef, 64, JUDGE_SLOT_MASK), 0x2f);
	ck_assert_uint_eq(judge_slot(0xdeadbeef, 1, JUDGE_SLOT_MASK), 0);
	ck_assert_uint_eq(judge_slot(0xdeadbeef, 1, JUDGE_SLOT_MULTIPLY), 0);
	ck_assert_uint_eq(judge_slot(1, 64, JUDGE_SLOT_MULTIPLY), 0x61C88647 >> 26);
	ck_assert_uint_eq(judge_slot(3, 1024, JUDGE_SLOT_MULTIPLY), 0x255992D5 >> 22);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("judge");
	TCase *tests = tcase_create("runs");
	SRunner *runner;
	int failed;

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, good_run);
	tcase_add_test(tests, empty_run);
	tcase_add_test(tests, broken_connection);
	tcase_add_test(tests, unseen_flow);
	tcase_add_test(tests, astray_alone);
	tcase_add_test(tests, astray_loser);
	tcase_add_test(tests, astray_beside_rss);
	tcase_add_test(tests, added_again);
	tcase_add_test(tests, one_write_too_many);
	tcase_add_test(tests, true_moves_are_allowed);
	tcase_add_test(tests, failed_write);
	tcase_add_test(tests, misdirected_filter);
	tcase_add_test(tests, no_hash);
	tcase_add_test(tests, bad_lines);
	tcase_add_test(tests, slots);
	suite_add_tcase(suite, tests);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
