# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# What guests of one architecture have that those of another have not. Architectures go by the words of the kernel's Makefile.
# Needs common.sh.

# is_whole ARCH: whether all suites are for it, or no more of it than a small kernel.
is_whole() { [[ $1 =~ ^(x86_64|arm64)$ ]]; }

# use_arch ARCH: of which one named kernels and their guests are from here on, for this script and all that it runs.
use_arch() {
	is_whole "$1" || die "no architecture '$1' here; there are x86_64 and arm64"
	export ALLOCTAG_ARCH=$1
}

use_arch "${ALLOCTAG_ARCH:-x86_64}"

# emulator_of ARCH: QEMU's program.
emulator_of() {
	case $1 in
	x86_64) echo qemu-system-x86_64 ;;
	arm64) echo qemu-system-aarch64 ;;
	riscv) echo qemu-system-riscv64 ;;
	s390) echo qemu-system-s390x ;;
	*) die "no emulator here for $1" ;;
	esac
}

# emulator_version ARCH
emulator_version() { "$(emulator_of "$1")" --version | sed -n 's/.*version \([0-9.]*\).*/\1/p'; }

# machine_of ARCH: which of QEMU's machines, and a CPU with all that it can emulate.
machine_of() {
	case $1 in
	x86_64) echo -cpu max ;;
	# Of its interrupt controllers the one that knows more than 8 CPUs; and pointers are not signed by a cipher, which would
	# take half of the time.
	arm64) echo -machine virt,gic-version=3 -cpu max,pauth-impdef=on ;;
	riscv) echo -machine virt ;;
	s390) echo -machine s390-ccw-virtio -cpu max ;;
	esac
}

# console_of ARCH: the kernel's parameters for it.
console_of() {
	case $1 in
	# The test of the timer counts its ticks against loops, which an emulator on a busy machine makes fail.
	x86_64) echo console=ttyS0 no_timer_check ;;
	arm64) echo console=ttyAMA0 ;;
	riscv) echo console=ttyS0 ;;
	s390) echo console=ttysclp0 ;;
	esac
}

# kernel_of ARCH: what is booted, in the build directory.
kernel_of() {
	case $1 in
	x86_64) echo arch/x86/boot/bzImage ;;
	arm64) echo arch/arm64/boot/Image ;;
	riscv) echo arch/riscv/boot/Image ;;
	s390) echo arch/s390/boot/bzImage ;;
	um) echo vmlinux ;;
	esac
}

# triple_of ARCH: its name among programs.
triple_of() {
	case $1 in
	# User-mode Linux runs the programs of its host.
	x86_64 | um) echo x86_64-linux-gnu ;;
	arm64) echo aarch64-linux-gnu ;;
	riscv) echo riscv64-linux-gnu ;;
	s390) echo s390x-linux-gnu ;;
	esac
}

# rust_target_of ARCH: the same in Rust's words.
rust_target_of() {
	local triple
	triple=$(triple_of "$1")
	echo "${triple/-/-unknown-}"
}

# is_foreign ARCH: whether guests of it need other programs than this machine's.
is_foreign() { [[ $1 =~ ^(arm64|riscv|s390)$ ]]; }

# debian_of ARCH: the name of a foreign one in Debian's words.
debian_of() {
	case $1 in
	arm64) echo arm64 ;;
	riscv) echo riscv64 ;;
	s390) echo s390x ;;
	esac
}
