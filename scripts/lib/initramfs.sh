# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The guest's root file system: cpio archives that the kernel unpacks one after the other. The pieces are cached apart,
# because they change at different times. Nothing here needs root. Needs common.sh and kernel.sh.

# Ordinary programs, because busybox's lack options that users and tests rely on (sort -h, for one). They are taken from
# this machine with the libraries that they need.
GUEST_TOOLS="bash cat chmod cmp comm cp cut date dd df diff du echo env false find getopt grep head id join kill ln ls mkdir mknod
	mktemp mount mv nproc numfmt od paste ps readlink rm rmdir sed seq sleep sort stat stdbuf sync sysctl tail tee timeout
	touch tr true truncate umount uname uniq wc xargs awk zcat gzip kmod mke2fs"
KMOD_NAMES="depmod insmod lsmod modinfo modprobe rmmod"

# pack DIRECTORY: a cpio archive of it on stdout, owned by root.
pack() {
	(cd "$1" && find . -mindepth 1 -print0 | sort -z | cpio --null --quiet --reproducible -o -H newc -R 0:0)
}

# A tool's path, looked for where the distribution puts it.
tool_path() {
	PATH=/usr/bin:/bin:/usr/sbin:/sbin command -v "$1" || die "the guest needs '$1', which this machine lacks; run scripts/setup"
}

# copy_libraries ROOT PROGRAM…: what these need, the loader included.
copy_libraries() {
	local root=$1 path
	shift
	# ldd prints "name => path (address)" for libraries and "path (address)" for the loader.
	{ ldd "$@" 2>/dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// {print $3} $1 ~ /^\// && $2 ~ /^\(/ {print $1}' |
		sort -u | while read -r path; do
		mkdir -p "$root${path%/*}"
		cp -L "$path" "$root$path"
	done
}

# with_program NAME ROOT: one more program of this machine, for a guest that needs it.
with_program() {
	local path
	path=$(tool_path "$1")
	mkdir -p "$2/bin"
	cp -L "$path" "$2/bin/"
	copy_libraries "$2" "$path"
}

base_tree() {
	local root=$1 tool path paths=()
	mkdir -p "$root"/{bin,sbin,busybox,proc,sys,dev,tmp,root,etc,run,mnt}
	for tool in $GUEST_TOOLS; do
		path=$(PATH=/usr/bin:/bin:/usr/sbin:/sbin type -P "$tool") || die "the guest needs '$tool', which this machine lacks"
		cp -L "$path" "$root/bin/$tool"
		paths+=("$path")
	done
	for tool in $KMOD_NAMES; do ln -s ../bin/kmod "$root/sbin/$tool"; done
	cp -L "$(tool_path busybox)" "$root/bin/busybox"
	ln -s busybox "$root/bin/sh"
	copy_libraries "$root" "${paths[@]}"
	echo 'root:x:0:0:root:/root:/bin/bash' >"$root/etc/passwd"
	echo 'root:x:0:' >"$root/etc/group"
}

# base_piece: prints the path of the archive of programs, made anew where one of them has changed.
base_piece() {
	local key piece work
	# shellcheck disable=SC2086 # tool names, one word each
	key=$(cd / && { PATH=/usr/bin:/bin:/usr/sbin:/sbin type -P $GUEST_TOOLS busybox | xargs stat -Lc '%n %s %Y'
		declare -f base_tree copy_libraries; } | cksum | cut -d' ' -f1)
	piece=$ALLOCTAG_CACHE/initramfs/base-$key.cpio
	if [[ ! -f $piece ]]; then
		mkdir -p "${piece%/*}"
		work=$(mktemp -d)
		base_tree "$work"
		pack "$work" >"$piece.$$"
		mv "$piece.$$" "$piece"
		rm -rf "$work"
	fi
	echo "$piece"
}

# modules_piece BUILD: prints the path of the archive of a build's modules.
modules_piece() {
	local build=$1 piece=$1/modules.cpio
	# A directory does not tell that something below it has changed.
	if [[ ! -f $piece || -n $(find "$build/modroot/lib/modules" -newer "$piece" -print -quit) ]]; then
		pack "$build/modroot" >"$piece.$$"
		mv "$piece.$$" "$piece"
	fi
	echo "$piece"
}

# project_tree ROOT: what of this repository the guest can reach: init, the selftests, and the tool.
project_tree() {
	local root=$1 helper
	mkdir -p "$root/bin" "$root/tests/configs"
	cp "$REPO/tests/qemu/init" "$root/init"
	cp "$REPO"/tests/qemu/{summary,sweep} "$root/bin"
	cp -r "$REPO/tests/selftests/." "$root/tests"
	cp "$REPO/tests/configs/guest" "$root/tests/configs/"
	for helper in "$REPO"/tests/selftests/*.c; do
		[[ -e $helper ]] && static_helper "$helper" "$root/bin"
	done
	for helper in "$REPO/target/guest"/*/guest/alloctag; do
		[[ -x $helper ]] && cp "$helper" "$root/bin/"
	done
	return 0
}

# boot_tree RUN_DIR: in $RUN_DIR/again, what the guest needs to boot once more from within.
boot_tree() {
	mkdir -p "$1/again/boot"
	cp "$1/kernel" "$1/initramfs" "$1/again/boot"
}

# static_helper SOURCE DIRECTORY: compiles a small C program, once for each state of its source.
static_helper() {
	local source=$1 name kept
	name=$(basename "$source" .c)
	kept=$ALLOCTAG_CACHE/initramfs/$name-$(cksum <"$source" | cut -d' ' -f1)
	if [[ ! -x $kept ]]; then
		mkdir -p "${kept%/*}"
		gcc -O1 -Wall -Wextra -Werror -static -o "$kept.$$" "$source" || die "cannot compile $source"
		mv "$kept.$$" "$kept"
	fi
	cp "$kept" "$2/$name"
}
