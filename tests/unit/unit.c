// SPDX-License-Identifier: GPL-2.0-only
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Check gives a test 4 seconds, which a busy machine with sanitizers may need. This long is a hang.
 * Read by tcase_create(), so set before main().
 */
static __attribute__((constructor)) void unit_allow_time(void)
{
	setenv("CK_DEFAULT_TIMEOUT", "300", 0);
}

int unit_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	if (!srunner_ntests_run(runner)) {
		fprintf(stderr, "no test was run: unset CK_RUN_CASE and CK_RUN_SUITE\n");
		failed = 1;
	}
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Linear congruential generator with Knuth's MMIX constants; the upper half is the good one. */
u32 unit_random(u64 *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 32;
}

const char *unit_state_name(unsigned int state)
{
	static const char *const names[ARFS_STATES] = {
		[ARFS_IDLE] = "idle",
		[ARFS_PENDING] = "pending",
		[ARFS_ADDING] = "adding",
		[ARFS_ACTIVE] = "active",
		[ARFS_STALE] = "stale",
		[ARFS_MOVING] = "moving",
		[ARFS_DOOMED] = "doomed",
		[ARFS_DELETING] = "deleting",
		[ARFS_FAILED] = "failed",
	};

	return state < ARFS_STATES ? names[state] : "out of range";
}

static void filter_text(char *text, size_t size, const struct arfs_filter *filter)
{
	const struct arfs_target *target[3] = {
		&filter->wanted, &filter->writing, &filter->programmed
	};
	static const char *const name[3] = { "wanted", "writing", "programmed" };
	size_t used;
	int i;

	used = snprintf(text, size, "%s, failures %u", unit_state_name(filter->state),
			filter->failures);
	for (i = 0; i < 3 && used < size; i++) {
		if (target[i]->id == ARFS_NO_ID)
			used += snprintf(text + used, size - used, ", %s none", name[i]);
		else
			used += snprintf(text + used, size - used, ", %s queue %u id %u", name[i],
					 target[i]->rxq, target[i]->id);
	}
}

void unit_assert_filter(const char *what, const struct arfs_filter *seen,
			const struct arfs_filter *expected)
{
	char expected_text[200], seen_text[200];

	if (seen->state == expected->state && seen->failures == expected->failures &&
	    arfs_target_equal(seen->wanted, expected->wanted) &&
	    arfs_target_equal(seen->writing, expected->writing) &&
	    arfs_target_equal(seen->programmed, expected->programmed))
		return;
	filter_text(expected_text, sizeof(expected_text), expected);
	filter_text(seen_text, sizeof(seen_text), seen);
	ck_abort_msg("%s:\n  expected: %s\n  seen:     %s", what, expected_text, seen_text);
}
