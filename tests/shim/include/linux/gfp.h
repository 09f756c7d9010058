/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_GFP_H
#define SHIM_LINUX_GFP_H

typedef unsigned int gfp_t;

#define __GFP_SLEEPS	0x1u
#define __GFP_NOWARN	0x2u
#define GFP_ATOMIC	0x0u
#define GFP_NOWAIT	0x0u
#define GFP_KERNEL	__GFP_SLEEPS

#endif /* SHIM_LINUX_GFP_H */
