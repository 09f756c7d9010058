# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# What a machine with some kernels looks like to dkms. The caller has made the headers and the stock module.

# add_kernel WORLD RELEASE HEADERS MODULE: as a kernel package leaves it; .ko or .ko.xz
add_kernel()
{
	modules=$1/modules/$2
	mkdir -p "$modules/kernel/$ice"
	cp "$4" "$modules/kernel/$ice/"
	echo "kernel/$ice/ice.ko" >"$modules/modules.order"
	: >"$modules/modules.builtin"
	: >"$modules/modules.builtin.modinfo"
	ln -s "$3" "$modules/build"
	echo "initramfs of $2" >"$1/boot/initrd.img-$2"
}

# make_world DIR xz|"": xz as newer kernels compress their modules
make_world()
{
	mkdir -p "$1/modules" "$1/src" "$1/dkms" "$1/boot" "$1/cache" "$1/bin" "$1/tmp"
	stock=$work/ice.ko
	if [ -n "$2" ]; then
		xz -k -f "$stock"
		stock=$stock.xz
	fi
	add_kernel "$1" 6.1.0-99-test "$work/headers.99" "$stock"
	add_kernel "$1" 6.1.0-98-other "$work/headers.98" "$stock"
	add_kernel "$1" 6.6.1-test "$work/headers.66" "$stock"
	pack "$work/linux-source-6.1" "$1/src/linux-source-6.1.tar.xz"
	cat >"$1/bin/update-initramfs" <<-END
		#!/bin/sh
		echo "\$*" >>$1/initramfs.log
	END
	chmod +x "$1/bin/update-initramfs"
}
