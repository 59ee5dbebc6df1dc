// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stack of an allocation, without the allocators: for src/platform/stack.rs.
 *
 * A walk of our own finds it, which remembers what it has looked up; and the
 * kernel's unwinder, where that one meets something unusual or is not there.
 */
#include <linux/stacktrace.h>

#include "../bindings.h"
#include "stack/frames.h"

/* Before the first stack; may sleep. */
int alloctag_stack_prepare(void)
{
	return alloctag_allocators_prepare() ?: alloctag_walk_prepare();
}

/* A module is about to go, whose functions nobody calls any more; may sleep. */
void alloctag_stack_forget(struct module *module)
{
	alloctag_walk_forget(module);
}

/* After the last stack; may sleep. */
void alloctag_stack_end(void)
{
	alloctag_walk_end();
}

/*
 * By the kernel's unwinder; all addresses where no allocator is among the first. For
 * those of code that may go without a word, 0.
 */
static noinline void unwind(struct frames *frames)
{
	unsigned long found[INNER_FRAMES + ALLOCTAG_FRAMES] __uninitialized;
	unsigned int nr;

	nr = stack_trace_save(found, min_t(size_t, ARRAY_SIZE(found),
					   frames->room + INNER_FRAMES), 2);
	for (unsigned int i = 0; i < nr; i++)
		/* A return address may be behind the end of a function that called last. */
		if (!alloctag_is_text(found[i] - 1))
			found[i] = 0;
	for (unsigned int i = 0; i < nr; i++)
		if (!frames_add(frames, found[i], alloctag_kind_at(found[i] - 1)))
			break;
	if (frames->where == IN_CALLERS)
		return;
	for (; frames->nr < min(nr, frames->room); frames->nr++)
		frames->addresses[frames->nr] = found[frames->nr];
}

/*
 * The return addresses from the call site's function on, the innermost first, at
 * most @room of them; 0 where the function may go without a word. In any context,
 * within an RCU read-side critical section.
 */
unsigned int alloctag_frames(u64 *addresses, unsigned int room)
{
	struct frames frames = { addresses, room };

	/* What a walk has not brought to its end it has not kept. */
	if (!alloctag_walk(&frames))
		unwind(&frames);
	return frames.nr;
}
