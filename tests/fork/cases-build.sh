# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2016,SC2034,SC2154
# Patches, bases, builds and what is checked of a built module.

build_cases="builds known_base_is_silent foreign_base foreign_base_strict patch_does_not_apply
	patch_of_a_missing_file our_file_exists_upstream replaced_file_is_gone our_file_is_missing
	refused_input_keeps_the_module compile_error only_what_changed_is_compiled file_taken_out_again without_rfs_accel
	ice_built_in ice_not_configured export_crc_differs export_missing export_new version_missing
	compiler_missing path_with_space warning_at_w1 warning_of_sparse layout_without_modversions
	no_btf_is_told_to_developers symvers_checker two_at_once"

module=$ice/ice.ko

builds()
{
	[ "$(forked)" = "$BUILD/$release/ice/$module" ]
	[ "$(modinfo -F version "$BUILD/$release/ice.ko")" = "$(cat "$top/VERSION")" ]
	[ "$(modinfo -F arfs_base "$BUILD/$release/ice.ko")" = "linux 6.1.192" ]
	nm "$BUILD/$release/ice.ko" >"$work/said"
	says "$work/said" arfs_stub_table
}

known_base_is_silent()
{
	saying forked --lay-out
	says_not "$work/said" 'made against'
	forked --lay-out --strict
}

# foreign SCRIPT: a source whose ice_main.c was changed by a sed script
foreign()
{
	rm -rf "$work/foreign"
	cp -R "$source_tree" "$work/foreign"
	sed -i "$1" "$work/foreign/$ice/ice_main.c"
}

foreign_base()
{
	foreign 's/^MODULE_LICENSE/MODULE_DESCRIPTION("other");\n&/'
	saying make_fork --source "$work/foreign"
	[ "$(grep -c 'made against' "$work/said")" -eq 1 ]
	says "$work/said" "linux 6\\.1\\.192 \\(kernel $release\\) has other ice_main.c than"
}

foreign_base_strict()
{
	foreign 's/^MODULE_LICENSE/MODULE_DESCRIPTION("other");\n&/'
	fails 1 make_fork --source "$work/foreign" --strict
	one_error 'has other ice_main.c than any'
}

patch_does_not_apply()
{
	forked >/dev/null
	foreign 's/return ice_stub_arfs();/return ice_stub_arfs() ? -1 : 0;/'
	before=$(cd "$BUILD/$release/ice" && find . -type f -exec cksum {} + | sort | cksum)
	fails 1 make_fork --source "$work/foreign"
	one_error "0002-main.patch does not apply to the ice driver of linux 6\\.1\\.192 \\(kernel $release\\): ice_main.c: hunk #1"
	modinfo "$BUILD/$release/ice.ko"
	[ "$before" = "$(cd "$BUILD/$release/ice" && find . -type f -exec cksum {} + | sort | cksum)" ]
	# and from nothing, nothing is left but the lock
	fails 1 make_fork --source "$work/foreign" --out "$work/none"
	[ "$(ls -A "$work/none")" = .lock ]
	# fuzz is not exact: context that differs must not be patched over
	foreign 's/^{$/{\t\/* fuzz *\//'
	fails 1 make_fork --source "$work/foreign"
	one_error 'hunk #1'
}

patch_of_a_missing_file()
{
	cp -R "$tree" "$work/tree.lost"
	sed -i 's:ice_main.c:ice_lost.c:' "$work/tree.lost/src/fork/patches/6.1/0002-main.patch"
	fails 1 "$work/tree.lost/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/none"
	one_error '0002-main.patch does not apply .* a file to patch is not there'
}

our_file_exists_upstream()
{
	cp -R "$source_tree" "$work/has-ours"
	echo >"$work/has-ours/$ice/arfs_table.c"
	fails 1 make_fork --source "$work/has-ours"
	one_error 'has a file arfs_table.c of its own'
}

replaced_file_is_gone()
{
	cp -R "$source_tree" "$work/gone"
	rm "$work/gone/$ice/ice_arfs.c"
	fails 1 make_fork --source "$work/gone"
	one_error 'has no ice_arfs.c to replace'
}

our_file_is_missing()
{
	cp -R "$tree" "$work/tree.torn"
	rm "$work/tree.torn/src/arfs_table.c"
	fails 1 "$work/tree.torn/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/none"
	one_error 'src/arfs_table.c, named in src/fork/manifest, is missing'
}

refused_input_keeps_the_module()
{
	forked >/dev/null
	before=$(cksum <"$BUILD/$release/ice.ko")
	make_source "$work/other-series" 6.12.95
	cp -a "$headers" "$work/headers.wrong"
	rm "$work/headers.wrong/Module.symvers"
	echo 'no tarball' >"$work/no.tar.xz"
	fails 1 make_fork --source "$work/other-series"
	fails 1 make_fork --source "$work/no.tar.xz"
	fails 1 make_fork --source "$work/nowhere"
	fails 1 make_fork --source "$source_tree" --headers "$work/headers.wrong"
	[ "$before" = "$(cksum <"$BUILD/$release/ice.ko")" ]
}

# What does not compile was accepted: no module of an earlier run may pass for its.
compile_error()
{
	forked --out "$work/broken"
	cp -R "$tree" "$work/tree.error"
	echo 'this is no C' >>"$work/tree.error/src/arfs_table.c"
	fails 1 "$work/tree.error/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/broken"
	says "$work/said" 'arfs_table.c:[0-9]+:.*error:'
	says "$work/said" "make-fork: error: .* the whole log is $work/broken/build.log"
	[ ! -e "$work/broken/ice.ko" ]
}

newer()
{
	[ -n "$(find "$1" -newer "$2")" ] || { echo "$1 is not newer than $2"; return 1; }
}

only_what_changed_is_compiled()
{
	cp -R "$tree" "$work/tree.fast"
	"$work/tree.fast/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/fast"
	touch "$work/mark"
	sleep 1
	sed -i 's/return 0/return 1/' "$work/tree.fast/src/arfs_table.c"
	"$work/tree.fast/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/fast"
	newer "$work/fast/ice/$ice/arfs_table.o" "$work/mark"
	newer "$work/fast/ice/$module" "$work/mark"
	newer "$work/mark" "$work/fast/ice/$ice/ice_main.o"
	newer "$work/mark" "$work/fast/ice/$ice/ice_arfs.o"
}

file_taken_out_again()
{
	cp -R "$tree" "$work/tree.out"
	forked --out "$work/out" >/dev/null
	sed -i '/arfs_table.c/d' "$work/tree.out/src/fork/manifest"
	"$work/tree.out/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/out" --lay-out
	[ ! -e "$work/out/ice/$ice/arfs_table.c" ]
	[ -e "$work/out/ice/$ice/ice_arfs.c" ]
}

# headers_with NAME SCRIPT: headers whose configuration was changed by a sed script
headers_with()
{
	rm -rf "$work/headers.$1"
	cp -a "$headers" "$work/headers.$1"
	sed -i "$2" "$work/headers.$1/include/config/auto.conf"
}

without_rfs_accel()
{
	headers_with norfs '/^CONFIG_RFS_ACCEL=/d'
	sed -i '/CONFIG_RFS_ACCEL /d' "$work/headers.norfs/include/generated/autoconf.h"
	saying make_fork --headers "$work/headers.norfs" --source "$source_tree" --out "$work/norfs"
	[ "$(grep -c 'aRFS will not be available' "$work/said")" -eq 1 ]
	nm "$work/norfs/ice.ko" >"$work/said"
	says_not "$work/said" arfs_stub_table
	[ "$(modinfo -F version "$work/norfs/ice.ko")" = "$(cat "$top/VERSION")" ]
}

ice_built_in()
{
	headers_with builtin 's/^CONFIG_ICE=m/CONFIG_ICE=y/'
	fails 1 make_fork --headers "$work/headers.builtin" --source "$source_tree"
	one_error 'has ice built in'
}

ice_not_configured()
{
	headers_with noice '/^CONFIG_ICE=/d'
	fails 1 make_fork --headers "$work/headers.noice" --source "$source_tree"
	one_error 'without the ice driver'
}

# refused_exports SCRIPT: headers whose Module.symvers was changed by a sed script; nothing may be delivered
refused_exports()
{
	rm -rf "$work/headers.symvers"
	cp -a "$headers" "$work/headers.symvers"
	sed -i "$1" "$work/headers.symvers/Module.symvers"
	fails 1 make_fork --headers "$work/headers.symvers" --source "$source_tree" --out "$work/refused"
	[ ! -e "$work/refused/ice.ko" ]
	says "$work/said" 'make-fork: error: .*irdma'
}

export_crc_differs()
{
	refused_exports 's/^0x[0-9a-f]*\(	ice_stub_export	\)/0x12345678\1/'
	says "$work/said" 'ice_stub_export has CRC 0x[0-9a-f]*, the stock module has 0x12345678'
}

export_missing()
{
	refused_exports "\$a 0x1\\tice_lost\\t$ice/ice\\tEXPORT_SYMBOL_GPL\\t"
	says "$work/said" 'ice_lost is exported by the stock module and not by the built one'
}

export_new()
{
	refused_exports 's/	ice_stub_export	/	ice_other	/'
	says "$work/said" 'ice_stub_export is exported by the built module and not by the stock one'
}

version_missing()
{
	cp -R "$tree" "$work/tree.nover"
	sed -i '/arfs_version/d' "$work/tree.nover/src/fork/arfs.mk"
	fails 1 "$work/tree.nover/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/nover"
	one_error 'carries no version'
	[ ! -e "$work/nover/ice.ko" ]
}

compiler_missing()
{
	cp -a "$headers" "$work/headers.cc"
	echo 'CC = $(if $(X),ccache) x86_64-linux-gnu-gcc-99' >"$work/headers.cc/.kernelvariables"
	fails 1 make_fork --headers "$work/headers.cc" --source "$source_tree"
	one_error 'asks for the compiler x86_64-linux-gnu-gcc-99, which is missing; apt-get install gcc-99'
}

path_with_space()
{
	fails 1 forked --out "$work/a b"
	one_error 'a path with a space'
}

# warned NAME TEXT PATTERN: our file with TEXT in it must fail --check, and go on failing
warned()
{
	rm -rf "$work/tree.$1"
	cp -R "$tree" "$work/tree.$1"
	echo "$2" >>"$work/tree.$1/src/arfs_table.c"
	for _ in first again; do
		fails 1 "$work/tree.$1/src/fork/make-fork" --headers "$headers" --source "$source_tree" --out "$work/$1" --check
		says "$work/said" "$3"
		one_error 'new warnings at W=1 with sparse'
	done
}

need_sparse()
{
	command -v sparse >/dev/null || { echo "sparse is not installed"; return 77; }
}

warning_at_w1()
{
	need_sparse
	warned w1 'int arfs_no_prototype(void) { return 0; }' 'arfs_table.c: warning: .*no previous prototype'
	forked --check --out "$work/clean"
}

warning_of_sparse()
{
	need_sparse
	warned sparse 'int *arfs_global_nobody_declared;' 'arfs_table.c: warning: .*was not declared'
}

layout_without_modversions()
{
	need_sparse
	# A kernel whose exports carry no CRC: only --check can see that a reachable type has changed.
	rm -rf "$work/headers.nomv"
	cp -a "$headers" "$work/headers.nomv"
	sed -i '/^CONFIG_MODVERSIONS=/d' "$work/headers.nomv/include/config/auto.conf"
	sed -i '/CONFIG_MODVERSIONS /d' "$work/headers.nomv/include/generated/autoconf.h"
	sed -i 's/^0x[0-9a-f]*/0x00000000/' "$work/headers.nomv/Module.symvers"
	cp -R "$tree" "$work/tree.nomv"
	cat >"$work/tree.nomv/src/fork/patches/6.1/0003-layout.patch" <<-'END'
		--- a/drivers/net/ethernet/intel/ice/ice_arfs.h
		+++ b/drivers/net/ethernet/intel/ice/ice_arfs.h
		@@ -2,2 +2,3 @@
		 int state;
		+int more;
		 };
	END
	"$work/tree.nomv/src/fork/make-fork" --headers "$work/headers.nomv" --source "$source_tree" --out "$work/nomv"
	fails 1 "$work/tree.nomv/src/fork/make-fork" --headers "$work/headers.nomv" --source "$source_tree" \
		--out "$work/nomv" --check
	says "$work/said" 'ice_stub_export has CRC'
	says "$work/said" 'a type that an exported symbol of ice reaches has changed'
}

no_btf_is_told_to_developers()
{
	need_sparse
	! command -v pahole >/dev/null || { echo "pahole is installed"; return 77; }
	cp -a "$headers" "$work/headers.btf"
	echo >"$work/headers.btf/vmlinux"
	saying make_fork --headers "$work/headers.btf" --source "$source_tree" --out "$work/btf"
	says_not "$work/said" pahole
	saying make_fork --headers "$work/headers.btf" --source "$source_tree" --out "$work/btf" --check
	[ "$(grep -c 'install the package pahole' "$work/said")" -eq 1 ]
}

symvers_checker()
{
	line="	$ice/ice	EXPORT_SYMBOL_GPL	"
	printf '0x1\tone\t/build/here/ice\tEXPORT_SYMBOL\t\n0x2\ttwo\t/build/here/ice\tEXPORT_SYMBOL_GPL\t\n' >"$work/built"
	printf '0x1\tone%s\n0x2\ttwo%s\n0x9\tone\tdrivers/net/other/ice_like/ice2\tEXPORT_SYMBOL\t\n' "$line" "$line" >"$work/stock"
	"$tree/src/fork/check-symvers" "$work/built" "$work/stock"
	sed 's/^0x2/0x3/' "$work/stock" >"$work/stock.other"
	fails 1 "$tree/src/fork/check-symvers" "$work/built" "$work/stock.other"
	one_error 'two has CRC 0x2, the stock module has 0x3'
	: >"$work/stock.none"
	fails 1 "$tree/src/fork/check-symvers" "$work/built" "$work/stock.none"
	one_error 'knows no exports'
	: >"$work/built.none"
	fails 1 "$tree/src/fork/check-symvers" "$work/built.none" "$work/stock"
	[ "$(grep -c 'not by the built one' "$work/said")" -eq 2 ]
	fails 2 "$tree/src/fork/check-symvers" "$work/built" "$work/nowhere"
}

two_at_once()
{
	forked --out "$work/two" >"$work/first" 2>&1 &
	first=$!
	forked --out "$work/two" >"$work/second" 2>&1
	wait "$first"
	[ -e "$work/two/ice.ko" ]
}

# The true driver and engine for a kernel as Debian's 6.1, but without CONFIG_RFS_ACCEL.
true_driver_without_rfs_accel()
{
	kernel=$(cat "$store/release")
	from=$store/headers/usr/src/linux-headers-$kernel
	bare=$work/headers.true
	cp -a "$from" "$bare"
	for link in scripts tools; do
		ln -sfn "$(readlink -f "$from/$link")" "$bare/$link"
	done
	sed -i '/^CONFIG_RFS_ACCEL=/d' "$bare/include/config/auto.conf"
	sed -i '/CONFIG_RFS_ACCEL /d' "$bare/include/generated/autoconf.h"

	# That kernel's exports have CRCs of their own: take them from the stock driver built for it.
	set -- --kernel "$kernel" --headers "$bare" --source "$store/linux-source.tar.xz"
	driver=$("$top/src/fork/make-fork" "$@" --stock --lay-out)
	exporters=$(cd "$driver" && grep -l EXPORT_SYMBOL ./*.c | sed 's:^\./::; s/c$/o/')
	# shellcheck disable=SC2086
	make -C "$bare" M="$driver" KCFLAGS="-I${driver%/"$ice"}/include/trace" $exporters
	sed -i "\\:	$ice/ice	:d" "$bare/Module.symvers"
	find "$driver" -name '.*.o.cmd' -exec sed -n "s:^#SYMVER \\(.*\\) \\(.*\\):\\2\\t\\1\\t$ice/ice\\tEXPORT_SYMBOL_GPL\\t:p" {} + \
		>>"$bare/Module.symvers"

	saying "$top/src/fork/make-fork" "$@"
	[ "$(grep -c 'aRFS will not be available' "$work/said")" -eq 1 ]
	nm "$BUILD/$kernel/ice.ko" >"$work/said"
	says_not "$work/said" ' arfs_'
	[ "$(modinfo -F version "$BUILD/$kernel/ice.ko")" = "$(cat "$top/VERSION")" ]
}
