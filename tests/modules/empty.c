// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_empty: a module that allocates nowhere.
 */
#include <linux/module.h>

static int __init empty_init(void)
{
	return 0;
}

static void __exit empty_exit(void)
{
}

module_init(empty_init);
module_exit(empty_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("No call site");
