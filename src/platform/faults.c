// SPDX-License-Identifier: GPL-2.0-only
/*
 * When chosen call sites fail: by the kernel's fault injection. For
 * src/platform/faults.rs.
 */
#include <linux/alloc_tag.h>
#include <linux/bitfield.h>
#include <linux/cleanup.h>
#include <linux/error-injection.h>
#include <linux/fault-inject.h>
#include <linux/init.h>
#include <linux/ratelimit.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <alloctag/fault_hooks.h>

#include "../bindings.h"

#define CREATE_TRACE_POINTS
#include "faults_trace.h"

/* Of all rules that say nothing of when their call sites fail. */
static DECLARE_FAULT_ATTR(fail_alloctag);

/* What was given at boot: to set up an attribute allocates, and there is no slab yet. */
static char *fail_alloctag_argument __initdata;

static int __init keep_fail_alloctag(char *argument)
{
	fail_alloctag_argument = argument;
	return 1;
}
__setup("fail_alloctag=", keep_fail_alloctag);

/* Before alloctag.detail= is obeyed. What is wrong with it, the log says. */
static int __init setup_fail_alloctag(void)
{
	if (fail_alloctag_argument)
		setup_fault_attr(&fail_alloctag, fail_alloctag_argument);
	return 0;
}
core_initcall(setup_fail_alloctag);

static int __init fail_alloctag_debugfs(void)
{
	return PTR_ERR_OR_ZERO(fault_create_debugfs_attr("fail_alloctag", NULL,
							 &fail_alloctag));
}
late_initcall(fail_alloctag_debugfs);

/**
 * struct alloctag_fault - when the call sites of one rule fail
 * @attr: with which probability and at which interval; it knows no bound
 * @skip: how often not, before anything else is asked
 * @times: how often at most; negative for no bound
 * @task_filter: for tasks alone that have asked for it (/proc/PID/make-it-fail)
 * @is_mute: never any more, although tags may still have its number
 * @rcu: frees it, once nobody looks at it any more
 *
 * An attribute's own bound and its bytes to spare are read and changed one after
 * the other: on several CPUs at a time it is met more or less. These are exact.
 */
struct alloctag_fault {
	struct fault_attr attr;
	atomic_t skip;
	atomic_t times;
	bool task_filter;
	bool is_mute;
	struct rcu_head rcu;
};

static struct alloctag_fault __rcu *alloctag_faults[ALLOCTAG_OWN_FAULTS];

/* Seeds what attributes draw from, which nothing else does without debugfs. */
static void seed(void)
{
	struct fault_attr attr = FAULT_ATTR_INITIALIZER;
	char none[] = "1,0,0,0";

	setup_fault_attr(&attr, none);
}

/* Takes a place; 0, -EBUSY or -ENOMEM. One task at a time. */
int alloctag_fault_begin(unsigned int place, const struct alloctag_faults *wanted)
{
	struct alloctag_fault *fault;

	if (rcu_access_pointer(alloctag_faults[place]))
		return -EBUSY;
	fault = kzalloc_obj(*fault);
	if (!fault)
		return -ENOMEM;
	seed();
	fault->attr = (struct fault_attr)FAULT_ATTR_INITIALIZER;
	fault->attr.probability = wanted->probability;
	fault->attr.interval = wanted->interval;
	atomic_set(&fault->attr.times, -1);
	fault->attr.verbose = READ_ONCE(fail_alloctag.verbose);
	ratelimit_state_init(&fault->attr.ratelimit_state,
			     READ_ONCE(fail_alloctag.ratelimit_state.interval),
			     READ_ONCE(fail_alloctag.ratelimit_state.burst));
	strscpy(fault->attr.dname, "fail_alloctag");
	/* Rules have none beyond INT_MAX. */
	atomic_set(&fault->skip, wanted->skip);
	atomic_set(&fault->times, wanted->times ?: -1);
	fault->task_filter = wanted->task_filter;
	rcu_assign_pointer(alloctag_faults[place], fault);
	return 0;
}

/* It has nothing fail any more, and nobody else gets its place yet. */
void alloctag_fault_mute(unsigned int place)
{
	struct alloctag_fault *fault;

	fault = rcu_dereference_protected(alloctag_faults[place], true);
	if (fault)
		WRITE_ONCE(fault->is_mute, true);
}

/* Gives it back, if it is taken. No tag has its number. */
void alloctag_fault_end(unsigned int place)
{
	struct alloctag_fault *fault;

	fault = rcu_replace_pointer(alloctag_faults[place], NULL, true);
	if (fault)
		kfree_rcu(fault, rcu);
}

/* One of the times that are left; true as well where there is no bound. */
static bool take_time(struct alloctag_fault *fault)
{
	return atomic_read(&fault->times) < 0 ||
	       atomic_dec_if_positive(&fault->times) >= 0;
}

static void give_time_back(struct alloctag_fault *fault)
{
	if (atomic_read(&fault->times) >= 0)
		atomic_inc(&fault->times);
}

static bool is_due(struct alloctag_fault *fault, size_t size, int flags)
{
	if (READ_ONCE(fault->is_mute))
		return false;
	/* Every attribute that is asked counts the task's calls down. */
	if (in_task() && READ_ONCE(current->fail_nth))
		return should_fail_ex(&fault->attr, size, flags);
	if (fault->task_filter && !(in_task() && current->make_it_fail))
		return false;
	if (atomic_dec_if_positive(&fault->skip) >= 0)
		return false;
	/* Taken first, for a fault that is decided is in the log. */
	if (!take_time(fault))
		return false;
	if (should_fail_ex(&fault->attr, size, flags))
		return true;
	give_time_back(fault);
	return false;
}

/**
 * alloctag_should_fail - whether an allocation is to fail
 * @tag: the call site, of which a rule says that it may
 * @size: the bytes that it asks for; 0 where nobody knows
 * @gfp: the flags that it asks with
 *
 * A program that overrides this decides in the place of fail_alloctag and of
 * what rules say of times.
 *
 * Return: whether it is.
 */
noinline bool alloctag_should_fail(const struct alloc_tag *tag, size_t size,
				   gfp_t gfp)
{
	int flags = gfp & __GFP_NOWARN ? FAULT_NOWARN : 0;
	struct alloctag_fault *fault;
	unsigned int arming;

	/* Of what an attribute has to spare, an unknown number of bytes takes one. */
	size = max_t(size_t, size, 1);
	/* Before the number is read: no other rule has it before this has ended. */
	guard(rcu)();
	arming = FIELD_GET(ALLOC_TAG_ARMING, READ_ONCE(tag->lineno));
	if (arming == ALLOCTAG_SHARED_FAULTS)
		return should_fail_ex(&fail_alloctag, size, flags);
	if (arming <= ALLOCTAG_SHARED_FAULTS ||
	    arming > ALLOCTAG_SHARED_FAULTS + ALLOCTAG_OWN_FAULTS)
		return false;
	fault = rcu_dereference(alloctag_faults[arming - ALLOCTAG_SHARED_FAULTS - 1]);
	return fault && is_due(fault, size, flags);
}
ALLOW_ERROR_INJECTION(alloctag_should_fail, TRUE);

/* That one did; @file is what its call site is shown as, @length bytes of it. */
void alloctag_trace_fault(const struct alloc_tag *tag, const char *file,
			  size_t length, size_t bytes, gfp_t gfp)
{
	trace_alloctag_fault(tag, file, length, bytes, gfp);
}
