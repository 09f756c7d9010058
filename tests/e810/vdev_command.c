// SPDX-License-Identifier: GPL-2.0-only
/* Commands of the control socket. */
#include <errno.h>
#include <string.h>

#include "vdev.h"
#include "vdev_control.h"

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

static void filters(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	char text[VDEV_TUPLE_TEXT];

	(void)args;
	for (u32 i = 0; i < vdev_fdir_capacity(&dev->fdir); i++) {
		const struct vdev_filter *f = &dev->fdir.entries[i];

		if (!f->used)
			continue;
		fprintf(reply->out, "filter %s queue=", vdev_tuple_text(&f->tuple, text));
		if (f->drop)
			fputs("drop", reply->out);
		else
			fprintf(reply->out, "%u", f->queue);
		fprintf(reply->out, " id=%u vsi=%u hits=%llu\n", f->id, f->vsi,
			(unsigned long long)f->hits);
	}
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

static void stats(struct vdev *dev, char **args, struct vdev_reply *reply)
{
	const struct vdev_counters *n = &dev->count;
	const struct {
		const char *key;
		u64 value;
	} lines[] = {
		{ "adds", n->adds },
		{ "moves", n->moves },
		{ "deletes", n->deletes },
		{ "failed", n->failed },
		{ "injected", dev->fault.injected },
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
		{ "fail_adds_left", dev->fault.fail_adds },
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

	if (!args[0]) {
		list_faults(reply);
		return;
	}
	kind = vdev_fault_find(args[0]);
	if (!kind)
		wrong = "no such fault; \"fault\" alone lists them";
	else if (*kind->usage && !args[1])
		wrong = "an argument is missing";
	else if (!*kind->usage && args[1])
		wrong = "it takes no argument";
	else
		wrong = kind->inject(dev, args[1]);
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
	{ "filter-log", 0, 0, "every filter operation so far", filter_log },
	{ "stats", 0, 0, "counters, key=value", stats },
	{ "reset-flows", 0, 0, "forget the flows", reset_flows },
	{ "fault", 0, 2, "inject a fault; alone, list them", fault },
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
		fprintf(reply->out, "error: %s takes at most %u arguments\n", cmd->name,
			cmd->max_args);
	else
		cmd->run(dev, words + 1, reply);
}
