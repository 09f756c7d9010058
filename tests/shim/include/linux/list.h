/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_LIST_H
#define SHIM_LINUX_LIST_H

#include <linux/compiler.h>
#include <linux/container_of.h>
#include <linux/types.h>

/* Doubly linked, circular, the head is a node. A deleted node is poisoned. */
struct list_head {
	struct list_head *next, *prev;
};

#define SHIM_LIST_POISON	((void *)0xdead000000000100UL)

#define LIST_HEAD_INIT(name)	{ &(name), &(name) }
#define LIST_HEAD(name)		struct list_head name = LIST_HEAD_INIT(name)

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return __atomic_load_n(&head->next, __ATOMIC_RELAXED) == head;
}

static inline void shim_list_link(struct list_head *node, struct list_head *prev,
				  struct list_head *next)
{
	if (prev->next != next || next->prev != prev)
		shim_fail(__FILE__, __LINE__, "list corrupted");
	node->next = next;
	node->prev = prev;
	next->prev = node;
	__atomic_store_n(&prev->next, node, __ATOMIC_RELAXED);
}

static inline void shim_list_unlink(struct list_head *node)
{
	if (node->next == SHIM_LIST_POISON)
		shim_fail(__FILE__, __LINE__, "list node deleted twice");
	if (node->next->prev != node || node->prev->next != node)
		shim_fail(__FILE__, __LINE__, "list corrupted");
	node->next->prev = node->prev;
	__atomic_store_n(&node->prev->next, node->next, __ATOMIC_RELAXED);
}

static inline void list_add(struct list_head *node, struct list_head *head)
{
	shim_list_link(node, head, head->next);
}

static inline void list_add_tail(struct list_head *node, struct list_head *head)
{
	shim_list_link(node, head->prev, head);
}

static inline void list_del(struct list_head *node)
{
	shim_list_unlink(node);
	node->next = SHIM_LIST_POISON;
	node->prev = SHIM_LIST_POISON;
}

static inline void list_del_init(struct list_head *node)
{
	shim_list_unlink(node);
	INIT_LIST_HEAD(node);
}

static inline void list_move(struct list_head *node, struct list_head *head)
{
	shim_list_unlink(node);
	list_add(node, head);
}

static inline void list_move_tail(struct list_head *node, struct list_head *head)
{
	shim_list_unlink(node);
	list_add_tail(node, head);
}

static inline void list_splice_init(struct list_head *from, struct list_head *head)
{
	if (list_empty(from))
		return;
	from->next->prev = head;
	from->prev->next = head->next;
	head->next->prev = from->prev;
	head->next = from->next;
	INIT_LIST_HEAD(from);
}

#define list_entry(pointer, type, member)	container_of(pointer, type, member)
#define list_first_entry(head, type, member)	list_entry((head)->next, type, member)
#define list_first_entry_or_null(head, type, member)					\
	(list_empty(head) ? NULL : list_first_entry(head, type, member))
#define list_next_entry(entry, member)							\
	list_entry((entry)->member.next, typeof(*(entry)), member)

#define list_for_each_entry(entry, head, member)					\
	for (entry = list_first_entry(head, typeof(*entry), member);			\
	     &entry->member != (head); entry = list_next_entry(entry, member))

#define list_for_each_entry_safe(entry, following, head, member)			\
	for (entry = list_first_entry(head, typeof(*entry), member),			\
	     following = list_next_entry(entry, member);				\
	     &entry->member != (head);							\
	     entry = following, following = list_next_entry(following, member))

/* Singly headed, for hash buckets: pprev points at whatever points at the node. */
struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

#define HLIST_HEAD(name)	struct hlist_head name = { NULL }
#define INIT_HLIST_HEAD(head)	((head)->first = NULL)

static inline bool hlist_empty(const struct hlist_head *head)
{
	return !__atomic_load_n(&head->first, __ATOMIC_RELAXED);
}

static inline void shim_hlist_unlink(struct hlist_node *node)
{
	struct hlist_node *next = node->next;

	if (node->pprev == SHIM_LIST_POISON)
		shim_fail(__FILE__, __LINE__, "hash list node deleted twice");
	if (*node->pprev != node)
		shim_fail(__FILE__, __LINE__, "hash list corrupted");
	shim_counts.publications++;
	__atomic_store_n(node->pprev, next, __ATOMIC_RELAXED);
	if (next)
		next->pprev = node->pprev;
	node->pprev = SHIM_LIST_POISON;
}

static inline void hlist_del(struct hlist_node *node)
{
	shim_hlist_unlink(node);
	node->next = SHIM_LIST_POISON;
}

static inline void hlist_add_head(struct hlist_node *node, struct hlist_head *head)
{
	node->next = head->first;
	node->pprev = &head->first;
	if (node->next)
		node->next->pprev = &node->next;
	head->first = node;
}

#define hlist_entry(pointer, type, member)	container_of(pointer, type, member)
#define hlist_entry_safe(pointer, type, member) ({					\
	struct hlist_node *shim_node = (pointer);					\
	shim_node ? hlist_entry(shim_node, type, member) : NULL;			\
})

#define hlist_for_each_entry(entry, head, member)					\
	for (entry = hlist_entry_safe((head)->first, typeof(*entry), member); entry;	\
	     entry = hlist_entry_safe((entry)->member.next, typeof(*entry), member))

#define hlist_for_each_entry_safe(entry, node, head, member)				\
	for (entry = hlist_entry_safe((head)->first, typeof(*entry), member);		\
	     entry && ({ node = (entry)->member.next; 1; });				\
	     entry = hlist_entry_safe(node, typeof(*entry), member))

#endif /* SHIM_LINUX_LIST_H */
