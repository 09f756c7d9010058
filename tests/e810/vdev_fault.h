/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults that the control socket injects. */
#ifndef VDEV_FAULT_H
#define VDEV_FAULT_H

#include "vdev_types.h"

struct vdev;

/**
 * struct vdev_fault - faults that wait for their occasion
 * @fail_adds: how many of the next filter adds fail
 * @injected: how many have failed
 */
struct vdev_fault {
	u32 fail_adds;
	u64 injected;
};

/**
 * struct vdev_fault_kind - one kind of fault
 * @name: second word of the command
 * @usage: its argument, "" for none
 * @help: what it does
 * @inject: do it; return NULL or what is wrong with the argument
 */
struct vdev_fault_kind {
	const char *name;
	const char *usage;
	const char *help;
	const char *(*inject)(struct vdev *dev, const char *arg);
};

const struct vdev_fault_kind *vdev_fault_kinds(size_t *count);
const struct vdev_fault_kind *vdev_fault_find(const char *name);
bool vdev_fault_take_add(struct vdev_fault *fault);

#endif /* VDEV_FAULT_H */
