# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# A run that is cut off before any one of the commands that change the tree, or amid a copy: what it leaves is
# recognised, and both apply and revert come to a good end from there.
#
# The command is run with cp, mv and rm of ours in front of PATH. At the call that is to be cut they kill their
# whole process group.

cut_cases="cut_apply cut_apply_amid_a_copy cut_revert cut_replace cut_finish cut_by_a_signal cut_by_a_pipe"

# make_cutter: $work/cutter has the commands; calls that change nothing below $CUT_TREE do not count
make_cutter()
{
	mkdir -p "$work/cutter"
	for tool in cp mv rm; do
		cat >"$work/cutter/$tool" <<-END
			#!/bin/sh
			for last; do :; done
			case \$last in
			"\$CUT_TREE"/*) echo $tool >>"\$CUT_LOG" ;;
			*) exec $(command -v $tool) "\$@" ;;
			esac
			if [ "\$(grep -c "\$CUT_WHAT" "\$CUT_LOG")" -eq "\$CUT_AT" ]; then
				[ $tool != cp ] || head -c 20 "\$1" >"\$last"
				kill -KILL 0
			fi
			exec $(command -v $tool) "\$@"
		END
		chmod +x "$work/cutter/$tool"
	done
}

# cut N WHAT COMMAND...: cut it at the Nth of the calls WHAT names; false when it came to its end before
cut()
{
	: >"$work/calls"
	cut_status=0
	CUT_AT=$1 CUT_WHAT=$2 CUT_LOG=$work/calls CUT_TREE=$tree PATH=$work/cutter:$PATH \
		setsid -w "$world/core-patch/core-patch" "$3" "$tree" >"$work/said" 2>&1 || cut_status=$?
	# what is killed cannot clear its scratch folder
	rm -rf "$TMPDIR"/core-patch.*
	case $cut_status in
	137) return 0 ;;
	0) return 1 ;;
	*)
		cat "$work/said"
		exit 1
		;;
	esac
}

# from_here: the tree that was cut, to try both ways from
from_here()
{
	rm -rf "$work/cut-off"
	cp -Rp "$tree" "$work/cut-off"
}

again_from_there()
{
	rm -rf "$tree"
	cp -Rp "$work/cut-off" "$tree"
}

# ends_well PATCHES WAY: apply or revert, from what was cut
ends_well()
{
	core_patch "$2" "$tree" >"$work/said"
	if [ "$2" = apply ]; then
		patched_to "$1"
	else
		untouched
	fi
}

# both_ways PATCHES: from what was cut, which status must know as well
both_ways()
{
	from_here
	saying core_patch status "$tree"
	says "$work/said" ': (not applied|series 1\.0, [23] patches, (applied|partly in place))'
	ends_well "$1" apply
	again_from_there
	ends_well "$1" revert
}

# every_cut WHAT COMMAND PATCHES LEAST: from the tree in begin/ on; at least so many places must have been cut.
# Apply and revert take turns.
every_cut()
{
	at=1
	way=apply
	while :; do
		again_from_begin
		cut $at "$1" "$2" || break
		echo "cut at $at: $(tail -n 1 "$work/calls"), then $way"
		ends_well "$3" $way
		at=$((at + 1))
		if [ $way = apply ]; then way=revert; else way=apply; fi
	done
	[ "$at" -gt "$4" ] || { echo "only $((at - 1)) cuts"; return 1; }
}

# A world with one series: what does not fit costs time only.
cut_world()
{
	make_cutter
	own_world
	rm -r "$world/core-patch/series/0.9"
	new_tree
}

begin_here()
{
	rm -rf "$work/begin"
	cp -Rp "$tree" "$work/begin"
}

cut_apply()
{
	cut_world
	begin_here
	every_cut 'mv\|rm' apply 3 7
}

cut_apply_amid_a_copy()
{
	cut_world
	begin_here
	for at in 1 5 12; do
		again_from_begin
		cut $at cp apply
		both_ways 3
	done
}

again_from_begin()
{
	rm -rf "$tree"
	cp -Rp "$work/begin" "$tree"
}

cut_revert()
{
	cut_world
	core_patch apply "$tree"
	begin_here
	every_cut 'mv\|rm' revert 3 7
	for at in 1 3; do
		again_from_begin
		cut $at cp revert
		both_ways 3
	done
}

cut_replace()
{
	cut_world
	core_patch apply "$tree"
	another_version
	begin_here
	every_cut 'mv\|rm' apply 2 13
}

# The run that is to finish what was cut is cut as well.
cut_finish()
{
	cut_world
	cut 6 'mv\|rm' apply
	saying core_patch check "$tree"
	says "$work/said" 'would finish what was interrupted'
	begin_here
	every_cut 'mv\|rm' apply 3 3
}

# A signal that can be caught leaves no scratch folder.
cut_by_a_signal()
{
	new_tree
	mkdir "$work/slow"
	printf '#!/bin/sh\necho started >>"%s"\nsleep 1\nexec %s "$@"\n' "$work/started" "$(command -v patch)" >"$work/slow/patch"
	chmod +x "$work/slow/patch"
	PATH=$work/slow:$PATH "$world/core-patch/core-patch" apply "$tree" >"$work/said" 2>&1 &
	pid=$!
	until [ -s "$work/started" ]; do sleep 0.1; done
	kill -TERM $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 143 ] || { echo "status $status"; return 1; }
	untouched
	[ -z "$(ls "$TMPDIR")" ]
}

# "core-patch apply TREE | head -n 1"
cut_by_a_pipe()
{
	new_tree
	mkfifo "$work/pipe"
	# a reader that is gone before anything is said
	: <"$work/pipe" &
	core_patch apply "$tree" >"$work/pipe" || true
	patched_to 3
	[ -z "$(ls "$TMPDIR")" ] || { ls "$TMPDIR"; return 1; }
}
