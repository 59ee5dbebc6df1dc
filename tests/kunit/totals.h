/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the KUnit tests of C call sites share.
 */
#ifndef _ALLOCTAG_TESTS_TOTALS_H
#define _ALLOCTAG_TESTS_TOTALS_H

#include <kunit/test.h>
#include <linux/alloc_tag.h>

static inline void expect_totals(struct kunit *test,
				 const struct alloc_tag *tag, s64 bytes,
				 u64 calls)
{
	struct alloctag_totals totals;

	alloctag_read(tag, &totals);
	KUNIT_EXPECT_EQ(test, totals.bytes, bytes);
	KUNIT_EXPECT_EQ(test, totals.calls, calls);
}

/* A suite's init function. */
static inline int needs_profiling(struct kunit *test)
{
	if (!mem_alloc_profiling_enabled())
		kunit_skip(test, "profiling is off");
	return 0;
}

#endif /* _ALLOCTAG_TESTS_TOTALS_H */
