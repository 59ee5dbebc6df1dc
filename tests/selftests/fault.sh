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

for kind in content-id get-at get-next read; do
	expect "while a page for $kind is waited for, a module comes and goes, and is seen" fault $kind bash -c others_go_on
done
finish
