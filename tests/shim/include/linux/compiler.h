/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_COMPILER_H
#define SHIM_LINUX_COMPILER_H

#include "core.h"

#define likely(condition)	__builtin_expect(!!(condition), 1)
#define unlikely(condition)	__builtin_expect(!!(condition), 0)

/* Annotations for sparse, which checks the kernel build. */
#define __rcu
#define __percpu
#define __acquires(lock)
#define __releases(lock)
#define __must_hold(lock)
#define __must_check		__attribute__((warn_unused_result))
#define __maybe_unused		__attribute__((unused))
#define __cold
#define noinline		__attribute__((noinline))

/* Whole-word accesses that other threads may see at any time; no order is implied. */
#define READ_ONCE(place)	__atomic_load_n(&(place), __ATOMIC_RELAXED)
#define WRITE_ONCE(place, value) do {							\
	shim_counts.publications++;							\
	__atomic_store_n(&(place), value, __ATOMIC_RELAXED);				\
} while (0)

#endif /* SHIM_LINUX_COMPILER_H */
