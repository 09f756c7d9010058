/* SPDX-License-Identifier: GPL-2.0-only */
/* What all unit tests share. */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <linux/types.h>

#include "arfs_filter.h"

/* For loops: an assertion of Check writes a record each time, this one only when it fails. */
#define unit_require(condition, ...) do {						\
	if (!(condition))								\
		ck_abort_msg(#condition ": " __VA_ARGS__);				\
} while (0)

/**
 * unit_run() - run one suite, the body of main()
 * @suite: the suite; freed
 *
 * Return: exit status, 0 when every test passed.
 */
int unit_run(Suite *suite);

/** unit_random() - next number of a fixed pseudo-random sequence; *@state carries it on. */
u32 unit_random(u64 *state);

/** unit_state_name() - a filter state in words */
const char *unit_state_name(unsigned int state);

/**
 * unit_assert_filter() - fail the test unless a filter is as expected in every field
 * @what: what was done to it, for the message
 * @seen: the filter
 * @expected: how it should be; targets without an id are equal whatever their queue
 */
void unit_assert_filter(const char *what, const struct arfs_filter *seen,
			const struct arfs_filter *expected);

#endif /* UNIT_H */
