# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154,SC2317
# For scenarios about the core patch: promise() and control() are about the kernel here, with either
# driver.

LLC=/proc/sys/net/core/rps_feat_llc_affinity
DIRECT=/proc/sys/net/core/rps_direct_local

patched()
{
	[ -e $LLC ] && [ -e $DIRECT ]
}

# core_scenario: the scenario is about the core patch.
core_scenario()
{
	promised()
	{
		patched
	}
	fact kernel "$(uname -r)"
	case $KERNEL in
	*-core) patched || abort "kernel $(uname -r) has not the sysctls of the core patch" ;;
	esac
}

# core_setup R QUEUES: as setup, with so many queues, however many the driver would open.
core_setup()
{
	R=$1
	# A queue that drops what waited long would make losses of our own.
	[ ! -e /proc/sys/net/core/default_qdisc ] || echo pfifo_fast >/proc/sys/net/core/default_qdisc
	peer_up
	peer ip link set "$PEER" txqueuelen 20000
	ice_load
	ethtool -L "$ICE" combined "$2" || true
	ice_up
	[ "$QUEUES" -eq "$2" ] || abort "$QUEUES queues, not $2; give the guest other CPUs"
	ethtool -K "$ICE" ntuple on
	ethtool -X "$ICE" hkey "$HASH_KEY" || abort "the driver does not take an RSS key"
	irqs_to_cpus
	rps "$R"
}

# ports_for PORT COUNT OPTION...: client ports of so many connections to the port; see arfs-ports.
ports_for()
{
	ports_port=$1
	ports_count=$2
	shift 2
	# shellcheck disable=SC2046
	arfs-ports --key "$HASH_KEY" --source "$CLIENT4" --destination "$SERVER4" --port "$ports_port" \
		--count "$ports_count" --queues "$QUEUES" $(slot_option) "$@" >/tmp/ports ||
		abort "arfs-ports finds no $ports_count ports: $(cat /tmp/ports)"
	cut -d ' ' -f 1 /tmp/ports | tr , ' '
}

# serve PORT COUNT CPU: a server for so many connections, all read on the CPU; sets SERVER_PID.
serve()
{
	mkdir -p "$LOAD"
	LOAD_PORT=$1
	SERVER_PID=$(arfs-load serve --port "$1" --connections "$2" --readers 1 --first-cpu "$3" \
		--seconds 3600 --report "$LOAD/report") || abort "the workload's server did not start"
}

# connect PORT SOURCE-PORT: one busy connection of a client of its own, whose process client() tells.
connect()
{
	# Not by peer(): a function would be a shell between us and the client.
	/usr/sbin/ip netns exec peer arfs-load drive --to "$SERVER4" --port "$1" --connections 1 \
		--ports "$2" >/dev/null 2>&1 &
	echo $! >"/tmp/client.$2"
}

client()
{
	cat "/tmp/client.$1"
}

all_accepted()
{
	[ "$(load_state)" = running ]
}

# messages SOURCE-PORT: how many its connection has echoed, a second ago or less.
messages()
{
	awk -v port="$1" '$1 == "conn" && $5 == port { sub("messages=", "", $NF); print $NF }' "$LOAD/report"
}

# filtered PORT: source port and queue of each filter for connections to the port.
filtered()
{
	dev filters | awk -v port="$1" '$7 == port { sub("queue=", "", $8); print $5, $8 }'
}

# last_queue SOURCE-PORT: where the connection's last packet was delivered.
last_queue()
{
	dev flows | awk -v port="$1" -v to="$LOAD_PORT" '$5 == port && $7 == to {
		sub("last=", "", $9)
		print $9
	}'
}

# calls: requests of the core to steer a flow, as our driver counts them.
calls()
{
	ice_stat arfs_calls
}

# softnet COLUMN: that column of each CPU's line, a hexadecimal number, in decimal; 1 is packets, 2 drops.
softnet()
{
	while read -r softnet_line; do
		# shellcheck disable=SC2086
		set -- "$1" $softnet_line
		softnet_column=$1
		shift "$1"
		echo $((0x$1))
		set -- "$softnet_column"
	done </proc/net/softnet_stat
}

# irq_of QUEUE: its interrupt.
irq_of()
{
	awk -v name="ice-$ICE-TxRx-$1" '$NF == name { sub(":", "", $1); print $1 }' /proc/interrupts
}

# order_start NAME PORT OPTION...: a server of numbered flows; NAME is tcp or udp, and what its facts begin
# with once a word was put into ORDER.
order_start()
{
	order_name=$1
	order_port=$2
	shift 2
	order_udp=
	[ "$order_name" = tcp ] || order_udp=--udp
	# shellcheck disable=SC2086
	arfs-order serve $order_udp --port "$order_port" --report "/tmp/order.$order_name" "$@" \
		>"/tmp/order.$order_name.pid" || abort "arfs-order does not serve"
}

# order_send NAME PORT OPTION...: send to it from the peer.
order_send()
{
	send_name=$1
	send_port=$2
	shift 2
	send_udp=
	[ "$send_name" = tcp ] || send_udp=--udp
	# shellcheck disable=SC2086
	peer arfs-order send $send_udp --to "$SERVER4" --port "$send_port" --source-port 30000 "$@" >"/tmp/order.$send_name.sent"
}

# order_end NAME: end the server; its counts and the sender's become facts.
order_end()
{
	order_pid=$(cat "/tmp/order.$1.pid")
	kill "$order_pid"
	order_tries=300
	while alive "$order_pid" && [ $order_tries -gt 0 ]; do
		order_tries=$((order_tries - 1))
		sleep 0.1
	done
	[ -s "/tmp/order.$1" ] || abort "arfs-order left no report"
	while read -r order_line; do
		fact "${ORDER:-}$1.$order_line"
	done <<-EOF
		$(cat "/tmp/order.$1" "/tmp/order.$1.sent")
	EOF
}

# order_count NAME KEY: one of them.
order_count()
{
	cat "/tmp/order.$1" "/tmp/order.$1.sent" | sed -n "s/^$2 //p"
}

# order_expect NAME: all that was sent came, once and in order.
order_expect()
{
	order_lost=$(($(order_count "$1" sent) - $(order_count "$1" packets)))
	expect "$1: $order_lost were lost of $(order_count "$1" sent)" [ $order_lost -eq 0 ]
	expect "$1: nothing was sent" [ "$(order_count "$1" sent)" -gt 0 ]
	for order_key in late core_late ooo damaged; do
		expect "$1: $order_key is $(order_count "$1" $order_key)" \
			[ "$(order_count "$1" $order_key)" -eq 0 ]
	done
}
