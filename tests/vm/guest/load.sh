# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The workload of the baseline: FLOWS echo connections, accepted on CPU 0, read on CPUs 0..READERS-1
# or from FIRST_CPU on.
# A scenario's variables: FLOWS, LOAD_SECONDS, READERS, MOVE (percent), CLIENT_CPUS, CLIENT_THREADS,
# UDP (1), ROTATE (ms), ROTATE_WITHIN (readers), BYTES (of a message),
# IPV6_OPTIONS (1: in the client's packets).

: "${FLOWS:=100}" "${LOAD_SECONDS:=15}" "${READERS:=4}" "${MOVE:=0}"
: "${CLIENT_CPUS:=}" "${CLIENT_THREADS:=1}" "${UDP:=}" "${BYTES:=64}" "${IPV6_OPTIONS:=}"
: "${ROTATE:=}" "${ROTATE_WITHIN:=}" "${FIRST_CPU:=}"

LOAD=/tmp/load

# Kernels from 7.3 on choose a slot by multiplication.
slot_option()
{
	case $(uname -r) in
	5.*|6.*) ;;
	*) echo --multiply ;;
	esac
}

load_state()
{
	sed -n '1s/^state \([a-z]*\).*/\1/p' $LOAD/report
}

# load_start 4|6 PORT: start both sides. A port of its own keeps runs apart in the device's log.
load_start()
{
	mkdir -p $LOAD
	LOAD_STATS=$(stats_now)
	load_options="--port $2 --connections $FLOWS ${UDP:+--udp}"
	load_to=$SERVER4
	[ "$1" = 4 ] || { load_options="$load_options -6"; load_to=$SERVER6; }
	# shellcheck disable=SC2086
	SERVER_PID=$(arfs-load serve $load_options --readers "$READERS" ${FIRST_CPU:+--first-cpu $FIRST_CPU} \
		--seconds "$LOAD_SECONDS" \
		--move "$MOVE" ${ROTATE:+--rotate $ROTATE} ${ROTATE_WITHIN:+--rotate-within $ROTATE_WITHIN} \
		--report $LOAD/report) ||
		abort "the workload's server did not start"
	# shellcheck disable=SC2086
	peer arfs-load drive $load_options --to $load_to --source-port 20000 \
		--bytes "$BYTES" --threads "$CLIENT_THREADS" \
		${IPV6_OPTIONS:+--ipv6-options} ${CLIENT_CPUS:+--cpus $CLIENT_CPUS} &
	CLIENT_PID=$!
}

# load_nice N: all that is done about the running workload goes before it.
load_nice()
{
	for load_pid in $(pidof arfs-load); do
		for load_task in /proc/"$load_pid"/task/*; do
			renice -n "$1" -p "${load_task##*/}"
		done
	done
}

# load_snapshot: ask the device for its flows and filters.
load_snapshot()
{
	dev flows >$LOAD/flows
	dev filters >$LOAD/filters
}

# stats_now: the device's counts of adds, moves, deletes.
stats_now()
{
	dev stats | awk -F= '{ v[$1] = $2 } END { print v["adds"], v["moves"], v["deletes"] }'
}

# load_live R: one line of the live picture; counts are those since load_start.
load_live()
{
	load_snapshot
	load_line=$(arfs-judge --live --report $LOAD/report --flows $LOAD/flows \
		--filters $LOAD/filters --queue-cpus "$QUEUE_CPUS" --slots "$1") ||
		abort "arfs-judge cannot read the device's answers"
	# shellcheck disable=SC2046,SC2086
	set -- "$1" $LOAD_STATS $(stats_now)
	live "r=$1 state=$(load_state) $load_line adds=$(($5 - $2)) moves=$(($6 - $3))" \
		"deletes=$(($7 - $4))"
}

# load_run R: let the workload run its time while showing what becomes of it.
load_run()
{
	until [ "$(load_state)" = held ]; do
		alive "$SERVER_PID" || abort "the workload's server ended early"
		alive "$CLIENT_PID" || abort "the workload's client ended early"
		sleep 1
		load_live "$1"
	done
}

# load_ethtool PREFIX: what the driver counts of aRFS, and the sum of what it refused; the stock
# driver counts nothing.
load_ethtool()
{
	ethtool -S "$ICE" | awk -v prefix="$1" '
		/^ *arfs_/ {
			sub(":", "", $1)
			print prefix "ethtool." $1, $2
			counts = 1
			if ($1 ~ /^arfs_refused/)
				refused += $2
		}
		END { print prefix "refused", counts ? refused + 0 : "n/a" }'
}

# load_judge PREFIX R: the facts of the run, while its connections are still open. Sets JUDGED to
# the judge's exit status; what to make of it is the scenario's business.
load_judge()
{
	load_snapshot
	dev filter-log >$LOAD/log
	JUDGED=0
	# shellcheck disable=SC2046
	arfs-judge --report $LOAD/report --flows $LOAD/flows --filters $LOAD/filters --log $LOAD/log \
		--queue-cpus "$QUEUE_CPUS" --slots "$2" $(slot_option) --prefix "$1" \
		>$LOAD/facts || JUDGED=$?
	[ $JUDGED -le 1 ] || abort "arfs-judge cannot read the device's answers"
	load_ethtool "$1" >>$LOAD/facts
	while read -r line; do
		fact "$line"
	done <$LOAD/facts
}

# load_stop: close the connections; every one must have lived until now.
load_stop()
{
	kill "$SERVER_PID"
	wait "$CLIENT_PID" || fail "a connection of the workload broke"
}
