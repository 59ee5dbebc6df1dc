// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloctag_many: three thousand call sites, each of which allocates an object
 * that is freed when the module goes.
 */
#include <linux/module.h>
#include <linux/slab.h>

struct link {
	struct link *next;
};

static struct link *links;

static bool add(struct link *link)
{
	if (!link)
		return false;
	link->next = links;
	links = link;
	return true;
}

#define SITE		add(kmalloc_obj(struct link))
#define TEN(x)		((x) && (x) && (x) && (x) && (x) && (x) && (x) && (x) && (x) && (x))
#define THOUSAND	TEN(TEN(TEN(SITE)))

static noinline bool add_first(void)
{
	return THOUSAND;
}

static noinline bool add_second(void)
{
	return THOUSAND;
}

static noinline bool add_third(void)
{
	return THOUSAND;
}

#ifdef FIVE_THOUSAND
static noinline bool add_fourth(void)
{
	return THOUSAND;
}

static noinline bool add_fifth(void)
{
	return THOUSAND;
}
#else
#define add_fourth()		true
#define add_fifth()		true
#endif

static void drop(void)
{
	while (links) {
		struct link *link = links;

		links = link->next;
		kfree(link);
	}
}

static int __init many_init(void)
{
	if (add_first() && add_second() && add_third() && add_fourth() &&
	    add_fifth())
		return 0;
	drop();
	return -ENOMEM;
}

static void __exit many_exit(void)
{
	drop();
}

module_init(many_init);
module_exit(many_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Thousands of call sites");
