/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_RCULIST_H
#define SHIM_LINUX_RCULIST_H

#include <linux/list.h>
#include <linux/rcupdate.h>

static inline void hlist_add_head_rcu(struct hlist_node *node, struct hlist_head *head)
{
	struct hlist_node *first = head->first;

	node->next = first;
	node->pprev = &head->first;
	smp_store_release(&head->first, node);
	if (first)
		first->pprev = &node->next;
}

/* The node keeps its way on for readers that are at it. */
static inline void hlist_del_rcu(struct hlist_node *node)
{
	shim_hlist_unlink(node);
}

#define hlist_for_each_entry_rcu(entry, head, member)					\
	for (entry = hlist_entry_safe(rcu_dereference((head)->first), typeof(*entry), member); \
	     entry;									\
	     entry = hlist_entry_safe(rcu_dereference((entry)->member.next), typeof(*entry), \
				      member))

#endif /* SHIM_LINUX_RCULIST_H */
