/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hooks of allocations that leave the fast path, on no other path.
 *
 * What takes long is one stall of the call site that is furthest out, whatever
 * it waits for: what allocates meanwhile by the same task at the same level of
 * interrupts is part of it. Its time is told apart by causes, of which the
 * deepest counts.
 */
#ifndef _ALLOCTAG_STALL_HOOKS_H
#define _ALLOCTAG_STALL_HOOKS_H

#include <alloctag/stall_causes.h>
#include <linux/alloc_tag.h>
#include <linux/compiler.h>
#include <linux/types.h>

#ifdef CONFIG_ALLOCTAG_STALLS

/**
 * struct alloctag_stall - an allocator that has left its fast path
 * @outer: the stall that this one has interrupted
 * @level: the bits of the preemption counter that are set in interrupts only; or
 *	what says that this is within another stall, or is none
 * @account: that of the current tag
 * @before: what the other one was waiting for that this is within
 * @state: how long for what, so far; only the Rust model looks at it
 *
 * Where there is nothing to be measured, all but @level is left as it is.
 */
struct alloctag_stall {
	struct alloctag_stall *outer;
	u32 level;
	u32 account;
	u32 before;
	u64 state[2 + ALLOCTAG_STALL_CAUSES];
};

/* Stand in the place of a level: no stall; and one that is within another. */
#define ALLOCTAG_STALL_NONE	0xff
#define ALLOCTAG_STALL_WITHIN	0xfe

void alloctag_stall_begin(struct alloctag_stall *stall, u32 cause);
void alloctag_stall_end(struct alloctag_stall *stall);
/* Within a stall, if there is one; returns what alloctag_stall_leave() is to be told. */
u32 alloctag_stall_enter(u32 cause);
void alloctag_stall_leave(u32 before);

static __always_inline void alloc_tag_stall_begin(struct alloctag_stall *stall,
						  u32 cause)
{
	stall->level = ALLOCTAG_STALL_NONE;
	if (mem_alloc_profiling_enabled())
		alloctag_stall_begin(stall, cause);
}

static __always_inline void alloc_tag_stall_end(struct alloctag_stall *stall)
{
	if (stall->level != ALLOCTAG_STALL_NONE)
		alloctag_stall_end(stall);
}

static __always_inline u32 alloc_tag_stall_enter(u32 cause)
{
	return mem_alloc_profiling_enabled() ? alloctag_stall_enter(cause) :
					       ALLOCTAG_STALL_NONE;
}

static __always_inline void alloc_tag_stall_leave(const u32 *before)
{
	if (*before != ALLOCTAG_STALL_NONE)
		alloctag_stall_leave(*before);
}

/* From here to the end of the block an allocator is off its fast path. */
#define alloc_tag_stall(_cause)						\
	__uninitialized struct alloctag_stall _stall			\
		__cleanup(alloc_tag_stall_end);				\
	alloc_tag_stall_begin(&_stall, _cause)

/* The same where this can only be within another stall: on less of the stack. */
#define alloc_tag_stall_within(_cause)					\
	const u32 _stall_before __cleanup(alloc_tag_stall_leave) =	\
		alloc_tag_stall_enter(_cause)

#else /* CONFIG_ALLOCTAG_STALLS */

#define alloc_tag_stall(_cause)		((void)(_cause))
#define alloc_tag_stall_within(_cause)	((void)(_cause))

#endif /* CONFIG_ALLOCTAG_STALLS */

#endif /* _ALLOCTAG_STALL_HOOKS_H */
