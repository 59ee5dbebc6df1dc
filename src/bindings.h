/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the core sees of C, through the kernel crate's bindings.
 */
#ifndef _ALLOCTAG_BINDINGS_H
#define _ALLOCTAG_BINDINGS_H

#include <linux/alloc_tag.h>
#include <linux/debugfs.h>
#include <linux/pgalloc_tag.h>
#include <linux/jump_label.h>
#include <linux/kallsyms.h>
#include <linux/kfence.h>
#include <linux/memblock.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/mmzone.h>
#include <linux/notifier.h>
#include <linux/percpu.h>
#include <linux/proc_fs.h>
#include <linux/rwsem.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string_helpers.h>
#include <linux/sysctl.h>
#include <linux/vmalloc.h>
#include <uapi/linux/alloc_tag.h>
#include <uapi/linux/alloctag.h>
#include <alloctag/event_hooks.h>
#include <alloctag/fault_hooks.h>
#include <alloctag/stall_hooks.h>

/* By way of include/, because mm/alloctag may be a link to elsewhere. */
#include <../mm/slab.h>

/* What src/platform/slab.rs needs to take a slab apart. */
enum {
	ALLOCTAG_SLAB_COUNTERS = offsetof(struct slab, counters),
	ALLOCTAG_OBJ_EXTS_FLAGS = OBJEXTS_FLAGS_MASK,
	ALLOCTAG_OBJ_EXTS_REFS = OBJEXTS_REFS,
#ifdef CONFIG_MEMCG
	ALLOCTAG_OBJ_EXTS_MEMCG = MEMCG_DATA_OBJEXTS,
#else
	ALLOCTAG_OBJ_EXTS_MEMCG = 0,
#endif
	ALLOCTAG_SLACK_MAX = ALLOC_TAG_SLACK_MAX,
};

/* The bits of the preemption counter that are set in interrupts only. */
enum { ALLOC_TAG_INTERRUPT_BITS = (unsigned int)(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET) };

/*
 * Which bits of a page's flags nothing uses: those below the youngest field,
 * above the flags themselves. As <linux/page-flags-layout.h> has it, whose
 * min() is no constant to a compiler of declarations.
 */
enum {
	ALLOCTAG_LRU_REFS = MIN(__LRU_REFS_WIDTH, BITS_PER_LONG - NR_PAGEFLAGS -
				ZONES_WIDTH - LRU_GEN_WIDTH - SECTIONS_WIDTH -
				NODES_WIDTH - KASAN_TAG_WIDTH - LAST_CPUPID_WIDTH),
	ALLOCTAG_PAGE_SPARE_BITS = BITS_PER_LONG - NR_PAGEFLAGS -
				   ZONES_WIDTH - LRU_GEN_WIDTH - SECTIONS_WIDTH -
				   NODES_WIDTH - KASAN_TAG_WIDTH -
				   LAST_CPUPID_SHIFT - ALLOCTAG_LRU_REFS,
	ALLOCTAG_PAGE_SPARE_SHIFT = LRU_GEN_PGOFF - ALLOCTAG_LRU_REFS -
				    ALLOCTAG_PAGE_SPARE_BITS,
};

#ifdef CONFIG_ALLOCTAG_PAGE_RANGE
/* What src/platform/page/range.rs asks of memblock and of page tables. */
enum {
	ALLOCTAG_ALL_NODES = MAX_NUMNODES,
	ALLOCTAG_PMD_SHIFT = PMD_SHIFT,
};
#endif

/*
 * What src/init.c calls at boot: with the arguments of alloctag.contexts=,
 * alloctag.histograms=, alloctag.lifetimes= and alloctag.detail=.
 */
int alloctag_contexts_parameter(char *argument);
int alloctag_histograms_parameter(char *argument);
int alloctag_lifetimes_parameter(char *argument);
void alloctag_histograms_prepare(void);
void alloctag_ticks_choose(void);
void alloctag_detail(const char *rules);

/* The inline hooks' static keys and the lock of the tag lists. */
extern struct static_key_false mem_profiling_compressed;
extern struct rw_semaphore alloctag_sections_rwsem;

/* Macros and inline functions that the core needs off the hot path. */
bool alloctag_counting(void);
void alloctag_set_counting(bool on);
bool alloctag_compressed(void);
void alloctag_set_compressed(bool compressed);
void alloctag_slab_init(void);
bool alloctag_is_countable(const struct kmem_cache *s);
size_t alloctag_unsaid_slack(const struct kmem_cache *s);
unsigned int alloctag_slack_shift(const struct kmem_cache *s);
bool alloctag_is_device_page(const struct page *page);
int alloctag_page_node(const struct page *page);
struct page *alloctag_pfn_page(unsigned long pfn);
int alloctag_pfn_node(unsigned long pfn);
unsigned long alloctag_pfn_block(unsigned long pfn);
bool alloctag_pfn_is_poisoned(unsigned long pfn);
bool alloctag_is_online(unsigned long start, unsigned long end);
void alloctag_warn_no_tag(void);
void alloctag_warn_not_set(void);
void alloctag_warn_not_cleared(const struct alloc_tag *tag, u32 account);
const struct alloctag_counters *alloctag_cpu_counters(const void *counters,
						      unsigned int cpu);
int alloctag_rows_init(const void *counters);
extern const struct alloctag_counters **alloctag_rows;
extern unsigned long alloctag_nr_rows;
void *alloctag_percpu_area(size_t bytes);
void alloctag_this_cpu_add(void *counter, unsigned long amount);
void alloctag_detailed_get(void);
void alloctag_detailed_put(void);
void alloctag_hooks_wait(void);
void alloctag_reap_soon(void);
bool alloctag_is_in_module(unsigned long address, struct module *module);
bool alloctag_is_in_init(unsigned long address, struct module *module);
void alloctag_module_live(struct module *module);
void alloctag_module_going(struct module *module);
void *alloctag_boot_words(unsigned long count);
u32 *alloctag_last_failure(void);
struct alloc_tag *alloctag_current(void);
void alloctag_metadata_access(bool enable);
void alloctag_cond_resched(void);
void alloctag_settle(void);
size_t alloctag_strlen(const char *string);

/* The range of virtual memory with the references of pages: src/platform/page/range.c. */
unsigned long alloctag_range_begin(void);
unsigned long alloctag_range_end(void);
unsigned long alloctag_range_vmemmap(void);
unsigned long alloctag_range_reserve(unsigned long bytes);
bool alloctag_range_has_huge_pages(void);
int alloctag_range_map(unsigned long address, int nid);
void alloctag_range_unmap(unsigned long start, unsigned long end);
bool alloctag_range_is_mapped(unsigned long address);
bool alloctag_range_is_huge(unsigned long address);

/* The same in pieces: sections.c and flat.c beside it. */
u32 *alloctag_piece_word(const struct page *page);
unsigned long alloctag_pieces_make(void);
int alloctag_pieces_come(unsigned long start, unsigned long end, int nid);
void alloctag_pieces_go(unsigned long start, unsigned long end,
			bool (*stay)(const u32 *words, unsigned long number));

/* The lock of the tables that allocations look things up in. */
bool alloctag_tables_lock(unsigned long *flags);
void alloctag_tables_unlock(unsigned long flags);
bool alloctag_in_nmi(void);

/* The lock of the table of contexts: src/platform/contexts/lock.c. */
bool alloctag_contexts_lock(unsigned long *flags);
void alloctag_contexts_unlock(unsigned long flags);

/* Which allocations are looked at: src/platform/countdown.c. */
enum { ALLOCTAG_COUNTDOWNS = 16 };
DECLARE_PER_CPU(s64, alloctag_countdowns[ALLOCTAG_COUNTDOWNS]);
bool alloctag_countdown(unsigned int index, size_t bytes);
bool alloctag_countdown_is_due(unsigned int index);
void alloctag_countdown_set(unsigned int index, s64 bytes);
void alloctag_countdown_set_on(unsigned int cpu, unsigned int index, s64 bytes);
u64 alloctag_countdown_random(void);
void alloctag_countdown_prepare(void);

/*
 * When the call sites of rules fail: src/platform/faults.c. What stands in the
 * bits of ALLOC_TAG_ARMING is the attribute of all rules that have none of their
 * own, or behind it one of those.
 */
enum { ALLOCTAG_SHARED_FAULTS = 1, ALLOCTAG_OWN_FAULTS = 125 };

struct alloctag_faults {
	u32 probability;
	u32 interval;
	u32 skip;
	/* 0 for no bound. */
	u32 times;
	bool task_filter;
};

int alloctag_fault_begin(unsigned int place, const struct alloctag_faults *wanted);
void alloctag_fault_mute(unsigned int place);
void alloctag_fault_end(unsigned int place);
bool alloctag_should_fail(const struct alloc_tag *tag, size_t size, gfp_t gfp);
void alloctag_trace_fault(const struct alloc_tag *tag, const char *file,
			  size_t length, size_t bytes, gfp_t gfp);

/* Whether something is done with calls of allocators: src/platform/calls.c. */
void alloctag_arm(bool on);

/*
 * Events: src/platform/events.c. What a call site is called, in names that need not
 * end with a zero; and what it was given: an object's address or a page's number.
 */
struct alloctag_site {
	const char *file;
	const char *function;
	const char *module;
	size_t file_length;
	size_t function_length;
	size_t module_length;
	u32 line;
	u32 account;
};

struct alloctag_object {
	const void *ptr;
	unsigned long pfn;
	size_t bytes_req;
	size_t bytes_alloc;
	u32 order;
	s32 nid;
};

void alloctag_trace_alloc(const struct alloctag_site *site,
			  const struct alloctag_object *object, gfp_t gfp);
void alloctag_trace_free(const struct alloctag_site *site,
			 const struct alloctag_object *object,
			 unsigned long call_site);
void alloctag_trace_fail(const struct alloctag_site *site, size_t bytes,
			 unsigned int order, gfp_t gfp, bool injected, bool again);
void alloctag_trace_stall(const struct alloctag_site *site, unsigned int cause,
			  u64 ns);
bool alloctag_is_to_be_charged(const struct kmem_cache *s, gfp_t flags);
const void *alloctag_object_address(const struct slab *slab, unsigned long offset);
unsigned long alloctag_page_number(const struct page *page);
/* Begin and end with those who look at events. */
void alloctag_names_get(void);
void alloctag_names_put(void);
void alloctag_traced_get(void);
void alloctag_traced_put(void);

/* The scheduler's clock: src/platform/clock.c. */
u64 alloctag_nanoseconds(void);

/*
 * The clock of what is timed: what time it is; how many nanoseconds have passed, and
 * what time it is by the same clock; and choosing it, if nobody else does meanwhile,
 * which may sleep: src/platform/ticks.c.
 */
u64 alloctag_now(void);
u64 alloctag_elapsed_here(u64 since);
u64 alloctag_passed(u64 since, u64 *now);
void alloctag_ticks_prepare(void);

/* What the current task may do: src/platform/credentials.c. */
bool alloctag_may_see_addresses(const struct file *file);
bool alloctag_may_administer(void);
bool alloctag_is_locked_down(void);

/* What contexts are told apart by: src/platform/task.c and stack.c. */
enum { ALLOCTAG_FRAMES = 16, ALLOCTAG_SYMBOL_LEN = KSYM_SYMBOL_LEN };
bool alloctag_is_interrupt(void);
u64 alloctag_seconds(void);
/* For all flags at once, and there are not even 32. */
enum { ALLOCTAG_GFP_NAMES_LEN = 512 };
unsigned int alloctag_gfp_names(u32 flags, char *names);
u32 alloctag_pid(void);
u64 alloctag_cgroup(void);
bool alloctag_has_cgroups(void);
int alloctag_cgroup_path(u64 id, char *path, size_t size);
void alloctag_tidy_in(unsigned int seconds);
void alloctag_tidy_ask(void);
int alloctag_stack_prepare(void);
void alloctag_stack_forget(struct module *module);
void alloctag_stack_end(void);
int alloctag_stack_names(void);
unsigned long alloctag_freed_by(void);
unsigned int alloctag_frames(u64 *frames, unsigned int room);
unsigned int alloctag_name(char *buffer, unsigned long address);

/* Rust's call sites: how their functions are found. */
unsigned int alloctag_stack(unsigned long *addresses, unsigned int room);
bool alloctag_symbol(unsigned long address, char *name);
unsigned long alloctag_mark(void);
#ifdef CONFIG_KMALLOC_PARTITION_CACHES
void *alloctag_krealloc_noprof(const void *object, size_t size,
			       unsigned long align, gfp_t flags, int node);
void *alloctag_kvrealloc_noprof(const void *object, size_t size,
				unsigned long align, gfp_t flags, int node);
#endif
struct page *alloctag_alloc_pages_noprof(gfp_t flags, unsigned int order);

#endif /* _ALLOCTAG_BINDINGS_H */
