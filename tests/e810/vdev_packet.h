/* SPDX-License-Identifier: GPL-2.0-only */
/* What the device's parser sees in a frame, and the Internet checksum. */
#ifndef VDEV_PACKET_H
#define VDEV_PACKET_H

#include "vdev_tuple.h"
#include "vdev_types.h"

#define VDEV_ETH_HEADER		14
#define VDEV_FRAME_MAX		9728
#define VDEV_FRAME_ROOM		16384

enum vdev_cast { VDEV_UNICAST, VDEV_MULTICAST, VDEV_BROADCAST };

/**
 * struct vdev_packet - a parsed frame
 * @cast: kind of destination address
 * @ip: whether it is IPv4 or IPv6
 * @fragment: whether it is part of a fragmented datagram
 * @ports: whether @tuple carries ports
 * @bad_ip_csum: IPv4 header checksum is wrong
 * @l4_checked: TCP or UDP whose checksum the device can judge
 * @bad_l4_csum: and it is wrong
 * @l3: offset of the IP header
 * @l4: offset of what follows it
 * @l4_len: bytes from @l4 to the end of the datagram
 * @ptype: packet type that receive descriptors report
 * @tuple: addresses, protocol, ports
 */
struct vdev_packet {
	enum vdev_cast cast;
	bool ip;
	bool fragment;
	bool ports;
	bool bad_ip_csum;
	bool l4_checked;
	bool bad_l4_csum;
	u16 l3;
	u16 l4;
	u16 l4_len;
	u16 ptype;
	struct vdev_tuple tuple;
};

void vdev_packet_parse(struct vdev_packet *pkt, const u8 *frame, u32 len);
void vdev_packet_verify(struct vdev_packet *pkt, const u8 *frame);
enum vdev_cast vdev_packet_cast(const u8 *frame);

u32 vdev_csum_add(u32 sum, const u8 *data, u32 len);
u16 vdev_csum_fold(u32 sum);
u32 vdev_csum_pseudo(const u8 *ip, bool v6, u8 proto, u32 l4_len);

#endif /* VDEV_PACKET_H */
