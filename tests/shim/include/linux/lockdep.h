/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_LOCKDEP_H
#define SHIM_LINUX_LOCKDEP_H

#include <linux/compiler.h>

#define lockdep_assert_held(lock) do {							\
	if (!shim_lock_held(lock))							\
		shim_fail(__FILE__, __LINE__, "lock not held: " #lock);			\
} while (0)

#endif /* SHIM_LINUX_LOCKDEP_H */
