// SPDX-License-Identifier: GPL-2.0-only
/* Command line of the aRFS workload; the two sides are in arfs-serve.c and arfs-drive.c. */
#include <arpa/inet.h>
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arfs-load.h"

static const char usage[] =
	"usage: arfs-load serve --report FILE [OPTION...]\n"
	"       arfs-load drive --to ADDRESS [OPTION...]\n"
	"both:  -6                  IPv6 instead of IPv4\n"
	"       --udp               connected UDP sockets instead of TCP\n"
	"       --port N            port of the server [5000]\n"
	"       --connections N     connections [100]\n"
	"serve: --readers N         reader threads, on CPUs in a row, named reader<CPU> [4]\n"
	"       --first-cpu N       the first of these CPUs [0]\n"
	"       --seconds N         how long the connections are busy [15]\n"
	"       --move PERCENT      share of them that changes its reader half-way [0]\n"
	"       --rotate MS         all change their reader this often, until SIGUSR1 [never]\n"
	"       --rotate-within N   inside groups of N readers only [all]\n"
	"drive: --source-port N     ports of the connections, scattered over N .. N+32767 [any]\n"
	"       --ports N[,N...]    these ports, one for each connection\n"
	"       --threads N         client threads [1]\n"
	"       --bytes N           length of a message [64]\n"
	"       --ipv6-options      a destination options header, of padding only, in each IPv6 packet\n"
	"       --cpus N[,N...]     CPUs of the client threads [unpinned]\n"
	"The server writes its state and its connections to FILE every second, holds them open when\n"
	"the time is over (state held) and closes them on SIGTERM.\n";

int load_error(const char *what, int error)
{
	fprintf(stderr, "arfs-load: %s: %s\n", what, strerror(-error));
	return error;
}

int load_pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

int load_address(int family, const char *text, unsigned int port, struct sockaddr_storage *address,
		 socklen_t *length)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;

	memset(address, 0, sizeof(*address));
	address->ss_family = family;
	if (family == AF_INET) {
		*length = sizeof(*v4);
		v4->sin_port = htons(port);
		return !text || inet_pton(AF_INET, text, &v4->sin_addr) == 1 ? 0 : -EINVAL;
	}
	*length = sizeof(*v6);
	v6->sin6_port = htons(port);
	return !text || inet_pton(AF_INET6, text, &v6->sin6_addr) == 1 ? 0 : -EINVAL;
}

static unsigned int number(const char *option, const char *text, unsigned int min, unsigned int max)
{
	unsigned long value;
	char *end;

	errno = 0;
	value = text ? strtoul(text, &end, 10) : 0;
	if (!text || errno || end == text || *end || *text == '-' || value < min || value > max) {
		fprintf(stderr, "arfs-load: %s needs a number from %u to %u, not '%s'\n", option, min,
			max, text ? text : "");
		exit(2);
	}
	return value;
}

static void port_list(struct load_options *options, char *text)
{
	char *item, *rest = text;

	while ((item = strsep(&rest, ","))) {
		if (options->n_ports == LOAD_MAX_PORTS) {
			fprintf(stderr, "arfs-load: --ports takes at most %d ports\n", LOAD_MAX_PORTS);
			exit(2);
		}
		options->ports[options->n_ports++] = number("--ports", item, 1, 65535);
	}
}

static void cpu_list(struct load_options *options, char *text)
{
	char *item, *rest = text;

	while ((item = strsep(&rest, ","))) {
		if (options->n_cpus == LOAD_MAX_READERS) {
			fprintf(stderr, "arfs-load: --cpus takes at most %d CPUs\n", LOAD_MAX_READERS);
			exit(2);
		}
		options->cpus[options->n_cpus++] = number("--cpus", item, 0, CPU_SETSIZE - 1);
	}
}

static void parse(struct load_options *options, int argc, char **argv)
{
	for (int i = 2; i < argc; i++) {
		char *value = i + 1 < argc ? argv[i + 1] : NULL;
		const char *name = argv[i];

		if (!strcmp(name, "-6")) {
			options->family = AF_INET6;
			continue;
		}
		if (!strcmp(name, "--udp")) {
			options->udp = true;
			continue;
		}
		if (!strcmp(name, "--ipv6-options")) {
			options->ipv6_options = true;
			continue;
		}
		if (!value) {
			fprintf(stderr, "arfs-load: '%s' is no option or lacks its value\n%s", name,
				usage);
			exit(2);
		}
		if (!strcmp(name, "--port"))
			options->port = number(name, value, 1, 65535);
		else if (!strcmp(name, "--source-port"))
			options->source_port = number(name, value, 0, 32768);
		else if (!strcmp(name, "--ports"))
			port_list(options, value);
		else if (!strcmp(name, "--connections"))
			options->connections = number(name, value, 1, LOAD_MAX_CONNECTIONS);
		else if (!strcmp(name, "--readers"))
			options->readers = number(name, value, 1, LOAD_MAX_READERS);
		else if (!strcmp(name, "--first-cpu"))
			options->first_cpu = number(name, value, 0, CPU_SETSIZE - 1);
		else if (!strcmp(name, "--threads"))
			options->threads = number(name, value, 1, LOAD_MAX_READERS);
		else if (!strcmp(name, "--bytes"))
			options->bytes = number(name, value, LOAD_MESSAGE_BYTES, LOAD_MAX_BYTES);
		else if (!strcmp(name, "--cpus"))
			cpu_list(options, value);
		else if (!strcmp(name, "--seconds"))
			options->seconds = number(name, value, 1, 86400);
		else if (!strcmp(name, "--move"))
			options->move_percent = number(name, value, 0, 100);
		else if (!strcmp(name, "--rotate"))
			options->rotate_ms = number(name, value, 1, 1000);
		else if (!strcmp(name, "--rotate-within"))
			options->rotate_within = number(name, value, 1, LOAD_MAX_READERS);
		else if (!strcmp(name, "--to"))
			options->address = value;
		else if (!strcmp(name, "--report"))
			options->report = value;
		else {
			fprintf(stderr, "arfs-load: unknown option '%s'\n%s", name, usage);
			exit(2);
		}
		i++;
	}
}

int main(int argc, char **argv)
{
	struct load_options options = {
		.family = AF_INET, .port = 5000, .connections = 100, .readers = 4, .threads = 1,
		.seconds = 15, .bytes = LOAD_MESSAGE_BYTES,
	};

	if (argc < 2 || (strcmp(argv[1], "serve") && strcmp(argv[1], "drive"))) {
		fputs(usage, stderr);
		return 2;
	}
	parse(&options, argc, argv);
	if (options.ipv6_options && options.family != AF_INET6) {
		fprintf(stderr, "arfs-load: --ipv6-options needs -6\n%s", usage);
		return 2;
	}
	if (options.n_ports && options.n_ports != options.connections) {
		fprintf(stderr, "arfs-load: --ports names %u ports for %u --connections\n",
			options.n_ports, options.connections);
		return 2;
	}
	if (!strcmp(argv[1], "serve")) {
		if (!options.report) {
			fprintf(stderr, "arfs-load: serve needs --report FILE\n%s", usage);
			return 2;
		}
		return load_serve(&options) ? 1 : 0;
	}
	if (!options.address) {
		fprintf(stderr, "arfs-load: drive needs --to ADDRESS\n%s", usage);
		return 2;
	}
	return load_drive(&options) ? 1 : 0;
}
