# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# The workload of the baseline: FLOWS echo connections, accepted on CPU 0, read on CPUs 0..READERS-1.
# A scenario's variables: FLOWS, LOAD_SECONDS, READERS, MOVE (percent), CLIENT_CPUS, CLIENT_THREADS.

: "${FLOWS:=100}" "${LOAD_SECONDS:=15}" "${READERS:=4}" "${MOVE:=0}"
: "${CLIENT_CPUS:=}" "${CLIENT_THREADS:=1}"

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
	load_options="--port $2 --connections $FLOWS"
	load_to=$SERVER4
	[ "$1" = 4 ] || { load_options="$load_options -6"; load_to=$SERVER6; }
	# shellcheck disable=SC2086
	SERVER_PID=$(arfs-load serve $load_options --readers "$READERS" --seconds "$LOAD_SECONDS" \
		--move "$MOVE" --report $LOAD/report) || abort "the workload's server did not start"
	# shellcheck disable=SC2086
	peer arfs-load drive $load_options --to $load_to --source-port 20000 \
		--threads "$CLIENT_THREADS" ${CLIENT_CPUS:+--cpus $CLIENT_CPUS} &
	CLIENT_PID=$!
}

# load_snapshot: ask the device for its flows and filters.
load_snapshot()
{
	dev flows >$LOAD/flows
	dev filters >$LOAD/filters
}

# load_live LABEL R: one line of the live picture.
load_live()
{
	load_snapshot
	load_line=$(arfs-judge --live --report $LOAD/report --flows $LOAD/flows \
		--filters $LOAD/filters --queue-cpus "$QUEUE_CPUS" --slots "$2") ||
		abort "arfs-judge cannot read the device's answers"
	load_stats=$(dev stats | tr '\n' ' ')
	live "$1 state=$(load_state) $load_line $load_stats"
}

# load_run LABEL R: let the workload run its time while showing what becomes of it.
load_run()
{
	until [ "$(load_state)" = held ]; do
		alive "$SERVER_PID" || abort "the workload's server ended early"
		alive "$CLIENT_PID" || abort "the workload's client ended early"
		sleep 1
		load_live "$1" "$2"
	done
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
