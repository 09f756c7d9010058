/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_BARRIER_H
#define SHIM_LINUX_BARRIER_H

#include <linux/compiler.h>

#define smp_load_acquire(place)		__atomic_load_n(place, __ATOMIC_ACQUIRE)
#define smp_store_release(place, value) do {						\
	shim_counts.publications++;							\
	__atomic_store_n(place, value, __ATOMIC_RELEASE);				\
} while (0)

#endif /* SHIM_LINUX_BARRIER_H */
