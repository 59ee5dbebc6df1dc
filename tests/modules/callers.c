// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_callers: one line for each kind of memory, which several functions
 * call. "CALLER KIND COUNT" in /sys/module/alloctag_callers/parameters/allocate
 * has one of them do so that often; a number in "free" frees so many, some of
 * the oldest and some of the youngest. "stack" has what the kernel's unwinder
 * says of who wrote to "allocate" last.
 */
#include <linux/completion.h>
#include <linux/gfp.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>

#define OBJECT		100
#define PAGES_ORDER	1
/* More than the first chunk of areas has left, which is never counted. */
#define AREA		(28 * 1024)
#define VMALLOC		(3 * PAGE_SIZE)
#define MOST		4096

enum kind { KIND_OBJECT, KIND_PAGES, KIND_AREA, KIND_VMALLOC };

static const char * const kinds[] = {
	[KIND_OBJECT] = "object",
	[KIND_PAGES] = "pages",
	[KIND_AREA] = "area",
	[KIND_VMALLOC] = "vmalloc",
};

static struct thing {
	enum kind kind;
	union {
		void *object;
		struct page *page;
		void __percpu *area;
	};
} things[MOST];

static unsigned int nr_things;
static DEFINE_MUTEX(lock);

static noinline void *helper_object(gfp_t gfp)
{
	return kmalloc(OBJECT, gfp);
}

static noinline struct page *helper_pages(gfp_t gfp)
{
	return alloc_pages(gfp, PAGES_ORDER);
}

static noinline void __percpu *helper_area(gfp_t gfp)
{
	return __alloc_percpu_gfp(AREA, sizeof(u64), gfp);
}

static noinline void *helper_vmalloc(gfp_t gfp)
{
	return __vmalloc(VMALLOC, gfp);
}

/* A part of whoever calls it. */
static __always_inline bool helper(struct thing *thing, gfp_t gfp)
{
	switch (thing->kind) {
	case KIND_OBJECT:
		thing->object = helper_object(gfp);
		break;
	case KIND_PAGES:
		thing->page = helper_pages(gfp);
		break;
	case KIND_AREA:
		thing->area = helper_area(gfp);
		break;
	case KIND_VMALLOC:
		thing->object = helper_vmalloc(gfp);
		break;
	}
	return thing->object;
}

/* What is done with the result keeps the caller's frame on the stack. */
static noinline bool first(struct thing *thing)
{
	return !!helper(thing, GFP_KERNEL);
}

static noinline bool second(struct thing *thing)
{
	bool done = helper(thing, GFP_KERNEL);

	barrier();
	return done;
}

/* By an interrupt that runs timers, whatever task it meets. */
static struct thing *timed;
static bool timed_done;
static DECLARE_COMPLETION(fired);

static void by_timer(struct timer_list *timer)
{
	timed_done = helper(timed, GFP_ATOMIC);
	complete(&fired);
}

static DEFINE_TIMER(timer, by_timer);

static noinline bool third(struct thing *thing)
{
	timed = thing;
	reinit_completion(&fired);
	mod_timer(&timer, jiffies);
	wait_for_completion(&fired);
	return timed_done;
}

/* Its last call, of which nothing need be left on the stack. */
static noinline bool fourth(struct thing *thing)
{
	return first(thing);
}

static const struct {
	const char *name;
	bool (*call)(struct thing *thing);
} callers[] = {
	{ "first", first },
	{ "second", second },
	{ "third", third },
	{ "fourth", fourth },
};

#define DEPTH		16
static unsigned long saved[DEPTH];
static unsigned int nr_saved;

static noinline int allocate(const char *value, const struct kernel_param *param)
{
	char caller[16], kind[16];
	unsigned int count, i;
	int by, ret = 0;

	if (sscanf(value, "%15s %15s %u", caller, kind, &count) != 3)
		return -EINVAL;
	by = match_string(kinds, ARRAY_SIZE(kinds), kind);
	if (by < 0)
		return by;
	for (i = 0; i < ARRAY_SIZE(callers); i++)
		if (!strcmp(callers[i].name, caller))
			break;
	if (i == ARRAY_SIZE(callers))
		return -EINVAL;

	mutex_lock(&lock);
	nr_saved = stack_trace_save(saved, DEPTH, 1);
	for (; count && !ret; count--) {
		struct thing *thing = &things[nr_things];

		ret = -ENOSPC;
		if (nr_things == MOST)
			break;
		thing->kind = by;
		ret = -ENOMEM;
		if (!callers[i].call(thing))
			break;
		nr_things++;
		ret = 0;
	}
	mutex_unlock(&lock);
	return ret;
}

static const struct kernel_param_ops allocating = { .set = allocate };
module_param_cb(allocate, &allocating, NULL, 0200);
MODULE_PARM_DESC(allocate, "CALLER KIND COUNT");

static int show_stack(char *buffer, const struct kernel_param *param)
{
	int length = 0;

	for (unsigned int i = 0; i < nr_saved; i++)
		length += sysfs_emit_at(buffer, length, "%pB\n", (void *)saved[i]);
	return length;
}

static const struct kernel_param_ops showing = { .get = show_stack };
module_param_cb(stack, &showing, NULL, 0400);
MODULE_PARM_DESC(stack, "who wrote to allocate, the innermost first");

static void free_thing(struct thing *thing)
{
	switch (thing->kind) {
	case KIND_OBJECT:
		kfree(thing->object);
		break;
	case KIND_PAGES:
		__free_pages(thing->page, PAGES_ORDER);
		break;
	case KIND_AREA:
		free_percpu(thing->area);
		break;
	case KIND_VMALLOC:
		vfree(thing->object);
		break;
	}
}

static void free_some(unsigned int count)
{
	mutex_lock(&lock);
	for (; count && nr_things; count--) {
		struct thing *last = &things[--nr_things];
		struct thing *thing = count % 2 ? last : &things[0];

		free_thing(thing);
		*thing = *last;
	}
	mutex_unlock(&lock);
}

static int free(const char *value, const struct kernel_param *param)
{
	unsigned int count;
	int ret = kstrtouint(value, 0, &count);

	if (!ret)
		free_some(count);
	return ret;
}

static const struct kernel_param_ops freeing = { .set = free };
module_param_cb(free, &freeing, NULL, 0200);
MODULE_PARM_DESC(free, "how many");

static void __exit callers_exit(void)
{
	free_some(MOST);
}

module_exit(callers_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Allocates by lines that many call");
