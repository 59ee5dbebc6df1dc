// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_written: allocates and frees, in C and in Rust, as often as is written
 * to its parameter; also after it has gone for itself, as long as sysfs has the
 * parameter.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "written.h"

static noinline bool passes_through(void)
{
	void *object = kmalloc(64, GFP_KERNEL);

	kfree(object);
	return object && written_box();
}

static int set_times(const char *value, const struct kernel_param *parameter)
{
	unsigned int times;
	int error = kstrtouint(value, 10, &times);

	for (; !error && times; times--)
		if (!passes_through())
			error = -ENOMEM;
	return error;
}

static const struct kernel_param_ops ops = { .set = set_times };
module_param_cb(times, &ops, NULL, 0200);
MODULE_PARM_DESC(times, "how often to allocate and free");

static int __init written_init(void)
{
	return 0;
}

static void __exit written_exit(void)
{
}

module_init(written_init);
module_exit(written_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocates where its parameter is written");
