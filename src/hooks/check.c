// SPDX-License-Identifier: GPL-2.0-only
/*
 * The warnings of src/hooks/check.rs: WARN_ONCE() is a macro.
 */
#include <linux/alloc_tag.h>
#include <linux/bug.h>

#include "../bindings.h"

void alloctag_warn_no_tag(void)
{
	WARN_ONCE(1, "current->alloc_tag not set\n");
}

void alloctag_warn_not_set(void)
{
	WARN_ONCE(1, "alloc_tag was not set\n");
}

/* @tag is NULL where the account is a module's. */
void alloctag_warn_not_cleared(const struct alloc_tag *tag, u32 account)
{
	WARN_ONCE(1, "alloc_tag was not cleared (got %s:%u, account %u)\n",
		  tag ? tag->filename : "a module",
		  tag ? tag->lineno & ALLOC_TAG_LINE : 0, account);
}
