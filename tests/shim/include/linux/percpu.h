/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_PERCPU_H
#define SHIM_LINUX_PERCPU_H

#include <linux/compiler.h>
#include <linux/types.h>

/* Each CPU's copy begins this much after the one before; a pointer is that of CPU 0's copy. */
#define SHIM_PERCPU_STRIDE	4096

#define alloc_percpu(type) ({								\
	_Static_assert(sizeof(type) <= SHIM_PERCPU_STRIDE, "too large for the shim");	\
	(type *)shim_alloc(SHIM_CPUS, SHIM_PERCPU_STRIDE, true, "alloc_percpu");	\
})
#define free_percpu(pointer)	shim_free(pointer)

#define per_cpu_ptr(pointer, cpu)							\
	((typeof(pointer))((char *)(pointer) + (cpu) * SHIM_PERCPU_STRIDE))
#define this_cpu_inc(place) do {							\
	shim_counts.percpu_writes++;							\
	__atomic_fetch_add(per_cpu_ptr(&(place), shim_cpu()), 1, __ATOMIC_RELAXED);	\
} while (0)

#define for_each_possible_cpu(cpu)	for ((cpu) = 0; (cpu) < SHIM_CPUS; (cpu)++)

#endif /* SHIM_LINUX_PERCPU_H */
