// SPDX-License-Identifier: GPL-2.0-only
#include "vdev_toeplitz.h"

#include <string.h>

/**
 * vdev_toeplitz - hash @input with @key
 * @key: secret key
 * @key_len: its length; bits past its end count as 0
 * @input: bytes to hash, first byte first
 * @len: how many
 *
 * For every set bit of the input the 32 key bits that start at the same bit position are
 * added modulo two.
 */
u32 vdev_toeplitz(const u8 *key, size_t key_len, const u8 *input, size_t len)
{
	u64 window = 0;
	u32 hash = 0;

	/* The window holds the 32 key bits in use and, below them, the eight that follow. */
	for (size_t i = 0; i < 4; i++)
		window = window << 8 | (i < key_len ? key[i] : 0);
	for (size_t i = 0; i < len; i++) {
		window = window << 8 | (i + 4 < key_len ? key[i + 4] : 0);
		for (int bit = 7; bit >= 0; bit--)
			if (input[i] >> bit & 1)
				hash ^= (u32)(window >> (bit + 1));
	}
	return hash;
}

/**
 * vdev_rss_hash - the hash of a received packet
 * @key: key the driver set
 * @key_len: its length
 * @tuple: addresses and ports of the packet
 * @ports: whether the packet type hashes over the ports as well
 */
u32 vdev_rss_hash(const u8 *key, size_t key_len, const struct vdev_tuple *tuple, bool ports)
{
	size_t addr_len = tuple->v6 ? 16 : 4;
	size_t len = 2 * addr_len;
	u8 input[36];

	memcpy(input, tuple->src, addr_len);
	memcpy(input + addr_len, tuple->dst, addr_len);
	if (ports) {
		vdev_put_be16(input + len, tuple->sport);
		vdev_put_be16(input + len + 2, tuple->dport);
		len += 4;
	}
	return vdev_toeplitz(key, key_len, input, len);
}
