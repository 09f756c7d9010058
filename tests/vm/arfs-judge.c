// SPDX-License-Identifier: GPL-2.0-only
/* Command line of the judge; its logic is in judge.c. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

static const char usage[] =
	"usage: arfs-judge --report FILE --flows FILE --filters FILE [--log FILE] --queue-cpus N[,N...]\n"
	"                  --slots R [--multiply] [--prefix TEXT] [--live]\n"
	"  --report      connections, as arfs-load writes them\n"
	"  --flows, --filters, --log   the device's answers to flows, filters and filter-log\n"
	"  --queue-cpus  the CPU of each queue's interrupt, from queue 0 on\n"
	"  --slots       rps_flow_cnt of each queue, a power of two\n"
	"  --multiply    the kernel multiplies the hash (7.3) instead of masking it\n"
	"  --prefix      put before each fact's name\n"
	"  --live        one line for a running test instead of facts and a verdict\n"
	"Exit status: 0 the promise is kept (or --live), 1 it is not, 2 bad input.\n";

struct arguments {
	const char *report;
	const char *flows;
	const char *filters;
	const char *log;
	const char *prefix;
	bool live;
};

static void bad(const char *what, const char *text)
{
	fprintf(stderr, "arfs-judge: %s '%s'\n%s", what, text, usage);
	exit(2);
}

static void read_lines(struct judge *judge, const char *name,
		       int (*take)(struct judge *judge, const char *line))
{
	FILE *file = fopen(name, "r");
	unsigned int number = 0;
	char *line = NULL;
	size_t size = 0;
	int error;

	if (!file) {
		fprintf(stderr, "arfs-judge: %s: %s\n", name, strerror(errno));
		exit(2);
	}
	while (getline(&line, &size, file) > 0) {
		number++;
		error = take(judge, line);
		if (!error)
			continue;
		fprintf(stderr, "arfs-judge: %s line %u: %s: %s", name, number,
			error == -EINVAL ? "not understood" : strerror(-error), line);
		exit(2);
	}
	free(line);
	fclose(file);
}

static void queue_cpus(struct judge *judge, char *text)
{
	char *item, *end, *rest = text;

	while ((item = strsep(&rest, ","))) {
		if (judge->n_queues == JUDGE_MAX_QUEUES)
			bad("too many queues in", text);
		judge->queue_cpu[judge->n_queues++] = strtoul(item, &end, 10);
		if (end == item || *end)
			bad("--queue-cpus wants numbers, not", item);
	}
}

static void parse(struct judge *judge, struct arguments *arguments, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i];

		if (!strcmp(name, "--multiply")) {
			judge->slot_of = JUDGE_SLOT_MULTIPLY;
			continue;
		}
		if (!strcmp(name, "--live")) {
			arguments->live = true;
			continue;
		}
		if (++i == argc)
			bad("unknown option, or no value for", name);
		if (!strcmp(name, "--report"))
			arguments->report = argv[i];
		else if (!strcmp(name, "--flows"))
			arguments->flows = argv[i];
		else if (!strcmp(name, "--filters"))
			arguments->filters = argv[i];
		else if (!strcmp(name, "--log"))
			arguments->log = argv[i];
		else if (!strcmp(name, "--prefix"))
			arguments->prefix = argv[i];
		else if (!strcmp(name, "--queue-cpus"))
			queue_cpus(judge, argv[i]);
		else if (!strcmp(name, "--slots"))
			judge->slots = strtoul(argv[i], NULL, 10);
		else
			bad("unknown option", name);
	}
	if (!arguments->report || !arguments->flows || !arguments->filters || !judge->n_queues)
		bad("missing option", "--report, --flows, --filters or --queue-cpus");
	if (!arguments->live && !arguments->log)
		bad("missing option", "--log");
	if (!judge->slots || judge->slots & (judge->slots - 1) || judge->slots > 1u << 24)
		bad("--slots must be", "a power of two");
}

static void print_facts(const struct judge_facts *facts, const char *prefix)
{
	const struct {
		const char *name;
		unsigned long value;
	} lines[] = {
		{ "flows", facts->flows },
		{ "flows_seen", facts->seen },
		{ "on_reader", facts->on_reader },
		{ "slots_used", facts->slots_used },
		{ "slots_served", facts->slots_served },
		{ "slots_idle", facts->slots_idle },
		{ "adds", facts->adds },
		{ "moves", facts->moves },
		{ "deletes", facts->deletes },
		{ "failed", facts->failed },
		{ "flows_with_filter", facts->filtered },
		{ "flows_ever_with_filter", facts->ever_filtered },
		{ "misdirected", facts->misdirected },
		{ "most_writes", facts->most_writes },
		{ "readded", facts->readded },
		{ "extra_writes", facts->extra_writes },
		{ "reader_moves", facts->reader_moves },
		{ "messages", facts->messages },
		{ "broken", facts->broken },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		printf("%s%s %lu\n", prefix, lines[i].name, lines[i].value);
	if (facts->flows)
		printf("%son_reader_percent %.1f\n", prefix, 100.0 * facts->on_reader / facts->flows);
}

int main(int argc, char **argv)
{
	struct arguments arguments = { .prefix = "" };
	struct judge judge = {};
	struct judge_facts facts;
	char reason[160];
	int error;

	parse(&judge, &arguments, argc, argv);
	read_lines(&judge, arguments.report, judge_report_line);
	judge_sort(&judge);
	read_lines(&judge, arguments.flows, judge_flow_line);
	read_lines(&judge, arguments.filters, judge_filter_line);
	if (arguments.log)
		read_lines(&judge, arguments.log, judge_log_line);
	error = judge_sum(&judge, &facts);
	if (arguments.live) {
		printf("flows=%u on_reader=%u filtered=%u messages=%lu\n", facts.flows,
		       facts.on_reader, facts.filtered, facts.messages);
		return 0;
	}
	if (error) {
		fprintf(stderr, "arfs-judge: %s\n", error == -ENODATA ?
			"the device's flow lines have no hash=; rebuild the virtual E810" :
			strerror(-error));
		return 2;
	}
	print_facts(&facts, arguments.prefix);
	if (judge_verdict(&facts, reason, sizeof(reason))) {
		printf("%sverdict pass\n", arguments.prefix);
		return 0;
	}
	judge_explain(&judge, stderr);
	printf("%sverdict fail\n%sreason %s\n", arguments.prefix, arguments.prefix, reason);
	return 1;
}
