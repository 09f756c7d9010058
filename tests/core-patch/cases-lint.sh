# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# That lint fails when it should.

lint_cases="lint_takes_what_is_good lint_finds_what_is_bad"

# lint_folder: one patch and a header, both good
lint_folder()
{
	rm -rf "$work/lint"
	mkdir -p "$work/lint/series/1.0"
	cat >"$work/lint/rps_steer.h" <<-'END'
		/* SPDX-License-Identifier: GPL-2.0-only */

		/**
		 * rps_steer_test - whether it is so
		 * @value: what it is
		 *
		 * Return: true when it is.
		 */
		static inline bool rps_steer_test(int value)
		{
			return value > 1;
		}
	END
	begin_series "$work/kernel"
	change net/core/dev.c '/line(10)/a\	added(10);'
	next_patch 1.0 0001-lint
	{
		echo 'From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001'
		sed -e '/^--- nothing/d' -e 's/^From: .*/From: A Tester <tester@example.org>/' \
			"$world/core-patch/series/1.0/0001-lint.patch"
	} >"$work/lint/series/1.0/0001-lint.patch"
}

lint_takes_what_is_good()
{
	own_world
	lint_folder
	saying "$top/tests/core-patch/lint" "$work/lint"
	says "$work/said" '^6 passed, 0 failed$'
}

lint_finds_what_is_bad()
{
	own_world
	patch=series/1.0/0001-lint.patch
	lint_folder
	sed -i 's/^+	added.*/& /; /^Signed-off-by/d; s/^The body/T''eh body/' "$work/lint/$patch"
	{
		sed '/Return:/d; /@value/d' "$work/lint/rps_steer.h"
		printf '\n#define RPS_STEER_LONG %090d\n' 1
	} >"$work/new"
	mv "$work/new" "$work/lint/rps_steer.h"
	fails 1 "$top/tests/core-patch/lint" "$work/lint"
	says "$work/said" '0001-lint\.patch: .*TRAILING_WHITESPACE'
	says "$work/said" '0001-lint\.patch: .*MISSING_SIGN_OFF'
	says "$work/said" '0001-lint\.patch: .*T''eh ==> The'
	says "$work/said" 'rps_steer\.h: .*No description found for return value'
	says "$work/said" "rps_steer\\.h: .*parameter .*'value'"
	says "$work/said" 'rps_steer\.h: .*LONG_LINE'
	says "$work/said" '^2 passed, 4 failed$'

	# four lines before the change, the hunk header says so
	lint_folder
	(cd "$work/step" && cp -R "$work/kernel/." a/ && diff -u4 a/net/core/dev.c b/net/core/dev.c) >"$work/four" || true
	sed -i '/^diff -/,$d' "$work/lint/$patch"
	cat "$work/four" >>"$work/lint/$patch"
	fails 1 "$top/tests/core-patch/lint" "$work/lint"
	says "$work/said" '4 lines of context before a change'
	says "$work/said" '4 lines of context at the end of a hunk'
}
