# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2034,SC2154
# A kernel tree of a few lines, and a copy of the command with two made-up series for it. The caller sets top
# and work, and has tests/fork/lib.sh.
#
# world/core-patch/series/1.0   three patches: two files changed, one made, one removed
# world/core-patch/series/0.9   for a kernel of another form, kernel2
# tree 1/                       made anew for each case by new_tree

header=include/net/rps_steer.h
marker=.arfs-core-patch

core_patch()
{
	"$world/core-patch/core-patch" "$@"
}

# numbered FROM TO: lines that differ from each other
numbered()
{
	awk -v at="$1" -v to="$2" 'BEGIN { for (; at <= to; at++) print "\tline(" at ");" }'
}

# make_kernel DIR
make_kernel()
{
	mkdir -p "$1/net/core" "$1/include/linux" "$1/include/net" "$1/Documentation"
	{
		echo 'struct rps_dev_flow {'
		echo '	u16 cpu;'
		echo '	u16 filter;'
		echo '	unsigned int last_qtail;'
		echo '};'
	} >"$1/include/linux/netdevice.h"
	numbered 1 60 >"$1/net/core/dev.c"
	numbered 101 140 >"$1/net/core/sock.c"
	echo old >"$1/Documentation/old.rst"
	echo other >"$1/Documentation/other.rst"
	chmod 755 "$1/net/core/sock.c"
}

# next_patch SERIES NAME: what differs between step/a and step/b; then b becomes a
next_patch()
{
	mkdir -p "$world/core-patch/series/$1"
	{
		echo "From: A Tester <tester@example.org>"
		echo "Subject: [PATCH] net: $2"
		echo
		echo "The body has a line that looks like a part of a patch:"
		echo "--- nothing"
		echo
		echo "Signed-off-by: A Tester <tester@example.org>"
		echo "---"
		(cd "$work/step" && diff -urN a b) || true
	} >"$world/core-patch/series/$1/$2.patch"
	rm -rf "$work/step/a"
	cp -R "$work/step/b" "$work/step/a"
}

# change FILE SED-SCRIPT: in step/b
change()
{
	sed -i "$2" "$work/step/b/$1"
}

# begin_series DIR: from this tree on
begin_series()
{
	rm -rf "$work/step"
	mkdir -p "$work/step"
	cp -R "$1" "$work/step/a"
	cp -R "$1" "$work/step/b"
}

# make_world: sets world
make_world()
{
	world=$work/the\ world
	mkdir -p "$world/core-patch" "$world/src/fork"
	cp "$top"/core-patch/*.sh "$top/core-patch/core-patch" "$top/core-patch/rps_steer.h" "$world/core-patch/"
	cp "$top/src/fork/lib.sh" "$world/src/fork/"
	make_kernel "$work/kernel"
	begin_series "$work/kernel"
	change include/linux/netdevice.h '/last_qtail/a\	u16 asked;'
	change net/core/dev.c 's/line(10)/patched(10)/; /line(40)/d'
	next_patch 1.0 0001-first
	change net/core/dev.c '/line(14)/a\	added(14);'
	change net/core/sock.c 's/line(120)/patched(120)/'
	rm "$work/step/b/Documentation/old.rst"
	next_patch 1.0 0002-second
	change net/core/dev.c 's/line(50)/patched(50)/; s/patched(10)/patched_again(10)/'
	echo new >"$work/step/b/Documentation/new.rst"
	next_patch 1.0 0003-third

	cp -R "$work/kernel" "$work/kernel2"
	sed -i '/last_qtail/a\	u32 hash;' "$work/kernel2/include/linux/netdevice.h"
	begin_series "$work/kernel2"
	change include/linux/netdevice.h '/hash/a\	u16 asked;'
	change net/core/dev.c 's/line(10)/patched(10)/; s/line(12)/patched(12)/; s/line(30)/patched(30)/'
	next_patch 0.9 0001-first
}

# another_version: the series 1.0 as a later release has it
another_version()
{
	begin_series "$work/kernel"
	change net/core/dev.c 's/line(20)/patched(20)/'
	rm "$world/core-patch/series/1.0"/*
	next_patch 1.0 0001-other
	change net/core/sock.c 's/line(105)/patched(105)/'
	next_patch 1.0 0002-more
	echo '/* later */' >>"$world/core-patch/rps_steer.h"
}

# new_tree: sets tree, and keeps a copy of it in pristine
new_tree()
{
	tree=$work/linux\ 1/source
	pristine=$work/pristine
	rm -rf "$tree"
	mkdir -p "$work/linux 1"
	cp -Rp "${1:-$work/kernel}" "$tree"
	keep_tree
}

keep_tree()
{
	[ ! -d "$pristine" ] || chmod -R u+rwX "$pristine"
	rm -rf "$pristine"
	cp -Rp "$tree" "$pristine"
}

# listing DIR: every file with its mode and sum, and whatever is no plain file
listing()
{
	(cd "$1" && find . -type f -printf '%p %m\n' -o ! -type d -print && find . -type f -exec sha256sum {} +) | sort
}

# same_tree DIR DIR
same_tree()
{
	listing "$1" >"$work/left"
	listing "$2" >"$work/right"
	diff -u "$work/left" "$work/right"
}

# untouched: the tree is as it was, and nothing of ours is in it
untouched()
{
	same_tree "$pristine" "$tree"
}

# patched_to N: net/core/dev.c and the rest are as after the first N patches; no leftover beside the record
patched_to()
{
	rm -rf "$work/expected"
	cp -Rp "$pristine" "$work/expected"
	n=0
	for patch in "$world/core-patch/series/1.0"/*.patch; do
		n=$((n + 1))
		[ "$n" -le "$1" ] || break
		patch -s --no-backup-if-mismatch -d "$work/expected" -p1 -F0 <"$patch"
	done
	mkdir -p "$work/expected/include/net"
	cp "$world/core-patch/rps_steer.h" "$work/expected/$header"
	cp -Rp "$tree/$marker" "$work/expected/"
	same_tree "$work/expected" "$tree"
	# and what is kept beside is what is needed, no more
	(cd "$tree/$marker" && echo *) >"$work/kept"
	says "$work/kept" '^originals patches record$'
	[ ! -e "$tree/$marker.new" ]
	[ ! -e "$tree/$marker.old" ]
}

# by_hand N: the first N patches by patch, and the header
by_hand()
{
	n=0
	for patch in "$world/core-patch/series/1.0"/*.patch; do
		n=$((n + 1))
		[ "$n" -le "$1" ] || break
		patch -s --no-backup-if-mismatch -d "$tree" -p1 -F0 <"$patch"
	done
	cp "$world/core-patch/rps_steer.h" "$tree/$header"
}
