// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_leaky: call sites that behave as a leak, a cache, a load under
 * reclaim, a step, what is given back bit by bit and noise do, ten times a
 * second, so that a tool that tells these apart can be asked. What "leaks" is
 * remembered here, and freed when the module is unloaded.
 */
#include <linux/list.h>
#include <linux/module.h>
#include <linux/prandom.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#define TICK		(HZ / 10)
#define OBJECT		512
/* Objects of the cache, which is full after four seconds. */
#define ROOM		80
#define FILLED_BY	2
/* A tooth rises for three seconds, by so many objects a tick. */
#define TOOTH		30
#define RISES_BY	5
/* What is there until the step, and what comes with it. */
#define LEVEL		40
#define STEPS_AFTER	60
/* What there is less and less of, for half of a minute. */
#define WANES_FROM	300
#define SHAKES_BY	32
#define SEED		7

struct object {
	struct list_head list;
	char content[OBJECT - sizeof(struct list_head)];
};

static LIST_HEAD(leaked);
static LIST_HEAD(cached);
static LIST_HEAD(piled);
static LIST_HEAD(stepped);
static LIST_HEAD(waning);
static LIST_HEAD(shaken);
static struct rnd_state dice;
static unsigned int ticks;
module_param(ticks, uint, 0444);
MODULE_PARM_DESC(ticks, "ticks that have gone by");

static void add(struct list_head *list, struct object *object)
{
	if (object)
		list_add(&object->list, list);
}

static void drop(struct list_head *list)
{
	struct object *object, *next;

	list_for_each_entry_safe(object, next, list, list)
		kfree(object);
	INIT_LIST_HEAD(list);
}

static void drop_one(struct list_head *list)
{
	struct object *object = list_first_entry_or_null(list, struct object, list);

	if (!object)
		return;
	list_del(&object->list);
	kfree(object);
}

static noinline void leaks(void)
{
	add(&leaked, kmalloc(OBJECT, GFP_KERNEL));
}

static noinline void fills(void)
{
	add(&cached, kmalloc(OBJECT, GFP_KERNEL));
}

static noinline void piles(void)
{
	add(&piled, kmalloc(OBJECT, GFP_KERNEL));
}

static noinline void steps(void)
{
	add(&stepped, kmalloc(OBJECT, GFP_KERNEL));
}

static noinline void wanes(void)
{
	add(&waning, kmalloc(OBJECT, GFP_KERNEL));
}

static noinline void shakes(void)
{
	add(&shaken, kmalloc(OBJECT, GFP_KERNEL));
}

static void repeat(unsigned int times, void (*what)(void))
{
	while (times--)
		what();
}

static void tick(struct work_struct *work);
static DECLARE_DELAYED_WORK(clock, tick);

static void tick(struct work_struct *work)
{
	leaks();
	if (ticks * FILLED_BY < ROOM)
		repeat(FILLED_BY, fills);
	if (ticks % TOOTH == 0)
		drop(&piled);
	repeat(RISES_BY, piles);
	if (ticks == 0 || ticks == STEPS_AFTER)
		repeat(LEVEL, steps);
	drop_one(&waning);
	drop(&shaken);
	repeat(SHAKES_BY + prandom_u32_state(&dice) % SHAKES_BY, shakes);
	ticks++;
	schedule_delayed_work(&clock, TICK);
}

static int __init leaky_init(void)
{
	prandom_seed_state(&dice, SEED);
	repeat(WANES_FROM, wanes);
	schedule_delayed_work(&clock, 0);
	return 0;
}

static void __exit leaky_exit(void)
{
	cancel_delayed_work_sync(&clock);
	drop(&leaked);
	drop(&cached);
	drop(&piled);
	drop(&stepped);
	drop(&waning);
	drop(&shaken);
}

module_init(leaky_init);
module_exit(leaky_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Leaks, and does what looks like it");
