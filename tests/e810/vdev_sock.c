// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_sock.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "vdev_log.h"

/*
 * Whether some process still holds @path. Asked of the kernel rather than by connecting:
 * a model takes one client only, and a trial connection would be that one.
 */
static bool in_use(const char *path)
{
	FILE *table = fopen("/proc/net/unix", "re");
	size_t want = strlen(path);
	bool found = false;
	char line[512];

	while (table && fgets(line, sizeof(line), table)) {
		size_t len = strcspn(line, "\n");

		if (len > want && line[len - want - 1] == ' ' &&
		    !strncmp(line + len - want, path, want))
			found = true;
	}
	if (table)
		fclose(table);
	return found;
}

/* A socket file that nobody holds is left over from a run that was killed. */
static int remove_stale(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return 0;
	if (!S_ISSOCK(st.st_mode)) {
		vdev_error("%s exists and is not a socket; remove it or name another path", path);
		return -1;
	}
	if (in_use(path)) {
		vdev_error("%s is in use by another process; stop it or name another path", path);
		return -1;
	}
	unlink(path);
	return 0;
}

/**
 * vdev_sock_listen - create a UNIX socket and listen on it
 * @path: file name of the socket
 *
 * Return: the file descriptor, or -1 after an error message.
 */
int vdev_sock_listen(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd;

	if (strlen(path) >= sizeof(addr.sun_path)) {
		vdev_error("socket path %s is longer than %zu characters; name a shorter one",
			   path, sizeof(addr.sun_path) - 1);
		return -1;
	}
	strcpy(addr.sun_path, path);
	if (remove_stale(path))
		return -1;
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd >= 0 && !bind(fd, (struct sockaddr *)&addr, sizeof(addr)) && !listen(fd, 8))
		return fd;
	vdev_error("cannot listen on %s: %s; name a path in a writable folder", path,
		   strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

int vdev_sock_accept(int listen_fd)
{
	return accept4(listen_fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
