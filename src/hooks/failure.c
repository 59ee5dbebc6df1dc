// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hooks of failures that change the current tag, whose task is a macro.
 */
#include <linux/alloc_tag.h>
#include <linux/sched.h>

#include "../bindings.h"

/* The current tag, with its mark. */
struct alloc_tag *alloctag_current(void)
{
	return current->alloc_tag;
}

/* Marks the current tag. Returns what it was; NULL where there is none. */
struct alloc_tag *alloctag_attempt(void)
{
	unsigned long tag = (unsigned long)current->alloc_tag & ~ALLOC_TAG_MARK;

	if (!tag)
		return NULL;
	return alloc_tag_save((void *)(tag | ALLOC_TAG_MARK_ATTEMPT));
}

void alloctag_attempted(struct alloc_tag *before)
{
	current->alloc_tag = before;
}
