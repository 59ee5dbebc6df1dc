// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_written: allocates and frees as often as is written to its parameters,
 * one for C and one for Rust; also after it has gone for itself, as long as sysfs
 * has them.
 */
#include <linux/module.h>
#include <linux/slab.h>

#include "written.h"

static noinline bool passes_through(void)
{
	void *object = kmalloc(64, GFP_KERNEL);

	kfree(object);
	return object;
}

static int repeat(const char *value, bool (*allocate)(void))
{
	unsigned int times;
	int error = kstrtouint(value, 10, &times);

	for (; !error && times; times--)
		if (!allocate())
			error = -ENOMEM;
	return error;
}

static int set_times(const char *value, const struct kernel_param *parameter)
{
	return repeat(value, passes_through);
}

static int set_boxes(const char *value, const struct kernel_param *parameter)
{
	return repeat(value, written_box);
}

static const struct kernel_param_ops times_ops = { .set = set_times };
static const struct kernel_param_ops boxes_ops = { .set = set_boxes };

module_param_cb(times, &times_ops, NULL, 0200);
MODULE_PARM_DESC(times, "how often to allocate and free in C");
module_param_cb(boxes, &boxes_ops, NULL, 0200);
MODULE_PARM_DESC(boxes, "how often in Rust");

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
