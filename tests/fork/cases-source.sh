# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2016,SC2034,SC2086,SC2154
# Headers and sources that are missing, wrong, or in one of the places distributions use.

source_cases="kernel_not_named unknown_argument help_is_for_users headers_missing headers_without_symvers headers_of_another_kernel
	source_missing source_named_but_missing source_not_a_kernel source_corrupt source_without_ice
	source_in_debian_place source_in_ubuntu_place source_in_suse_place source_put_there_by_the_operator
	source_baked source_named_wins
	driver_folder_without_version other_series other_sublevel other_revision tarball_is_cached
	series_without_patches no_room
	folder_cannot_be_made folder_of_another_user
	nothing_to_install_for"

distributions="debian ubuntu opensuse-leap fedora"

kernel_not_named()
{
	fails 1 "$tree/src/fork/make-fork" --source "$source_tree"
	one_error '--kernel RELEASE \(make: KVER=RELEASE\)'
}

unknown_argument()
{
	fails 1 forked --frobnicate
	one_error "unknown argument '--frobnicate'"
}

help_is_for_users()
{
	saying "$tree/src/fork/make-fork" --help
	says "$work/said" '^usage: make-fork --kernel'
	says "$work/said" '--probe'
	says_not "$work/said" shellcheck
}

headers_missing()
{
	for id in $distributions; do
		echo "ID=$id" >"$ARFS_OS_RELEASE.$id"
		fails 1 env ARFS_OS_RELEASE="$ARFS_OS_RELEASE.$id" "$tree/src/fork/make-fork" --kernel 6.1.0-98-default
		case $id in
		debian | ubuntu) one_error 'apt-get install linux-headers-6.1.0-98-default' ;;
		opensuse*) one_error 'zypper install kernel-default-devel' ;;
		fedora) one_error 'dnf install kernel-devel-6.1.0-98-default' ;;
		esac
	done
	fails 1 "$tree/src/fork/make-fork" --kernel "$release" --headers "$work/nowhere"
	one_error "$work/nowhere is no folder.*make: KERNEL_HEADERS=DIR"
}

headers_without_symvers()
{
	cp -a "$headers" "$work/headers.bare"
	rm "$work/headers.bare/Module.symvers"
	fails 1 make_fork --headers "$work/headers.bare"
	one_error 'has no Module.symvers'
}

headers_of_another_kernel()
{
	fails 1 make_fork --kernel 6.1.0-98-test
	one_error "of kernel $release, not of 6.1.0-98-test"
}

source_missing()
{
	for id in $distributions; do
		echo "ID=$id" >"$ARFS_OS_RELEASE.$id"
		fails 1 env ARFS_OS_RELEASE="$ARFS_OS_RELEASE.$id" "$tree/src/fork/make-fork" --kernel "$release" --headers "$headers"
		case $id in
		debian) one_error 'apt-get install linux-source-6\.1,' ;;
		ubuntu) one_error 'apt-get install linux-source-6\.1\.0,' ;;
		opensuse*) one_error 'zypper install kernel-source' ;;
		fedora) one_error "dnf download --source kernel-$release" ;;
		esac
	done
	cp -a "$headers" "$work/headers.bpo"
	echo '#define LINUX_PACKAGE_ID " Debian 6.1.192-1~bpo12+1"' >"$work/headers.bpo/include/generated/package.h"
	fails 1 make_fork --headers "$work/headers.bpo"
	one_error 'apt-get install -t bookworm-backports linux-source-6.1'
}

source_named_but_missing()
{
	fails 1 make_fork --source "$work/nowhere.tar.xz"
	one_error "$work/nowhere.tar.xz does not exist; .*apt-get install linux-source-6\\.1"
}

source_not_a_kernel()
{
	mkdir -p "$work/empty"
	fails 1 make_fork --source "$work/empty"
	one_error 'neither a kernel tree nor the ice driver'
}

source_corrupt()
{
	echo 'no tarball' >"$work/corrupt.tar.xz"
	fails 1 make_fork --source "$work/corrupt.tar.xz"
	one_error "cannot read $work/corrupt.tar.xz"
	pack "$source_tree" "$work/whole.tar.gz"
	head -c "$(($(wc -c <"$work/whole.tar.gz") / 2))" "$work/whole.tar.gz" >"$work/cut.tar.gz"
	fails 1 make_fork --source "$work/cut.tar.gz"
	one_error 'cut.tar.gz is cut short or damaged .*again'
	# nothing of it may be taken for a driver next time
	fails 1 make_fork --source "$work/cut.tar.gz"
}

source_without_ice()
{
	make_source "$work/bare" 6.1.192
	rm -r "$work/bare/$ice"
	pack "$work/bare" "$work/bare.tar.xz"
	fails 1 make_fork --source "$work/bare.tar.xz"
	one_error "holds no $ice"
}

# found_in PLACE VERSION: lay out without naming a source, and see where it came from
found_in()
{
	saying make_fork --out "$work/found" --lay-out
	says "$work/found/ice/$ice/arfs_version.h" "ARFS_BASE \"linux $2"
	rm -rf "$1"
	fails 1 make_fork --out "$work/found" --lay-out
	one_error 'no source of kernel'
}

source_in_debian_place()
{
	for kind in xz zst gz; do
		pack "$source_tree" "$ARFS_USR_SRC/linux-source-6.1.tar.$kind"
		found_in "$ARFS_USR_SRC/linux-source-6.1.tar.$kind" 6.1.192
	done
}

source_in_ubuntu_place()
{
	mkdir "$ARFS_USR_SRC/linux-source-6.1.0"
	kind=bz2
	command -v bzip2 >/dev/null || kind=gz
	pack "$source_tree" "$ARFS_USR_SRC/linux-source-6.1.0/linux-source-6.1.0.tar.$kind"
	found_in "$ARFS_USR_SRC/linux-source-6.1.0" 6.1.192
	cp -R "$source_tree" "$ARFS_USR_SRC/linux-source-6.1.0"
	found_in "$ARFS_USR_SRC/linux-source-6.1.0" 6.1.192
}

source_put_there_by_the_operator()
{
	mkdir "$ARFS_USR_SRC/ice-arfs-source"
	ln -s "$source_tree" "$ARFS_USR_SRC/ice-arfs-source/$release"
	found_in "$ARFS_USR_SRC/ice-arfs-source" 6.1.192
}

source_in_suse_place()
{
	cp -R "$source_tree" "$ARFS_USR_SRC/linux-6.1.0-99"
	found_in "$ARFS_USR_SRC/linux-6.1.0-99" 6.1.192
	cp -R "$source_tree" "$ARFS_USR_SRC/linux-6.1.192-5"
	found_in "$ARFS_USR_SRC/linux-6.1.192-5" 6.1.192
}

source_baked()
{
	"$tree/src/fork/bake" "$source_tree"
	found_in "$tree/src/fork/base" 6.1.192
}

source_named_wins()
{
	make_source "$work/named" 6.1.193
	pack "$source_tree" "$ARFS_USR_SRC/linux-source-6.1.tar.gz"
	KERNEL_SOURCE=$work/named make_fork --out "$work/found" --lay-out
	says "$work/found/ice/$ice/arfs_version.h" 'ARFS_BASE "linux 6.1.193"'
	rm "$ARFS_USR_SRC/linux-source-6.1.tar.gz"
}

driver_folder_without_version()
{
	cp -R "$source_tree/$ice" "$work/driver"
	fails 1 make_fork --source "$work/driver" --lay-out
	one_error "write its version .* to $work/driver/kernel-version"
	echo 6.1.192 >"$work/driver/kernel-version"
	make_fork --source "$work/driver" --lay-out
}

other_series()
{
	make_source "$work/other" 6.12.95
	fails 1 make_fork --source "$work/other"
	one_error 'is linux 6\.12\.95, kernel 6\.1\.0-99-test is linux 6\.1\.192; apt-get install linux-source-6\.1, or name it with --source FILE_OR_DIR \(make: KERNEL_SOURCE='
}

other_sublevel()
{
	make_source "$work/older" 6.1.170
	saying make_fork --source "$work/older" --lay-out
	says "$work/said" 'warning: the source is linux 6\.1\.170, kernel 6\.1\.0-99-test is linux 6\.1\.192'
	saying forked --lay-out
	says_not "$work/said" warning
}

other_revision()
{
	cp -a "$headers" "$work/headers.deb"
	echo '#define LINUX_PACKAGE_ID " Debian 6.1.192-3"' >"$work/headers.deb/include/generated/package.h"
	mkdir "$work/package"
	pack "$source_tree" "$work/package/linux-source-6.1.tar.gz"
	echo 6.1.192-2 >"$work/package/version"
	saying make_fork --headers "$work/headers.deb" --source "$work/package/linux-source-6.1.tar.gz" --lay-out
	says "$work/said" 'warning: the source package is revision 6\.1\.192-2, the headers of .* are 6\.1\.192-3'
	echo 6.1.192-3 >"$work/package/version"
	saying make_fork --headers "$work/headers.deb" --source "$work/package/linux-source-6.1.tar.gz" --lay-out
	says_not "$work/said" warning
}

tarball_is_cached()
{
	make_source "$work/cached" 6.1.192
	echo >"$work/cached/$ice/other.h"
	pack "$work/cached" "$work/cached.tar.xz"
	saying make_fork --source "$work/cached.tar.xz" --lay-out
	says "$work/said" 'taking the ice driver out of'
	saying make_fork --source "$work/cached.tar.xz" --lay-out
	says_not "$work/said" 'taking the ice driver out of'
}

series_without_patches()
{
	make_headers "$work/headers.66" 6.6.1-test 6.6.1
	make_source "$work/linux66" 6.6.1
	fails 1 "$tree/src/fork/make-fork" --headers "$work/headers.66" --source "$work/linux66"
	one_error 'no patches for linux 6\.6; this ice-arfs has them for: 6\.1'
	[ ! -e "$BUILD/6.6.1-test/ice" ]
}

no_room()
{
	mkdir -p "$work/full"
	unshare -m true 2>/dev/null || { echo "no mount namespace here"; return 77; }
	fails 1 unshare -m sh -euc 'mount -t tmpfs -o size=2m none "$1/full"
		shift; "$@"' sh "$work" "$tree/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/full"
	one_error "MiB free in $work/full, [0-9]+ MiB needed; make room or set BUILD"
}

folder_cannot_be_made()
{
	fails 1 env BUILD=/proc/none "$tree/src/fork/make-fork" --headers "$headers" --source "$source_tree"
	one_error 'cannot make the folder /proc/none.*BUILD=DIR'
	fails 2 env BUILD=/proc/none "$top/tests/deps" --outputs
	says "$work/said" 'cannot make the folder /proc/none; .*BUILD=DIR'
}

folder_of_another_user()
{
	[ "$(id -u)" = 0 ] || { echo "only root can be another user"; return 77; }
	nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
	# Where nobody can look in from the root on.
	far=$(mktemp -d)
	trap 'rm -rf "$far"' EXIT
	chmod 755 "$far"
	mkdir -p "$far/build/check" "$far/own/check"
	chown 65534 "$far/own"
	fails 2 $nobody env BUILD="$far/build" sh "$top/tests/deps" --outputs
	says "$work/said" "$far/build belongs to another user \\(root\\); use sudo"
	fails 2 $nobody env BUILD="$far/own" sh "$top/tests/deps" --outputs
	says "$work/said" "$far/own/check belongs to another user \\(root\\); use sudo"
	chown 65534 "$far/own/check"
	$nobody env BUILD="$far/own" sh "$top/tests/deps" --outputs
	fails 1 $nobody "$tree/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$far/build"
	one_error "cannot write in $far/build \\(it belongs to root\\); use sudo"
}

nothing_to_install_for()
{
	if [ "$(id -u)" != 0 ] || ! command -v dkms >/dev/null; then
		echo "needs root and dkms"
		return 77
	fi
	some=$work/some-modules
	mkdir -p "$some"
	set -- 1 env ARFS_LIB_MODULES="$some" ARFS_CACHE="$work/cache" "$tree/src/fork/install"
	fails "$@"
	one_error 'no kernel is installed here'
	mkdir -p "$some/6.1.0-98-test/build"
	echo >"$some/6.1.0-98-test/build/Makefile"
	fails "$@"
	one_error 'headers of kernel 6.1.0-98-test are here, the kernel itself is not .*apt-get install linux-image-6.1.0-98-test'
	mkdir -p "$some/6.1.0-97-test"
	echo >"$some/6.1.0-97-test/modules.dep"
	fails "$@"
	one_error 'kernel 6.1.0-97-test has no headers here; .*apt-get install linux-headers-6.1.0-97-test'
}
