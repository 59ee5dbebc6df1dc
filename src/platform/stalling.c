// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/stalling.rs: the stall that the current task is in, whose task
 * is a macro.
 */
#include <linux/alloc_tag.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "../bindings.h"

/*
 * Interrupts come and go on the stack of the task that they interrupt, so the
 * task's pointer serves all levels: who finds that it is of another one lays its
 * own above it, and takes that away before the other goes on.
 */
struct alloctag_stall **alloctag_stalling(u32 *level)
{
	*level = preempt_count() & ALLOC_TAG_INTERRUPT_BITS;
	return &current->alloc_tag_stall;
}
