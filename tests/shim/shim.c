// SPDX-License-Identifier: GPL-2.0-only
/* Locks, memory, warnings: what include/linux/ cannot do in a header. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/slab.h>

#include "core.h"

_Thread_local struct shim_counts shim_counts;
bool shim_hashes_collide;

void shim_fail(const char *file, int line, const char *text)
{
	fprintf(stderr, "%s:%d: %s\n", file, line, text);
	abort();
}

static bool warnings_expected;
static unsigned int warnings;

void shim_warn(const char *file, int line, const char *text)
{
	__atomic_fetch_add(&warnings, 1, __ATOMIC_RELAXED);
	if (__atomic_load_n(&warnings_expected, __ATOMIC_RELAXED))
		return;
	fprintf(stderr, "%s:%d: WARNING: %s\n", file, line, text);
	abort();
}

void shim_expect_warnings(bool expect)
{
	__atomic_store_n(&warnings_expected, expect, __ATOMIC_RELAXED);
}

unsigned int shim_warnings(void)
{
	return __atomic_load_n(&warnings, __ATOMIC_RELAXED);
}

void shim_hash_collide(bool collide)
{
	shim_hashes_collide = collide;
}

/* Threads: a number for each, from which its CPU follows. */
static int thread_number(void)
{
	static _Thread_local int number;
	static int last;

	if (!number)
		number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
	return number;
}

unsigned int shim_cpu(void)
{
	return thread_number() % SHIM_CPUS;
}

static _Thread_local int atomic_depth;

void shim_set_atomic(int change)
{
	atomic_depth += change;
}

bool shim_in_atomic(void)
{
	return atomic_depth;
}

void shim_might_sleep(const char *where)
{
	if (!atomic_depth)
		return;
	fprintf(stderr, "%s: may sleep, with a spin lock or the RCU read lock held\n", where);
	abort();
}

/*
 * Locks. An order that was seen once must never be seen the other way round, and no two locks of
 * one class are held at once: a deadlock is found without having to happen.
 */
#define CLASSES	16
#define DEPTH	8

static int classes;
static const char *class_name[CLASSES];
static bool taken_after[CLASSES][CLASSES];

static _Thread_local struct shim_lock *held[DEPTH];
static _Thread_local int held_count;

static int class_number(struct shim_lock_class *class)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&mutex);
	if (!class->number) {
		if (++classes == CLASSES)
			shim_fail(__FILE__, __LINE__, "too many lock classes for the shim");
		class_name[classes] = class->name;
		__atomic_store_n(&class->number, classes, __ATOMIC_RELAXED);
	}
	pthread_mutex_unlock(&mutex);
	return class->number;
}

void shim_lock_init(struct shim_lock *lock, struct shim_lock_class *class)
{
	if (!__atomic_load_n(&class->number, __ATOMIC_RELAXED))
		class_number(class);
	pthread_mutex_init(&lock->mutex, NULL);
	lock->class = class;
	lock->owner = 0;
}

bool shim_lock_held(const struct shim_lock *lock)
{
	return __atomic_load_n(&lock->owner, __ATOMIC_RELAXED) == thread_number();
}

static void check_order(const struct shim_lock *lock, const char *file, int line)
{
	int inner = lock->class->number;
	char text[160];
	int i;

	for (i = 0; i < held_count; i++) {
		int outer = held[i]->class->number;

		if (outer == inner) {
			snprintf(text, sizeof(text), "two locks of class %s held at once",
				 class_name[inner]);
			shim_fail(file, line, text);
		}
		if (__atomic_load_n(&taken_after[outer][inner], __ATOMIC_RELAXED)) {
			snprintf(text, sizeof(text), "%s taken inside %s, elsewhere outside it",
				 class_name[inner], class_name[outer]);
			shim_fail(file, line, text);
		}
		__atomic_store_n(&taken_after[inner][outer], true, __ATOMIC_RELAXED);
	}
}

void shim_lock_take(struct shim_lock *lock, const char *file, int line)
{
	if (!lock->class)
		shim_fail(file, line, "lock was never initialised");
	check_order(lock, file, line);
	if (held_count == DEPTH)
		shim_fail(file, line, "more locks held than the shim counts");
	pthread_mutex_lock(&lock->mutex);
	__atomic_store_n(&lock->owner, thread_number(), __ATOMIC_RELAXED);
	held[held_count++] = lock;
	shim_set_atomic(1);
	shim_counts.locks++;
}

void shim_lock_give(struct shim_lock *lock, const char *file, int line)
{
	if (!held_count || held[held_count - 1] != lock)
		shim_fail(file, line, "lock given that was not the last one taken");
	held_count--;
	__atomic_store_n(&lock->owner, 0, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock->mutex);
	shim_set_atomic(-1);
}

/* Memory. */
static unsigned int fail_at;
static bool fail_all;
static unsigned long live;

void shim_fail_allocation(unsigned int nth)
{
	__atomic_store_n(&fail_at, nth, __ATOMIC_RELAXED);
}

void shim_fail_allocations(bool fail)
{
	__atomic_store_n(&fail_all, fail, __ATOMIC_RELAXED);
}

unsigned long shim_allocated(void)
{
	return __atomic_load_n(&live, __ATOMIC_RELAXED);
}

static bool allocation_fails(void)
{
	unsigned int left = __atomic_load_n(&fail_at, __ATOMIC_RELAXED);

	while (left && !__atomic_compare_exchange_n(&fail_at, &left, left - 1, false,
						    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
		;
	return left == 1 || __atomic_load_n(&fail_all, __ATOMIC_RELAXED);
}

void *shim_alloc(size_t count, size_t size, bool may_sleep, const char *where)
{
	void *memory;

	if (may_sleep)
		shim_might_sleep(where);
	shim_counts.allocations++;
	if (allocation_fails())
		return NULL;
	memory = calloc(count, size);
	if (!memory)
		shim_fail(__FILE__, __LINE__, "this machine is out of memory");
	__atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
	return memory;
}

void shim_free(const void *memory)
{
	if (!memory)
		return;
	__atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
	free((void *)memory);
}

/*
 * Slab objects are in a list, for shim_checksum(); the object follows the node. Not so under
 * ThreadSanitizer, to which the list's lock would be an order that the kernel does not have.
 */
#define LINE	64

struct object {
	struct object *next, *prev;
} __attribute__((aligned(LINE)));

struct kmem_cache {
	const char *name;
	size_t size;
	unsigned long objects;
};

static struct object objects = { &objects, &objects };
static size_t object_size;
static pthread_mutex_t objects_mutex = PTHREAD_MUTEX_INITIALIZER;

#ifdef __SANITIZE_THREAD__
#define LISTED	false
#else
#define LISTED	true
#endif

static void list_object(struct object *object)
{
	pthread_mutex_lock(&objects_mutex);
	object->next = objects.next;
	object->prev = &objects;
	object->next->prev = object;
	objects.next = object;
	pthread_mutex_unlock(&objects_mutex);
}

static void unlist_object(struct object *object)
{
	pthread_mutex_lock(&objects_mutex);
	object->next->prev = object->prev;
	object->prev->next = object->next;
	pthread_mutex_unlock(&objects_mutex);
}

struct kmem_cache *kmem_cache_create(const char *name, unsigned int size, unsigned int align,
				     unsigned int flags, void (*constructor)(void *object))
{
	struct kmem_cache *cache;

	if (align || flags & ~SLAB_HWCACHE_ALIGN || constructor)
		shim_fail(__FILE__, __LINE__, "the shim's caches are aligned to 64, no more");
	cache = shim_alloc(1, sizeof(*cache), true, "kmem_cache_create");
	if (!cache)
		return NULL;
	cache->name = name;
	cache->size = (size + LINE - 1) & ~(LINE - 1UL);
	object_size = cache->size;
	return cache;
}

void kmem_cache_destroy(struct kmem_cache *cache)
{
	if (!cache)
		return;
	shim_might_sleep("kmem_cache_destroy");
	if (__atomic_load_n(&cache->objects, __ATOMIC_ACQUIRE))
		shim_fail(__FILE__, __LINE__, "a cache is destroyed that still has objects");
	shim_free(cache);
}

/* Not zeroed memory is filled with a pattern, so that nothing relies on it. */
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags)
{
	struct object *object;

	if (flags & __GFP_SLEEPS)
		shim_might_sleep("kmem_cache_alloc");
	shim_counts.allocations++;
	if (allocation_fails())
		return NULL;
	object = aligned_alloc(LINE, sizeof(*object) + cache->size);
	if (!object)
		shim_fail(__FILE__, __LINE__, "this machine is out of memory");
	memset(object + 1, 0xa5, cache->size);
	__atomic_fetch_add(&cache->objects, 1, __ATOMIC_RELAXED);
	__atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
	if (LISTED)
		list_object(object);
	return object + 1;
}

void *kmem_cache_zalloc(struct kmem_cache *cache, gfp_t flags)
{
	void *object = kmem_cache_alloc(cache, flags);

	if (object)
		memset(object, 0, cache->size);
	return object;
}

void kmem_cache_free(struct kmem_cache *cache, void *memory)
{
	struct object *object = (struct object *)memory - 1;

	if (LISTED)
		unlist_object(object);
	free(object);
	__atomic_fetch_sub(&live, 1, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&cache->objects, 1, __ATOMIC_RELEASE);
}

uint64_t shim_checksum(void)
{
	const struct object *object;
	uint64_t sum = 0;
	size_t i;

	if (!LISTED)
		shim_fail(__FILE__, __LINE__, "no checksum under ThreadSanitizer");
	for (object = objects.next; object != &objects; object = object->next)
		for (i = 0; i < object_size; i++)
			sum = (sum ^ ((const unsigned char *)(object + 1))[i]) * 0x100000001b3ULL;
	return sum;
}
