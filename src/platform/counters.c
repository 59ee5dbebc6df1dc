// SPDX-License-Identifier: GPL-2.0-only
/*
 * What src/platform/counters.rs needs of the macros for per-CPU data, and which
 * CPUs have ever run.
 */
#include <linux/alloc_tag.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <asm/sections.h>

#include "../bindings.h"

/* The rows of CPUs that have run, in the order in which they came. */
static const struct alloctag_counters **rows;
static unsigned int nr_rows;
/* Where a row lies among a CPU's data. */
static const struct alloctag_counters __percpu *row;

#ifdef CONFIG_SMP
/* The end of what every CPU needs of the per-CPU section. */
char *alloctag_percpu_end(void)
{
	return mem_alloc_profiling_permanently_disabled() ?
	       __alloc_tag_counters : __per_cpu_end;
}
#endif

/* A CPU's row of counters, or NULL for a CPU that cannot be. */
const struct alloctag_counters *alloctag_cpu_counters(const void *counters,
						      unsigned int cpu)
{
	if (!cpu_possible(cpu))
		return NULL;
	return (const struct alloctag_counters *)
		per_cpu_ptr((const void __percpu __force *)counters, cpu);
}

/* Before @cpu runs, so that nobody misses what it counts. */
static int alloctag_cpu_comes(unsigned int cpu)
{
	const struct alloctag_counters *counters = per_cpu_ptr(row, cpu);
	unsigned int nr = nr_rows;

	for (unsigned int i = 0; i < nr; i++)
		if (rows[i] == counters)
			return 0;
	rows[nr] = counters;
	/* Who sees one more row sees which; see alloctag_rows(). */
	smp_store_release(&nr_rows, nr + 1);
	return 0;
}

int __init alloctag_rows_init(const void *counters)
{
	unsigned int __maybe_unused cpu;
	int state;

	row = (const struct alloctag_counters __percpu __force *)counters;
	rows = kcalloc(nr_cpu_ids, sizeof(*rows), GFP_KERNEL);
	if (!rows)
		return -ENOMEM;
#ifdef CONFIG_SMP
	/* Those that are off again by now, too: their siblings wanted them so. */
	for_each_cpu(cpu, &cpus_booted_once_mask)
		alloctag_cpu_comes(cpu);
#endif
	state = cpuhp_setup_state(CPUHP_BP_PREPARE_DYN, "mm/alloctag:rows",
				  alloctag_cpu_comes, NULL);
	return min(state, 0);
}

/* The rows, and in @nr how many; NULL before there is one. */
const struct alloctag_counters *const *alloctag_rows(unsigned int *nr)
{
	/* Pairs with the release of alloctag_cpu_comes(). */
	*nr = smp_load_acquire(&nr_rows);
	return *nr ? rows : NULL;
}

/* For architectures without instructions of our own. */
void alloctag_this_cpu_add(void *counter, unsigned long amount)
{
	this_cpu_add(*(u64 __percpu __force *)counter, amount);
}
