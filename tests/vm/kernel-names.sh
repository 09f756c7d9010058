# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
# The kernels of the store by name, and how to come by each. For the scripts beside this file.

kernel_names="there are 6.1, 6.12 and 7.3, and each with -debug, -plain, -core, -kasan, -kasan-core or -first-N"

# kernel_remedy KERNEL: print the command that brings it; fails if there is no such kernel.
kernel_remedy()
{
	case ${1%%-*} in
	6.1|6.12|7.3) ;;
	*) return 1 ;;
	esac
	case ${1#"${1%%-*}"} in
	'') echo "tests/kernels/fetch $1" ;;
	-debug) echo "tests/debug-kernel/build ${1%-debug}" ;;
	-plain|-core|-kasan|-kasan-core|-first-[1-9]) echo "tests/core-kernel/build ${1%%-*} ${1#*-}" ;;
	*) return 1 ;;
	esac
}
