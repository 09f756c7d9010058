// SPDX-License-Identifier: GPL-2.0-only
/* Commands of the control socket. */
#include <errno.h>
#include <string.h>

#include "vdev.h"
#include "vdev_control.h"
#include "vdev_log.h"

struct command {
	const char *name;
	u32 min_args;
	u32 max_args;
	const char *help;
	void (*run)(struct vdev *dev, char **args, struct vdev_reply *reply);
};

static const struct command commands[];
static size_t num_commands(void);

static void flows(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	u32 queues = vdev_vsi_num_queues(dev, dev->main_vsi);
	char text[VDEV_TUPLE_TEXT];

	(void)args;
	for (u32 i = 0; i < dev->flows.count; i++) {
		const struct vdev_flow *flow = dev->flows.all[i];
		u32 n = queues;

		/* Queues that have been taken away since may still have counts. */
		for (u32 q = n; q < dev->flows.num_queues; q++)
			if (flow->queue[q])
				n = q + 1;
		fprintf(reply->out, "flow %s pkts=%llu last=%u by=%s q=",
			vdev_tuple_text(&flow->tuple, text), (unsigned long long)flow->packets,
			flow->last, flow->by_filter ? "fdir" : "rss");
		for (u32 q = 0; q < n; q++)
			fprintf(reply->out, "%s%u", q ? "," : "", flow->queue[q]);
		fprintf(reply->out, " hash=%08x\n", flow->hash);
	}
}

static void filter_line(const struct vdev_filter *f, struct vdev_reply *reply)
{
	char text[VDEV_TUPLE_TEXT];

	fprintf(reply->out, "filter %s queue=", vdev_tuple_text(&f->tuple, text));
	if (f->drop)
		fputs("drop", reply->out);
	else
		fprintf(reply->out, "%u", f->queue);
	fprintf(reply->out, " id=%u vsi=%u hits=%llu\n", f->id, f->vsi,
		(unsigned long long)f->hits);
}

static void filters(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	(void)args;
	for (u32 i = 0; i < vdev_fdir_capacity(&dev->fdir); i++)
		if (dev->fdir.entries[i].used)
			filter_line(&dev->fdir.entries[i], reply);
}

static void filters_count(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	(void)args;
	fprintf(reply->out, "live=%u\n", vdev_fdir_live(&dev->fdir));
}

static void filter(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	const struct vdev_filter *f;
	struct vdev_tuple tuple;
	const char *wrong;

	wrong = vdev_tuple_parse(&tuple, args);
	if (wrong) {
		fprintf(reply->out, "error: filter: %s\n", wrong);
		return;
	}
	f = vdev_fdir_find(&dev->fdir, &tuple, -1);
	if (f)
		filter_line(f, reply);
}

static void filter_log(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	(void)args;
	vdev_filter_log_flush(&dev->filter_log);
	reply->file = fopen(dev->filter_log.path, "re");
	if (!reply->file)
		fprintf(reply->out, "error: cannot read %s: %s\n", dev->filter_log.path,
			strerror(errno));
}

static u64 ms_left(u64 until)
{
	u64 now = vdev_now();

	return now < until ? (until - now) / 1000000 + 1 : 0;
}

static void stats(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	const struct vdev_fault *fault = &dev->fault;
	const struct vdev_counters *n = &dev->count;
	const struct {
		const char *key;
		u64 value;
	} lines[] = {
		{ "adds", n->adds },
		{ "moves", n->moves },
		{ "deletes", n->deletes },
		{ "failed", n->failed },
		{ "injected", fault->injected },
		{ "flushed", n->flushed },
		{ "status_lost", n->status_lost },
		{ "live", vdev_fdir_live(&dev->fdir) },
		{ "capacity", vdev_fdir_capacity(&dev->fdir) },
		{ "guaranteed", dev->fdir.guaranteed },
		{ "guaranteed_used", dev->fdir.used_guaranteed },
		{ "best_effort", dev->fdir.best_effort },
		{ "best_effort_used", dev->fdir.used_best_effort },
		{ "fdir_hits", n->fdir_hits },
		{ "rx_packets", n->rx_packets },
		{ "rx_bytes", n->rx_bytes },
		{ "rx_dropped", n->rx_dropped },
		{ "rx_held", n->rx_held },
		{ "tx_packets", n->tx_packets },
		{ "tx_bytes", n->tx_bytes },
		{ "tx_dropped", n->tx_dropped + dev->wire.dropped },
		{ "tx_bad", n->tx_bad },
		{ "flows", dev->flows.count },
		{ "flows_untracked", dev->flows.untracked },
		{ "queues", vdev_vsi_num_queues(dev, dev->main_vsi) },
		{ "link", dev->link_up },
		{ "resets", n->resets },
		{ "resetting", dev->reset_state != VDEV_RUNNING },
		{ "fail_adds_left", fault->fail_adds },
		{ "fail_adds_ms_left", ms_left(fault->fail_adds_until) },
		{ "fail_nth_add_left", fault->fail_nth_add },
		{ "fail_deletes_left", fault->fail_deletes },
		{ "fail_profile_left", fault->fail_profile },
		{ "limit", dev->fdir.limit },
		{ "reports_sent", dev->reports.sent },
		{ "reports_pending", vdev_reports_pending(&dev->reports) },
		{ "reports_late", dev->reports.late },
		{ "reports_lost", dev->reports.lost },
		{ "reports_lost_left", dev->reports.lose },
		{ "reports_dropped", dev->reports.dropped },
		{ "aq_commands", n->aq_commands },
		{ "aq_unknown", n->aq_unknown },
		{ "dma_faults", dev->vfu.dma.faults },
		{ "package", dev->package.loaded },
	};

	(void)args;
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(lines); i++)
		fprintf(reply->out, "%s=%llu\n", lines[i].key,
			(unsigned long long)lines[i].value);
}

static void reset_flows(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	(void)args;
	(void)reply;
	vdev_flows_reset(&dev->flows);
}

static void list_faults(struct vdev_reply *reply)
{
	const struct vdev_fault_kind *kinds;
	size_t count;

	kinds = vdev_fault_kinds(&count);
	for (size_t i = 0; i < count; i++)
		fprintf(reply->out, "fault %s%s%s: %s\n", kinds[i].name,
			*kinds[i].usage ? " " : "", kinds[i].usage, kinds[i].help);
}

static void fault(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	const struct vdev_fault_kind *kind;
	const char *wrong;
	u32 n = 0;

	if (!args[0]) {
		list_faults(reply);
		return;
	}
	while (args[n + 1])
		n++;
	kind = vdev_fault_find(args[0]);
	if (!kind)
		wrong = "no such fault; \"fault\" alone lists them";
	else if (n < kind->min_args)
		wrong = "an argument is missing";
	else if (n > kind->max_args)
		wrong = kind->max_args ? "too many arguments" : "it takes no argument";
	else
		wrong = kind->inject(dev, kind, args + 1);
	if (wrong)
		fprintf(reply->out, "error: fault %s: %s\n", args[0], wrong);
}

static void help(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	(void)dev;
	(void)args;
	for (size_t i = 0; i < num_commands(); i++)
		fprintf(reply->out, "%s: %s\n", commands[i].name, commands[i].help);
	list_faults(reply);
}

static const struct command commands[] = {
	{ "flows", 0, 0, "one line for each received TCP and UDP flow", flows },
	{ "filters", 0, 0, "one line for each live Flow Director filter", filters },
	{ "filters-count", 0, 0, "how many there are, live=N", filters_count },
	{ "filter", VDEV_TUPLE_WORDS, VDEV_TUPLE_WORDS,
		"v4|v6 tcp|udp SRC SPORT DST DPORT: the filter of that flow", filter },
	{ "filter-log", 0, 0, "every filter operation so far", filter_log },
	{ "stats", 0, 0, "counters, key=value", stats },
	{ "reset-flows", 0, 0, "forget the flows", reset_flows },
	{ "fault", 0, 3, "inject a fault; alone, list them", fault },
	{ "help", 0, 0, "this list", help },
};

static size_t num_commands(void)
{
	return VDEV_ARRAY_SIZE(commands);
}

static const struct command *find(const char *name)
{
	for (size_t i = 0; i < num_commands(); i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

/**
 * vdev_command_run - carry out one line
 * @dev: the device
 * @line: the line, without its newline
 * @reply: where the answer goes
 */
void vdev_command_run(struct vdev *dev, const char *line, struct vdev_reply *reply)
{
	char copy[VDEV_CONTROL_LINE], *words[VDEV_CONTROL_WORDS + 1] = { NULL }, *save;
	const struct command *cmd;
	u32 n = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok_r(copy, " \t\r", &save); word;
	     word = strtok_r(NULL, " \t\r", &save)) {
		if (n == VDEV_CONTROL_WORDS) {
			fputs("error: too many words; help lists the commands\n", reply->out);
			return;
		}
		words[n++] = word;
	}
	if (!n) {
		fputs("error: an empty line; help lists the commands\n", reply->out);
		return;
	}
	cmd = find(words[0]);
	if (!cmd)
		fprintf(reply->out, "error: unknown command %s; help lists the commands\n",
			words[0]);
	else if (n - 1 < cmd->min_args || n - 1 > cmd->max_args)
		fprintf(reply->out, "error: %s takes %s%u arguments; see help\n", cmd->name,
			cmd->min_args < cmd->max_args ? "at most " : "", cmd->max_args);
	else
		cmd->run(dev, words + 1, reply);
}
