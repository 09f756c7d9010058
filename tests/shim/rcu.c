// SPDX-License-Identifier: GPL-2.0-only
/*
 * RCU over liburcu's membarrier flavour.
 *
 * ThreadSanitizer does not see inside liburcu, and a grace period that rests on membarrier(2) would
 * not tell it anything if it did. So the promises are told to it here: what a reader did before it
 * left its section has happened before a grace period that waited for it ends, and what was done
 * before a grace period began has happened before a section that begins after it.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <urcu/urcu-memb.h>

#include "core.h"

#ifdef __SANITIZE_THREAD__
void __tsan_acquire(void *address);
void __tsan_release(void *address);
#define happened_before(place)	__tsan_release(place)
#define happens_after(place)	__tsan_acquire(place)
#else
#define happened_before(place)	((void)(place))
#define happens_after(place)	((void)(place))
#endif

static char readers_left, grace_began;

static pthread_key_t thread_key;
static _Thread_local bool registered;
static _Thread_local int depth;

static void thread_gone(void *unused)
{
	(void)unused;
	urcu_memb_unregister_thread();
}

static void make_key(void)
{
	if (pthread_key_create(&thread_key, thread_gone))
		shim_fail(__FILE__, __LINE__, "no thread key left");
}

static void register_thread(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (registered)
		return;
	pthread_once(&once, make_key);
	pthread_setspecific(thread_key, &thread_key);
	urcu_memb_register_thread();
	registered = true;
}

void shim_rcu_read_lock(void)
{
	register_thread();
	urcu_memb_read_lock();
	happens_after(&grace_began);
	depth++;
	shim_set_atomic(1);
}

void shim_rcu_read_unlock(void)
{
	if (!depth)
		shim_fail(__FILE__, __LINE__, "RCU read lock given that was not taken");
	shim_set_atomic(-1);
	depth--;
	happened_before(&readers_left);
	urcu_memb_read_unlock();
}

bool shim_rcu_read_held(void)
{
	return depth;
}

void shim_rcu_synchronize(void)
{
	shim_might_sleep("synchronize_rcu");
	register_thread();
	happened_before(&grace_began);
	urcu_memb_synchronize_rcu();
	happens_after(&readers_left);
}

/* What liburcu keeps of a callback, in the head's storage. */
struct callback {
	struct rcu_head urcu;
	void (*func)(struct shim_rcu_head *head);
};

_Static_assert(sizeof(struct callback) <= sizeof(struct shim_rcu_head), "storage is too small");

/* Callbacks under way. liburcu's own barrier frees memory in a way that ThreadSanitizer reports. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t none_left = PTHREAD_COND_INITIALIZER;
static unsigned long callbacks;

static void invoke(struct rcu_head *urcu)
{
	struct callback *callback = caa_container_of(urcu, struct callback, urcu);

	happens_after(callback);
	happens_after(&readers_left);
	callback->func((struct shim_rcu_head *)callback);

	pthread_mutex_lock(&mutex);
	if (!--callbacks)
		pthread_cond_broadcast(&none_left);
	pthread_mutex_unlock(&mutex);
}

void shim_rcu_call(struct shim_rcu_head *head, void (*func)(struct shim_rcu_head *head))
{
	struct callback *callback = (struct callback *)head;

	register_thread();
	callback->func = func;
	pthread_mutex_lock(&mutex);
	callbacks++;
	pthread_mutex_unlock(&mutex);
	happened_before(callback);
	urcu_memb_call_rcu(&callback->urcu, invoke);
}

/* Waits for the callbacks that come meanwhile, too. */
void shim_rcu_barrier(void)
{
	shim_might_sleep("rcu_barrier");
	pthread_mutex_lock(&mutex);
	while (callbacks)
		pthread_cond_wait(&none_left, &mutex);
	pthread_mutex_unlock(&mutex);
}

void shim_rcu_wait(void)
{
	shim_rcu_barrier();
}
