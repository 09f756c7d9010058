# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
# What a tree has, told by its code: version numbers say little about a distribution's kernel.
#
# All work is done on copies of the touched files below $scratch:
#   now/     as the tree is
#   base/    as it is without what core-patch put there
#   try/     a copy to try a patch on
# Kernel paths have no blanks, so lists of them are words; the paths before them may have any.

header=include/net/rps_steer.h

# Every series, the newest first: the newest that fits is taken.
series_names()
{
	for dir in "$here"/series/*/; do
		[ ! -d "$dir" ] || { dir=${dir%/}; echo "${dir##*/}"; }
	done | sort -rV
}

# patch_file SERIES N: the path of the Nth patch
patch_file()
{
	wanted=$2
	set -- "$here/series/$1"/*.patch
	shift $((wanted - 1))
	echo "$1"
}

patch_count()
{
	set -- "$here/series/$1"/*.patch
	if [ -f "$1" ]; then echo $#; else echo 0; fi
}

# touched_files PATCH...: the files that these change, make or remove, as paths in the tree
touched_files()
{
	cat "$@" | awk '/^--- / { old = $2; next }
		/^\+\+\+ / && old != "" { print ($2 == "/dev/null") ? old : $2 }
		{ old = "" }' | sed 's:^[^/]*/::' | sort -u
}

# folder_of PATH: as dirname, without a process
folder_of()
{
	case $1 in
	*/*) echo "${1%/*}" ;;
	*) echo . ;;
	esac
}

# copy_files FROM TO FILE...: those that are there
copy_files()
{
	from=$1
	to=$2
	shift 2
	for file; do
		[ ! -L "$from/$file" ] ||
			die "$from/$file is a symbolic link; core-patch changes only trees of plain files: make a copy (cp -RL)"
		[ -e "$from/$file" ] || continue
		[ -r "$from/$file" ] || die "cannot read $from/$file (it belongs to $(stat -c %U "$from/$file")); use sudo"
		mkdir -p "$to/$(folder_of "$file")"
		cp -p "$from/$file" "$to/$file" || die "cannot write in $to; is the disk full? (TMPDIR names another)"
		chmod u+w "$to/$file"
	done
}

# apply_patch DIR PATCH [OPTIONS]: exactly or not at all, lines may have moved; what patch said is in $scratch/log
apply_patch()
{
	patch -d "$1" -p1 -F0 -f --no-backup-if-mismatch -r - ${3:-} <"$2" >"$scratch/log" 2>&1
}

# fresh_copy DIR: $scratch/try becomes a copy of it
fresh_copy()
{
	rm -rf "$scratch/try"
	cp -Rp "$1" "$scratch/try"
}

# push SERIES FROM TO: these patches one after the other in try/; sets misfit to the first that does not apply
push()
{
	at=$2
	while [ "$at" -le "$3" ]; do
		misfit=$(patch_file "$1" "$at")
		apply_patch "$scratch/try" "$misfit" || return 1
		at=$((at + 1))
	done
	misfit=
}

# pop SERIES N: the first N patches, last one first, out of try/
pop()
{
	at=$2
	while [ "$at" -ge 1 ]; do
		apply_patch "$scratch/try" "$(patch_file "$1" "$at")" -R || return 1
		at=$((at - 1))
	done
}

# Sets have: how many patches of this series DIR has, from the first on.
prefix_in()
{
	have=$(patch_count "$2")
	while [ "$have" -ge 1 ]; do
		if apply_patch "$1" "$(patch_file "$2" "$have")" "-R --dry-run"; then
			fresh_copy "$1"
			! pop "$2" "$have" || return 0
		fi
		have=$((have - 1))
	done
}

# misfits DIR SERIES: of a thousand hunks of the series, how many find no place
misfits()
{
	fresh_copy "$1"
	for patch in "$here/series/$2"/*.patch; do
		grep '^@@ ' "$patch"
		apply_patch "$scratch/try" "$patch" || cat "$scratch/log"
	done | awk '/^@@ / { all++ } /FAILED at/ { n++ } /hunks? ignored$/ { n += $1 } END { print int(1000 * n / (all + 1)) }'
}

# recognise DIR: sets series to what fits and have to how many of its patches are there. Where none fits
# series is empty and nearest is the one with the smallest share of hunks that differ.
# A series of which a part is there and the rest does not fit is told as series, with misfit set.
recognise()
{
	nearest=
	for series in $(series_names); do
		[ "$(patch_count "$series")" -gt 0 ] || continue
		prefix_in "$1" "$series"
		fresh_copy "$1"
		if push "$series" $((have + 1)) "$(patch_count "$series")" || [ "$have" -gt 0 ]; then
			return
		fi
	done
	series=
	find_nearest "$1"
	[ -n "$nearest" ] || die "there is no patch in $here/series; this copy of ice-arfs is not whole"
	fresh_copy "$1"
	push "$nearest" 1 "$(patch_count "$nearest")" || true
}

# find_nearest DIR: sets nearest
find_nearest()
{
	fewest=
	for name in $(series_names); do
		[ "$(patch_count "$name")" -gt 0 ] || continue
		bad=$(misfits "$1" "$name")
		if [ -z "$fewest" ] || [ "$bad" -lt "$fewest" ]; then
			fewest=$bad
			nearest=$name
		fi
	done
}

# where_misfit: the first hunk of $misfit that differs, from what patch said of it
where_misfit()
{
	awk '/^(patching|checking) file / { file = $3 }
		/^\|\+\+\+ / { file = $2; sub(/^[^\/]*\//, "", file) }
		/No file to patch/ { print "there is no " file; exit }
		/FAILED at/ { hunk = $2; sub(/^#/, "", hunk); line = $5; sub(/\..*/, "", line)
			print file " line " line ": hunk " hunk " differs"; exit }' "$scratch/log"
}

# Sets refused, after recognise: why the tree is refused, down to the hunk.
refusal()
{
	where=$(where_misfit)
	which=${series:-$nearest}
	slot_form
	if [ -n "$series" ]; then
		refused="the first $(count "$have" patch) of series $series are there and the next does not apply"
	else
		refused="the nearest is $which"
	fi
	refused="$refused: ${misfit##*/}: ${where:-$(tail -n 1 "$scratch/log")}; its flow slots are $form"
}

# slot_body: the fields of struct rps_dev_flow, wherever this tree has it
slot_body()
{
	for file in include/net/rps.h include/linux/netdevice.h; do
		[ ! -r "$tree/$file" ] || awk '/^struct rps_dev_flow \{/ { on = 1 } on { print } /^\}/ { on = 0 }' "$tree/$file"
	done
}

# Sets form: which of the known forms of flow slots the tree has. Upstream went from 6.1's to 7.3's in steps.
slot_form()
{
	body=$(slot_body)
	tag=
	! grep -qs 'rps_tag_ptr;' "$tree/include/net/rps-types.h" "$tree/include/net/rps.h" || tag=1
	case $body in
	"") form="none: this kernel has no struct rps_dev_flow" ;;
	*asked\;*) form="those of the core patch" ;;
	*hash\;*)
		if [ -n "$tag" ]; then
			form="as in 7.3 (a slot holds its flow's hash, rps_tag_ptr)"
		elif [ -f "$tree/$header" ]; then
			form="those of the first patches of the core patch"
		else
			form="between those of 6.12 and of 7.3 (a slot holds its flow's hash, no rps_tag_ptr)"
		fi
		;;
	*)
		if [ -f "$tree/include/net/rps.h" ]; then
			form="as in 6.12 (no hash, include/net/rps.h)"
		else
			form="as in 6.1 (no hash, include/linux/netdevice.h)"
		fi
		;;
	esac
}

# list_series: each patch of the series that was recognised
list_series()
{
	n=0
	for patch in "$here/series/$series"/*.patch; do
		n=$((n + 1))
		if [ "$n" -le "$have" ]; then
			echo "  applied      ${patch##*/}"
		else
			echo "  not applied  ${patch##*/}"
		fi
	done
}
