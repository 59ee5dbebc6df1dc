// SPDX-License-Identifier: GPL-2.0-only
/*
 * An object with tags of the C core, in a module whose other objects have those
 * of the kernel.
 */
#undef CONFIG_MEM_ALLOC_PROFILING_RUST
#include <linux/slab.h>

void *foreign_object(void);

void *foreign_object(void)
{
	return kmalloc(sizeof(long), GFP_KERNEL);
}
