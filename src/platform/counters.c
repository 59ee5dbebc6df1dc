// SPDX-License-Identifier: GPL-2.0-only
/*
 * What src/platform/counters.rs needs of the macros for per-CPU data, and which
 * CPUs have ever run.
 */
#include <linux/alloc_tag.h>
#include <linux/cpuhotplug.h>
#include <linux/cpuhplock.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <asm/sections.h>

#include "../bindings.h"

/*
 * The rows of CPUs that have run, in the order in which they came: who sees one
 * more by an acquiring load sees which.
 */
const struct alloctag_counters **alloctag_rows;
unsigned long alloctag_nr_rows;
/* Where a row lies among a CPU's data. */
static const struct alloctag_counters __percpu *row;

#ifdef CONFIG_SMP
/*
 * The end of what every CPU needs of the per-CPU section. User-mode Linux alone
 * lays that out before it has read the parameters that are asked for here.
 */
char *alloctag_percpu_end(void)
{
	return !IS_ENABLED(CONFIG_UML) &&
	       mem_alloc_profiling_permanently_disabled() ?
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
	unsigned long nr = alloctag_nr_rows;

	for (unsigned long i = 0; i < nr; i++)
		if (alloctag_rows[i] == counters)
			return 0;
	alloctag_rows[nr] = counters;
	/* Pairs with the load of met() in src/platform/counters/row.rs. */
	smp_store_release(&alloctag_nr_rows, nr + 1);
	return 0;
}

int __init alloctag_rows_init(const void *counters)
{
	unsigned int __maybe_unused cpu;
	unsigned long nr = 0;
	int state;

	row = (const struct alloctag_counters __percpu __force *)counters;
	alloctag_rows = kcalloc(nr_cpu_ids, sizeof(*alloctag_rows), GFP_KERNEL);
	if (!alloctag_rows)
		return -ENOMEM;
	cpus_read_lock();
#ifdef CONFIG_SMP
	/* Those that are off again by now, too: their siblings wanted them so. */
	for_each_cpu(cpu, &cpus_booted_once_mask)
		alloctag_rows[nr++] = per_cpu_ptr(row, cpu);
#endif
	/* At once: where there are some, nothing is looked for in others. */
	smp_store_release(&alloctag_nr_rows, nr);
	state = cpuhp_setup_state_cpuslocked(CPUHP_BP_PREPARE_DYN,
					     "mm/alloctag:rows",
					     alloctag_cpu_comes, NULL);
	cpus_read_unlock();
	return min(state, 0);
}

/* A per-CPU area of zeroes for counters, or NULL. */
void *alloctag_percpu_area(size_t bytes)
{
	return (void __force *)__alloc_percpu_gfp(bytes, sizeof(u64),
						  GFP_KERNEL | __GFP_NOWARN);
}

/*
 * For architectures without instructions of our own. Where it is a load and a
 * store, one of nothing might come late and undo that the counter was cleared.
 */
void alloctag_this_cpu_add(void *counter, unsigned long amount)
{
	if (amount)
		this_cpu_add(*(u64 __percpu __force *)counter, amount);
}
