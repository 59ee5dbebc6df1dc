// SPDX-License-Identifier: GPL-2.0-only
/*
 * The switches that src/platform/switch.rs reads and moves: static keys are
 * macros.
 */
#include <linux/alloc_tag.h>
#include <linux/export.h>
#include <linux/jump_label.h>

#include "../bindings.h"

DEFINE_STATIC_KEY_MAYBE(CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT,
			mem_alloc_profiling_key);
EXPORT_SYMBOL(mem_alloc_profiling_key);

DEFINE_STATIC_KEY_FALSE(mem_profiling_compressed);

bool alloctag_counting(void)
{
	return mem_alloc_profiling_enabled();
}

void alloctag_set_counting(bool on)
{
	if (on)
		static_branch_enable(&mem_alloc_profiling_key);
	else
		static_branch_disable(&mem_alloc_profiling_key);
}

bool alloctag_compressed(void)
{
	return static_key_enabled(&mem_profiling_compressed);
}

void alloctag_set_compressed(bool compressed)
{
	if (compressed)
		static_branch_enable(&mem_profiling_compressed);
	else
		static_branch_disable(&mem_profiling_compressed);
}
