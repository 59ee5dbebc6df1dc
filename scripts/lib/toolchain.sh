# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Which compilers build the kernel, and how make is told. Needs common.sh.

# Linux 7.3's minimum versions (scripts/min-tool-version.sh there); of clang, any of these that is installed.
MIN_GCC=8.1.0
MIN_RUSTC=1.85.0
MIN_BINDGEN=0.71.1
# That which src/cli/Cargo.toml asks for.
MIN_CARGO=1.88.0
LLVM_VERSIONS="19 20 21 22 18 17"
# What setup compiles where the distribution's bindgen is too old.
PINNED_BINDGEN=0.72.1

# version_at_least MINIMUM VERSION
version_at_least() {
	[[ -n $2 && $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]
}

# Each of these prints one path, or fails.
find_llvm() {
	local version bin
	for version in $LLVM_VERSIONS; do
		bin=/usr/lib/llvm-$version/bin
		if [[ -x $bin/clang && -x $bin/ld.lld && -x $bin/llvm-nm ]]; then
			echo "$bin"
			return
		fi
	done
	return 1
}

# GNU's own: what calls itself gcc may be clang.
find_gcc() {
	local gcc
	gcc=$(type -P gcc) || return
	if [[ $("$gcc" -E -P -x c - <<<__clang__ 2>/dev/null) == __clang__ ]] && version_at_least "$MIN_GCC" "$("$gcc" -dumpfullversion)"; then
		echo "$gcc"
		return
	fi
	return 1
}

# A rustc that is new enough and has the sources of `core`, as a kernel needs them.
find_rustc() {
	local rustc
	for rustc in /usr/bin/rustc "$(type -P rustc || true)"; do
		if [[ -x $rustc ]] && version_at_least "$MIN_RUSTC" "$("$rustc" --version | awk '{print $2}')" &&
			[[ -e $("$rustc" --print sysroot)/lib/rustlib/src/rust/library/core/src/lib.rs ]]; then
			echo "$rustc"
			return
		fi
	done
	return 1
}

# A cargo that builds the tool, which asks for more than a kernel does.
find_cargo() {
	local cargo
	cargo=$(type -P cargo) && version_at_least "$MIN_CARGO" "$("$cargo" --version | awk '{print $2}')" && echo "$cargo"
}

find_bindgen() {
	local bindgen
	for bindgen in "$ALLOCTAG_CACHE/tools/bin/bindgen" "$(type -P bindgen || true)"; do
		if [[ -x $bindgen ]] && version_at_least "$MIN_BINDGEN" "$("$bindgen" --version 2>/dev/null | awk '{print $2}')"; then
			echo "$bindgen"
			return
		fi
	done
	return 1
}

# forget_make: the user's settings for builds of kernels are not these kernels', whose stamps know nothing of them; and a make that
# runs this hands on its own, with its variables.
forget_make() {
	unset "${!KBUILD_@}" "${!KCONFIG_@}" "${!INSTALL_@}" KCFLAGS KCPPFLAGS KAFLAGS KRUSTFLAGS USERCFLAGS USERLDFLAGS
	unset HOST{C,CXX,LD,RUST}FLAGS HOSTLDLIBS PROCMACROLDFLAGS {C,A,RUST}FLAGS_{KERNEL,MODULE} LDFLAGS_{MODULE,vmlinux}
	unset LOCALVERSION CROSS_COMPILE LLVM_IAS BINDGEN_EXTRA_CLANG_ARGS SUBARCH MODLIB
	unset MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEOVERRIDES MAKELEVEL MAKEFILES
}

# Puts LLVM first on PATH, and what every kernel make needs into the array KMAKE, but for the compiler of C.
use_toolchain() {
	LLVM_BIN=$(find_llvm) || die "no clang, ld.lld and llvm-nm under /usr/lib/llvm-*; run scripts/setup"
	# Not everything needs it.
	GCC=$(find_gcc) || GCC=''
	RUSTC=$(find_rustc) || die "no rustc $MIN_RUSTC with its sources; run scripts/setup"
	BINDGEN=$(find_bindgen) || die "no bindgen $MIN_BINDGEN; run scripts/setup"
	export PATH="$LLVM_BIN:$PATH" LIBCLANG_PATH="${LLVM_BIN%/bin}/lib"
	forget_make
	# The same sources give the same bytes, whoever builds them and when.
	export KBUILD_BUILD_TIMESTAMP=1970-01-01 KBUILD_BUILD_USER=alloctag KBUILD_BUILD_HOST=localhost
	KMAKE=(nice make ARCH=x86_64 RUSTC="$RUSTC" HOSTRUSTC="$RUSTC" RUSTDOC="${RUSTC%rustc}rustdoc" BINDGEN="$BINDGEN")
}

# check_compiler gcc|clang ARCH
check_compiler() {
	[[ $1 != gcc || $2 != arm64 ]] || die "gcc compiles for this machine; for arm64 there is clang (scripts/build --arch arm64 rust)"
	[[ $1 != gcc || -n $GCC ]] ||
		die "the gcc on PATH ($(type -P gcc || echo none)) is not GNU's of version $MIN_GCC or later; put one first, or build with clang (scripts/build rust)"
}

# choose_compiler gcc|clang: puts into the array COMPILER what tells make, whatever is in the environment.
# shellcheck disable=SC2034 # read by kernel.sh
choose_compiler() {
	case $1 in
	clang) COMPILER=(LLVM=1) ;;
	gcc) COMPILER=(LLVM='' CROSS_COMPILE='' CC="$GCC" HOSTCC="$GCC") ;;
	esac
}

# toolchain gcc|clang: what a build depends on besides its sources, one line. The files stand for their versions: asking each
# would take longer than all else that a warm build does.
toolchain() {
	local files=("$LLVM_BIN/clang" "$RUSTC" "$BINDGEN")
	case $1 in
	clang) files+=("$LLVM_BIN/ld.lld") ;;
	gcc) files+=("$GCC" "$(type -P ld)") ;;
	esac
	stat -Lc '%n %s %Y' "${files[@]}" | tr '\n' ' '
}
