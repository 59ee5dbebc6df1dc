// SPDX-License-Identifier: GPL-2.0-only
/*
 * What CONFIG_MEM_ALLOC_PROFILING_DEBUG warns of, each mistake made on purpose.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "slab.h"
#include "totals.h"

#define SIZE	64

static void an_object_without_a_tag_is_told(struct kunit *test)
{
	KUNIT_ASSERT_NULL(test, current->alloc_tag);
	kunit_warning_suppress(test) {
		void *object = kmalloc_noprof(SIZE, GFP_KERNEL);

		KUNIT_EXPECT_NOT_NULL(test, object);
		KUNIT_EXPECT_SUPPRESSED_WARNING_COUNT(test, 1);
		kfree(object);
	}
}

/* Uncounted for want of a tag, it is also freed without a reference. */
static void a_page_without_a_tag_is_told_twice(struct kunit *test)
{
	KUNIT_ASSERT_NULL(test, current->alloc_tag);
	kunit_warning_suppress(test) {
		struct page *page = alloc_pages_noprof(GFP_KERNEL, 0);

		KUNIT_ASSERT_NOT_NULL(test, page);
		KUNIT_EXPECT_SUPPRESSED_WARNING_COUNT(test, 1);
		__free_page(page);
		KUNIT_EXPECT_SUPPRESSED_WARNING_COUNT(test, 2);
	}
}

static void an_object_that_is_freed_without_a_reference_is_told(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	void *object = alloc_hooks_tag(&tag, kmalloc_noprof(SIZE, GFP_KERNEL));
	struct slab *slab;

	KUNIT_ASSERT_NOT_NULL(test, object);
	slab = virt_to_slab(object);
	alloctag_slab_free(slab->slab_cache, slab,
			   kasan_reset_tag(object) - slab_address(slab) + 1);
	expect_totals(test, &tag, 0, 0);
	kunit_warning_suppress(test) {
		kfree(object);
		KUNIT_EXPECT_SUPPRESSED_WARNING_COUNT(test, 1);
	}
}

static void a_reference_that_was_not_cleared_is_told(struct kunit *test)
{
	union codetag_ref first = {}, second;
	DEFINE_ALLOC_TAG(tag);

	alloc_tag_add(&first, &tag, SIZE);
	second = first;
	kunit_warning_suppress(test) {
		alloc_tag_add(&second, &tag, SIZE);
		KUNIT_EXPECT_SUPPRESSED_WARNING_COUNT(test, 1);
	}
	alloc_tag_sub(&first, SIZE);
	alloc_tag_sub(&second, SIZE);
	expect_totals(test, &tag, 0, 0);
}

static void what_is_left_out_on_purpose_is_not_told(struct kunit *test)
{
	union codetag_ref reference;
	DEFINE_ALLOC_TAG(tag);

	kunit_warning_suppress(test) {
		set_codetag_empty(&reference);
		alloc_tag_add(&reference, &tag, SIZE);
		alloc_tag_sub(&reference, SIZE);
		expect_totals(test, &tag, 0, 0);
		set_codetag_empty(&reference);
		alloc_tag_sub(&reference, SIZE);
		expect_totals(test, &tag, 0, 0);
		KUNIT_EXPECT_SUPPRESSED_WARNING_COUNT(test, 0);
	}
}

/*
 * What a warning has told once it does not tell again. x86 keeps that in its table
 * of bugs, which what is suppressed does not come to, and others in variables. These
 * are cleared as clear_warn_once in debugfs does it.
 */
static int forget(struct kunit *test)
{
	memset(__start_once, 0, __end_once - __start_once);
	return needs_profiling(test);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(an_object_without_a_tag_is_told),
	KUNIT_CASE(a_page_without_a_tag_is_told_twice),
	KUNIT_CASE(an_object_that_is_freed_without_a_reference_is_told),
	KUNIT_CASE(a_reference_that_was_not_cleared_is_told),
	KUNIT_CASE(what_is_left_out_on_purpose_is_not_told),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_checks",
	.init = forget,
	.test_cases = cases,
};

kunit_test_suite(suite);
