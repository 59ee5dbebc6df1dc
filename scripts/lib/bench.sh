# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# One measuring boot, and what has to be compiled for it. Needs common.sh, kernel.sh, initramfs.sh and guest.sh. Reads
# COMPILED_BY, the compiler, MODEL, MORE, OWNER, RULE, TRACE, and WORK, a directory, and adds to $WORK/record, whose form is described in
# scripts/lib/bench/boots.py.

BENCH=$REPO/tests/bench

# A nanosecond of the guest is an instruction; nothing of this machine's clock reaches it.
COUNTING=(-icount 'shift=0,align=off,sleep=off' -rtc "base=2026-01-01,clock=vm")

# Kernel parameters of each mode.
mode_parameters() {
	case $1 in
	absent) ;;
	on | chosen) echo sysctl.vm.mem_profiling=1 ;;
	owned) echo sysctl.vm.mem_profiling=1 page_owner=on ;;
	compressed) echo sysctl.vm.mem_profiling=1,compressed ;;
	off) echo sysctl.vm.mem_profiling=0 ;;
	never) echo sysctl.vm.mem_profiling=never ;;
	*) die "no mode '$1'" ;;
	esac
}

# own_console: kernel parameters by which the console of early boot stays, to which whoever has something to say writes it himself,
# unless it is deferred: so it is counted.
own_console() {
	case $ALLOCTAG_ARCH in
	x86_64) echo earlycon=uart8250,io,0x3f8 keep_bootcon ;;
	arm64) echo earlycon=pl011,0x9000000 keep_bootcon ;;
	esac
}

# measured none|c|rust: the build of that one by the compiler that was asked for.
measured() {
	# shellcheck disable=SC2153 # no misspelling: what --page-owner sets
	if [[ -n $OWNER ]]; then echo owner && return; fi
	case $COMPILED_BY/$1 in
	gcc/*) echo "gcc-$1" ;;
	*) echo "$1" ;;
	esac
}

# compile_module CONFIG: the same sources against that kernel, outside of its build directory.
compile_module() {
	local config=$1 out=$WORK/$1/module
	mkdir -p "$out"
	step "compiling the $config module" "$LOGS/bench-module-$config.log" \
		kmake "$(measured "$config")" M="$BENCH/module" MO="$out" modules || exit 1
}

# What the guest's kernel does not take part in.
compile_host() {
	local compiler=(gcc)
	! is_foreign "$ALLOCTAG_ARCH" || read -ra compiler <<<"$(cross_compiler "$ALLOCTAG_ARCH")"
	"${compiler[@]}" -O2 -Wall -Wextra -Werror -static -include "$TREE/include/uapi/linux/alloc_tag.h" -o "$WORK/reader" "$BENCH/reader.c" ||
		die "cannot compile tests/bench/reader.c"
	gcc -O2 -Wall -Wextra -Werror -shared -fPIC -fvisibility=hidden -o "$WORK/plugin.so" "$BENCH/plugin.c" ||
		die "cannot compile tests/bench/plugin.c"
}

# The objects of the core itself, beside what it costs at call sites and in the allocators.
core_objects() {
	case $1 in
	c) echo mm/alloc_tag.o lib/codetag.o ;;
	rust) echo mm/alloctag/built-in.a ;;
	esac
}

# prepare CONFIG: its module, and its kernel as it is now, so that a build meanwhile does not mix with it: the image to boot,
# and what scripts/lib/bench/image.py reads.
prepare() {
	local config=$1 out=$WORK/$1 name built object
	name=$(measured "$config")
	built=$(out_of "$name")
	mkdir -p "$out"
	{ cp "$built/$(image_of "$name")" "$out/kernel" && cp "$built/vmlinux" "$out/vmlinux" && cp "$built/.config" "$out/config"; } ||
		die "there is no $name kernel (scripts/build $name)"
	for object in $(core_objects "$config"); do
		llvm-readelf --sections --wide "$built/$object" || die "$built/$object cannot be read"
	done >"$out/core"
	prepare_sites "$config"
}

# prepare_sites CONFIG: the module, and what scripts/lib/bench/image.py reads of its call sites in Rust.
prepare_sites() {
	local out=$WORK/$1 object
	compile_module "$1"
	for object in sites hooked; do
		{ llvm-readelf --sections --wide "$out/module/$object.o" && grep -c '^site!' "$BENCH/module/$object.rs"; } >"$out/$object" ||
			die "$out/module/$object.o cannot be read"
	done
}

# as_built CONFIG COMMAND…: runs it with the lock held and the tree as it is, or as it was when that build was made, if that is ours.
as_built() {
	local config=$1
	shift
	! is_current "$config" "$(stamp "$config")" || sync_tree || exit 1
	"$@"
}

# What the guest of a configuration has in it, for a command.
bench_initramfs() {
	local config=$1 dir=$2 root=$2/root piece
	shift 2
	mkdir -p "$root/bench"
	cp "$REPO/tests/qemu/init" "$root/init"
	cp "$BENCH/guest" "$WORK/reader" "$WORK/$config/module/alloctag_bench.ko" "$root/bench/"
	printf '#!/bin/bash\nexec /bench/guest' >"$root/command"
	printf ' %q' "$@" >>"$root/command"
	chmod +x "$root/command"
	pack "$root" >"$dir/project"
	piece=$(base_piece "$ALLOCTAG_ARCH") || exit 1
	cat "$piece" "$dir/project" >"$dir/initramfs"
}

# measure CONFIG MODE MEASUREMENT CPUS MEGABYTES [OPERATION,…]: one boot, its rows into the record. The measurement "cache"
# is "ops" under the plugin. In the mode "chosen" there is a rule, which is RULE. Of several CPUs all but the first stay
# offline: they are possible, and no more. The measurement "running" is "read" with all of them running.
measure() {
	local config=$1 mode=$2 measurement=$3 cpus=$4 megabytes=$5 only=${6:-} rule='' trace='' dir status=0 guest=$3
	dir=$(mktemp -d -p "$WORK")
	ln "$WORK/$config/kernel" "$dir/kernel"
	QEMU_MORE=("${COUNTING[@]}")
	[[ -z $MODEL ]] || QEMU_MORE+=(-cpu "$MODEL")
	if [[ $measurement == running ]]; then guest="read"; fi
	if [[ $measurement == cache ]]; then
		guest=ops
		QEMU_MORE+=(-plugin "$WORK/plugin.so,out=$dir/plugin")
	fi
	# shellcheck disable=SC2153 # no misspelling: what --rule was given
	if [[ $mode == chosen ]]; then rule=$RULE trace=$TRACE; fi
	bench_initramfs "$config" "$dir" "$guest" "$only" "$rule" "$trace"
	# shellcheck disable=SC2034 # what boot reads
	local ARCH=$ALLOCTAG_ARCH ACCEL=tcg,thread=single CPUS=$cpus MEM=${megabytes}M LIMIT=3600 SHELL_MODE='' APPEND
	APPEND="$([[ $measurement == running ]] || echo maxcpus=1) $(mode_parameters "$mode") $MORE"
	[[ ,$only, != *,lines,* ]] || APPEND+=" $(own_console)"
	boot "$dir" >"$dir/rows" || status=$?
	{
		printf 'boot\t%s\t%s\t%s\t%s\t%s\n' "$config" "$mode" "$measurement" "$cpus" "$megabytes"
		cat "$dir/rows"
		[[ ! -e $dir/plugin ]] || cat "$dir/plugin"
		((status == 0)) || printf 'died\t%s\n' "status $status"
	} >>"$WORK/record"
	rm -rf "$dir"
}
