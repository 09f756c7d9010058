// SPDX-License-Identifier: GPL-2.0-only
/* The program as its users see it: options, sockets, exit status. VDEV_E810 names it. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test_util.h"
#include "vdev_control.h"
#include "vdev_vfio_user.h"

#define MAX_ARGS	20

struct program {
	pid_t pid;
	int out;
	int err;
};

static char folder[64];
static char vfu_path[96], wire_path[96], control_path[96], log_path[96];

static void make_folder(void)
{
	strcpy(folder, "/tmp/vdev-test-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(vfu_path, sizeof(vfu_path), "%s/vfu", folder);
	snprintf(wire_path, sizeof(wire_path), "%s/wire", folder);
	snprintf(control_path, sizeof(control_path), "%s/control", folder);
	snprintf(log_path, sizeof(log_path), "%s/filters", folder);
}

static void remove_folder(void)
{
	unlink(log_path);
	ck_assert_int_eq(rmdir(folder), 0);	/* fails when a socket was left behind */
}

static struct program start(const char *const *args)
{
	const char *path = getenv("VDEV_E810");
	struct program p;
	int out[2], err[2];

	ck_assert_msg(path, "VDEV_E810 must name the program");
	ck_assert_int_eq(pipe2(out, O_CLOEXEC), 0);
	ck_assert_int_eq(pipe2(err, O_CLOEXEC), 0);
	p.pid = fork();
	if (!p.pid) {
		const char *argv[MAX_ARGS + 2] = { path };

		for (int i = 0; args[i] && i < MAX_ARGS; i++)
			argv[i + 1] = args[i];
		dup2(out[1], 1);
		dup2(err[1], 2);
		execv(path, (char *const *)argv);
		_exit(127);
	}
	close(out[1]);
	close(err[1]);
	p.out = out[0];
	p.err = err[0];
	return p;
}

static struct program start_good(void)
{
	const char *const args[] = {
		"--vfio-user", vfu_path, "--wire", wire_path, "--control", control_path,
		"--filter-log", log_path, "--filters", "100", "--queues", "8", NULL,
	};
	struct program p = start(args);
	char line[8] = "";

	ck_assert_int_eq(read(p.out, line, sizeof(line) - 1), 6);
	ck_assert_str_eq(line, "ready\n");
	return p;
}

/* Return: exit status; @text gets what was said on stderr. */
static int finish(struct program *p, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;
	int status;

	while ((n = read(p->err, text + len, size - 1 - len)) > 0)
		len += n;
	text[len] = '\0';
	ck_assert_int_eq(waitpid(p->pid, &status, 0), p->pid);
	close(p->out);
	close(p->err);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int connect_to(const char *path)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(addr.sun_path, path);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	return fd;
}

/* Its client goes, and so does it, without a word and with nothing left behind. */
static void ends_well(struct program *p)
{
	char text[4096];

	close(connect_to(vfu_path));
	ck_assert_int_eq(finish(p, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "");
	remove_folder();
}

/* Read up to and with the line that is a dot. */
static void read_answer(int fd, char *text, size_t size)
{
	size_t len = 0;

	for (;;) {
		ck_assert_uint_lt(len + 1, size);
		ck_assert_int_eq(read(fd, text + len, 1), 1);
		text[++len] = '\0';
		if (!strcmp(text, ".\n") || (len > 3 && !strcmp(text + len - 3, "\n.\n")))
			return;
	}
}

/* One clear line and a status that is not 0, with nothing created. */
static void refused(const char *const *args, const char *hint)
{
	struct program p = start(args);
	char text[4096];

	ck_assert_int_eq(finish(&p, text, sizeof(text)), 1);
	ck_assert_msg(strstr(text, hint), "said: %s", text);
	if (strcmp(hint, "usage:"))
		ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
}

START_TEST(bad_options)
{
	make_folder();
	refused((const char *const[]){ NULL }, "are needed");
	refused((const char *const[]){ "--nonsense", NULL }, "usage:");
	refused((const char *const[]){ "--filters", NULL }, "usage:");
	refused((const char *const[]){ "--filters", "1", NULL }, "from 2 to 49150");
	refused((const char *const[]){ "--filters", "49151", NULL }, "from 2 to 49150");
	refused((const char *const[]){ "--filters", "12x", NULL }, "from 2 to 49150");
	refused((const char *const[]){ "--queues", "0", NULL }, "from 1 to 256");
	refused((const char *const[]){ "--queues", "-1", NULL }, "from 1 to 256");
	refused((const char *const[]){ "--vfio-user", vfu_path, "--wire", wire_path, "--control",
		control_path, "--filter-log", log_path, "extra", NULL }, "extra");
	remove_folder();
}
END_TEST

static void refused_paths(const char *vfu, const char *log, const char *hint)
{
	refused((const char *const[]){ "--vfio-user", vfu, "--wire", wire_path, "--control",
		control_path, "--filter-log", log, NULL }, hint);
}

START_TEST(bad_paths)
{
	char text[16] = "", lengthy[200];
	int fd;

	make_folder();
	refused_paths(vfu_path, "/nonexistent/log", "--filter-log");
	refused_paths("/nonexistent/vfu", log_path, "writable folder");
	memset(lengthy, 'x', sizeof(lengthy) - 1);
	lengthy[sizeof(lengthy) - 1] = '\0';
	refused_paths(lengthy, log_path, "shorter");
	/* A file that is in the way is left alone. */
	fd = open(vfu_path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
	ck_assert_int_eq(write(fd, "precious", 8), 8);
	refused_paths(vfu_path, log_path, "not a socket");
	ck_assert_int_eq(pread(fd, text, sizeof(text), 0), 8);
	ck_assert_str_eq(text, "precious");
	close(fd);
	unlink(vfu_path);
	remove_folder();
}
END_TEST

START_TEST(ends_with_its_client)
{
	struct program p;

	make_folder();
	p = start_good();
	ends_well(&p);
}
END_TEST

START_TEST(malformed_message_ends_it)
{
	struct vdev_vfu_header h = { .command = VDEV_VFU_VERSION, .size = 3 };
	struct program p;
	char text[4096];
	int fd;

	make_folder();
	p = start_good();
	fd = connect_to(vfu_path);
	ck_assert_int_eq(write(fd, &h, sizeof(h)), sizeof(h));
	ck_assert_int_eq(finish(&p, text, sizeof(text)), 1);
	ck_assert_ptr_nonnull(strstr(text, "malformed vfio-user message"));
	close(fd);
	remove_folder();
}
END_TEST

START_TEST(busy_sockets_are_refused)
{
	struct program p;

	make_folder();
	p = start_good();
	refused_paths(vfu_path, "/dev/null", "in use");
	ends_well(&p);	/* the first one still works */
}
END_TEST

/* A socket left by a program that was killed is replaced. */
START_TEST(stale_sockets_are_replaced)
{
	struct program p;
	int status;

	make_folder();
	p = start_good();
	kill(p.pid, SIGKILL);
	ck_assert_int_eq(waitpid(p.pid, &status, 0), p.pid);
	close(p.out);
	close(p.err);
	p = start_good();
	ends_well(&p);
}
END_TEST

START_TEST(several_control_clients)
{
	static char lengthy[VDEV_CONTROL_LINE + 50];
	char text[16384];
	struct program p;
	int a, b;

	make_folder();
	p = start_good();
	a = connect_to(control_path);
	b = connect_to(control_path);
	/* Two commands in one piece, another client in between. */
	ck_assert_int_eq(write(a, "flows\nnonsense\n", 15), 15);
	ck_assert_int_eq(write(b, "sta", 3), 3);
	read_answer(a, text, sizeof(text));
	ck_assert_str_eq(text, ".\n");
	read_answer(a, text, sizeof(text));
	ck_assert(!strncmp(text, "error: unknown command nonsense", 31));
	ck_assert_int_eq(write(b, "ts\n", 3), 3);
	read_answer(b, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "capacity=100\n"));
	ck_assert_int_eq(write(a, "filter-log\n", 11), 11);
	read_answer(a, text, sizeof(text));
	ck_assert_str_eq(text, ".\n");
	memset(lengthy, ' ', sizeof(lengthy));	/* would be a good command, cut off */
	memcpy(lengthy, "reset-flows", 11);
	lengthy[sizeof(lengthy) - 1] = '\n';
	ck_assert_int_eq(write(a, lengthy, sizeof(lengthy)), sizeof(lengthy));
	read_answer(a, text, sizeof(text));
	ck_assert(!strncmp(text, "error: ", 7));
	ck_assert_int_eq(write(a, "flows\n", 6), 6);	/* and it goes on */
	read_answer(a, text, sizeof(text));
	ck_assert_str_eq(text, ".\n");
	close(a);
	close(b);
	ends_well(&p);
}
END_TEST

/* A far end that talks nonsense is hung up on; the next one is taken. */
START_TEST(wire_survives_nonsense)
{
	struct program p;
	u8 byte;
	int fd;

	make_folder();
	p = start_good();
	fd = connect_to(wire_path);
	ck_assert_int_eq(write(fd, "GET / HTTP/1.0\r\n\r\n", 18), 18);
	ck_assert_int_le(read(fd, &byte, 1), 0);
	close(fd);
	close(connect_to(wire_path));
	ends_well(&p);
}
END_TEST

START_TEST(signals_end_it)
{
	struct program p;
	char text[4096];

	make_folder();
	p = start_good();
	kill(p.pid, SIGTERM);
	ck_assert_int_eq(finish(&p, text, sizeof(text)), 1);
	ck_assert_ptr_nonnull(strstr(text, "stopped by signal"));
	remove_folder();
}
END_TEST

Suite *test_program_suite(void)
{
	const TTest *const tests[] = {
		bad_options, bad_paths, ends_with_its_client, malformed_message_ends_it,
		busy_sockets_are_refused, stale_sockets_are_replaced, several_control_clients,
		wire_survives_nonsense, signals_end_it,
	};

	return test_suite("program", tests, VDEV_ARRAY_SIZE(tests));
}
