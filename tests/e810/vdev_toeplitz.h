/* SPDX-License-Identifier: GPL-2.0-only */
/* Receive side scaling: the Toeplitz hash as Microsoft's RSS specification defines it. */
#ifndef VDEV_TOEPLITZ_H
#define VDEV_TOEPLITZ_H

#include "vdev_tuple.h"
#include "vdev_types.h"

#define VDEV_RSS_KEY_SIZE	52
#define VDEV_RSS_LUT_SIZE	2048

u32 vdev_toeplitz(const u8 *key, size_t key_len, const u8 *input, size_t len);
u32 vdev_rss_hash(const u8 *key, size_t key_len, const struct vdev_tuple *tuple, bool ports);

#endif /* VDEV_TOEPLITZ_H */
