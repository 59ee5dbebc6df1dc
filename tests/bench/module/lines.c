// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations on lines of Rust code, as many lines as the core has places for; it gives out seven
 * of eight, so some lines find none. Each line allocates twice. Rows:
 *
 *	lines/new	what a line took that was new, the second, for the first fills caches
 *	lines/first	the most that any took at first; one of them tells the log
 *	lines/known	the least that any took when it came again, listed or not
 *	lines/most	the most of these
 */
#include <linux/alloc_tag.h>
#include <linux/slab.h>

#include "bench.h"

#ifdef CONFIG_ALLOCTAG_RUST_CALLERS

#define BYTES	64

/* Of one allocation on a line; 0 where there is no memory. */
static u64 once(u32 number)
{
	const void *line = bench_line(number);
	unsigned long flags;
	u64 before, took;
	void *p;

	local_irq_save(flags);
	before = instructions();
	p = alloctag_krealloc(NULL, BYTES, __alignof__(u64), GFP_BENCH, NUMA_NO_NODE, line);
	took = instructions() - before;
	local_irq_restore(flags);
	kfree(p);
	return p ? took : 0;
}

static void show(struct seq_file *m, const char *name, u64 took)
{
	seq_printf(m, "lines/%s\t%llu\n", name, took * 1000);
}

void measure_lines(struct seq_file *m)
{
	u64 new, first, known = U64_MAX, most = 0, took;
	u32 i;

	once(0);
	new = once(1);
	first = new;
	for (i = 2; i < ALLOC_TAG_CALLERS; i++)
		first = max(first, once(i));
	for (i = 0; i < ALLOC_TAG_CALLERS; i++) {
		took = once(i);
		known = min(known, took);
		most = max(most, took);
	}
	show(m, "new", new);
	show(m, "first", first);
	show(m, "known", known);
	show(m, "most", most);
}

#else

void measure_lines(struct seq_file *m)
{
}

#endif
