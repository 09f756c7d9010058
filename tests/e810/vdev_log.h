/* SPDX-License-Identifier: GPL-2.0-only */
/* Diagnostics: errors go to stderr and the log file, notes only to the log file. */
#ifndef VDEV_LOG_H
#define VDEV_LOG_H

#include "vdev_types.h"

int vdev_log_open(const char *path);
void vdev_log_close(void);
void vdev_log_flush(void);

/* Nanoseconds since the model started, the clock of every log. */
u64 vdev_now(void);

void vdev_note(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void vdev_error(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif /* VDEV_LOG_H */
