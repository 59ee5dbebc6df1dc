// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an object costs in memory beside itself: many of them are allocated, and the growth of all
 * slab memory is divided by their number. What that has in it of the allocator's own is the same in
 * every kernel, so the reader subtracts the kernel without profiling.
 */
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/vmstat.h>

#include "bench.h"

/* Enough for the last slabs, filled only partly, to be lost in the rounding. */
#define OBJECTS	200000
/* Before them: they use up what slabs have to spare, such as those of the vectors. */
#define FILLERS	50000
#define ALL	(FILLERS + OBJECTS)
#define SIZE	64

static u64 slab_bytes(void)
{
	return global_node_page_state_pages(NR_SLAB_RECLAIMABLE_B) * PAGE_SIZE +
	       global_node_page_state_pages(NR_SLAB_UNRECLAIMABLE_B) * PAGE_SIZE;
}

static void measure_cache(struct seq_file *m, const char *name, slab_flags_t flags)
{
	struct kmem_cache *cache = kmem_cache_create("alloctag_bench", SIZE, 0,
						     flags | SLAB_NO_MERGE, NULL);
	void **objects = vcalloc(ALL, sizeof(*objects));
	unsigned int made = 0;
	u64 before = 0;

	if (!cache || !objects)
		goto out;
	while (made < ALL) {
		if (made == FILLERS)
			before = slab_bytes();
		objects[made] = kmem_cache_alloc(cache, GFP_KERNEL);
		if (!objects[made])
			goto out;
		made++;
	}
	seq_printf(m, "memory/%s\t%llu\n", name, div_u64((slab_bytes() - before) * 1000, OBJECTS));
out:
	if (made < ALL)
		seq_printf(m, "memory/%s\tfailed\n", name);
	while (made)
		kmem_cache_free(cache, objects[--made]);
	vfree(objects);
	kmem_cache_destroy(cache);
}

void measure_memory(struct seq_file *m)
{
	measure_cache(m, "object-64", 0);
	measure_cache(m, "object-charged-64", SLAB_ACCOUNT);
}
