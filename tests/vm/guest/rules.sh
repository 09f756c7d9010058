# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Rules of ethtool -N for single TCP flows over IPv4, as ethtool and as the device have them. A flow
# is "SOURCE PORT DESTINATION PORT" here.

# rule_insert ARGUMENT...: ethtool -N, whose exit status is 0 also when the kernel refuses.
rule_insert()
{
	ethtool -N "$ICE" "$@" 2>/tmp/ethtool.error || true
	cat /tmp/ethtool.error
	! grep -q "Cannot insert" /tmp/ethtool.error
}

# rule_add LOC QUEUE SOURCE PORT DESTINATION PORT
rule_add()
{
	rule_insert flow-type tcp4 src-ip "$3" src-port "$4" dst-ip "$5" dst-port "$6" \
		action "$2" loc "$1"
}

rule_delete()
{
	ethtool -N "$ICE" delete "$1"
}

# rules_shown: the rules of ethtool -n, a line "SOURCE PORT DESTINATION PORT QUEUE" each.
rules_shown()
{
	ethtool -n "$ICE" 2>/dev/null | awk '
		/Src IP addr:/ { source = $4 }
		/Dest IP addr:/ { destination = $4 }
		/Src port:/ { source_port = $3 }
		/Dest port:/ { destination_port = $3 }
		/Action: Direct to queue/ {
			print source, source_port, destination, destination_port, $NF
		}'
}

# filter_queue FLOW: the queue of its filter in the device; nothing if it has none.
filter_queue()
{
	dev filters | awk -v flow="$*" '
		$4 " " $5 " " $6 " " $7 == flow { sub("queue=", "", $8); print $8 }'
}

# writes_about FLOW: what the device was told about the flow since log_mark.
writes_about()
{
	log_since | awk -v flow="$*" '$5 " " $6 " " $7 " " $8 == flow'
}

# rules_false: rules of ethtool -n that the device has not, or has for another queue.
rules_false()
{
	rules_shown >/tmp/rules
	dev filters | awk '
		NR == FNR { rule[$1 " " $2 " " $3 " " $4] = "queue=" $5; next }
		{ has[$4 " " $5 " " $6 " " $7] = $8 }
		END {
			for (flow in rule)
				if (has[flow] != rule[flow])
					n++
			print n + 0
		}' /tmp/rules -
}

rules_true()
{
	[ "$(rules_false)" -eq 0 ]
}

# load_flow N: the Nth connection of the workload that has a filter; an empty line if there is none.
load_flow()
{
	dev filters | awk -v n="$1" -v port="$LOAD_PORT" '
		$7 == port && !--n { print $4, $5, $6, $7; exit }'
}
