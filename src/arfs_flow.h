/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The identity of a flow: its 5-tuple as seen on receive.
 *
 * Two packets belong to one flow when, and only when, the bytes of their keys are equal. A key is
 * built by the functions below and by nothing else: they write every byte of it.
 *
 * Pure: no locks, no allocation, no globals. Compiled into the driver and into the unit tests.
 */
#ifndef ARFS_FLOW_H
#define ARFS_FLOW_H

#include <linux/types.h>
#include <linux/build_bug.h>
#include <linux/string.h>

/* Values of struct arfs_flow_key.ip_version: version field of the IP header (RFC 791, RFC 8200). */
#define ARFS_IPV4	4
#define ARFS_IPV6	6

/* Values of struct arfs_flow_key.l4_proto (IANA protocol numbers). */
#define ARFS_TCP	6
#define ARFS_UDP	17

/**
 * struct arfs_flow_key - 5-tuple of a flow
 * @saddr: source address; an IPv4 address is in the first word and the others are 0
 * @daddr: destination address, in the same form
 * @sport: source port
 * @dport: destination port
 * @l4_proto: ARFS_TCP or ARFS_UDP
 * @ip_version: ARFS_IPV4 or ARFS_IPV6; keeps an IPv4 flow apart from one between mapped addresses
 * @zero: always 0, so that no byte of the key is padding
 */
struct arfs_flow_key {
	__be32 saddr[4];
	__be32 daddr[4];
	__be16 sport;
	__be16 dport;
	u8 l4_proto;
	u8 ip_version;
	u16 zero;
};

#define ARFS_FLOW_KEY_WORDS	(sizeof(struct arfs_flow_key) / sizeof(u32))
static_assert(sizeof(struct arfs_flow_key) == 40, "a flow key has no padding");

/**
 * arfs_flow_key_ipv4() - build the key of an IPv4 flow
 * @key: written as a whole
 * @l4_proto: ARFS_TCP or ARFS_UDP
 * @saddr: source address
 * @daddr: destination address
 * @sport: source port
 * @dport: destination port
 *
 * Context: any.
 */
static inline void arfs_flow_key_ipv4(struct arfs_flow_key *key, u8 l4_proto, __be32 saddr,
				      __be32 daddr, __be16 sport, __be16 dport)
{
	memset(key, 0, sizeof(*key));
	key->saddr[0] = saddr;
	key->daddr[0] = daddr;
	key->sport = sport;
	key->dport = dport;
	key->l4_proto = l4_proto;
	key->ip_version = ARFS_IPV4;
}

/**
 * arfs_flow_key_ipv6() - build the key of an IPv6 flow
 * @key: written as a whole
 * @l4_proto: ARFS_TCP or ARFS_UDP
 * @saddr: source address, four words in network order
 * @daddr: destination address, likewise
 * @sport: source port
 * @dport: destination port
 *
 * Context: any.
 */
static inline void arfs_flow_key_ipv6(struct arfs_flow_key *key, u8 l4_proto, const __be32 *saddr,
				      const __be32 *daddr, __be16 sport, __be16 dport)
{
	memset(key, 0, sizeof(*key));
	memcpy(key->saddr, saddr, sizeof(key->saddr));
	memcpy(key->daddr, daddr, sizeof(key->daddr));
	key->sport = sport;
	key->dport = dport;
	key->l4_proto = l4_proto;
	key->ip_version = ARFS_IPV6;
}

/**
 * arfs_flow_key_equal() - do two keys name the same flow?
 * @a: one key
 * @b: the other
 *
 * Context: any.
 * Return: true when all five parts and the IP version are equal.
 */
static inline bool arfs_flow_key_equal(const struct arfs_flow_key *a, const struct arfs_flow_key *b)
{
	return !memcmp(a, b, sizeof(*a));
}

/**
 * enum arfs_protocol - protocols that are steered
 * @ARFS_TCP4: TCP over IPv4
 * @ARFS_TCP6: TCP over IPv6
 * @ARFS_UDP4: UDP over IPv4
 * @ARFS_UDP6: UDP over IPv6
 */
enum arfs_protocol {
	ARFS_TCP4,
	ARFS_TCP6,
	ARFS_UDP4,
	ARFS_UDP6,
	ARFS_PROTOCOLS
};

/** arfs_flow_key_protocol() - protocol of a flow; any context. */
static inline enum arfs_protocol arfs_flow_key_protocol(const struct arfs_flow_key *key)
{
	if (key->ip_version == ARFS_IPV4)
		return key->l4_proto == ARFS_TCP ? ARFS_TCP4 : ARFS_UDP4;
	return key->l4_proto == ARFS_TCP ? ARFS_TCP6 : ARFS_UDP6;
}

/**
 * enum arfs_packet - what a packet is to exact 5-tuple steering
 * @ARFS_PACKET_STEERABLE: whole TCP or UDP packet directly over IPv4 or IPv6
 * @ARFS_PACKET_NOT_IP: neither IPv4 nor IPv6
 * @ARFS_PACKET_NOT_L4: not TCP, not UDP
 * @ARFS_PACKET_TUNNEL: the 5-tuple is that of an inner header; the device matches the outer one
 * @ARFS_PACKET_FRAGMENT: an IP fragment; all but the first carry no ports
 * @ARFS_PACKET_EXTENDED: IPv6 extension headers; whether the device looks past them is not known
 * @ARFS_PACKET_VLAN: the VLAN tag is still in the frame and is no part of the device's match
 */
enum arfs_packet {
	ARFS_PACKET_STEERABLE,
	ARFS_PACKET_NOT_IP,
	ARFS_PACKET_NOT_L4,
	ARFS_PACKET_TUNNEL,
	ARFS_PACKET_FRAGMENT,
	ARFS_PACKET_EXTENDED,
	ARFS_PACKET_VLAN,
	ARFS_PACKET_KINDS
};

/**
 * struct arfs_packet_facts - what the dissector and the headers say of a packet
 * @ip_version: ARFS_IPV4, ARFS_IPV6, or 0 for anything else
 * @l4_proto: protocol that the dissector ended on
 * @ipv6_next: the next-header field of the fixed IPv6 header; meaningful for IPv6 only
 * @in_band_vlan: the frame still carries its VLAN tag
 * @tunnel: the dissector went into an inner header, of a tunnel over IP or of PPPoE
 * @fragment: the packet is an IP fragment
 */
struct arfs_packet_facts {
	u8 ip_version;
	u8 l4_proto;
	u8 ipv6_next;
	bool in_band_vlan;
	bool tunnel;
	bool fragment;
};

/**
 * arfs_packet_classify() - may this packet's flow have a hardware filter?
 * @facts: what is known of the packet
 *
 * Context: any.
 * Return: ARFS_PACKET_STEERABLE, or the first reason against it.
 */
static inline enum arfs_packet arfs_packet_classify(const struct arfs_packet_facts *facts)
{
	if (facts->in_band_vlan)
		return ARFS_PACKET_VLAN;
	if (facts->tunnel)
		return ARFS_PACKET_TUNNEL;
	if (facts->ip_version != ARFS_IPV4 && facts->ip_version != ARFS_IPV6)
		return ARFS_PACKET_NOT_IP;
	if (facts->fragment)
		return ARFS_PACKET_FRAGMENT;
	if (facts->l4_proto != ARFS_TCP && facts->l4_proto != ARFS_UDP)
		return ARFS_PACKET_NOT_L4;
	if (facts->ip_version == ARFS_IPV6 && facts->ipv6_next != facts->l4_proto)
		return ARFS_PACKET_EXTENDED;
	return ARFS_PACKET_STEERABLE;
}

#endif /* ARFS_FLOW_H */
