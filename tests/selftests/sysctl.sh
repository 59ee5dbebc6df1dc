#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# /proc/sys/vm/mem_profiling switches the counting, and nothing goes wrong across a switch.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

FILES=500

expect "the switch says 1 after boot" equal "$(cat "$SWITCH")" 1
if ! may_switch; then
	expect "a kernel that checks itself does not let the switch be moved" refused_as "Permission denied" 0
	finish
fi
for garbage in x 2 -1 on never 99999999999999999999 0x; do
	expect "writing '$garbage' is refused as an invalid argument" refused_as "Invalid argument" "$garbage"
done
expect "refused values leave the switch where it was" equal "$(cat "$SWITCH")" 1

make_files /tmp/on $FILES
quiesce
start=$(inodes)
make_files /tmp/counted $FILES
# One more for the directory.
expect "$FILES files made while on are $((FILES + 1)) calls more" equal "$(inodes)" $((start + FILES + 1))

write 0
expect "the switch says 0 after 0 was written" equal "$(cat "$SWITCH")" 0
off=$(inodes)
make_files /tmp/uncounted $FILES
expect "off, files that are made are not counted" equal "$(inodes)" "$off"
expect "off, the file still shows every row" at_least "$(rows | wc -l)" 1000

write 1
expect "the switch says 1 after 1 was written" equal "$(cat "$SWITCH")" 1
make_files /tmp/resumed $FILES
expect "on again, files that are made are counted again" equal "$(inodes)" $((off + FILES + 1))

rm -r /tmp/uncounted
let_go
expect "freeing what was made while off takes nothing from the row" equal "$(inodes)" $((off + FILES + 1))
rm -r /tmp/resumed /tmp/counted
expect "freeing what was made while on brings the row back" settles "$start" inodes
rm -r /tmp/on
expect "no total is negative afterwards" none_negative
finish
