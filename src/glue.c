// SPDX-License-Identifier: GPL-2.0-only
/*
 * What must be C: static keys, boot parameters and initcalls are macros, and
 * the rest are macros and inline functions that Rust needs off the hot path.
 */
#include <linux/alloc_tag.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/kasan.h>
#include <linux/kfence.h>
#include <linux/memblock.h>
#include <linux/mm.h>
#include <linux/pgalloc_tag.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <asm/word-at-a-time.h>

#include "slab.h"
#include "bindings.h"

DEFINE_STATIC_KEY_MAYBE(CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT,
			mem_alloc_profiling_key);
EXPORT_SYMBOL(mem_alloc_profiling_key);

DEFINE_STATIC_KEY_FALSE(mem_profiling_compressed);

DECLARE_RWSEM(alloctag_sections_rwsem);

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

bool alloctag_counting(void)
{
	return mem_alloc_profiling_enabled();
}

void alloctag_set_counting(bool on)
{
	if (on)
		static_branch_enable(&mem_alloc_profiling_key);
	else
		static_branch_disable(&mem_alloc_profiling_key);
}

bool alloctag_compressed(void)
{
	return static_key_enabled(&mem_profiling_compressed);
}

void alloctag_set_compressed(bool compressed)
{
	if (compressed)
		static_branch_enable(&mem_profiling_compressed);
	else
		static_branch_disable(&mem_profiling_compressed);
}

/* Not where vectors come from, nor kmemleak's own. */
bool alloctag_is_countable(const struct kmem_cache *s)
{
	return !(s->flags & (SLAB_NO_OBJ_EXT | SLAB_NOLEAKTRACE));
}

u32 *alloctag_kfence_word(const struct slab *slab)
{
#ifdef CONFIG_KFENCE
	static u32 words[CONFIG_KFENCE_NUM_OBJECTS];
	const char *address = slab_address(slab);

	if (!is_kfence_address(address))
		return NULL;
	/* Behind a pair of guard pages, each object has a page and a guard. */
	return &words[(address - __kfence_pool) / (2 * PAGE_SIZE) - 1];
#else
	return NULL;
#endif
}

bool alloctag_is_device_page(const struct page *page)
{
	return is_zone_device_page(page);
}

#ifdef CONFIG_MEMORY_HOTPLUG
struct page *alloctag_pfn_page(unsigned long pfn)
{
	return pfn_to_page(pfn);
}

int alloctag_pfn_node(unsigned long pfn)
{
	return page_to_nid(pfn_to_page(pfn));
}

/* Whether any of these page frames is online. */
bool alloctag_is_online(unsigned long start, unsigned long end)
{
	for (; start < end; start += PAGES_PER_SECTION) {
		if (online_section_nr(pfn_to_section_nr(start)))
			return true;
	}
	return false;
}
#endif /* CONFIG_MEMORY_HOTPLUG */

/* A CPU's row of counters, or NULL for a CPU that cannot be. */
const struct alloctag_counter *alloctag_cpu_counters(const void *counters,
						     unsigned int cpu)
{
	if (!cpu_possible(cpu))
		return NULL;
	return (const struct alloctag_counter *)
		per_cpu_ptr((const void __percpu __force *)counters, cpu);
}

/* For architectures without instructions of our own. */
void alloctag_this_cpu_add(void *counter, unsigned long bytes,
			   unsigned long calls)
{
	struct alloctag_counter __percpu *share =
		(struct alloctag_counter __percpu __force *)counter;

	this_cpu_add(share->bytes, bytes);
	this_cpu_add(share->calls, calls);
}

#ifdef CONFIG_MEM_ALLOC_PROFILING_DEBUG
void alloctag_warn_no_tag(void)
{
	WARN_ONCE(1, "current->alloc_tag not set\n");
}

void alloctag_warn_not_set(void)
{
	WARN_ONCE(1, "alloc_tag was not set\n");
}

/* @tag is NULL where the account is a module's. */
void alloctag_warn_not_cleared(const struct alloc_tag *tag, u32 account)
{
	WARN_ONCE(1, "alloc_tag was not cleared (got %s:%u, account %u)\n",
		  tag ? tag->filename : "a module", tag ? tag->lineno : 0,
		  account);
}
#endif /* CONFIG_MEM_ALLOC_PROFILING_DEBUG */

/* References may lie where KASAN sees nobody's memory; see get_slab_obj_exts(). */
void alloctag_metadata_access(bool enable)
{
	if (enable)
		metadata_access_enable();
	else
		metadata_access_disable();
}

/*
 * A string's length, looked for as strscpy() does: a word may reach into a page
 * behind the string, which need not be there.
 */
size_t alloctag_strlen(const char *string)
{
#ifdef CONFIG_DCACHE_WORD_ACCESS
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	const char *at = string;
	unsigned long word, zeros;

	for (;; at += sizeof(word)) {
		word = load_unaligned_zeropad(at);
		if (has_zero(word, &zeros, &constants))
			break;
	}
	zeros = prep_zero_mask(word, zeros, &constants);
	return at + find_zero(create_zero_mask(zeros)) - string;
#else
	return strlen(string);
#endif
}

void alloctag_cond_resched(void)
{
	cond_resched();
}

/* The mark of a tag that is put in force here to cover Rust code. */
unsigned long alloctag_mark(void)
{
	return ALLOC_TAG_MARK_TASK + alloc_tag_level();
}
EXPORT_SYMBOL_GPL(alloctag_mark);

static DEFINE_RAW_SPINLOCK(tables_lock);

/* Fails in an NMI, which may have interrupted the lock's holder. */
bool alloctag_tables_lock(unsigned long *flags)
{
	if (in_nmi())
		return false;
	raw_spin_lock_irqsave(&tables_lock, *flags);
	return true;
}

void alloctag_tables_unlock(unsigned long flags)
{
	raw_spin_unlock_irqrestore(&tables_lock, flags);
}

EXPORT_SYMBOL_GPL(alloctag_record);
EXPORT_SYMBOL_GPL(alloctag_hold);
EXPORT_SYMBOL_GPL(alloctag_release);

bool alloctag_in_nmi(void)
{
	return in_nmi();
}

#ifdef CONFIG_ALLOCTAG_RUST_CALLERS

/* The return addresses on the stack, the innermost first. */
unsigned int alloctag_stack(unsigned long *addresses, unsigned int room)
{
#ifdef CONFIG_STACKTRACE
	return stack_trace_save(addresses, room, 1);
#else
	return 0;
#endif
}

/* The symbol at an address, for a buffer of KSYM_NAME_LEN bytes. */
bool alloctag_symbol(unsigned long address, char *name)
{
	unsigned long size, offset;
	const char *found;
	char *module;

	found = kallsyms_lookup(address, &size, &offset, &module, name);
	if (found && found != name)
		strscpy(name, found, KSYM_NAME_LEN);
	return found;
}

struct page *alloctag_alloc_pages_noprof(gfp_t flags, unsigned int order)
{
	return alloc_pages_noprof(flags, order);
}

/* The allocators for Rust code, which modules call too. */
EXPORT_SYMBOL_GPL(alloctag_krealloc);
EXPORT_SYMBOL_GPL(alloctag_kvrealloc);
EXPORT_SYMBOL_GPL(alloctag_vrealloc);
EXPORT_SYMBOL_GPL(alloctag_alloc_pages);
#endif /* CONFIG_ALLOCTAG_RUST_CALLERS */
