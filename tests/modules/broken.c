// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_broken: error paths of all kinds. The one whose name is written to
 * /sys/module/alloctag_broken/parameters/path allocates as drivers do; what
 * becomes of it where it is given nothing is in its name.
 */
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/panic.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>

#define OBJECT	512
#define OTHER	192

static noinline int right(void)
{
	void *object, *other;
	int error = -ENOMEM;

	object = kmalloc(OBJECT, GFP_KERNEL);
	if (!object)
		return -ENOMEM;
	other = kmalloc(OTHER, GFP_KERNEL);
	if (!other)
		goto free;
	error = 0;
	kfree(other);
free:
	kfree(object);
	return error;
}

/* Does without. */
static noinline int manages(void)
{
	kfree(kmalloc(OBJECT, GFP_KERNEL | __GFP_NOWARN));
	return 0;
}

/* Forgets the first one where it is not given the second. */
static noinline int leaks(void)
{
	void *object, *other;

	object = kmalloc(OBJECT, GFP_KERNEL);
	if (!object)
		return -ENOMEM;
	other = kmalloc(OTHER, GFP_KERNEL);
	if (!other)
		return -ENOMEM;
	kfree(other);
	kfree(object);
	return 0;
}

/* The same with pages. */
static noinline int loses(void)
{
	struct page *pages = alloc_pages(GFP_KERNEL, 1);
	void *other;

	if (!pages)
		return -ENOMEM;
	other = kmalloc(OTHER, GFP_KERNEL);
	if (!other)
		return -ENOMEM;
	kfree(other);
	__free_pages(pages, 1);
	return 0;
}

static void *kept;

/* Keeps the first one for the next time: a cache. */
static noinline int keeps(void)
{
	void *object = kept ?: kmalloc(OBJECT, GFP_KERNEL);
	void *other;

	kept = NULL;
	if (!object)
		return -ENOMEM;
	other = kmalloc(OTHER, GFP_KERNEL);
	if (!other) {
		kept = object;
		return -ENOMEM;
	}
	kfree(other);
	kfree(object);
	return 0;
}

/* Frees after a grace period, which is no leak meanwhile. */
static noinline int defers(void)
{
	struct deferred {
		struct rcu_head rcu;
		u8 bytes[OBJECT];
	} *object = kmalloc(sizeof(*object), GFP_KERNEL);
	void *other;

	if (!object)
		return -ENOMEM;
	other = kmalloc(OTHER, GFP_KERNEL);
	kfree_rcu(object, rcu);
	if (!other)
		return -ENOMEM;
	kfree(other);
	return 0;
}

/* Frees what its caller frees as well. */
static noinline int frees(void *object)
{
	void *other = kmalloc(OTHER, GFP_KERNEL);

	if (!other) {
		kfree(object);
		return -ENOMEM;
	}
	kfree(other);
	return 0;
}

static noinline int frees_twice(void)
{
	void *object = kmalloc(OBJECT, GFP_KERNEL);
	int error;

	if (!object)
		return -ENOMEM;
	error = frees(object);
	kfree(object);
	return error;
}

static noinline int warns(void)
{
	void *object = kmalloc(OBJECT, GFP_KERNEL);

	if (WARN_ON_ONCE(!object))
		return -ENOMEM;
	kfree(object);
	return 0;
}

static noinline int trusts(void)
{
	u8 *object = kmalloc(OBJECT, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(object);
	WRITE_ONCE(object[8], 1);
	kfree(object);
	return 0;
}

/* Takes the machine down. */
static noinline int panics(void)
{
	void *object = kmalloc(OBJECT, GFP_KERNEL);
	bool is_given = object;

	kfree(object);
	if (!is_given)
		panic("broken: nothing for %s()", __func__);
	return 0;
}

/* Waits for what never comes, as long as nobody kills it. */
static noinline int hangs(void)
{
	void *object = kmalloc(OBJECT, GFP_KERNEL);

	while (!object && !fatal_signal_pending(current))
		schedule_timeout_killable(HZ);
	kfree(object);
	return object ? 0 : -EINTR;
}

static const struct {
	const char *name;
	int (*walk)(void);
} paths[] = {
	{ "right", right },
	{ "manages", manages },
	{ "leaks", leaks },
	{ "loses", loses },
	{ "keeps", keeps },
	{ "defers", defers },
	{ "frees_twice", frees_twice },
	{ "warns", warns },
	{ "trusts", trusts },
	{ "panics", panics },
	{ "hangs", hangs },
};

static int set_path(const char *value, const struct kernel_param *parameter)
{
	for (int i = 0; i < ARRAY_SIZE(paths); i++) {
		if (sysfs_streq(value, paths[i].name))
			return paths[i].walk();
	}
	return -EINVAL;
}

static const struct kernel_param_ops path_ops = { .set = set_path };
module_param_cb(path, &path_ops, NULL, 0200);
MODULE_PARM_DESC(path, "the path to walk");

static int __init broken_init(void)
{
	return 0;
}

static void __exit broken_exit(void)
{
	kfree(kept);
}

module_init(broken_init);
module_exit(broken_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Error paths, right and wrong");
