// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that change hands or shape after they were allocated: each test knows
 * what has to be on its tags' rows at every step.
 */
#include <linux/gfp.h>
#include <linux/ioport.h>
#include <linux/memremap.h>
#include <linux/mm.h>
#include <linux/pgalloc_tag.h>
#include <linux/topology.h>

#include "internal.h"
#include "totals.h"
#include "../../src/bindings.h"

#define ORDER	4
#define PAGES	((int)BIT(ORDER))
/* A page block and more, so that isolation has work to do. */
#define CONTIGUOUS	(pageblock_nr_pages + 1)

static struct page *tagged_pages(struct kunit *test, struct alloc_tag *tag,
				 unsigned int order)
{
	struct page *page = alloc_hooks_tag(tag, alloc_pages_noprof(GFP_KERNEL,
								    order));

	KUNIT_ASSERT_NOT_NULL(test, page);
	return page;
}

/* As a folio is split, but for what does not concern us. */
static void a_split_to_every_order_charges_each_part(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);

	for (int order = 0; order <= ORDER; order++) {
		struct page *page = tagged_pages(test, &tag, ORDER);
		int parts = 1 << (ORDER - order);

		pgalloc_tag_split((struct folio *)page, ORDER, order);
		expect_totals(test, &tag, PAGES * PAGE_SIZE, parts);
		for (int i = parts - 1; i >= 0; i--) {
			struct page *part = page + (i << order);

			if (i)
				set_page_refcounted(part);
			__free_pages(part, order);
			expect_totals(test, &tag, (i << order) * PAGE_SIZE, i);
		}
	}
}

static void a_split_by_steps_charges_each_part(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = tagged_pages(test, &tag, ORDER);

	for (int order = ORDER - 1; order >= 0; order--) {
		pgalloc_tag_split((struct folio *)page, order + 1, order);
		expect_totals(test, &tag, PAGES * PAGE_SIZE, ORDER + 1 - order);
	}
	for (int order = ORDER - 1; order >= 0; order--) {
		set_page_refcounted(page + (1 << order));
		__free_pages(page + (1 << order), order);
		expect_totals(test, &tag, PAGE_SIZE << order, order + 1);
	}
	__free_page(page);
	expect_totals(test, &tag, 0, 0);
}

static void migration_leaves_the_charge_with_the_owner(struct kunit *test)
{
	DEFINE_ALLOC_TAG(owner);
	DEFINE_ALLOC_TAG(target);
	struct page *old = tagged_pages(test, &owner, ORDER);
	struct page *new = tagged_pages(test, &target, ORDER);

	pgalloc_tag_swap((struct folio *)new, (struct folio *)old);
	__free_pages(old, ORDER);
	expect_totals(test, &target, 0, 0);
	expect_totals(test, &owner, PAGES * PAGE_SIZE, 1);
	__free_pages(new, ORDER);
	expect_totals(test, &owner, 0, 0);
}

static void pages_in_bulk_are_charged_one_by_one(struct kunit *test)
{
	struct page *pages[PAGES] = {};
	DEFINE_ALLOC_TAG(tag);
	unsigned long got;

	/* It may give fewer than were asked for, and goes on where it stopped. */
	do {
		got = alloc_hooks_tag(&tag,
				      alloc_pages_bulk_noprof(GFP_KERNEL,
							      numa_mem_id(),
							      NULL, PAGES,
							      pages));
		expect_totals(test, &tag, got * PAGE_SIZE, got);
		KUNIT_ASSERT_GT(test, got, 0);
	} while (got < PAGES);
	for (int i = PAGES - 1; i >= 0; i--) {
		__free_page(pages[i]);
		expect_totals(test, &tag, i * PAGE_SIZE, i);
	}
}

static void exact_pages_are_charged_without_their_tail(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	void *p = alloc_hooks_tag(&tag, alloc_pages_exact_noprof(5 * PAGE_SIZE,
								 GFP_KERNEL));

	KUNIT_ASSERT_NOT_NULL(test, p);
	expect_totals(test, &tag, 5 * PAGE_SIZE, 5);
	free_pages_exact(p, 5 * PAGE_SIZE);
	expect_totals(test, &tag, 0, 0);
}

static void contiguous_ranges_are_charged(struct kunit *test)
{
#ifdef CONFIG_CONTIG_ALLOC
	DEFINE_ALLOC_TAG(tag);
	struct page *page = alloc_hooks_tag(&tag,
				alloc_contig_pages_noprof(CONTIGUOUS, GFP_KERNEL,
							  numa_mem_id(), NULL));

	KUNIT_ASSERT_NOT_NULL(test, page);
	expect_totals(test, &tag, CONTIGUOUS * PAGE_SIZE, CONTIGUOUS);
	free_contig_range(page_to_pfn(page), CONTIGUOUS);
	expect_totals(test, &tag, 0, 0);
#else
	kunit_skip(test, "there is no alloc_contig_range()");
#endif
}

static void a_contiguous_folio_is_one_charge(struct kunit *test)
{
#ifdef CONFIG_CONTIG_ALLOC
	unsigned long pages = pageblock_nr_pages;
	DEFINE_ALLOC_TAG(tag);
	struct page *page;

	page = alloc_hooks_tag(&tag,
			       alloc_contig_frozen_pages_noprof(pages,
								GFP_KERNEL |
								__GFP_COMP,
								numa_mem_id(),
								NULL));
	KUNIT_ASSERT_NOT_NULL(test, page);
	expect_totals(test, &tag, pages * PAGE_SIZE, 1);
	free_contig_frozen_range(page_to_pfn(page), pages);
	expect_totals(test, &tag, 0, 0);
#else
	kunit_skip(test, "there is no alloc_contig_range()");
#endif
}

/* As kexec handover takes over pages that nobody allocated in this kernel. */
static void a_page_left_out_on_purpose_is_freed_without_harm(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = tagged_pages(test, &tag, 0);

	clear_page_tag_ref(page);
	__free_page(page);
	/* What was charged for it stays, since it was taken out of the books. */
	expect_totals(test, &tag, PAGE_SIZE, 1);
	page = tagged_pages(test, &tag, 0);
	expect_totals(test, &tag, 2 * PAGE_SIZE, 2);
	__free_page(page);
	expect_totals(test, &tag, PAGE_SIZE, 1);
}

/* Charged as one page, since what was freed uncounted leaves its reference. */
static struct page *pages_charged_as_one(struct kunit *test,
					 struct alloc_tag *tag)
{
	struct page *page = tagged_pages(test, tag, ORDER);

	alloctag_page_free(page, ORDER);
	alloctag_page_alloc(page, tag, 0, GFP_KERNEL);
	expect_totals(test, tag, PAGE_SIZE, 1);
	/* Order 0 adds nothing to the handle; among few flags there is no order. */
	if (!alloctag_compressed())
		KUNIT_ASSERT_EQ(test, alloctag_page_reference(page), tag->handle);
	if (alloctag_page_reference(page) != tag->handle) {
		alloctag_page_free(page, 0);
		alloctag_page_alloc(page, tag, ORDER, GFP_KERNEL);
		__free_pages(page, ORDER);
		kunit_skip(test, "references have no room for orders");
	}
	return page;
}

static void no_more_is_taken_off_than_was_charged(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = pages_charged_as_one(test, &tag);

	__free_pages(page, ORDER);
	expect_totals(test, &tag, 0, 0);
}

static void a_split_charges_no_part_that_the_whole_was_not_charged(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);

	for (int order = 0; order <= ORDER; order++) {
		struct page *page = pages_charged_as_one(test, &tag);

		pgalloc_tag_split((struct folio *)page, ORDER, order);
		expect_totals(test, &tag, PAGE_SIZE, 1);
		for (int i = (1 << (ORDER - order)) - 1; i >= 0; i--) {
			struct page *part = page + (i << order);

			if (i)
				set_page_refcounted(part);
			__free_pages(part, order);
			expect_totals(test, &tag, i ? PAGE_SIZE : 0, !!i);
		}
	}
}

static void a_tail_is_taken_off_as_far_as_it_was_charged(struct kunit *test)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = pages_charged_as_one(test, &tag);

	get_page(page);
	__free_pages(page, ORDER);
	expect_totals(test, &tag, PAGE_SIZE, 1);
	__free_page(page);
	expect_totals(test, &tag, 0, 0);
}

#ifdef CONFIG_DEVICE_PRIVATE
static void no_folio_is_ever_in_use(struct folio *folio) {}

static vm_fault_t no_folio_is_ever_mapped(struct vm_fault *vmf)
{
	return VM_FAULT_SIGBUS;
}

static const struct dev_pagemap_ops device_ops = {
	.folio_free = no_folio_is_ever_in_use,
	.migrate_to_ram = no_folio_is_ever_mapped,
};

/* Folios migrate to devices and back, and are split there. */
static void charge_with_a_device(struct kunit *test, struct folio *device)
{
	DEFINE_ALLOC_TAG(tag);
	struct page *page = tagged_pages(test, &tag, ORDER);

	pgalloc_tag_swap(device, (struct folio *)page);
	expect_totals(test, &tag, PAGES * PAGE_SIZE, 1);
	pgalloc_tag_swap((struct folio *)page, device);
	expect_totals(test, &tag, PAGES * PAGE_SIZE, 1);
	pgalloc_tag_split(device, ORDER, 0);
	expect_totals(test, &tag, PAGES * PAGE_SIZE, 1);
	__free_pages(page, ORDER);
	expect_totals(test, &tag, 0, 0);
}
#endif

static void pages_of_a_device_are_nobodys_charge(struct kunit *test)
{
#ifdef CONFIG_DEVICE_PRIVATE
	unsigned long size = PAGES_PER_SECTION * PAGE_SIZE;
	struct dev_pagemap map = {
		.type = MEMORY_DEVICE_PRIVATE,
		.ops = &device_ops,
		.owner = test,
		.nr_range = 1,
	};
	struct resource *range = request_free_mem_region(&iomem_resource, size,
							 "alloctag_pages");
	void *memory;

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, range);
	map.range = (struct range) { range->start, range->end };
	memory = memremap_pages(&map, numa_mem_id());
	KUNIT_EXPECT_NOT_ERR_OR_NULL(test, memory);
	if (!IS_ERR(memory)) {
		/* The first of the section and the last that has so many behind it. */
		charge_with_a_device(test, pfn_folio(PHYS_PFN(range->start)));
		charge_with_a_device(test, pfn_folio(PHYS_PFN(range->end) + 1 - PAGES));
		memunmap_pages(&map);
	}
	release_mem_region(range->start, size);
#else
	kunit_skip(test, "there is no memory of devices");
#endif
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_split_to_every_order_charges_each_part),
	KUNIT_CASE(a_split_by_steps_charges_each_part),
	KUNIT_CASE(migration_leaves_the_charge_with_the_owner),
	KUNIT_CASE(pages_in_bulk_are_charged_one_by_one),
	KUNIT_CASE(exact_pages_are_charged_without_their_tail),
	KUNIT_CASE(contiguous_ranges_are_charged),
	KUNIT_CASE(a_contiguous_folio_is_one_charge),
	KUNIT_CASE(pages_of_a_device_are_nobodys_charge),
	KUNIT_CASE(a_page_left_out_on_purpose_is_freed_without_harm),
	KUNIT_CASE(no_more_is_taken_off_than_was_charged),
	KUNIT_CASE(a_split_charges_no_part_that_the_whole_was_not_charged),
	KUNIT_CASE(a_tail_is_taken_off_as_far_as_it_was_charged),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_pages",
	.init = needs_profiling,
	.test_cases = cases,
};

kunit_test_suite(suite);
