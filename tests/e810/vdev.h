/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of one virtual E810 and the calls between its parts. */
#ifndef VDEV_H
#define VDEV_H

#include "vdev_adminq.h"
#include "vdev_dma.h"
#include "vdev_fault.h"
#include "vdev_fdir.h"
#include "vdev_filter_log.h"
#include "vdev_flows.h"
#include "vdev_packet.h"
#include "vdev_regs.h"
#include "vdev_reports.h"
#include "vdev_toeplitz.h"
#include "vdev_types.h"
#include "vdev_vfio_user.h"
#include "vdev_wire.h"

#define VDEV_MAX_QUEUES		256
#define VDEV_MAX_VECTORS	(VDEV_MAX_QUEUES + 8)
#define VDEV_MAX_VSIS		768
#define VDEV_RX_HOLD_NS		200000000ull
#define VDEV_NO_VSI		0xffff
#define VDEV_BAR0_SIZE		(32u << 20)
#define VDEV_BAR3_SIZE		(64u << 10)
#define VDEV_CONFIG_SIZE	4096
#define VDEV_SCHED_NODES	4096

enum vdev_reset_state { VDEV_RUNNING, VDEV_RESET_REQUESTED, VDEV_RESETTING };

struct vdev_txq {
	bool enabled;
	bool pending;		/* the doorbell rang, descriptors wait */
	u64 base;
	u16 len;
	u16 head;
	u16 vsi;
	u32 node;
};

struct vdev_rxq {
	bool enabled;
	bool given_up;		/* full for so long that frames are dropped */
	u64 base;
	u16 len;
	u16 head;
	u16 buffer_size;
};

struct vdev_vsi {
	bool used;
	u32 order;		/* when it was added */
	struct vdev_aq_vsi_props props;
	u8 key[VDEV_RSS_KEY_SIZE];
	u8 lut[VDEV_RSS_LUT_SIZE];
	u16 lut_size;
};

struct vdev_vector {
	int fd;			/* eventfd, -1 when nobody listens */
	bool cause;		/* something happened while it was masked */
	bool signal;		/* to be signalled at the end of this round */
};

struct vdev_package {
	bool loaded;
	u8 version[4];
	char name[28];
	u32 track_id;
};

struct vdev_counters {
	u64 adds;
	u64 moves;
	u64 deletes;
	u64 failed;
	u64 flushed;
	u64 status_lost;
	u64 rx_packets;
	u64 rx_bytes;
	u64 rx_dropped;
	u64 rx_held;
	u64 tx_packets;
	u64 tx_bytes;
	u64 tx_dropped;
	u64 tx_bad;
	u64 fdir_hits;
	u64 resets;
	u64 aq_commands;
	u64 aq_unknown;
};

/**
 * struct vdev - the device
 * @vfu: server that the guest's MMIO comes through
 * @config: PCI configuration space
 * @regs: BAR 0
 * @bar3: BAR 3, the MSI-X table; QEMU keeps its own, this only answers
 * @num_queues: Rx and Tx queues that the device has
 * @vector: interrupt vectors
 * @num_vectors: how many
 * @txq: transmit queues
 * @rxq: receive queues
 * @vsi: virtual station interfaces, by number
 * @vsis_added: counts additions, for @vsi[].order
 * @main_vsi: the one that receives from the wire, VDEV_NO_VSI when there is none
 * @sched: elements of the Tx scheduler tree, by id
 * @resources: which ids of each resource type are given out
 * @next_rule: next switch rule index
 * @package: DDP package
 * @flash: NVM image
 * @flash_size: its length
 * @link_up: what the link reports
 * @link_events: whether link status events were asked for
 * @rx_held_since: when the wire began to wait for a full ring, 0 when it does not
 * @reset_state: whether a core reset is under way, and how far
 * @reset_next_at: when it goes on at the latest, in vdev_now() time
 * @fdir: Flow Director table
 * @flows: deliveries by flow
 * @filter_log: filter operations
 * @fault: faults to inject
 * @reports: reports of filter operations
 * @wire: the cable
 * @count: what the model itself counts
 */
struct vdev {
	struct vdev_vfu vfu;
	u8 config[VDEV_CONFIG_SIZE];
	u32 *regs;
	u8 bar3[VDEV_BAR3_SIZE];
	u32 num_queues;
	struct vdev_vector vector[VDEV_MAX_VECTORS];
	u32 num_vectors;
	struct vdev_txq txq[VDEV_MAX_QUEUES];
	struct vdev_rxq rxq[VDEV_MAX_QUEUES];
	struct vdev_vsi vsi[VDEV_MAX_VSIS];
	u32 vsis_added;
	u16 main_vsi;
	struct vdev_aq_sched_node sched[VDEV_SCHED_NODES];
	u8 resources[VDEV_AQ_RES_TYPES][VDEV_AQ_RES_IDS / 8];
	u16 next_rule;
	struct vdev_package package;
	u8 *flash;
	u32 flash_size;
	bool link_up;
	bool link_events;
	u64 rx_held_since;
	enum vdev_reset_state reset_state;
	u64 reset_next_at;
	struct vdev_fdir fdir;
	struct vdev_flows flows;
	struct vdev_filter_log filter_log;
	struct vdev_fault fault;
	struct vdev_reports reports;
	struct vdev_wire wire;
	struct vdev_counters count;
};

/* Whether the device is dead to the driver. Between request and reset it still works. */
static inline bool vdev_in_reset(const struct vdev *dev)
{
	return dev->reset_state == VDEV_RESETTING;
}

static inline u32 *vdev_reg(struct vdev *dev, u32 offset)
{
	return &dev->regs[offset / 4];
}

/* vdev_device.c: life of the device */
int vdev_device_init(struct vdev *dev, u32 num_queues, u32 num_filters);
void vdev_device_free(struct vdev *dev);

/* vdev_pci.c: configuration space */
void vdev_pci_init(struct vdev *dev);
void vdev_pci_write(struct vdev *dev, u32 off, const u8 *data, u32 len);

/* vdev_mmio.c: registers */
void vdev_mmio_init(struct vdev *dev);
u32 vdev_mmio_read(struct vdev *dev, u32 off);
void vdev_mmio_write(struct vdev *dev, u32 off, u32 value);

/* vdev_irq.c: interrupts */
void vdev_irq_set_fd(struct vdev *dev, u32 vector, int fd);
void vdev_irq_cause(struct vdev *dev, u32 cause_reg);
void vdev_irq_dyn_ctl(struct vdev *dev, u32 vector, u32 value);
void vdev_irq_oicr(struct vdev *dev, u32 bits);
void vdev_irq_flush(struct vdev *dev);
void vdev_irq_reset(struct vdev *dev);

/* vdev_reset.c: resets */
enum vdev_reset { VDEV_RESET_FUNCTION, VDEV_RESET_CORE = 1, VDEV_RESET_GLOBAL, VDEV_RESET_EMP };
void vdev_reset_function(struct vdev *dev, const char *why);
void vdev_reset_core(struct vdev *dev, enum vdev_reset type);
void vdev_reset_tick(struct vdev *dev);

/* vdev_tx.c, vdev_rx.c: data path */
void vdev_tx_doorbell(struct vdev *dev, u32 queue);
void vdev_tx_service(struct vdev *dev);
void vdev_rx_enable(struct vdev *dev, u32 queue, bool enable);
bool vdev_rx_frame(struct vdev *dev, const u8 *frame, u32 len);
bool vdev_rx_write_status(struct vdev *dev, u32 queue, const u64 desc[4]);
u32 vdev_vsi_queue(const struct vdev *dev, u16 vsi, u32 relative);
u32 vdev_vsi_num_queues(const struct vdev *dev, u16 vsi);

/* vdev_fdir_prog.c: programming Flow Director */
void vdev_fdir_program(struct vdev *dev, u16 queue_vsi, const u64 desc[2], const u8 *dummy,
		       u32 len);
void vdev_fdir_publish(struct vdev *dev);

/* vdev_stats.c: statistics registers */
void vdev_stats_rx_port(struct vdev *dev, const u8 *frame, u32 len);
void vdev_stats_rx_vsi(struct vdev *dev, u16 vsi, enum vdev_cast cast, u32 len);
void vdev_stats_rx_vsi_dropped(struct vdev *dev, u16 vsi);
void vdev_stats_tx(struct vdev *dev, u16 vsi, const u8 *frame, u32 len);
void vdev_stats_tx_link_down(struct vdev *dev);
void vdev_stats_add(struct vdev *dev, u32 reg, u64 amount);
void vdev_stats_clear(struct vdev *dev);

/* vdev_link.c: link state */
void vdev_link_set(struct vdev *dev, bool up);

/* vdev_flash.c: NVM image */
int vdev_flash_init(struct vdev *dev);

#endif /* VDEV_H */
