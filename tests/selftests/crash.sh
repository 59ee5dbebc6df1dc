#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# arch: x86_64
# guest: --mem 48G --reboots --append memmap=46G$2G --append crashkernel=256M,high --append sysctl.vm.mem_profiling=1 --warns sysrq.triggered.crash
# The kernel that follows a crash has little memory, high up: its references take what it has, and it counts as any other.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

# Said to the second kernel alone, with how many results there are so far.
AGAIN=alloctag_after_crash

if ! has CONFIG_CRASH_DUMP || is_other_core; then
	skip "a crash kernel's references take what memory it has" "this kernel has none, or does not say"
	finish
fi
if ((HAS_KASAN)); then
	skip "a crash kernel's references take what memory it has" "KASAN's own shadow takes more than that"
	finish
fi
# follow RESULTS: loads a kernel like this one, for when this one crashes.
follow() {
	local parameters
	parameters=$(sed -E 's/(memmap|crashkernel)=[^ ]*//g' /proc/cmdline)
	kexec --on-crash /boot/kernel /boot/initramfs "$parameters nr_cpus=1 reset_devices $AGAIN=$1"
}

if ! before=$(grep -o "$AGAIN=[0-9]*" /proc/cmdline); then
	expect "a kernel is loaded for the crash" follow 2
	expect "and will follow" equal "$(cat /sys/kernel/kexec_crash_loaded)" 1
	sync
	# A crash where it was not loaded would leave the verdict to chance.
	((expect_failures == 0)) || finish
	echo c >/proc/sysrq-trigger
fi
expect_count=${before#*=}
expect "what the crash left is there to be read" test -s /proc/vmcore
expect "little memory is left" at_most "$(ram_kib)" $((600 * 1024))
expect "of which the highest lies above 48 GiB" at_least "$(ram_ends_at)" $((48 << 30))
expect_as_much_as_memory 0
expect "the kernel counts" at_least "$(rows | awk '$1 > 0' | wc -l)" 300
hold_file
expect "no total is negative" none_negative
finish
