/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_SPINLOCK_H
#define SHIM_LINUX_SPINLOCK_H

#include <linux/lockdep.h>

typedef struct shim_lock spinlock_t;

/* All locks that one line of code initialises are of one class. */
#define spin_lock_init(lock) do {							\
	static struct shim_lock_class shim_class = { .name = #lock };			\
	shim_lock_init(lock, &shim_class);						\
} while (0)

#define spin_lock_bh(lock)	shim_lock_take(lock, __FILE__, __LINE__)
#define spin_unlock_bh(lock)	shim_lock_give(lock, __FILE__, __LINE__)

#endif /* SHIM_LINUX_SPINLOCK_H */
