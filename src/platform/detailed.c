// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which set of hooks the allocators call: by static calls, where there are some
 * that cost nothing, else by a static branch.
 */
#include <linux/alloc_tag.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>

#include <alloctag/hook_calls.h>

#include "../bindings.h"

static DEFINE_MUTEX(lock);
static unsigned int users;

#ifdef CONFIG_HAVE_STATIC_CALL_INLINE

DEFINE_STATIC_CALL(alloctag_slab_alloc, alloctag_slab_alloc);
DEFINE_STATIC_CALL(alloctag_slab_free, alloctag_slab_free);
DEFINE_STATIC_CALL(alloctag_page_alloc, alloctag_page_alloc);
DEFINE_STATIC_CALL(alloctag_page_free, alloctag_page_free);

#define exchange(_hook, _all)						\
	static_call_update(_hook, (_all) ? &_hook##_detailed : &_hook)

static void put_in_place(bool detailed)
{
	exchange(alloctag_slab_alloc, detailed);
	exchange(alloctag_slab_free, detailed);
	exchange(alloctag_page_alloc, detailed);
	exchange(alloctag_page_free, detailed);
}

#else /* CONFIG_HAVE_STATIC_CALL_INLINE */

DEFINE_STATIC_KEY_FALSE(alloctag_detailed_key);

static void put_in_place(bool detailed)
{
	if (detailed)
		static_branch_enable(&alloctag_detailed_key);
	else
		static_branch_disable(&alloctag_detailed_key);
}

#endif /* CONFIG_HAVE_STATIC_CALL_INLINE */

void alloctag_detailed_get(void)
{
	mutex_lock(&lock);
	if (!users++) {
		put_in_place(true);
		/* Plain hooks that were preempted; interrupts, too: it begins with RCU. */
		synchronize_rcu_tasks();
	}
	mutex_unlock(&lock);
}

/* Detailed hooks that still run do what plain ones would. */
void alloctag_detailed_put(void)
{
	mutex_lock(&lock);
	if (!--users)
		put_in_place(false);
	mutex_unlock(&lock);
}
