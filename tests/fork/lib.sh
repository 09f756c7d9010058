# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2086,SC2154
# A small kernel world for tests of the fork: a stub driver in a kernel tree of our own, headers to build it
# against, and a copy of the fork's scripts with patches for the stub. The caller sets top and work.
#
# The headers are those of Debian's 6.1 in the store, copied where a test must change them.

BUILD=${BUILD:-$top/build}
export BUILD
ice=drivers/net/ethernet/intel/ice
store=$BUILD/kernels/6.1

passed=0
failed=0
skipped=0

# known_cases "CASE..." [NAME...]: ends the test unless each NAME is among the cases
known_cases()
{
	known=$(printf '%s ' $1)
	shift
	for name; do
		case " $known" in
		*" $name "*) ;;
		*)
			echo "$0: no case $name; there are:" $known >&2
			exit 2
			;;
		esac
	done
}

# run_case NAME: calls the function of that name with errexit; 77 is a skip whose reason is the last line
run_case()
{
	log=$work/log/$1
	mkdir -p "$work/log"
	set +e
	(set -e; "$1") >"$log" 2>&1
	rc=$?
	set -e
	case $rc in
	0)
		passed=$((passed + 1))
		echo "ok    $1"
		;;
	77)
		skipped=$((skipped + 1))
		echo "skip  $1: $(tail -n 1 "$log")"
		;;
	*)
		failed=$((failed + 1))
		echo "FAIL  $1 (log: $log)"
		tail -n 8 "$log" | sed 's/^/      /'
		;;
	esac
}

finish()
{
	[ "$skipped" -eq 0 ] || echo "$skipped skipped"
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}

# says FILE PATTERN: an extended expression must match a line
says()
{
	grep -E -- "$2" "$1" >/dev/null && return
	echo "expected a line that matches: $2"
	echo "got:"
	cat "$1"
	return 1
}

says_not()
{
	if grep -E -- "$2" "$1"; then
		echo "unexpected: $2"
		return 1
	fi
}

# saying COMMAND...: it must succeed; output goes to $work/said
saying()
{
	"$@" >"$work/said" 2>&1 || { cat "$work/said"; return 1; }
}

# fails STATUS COMMAND...: output goes to $work/said
fails()
{
	want=$1
	shift
	got=0
	"$@" >"$work/said" 2>&1 || got=$?
	cat "$work/said"
	[ "$got" -eq "$want" ] || { echo "status $got, expected $want: $*"; return 1; }
}

# one_error PATTERN: the last command said one error line, and that line matches
one_error()
{
	[ "$(grep -c 'error: ' "$work/said")" -eq 1 ] || { echo "expected one error line"; return 1; }
	grep 'error: ' "$work/said" >"$work/error"
	says "$work/error" "$1"
}

# make_source DIR VERSION: a kernel tree with a driver small enough to build in seconds
make_source()
{
	mkdir -p "$1/$ice"
	echo "$2" | awk -F. '{ printf "VERSION = %d\nPATCHLEVEL = %d\nSUBLEVEL = %d\nEXTRAVERSION =\n", $1, $2, $3 }' \
		>"$1/Makefile"
	cat >"$1/$ice/Makefile" <<-'END'
		obj-$(CONFIG_ICE) += ice.o
		ice-y := ice_main.o ice_idc.o
		ice-$(CONFIG_RFS_ACCEL) += ice_arfs.o
		ice-$(CONFIG_DCB) += ice_dcb.o
	END
	cat >"$1/$ice/ice_arfs.h" <<-'END'
		struct ice_stub {
			int state;
		};
		#ifdef CONFIG_RFS_ACCEL
		int ice_stub_arfs(void);
		#else
		static inline int ice_stub_arfs(void) { return 0; }
		#endif
	END
	cat >"$1/$ice/ice_main.c" <<-'END'
		#include <linux/module.h>
		#include "ice_arfs.h"

		static int __init ice_stub_init(void)
		{
			return ice_stub_arfs();
		}
		module_init(ice_stub_init);

		static void __exit ice_stub_exit(void)
		{
		}
		module_exit(ice_stub_exit);
		MODULE_LICENSE("GPL");
	END
	cat >"$1/$ice/ice_idc.c" <<-'END'
		#include <linux/module.h>
		#include "ice_arfs.h"

		int ice_stub_export(struct ice_stub *stub);
		int ice_stub_export(struct ice_stub *stub)
		{
			return stub->state;
		}
		EXPORT_SYMBOL_GPL(ice_stub_export);
	END
	cat >"$1/$ice/ice_arfs.c" <<-'END'
		#include "ice_arfs.h"

		int ice_stub_arfs(void)
		{
			return 0;
		}
	END
	echo 'extern int ice_stub_dcb;' >"$1/$ice/ice_dcb.c"
}

# pack DIR FILE.tar.KIND: as a distribution packs it, one folder at the top
pack()
{
	tar -C "$(dirname "$1")" -caf "$2" "$(basename "$1")"
}

# make_headers DIR RELEASE VERSION: the store's 6.1 headers under another name, without exports of ice
make_headers()
{
	from=$store/headers/usr/src/linux-headers-$(cat "$store/release")
	cp -a "$from" "$1"
	for link in scripts tools; do
		ln -sfn "$(readlink -f "$from/$link")" "$1/$link"
	done
	# kbuild only looks at the time of these ten thousand empty files
	find "$1/include/config" -mindepth 1 ! -name auto.conf ! -name kernel.release -delete
	echo "#define UTS_RELEASE \"$2\"" >"$1/include/generated/utsrelease.h"
	# shellcheck disable=SC2046
	set -- "$1" "$2" $(echo "$3" | tr . ' ')
	cat >"$1/include/generated/uapi/linux/version.h" <<-END
		#define LINUX_VERSION_CODE $(($3 * 65536 + $4 * 256 + $5))
		#define KERNEL_VERSION(a,b,c) (((a) << 16) + ((b) << 8) + ((c) > 255 ? 255 : (c)))
		#define LINUX_VERSION_MAJOR $3
		#define LINUX_VERSION_PATCHLEVEL $4
		#define LINUX_VERSION_SUBLEVEL $5
	END
	rm -f "$1/include/generated/package.h"
	grep -v "$ice/ice	" "$1/Module.symvers" >"$1/symvers.new"
	mv "$1/symvers.new" "$1/Module.symvers"
}

# export_stub HEADERS SOURCE: write the stub's exports, as its own build gives them, into the headers
export_stub()
{
	rm -rf "$work/stub"
	cp -R "$2/$ice" "$work/stub"
	make -C "$1" M="$work/stub" modules >"$work/stub.log" 2>&1 || { cat "$work/stub.log"; return 1; }
	sed "s:	[^	]*stub/ice	:	$ice/ice	:" "$work/stub/Module.symvers" >>"$1/Module.symvers"
}

# make_tree DIR: the scripts as they are, with our files and patches for the stub
make_tree()
{
	mkdir -p "$1/src/fork/patches/6.1"
	cp "$top/VERSION" "$top/dkms.conf" "$1/"
	for file in "$top"/src/fork/*; do
		[ ! -f "$file" ] || cp "$file" "$1/src/fork/"
	done
	cat >"$1/src/fork/manifest" <<-'END'
		replace	ice_arfs.c
		add	arfs_table.c
		add	fork/arfs.mk
		add	fork/arfs_version.c
	END
	cat >"$1/src/fork/arfs.mk" <<-'END'
		ice-y += arfs_version.o
		ice-$(CONFIG_RFS_ACCEL) += arfs_table.o
	END
	cat >"$1/src/ice_arfs.c" <<-'END'
		#include "ice_arfs.h"

		int arfs_stub_table(void);

		int ice_stub_arfs(void)
		{
			return arfs_stub_table();
		}
	END
	cat >"$1/src/arfs_table.c" <<-'END'
		int arfs_stub_table(void);
		int arfs_stub_table(void)
		{
			return 0;
		}
	END
	cat >"$1/src/fork/patches/6.1/0001-objects.patch" <<-'END'
		--- a/drivers/net/ethernet/intel/ice/Makefile
		+++ b/drivers/net/ethernet/intel/ice/Makefile
		@@ -3,2 +3,3 @@
		 ice-$(CONFIG_RFS_ACCEL) += ice_arfs.o
		+include $(src)/arfs.mk
		 ice-$(CONFIG_DCB) += ice_dcb.o
	END
	cat >"$1/src/fork/patches/6.1/0002-main.patch" <<-'END'
		--- a/drivers/net/ethernet/intel/ice/ice_main.c
		+++ b/drivers/net/ethernet/intel/ice/ice_main.c
		@@ -5,3 +5,4 @@
		 {
		+pr_debug("stub\n");
		 return ice_stub_arfs();
		 }
	END
	sed -n '/^#/p' "$top/src/fork/bases" >"$1/src/fork/bases"
}
