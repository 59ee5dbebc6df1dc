// SPDX-License-Identifier: GPL-2.0-only
/*
 * A walk over this context's stack by the kernel's ORC tables.
 *
 * It is safe by what it does, not by what the tables say. It takes a bounded number
 * of steps, each further up a stack that this context runs on, and reads nothing
 * but that stack between where it stands and its end: a wrong entry gives wrong
 * frames, and no fault. Whatever is unusual it leaves to the kernel's unwinder.
 */
#include <linux/rcupdate.h>
#include <linux/sched/task_stack.h>

#include <asm/ptrace.h>
#include <asm/stacktrace.h>

#include "frames.h"
#include "step.h"

/* Where a walk is, and what it may read: what is from @low to @sp it leaves behind. */
struct place {
	unsigned long ip;
	unsigned long sp;
	unsigned long bp;
	unsigned long low;
	/* Of the stack. */
	unsigned long end;
	bool in_task;
};

/* What the stack has there, which is within the bounds. */
static __always_inline unsigned long word_at(unsigned long address)
{
	return READ_ONCE_NOCHECK(*(unsigned long *)address);
}

/* Begins on the stack that this context runs on, if it is a task's or that of interrupts. */
static __always_inline bool begin(struct place *place)
{
	unsigned long stack = (unsigned long)task_stack_page(current);
	struct stack_info info;

	place->in_task = place->sp - stack < THREAD_SIZE;
	if (place->in_task) {
		place->end = stack + THREAD_SIZE;
		return true;
	}
	if (!get_stack_info_noinstr((unsigned long *)place->sp, current, &info) ||
	    info.type != STACK_TYPE_IRQ)
		return false;
	place->end = (unsigned long)info.end;
	return true;
}

/*
 * Goes on at @sp, further up this stack or, from that of interrupts, on the task's;
 * false where that is neither.
 */
static __always_inline bool go_to(struct place *place, unsigned long sp)
{
	unsigned long stack;

	place->low = place->sp;
	if (unlikely(sp < place->sp || sp > place->end)) {
		stack = (unsigned long)task_stack_page(current);
		if (place->in_task || sp - stack > THREAD_SIZE)
			return false;
		place->in_task = true;
		place->low = stack;
		place->end = stack + THREAD_SIZE;
	}
	place->sp = sp;
	return true;
}

/* Goes on to the caller. */
static __always_inline bool go_out(struct place *place, union step step)
{
	unsigned long saved = step.saved * sizeof(long);
	unsigned long end = step.base == FRAME_POINTER ? place->bp : place->sp;

	if (step.base == POINTED_TO) {
		if (place->end - place->sp < sizeof(long))
			return false;
		end = word_at(end);
	}
	if (!go_to(place, end + step.end * sizeof(long)) ||
	    place->sp - place->low < max(saved, sizeof(long)))
		return false;
	place->ip = word_at(place->sp - sizeof(long));
	if (saved)
		place->bp = word_at(place->sp - saved);
	return true;
}

/* Goes on to what was interrupted; user space is no place on this stack. */
static __always_inline bool go_back(struct place *place, union step step, bool *is_user)
{
	unsigned long at = place->sp + step.end * sizeof(long);
	const struct pt_regs *registers = (const struct pt_regs *)at;

	if (step.base != STACK_POINTER || at > place->end ||
	    place->end - at < sizeof(*registers))
		return false;
	*is_user = word_at((unsigned long)&registers->cs) & SEGMENT_RPL_MASK;
	if (*is_user)
		return true;
	place->sp = at + sizeof(*registers);
	if (!go_to(place, word_at((unsigned long)&registers->sp)))
		return false;
	place->ip = word_at((unsigned long)&registers->ip);
	place->bp = word_at((unsigned long)&registers->bp);
	return true;
}

/* In the caller of a function with such a frame. */
static __always_inline struct place behind(const unsigned long *frame)
{
	return (struct place){
		.bp = READ_ONCE_NOCHECK(frame[0]),
		.ip = READ_ONCE_NOCHECK(frame[1]),
		.sp = (unsigned long)(frame + 2),
	};
}

/*
 * From the caller on, within an RCU read-side critical section. Not inlined, for it
 * begins with a frame of its own.
 */
noinline bool alloctag_walk(struct frames *frames)
{
	struct place place = behind(__builtin_frame_address(0));
	u64 *table = rcu_dereference(alloctag_steps);
	struct frames found = *frames;
	unsigned int left = found.room + INNER_FRAMES;
	/* What was called last may be the last of its function, what was interrupted the first. */
	unsigned long before = 1;
	bool is_user;

	if (!table || !begin(&place))
		return false;
	for (; left; left--) {
		union step step = step_at(place.ip - before, table);

		if (step.how == UNUSUAL)
			return false;
		if (!frames_add(&found, place.ip + 1 - before, step.kind))
			break;
		if (likely(step.how == RETURN)) {
			if (!go_out(&place, step))
				return false;
			before = 1;
			continue;
		}
		if (step.how == END)
			break;
		if (!go_back(&place, step, &is_user))
			return false;
		if (is_user)
			break;
		before = 0;
	}
	if (found.where != IN_CALLERS)
		return false;
	*frames = found;
	return true;
}

/*
 * The steps of functions that free or allocate on behalf of others. All of them are
 * the kernel's own, and what they do is never forgotten.
 */
#define INNER_SHIFT	8
static u64 inner_steps[BIT(INNER_SHIFT)];

/*
 * The innermost address, from the caller on, that is in none of those, within an RCU
 * read-side critical section. Begins as the other walk does.
 */
noinline bool alloctag_walk_freed_by(unsigned long *by)
{
	struct place place = behind(__builtin_frame_address(0));

	if (!begin(&place))
		return false;
	for (unsigned int left = INNER_FRAMES; left; left--) {
		/* Whatever calls them, none of them is what was interrupted. */
		unsigned long address = place.ip - 1;
		u64 *remembered = remembered_at(address, inner_steps, INNER_SHIFT);
		union step step = { .word = READ_ONCE(*remembered) };

		if (unlikely(step.address != (long)address)) {
			if (alloctag_kind_at(address) == OTHER) {
				*by = place.ip;
				/* Else it may be what a tracer has put around one of them. */
				return alloctag_is_text(address) && !alloctag_is_replaced(address);
			}
			step = alloctag_look_up(address, remembered);
		}
		if (step.how != RETURN || !go_out(&place, step))
			return false;
	}
	return false;
}
