# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
# What apply would do, worked out on copies; and doing it so that a run cut off anywhere can be finished or
# taken back (marker.sh tells how that is seen).
#
# The order on disk:
#   1. TREE/.arfs-core-patch.new is filled: record, patches, originals, results. Nothing else is touched.
#   2. What an earlier apply left is put back file by file, and its folder is moved away and removed.
#   3. The new folder gets its name, then its results are moved in place one by one.
# Every file of the tree is replaced by a rename, never written: hard linked trees stay apart, and a compiler
# that runs beside sees the old file or the new one. What is moved in place is as new as the change, so that
# make sees it, also on the way back.

# refuse_tree: after recognise
refuse_tree()
{
	refusal
	case $form in
	"those of the core patch")
		[ "$marker" != none ] || die "$tree has a core patch in a version that is not this one's, and core-patch did not put it" \
			"there ($refused); nothing is changed: take it out the way it came"
		;;
	esac
	remedy="look for an ice-arfs that knows this kernel"
	case $form in
	"as in "*)
		remedy="$remedy; or, if the tree was changed by hand, undo that, or mend the hunk in a copy of the series (README.md)"
		;;
	"those of the first patches"*) remedy="take them out the way they came, then apply all of them" ;;
	esac
	die "$tree: no series fits: $refused; nothing is changed: $remedy"
}

# make_plan: sets action (nothing, apply, finish, replace) and why; lays $scratch/result and $scratch/plan,
# which is the record to be. Refuses otherwise.
make_plan()
{
	look
	case $marker in
	changed)
		plan_changed
		return
		;;
	foreign)
		refusal
		die "$(first_changed) was changed since core-patch apply, the patches do not come out any more and no" \
			"series fits ($refused); nothing is changed: put that file back as it was, or unpack the tree again"
		;;
	esac
	recognise "$scratch/base"
	{ [ -n "$series" ] && [ -z "$misfit" ]; } || refuse_tree
	total=$(patch_count "$series")
	wanted=${only:-$total}
	[ "$wanted" -le "$total" ] || die "--only $only: series $series has $(count "$total" patch)"
	[ ! -f "$scratch/base/$header" ] || cmp -s "$scratch/base/$header" "$here/rps_steer.h" ||
		die "$tree has another $header than ours, and core-patch did not put it there; nothing is changed:" \
			"delete it if nothing of yours needs it"
	plan_result
	name_action
}

# The patches are in, and files of theirs were changed elsewhere: good enough unless another version is wanted.
plan_changed()
{
	series=$(awk '$1 == "series" { print $2 }' "$record")
	wanted=${only:-$(patch_count "$series")}
	if [ -z "$(version_text)" ] && [ "$wanted" -ge 1 ] && [ "$wanted" -le "$(patch_count "$series")" ] &&
		[ "$(basename "$(patch_file "$series" "$wanted")")" = "$(awk '$1 == "patch" { n = $3 } END { print n }' "$record")" ]; then
		action=nothing
		why="$(marker_text) applied already; changed since: $changed"
		return
	fi
	die "$(first_changed) was changed since core-patch apply, so that version cannot be replaced by this one;" \
		"nothing is changed: put that file back as apply left it"
}

# plan_result: result/ is base/ with the wanted patches, plan is the record of it
plan_result()
{
	fresh_copy "$scratch/base"
	push "$series" $((have + 1)) "$wanted" || refuse_tree
	mkdir -p "$scratch/try/include/net"
	cp "$here/rps_steer.h" "$scratch/try/$header"
	rm -rf "$scratch/result"
	mv "$scratch/try" "$scratch/result"
	touched=$header
	{
		echo "core-patch 1"
		echo "series $series"
		echo "header $(sum_of "$here/rps_steer.h")"
		at=$((have + 1))
		while [ "$at" -le "$wanted" ]; do
			patch=$(patch_file "$series" "$at")
			echo "patch $(sum_of "$patch") ${patch##*/}"
			touched="$touched $(touched_files "$patch")"
			at=$((at + 1))
		done
		for file in $(printf '%s\n' $touched | sort -u); do
			echo "file $(sum_of "$scratch/base/$file") $(sum_of "$scratch/result/$file") $file"
		done
	} >"$scratch/plan"
}

# plan_for_theirs: all that is wanted is there without us, but for the header perhaps
plan_for_theirs()
{
	action=
	text="series $series, whose patches are there without $header"
	if [ "$marker" = none ] && [ -f "$scratch/base/$header" ]; then
		action=nothing
		why="series $series, $(count "$have" patch), is there already, not put there by core-patch"
	elif [ "$marker" != none ] && ! cmp -s "$scratch/plan" "$record"; then
		die "$tree had $(count "$have" patch) of series $series before core-patch came;" \
			"nothing is changed: use core-patch revert to go back there"
	fi
}

# name_action: by what the record of the tree says beside the plan
name_action()
{
	text="series $series, $(count "$((wanted - have))" patch)"
	[ "$have" -eq 0 ] || text="$text after the $have that were there already"
	if [ "$have" -ge "$wanted" ]; then
		plan_for_theirs
		[ -z "$action" ] || return 0
	fi
	case $marker in
	applied | between)
		if ! cmp -s "$scratch/plan" "$record"; then
			action=replace
			why="take back $(marker_text) and apply $text"
		elif [ "$marker" = applied ]; then
			action=nothing
			why="$text, applied already"
		else
			action=finish
			why="finish what was interrupted: $text"
		fi
		;;
	*)
		action=apply
		why="apply $text"
		;;
	esac
}

# unwritable: what keeps us from changing the tree; nothing when nothing does
unwritable()
{
	record_or_plan=$scratch/plan
	[ -f "$record_or_plan" ] || record_or_plan=$record
	{
		echo "$tree"
		[ ! -d "$tree/$marker_name" ] || echo "$tree/$marker_name"
		for file in $(recorded_files "$record_or_plan"); do
			echo "$tree/$(folder_of "$file")"
		done | sort -u
	} | while read -r dir; do
		[ ! -w "$dir" ] || continue
		if [ -n "$as_root" ] || [ "$(stat -c %u "$dir")" = "$(id -u)" ]; then
			echo "$dir cannot be written; if the tree is on a read-only file system, work on a copy of it"
		else
			echo "$dir cannot be written, it belongs to $(stat -c %U "$dir"); use sudo, or work on a copy"
		fi
		break
	done
}

need_writable()
{
	cannot=$(unwritable)
	[ -z "$cannot" ] || die "$cannot; nothing is changed"
}

# What a run left that was cut off before or after it mattered.
clear_leftovers()
{
	rm -rf "$tree/$marker_name.new" "$tree/$marker_name.old" \
		"$tree/$marker_name/results" "$tree/$marker_name/back" 2>/dev/null || true
}

no_write()
{
	die "cannot write $1; is the disk full? 'core-patch status' tells how far it came, 'core-patch revert' takes it back"
}

# as_in_tree FILE COPY: COPY gets the mode and, for root, the owner of FILE of the tree, or of its folder
as_in_tree()
{
	if [ -f "$tree/$1" ]; then
		chmod --reference="$tree/$1" "$2"
		[ -z "$as_root" ] || chown --reference="$tree/$1" "$2"
	else
		chmod 644 "$2"
		[ -z "$as_root" ] || chown --reference="$tree/$(folder_of "$1")" "$2"
	fi
}

# settle PATH: on the disk, with all below it, before the tree changes: a power cut is an interruption too
settle()
{
	find "$1" -exec sync {} + || no_write "$1"
}

# write_results DIR
write_results()
{
	mkdir "$1/results" || no_write "$1"
	n=0
	for file in $(recorded_files "$scratch/plan"); do
		n=$((n + 1))
		[ -f "$scratch/result/$file" ] || continue
		cp "$scratch/result/$file" "$1/results/$n" || no_write "$1"
		as_in_tree "$file" "$1/results/$n"
	done
}

# write_marker DIR: all of it
write_marker()
{
	mkdir "$1" "$1/patches" "$1/originals" || no_write "$1"
	awk '$1 == "patch" { print $3 }' "$scratch/plan" | while read -r name; do
		cp "$here/series/$series/$name" "$1/patches/$name" || no_write "$1"
	done
	n=0
	for file in $(recorded_files "$scratch/plan"); do
		n=$((n + 1))
		[ -f "$scratch/base/$file" ] || continue
		cp "$scratch/base/$file" "$1/originals/$n" || no_write "$1"
		as_in_tree "$file" "$1/originals/$n"
	done
	write_results "$1"
	cp "$scratch/plan" "$1/record" || no_write "$1"
	[ -z "$as_root" ] || chown --reference="$tree" "$1" "$1/record" "$1/originals" "$1/results"
	[ -z "$as_root" ] || find "$1/patches" -exec chown --reference="$tree" {} +
	settle "$1"
}

# put_back: every recorded file becomes what it was before
put_back()
{
	n=0
	while read -r kind was is file; do
		[ "$kind" = file ] || continue
		n=$((n + 1))
		[ "$(sum_of "$tree/$file")" != "$was" ] || continue
		if [ "$was" = - ]; then
			rm -f "$tree/$file" || no_write "$tree/$file"
			continue
		fi
		cp -p "$tree/$marker_name/originals/$n" "$tree/$marker_name/back" || no_write "$tree/$marker_name"
		touch "$tree/$marker_name/back"
		settle "$tree/$marker_name/back"
		mv -f "$tree/$marker_name/back" "$tree/$file" || no_write "$tree/$file"
	done <"$record"
}

# take_out: what an earlier apply left in the tree, by how the tree compares with its record
take_out()
{
	case $marker in
	none) return 0 ;;
	applied | between | undone) put_back ;;
	reverted) [ -z "$stray_header" ] || rm -f "$tree/$header" ;;
	esac
	retire
}

# retire: the record goes, at once
retire()
{
	mv "$tree/$marker_name" "$tree/$marker_name.old" || no_write "$tree"
	rm -rf "$tree/$marker_name.old"
}

# move_results: from the folder of the record into the tree
move_results()
{
	n=0
	while read -r kind was is file; do
		[ "$kind" = file ] || continue
		n=$((n + 1))
		[ "$(sum_of "$tree/$file")" != "$is" ] || continue
		if [ "$is" = - ]; then
			rm -f "$tree/$file" || no_write "$tree/$file"
			continue
		fi
		mkdir -p "$tree/$(folder_of "$file")"
		mv -f "$tree/$marker_name/results/$n" "$tree/$file" || no_write "$tree/$file"
	done <"$record"
	rm -rf "$tree/$marker_name/results"
	compare_with_record
	[ "$marker" = applied ] || die "$tree changed under core-patch (${changed:-$marker}); run 'core-patch status $tree'"
}

# carry_out: the plan
carry_out()
{
	clear_leftovers
	need_room "$tree" 20
	if [ "$action" = finish ]; then
		write_results "$tree/$marker_name"
		settle "$tree/$marker_name/results"
		move_results
		return
	fi
	write_marker "$tree/$marker_name.new"
	take_out
	mv "$tree/$marker_name.new" "$tree/$marker_name" || no_write "$tree"
	move_results
}
