/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that people write. */
#ifndef VDEV_NUMBER_H
#define VDEV_NUMBER_H

#include "vdev_types.h"

bool vdev_number(const char *text, u32 min, u32 max, u32 *value);

#endif /* VDEV_NUMBER_H */
