// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_offload.h"

#include <errno.h>
#include <string.h>

#include "vdev_packet.h"

#define TCP_FLAGS		13
#define TCP_FIN			0x01
#define TCP_PSH			0x08
#define TCP_CWR			0x80

static u8 l4_proto(enum vdev_tx_l4 l4)
{
	switch (l4) {
	case VDEV_TX_L4_TCP:
		return VDEV_PROTO_TCP;
	case VDEV_TX_L4_UDP:
		return VDEV_PROTO_UDP;
	default:
		return 0;
	}
}

static void fill_ip_csum(u8 *ip, u32 len)
{
	vdev_put_be16(ip + 10, 0);
	vdev_put_be16(ip + 10, vdev_csum_fold(vdev_csum_add(0, ip, len)));
}

/* Bytes above the IP header; a frame may be padded past the end of its datagram. */
static u32 l4_bytes(const u8 *frame, u32 len, const struct vdev_offload *off)
{
	const u8 *ip = frame + off->mac_len;
	u32 rest = len - off->mac_len - off->ip_len;
	u32 said;

	if (off->ip == VDEV_TX_IP_V6)
		said = vdev_be16(ip + 4) + 40u;
	else
		said = vdev_be16(ip + 2);
	if (said < off->ip_len || said - off->ip_len > rest)
		return rest;
	return said - off->ip_len;
}

/* The whole sum is made anew, whatever the driver left in the field. */
static void fill_l4_csum(u8 *frame, u32 len, const struct vdev_offload *off)
{
	u32 bytes = l4_bytes(frame, len, off);
	u32 l4 = off->mac_len + off->ip_len;
	u8 proto = l4_proto(off->l4);
	u8 *field = frame + l4 + (proto == VDEV_PROTO_TCP ? 16 : 6);
	u32 sum;
	u16 csum;

	vdev_put_be16(field, 0);
	sum = vdev_csum_pseudo(frame + off->mac_len, off->ip == VDEV_TX_IP_V6, proto, bytes);
	csum = vdev_csum_fold(vdev_csum_add(sum, frame + l4, bytes));
	if (!csum && proto == VDEV_PROTO_UDP)
		csum = 0xffff;
	vdev_put_be16(field, csum);
}

/* Whether the header lengths that the driver gave fit the frame. */
static bool sane(u32 len, const struct vdev_offload *off)
{
	u32 ip_min = off->ip == VDEV_TX_IP_V6 ? 40 : 20;
	u32 l4_min = off->l4 == VDEV_TX_L4_TCP ? 20 : 8;
	u32 headers = off->mac_len + off->ip_len + off->l4_len;

	if (len < VDEV_ETH_HEADER)
		return false;
	if (off->vlan && len < 12)
		return false;
	if (off->ip != VDEV_TX_IP_NONE &&
	    (off->mac_len < VDEV_ETH_HEADER || off->ip_len < ip_min ||
	     (u32)off->mac_len + off->ip_len > len))
		return false;
	if (l4_proto(off->l4) &&
	    (off->ip == VDEV_TX_IP_NONE || (u32)off->mac_len + off->ip_len + l4_min > len))
		return false;
	if (off->mss && (!l4_proto(off->l4) || off->l4_len < l4_min ||
			 headers + off->mss > VDEV_FRAME_ROOM))
		return false;
	return true;
}

static void send_tagged(const u8 *frame, u32 len, const struct vdev_offload *off,
			vdev_offload_fn send, void *arg)
{
	static u8 tagged[VDEV_OFFLOAD_MAX_FRAME + 4];

	if (!off->vlan) {
		send(arg, frame, len);
		return;
	}
	memcpy(tagged, frame, 12);
	vdev_put_be16(tagged + 12, 0x8100);
	vdev_put_be16(tagged + 14, off->vlan_tag);
	memcpy(tagged + 16, frame + 12, len - 12);
	send(arg, tagged, len + 4);
}

/* Make the headers of one segment right. @seg holds copied headers and its payload. */
static void fix_segment(u8 *seg, u32 len, u32 offset, u32 index, bool last,
			const struct vdev_offload *off)
{
	u8 *ip = seg + off->mac_len;
	u8 *l4 = ip + off->ip_len;

	if (off->ip == VDEV_TX_IP_V6) {
		vdev_put_be16(ip + 4, len - off->mac_len - 40);
	} else {
		vdev_put_be16(ip + 2, len - off->mac_len);
		vdev_put_be16(ip + 4, vdev_be16(ip + 4) + index);
		fill_ip_csum(ip, off->ip_len);
	}
	if (off->l4 == VDEV_TX_L4_TCP) {
		vdev_put_be32(l4 + 4, vdev_be32(l4 + 4) + offset);
		if (!last)
			l4[TCP_FLAGS] &= ~(TCP_FIN | TCP_PSH);
		if (index)
			l4[TCP_FLAGS] &= ~TCP_CWR;
	} else {
		vdev_put_be16(l4 + 4, len - off->mac_len - off->ip_len);
	}
	fill_l4_csum(seg, len, off);
}

static void segment(const u8 *frame, u32 len, const struct vdev_offload *off,
		    vdev_offload_fn send, void *arg)
{
	u32 headers = off->mac_len + off->ip_len + off->l4_len;
	u32 payload = len - headers;
	static u8 seg[VDEV_FRAME_ROOM];

	for (u32 done = 0, index = 0; done < payload; done += off->mss, index++) {
		u32 part = payload - done < off->mss ? payload - done : off->mss;

		memcpy(seg, frame, headers);
		memcpy(seg + headers, frame + headers + done, part);
		fix_segment(seg, headers + part, done, index, done + part == payload, off);
		send_tagged(seg, headers + part, off, send, arg);
	}
}

/**
 * vdev_offload - finish a frame as its descriptors ask and send what becomes of it
 * @frame: the frame; its checksums are filled in place
 * @len: its length, at most VDEV_OFFLOAD_MAX_FRAME
 * @off: what the descriptors ask for
 * @send: called for each frame that leaves
 * @arg: first argument of @send
 *
 * Return: 0, or -EINVAL (and nothing sent) when the descriptors contradict the frame, which
 * silicon answers with a malicious driver event.
 */
int vdev_offload(u8 *frame, u32 len, const struct vdev_offload *off, vdev_offload_fn send,
		 void *arg)
{
	u32 headers = off->mac_len + off->ip_len + off->l4_len;

	if (len > VDEV_OFFLOAD_MAX_FRAME || !sane(len, off))
		return -EINVAL;
	if (off->mss && headers < len) {
		segment(frame, len, off, send, arg);
		return 0;
	}
	if (off->ip == VDEV_TX_IP_V4_CSUM)
		fill_ip_csum(frame + off->mac_len, off->ip_len);
	if (l4_proto(off->l4))
		fill_l4_csum(frame, len, off);
	send_tagged(frame, len, off, send, arg);
	return 0;
}
