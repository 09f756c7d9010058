// SPDX-License-Identifier: GPL-2.0-only
/*
 * One fault of each kind that the debug kernel looks for, to see that it finds them and that the
 * run fails for it. For a guest that is thrown away: nothing here may be loaded anywhere else.
 */
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

static DEFINE_SPINLOCK(planted_spin);
static DEFINE_MUTEX(planted_first);
static DEFINE_MUTEX(planted_second);
static int __rcu *planted_pointer;
static unsigned long planted_sink;

/* Nothing points to it once this has returned. */
static noinline void planted_leak(void)
{
	void *lost = kmalloc(200, GFP_KERNEL);

	pr_info("planted: a leak of %zu bytes\n", lost ? ksize(lost) : 0);
}

static noinline void planted_use_after_free(void)
{
	unsigned long *freed = kzalloc(64, GFP_KERNEL);

	kfree(freed);
	/* Else the compiler sees through it. */
	OPTIMIZER_HIDE_VAR(freed);
	if (freed)
		planted_sink = READ_ONCE(freed[1]);
}

static noinline void planted_sleep(void)
{
	spin_lock(&planted_spin);
	might_sleep();
	spin_unlock(&planted_spin);
}

static noinline void planted_rcu(void)
{
	planted_sink = !!rcu_dereference(planted_pointer);
}

/* Lockdep is off after this, its first, report. */
static noinline void planted_order(void)
{
	mutex_lock(&planted_first);
	mutex_lock(&planted_second);
	mutex_unlock(&planted_second);
	mutex_unlock(&planted_first);
	mutex_lock(&planted_second);
	mutex_lock(&planted_first);
	mutex_unlock(&planted_first);
	mutex_unlock(&planted_second);
}

static int __init planted_init(void)
{
	planted_leak();
	planted_sleep();
	planted_rcu();
	planted_order();
	/* Last: KASAN switches lockdep off too. */
	planted_use_after_free();
	return 0;
}
module_init(planted_init);

static void __exit planted_exit(void)
{
}
module_exit(planted_exit);

MODULE_DESCRIPTION("Faults for the debug kernel to find");
MODULE_LICENSE("GPL");
