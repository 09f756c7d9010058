// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_tuple.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "vdev_number.h"

/**
 * vdev_tuple_hash - spread tuples over buckets
 * @tuple: the flow
 *
 * FNV-1a over the words with a final mix; not related to what the device reports as hash.
 */
u32 vdev_tuple_hash(const struct vdev_tuple *tuple)
{
	u64 hash = 0xcbf29ce484222325ull;
	u64 words[sizeof(*tuple) / sizeof(u64)];

	memcpy(words, tuple, sizeof(*tuple));
	for (size_t i = 0; i < VDEV_ARRAY_SIZE(words); i++) {
		hash ^= words[i];
		hash *= 0x100000001b3ull;
		hash ^= hash >> 29;
	}
	return (u32)(hash ^ hash >> 32);
}

bool vdev_tuple_equal(const struct vdev_tuple *a, const struct vdev_tuple *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/* The same flow seen from the other end. */
struct vdev_tuple vdev_tuple_swap(const struct vdev_tuple *tuple)
{
	struct vdev_tuple swapped = *tuple;

	memcpy(swapped.src, tuple->dst, sizeof(swapped.src));
	memcpy(swapped.dst, tuple->src, sizeof(swapped.dst));
	swapped.sport = tuple->dport;
	swapped.dport = tuple->sport;
	return swapped;
}

static const char *proto_text(u8 proto, char text[16])
{
	switch (proto) {
	case VDEV_PROTO_TCP:
		return "tcp";
	case VDEV_PROTO_UDP:
		return "udp";
	case VDEV_PROTO_SCTP:
		return "sctp";
	default:
		snprintf(text, 16, "proto-%u", proto);
		return text;
	}
}

/**
 * vdev_tuple_text - how logs and the control socket spell a tuple
 * @tuple: the flow
 * @text: buffer
 *
 * Return: @text, "v4|v6 protocol source port destination port".
 */
const char *vdev_tuple_text(const struct vdev_tuple *tuple, char text[VDEV_TUPLE_TEXT])
{
	int family = tuple->v6 ? AF_INET6 : AF_INET;
	char src[INET6_ADDRSTRLEN];
	char dst[INET6_ADDRSTRLEN];
	char proto[16];

	inet_ntop(family, tuple->src, src, sizeof(src));
	inet_ntop(family, tuple->dst, dst, sizeof(dst));
	snprintf(text, VDEV_TUPLE_TEXT, "%s %s %s %u %s %u", tuple->v6 ? "v6" : "v4",
		 proto_text(tuple->proto, proto), src, tuple->sport, dst, tuple->dport);
	return text;
}

/**
 * vdev_tuple_parse - read what vdev_tuple_text() writes
 * @tuple: result
 * @words: VDEV_TUPLE_WORDS words: v4|v6, tcp|udp, source, port, destination, port
 *
 * Return: NULL, or what is wrong with them.
 */
const char *vdev_tuple_parse(struct vdev_tuple *tuple, char **words)
{
	u32 sport, dport;
	int family;

	memset(tuple, 0, sizeof(*tuple));
	if (strcmp(words[0], "v4") && strcmp(words[0], "v6"))
		return "a flow begins with v4 or v6";
	tuple->v6 = !strcmp(words[0], "v6");
	family = tuple->v6 ? AF_INET6 : AF_INET;
	if (strcmp(words[1], "tcp") && strcmp(words[1], "udp"))
		return "the protocol is tcp or udp";
	tuple->proto = strcmp(words[1], "tcp") ? VDEV_PROTO_UDP : VDEV_PROTO_TCP;
	if (inet_pton(family, words[2], tuple->src) != 1 ||
	    inet_pton(family, words[4], tuple->dst) != 1)
		return "addresses are written as in \"filters\"";
	if (!vdev_number(words[3], 0, UINT16_MAX, &sport) ||
	    !vdev_number(words[5], 0, UINT16_MAX, &dport))
		return "a port is a number from 0 to 65535";
	tuple->sport = sport;
	tuple->dport = dport;
	return NULL;
}
