/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_RANDOM_H
#define SHIM_LINUX_RANDOM_H

#include <linux/types.h>

/* The same on every run, so that a failure can be repeated. */
static inline u32 get_random_u32(void)
{
	return 0x5bd1e995;
}

#endif /* SHIM_LINUX_RANDOM_H */
