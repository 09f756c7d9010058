// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lines: who owns a slot of the core's flow tables, and who waits for it.
 */
#include <linux/jhash.h>

#include "arfs_internal.h"

static struct arfs_line *arfs_line_of(struct arfs_table *table, struct arfs_slot slot)
{
	return &table->lines[jhash_2words(slot.flow_id, slot.rxq, table->hash_seed) & table->mask];
}

/* The first flow of the line that is in it for this slot: the owner, if the slot has one. */
static struct arfs_flow *arfs_line_first(const struct arfs_line *line, struct arfs_slot slot)
{
	struct arfs_flow *flow;

	lockdep_assert_held(&line->lock);

	list_for_each_entry(flow, &line->flows, line_node)
		if (arfs_slot_equal(flow->slot, slot))
			return flow;
	return NULL;
}

static u32 arfs_line_length(const struct arfs_line *line, struct arfs_slot slot)
{
	struct arfs_flow *flow;
	u32 length = 0;

	lockdep_assert_held(&line->lock);

	list_for_each_entry(flow, &line->flows, line_node)
		if (arfs_slot_equal(flow->slot, slot))
			length++;
	return length;
}

static enum arfs_incumbent arfs_line_incumbent(const struct arfs_flow *owner,
					       const struct arfs_flow *asker)
{
	if (!owner)
		return ARFS_INCUMBENT_NONE;
	return owner == asker ? ARFS_INCUMBENT_SELF : ARFS_INCUMBENT_OTHER;
}

/**
 * arfs_line_join() - ask for a slot
 * @table: the table
 * @flow: a flow that is in no line
 * @slot: the slot it asks for
 * @id: the id that the flow brings along, or ARFS_NO_ID for a fresh one; when it gets the slot,
 *	the id of which it is a holder, ARFS_NO_ID if none is free
 *
 * A flow that is refused stands in line afterwards, unless ARFS_LINE_MAX others do or as many
 * flows wait as filters may be held. With a core that asks again nobody is refused: it has parted
 * with the owner, whose filter goes for being idle.
 *
 * Context: bucket lock of @flow held, or @flow known to nobody else. Takes the line lock.
 * Return: the verdict.
 */
enum arfs_slot_verdict arfs_line_join(struct arfs_table *table, struct arfs_flow *flow,
				      struct arfs_slot slot, u16 *id)
{
	struct arfs_line *line = arfs_line_of(table, slot);
	struct arfs_flow *owner = NULL;
	enum arfs_slot_verdict verdict;

	spin_lock_bh(&line->lock);
	/* A core that guards its slots itself has parted with the owner already, if there was. */
	if (!table->ops->core_asks_again)
		owner = arfs_line_first(line, slot);
	verdict = arfs_slot_decide(arfs_line_incumbent(owner, flow));
	flow->slot = slot;
	if (verdict == ARFS_SLOT_TAKE) {
		if (*id == ARFS_NO_ID)
			*id = arfs_id_take(table);
		WRITE_ONCE(flow->slot_id, *id);
		WRITE_ONCE(flow->place, ARFS_PLACE_OWNS);
		list_add(&flow->line_node, &line->flows);
	} else if (verdict == ARFS_SLOT_REFUSE && arfs_line_length(line, slot) <= ARFS_LINE_MAX &&
		   atomic_read(&table->waiting) < READ_ONCE(table->limit)) {
		WRITE_ONCE(flow->place, ARFS_PLACE_WAITS);
		WRITE_ONCE(flow->slot_id, owner->slot_id);
		atomic_set(&flow->patience, table->patience);
		list_add_tail(&flow->line_node, &line->flows);
		atomic_inc(&table->waiting);
		arfs_count(table, ARFS_COUNT_COLLIDED);
	}
	spin_unlock_bh(&line->lock);
	return verdict;
}

/**
 * arfs_line_owned() - does any flow own a slot?
 * @table: the table
 * @slot: the slot
 *
 * Context: any. Takes the line lock.
 */
bool arfs_line_owned(struct arfs_table *table, struct arfs_slot slot)
{
	struct arfs_line *line = arfs_line_of(table, slot);
	bool owned;

	spin_lock_bh(&line->lock);
	owned = arfs_line_first(line, slot);
	spin_unlock_bh(&line->lock);
	return owned;
}

/*
 * Make the first waiter the owner. It takes over the id that the core keeps in the slot;
 * arfs_flow_adopt() makes a filter of it.
 */
static bool arfs_line_pass_on(struct arfs_table *table, struct arfs_line *line,
			      struct arfs_slot slot, u16 id)
{
	struct arfs_flow *heir = arfs_line_first(line, slot);

	lockdep_assert_held(&line->lock);

	/* Whoever else is there with a core that guards its slots itself has a filter already. */
	if (!heir || table->ops->core_asks_again)
		return false;
	WRITE_ONCE(heir->place, ARFS_PLACE_OWNS);
	heir->inherits = true;
	WRITE_ONCE(heir->slot_id, arfs_id_share(table, id) ? id : ARFS_NO_ID);
	atomic_dec(&table->waiting);
	arfs_flow_queue(table, heir);
	arfs_count(table, ARFS_COUNT_PASSED);
	return true;
}

/**
 * arfs_line_leave() - give up a slot, or the wait for it
 * @table: the table
 * @flow: the flow; a flow in no line is left as it is
 *
 * Context: bucket lock of @flow held. Takes the line lock.
 * Return: true when the slot, and its id with it, was passed on to another flow.
 */
bool arfs_line_leave(struct arfs_table *table, struct arfs_flow *flow)
{
	struct arfs_line *line = arfs_line_of(table, flow->slot);
	bool passed = false;

	if (READ_ONCE(flow->place) == ARFS_PLACE_NONE)
		return false;

	spin_lock_bh(&line->lock);
	list_del(&flow->line_node);
	if (flow->place == ARFS_PLACE_WAITS)
		atomic_dec(&table->waiting);
	if (flow->place == ARFS_PLACE_OWNS) {
		passed = arfs_line_pass_on(table, line, flow->slot, flow->slot_id);
		if (flow->inherits && flow->slot_id != ARFS_NO_ID)
			arfs_id_drop(table, flow->slot_id);
	}
	WRITE_ONCE(flow->place, ARFS_PLACE_NONE);
	flow->inherits = false;
	WRITE_ONCE(flow->slot_id, ARFS_NO_ID);
	spin_unlock_bh(&line->lock);
	return passed;
}

/**
 * arfs_line_set_id() - the core keeps this id in the slot that the flow owns
 * @table: the table
 * @flow: the owner
 * @id: the id that it was granted
 *
 * Context: bucket lock of @flow held. Takes the line lock.
 */
void arfs_line_set_id(struct arfs_table *table, struct arfs_flow *flow, u16 id)
{
	struct arfs_line *line = arfs_line_of(table, flow->slot);

	spin_lock_bh(&line->lock);
	WRITE_ONCE(flow->slot_id, id);
	spin_unlock_bh(&line->lock);
}

/**
 * arfs_line_inherit() - has a slot been passed to this flow since the last call?
 * @table: the table
 * @flow: the flow
 * @id: the id that came with the slot, or ARFS_NO_ID; the caller is its holder now
 *
 * Context: bucket lock of @flow held. Takes the line lock.
 */
bool arfs_line_inherit(struct arfs_table *table, struct arfs_flow *flow, u16 *id)
{
	struct arfs_line *line = arfs_line_of(table, flow->slot);
	bool inherits;

	spin_lock_bh(&line->lock);
	inherits = flow->inherits;
	*id = flow->slot_id;
	flow->inherits = false;
	spin_unlock_bh(&line->lock);
	return inherits;
}
