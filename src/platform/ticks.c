// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock of what is timed, for src/platform/ticks.rs: the counter of cycles as
 * it is, where the scheduler's clock is made of it and of nothing else. Two readings
 * of that clock are most of what timing would take.
 */
#include <linux/math64.h>
#include <linux/sched/clock.h>

#include <alloctag/ticks.h>

#include "../bindings.h"

/*
 * Delay accounting goes by it as well. In any context, from the first moment on.
 * Where those of CPUs differ, what began on one and ends on another is off by a
 * tick at most.
 */
u64 alloctag_clock_ticks(void)
{
	return local_clock() | ALLOCTAG_BY_CLOCK;
}

u64 alloctag_now(void)
{
	return alloc_tag_ticks();
}

static u64 passed_by_clock(u64 since, u64 *now)
{
	*now = alloctag_clock_ticks();
	return max_t(s64, *now - since, 0);
}

#ifdef CONFIG_X86

#include <asm/timer.h>

DEFINE_STATIC_KEY_FALSE(alloctag_by_cycles);
u64 alloctag_cycle __read_mostly;
/* Of that many kilohertz it was made; the kernel refines its own figure once. */
static unsigned int counted_khz __read_mostly;

static bool is_counter_good(void)
{
	return tsc_khz && boot_cpu_has(X86_FEATURE_TSC) &&
	       using_native_sched_clock() && sched_clock_stable() &&
	       !check_tsc_unstable();
}

void alloctag_ticks_prepare(void)
{
	if (!is_counter_good()) {
		static_branch_disable(&alloctag_by_cycles);
		return;
	}
	if (counted_khz != tsc_khz) {
		u64 cycle = (u64)NSEC_PER_MSEC << ALLOCTAG_CYCLE_SHIFT;

		WRITE_ONCE(counted_khz, tsc_khz);
		WRITE_ONCE(alloctag_cycle, div_u64(cycle, counted_khz));
	}
	static_branch_enable(&alloctag_by_cycles);
}

/* A counter that has been found out says nothing, and the clock is chosen anew. */
static u64 passed_by_cycles(u64 since, u64 *now)
{
	bool is_unstable = check_tsc_unstable();
	s64 cycles;

	*now = rdtsc();
	cycles = *now - since;
	if (is_unstable || READ_ONCE(counted_khz) != tsc_khz)
		alloctag_tidy_ask();
	if (is_unstable || cycles < 0)
		return 0;
	return mul_u64_u64_shr(cycles, READ_ONCE(alloctag_cycle),
			       ALLOCTAG_CYCLE_SHIFT);
}

#else /* CONFIG_X86 */

void alloctag_ticks_prepare(void)
{
}

/* There are none. */
static u64 passed_by_cycles(u64 since, u64 *now)
{
	return passed_by_clock(since, now);
}

#endif /* CONFIG_X86 */

u64 alloctag_passed(u64 since, u64 *now)
{
	if (since & ALLOCTAG_BY_CLOCK)
		return passed_by_clock(since, now);
	return passed_by_cycles(since, now);
}

u64 alloctag_elapsed(u64 since)
{
	u64 now;

	return alloctag_passed(since, &now);
}

/* For those who cannot have it inline. */
u64 alloctag_elapsed_here(u64 since)
{
	return alloc_tag_elapsed(since);
}
