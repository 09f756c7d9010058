/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tracepoints of the aRFS engine, in the driver's trace system: events/ice/ice_arfs_*.
 *
 * An IPv4 address is shown as an IPv4-mapped IPv6 address, so that one format serves both.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM ice

#if !defined(ICE_ARFS_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define ICE_ARFS_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>
#include <net/ipv6.h>

#include "arfs_flow.h"

#ifndef ICE_ARFS_TRACE_ADDRESS
#define ICE_ARFS_TRACE_ADDRESS
static inline void ice_arfs_trace_address(struct in6_addr *to, const __be32 *from, u8 ip_version)
{
	if (ip_version == ARFS_IPV4)
		ipv6_addr_set_v4mapped(from[0], to);
	else
		memcpy(to, from, sizeof(*to));
}
#endif

DECLARE_EVENT_CLASS(ice_arfs_filter,
	TP_PROTO(const struct net_device *netdev, const struct arfs_flow_key *key, u16 rxq, u16 id,
		 int error),
	TP_ARGS(netdev, key, rxq, id, error),
	TP_STRUCT__entry(
		__array(char, name, IFNAMSIZ)
		__array(u8, saddr, sizeof(struct in6_addr))
		__array(u8, daddr, sizeof(struct in6_addr))
		__field(u16, sport)
		__field(u16, dport)
		__field(u16, rxq)
		__field(u16, id)
		__field(int, error)
		__field(u8, l4_proto)
	),
	TP_fast_assign(
		strscpy(__entry->name, netdev->name, IFNAMSIZ);
		ice_arfs_trace_address((struct in6_addr *)__entry->saddr, key->saddr,
				       key->ip_version);
		ice_arfs_trace_address((struct in6_addr *)__entry->daddr, key->daddr,
				       key->ip_version);
		__entry->sport = be16_to_cpu(key->sport);
		__entry->dport = be16_to_cpu(key->dport);
		__entry->rxq = rxq;
		__entry->id = id;
		__entry->error = error;
		__entry->l4_proto = key->l4_proto;
	),
	TP_printk("%s %s [%pI6c]:%u > [%pI6c]:%u queue %u id %u error %d",
		  __entry->name, __entry->l4_proto == ARFS_TCP ? "tcp" : "udp",
		  __entry->saddr, __entry->sport, __entry->daddr, __entry->dport,
		  __entry->rxq, __entry->id, __entry->error)
);

#define ICE_ARFS_EVENT(name)								\
DEFINE_EVENT(ice_arfs_filter, name,							\
	TP_PROTO(const struct net_device *netdev, const struct arfs_flow_key *key, u16 rxq,	\
		 u16 id, int error),							\
	TP_ARGS(netdev, key, rxq, id, error))

ICE_ARFS_EVENT(ice_arfs_add);
ICE_ARFS_EVENT(ice_arfs_move);
ICE_ARFS_EVENT(ice_arfs_delete);
ICE_ARFS_EVENT(ice_arfs_fail);
ICE_ARFS_EVENT(ice_arfs_refuse);

#endif /* ICE_ARFS_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE ice_arfs_trace
#include <trace/define_trace.h>
