# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# The true series on the files they touch, taken from the true kernels.

real_cases="real_6_1 real_6_12 real_7_3"

real_6_1() { real 6.1; }
real_6_12() { real 6.12; }
real_7_3() { real 7.3; }

# real_tree SERIES: sets tree and pristine
real_tree()
{
	from=$("$top/tests/core-patch/sources" "$1")
	rm -rf "$work/real"
	for file in Makefile net/core/dev.c include/linux/netdevice.h include/net/rps.h include/net/rps-types.h \
		$(sed -n 's:^+++ b/::p' "$world"/core-patch/series/*/*.patch | sort -u); do
		[ -f "$from/$file" ] || continue
		mkdir -p "$work/real/$(dirname "$file")"
		cp -p "$from/$file" "$work/real/$file"
	done
	new_tree "$work/real"
}

# same_as_by_hand N: the tree is what patch makes of the first N patches, beside our header and record
same_as_by_hand()
{
	rm -rf "$work/expected"
	cp -Rp "$pristine" "$work/expected"
	n=0
	for patch in "$world/core-patch/series/$line"/*.patch; do
		n=$((n + 1))
		[ "$n" -le "$1" ] || break
		patch -s --no-backup-if-mismatch -d "$work/expected" -p1 -F0 <"$patch"
	done
	cp "$world/core-patch/rps_steer.h" "$work/expected/$header"
	diff -r -x "$marker" "$work/expected" "$tree"
}

# a_line PATCH: the file of its first hunk, and the number of a line that this hunk needs
a_line()
{
	awk '/^\+\+\+ b\// { file = substr($2, 3) }
		/^@@ / { split($2, at, /[-,]/); print file, at[2]; exit }' "$1"
}

# Where our own series is changed, this changes with it: nothing here knows what is in a patch.
real()
{
	line=$1
	world=$work/true\ world
	rm -rf "$world"
	mkdir -p "$world/src/fork"
	cp -R "$top/core-patch" "$world/"
	cp "$top/src/fork/lib.sh" "$world/src/fork/"
	total=$(find "$world/core-patch/series/$line" -name '*.patch' | wc -l)
	[ "$total" -ge 1 ]

	real_tree "$line"
	saying core_patch check "$tree"
	says "$work/said" "would apply series $line, $total patches\$"
	untouched
	for count in $(seq 1 "$total"); do
		core_patch apply --only "$count" "$tree"
		same_as_by_hand "$count"
	done
	saying core_patch apply "$tree"
	says "$work/said" "nothing to do: series $line, $total patches, applied already"
	same_as_by_hand "$total"
	core_patch revert "$tree"
	untouched

	# other lines above, as a stable update brings them
	find "$tree/net" -name '*.c' -exec sed -i '1i/* one */\n/* two */\n/* three */' {} +
	keep_tree
	core_patch apply "$tree"
	same_as_by_hand "$total"
	core_patch revert "$tree"
	untouched

	# one line of the first hunk of all
	real_tree "$line"
	patch=$(find "$world/core-patch/series/$line" -name '*.patch' | sort | head -n 1)
	# shellcheck disable=SC2046
	set -- $(a_line "$patch")
	sed -i "$2s/\$/ foreign/" "$tree/$1"
	keep_tree
	refused "no series fits: the nearest is $line: $(basename "$patch"): $1 line [0-9]+: hunk 1 differs" \
		core_patch apply "$tree"
}
