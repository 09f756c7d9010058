// SPDX-License-Identifier: GPL-2.0-only
/* The virtual E810: options and the event loop. See README.md. */
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vdev.h"
#include "vdev_control.h"
#include "vdev_log.h"
#include "vdev_number.h"

#define DEFAULT_QUEUES		64
#define DEFAULT_FILTERS		16384

/* Messages of the client to handle before other sockets are looked at. */
#define MESSAGE_BUDGET		64

/* How often to look again for something that should have come. */
#define RETRY_MS		10

struct options {
	const char *vfio_user;
	const char *wire;
	const char *control;
	const char *filter_log;
	const char *log;
	u32 filters;
	u32 queues;
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	stop = number;
}

static const char usage[] =
	"usage: vdev-e810 --vfio-user SOCK --wire SOCK --control SOCK --filter-log FILE\n"
	"                 [--log FILE] [--filters N] [--queues N]\n"
	"  --vfio-user SOCK   where QEMU connects\n"
	"  --wire SOCK        where the far end of the cable connects\n"
	"  --control SOCK     where commands are taken; try \"help\"\n"
	"  --filter-log FILE  gets a line for each filter operation\n"
	"  --log FILE         gets notes on what the driver does (default: none)\n"
	"  --filters N        size of the Flow Director table (default: 16384)\n"
	"  --queues N         Rx and Tx queues (default: 64)\n";

static int parse_number(const char *name, const char *text, u32 min, u32 max, u32 *value)
{
	if (vdev_number(text, min, max, value))
		return 0;
	vdev_error("--%s %s: give a number from %u to %u", name, text, min, max);
	return -1;
}

static int parse_options(int argc, char **argv, struct options *opt)
{
	static const struct option longs[] = {
		{ "vfio-user", required_argument, NULL, 'u' },
		{ "wire", required_argument, NULL, 'w' },
		{ "control", required_argument, NULL, 'c' },
		{ "filter-log", required_argument, NULL, 'F' },
		{ "log", required_argument, NULL, 'l' },
		{ "filters", required_argument, NULL, 'f' },
		{ "queues", required_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int c, ret = 0;

	while ((c = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		switch (c) {
		case 'u':
			opt->vfio_user = optarg;
			break;
		case 'w':
			opt->wire = optarg;
			break;
		case 'c':
			opt->control = optarg;
			break;
		case 'F':
			opt->filter_log = optarg;
			break;
		case 'l':
			opt->log = optarg;
			break;
		case 'f':
			ret |= parse_number("filters", optarg, 2, VDEV_FDIR_MAX, &opt->filters);
			break;
		case 'q':
			ret |= parse_number("queues", optarg, 1, VDEV_MAX_QUEUES, &opt->queues);
			break;
		case 'h':
			fputs(usage, stdout);
			exit(0);
		default:
			fputs(usage, stderr);
			return -1;
		}
	}
	if (ret)
		return -1;
	if (optind < argc)
		vdev_error("unexpected argument %s; see --help", argv[optind]);
	else if (!opt->vfio_user || !opt->wire || !opt->control || !opt->filter_log)
		vdev_error("--vfio-user, --wire, --control, --filter-log are needed; see --help");
	else
		return 0;
	return -1;
}

static bool deliver(void *arg, const u8 *frame, u32 len)
{
	return vdev_rx_frame(arg, frame, len);
}

/* Return: 1 to go on, 0 when the client has gone, -1 when it broke the protocol. */
static int service_client(struct vdev *dev)
{
	if (dev->vfu.fd < 0) {
		vdev_vfu_accept(&dev->vfu);
		return 1;
	}
	for (int i = 0; i < MESSAGE_BUDGET; i++) {
		switch (vdev_vfu_receive(&dev->vfu)) {
		case VDEV_VFU_AGAIN:
			return 1;
		case VDEV_VFU_HANDLED:
			break;
		case VDEV_VFU_GONE:
			return 0;
		case VDEV_VFU_MALFORMED:
			vdev_error("%s; connect a vfio-user client such as QEMU",
				   dev->vfu.error);
			return -1;
		}
	}
	return 1;
}

static bool tx_work_left(const struct vdev *dev)
{
	if (vdev_wire_full(&dev->wire))
		return false;	/* it goes on when the wire can be written */
	for (u32 i = 0; i < dev->num_queues; i++)
		if (dev->txq[i].pending)
			return true;
	return false;
}

static int ms_until(u64 time)
{
	u64 now = vdev_now();

	return now < time ? (time - now) / 1000000 + 1 : RETRY_MS;
}

/* The earlier of two timeouts as poll() understands them, -1 for none. */
static int earlier(int a, int b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

static int timeout_ms(const struct vdev *dev)
{
	u64 report = vdev_reports_due(&dev->reports);
	int ms;

	if (tx_work_left(dev))
		return 0;
	ms = dev->rx_held_since ? ms_until(dev->rx_held_since + VDEV_RX_HOLD_NS) : -1;
	if (dev->reset_state != VDEV_RUNNING)
		ms = earlier(ms, ms_until(dev->reset_next_at));
	if (report)
		ms = earlier(ms, ms_until(report));
	return ms;
}

static void service_wire(struct vdev *dev, short revents)
{
	if (dev->wire.fd < 0) {
		vdev_wire_accept(&dev->wire);
		return;
	}
	if (revents & POLLOUT)
		vdev_wire_flush(&dev->wire);
	if (dev->wire.fd >= 0 && revents & ~POLLOUT)
		vdev_wire_receive(&dev->wire, deliver, dev);
}

/* Return: exit status. */
static int run(struct vdev *dev, struct vdev_control *ctl)
{
	struct pollfd fds[2 + VDEV_CONTROL_CLIENTS + 1];
	int go_on = 1;

	while (go_on > 0 && !stop) {
		u32 n;

		fds[0].fd = dev->vfu.fd >= 0 ? dev->vfu.fd : dev->vfu.listen_fd;
		fds[0].events = POLLIN;
		fds[1].fd = dev->wire.fd >= 0 ? dev->wire.fd : dev->wire.listen_fd;
		fds[1].events = vdev_wire_events(&dev->wire, dev->rx_held_since);
		n = vdev_control_poll(ctl, fds + 2);
		if (poll(fds, 2 + n, timeout_ms(dev)) < 0)
			continue;
		vdev_reset_tick(dev);
		if (fds[0].revents)
			go_on = service_client(dev);
		if (fds[1].revents)
			service_wire(dev, fds[1].revents);
		if (dev->wire.fd < 0)
			dev->rx_held_since = 0;
		if (dev->rx_held_since)
			vdev_wire_resume(&dev->wire, deliver, dev);
		vdev_tx_service(dev);
		vdev_wire_flush(&dev->wire);
		vdev_reports_tick(dev, vdev_now());
		vdev_control_service(ctl, fds + 2, n);
		vdev_irq_flush(dev);
		vdev_filter_log_flush(&dev->filter_log);
		vdev_log_flush();
	}
	if (stop)
		vdev_error("stopped by signal %d", (int)stop);
	return stop || go_on < 0;
}

static int start(struct vdev *dev, struct vdev_control *ctl, const struct options *opt)
{
	if (vdev_filter_log_open(&dev->filter_log, opt->filter_log) ||
	    vdev_device_init(dev, opt->queues, opt->filters) ||
	    vdev_vfu_init(&dev->vfu, opt->vfio_user) ||
	    vdev_wire_init(&dev->wire, opt->wire) ||
	    vdev_control_init(ctl, dev, opt->control))
		return -1;
	puts("ready");
	fflush(stdout);
	return 0;
}

int main(int argc, char **argv)
{
	struct options opt = { .filters = DEFAULT_FILTERS, .queues = DEFAULT_QUEUES };
	struct sigaction action = { .sa_handler = on_signal };
	static struct vdev_control ctl;
	static struct vdev dev;
	int status = 1;

	if (parse_options(argc, argv, &opt) || vdev_log_open(opt.log))
		return 1;
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
	if (!start(&dev, &ctl, &opt)) {
		status = run(&dev, &ctl);
		unlink(opt.vfio_user);
		unlink(opt.wire);
		unlink(opt.control);
		vdev_control_close(&ctl);
		vdev_wire_close(&dev.wire);
		vdev_vfu_close(&dev.vfu);
		vdev_device_free(&dev);
	}
	vdev_filter_log_close(&dev.filter_log);
	vdev_log_close();
	return status;
}
