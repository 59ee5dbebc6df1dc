// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock of what is timed.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/sched/clock.h>
#include <linux/time64.h>

#include <alloctag/ticks.h>

#include "../../src/bindings.h"

/* Seconds by which another clock is chosen, however busy the machine is. */
#define ANOTHER_BY 10

/* A counter of cycles may be read that was found to be no good, until somebody has asked. */
static bool was_found_out(u64 since)
{
#ifdef CONFIG_X86
	return !(since & ALLOCTAG_BY_CLOCK) && check_tsc_unstable();
#else
	return false;
#endif
}

/* What a clock measures of so many nanoseconds of the scheduler's, and what passed around it. */
struct measured {
	u64 since, ns, most;
};

static struct measured measure(u64 (*clock)(void), u64 ns)
{
	u64 begin = local_clock(), since = clock(), begun = local_clock();
	struct measured measured = { .since = since };

	while (local_clock() - begun < ns)
		cpu_relax();
	measured.ns = alloctag_elapsed_here(since);
	measured.most = local_clock() - begin;
	return measured;
}

/*
 * So many nanoseconds are measured as no fewer, and as no more than passed around
 * it: who is looked at may stand still between any two lines.
 */
static void expect_measured(struct kunit *test, u64 (*clock)(void), u64 ns)
{
	struct measured measured = measure(clock, ns);

	if (was_found_out(measured.since)) {
		/* Of any span, this asks; a second later there is another clock. */
		alloctag_elapsed(measured.since);
		for (int i = 0; i < ANOTHER_BY && was_found_out(clock()); i++)
			msleep(MSEC_PER_SEC);
		measured = measure(clock, ns);
	}
	/*
	 * A hundredth: by so much at most the kernel refines what it knows of the
	 * counter, in the second in which these tests run; cycles are measured by
	 * the old figure until somebody has asked. And a microsecond.
	 */
	KUNIT_EXPECT_GE(test, measured.ns, ns - ns / 100);
	KUNIT_EXPECT_LE(test, measured.ns,
			measured.most + measured.most / 100 + NSEC_PER_USEC);
}

static void what_passes_is_measured(struct kunit *test)
{
	/* Of cycles, what is believed, and what is asked about. */
	static const unsigned int microseconds[] = { 1, 10, 200, 3000 };

	for (int i = 0; i < ARRAY_SIZE(microseconds); i++)
		expect_measured(test, alloctag_now,
				microseconds[i] * NSEC_PER_USEC);
}

static void what_began_by_the_other_clock_is_measured_by_it(struct kunit *test)
{
	expect_measured(test, alloctag_clock_ticks, NSEC_PER_MSEC);
}

static void a_clock_that_has_gone_back_has_stood_still(struct kunit *test)
{
	static const unsigned int bits[] = { 1, 20, 40, 60 };

	for (int i = 0; i < ARRAY_SIZE(bits); i++) {
		u64 ahead = NSEC_PER_SEC + BIT_ULL(bits[i]);

		KUNIT_EXPECT_EQ(test, alloctag_elapsed_here(alloctag_now() + ahead), 0);
		KUNIT_EXPECT_EQ(test,
				alloctag_elapsed_here(alloctag_clock_ticks() + ahead), 0);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(what_passes_is_measured),
	KUNIT_CASE(what_began_by_the_other_clock_is_measured_by_it),
	KUNIT_CASE(a_clock_that_has_gone_back_has_stood_still),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_ticks",
	.test_cases = cases,
};

kunit_test_suite(suite);

MODULE_DESCRIPTION("KUnit tests of the clock of what is timed");
MODULE_LICENSE("GPL");
