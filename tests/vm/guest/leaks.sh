# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# What a debug kernel's kmemleak finds when a scenario has ended; other kernels have none.

KMEMLEAK=/sys/kernel/debug/kmemleak

# leak_check: an object counts as leaked when two scans find no pointer to it and it did not change in
# between, and not in its first five seconds. A trace that names ice, or no symbol at all because its
# module is gone, is the driver's.
leak_check()
{
	[ -w $KMEMLEAK ] || return 0
	# What a scenario that failed left running only takes time.
	killall -q -9 arfs-load || true
	say "looking for leaks"
	sleep 5
	echo scan >$KMEMLEAK 2>/dev/null || {
		fail "kmemleak is off: $(dmesg | grep kmemleak | tail -n 1)"
		return 0
	}
	echo scan >$KMEMLEAK
	cat $KMEMLEAK >/tmp/leaks
	cat /tmp/leaks
	fact leaks "$(grep -c '^unreferenced object' /tmp/leaks)"
	driver_leaks=$(awk '
		/^unreferenced object/ { n += bad; bad = 0 }
		/\[ice\]/ || /^ +(\[<[0-9a-f]+>\] )?0x[0-9a-f]+$/ { bad = 1 }
		END { print n + bad }' /tmp/leaks)
	fact leaks_of_ice "$driver_leaks"
	[ "$driver_leaks" -eq 0 ] || [ "$ICE_KIND" = stock ] ||
		fail "$driver_leaks objects of ice leaked, see guest.log"
}
