#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# /proc/sys/vm/mem_profiling_compressed can be read and not be written.
set -u
source "$(dirname "$0")/lib/expect.sh"

FILE=/proc/sys/vm/mem_profiling_compressed
write() { echo 1 >"$FILE"; }

expect "everybody may read it, nobody write it" equal "$(stat -c %a $FILE)" 444
expect "it says 0 or 1" grep -qx '[01]' $FILE
expect "not even root can write it" fails write
finish
