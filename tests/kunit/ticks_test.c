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

/* Nanoseconds that passed beside one of the scheduler's clock are no more than these. */
static void expect_passed(struct kunit *test, u64 since, u64 begin, u64 least)
{
	u64 ns = alloctag_elapsed_here(since);
	u64 most = local_clock() - begin;

	KUNIT_EXPECT_GE(test, ns, least);
	/* A thousandth, by which two clocks may differ, and a microsecond. */
	KUNIT_EXPECT_LE(test, ns, most + most / 1000 + NSEC_PER_USEC);
}

static void what_passes_is_measured(struct kunit *test)
{
	/* Of cycles, what is believed, and what is asked about. */
	static const unsigned int microseconds[] = { 1, 10, 200, 3000 };

	for (int i = 0; i < ARRAY_SIZE(microseconds); i++) {
		u64 ns = microseconds[i] * NSEC_PER_USEC;
		u64 begin = local_clock(), since = alloctag_now();

		while (local_clock() - begin < ns + NSEC_PER_USEC)
			cpu_relax();
		expect_passed(test, since, begin, ns - ns / 1000);
	}
}

static void what_began_by_the_other_clock_is_measured_by_it(struct kunit *test)
{
	u64 begin = local_clock(), since = alloctag_clock_ticks();

	mdelay(1);
	expect_passed(test, since, begin, 900 * NSEC_PER_USEC);
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
