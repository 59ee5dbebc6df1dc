#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# guest: --tests
# A reader whose memory is long in coming stops nobody: modules load and unload meanwhile, and others read, by the same open
# file, too.
set -u
source "$(dirname "$0")/lib/expect.sh"
source "$(dirname "$0")/lib/allocinfo.sh"

MODULE=/tests/modules/alloctag_exact.ko

others_go_on() {
	insmod "$MODULE" && grep -qF ' [alloctag_exact] ' "$ALLOCINFO" && /tests/bin/content_id64 && rmmod alloctag_exact
}
export -f others_go_on
export MODULE ALLOCINFO

CONTROL=/sys/kernel/debug/alloctag/control

kinds="content-id get-at get-next read"
is_other_core || kinds+=" numbers"
# With contexts that have frames, modules look after these when they go.
if [[ -e $CONTROL ]] && { echo 'func alloc_inode +c by=stack' >$CONTROL; } 2>/dev/null; then kinds+=" contexts frames rules"; fi
for kind in $kinds; do
	expect "while a page for $kind is waited for, a module comes and goes, and is seen" fault "$kind" bash -c others_go_on
done
finish
