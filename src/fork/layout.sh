# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Lay the fork out beside an earlier one, then bring the earlier one up to date; build; check.

# manifest KIND: our files of that kind, as paths below src/
manifest()
{
	awk -v kind="$1" '$1 == kind { print $2 }' "$here/manifest"
}

put_our_files()
{
	for file in $(manifest replace) $(manifest add); do
		[ -f "$top/src/$file" ] || die "src/$file, named in src/fork/manifest, is missing from this copy of ice-arfs"
	done
	for file in $(manifest replace); do
		[ -f "$new/$ice_path/$file" ] ||
			die "the ice driver of linux $source_version has no $file to replace; this ice-arfs does not know that driver"
		cp "$top/src/$file" "$new/$ice_path/$file"
	done
	for file in $(manifest add); do
		name=$(basename "$file")
		[ ! -e "$new/$ice_path/$name" ] ||
			die "the ice driver of linux $source_version has a file $name of its own; this ice-arfs does not know that driver"
		cp "$top/src/$file" "$new/$ice_path/$name"
	done
	version=$(cat "$top/VERSION")
	cat >"$new/$ice_path/arfs_version.h" <<-END
		/* SPDX-License-Identifier: GPL-2.0-only */
		/* made by make-fork */
		#define ARFS_VERSION "$version"
		#define ARFS_BASE "linux $source_version${source_rev:+ ($source_rev)}"
	END
}

# Every patch of the series in the order of their names; the tree is a scratch one, so all or nothing.
apply_patches()
{
	for patch in "$here/patches/$series"/*.patch; do
		[ -f "$patch" ] || continue
		patch -d "$new" -p1 -F0 -N -f --no-backup-if-mismatch -r - <"$patch" >"$new/patch.log" 2>&1 ||
			patch_failed
	done
	rm -f "$new/patch.log"
}

patch_failed()
{
	where=$(awk '/^(patching|checking) file/ { file = $3 }
		/FAILED at|[Nn]o file to patch|can.t find file/ && !said { said = 1; print file ": " $0 }' "$new/patch.log")
	die "$(basename "$patch") does not apply to the ice driver of linux $source_version: ${where:-$(tail -n 1 "$new/patch.log")}; \
the stock driver stays; look for a newer ice-arfs"
}

# Copy what changed only, so that make compiles what changed only.
bring_up_to_date()
{
	stamp="$headers $(cat "$headers/include/generated/utsrelease.h" "$headers/include/config/auto.conf" | cksum)"
	if [ "$(cat "$out/ice/.headers" 2>/dev/null)" != "$stamp" ]; then
		rm -rf "$out/ice"
		mv "$new" "$out/ice"
		new=
		echo "$stamp" >"$out/ice/.headers"
		return
	fi
	(cd "$out/ice" && find drivers -name '*.[ch]' ! -name '*.mod.c' -o -name Makefile -o -name '*.mk') |
		while read -r file; do
			[ -f "$new/$file" ] || rm -f "$out/ice/$file"
		done
	(cd "$new" && find drivers -type f) | while read -r file; do
		cmp -s "$new/$file" "$out/ice/$file" && continue
		mkdir -p "$(dirname "$out/ice/$file")"
		cp "$new/$file" "$out/ice/$file" || die "cannot write $out/ice/$file"
	done
	rm -rf "$new"
	new=
}

lay_out()
{
	need_room "$out" 300
	new=$out/.new.$$
	rm -rf "$new"
	mkdir -p "$new/include/trace"
	cp -Rp "$subtree/drivers" "$new/drivers"
	if [ -z "$stock" ]; then
		put_our_files
		apply_patches
	fi
	bring_up_to_date
}

build_module()
{
	dir=$out/ice/$ice_path
	log=$out/build.log
	options=
	[ -z "$(config CC_IS_CLANG)" ] || options=LLVM=1
	# Headers that hold vmlinux ask for the module's BTF; a module without it works as well.
	if [ -f "$headers/vmlinux" ] && [ -n "$(config DEBUG_INFO_BTF_MODULES)" ] && ! command -v pahole >/dev/null; then
		note "no pahole here: the module gets no BTF (install the package pahole to have it)"
		options="$options CONFIG_DEBUG_INFO_BTF_MODULES="
	fi
	note "building ice.ko for $release (a minute or two; log: $log)"
	# The driver finds its trace header as ../../drivers/... from include/trace of a kernel tree.
	# shellcheck disable=SC2086
	make -C "$headers" M="$dir" KCFLAGS="-I$out/ice/include/trace" $options \
		-j "${JOBS:-$(nproc)}" modules >"$log" 2>&1 9>&- || build_failed
	grep -E 'warning: ' "$log" >&2 || true
}

build_failed()
{
	{ grep -E 'error:|undefined!|\*\*\*' "$log" || tail -n 20 "$log"; } | head -n 20 >&2
	die "the driver does not build for $release; the whole log is $log"
}

check_module()
{
	:
}
