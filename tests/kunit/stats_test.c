// SPDX-License-Identifier: GPL-2.0-only
/*
 * What passes through a call site, what of it goes to waste, and how often it is
 * given nothing.
 */
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "slab.h"
#include "totals.h"

#define MANY	100

/* What an object of kmalloc() is charged with. */
static size_t charged(const void *object)
{
	struct slab *slab = virt_to_slab(object);

	return slab ? slab->slab_cache->size : folio_size(virt_to_folio(object));
}

static struct alloctag_totals totals_of(const struct alloc_tag *tag)
{
	struct alloctag_totals totals;

	alloctag_read(tag, &totals);
	return totals;
}

/* What is alive is what @requested asked for, and slack. */
static void expect_requested(struct kunit *test, const struct alloc_tag *tag,
			     size_t requested)
{
	struct alloctag_totals totals = totals_of(tag);

	KUNIT_EXPECT_EQ(test, totals.bytes - totals.slack, (s64)requested);
	KUNIT_EXPECT_EQ(test, totals.allocs - totals.frees, totals.calls);
}

static void bytes_less_slack_are_what_was_asked_for(struct kunit *test)
{
	static const size_t sizes[] = {
		1, 8, 9, 63, 64, 65, 96, 97, 128, 192, 193, 1000, 1024, 1025,
		2049, 4096, 4097, 8191, 8192, 8193, 12289, 16384, 100000,
	};

	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		DEFINE_ALLOC_TAG(tag);
		u64 before = totals_of(&tag).allocs;
		void *p = alloc_hooks_tag(&tag, kmalloc_noprof(sizes[i],
							       GFP_KERNEL));

		KUNIT_ASSERT_NOT_NULL(test, p);
		expect_totals(test, &tag, charged(p), 1);
		expect_requested(test, &tag, sizes[i]);
		KUNIT_EXPECT_EQ(test, totals_of(&tag).allocs, before + 1);
		kfree(p);
		expect_totals(test, &tag, 0, 0);
		expect_requested(test, &tag, 0);
	}
}

static void *from_buckets(struct alloc_tag *tag, kmem_buckets *buckets, size_t size)
{
	return alloc_hooks_tag(tag,
			       __kmalloc_node_noprof(PASS_KMALLOC_PARAMS(size, buckets,
									 __kmalloc_token(size)),
						     GFP_KERNEL, NUMA_NO_NODE));
}

/* The largest object from a slab; the cache is as kmem_buckets_create() has them. */
static void buckets_have_the_slack_of_kmalloc(struct kunit *test)
{
	static const size_t slacks[] = {
		0, 8, KMALLOC_MAX_CACHE_SIZE / 4, KMALLOC_MAX_CACHE_SIZE / 2 - 8,
	};
	struct kmem_cache *cache;
	kmem_buckets buckets = {};

	if (!IS_ENABLED(CONFIG_SLAB_BUCKETS))
		kunit_skip(test, "there are none");
	cache = kmem_cache_create("alloctag_test", KMALLOC_MAX_CACHE_SIZE, 0,
				  SLAB_NO_MERGE, NULL);
	KUNIT_ASSERT_NOT_NULL(test, cache);
	buckets[KMALLOC_SHIFT_HIGH] = cache;
	for (int i = 0; i < ARRAY_SIZE(slacks); i++) {
		size_t size = KMALLOC_MAX_CACHE_SIZE - slacks[i];
		DEFINE_ALLOC_TAG(tag);
		void *p = from_buckets(&tag, &buckets, size);

		KUNIT_EXPECT_NOT_NULL(test, p);
		if (!p)
			break;
		expect_totals(test, &tag, charged(p), 1);
		expect_requested(test, &tag, size);
		kfree(p);
		expect_requested(test, &tag, 0);
	}
	kmem_cache_destroy(cache);
}

static void krealloc_in_place_is_no_allocation(struct kunit *test)
{
	static const size_t sizes[] = { 12289, 9000, 16384, 1, 16000 };
	DEFINE_ALLOC_TAG(tag);
	void *p = alloc_hooks_tag(&tag, kmalloc_noprof(13000, GFP_KERNEL));

	KUNIT_ASSERT_NOT_NULL(test, p);
	expect_requested(test, &tag, 13000);
	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		void *q = alloc_hooks_tag(&tag, krealloc_noprof(p, sizes[i],
								GFP_KERNEL));

		KUNIT_ASSERT_PTR_EQ(test, p, q);
		expect_requested(test, &tag, sizes[i]);
	}
	KUNIT_EXPECT_EQ(test, totals_of(&tag).allocs, 1);
	kfree(p);
	expect_requested(test, &tag, 0);
}

/* An area is told from the objects that describe it by how it grows and shrinks. */
static void an_area_has_the_slack_of_its_last_page(struct kunit *test)
{
	static const size_t sizes[] = { 5 * PAGE_SIZE - 9, 5 * PAGE_SIZE,
					3 * PAGE_SIZE + 1, 3 * PAGE_SIZE, 1 };
	DEFINE_ALLOC_TAG(tag);
	void *p = alloc_hooks_tag(&tag, vmalloc_noprof(5 * PAGE_SIZE - 1));
	s64 slack, others;

	KUNIT_ASSERT_NOT_NULL(test, p);
	/* The array of pages is on this line, too. */
	others = totals_of(&tag).slack - 1;
	KUNIT_EXPECT_GE(test, others, 0);
	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		void *q = alloc_hooks_tag(&tag, vrealloc_noprof(p, sizes[i],
								GFP_KERNEL));

		KUNIT_ASSERT_PTR_EQ(test, p, q);
		slack = totals_of(&tag).slack - others;
		KUNIT_EXPECT_EQ(test, slack,
				PAGE_ALIGN(sizes[i]) - sizes[i]);
	}
	vfree(p);
	expect_totals(test, &tag, 0, 0);
	KUNIT_EXPECT_EQ(test, totals_of(&tag).slack, 0);
}

static void all_that_was_ever_given_is_counted(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct alloctag_totals totals;
	s64 object = 0;

	for (int i = 0; i < MANY; i++) {
		void *p = alloc_hooks_tag(&tag, kmalloc_noprof(64, GFP_KERNEL));

		KUNIT_ASSERT_NOT_NULL(test, p);
		object += charged(p);
		kfree(p);
	}
	totals = totals_of(&tag);
	KUNIT_EXPECT_EQ(test, totals.calls, 0);
	KUNIT_EXPECT_EQ(test, totals.allocs, MANY);
	KUNIT_EXPECT_EQ(test, totals.frees, MANY);
	KUNIT_EXPECT_EQ(test, totals.allocated, object);
	KUNIT_EXPECT_EQ(test, totals.failed, 0);
}

static void the_parts_of_split_pages_are_allocations(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = alloc_hooks_tag(&tag, alloc_pages_noprof(GFP_KERNEL, 2));

	KUNIT_ASSERT_NOT_NULL(test, page);
	split_page(page, 2);
	KUNIT_EXPECT_EQ(test, totals_of(&tag).allocs, 4);
	expect_requested(test, &tag, 4 * PAGE_SIZE);
	for (int i = 0; i < 4; i++)
		__free_page(page + i);
	KUNIT_EXPECT_EQ(test, totals_of(&tag).frees, 4);
	expect_requested(test, &tag, 0);
}

#define TOKEN(_size)	PASS_TOKEN_PARAMS(_size, __kmalloc_token(_size))

/* As kvrealloc() moves what is not there yet. */
static void *moved_to(struct alloc_tag *tag, size_t size)
{
	return alloc_hooks_tag(tag, kvrealloc_node_align_noprof(NULL,
							       TOKEN(size), 1,
							       GFP_KERNEL | __GFP_NOWARN,
							       NUMA_NO_NODE));
}

static void who_is_given_nothing_has_failed_once(struct kunit *test)
{
	const gfp_t gfp = GFP_KERNEL | __GFP_NOWARN;
	DEFINE_ALLOC_TAG(pages);
	DEFINE_ALLOC_TAG(object);
	DEFINE_ALLOC_TAG(area);
	DEFINE_ALLOC_TAG(moved);
	unsigned long too_much = (totalram_pages() + 2) * PAGE_SIZE;
	size_t size = KMALLOC_MAX_SIZE + 1;
	/* Or else the compiler knows, too, and warns. */
	void *p;

	OPTIMIZER_HIDE_VAR(size);
	p = alloc_hooks_tag(&pages, alloc_pages_noprof(gfp, MAX_PAGE_ORDER + 1));
	KUNIT_EXPECT_NULL(test, p);
	KUNIT_EXPECT_EQ(test, totals_of(&pages).failed, 1);
	p = alloc_hooks_tag(&object, kmalloc_noprof(size, gfp));
	KUNIT_EXPECT_NULL(test, p);
	KUNIT_EXPECT_EQ(test, totals_of(&object).failed, 1);
	p = alloc_hooks_tag(&area, __vmalloc_noprof(too_much, gfp));
	KUNIT_EXPECT_NULL(test, p);
	KUNIT_EXPECT_EQ(test, totals_of(&area).failed, 1);
	size = (size_t)INT_MAX + 1;
	OPTIMIZER_HIDE_VAR(size);
	KUNIT_EXPECT_NULL(test, moved_to(&moved, size));
	KUNIT_EXPECT_EQ(test, totals_of(&moved).failed, 1);

	expect_totals(test, &moved, 0, 0);
	expect_totals(test, &pages, 0, 0);
	expect_totals(test, &object, 0, 0);
	expect_totals(test, &area, 0, 0);
}

/* With pages of 64 KiB, kmalloc() refuses only what is above 512 MiB. */
static void who_has_another_way_has_not_failed(struct kunit *test)
{
	DEFINE_ALLOC_TAG(either);
	DEFINE_ALLOC_TAG(moved);
	size_t size = KMALLOC_MAX_SIZE + 1;
	void *p;

	if (size > totalram_pages() * PAGE_SIZE / 4)
		kunit_skip(test, "it takes %zu MiB", size / SZ_1M);
	OPTIMIZER_HIDE_VAR(size);
	p = alloc_hooks_tag(&either, kvmalloc_noprof(size, GFP_KERNEL));
	KUNIT_EXPECT_NOT_NULL(test, p);
	KUNIT_EXPECT_EQ(test, totals_of(&either).failed, 0);
	kvfree(p);
	expect_totals(test, &either, 0, 0);

	p = moved_to(&moved, size);
	KUNIT_EXPECT_NOT_NULL(test, p);
	KUNIT_EXPECT_EQ(test, totals_of(&moved).failed, 0);
	kvfree(p);
	expect_totals(test, &moved, 0, 0);
}

static struct kunit_case cases[] = {
	KUNIT_CASE(bytes_less_slack_are_what_was_asked_for),
	KUNIT_CASE(buckets_have_the_slack_of_kmalloc),
	KUNIT_CASE(krealloc_in_place_is_no_allocation),
	KUNIT_CASE(an_area_has_the_slack_of_its_last_page),
	KUNIT_CASE(all_that_was_ever_given_is_counted),
	KUNIT_CASE(the_parts_of_split_pages_are_allocations),
	KUNIT_CASE(who_is_given_nothing_has_failed_once),
	KUNIT_CASE(who_has_another_way_has_not_failed),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_stats",
	.init = needs_profiling,
	.test_cases = cases,
};

kunit_test_suite(suite);
