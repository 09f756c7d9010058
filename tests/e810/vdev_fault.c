// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_fault.h"

#include <string.h>

#include "vdev.h"
#include "vdev_log.h"
#include "vdev_number.h"

#define NS_PER_MS	1000000ull
#define NS_PER_SECOND	1000000000ull
#define MAX_SECONDS	3600
#define MAX_LATE_MS	600000

static const char not_a_count[] = "N is a number from 0 to 4294967295";

/* @which: offset of the number in struct vdev_fault. */
static const char *set_count(struct vdev *dev, const struct vdev_fault_kind *kind, char **args)
{
	u32 *count = (u32 *)((u8 *)&dev->fault + kind->which);

	return vdev_number(args[0], 0, UINT32_MAX, count) ? NULL : not_a_count;
}

static const char *fail_adds_for(struct vdev *dev, const struct vdev_fault_kind *kind, char **args)
{
	u32 seconds;

	(void)kind;
	if (!vdev_number(args[0], 0, MAX_SECONDS, &seconds))
		return "SECONDS is a number from 0 to 3600";
	dev->fault.fail_adds_until = seconds ? vdev_now() + seconds * NS_PER_SECOND : 0;
	return NULL;
}

static const char *limit(struct vdev *dev, const struct vdev_fault_kind *kind, char **args)
{
	(void)kind;
	return vdev_number(args[0], 0, UINT32_MAX, &dev->fdir.limit) ? NULL : not_a_count;
}

static const char *reports_late(struct vdev *dev, const char *arg)
{
	u32 ms;

	if (!arg || !vdev_number(arg, 1, MAX_LATE_MS, &ms))
		return "late needs MS, a number from 1 to 600000";
	vdev_reports_mode(dev, VDEV_REPORTS_LATE, ms * NS_PER_MS, vdev_now());
	return NULL;
}

static const char *reports_lost(struct vdev *dev, const char *arg)
{
	return arg && vdev_number(arg, 0, UINT32_MAX, &dev->reports.lose) ? NULL :
		"lost needs N, a number from 0 to 4294967295";
}

static void reports_on(struct vdev *dev)
{
	dev->reports.lose = 0;
	vdev_reports_mode(dev, VDEV_REPORTS_ON, 0, vdev_now());
}

static const char *reports(struct vdev *dev, const struct vdev_fault_kind *kind, char **args)
{
	const char *word = args[0];

	(void)kind;
	if (!strcmp(word, "late"))
		return reports_late(dev, args[1]);
	if (!strcmp(word, "lost"))
		return reports_lost(dev, args[1]);
	if (args[1])
		return "only late and lost take a number";
	if (!strcmp(word, "shuffled"))
		vdev_reports_mode(dev, VDEV_REPORTS_SHUFFLED, 0, vdev_now());
	else if (!strcmp(word, "off"))
		vdev_reports_mode(dev, VDEV_REPORTS_OFF, 0, vdev_now());
	else if (!strcmp(word, "on"))
		reports_on(dev);
	else
		return "say late MS, shuffled, lost N, off or on";
	return NULL;
}

/* @which: type of reset. */
static const char *reset(struct vdev *dev, const struct vdev_fault_kind *kind, char **args)
{
	(void)args;
	if (dev->reset_state != VDEV_RUNNING)
		return "a reset is under way; wait for stats to say resetting=0";
	vdev_reset_core(dev, kind->which);
	return NULL;
}

static const char *link(struct vdev *dev, const struct vdev_fault_kind *kind, char **args)
{
	(void)kind;
	if (strcmp(args[0], "up") && strcmp(args[0], "down"))
		return "say up or down";
	vdev_link_set(dev, !strcmp(args[0], "up"));
	return NULL;
}

static const char *none(struct vdev *dev, const struct vdev_fault_kind *kind, char **args)
{
	(void)kind;
	(void)args;
	dev->fault = (struct vdev_fault){ .injected = dev->fault.injected };
	dev->fdir.limit = 0;
	reports_on(dev);
	if (!dev->link_up)
		vdev_link_set(dev, true);
	return NULL;
}

static const struct vdev_fault_kind kinds[] = {
	{ "fail-adds", "N", 1, 1, "the next N filter adds fail, moves included; 0 ends it",
		set_count, offsetof(struct vdev_fault, fail_adds) },
	{ "fail-adds-for", "SECONDS", 1, 1, "all adds fail for that time; 0 ends it",
		fail_adds_for, 0 },
	{ "fail-nth-add", "N", 1, 1, "the Nth add from now fails, once; 0 ends it",
		set_count, offsetof(struct vdev_fault, fail_nth_add) },
	{ "fail-deletes", "N", 1, 1, "the next N deletes fail; 0 ends it",
		set_count, offsetof(struct vdev_fault, fail_deletes) },
	{ "fail-profile", "N", 1, 1, "the next N operations fail with the profile error; 0 ends it",
		set_count, offsetof(struct vdev_fault, fail_profile) },
	{ "limit", "N", 1, 1, "hold N filters only, whatever is advertised; 0 ends it", limit, 0 },
	{ "reports", "late MS|shuffled|lost N|off|on", 1, 2,
		"deliver status descriptors late, out of order, not at all, or as usual",
		reports, 0 },
	{ "corer", "", 0, 0, "core reset, announced by the GRST interrupt",
		reset, VDEV_RESET_CORE },
	{ "globr", "", 0, 0, "global reset, announced likewise", reset, VDEV_RESET_GLOBAL },
	{ "link", "up|down", 1, 1, "plug the cable in or out", link, 0 },
	{ "none", "", 0, 0, "end all faults; a reset under way goes on", none, 0 },
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

static bool take(u32 *count)
{
	if (!*count)
		return false;
	--*count;
	return true;
}

/* Every add counts for each of the faults, also for those that come second. */
static bool take_add(struct vdev_fault *fault, u64 now)
{
	bool next = take(&fault->fail_adds);
	bool nth = take(&fault->fail_nth_add) && !fault->fail_nth_add;

	return next || nth || now < fault->fail_adds_until;
}

/**
 * vdev_fault_take - ask whether the operation at hand is to fail
 * @fault: the faults
 * @remove: whether it is a delete
 * @now: vdev_now()
 *
 * Return: VDEV_FD_OK for no, or the outcome.
 */
enum vdev_fd_outcome vdev_fault_take(struct vdev_fault *fault, bool remove, u64 now)
{
	bool profile = take(&fault->fail_profile);
	bool fail = remove ? take(&fault->fail_deletes) : take_add(fault, now);

	if (!profile && !fail)
		return VDEV_FD_OK;
	fault->injected++;
	return profile ? VDEV_FD_PROFILE : VDEV_FD_INJECTED;
}
