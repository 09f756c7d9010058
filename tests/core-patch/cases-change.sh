# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# What is done to a tree that is known, and taken back.

change_cases="help_is_for_users check_changes_nothing there_and_back twice prefixes prefix_after_prefix
	lines_moved changes_elsewhere part_by_hand part_by_hand_without_header all_by_hand
	older_version_replaced older_version_reverted series_gone changed_since_is_still_applied put_back_by_git
	one_file_put_back updated_tree hard_links newer_for_make one_at_a_time relative_path owner_of_the_tree"

help_is_for_users()
{
	saying core_patch --help
	says "$work/said" '^usage: core-patch check'
	says "$work/said" 'revert TREE'
	says_not "$work/said" 'shellcheck|\. "'
}

check_changes_nothing()
{
	new_tree
	saying core_patch check "$tree"
	says "$work/said" 'would apply series 1\.0, 3 patches$'
	says "$work/said" '^  change  net/core/dev\.c$'
	says "$work/said" '^  new     include/net/rps_steer\.h$'
	says "$work/said" '^  remove  Documentation/old\.rst$'
	says_not "$work/said" other.rst
	untouched
	saying core_patch status "$tree"
	says "$work/said" 'not applied; series 1\.0 fits'
	says "$work/said" 'flow slots: as in 6\.1'
	untouched
	[ -z "$(ls "$TMPDIR")" ]
}

there_and_back()
{
	new_tree
	saying core_patch apply "$tree"
	says "$work/said" 'done: apply series 1\.0, 3 patches$'
	says "$work/said" '^  0002-second\.patch$'
	patched_to 3
	saying core_patch status "$tree"
	says "$work/said" 'series 1\.0, 3 patches, applied$'
	says "$work/said" 'flow slots: those of the core patch'
	saying core_patch check "$tree"
	says "$work/said" 'nothing to do: .*applied already'
	saying core_patch revert "$tree"
	says "$work/said" 'done: series 1\.0, 3 patches, taken back'
	untouched
	saying core_patch revert "$tree"
	says "$work/said" 'nothing to do'
	untouched
	[ -z "$(ls "$TMPDIR")" ]
}

twice()
{
	new_tree
	core_patch apply "$tree"
	listing "$tree" >"$work/once"
	saying core_patch apply "$tree"
	says "$work/said" 'nothing to do: series 1\.0, 3 patches, applied already'
	listing "$tree" >"$work/again"
	cmp "$work/once" "$work/again"
	core_patch revert "$tree"
	core_patch apply "$tree"
	patched_to 3
}

prefixes()
{
	for count in 1 2 3; do
		new_tree
		saying core_patch check --only $count "$tree"
		says "$work/said" "would apply series 1.0, $count patch(es)?\$"
		core_patch apply --only $count "$tree"
		patched_to $count
		saying core_patch status "$tree"
		says "$work/said" "series 1.0, $count patch(es)?, applied"
		core_patch revert "$tree"
		untouched
	done
}

prefix_after_prefix()
{
	new_tree
	core_patch apply --only 1 "$tree"
	for count in 3 2 1 2; do
		saying core_patch apply --only $count "$tree"
		says "$work/said" 'done: take back .* and apply'
		patched_to $count
	done
	saying core_patch apply "$tree"
	patched_to 3
	core_patch revert "$tree"
	untouched
}

lines_moved()
{
	new_tree
	{ numbered 900 950; cat "$work/kernel/net/core/dev.c"; } >"$tree/net/core/dev.c"
	keep_tree
	core_patch apply "$tree"
	patched_to 3
	core_patch revert "$tree"
	untouched
}

changes_elsewhere()
{
	new_tree
	sed -i '2s/.*/	local();/; 25s/.*/	local();/; $d' "$tree/net/core/dev.c"
	keep_tree
	core_patch apply "$tree"
	patched_to 3
	core_patch revert "$tree"
	untouched
}

part_by_hand()
{
	for count in 1 2; do
		new_tree
		by_hand $count
		keep_tree
		saying core_patch status "$tree"
		says "$work/said" "the first $count patch(es)? of series 1.0 are there"
		says "$work/said" '^  applied      0001-first\.patch'
		says "$work/said" '^  not applied  0003-third\.patch'
		saying core_patch check --only $count "$tree"
		says "$work/said" 'is there already, not put there'
		saying core_patch apply "$tree"
		says "$work/said" "done: apply series 1.0, $((3 - count)) patch(es)? after the $count that were there already"
		saying core_patch apply "$tree"
		says "$work/said" 'nothing to do: .*applied already'
		fails 1 core_patch apply --only $count "$tree"
		one_error 'use core-patch revert'
		core_patch revert "$tree"
		untouched
		fails 1 core_patch revert "$tree"
		one_error 'but not from core-patch apply'
		untouched
	done
}

part_by_hand_without_header()
{
	new_tree
	by_hand 3
	rm "$tree/$header"
	keep_tree
	saying core_patch apply "$tree"
	says "$work/said" "whose patches are there without $header"
	cmp "$tree/$header" "$world/core-patch/rps_steer.h"
	saying core_patch apply "$tree"
	says "$work/said" 'nothing to do'
	core_patch revert "$tree"
	untouched
}

all_by_hand()
{
	new_tree
	by_hand 3
	keep_tree
	for command in check apply status; do
		saying core_patch $command "$tree"
		says "$work/said" 'not put there by core-patch|did not put it there'
		untouched
	done
	fails 1 core_patch revert "$tree"
	one_error 'has 3 patches of series 1\.0, but not from core-patch apply'
	untouched
}

# The world of these is a copy: they change the series.
own_world()
{
	rm -rf "$work/own world"
	cp -Rp "$world" "$work/own world"
	world=$work/own\ world
}

older_version_replaced()
{
	own_world
	new_tree
	core_patch apply --only 2 "$tree"
	another_version
	saying core_patch status "$tree"
	says "$work/said" "2 patches, applied in another version .*'core-patch apply' replaces it"
	saying core_patch check "$tree"
	says "$work/said" 'would take back series 1\.0, 2 patches, and apply series 1\.0, 2 patches$'
	saying core_patch apply "$tree"
	patched_to 2
	saying core_patch status "$tree"
	says_not "$work/said" 'another version'
	core_patch revert "$tree"
	untouched
}

older_version_reverted()
{
	own_world
	new_tree
	core_patch apply "$tree"
	another_version
	core_patch revert "$tree"
	untouched
	# where only the header is another one
	core_patch apply "$tree"
	echo '/* later still */' >>"$world/core-patch/rps_steer.h"
	saying core_patch apply "$tree"
	says "$work/said" 'done: take back'
	cmp "$tree/$header" "$world/core-patch/rps_steer.h"
}

series_gone()
{
	own_world
	new_tree
	core_patch apply "$tree"
	rm -r "$world/core-patch/series/1.0"
	saying core_patch status "$tree"
	says "$work/said" 'another version'
	fails 1 core_patch apply "$tree"
	one_error 'no series fits: the nearest is 0\.9'
	core_patch revert "$tree"
	untouched
}

changed_since_is_still_applied()
{
	new_tree
	core_patch apply "$tree"
	echo '/* mine */' >>"$tree/net/core/sock.c"
	keep_tree
	for command in check apply status; do
		saying core_patch $command "$tree"
		says "$work/said" 'changed since: net/core/sock\.c'
		untouched
	done
	fails 1 core_patch apply --only 1 "$tree"
	one_error 'net/core/sock\.c was changed since core-patch apply'
	untouched
}

# put_back_files FILE...: as "git checkout" does, which knows nothing of the header and the record
put_back_files()
{
	for file; do
		cp -p "$work/kernel/$file" "$tree/$file"
	done
}

put_back_by_git()
{
	for after in apply revert; do
		new_tree
		core_patch apply "$tree"
		put_back_files include/linux/netdevice.h net/core/dev.c net/core/sock.c Documentation/old.rst
		rm "$tree/Documentation/new.rst"
		saying core_patch status "$tree"
		says "$work/said" 'partly in place: core-patch was interrupted, or files were put back'
		says "$work/said" '^  unpatched    net/core/dev\.c$'
		core_patch $after "$tree"
		[ $after = revert ] || { patched_to 3; core_patch revert "$tree"; }
		untouched
	done
	# and with git clean, which does not see the record: the kernel's .gitignore has all dotted names
	core_patch apply "$tree"
	cp -Rp "$tree/$marker" "$work/record"
	core_patch revert "$tree"
	mv "$work/record" "$tree/$marker"
	saying core_patch status "$tree"
	says "$work/said" 'not applied; an apply was interrupted before its first change, or undone'
	core_patch apply "$tree"
	patched_to 3
	core_patch revert "$tree"
	untouched
}

one_file_put_back()
{
	for after in apply revert; do
		new_tree
		core_patch apply "$tree"
		put_back_files net/core/dev.c
		saying core_patch check "$tree"
		says "$work/said" 'would finish what was interrupted'
		core_patch $after "$tree"
		[ $after = revert ] || { patched_to 3; core_patch revert "$tree"; }
		untouched
	done
}

# The next stable release, unpacked over the tree: other files than the record has, no patch in them.
updated_tree()
{
	for after in apply revert; do
		new_tree
		core_patch apply "$tree"
		put_back_files include/linux/netdevice.h net/core/sock.c Documentation/old.rst
		{ echo '	update();'; cat "$work/kernel/net/core/dev.c"; } >"$tree/net/core/dev.c"
		rm "$tree/Documentation/new.rst"
		cp -Rp "$tree" "$work/updated"
		rm -r "$work/updated/$marker" "$work/updated/$header"
		saying core_patch status "$tree"
		says "$work/said" 'not applied; files were put back or updated since series 1\.0'
		pristine=$work/updated
		core_patch $after "$tree"
		[ $after = revert ] || { patched_to 3; core_patch revert "$tree"; }
		same_tree "$work/updated" "$tree"
		rm -rf "$work/updated"
	done
}

hard_links()
{
	new_tree
	rm -rf "$work/linked"
	cp -Rlp "$tree" "$work/linked"
	core_patch apply "$tree"
	same_tree "$pristine" "$work/linked"
	rm -rf "$work/linked"
	cp -Rlp "$tree" "$work/linked"
	cp -Rp "$tree" "$work/patched"
	core_patch revert "$tree"
	same_tree "$work/patched" "$work/linked"
	rm -rf "$work/linked" "$work/patched"
}

# Both ways: an object that is newer than an old source would not be made again.
newer_for_make()
{
	new_tree
	find "$tree" -type f -exec touch -d '2 hours ago' {} +
	touch -d '1 hour ago' "$work/object"
	for command in apply revert; do
		core_patch $command "$tree"
		for file in net/core/dev.c net/core/sock.c include/linux/netdevice.h; do
			[ -n "$(find "$tree/$file" -newer "$work/object")" ] || { echo "$file is older than its object"; return 1; }
		done
		find "$tree" -type f -exec touch -d '2 hours ago' {} +
	done
}

one_at_a_time()
{
	new_tree
	exec 8<"$tree"
	flock -x 8
	core_patch apply "$tree" >"$work/said" 2>&1 8<&- &
	pid=$!
	waited=0
	until grep -q 'waiting for another core-patch' "$work/said"; do
		sleep 0.1
		waited=$((waited + 1))
		[ "$waited" -lt 100 ] || { kill $pid; return 1; }
	done
	untouched
	# closing it would not do: the shell keeps a copy while the command runs
	flock -u 8
	wait $pid
	patched_to 3
}

relative_path()
{
	new_tree
	(cd "$tree/net" && core_patch apply .. && core_patch status ..)
	patched_to 3
	(cd "$tree/.." && core_patch revert source/)
	untouched
}

# With sudo in a user's tree: what root leaves must not be root's.
owner_of_the_tree()
{
	[ "$(id -u)" = 0 ] || { echo "only root can give files away"; return 77; }
	new_tree
	chown -R 12345:12345 "$tree"
	core_patch apply "$tree"
	find "$tree" ! -uid 12345 >"$work/not-theirs"
	core_patch revert "$tree"
	find "$tree" ! -uid 12345 >>"$work/not-theirs"
	[ ! -s "$work/not-theirs" ] || { cat "$work/not-theirs"; return 1; }
}
