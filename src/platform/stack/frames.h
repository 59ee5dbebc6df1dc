/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The frames of an allocation, and what finds them.
 */
#ifndef _ALLOCTAG_STACK_FRAMES_H
#define _ALLOCTAG_STACK_FRAMES_H

#include <linux/types.h>

struct module;

/* More functions than allocators ever have between a hook and their caller. */
#define INNER_FRAMES	16

/* What functions have to do with a call site. */
enum kind {
	OTHER,
	/* It calls them to free. */
	FREES,
	/* It calls them to allocate, if it is one in C. */
	C_ALLOCATOR,
	/* The same in Rust, and hooks, which are the innermost of all. */
	RUST_ALLOCATOR,
};

/*
 * What is kept of a stack, which comes from the inside out. The outermost allocators
 * are what the call site called; with the function above them it begins.
 */
struct frames {
	/* Each is one more than that of code which calls or was interrupted. */
	u64 *addresses;
	/* At least one. */
	unsigned int room;
	unsigned int nr;
	enum { IN_HOOK, IN_ALLOCATORS, IN_CALLERS } where;
};

/* Keeps the next return address, or leaves it out; false when there is no room for more. */
static __always_inline bool frames_add(struct frames *frames, unsigned long address,
				       enum kind kind)
{
	if (frames->where == IN_HOOK) {
		if (kind == C_ALLOCATOR)
			frames->where = IN_ALLOCATORS;
		return true;
	}
	if (frames->where == IN_ALLOCATORS) {
		if (kind > FREES)
			return true;
		frames->where = IN_CALLERS;
	}
	frames->addresses[frames->nr++] = address;
	return frames->nr < frames->room;
}

int alloctag_allocators_prepare(void);
enum kind alloctag_kind_at(unsigned long address);
bool alloctag_is_text(unsigned long address);
void alloctag_unwind(struct frames *frames);
unsigned long alloctag_unwind_freed_by(void);

/*
 * A walk of our own over this context's stack. False where it has met something that
 * it leaves to the kernel's unwinder.
 */
#if defined(CONFIG_ALLOCTAG_STACK_ORC)
int alloctag_walk_prepare(void);
void alloctag_walk_forget(struct module *module);
void alloctag_walk_end(void);
bool alloctag_walk(struct frames *frames);
bool alloctag_walk_freed_by(unsigned long *by);
#else
static inline int alloctag_walk_prepare(void) { return 0; }
static inline void alloctag_walk_forget(struct module *module) { }
static inline void alloctag_walk_end(void) { }
static inline bool alloctag_walk(struct frames *frames) { return false; }
static inline bool alloctag_walk_freed_by(unsigned long *by) { return false; }
#endif

#endif /* _ALLOCTAG_STACK_FRAMES_H */
