# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The target kernel's source: where distributions put it, and the ice driver's part of it.
#
# A subtree, as the cache and src/fork/base/ hold it:
#   kernel-version      first line X.Y.Z, second line the source package's revision where known
#   drivers/net/ethernet/intel/ice/...

naming="name it with --source FILE_OR_DIR (make: KERNEL_SOURCE=FILE_OR_DIR)"

# Sets remedy: how this distribution brings the source.
source_remedy()
{
	case $(distribution) in
	debian)
		case $(headers_revision) in
		*~bpo*) remedy="apt-get install -t $(sed -n "s/^VERSION_CODENAME=//p" "$os_release")-backports linux-source-$series" ;;
		*) remedy="apt-get install linux-source-$series" ;;
		esac
		;;
	ubuntu) remedy="apt-get install linux-source-$series.0" ;;
	suse) remedy="zypper install kernel-source" ;;
	redhat) remedy="dnf download --source kernel-$release, unpack it, and set KERNEL_SOURCE to the kernel tree" ;;
	*) remedy="install the distribution's kernel source package" ;;
	esac
}

missing_source()
{
	source_remedy
	die "no source of kernel $release ($target_version): $remedy, or $naming"
}

# Places to look, best first: put there by the operator, baked into this package, the kernel's own build, Debian, Ubuntu, SUSE.
source_places()
{
	base=${release%-*}
	printf '%s\n' "$usr_src/ice-arfs-source/$release" \
		"$usr_src/ice-arfs-source/$target_version" "$usr_src/ice-arfs-source/$series" \
		"$here/base/$release" "$here/base/$target_version" "$here/base/$series" \
		"$lib_modules/$release/source"
	for kind in xz zst gz bz2; do
		printf '%s\n' "$usr_src/linux-source-$target_version.tar.$kind" \
			"$usr_src/linux-source-$series.tar.$kind" \
			"$usr_src/linux-source-$series.0/linux-source-$series.0.tar.$kind" \
			"$usr_src/linux-source-$series.0.tar.$kind"
	done
	printf '%s\n' "$usr_src/linux-source-$series.0" "$usr_src/linux-source-$target_version" \
		"$usr_src/linux-$release" "$usr_src/linux-$base" "$usr_src/linux-$target_version" \
		"$usr_src/linux-$target_version"-* "$usr_src/linux-$series"
}

# Sets source. What was named is taken or refused; what is only found must hold the driver.
find_source()
{
	if [ -n "$source" ]; then
		if [ ! -e "$source" ]; then
			source_remedy
			die "the kernel source $source does not exist; give the path of one that is there; to have it: $remedy"
		fi
		source=$(absolute "$source")
		return
	fi
	source=$(source_places | while read -r place; do
		if [ -f "$place" ] || [ -f "$place/$ice_path/ice_main.c" ]; then
			echo "$place"
			break
		fi
	done)
	[ -n "$source" ] || missing_source
}

# The revision of the source package, where it can be told: a file beside the tarball, or dpkg.
source_revision()
{
	if [ -f "$1" ] && [ -f "$(dirname "$1")/version" ]; then
		head -n 1 "$(dirname "$1")/version"
		return
	fi
	command -v dpkg-query >/dev/null 2>&1 || return 0
	owner=$(dpkg-query -S "$(readlink -f "$1")" 2>/dev/null | sed -n '1s/: .*//p')
	# shellcheck disable=SC2016
	[ -z "$owner" ] || dpkg-query -W -f '${Version}\n' "$owner" 2>/dev/null | head -n 1
}

# extract_failed TARBALL LOG: of the things tar says, the one that can be acted on
extract_failed()
{
	if grep -q 'No space left' "$2"; then
		die "no room to unpack $1 in $BUILD; make room or set BUILD to another disk"
	elif grep -Eqi 'unexpected|premature|corrupt|truncated|invalid|data error' "$2"; then
		die "$1 is cut short or damaged ($(head -n 1 "$2")); download it, or install its package, again"
	elif grep -q 'Not found in archive' "$2"; then
		die "$1 holds no $ice_path; it must be the source of a whole kernel"
	fi
	die "cannot unpack $1: $(head -n 1 "$2")"
}

# extract TARBALL DIR: the top Makefile and the driver, nothing else of the 1.5 GB
extract()
{
	first=$(tar -tf "$1" 2>/dev/null | head -n 1 || true)
	[ -n "$first" ] || die "cannot read $1; is it a kernel source tarball, and xz/zstd/bzip2 installed?"
	case $first in
	./?*) name=$(echo "$first" | cut -d/ -f1,2) ;;
	*) name=$(echo "$first" | cut -d/ -f1) ;;
	esac
	note "taking the ice driver out of $1 (some 10 s)"
	mkdir "$2/raw"
	LC_ALL=C tar -xf "$1" -C "$2/raw" --no-same-owner "$name/Makefile" "$name/$ice_path" 2>"$2/tar.log" ||
		extract_failed "$1" "$2/tar.log"
	source_version=$(makefile_version "$2/raw/$name/Makefile")
	mv "$2/raw/$name/drivers" "$2/drivers"
	rm -rf "$2/raw" "$2/tar.log"
}

# Sets subtree and source_version, source_rev; whatever was given, afterwards it is a subtree.
take_source()
{
	if [ -f "$source/kernel-version" ] && [ -f "$source/$ice_path/ice_main.c" ]; then
		subtree=$source
		source_version=$(sed -n 1p "$source/kernel-version")
		source_rev=$(sed -n 2p "$source/kernel-version")
		return
	fi
	need_folder "$BUILD/cache"
	if [ -f "$source" ]; then
		key=$(sha256sum "$source" | cut -c 1-20)
		subtree=$BUILD/cache/ice-$key
		source_rev=$(source_revision "$source")
		if [ -f "$subtree/kernel-version" ]; then
			source_version=$(sed -n 1p "$subtree/kernel-version")
			return
		fi
		need_room "$BUILD/cache" 40
		new_subtree
		extract "$source" "$partial"
	else
		take_folder
	fi
	[ -f "$partial/$ice_path/ice_main.c" ] || die "$source has no $ice_path/ice_main.c"
	[ -n "$source_version" ] || die "$source does not tell its kernel version: no VERSION in its Makefile"
	printf '%s\n%s\n' "$source_version" "$source_rev" >"$partial/kernel-version"
	rm -rf "$subtree"
	mv "$partial" "$subtree"
	partial=
}

new_subtree()
{
	partial=$BUILD/cache/.new.$$
	rm -rf "$partial"
	mkdir "$partial"
}

# A kernel tree, or the driver's own folder inside or outside one. Trees change, so no cache is trusted.
take_folder()
{
	tree=$source
	driver=$source/$ice_path
	if [ -f "$source/ice_main.c" ]; then
		driver=$source
		tree=${source%/"$ice_path"}
	fi
	[ -f "$driver/ice_main.c" ] || die "$source is neither a kernel tree nor the ice driver's folder"
	source_version=$(makefile_version "$tree/Makefile")
	[ -n "$source_version" ] || [ ! -f "$driver/kernel-version" ] ||
		source_version=$(sed -n 1p "$driver/kernel-version")
	[ -n "$source_version" ] ||
		die "cannot tell which kernel $source is from; write its version (X.Y.Z) to $driver/kernel-version"
	source_rev=$(source_revision "$driver/ice_main.c")
	subtree=$BUILD/cache/folder-$(echo "$source" | sha256sum | cut -c 1-20)
	new_subtree
	mkdir -p "$partial/$(dirname "$ice_path")"
	# Only what a source tree holds: the operator may have built in there.
	(cd "$driver" && find . -type f \( -name '*.[ch]' -o -name Makefile \) | tar -cf - -T -) |
		(mkdir "$partial/$ice_path" && cd "$partial/$ice_path" && tar -xf -)
}

# The driver must be of the kernel it is to run in.
compare_versions()
{
	if [ "$(series_of "$source_version")" != "$series" ]; then
		source_remedy
		die "the source $source is linux $source_version, kernel $release is linux $target_version; $remedy, or $naming"
	fi
	if [ "$source_version" != "$target_version" ]; then
		warn "the source is linux $source_version, kernel $release is linux $target_version ($source)"
		return
	fi
	theirs=$(headers_revision)
	if [ -n "$theirs" ] && [ -n "$source_rev" ] && [ "$theirs" != "$source_rev" ]; then
		warn "the source package is revision $source_rev, the headers of $release are $theirs ($source)"
	fi
}
