// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/clock.rs.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>
#include <linux/timekeeping.h>

#include "../bindings.h"

/* In any context, at any time, and while time is kept by nobody. */
u64 alloctag_seconds(void)
{
	return div_u64(get_jiffies_64() - INITIAL_JIFFIES, HZ);
}

/*
 * Nanoseconds for which the machine has run, on a clock that all CPUs share. In
 * any context. Who is interrupted by the clock's being set may find it to go
 * back, by what it has drifted since the last time.
 */
u64 alloctag_nanoseconds(void)
{
	return ktime_get_mono_fast_ns();
}
