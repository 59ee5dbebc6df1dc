// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an object costs in memory beside itself: many of them are allocated, and the growth of all
 * slab memory is divided by their number. What that has in it of the allocator's own is the same in
 * every kernel, so the reader subtracts the kernel without profiling.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/vmstat.h>

#include "bench.h"

/* Bytes of objects: enough for the last slabs, filled only partly, to be lost in the rounding. */
#define BYTES	(12 * SZ_1M)
/* Before them, a share: they use up what slabs have to spare, such as those of the vectors. */
#define FILLERS(objects)	((objects) / 4)

static u64 slab_bytes(void)
{
	return global_node_page_state_pages(NR_SLAB_RECLAIMABLE_B) * PAGE_SIZE +
	       global_node_page_state_pages(NR_SLAB_UNRECLAIMABLE_B) * PAGE_SIZE;
}

static void measure_cache(struct seq_file *m, const char *name, unsigned int size,
			  slab_flags_t flags)
{
	struct kmem_cache *cache = kmem_cache_create("alloctag_bench", size, 0,
						     flags | SLAB_NO_MERGE, NULL);
	const unsigned int counted = BYTES / size, all = counted + FILLERS(counted);
	void **objects = vcalloc(all, sizeof(*objects));
	unsigned int made = 0;
	u64 before = 0;

	if (!cache || !objects)
		goto out;
	while (made < all) {
		if (made == FILLERS(counted))
			before = slab_bytes();
		objects[made] = kmem_cache_alloc(cache, GFP_KERNEL);
		if (!objects[made])
			goto out;
		made++;
	}
	seq_printf(m, "memory/%s-%u\t%llu\n", name, size,
		   div_u64((slab_bytes() - before) * 1000, counted));
out:
	if (made < all)
		seq_printf(m, "memory/%s-%u\tfailed\n", name, size);
	while (made)
		kmem_cache_free(cache, objects[--made]);
	vfree(objects);
	kmem_cache_destroy(cache);
}

void measure_memory(struct seq_file *m)
{
	static const unsigned int sizes[] = { 64, 192, 256, 1024 };
	int i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		measure_cache(m, "object", sizes[i], 0);
		measure_cache(m, "object-charged", sizes[i], SLAB_ACCOUNT);
	}
}
