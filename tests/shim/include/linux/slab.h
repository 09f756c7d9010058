/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef SHIM_LINUX_SLAB_H
#define SHIM_LINUX_SLAB_H

#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/percpu.h>
#include <linux/types.h>

#define SLAB_HWCACHE_ALIGN	0x1u

/* Every object is its own allocation, so that AddressSanitizer sees each use after free. */
struct kmem_cache *kmem_cache_create(const char *name, unsigned int size, unsigned int align,
				     unsigned int flags, void (*constructor)(void *object));
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags);
void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t flags);
void kmem_cache_free(struct kmem_cache *cache, void *object);

#define kzalloc(size, flags)		shim_alloc(1, size, (flags) & __GFP_SLEEPS, "kzalloc")
#define kcalloc(count, size, flags)	shim_alloc(count, size, (flags) & __GFP_SLEEPS, "kcalloc")
#define kvzalloc(size, flags)		shim_alloc(1, size, (flags) & __GFP_SLEEPS, "kvzalloc")
#define kvcalloc(count, size, flags)	shim_alloc(count, size, (flags) & __GFP_SLEEPS, "kvcalloc")
#define kfree(memory)			shim_free(memory)
#define kvfree(memory)			shim_free(memory)

#endif /* SHIM_LINUX_SLAB_H */
