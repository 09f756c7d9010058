/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_ATOMIC_H
#define SHIM_LINUX_ATOMIC_H

#include <linux/barrier.h>
#include <linux/types.h>

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

#define ATOMIC_INIT(value)	{ .counter = (value) }

static inline int atomic_read(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline int atomic_read_acquire(const atomic_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE);
}

static inline void atomic_set(atomic_t *v, int value)
{
	shim_counts.atomic_writes++;
	__atomic_store_n(&v->counter, value, __ATOMIC_RELAXED);
}

static inline void atomic_set_release(atomic_t *v, int value)
{
	shim_counts.atomic_writes++;
	__atomic_store_n(&v->counter, value, __ATOMIC_RELEASE);
}

/* Those that return nothing imply no order, those that return something are full barriers. */
static inline void atomic_add(int value, atomic_t *v)
{
	shim_counts.atomic_writes++;
	__atomic_fetch_add(&v->counter, value, __ATOMIC_RELAXED);
}

static inline void atomic_sub(int value, atomic_t *v)
{
	atomic_add(-value, v);
}

static inline void atomic_inc(atomic_t *v)
{
	atomic_add(1, v);
}

static inline void atomic_dec(atomic_t *v)
{
	atomic_add(-1, v);
}

static inline int atomic_add_return(int value, atomic_t *v)
{
	shim_counts.atomic_writes++;
	return __atomic_add_fetch(&v->counter, value, __ATOMIC_SEQ_CST);
}

static inline int atomic_inc_return(atomic_t *v)
{
	return atomic_add_return(1, v);
}

static inline bool atomic_dec_and_test(atomic_t *v)
{
	return !atomic_add_return(-1, v);
}

/* Returns the new value; below 0 when it was 0 or less, and then nothing was stored. */
static inline int atomic_dec_if_positive(atomic_t *v)
{
	int old = __atomic_load_n(&v->counter, __ATOMIC_RELAXED);

	while (old > 0 && !__atomic_compare_exchange_n(&v->counter, &old, old - 1, false,
						       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
		;
	shim_counts.atomic_writes += old > 0;
	return old - 1;
}

static inline int atomic_xchg(atomic_t *v, int value)
{
	shim_counts.atomic_writes++;
	return __atomic_exchange_n(&v->counter, value, __ATOMIC_SEQ_CST);
}

static inline int atomic_cmpxchg(atomic_t *v, int expected, int value)
{
	shim_counts.atomic_writes++;
	__atomic_compare_exchange_n(&v->counter, &expected, value, false, __ATOMIC_SEQ_CST,
				    __ATOMIC_RELAXED);
	return expected;
}

static inline s64 atomic64_read(const atomic64_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_RELAXED);
}

static inline s64 atomic64_read_acquire(const atomic64_t *v)
{
	return __atomic_load_n(&v->counter, __ATOMIC_ACQUIRE);
}

static inline void atomic64_set(atomic64_t *v, s64 value)
{
	shim_counts.atomic_writes++;
	__atomic_store_n(&v->counter, value, __ATOMIC_RELAXED);
}

static inline void atomic64_set_release(atomic64_t *v, s64 value)
{
	shim_counts.atomic_writes++;
	__atomic_store_n(&v->counter, value, __ATOMIC_RELEASE);
}

#endif /* SHIM_LINUX_ATOMIC_H */
