/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aRFS as the rest of the ice driver sees it.
 *
 * The engine of a PF hangs off the arfs_fltr_cntrs member of its main VSI. The layout of struct
 * ice_vsi, and of what it points to, must stay that of the distribution's module: the CRCs of the
 * symbols that irdma takes from ice depend on it.
 */
#ifndef _ICE_ARFS_H_
#define _ICE_ARFS_H_

#include "ice_fdir.h"

/**
 * struct ice_arfs_active_fltr_cntrs - what vsi->arfs_fltr_cntrs points at
 * @active_tcpv4_cnt: not used
 * @active_tcpv6_cnt: not used
 * @active_udpv4_cnt: not used
 * @active_udpv6_cnt: not used
 *
 * Part of the layout that the CRCs cover; the engine counts in its table.
 */
struct ice_arfs_active_fltr_cntrs {
	atomic_t active_tcpv4_cnt;
	atomic_t active_tcpv6_cnt;
	atomic_t active_udpv4_cnt;
	atomic_t active_udpv6_cnt;
};

/*
 * Bit of pf->flags for the private flag arfs-llc-gate. The driver counts its own flags up from 0;
 * one more of them would change a type that the CRCs cover, the top bit of the word does not.
 */
#define ICE_ARFS_LLC_GATE	63

/*
 * Likewise: Flow Director is set up. From ice_arfs_begin() to ice_remove_arfs(); at no other time
 * is ntuple switched in the device. Changed and read under RTNL.
 */
#define ICE_ARFS_READY		62

/* Likewise: the devlink parameters are registered. */
#define ICE_ARFS_PARAMS		61

#ifdef CONFIG_RFS_ACCEL
int ice_rx_flow_steer(struct net_device *netdev, const struct sk_buff *skb, u16 rxq_idx,
		      u32 flow_id);
bool ice_is_arfs_using_perfect_flow(struct ice_hw *hw, enum ice_fltr_ptype flow_type);

void ice_arfs_begin(struct ice_pf *pf);
void ice_arfs_set_ntuple(struct ice_vsi *vsi, bool ena);
void ice_remove_arfs(struct ice_pf *pf);
void ice_arfs_suspend(struct ice_pf *pf);
void ice_rebuild_arfs(struct ice_pf *pf);

void ice_arfs_fdir_report(struct ice_vsi *ctrl_vsi, const union ice_32b_rx_flex_desc *rx_desc);

int ice_arfs_bar(struct ice_vsi *vsi, const struct ice_fdir_fltr *rule);
void ice_arfs_unbar(struct ice_vsi *vsi, const struct ice_fdir_fltr *rule);
void ice_arfs_make_room(struct ice_vsi *vsi, int needed);
int ice_arfs_set_queues(struct ice_vsi *vsi, u32 queues);

int ice_set_cpu_rx_rmap(struct ice_vsi *vsi);
void ice_free_cpu_rx_rmap(struct ice_vsi *vsi);

unsigned int ice_arfs_stats_count(void);
void ice_arfs_stats_names(u8 *data);
void ice_arfs_stats_values(struct ice_vsi *vsi, u64 *data);

void ice_arfs_register_params(struct ice_pf *pf);
void ice_arfs_unregister_params(struct ice_pf *pf);
#else
static inline int ice_rx_flow_steer(struct net_device *netdev, const struct sk_buff *skb,
				    u16 rxq_idx, u32 flow_id)
{
	return -EOPNOTSUPP;
}

static inline bool ice_is_arfs_using_perfect_flow(struct ice_hw *hw,
						  enum ice_fltr_ptype flow_type)
{
	return false;
}

void ice_vsi_manage_fdir(struct ice_vsi *vsi, bool ena);

static inline void ice_arfs_begin(struct ice_pf *pf) { }
static inline void ice_arfs_set_ntuple(struct ice_vsi *vsi, bool ena)
{
	ice_vsi_manage_fdir(vsi, ena);
}

static inline void ice_remove_arfs(struct ice_pf *pf) { }
static inline void ice_arfs_suspend(struct ice_pf *pf) { }
static inline void ice_rebuild_arfs(struct ice_pf *pf) { }
static inline void ice_arfs_fdir_report(struct ice_vsi *ctrl_vsi,
					const union ice_32b_rx_flex_desc *rx_desc) { }
static inline int ice_arfs_bar(struct ice_vsi *vsi, const struct ice_fdir_fltr *rule)
{
	return 0;
}

static inline void ice_arfs_unbar(struct ice_vsi *vsi, const struct ice_fdir_fltr *rule) { }
static inline void ice_arfs_make_room(struct ice_vsi *vsi, int needed) { }
static inline int ice_arfs_set_queues(struct ice_vsi *vsi, u32 queues) { return 0; }
static inline int ice_set_cpu_rx_rmap(struct ice_vsi *vsi) { return 0; }
static inline void ice_free_cpu_rx_rmap(struct ice_vsi *vsi) { }
static inline unsigned int ice_arfs_stats_count(void) { return 0; }
static inline void ice_arfs_stats_names(u8 *data) { }
static inline void ice_arfs_stats_values(struct ice_vsi *vsi, u64 *data) { }
static inline void ice_arfs_register_params(struct ice_pf *pf) { }
static inline void ice_arfs_unregister_params(struct ice_pf *pf) { }
#endif /* CONFIG_RFS_ACCEL */

/*
 * The service task of the driver has no part in aRFS any longer: the engine has its own worker,
 * which does not make the admin queue wait.
 */
static inline void ice_sync_arfs_fltrs(struct ice_pf *pf) { }

/*
 * Nor has the set-up of a VSI, which the driver repeats in a rebuild: the engine begins when Flow
 * Director is ready for it, see ice_arfs_begin().
 */
static inline void ice_init_arfs(struct ice_vsi *vsi) { }

void ice_fdir_forget_entries(struct ice_hw *hw);

#endif /* _ICE_ARFS_H_ */
