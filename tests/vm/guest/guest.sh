# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034
# What scenarios are written with. File descriptors: 3 the device's control socket, 4 the live
# picture, 5 the facts. Variables set here: ICE and PEER (interface names), QUEUES.

SERVER4=10.9.0.1
CLIENT4=10.9.0.2
SERVER6=fd00:9::1
CLIENT6=fd00:9::2

# A fixed RSS key: with it the same ports give the same hashes in every run and on every driver.
HASH_KEY=31:7a:e5:0c:9b:42:d8:6f:13:a4:58:ee:07:c9:72:3d:86:1b:f0:55:2e:bd:64:98:af:40:d3:19:7c:e1
HASH_KEY=$HASH_KEY:26:8d:fa:4b:90:35:ce:61:08:b7:5e:d2:83:2c:f9:14:6a:a0:47:db:3f:96

# busybox prefers its own, smaller ip even to what is in the PATH.
ip()
{
	/usr/sbin/ip "$@"
}

say()
{
	echo "== $(cut -d ' ' -f 1 /proc/uptime) $*"
}

# fact KEY VALUE...: a line of the result.
fact()
{
	echo "$*" >&5
	echo "fact $*"
}

# fail MESSAGE: the scenario will fail; it goes on, so that all that is wrong is seen.
fail()
{
	echo "$*" >>/tmp/failures
	fact failure "$*"
}

# abort MESSAGE: the scenario cannot go on.
abort()
{
	fail "$*"
	exit 1
}

# expect MESSAGE COMMAND...: fail with the message unless the command succeeds.
expect()
{
	expect_message=$1
	shift
	"$@" || fail "$expect_message"
}

# live TEXT: a line for who watches the run.
live()
{
	echo "$*" >&4
}

# wait_for SECONDS MESSAGE COMMAND...: wait for a state; the limit only ends what would never come.
wait_for()
{
	wait_limit=$1
	wait_message=$2
	shift 2
	until "$@"; do
		wait_limit=$((wait_limit - 1))
		[ $wait_limit -gt 0 ] || abort "$wait_message"
		sleep 1
	done
}

# dev COMMAND...: ask the device, print its answer; an error of the device ends the scenario.
dev()
{
	echo "$*" >&3
	dev_answer=$(awk '$0 == "." { ok = 1; exit } { print } END { exit !ok }' <&3) ||
		abort "the device does not answer: $*"
	case $dev_answer in
	error:*) abort "the device refuses '$*': $dev_answer" ;;
	'') ;;
	*) echo "$dev_answer" ;;
	esac
}

# dev_stat KEY: one number of the device's.
dev_stat()
{
	dev stats | sed -n "s/^$1=//p"
}

# ask KEY: one number of the device's, into VALUE. Starts no program: for loops.
ask()
{
	echo stats >&3
	VALUE=
	while read -r ask_line <&3 && [ "$ask_line" != . ]; do
		case $ask_line in
		"$1="*) VALUE=${ask_line#*=} ;;
		esac
	done
}

# ice_stat NAME: one number of ethtool -S, or n/a.
ice_stat()
{
	ethtool -S "$ICE" | awk -v name="$1:" '$1 == name { print $2; found = 1 }
		END { if (!found) print "n/a" }'
}

# Name of the interface of a driver.
interface_of()
{
	for n in /sys/class/net/*; do
		driver=$(readlink "$n/device/driver" 2>/dev/null) || continue
		[ "$(basename "$driver")" = "$1" ] && basename "$n"
	done
	return 0
}

has_interface()
{
	[ -n "$(interface_of "$1")" ]
}

has_carrier()
{
	[ "$(cat "/sys/class/net/$ICE/carrier" 2>/dev/null)" = 1 ]
}

peer()
{
	ip netns exec peer "$@"
}

# alive PID: it runs; a zombie does not.
alive()
{
	grep -q "^State:[[:space:]]*[^Z[:space:]]" "/proc/$1/status" 2>/dev/null
}

# listening PORT: something listens on the TCP port here; peer_listening: in the peer.
listening()
{
	grep -qi ":$(printf %04X "$1") [0-9]*:0000 0A" /proc/net/tcp /proc/net/tcp6
}

peer_listening()
{
	peer grep -qi ":$(printf %04X "$1") [0-9]*:0000 0A" /proc/net/tcp /proc/net/tcp6
}

# Load ice and what it needs; sets ICE. Safe mode (no DDP package) would make every test void.
ice_load()
{
	while read -r module; do
		grep -q "^$(echo "$module" | tr - _) " /proc/modules && continue
		insmod "/lib/modules/$module.ko" || abort "cannot load $module.ko: $(dmesg | tail -n 1)"
	done </lib/modules/ice.order
	wait_for 60 "ice made no interface, see kernel.log" has_interface ice
	ICE=$(interface_of ice)
	! dmesg | grep -qi 'ice.*entering safe mode' || abort "ice is in safe mode"
}

# load_extra: the modules for tunnels and VLANs.
load_extra()
{
	while read -r module; do
		grep -q "^$(echo "$module" | tr - _) " /proc/modules && continue
		insmod "/lib/modules/$module.ko" || abort "cannot load $module.ko"
	done </lib/modules/extra.order
}

ice_unload()
{
	ip link set "$ICE" down
	rmmod ice || abort "cannot unload ice"
}

# Give both ends their addresses and wait for the link.
ice_up()
{
	ip addr add $SERVER4/24 dev "$ICE"
	ip link set "$ICE" up
	ip addr add $SERVER6/64 dev "$ICE" nodad
	wait_for 60 "no link on $ICE" has_carrier
	QUEUES=$(find "/sys/class/net/$ICE/queues" -name 'rx-*' | wc -l)
}

# The far end of the wire, in a network namespace of its own.
peer_up()
{
	ip link set lo up
	PEER=$(interface_of virtio_net)
	[ -n "$PEER" ] || abort "no virtio-net interface for the peer"
	ip netns add peer
	ip link set "$PEER" netns peer
	peer ip link set lo up
	peer ip addr add $CLIENT4/24 dev "$PEER"
	peer ip link set "$PEER" up
	peer ip addr add $CLIENT6/64 dev "$PEER" nodad
}

# Bind the interrupt of each queue to the CPU of the same number; sets QUEUE_CPUS.
irqs_to_cpus()
{
	QUEUE_CPUS=
	queue=0
	while [ $queue -lt "$QUEUES" ]; do
		irq=$(awk -v name="ice-$ICE-TxRx-$queue" '$NF == name { sub(":", "", $1); print $1 }' \
			/proc/interrupts)
		[ -n "$irq" ] || abort "no interrupt ice-$ICE-TxRx-$queue in /proc/interrupts"
		echo $queue >"/proc/irq/$irq/smp_affinity_list"
		QUEUE_CPUS=${QUEUE_CPUS:+$QUEUE_CPUS,}$queue
		queue=$((queue + 1))
	done
}

# rps R: rps_flow_cnt R on each queue, the core's table as large as all of them together. Written twice: a
# flow with a table where it comes in, and none yet where it is read, is parked by the core; the second
# table has forgotten that.
rps()
{
	echo $(($1 * QUEUES)) >/proc/sys/net/core/rps_sock_flow_entries
	for queue in "/sys/class/net/$ICE/queues"/rx-* "/sys/class/net/$ICE/queues"/rx-*; do
		echo "$1" >"$queue/rps_flow_cnt"
	done
}
