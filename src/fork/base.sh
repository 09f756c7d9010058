# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The upstream files this ice-arfs was made against, and whether a source has other ones.

# Upstream files whose content matters to us, as paths below the driver's folder.
touched_files()
{
	{ manifest replace; patched_files; } | sort -u
}

base_sum()
{
	sha256sum "$subtree/$ice_path/$1" | cut -d' ' -f1
}

# The touched files whose content is in no record of this series.
foreign_files()
{
	touched_files | while read -r file; do
		[ -f "$subtree/$ice_path/$file" ] || continue
		sum=$(base_sum "$file")
		awk -v series="$series" -v sum="$sum" -v file="$file" \
			'$1 == series && $3 == sum && $4 == file { found = 1 } END { exit !found }' "$here/bases" ||
			echo "$file"
	done
}

check_base()
{
	foreign=$(foreign_files | tr '\n' ' ')
	[ -n "$foreign" ] || return 0
	[ -z "$strict" ] ||
		die "linux $source_version (kernel $release) has other ${foreign% } than any ice-arfs was made against (--strict)"
	note "linux $source_version (kernel $release) has other ${foreign% } than any ice-arfs was made against;" \
		"going on if every patch applies exactly"
}
