# SPDX-License-Identifier: GPL-2.0-only
# Objects of the fork beside the driver's own; the patched Makefile of the driver includes this file.

ice-y += arfs_version.o
ice-$(CONFIG_RFS_ACCEL) += arfs_table.o arfs_steer.o arfs_admin.o arfs_line.o arfs_service.o arfs_write.o
ice-$(CONFIG_RFS_ACCEL) += ice_arfs_rules.o ice_arfs_stats.o ice_arfs_devlink.o
ice-y += ice_fdir_entries.o

# What src/compat.h asks for.
ccflags-$(if $(wildcard $(srctree)/include/net/rps.h),y) += -DARFS_HAVE_RPS_HEADER
ccflags-$(if $(wildcard $(srctree)/include/net/rps_steer.h),y) += -DARFS_HAVE_RPS_STEER
# A kernel with the core patch guards its slots too, but asks again.
ccflags-$(if $(wildcard $(srctree)/include/net/rps_steer.h),,$(shell sed -n '/^struct rps_dev_flow {/,/^}/p' $(srctree)/include/net/rps*.h 2>/dev/null | grep -qs hash && echo y)) += -DARFS_HAVE_GUARDED_SLOTS
ccflags-$(if $(wildcard $(src)/ice_irq.h),y) += -DARFS_HAVE_VECTOR_IRQ
ccflags-$(shell grep -qs netif_enable_cpu_rmap $(srctree)/include/linux/netdevice.h && echo y) += -DARFS_HAVE_CORE_CPU_RMAP
ccflags-$(shell grep -qs 'struct cpuinfo_topology {' $(srctree)/arch/x86/include/asm/processor.h && echo y) += -DARFS_HAVE_CPU_TOPOLOGY
ccflags-$(shell grep -qs devl_params_register $(srctree)/include/net/devlink.h && echo y) += -DARFS_HAVE_DEVL_PARAMS
arfs_param := sed -n '/^struct devlink_param {/,/^}/p' $(srctree)/include/net/devlink.h
ccflags-$(shell $(arfs_param) | grep -qs "devlink_param_value \*val" && echo y) += -DARFS_HAVE_PARAM_VALUE_POINTER
ccflags-y += -DARFS_PARAM_EXTACKS=$(shell $(arfs_param) | grep -c extack)

# The trace machinery includes ice_arfs_trace.h by its name.
CFLAGS_ice_arfs.o := -I$(src)
