// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_filter_log.h"

#include <errno.h>
#include <string.h>

#include "vdev_log.h"

/**
 * vdev_filter_log_open - start a log
 * @log: the log
 * @path: file to write; what it held is replaced
 *
 * Return: 0, or -1 after an error message.
 */
int vdev_filter_log_open(struct vdev_filter_log *log, const char *path)
{
	log->path = path;
	log->file = fopen(path, "we");
	if (log->file)
		return 0;
	vdev_error("cannot write the filter log %s: %s; name a writable file with --filter-log",
		   path, strerror(errno));
	return -1;
}

void vdev_filter_log_close(struct vdev_filter_log *log)
{
	if (log->file)
		fclose(log->file);
	log->file = NULL;
}

/**
 * vdev_filter_log_line - how an operation is spelled
 * @event: the operation
 * @line: buffer
 *
 * Return: @line, without a newline.
 */
const char *vdev_filter_log_line(const struct vdev_filter_event *event,
				 char line[VDEV_FILTER_LINE])
{
	static const char *const ops[] = { "add", "move", "delete" };
	static const char *const outcomes[] = {
		"ok", "full", "noent", "injected", "injected",
	};
	char tuple[VDEV_TUPLE_TEXT], queue[16], from[24] = "";

	if (event->drop)
		snprintf(queue, sizeof(queue), "drop");
	else
		snprintf(queue, sizeof(queue), "%u", event->queue);
	if (event->op == VDEV_FILTER_MOVE)
		snprintf(from, sizeof(from), " from=%u", event->from);
	snprintf(line, VDEV_FILTER_LINE, "%llu.%09llu %s %s queue=%s id=%u vsi=%u outcome=%s%s",
		 (unsigned long long)(event->time / 1000000000),
		 (unsigned long long)(event->time % 1000000000), ops[event->op],
		 vdev_tuple_text(&event->tuple, tuple), queue, event->id, event->vsi,
		 outcomes[event->outcome], from);
	return line;
}

void vdev_filter_log_write(struct vdev_filter_log *log, const struct vdev_filter_event *event)
{
	char line[VDEV_FILTER_LINE];

	if (!log->file)
		return;
	fprintf(log->file, "%s\n", vdev_filter_log_line(event, line));
	log->dirty = true;
}

void vdev_filter_log_flush(struct vdev_filter_log *log)
{
	if (!log->dirty)
		return;
	if (fflush(log->file))
		vdev_error("cannot write the filter log %s: %s; free some space", log->path,
			   strerror(errno));
	log->dirty = false;
}
