// SPDX-License-Identifier: GPL-2.0-only
/*
 * What src/platform/failures.rs needs of memblock, whose functions are inline,
 * and of the context that it is called in.
 */
#include <linux/alloc_tag.h>
#include <linux/cache.h>
#include <linux/memblock.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "../bindings.h"

/* So many zeroes of 64 bits, or NULL. */
void *__init alloctag_boot_words(unsigned long count)
{
	return memblock_alloc(count * sizeof(u64), SMP_CACHE_BYTES);
}

/* Those of a CPU's softirqs, interrupts and NMIs. */
static DEFINE_PER_CPU(u32[3], last_failures);

/* Where the account is of which this context had the last failure. */
u32 *alloctag_last_failure(void)
{
	unsigned int level = interrupt_context_level();

	return level ? this_cpu_ptr(&last_failures[level - 1]) :
		       &current->alloc_tag_failed;
}
