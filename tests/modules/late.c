// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_late: asks alloctag_keeper to allocate when hardly anybody expects that
 * of a module. "async=1" does so in init code, after the module has been initialised;
 * reading /sys/module/alloctag_late/late, when it is on its way out, if it was being
 * read before. Both wait at the keeper's gate before and after. "keep=1" does
 * so as a parameter, and "refuse" has the load fail, as does "error" once it was initialised.
 */
#include <linux/async.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "keeper.h"

static bool async;
module_param(async, bool, 0);
MODULE_PARM_DESC(async, "allocate after init");

static int error;
module_param(error, int, 0);
MODULE_PARM_DESC(error, "allocate in init, and return this");

static noinline int late_parameter(const char *value, const struct kernel_param *param)
{
	return alloctag_keep_new() ? 0 : -ENOMEM;
}

static int refuse(const char *value, const struct kernel_param *param)
{
	return -EINVAL;
}

static const struct kernel_param_ops keeping = { .set = late_parameter };
module_param_cb(keep, &keeping, NULL, 0);
MODULE_PARM_DESC(keep, "allocate");

static const struct kernel_param_ops refusing = { .set = refuse };
module_param_cb(refuse, &refusing, NULL, 0);
MODULE_PARM_DESC(refuse, "have the load fail");

/* Nobody calls it: a row that says whether the module's call sites are there. */
static noinline void *late_object(void)
{
	return kmalloc(1, GFP_KERNEL);
}

static noinline ssize_t late_show(struct kobject *object, struct kobj_attribute *attribute,
				  char *buffer)
{
	bool kept;

	alloctag_keeper_wait();
	kept = alloctag_keep_new();
	return sysfs_emit(buffer, "%d\n", kept);
}

/* Goes with the module's directory, when the module has run for the last time. */
static struct kobj_attribute attribute = __ATTR(late, 0400, late_show, NULL);

static void __init late_async(void *unused, async_cookie_t cookie)
{
	alloctag_keeper_wait();
	WARN_ON(!alloctag_keep_new());
	alloctag_keeper_wait();
}

static int __init late_init(void)
{
	int ret;

	if (error)
		return alloctag_keep_new() ? error : -ENOMEM;
	ret = sysfs_create_file(&THIS_MODULE->mkobj.kobj, &attribute.attr);
	if (!ret && async)
		async_schedule(late_async, NULL);
	return ret;
}

static void __exit late_exit(void)
{
	kfree(late_object());
}

module_init(late_init);
module_exit(late_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocates when nobody expects it");
