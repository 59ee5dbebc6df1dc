// SPDX-License-Identifier: GPL-2.0-only
/*
 * Modules call what src/hooks/recorded.rs has: those in C the first, which stands
 * for what the tree's own core has inline; those in Rust the others.
 */
#include <linux/alloc_tag.h>
#include <linux/export.h>

#include "../bindings.h"

EXPORT_SYMBOL(alloctag_record);
EXPORT_SYMBOL_GPL(alloctag_hold);
EXPORT_SYMBOL_GPL(alloctag_release);
