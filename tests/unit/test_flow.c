// SPDX-License-Identifier: GPL-2.0-only
/* arfs_flow.h: the key of a flow, and which packets may be steered. */
#include <arpa/inet.h>
#include <stdio.h>

#include "arfs_flow.h"
#include "unit.h"

/* A 5-tuple in host order, from which both families' keys are made. */
struct tuple {
	u8 l4_proto;
	u32 saddr[4];
	u32 daddr[4];
	u16 sport;
	u16 dport;
};

static const struct tuple base = {
	.l4_proto = ARFS_TCP,
	.saddr = { 0x20010db8, 0x00010002, 0x00030004, 0x0a0b0c0d },
	.daddr = { 0x20010db8, 0x00050006, 0x00070008, 0x0e0f1011 },
	.sport = 0x1234,
	.dport = 0x5678,
};

static void words_to_net(__be32 *net, const u32 *host)
{
	int i;

	for (i = 0; i < 4; i++)
		net[i] = htonl(host[i]);
}

static void make_key(struct arfs_flow_key *key, int ip_version, const struct tuple *tuple)
{
	__be32 saddr[4], daddr[4];

	words_to_net(saddr, tuple->saddr);
	words_to_net(daddr, tuple->daddr);
	if (ip_version == ARFS_IPV4)
		arfs_flow_key_ipv4(key, tuple->l4_proto, saddr[0], daddr[0], htons(tuple->sport),
				   htons(tuple->dport));
	else
		arfs_flow_key_ipv6(key, tuple->l4_proto, saddr, daddr, htons(tuple->sport),
				   htons(tuple->dport));
}

static const int versions[2] = { ARFS_IPV4, ARFS_IPV6 };

/* Flip one bit of the tuple; return false when @bit is past the last one. */
static bool flip_bit(struct tuple *tuple, int ip_version, int bit)
{
	int address_bits = ip_version == ARFS_IPV4 ? 32 : 128;

	if (bit < address_bits)
		tuple->saddr[bit / 32] ^= 1U << bit % 32;
	else if (bit < 2 * address_bits)
		tuple->daddr[(bit - address_bits) / 32] ^= 1U << bit % 32;
	else if (bit < 2 * address_bits + 16)
		tuple->sport ^= 1U << (bit - 2 * address_bits);
	else if (bit < 2 * address_bits + 32)
		tuple->dport ^= 1U << (bit - 2 * address_bits - 16);
	else if (bit == 2 * address_bits + 32)
		tuple->l4_proto = ARFS_UDP;
	else
		return false;
	return true;
}

START_TEST(every_bit_of_the_tuple_makes_another_key)
{
	int ip_version = versions[_i];
	struct arfs_flow_key key, other;
	struct tuple tuple;
	int bit;

	make_key(&key, ip_version, &base);
	for (bit = 0; tuple = base, flip_bit(&tuple, ip_version, bit); bit++) {
		make_key(&other, ip_version, &tuple);
		ck_assert_msg(!arfs_flow_key_equal(&key, &other),
			      "IPv%d: expected another key after flipping bit %d, seen the same",
			      ip_version, bit);
	}
	ck_assert_int_eq(bit, ip_version == ARFS_IPV4 ? 97 : 289);
}
END_TEST

START_TEST(the_same_tuple_makes_the_same_key)
{
	struct arfs_flow_key key, other;

	make_key(&key, versions[_i], &base);
	make_key(&other, versions[_i], &base);
	ck_assert(arfs_flow_key_equal(&key, &other));
	ck_assert_mem_eq(&key, &other, sizeof(key));
}
END_TEST

START_TEST(every_byte_of_a_key_is_written)
{
	struct arfs_flow_key over_zeros, over_ones;

	memset(&over_zeros, 0x00, sizeof(over_zeros));
	memset(&over_ones, 0xff, sizeof(over_ones));
	make_key(&over_zeros, versions[_i], &base);
	make_key(&over_ones, versions[_i], &base);
	ck_assert_mem_eq(&over_zeros, &over_ones, sizeof(over_zeros));
}
END_TEST

START_TEST(the_two_directions_of_a_connection_are_two_flows)
{
	struct arfs_flow_key key, reverse;
	struct tuple back = base;

	memcpy(back.saddr, base.daddr, sizeof(back.saddr));
	memcpy(back.daddr, base.saddr, sizeof(back.daddr));
	back.sport = base.dport;
	back.dport = base.sport;
	make_key(&key, versions[_i], &base);
	make_key(&reverse, versions[_i], &back);
	ck_assert(!arfs_flow_key_equal(&key, &reverse));
}
END_TEST

START_TEST(an_ipv4_flow_differs_from_one_between_mapped_addresses)
{
	const __be32 mapped_saddr[4] = { 0, 0, htonl(0xffff), htonl(0xc0000201) };
	const __be32 mapped_daddr[4] = { 0, 0, htonl(0xffff), htonl(0xc0000202) };
	struct arfs_flow_key ipv4, mapped;

	arfs_flow_key_ipv4(&ipv4, ARFS_TCP, mapped_saddr[3], mapped_daddr[3], htons(1), htons(2));
	arfs_flow_key_ipv6(&mapped, ARFS_TCP, mapped_saddr, mapped_daddr, htons(1), htons(2));
	ck_assert(!arfs_flow_key_equal(&ipv4, &mapped));
}
END_TEST

/* The only IPv6 addresses with the words of an IPv4 key: the version must tell them apart. */
START_TEST(an_ipv4_flow_differs_from_an_ipv6_flow_with_the_same_words)
{
	const __be32 saddr[4] = { htonl(0xc0000201) };
	const __be32 daddr[4] = { htonl(0xc0000202) };
	struct arfs_flow_key ipv4, ipv6;

	arfs_flow_key_ipv4(&ipv4, ARFS_UDP, saddr[0], daddr[0], htons(1), htons(2));
	arfs_flow_key_ipv6(&ipv6, ARFS_UDP, saddr, daddr, htons(1), htons(2));
	ck_assert(!arfs_flow_key_equal(&ipv4, &ipv6));
	ck_assert_int_eq(ipv4.ip_version, ARFS_IPV4);
	ck_assert_int_eq(ipv6.ip_version, ARFS_IPV6);
}
END_TEST

START_TEST(a_key_holds_addresses_and_ports_in_network_order)
{
	static const u8 ports[4] = { 0x12, 0x34, 0x56, 0x78 };
	static const u8 saddr[16] = {
		0x20, 0x01, 0x0d, 0xb8, 0, 1, 0, 2, 0, 3, 0, 4, 0x0a, 0x0b, 0x0c, 0x0d
	};
	struct arfs_flow_key key;

	make_key(&key, ARFS_IPV6, &base);
	ck_assert_mem_eq(key.saddr, saddr, sizeof(saddr));
	ck_assert_mem_eq(&key.sport, ports, 2);
	ck_assert_mem_eq(&key.dport, ports + 2, 2);
	make_key(&key, ARFS_IPV4, &base);
	ck_assert_mem_eq(key.saddr, saddr, 4);
	ck_assert_mem_eq(&key.sport, ports, 2);
	ck_assert_mem_eq(&key.dport, ports + 2, 2);
}
END_TEST

START_TEST(a_port_and_its_byte_swapped_twin_are_two_flows)
{
	struct arfs_flow_key key, swapped;
	struct tuple tuple = base;

	tuple.sport = 0x3412;
	make_key(&key, versions[_i], &base);
	make_key(&swapped, versions[_i], &tuple);
	ck_assert(!arfs_flow_key_equal(&key, &swapped));
}
END_TEST

START_TEST(a_key_is_a_whole_number_of_words)
{
	ck_assert_uint_eq(ARFS_FLOW_KEY_WORDS * sizeof(u32), sizeof(struct arfs_flow_key));
}
END_TEST

#define STEERABLE4	.ip_version = ARFS_IPV4, .l4_proto = ARFS_TCP
#define STEERABLE6	.ip_version = ARFS_IPV6, .l4_proto = ARFS_TCP, .ipv6_next = ARFS_TCP

static const struct {
	const char *name;
	struct arfs_packet_facts facts;
	enum arfs_packet verdict;
} packets[] = {
	{ "TCP over IPv4", { STEERABLE4 }, ARFS_PACKET_STEERABLE },
	{ "UDP over IPv4", { .ip_version = 4, .l4_proto = 17 }, ARFS_PACKET_STEERABLE },
	{ "TCP over IPv6", { STEERABLE6 }, ARFS_PACKET_STEERABLE },
	{ "UDP over IPv6", { .ip_version = 6, .l4_proto = 17, .ipv6_next = 17 },
	  ARFS_PACKET_STEERABLE },
	/* The field is another header's byte in an IPv4 packet and must not count. */
	{ "IPv4, stray next header", { STEERABLE4, .ipv6_next = 44 }, ARFS_PACKET_STEERABLE },

	{ "neither IPv4 nor IPv6", { .ip_version = 0, .l4_proto = 6 }, ARFS_PACKET_NOT_IP },
	{ "IP version 5", { .ip_version = 5, .l4_proto = 6 }, ARFS_PACKET_NOT_IP },

	{ "ICMP over IPv4", { .ip_version = 4, .l4_proto = 1 }, ARFS_PACKET_NOT_L4 },
	{ "SCTP over IPv4", { .ip_version = 4, .l4_proto = 132 }, ARFS_PACKET_NOT_L4 },
	{ "ICMPv6", { .ip_version = 6, .l4_proto = 58, .ipv6_next = 58 }, ARFS_PACKET_NOT_L4 },
	{ "no next header", { .ip_version = 6, .l4_proto = 59, .ipv6_next = 59 },
	  ARFS_PACKET_NOT_L4 },
	{ "SCTP over IPv6", { .ip_version = 6, .l4_proto = 132, .ipv6_next = 132 },
	  ARFS_PACKET_NOT_L4 },

	{ "TCP in a tunnel, IPv4", { STEERABLE4, .tunnel = true }, ARFS_PACKET_TUNNEL },
	{ "TCP in a tunnel, IPv6", { STEERABLE6, .tunnel = true }, ARFS_PACKET_TUNNEL },

	{ "IPv4 fragment", { STEERABLE4, .fragment = true }, ARFS_PACKET_FRAGMENT },
	{ "IPv6 fragment", { .ip_version = 6, .l4_proto = 17, .ipv6_next = 44, .fragment = true },
	  ARFS_PACKET_FRAGMENT },

	{ "hop-by-hop options", { .ip_version = 6, .l4_proto = 6, .ipv6_next = 0 },
	  ARFS_PACKET_EXTENDED },
	{ "routing header", { .ip_version = 6, .l4_proto = 6, .ipv6_next = 43 },
	  ARFS_PACKET_EXTENDED },
	{ "destination options", { .ip_version = 6, .l4_proto = 17, .ipv6_next = 60 },
	  ARFS_PACKET_EXTENDED },
	{ "atomic fragment", { .ip_version = 6, .l4_proto = 17, .ipv6_next = 44 },
	  ARFS_PACKET_EXTENDED },

	{ "VLAN tag in the frame, IPv4", { STEERABLE4, .in_band_vlan = true }, ARFS_PACKET_VLAN },
	{ "VLAN tag in the frame, IPv6", { STEERABLE6, .in_band_vlan = true }, ARFS_PACKET_VLAN },
};

#define PACKETS	(sizeof(packets) / sizeof(packets[0]))

START_TEST(each_kind_of_packet_is_classified)
{
	enum arfs_packet seen = arfs_packet_classify(&packets[_i].facts);

	ck_assert_msg(seen == packets[_i].verdict, "%s: expected verdict %d, seen %d",
		      packets[_i].name, packets[_i].verdict, seen);
}
END_TEST

/* Whatever a packet is, only these 4 combinations of values may pass. */
START_TEST(nothing_else_is_steerable)
{
	unsigned int version, proto, next, flags, steerable = 0;

	for (version = 0; version < 16; version++)
		for (proto = 0; proto < 256; proto++)
			for (next = 0; next < 256; next++)
				for (flags = 0; flags < 8; flags++) {
					struct arfs_packet_facts facts = {
						.ip_version = version,
						.l4_proto = proto,
						.ipv6_next = next,
						.in_band_vlan = flags & 1,
						.tunnel = flags & 2,
						.fragment = flags & 4,
					};

					steerable += arfs_packet_classify(&facts) ==
						     ARFS_PACKET_STEERABLE;
				}
	/* IPv4: two protocols with any next-header byte; IPv6: two with their own. */
	ck_assert_uint_eq(steerable, 2 * 256 + 2);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("flow");
	TCase *keys = tcase_create("keys");
	TCase *classes = tcase_create("packets");

	tcase_add_loop_test(keys, every_bit_of_the_tuple_makes_another_key, 0, 2);
	tcase_add_loop_test(keys, the_same_tuple_makes_the_same_key, 0, 2);
	tcase_add_loop_test(keys, every_byte_of_a_key_is_written, 0, 2);
	tcase_add_loop_test(keys, the_two_directions_of_a_connection_are_two_flows, 0, 2);
	tcase_add_test(keys, an_ipv4_flow_differs_from_one_between_mapped_addresses);
	tcase_add_test(keys, an_ipv4_flow_differs_from_an_ipv6_flow_with_the_same_words);
	tcase_add_test(keys, a_key_holds_addresses_and_ports_in_network_order);
	tcase_add_loop_test(keys, a_port_and_its_byte_swapped_twin_are_two_flows, 0, 2);
	tcase_add_test(keys, a_key_is_a_whole_number_of_words);
	suite_add_tcase(suite, keys);

	tcase_add_loop_test(classes, each_kind_of_packet_is_classified, 0, PACKETS);
	tcase_add_test(classes, nothing_else_is_steerable);
	suite_add_tcase(suite, classes);
	return unit_run(suite);
}
