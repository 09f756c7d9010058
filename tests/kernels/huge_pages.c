// SPDX-License-Identifier: GPL-2.0-only
/*
 * For the compilers, preloaded by with-huge-pages: what a program maps for its objects comes from one region
 * that the kernel may back with huge pages. gcc maps its memory in small pieces, which it cannot do for those.
 *
 * Nothing is handed out twice, and what is unmapped is gone: every piece is a true, zeroed mapping.
 */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HUGE_PAGE	((uintptr_t)2 << 20)	/* of x86-64 */
#define SMALL_PAGE	((size_t)4096)
#define REGION		((size_t)1 << 30)	/* addresses only; a compiler takes 50 to 200 MiB of them */
#define LEAST		((size_t)32 << 10)
#define MOST		((size_t)64 << 20)

static char *region;
static size_t taken;

static void *map(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	return (void *)syscall(SYS_mmap, addr, length, prot, flags, fd, offset);
}

__attribute__((constructor)) static void reserve(void)
{
	char *start = map(NULL, REGION + HUGE_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (start == MAP_FAILED)
		return;
	region = (char *)(((uintptr_t)start + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
	madvise(region, REGION, MADV_HUGEPAGE);
}

void *mmap(void *addr, size_t length, int prot, int flags, int fd, off_t offset)
{
	size_t size = (length + SMALL_PAGE - 1) & ~(SMALL_PAGE - 1);
	size_t at;

	if (!region || addr || fd != -1 || length < LEAST || length > MOST ||
	    prot != (PROT_READ | PROT_WRITE) || flags != (MAP_PRIVATE | MAP_ANONYMOUS))
		return map(addr, length, prot, flags, fd, offset);
	at = __atomic_fetch_add(&taken, size, __ATOMIC_RELAXED);
	if (at + size > REGION)
		return map(addr, length, prot, flags, fd, offset);
	return region + at;
}

void *mmap64(void *addr, size_t length, int prot, int flags, int fd, off64_t offset)
	__attribute__((alias("mmap")));
