// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static FILE *log_file;
static u64 start_ns;

static u64 monotonic(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/**
 * vdev_log_open - start the clock and open the log
 * @path: file to write notes to, NULL for none
 *
 * Return: 0, or -1 after an error message.
 */
int vdev_log_open(const char *path)
{
	start_ns = monotonic();
	if (!path)
		return 0;
	log_file = fopen(path, "we");
	if (log_file)
		return 0;
	vdev_error("cannot write the log %s: %s; name a writable file with --log", path,
		   strerror(errno));
	return -1;
}

void vdev_log_close(void)
{
	if (log_file)
		fclose(log_file);
	log_file = NULL;
}

void vdev_log_flush(void)
{
	if (log_file)
		fflush(log_file);
}

u64 vdev_now(void)
{
	return monotonic() - start_ns;
}

static void write_line(FILE *file, const char *prefix, const char *fmt, va_list args)
{
	fputs(prefix, file);
	vfprintf(file, fmt, args);
	fputc('\n', file);
}

static void log_line(const char *fmt, va_list args)
{
	char stamp[40];
	u64 now;

	if (!log_file)
		return;
	now = vdev_now();
	snprintf(stamp, sizeof(stamp), "%llu.%09llu ", (unsigned long long)(now / 1000000000),
		 (unsigned long long)(now % 1000000000));
	write_line(log_file, stamp, fmt, args);
}

void vdev_note(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	log_line(fmt, args);
	va_end(args);
}

void vdev_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	write_line(stderr, "vdev-e810: ", fmt, args);
	va_end(args);
	va_start(args, fmt);
	log_line(fmt, args);
	va_end(args);
}
