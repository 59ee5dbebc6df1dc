# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# The guest's root file system: cpio archives that the kernel unpacks one after the other. The pieces are cached apart,
# because they change at different times. Nothing here needs root. Needs common.sh, source.sh and kernel.sh.

# shellcheck source=scripts/lib/userland.sh
source "$REPO/scripts/lib/userland.sh"
# shellcheck source=scripts/lib/tool.sh
source "$REPO/scripts/lib/tool.sh"

# Ordinary programs, because busybox's lack options that users and tests rely on (sort -h, for one). They are taken from
# this machine with the libraries that they need, or for another architecture from Debian's packages.
GUEST_TOOLS="bash cat chmod cmp comm cp cut date dd df diff du echo env false find getopt grep head id join kill ln ls mkdir mknod
	mktemp mount mv nproc numfmt od paste ps readlink rm rmdir sed seq sleep sort stat stdbuf sync sysctl tail tee timeout
	touch tr true truncate umount uname uniq wc xargs awk zcat gzip kmod mke2fs"
KMOD_NAMES="depmod insmod lsmod modinfo modprobe rmmod"

# tool_path ARCH NAME: a tool's path, looked for where the distribution puts it.
tool_path() {
	local root=''
	! is_foreign "$1" || root=$(userland "$1")
	PATH=$root/usr/bin:$root/bin:$root/usr/sbin:$root/sbin type -P "$2" ||
		die "the guest needs '$2', which ${root:-this machine} lacks; run scripts/setup"
}

# copy_libraries ARCH ROOT PROGRAM…: what these need, the loader included.
copy_libraries() {
	local root=$2 path
	if is_foreign "$1"; then
		copy_foreign "$@"
		return
	fi
	shift 2
	# ldd prints "name => path (address)" for libraries and "path (address)" for the loader.
	{ ldd "$@" 2>/dev/null || true; } | awk '$2 == "=>" && $3 ~ /^\// {print $3} $1 ~ /^\// && $2 ~ /^\(/ {print $1}' |
		sort -u | while read -r path; do
		mkdir -p "$root${path%/*}" && cp -L "$path" "$root$path" || exit 1
	done
}

# with_program ARCH NAME ROOT: one more program, for a guest that needs it.
with_program() {
	local path
	path=$(tool_path "$1" "$2")
	mkdir -p "$3/bin" && cp -L "$path" "$3/bin/" || return 1
	copy_libraries "$1" "$3" "$path"
}

# base_tree ARCH ROOT
base_tree() {
	local arch=$1 root=$2 tool path paths=()
	mkdir -p "$root"/{bin,sbin,busybox,proc,sys,dev,tmp,root,etc,run,mnt}
	for tool in $GUEST_TOOLS; do
		path=$(tool_path "$arch" "$tool") || return 1
		cp -L "$path" "$root/bin/$tool" || return 1
		paths+=("$path")
	done
	for tool in $KMOD_NAMES; do ln -s ../bin/kmod "$root/sbin/$tool"; done
	cp -L "$(tool_path "$arch" busybox)" "$root/bin/busybox" || return 1
	ln -s busybox "$root/bin/sh"
	copy_libraries "$arch" "$root" "${paths[@]}" || return 1
	echo 'root:x:0:0:root:/root:/bin/bash' >"$root/etc/passwd"
	echo 'root:x:0:' >"$root/etc/group"
}

# base_piece ARCH: prints the path of the archive of programs, made anew where one of them has changed.
base_piece() {
	local arch=$1 root='' key piece work status
	! is_foreign "$arch" || root=$(userland "$arch")
	# shellcheck disable=SC2086 # tool names, one word each
	key=$(cd / && { PATH=$root/usr/bin:$root/bin:$root/usr/sbin:$root/sbin type -P $GUEST_TOOLS busybox | xargs stat -Lc '%n %s %Y'
		declare -f base_tree copy_libraries copy_foreign; } | cksum | cut -d' ' -f1)
	piece=$ALLOCTAG_CACHE/initramfs/base-$key.cpio
	if [[ ! -f $piece ]]; then
		mkdir -p "${piece%/*}"
		work=$(mktemp -d)
		# Whoever asks for the path does so where no command that fails ends the script.
		base_tree "$arch" "$work" && pack "$work" >"$piece.$$" && mv "$piece.$$" "$piece"
		status=$?
		rm -rf "$work" "$piece.$$"
		((status == 0)) || return 1
	fi
	echo "$piece"
}

# project_tree ARCH ROOT: what of this repository the guest can reach: init, the selftests, and the tool.
project_tree() {
	local arch=$1 root=$2 helper
	mkdir -p "$root/bin" "$root/tests/configs"
	cp "$REPO/tests/qemu/init" "$root/init"
	cp "$REPO"/tests/qemu/{summary,sweep} "$root/bin"
	cp -r "$REPO/tests/selftests/." "$root/tests"
	cp "$REPO/tests/configs/guest" "$root/tests/configs/"
	for helper in "$REPO"/tests/selftests/*.c; do
		[[ -e $helper ]] && static_helper "$arch" "$helper" "$root/bin"
	done
	helper=$(tool_of "$arch")
	[[ -x $helper ]] && cp "$helper" "$root/bin/"
	return 0
}

# boot_tree RUN_DIR: in $RUN_DIR/again, what the guest needs to boot once more from within.
boot_tree() {
	mkdir -p "$1/again/boot"
	cp "$1/kernel" "$1/initramfs" "$1/again/boot"
}

# static_helper ARCH SOURCE DIRECTORY: compiles a small C program, once for each state of its source and of our headers.
static_helper() {
	local arch=$1 source=$2 name kept compiler=(gcc)
	name=$(basename "$source" .c)
	kept=$ALLOCTAG_CACHE/initramfs/$name-$({ cat "$source" "$REPO"/include/uapi/linux/*.h; declare -f static_helper; } | cksum | cut -d' ' -f1)
	if is_foreign "$arch"; then
		kept+=-$arch
		read -ra compiler <<<"$(cross_compiler "$arch")"
	fi
	if [[ ! -x $kept ]]; then
		mkdir -p "${kept%/*}"
		"${compiler[@]}" -O1 -Wall -Wextra -Werror -static -o "$kept.$$" "$source" || die "cannot compile $source"
		mv "$kept.$$" "$kept"
	fi
	cp "$kept" "$3/$name"
}
