# SPDX-License-Identifier: GPL-2.0-only
# Targets of the fork, for the top Makefile to include.
#
#   make module KVER=RELEASE [KERNEL_HEADERS=DIR] [KERNEL_SOURCE=FILE_OR_DIR]
#   make module-6.1          the same from the kernel store, fetched when it is not there
#   make module-check        build for every series of the store with W=1 and sparse, new warnings fail
#   make fork-check          bad input and dkms life cycle
#   make install | uninstall through dkms, for the kernels of this machine

fork_dir := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))
fork_series ?= 6.1 6.12 7.3

.PHONY: module module-check fork-check install uninstall

module:
	@$(fork_dir)/make-fork $(if $(KVER),--kernel '$(KVER)') $(if $(KERNEL_HEADERS),--headers '$(KERNEL_HEADERS)') \
		$(if $(KERNEL_SOURCE),--source '$(KERNEL_SOURCE)')

$(addprefix module-,$(fork_series)): module-%:
	@$(fork_dir)/../../tests/fork/from-store $*

$(addprefix module-check-,$(fork_series)): module-check-%:
	@$(fork_dir)/../../tests/fork/from-store $* --check

module-check: $(addprefix module-check-,$(fork_series))

fork-check:
	@$(fork_dir)/../../tests/fork/run --real
	@$(fork_dir)/../../tests/dkms/run --real

install:
	@$(fork_dir)/install $(if $(KVER),--kernel '$(KVER)')

uninstall:
	@$(fork_dir)/install --remove
