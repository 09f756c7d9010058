# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# Traffic without end, and questions of which the device knows the answer.

# How a scenario with a control reads: promise() fails it with our driver and is told as a fact with
# the stock driver; control() at the end says whether the stock driver broke a promise. Scenarios about
# the core patch (core.sh) say the same of kernels with it and without.
FAULT=no

# promised: what the scenario is about is here, and its promises hold.
promised()
{
	ours
}

# promise MESSAGE COMMAND...: where it is promised the command succeeds.
promise()
{
	promise_message=$1
	shift
	! "$@" || return 0
	FAULT=yes
	if promised; then
		fail "$promise_message"
	else
		fact fault "$promise_message"
	fi
}

ours()
{
	[ "$ICE_KIND" = ours ]
}

control()
{
	promised || fact control_fault $FAULT
}

# within SECONDS COMMAND...: does a state come? The limit only ends what would never come.
within()
{
	within_limit=$(($1 * 5))
	shift
	until "$@"; do
		within_limit=$((within_limit - 1))
		[ $within_limit -gt 0 ] || return 1
		sleep 0.2
	done
}

# setup R [off]: both ends up, ntuple on (or off), interrupt of queue N on CPU N, rps_flow_cnt R on each queue.
setup()
{
	R=$1
	peer_up
	ice_load
	ice_up
	[ "$QUEUES" -eq "$READERS" ] || abort "$QUEUES queues, not $READERS; give the guest other CPUs"
	ethtool -K "$ICE" ntuple "${2:-on}"
	ethtool -X "$ICE" hkey "$HASH_KEY" || fact hash_key random
	irqs_to_cpus
	rps "$R"
}

# interface_again: the driver has made its interface anew: what setup gave it, again.
interface_again()
{
	wait_for 60 "ice made no interface" has_interface ice
	ICE=$(interface_of ice)
	ice_up
	ethtool -K "$ICE" ntuple on
	ethtool -X "$ICE" hkey "$HASH_KEY" || fact hash_key random
	irqs_to_cpus
	forget_flows
}

# forget_flows: new flow tables in the core. An old flow's entry that names the CPU which a new flow
# with the same entry wants keeps the core from asking the driver, whichever driver it is.
forget_flows()
{
	rps "$R"
}

# traffic PORT: connections to the port that are busy until load_stop, all of them made.
traffic()
{
	LOAD_SECONDS=3600
	LOAD_PORT=$1
	load_start "${FAMILY:-4}" "$1"
	wait_for 60 "the connections are not made" running
}

running()
{
	alive "$SERVER_PID" || abort "the workload's server ended early"
	alive "$CLIENT_PID" || abort "the workload's client ended early"
	[ "$(load_state)" = running ]
}

# load_counts NAME: flows, on_reader, filtered or messages, now.
load_counts()
{
	load_snapshot
	arfs-judge --live --report "$LOAD/report" --flows "$LOAD/flows" --filters "$LOAD/filters" \
		--queue-cpus "$QUEUE_CPUS" --slots "$R" | tr ' ' '\n' | sed -n "s/^$1=//p"
}

# steered: the promise to the connections is kept, whatever it took (a state for within).
steered()
{
	load_snapshot
	# shellcheck disable=SC2046
	arfs-judge --report "$LOAD/report" --flows "$LOAD/flows" --filters "$LOAD/filters" --log /dev/null \
		--queue-cpus "$QUEUE_CPUS" --slots "$R" $(slot_option) \
		>"$LOAD/steered" 2>"$LOAD/explained"
}

# tell_steered PREFIX: facts of the last look by steered.
tell_steered()
{
	explain
	for tell_key in on_reader flows_with_filter misdirected slots_used slots_served slots_idle; do
		fact "$1$tell_key" "$(sed -n "s/^$tell_key //p" "$LOAD/steered")"
	done
}

# explain: for who reads guest.log, the flows astray and what the driver counts.
explain()
{
	cat "$LOAD/explained" 2>/dev/null || true
	ethtool -S "$ICE" | grep 'arfs_' | grep -v ': 0$' || true
}

# driver_live: how many filters of aRFS the driver says the device has.
driver_live()
{
	ethtool -S "$ICE" | awk '/^ *arfs_live_/ { n += $2; counts = 1 }
		END { print counts ? n : "n/a" }'
}

# rules: how many rules ethtool -n shows.
rules()
{
	ethtool -n "$ICE" 2>/dev/null | awk '/^Total/ { n = $2 } END { print n + 0 }'
}

# device_live: filters in the device that are no rules of the user.
device_live()
{
	echo $(($(dev_stat live) - $(rules)))
}

# agree: the driver counts live what the device has. What is being written is on one side only.
agree()
{
	DRIVER_LIVE=$(driver_live)
	DEVICE_LIVE=$(device_live)
	[ "$DRIVER_LIVE" = "$DEVICE_LIVE" ]
}

# tell_agree PREFIX: what both sides said at the last look by agree.
tell_agree()
{
	fact "$1driver_live" "$DRIVER_LIVE"
	fact "$1device_live" "$DEVICE_LIVE"
}

# log_mark: remember where the device's filter log ends; log_since: what it was told since.
log_mark()
{
	LOG_MARK=$(dev filter-log | wc -l)
}

log_since()
{
	dev filter-log | tail -n +$((LOG_MARK + 1))
}

# operations: how many filter operations the device was told, and quick where the log is long.
operations()
{
	dev stats | awk -F= '/^(adds|moves|deletes|failed)=/ { n += $2 } END { print n }'
}

# quiet: no filter operation within two seconds.
quiet()
{
	quiet_before=$(operations)
	sleep 2
	[ "$(operations)" -eq "$quiet_before" ]
}

# log_count ACTION OUTCOME: how many there are among lines on stdin.
log_count()
{
	awk -v action="$1" -v outcome="outcome=$2" '
		$2 == action { for (i = 3; i <= NF; i++) if ($i == outcome) n++ }
		END { print n + 0 }'
}
