/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_BITS_H
#define SHIM_LINUX_BITS_H

#define BIT(n)			(1UL << (n))
/* Bits high down to low, both included. */
#define GENMASK(high, low)	((~0UL >> (63 - (high))) & (~0UL << (low)))

_Static_assert(sizeof(long) == 8, "the shim stands for a 64-bit kernel");

#endif /* SHIM_LINUX_BITS_H */
