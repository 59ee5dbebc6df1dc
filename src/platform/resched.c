// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/resched.rs, to which cond_resched() is a macro.
 */
#include <linux/sched.h>

#include "../bindings.h"

void alloctag_cond_resched(void)
{
	cond_resched();
}
