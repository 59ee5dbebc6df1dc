/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Steps from a function to its caller, by what the ORC tables say of an address; what
 * was looked up is remembered.
 *
 * It is remembered as a word that says which address it is of: so it is read and
 * written at once, in any context, and needs no lock.
 */
#ifndef _ALLOCTAG_STACK_STEP_H
#define _ALLOCTAG_STACK_STEP_H

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/types.h>

/* How many steps are remembered, by hash: 32 KiB. */
#define STEPS_SHIFT	12
#define STEPS		BIT(STEPS_SHIFT)

/* How to go from a function to its caller. */
enum how {
	/* Not by us. */
	UNUSUAL,
	/* Below the caller's frame is the address that is returned to. */
	RETURN,
	/* Its caller is what was interrupted, whose registers are there. */
	REGISTERS,
	/* It has none. */
	END,
};

/* What the end of a function's frame is told by. */
enum base { STACK_POINTER, FRAME_POINTER, POINTED_TO };

/*
 * What is remembered of an address in the kernel's code, all of which has the same
 * upper half.
 */
union step {
	u64 word;
	struct {
		s32 address;
		u32 how : 2;
		u32 kind : 2;
		u32 base : 2;
		/* In words, from the base up to the frame's end. */
		u32 end : 13;
		/* From there down to where the frame pointer is saved; 0 where it is as before. */
		u32 saved : 13;
	};
};

static_assert(sizeof(union step) == sizeof(u64));

/* Null while nothing is prepared for. */
extern u64 __rcu *alloctag_steps;

union step alloctag_look_up(unsigned long address, u64 *remembered);
bool alloctag_is_replaced(unsigned long address);

/* Where it is remembered what to do at an address, in a table of 2^@shift steps. */
static __always_inline u64 *remembered_at(unsigned long address, u64 *table,
					  unsigned int shift)
{
	return &table[(u32)address * GOLDEN_RATIO_32 >> (32 - shift)];
}

/* What to do at an address. */
static __always_inline union step step_at(unsigned long address, u64 *table)
{
	u64 *remembered = remembered_at(address, table, STEPS_SHIFT);
	union step step = { .word = READ_ONCE(*remembered) };

	if (likely(step.address == (long)address))
		return step;
	return alloctag_look_up(address, remembered);
}

#endif /* _ALLOCTAG_STACK_STEP_H */
