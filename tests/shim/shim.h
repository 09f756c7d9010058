/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests ask of the shim itself: counts of what a call did, failing allocations, leaks.
 * The kernel interfaces are in include/linux/.
 */
#ifndef SHIM_H
#define SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CPUs that the shim pretends to have; each thread is on one of them for its life. */
#define SHIM_CPUS	8

/**
 * struct shim_counts - what the calling thread has done since it began
 * @locks: spin locks taken
 * @atomic_writes: writes to atomic_t, atomic64_t and llist heads
 * @percpu_writes: writes to this CPU's data
 * @publications: RCU list changes and stores marked WRITE_ONCE, release or assign
 * @allocations: memory asked for, failures included
 */
struct shim_counts {
	unsigned long locks;
	unsigned long atomic_writes;
	unsigned long percpu_writes;
	unsigned long publications;
	unsigned long allocations;
};

extern _Thread_local struct shim_counts shim_counts;

/** shim_fail_allocation() - let the @nth allocation from now fail, 1 for the next; 0: none */
void shim_fail_allocation(unsigned int nth);

/** shim_fail_allocations() - let all allocations fail from now on, or none */
void shim_fail_allocations(bool fail);

/** shim_allocated() - allocations of any kind that are not freed */
unsigned long shim_allocated(void);

/**
 * shim_checksum() - of the bytes of all slab objects
 *
 * Return: a number that changes when a byte of one of them does. Only for tests with one thread.
 */
uint64_t shim_checksum(void);

/** shim_expect_warnings() - WARN_ON_ONCE() counts instead of ending the test, or no longer */
void shim_expect_warnings(bool expect);

/** shim_warnings() - warnings counted so far */
unsigned int shim_warnings(void);

/** shim_hash_collide() - give all hashes the value 0 from now on, or no longer */
void shim_hash_collide(bool collide);

/** shim_rcu_wait() - until all RCU callbacks so far have run */
void shim_rcu_wait(void);

/** shim_might_sleep() - end the test when the caller may not sleep */
void shim_might_sleep(const char *where);

/** shim_in_atomic() - does the calling thread hold a spin lock or an RCU read lock? */
bool shim_in_atomic(void);

#endif /* SHIM_H */
