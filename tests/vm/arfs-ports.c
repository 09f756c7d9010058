// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds client ports whose connections share one slot of the core's flow table, or even one hash:
 * the receive hash of each port is computed as the virtual E810 does.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../e810/vdev_toeplitz.h"
#include "judge.h"

static const char usage[] =
	"usage: arfs-ports --key HEX:HEX:... --source ADDRESS --destination ADDRESS --port N\n"
	"                  --count N [OPTION...]\n"
	"  --key         the RSS key, as ethtool -X takes it\n"
	"  --source, --destination, --port   IPv4 addresses and the destination port\n"
	"  --count N     how many ports\n"
	"  --first N     the lowest port [20000]\n"
	"  --slots R     rps_flow_cnt: all share a slot of a table of that size [1]\n"
	"  --multiply    the kernel multiplies the hash (7.3) instead of masking it\n"
	"  --same-hash   all have the same hash\n"
	"  --queue Q --queues N   RSS brings all of them to queue Q of N\n"
	"Prints the ports, commas between them, and their slot; status 1 if there are too few.\n";

struct wish {
	u8 key[VDEV_RSS_KEY_SIZE];
	struct vdev_tuple tuple;
	unsigned int count;
	unsigned int first;
	u32 slots;
	enum judge_slot_of slot_of;
	bool same_hash;
	long queue;
	unsigned int queues;
};

static void bad(const char *what, const char *text)
{
	fprintf(stderr, "arfs-ports: %s '%s'\n%s", what, text, usage);
	exit(2);
}

static unsigned long number(const char *name, const char *text, unsigned long max)
{
	unsigned long value;
	char *end;

	value = strtoul(text, &end, 10);
	if (end == text || *end || value > max)
		bad(name, text);
	return value;
}

static void read_key(struct wish *wish, const char *text)
{
	for (size_t i = 0; i < sizeof(wish->key); i++) {
		char *end;

		wish->key[i] = strtoul(text, &end, 16);
		if (end == text || (*end && *end != ':') || (!*end && i + 1 < sizeof(wish->key)))
			bad("--key wants 52 bytes, not", text);
		text = end + 1;
	}
}

static void address(u8 *to, const char *text)
{
	if (inet_pton(AF_INET, text, to) != 1)
		bad("no IPv4 address", text);
}

static void parse(struct wish *wish, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *name = argv[i];

		if (!strcmp(name, "--multiply")) {
			wish->slot_of = JUDGE_SLOT_MULTIPLY;
			continue;
		}
		if (!strcmp(name, "--same-hash")) {
			wish->same_hash = true;
			continue;
		}
		if (++i == argc)
			bad("unknown option, or no value for", name);
		if (!strcmp(name, "--key"))
			read_key(wish, argv[i]);
		else if (!strcmp(name, "--source"))
			address(wish->tuple.src, argv[i]);
		else if (!strcmp(name, "--destination"))
			address(wish->tuple.dst, argv[i]);
		else if (!strcmp(name, "--port"))
			wish->tuple.dport = number(name, argv[i], 65535);
		else if (!strcmp(name, "--count"))
			wish->count = number(name, argv[i], 65535);
		else if (!strcmp(name, "--first"))
			wish->first = number(name, argv[i], 65535);
		else if (!strcmp(name, "--slots"))
			wish->slots = number(name, argv[i], 1u << 24);
		else if (!strcmp(name, "--queue"))
			wish->queue = number(name, argv[i], JUDGE_MAX_QUEUES - 1);
		else if (!strcmp(name, "--queues"))
			wish->queues = number(name, argv[i], JUDGE_MAX_QUEUES);
		else
			bad("unknown option", name);
	}
	if (!wish->count || !wish->tuple.dport || !wish->tuple.dst[0])
		bad("missing option", "--key, --source, --destination, --port or --count");
	if (!wish->slots || wish->slots & (wish->slots - 1) || !wish->queues)
		bad("--slots and --queues must be", "a power of two, and a number");
}

int main(int argc, char **argv)
{
	struct wish wish = { .first = 20000, .slots = 1, .queue = -1, .queues = 1 };
	unsigned int found = 0;
	u32 wanted = 0;

	parse(&wish, argc, argv);
	for (unsigned int port = wish.first; port < 65536 && found < wish.count; port++) {
		u32 hash, value;

		wish.tuple.sport = port;
		hash = vdev_rss_hash(wish.key, sizeof(wish.key), &wish.tuple, true);
		if (wish.queue >= 0 && hash % VDEV_RSS_LUT_SIZE % wish.queues != wish.queue)
			continue;
		value = wish.same_hash ? hash : judge_slot(hash, wish.slots, wish.slot_of);
		/* The core takes a hash of 0 for none. */
		if (!hash || (found && value != wanted))
			continue;
		wanted = value;
		printf("%s%u", found++ ? "," : "", port);
	}
	printf(" %u\n", wanted);
	return found == wish.count ? 0 : 1;
}
