# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2086,SC2154
# Compile a laid out fork against the kernel's headers, and check what came out.

# kbuild TREE LOG TARGET...: the kernel's own build of a laid out tree
kbuild()
{
	tree=$1
	log=$2
	shift 2
	[ -z "$(config CC_IS_CLANG)" ] || set -- LLVM=1 "$@"
	# Headers that hold vmlinux ask for the module's BTF; a module without it works as well.
	if [ -f "$headers/vmlinux" ] && ! command -v pahole >/dev/null 2>&1; then
		set -- CONFIG_DEBUG_INFO_BTF_MODULES= "$@"
	fi
	# The driver finds its trace header as ../../drivers/... from include/trace of a kernel tree.
	# MAKEFLAGS and CC are those of a caller (dkms sets CC with a space in it); the headers know theirs.
	env -u MAKEFLAGS -u MAKELEVEL -u CC make -C "$headers" M="$tree/$ice_path" \
		KCFLAGS="-I$tree/include/trace" -j "${JOBS:-$(nproc)}" "$@" >"$log" 2>&1 9>&-
}

# Some distributions' headers name the very compiler that built the kernel.
check_compiler()
{
	[ -f "$headers/.kernelvariables" ] || return 0
	# shellcheck disable=SC2016
	compiler=$(printf 'include %s\nall:\n\t@echo $(CC)\n' "$headers/.kernelvariables" |
		env -u MAKEFLAGS -u MAKELEVEL make -s -f - all 2>/dev/null | awk '{ print $NF }')
	[ -z "$compiler" ] || command -v "$compiler" >/dev/null 2>&1 ||
		die "kernel $release asks for the compiler $compiler, which is missing; apt-get install ${compiler#*-linux-gnu-}"
}

build_failed()
{
	{ grep -E 'error:|undefined!|No space left|not found' "$log" || tail -n 20 "$log"; } | head -n 20 >&2
	die "the driver does not build for $release; the whole log is $log"
}

build_module()
{
	[ -z "$check" ] || note_btf "$headers" "$release"
	note "building ice.ko for $release (a minute or two; log: $out/build.log)"
	kbuild "$out/ice" "$out/build.log" modules || build_failed
	grep -E ':[0-9]+: warning: ' "$out/build.log" >&2 || true
}

# irdma and others link against ice: same exports, same CRCs, or they no longer load.
check_module()
{
	module=$out/ice/$ice_path/ice.ko
	"$here/check-symvers" "$out/ice/$ice_path/Module.symvers" "$headers/Module.symvers" ||
		die "the module for $release would break drivers that use it (irdma); nothing is delivered"
	magic=$(modinfo -F vermagic "$module")
	[ "${magic%% *}" = "$release" ] ||
		die "the module was built for '${magic%% *}', not for $release; the headers in $headers do not match"
	[ -n "$stock" ] || [ "$(modinfo -F version "$module")" = "$(cat "$top/VERSION")" ] ||
		die "the module for $release carries no version, dkms would not install it; src/fork/manifest lacks fork/arfs_version.c"
}

# Our own C files and the patched ones, as objects.
objects_to_check()
{
	{
		for file in $(manifest replace) $(manifest add); do basename "$file"; done
		patched_files
	} | sed -n 's/\.c$/.o/p' | sort -u
}

# The warnings of a log: file and text without line numbers, each once.
warnings_of()
{
	sed -n -e "s:^$1/$ice_path/::" -e 's/^\([^ ]*\):[0-9]*:[0-9]*: \(warning\|error\): /\1: \2: /p' "$2" | sort -u
}

# Headers of newer kernels use a C23 operator, and strlen of a literal as a constant, which older sparse does not
# know; plainer forms do for it.
sparse_command()
{
	if echo 'static int a; static __typeof_unqual__(a) b;' | sparse - 2>&1 | grep -q 'error:'; then
		echo "sparse -D__typeof_unqual__=__typeof__ '-D__builtin_strlen(s)=(sizeof(s)-1)'"
	else
		echo sparse
	fi
}

# W=1 and sparse over what we wrote or changed; what the stock files say of themselves is theirs.
check_warnings()
{
	[ -z "$stock" ] || return 0
	need_tool sparse sparse
	checked=$out/check
	mkdir -p "$checked"
	lay_out "$checked/ours/ice" ours
	lay_out "$checked/stock/ice" stock
	exporters=$(cd "$checked/stock/ice/$ice_path" && grep -l 'EXPORT_SYMBOL' ./*.c | sed 's:^\./::; s/\.c$/.o/')
	note "checking our files for $release with W=1 and sparse"
	for kind in stock ours; do
		tree=$checked/$kind/ice
		wanted=$({ objects_to_check; echo "$exporters"; } | sort -u | while read -r object; do
			[ ! -f "$tree/$ice_path/${object%.o}.c" ] || echo "$object"
		done)
		# Without CONFIG_MODVERSIONS nobody would notice an exported layout that changed: compute the CRCs here.
		# An object that is up to date would not repeat its warnings.
		(cd "$tree/$ice_path" && rm -f $wanted)
		# KBUILD_CHECKSRC by name: with C=2 alone headers that lack checker-valid.sh (7.3) switch sparse off.
		kbuild "$tree" "$checked/$kind.log" W=1 C=2 KBUILD_CHECKSRC=2 CHECK="$(sparse_command)" \
			CONFIG_MODVERSIONS=y $wanted || build_failed
		[ "$(grep -c "^  CHECK " "$checked/$kind.log")" -ge "$(echo "$wanted" | wc -l)" ] ||
			die "sparse did not look at every file for $release; the whole log is $checked/$kind.log"
		warnings_of "$tree" "$checked/$kind.log" >"$checked/$kind.warnings"
		(cd "$tree/$ice_path" && find . -name '.*.o.cmd' -exec sed -n 's/^#SYMVER \([^ ]*\) \(.*\)/\2\t\1\t'"$(echo "$ice_path" | sed 's:/:\\/:g')"'\/ice\t-/p' {} +) \
			>"$checked/$kind.symvers"
	done
	comm -13 "$checked/stock.warnings" "$checked/ours.warnings" >"$checked/new.warnings"
	if [ -s "$checked/new.warnings" ]; then
		cat "$checked/new.warnings" >&2
		die "new warnings at W=1 with sparse for $release; the whole log is $checked/ours.log"
	fi
	"$here/check-symvers" "$checked/ours.symvers" "$checked/stock.symvers" ||
		die "a type that an exported symbol of ice reaches has changed for $release"
}
