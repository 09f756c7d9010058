// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fork's version and origin, for modinfo.
 *
 * The in-tree ice has no version. Without one here dkms 3.0.10 takes the fork for the in-tree
 * module and leaves that one in place. The file is separate so that it is there without
 * CONFIG_RFS_ACCEL too.
 */
#include <linux/module.h>
#include "arfs_version.h"

MODULE_VERSION(ARFS_VERSION);
MODULE_INFO(arfs_base, ARFS_BASE);
