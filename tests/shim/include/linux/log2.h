/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_LOG2_H
#define SHIM_LINUX_LOG2_H

#include <linux/types.h>

/* @n is 1 to 2^63. */
static inline unsigned long roundup_pow_of_two(unsigned long n)
{
	return n > 1 ? 1UL << (64 - __builtin_clzl(n - 1)) : 1;
}

static inline bool is_power_of_2(unsigned long n)
{
	return __builtin_popcountl(n) == 1;
}

#endif /* SHIM_LINUX_LOG2_H */
