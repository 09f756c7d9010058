# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# What is refused: one error that names the remedy, a status that is not 0, and a tree as it was.

refuse_cases="wrong_usage no_kernel_tree one_line_changed file_missing foreign_tree newer_form form_between
	part_and_another part_out_of_order another_version_by_hand other_patch header_of_their_own symbolic_link only_too_many
	changed_since_is_not_reverted changed_beyond_knowing record_damaged original_damaged no_series
	not_writable read_only_mount not_readable no_room scratch_missing"

# refused PATTERN COMMAND...: with status 1, one error and an untouched tree
refused()
{
	pattern=$1
	shift
	fails 1 "$@"
	one_error "$pattern"
	untouched
	[ -z "$(ls "$TMPDIR")" ] || { ls "$TMPDIR"; return 1; }
}

wrong_usage()
{
	new_tree
	refused 'say what to do: check, apply, status or revert' core_patch
	says "$work/said" '^usage: core-patch check'
	refused "unknown command 'install'" core_patch install "$tree"
	refused 'name the kernel source TREE' core_patch apply
	refused "unknown argument '--force'" core_patch apply --force "$tree"
	refused "one TREE at a time" core_patch apply "$tree" "$tree"
	refused '--only needs a number' core_patch apply "$tree" --only
	for number in 0 -1 x 01 2x ''; do
		refused -- core_patch apply --only "$number" "$tree"
	done
	refused '--only goes with check and apply' core_patch revert --only 1 "$tree"
}

no_kernel_tree()
{
	new_tree
	mkdir -p "$work/empty"
	for command in check apply status revert; do
		refused 'empty is no kernel source .*name the top folder' core_patch $command "$work/empty"
		refused 'nowhere is no folder' core_patch $command "$work/nowhere"
	done
	[ -z "$(ls -A "$work/empty")" ]
}

# change_line FILE LINE PATTERN [COMMAND...]: of a good tree this line differs, and the error must match
change_line()
{
	new_tree
	sed -i "$2s/.*/	foreign();/" "$tree/$1"
	keep_tree
	where="no series fits: the nearest is 1\\.0: $3"
	shift 3
	for command in apply "$@"; do
		# shellcheck disable=SC2086
		refused "$where; its flow slots are as in 6\\.1.*look for an ice-arfs .* changed by hand, undo that" core_patch $command "$tree"
	done
}

one_line_changed()
{
	change_line net/core/dev.c 10 '0001-first\.patch: net/core/dev\.c line 7: hunk 1 differs' check "apply --only 1"
	saying core_patch status "$tree"
	says "$work/said" "not applied, and $where"
	saying core_patch revert "$tree"
	untouched
	change_line net/core/dev.c 43 '0001-first\.patch: net/core/dev\.c line 37: hunk 2 differs'
	change_line net/core/dev.c 15 '0002-second\.patch: net/core/dev\.c line 12: hunk 1 differs'
	change_line net/core/sock.c 18 '0002-second\.patch: net/core/sock\.c line 17: hunk 1 differs'
	change_line net/core/dev.c 53 '0003-third\.patch: net/core/dev\.c line [0-9]+: hunk 2 differs'
	# a context line is only known by all of its letters
	new_tree
	sed -i '12s/line/Line/' "$tree/net/core/dev.c"
	keep_tree
	refused 'net/core/dev\.c line 7: hunk 1 differs' core_patch apply "$tree"
}

file_missing()
{
	new_tree
	rm "$tree/net/core/sock.c"
	keep_tree
	refused '0002-second\.patch: there is no net/core/sock\.c' core_patch apply "$tree"
}

foreign_tree()
{
	new_tree
	numbered 500 600 >"$tree/net/core/dev.c"
	echo '/* no slots */' >"$tree/include/linux/netdevice.h"
	keep_tree
	for command in check apply; do
		refused 'no series fits: .* hunk 1 differs; its flow slots are none' core_patch $command "$tree"
	done
	saying core_patch status "$tree"
	says "$work/said" 'flow slots: none: this kernel has no struct rps_dev_flow'
}

# A tree of another form has another series, and it is the code that tells.
newer_form()
{
	new_tree "$work/kernel2"
	saying core_patch check "$tree"
	says "$work/said" 'would apply series 0\.9, 1 patch$'
	core_patch apply "$tree"
	saying core_patch status "$tree"
	says "$work/said" 'series 0\.9, 1 patch, applied'
	core_patch revert "$tree"
	untouched
}

form_between()
{
	new_tree "$work/kernel2"
	sed -i '12s/.*/	foreign();/' "$tree/net/core/dev.c"
	keep_tree
	refused 'its flow slots are between those of 6\.12 and of 7\.3.*look for an ice-arfs' core_patch apply "$tree"
	echo '	rps_tag_ptr rps_sock_flow_table; rps_tag_ptr;' >"$tree/include/net/rps-types.h"
	keep_tree
	refused 'its flow slots are as in 7\.3' core_patch apply "$tree"
	rm "$tree/include/net/rps-types.h"
	echo >"$tree/include/net/rps_steer.h"
	keep_tree
	refused 'its flow slots are those of the first patches of the core patch.*take them out' core_patch apply "$tree"
}

part_and_another()
{
	new_tree
	by_hand 1
	sed -i '$s/.*/	foreign();/; 52,53s/.*/	foreign();/' "$tree/net/core/dev.c"
	keep_tree
	refused 'the first 1 patch of series 1\.0 are there and the next does not apply: 0003-third\.patch: net/core/dev\.c' \
		core_patch apply "$tree"
}

part_out_of_order()
{
	new_tree
	patch -s --no-backup-if-mismatch -d "$tree" -p1 <"$world/core-patch/series/1.0/0002-second.patch"
	keep_tree
	refused '0002-second\.patch' core_patch apply "$tree"
}

another_version_by_hand()
{
	new_tree
	by_hand 1
	sed -i 's/patched(10)/patched_by_another(10)/' "$tree/net/core/dev.c"
	keep_tree
	refused "has a core patch in a version that is not this one's, .* take it out the way it came" core_patch apply "$tree"
}

other_patch()
{
	new_tree
	mkdir -p "$work/busy"
	printf '#!/bin/sh\necho "patch: not the one" >&2; exit 1\n' >"$work/busy/patch"
	chmod +x "$work/busy/patch"
	refused 'is not GNU patch; install' env PATH="$work/busy:$PATH" "$world/core-patch/core-patch" apply "$tree"
}

header_of_their_own()
{
	new_tree
	echo '/* another */' >"$tree/$header"
	keep_tree
	refused 'has another include/net/rps_steer\.h than ours' core_patch apply "$tree"
	# the same one may stay, and stays after revert
	cp "$world/core-patch/rps_steer.h" "$tree/$header"
	keep_tree
	core_patch apply "$tree"
	core_patch revert "$tree"
	untouched
}

symbolic_link()
{
	new_tree
	mv "$tree/net/core/dev.c" "$tree/net/core/real.c"
	ln -s real.c "$tree/net/core/dev.c"
	keep_tree
	refused 'net/core/dev\.c is a symbolic link; .*make a copy' core_patch apply "$tree"
}

only_too_many()
{
	new_tree
	refused '--only 4: series 1\.0 has 3 patches' core_patch apply --only 4 "$tree"
}

changed_since_is_not_reverted()
{
	new_tree
	core_patch apply "$tree"
	echo '/* mine */' >>"$tree/net/core/sock.c"
	keep_tree
	refused 'net/core/sock\.c was changed since core-patch apply; nothing is taken back: put that file back' \
		core_patch revert "$tree"
	sed -i '$d' "$tree/net/core/sock.c"
	core_patch revert "$tree"
	same_tree "$work/kernel" "$tree"
	# and the header counts as well
	core_patch apply "$tree"
	echo '/* mine */' >>"$tree/$header"
	keep_tree
	refused 'rps_steer\.h was changed since core-patch apply' core_patch revert "$tree"
	rm "$tree/net/core/dev.c"
	echo 'int x;' >"$tree/net/core/dev.c"
	keep_tree
	refused 'was changed since' core_patch revert "$tree"
}

changed_beyond_knowing()
{
	new_tree
	core_patch apply "$tree"
	sed -i '8,14s/.*/	foreign();/' "$tree/net/core/dev.c"
	keep_tree
	for command in check apply; do
		refused 'net/core/dev\.c was changed since core-patch apply, .* no series fits' core_patch $command "$tree"
	done
	saying core_patch status "$tree"
	says "$work/said" 'does not look like it any more: net/core/dev\.c'
	refused 'net/core/dev\.c was changed since' core_patch revert "$tree"
}

record_damaged()
{
	new_tree
	core_patch apply "$tree"
	: >"$tree/$marker/record"
	keep_tree
	for command in check apply status revert; do
		refused 'is damaged or from another version of core-patch; unpack the tree again' core_patch $command "$tree"
	done
}

original_damaged()
{
	new_tree
	core_patch apply "$tree"
	echo >"$tree/$marker/originals/6"
	keep_tree
	refused 'is damaged: originals/6 is not net/core/sock\.c as it was' core_patch revert "$tree"
}

no_series()
{
	own_world
	new_tree
	rm -r "$world/core-patch/series"
	refused 'there is no patch in .*this copy of ice-arfs is not whole' core_patch apply "$tree"
}

# as_another COMMAND...: as a user who owns nothing here
as_another()
{
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid 65534 --regid 65534 --clear-groups env TMPDIR="$other/tmp" "$@"
	else
		TMPDIR="$other/tmp" "$@"
	fi
}

# in_the_open CASE: with the world and a tree where another user may read them; as root that need not be so here
in_the_open()
{
	other=$(mktemp -d /tmp/core-patch-test.XXXXXX)
	trap 'chmod -R u+rwX "$other"; rm -rf "$other"' EXIT
	chmod 755 "$other"
	mkdir -m 1777 "$other/tmp"
	cp -R "$world" "$other/world"
	cp -R "$work/kernel" "$other/linux tree"
	world=$other/world
	tree=$other/linux\ tree
	pristine=$work/pristine
	"$1"
}

check_not_writable()
{
	[ "$(id -u)" = 0 ] || chmod -R a-w "$tree"
	keep_tree
	saying as_another "$world/core-patch/core-patch" check "$tree"
	says "$work/said" 'would apply series 1\.0'
	says "$work/said" 'warning: apply would be refused: .*linux tree cannot be written'
	refused 'linux tree cannot be written.*; nothing is changed' as_another "$world/core-patch/core-patch" apply "$tree"
	# one folder is enough
	if [ "$(id -u)" = 0 ]; then chown -R 65534 "$tree"; chown root "$tree/net/core"; else chmod -R u+w "$tree"; fi
	chmod 555 "$tree/net/core"
	keep_tree
	refused 'linux tree/net/core cannot be written' as_another "$world/core-patch/core-patch" apply "$tree"
	chmod 755 "$tree/net/core"
	[ "$(id -u)" != 0 ] || chown 65534 "$tree/net/core"
	as_another "$world/core-patch/core-patch" apply "$tree"
	chmod 555 "$tree/net/core"
	[ "$(id -u)" != 0 ] || chown root "$tree/net/core"
	keep_tree
	refused 'linux tree/net/core cannot be written' as_another "$world/core-patch/core-patch" revert "$tree"
}

not_writable() { in_the_open check_not_writable; }

check_not_readable()
{
	chmod 000 "$tree/net/core/sock.c"
	fails 1 as_another "$world/core-patch/core-patch" apply "$tree"
	one_error 'cannot read .*net/core/sock\.c'
	chmod 700 "$tree"
	[ "$(id -u)" != 0 ] || { fails 1 as_another "$world/core-patch/core-patch" apply "$tree"; one_error 'cannot read .*linux tree'; }
}

not_readable() { in_the_open check_not_readable; }

# in_mount COMMAND...: in a mount namespace of its own, also for who is not root
in_mount()
{
	if [ "$(id -u)" = 0 ]; then
		unshare -m "$@"
	else
		unshare -rm "$@"
	fi
}

read_only_mount()
{
	in_mount true || { echo "this machine allows no mount namespace"; return 77; }
	new_tree
	cat >"$work/ro.sh" <<-'END'
		mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 9
		exec "$2" apply "$1"
	END
	refused 'cannot be written; if the tree is on a read-only file system, work on a copy' \
		in_mount sh "$work/ro.sh" "$tree" "$world/core-patch/core-patch"
}

no_room()
{
	in_mount true || { echo "this machine allows no mount namespace"; return 77; }
	new_tree
	cat >"$work/full.sh" <<-'END'
		mkdir -p "$3" && mount -t tmpfs -o size=1m none "$3" && cp -R "$1" "$3/tree" || exit 9
		status=0
		"$2" apply "$3/tree" || status=$?
		diff -r "$1" "$3/tree" || exit 8
		exit $status
	END
	refused 'MiB free in .* 20 MiB needed' in_mount sh "$work/full.sh" "$tree" "$world/core-patch/core-patch" "$work/full"
}

scratch_missing()
{
	new_tree
	refused 'cannot make a scratch folder in .*nowhere; set TMPDIR' env TMPDIR="$work/nowhere" "$world/core-patch/core-patch" apply "$tree"
}
