/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register offsets in BAR 0 of the E810, and the bits that the model acts on.
 *
 * Source of every offset and bit unless a line says otherwise: the register list
 * ice_hw_autogen.h of the Linux ice driver (6.1; same values in 6.12 and 7.3), which
 * mirrors the "Device Registers" chapter of the Intel Ethernet Controller E810 datasheet.
 */
#ifndef VDEV_REGS_H
#define VDEV_REGS_H

/* Admin queue: ATQ carries commands, ARQ events */
#define E810_PF_FW_ATQBAL		0x00080000
#define E810_PF_FW_ARQBAL		0x00080080
#define E810_PF_FW_ATQBAH		0x00080100
#define E810_PF_FW_ARQBAH		0x00080180
#define E810_PF_FW_ATQLEN		0x00080200
#define E810_PF_FW_ARQLEN		0x00080280
#define E810_PF_FW_ATQH			0x00080300
#define E810_PF_FW_ARQH			0x00080380
#define E810_PF_FW_ATQT			0x00080400
#define E810_PF_FW_ARQT			0x00080480
#define   E810_CTLQ_LEN_MASK		0x3ff
#define   E810_CTLQ_LEN_OVERFLOW	(1u << 29)
#define   E810_CTLQ_LEN_CRITICAL	(1u << 30)
#define   E810_CTLQ_LEN_ENABLE		(1u << 31)

/* Mailbox and sideband queues: nobody answers on them, tail is mirrored into head */
#define E810_PF_MBX_ATQBAL		0x0022e100
#define E810_PF_MBX_ATQH		0x0022e280
#define E810_PF_MBX_ATQT		0x0022e300
#define E810_PF_MBX_ARQT		0x0022e580
#define E810_PF_SB_ATQBAL		0x0022fc00
#define E810_PF_SB_ATQH			0x0022fd80
#define E810_PF_SB_ATQT			0x0022fe00
#define E810_PF_SB_ARQT			0x00230080

/* Resets and firmware state */
#define E810_PFGEN_CTRL			0x00091000
#define   E810_PFGEN_CTRL_PFSWR		(1u << 0)
#define E810_GLGEN_RSTCTL		0x000b8180
#define   E810_RSTCTL_DELAY_MASK	0x3f	/* in units of 100 ms */
#define E810_GLGEN_RSTAT		0x000b8188
#define   E810_RSTAT_DEVSTATE_MASK	3u
#define   E810_RSTAT_REQUESTED		1u
#define   E810_RSTAT_IN_PROGRESS	2u
#define   E810_RSTAT_TYPE_SHIFT		2
#define E810_GLGEN_RTRIG		0x000b8190
#define   E810_RTRIG_CORER		(1u << 0)
#define   E810_RTRIG_GLOBR		(1u << 1)
#define   E810_RTRIG_EMPR		(1u << 2)
#define E810_GLNVM_ULD			0x000b6008
#define   E810_GLNVM_ULD_ALL_DONE	0x7ff
#define E810_GLNVM_GENS			0x000b6100
#define   E810_GLNVM_GENS_SR_SHIFT	5
#define E810_GLNVM_FLA			0x000b6108
#define   E810_GLNVM_FLA_LOCKED		(1u << 6)

/* Interrupts */
#define E810_GLINT_DYN_CTL(v)		(0x00160000 + (v) * 4)
#define   E810_DYN_CTL_INTENA		(1u << 0)
#define   E810_DYN_CTL_CLEARPBA		(1u << 1)
#define   E810_DYN_CTL_SWINT_TRIG	(1u << 2)
#define   E810_DYN_CTL_INTENA_MSK	(1u << 31)
#define E810_GLINT_MAX_VECTORS		2048
#define E810_PFINT_FW_CTL		0x0016c800
#define E810_PFINT_OICR_ENA		0x0016c900
#define E810_PFINT_OICR			0x0016ca00
#define   E810_OICR_GRST		(1u << 20)
#define   E810_OICR_SWINT		(1u << 31)
#define E810_PFINT_OICR_CTL		0x0016ca80
#define E810_QINT_TQCTL(q)		(0x00140000 + (q) * 4)
#define E810_QINT_RQCTL(q)		(0x00150000 + (q) * 4)
#define   E810_CAUSE_VECTOR_MASK	0x7ff
#define   E810_CAUSE_ENABLE		(1u << 30)

/* Queues; the register file has 2048 Rx queues, the model serves fewer */
#define E810_QRX_CTRL(q)		(0x00120000 + (q) * 4)
#define   E810_QRX_CTRL_REQ		(1u << 0)
#define   E810_QRX_CTRL_STAT		(1u << 2)
#define E810_QRX_CONTEXT(i, q)		(0x00280000 + (i) * 8192 + (q) * 4)
#define E810_QRX_CONTEXT_DWORDS		8
#define E810_QRX_TAIL(q)		(0x00290000 + (q) * 4)
#define E810_QTX_COMM_DBELL(q)		(0x002c0000 + (q) * 4)
#define   E810_QUEUE_INDEX_MASK		0x1fff

/* Flow Director */
#define E810_GLQF_FD_SIZE		0x00460010
#define E810_GLQF_FD_CNT		0x00460018
#define E810_VSIQF_FD_CNT(vsi)		(0x00464000 + (vsi) * 4)
#define   E810_FD_BEST_EFFORT_SHIFT	16
#define E810_GLSTAT_FD_CNT0L(i)		(0x003a0000 + (i) * 8)
#define E810_FD_COUNTERS		4096

/* Statistics of a VSI: 40-bit pairs, low word first */
#define E810_GLV_GORCL(v)		(0x003b0000 + (v) * 8)
#define E810_GLV_UPRCL(v)		(0x003b2000 + (v) * 8)
#define E810_GLV_MPRCL(v)		(0x003b4000 + (v) * 8)
#define E810_GLV_BPRCL(v)		(0x003b6000 + (v) * 8)
#define E810_GLV_GOTCL(v)		(0x00300000 + (v) * 8)
#define E810_GLV_UPTCL(v)		(0x0030a000 + (v) * 8)
#define E810_GLV_MPTCL(v)		(0x0030c000 + (v) * 8)
#define E810_GLV_BPTCL(v)		(0x0030e000 + (v) * 8)
#define E810_GLV_RDPC(v)		(0x00294c04 + (v) * 4)
#define E810_GLV_TEPC(v)		(0x00312000 + (v) * 4)

/* Statistics of port 0 */
#define E810_GLPRT_GORCL		0x00380000
#define E810_GLPRT_RUC			0x00380200
#define E810_GLPRT_PRC64L		0x00380900
#define E810_GLPRT_PRC127L		0x00380940
#define E810_GLPRT_PRC255L		0x00380980
#define E810_GLPRT_PRC511L		0x003809c0
#define E810_GLPRT_PRC1023L		0x00380a00
#define E810_GLPRT_PRC1522L		0x00380a40
#define E810_GLPRT_PRC9522L		0x00380a80
#define E810_GLPRT_GOTCL		0x00380b40
#define E810_GLPRT_PTC64L		0x00380b80
#define E810_GLPRT_PTC127L		0x00380bc0
#define E810_GLPRT_PTC255L		0x00380c00
#define E810_GLPRT_PTC511L		0x00380c40
#define E810_GLPRT_PTC1023L		0x00380c80
#define E810_GLPRT_PTC1522L		0x00380cc0
#define E810_GLPRT_PTC9522L		0x00380d00
#define E810_GLPRT_UPTCL		0x003811c0
#define E810_GLPRT_MPTCL		0x00381200
#define E810_GLPRT_BPTCL		0x00381240
#define E810_GLPRT_TDOLD		0x00381280
#define E810_GLPRT_UPRCL		0x00381300
#define E810_GLPRT_MPRCL		0x00381340
#define E810_GLPRT_BPRCL		0x00381380

/* Where statistics live, to clear them on a core reset */
#define E810_STATS_TX_FIRST		0x00300000
#define E810_STATS_TX_END		0x00314000
#define E810_STATS_RX_FIRST		0x00380000
#define E810_STATS_RX_END		0x003b8000

#endif /* VDEV_REGS_H */
