# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What guests of one architecture have that those of another have not. Architectures go by the words of the kernel's Makefile.
# Needs common.sh.

# use_arch ARCH: of which one named kernels and their guests are from here on, for this script and all that it runs.
use_arch() {
	[[ $1 =~ ^(x86_64|arm64)$ ]] || die "no architecture '$1' here; there are x86_64 and arm64"
	export ALLOCTAG_ARCH=$1
}

use_arch "${ALLOCTAG_ARCH:-x86_64}"

# emulator_of ARCH: QEMU's program.
emulator_of() {
	case $1 in
	x86_64) echo qemu-system-x86_64 ;;
	arm64) echo qemu-system-aarch64 ;;
	*) die "no emulator here for $1" ;;
	esac
}

# machine_of ARCH: which of QEMU's machines, and a CPU with all that it can emulate.
machine_of() {
	case $1 in
	x86_64) echo -cpu max ;;
	# Of its interrupt controllers the one that knows more than 8 CPUs; and pointers are not signed by a cipher, which would
	# take half of the time.
	arm64) echo -machine virt,gic-version=3 -cpu max,pauth-impdef=on ;;
	esac
}

# console_of ARCH: the kernel's parameters for it.
console_of() {
	case $1 in
	# The test of the timer counts its ticks against loops, which an emulator on a busy machine makes fail.
	x86_64) echo console=ttyS0 no_timer_check ;;
	arm64) echo console=ttyAMA0 ;;
	esac
}

# kernel_of ARCH: what is booted, in the build directory.
kernel_of() {
	case $1 in
	x86_64) echo arch/x86/boot/bzImage ;;
	arm64) echo arch/arm64/boot/Image ;;
	um) echo vmlinux ;;
	esac
}

# triple_of ARCH: its name among programs.
triple_of() {
	case $1 in
	# User-mode Linux runs the programs of its host.
	x86_64 | um) echo x86_64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	esac
}

# rust_target_of ARCH: the same in Rust's words.
rust_target_of() {
	local triple
	triple=$(triple_of "$1")
	echo "${triple/-/-unknown-}"
}

# tool_of ARCH: where scripts/run has the tool for its guests.
tool_of() { echo "$REPO/target/guest/$(rust_target_of "$1")/guest/alloctag"; }

# is_foreign ARCH: whether guests of it need other programs than this machine's.
is_foreign() { [[ $1 == arm64 ]]; }
