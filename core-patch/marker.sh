# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
# TREE/.arfs-core-patch: what core-patch did to a tree, and what it needs to take it back.
#
#   record       the lines below
#   patches/     the patches as they were applied
#   originals/N  the Nth file of the record as it was before; none when there was none
#   results/N    while files are moved in place
#
# Lines of a record; a sum of - means no such file:
#   core-patch 1
#   series NAME
#   header SUM
#   patch SUM NAME
#   file BEFORE AFTER PATH
#
# It is written before the first file of the tree is changed, and every file is changed by one rename. So the
# sums alone tell how far a run came that was interrupted, whatever it was doing.
# The names in originals/ are numbers so that no tool which looks for sources (tags, grep --include) finds two.

marker_name=.arfs-core-patch

# sum_of FILE
sum_of()
{
	if [ -f "$1" ]; then
		sha256sum <"$1" | cut -d' ' -f1
	else
		echo -
	fi
}

# the paths in a record
recorded_files()
{
	awk '$1 == "file" { print $4 }' "$1"
}

# recorded_before RECORD PATH, recorded_after RECORD PATH: sums
recorded_before()
{
	awk -v path="$2" '$1 == "file" && $4 == path { print $2 }' "$1"
}

recorded_after()
{
	awk -v path="$2" '$1 == "file" && $4 == path { print $3 }' "$1"
}

marker_text()
{
	echo "series $(awk '$1 == "series" { print $2 }' "$record")," \
		"$(count "$(grep -c '^patch ' "$record")" patch),"
}

# version_text: a word when what was applied is not what is in this copy of ice-arfs now
version_text()
{
	ours=$here/series/$(awk '$1 == "series" { print $2 }' "$record")
	awk '$1 == "patch" { print $2, $3 }' "$record" | while read -r sum name; do
		[ "$(sum_of "$ours/$name")" = "$sum" ] || echo old
	done >"$scratch/old"
	[ "$(awk '$1 == "header" { print $2 }' "$record")" = "$(sum_of "$here/rps_steer.h")" ] ||
		echo old >>"$scratch/old"
	[ ! -s "$scratch/old" ] || echo " in another version than this ice-arfs has ('core-patch apply' replaces it)"
}

# list_marker: each patch that was applied and each file
list_marker()
{
	awk '$1 == "patch" { print "  recorded     " $3 }' "$record"
	while read -r kind was is file; do
		[ "$kind" = file ] || continue
		now=$(sum_of "$tree/$file")
		if [ "$now" = "$is" ]; then
			echo "  patched      $file"
		elif [ "$now" = "$was" ]; then
			echo "  unpatched    $file"
		else
			echo "  changed      $file"
		fi
	done <"$record"
}

# Sets marker to how the tree compares with its record, and changed to the files that are neither as before
# nor as after:
#   none      there is no record
#   applied   every file is as it was left
#   undone    every file is as it was before: undone by other means, or interrupted before the first change
#   between   some are as before, some as after
#   changed   some are neither, and the patches are still in
#   reverted  some are neither, and a series applies: the tree was updated or checked out again
#   foreign   some are neither, and nothing fits
compare_with_record()
{
	before=0
	after=0
	changed=
	while read -r kind was is file; do
		[ "$kind" = file ] || continue
		now=$(sum_of "$tree/$file")
		if [ "$was" = "$is" ] && [ "$now" = "$is" ]; then
			:
		elif [ "$now" = "$is" ]; then
			after=$((after + 1))
		elif [ "$now" = "$was" ]; then
			before=$((before + 1))
		else
			changed="${changed:+$changed }$file"
		fi
	done <"$record"
	if [ -n "$changed" ]; then
		marker=changed
	elif [ "$before" -eq 0 ]; then
		marker=applied
	elif [ "$after" -eq 0 ]; then
		marker=undone
	else
		marker=between
	fi
}

first_changed()
{
	echo "$tree/${changed%% *}"
}

# still_patched: the recorded patches come out of now/ exactly
still_patched()
{
	fresh_copy "$scratch/now"
	ls -r "$tree/$marker_name/patches" >"$scratch/names"
	while read -r name; do
		apply_patch "$scratch/try" "$tree/$marker_name/patches/$name" -R || return 1
	done <"$scratch/names"
}

# base/ is now/ with the originals where the record has them
make_base()
{
	rm -rf "$scratch/base"
	cp -Rp "$scratch/now" "$scratch/base"
	case $marker in
	applied | undone | between) ;;
	*) return 0 ;;
	esac
	n=0
	while read -r kind was is file; do
		[ "$kind" = file ] || continue
		n=$((n + 1))
		rm -f "$scratch/base/$file"
		[ "$(sum_of "$tree/$marker_name/originals/$n")" = "$was" ] ||
			die "$tree/$marker_name is damaged: originals/$n is not $file as it was; unpack the tree again"
		[ "$was" != - ] || continue
		mkdir -p "$scratch/base/$(folder_of "$file")"
		cp -p "$tree/$marker_name/originals/$n" "$scratch/base/$file"
		chmod u+w "$scratch/base/$file"
	done <"$record"
}

# A tree that was updated or checked out again keeps the header, which no checkout knows of.
drop_stray_header()
{
	if [ "$(recorded_before "$record" "$header")" = - ] &&
		[ "$(sum_of "$scratch/base/$header")" = "$(recorded_after "$record" "$header")" ]; then
		rm -f "$scratch/base/$header"
		stray_header=1
	fi
}

# look: copy what matters, compare with the record, and make base/
look()
{
	marker=none
	stray_header=
	files=$header
	if [ -e "$tree/$marker_name" ]; then
		grep -qsx 'core-patch 1' "$record" ||
			die "$tree/$marker_name is damaged or from another version of core-patch; unpack the tree again, or" \
				"restore the files it patched and delete it"
		files="$files $(recorded_files "$record")"
	fi
	for name in $(series_names); do
		[ "$(patch_count "$name")" -gt 0 ] || continue
		files="$files $(touched_files "$here/series/$name"/*.patch)"
	done
	mkdir "$scratch/now"
	files=$(printf "%s\n" $files | sort -u)
	copy_files "$tree" "$scratch/now" $files
	[ -f "$record" ] || { make_base; return 0; }
	compare_with_record
	make_base
	[ "$marker" = changed ] || return 0
	! still_patched || return 0
	drop_stray_header
	recognise "$scratch/base"
	if [ -n "$series" ] && [ "$have" -eq 0 ]; then
		marker=reverted
	else
		marker=foreign
	fi
}
