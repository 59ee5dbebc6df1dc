#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# core: rust
# guest: --mem 2G --reboots --append crashkernel=256M --warns sysrq.triggered.crash
# A kernel that follows another one, at once or after its crash, counts as the first one did: nothing of that is left.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/memory.sh"

# Said to those that follow, with how many results there are so far.
AFTER=alloctag_after

if ! has CONFIG_KEXEC_FILE || ! has CONFIG_CRASH_DUMP || is_other_core; then
	skip "the next kernel counts" "there is none, or this core is not asked"
	finish
fi
# parameters WORD COUNT: those of this kernel, for one after what the word says, and so many results.
parameters() { echo "$(sed -E "s/${AFTER}[^ ]*//" /proc/cmdline) $AFTER=$1:$2"; }
# What has /boot is not itself in there, and who follows is to have it, too.
with_boot() { cat /boot/initramfs && cd / && printf '%s\n' boot boot/kernel boot/initramfs | busybox cpio -o -H newc; }
# follow RESULTS, follow_crash RESULTS: another kernel does, which goes on after so many.
follow() { (with_boot) >/tmp/initramfs && kexec /boot/kernel /tmp/initramfs "$(parameters kexec "$1")"; }
follow_crash() {
	kexec --on-crash /boot/kernel /boot/initramfs "$(parameters crash "$1" | sed 's/crashkernel=[^ ]*//') nr_cpus=1 reset_devices"
}
expect_counting() {
	expect "$1 counts" at_least "$(rows | awk '$1 > 0' | wc -l)" 200
	expect_as_much_as_memory 0
	hold_file
	expect "no total is negative" none_negative
}

after=$(grep -oE "$AFTER=[a-z]+:[0-9]+" /proc/cmdline)
expect_count=${after#*:}
case $after in
*kexec*)
	expect_counting "the kernel that follows"
	expect "one is loaded for the crash" follow_crash $((expect_count + 2))
	expect "and will follow" equal "$(cat /sys/kernel/kexec_crash_loaded)" 1
	sync
	# A crash where it was not loaded would leave the verdict to chance.
	((expect_failures == 0)) || finish
	echo c >/proc/sysrq-trigger
	;;
*crash*)
	expect "what the crash left is there to be read" test -s /proc/vmcore
	expect "little memory is left" at_most "$(ram_kib)" $((320 * 1024))
	expect_counting "the kernel that follows the crash"
	finish
	;;
*)
	expect_count=0
	expect_counting "the first kernel"
	expect "another kernel follows" follow "$expect_count"
	finish
	;;
esac
