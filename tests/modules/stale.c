// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_stale: what is counted, freed while nothing is counted, given out
 * again as part of something larger, and freed while all is counted. A step is
 * taken when its name is written to /sys/module/alloctag_stale/parameters/step;
 * beside it stands how many pages, per-CPU areas, objects that KFENCE guards and
 * objects of whole pages were given out again.
 */
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/jiffies.h>
#include <linux/kfence.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#define ORDER		3
#define SMALL		64
#define LARGE		256
/* More pages than a CPU keeps for itself, and more areas than fit into gaps. */
#define HELD		512
/* Objects of whole pages, and bytes of each, of which three pages are slack. */
#define WHOLE		64
#define WHOLE_SIZE	(5 * PAGE_SIZE)
/* Bytes of an area of two pages, of which almost one is slack. */
#define AREA_SIZE	(PAGE_SIZE + 1)
/* At most so many guarded objects, which are a scarce good. */
#define GUARDED		32
/* At most so many blocks until a page is given out again. */
#define MANY		4096
/*
 * KFENCE gives its objects out in turn, one every few milliseconds. The first
 * one is waited for longer, because without it there is nothing to see.
 */
#define PATIENCE	(20 * HZ)
#define LONGER		(200 * HZ)

static struct page *pages[HELD], *blocks[MANY];
static void __percpu *areas[HELD], *large_areas[HELD];
static void *objects[GUARDED], *large_objects[GUARDED];
static void *wholes[WHOLE], *vmallocs[WHOLE];
static struct page *heads[WHOLE];
static unsigned int pages_again, areas_again, objects_again, wholes_again;

static noinline struct page *stale_page(void)
{
	return alloc_pages(GFP_KERNEL, ORDER);
}

static noinline void __percpu *stale_area(void)
{
	return __alloc_percpu(SMALL, SMALL);
}

static noinline void *stale_object(void)
{
	return kmalloc(SMALL, GFP_KERNEL);
}

static noinline void *stale_whole(void)
{
	return kmalloc(WHOLE_SIZE, GFP_KERNEL);
}

static noinline void *stale_vmalloc(void)
{
	return vmalloc(AREA_SIZE);
}

/* Of each block, all but the head go: only the head stays counted. */
static int hold_pages(void)
{
	for (int i = 0; i < HELD; i++) {
		pages[i] = stale_page();
		if (!pages[i])
			return -ENOMEM;
		split_page(pages[i], ORDER);
		for (int tail = 1; tail < 1 << ORDER; tail++)
			__free_page(pages[i] + tail);
	}
	return 0;
}

static int hold_areas(void)
{
	for (int i = 0; i < HELD; i++) {
		areas[i] = stale_area();
		if (!areas[i])
			return -ENOMEM;
	}
	return 0;
}

static int hold_wholes(void)
{
	for (int i = 0; i < WHOLE; i++) {
		wholes[i] = stale_whole();
		vmallocs[i] = stale_vmalloc();
		if (!wholes[i] || !vmallocs[i])
			return -ENOMEM;
		heads[i] = virt_to_page(wholes[i]);
	}
	return 0;
}

static bool is_patient(unsigned long begin, unsigned int got)
{
	return time_before(jiffies, begin + (got ? PATIENCE : LONGER));
}

/* Keeps those that KFENCE guards. */
static void hold_objects(void)
{
	unsigned long begin = jiffies;
	int held = 0;

	while (IS_ENABLED(CONFIG_KFENCE) && held < GUARDED && is_patient(begin, held)) {
		void *object = stale_object();

		if (is_kfence_address(object))
			objects[held++] = object;
		else
			kfree(object);
		fsleep(USEC_PER_MSEC);
	}
}

static bool is_among(const struct page *head, struct page *const *those, int nr)
{
	for (int i = 0; i < nr; i++)
		if (those[i] == head)
			return true;
	return false;
}

static void renew_pages(void)
{
	for (int i = 0; i < MANY && pages_again < HELD / 2; i++) {
		blocks[i] = alloc_pages(GFP_KERNEL | __GFP_NORETRY, ORDER);
		if (!blocks[i])
			break;
		pages_again += is_among(blocks[i], pages, HELD);
		wholes_again += is_among(blocks[i], heads, WHOLE);
	}
}

static void renew_areas(void)
{
	for (int i = 0; i < HELD; i++) {
		large_areas[i] = __alloc_percpu(LARGE, SMALL);
		for (int old = 0; old < HELD; old++)
			areas_again += large_areas[i] == areas[old];
	}
}

/* Where on its page KFENCE puts an object, is random. */
static bool was_guarded(const void *object)
{
	unsigned long page = PAGE_ALIGN_DOWN((unsigned long)object);

	for (int i = 0; i < GUARDED; i++)
		if (objects[i] && PAGE_ALIGN_DOWN((unsigned long)objects[i]) == page)
			return true;
	return false;
}

static void renew_objects(void)
{
	unsigned long begin = jiffies;

	while (objects[0] && objects_again < GUARDED / 2 && is_patient(begin, objects_again)) {
		void *object = kmalloc(LARGE, GFP_KERNEL);

		if (is_kfence_address(object) && was_guarded(object))
			large_objects[objects_again++] = object;
		else
			kfree(object);
		fsleep(USEC_PER_MSEC);
	}
}

static int hold(void)
{
	hold_objects();
	return hold_pages() ?: hold_areas() ?: hold_wholes();
}

static int let_go(void)
{
	for (int i = 0; i < HELD; i++) {
		if (pages[i])
			__free_page(pages[i]);
		free_percpu(areas[i]);
	}
	for (int i = 0; i < GUARDED; i++)
		kfree(objects[i]);
	for (int i = 0; i < WHOLE; i++) {
		kfree(wholes[i]);
		vfree(vmallocs[i]);
	}
	return 0;
}

static int renew(void)
{
	renew_pages();
	renew_areas();
	renew_objects();
	return 0;
}

static int release(void)
{
	for (int i = 0; i < MANY && blocks[i]; i++)
		__free_pages(blocks[i], ORDER);
	for (int i = 0; i < HELD; i++)
		free_percpu(large_areas[i]);
	for (int i = 0; i < GUARDED; i++)
		kfree(large_objects[i]);
	return 0;
}

static const struct {
	const char *name;
	int (*take)(void);
} steps[] = {
	{ "hold", hold }, { "free", let_go }, { "renew", renew }, { "release", release },
};

static unsigned int taken;

/* One after the other. */
static int take_step(const char *value, const struct kernel_param *parameter)
{
	if (taken == ARRAY_SIZE(steps) || !sysfs_streq(value, steps[taken].name))
		return -EINVAL;
	return steps[taken++].take();
}

static const struct kernel_param_ops step_ops = { .set = take_step };
module_param_cb(step, &step_ops, NULL, 0200);
MODULE_PARM_DESC(step, "hold, free, renew or release, in this order");
module_param(pages_again, uint, 0400);
MODULE_PARM_DESC(pages_again, "pages that head a larger block now");
module_param(areas_again, uint, 0400);
MODULE_PARM_DESC(areas_again, "per-CPU areas where a larger one is now");
module_param(objects_again, uint, 0400);
MODULE_PARM_DESC(objects_again, "guarded objects where a larger one is now");
module_param(wholes_again, uint, 0400);
MODULE_PARM_DESC(wholes_again, "objects of whole pages where other pages are now");

static int __init stale_init(void)
{
	return 0;
}

/* Whatever step was the last. */
static void __exit stale_exit(void)
{
	if (taken == 1)
		let_go();
	if (taken == 3)
		release();
}

module_init(stale_init);
module_exit(stale_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Frees what was counted while nothing is counted");
