/* SPDX-License-Identifier: GPL-2.0-only */
/* Faults that the control socket injects. */
#ifndef VDEV_FAULT_H
#define VDEV_FAULT_H

#include "vdev_fdir.h"

struct vdev;

/**
 * struct vdev_fault - faults that wait for their occasion
 * @fail_adds: how many of the next filter adds fail
 * @fail_nth_add: which add from now on fails, 1 for the next one, 0 for none
 * @fail_deletes: how many of the next deletes fail
 * @fail_profile: how many of the next operations of any kind fail with the profile error
 * @fail_adds_until: adds fail up to this vdev_now() time
 * @injected: how many operations have failed
 */
struct vdev_fault {
	u32 fail_adds;
	u32 fail_nth_add;
	u32 fail_deletes;
	u32 fail_profile;
	u64 fail_adds_until;
	u64 injected;
};

/**
 * struct vdev_fault_kind - one kind of fault
 * @name: second word of the command
 * @usage: its arguments, "" for none
 * @min_args: how many there are at least
 * @max_args: how many at most
 * @help: what it does
 * @inject: do it; return NULL or what is wrong with the arguments
 * @which: tells kinds that share @inject apart, a meaning of its own for each
 */
struct vdev_fault_kind {
	const char *name;
	const char *usage;
	u32 min_args;
	u32 max_args;
	const char *help;
	const char *(*inject)(struct vdev *dev, const struct vdev_fault_kind *kind, char **args);
	size_t which;
};

const struct vdev_fault_kind *vdev_fault_kinds(size_t *count);
const struct vdev_fault_kind *vdev_fault_find(const char *name);
enum vdev_fd_outcome vdev_fault_take(struct vdev_fault *fault, bool remove, u64 now);

#endif /* VDEV_FAULT_H */
