# SPDX-License-Identifier: GPL-2.0-only
# Objects of the fork beside the driver's own; the patched Makefile of the driver includes this file.

ice-y += arfs_version.o
ice-$(CONFIG_RFS_ACCEL) += arfs_table.o arfs_admin.o arfs_line.o arfs_service.o arfs_write.o ice_arfs_rules.o ice_arfs_stats.o

# What src/compat.h asks for.
ccflags-$(if $(wildcard $(srctree)/include/net/rps.h),y) += -DARFS_HAVE_RPS_HEADER
ccflags-$(if $(wildcard $(src)/ice_irq.h),y) += -DARFS_HAVE_VECTOR_IRQ
ccflags-$(shell grep -qs netif_enable_cpu_rmap $(srctree)/include/linux/netdevice.h && echo y) += -DARFS_HAVE_CORE_CPU_RMAP
ccflags-$(shell grep -qs 'struct cpuinfo_topology {' $(srctree)/arch/x86/include/asm/processor.h && echo y) += -DARFS_HAVE_CPU_TOPOLOGY

# The trace machinery includes ice_arfs_trace.h by its name.
CFLAGS_ice_arfs.o := -I$(src)
