# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2086,SC2154

dkms_cases="versions_agree life_by_hand hook_builds_for_a_new_kernel unknown_kernel_is_skipped
	misfitting_patch_is_skipped missing_source_is_skipped failed_build_changes_nothing
	install_and_remove install_says_what_is_skipped install_again_keeps_what_works install_of_a_newer_version
	install_beside_a_foreign_driver install_for_no_kernel remove_of_nothing"

versions_agree()
{
	[ "$(sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' "$top/dkms.conf")" = "$version" ]
}

life_by_hand()
{
	before=$(state $k1)
	(cd "$work/tree" && dkms add .)
	dkms build "ice-arfs/$version" -k $k1
	stock $k1
	dkms install "ice-arfs/$version" -k $k1
	ours $k1
	stock $k2
	dkms remove "ice-arfs/$version" --all
	stock $k1
	[ "$before" = "$(state $k1)" ]
}

hook_builds_for_a_new_kernel()
{
	added
	dkms install "ice-arfs/$version" -k $k1
	hook $k2
	ours $k2
	ours $k1
	# once more changes nothing
	before=$(state $k2)
	hook $k2
	[ "$before" = "$(state $k2)" ]
}

# skipped PATTERN KERNEL: by hand it ends with 77, from the kernel's hook with 0; each says why in one line
skipped()
{
	before=$(state "$2")
	fails 77 dkms build "ice-arfs/$version" -k "$2"
	one_line "$1"
	fails 77 dkms install "ice-arfs/$version" -k "$2"
	one_line "$1"
	saying hook "$2"
	cat "$work/said"
	one_line "$1"
	[ "$before" = "$(state "$2")" ]
	dkms status "ice-arfs/$version" -k "$2" >"$work/said"
	says_not "$work/said" "built|installed"
}

unknown_kernel_is_skipped()
{
	added
	dkms install "ice-arfs/$version" -k $k1
	skipped "kernel $k3 keeps its own ice driver: no source of kernel $k3 .*install" $k3
	ours $k1
}

misfitting_patch_is_skipped()
{
	added
	dkms install "ice-arfs/$version" -k $k1
	misfit
	skipped "kernel $k2 keeps .*0002-main.patch does not apply .*ice_main.c: hunk #1" $k2
	ours $k1
}

missing_source_is_skipped()
{
	added
	rm /usr/src/linux-source-6.1.tar.xz
	skipped "kernel $k1 keeps .*no source of kernel $k1" $k1
}

failed_build_changes_nothing()
{
	echo 'this is no C' >>"$work/tree/src/arfs_table.c"
	added
	before=$(state $k1)
	fails 10 dkms build "ice-arfs/$version" -k $k1
	says "/var/lib/dkms/ice-arfs/$version/build/make.log" 'make-fork: error: the driver does not build'
	fails 10 dkms install "ice-arfs/$version" -k $k1
	[ "$before" = "$(state $k1)" ]
	stock $k1
}

install_and_remove()
{
	before=$(state $k1; state $k2)
	saying "$work/tree/src/fork/install" --kernel $k1 --kernel $k2
	ours $k1
	ours $k2
	says "$work/said" 'modprobe -r irdma ice && modprobe ice'
	says "$work/said" 'make uninstall'
	says "$world/initramfs.log" "-u -k $k1"
	says "$world/initramfs.log" "-u -k $k2"
	rm "$world/initramfs.log"
	saying "$work/tree/src/fork/install" --remove
	says "$work/said" "kernel $k1: back to /lib/modules/$k1/kernel/"
	says "$world/initramfs.log" "-u -k $k1"
	stock $k1
	stock $k2
	[ "$before" = "$(state $k1; state $k2)" ]
	[ -z "$(dkms status ice-arfs)" ]
	[ ! -e "/usr/src/ice-arfs-$version" ]
}

install_says_what_is_skipped()
{
	before=$(state $k3)
	saying "$work/tree/src/fork/install"
	one_line "kernel $k3 keeps its own ice driver: no source of kernel $k3"
	ours $k1
	ours $k2
	[ "$before" = "$(state $k3)" ]
}

install_again_keeps_what_works()
{
	"$work/tree/src/fork/install" --kernel $k1
	"$work/tree/src/fork/install" --kernel $k1
	ours $k1
	before=$(state $k1)
	echo 'this is no C' >>"$work/tree/src/arfs_table.c"
	fails 1 "$work/tree/src/fork/install" --kernel $k1
	one_error 'for none of the kernels; nothing was changed'
	says "$work/said" 'does not build'
	ours $k1
	[ "$before" = "$(state $k1)" ]
}

install_of_a_newer_version()
{
	"$work/tree/src/fork/install" --kernel $k1
	version=9.9.9
	echo $version >"$work/tree/VERSION"
	sed -i "s/^PACKAGE_VERSION=.*/PACKAGE_VERSION=\"$version\"/" "$work/tree/dkms.conf"
	"$work/tree/src/fork/install" --kernel $k1
	ours $k1
	[ "$(dkms status ice-arfs | wc -l)" -eq 1 ]
}

install_beside_a_foreign_driver()
{
	mkdir -p "/lib/modules/$k1/updates/drivers/net"
	cp "$(dirname "$world")/ice.ko" "/lib/modules/$k1/updates/drivers/net/"
	depmod $k1
	before=$(state $k1)
	fails 1 "$work/tree/src/fork/install" --kernel $k1
	one_error "takes ice from /lib/modules/$k1/updates/drivers/net/ice.ko"
	[ "$before" = "$(state $k1)" ]
	[ -z "$(dkms status ice-arfs)" ]
}

install_for_no_kernel()
{
	fails 1 "$work/tree/src/fork/install" --kernel 6.1.0-1-gone
	one_error 'kernel 6.1.0-1-gone is not installed'
	before=$(state $k1)
	echo 'this is no C' >>"$work/tree/src/arfs_table.c"
	fails 1 "$work/tree/src/fork/install" --kernel $k1
	one_error 'installed for no kernel, everything is as before'
	[ "$before" = "$(state $k1)" ]
	[ -z "$(dkms status ice-arfs)" ]
}

remove_of_nothing()
{
	fails 1 "$work/tree/src/fork/install" --remove
	one_error 'dkms knows no ice-arfs'
}

# The true tree, the true driver, the true headers; the kernel is not the running one.
true_driver()
{
	kernel=$(cat "$store/release")
	modules=$store/image/lib/modules/$kernel
	mkdir -p "/lib/modules/$kernel/kernel/$ice"
	cp "$modules/kernel/$ice"/ice.ko* "/lib/modules/$kernel/kernel/$ice/"
	cp "$modules/modules.order" "$modules/modules.builtin" "$modules/modules.builtin.modinfo" "/lib/modules/$kernel/"
	ln -sfn "$store/headers/usr/src/linux-headers-$kernel" "/lib/modules/$kernel/build"
	ln -sf "$store/linux-source.tar.xz" /usr/src/linux-source-6.1.tar.xz
	depmod "$kernel"
	before=$(state "$kernel")
	"$top/src/fork/install" --kernel "$kernel"
	ours "$kernel"
	[ "$(modinfo -k "$kernel" -F vermagic ice | cut -d' ' -f1)" = "$kernel" ]
	"$top/src/fork/install" --remove
	[ "$before" = "$(state "$kernel")" ]
	rm /usr/src/linux-source-6.1.tar.xz
	rm -r "/lib/modules/$kernel"
}
