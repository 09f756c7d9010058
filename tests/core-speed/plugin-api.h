/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of QEMU's interface for TCG plugins that count.c uses: names, values and prototypes as
 * QEMU's manual gives them ("TCG plugins"). No package of QEMU's brings a header for it.
 * PLUGIN_API is the interface's version, which the QEMU in use tells: from 7 on a callback is
 * given the pointer that it was registered with, before it was given the plugin's id.
 */
#ifndef PLUGIN_API_H
#define PLUGIN_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef PLUGIN_API
#define PLUGIN_API 7
#endif

#define PLUGIN_EXPORT __attribute__((visibility("default")))

struct qemu_plugin_tb;
struct qemu_plugin_scoreboard;

/* What QEMU tells a plugin about itself; version.cur is the newest version it speaks. */
struct plugin_info {
	const char *target_name;
	struct {
		int min;
		int cur;
	} version;
	bool system_emulation;
	struct {
		int smp_vcpus;
		int max_vcpus;
	} system;
};

/* A counter at an offset in each vCPU's element of a scoreboard. */
struct plugin_counter {
	struct qemu_plugin_scoreboard *score;
	size_t offset;
};

#define PLUGIN_NO_REGISTERS	0	/* QEMU_PLUGIN_CB_NO_REGS */
#define PLUGIN_ADD		0	/* QEMU_PLUGIN_INLINE_ADD_U64 */

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
int qemu_plugin_num_vcpus(void);

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t element_size);
void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score, unsigned int vcpu);

void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
					  void (*cb)(unsigned int vcpu, void *data), int flags,
					  void *data);
void qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu(struct qemu_plugin_tb *tb, int op,
						       struct plugin_counter entry, uint64_t value);

#if PLUGIN_API >= 7
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*cb)(struct qemu_plugin_tb *tb, void *data),
					   void *data);
#else
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*cb)(uint64_t id, struct qemu_plugin_tb *tb));
#endif

extern PLUGIN_EXPORT int qemu_plugin_version;
PLUGIN_EXPORT int qemu_plugin_install(uint64_t id, const struct plugin_info *info, int argc,
				      char **argv);

#endif
