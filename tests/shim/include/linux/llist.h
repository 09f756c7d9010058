/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_LLIST_H
#define SHIM_LINUX_LLIST_H

#include <linux/barrier.h>
#include <linux/container_of.h>
#include <linux/types.h>

/* Lockless stack: many add, one takes all. */
struct llist_node {
	struct llist_node *next;
};

struct llist_head {
	struct llist_node *first;
};

#define LLIST_HEAD(name)	struct llist_head name = { NULL }

static inline void init_llist_head(struct llist_head *head)
{
	head->first = NULL;
}

static inline bool llist_empty(const struct llist_head *head)
{
	return !__atomic_load_n(&head->first, __ATOMIC_RELAXED);
}

/* Returns true when the list was empty. */
static inline bool llist_add(struct llist_node *node, struct llist_head *head)
{
	struct llist_node *first = __atomic_load_n(&head->first, __ATOMIC_RELAXED);

	shim_counts.atomic_writes++;
	do {
		__atomic_store_n(&node->next, first, __ATOMIC_RELAXED);
	} while (!__atomic_compare_exchange_n(&head->first, &first, node, false, __ATOMIC_SEQ_CST,
					      __ATOMIC_RELAXED));
	return !first;
}

static inline struct llist_node *llist_del_all(struct llist_head *head)
{
	shim_counts.atomic_writes++;
	return __atomic_exchange_n(&head->first, NULL, __ATOMIC_SEQ_CST);
}

static inline struct llist_node *llist_reverse_order(struct llist_node *node)
{
	struct llist_node *reversed = NULL, *next;

	for (; node; node = next) {
		next = node->next;
		node->next = reversed;
		reversed = node;
	}
	return reversed;
}

#define llist_entry(pointer, type, member)	container_of(pointer, type, member)

#define shim_llist_entry_or_null(pointer, type, member) ({				\
	struct llist_node *shim_node = (pointer);					\
	shim_node ? llist_entry(shim_node, type, member) : NULL;			\
})

#define llist_for_each_entry(entry, node, member)					\
	for (entry = shim_llist_entry_or_null(node, typeof(*entry), member); entry;	\
	     entry = shim_llist_entry_or_null((entry)->member.next, typeof(*entry), member))

#define llist_for_each_entry_safe(entry, following, node, member)			\
	for (entry = shim_llist_entry_or_null(node, typeof(*entry), member);		\
	     entry && ({ following = shim_llist_entry_or_null((entry)->member.next,	\
							      typeof(*entry), member); 1; }); \
	     entry = following)

#endif /* SHIM_LINUX_LLIST_H */
