/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_MINMAX_H
#define SHIM_LINUX_MINMAX_H

/* The comparison of the addresses warns, and so fails, when the types differ. */
#define min(a, b) ({									\
	typeof(a) shim_a = (a);								\
	typeof(b) shim_b = (b);								\
	(void)(&shim_a == &shim_b);							\
	shim_a < shim_b ? shim_a : shim_b;						\
})
#define max(a, b) ({									\
	typeof(a) shim_a = (a);								\
	typeof(b) shim_b = (b);								\
	(void)(&shim_a == &shim_b);							\
	shim_a > shim_b ? shim_a : shim_b;						\
})
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define max_t(type, a, b)	max((type)(a), (type)(b))
#define clamp(value, low, high) ({							\
	typeof(value) shim_value = (value);						\
	typeof(low) shim_low = (low);							\
	typeof(high) shim_high = (high);						\
	(void)(&shim_value == &shim_low);						\
	(void)(&shim_value == &shim_high);						\
	shim_value < shim_low ? shim_low : shim_value > shim_high ? shim_high : shim_value; \
})

#endif /* SHIM_LINUX_MINMAX_H */
