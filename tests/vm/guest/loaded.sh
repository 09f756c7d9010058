# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# For scenarios that measure: readers, their queues and what the kernel does for them have the first
# CPUs to themselves. They are no part of what init reads; a scenario reads this file itself.

# loaded_setup R N: as core_setup, queues and readers on CPUs 0 .. N-1; the clients, the peer's interface
# and this shell get the other CPUs.
loaded_setup()
{
	loaded_cpus=$(grep -c '^processor' /proc/cpuinfo)
	[ "$loaded_cpus" -gt "$2" ] || abort "$loaded_cpus CPUs, more than $2 needed; give the guest other CPUs"
	loaded_others=$2
	n=$(($2 + 1))
	while [ $n -lt "$loaded_cpus" ]; do
		loaded_others=$loaded_others,$n
		n=$((n + 1))
	done
	taskset -c -p "$loaded_others" $$ >/dev/null
	core_setup "$1" "$2"
	awk -F: '/virtio/ { print $1 + 0 }' /proc/interrupts | while read -r irq; do
		echo "$loaded_others" >"/proc/irq/$irq/smp_affinity_list" 2>/dev/null || true
	done
	READERS=$2
	CLIENT_CPUS=$loaded_others
	CLIENT_THREADS=2
}

# mark: a moment that tests/core-speed/count.c sees.
mark()
{
	hostname arfs
}

packets()
{
	dev_stat rx_packets
}

came()
{
	[ "$(packets)" -ge "$CAME_UNTIL" ]
}

# between PACKETS: let the device receive so many, between two marks.
between()
{
	CAME_UNTIL=$(($(packets) + $1))
	mark
	wait_for 300 "no packets arrive" came
	mark
}
