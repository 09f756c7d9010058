// SPDX-License-Identifier: GPL-2.0-only
/*
 * aRFS and the user: rules of ethtool -N, and queues of ethtool -L.
 *
 * The user wins. Each function changes the table and waits until the device follows, so that the
 * caller finds no filter of aRFS in its way.
 */
#include <linux/delay.h>

#include "ice_arfs_engine.h"
#include "ice_lib.h"

/* How often, and at what interval in milliseconds, the device is looked at. */
#define ICE_ARFS_WAITS		200
#define ICE_ARFS_WAIT_MS	10
/* While there is no room for a rule, filters are evicted each time after so many looks. */
#define ICE_ARFS_EVICT_WAITS	10

/* The tuple of a rule; false when the rule is not about one exact tuple. */
static bool ice_arfs_rule_key(struct ice_vsi *vsi, const struct ice_fdir_fltr *rule,
			      struct arfs_flow_key *key)
{
	if (!test_bit(rule->flow_type, vsi->back->hw.fdir_perfect_fltr))
		return false;

	switch (rule->flow_type) {
	case ICE_FLTR_PTYPE_NONF_IPV4_TCP:
	case ICE_FLTR_PTYPE_NONF_IPV4_UDP:
		arfs_flow_key_ipv4(key, rule->flow_type == ICE_FLTR_PTYPE_NONF_IPV4_TCP ?
				   ARFS_TCP : ARFS_UDP, rule->ip.v4.src_ip, rule->ip.v4.dst_ip,
				   rule->ip.v4.src_port, rule->ip.v4.dst_port);
		return true;
	case ICE_FLTR_PTYPE_NONF_IPV6_TCP:
	case ICE_FLTR_PTYPE_NONF_IPV6_UDP:
		arfs_flow_key_ipv6(key, rule->flow_type == ICE_FLTR_PTYPE_NONF_IPV6_TCP ?
				   ARFS_TCP : ARFS_UDP, rule->ip.v6.src_ip, rule->ip.v6.dst_ip,
				   rule->ip.v6.src_port, rule->ip.v6.dst_port);
		return true;
	default:
		return false;
	}
}

/* Run the service and let the device report. */
static void ice_arfs_wait(struct ice_arfs *arfs)
{
	mod_delayed_work(arfs->wq, &arfs->work, 0);
	flush_delayed_work(&arfs->work);
	msleep(ICE_ARFS_WAIT_MS);
}

/**
 * ice_arfs_bar() - a rule of the user is about to be added: leave its tuple to it
 * @vsi: main VSI
 * @rule: the rule
 *
 * Context: sleeps; fdir_fltr_lock is not held, since the filter's deletion takes it.
 * Return: 0, -ENOMEM, or -EBUSY when the device does not give up aRFS' filter.
 */
int ice_arfs_bar(struct ice_vsi *vsi, const struct ice_fdir_fltr *rule)
{
	struct ice_arfs *arfs = ice_arfs_of(vsi);
	struct arfs_flow_key key;
	int waits, err;

	if (!arfs || !ice_arfs_rule_key(vsi, rule, &key))
		return 0;
	err = arfs_table_bar(arfs->table, &key);
	if (err)
		return err;

	for (waits = 0; arfs_table_has_filter(arfs->table, &key); waits++) {
		if (waits == ICE_ARFS_WAITS) {
			arfs_table_unbar(arfs->table, &key);
			netdev_err(vsi->netdev, "the device does not delete the aRFS filter of this flow; switch ntuple off and on, then add the rule\n");
			return -EBUSY;
		}
		ice_arfs_wait(arfs);
	}
	return 0;
}

/**
 * ice_arfs_unbar() - a rule of the user is gone, or was not added after all
 * @vsi: main VSI
 * @rule: the rule
 *
 * Context: any in which ice_remove_arfs() does not run.
 */
void ice_arfs_unbar(struct ice_vsi *vsi, const struct ice_fdir_fltr *rule)
{
	struct ice_arfs *arfs = ice_arfs_of(vsi);
	struct arfs_flow_key key;

	if (arfs && ice_arfs_rule_key(vsi, rule, &key))
		arfs_table_unbar(arfs->table, &key);
}

/**
 * ice_arfs_make_room() - evict filters of aRFS when the device has no room for a rule of the user
 * @vsi: main VSI
 * @needed: filters that the rule needs
 *
 * Context: sleeps; fdir_fltr_lock is not held.
 */
void ice_arfs_make_room(struct ice_vsi *vsi, int needed)
{
	struct ice_arfs *arfs = ice_arfs_of(vsi);
	struct ice_hw *hw = &vsi->back->hw;
	int waits;

	if (!arfs)
		return;
	for (waits = 0; ice_fdir_num_avail_fltr(hw, vsi) < needed; waits++) {
		if (waits == ICE_ARFS_WAITS || !ice_arfs_live(arfs))
			return;
		/*
		 * First nothing new is let in. What was let in before may still take the room that
		 * an evicted filter leaves: evict again after a while.
		 */
		ice_arfs_update_limit(arfs);
		if (waits % ICE_ARFS_EVICT_WAITS == 0)
			arfs_table_evict(arfs->table, needed);
		ice_arfs_wait(arfs);
	}
}

/**
 * ice_arfs_set_queues() - the number of rx queues is about to change
 * @vsi: main VSI
 * @queues: the new number
 *
 * Context: sleeps; RTNL.
 * Return: 0 when no filter points at a queue that goes, or -EBUSY.
 */
int ice_arfs_set_queues(struct ice_vsi *vsi, u32 queues)
{
	struct ice_arfs *arfs = ice_arfs_of(vsi);
	int waits;

	if (!arfs)
		return 0;
	arfs_table_set_queues(arfs->table, queues);
	for (waits = 0; !arfs_table_clear_of(arfs->table, queues); waits++) {
		if (waits == ICE_ARFS_WAITS) {
			arfs_table_set_queues(arfs->table, vsi->num_rxq);
			netdev_err(vsi->netdev, "the device does not delete the aRFS filters of the queues that are to go; switch ntuple off, then change the queues\n");
			return -EBUSY;
		}
		ice_arfs_wait(arfs);
	}
	return 0;
}
