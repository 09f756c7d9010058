// SPDX-License-Identifier: GPL-2.0-only
/* Connections of the control socket. No client can make the model wait or grow. */
#include "vdev_control.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "vdev.h"
#include "vdev_log.h"
#include "vdev_sock.h"

#define CHUNK	65536

/**
 * vdev_control_init - listen for commands
 * @ctl: the server
 * @dev: the device that commands are about
 * @path: UNIX socket to create
 *
 * Return: 0, or -1 after an error message.
 */
int vdev_control_init(struct vdev_control *ctl, struct vdev *dev, const char *path)
{
	ctl->dev = dev;
	for (u32 i = 0; i < VDEV_CONTROL_CLIENTS; i++)
		ctl->client[i].fd = -1;
	ctl->listen_fd = vdev_sock_listen(path);
	return ctl->listen_fd < 0 ? -1 : 0;
}

static void end_answer(struct vdev_control_client *c)
{
	if (c->file)
		fclose(c->file);
	free(c->out);
	c->file = NULL;
	c->out = NULL;
	c->out_len = 0;
	c->sent = 0;
}

static void hang_up(struct vdev_control_client *c)
{
	end_answer(c);
	close(c->fd);
	c->fd = -1;
	c->line_len = 0;
	c->overlong = false;
}

void vdev_control_close(struct vdev_control *ctl)
{
	for (u32 i = 0; i < VDEV_CONTROL_CLIENTS; i++)
		if (ctl->client[i].fd >= 0)
			hang_up(&ctl->client[i]);
	if (ctl->listen_fd >= 0)
		close(ctl->listen_fd);
}

/* Replace what has been sent by the next piece of the file; at its end, by the dot. */
static bool refill(struct vdev_control_client *c)
{
	size_t n;

	if (!c->file)
		return false;
	free(c->out);
	c->sent = 0;
	c->out_len = 0;
	c->out = malloc(CHUNK);
	if (!c->out)
		return false;
	n = fread(c->out, 1, CHUNK - 2, c->file);
	if (!n || feof(c->file)) {
		memcpy(c->out + n, ".\n", 2);
		n += 2;
		fclose(c->file);
		c->file = NULL;
	}
	c->out_len = n;
	return true;
}

/* Return: false when the client has gone. */
static bool send_answer(struct vdev_control_client *c)
{
	for (;;) {
		while (c->sent < c->out_len) {
			ssize_t n = send(c->fd, c->out + c->sent, c->out_len - c->sent,
					 MSG_DONTWAIT | MSG_NOSIGNAL);

			if (n < 0)
				return errno == EAGAIN || errno == EINTR;
			c->sent += n;
		}
		if (!refill(c))
			break;
	}
	end_answer(c);
	return true;
}

static void run_line(struct vdev_control *ctl, struct vdev_control_client *c)
{
	struct vdev_reply reply = { 0 };

	reply.out = open_memstream(&c->out, &c->out_len);
	if (!reply.out)
		return;
	if (c->overlong)
		fprintf(reply.out, "error: a command has at most %d characters\n",
			VDEV_CONTROL_LINE - 1);
	else
		vdev_command_run(ctl->dev, c->line, &reply);
	if (!reply.file)
		fputs(".\n", reply.out);
	fclose(reply.out);
	c->file = reply.file;
	c->line_len = 0;
	c->overlong = false;
}

static void take_char(struct vdev_control *ctl, struct vdev_control_client *c, char ch)
{
	if (ch == '\n') {
		c->line[c->line_len] = '\0';
		run_line(ctl, c);
	} else if (c->line_len < VDEV_CONTROL_LINE - 1) {
		c->line[c->line_len++] = ch;
	} else {
		c->overlong = true;
	}
}

/* One byte at a time, so that nothing is read past the command being answered. */
static bool read_command(struct vdev_control *ctl, struct vdev_control_client *c)
{
	while (!c->out) {
		char ch;
		ssize_t n = recv(c->fd, &ch, 1, MSG_DONTWAIT);

		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		if (n == 0)
			return false;
		take_char(ctl, c, ch);
		if (c->out && !send_answer(c))
			return false;
	}
	return true;
}

static void accept_client(struct vdev_control *ctl)
{
	int fd = vdev_sock_accept(ctl->listen_fd);

	if (fd < 0)
		return;
	for (u32 i = 0; i < VDEV_CONTROL_CLIENTS; i++) {
		if (ctl->client[i].fd >= 0)
			continue;
		ctl->client[i].fd = fd;
		return;
	}
	vdev_note("control: more than %d clients, one refused", VDEV_CONTROL_CLIENTS);
	close(fd);
}

/**
 * vdev_control_poll - what to wait for
 * @ctl: the server
 * @fds: room for VDEV_CONTROL_CLIENTS + 1 entries
 *
 * Return: entries used.
 */
u32 vdev_control_poll(const struct vdev_control *ctl, struct pollfd *fds)
{
	u32 n = 0;

	fds[n++] = (struct pollfd){ .fd = ctl->listen_fd, .events = POLLIN };
	for (u32 i = 0; i < VDEV_CONTROL_CLIENTS; i++) {
		const struct vdev_control_client *c = &ctl->client[i];

		if (c->fd >= 0)
			fds[n++] = (struct pollfd){
				.fd = c->fd, .events = c->out ? POLLOUT : POLLIN,
			};
	}
	return n;
}

static void service_client(struct vdev_control *ctl, int fd)
{
	for (u32 i = 0; i < VDEV_CONTROL_CLIENTS; i++) {
		struct vdev_control_client *c = &ctl->client[i];

		if (c->fd != fd)
			continue;
		if ((c->out && !send_answer(c)) || (!c->out && !read_command(ctl, c)))
			hang_up(c);
	}
}

/**
 * vdev_control_service - act on what poll() found
 * @ctl: the server
 * @fds: entries that vdev_control_poll() made
 * @count: how many
 */
void vdev_control_service(struct vdev_control *ctl, const struct pollfd *fds, u32 count)
{
	for (u32 i = 1; i < count; i++)
		if (fds[i].revents)
			service_client(ctl, fds[i].fd);
	if (fds[0].revents)
		accept_client(ctl);
}
