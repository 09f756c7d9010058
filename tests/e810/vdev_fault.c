// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_fault.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vdev.h"

static const char *fail_adds(struct vdev *dev, const char *arg)
{
	unsigned long n;
	char *end;

	errno = 0;
	n = strtoul(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || errno || n > UINT32_MAX)
		return "N is a number from 0 to 4294967295";
	dev->fault.fail_adds = n;
	return NULL;
}

static const char *core_reset(struct vdev *dev, const char *arg)
{
	(void)arg;
	if (dev->reset_state != VDEV_RUNNING)
		return "a reset is under way; wait for stats to say resetting=0";
	vdev_reset_core(dev, VDEV_RESET_CORE);
	return NULL;
}

static const char *global_reset(struct vdev *dev, const char *arg)
{
	(void)arg;
	if (dev->reset_state != VDEV_RUNNING)
		return "a reset is under way; wait for stats to say resetting=0";
	vdev_reset_core(dev, VDEV_RESET_GLOBAL);
	return NULL;
}

static const char *link(struct vdev *dev, const char *arg)
{
	if (strcmp(arg, "up") && strcmp(arg, "down"))
		return "say up or down";
	vdev_link_set(dev, !strcmp(arg, "up"));
	return NULL;
}

static const struct vdev_fault_kind kinds[] = {
	{ "fail-adds", "N", "the next N filter adds fail, moves included; 0 ends it", fail_adds },
	{ "corer", "", "core reset, announced by the GRST interrupt", core_reset },
	{ "globr", "", "global reset, announced likewise", global_reset },
	{ "link", "up|down", "plug the cable in or out", link },
};

const struct vdev_fault_kind *vdev_fault_kinds(size_t *count)
{
	*count = VDEV_ARRAY_SIZE(kinds);
	return kinds;
}

const struct vdev_fault_kind *vdev_fault_find(const char *name)
{
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

/* Whether the filter add at hand is to fail. */
bool vdev_fault_take_add(struct vdev_fault *fault)
{
	if (!fault->fail_adds)
		return false;
	fault->fail_adds--;
	fault->injected++;
	return true;
}
