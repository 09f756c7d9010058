# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# What the scripts of this folder share. The caller sets: me (its name), here (this folder), top.
#
# Settings from the environment, all optional; the last three exist for the tests:
#   BUILD             where outputs go                      (default: build/ of this tree)
#   KERNEL_HEADERS    as --headers                          KERNEL_SOURCE   as --source
#   JOBS              parallel compilers                    (default: one per CPU)
#   ARFS_USR_SRC      where distributions put sources       (default: /usr/src)
#   ARFS_LIB_MODULES  where kernels' modules are            (default: /lib/modules)
#   ARFS_OS_RELEASE   the file that names the distribution  (default: /etc/os-release)

BUILD=${BUILD:-$top/build}
usr_src=${ARFS_USR_SRC:-/usr/src}
lib_modules=${ARFS_LIB_MODULES:-/lib/modules}
os_release=${ARFS_OS_RELEASE:-/etc/os-release}

ice_path=drivers/net/ethernet/intel/ice

die()
{
	echo "$me: error: $*" >&2
	exit 1
}

warn()
{
	echo "$me: warning: $*" >&2
}

note()
{
	echo "$me: $*" >&2
}

need_tool()
{
	command -v "$1" >/dev/null 2>&1 || PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1 ||
		die "the command '$1' is missing; install the package $2"
}

# note_btf HEADERS RELEASE: for those who will debug the module; it works without
note_btf()
{
	[ ! -f "$1/vmlinux" ] || command -v pahole >/dev/null 2>&1 ||
		note "no pahole here: the module for $2 gets no BTF (install the package pahole to have it)"
}

# The absolute form of a path, also of one whose last part does not exist yet.
absolute()
{
	if [ -d "$1" ]; then
		(cd "$1" && pwd -P)
	elif [ -d "$(dirname "$1")" ]; then
		echo "$(cd "$(dirname "$1")" && pwd -P)/$(basename "$1")"
	else
		case $1 in
		/*) echo "$1" ;;
		*) echo "$(pwd -P)/$1" ;;
		esac
	fi
}

# need_folder DIR: made when it is not there, and written to
need_folder()
{
	mkdir -p "$1" 2>/dev/null || die "cannot make the folder $1; name another one with BUILD=DIR or --out DIR"
	[ -w "$1" ] ||
		die "cannot write in $1 (it belongs to $(stat -c %U "$1")); use sudo, or another folder (BUILD=DIR or --out DIR)"
}

# need_room DIR MIB: DIR must exist.
need_room()
{
	free_mib=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	[ "$free_mib" -ge "$2" ] ||
		die "only $free_mib MiB free in $1, $2 MiB needed; make room or set BUILD to another disk"
}

# "debian", "ubuntu", "suse", "redhat" or "other"
distribution()
{
	# shellcheck disable=SC1090
	family=$( (. "$os_release" && echo "${ID:-} ${ID_LIKE:-}") 2>/dev/null || true)
	case " $family " in
	*" ubuntu "*) echo ubuntu ;;
	*" debian "*) echo debian ;;
	*suse*) echo suse ;;
	*" fedora "* | *" rhel "* | *" centos "*) echo redhat ;;
	*) echo other ;;
	esac
}

# X.Y of X.Y.Z
series_of()
{
	echo "$1" | sed 's/^\([0-9]*\.[0-9]*\).*/\1/'
}

# VERSION.PATCHLEVEL.SUBLEVEL out of a kernel Makefile; nothing when it is not one.
makefile_version()
{
	[ -f "$1" ] || return 0
	awk '$2 == "=" && ($1 == "VERSION" || $1 == "PATCHLEVEL" || $1 == "SUBLEVEL") { v[$1] = $3 }
		END { if (v["VERSION"] != "" && v["PATCHLEVEL"] != "")
			printf "%s.%s.%s\n", v["VERSION"], v["PATCHLEVEL"], v["SUBLEVEL"] + 0 }' "$1"
}
