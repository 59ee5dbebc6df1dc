/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The clock of what is timed, which costs less than that of the scheduler.
 */
#ifndef _ALLOCTAG_TICKS_H
#define _ALLOCTAG_TICKS_H

#include <linux/bits.h>
#include <linux/types.h>

/* Ticks of the scheduler's clock have it, which are nanoseconds. Others are cycles. */
#define ALLOCTAG_BY_CLOCK	BIT_ULL(63)

/* Of the scheduler's clock, and what has passed by either: src/platform/ticks.c. */
u64 alloctag_clock_ticks(void);
u64 alloctag_elapsed(u64 since);

#ifdef CONFIG_X86

#include <asm/tsc.h>
#include <linux/jump_label.h>

/*
 * So many cycles are believed, fewer than a millisecond has on any machine; of
 * more of them it is asked whether the counter is any good.
 */
#define ALLOCTAG_CYCLES_BELIEVED	BIT_ULL(16)

/* Bits of alloctag_cycle that are parts of a nanosecond. */
#define ALLOCTAG_CYCLE_SHIFT	32

DECLARE_STATIC_KEY_FALSE(alloctag_by_cycles);
/* Nanoseconds of a cycle. */
extern u64 alloctag_cycle;

/* Never 0. What is taken now may be given to alloc_tag_elapsed() at any time. */
static __always_inline u64 alloc_tag_ticks(void)
{
	if (static_branch_likely(&alloctag_by_cycles))
		return rdtsc();
	return alloctag_clock_ticks();
}

/* Nanoseconds that have passed; of a clock that has gone back, none. */
static __always_inline u64 alloc_tag_elapsed(u64 since)
{
	if (static_branch_likely(&alloctag_by_cycles)) {
		/* More than believed if the counter has gone back, or is another. */
		u64 cycles = rdtsc() - since;

		if (likely(cycles < ALLOCTAG_CYCLES_BELIEVED))
			return cycles * READ_ONCE(alloctag_cycle) >>
				ALLOCTAG_CYCLE_SHIFT;
	}
	return alloctag_elapsed(since);
}

#else /* CONFIG_X86 */

static __always_inline u64 alloc_tag_ticks(void)
{
	return alloctag_clock_ticks();
}

static __always_inline u64 alloc_tag_elapsed(u64 since)
{
	return alloctag_elapsed(since);
}

#endif /* CONFIG_X86 */

#endif /* _ALLOCTAG_TICKS_H */
