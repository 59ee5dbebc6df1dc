// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/clock.rs.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>

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
