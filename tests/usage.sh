# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
# For scripts of the tests: their usage is the comment at their head.

# usage: print it.
usage()
{
	awk 'NR > 2 && !/^#/ { exit } NR > 2 { sub(/^# ?/, ""); print }' "$0"
}
