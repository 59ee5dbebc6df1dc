#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests --mem 2G --append brd.rd_size=524288
# A kernel that sleeps on a disk counts on when it wakes: the image has all counters and references, whatever has happened since
# it was made is undone, and what lives is taken off its row when it is freed. The kernel's own test reads the image back without a
# machine that has been off between (test_resume).
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"
source "$(dirname "$0")/lib/folios.sh"
source "$(dirname "$0")/lib/times.sh"

# A disk in memory. What of it is written with the image is free again when that has been read back.
DISK=ram0
FILES=500
# Call sites of alloctag_many, each of which has one object.
MANY=3000
POWER=/sys/power

if ! has CONFIG_HIBERNATION || [[ ! -b /dev/$DISK ]]; then
	skip "a kernel that slept on a disk counts on" "this one does not, or has no disk"
	finish
fi
many() { rows | grep -cF ' [alloctag_many] '; }
follows() { ! is_other_core && has CONFIG_ALLOCTAG_LIFETIMES; }
kept() { time_of lifetimes alive keep; }
# speak_again: says what was kept. After a sleep virtio's console asks who listens before it can be told, and waits for ever; it
# begins anew, and its port with it.
speak_again() {
	local driver=/sys/bus/virtio/drivers/virtio_console device try
	device=$(basename "$driver"/virtio*)
	echo "$device" >"$driver/unbind"
	echo "$device" >"$driver/bind"
	for try in $(seq "$TRIES"); do
		[[ ! -c $port ]] || break
		sleep 0.1
	done
	cat /tmp/results >"$port"
}
sleep_on_disk() { echo disk >"$POWER/state"; }

port=$(readlink /proc/$$/fd/1)
exec >/tmp/results
trap speak_again EXIT
mkswap /dev/$DISK >/tmp/said 2>&1
expect "there is room on a disk" swapon /dev/$DISK
echo test_resume >$POWER/disk
# Of what it finds there it says in the log that it is no image.
cat /sys/class/block/$DISK/dev >$POWER/resume
insmod /tests/modules/alloctag_many.ko
if follows; then
	insmod /tests/modules/alloctag_timely.ko
	echo 'module alloctag_timely +s' >$CONTROL
	echo keep >$RUN
fi
quiesce
start=$(shmem)
mounted file huge=never
fill /tmp/file/file 64
expect "64 MiB are 64 MiB on one row" settles $((64 * MIB)) held
inodes=$(inodes)
# With their directory.
make_files /tmp/file/many $FILES
expect "each inode is on its row" settles $((inodes + 1 + FILES)) inodes

for time in first second; do
	expect "the $time time: it sleeps and wakes" sleep_on_disk
	expect "with nothing that was said since its image was made" fails grep 'PM: Image saving' <(dmesg)
	expect "every page is on its row" settles $((64 * MIB)) held
	expect "so is every inode" settles $((inodes + 1 + FILES)) inodes
	expect "and every call site of a module" equal "$(many)" $MANY
	! follows || expect "what is followed lives" equal "$(kept)" 40
	expect "no total is negative" none_negative
done
expect "every CPU is there again" equal "$(cat /sys/devices/system/cpu/online)" 0-1
rmmod alloctag_many
expect "a module goes with its rows" settles 0 many
if follows; then
	echo drop >$RUN
	expect "what was followed is found when it is freed" equal "$(time_of lifetimes count keep) $(kept)" "40 0"
fi
rm -r /tmp/file/many
expect "files are removed from their row" settles "$inodes" inodes
umount /tmp/file
expect "unmounted, no page is left" settles 0 held
hold_file
expect_none_uncounted
finish
