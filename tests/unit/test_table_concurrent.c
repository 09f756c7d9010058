// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table with many threads: requests on all CPUs, beside them the one worker, and whoever opens,
 * closes and resets. Built twice: AddressSanitizer sees what is used after it was freed,
 * ThreadSanitizer what is read and written without an order.
 */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include <linux/kernel.h>

#include "arfs_policy.h"
#include "core.h"
#include "rig.h"

#define STEERERS	4
#define REQUESTS	15000
#define FLOWS		48
#define QUEUES		3
#define SLOTS		8

/* What the worker does is never done twice at once: services, flushes and replays. */
static pthread_mutex_t worker = PTHREAD_MUTEX_INITIALIZER;
static int steering;

static bool still_steering(void)
{
	return __atomic_load_n(&steering, __ATOMIC_ACQUIRE);
}

/* Ask for random flows and slots; each answer must be one that the header names. */
static void *steer(void *argument)
{
	u64 random = (uintptr_t)argument;
	int answer;
	u32 i;

	for (i = 0; i < REQUESTS; i++) {
		answer = rig_steer(unit_random(&random) % FLOWS, unit_random(&random) % QUEUES,
				   unit_random(&random) % SLOTS);
		unit_require(answer < ARFS_NO_ID && (answer >= 0 || answer == -EBUSY ||
			     answer == -ENOSPC || answer == -ENODEV || answer == -EIO ||
			     answer == -EEXIST), "seen %d", answer);
		/* The core's opinion of the filters changes too. */
		if (answer >= 0 && i % 8 == 0)
			__atomic_store_n(&rig.idle[answer], i % 16 == 0, __ATOMIC_RELAXED);
	}
	__atomic_fetch_sub(&steering, 1, __ATOMIC_RELEASE);
	return NULL;
}

static void *serve(void *argument)
{
	u64 random = 9;

	(void)argument;
	while (still_steering()) {
		pthread_mutex_lock(&worker);
		if (unit_random(&random) % 4 == 0)
			rig.fail = unit_random(&random) % 3;
		rig.now += unit_random(&random) % 400;
		rig_service();
		pthread_mutex_unlock(&worker);
		usleep(20);
	}
	return NULL;
}

static void *open_and_close(void *argument)
{
	u64 random = 11;

	(void)argument;
	while (still_steering()) {
		usleep(500);
		arfs_table_close(rig.table);
		pthread_mutex_lock(&worker);
		rig.fail = 0;
		if (unit_random(&random) % 2)
			rig_forget();
		arfs_table_flush(rig.table, rig_live());
		unit_require(!rig_live(), "a flush left filters behind");
		pthread_mutex_unlock(&worker);
		arfs_table_open(rig.table);
	}
	return NULL;
}

static void *reset(void *argument)
{
	(void)argument;
	while (still_steering()) {
		usleep(700);
		pthread_mutex_lock(&worker);
		rig_forget();
		arfs_table_replay(rig.table);
		pthread_mutex_unlock(&worker);
	}
	return NULL;
}

static void *look_on(void *argument)
{
	struct arfs_table_stats stats;

	(void)argument;
	while (still_steering()) {
		arfs_table_read_stats(rig.table, &stats);
		unit_require(stats.flows <= FLOWS, "%u flows are known, there are %u", stats.flows,
			     FLOWS);
		usleep(300);
	}
	return NULL;
}

/* Tags of writes that were posted and not yet reported. */
static pthread_mutex_t post_lock = PTHREAD_MUTEX_INITIALIZER;
static u32 posts[256], post_count;

static void remember_post(u32 tag)
{
	pthread_mutex_lock(&post_lock);
	if ((tag & 0xffff) != ARFS_NO_ID && post_count < ARRAY_SIZE(posts))
		posts[post_count++] = tag;
	pthread_mutex_unlock(&post_lock);
}

static bool take_post(u32 random, u32 *tag)
{
	bool taken;

	pthread_mutex_lock(&post_lock);
	taken = post_count;
	if (taken) {
		u32 which = random % post_count;

		*tag = posts[which];
		posts[which] = posts[--post_count];
	}
	pthread_mutex_unlock(&post_lock);
	return taken;
}

/* The interrupt of the control VSI: reports in any order, some twice, some not at all. */
static void *report(void *argument)
{
	u64 random = 21;
	u32 tag;

	(void)argument;
	while (still_steering()) {
		u32 luck = unit_random(&random) % 16;

		if (!take_post(unit_random(&random), &tag)) {
			usleep(50);
			continue;
		}
		if (luck)
			arfs_table_report(rig.table, tag, ARFS_REPORT_DONE);
		if (luck == 1)
			arfs_table_report(rig.table, tag, ARFS_REPORT_DONE);
	}
	return NULL;
}

/* What ethtool does, one after the other: rules, queues, room, and the pace of moves. */
static void *decide(void *argument)
{
	u64 random = 31;
	u32 round;

	(void)argument;
	for (round = 0; still_steering(); round++) {
		struct arfs_flow_key key = rig_key(unit_random(&random) % FLOWS);

		unit_require(!arfs_table_bar(rig.table, &key), "no memory");
		usleep(100);
		arfs_table_has_filter(rig.table, &key);
		arfs_table_unbar(rig.table, &key);
		arfs_table_evict(rig.table, unit_random(&random) % 4);
		arfs_table_set_move_interval(rig.table, unit_random(&random) % 200);
		if (round % 4 == 0) {
			arfs_table_set_queues(rig.table, 1 + unit_random(&random) % QUEUES);
			arfs_table_clear_of(rig.table, 1);
		}
	}
	arfs_table_set_queues(rig.table, QUEUES);
	return NULL;
}

static void start(pthread_t *thread, void *(*body)(void *), uintptr_t argument)
{
	ck_assert_int_eq(pthread_create(thread, NULL, body, (void *)argument), 0);
}

/* Steering threads and one of each of the others; afterwards everything must hold. */
static void storm(u32 limit, bool collide, bool later, void *(*const others[])(void *),
		  u32 count)
{
	pthread_t steerers[STEERERS], threads[5];
	u32 i;

	rig_begin(limit);
	shim_hash_collide(collide);
	rig.later = later;
	rig.silent = later;
	rig.on_post = later ? remember_post : NULL;
	__atomic_store_n(&steering, STEERERS, __ATOMIC_RELEASE);
	for (i = 0; i < STEERERS; i++)
		start(&steerers[i], steer, i + 1);
	for (i = 0; i < count; i++)
		start(&threads[i], others[i], 0);
	for (i = 0; i < STEERERS; i++)
		pthread_join(steerers[i], NULL);
	for (i = 0; i < count; i++)
		pthread_join(threads[i], NULL);

	rig.fail = 0;
	rig.later = false;
	/* What was not reported is in doubt, and then written again. */
	for (i = 0; i < 100; i++) {
		rig.now += 400;
		rig_service();
	}
	rig.silent = false;
	rig.on_post = NULL;
	rig_settle();
	rig_pass(20000);
	rig_check_quiet();
	rig_end();
}

static void *(*const everybody[])(void *) = { serve, open_and_close, reset, look_on };
static void *(*const quiet[])(void *) = { serve, look_on };
static void *(*const reported[])(void *) = { serve, open_and_close, reset, look_on, report };
static void *(*const decided[])(void *) = { serve, decide, reset, look_on, report };

START_TEST(requests_and_service_at_once_leave_the_table_in_order)
{
	/* Room for all; too little room; all in one bucket and one line. */
	storm(_i == 1 ? 10 : 1000, _i == 2, false, quiet, 2);
}
END_TEST

START_TEST(open_close_reset_and_requests_at_once_leave_the_table_in_order)
{
	storm(_i == 1 ? 10 : 1000, _i == 2, false, everybody, 4);
}
END_TEST

START_TEST(reports_beside_all_that_goes_on_leave_the_table_in_order)
{
	storm(_i == 1 ? 10 : 1000, _i == 2, true, reported, 5);
}
END_TEST

START_TEST(decisions_and_reports_beside_requests_leave_the_table_in_order)
{
	storm(_i == 1 ? 10 : 1000, _i == 2, true, decided, 5);
}
END_TEST

static void *hit(void *argument)
{
	u16 id = (uintptr_t)argument;
	u32 i;

	for (i = 0; i < 20000; i++)
		unit_require(rig_steer(1, 3, 7) == id, "another id");
	return NULL;
}

START_TEST(every_hit_of_every_cpu_is_counted)
{
	pthread_t threads[STEERERS];
	u32 i;
	u16 id;

	rig_begin(1000);
	id = rig_grant(1, 3, 7);
	for (i = 0; i < STEERERS; i++)
		start(&threads[i], hit, id);
	for (i = 0; i < STEERERS; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_HITS), STEERERS * 20000);
	ck_assert_uint_eq(rig_count(ARFS_COUNT_CALLS), STEERERS * 20000 + 1);
	rig_end();
}
END_TEST

static int closed;

static void *close_table(void *argument)
{
	(void)argument;
	arfs_table_close(rig.table);
	__atomic_store_n(&closed, 1, __ATOMIC_RELEASE);
	return NULL;
}

START_TEST(closing_waits_for_the_requests_under_way)
{
	pthread_t thread;

	rig_begin(1000);
	shim_rcu_read_lock();
	start(&thread, close_table, 0);
	usleep(100000);
	ck_assert_int_eq(__atomic_load_n(&closed, __ATOMIC_ACQUIRE), 0);
	shim_rcu_read_unlock();
	pthread_join(thread, NULL);
	ck_assert_int_eq(closed, 1);
	rig_end();
}
END_TEST

static void *take_queues_away(void *argument)
{
	(void)argument;
	arfs_table_set_queues(rig.table, 4);
	__atomic_store_n(&closed, 1, __ATOMIC_RELEASE);
	return NULL;
}

START_TEST(taking_queues_away_waits_for_the_requests_under_way)
{
	pthread_t thread;

	rig_begin(1000);
	shim_rcu_read_lock();
	start(&thread, take_queues_away, 0);
	usleep(100000);
	ck_assert_int_eq(__atomic_load_n(&closed, __ATOMIC_ACQUIRE), 0);
	shim_rcu_read_unlock();
	pthread_join(thread, NULL);
	ck_assert_int_eq(closed, 1);
	rig_end();
}
END_TEST

static void *let_expire(void *argument)
{
	(void)argument;
	rig_pass(ARFS_GRACE_MS + 1000);
	return NULL;
}

START_TEST(an_expired_flow_is_freed_only_after_its_readers_have_left)
{
	unsigned long allocated;
	pthread_t thread;

	rig_begin(1000);
	rig_grant(1, 3, 7);
	rig.all_idle = true;
	shim_rcu_read_lock();
	allocated = shim_allocated();
	start(&thread, let_expire, 0);
	pthread_join(thread, NULL);
	ck_assert_uint_eq(rig_stats().flows, 0);
	usleep(100000);
	ck_assert_uint_eq(shim_allocated(), allocated);
	shim_rcu_read_unlock();
	shim_rcu_wait();
	ck_assert_uint_eq(shim_allocated(), allocated - 1);
	rig_end();
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("table: concurrent");
	TCase *tcase = tcase_create("concurrent");

	tcase_add_loop_test(tcase, requests_and_service_at_once_leave_the_table_in_order, 0, 3);
	tcase_add_loop_test(tcase,
			    open_close_reset_and_requests_at_once_leave_the_table_in_order, 0, 3);
	tcase_add_loop_test(tcase, reports_beside_all_that_goes_on_leave_the_table_in_order, 0, 3);
	tcase_add_loop_test(tcase,
			    decisions_and_reports_beside_requests_leave_the_table_in_order, 0, 3);
	tcase_add_test(tcase, every_hit_of_every_cpu_is_counted);
	tcase_add_test(tcase, closing_waits_for_the_requests_under_way);
	tcase_add_test(tcase, taking_queues_away_waits_for_the_requests_under_way);
	tcase_add_test(tcase, an_expired_flow_is_freed_only_after_its_readers_have_left);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
