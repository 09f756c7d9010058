// SPDX-License-Identifier: GPL-2.0-only
/*
 * The engine's devlink parameter: milliseconds between two moves of one filter.
 *
 * It belongs to the engine, so a devlink reload, which makes a new one, sets it back.
 */
#include <net/devlink.h>

#include "ice_arfs_engine.h"
#include "arfs_policy.h"
#include "compat.h"

/* Of the driver's own parameters; ice counts its own up from DEVLINK_PARAM_GENERIC_ID_MAX. */
#define ICE_ARFS_PARAM_MOVE_INTERVAL	(DEVLINK_PARAM_GENERIC_ID_MAX + 64)

static ARFS_PARAM_GET(ice_arfs_move_interval_get)
{
	struct ice_pf *pf = devlink_priv(devlink);
	struct ice_arfs *arfs;

	rcu_read_lock();
	arfs = ice_arfs_of(ice_get_main_vsi(pf));
	ctx->val.vu32 = arfs ? arfs_table_move_interval(arfs->table) : ARFS_MOVE_MS;
	rcu_read_unlock();
	return 0;
}

static ARFS_PARAM_SET(ice_arfs_move_interval_set)
{
	struct ice_pf *pf = devlink_priv(devlink);
	struct ice_arfs *arfs;

	rcu_read_lock();
	arfs = ice_arfs_of(ice_get_main_vsi(pf));
	if (arfs)
		arfs_table_set_move_interval(arfs->table, ctx->val.vu32);
	rcu_read_unlock();
	return arfs ? 0 : -EOPNOTSUPP;
}

static ARFS_PARAM_VALIDATE(ice_arfs_move_interval_validate)
{
	if (ARFS_PARAM_VALUE(val).vu32 <= ARFS_MOVE_MAX_MS)
		return 0;
	NL_SET_ERR_MSG_MOD(extack, "arfs_move_interval is in milliseconds, 0 to 60000");
	return -EINVAL;
}

static const struct devlink_param ice_arfs_params[] = {
	DEVLINK_PARAM_DRIVER(ICE_ARFS_PARAM_MOVE_INTERVAL, "arfs_move_interval",
			     DEVLINK_PARAM_TYPE_U32, BIT(DEVLINK_PARAM_CMODE_RUNTIME),
			     ice_arfs_move_interval_get, ice_arfs_move_interval_set,
			     ice_arfs_move_interval_validate),
};

/**
 * ice_arfs_register_params() - offer the engine's parameters, after the driver's own
 * @pf: the PF
 *
 * Without them aRFS works as ever, so a failure is told and no more.
 *
 * Context: sleeps; where the driver registers its own.
 */
void ice_arfs_register_params(struct ice_pf *pf)
{
	int err = arfs_params_register(priv_to_devlink(pf), ice_arfs_params,
				       ARRAY_SIZE(ice_arfs_params));

	BUILD_BUG_ON(ARFS_MOVE_MAX_MS != 60000);	/* see the message above */
	if (err)
		dev_warn(ice_pf_to_dev(pf), "no devlink parameter arfs_move_interval, error %d; it stays %u ms\n",
			 err, ARFS_MOVE_MS);
	else
		set_bit(ICE_ARFS_PARAMS, pf->flags);
}

/**
 * ice_arfs_unregister_params() - take them away again
 * @pf: the PF
 *
 * Context: sleeps; where the driver unregisters its own.
 */
void ice_arfs_unregister_params(struct ice_pf *pf)
{
	if (test_and_clear_bit(ICE_ARFS_PARAMS, pf->flags))
		arfs_params_unregister(priv_to_devlink(pf), ice_arfs_params,
				       ARRAY_SIZE(ice_arfs_params));
}
