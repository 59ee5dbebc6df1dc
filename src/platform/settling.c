// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting for what is freed later: for src/platform/settling.rs.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "../bindings.h"

static void nothing(struct work_struct *unused)
{
}

/*
 * All that was given to call_rcu() and kfree_rcu() so far has been done. Of the
 * latter, some would wait as long as nobody frees more of the same cache. Areas
 * that vfree() was given, stacks of tasks above all, wait until they are many;
 * where RCU gave them to it, for a work of that CPU first (vfree_atomic()). That
 * does not sleep, so ours comes after it, but where it takes so long that the
 * workqueue has others run beside it (workqueue.cpu_intensive_thresh_us), or its
 * CPU has gone offline. Then, and without memory for ours, some may wait on.
 */
void alloctag_settle(void)
{
	kvfree_rcu_barrier();
	rcu_barrier();
	schedule_on_each_cpu(nothing);
	vm_unmap_aliases();
}
