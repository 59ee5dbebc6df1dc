// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting for what is freed later: for src/platform/settling.rs.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "../bindings.h"

/*
 * All that was given to call_rcu() and kfree_rcu() so far has been done. Of the
 * latter, some would wait as long as nobody frees more of the same cache. Areas
 * that vfree() was given, stacks of tasks above all, wait until they are many.
 */
void alloctag_settle(void)
{
	kvfree_rcu_barrier();
	rcu_barrier();
	vm_unmap_aliases();
}
