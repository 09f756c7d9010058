// SPDX-License-Identifier: GPL-2.0-only
/*
 * A QEMU plugin that counts the guest kernel's instructions by function and vCPU.
 *
 * -plugin count.so,map=FILE,out=PREFIX[,mark=SYMBOL][,enter=SYMBOL][,leave=SYMBOL]
 *   map	System.map of the kernel (or /proc/kallsyms of a guest); the guest runs with nokaslr
 *   out	each time the guest's kernel runs the function "mark" the counts until then are
 *		written to PREFIX.1, PREFIX.2, ... [__x64_sys_sethostname: "hostname NAME" there]
 *   enter	with "leave", instructions between a call of the one function and the next block
 *		of the other on the same vCPU are also counted together [net_rx_action, which
 *		handle_softirqs calls]
 *
 * A file has lines "vcpu N ALL INSIDE TIMES" (the kernel's instructions, those between enter and
 * leave, how often) and "fn NAME N INSTRUCTIONS CALLS". User space is the function "[user]", the
 * modules are "[modules]".
 *
 * A block of the guest's code is counted where it begins, by additions that QEMU compiles into
 * it: no call, no lock. A block that a page fault leaves half-way counts in full; a string
 * instruction counts once for each time that QEMU begins it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin-api.h"

#define MAX_VCPUS	64
#define KERNEL_HALF	0x8000000000000000ull
#define KERNEL_TEXT	0xffffffff80000000ull

struct function {
	uint64_t address;
	char *name;
};

/* Of one vCPU. QEMU's code adds to it, that vCPU's thread alone. */
struct counts {
	uint64_t all;
	struct {
		uint64_t instructions;
		uint64_t calls;
	} of[];
};

/* Between enter and leave; touched by the vCPU's own thread, read by whoever writes the counts. */
struct inside {
	uint64_t began;
	uint64_t instructions;
	uint64_t times;
	bool active;
};

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_API;

static struct function *functions;	/* by address, one for each address */
static size_t n_functions;		/* the real ones; three more stand for what has no function */
static struct qemu_plugin_scoreboard *score;
static struct inside inside[MAX_VCPUS];
static const char *out;
static uint64_t mark_address, enter_address, leave_address;
static uint64_t image_end;		/* behind it are the modules */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static unsigned int files;

enum { USER, IN_MODULES, ELSEWHERE, NOWHERE };

static const char *const nowhere[NOWHERE] = { "[user]", "[modules]", "[elsewhere]" };

__attribute__((format(printf, 1, 2)))
static int complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("count: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	return -1;
}

static struct counts *counts_of(unsigned int vcpu)
{
	return qemu_plugin_scoreboard_find(score, vcpu);
}

/* Index of the last function that begins at the address or before. */
static size_t function_at(uint64_t address)
{
	size_t low = 0, high = n_functions;

	if (address < KERNEL_HALF)
		return n_functions + USER;
	if (address >= image_end)
		return n_functions + IN_MODULES;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (functions[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? low - 1 : n_functions + ELSEWHERE;
}

static void write_vcpu(FILE *file, unsigned int vcpu)
{
	const struct counts *counts = counts_of(vcpu);

	fprintf(file, "vcpu %u %llu %llu %llu\n", vcpu, (unsigned long long)counts->all,
		(unsigned long long)inside[vcpu].instructions,
		(unsigned long long)inside[vcpu].times);
	for (size_t i = 0; i < n_functions + NOWHERE; i++) {
		const char *name = i < n_functions ? functions[i].name : nowhere[i - n_functions];

		if (counts->of[i].instructions)
			fprintf(file, "fn %s %u %llu %llu\n", name, vcpu,
				(unsigned long long)counts->of[i].instructions,
				(unsigned long long)counts->of[i].calls);
	}
}

/* The guest asks for the counts. Other vCPUs run on meanwhile: theirs are some instructions newer. */
static void on_mark(unsigned int vcpu, void *data)
{
	char name[4096];
	FILE *file;

	pthread_mutex_lock(&writing);
	snprintf(name, sizeof(name), "%s.%u", out, ++files);
	file = fopen(name, "w");
	if (file) {
		for (int i = 0; i < qemu_plugin_num_vcpus() && i < MAX_VCPUS; i++)
			write_vcpu(file, i);
		if (fclose(file))
			complain("%s: %s", name, strerror(errno));
	} else {
		complain("%s: %s", name, strerror(errno));
	}
	pthread_mutex_unlock(&writing);
}

static void on_enter(unsigned int vcpu, void *data)
{
	inside[vcpu].began = counts_of(vcpu)->all;
	inside[vcpu].active = true;
}

static void on_leave(unsigned int vcpu, void *data)
{
	struct inside *mine = &inside[vcpu];

	if (!mine->active)
		return;
	mine->active = false;
	mine->instructions += counts_of(vcpu)->all - mine->began;
	mine->times++;
}

static void add(struct qemu_plugin_tb *tb, size_t offset, uint64_t value)
{
	const struct plugin_counter counter = { score, offset };

	qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(tb, PLUGIN_ADD, counter, value);
}

static void call(struct qemu_plugin_tb *tb, void (*function)(unsigned int vcpu, void *data))
{
	qemu_plugin_register_vcpu_tb_exec_cb(tb, function, PLUGIN_NO_REGISTERS, NULL);
}

/* A block of the guest's code is compiled: what shall happen each time it runs. Calls go first. */
static void instrument(struct qemu_plugin_tb *tb)
{
	uint64_t address = qemu_plugin_tb_vaddr(tb);
	size_t n = qemu_plugin_tb_n_insns(tb);
	size_t i = function_at(address);

	if (i < n_functions) {
		if (functions[i].address == leave_address)
			call(tb, on_leave);
		if (address == enter_address)
			call(tb, on_enter);
		if (address == mark_address)
			call(tb, on_mark);
		if (address == functions[i].address)
			add(tb, offsetof(struct counts, of[i].calls), 1);
	}
	if (address >= KERNEL_HALF)
		add(tb, offsetof(struct counts, all), n);
	add(tb, offsetof(struct counts, of[i].instructions), n);
}

#if PLUGIN_API >= 7
static void on_translation(struct qemu_plugin_tb *tb, void *data)
#else
static void on_translation(uint64_t id, struct qemu_plugin_tb *tb)
#endif
{
	instrument(tb);
}

static int by_address(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	if (left->address != right->address)
		return left->address < right->address ? -1 : 1;
	return strcmp(left->name, right->name);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text);

	return length >= strlen(end) && !strcmp(text + length - strlen(end), end);
}

/* Marks of the linker's, which share an address with the function that comes first there. */
static bool is_boundary(const char *name)
{
	return ends_with(name, "_start") || ends_with(name, "_end") || !strcmp(name, "_text") ||
	       !strcmp(name, "_stext");
}

/* Keep what is the kernel's own, and one name for each address. */
static void tidy(void)
{
	size_t kept = 0;

	for (size_t i = 0; i < n_functions; i++)
		if (functions[i].address < image_end)
			functions[kept++] = functions[i];
		else
			free(functions[i].name);
	n_functions = kept;
	kept = 0;
	qsort(functions, n_functions, sizeof(*functions), by_address);
	for (size_t i = 0; i < n_functions; i++) {
		if (!kept || functions[kept - 1].address != functions[i].address) {
			functions[kept++] = functions[i];
			continue;
		}
		if (is_boundary(functions[kept - 1].name)) {
			free(functions[kept - 1].name);
			functions[kept - 1].name = functions[i].name;
		} else {
			free(functions[i].name);
		}
	}
	n_functions = kept;
}

static int read_map(const char *path, const char *const names[], uint64_t *const addresses[])
{
	unsigned long long address;
	size_t room = 0;
	char line[1024];
	char name[512];
	char type;
	FILE *file;

	file = fopen(path, "r");
	if (!file)
		return complain("%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %c %511s", &address, &type, name) != 3 ||
		    address < KERNEL_TEXT)
			continue;
		for (int i = 0; names[i]; i++)
			if (!strcmp(name, names[i]))
				*addresses[i] = address;
		if (!strchr("tTwW", type))
			continue;
		if (n_functions == room) {
			room = room ? 2 * room : 65536;
			functions = realloc(functions, room * sizeof(*functions));
			if (!functions)
				return complain("no memory");
		}
		functions[n_functions].address = address;
		functions[n_functions++].name = strdup(name);
	}
	fclose(file);
	if (n_functions < 1000)
		return complain("%s holds %zu functions, not a kernel's", path, n_functions);
	tidy();
	for (int i = 0; names[i]; i++)
		if (!*addresses[i])
			return complain("%s has no symbol %s", path, names[i]);
	return 0;
}

PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct plugin_info *info, int argc,
				      char **argv)
{
	const char *names[] = { "__x64_sys_sethostname", "net_rx_action", "handle_softirqs",
				"_end", NULL };
	uint64_t *const addresses[] = { &mark_address, &enter_address, &leave_address,
					&image_end };
	const char *map = NULL;

	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "map=", 4))
			map = argv[i] + 4;
		else if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
		else if (!strncmp(argv[i], "mark=", 5))
			names[0] = argv[i] + 5;
		else if (!strncmp(argv[i], "enter=", 6))
			names[1] = argv[i] + 6;
		else if (!strncmp(argv[i], "leave=", 6))
			names[2] = argv[i] + 6;
		else
			return complain("unknown argument '%s'", argv[i]);
	}
	if (!map || !out)
		return complain("map=FILE and out=PREFIX are needed");
	if (!info->system_emulation || info->system.max_vcpus > MAX_VCPUS)
		return complain("for a machine of at most %d CPUs only", MAX_VCPUS);
	if (read_map(map, names, addresses))
		return -1;
	score = qemu_plugin_scoreboard_new(offsetof(struct counts, of[n_functions + NOWHERE]));
#if PLUGIN_API >= 7
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation, NULL);
#else
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
#endif
	return 0;
}
