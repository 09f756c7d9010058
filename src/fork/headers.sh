# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The target kernel's headers: where they are, and what they say about that kernel.

missing_headers()
{
	case $(distribution) in
	debian | ubuntu) remedy="apt-get install linux-headers-$release" ;;
	suse) remedy="zypper install kernel-${release##*-}-devel" ;;
	redhat) remedy="dnf install kernel-devel-$release" ;;
	*) remedy="install the kernel's development package" ;;
	esac
	die "no headers of kernel $release ($1); $remedy, or name them with --headers DIR (make: KERNEL_HEADERS=DIR)"
}

# Sets headers, and release where it was not given.
find_headers()
{
	if [ -z "$headers" ]; then
		for dir in "$lib_modules/$release/build" "$usr_src/linux-headers-$release" \
			"$usr_src/kernels/$release"; do
			[ -e "$dir/Makefile" ] && headers=$dir && break
		done
		[ -n "$headers" ] || missing_headers "neither $lib_modules/$release/build nor $usr_src has them"
	fi
	[ -d "$headers" ] || missing_headers "$headers is no folder"
	headers=$(absolute "$headers")
	for file in Makefile include/generated/utsrelease.h include/config/auto.conf Module.symvers; do
		[ -f "$headers/$file" ] || missing_headers "$headers has no $file"
	done
	theirs=$(sed -n 's/^#define UTS_RELEASE "\(.*\)"/\1/p' "$headers/include/generated/utsrelease.h")
	release=${release:-$theirs}
	[ "$theirs" = "$release" ] || die "the headers in $headers are of kernel $theirs, not of $release"
}

# The kernel's VERSION.PATCHLEVEL.SUBLEVEL, which the release of many distributions hides.
headers_version()
{
	version_h=$headers/include/generated/uapi/linux/version.h
	found=$(awk '$2 == "LINUX_VERSION_MAJOR" { a = $3 } $2 == "LINUX_VERSION_PATCHLEVEL" { b = $3 }
		$2 == "LINUX_VERSION_SUBLEVEL" { c = $3 }
		$2 == "LINUX_VERSION_CODE" { code = $3 }
		END { if (a != "") printf "%d.%d.%d\n", a, b, c
		      else if (code) printf "%d.%d.%d\n", code / 65536, code / 256 % 256, code % 256 }' \
		"$version_h" 2>/dev/null || true)
	[ -n "$found" ] || found=$(makefile_version "$headers/Makefile")
	[ -n "$found" ] || found=$(echo "$release" | sed -n 's/^\([0-9]*\.[0-9]*\.[0-9]*\).*/\1/p')
	echo "$found"
}

# The exact package the headers come from, where the distribution records it (Debian does).
headers_revision()
{
	sed -n 's/^#define LINUX_PACKAGE_ID " *[^ ]* \([^ ]*\)"/\1/p' "$headers/include/generated/package.h" \
		2>/dev/null || true
}

# config NAME: y, m or nothing
config()
{
	sed -n "s/^CONFIG_$1=//p" "$headers/include/config/auto.conf"
}

# Only a kernel that has ice as a module can have it replaced.
check_config()
{
	case $(config ICE) in
	m) ;;
	y) die "kernel $release has ice built in (CONFIG_ICE=y); a module cannot replace it" ;;
	*) die "kernel $release is built without the ice driver (CONFIG_ICE is not set); nothing to replace" ;;
	esac
	[ -n "$(config RFS_ACCEL)" ] ||
		note "kernel $release has no CONFIG_RFS_ACCEL: the driver is built, aRFS will not be available"
}
