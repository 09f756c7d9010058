/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The decisions of receive flow steering (RFS) and of its accelerated form (aRFS).
 *
 * Two tables meet for each packet. The socket flow table records on which CPU a flow was last
 * read. Each rx queue has a table of slots; a slot holds the CPU that packets of a flow go to when
 * they arrive on this queue and, if the device has a filter that brings the flow to this queue,
 * the id of that filter. Flows share slots, for a slot is chosen by a few bits of the flow's hash.
 *
 * A slot with a filter is owned by the flow whose hash it holds, as long as that flow is active.
 * The slot that a flow's filter is in, or would be in, is its home slot: it is in the table of the
 * queue that belongs to the CPU where the flow is read. A packet that arrives on another queue is
 * misdelivered; it is then decided whether the driver is asked for a filter.
 *
 * Pure: values in, a decision out. No locks, no globals, no kernel state. The kernel and the unit
 * tests compile this same file.
 */
#ifndef _NET_RPS_STEER_H
#define _NET_RPS_STEER_H

#include <linux/types.h>

/* What a slot without filter and a record without CPU hold: RPS_NO_FILTER and RPS_NO_CPU. */
#define RPS_STEER_NO_FILTER	0xffffU
#define RPS_STEER_NO_CPU	0xffffU

/*
 * Ages are counted in ticks of a slow clock, a power of two of jiffies that lasts from one to two
 * seconds, and kept in 16 bits. They wrap after 18 hours at least: a slot not touched for that
 * long may for once count as fresh, for RPS_STEER_IDLE_TICKS at most.
 */

/*
 * An owner not seen for this long loses its slot and its filter. Longer than the usual keepalive
 * of connections in use (ten to twenty seconds), short enough for those who wait for the slot.
 */
#define RPS_STEER_IDLE_TICKS	30

/*
 * An owner seen this lately is in use however many packets its CPU has taken since: on a busy CPU
 * the rule of packets alone would take the slot from a flow that pauses for some milliseconds.
 */
#define RPS_STEER_SEEN_TICKS	2

/*
 * The driver is not asked again for the same slot before the clock has moved this often, which
 * is at least one second: the rest of the current tick does not count.
 */
#define RPS_STEER_ASK_TICKS	2

/*
 * A home slot that was neither used nor asked for as long as this is not its flow's any more: a
 * flow that goes by it asks every RPS_STEER_ASK_TICKS.
 */
#define RPS_STEER_LAPSE_TICKS	(RPS_STEER_ASK_TICKS + 2)

/* A flow that was refused lets others ask for this many ticks before it asks again itself. */
#define RPS_STEER_YIELD_TICKS	1

/*
 * The busy-CPU rule: an owner is idle when its CPU has taken this many packets per slot of the
 * table since the owner's last one. The factor is that of rps_may_expire_flow() as it was.
 */
#define RPS_STEER_BUSY_FACTOR	10

/* Packets that are processed without the backlog are counted into its clock in lots of so many. */
#define RPS_STEER_DIRECT_LOT	32

/**
 * rps_steer_ticks() - the slow clock
 * @time: the kernel's clock, in jiffies
 * @shift: logarithm of the jiffies per tick; that of HZ, rounded up
 *
 * Context: any.
 * Return: ticks, modulo 2^16.
 */
static inline u16 rps_steer_ticks(unsigned long time, unsigned int shift)
{
	return (u16)(time >> shift);
}

/**
 * rps_steer_slot() - slot of a flow in the table of one queue
 * @spread: the flow's hash, multiplied so that its high bits depend on all bits
 * @log: logarithm of the table's size in slots, 0 to 31
 *
 * A table of one slot needs its own answer: C does not define a shift by 32.
 *
 * Context: any.
 * Return: a number below 2^@log.
 */
static inline u32 rps_steer_slot(u32 spread, u8 log)
{
	return log ? spread >> (32 - log) : 0;
}

/**
 * rps_steer_drained() - has a CPU taken all that a slot sent to it
 * @head: packets that the CPU has taken from its backlog so far
 * @tail: value that @head has once the last packet sent through the slot is taken
 *
 * Both wrap. A slot may send a flow to another CPU only then, or packets overtake each other.
 *
 * Context: any.
 * Return: true if nothing that went through the slot waits any more.
 */
static inline bool rps_steer_drained(u32 head, u32 tail)
{
	return (s32)(head - tail) >= 0;
}

/**
 * rps_steer_active() - is the owner of a slot still in use
 * @head: packets that the slot's CPU has taken from its backlog so far
 * @tail: as for rps_steer_drained()
 * @slots: size of the table
 * @now: rps_steer_ticks()
 * @used: ticks when the owner last arrived where its filter brings it
 *
 * By time for a CPU that is idle or offline, by packets for one that is busy, but not at once.
 *
 * Context: any.
 * Return: true if the owner keeps the slot.
 */
static inline bool rps_steer_active(u32 head, u32 tail, u32 slots, u16 now, u16 used)
{
	const u32 most = 0x7fffffff;
	u32 limit = slots > most / RPS_STEER_BUSY_FACTOR ? most : slots * RPS_STEER_BUSY_FACTOR;
	u16 age = (u16)(now - used);

	if (age >= RPS_STEER_SEEN_TICKS && (s32)(head - tail) >= (s32)limit)
		return false;
	return age < RPS_STEER_IDLE_TICKS;
}

/**
 * rps_steer_long_idle() - a time of use by which an owner counts as idle at once
 * @now: rps_steer_ticks()
 *
 * For a flow that owns a slot in the table of a queue where it is not read, and whose home slot is
 * another flow's: the slot is of no use to it, but somebody may be at home there.
 *
 * Context: any.
 * Return: ticks, modulo 2^16.
 */
static inline u16 rps_steer_long_idle(u16 now)
{
	return (u16)(now - RPS_STEER_IDLE_TICKS);
}

/**
 * enum rps_steer_owner - whose slot it is, as one flow sees it
 * @RPS_STEER_FREE: nobody's: no filter, or its owner is idle
 * @RPS_STEER_OURS: this flow's, or that of a flow with the same hash
 * @RPS_STEER_TAKEN: that of another flow, which is active
 */
enum rps_steer_owner {
	RPS_STEER_FREE,
	RPS_STEER_OURS,
	RPS_STEER_TAKEN,
};

/**
 * rps_steer_owner() - whose slot is it
 * @filter: filter id in the slot
 * @owner: hash in the slot
 * @hash: hash of the flow that looks
 * @active: rps_steer_active() of the slot; looked at only when the hashes differ
 *
 * Context: any.
 * Return: whose it is.
 */
static inline enum rps_steer_owner rps_steer_owner(u16 filter, u32 owner, u32 hash, bool active)
{
	if (filter == RPS_STEER_NO_FILTER)
		return RPS_STEER_FREE;
	if (owner == hash)
		return RPS_STEER_OURS;
	return active ? RPS_STEER_TAKEN : RPS_STEER_FREE;
}

/**
 * rps_steer_lapsed() - does a flow go by another slot than the home slot that has its hash
 * @now: rps_steer_ticks()
 * @used: ticks when the owner of the slot last arrived on the slot's queue
 * @asked: ticks when the driver was last asked for the slot
 *
 * The filter was lost a while ago and the flow has been read elsewhere since. What waits of it is
 * not accounted in this slot, which is therefore as good as free.
 *
 * Context: any.
 * Return: true if it counts as free.
 */
static inline bool rps_steer_lapsed(u16 now, u16 used, u16 asked)
{
	return (u16)(now - used) >= RPS_STEER_LAPSE_TICKS &&
	       (u16)(now - asked) >= RPS_STEER_LAPSE_TICKS;
}

/**
 * rps_steer_may_ask() - may the driver be asked to bring a misdelivered flow to its home slot
 * @home: whose the home slot is
 * @same: the slot holds the hash of this flow
 * @now: rps_steer_ticks()
 * @used: ticks when the owner of the slot last arrived on the slot's queue
 * @asked: ticks when the driver was last asked for the slot
 *
 * A slot of our own asks again only when no packet with this hash has come to its queue lately:
 * the filter was lost or never made. If packets do come, the filter is there and belongs to
 * another flow of the same hash, which must not lose it; or it is being written just now.
 *
 * A free slot asks at once, and after that seldom. Whoever asked last leaves the others a turn:
 * one flow that the driver always refuses must not keep them out.
 *
 * Context: any.
 * Return: true if it may.
 */
static inline bool rps_steer_may_ask(enum rps_steer_owner home, bool same, u16 now, u16 used,
				     u16 asked)
{
	u16 pause = (u16)(now - asked);

	switch (home) {
	case RPS_STEER_OURS:
		return pause >= RPS_STEER_ASK_TICKS && (u16)(now - used) >= RPS_STEER_ASK_TICKS;
	case RPS_STEER_FREE:
		return pause >= RPS_STEER_ASK_TICKS + (same ? RPS_STEER_YIELD_TICKS : 0);
	default:
		return false;
	}
}

/**
 * rps_steer_never_asked() - a time of asking that bars nobody
 * @now: rps_steer_ticks()
 *
 * Context: any.
 * Return: ticks, modulo 2^16.
 */
static inline u16 rps_steer_never_asked(u16 now)
{
	return now - RPS_STEER_ASK_TICKS - RPS_STEER_YIELD_TICKS;
}

/**
 * rps_steer_in_order() - may a flow's home slot be set to the CPU where the flow is read
 * @home_drained: rps_steer_drained() of the home slot, or it has no CPU that is online
 * @arrival_drained: the same of the slot in which the packet arrived
 * @arrival_there: the slot in which the packet arrived sends to that CPU already
 *
 * Packets of this and of other flows went through both slots. None may be overtaken by what comes
 * through the home slot from now on.
 *
 * Context: any.
 * Return: true if it may.
 */
static inline bool rps_steer_in_order(bool home_drained, bool arrival_drained, bool arrival_there)
{
	return home_drained && (arrival_drained || arrival_there);
}

/**
 * rps_steer_recorded_cpu() - CPU of the record that a flow would replace
 * @old: the record: the hash but for its low bits, which are the CPU
 * @new: the record that shall replace it
 * @cpu_mask: those low bits
 * @cpus: number of possible CPU ids
 *
 * Context: any.
 * Return: the CPU, below @cpus, if @old is a record of the same flow; otherwise -1, and @new has to
 * be stored: the record is empty, of another flow or names no CPU.
 */
static inline int rps_steer_recorded_cpu(u32 old, u32 new, u32 cpu_mask, u32 cpus)
{
	u32 cpu = old & cpu_mask;

	/* The empty marker reads as a CPU like any other. */
	if (old == RPS_STEER_NO_CPU || ((old ^ new) & ~cpu_mask) || cpu >= cpus)
		return -1;
	return (int)cpu;
}

/**
 * rps_steer_direct() - may a packet be processed here and now instead of through the backlog
 * @here: it is meant for this CPU
 * @backlog_scheduled: this CPU's backlog waits to be processed or is being processed
 * @backlog_threaded: a thread processes the backlog and may stand in the middle of a packet
 *
 * Context: softirq, or bottom halves off.
 * Return: true if it may.
 */
static inline bool rps_steer_direct(bool here, bool backlog_scheduled, bool backlog_threaded)
{
	return here && !backlog_scheduled && !backlog_threaded;
}

#endif /* _NET_RPS_STEER_H */
