/* SPDX-License-Identifier: GPL-2.0-only */
/* What the headers in include/linux/ need of shim.c and rcu.c. Tests use shim.h. */
#ifndef SHIM_CORE_H
#define SHIM_CORE_H

#include <pthread.h>

#include "shim.h"

/* Says what is wrong, where, and ends the process: the test fails. */
void shim_fail(const char *file, int line, const char *text) __attribute__((noreturn));
void shim_warn(const char *file, int line, const char *text);

/* Locks: a pthread mutex, its owner, and a class for each place that initialises locks. */
struct shim_lock_class {
	int number;
	const char *name;
};

struct shim_lock {
	pthread_mutex_t mutex;
	struct shim_lock_class *class;
	int owner;
};

void shim_lock_init(struct shim_lock *lock, struct shim_lock_class *class);
void shim_lock_take(struct shim_lock *lock, const char *file, int line);
void shim_lock_give(struct shim_lock *lock, const char *file, int line);
bool shim_lock_held(const struct shim_lock *lock);

/* RCU over liburcu. Heads are opaque here, so that liburcu's names stay in rcu.c. */
struct shim_rcu_head {
	void *storage[4];
};

void shim_rcu_read_lock(void);
void shim_rcu_read_unlock(void);
bool shim_rcu_read_held(void);
void shim_rcu_synchronize(void);
void shim_rcu_barrier(void);
void shim_rcu_call(struct shim_rcu_head *head, void (*func)(struct shim_rcu_head *head));

/* Memory. */
struct kmem_cache;
void *shim_alloc(size_t count, size_t size, bool may_sleep, const char *where);
void shim_free(const void *memory);

/* CPU of the calling thread, 0 to SHIM_CPUS - 1. */
unsigned int shim_cpu(void);
void shim_set_atomic(int change);

extern bool shim_hashes_collide;

#endif /* SHIM_CORE_H */
