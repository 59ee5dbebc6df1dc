// SPDX-License-Identifier: GPL-2.0-only
/*
 * Slab objects beside the common way: those that KFENCE guards, and those that
 * krealloc() leaves where they are.
 */
#include <linux/jiffies.h>
#include <linux/kfence.h>
#include <linux/slab.h>

#include "slab.h"
#include "totals.h"

/*
 * How long to wait for KFENCE to pick an allocation of ours, which it does after
 * some milliseconds, unless an emulator has hardly a CPU.
 */
#define PATIENCE	(100 * HZ)
#define SIZE		20
#define GUARDED		8

/* What the object takes, debugging and all. */
static size_t object_size(const void *object)
{
	return virt_to_slab(object)->slab_cache->size;
}

/* Of the object that has this byte, which need not be its first. */
static size_t slack(const void *object)
{
	struct slab *slab = virt_to_slab(object);

	return alloctag_slab_slack(slab->slab_cache, slab,
				   (kasan_reset_tag(object) - slab_address(slab)) | 1);
}

static void every_byte_of_an_object_leads_to_its_reference(struct kunit *test)
{
	static const size_t sizes[] = { 8, 16, 64, 96, 192, 512, 8192 };
	DEFINE_ALLOC_TAG(tag);
	void *p[8];

	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		/* Neighbours differ. */
		for (int j = 0; j < ARRAY_SIZE(p); j++) {
			p[j] = alloc_hooks_tag(&tag, kmalloc_noprof(sizes[i] - j % 4,
								    GFP_KERNEL));
			KUNIT_ASSERT_NOT_NULL(test, p[j]);
		}
		for (int j = 0; j < ARRAY_SIZE(p); j++) {
			size_t wanted = object_size(p[j]) - sizes[i] + j % 4;
			size_t wrong = 0;

			for (size_t byte = 0; byte < sizes[i]; byte++)
				wrong += slack(p[j] + byte) != wanted;
			KUNIT_EXPECT_EQ(test, wrong, 0);
		}
		for (int j = 0; j < ARRAY_SIZE(p); j++)
			kfree(p[j]);
	}
	expect_totals(test, &tag, 0, 0);
}

static void krealloc_in_place_moves_the_slack(struct kunit *test)
{
	static const size_t sizes[] = { 100, 128, 97, 1, 64, 128 };
	DEFINE_ALLOC_TAG(tag);
	void *p = alloc_hooks_tag(&tag, kmalloc_noprof(120, GFP_KERNEL));
	size_t object;

	KUNIT_ASSERT_NOT_NULL(test, p);
	object = object_size(p);
	KUNIT_EXPECT_EQ(test, slack(p), object - 120);
	for (int i = 0; i < ARRAY_SIZE(sizes); i++) {
		void *q = alloc_hooks_tag(&tag, krealloc_noprof(p, sizes[i],
								GFP_KERNEL));

		KUNIT_ASSERT_NOT_NULL(test, q);
		/* KFENCE gives no more than was asked for, so those move. */
		if (!is_kfence_address(p))
			KUNIT_EXPECT_PTR_EQ(test, p, q);
		KUNIT_EXPECT_EQ(test, slack(q), object - sizes[i]);
		expect_totals(test, &tag, object, 1);
		p = q;
	}
	kfree(p);
	expect_totals(test, &tag, 0, 0);
}

/* Allocates until KFENCE picks one; NULL if that takes too long. */
static void *guarded_object(struct alloc_tag *tag)
{
	unsigned long end = jiffies + PATIENCE;

	do {
		void *p = alloc_hooks_tag(tag, kmalloc_noprof(SIZE, GFP_KERNEL));

		if (is_kfence_address(p))
			return p;
		kfree(p);
		cond_resched();
	} while (time_before(jiffies, end));
	return NULL;
}

static void objects_that_kfence_guards_are_charged(struct kunit *test)
{
	void *objects[GUARDED];
	DEFINE_ALLOC_TAG(tag);
	s64 object;

	if (!IS_ENABLED(CONFIG_KFENCE) || !kfence_sample_interval)
		kunit_skip(test, "KFENCE is off");
	for (int i = 0; i < GUARDED; i++) {
		objects[i] = guarded_object(&tag);
		KUNIT_ASSERT_NOT_NULL(test, objects[i]);
		object = object_size(objects[i]);
		expect_totals(test, &tag, (i + 1) * object, i + 1);
		KUNIT_EXPECT_EQ(test, slack(objects[i]), object - SIZE);
	}
	for (int i = GUARDED - 1; i >= 0; i--) {
		kfree(objects[i]);
		expect_totals(test, &tag, i * object, i);
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(every_byte_of_an_object_leads_to_its_reference),
	KUNIT_CASE(krealloc_in_place_moves_the_slack),
	KUNIT_CASE_SLOW(objects_that_kfence_guards_are_charged),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_slab",
	.init = needs_profiling,
	.test_cases = cases,
};

kunit_test_suite(suite);
