# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Lay a fork out in a scratch folder, all or nothing, then bring the folder of an earlier run up to date.

# manifest KIND: our files of that kind, as paths below src/
manifest()
{
	awk -v kind="$1" '$1 == kind { print $2 }' "$here/manifest"
}

# Files of the driver that the patches of this series change, as paths below the driver's folder.
patched_files()
{
	cat "$here/patches/$series"/*.patch 2>/dev/null |
		sed -n "s:^+++ [^/]*/$ice_path/\\([^[:space:]]*\\).*:\\1:p" | sort -u
}

put_our_files()
{
	for file in $(manifest replace) $(manifest add); do
		[ -f "$top/src/$file" ] || die "src/$file, named in src/fork/manifest, is missing from this copy of ice-arfs"
	done
	for file in $(manifest replace); do
		[ -f "$new/$ice_path/$file" ] ||
			die "the ice driver of linux $source_version has no $file to replace; this ice-arfs does not know that driver"
		copy "$top/src/$file" "$new/$ice_path/$file"
	done
	for file in $(manifest add); do
		name=$(basename "$file")
		[ ! -e "$new/$ice_path/$name" ] ||
			die "the ice driver of linux $source_version has a file $name of its own; this ice-arfs does not know that driver"
		copy "$top/src/$file" "$new/$ice_path/$name"
	done
	version=$(cat "$top/VERSION")
	cat >"$new/$ice_path/arfs_version.h" <<-END || die "cannot write into $new; is the disk full?"
		/* SPDX-License-Identifier: GPL-2.0-only */
		/* made by make-fork */
		#define ARFS_VERSION "$version"
		#define ARFS_BASE "linux $source_version${source_rev:+ ($source_rev)}"
	END
}

copy()
{
	cp "$1" "$2" || die "cannot write $2; is the disk full?"
}

# Every patch of the series in the order of their names; the tree is a scratch one, so all or nothing.
apply_patches()
{
	[ -d "$here/patches/$series" ] || die "no patches for linux $series; this ice-arfs has them for: $(known_series)"
	for patch in "$here/patches/$series"/*.patch; do
		[ -f "$patch" ] || continue
		patch -d "$new" -p1 -F0 -N -f --no-backup-if-mismatch -r - <"$patch" >"$new/patch.log" 2>&1 ||
			patch_failed
	done
	rm -f "$new/patch.log"
}

known_series()
{
	(cd "$here/patches" && echo *)
}

# One line: patch, file, hunk, kernel, remedy.
patch_failed()
{
	where=$(awk '/^(patching|checking) file / { file = $3; sub(/^.*\/ice\//, "", file) }
		/FAILED at/ { n++; if (!said) said = file ": hunk " $2 " fails at line " $5 + 0 }
		/can.t find file to patch/ { n++; if (!said) said = "a file to patch is not there" }
		END { if (n > 1) said = said ", and " n - 1 " more"; print said }' "$new/patch.log")
	die "$(basename "$patch") does not apply to the ice driver of linux $source_version (kernel $release):" \
		"${where:-$(tail -n 1 "$new/patch.log")}; nothing is built and the stock driver stays in use;" \
		"look for an ice-arfs that knows this kernel"
}

# bring_up_to_date TREE: copy only what changed, so that make compiles only what changed.
bring_up_to_date()
{
	stamp="$headers $(cat "$headers/include/generated/utsrelease.h" "$headers/include/config/auto.conf" | cksum)"
	if [ "$(cat "$1/.headers" 2>/dev/null)" != "$stamp" ]; then
		rm -rf "$1"
		mkdir -p "$(dirname "$1")"
		echo "$stamp" >"$new/.headers"
		mv "$new" "$1"
		new=
		return
	fi
	(cd "$1" && find drivers -name '*.mod.c' -prune -o \
		\( -name '*.[ch]' -o -name Makefile -o -name '*.mk' \) -print) | while read -r file; do
		[ -f "$new/$file" ] || rm -f "$1/$file"
	done
	(cd "$new" && find drivers -type f) | while read -r file; do
		cmp -s "$new/$file" "$1/$file" && continue
		mkdir -p "$(dirname "$1/$file")"
		copy "$new/$file" "$1/$file"
	done
	rm -rf "$new"
	new=
}

# lay_out TREE ours|stock
lay_out()
{
	rm -rf "$out"/.new.*
	need_room "$out" 250
	new=$out/.new.$$
	mkdir -p "$new/include/trace"
	cp -Rp "$subtree/drivers" "$new/drivers" || die "cannot write into $out; is the disk full?"
	if [ "$2" = ours ]; then
		put_our_files
		apply_patches
	fi
	# Nothing is refused any more: from here on a module of an earlier run must not be taken for one of this tree.
	[ "$1" != "$out/ice" ] || rm -f "$out/ice.ko"
	bring_up_to_date "$1"
}
