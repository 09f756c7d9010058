# SPDX-License-Identifier: GPL-2.0-only
# ice-arfs: `make` lists what there is to do.

BUILD ?= $(CURDIR)/build
override BUILD := $(abspath $(BUILD))
export BUILD

.PHONY: help demo check deps clean

help:
	@echo 'On a host with an E810:'
	@echo '  sudo make install      build ice.ko for the installed kernels and install it through DKMS'
	@echo '  sudo make uninstall    take it away again; the stock driver is back'
	@echo 'Anywhere (Debian 12, no E810 needed):'
	@echo '  sudo make demo         steer real TCP on a virtual E810, stock driver beside ours'
	@echo '  sudo make check        the tests: one to two hours, or with MINUTES=N what ends in that time'
	@echo '  sudo make check-long   the same with every scenario on every kernel (four hours)'
	@echo '  sudo make scenarios    the driver under resets, faults, rules and queue changes (half an hour)'
	@echo '  make kernel-deb KSRC=TREE_OR_TARBALL [KCONFIG=FILE]'
	@echo '                         a kernel package: source and configuration of the distribution, and the core patch'
	@echo 'For developers:'
	@echo '  make module KVER=RELEASE [KERNEL_HEADERS=DIR] [KERNEL_SOURCE=FILE_OR_DIR]'
	@echo '  make module-6.1 module-6.12 module-7.3'
	@echo '                         the same, against Debian kernels fetched into build/'
	@echo '  make module-check      all three, with W=1 and sparse'
	@echo '  make unit e810 fork-check      single parts of the tests'
	@echo '  make clean             remove build/'

fork_series := 6.1 6.12 7.3
include src/fork/fork.mk

deps:
	@tests/deps

demo: deps module-6.1 module-6.12
	@tests/vm/demo

check: deps
	@tests/check $(if $(MINUTES),--minutes '$(MINUTES)')

check-long: deps
	@tests/check --long $(if $(MINUTES),--minutes '$(MINUTES)')
.PHONY: check-long

scenarios: deps module-6.1 module-6.12 module-7.3
	@tests/vm/check-scenarios
.PHONY: scenarios

kernel-deb:
	@core-patch/kernel-deb $(if $(KSRC),--source '$(KSRC)') $(if $(KCONFIG),--config '$(KCONFIG)')
.PHONY: kernel-deb

unit e810:
	@tests/deps --outputs
	@$(MAKE) --no-print-directory -C tests/$@ BUILD='$(BUILD)' check
.PHONY: unit e810

clean:
	rm -rf '$(BUILD)'
