# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What tests take into the guest beside scripts: programs that are asked in 64 and in 32 bits, the tree's own selftest, and
# modules. Each is compiled once for each state of what it is made of. Needs common.sh, source.sh, kernel.sh and userland.sh.

TEST_MODULES=$REPO/tests/modules
PACKAGED_MODULE=$REPO/tests/packaged
TEST_PROGRAMS=("$REPO"/tests/{parity,oracle}/*.c)
# Freestanding, over the kernel's nolibc: no library has to be there for 32 bits.
NOLIBC_FLAGS=(-Os -Wall -Wextra -Werror -nostdlib -static -fno-pie -fno-stack-protector
	-fno-asynchronous-unwind-tables -fno-builtin-printf)

# kept KEY: prints the path of what is compiled from these words and files' contents.
kept() { echo "$ALLOCTAG_CACHE/tests/$(cksum <<<"$*" | tr -d ' ')"; }

# contents FILE…: their checksums, as a key.
contents() { cat "$@" | cksum | tr ' ' -; }

# once DIRECTORY WHAT COMMAND…: runs the command with an empty directory as last argument, which becomes DIRECTORY.
once() {
	local dir=$1 what=$2 work
	shift 2
	[[ ! -d $dir ]] || return 0
	mkdir -p "${dir%/*}"
	work=$(mktemp -d "$dir.XXXXXX")
	step "$what" "$LOGS/${dir##*/}.log" "$@" "$work" || {
		rm -rf "$work"
		exit 1
	}
	# Another one may have come first; then ours is not needed.
	mv -T "$work" "$dir" 2>/dev/null || rm -rf "$work"
}

# uapi_of ARCH 64|32: by the headers of which architecture programs of so many bits are compiled.
uapi_of() { case $1/$2 in um/*) echo x86_64 ;; arm64/32) echo arm ;; *) echo "$1" ;; esac; }

# headers ARCH 64|32: where these are.
headers() { kept headers "$(uapi_of "$1" "$2")" "$(kernel_version "${LINUX:-$PRISTINE}")"; }

# The kernel's headers as user space has them.
install_headers() {
	local arch=$1 bits=$2 work=$3
	"${KMAKE[@]}" LLVM=1 ARCH="$(uapi_of "$arch" "$bits")" -s -C "${LINUX:-$PRISTINE}" O="$work/build" headers_install INSTALL_HDR_PATH="$work" &&
		rm -rf "$work/build"
}

# nolibc_compiler ARCH 64|32: the words that compile a program without a library.
nolibc_compiler() {
	case $1/$2 in
	# Those of 32 bits are of any processor that has an instruction to divide: there is no library to do it.
	arm64/32) echo "$(find_llvm)/clang --target=arm-linux-gnueabi -march=armv8-a -fuse-ld=lld" ;;
	arm64/64) cross_compiler "$1" ;;
	*) echo "gcc -m$2" ;;
	esac
}

compile_programs() {
	local arch=$1 out=$2 source name bits compiler
	for bits in 64 32; do
		read -ra compiler <<<"$(nolibc_compiler "$arch" "$bits")"
		for source in "${TEST_PROGRAMS[@]}"; do
			name=$(basename "$source" .c)
			"${compiler[@]}" "${NOLIBC_FLAGS[@]}" -include "${LINUX:-$PRISTINE}/tools/include/nolibc/nolibc.h" \
				-isystem "$(headers "$arch" "$bits")/include" -o "$out/$name$bits" "$source" || return 1
		done
	done
}

# The tree's own test of the ioctls, by its own Makefile.
compile_kselftest() {
	local arch=$1 out=$2 cc=gcc
	! is_foreign "$arch" || cc=$(cross_compiler "$arch")
	make -C "${LINUX:-$PRISTINE}/tools/testing/selftests/alloc_tag" CC="$cc" LDFLAGS=-static OUTPUT="$out" \
		KHDR_INCLUDES="-isystem $(headers "$arch" 64)/include"
}

# Makes no difference to the kernel's build directory. This and the next read the tree, for which the lock is held.
compile_modules() {
	local config=$1 out=$2
	kmake "$config" M="$TEST_MODULES" MO="$out" -j"$(nproc)" modules && llvm-strip --strip-debug "$out"/*.ko
}

# What the kernel's packages for Debian, RPM and Arch ship as its headers.
package_headers() {
	kmake "$1" -s run-command KBUILD_RUN_COMMAND="\$(srctree)/scripts/package/install-extmod-build $2"
}

# Against those alone. The compiler is the kernel's own.
compile_packaged() {
	local config=$1 out=$2 COMPILER
	package_headers "$config" "$out/headers" || return 1
	choose_compiler "$(compiler_of "$config")"
	"${KMAKE[@]}" "${COMPILER[@]}" ARCH="$(arch_of "$config")" -C "$out/headers" M="$PACKAGED_MODULE" MO="$out" modules &&
		llvm-strip --strip-debug "$out"/*.ko && rm -r "$out/headers"
}

# use_modules CONFIG: sets MODULES and PACKAGED, where the tests' modules are, to be loaded into the kernel of STAMP.
use_modules() {
	local kernel
	kernel="$STAMP $(stat -c '%n %s %Y' "$(out_of "$1")/$(image_of "$1")")" || return 1
	MODULES=$(kept modules "$kernel" "$(find "$TEST_MODULES" -type f | LC_ALL=C sort | xargs cat | cksum)")
	PACKAGED=$(kept packaged "$kernel" "$(contents "$PACKAGED_MODULE"/* "$TEST_MODULES/tenant.c")")
}

# make_test_modules CONFIG: compiles those that are not; with the lock held and the tree in step.
make_test_modules() {
	use_modules "$1" || return 1
	once "$MODULES" "compiling the tests' modules ($1)" compile_modules "$1"
	once "$PACKAGED" "compiling a module against packaged headers ($1)" compile_packaged "$1"
}

# take_test_modules CONFIG ROOT: puts them into a guest's /tests/modules.
take_test_modules() {
	use_modules "$1" && [[ -d $MODULES && -d $PACKAGED ]] || return 1
	mkdir -p "$2/tests/modules"
	# The Rust module's source says what its rows have to be.
	cp "$MODULES"/*.ko "$PACKAGED"/*.ko "$TEST_MODULES"/*.rs "$2/tests/modules/"
}

# test_programs ARCH ROOT: compiles what is not, and puts it into a guest's root file system, into /tests/bin.
test_programs() {
	local arch=$1 root=$2 bits programs kselftest
	for bits in 64 32; do
		once "$(headers "$arch" $bits)" "installing the kernel's headers" install_headers "$arch" $bits
	done
	programs=$(kept programs "$arch" "$(contents "${TEST_PROGRAMS[@]}" "$REPO"/{tests/parity,include/uapi/linux}/*.h)" \
		"$(declare -f nolibc_compiler compile_programs)" "${NOLIBC_FLAGS[*]}")
	once "$programs" "compiling the tests' programs" compile_programs "$arch"
	kselftest=$(kept kselftest "$(headers "$arch" 64)")
	once "$kselftest" "compiling the tree's selftest" compile_kselftest "$arch"
	mkdir -p "$root/tests/bin"
	cp "$programs"/* "$kselftest/allocinfo_ioctl_test" "$root/tests/bin/"
	cp -r "$REPO"/tests/{parity,oracle,tool,stress} "$root/tests/"
	# The tree's own, as it is.
	cp "${LINUX:-$PRISTINE}/tools/testing/fault-injection/failcmd.sh" "$root/tests/bin/"
}
