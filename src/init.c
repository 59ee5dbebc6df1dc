// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where the kernel's boot comes upon the core, and what is checked when this is
 * compiled: parameters, initcalls and such checks are macros.
 */
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/alloc_tag.h>

#include "slab.h"
#include "bindings.h"

/*
 * The bit-fields of a slab are where src/platform/slab.rs looks for them: the
 * first bits of the word's fifth byte.
 */
#ifdef __BIG_ENDIAN
#define SLAB_BIT(_nr)	(31 - (_nr))
#else
#define SLAB_BIT(_nr)	(32 + (_nr))
#endif
#define CHECK_SLAB_BIT(_field, _nr)					\
	BUILD_BUG_ON(((struct freelist_counters){ ._field = 1 }).counters != \
		     1UL << SLAB_BIT(_nr))

static int __init alloctag_init(void)
{
	CHECK_SLAB_BIT(obj_exts_in_object, 0);
	CHECK_SLAB_BIT(obj_exts_needs_objcg, 1);

	/* The bits of a page's flags that nothing uses are as bindings.h says. */
	BUILD_BUG_ON(ALLOCTAG_PAGE_SPARE_BITS != NR_UNUSED_PAGEFLAG_BITS);
	BUILD_BUG_ON(ALLOCTAG_PAGE_SPARE_SHIFT !=
		     LRU_REFS_PGOFF - NR_UNUSED_PAGEFLAG_BITS);

	return alloctag_surface_init();
}
module_init(alloctag_init);

early_param("sysctl.vm.mem_profiling", alloctag_boot_parameter);
early_param("alloctag.contexts", alloctag_contexts_parameter);
#ifdef CONFIG_ALLOCTAG_STALLS
early_param("alloctag.histograms", alloctag_histograms_parameter);

/* As soon as there is memory for them. */
static int __init alloctag_histograms_init(void)
{
	alloctag_histograms_prepare();
	return 0;
}
early_initcall(alloctag_histograms_init);

/* Behind late_initcall(), where the scheduler's clock is found to be stable. */
static int __init alloctag_ticks_init(void)
{
	alloctag_ticks_choose();
	return 0;
}
late_initcall_sync(alloctag_ticks_init);
#endif

#ifdef CONFIG_ALLOCTAG_LIFETIMES
early_param("alloctag.lifetimes", alloctag_lifetimes_parameter);
#endif

/* On the command line, which is kept. */
static char *alloctag_rules __initdata;

static int __init alloctag_detail_parameter(char *rules)
{
	alloctag_rules = rules;
	return 1;
}
__setup("alloctag.detail=", alloctag_detail_parameter);

/*
 * As early as the plain hooks can be waited for: synchronize_rcu_tasks() calls
 * what rcu_init_tasks_generic(), a core_initcall(), has yet to fill in. Modules
 * come later.
 */
static int __init alloctag_detail_init(void)
{
	if (alloctag_rules)
		alloctag_detail(alloctag_rules);
	return 0;
}
core_initcall_sync(alloctag_detail_init);
