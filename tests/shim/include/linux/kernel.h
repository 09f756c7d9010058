/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_KERNEL_H
#define SHIM_LINUX_KERNEL_H

#include_next <linux/kernel.h>
#include <linux/bits.h>
#include <linux/bug.h>
#include <linux/build_bug.h>
#include <linux/container_of.h>
#include <linux/minmax.h>
#include <linux/types.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#endif /* SHIM_LINUX_KERNEL_H */
