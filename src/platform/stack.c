// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stack of an allocation, without the allocators: for src/platform/stack.rs.
 *
 * A walk of our own finds it, which remembers what it has looked up; and the
 * kernel's unwinder, where that one meets something unusual or is not there.
 */
#include <linux/filter.h>
#include <linux/stacktrace.h>
#ifdef CONFIG_X86
#include <asm/unwind.h>
#endif

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

/* Before the first alloctag_freed_by(); may sleep. */
int alloctag_stack_names(void)
{
	return alloctag_allocators_prepare();
}

/* What the kernel's unwinder finds, from the caller's caller's caller on. */
static __always_inline unsigned int save(unsigned long *found, unsigned int room)
{
#ifdef CONFIG_X86
	struct unwind_state state;
	unsigned int nr = 0;

	/* The caller's caller is the first. */
	unwind_start(&state, current, NULL, NULL);
	while (nr < room && !unwind_done(&state) && unwind_next_frame(&state)) {
		unsigned long address = unwind_get_return_address(&state);

		if (!address)
			break;
		/* What was interrupted is about to run that, and has called nobody. */
		found[nr++] = address + !!unwind_get_entry_regs(&state, NULL);
	}
	return nr;
#else
	/* It does not tell what was interrupted. */
	return stack_trace_save(found, room, 2);
#endif
}

/*
 * By the kernel's unwinder, from the caller's caller on; all addresses where no
 * allocator is among the first. For those of code that may go without a word, 0.
 */
noinline void alloctag_unwind(struct frames *frames)
{
	unsigned long found[INNER_FRAMES + ALLOCTAG_FRAMES] __uninitialized;
	unsigned int nr;

	nr = save(found, min_t(size_t, ARRAY_SIZE(found), frames->room + INNER_FRAMES));
	for (unsigned int i = 0; i < nr; i++)
		/* A return address may be behind the end of a function that called last. */
		if (!alloctag_is_text(found[i] - 1))
			found[i] = 0;
	for (unsigned int i = 0; i < nr; i++) {
		/* A BPF trampoline around an allocator, which no such code calls itself. */
		if (!found[i] && frames->where == IN_ALLOCATORS)
			continue;
		if (!frames_add(frames, found[i], alloctag_kind_at(found[i] - 1)))
			break;
	}
	/* Whoever called the last of them was not found. */
	if (frames->where == IN_ALLOCATORS)
		frames_add(frames, 0, OTHER);
	if (frames->where == IN_CALLERS)
		return;
	for (; frames->nr < min(nr, frames->room); frames->nr++)
		frames->addresses[frames->nr] = found[frames->nr];
}

/* By the kernel's unwinder, from the caller's caller on; 0 where there is none. */
noinline unsigned long alloctag_unwind_freed_by(void)
{
	unsigned long found[INNER_FRAMES] __uninitialized;
	unsigned int nr = save(found, ARRAY_SIZE(found));

	for (unsigned int i = 0; i < nr; i++) {
		unsigned long address = found[i] - 1;

		if (alloctag_kind_at(address) != OTHER)
			continue;
		/*
		 * As above, around what frees. A program calls that where what it has called
		 * goes on there in its own place, as a kfunc may whose last call is kfree().
		 */
		if (alloctag_is_text(address) || bpf_prog_ksym_find(address))
			return found[i];
	}
	return 0;
}

/*
 * Where the function was called that frees: the innermost address that is in none of
 * those that free or allocate on behalf of others; 0 where there is none. In any context,
 * within an RCU read-side critical section.
 */
noinline unsigned long alloctag_freed_by(void)
{
	unsigned long by;

	if (!alloctag_walk_freed_by(&by))
		by = alloctag_unwind_freed_by();
	return by;
}

/*
 * The return addresses from the call site's function on, the innermost first, at
 * most @room of them; of what was interrupted one more than where that was, so that
 * each is one more than what it is about; and 0 where the function may go without a
 * word. In any context, within an RCU read-side critical section.
 */
unsigned int alloctag_frames(u64 *addresses, unsigned int room)
{
	struct frames frames = { addresses, room };

	/* What a walk has not brought to its end it has not kept. */
	if (!alloctag_walk(&frames))
		alloctag_unwind(&frames);
	return frames.nr;
}
