// SPDX-License-Identifier: GPL-2.0-only
/*
 * Binding of the aRFS engine to ice: dissect, translate, program, report.
 */
#include <linux/delay.h>
#include <linux/if_vlan.h>
#include <linux/irq.h>
#include <linux/ipv6.h>
#include <linux/rtnetlink.h>
#include <net/flow_dissector.h>

#include "ice_arfs_engine.h"
#include "ice_lib.h"
#include "compat.h"

#define CREATE_TRACE_POINTS
#include "ice_arfs_trace.h"

/* How often the device is asked how many filters it still takes. */
#define ICE_ARFS_LIMIT_MS	1000
/* Of the device's filters this part, and at least so many, stays free for ethtool's rules. */
#define ICE_ARFS_RESERVE_PART	16
#define ICE_ARFS_RESERVE_MIN	8

/* When aRFS stops, the device is looked at so often, at this interval, without progress. */
#define ICE_ARFS_DRAIN_WAITS	100
#define ICE_ARFS_DRAIN_MS	10

/* Half of the ids: the other half rests, or is shared while a slot passes from flow to flow. */
#define ICE_ARFS_LIMIT_MAX	(ARFS_NO_ID / 2)

static const enum ice_fltr_ptype ice_arfs_flow_types[ARFS_PROTOCOLS] = {
	[ARFS_TCP4] = ICE_FLTR_PTYPE_NONF_IPV4_TCP,
	[ARFS_TCP6] = ICE_FLTR_PTYPE_NONF_IPV6_TCP,
	[ARFS_UDP4] = ICE_FLTR_PTYPE_NONF_IPV4_UDP,
	[ARFS_UDP6] = ICE_FLTR_PTYPE_NONF_IPV6_UDP,
};

static enum ice_fltr_ptype ice_arfs_flow_type(const struct arfs_flow_key *key)
{
	return ice_arfs_flow_types[arfs_flow_key_protocol(key)];
}

static void ice_arfs_fill_input(struct ice_arfs *arfs, const struct arfs_flow_key *key,
				u16 rxq, u32 tag)
{
	struct ice_fdir_fltr *input = &arfs->input;

	memset(input, 0, sizeof(*input));
	input->flow_type = ice_arfs_flow_type(key);
	if (key->ip_version == ARFS_IPV4) {
		input->ip.v4.proto = key->l4_proto;
		input->ip.v4.src_ip = key->saddr[0];
		input->ip.v4.dst_ip = key->daddr[0];
		input->ip.v4.src_port = key->sport;
		input->ip.v4.dst_port = key->dport;
	} else {
		input->ip.v6.proto = key->l4_proto;
		memcpy(input->ip.v6.src_ip, key->saddr, sizeof(key->saddr));
		memcpy(input->ip.v6.dst_ip, key->daddr, sizeof(key->daddr));
		input->ip.v6.src_port = key->sport;
		input->ip.v6.dst_port = key->dport;
	}
	input->dest_ctl = ICE_FLTR_PRGM_DESC_DEST_DIRECT_PKT_QINDEX;
	input->dest_vsi = arfs->vsi->idx;
	input->q_index = rxq;
	/* The low half is the id that the core knows; the report of the write carries all of it. */
	input->fltr_id = tag;
	input->comp_report = ICE_FXD_FLTR_QW0_COMP_REPORT_SW;
}

/* struct arfs_table_ops.program; from the worker, or while it does not run. */
static int ice_arfs_program(void *owner, enum arfs_write write, const struct arfs_flow_key *key,
			    struct arfs_target target, u32 tag)
{
	u16 rxq = target.rxq == ARFS_RXQ_UNKNOWN ? 0 : target.rxq;
	struct ice_arfs *arfs = owner;
	struct ice_pf *pf = arfs->vsi->back;
	int err;

	/* Pairs with ice_arfs_suspend(), which waits for the worker: let it end soon. */
	if (READ_ONCE(arfs->suspended) || ice_is_reset_in_progress(pf->state))
		return -EAGAIN;

	ice_arfs_fill_input(arfs, key, rxq, tag);
	/* The control ring has one producer at a time: ethtool's rules take this lock too. */
	mutex_lock(&pf->hw.fdir_fltr_lock);
	if (write != ARFS_WRITE_DELETE &&
	    !test_bit(arfs->input.flow_type, pf->hw.fdir_perfect_fltr))
		err = -EOPNOTSUPP;
	else
		err = ice_fdir_write_fltr(pf, &arfs->input, write != ARFS_WRITE_DELETE, false);
	mutex_unlock(&pf->hw.fdir_fltr_lock);
	return err ? err : -EINPROGRESS;
}

/* struct arfs_table_ops.core_lets_go */
static bool ice_arfs_core_lets_go(void *owner, struct arfs_slot slot, u16 id)
{
	struct ice_arfs *arfs = owner;

	return rps_may_expire_flow(arfs->vsi->netdev, slot.rxq, slot.flow_id, id);
}

/* struct arfs_table_ops.kick */
static void ice_arfs_kick(void *owner)
{
	struct ice_arfs *arfs = owner;

	if (!READ_ONCE(arfs->suspended))	/* pairs with ice_arfs_suspend() */
		mod_delayed_work(arfs->wq, &arfs->work, 0);
}

/*
 * Note which interrupts the queues have now. Under RTNL, where the vectors do not change: a reset
 * that makes them anew has taken RTNL to suspend the engine and to stop the queues, and neither
 * they nor ntuple are switched on before it is over.
 */
static void ice_arfs_note_irqs(struct ice_arfs *arfs)
{
	struct ice_vsi *vsi = arfs->vsi;
	unsigned int rxq;

	ASSERT_RTNL();
	for (rxq = 0; rxq < arfs->irqs; rxq++) {
		struct ice_rx_ring *ring = rxq < vsi->num_rxq ? vsi->rx_rings[rxq] : NULL;
		unsigned int irq = 0;

		if (ring && ring->q_vector)
			irq = arfs_vector_irq(vsi, ring->q_vector->v_idx);
		WRITE_ONCE(arfs->irq[rxq], irq);	/* pairs with ice_arfs_queue_llc() */
	}
}

/*
 * The last-level cache of the CPU that takes the queue's interrupt, or -1. Under RCU, which is what
 * the interrupt's data and masks are freed by. An interrupt that is the queue's no longer gives an
 * answer that is out of date, no worse.
 */
static int ice_arfs_queue_llc(const struct ice_arfs *arfs, u16 rxq)
{
	const struct cpumask *mask;
	unsigned int cpu, number;
	struct irq_data *irq;

	/* Pairs with ice_arfs_note_irqs(). */
	number = rxq < arfs->irqs ? READ_ONCE(arfs->irq[rxq]) : 0;
	irq = number ? irq_get_irq_data(number) : NULL;
	mask = irq ? irq_data_get_effective_affinity_mask(irq) : NULL;
	cpu = mask ? cpumask_first(mask) : nr_cpu_ids;
	return cpu < nr_cpu_ids ? arfs_cpu_llc(cpu) : -1;
}

/* struct arfs_table_ops.stays: with the private flag arfs-llc-gate on, moves inside one LLC are. */
static bool ice_arfs_stays(void *owner, u16 from, u16 to)
{
	struct ice_arfs *arfs = owner;
	int llc;

	BUILD_BUG_ON(ICE_PF_FLAGS_NBITS > ICE_ARFS_PARAMS);
	BUILD_BUG_ON(sizeof_field(struct ice_pf, flags) * BITS_PER_BYTE <= ICE_ARFS_LLC_GATE);
	if (!test_bit(ICE_ARFS_LLC_GATE, arfs->vsi->back->flags))
		return false;
	llc = ice_arfs_queue_llc(arfs, from);
	return llc >= 0 && llc == ice_arfs_queue_llc(arfs, to);
}

/* struct arfs_table_ops.notice */
static void ice_arfs_notice(void *owner, enum arfs_notice notice, const struct arfs_flow_key *key,
			    struct arfs_target target, int error)
{
	struct ice_arfs *arfs = owner;
	const struct net_device *netdev = arfs->vsi->netdev;

	switch (notice) {
	case ARFS_NOTICE_ADDED:
		trace_ice_arfs_add(netdev, key, target.rxq, target.id, error);
		break;
	case ARFS_NOTICE_MOVED:
		trace_ice_arfs_move(netdev, key, target.rxq, target.id, error);
		break;
	case ARFS_NOTICE_DELETED:
		trace_ice_arfs_delete(netdev, key, target.rxq, target.id, error);
		break;
	case ARFS_NOTICE_FAILED:
		trace_ice_arfs_fail(netdev, key, target.rxq, target.id, error);
		break;
	case ARFS_NOTICE_REFUSED:
		trace_ice_arfs_refuse(netdev, key, target.rxq, target.id, error);
		break;
	}
}

static const struct arfs_table_ops ice_arfs_table_ops = {
	.program = ice_arfs_program,
	.core_lets_go = ice_arfs_core_lets_go,
	.kick = ice_arfs_kick,
	.stays = ice_arfs_stays,
	.core_asks_once = ARFS_CORE_ASKS_ONCE,
	.core_asks_again = ARFS_CORE_ASKS_AGAIN,
	.notice = ice_arfs_notice,
};

/**
 * ice_arfs_live() - filters of aRFS in the device
 * @arfs: the engine
 *
 * Context: any in which the engine exists.
 */
int ice_arfs_live(struct ice_arfs *arfs)
{
	enum arfs_protocol protocol;
	int live = 0;

	for (protocol = 0; protocol < ARFS_PROTOCOLS; protocol++)
		live += arfs_table_live(arfs->table, protocol);
	return live;
}

/* Filters that may be held: ours in the device and what it has room for, less the reserve. */
static u32 ice_arfs_read_limit(struct ice_arfs *arfs, int live)
{
	struct ice_hw *hw = &arfs->vsi->back->hw;
	int reserve = max(ice_get_fdir_cnt_all(hw) / ICE_ARFS_RESERVE_PART, ICE_ARFS_RESERVE_MIN);
	int room = ice_fdir_num_avail_fltr(hw, arfs->vsi);

	return clamp(live + room - reserve, 0, ICE_ARFS_LIMIT_MAX);
}

/**
 * ice_arfs_update_limit() - let aRFS hold as many filters as the device has room for now
 * @arfs: the engine
 *
 * Context: any in which the engine exists.
 */
void ice_arfs_update_limit(struct ice_arfs *arfs)
{
	arfs_table_set_limit(arfs->table, ice_arfs_read_limit(arfs, ice_arfs_live(arfs)));
}

static void ice_arfs_work(struct work_struct *work)
{
	struct ice_arfs *arfs = container_of(work, struct ice_arfs, work.work);
	u32 again;

	if (READ_ONCE(arfs->suspended))		/* pairs with ice_arfs_suspend() */
		return;
	if (time_after(jiffies, arfs->limit_read + msecs_to_jiffies(ICE_ARFS_LIMIT_MS))) {
		ice_arfs_update_limit(arfs);
		arfs->limit_read = jiffies;
	}
	/* With ADQ a traffic class has queues of its own, and no filter may lead out of them. */
	if (ice_is_adq_active(arfs->vsi->back) && ice_arfs_live(arfs))
		arfs_table_evict(arfs->table, U32_MAX);
	again = arfs_table_service(arfs->table, ktime_to_ms(ktime_get()));
	if (again != ARFS_SERVICE_IDLE && !READ_ONCE(arfs->suspended))
		queue_delayed_work(arfs->wq, &arfs->work, msecs_to_jiffies(again));
}

/**
 * ice_is_arfs_using_perfect_flow() - has aRFS filters of this type, in the device or to be written?
 * @hw: of the PF
 * @flow_type: the type
 *
 * Flow Director asks before it changes the input set of the type.
 *
 * Context: any in which the main VSI exists.
 */
bool ice_is_arfs_using_perfect_flow(struct ice_hw *hw, enum ice_fltr_ptype flow_type)
{
	enum arfs_protocol protocol;
	struct ice_arfs *arfs;
	bool used = false;

	rcu_read_lock();
	arfs = ice_arfs_of(ice_get_main_vsi(hw->back));
	for (protocol = 0; arfs && protocol < ARFS_PROTOCOLS; protocol++)
		if (ice_arfs_flow_types[protocol] == flow_type)
			used = arfs_table_used(arfs->table, protocol);
	rcu_read_unlock();
	return used;
}

/* The key of the packet's flow. */
static void ice_arfs_key(struct arfs_flow_key *key, const struct flow_keys *fk, u8 ip_version)
{
	if (ip_version == ARFS_IPV4)
		arfs_flow_key_ipv4(key, fk->basic.ip_proto, fk->addrs.v4addrs.src,
				   fk->addrs.v4addrs.dst, fk->ports.src, fk->ports.dst);
	else
		arfs_flow_key_ipv6(key, fk->basic.ip_proto, fk->addrs.v6addrs.src.s6_addr32,
				   fk->addrs.v6addrs.dst.s6_addr32, fk->ports.src, fk->ports.dst);
}

static void ice_arfs_facts(struct arfs_packet_facts *facts, const struct flow_keys *fk,
			   const struct sk_buff *skb)
{
	/* The dissector marks a tunnel over IP, but goes through PPPoE without a mark. */
	bool through = skb->protocol != fk->basic.n_proto;

	*facts = (struct arfs_packet_facts) {
		.l4_proto = fk->basic.ip_proto,
		.in_band_vlan = eth_type_vlan(skb->protocol),
		.tunnel = through || skb->encapsulation ||
			  fk->control.flags & FLOW_DIS_ENCAPSULATION,
		.fragment = fk->control.flags & FLOW_DIS_IS_FRAGMENT,
	};
	if (fk->basic.n_proto == htons(ETH_P_IP)) {
		facts->ip_version = ARFS_IPV4;
	} else if (fk->basic.n_proto == htons(ETH_P_IPV6)) {
		const struct ipv6hdr *header;
		struct ipv6hdr copy;

		header = skb_header_pointer(skb, skb_network_offset(skb), sizeof(copy), &copy);
		facts->ip_version = ARFS_IPV6;
		facts->ipv6_next = header ? header->nexthdr : 0;
	}
}

/**
 * ice_arfs_fdir_report() - the device tells how a Flow Director write of the PF went
 * @ctrl_vsi: control VSI of the PF
 * @rx_desc: the descriptor in its rx ring
 *
 * Bits and meanings as in ice_lan_tx_rx.h and in the driver for VFs. The writes of ethtool's rules
 * ask for a report of failure too; their tags name no write of this engine.
 *
 * Context: hard interrupt of the control VSI.
 */
void ice_arfs_fdir_report(struct ice_vsi *ctrl_vsi, const union ice_32b_rx_flex_desc *rx_desc)
{
	const union ice_32byte_rx_desc *desc = (const void *)rx_desc;
	enum arfs_report report = ARFS_REPORT_DONE;
	struct ice_arfs *arfs;
	u64 word = le64_to_cpu(desc->wb.qword1.status_error_len);
	u32 tag = le32_to_cpu(desc->wb.qword0.hi_dword.fd_id);

	if (word & ICE_FXD_FLTR_WB_QW1_FAIL_PROF_M)
		report = ARFS_REPORT_REFUSED;
	else if (word & ICE_FXD_FLTR_WB_QW1_FAIL_M)
		report = word & ICE_FXD_FLTR_WB_QW1_PROG_ID_M ? ARFS_REPORT_ABSENT :
								ARFS_REPORT_FULL;
	rcu_read_lock();
	arfs = ice_arfs_of(ice_get_main_vsi(ctrl_vsi->back));
	if (arfs)
		arfs_table_report(arfs->table, tag, report);
	rcu_read_unlock();
}

/**
 * ice_rx_flow_steer() - ndo_rx_flow_steer: deliver a flow to a queue
 * @netdev: the PF's net device
 * @skb: a packet of the flow
 * @rxq_idx: the queue
 * @flow_id: the core's slot for the flow in the table of that queue
 *
 * Context: softirq, under RCU.
 * Return: the filter id, RPS_NO_FILTER to be asked again with the next packet, -EPROTONOSUPPORT for
 * a packet that has no plain TCP or UDP 5-tuple, -EOPNOTSUPP while the device matches the protocol
 * by fewer fields or its queues belong to traffic classes (ADQ), or as arfs_table_steer().
 */
int ice_rx_flow_steer(struct net_device *netdev, const struct sk_buff *skb, u16 rxq_idx,
		      u32 flow_id)
{
	struct arfs_slot slot = { .flow_id = flow_id, .rxq = rxq_idx };
	struct ice_netdev_priv *np = netdev_priv(netdev);
	struct ice_arfs *arfs = ice_arfs_of(np->vsi);
	struct arfs_packet_facts facts;
	struct arfs_flow_key key;
	enum arfs_packet kind;
	struct flow_keys fk;

	BUILD_BUG_ON(ARFS_ASK_AGAIN != RPS_NO_FILTER);
	if (!arfs)
		return -ENODEV;
	if (!skb_flow_dissect_flow_keys(skb, &fk, 0)) {
		this_cpu_inc(arfs->refusals->n[ARFS_PACKET_NOT_IP]);
		return -EPROTONOSUPPORT;
	}
	ice_arfs_facts(&facts, &fk, skb);
	kind = arfs_packet_classify(&facts);
	if (kind != ARFS_PACKET_STEERABLE) {
		this_cpu_inc(arfs->refusals->n[kind]);
		return -EPROTONOSUPPORT;
	}
	ice_arfs_key(&key, &fk, facts.ip_version);
	if (ice_is_adq_active(np->vsi->back)) {
		this_cpu_inc(arfs->refusals->adq);
		return -EOPNOTSUPP;
	}
	if (!test_bit(ice_arfs_flow_type(&key), np->vsi->back->hw.fdir_perfect_fltr)) {
		this_cpu_inc(arfs->refusals->no_profile);
		return -EOPNOTSUPP;
	}
	return arfs_table_steer(arfs->table, &key, slot);
}

static void ice_arfs_free(struct ice_arfs *arfs)
{
	arfs_table_destroy(arfs->table);
	if (arfs->wq)
		destroy_workqueue(arfs->wq);
	free_percpu(arfs->refusals);
	kfree(arfs);
}

static struct ice_arfs *ice_arfs_alloc(struct ice_vsi *vsi)
{
	const char *device = dev_name(ice_pf_to_dev(vsi->back));
	/* No change of the queues goes beyond this. */
	unsigned int queues = vsi->netdev->num_rx_queues;
	struct ice_arfs *arfs;
	char name[48];

	arfs = kzalloc(struct_size(arfs, irq, queues), GFP_KERNEL);
	if (!arfs)
		return NULL;
	arfs->vsi = vsi;
	arfs->irqs = queues;
	arfs->limit_read = jiffies;
	INIT_DELAYED_WORK(&arfs->work, ice_arfs_work);
	snprintf(name, sizeof(name), "ice_arfs-%s", device);
	arfs->wq = alloc_workqueue("%s", WQ_UNBOUND, 1, name);
	arfs->refusals = alloc_percpu(struct ice_arfs_refusals);
	arfs->table = arfs_table_create(name, &ice_arfs_table_ops, arfs,
					ice_arfs_read_limit(arfs, 0));
	if (!arfs->wq || !arfs->refusals || !arfs->table) {
		ice_arfs_free(arfs);
		return NULL;
	}
	return arfs;
}

/*
 * Begin, or begin again, to steer. A control VSI that is not there was lost in a rebuild that
 * failed.
 */
static void ice_arfs_start(struct ice_vsi *vsi)
{
	struct ice_arfs *arfs;

	ASSERT_RTNL();
	if (vsi->type != ICE_VSI_PF || !test_bit(ICE_FLAG_FD_ENA, vsi->back->flags) ||
	    !ice_get_ctrl_vsi(vsi->back))
		return;
	arfs = ice_arfs_of(vsi);
	if (!arfs) {
		arfs = ice_arfs_alloc(vsi);
		if (!arfs) {
			dev_warn(ice_pf_to_dev(vsi->back), "no memory for aRFS, flows are not steered\n");
			return;
		}
		ice_arfs_note_irqs(arfs);
		/* Pairs with ice_arfs_of(): who sees the pointer sees the engine complete. */
		smp_store_release(&vsi->arfs_fltr_cntrs, &arfs->anchor);
	}
	arfs_table_open(arfs->table);
	if (arfs->suspended && !ice_is_reset_in_progress(vsi->back->state)) {
		/*
		 * The last reset came while Flow Director was off, so it was not rebuilt: the
		 * control queue is dead. Another reset rebuilds it, and ends the suspension.
		 */
		netdev_info(vsi->netdev, "resetting, since the last reset came while ntuple was off\n");
		ice_schedule_reset(vsi->back, ICE_RESET_PFR);
	}
}

static bool ice_arfs_reachable(struct ice_arfs *arfs)
{
	return !arfs->suspended && !ice_is_reset_in_progress(arfs->vsi->back->state);
}

/* Have the worker delete all filters, until the device has none or makes no progress any more. */
static void ice_arfs_drain(struct ice_arfs *arfs)
{
	int live = INT_MAX;
	int waits = 0;

	arfs_table_drain(arfs->table);
	while (waits < ICE_ARFS_DRAIN_WAITS && ice_arfs_reachable(arfs)) {
		int left = ice_arfs_live(arfs);

		if (!left)
			break;
		waits = left < live ? 0 : waits + 1;
		live = left;
		mod_delayed_work(arfs->wq, &arfs->work, 0);
		flush_delayed_work(&arfs->work);
		msleep(ICE_ARFS_DRAIN_MS);
	}
}

/* Stop steering and take all filters out of the device, while it still has the profiles. */
static void ice_arfs_stop(struct ice_arfs *arfs)
{
	bool reachable;

	if (ice_arfs_reachable(arfs))
		ice_arfs_drain(arfs);
	arfs_table_close(arfs->table);
	cancel_delayed_work_sync(&arfs->work);
	reachable = ice_arfs_reachable(arfs);
	arfs_table_flush(arfs->table, reachable);
}

/**
 * ice_arfs_set_ntuple() - the user switches ntuple
 * @vsi: a VSI; only the main one is steered for
 * @ena: on or off
 *
 * While Flow Director is being set up, or taken down, nothing is done: its lists have no lock
 * against that. What is wanted by the time it is set up is seen to by ice_arfs_begin().
 *
 * Context: sleeps; RTNL.
 */
void ice_arfs_set_ntuple(struct ice_vsi *vsi, bool ena)
{
	struct ice_arfs *arfs = ice_arfs_of(vsi);

	ASSERT_RTNL();
	if (!test_bit(ICE_ARFS_READY, vsi->back->flags))
		return;
	/* The filters go while the device still has their profiles, by which it finds them. */
	if (arfs && !ena)
		ice_arfs_stop(arfs);
	ice_vsi_manage_fdir(vsi, ena);
	if (ena)
		ice_arfs_start(vsi);
}

/**
 * ice_arfs_begin() - Flow Director of a PF has been set up
 * @pf: the PF, in a probe or a devlink reload
 *
 * Context: sleeps; takes RTNL: from 6.12 on the net device is public by now, and ntuple may be
 * switched, or has been.
 */
void ice_arfs_begin(struct ice_pf *pf)
{
	struct ice_vsi *vsi = ice_get_main_vsi(pf);

	rtnl_lock();
	set_bit(ICE_ARFS_READY, pf->flags);
	if (vsi->netdev->features & NETIF_F_NTUPLE)
		ice_arfs_start(vsi);
	else
		ice_vsi_manage_fdir(vsi, false);
	rtnl_unlock();
}

/**
 * ice_remove_arfs() - stop steering, delete all filters and free the engine
 * @pf: the PF
 *
 * Context: sleeps; takes RTNL, so that no call of ethtool still uses the engine.
 */
void ice_remove_arfs(struct ice_pf *pf)
{
	struct ice_vsi *vsi = ice_get_main_vsi(pf);
	struct ice_arfs *arfs;

	rtnl_lock();
	arfs = ice_arfs_of(vsi);
	/* Neither a rebuild nor ntuple makes another engine in what is left of the removal. */
	clear_bit(ICE_ARFS_READY, pf->flags);
	if (arfs) {
		ice_arfs_stop(arfs);
		WRITE_ONCE(vsi->arfs_fltr_cntrs, NULL);	/* pairs with ice_arfs_of() */
	}
	rtnl_unlock();
	if (!arfs)
		return;
	synchronize_rcu();
	ice_arfs_free(arfs);
}

/**
 * ice_arfs_suspend() - no hardware writes until ice_rebuild_arfs()
 * @pf: a PF that is about to be reset
 *
 * Requests are still taken; their filters are written after the reset.
 *
 * Context: sleeps; takes RTNL, so that the engine is not removed meanwhile.
 */
void ice_arfs_suspend(struct ice_pf *pf)
{
	struct ice_arfs *arfs;

	rtnl_lock();
	arfs = ice_arfs_of(ice_get_main_vsi(pf));
	if (arfs) {
		WRITE_ONCE(arfs->suspended, true);
		cancel_delayed_work_sync(&arfs->work);
	}
	rtnl_unlock();
}

/**
 * ice_rebuild_arfs() - the device is back from a reset and has lost all filters
 * @pf: the PF
 *
 * Context: sleeps; after the control VSI and the Flow Director profiles were rebuilt. Takes RTNL,
 * as ice_arfs_suspend().
 */
void ice_rebuild_arfs(struct ice_pf *pf)
{
	struct ice_arfs *arfs;

	rtnl_lock();
	arfs = ice_arfs_of(ice_get_main_vsi(pf));
	if (arfs) {
		arfs_table_replay(arfs->table);
		WRITE_ONCE(arfs->suspended, false);
		ice_arfs_kick(arfs);
	}
	rtnl_unlock();
}

/**
 * ice_free_cpu_rx_rmap() - take away the map from CPUs to queues
 * @vsi: a VSI; those that are not the main one have none
 *
 * Context: sleeps; before the interrupts are freed.
 */
void ice_free_cpu_rx_rmap(struct ice_vsi *vsi)
{
	if (vsi && vsi->type == ICE_VSI_PF && vsi->netdev)
		arfs_cpu_rmap_free(vsi->netdev);
}

/**
 * ice_set_cpu_rx_rmap() - give the core the map from CPUs to the queues whose interrupt they take
 * @vsi: a VSI; those that are not the main one need none
 *
 * Context: sleeps; RTNL; the interrupts of the VSI's vectors are requested.
 * Return: 0 or a negative errno.
 */
int ice_set_cpu_rx_rmap(struct ice_vsi *vsi)
{
	struct ice_arfs *arfs;

	if (!vsi || vsi->type != ICE_VSI_PF)
		return 0;
	if (!vsi->netdev || !vsi->num_q_vectors)
		return -EINVAL;
	arfs = ice_arfs_of(vsi);
	if (arfs)
		ice_arfs_note_irqs(arfs);
	return arfs_cpu_rmap_create(vsi);
}
