// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/clock.rs.
 */
#include <linux/jiffies.h>
#include <linux/math64.h>

#include "../bindings.h"

/* In any context, at any time, and while time is kept by nobody. */
u64 alloctag_seconds(void)
{
	return div_u64(get_jiffies_64() - INITIAL_JIFFIES, HZ);
}
