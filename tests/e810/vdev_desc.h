/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptors and queue contexts, between the bits that the driver writes and plain fields.
 *
 * Source of every layout: ice_lan_tx_rx.h and the queue context tables in ice_common.c of
 * the Linux ice driver (6.1; the same in 6.12 and 7.3).
 */
#ifndef VDEV_DESC_H
#define VDEV_DESC_H

#include "vdev_types.h"

#define VDEV_TX_DESC_SIZE	16
#define VDEV_RX_DESC_SIZE	32

enum vdev_tx_dtype {
	VDEV_TX_DATA = 0,
	VDEV_TX_CONTEXT = 1,
	VDEV_TX_FILTER = 8,
	VDEV_TX_DONE = 15,
};

/* Commands of a data descriptor */
#define VDEV_TX_CMD_EOP		0x001
#define VDEV_TX_CMD_RS		0x002
#define VDEV_TX_CMD_L2TAG1	0x008
#define VDEV_TX_CMD_DUMMY	0x010

enum vdev_tx_ip { VDEV_TX_IP_NONE, VDEV_TX_IP_V6, VDEV_TX_IP_V4, VDEV_TX_IP_V4_CSUM };
enum vdev_tx_l4 { VDEV_TX_L4_NONE, VDEV_TX_L4_TCP, VDEV_TX_L4_SCTP, VDEV_TX_L4_UDP };

struct vdev_tx_data {
	u64 address;
	u16 command;
	enum vdev_tx_ip ip;
	enum vdev_tx_l4 l4;
	u16 mac_len;		/* header lengths in bytes */
	u16 ip_len;
	u16 l4_len;
	u16 size;
	u16 l2tag1;
};

#define VDEV_TX_CTX_TSO		0x01

struct vdev_tx_context {
	u8 command;
	u32 tso_len;
	u16 mss;
	bool tunnel;
};

/* Who wants to hear of a filter operation */
enum vdev_fd_report { VDEV_FD_REPORT_NEVER, VDEV_FD_REPORT_FAILURE, VDEV_FD_REPORT_ALWAYS };

/* Which pool a filter is taken from */
enum vdev_fd_space {
	VDEV_FD_SPACE_GUARANTEED,
	VDEV_FD_SPACE_BEST_EFFORT,
	VDEV_FD_SPACE_GUARANTEED_FIRST,
	VDEV_FD_SPACE_BEST_EFFORT_FIRST,
};

/* What is said of a filter operation: nothing, that it failed, that it has no profile */
enum vdev_fd_failure { VDEV_FD_FAILURE_NONE, VDEV_FD_FAILURE, VDEV_FD_FAILURE_PROFILE };

struct vdev_tx_filter {
	u16 queue;
	enum vdev_fd_report report;
	enum vdev_fd_space space;
	u16 counter;
	bool count_packets;
	u8 queue_priority;
	bool drop;
	bool remove;
	u16 vsi;
	u32 id;
};

struct vdev_tx_queue_context {
	u64 base;
	u16 vsi;
	u16 len;
};

struct vdev_rx_queue_context {
	u64 base;
	u16 head;
	u16 len;
	u16 buffer_size;
	bool long_desc;		/* 32-byte descriptors */
};

/* Receive descriptor, written back by builder profile 2 ("flexible NIC") */
#define VDEV_RX_DONE		0x0001
#define VDEV_RX_EOP		0x0002
#define VDEV_RX_L3L4_CHECKED	0x0008
#define VDEV_RX_BAD_IP_CSUM	0x0010
#define VDEV_RX_BAD_L4_CSUM	0x0020
#define VDEV_RX_HASH_VALID	0x1000
#define VDEV_RX_NO_FLOW_ID	0xffffffffu

struct vdev_rx_done {
	u8 cast;
	u16 ptype;
	u16 len;
	u16 status;
	u32 hash;
	u32 flow_id;
};

u64 vdev_bits(const u8 *bytes, unsigned int lsb, unsigned int width);

enum vdev_tx_dtype vdev_tx_dtype(const u64 desc[2]);
void vdev_tx_data_decode(struct vdev_tx_data *data, const u64 desc[2]);
void vdev_tx_context_decode(struct vdev_tx_context *ctx, const u64 desc[2]);
void vdev_tx_filter_decode(struct vdev_tx_filter *filter, const u64 desc[2]);
void vdev_tx_queue_decode(struct vdev_tx_queue_context *ctx, const u8 bytes[22]);
void vdev_rx_queue_decode(struct vdev_rx_queue_context *ctx, const u8 bytes[32]);
void vdev_rx_done_encode(const struct vdev_rx_done *done, u64 desc[4]);
void vdev_fd_status_encode(u32 id, bool remove, enum vdev_fd_failure failure, u64 desc[4]);

#endif /* VDEV_DESC_H */
