// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_packet.h"

#include <string.h>

#define ETHERTYPE_IPV4		0x0800
#define ETHERTYPE_ARP		0x0806
#define ETHERTYPE_VLAN		0x8100
#define ETHERTYPE_IPV6		0x86dd
#define ETHERTYPE_SVLAN		0x88a8

#define IPV6_HEADER		40
#define PROTO_HOPOPTS		0
#define PROTO_ICMP		1
#define PROTO_ROUTING		43
#define PROTO_FRAGMENT		44
#define PROTO_ICMPV6		58
#define PROTO_DSTOPTS		60

/*
 * Packet types of receive descriptors. Source: the packet type table in ice_lan_tx_rx.h of
 * the Linux ice driver (6.1).
 */
enum {
	PTYPE_MAC_PAY = 1,
	PTYPE_MAC_ARP = 11,
	PTYPE_IPV4_FRAG = 22,
	PTYPE_IPV6_FRAG = 88,
	/* distance from the fragment type, the same for both versions */
	PTYPE_OTHER = 1,
	PTYPE_UDP = 2,
	PTYPE_TCP = 4,
	PTYPE_SCTP = 5,
	PTYPE_ICMP = 6,
};

/* One's complement sum of big-endian words, not folded; an odd last byte is padded with 0. */
u32 vdev_csum_add(u32 sum, const u8 *data, u32 len)
{
	u64 total = sum;

	for (; len > 1; len -= 2, data += 2)
		total += vdev_be16(data);
	if (len)
		total += (u32)*data << 8;
	while (total >> 32)
		total = (total & 0xffffffff) + (total >> 32);
	return (u32)total;
}

u16 vdev_csum_fold(u32 sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (u16)~sum;
}

/* The part of a TCP or UDP checksum that comes from the IP header at @ip. */
u32 vdev_csum_pseudo(const u8 *ip, bool v6, u8 proto, u32 l4_len)
{
	u32 sum = proto + (l4_len & 0xffff) + (l4_len >> 16);

	return v6 ? vdev_csum_add(sum, ip + 8, 32) : vdev_csum_add(sum, ip + 12, 8);
}

enum vdev_cast vdev_packet_cast(const u8 *frame)
{
	static const u8 broadcast[6] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

	if (!memcmp(frame, broadcast, sizeof(broadcast)))
		return VDEV_BROADCAST;
	return frame[0] & 1 ? VDEV_MULTICAST : VDEV_UNICAST;
}

static u16 ip_ptype(const struct vdev_packet *pkt)
{
	u16 base = pkt->tuple.v6 ? PTYPE_IPV6_FRAG : PTYPE_IPV4_FRAG;

	if (pkt->fragment)
		return base;
	switch (pkt->tuple.proto) {
	case VDEV_PROTO_UDP:
		return base + PTYPE_UDP;
	case VDEV_PROTO_TCP:
		return base + PTYPE_TCP;
	case VDEV_PROTO_SCTP:
		return base + PTYPE_SCTP;
	case PROTO_ICMP:
		return base + (pkt->tuple.v6 ? PTYPE_OTHER : PTYPE_ICMP);
	case PROTO_ICMPV6:
		return base + (pkt->tuple.v6 ? PTYPE_ICMP : PTYPE_OTHER);
	default:
		return base + PTYPE_OTHER;
	}
}

static void parse_ports(struct vdev_packet *pkt, const u8 *frame)
{
	u8 proto = pkt->tuple.proto;

	if (pkt->fragment || pkt->l4_len < 4)
		return;
	if (proto != VDEV_PROTO_TCP && proto != VDEV_PROTO_UDP && proto != VDEV_PROTO_SCTP)
		return;
	pkt->ports = true;
	pkt->tuple.sport = vdev_be16(frame + pkt->l4);
	pkt->tuple.dport = vdev_be16(frame + pkt->l4 + 2);
}

static bool parse_ipv4(struct vdev_packet *pkt, const u8 *frame, u32 len)
{
	const u8 *ip = frame + pkt->l3;
	u32 header, total;

	if (len < pkt->l3 + 20u || ip[0] >> 4 != 4)
		return false;
	header = (ip[0] & 0xf) * 4;
	total = vdev_be16(ip + 2);
	if (header < 20 || total < header || total > len - pkt->l3)
		return false;
	pkt->fragment = vdev_be16(ip + 6) & 0x3fff; /* more fragments, or an offset */
	pkt->tuple.proto = ip[9];
	memcpy(pkt->tuple.src, ip + 12, 4);
	memcpy(pkt->tuple.dst, ip + 16, 4);
	pkt->l4 = pkt->l3 + header;
	pkt->l4_len = total - header;
	return true;
}

static bool parse_ipv6(struct vdev_packet *pkt, const u8 *frame, u32 len)
{
	const u8 *ip = frame + pkt->l3;
	u32 off, end;
	u8 next;

	if (len < pkt->l3 + (u32)IPV6_HEADER || ip[0] >> 4 != 6)
		return false;
	off = pkt->l3 + IPV6_HEADER;
	end = off + vdev_be16(ip + 4);
	if (end > len)
		return false;
	next = ip[6];
	/* Extension headers; eight are more than any sane packet has. */
	for (int i = 0; i < 8 && off + 8 <= end; i++) {
		if (next == PROTO_FRAGMENT) {
			pkt->fragment = vdev_be16(frame + off + 2) & 0xfff9;
			next = frame[off];
			off += 8;
		} else if (next == PROTO_HOPOPTS || next == PROTO_ROUTING ||
			   next == PROTO_DSTOPTS) {
			next = frame[off];
			off += (frame[off + 1] + 1u) * 8;
		} else {
			break;
		}
	}
	if (off > end)
		return false;
	pkt->tuple.v6 = 1;
	pkt->tuple.proto = next;
	memcpy(pkt->tuple.src, ip + 8, 16);
	memcpy(pkt->tuple.dst, ip + 24, 16);
	pkt->l4 = off;
	pkt->l4_len = end - off;
	return true;
}

/**
 * vdev_packet_parse - find what a frame is
 * @pkt: filled in completely
 * @frame: at least an Ethernet header
 * @len: bytes in the frame
 *
 * A frame whose IP header is damaged counts as one that is not IP.
 */
void vdev_packet_parse(struct vdev_packet *pkt, const u8 *frame, u32 len)
{
	u32 off = VDEV_ETH_HEADER;
	u16 type;

	memset(pkt, 0, sizeof(*pkt));
	pkt->cast = vdev_packet_cast(frame);
	pkt->ptype = PTYPE_MAC_PAY;
	type = vdev_be16(frame + 12);
	for (int tags = 0; tags < 2; tags++) {
		if (type != ETHERTYPE_VLAN && type != ETHERTYPE_SVLAN)
			break;
		if (len < off + 4)
			return;
		type = vdev_be16(frame + off + 2);
		off += 4;
	}
	pkt->l3 = off;
	if (type == ETHERTYPE_IPV4)
		pkt->ip = parse_ipv4(pkt, frame, len);
	else if (type == ETHERTYPE_IPV6)
		pkt->ip = parse_ipv6(pkt, frame, len);
	else if (type == ETHERTYPE_ARP)
		pkt->ptype = PTYPE_MAC_ARP;
	if (!pkt->ip) {
		memset(&pkt->tuple, 0, sizeof(pkt->tuple));
		return;
	}
	parse_ports(pkt, frame);
	pkt->ptype = ip_ptype(pkt);
}

/**
 * vdev_packet_verify - judge the checksums of a parsed frame
 * @pkt: from vdev_packet_parse()
 * @frame: the same frame
 */
void vdev_packet_verify(struct vdev_packet *pkt, const u8 *frame)
{
	const u8 *ip = frame + pkt->l3;
	u8 proto = pkt->tuple.proto;
	u32 sum;

	if (!pkt->ip)
		return;
	if (!pkt->tuple.v6)
		pkt->bad_ip_csum = vdev_csum_fold(vdev_csum_add(0, ip, (ip[0] & 0xf) * 4));
	if (!pkt->ports || (proto != VDEV_PROTO_TCP && proto != VDEV_PROTO_UDP))
		return;
	if (pkt->l4_len < (proto == VDEV_PROTO_TCP ? 20 : 8))
		return;
	pkt->l4_checked = true;
	/* UDP over IPv4 may go without. */
	if (proto == VDEV_PROTO_UDP && !pkt->tuple.v6 && !vdev_be16(frame + pkt->l4 + 6))
		return;
	sum = vdev_csum_pseudo(ip, pkt->tuple.v6, proto, pkt->l4_len);
	pkt->bad_l4_csum = vdev_csum_fold(vdev_csum_add(sum, frame + pkt->l4, pkt->l4_len));
}
