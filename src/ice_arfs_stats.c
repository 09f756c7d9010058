// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine's counters in ethtool -S.
 */
#include "ice_arfs_engine.h"

static const char ice_arfs_table_names[ARFS_COUNTS][ETH_GSTRING_LEN] = {
	[ARFS_COUNT_CALLS] = "arfs_calls",
	[ARFS_COUNT_HITS] = "arfs_hits",
	[ARFS_COUNT_BUSY] = "arfs_refused_slot_owned",
	[ARFS_COUNT_DEFERRED] = "arfs_deferred",
	[ARFS_COUNT_FULL] = "arfs_refused_full",
	[ARFS_COUNT_CLOSED] = "arfs_refused_closed",
	[ARFS_COUNT_NO_MEMORY] = "arfs_refused_no_memory",
	[ARFS_COUNT_UNPROGRAMMED] = "arfs_refused_failed",
	[ARFS_COUNT_USER_RULE] = "arfs_refused_user_rule",
	[ARFS_COUNT_NO_QUEUE] = "arfs_refused_no_queue",
	[ARFS_COUNT_COLLIDED] = "arfs_collisions",
	[ARFS_COUNT_PASSED] = "arfs_slots_passed",
	[ARFS_COUNT_DISPLACED] = "arfs_displaced",
	[ARFS_COUNT_EXPIRED] = "arfs_expired",
	[ARFS_COUNT_ABANDONED] = "arfs_abandoned",
	[ARFS_COUNT_BARRED] = "arfs_user_rules",
	[ARFS_COUNT_QUEUE_GONE] = "arfs_queue_gone",
	[ARFS_COUNT_EVICTED] = "arfs_evicted",
	[ARFS_COUNT_DRAINED] = "arfs_drained",
	[ARFS_COUNT_ADDED] = "arfs_added",
	[ARFS_COUNT_MOVED] = "arfs_moved",
	[ARFS_COUNT_DELETED] = "arfs_deleted",
	[ARFS_COUNT_FAILED] = "arfs_failed",
	[ARFS_COUNT_RETRIED] = "arfs_retried",
	[ARFS_COUNT_UNREPORTED] = "arfs_unreported",
	[ARFS_COUNT_DAMPED] = "arfs_moves_damped",
	[ARFS_COUNT_STAYED] = "arfs_moves_gated",
};

static const char ice_arfs_refusal_names[ARFS_PACKET_KINDS][ETH_GSTRING_LEN] = {
	[ARFS_PACKET_NOT_IP] = "arfs_refused_not_ip",
	[ARFS_PACKET_NOT_L4] = "arfs_refused_not_tcp_udp",
	[ARFS_PACKET_TUNNEL] = "arfs_refused_tunnel",
	[ARFS_PACKET_FRAGMENT] = "arfs_refused_fragment",
	[ARFS_PACKET_EXTENDED] = "arfs_refused_ipv6_extension",
	[ARFS_PACKET_VLAN] = "arfs_refused_vlan",
};

static const char ice_arfs_other_names[][ETH_GSTRING_LEN] = {
	"arfs_refused_no_profile",
	"arfs_refused_adq",
	"arfs_flows",
	"arfs_filters_held",
	"arfs_waiting",
	"arfs_live_tcp4",
	"arfs_live_tcp6",
	"arfs_live_udp4",
	"arfs_live_udp6",
};

/* ARFS_PACKET_STEERABLE, the first kind, is no refusal. */
#define ICE_ARFS_REFUSALS	(ARFS_PACKET_KINDS - 1)

/**
 * ice_arfs_stats_count() - how many counters there are; always the same
 *
 * Context: any.
 */
unsigned int ice_arfs_stats_count(void)
{
	return ARFS_COUNTS + ICE_ARFS_REFUSALS + ARRAY_SIZE(ice_arfs_other_names);
}

/**
 * ice_arfs_stats_names() - names of the counters
 * @data: room for ice_arfs_stats_count() names of ETH_GSTRING_LEN bytes
 *
 * Context: any.
 */
void ice_arfs_stats_names(u8 *data)
{
	memcpy(data, ice_arfs_table_names, sizeof(ice_arfs_table_names));
	data += sizeof(ice_arfs_table_names);
	memcpy(data, ice_arfs_refusal_names[1], ICE_ARFS_REFUSALS * ETH_GSTRING_LEN);
	data += ICE_ARFS_REFUSALS * ETH_GSTRING_LEN;
	memcpy(data, ice_arfs_other_names, sizeof(ice_arfs_other_names));
}

/**
 * ice_arfs_stats_values() - values of the counters, in the order of their names
 * @vsi: main VSI
 * @data: room for ice_arfs_stats_count() values; all 0 where there is no engine
 *
 * Context: any.
 */
void ice_arfs_stats_values(struct ice_vsi *vsi, u64 *data)
{
	struct arfs_table_stats stats;
	enum arfs_protocol protocol;
	unsigned int cpu, kind;
	struct ice_arfs *arfs;
	u64 no_profile = 0, adq = 0;

	memset(data, 0, ice_arfs_stats_count() * sizeof(*data));
	rcu_read_lock();
	arfs = ice_arfs_of(vsi);
	if (!arfs)
		goto out;

	arfs_table_read_stats(arfs->table, &stats);
	memcpy(data, stats.count, sizeof(stats.count));
	data += ARFS_COUNTS;
	for_each_possible_cpu(cpu) {
		const struct ice_arfs_refusals *refusals = per_cpu_ptr(arfs->refusals, cpu);

		for (kind = 1; kind < ARFS_PACKET_KINDS; kind++)
			data[kind - 1] += READ_ONCE(refusals->n[kind]);
		no_profile += READ_ONCE(refusals->no_profile);
		adq += READ_ONCE(refusals->adq);
	}
	data += ICE_ARFS_REFUSALS;
	*data++ = no_profile;
	*data++ = adq;
	*data++ = stats.flows;
	*data++ = stats.held;
	*data++ = stats.waiting;
	for (protocol = 0; protocol < ARFS_PROTOCOLS; protocol++)
		*data++ = stats.live[protocol];
out:
	rcu_read_unlock();
}
