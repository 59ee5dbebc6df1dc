// SPDX-License-Identifier: GPL-2.0-only
/*
 * Areas: vmalloc's and the per-CPU allocator's.
 */
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "exact.h"

#define PAGES	10
#define FEWER	3
#define MORE	25
/* The largest per-CPU area that there is. */
#define AREA	(32 * 1024)
/* As many of these fill the first chunk, whose areas no core can count. */
#define FILLERS	12

static void *pages, *zeroed, *shrunk, *grown, *either;
static void __percpu *fillers[FILLERS], __percpu *area, __percpu *charged;

/* Each of an area's pages is a call, and so is the array that lists them. */
static bool expect_area(const char *function, const void *found, unsigned int listed,
			unsigned int nr)
{
	void *array = found ? kmalloc(listed * sizeof(struct page *), GFP_KERNEL) : NULL;

	if (!array)
		return false;
	exact_expect(function, nr * (s64)PAGE_SIZE + exact_size(array), nr + 1);
	kfree(array);
	return true;
}

static bool hold_vmalloc(void)
{
	pages = vmalloc(PAGES * PAGE_SIZE);
	return expect_area(__func__, pages, PAGES, PAGES);
}

static bool hold_vzalloc(void)
{
	zeroed = vzalloc(PAGES * PAGE_SIZE - 1);
	return expect_area(__func__, zeroed, PAGES, PAGES);
}

static bool hold_shrunk(void)
{
	shrunk = vmalloc(PAGES * PAGE_SIZE);
	return expect_area(__func__, shrunk, PAGES, PAGES);
}

static bool hold_grown(void)
{
	grown = vrealloc(NULL, PAGES * PAGE_SIZE, GFP_KERNEL);
	return expect_area(__func__, grown, PAGES, PAGES);
}

static bool hold_kvmalloc(void)
{
	either = kvmalloc(PAGE_SIZE, GFP_KERNEL);
	if (!either || is_vmalloc_addr(either))
		return false;
	exact_expect(__func__, exact_size(either), 1);
	return true;
}

/* Beside the areas themselves, what memcg's pointers for them take. */
static s64 percpu_size(size_t size)
{
	s64 pointers = IS_ENABLED(CONFIG_MEMCG) ?
		       size / PCPU_MIN_ALLOC_SIZE * sizeof(struct obj_cgroup *) : 0;

	return size * num_possible_cpus() + pointers;
}

static bool fill_first_chunk(void)
{
	int i;

	for (i = 0; i < FILLERS; i++) {
		fillers[i] = __alloc_percpu(AREA, PAGE_SIZE);
		if (!fillers[i])
			return false;
	}
	return true;
}

static bool hold_percpu(void)
{
	area = __alloc_percpu(AREA, PAGE_SIZE);
	if (!area)
		return false;
	exact_expect(__func__, percpu_size(AREA), 1);
	return true;
}

static bool hold_charged_percpu(void)
{
	charged = __alloc_percpu_gfp(AREA, PAGE_SIZE, GFP_KERNEL_ACCOUNT);
	if (!charged)
		return false;
	exact_expect(__func__, percpu_size(AREA), 1);
	return true;
}

static bool hold(void)
{
	return hold_vmalloc() && hold_vzalloc() && hold_shrunk() && hold_grown() &&
	       hold_kvmalloc() && fill_first_chunk() && hold_percpu() &&
	       hold_charged_percpu();
}

/* The pages behind the new end go; the array that lists them stays. */
static bool change_by_shrinking(void)
{
	void *same = vrealloc(shrunk, FEWER * PAGE_SIZE, GFP_KERNEL);

	if (!same)
		return false;
	shrunk = same;
	exact_expect(__func__, 0, 0);
	return expect_area("hold_shrunk", shrunk, PAGES, FEWER);
}

static bool change_by_growing(void)
{
	void *moved = vrealloc(grown, MORE * PAGE_SIZE, GFP_KERNEL);

	if (!moved)
		return false;
	grown = moved;
	exact_expect("hold_grown", 0, 0);
	return expect_area(__func__, grown, MORE, MORE);
}

static bool change(void)
{
	return change_by_shrinking() && change_by_growing();
}

static void drop(void **object)
{
	kvfree(*object);
	*object = NULL;
}

static void drop_percpu(void __percpu **dropped)
{
	free_percpu(*dropped);
	*dropped = NULL;
}

static void release(void)
{
	int i;

	drop(&pages);
	drop(&zeroed);
	drop(&shrunk);
	drop(&grown);
	drop(&either);
	for (i = 0; i < FILLERS; i++)
		drop_percpu(&fillers[i]);
	drop_percpu(&area);
	drop_percpu(&charged);
}

const struct exact_part area_part = {
	.hold = hold, .change = change, .release = release,
};
