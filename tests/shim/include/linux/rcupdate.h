/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_RCUPDATE_H
#define SHIM_LINUX_RCUPDATE_H

#include <linux/barrier.h>
#include <linux/types.h>

struct rcu_head {
	struct shim_rcu_head shim;
	void (*func)(struct rcu_head *head);
};

#define rcu_read_lock()		shim_rcu_read_lock()
#define rcu_read_unlock()	shim_rcu_read_unlock()
#define rcu_read_lock_held()	shim_rcu_read_held()
#define synchronize_rcu()	shim_rcu_synchronize()
#define rcu_barrier()		shim_rcu_barrier()

#define rcu_dereference(pointer) ({							\
	if (!shim_rcu_read_held())							\
		shim_fail(__FILE__, __LINE__, "RCU read lock not held");		\
	__atomic_load_n(&(pointer), __ATOMIC_ACQUIRE);					\
})
#define rcu_assign_pointer(pointer, value)	smp_store_release(&(pointer), value)

static inline void shim_rcu_invoke(struct shim_rcu_head *shim)
{
	struct rcu_head *head = (struct rcu_head *)shim;

	head->func(head);
}

static inline void call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	head->func = func;
	shim_rcu_call(&head->shim, shim_rcu_invoke);
}

#endif /* SHIM_LINUX_RCUPDATE_H */
