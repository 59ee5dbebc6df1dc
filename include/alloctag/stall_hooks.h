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
#include <alloctag/ticks.h>
#include <linux/alloc_tag.h>
#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

#ifdef CONFIG_ALLOCTAG_STALLS

/**
 * struct alloctag_stall - an allocator that has left its fast path
 * @outer: the stall that this one is within, or has interrupted
 * @level: the bits of the preemption counter that are set in interrupts only; or
 *	what says that this is within another stall, or is none
 * @account: that of the current tag; or what the other one was waiting for that
 *	this is within
 * @state: how long for what, so far; only the Rust model looks at it
 *
 * Where there is nothing to be measured, all but @level is left as it is.
 */
struct alloctag_stall {
	struct alloctag_stall *outer;
	u32 level;
	u32 account;
	u64 state[2 + ALLOCTAG_STALL_CAUSES];
};

/* Stand in the place of a level: no stall; and one that is within another. */
#define ALLOCTAG_STALL_NONE	0xff
#define ALLOCTAG_STALL_WITHIN	0xfe

/* Begins one of a call site's that is furthest out; false without an account. */
bool alloctag_stall_begin(struct alloctag_stall *stall, u32 cause,
			  struct alloc_tag *tag, u64 ticks);
/* It is over, and no task is in it any more. Called under RCU. */
void alloctag_stall_end(struct alloctag_stall *stall);
/*
 * Within a stall something further in is waited for, until alloctag_stall_leave()
 * is told what this returns.
 */
u32 alloctag_stall_enter(struct alloctag_stall *outer, u32 cause);
void alloctag_stall_leave(struct alloctag_stall *outer, u32 before);

/*
 * The stall that this task is in on this level of interrupts. These come and go on
 * the stack of the task that they interrupt, so the task's pointer serves all
 * levels: who finds that it is of another one lays its own above it, and takes
 * that away before the other goes on.
 */
static __always_inline struct alloctag_stall *alloc_tag_stall_around(u32 level)
{
	struct alloctag_stall *outer = current->alloc_tag_stall;

	return outer && outer->level == level ? outer : NULL;
}

static __always_inline u32 alloc_tag_stall_level(void)
{
	return preempt_count() & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET);
}

/* What is not @counted, such as a debugger's own object, is nobody's stall. */
static __always_inline void alloc_tag_stall_begin(struct alloctag_stall *stall,
						  u32 cause, bool counted)
{
	u32 level;

	stall->level = ALLOCTAG_STALL_NONE;
	if (!mem_alloc_profiling_enabled() || !counted)
		return;
	level = alloc_tag_stall_level();
	stall->outer = alloc_tag_stall_around(level);
	if (stall->outer) {
		stall->level = ALLOCTAG_STALL_WITHIN;
		stall->account = alloctag_stall_enter(stall->outer, cause);
	} else if (alloctag_stall_begin(stall, cause, current->alloc_tag,
					alloc_tag_ticks())) {
		stall->outer = current->alloc_tag_stall;
		stall->level = level;
		/* An interrupt finds all of it or nothing. */
		barrier();
		WRITE_ONCE(current->alloc_tag_stall, stall);
	}
}

static __always_inline void alloc_tag_stall_end(struct alloctag_stall *stall)
{
	if (stall->level == ALLOCTAG_STALL_NONE)
		return;
	if (stall->level == ALLOCTAG_STALL_WITHIN) {
		alloctag_stall_leave(stall->outer, stall->account);
		return;
	}
	WRITE_ONCE(current->alloc_tag_stall, stall->outer);
	barrier();
	rcu_read_lock();
	alloctag_stall_end(stall);
	rcu_read_unlock();
}

/* The same of what can only be within another stall, with less on the stack. */
struct alloctag_stall_within {
	struct alloctag_stall *outer;
	u32 before;
};

static __always_inline struct alloctag_stall_within
alloc_tag_stall_enter(u32 cause)
{
	struct alloctag_stall_within within = {};

	if (!mem_alloc_profiling_enabled())
		return within;
	within.outer = alloc_tag_stall_around(alloc_tag_stall_level());
	if (within.outer)
		within.before = alloctag_stall_enter(within.outer, cause);
	return within;
}

static __always_inline void
alloc_tag_stall_leave(const struct alloctag_stall_within *within)
{
	if (within->outer)
		alloctag_stall_leave(within->outer, within->before);
}

/* From here to the end of the block an allocator is off its fast path. */
#define alloc_tag_stall_if(_counted, _cause)				\
	__uninitialized struct alloctag_stall _stall			\
		__cleanup(alloc_tag_stall_end);				\
	alloc_tag_stall_begin(&_stall, _cause, _counted)
#define alloc_tag_stall(_cause)		alloc_tag_stall_if(true, _cause)

/* The same where this can only be within another stall. */
#define alloc_tag_stall_within(_cause)					\
	const struct alloctag_stall_within _within			\
		__cleanup(alloc_tag_stall_leave) = alloc_tag_stall_enter(_cause)

/* The same for less than what is left of a block. */
#define alloc_tag_stall_part(_cause)					\
	const struct alloctag_stall_within _part = alloc_tag_stall_enter(_cause)
#define alloc_tag_stall_part_end()	alloc_tag_stall_leave(&_part)

#else /* CONFIG_ALLOCTAG_STALLS */

#define alloc_tag_stall_if(_counted, _cause)	((void)(_cause))
#define alloc_tag_stall(_cause)		((void)(_cause))
#define alloc_tag_stall_within(_cause)	((void)(_cause))
#define alloc_tag_stall_part(_cause)	((void)(_cause))
#define alloc_tag_stall_part_end()	do {} while (0)

#endif /* CONFIG_ALLOCTAG_STALLS */

#endif /* _ALLOCTAG_STALL_HOOKS_H */
