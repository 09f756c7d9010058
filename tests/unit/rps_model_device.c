// SPDX-License-Identifier: GPL-2.0-only
/* Driver and device of the model: filters that are made late, lost, refused and removed. */
#include "rps_model.h"

static u32 filters(const struct model *m)
{
	u32 i, count = 0;

	for (i = 0; i < m->flows; i++)
		count += m->flow[i].granted;
	return count;
}

static bool refuses(const struct model *m, const struct model_flow *flow)
{
	if (m->refusing || flow->banned)
		return true;
	return !flow->granted && filters(m) >= m->room;
}

int model_steer(struct model *m, struct model_flow *flow, u8 queue, u32 slot)
{
	bool moves = !flow->granted || flow->queue != queue || flow->slot != slot;

	if (refuses(m, flow)) {
		flow->refused_at = m->time;
		return -1;
	}
	if (!flow->granted || (moves && m->fresh_ids)) {
		flow->id = m->next_id++;
		if (m->next_id == RPS_STEER_NO_FILTER)
			m->next_id = 0;
	}
	flow->granted = true;
	flow->queue = queue;
	flow->slot = slot;
	flow->late = flow->has != queue;
	flow->late_since = m->time;
	return flow->id;
}

bool model_carry_out(struct model *m, struct model_flow *flow)
{
	/* What is in a CPU's hands came before the device steers the rest elsewhere. */
	if (!flow->late || flow->listed)
		return false;
	/* What waits was accounted in a slot that the core knows no more. */
	if (!flow->granted)
		flow->lost_at = m->time;
	if (flow->waiting && !(flow->granted && model_owns_home(m, flow, flow->queue)))
		model_excuse(m, flow);
	flow->has = flow->granted ? flow->queue : MODEL_NO_QUEUE;
	flow->late = false;
	model_note(m, "device: flow %u goes to queue %u", (u32)(flow - m->flow),
		   model_arrives_on(flow));
	return true;
}

void model_lose(struct model *m, struct model_flow *flow)
{
	if (!flow->granted || flow->listed)
		return;
	if (flow->waiting && !model_owns_home(m, flow, flow->has))
		model_excuse(m, flow);
	flow->granted = false;
	flow->has = MODEL_NO_QUEUE;
	flow->lost_at = m->time;
	flow->late = false;
	model_note(m, "device: flow %u has lost its filter, goes to queue %u",
		   (u32)(flow - m->flow), flow->rss);
}

static bool wanted(const struct model *m, const struct model_flow *flow)
{
	const struct model_table *table = &m->tables[flow->queue];
	const struct model_slot *slot = &table->slots[flow->slot];

	return flow->slot < 1U << table->log && slot->filter == flow->id &&
	       model_slot_active(m, table, slot);
}

void model_expire(struct model *m)
{
	u32 i;

	for (i = 0; i < m->flows; i++) {
		struct model_flow *flow = &m->flow[i];

		if (!flow->granted || wanted(m, flow))
			continue;
		flow->granted = false;
		flow->late = flow->has != MODEL_NO_QUEUE;
		flow->late_since = m->time;
		model_note(m, "driver: the filter of flow %u is no longer wanted", i);
	}
}
