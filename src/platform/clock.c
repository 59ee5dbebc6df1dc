// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/clock.rs.
 */
#include <linux/clocksource.h>
#include <linux/jiffies.h>
#include <linux/jump_label.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>

#include <alloctag/fault_hooks.h>

#include "../bindings.h"

/* In any context, at any time, and while time is kept by nobody. */
u64 alloctag_seconds(void)
{
	return div_u64(get_jiffies_64() - INITIAL_JIFFIES, HZ);
}

/*
 * Nanoseconds of the scheduler's clock, which delay accounting goes by as well. In
 * any context, from the first moment on. Where those of CPUs differ, what began on
 * one and ends on another is off by a tick at most.
 */
u64 alloctag_nanoseconds(void)
{
	return local_clock();
}

#ifdef CONFIG_ALLOCTAG_LATENCY

/* The last bit of ticks: they are cycles, or nanoseconds. */
#define CYCLES 1

#ifdef CONFIG_X86

#include <asm/timer.h>
#include <asm/tsc.h>

/*
 * The counter of cycles as it is, where the scheduler's clock is made of it and of
 * nothing else: two readings of that clock are most of what timing would take.
 */
static DEFINE_STATIC_KEY_FALSE(by_cycles);
static u32 mult __read_mostly, shift __read_mostly;

/* Before calls are timed; may sleep. */
void alloctag_ticks_prepare(void)
{
	bool usable = boot_cpu_has(X86_FEATURE_TSC) && tsc_khz &&
		      using_native_sched_clock() && sched_clock_stable() &&
		      !check_tsc_unstable();

	if (!usable) {
		static_branch_disable(&by_cycles);
	} else if (!static_key_enabled(&by_cycles)) {
		clocks_calc_mult_shift(&mult, &shift, tsc_khz, NSEC_PER_MSEC, 0);
		static_branch_enable(&by_cycles);
	}
}

u64 alloctag_ticks(void)
{
	if (static_branch_likely(&by_cycles))
		return rdtsc() | CYCLES;
	return alloctag_nanoseconds() & ~(u64)CYCLES;
}

/*
 * What began with one and ends with the other, or with a counter that is no good
 * any more, took nobody knows how long.
 */
static u64 in_nanoseconds(u64 since, u64 ticks)
{
	s64 elapsed = ticks - since;

	if (unlikely(elapsed < 0 || ((since ^ ticks) & CYCLES)))
		return 0;
	if (!(since & CYCLES))
		return elapsed;
	if (unlikely(check_tsc_unstable()))
		return 0;
	return mul_u64_u32_shr(elapsed, mult, shift);
}

#else /* CONFIG_X86 */

void alloctag_ticks_prepare(void)
{
}

u64 alloctag_ticks(void)
{
	return alloctag_nanoseconds() | CYCLES;
}

static u64 in_nanoseconds(u64 since, u64 ticks)
{
	s64 elapsed = ticks - since;

	return max(elapsed, 0);
}

#endif /* CONFIG_X86 */

/* A clock that has gone back has stood still. */
u64 alloctag_elapsed(u64 since)
{
	return in_nanoseconds(since, alloctag_ticks());
}

#endif /* CONFIG_ALLOCTAG_LATENCY */
