/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_BUG_H
#define SHIM_LINUX_BUG_H

#include <linux/compiler.h>

/* A warning ends the test, unless it said that it expects one. */
#define WARN_ON_ONCE(condition) ({							\
	bool shim_warned = !!(condition);						\
	if (shim_warned)								\
		shim_warn(__FILE__, __LINE__, #condition);				\
	shim_warned;									\
})
#define WARN_ON(condition)	WARN_ON_ONCE(condition)

#endif /* SHIM_LINUX_BUG_H */
