# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154
# Build a small kernel for the guest from Debian's source of a series, and put it into the kernel store.
# For the scripts that name the kinds (tests/debug-kernel, tests/core-kernel). They set
#   me        what messages begin with
#   series    6.1, 6.12 or 7.3
#   kind      the kernel becomes $BUILD/kernels/SERIES-KIND and calls itself VERSION-arfs-KIND
#   o         the folder it is built in
# and export BUILD. JOBS compilers run at once (default: one per CPU).

kernels_dir=$top/tests/kernels
PATH=$PATH:/usr/sbin:/sbin

die()
{
	echo "$me: $*" >&2
	exit 1
}

note()
{
	echo "$me: $*" >&2
}

# Check what was asked for and what is installed; fetch the source. Sets source_version, tarball, src, store.
small_start()
{
	case $series in
	6.1|6.12|7.3) ;;
	*) die "unknown kernel series '$series'; use 6.1, 6.12 or 7.3" ;;
	esac
	missing=
	for pair in gcc:gcc make:make flex:flex bison:bison bc:bc xz:xz-utils depmod:kmod flock:util-linux; do
		command -v "${pair%%:*}" >/dev/null 2>&1 || missing="$missing ${pair#*:}"
	done
	[ -f /usr/include/gelf.h ] || missing="$missing libelf-dev"
	[ -z "$missing" ] || die "building a kernel needs more packages; apt-get install$missing"

	"$kernels_dir/fetch" "$series"
	tarball=$BUILD/kernels/$series/linux-source.tar.xz
	source_version=$(cat "$BUILD/kernels/$series/version")
	src=$BUILD/kernel-source/$series
	store=$BUILD/kernels/$series-$kind
}

# small_lock FILE: one build at a time; held until the script ends.
small_lock()
{
	mkdir -p "$(dirname "$1")"
	exec 9>"$1"
	flock -n 9 || { note "waiting for another build of $series"; flock 9; }
}

# small_key FILE...: sets version, which says what the kernel is made of.
small_key()
{
	version=$source_version-$kind-$({ echo "$source_version"; gcc -dumpfullversion
		cat "$kernels_dir/guest.config" "$@"; } | sha256sum | cut -c 1-12)
}

small_is_made()
{
	[ "$(cat "$store/version" 2>/dev/null)" = "$version" ] &&
		[ -f "$store/headers/usr/src/linux-headers-$(cat "$store/release")/Module.symvers" ]
}

# Debian's source into $src, once for all kinds. Of what no kind builds only the Kconfig files and
# Makefiles are taken: half of the files are that.
small_unpack()
{
	exec 8>"$BUILD/.kernel-source-$series.lock"
	flock 8
	if [ "$(cat "$src/.arfs-source" 2>/dev/null)" != "$source_version" ]; then
		free_mib=$(df -Pm "$BUILD" | awk 'NR == 2 { print $4 }')
		[ "$free_mib" -ge 4000 ] ||
			die "only $free_mib MiB free under $BUILD, 4000 needed; make room or set BUILD to another disk"
		note "unpacking $tarball"
		rm -rf "$src"
		mkdir -p "$src"
		set -- --exclude='*/arch/*/boot/dts/*'
		for dir in sound drivers/gpu drivers/media drivers/staging drivers/scsi drivers/infiniband \
			drivers/net/wireless drivers/iio drivers/usb drivers/clk drivers/pinctrl; do
			set -- "$@" --exclude="*/$dir/*.[chS]"
		done
		xz -T0 -dc "$tarball" | tar -x -C "$src" --strip-components=1 "$@" || die "cannot unpack $tarball"
		echo "$source_version" >"$src/.arfs-source"
	fi
	exec 8>&-
}

# small_make ARGUMENT...: in $src with the output in $o.
small_make()
{
	env -u MAKEFLAGS -u MAKELEVEL nice -n 5 "$kernels_dir/with-huge-pages" make -s -C "$src" O="$o" "$@" 9>&-
}

# small_configure FRAGMENT...: what is wanted and does not come is an error, or the tests would look with
# closed eyes. A name that the series does not have at all is left out: the options differ between series.
small_configure()
{
	mkdir -p "$o"
	cat "$kernels_dir/guest.config" "$@" >"$o.config"
	echo "CONFIG_LOCALVERSION=\"-arfs-$kind\"" >>"$o.config"
	small_make KCONFIG_ALLCONFIG="$o.config" allnoconfig >"$o.log" 2>&1 ||
		die "the configuration fails: $(tail -n 1 "$o.log") (log: $o.log)"
	(cd "$src" && find . -name 'Kconfig*' -exec grep -hE '^[[:space:]]*(menu)?config [A-Z0-9_]+' {} +) |
		awk '{ print "CONFIG_" $2 }' | sort -u >"$o.symbols"
	refused=$(awk -F= '
		FILENAME ~ /symbols$/ { known[$1] = 1; next }
		/^#/ || NF < 2 { next }
		FILENAME ~ /\/\.config$/ { got[$1] = $2; next }
		known[$1] && ((($1 in got) ? got[$1] : "n") != $2) { print $1 "=" $2 }
		' "$o.symbols" "$o/.config" "$o.config")
	# shellcheck disable=SC2086
	[ -z "$refused" ] || die "linux $series does not take" $refused "; mend $* or $kernels_dir/guest.config"
}

small_build()
{
	note "building linux $source_version, $kind ($1; log: $o.log)"
	small_make -j "${JOBS:-$(nproc)}" bzImage modules >"$o.log" 2>&1 ||
		die "linux $series does not build: $(grep -m 1 -E 'error|No space left' "$o.log" ||
			tail -n 1 "$o.log") (log: $o.log)"
}

# small_store [SOURCE.c...]: into the store, with one more module made from each SOURCE.c.
small_store()
{
	release=$(cat "$o/include/config/kernel.release")
	new=$BUILD/kernels/.$series-$kind.new
	rm -rf "$new"
	mkdir -p "$new/image/boot" "$new/headers/usr/src"
	small_make INSTALL_MOD_PATH="$new/image" modules_install >>"$o.log" 2>&1 ||
		die "the modules cannot be installed: $(tail -n 1 "$o.log") (log: $o.log)"
	rm -f "$new/image/lib/modules/$release/build" "$new/image/lib/modules/$release/source"
	for module_source in "$@"; do small_module "$module_source"; done
	cp "$o/arch/x86/boot/bzImage" "$new/image/boot/vmlinuz-$release"
	cp "$o/System.map" "$new/image/boot/System.map-$release"
	# The tree that the kernel was built in serves as its headers.
	ln -s "$o" "$new/headers/usr/src/linux-headers-$release"
	ln -s "../$series/linux-source.tar.xz" "$new/linux-source.tar.xz"
	depmod -b "$new/image" "$release"
	echo "$release" >"$new/release"
	echo "$version" >"$new/version"
	rm -rf "$store"
	mv "$new" "$store"
}

small_module()
{
	mkdir -p "$o.module" "$new/image/lib/modules/$release/extra"
	cp "$1" "$o.module/"
	name=$(basename "$1" .c)
	echo "obj-m := $name.o" >"$o.module/Makefile"
	small_make M="$o.module" modules >>"$o.log" 2>&1 ||
		die "$name.ko does not build: $(grep -m 1 error "$o.log") (log: $o.log)"
	cp "$o.module/$name.ko" "$new/image/lib/modules/$release/extra/"
}
