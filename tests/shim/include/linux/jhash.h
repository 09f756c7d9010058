/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_JHASH_H
#define SHIM_LINUX_JHASH_H

#include <linux/compiler.h>
#include <linux/types.h>

/*
 * The kernel's names and arguments, not its values: whoever relies on a value is wrong. Each word
 * is multiplied in and the sum folded, which spreads neighbouring keys well enough for tests.
 */
static inline u32 jhash2(const u32 *words, u32 count, u32 initval)
{
	u64 sum = initval + 0x9e3779b97f4a7c15ULL * (count + 1);
	u32 i;

	if (shim_hashes_collide)
		return 0;
	for (i = 0; i < count; i++) {
		sum = (sum ^ words[i]) * 0xd6e8feb86659fd93ULL;
		sum ^= sum >> 32;
	}
	return sum ^ sum >> 17;
}

static inline u32 jhash_2words(u32 a, u32 b, u32 initval)
{
	const u32 words[2] = { a, b };

	return jhash2(words, 2, initval);
}

#endif /* SHIM_LINUX_JHASH_H */
