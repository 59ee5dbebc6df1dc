// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/task.rs: the current task's name and the like are to be had by
 * macros and inline functions.
 */
#include <linux/cgroup.h>
#include <linux/memcontrol.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "../bindings.h"

/* Whether this interrupts the task, softirqs that it runs itself included. */
bool alloctag_is_interrupt(void)
{
	return !in_task();
}

/* The process in the first namespace. */
u32 alloctag_pid(void)
{
	return task_tgid_nr(current);
}

/* The id of the current task's cgroup as memory goes; under rcu_read_lock(). */
u64 alloctag_cgroup(void)
{
#ifdef CONFIG_MEMCG
	struct cgroup_subsys_state *css = task_css(current, memory_cgrp_id);

	return css ? cgroup_id(css->cgroup) : 0;
#else
	return 0;
#endif
}

/* Whether cgroups v2 have memory of their own. */
bool alloctag_has_cgroups(void)
{
#ifdef CONFIG_MEMCG
	return cgroup_subsys_on_dfl(memory_cgrp_subsys);
#else
	return false;
#endif
}

/*
 * Writes a cgroup's path, as the first namespace has it, and returns its length,
 * or an errno: -ENOENT where there is none of that id any more. May sleep.
 */
int alloctag_cgroup_path(u64 id, char *path, size_t size)
{
#ifdef CONFIG_MEMCG
	struct cgroup *cgroup = __cgroup_get_from_id(id);
	int length;

	if (IS_ERR(cgroup))
		return PTR_ERR(cgroup);
	length = cgroup_path(cgroup, path, size);
	cgroup_put(cgroup);
	return length;
#else
	return -ENOENT;
#endif
}
