// SPDX-License-Identifier: GPL-2.0-only
/*
 * The driver's handles of its Flow Director entries across a reset.
 */
#include "ice.h"

/**
 * ice_fdir_forget_entries() - the flow entries are freed, so forget their handles
 * @hw: of a PF that is being prepared for a reset, after ice_clear_hw_tbls()
 *
 * The profiles of Flow Director outlive a reset and get new entries in the rebuild. Between the two
 * their handles point at freed memory: a removal or a shutdown that comes then would remove the
 * entries a second time.
 *
 * Context: sleeps; takes fdir_fltr_lock.
 */
void ice_fdir_forget_entries(struct ice_hw *hw)
{
	int flow, vsi;

	/* Without its control VSI Flow Director, and its lock, is not set up, or taken down. */
	if (!hw->fdir_prof || !ice_get_ctrl_vsi(hw->back))
		return;
	mutex_lock(&hw->fdir_fltr_lock);
	for (flow = 0; flow < ICE_FLTR_PTYPE_MAX; flow++) {
		struct ice_fd_hw_prof *prof = hw->fdir_prof[flow];

		for (vsi = 0; prof && vsi < prof->cnt; vsi++)
			memset(prof->entry_h[vsi], 0, sizeof(prof->entry_h[vsi]));
	}
	mutex_unlock(&hw->fdir_fltr_lock);
}
