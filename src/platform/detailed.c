// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which set of hooks the allocators call, plain, detailed or traced: by static
 * calls, where there are some that cost nothing, else by static branches.
 */
#include <linux/alloc_tag.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/workqueue.h>

#include <alloctag/hook_calls.h>

#include "../bindings.h"

/*
 * Who waits for hooks holds the first, which may take long, and not the second:
 * who begins to trace has all of tracing locked.
 */
static DEFINE_MUTEX(alloctag_waiting_lock);
static DEFINE_MUTEX(alloctag_detailed_lock);
static unsigned int alloctag_detailed_users;
#ifdef CONFIG_ALLOCTAG_EVENTS
static unsigned int alloctag_traced_users;
#else
#define alloctag_traced_users	0U
#endif

#ifdef CONFIG_HAVE_STATIC_CALL_INLINE

DEFINE_STATIC_CALL(alloctag_slab_alloc, alloctag_slab_alloc);
DEFINE_STATIC_CALL(alloctag_slab_free, alloctag_slab_free);
DEFINE_STATIC_CALL(alloctag_page_alloc, alloctag_page_alloc);
DEFINE_STATIC_CALL(alloctag_page_free, alloctag_page_free);

/* Those who tell tracers know all accounts. */
#ifdef CONFIG_ALLOCTAG_EVENTS
#define exchange(_hook)							\
	static_call_update(_hook, alloctag_traced_users ? &_hook##_traced : \
			   alloctag_detailed_users ? &_hook##_detailed : &_hook)
#else
#define exchange(_hook)							\
	static_call_update(_hook, alloctag_detailed_users ? &_hook##_detailed : &_hook)
#endif

static void put_in_place(void)
{
	exchange(alloctag_slab_alloc);
	exchange(alloctag_slab_free);
	exchange(alloctag_page_alloc);
	exchange(alloctag_page_free);
}

#else /* CONFIG_HAVE_STATIC_CALL_INLINE */

DEFINE_STATIC_KEY_FALSE(alloctag_detailed_key);
#ifdef CONFIG_ALLOCTAG_EVENTS
DEFINE_STATIC_KEY_FALSE(alloctag_traced_key);
#endif

static void put_in_place(void)
{
#ifdef CONFIG_ALLOCTAG_EVENTS
	if (alloctag_traced_users)
		static_branch_enable(&alloctag_traced_key);
	else
		static_branch_disable(&alloctag_traced_key);
#endif
	if (alloctag_detailed_users || alloctag_traced_users)
		static_branch_enable(&alloctag_detailed_key);
	else
		static_branch_disable(&alloctag_detailed_key);
}

#endif /* CONFIG_HAVE_STATIC_CALL_INLINE */

/*
 * Hooks that were preempted; and in interrupts, for it begins by waiting for RCU.
 * None sleeps between looking up an account and counting, nor waits there for a
 * lock that does where the kernel is PREEMPT_RT: that would not be waited for.
 */
void alloctag_hooks_wait(void)
{
	synchronize_rcu_tasks();
}

void alloctag_detailed_get(void)
{
	bool is_first;

	mutex_lock(&alloctag_waiting_lock);
	mutex_lock(&alloctag_detailed_lock);
	is_first = !alloctag_detailed_users++;
	if (is_first)
		put_in_place();
	mutex_unlock(&alloctag_detailed_lock);
	if (is_first)
		alloctag_hooks_wait();
	mutex_unlock(&alloctag_waiting_lock);
}

/*
 * No object is left of what the caller had them for. Detailed hooks may still run,
 * for what others have them for or at their end.
 */
void alloctag_detailed_put(void)
{
	mutex_lock(&alloctag_detailed_lock);
	if (!--alloctag_detailed_users)
		put_in_place();
	mutex_unlock(&alloctag_detailed_lock);
}

#ifdef CONFIG_ALLOCTAG_EVENTS
/* Hooks that do not know of it yet tell nobody, and nobody waits for them. */
void alloctag_traced_get(void)
{
	mutex_lock(&alloctag_detailed_lock);
	if (!alloctag_traced_users++)
		put_in_place();
	mutex_unlock(&alloctag_detailed_lock);
}

void alloctag_traced_put(void)
{
	mutex_lock(&alloctag_detailed_lock);
	if (!--alloctag_traced_users)
		put_in_place();
	mutex_unlock(&alloctag_detailed_lock);
}
#endif

static void alloctag_reap(struct work_struct *work)
{
	alloctag_chunks_reap();
}

static DECLARE_WORK(alloctag_reaping, alloctag_reap);

void alloctag_reap_soon(void)
{
	queue_work(system_dfl_wq, &alloctag_reaping);
}
