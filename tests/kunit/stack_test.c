// SPDX-License-Identifier: GPL-2.0-only
/*
 * The walk over stacks: it finds what the kernel's unwinder finds, wherever it begins.
 */
#include <linux/interrupt.h>
#include <linux/irq_work.h>
#include <linux/rcupdate.h>
#include <linux/stacktrace.h>
#include <linux/string.h>

#include <asm/sections.h>

#include "totals.h"
#include "../../src/bindings.h"
#include "../../src/platform/stack/frames.h"

/* What all have found: the walk, the kernel's unwinder as we ask it, and as others do. */
struct seen {
	u64 walked[ALLOCTAG_FRAMES];
	u64 unwound[ALLOCTAG_FRAMES];
	unsigned long saved[ALLOCTAG_FRAMES];
	unsigned int nr_walked;
	unsigned int nr_unwound;
	unsigned int nr_saved;
	bool is_walked;
	/* Who is said to free. */
	unsigned long walked_by;
	unsigned long unwound_by;
	bool is_walked_by;
};

static struct seen seen;
/* By this test, so that it is to be ended. */
static bool is_prepared;

static int prepare_walk(void)
{
	int ret = alloctag_stack_prepare();

	is_prepared = !ret;
	return ret;
}

static void end_walk(void)
{
	if (is_prepared)
		alloctag_stack_end();
	is_prepared = false;
}

/* By its name it is an allocator, above which the call site is. */
static noinline void look_noprof(unsigned int room)
{
	struct frames walked = { seen.walked, room };
	struct frames unwound = { seen.unwound, room };

	rcu_read_lock();
	seen.is_walked = alloctag_walk(&walked);
	alloctag_unwind(&unwound);
	seen.is_walked_by = alloctag_walk_freed_by(&seen.walked_by);
	seen.unwound_by = alloctag_unwind_freed_by();
	rcu_read_unlock();
	seen.nr_walked = walked.nr;
	seen.nr_unwound = unwound.nr;
	seen.nr_saved = stack_trace_save(seen.saved, room, 1);
}

/* The compiler makes no loop of it. */
static noinline void look_from(unsigned int depth, unsigned int room)
{
	if (depth)
		look_from(depth - 1, room);
	else
		look_noprof(room);
	barrier();
}

/* But that those which were interrupted are one further. */
static void expect_the_same(struct kunit *test, unsigned int interrupted)
{
	KUNIT_ASSERT_TRUE(test, seen.is_walked);
	KUNIT_EXPECT_GT(test, seen.nr_saved, 2);
	KUNIT_ASSERT_EQ(test, seen.nr_walked, seen.nr_saved);
	KUNIT_ASSERT_EQ(test, seen.nr_unwound, seen.nr_saved);
	for (unsigned int i = 0; i < seen.nr_saved; i++) {
		bool is_further = seen.walked[i] == seen.saved[i] + 1;

		KUNIT_EXPECT_EQ(test, seen.unwound[i], seen.walked[i]);
		KUNIT_EXPECT_EQ(test, seen.walked[i], seen.saved[i] + is_further);
		interrupted -= is_further;
	}
	KUNIT_EXPECT_EQ(test, interrupted, 0);
	KUNIT_ASSERT_TRUE(test, seen.is_walked_by);
	KUNIT_EXPECT_EQ(test, seen.walked_by, seen.unwound_by);
	KUNIT_EXPECT_EQ(test, seen.walked_by, seen.saved[0]);
}

static void any_depth_is_walked_as_the_kernel_does(struct kunit *test)
{
	for (unsigned int depth = 0; depth < 2 * ALLOCTAG_FRAMES; depth++) {
		look_from(depth, ALLOCTAG_FRAMES);
		expect_the_same(test, 0);
	}
}

static void no_more_is_walked_than_there_is_room_for(struct kunit *test)
{
	for (unsigned int room = 3; room <= ALLOCTAG_FRAMES; room++) {
		look_from(ALLOCTAG_FRAMES, room);
		KUNIT_EXPECT_EQ(test, seen.nr_walked, room);
		expect_the_same(test, 0);
	}
}

static void look_in_softirq(struct tasklet_struct *tasklet)
{
	look_from(1, ALLOCTAG_FRAMES);
}

static DECLARE_TASKLET(looker, look_in_softirq);

static void a_softirq_is_walked_down_to_the_task(struct kunit *test)
{
	local_bh_disable();
	tasklet_schedule(&looker);
	/* Runs it, here. */
	local_bh_enable();
	tasklet_kill(&looker);
	expect_the_same(test, 0);
}

static void look_in_interrupt(struct irq_work *work)
{
	look_from(1, ALLOCTAG_FRAMES);
}

static void an_interrupt_is_walked_down_to_what_it_interrupted(struct kunit *test)
{
	struct irq_work work = IRQ_WORK_INIT_HARD(look_in_interrupt);

	irq_work_queue(&work);
	irq_work_sync(&work);
	expect_the_same(test, 1);
}

static void without_an_allocator_the_kernel_is_asked(struct kunit *test)
{
	struct frames frames = { seen.walked, ALLOCTAG_FRAMES };

	rcu_read_lock();
	KUNIT_EXPECT_FALSE(test, alloctag_walk(&frames));
	seen.nr_walked = alloctag_frames(seen.walked, ALLOCTAG_FRAMES);
	rcu_read_unlock();
	seen.nr_saved = stack_trace_save(seen.saved, ALLOCTAG_FRAMES, 1);
	KUNIT_ASSERT_EQ(test, seen.nr_walked, seen.nr_saved + 1);
	for (unsigned int i = 0; i < seen.nr_saved; i++)
		KUNIT_EXPECT_EQ(test, seen.walked[i + 1], seen.saved[i]);
}

static void nothing_is_walked_that_is_not_prepared_for(struct kunit *test)
{
	end_walk();
	look_from(1, ALLOCTAG_FRAMES);
	if (prepare_walk() == -EBUSY)
		kunit_skip(test, "there are rules by now");
	KUNIT_EXPECT_FALSE(test, seen.is_walked);
	look_from(1, ALLOCTAG_FRAMES);
	expect_the_same(test, 0);
}

static void only_code_that_says_when_it_goes_is_kept(struct kunit *test)
{
	static const char data[1];
	char name[ALLOCTAG_SYMBOL_LEN];
	const struct {
		unsigned long address;
		bool is_text;
	} table[] = {
		{ (unsigned long)alloctag_frames, true },
		{ (unsigned long)_stext, true },
		{ (unsigned long)_stext - 1, false },
		{ (unsigned long)_etext - 1, true },
		{ (unsigned long)_etext, false },
		{ (unsigned long)_sinittext, true },
		{ (unsigned long)_einittext, false },
		{ (unsigned long)data, false },
		{ (unsigned long)test, false },
		{ MODULES_END - 1, false },
		{ 0, false },
		{ ULONG_MAX, false },
	};

	rcu_read_lock();
	for (int i = 0; i < ARRAY_SIZE(table); i++)
		KUNIT_EXPECT_EQ_MSG(test, alloctag_is_text(table[i].address),
				    table[i].is_text, "%d", i);
	rcu_read_unlock();
	/* Other code has none, and what was replaced by 0 neither. */
	KUNIT_EXPECT_EQ(test, alloctag_name(name, (unsigned long)data + 1), 0);
	KUNIT_EXPECT_EQ(test, alloctag_name(name, MODULES_END), 0);
	KUNIT_EXPECT_EQ(test, alloctag_name(name, 0), 0);
	KUNIT_EXPECT_GT(test, alloctag_name(name, (unsigned long)alloctag_frames + 1), 0);
	KUNIT_EXPECT_TRUE(test, strstarts(name, "alloctag_frames+0x1/"));
}

static int prepare(struct kunit *test)
{
	int ret = needs_profiling(test);

	if (ret)
		return ret;
	seen = (struct seen){};
	ret = prepare_walk();
	if (ret == -EBUSY)
		kunit_skip(test, "there are rules");
	return ret;
}

static void end(struct kunit *test)
{
	end_walk();
}

static struct kunit_case cases[] = {
	KUNIT_CASE(any_depth_is_walked_as_the_kernel_does),
	KUNIT_CASE(no_more_is_walked_than_there_is_room_for),
	KUNIT_CASE(a_softirq_is_walked_down_to_the_task),
	KUNIT_CASE(an_interrupt_is_walked_down_to_what_it_interrupted),
	KUNIT_CASE(without_an_allocator_the_kernel_is_asked),
	KUNIT_CASE(nothing_is_walked_that_is_not_prepared_for),
	KUNIT_CASE(only_code_that_says_when_it_goes_is_kept),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_stack",
	.init = prepare,
	.exit = end,
	.test_cases = cases,
};

kunit_test_suite(suite);
