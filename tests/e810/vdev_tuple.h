/* SPDX-License-Identifier: GPL-2.0-only */
/* A flow as the device names it: protocols, addresses, ports. */
#ifndef VDEV_TUPLE_H
#define VDEV_TUPLE_H

#include "vdev_types.h"

#define VDEV_PROTO_TCP		6
#define VDEV_PROTO_UDP		17
#define VDEV_PROTO_SCTP		132

/**
 * struct vdev_tuple - one direction of one flow
 * @v6: 1 for IPv6, 0 for IPv4
 * @proto: protocol above IP
 * @sport: source port in host order, 0 when the protocol has none
 * @dport: destination port
 * @zero: keeps the structure free of padding, so that equal flows have equal bytes
 * @src: source address; an IPv4 address fills the first four bytes, the rest is 0
 * @dst: destination address
 */
struct vdev_tuple {
	u8 v6;
	u8 proto;
	u16 sport;
	u16 dport;
	u16 zero;
	u8 src[16];
	u8 dst[16];
};

_Static_assert(sizeof(struct vdev_tuple) == 40, "no padding in struct vdev_tuple");

#define VDEV_TUPLE_TEXT		128
#define VDEV_TUPLE_WORDS	6

u32 vdev_tuple_hash(const struct vdev_tuple *tuple);
bool vdev_tuple_equal(const struct vdev_tuple *a, const struct vdev_tuple *b);
struct vdev_tuple vdev_tuple_swap(const struct vdev_tuple *tuple);
const char *vdev_tuple_text(const struct vdev_tuple *tuple, char text[VDEV_TUPLE_TEXT]);
const char *vdev_tuple_parse(struct vdev_tuple *tuple, char **words);

#endif /* VDEV_TUPLE_H */
