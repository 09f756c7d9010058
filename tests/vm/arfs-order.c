// SPDX-License-Identifier: GPL-2.0-only
/* Command line of arfs-order; the two sides are in arfs-order-serve.c and arfs-order-send.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "arfs-order.h"

static const char usage[] =
	"usage: arfs-order serve --report FILE [OPTION...]\n"
	"       arfs-order send --to ADDRESS [OPTION...]\n"
	"both:  --udp               UDP instead of TCP\n"
	"       --port N            port of the server [6000]\n"
	"       --flows N           how many flows [16]\n"
	"serve: --threads N         threads that read [4]\n"
	"       --cpus N[,N...]     CPUs that each of them goes round [0]\n"
	"       --move MS           a thread goes to its next CPU this often [never]\n"
	"send:  --source-port N     port of the first flow [any]\n"
	"       --seconds N         how long to send [10]\n"
	"       --while FILE        send as long as there is this file, instead\n"
	"       --window N          datagrams under way in one flow [32]\n"
	"The server goes into the background, prints its process id and writes its counts on\n"
	"SIGTERM: packets (TCP: bytes), late (datagrams after a later one), core_late (datagrams\n"
	"that came out of the core after one that had entered it later), ooo (TCP segments out of\n"
	"order), damaged (bytes that are not what their place asks for), moves. The sender prints\n"
	"what it sent once all of that was answered, or nothing more was for a minute.\n";

int order_error(const char *what, int error)
{
	fprintf(stderr, "arfs-order: %s: %s\n", what, strerror(-error));
	return error;
}

uint64_t order_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ull + now.tv_nsec / 1000000;
}

int order_socket(const struct order_options *options)
{
	int type = (options->udp ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK | SOCK_CLOEXEC;
	int fd = socket(AF_INET, type, 0);
	int one = 1;

	if (fd < 0)
		return -errno;
	/* The UDP sockets of the server share its port. */
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!options->udp)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

static unsigned int number(const char *option, const char *text, unsigned int min, unsigned int max)
{
	unsigned long value;
	char *end;

	value = strtoul(text, &end, 10);
	if (end == text || *end || *text == '-' || value < min || value > max) {
		fprintf(stderr, "arfs-order: %s needs a number from %u to %u, not '%s'\n",
			option, min, max, text);
		exit(2);
	}
	return value;
}

static void cpu_list(struct order_options *options, char *text)
{
	char *item, *rest = text;

	options->n_cpus = 0;
	while ((item = strsep(&rest, ","))) {
		if (options->n_cpus == ORDER_MAX_CPUS) {
			fprintf(stderr, "arfs-order: --cpus takes at most %d CPUs\n",
				ORDER_MAX_CPUS);
			exit(2);
		}
		options->cpus[options->n_cpus++] = number("--cpus", item, 0, CPU_SETSIZE - 1);
	}
}

static void bad(const char *what, const char *text)
{
	fprintf(stderr, "arfs-order: %s '%s'\n%s", what, text, usage);
	exit(2);
}

static void parse(struct order_options *options, int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		const char *name = argv[i];

		if (!strcmp(name, "--udp")) {
			options->udp = true;
			continue;
		}
		if (++i == argc)
			bad("unknown option, or no value for", name);
		if (!strcmp(name, "--port"))
			options->port = number(name, argv[i], 1, 65535);
		else if (!strcmp(name, "--flows"))
			options->flows = number(name, argv[i], 1, ORDER_MAX_FLOWS);
		else if (!strcmp(name, "--threads"))
			options->threads = number(name, argv[i], 1, ORDER_MAX_THREADS);
		else if (!strcmp(name, "--cpus"))
			cpu_list(options, argv[i]);
		else if (!strcmp(name, "--move"))
			options->move_ms = number(name, argv[i], 1, 60000);
		else if (!strcmp(name, "--source-port"))
			options->source_port = number(name, argv[i], 1, 65535 - ORDER_MAX_FLOWS);
		else if (!strcmp(name, "--seconds"))
			options->seconds = number(name, argv[i], 1, 3600);
		else if (!strcmp(name, "--while"))
			options->while_file = argv[i];
		else if (!strcmp(name, "--window"))
			options->window = number(name, argv[i], 1, 1024);
		else if (!strcmp(name, "--report"))
			options->report = argv[i];
		else if (strcmp(name, "--to") || inet_pton(AF_INET, argv[i], &options->to) != 1)
			bad("unknown option, or no IPv4 address:", argv[i]);
	}
}

int main(int argc, char **argv)
{
	struct order_options options = {
		.port = 6000, .flows = 16, .threads = 4, .n_cpus = 1, .seconds = 10, .window = 32,
	};
	bool serve;

	if (argc < 2 || (strcmp(argv[1], "serve") && strcmp(argv[1], "send"))) {
		fputs(usage, stderr);
		return 2;
	}
	serve = !strcmp(argv[1], "serve");
	parse(&options, argc, argv);
	if (serve ? !options.report : !options.to.s_addr)
		bad("missing option", serve ? "--report" : "--to");
	return (serve ? order_serve(&options) : order_send(&options)) ? 1 : 0;
}
