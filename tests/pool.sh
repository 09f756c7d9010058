# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
# Guests, two at once: each waits for half of its time. For the scripts that run many; they export BUILD.
#
# GUESTS says how many at once (default: 2, or 1 on a machine with one CPU).

pool_guests=${GUESTS:-2}
[ -n "${GUESTS:-}" ] || [ "$(nproc)" -gt 1 ] || pool_guests=1
case $pool_guests in
*[!0-9]* | 0*)
	echo "${0##*/}: GUESTS is a number of guests, not '$pool_guests'" >&2
	exit 2
	;;
esac

# pool WORK: call WORK with the words of each line of stdin, in that order but several at once. WORK tells
# what became of it in one line, and returns 0 if it passed. Sets passed and failed.
pool()
{
	pool_claims=$(mktemp -d "$BUILD/pool.XXXXXX")
	pool_workers=
	trap pool_stop EXIT
	trap 'exit 1' HUP INT TERM
	grep . >"$pool_claims/list" || true
	while [ "$(echo "$pool_workers" | wc -w)" -lt "$pool_guests" ]; do
		pool_worker "$1" &
		pool_workers="$pool_workers $!"
	done
	for pool_pid in $pool_workers; do
		wait "$pool_pid" || true
	done
	pool_workers=
	# A line of which nothing is known has failed.
	passed=$(find "$pool_claims" -name passed | wc -l)
	failed=$(($(wc -l <"$pool_claims/list") - passed))
	pool_stop
	trap - EXIT HUP INT TERM
}

# What no other worker has claimed yet, one after the other.
pool_worker()
{
	pool_child=
	trap 'pool_kill; exit 1' HUP INT TERM
	pool_number=0
	while read -r pool_line; do
		pool_number=$((pool_number + 1))
		mkdir "$pool_claims/$pool_number" 2>/dev/null || continue
		# shellcheck disable=SC2086
		! "$1" $pool_line || : >"$pool_claims/$pool_number/passed"
	done <"$pool_claims/list"
}

# pool_run PROGRAM...: how WORK runs what takes long, so that it ends when the pool does, with all that it has
# started: it leads a process group of its own.
pool_run()
{
	setsid "$@" </dev/null &
	pool_child=$!
	pool_status=0
	wait "$pool_child" || pool_status=$?
	pool_child=
	return $pool_status
}

# The group may have just been forked and not begun.
pool_kill()
{
	[ -z "$pool_child" ] || kill -- "-$pool_child" 2>/dev/null || kill "$pool_child"
}

# shellcheck disable=SC2317
pool_stop()
{
	# shellcheck disable=SC2086
	[ -z "$pool_workers" ] || kill $pool_workers 2>/dev/null || true
	rm -rf "$pool_claims"
}
