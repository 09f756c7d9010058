/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_CONTAINER_OF_H
#define SHIM_LINUX_CONTAINER_OF_H

#include <linux/stddef.h>

#define container_of(pointer, type, member) ({						\
	const typeof(((type *)0)->member) *shim_member = (pointer);			\
	(type *)((char *)shim_member - offsetof(type, member));				\
})

#endif /* SHIM_LINUX_CONTAINER_OF_H */
