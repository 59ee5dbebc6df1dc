// SPDX-License-Identifier: GPL-2.0-only
/*
 * For include/rust/alloc_tag/tagged.rs: the level of interrupts is asked for by
 * macros.
 */
#include <linux/alloc_tag.h>
#include <linux/export.h>

#include "../bindings.h"

/* The mark of a tag that is made the current one here to cover Rust code. */
unsigned long alloctag_mark(void)
{
	return ALLOC_TAG_MARK_TASK + alloc_tag_level();
}
EXPORT_SYMBOL_GPL(alloctag_mark);
