// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose tag is the current one: that of the context that asks, and for containers one
 * that outlives the call site.
 */
#include <linux/alloc_tag.h>
#include <linux/interrupt.h>
#include <linux/sched.h>

#include "totals.h"
#include "../../src/bindings.h"

/* What a softirq has found. */
static struct {
	struct task_struct *task;
	bool is_covered;
	unsigned long mark;
} seen;

static void look(struct tasklet_struct *tasklet)
{
	seen.task = current;
	seen.is_covered = alloc_tag_is_covered();
	seen.mark = alloctag_mark();
}

static DECLARE_TASKLET(looker, look);

/* As what Rust's alloc_hooks!() makes the current tag. */
static struct alloc_tag *marked(struct alloc_tag *tag)
{
	return (struct alloc_tag *)((unsigned long)tag | alloctag_mark());
}

static void a_softirq_is_not_covered_by_the_task_that_runs_it(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct alloc_tag *old = alloc_tag_save(marked(&tag));

	KUNIT_EXPECT_TRUE(test, alloc_tag_is_covered());
	KUNIT_EXPECT_EQ(test, alloctag_mark(), ALLOC_TAG_MARK_TASK);
	seen = (typeof(seen)){};
	local_bh_disable();
	tasklet_schedule(&looker);
	KUNIT_EXPECT_TRUE(test, alloc_tag_is_covered());
	/* Runs it, here. */
	local_bh_enable();
	tasklet_kill(&looker);
	KUNIT_EXPECT_PTR_EQ(test, seen.task, current);
	KUNIT_EXPECT_FALSE(test, seen.is_covered);
	KUNIT_EXPECT_EQ(test, seen.mark, ALLOC_TAG_MARK_TASK + 1);
	KUNIT_EXPECT_TRUE(test, alloc_tag_is_covered());
	alloc_tag_restore(marked(&tag), old);
}

static void a_built_in_tag_is_recorded_as_itself(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct alloc_tag *recorded, *old;

	KUNIT_EXPECT_PTR_EQ(test, alloctag_record(&tag), &tag);
	KUNIT_EXPECT_PTR_EQ(test, alloctag_hold(&tag), &tag);
	alloctag_release(&tag);
	KUNIT_EXPECT_NULL(test, alloctag_record(NULL));
	KUNIT_EXPECT_NULL(test, alloctag_hold(NULL));
	alloctag_release(NULL);
	old = alloc_tag_save(marked(&tag));
	alloc_tag_record(recorded);
	alloc_tag_restore(marked(&tag), old);
	KUNIT_EXPECT_PTR_EQ(test, recorded, &tag);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_softirq_is_not_covered_by_the_task_that_runs_it),
	KUNIT_CASE(a_built_in_tag_is_recorded_as_itself),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_contexts",
	.init = needs_profiling,
	.test_cases = cases,
};

kunit_test_suite(suite);
