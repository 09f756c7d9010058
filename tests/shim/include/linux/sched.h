/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_SCHED_H
#define SHIM_LINUX_SCHED_H

#include <linux/compiler.h>

#define cond_resched()	shim_might_sleep("cond_resched")
#define might_sleep()	shim_might_sleep("might_sleep")

#endif /* SHIM_LINUX_SCHED_H */
