// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_lender: has alloctag_holder make containers on its lines, and can be
 * unloaded while they are still there.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "holder.h"

static noinline int lend_list(void)
{
	return alloc_hooks(alloctag_holder_list());
}

static noinline int lend_table(void)
{
	return alloc_hooks(alloctag_holder_table());
}

static noinline int lend_covered(void)
{
	return alloc_hooks(alloctag_holder_covered());
}

static int __init lender_init(void)
{
	int error = lend_list() ?: lend_table() ?: lend_covered();

	if (error)
		alloctag_holder_drop();
	return error;
}

static void __exit lender_exit(void)
{
}

module_init(lender_init);
module_exit(lender_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Makes containers that outlive it");
