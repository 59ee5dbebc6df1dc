// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_slow: what is written to /sys/module/alloctag_slow/parameters/wait is
 * done: an allocation of which it is known how long it takes, because an object's
 * constructor does. Each begins with no slab of its own. "took" says how many
 * nanoseconds were between the ends of the last one's constructor, and around it.
 */
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <linux/time64.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#define CONSTRUCTION	(24 * NSEC_PER_MSEC)
#define OBJECT		256

/* Whether the next object takes its time; a slab has many. */
static bool is_slow;

/* What it took at least, and at most. */
static u64 least, most;

static void spend(u64 ns)
{
	u64 begin = local_clock(), now;

	do {
		now = local_clock();
	} while (now - begin < ns);
	least = now - begin;
}

/* Allocates an object and frees it again. */
#define ALLOCATE(_cache)						\
({									\
	u64 begin = local_clock();					\
	void *object = kmem_cache_alloc(_cache, GFP_KERNEL);		\
									\
	most = local_clock() - begin;					\
	if (object)							\
		kmem_cache_free(_cache, object);			\
})

static void construct(void *object)
{
	if (xchg(&is_slow, false))
		spend(CONSTRUCTION);
}

static struct kmem_cache *make_cache(void)
{
	return kmem_cache_create("alloctag_slow", OBJECT, 0, SLAB_NO_MERGE,
				 construct);
}

/* One object, for which a slab is made. */
static noinline void wait_slab(struct kmem_cache *cache)
{
	is_slow = true;
	ALLOCATE(cache);
}

/* The same in a context of its own, while another call site waits. */
static struct kmem_cache *inner;

static void construct_outer(void *object)
{
	struct kmem_cache *cache = xchg(&inner, NULL);

	if (cache)
		wait_slab(cache);
}

static noinline void wait_within(struct kmem_cache *cache)
{
	struct kmem_cache *outer;

	inner = cache;
	outer = kmem_cache_create("alloctag_slow_outer", OBJECT, 0,
				  SLAB_NO_MERGE, construct_outer);
	if (!outer)
		return;
	ALLOCATE(outer);
	kmem_cache_destroy(outer);
}

/* Whoever waits is taken off its stack. */
static void construct_none(void *object)
{
	inner = NULL;
	WRITE_ONCE(*(int *)READ_ONCE(inner), 0);
}

static int die(void *cache)
{
	kmem_cache_free(cache, kmem_cache_alloc(cache, GFP_KERNEL));
	return 0;
}

/*
 * A thread, for who writes here has a lock. Its cache is lost with it, so that
 * each has a name of its own.
 */
static noinline void wait_killed(struct kmem_cache *cache)
{
	static unsigned int killed;
	struct task_struct *thread;
	struct kmem_cache *outer;
	char name[32];

	snprintf(name, sizeof(name), "alloctag_slow_none_%u", killed++);
	outer = kmem_cache_create(name, OBJECT, 0, SLAB_NO_MERGE,
				  construct_none);
	if (!outer)
		return;
	thread = kthread_create(die, outer, "alloctag_slow");
	if (IS_ERR(thread))
		return;
	get_task_struct(thread);
	wake_up_process(thread);
	while (!READ_ONCE(thread->exit_state))
		msleep(20);
	put_task_struct(thread);
}

/* All of it is off the fast path. */
static noinline void wait_area(struct kmem_cache *cache)
{
	u64 begin = local_clock();
	void *area = vmalloc(64 * PAGE_SIZE);

	most = local_clock() - begin;
	least = 0;
	vfree(area);
}

/* Objects that are there already, but for the first. */
static noinline void wait_never(struct kmem_cache *cache)
{
	int i;

	for (i = 0; i < 1000; i++)
		kfree(kmalloc(64, GFP_KERNEL));
}

static int set_wait(const char *value, const struct kernel_param *param)
{
	static const struct {
		const char *name;
		void (*wait)(struct kmem_cache *cache);
	} waits[] = {
		{ "slab", wait_slab },
		{ "within", wait_within },
		{ "killed", wait_killed },
		{ "area", wait_area },
		{ "never", wait_never },
	};
	struct kmem_cache *cache;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(waits); i++) {
		if (!sysfs_streq(value, waits[i].name))
			continue;
		cache = make_cache();
		if (!cache)
			return -ENOMEM;
		waits[i].wait(cache);
		kmem_cache_destroy(cache);
		return 0;
	}
	return -EINVAL;
}

static const struct kernel_param_ops wait_ops = {
	.set = set_wait,
};
module_param_cb(wait, &wait_ops, NULL, 0200);
MODULE_PARM_DESC(wait, "what to wait for: slab, within, killed, area, never");

static int get_took(char *buffer, const struct kernel_param *param)
{
	return sysfs_emit(buffer, "%llu %llu\n", least, most);
}

static const struct kernel_param_ops took_ops = {
	.get = get_took,
};
module_param_cb(took, &took_ops, NULL, 0400);
MODULE_PARM_DESC(took, "how long the last allocation took, at least and at most");

static int __init slow_init(void)
{
	return 0;
}
module_init(slow_init);

static void __exit slow_exit(void)
{
}
module_exit(slow_exit);

MODULE_DESCRIPTION("Allocations that take a known time");
MODULE_LICENSE("GPL");
