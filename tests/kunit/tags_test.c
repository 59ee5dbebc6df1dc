// SPDX-License-Identifier: GPL-2.0-only
/*
 * C call sites: each test allocates a known amount under a tag of its own,
 * looks for exactly that in the tag's totals, and after the free for nothing.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "slab.h"
#include "totals.h"

#define BULK	16
/* More pages of per-CPU areas than the first chunk has. */
#define AREAS	64

/* What an object takes in its slab, debugging and all. */
static size_t object_size(const void *object)
{
	return virt_to_slab(object)->slab_cache->size;
}

static void kmalloc_is_charged_what_its_object_takes(struct kunit *test)
{
	static const size_t sizes[] = { 1, 8, 9, 64, 65, 4096, 4097, 8192 };
	DEFINE_ALLOC_TAG(tag);

	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		void *p = alloc_hooks_tag(&tag, kmalloc_noprof(sizes[i],
							       GFP_KERNEL));

		KUNIT_ASSERT_NOT_NULL(test, p);
		KUNIT_EXPECT_GE(test, object_size(p), sizes[i]);
		expect_totals(test, &tag, object_size(p), 1);
		kfree(p);
		expect_totals(test, &tag, 0, 0);
	}
}

static void large_kmalloc_is_charged_its_pages(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	void *p = alloc_hooks_tag(&tag, kmalloc_noprof(5 * PAGE_SIZE,
						       GFP_KERNEL));

	KUNIT_ASSERT_NOT_NULL(test, p);
	expect_totals(test, &tag, 8 * PAGE_SIZE, 1);
	kfree(p);
	expect_totals(test, &tag, 0, 0);
}

static void bulk_objects_are_charged_one_by_one(struct kunit *test)
{
	struct kmem_cache *cache = kmem_cache_create("alloctag_test", 256, 0,
						     SLAB_NO_MERGE, NULL);
	void *objects[BULK];
	DEFINE_ALLOC_TAG(tag);
	bool got;

	KUNIT_ASSERT_NOT_NULL(test, cache);
	got = alloc_hooks_tag(&tag,
			      kmem_cache_alloc_bulk_noprof(cache, GFP_KERNEL,
							   BULK, objects));
	KUNIT_ASSERT_TRUE(test, got);
	expect_totals(test, &tag, BULK * (s64)cache->size, BULK);
	kmem_cache_free(cache, objects[0]);
	expect_totals(test, &tag, (BULK - 1) * (s64)cache->size, BULK - 1);
	kmem_cache_free_bulk(cache, BULK - 1, objects + 1);
	expect_totals(test, &tag, 0, 0);
	kmem_cache_destroy(cache);
}

static void krealloc_moves_the_charge(struct kunit *test)
{
	DEFINE_ALLOC_TAG(first);
	DEFINE_ALLOC_TAG(second);
	void *p = alloc_hooks_tag(&first, kmalloc_noprof(64, GFP_KERNEL));

	KUNIT_ASSERT_NOT_NULL(test, p);
	p = alloc_hooks_tag(&second, krealloc_noprof(p, 1024, GFP_KERNEL));
	KUNIT_ASSERT_NOT_NULL(test, p);
	expect_totals(test, &first, 0, 0);
	expect_totals(test, &second, object_size(p), 1);
	kfree(p);
	expect_totals(test, &second, 0, 0);
}

static void pages_of_every_order_are_charged(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);

	for (unsigned int order = 0; order <= 9; order++) {
		struct page *page = alloc_hooks_tag(&tag,
					alloc_pages_noprof(GFP_KERNEL, order));

		KUNIT_ASSERT_NOT_NULL(test, page);
		expect_totals(test, &tag, PAGE_SIZE << order, 1);
		__free_pages(page, order);
		expect_totals(test, &tag, 0, 0);
	}
}

static void split_pages_are_allocations_of_their_own(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = alloc_hooks_tag(&tag, alloc_pages_noprof(GFP_KERNEL,
								     2));

	KUNIT_ASSERT_NOT_NULL(test, page);
	split_page(page, 2);
	expect_totals(test, &tag, 4 * PAGE_SIZE, 4);
	for (int i = 3; i >= 0; i--) {
		__free_page(page + i);
		expect_totals(test, &tag, i * PAGE_SIZE, i);
	}
}

static void the_tail_goes_before_a_head_that_is_held(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = alloc_hooks_tag(&tag, alloc_pages_noprof(GFP_KERNEL,
								     2));

	KUNIT_ASSERT_NOT_NULL(test, page);
	get_page(page);
	__free_pages(page, 2);
	expect_totals(test, &tag, PAGE_SIZE, 1);
	put_page(page);
	expect_totals(test, &tag, 0, 0);
}

static void vmalloc_is_charged_its_pages(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct alloctag_totals totals;
	void *p = alloc_hooks_tag(&tag, vmalloc_noprof(10 * PAGE_SIZE));

	KUNIT_ASSERT_NOT_NULL(test, p);
	/* Beside the pages, what the area itself needs. */
	alloctag_read(&tag, &totals);
	KUNIT_EXPECT_GE(test, totals.bytes, 10 * PAGE_SIZE);
	KUNIT_EXPECT_GE(test, totals.calls, 10);
	vfree(p);
	/* The area itself may go later. */
	alloctag_read(&tag, &totals);
	KUNIT_EXPECT_LT(test, totals.bytes, PAGE_SIZE);
	KUNIT_EXPECT_LT(test, totals.calls, 10);
}

static void percpu_areas_are_charged_for_every_cpu(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct alloctag_totals totals;
	void __percpu *areas[AREAS];

	for (int i = 0; i < AREAS; i++) {
		areas[i] = alloc_hooks_tag(&tag,
					   pcpu_alloc_noprof(PAGE_SIZE, 8, false,
							     GFP_KERNEL));
		KUNIT_ASSERT_NOT_NULL(test, (void __force *)areas[i]);
	}
	/* The first chunk of mm/percpu.c has no references, all others do. */
	alloctag_read(&tag, &totals);
	KUNIT_EXPECT_GT(test, totals.calls, 0);
	KUNIT_EXPECT_LE(test, totals.calls, AREAS);
	KUNIT_EXPECT_GE(test, totals.bytes,
			totals.calls * PAGE_SIZE * num_possible_cpus());
	for (int i = 0; i < AREAS; i++)
		free_percpu(areas[i]);
	expect_totals(test, &tag, 0, 0);
}

static void the_innermost_tag_wins_and_the_outer_returns(struct kunit *test)
{
	DEFINE_ALLOC_TAG(outer);
	DEFINE_ALLOC_TAG(inner);
	void *p, *q;

	q = alloc_hooks_tag(&outer, ({
		p = alloc_hooks_tag(&inner, kmalloc_noprof(32, GFP_KERNEL));
		kmalloc_noprof(128, GFP_KERNEL);
	}));
	KUNIT_ASSERT_NOT_NULL(test, p);
	KUNIT_ASSERT_NOT_NULL(test, q);
	expect_totals(test, &inner, object_size(p), 1);
	expect_totals(test, &outer, object_size(q), 1);
	kfree(p);
	kfree(q);
	expect_totals(test, &inner, 0, 0);
	expect_totals(test, &outer, 0, 0);
}

static void a_tag_names_its_place(struct kunit *test)
{
	static const int line = __LINE__ + 1;
	DEFINE_ALLOC_TAG(tag);

	KUNIT_EXPECT_STREQ(test, tag.function, __func__);
	KUNIT_EXPECT_STREQ(test, tag.filename, __FILE__);
	KUNIT_EXPECT_EQ(test, tag.lineno, line);
	KUNIT_EXPECT_GE(test, tag.handle, ALLOC_TAG_RESERVED_ACCOUNTS);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(kmalloc_is_charged_what_its_object_takes),
	KUNIT_CASE(large_kmalloc_is_charged_its_pages),
	KUNIT_CASE(bulk_objects_are_charged_one_by_one),
	KUNIT_CASE(krealloc_moves_the_charge),
	KUNIT_CASE(pages_of_every_order_are_charged),
	KUNIT_CASE(split_pages_are_allocations_of_their_own),
	KUNIT_CASE(the_tail_goes_before_a_head_that_is_held),
	KUNIT_CASE(vmalloc_is_charged_its_pages),
	KUNIT_CASE(percpu_areas_are_charged_for_every_cpu),
	KUNIT_CASE(the_innermost_tag_wins_and_the_outer_returns),
	KUNIT_CASE(a_tag_names_its_place),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_tags",
	.init = needs_profiling,
	.test_cases = cases,
};

kunit_test_suite(suite);
