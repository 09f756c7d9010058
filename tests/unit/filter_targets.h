/* SPDX-License-Identifier: GPL-2.0-only */
/* Filters for the tests of arfs_filter.h, short to write. */
#ifndef FILTER_TARGETS_H
#define FILTER_TARGETS_H

#include "arfs_filter.h"

/*
 * Targets: OLD is what the hardware has or had, NEW is wanted instead, NEXT is a further wish.
 * After a write of which nothing was heard the hardware may have the target, on any queue, or
 * another.
 */
enum { NONE, OLD, NEW, NEXT, IN_DOUBT = 8 };
#define TARGET(which) {										\
	.rxq = (which) & IN_DOUBT ? ARFS_RXQ_UNKNOWN : (which),					\
	.id = (which) ? ((which) & ~IN_DOUBT) * 10 : ARFS_NO_ID }

#define FILTER(state_, failures_, wanted_, writing_, programmed_) {				\
	.wanted = TARGET(wanted_), .writing = TARGET(writing_),					\
	.programmed = TARGET(programmed_),							\
	.state = state_, .failures = failures_ }

/* One filter of each state; those with earlier failures show whether an event forgets them. */
static const struct arfs_filter start_of[ARFS_STATES] = {
	[ARFS_IDLE] = FILTER(ARFS_IDLE, 0, NONE, NONE, NONE),
	[ARFS_PENDING] = FILTER(ARFS_PENDING, 2, NEW, NONE, NONE),
	[ARFS_ADDING] = FILTER(ARFS_ADDING, 2, NEW, NEW, NONE),
	[ARFS_ACTIVE] = FILTER(ARFS_ACTIVE, 0, OLD, NONE, OLD),
	[ARFS_STALE] = FILTER(ARFS_STALE, 2, NEW, NONE, OLD),
	[ARFS_MOVING] = FILTER(ARFS_MOVING, 2, NEW, NEW, OLD),
	[ARFS_DOOMED] = FILTER(ARFS_DOOMED, 2, NONE, NONE, OLD),
	[ARFS_DELETING] = FILTER(ARFS_DELETING, 2, NONE, NONE, OLD),
	[ARFS_FAILED] = FILTER(ARFS_FAILED, 2, NEW, NONE, NONE),
};

#endif /* FILTER_TARGETS_H */
