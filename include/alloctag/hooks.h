/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The hooks: every Rust function that C calls, with what the caller owes.
 *
 * Those that count are called where mem_alloc_profiling_enabled(). None sleeps or
 * fails, but for what is said below, and what locks they take are raw ones.
 */
#ifndef _ALLOCTAG_HOOKS_H
#define _ALLOCTAG_HOOKS_H

#include <linux/types.h>

struct alloc_tag;
struct alloctag_totals;
struct kmem_cache;
struct module;
struct page;
struct slab;
union codetag_ref;

/* Boot: once, before the first page is given out. */
void alloc_tag_sec_init(void);
/* Boot: the argument of sysctl.vm.mem_profiling=; 0 or -EINVAL. */
int alloctag_boot_parameter(char *argument);
/* Boot: creates /proc/allocinfo and the sysctls; may sleep; 0 or an errno. */
int alloctag_surface_init(void);
/* Where the counters of a CPU begin, which are the last of its data. */
extern char __alloc_tag_counters[];
/* Where the per-CPU data end that every CPU has in this boot. */
char *alloctag_percpu_end(void);
/* Whether profiling can never be turned on before the next boot. */
bool mem_alloc_profiling_permanently_disabled(void);
/* Prints the ten biggest call sites; allocates nothing, sleeps never. */
#ifdef CONFIG_PRINTK
void alloctag_show_top_users(void);
#else
static inline void alloctag_show_top_users(void) {}
#endif

/*
 * Modules: before any code of @module runs, that of its parameters included. May
 * sleep; 0 or an errno, and it must not run then.
 */
int alloctag_module_coming(struct module *module);
/* Gives back the chunks of accounts that nobody needs; may sleep for long. */
void alloctag_chunks_reap(void);
/* Looks after contexts: gives back what nobody needs; may sleep for long. */
void alloctag_tidy(void);

/*
 * Of the hooks on the hot paths there are three sets: the plain ones know the
 * accounts of the dense rows, those called _detailed all, and those called _traced
 * tell tracers what they do as well. The inline hooks call whichever are in place:
 * <alloctag/hook_calls.h>. What else is called off the hot paths knows all accounts.
 */

/*
 * Where the array of struct pages would begin for the direct map's address 0:
 * what the inline hook of slab objects adds to a page's number.
 */
extern unsigned long alloctag_slab_bias;

/*
 * Slab objects. @offset is one more than the object's distance from the start of
 * its slab in bytes, @context the gfp mask with the slab's alloc flags 32 bits above it.
 * May allocate the slab's vector, as @context allows.
 */
void alloctag_slab_alloc(struct kmem_cache *s, struct slab *slab,
			 unsigned long offset, size_t orig_size,
			 struct alloc_tag *tag, u64 context);
void alloctag_slab_free(struct kmem_cache *s, struct slab *slab,
			unsigned long offset);
void alloctag_slab_alloc_detailed(struct kmem_cache *s, struct slab *slab,
				  unsigned long offset, size_t orig_size,
				  struct alloc_tag *tag, u64 context);
void alloctag_slab_free_detailed(struct kmem_cache *s, struct slab *slab,
				 unsigned long offset);
void alloctag_slab_alloc_traced(struct kmem_cache *s, struct slab *slab,
				unsigned long offset, size_t orig_size,
				struct alloc_tag *tag, u64 context);
void alloctag_slab_free_traced(struct kmem_cache *s, struct slab *slab,
			       unsigned long offset);
/* For CONFIG_MEM_ALLOC_PROFILING_DEBUG: uncounted, and that is no mistake. */
void alloctag_slab_mark_empty(struct kmem_cache *s, struct slab *slab,
			      unsigned long offset);
/* The object stays where it is and is asked for @size bytes from now on. */
void alloctag_slab_resize(struct kmem_cache *s, struct slab *slab,
			  unsigned long offset, size_t size);
/* For CONFIG_ALLOCTAG_KUNIT_TEST: bytes beyond those asked for. */
size_t alloctag_slab_slack(struct kmem_cache *s, struct slab *slab,
			   unsigned long offset);

/* Pages: 2^@order of them, of which @page is the head, asked for with @flags. */
void alloctag_page_alloc(struct page *page, struct alloc_tag *tag,
			 unsigned int order, gfp_t flags);
void alloctag_page_free(struct page *page, unsigned int order);
void alloctag_page_alloc_detailed(struct page *page, struct alloc_tag *tag,
				  unsigned int order, gfp_t flags);
void alloctag_page_free_detailed(struct page *page, unsigned int order);
void alloctag_page_alloc_traced(struct page *page, struct alloc_tag *tag,
				unsigned int order, gfp_t flags);
void alloctag_page_free_traced(struct page *page, unsigned int order);
/* The reference of a page, and taking all the others away while @page stays. */
u32 alloctag_page_reference(struct page *page);
void alloctag_page_free_tail(u32 reference, unsigned int order);
void alloctag_page_clear(struct page *page);
void alloctag_page_split(struct page *head, int old_order, int new_order);
void alloctag_page_swap(struct page *new, struct page *old);

/* Per-CPU areas, and whatever else keeps a reference of its own. */
void alloctag_ref_charge(union codetag_ref *ref, struct alloc_tag *tag,
			 size_t bytes);
void alloctag_ref_uncharge(union codetag_ref *ref, size_t bytes);

/*
 * The allocators for Rust code: charged to the line of @location, a Rust
 * Location, unless an alloc_hooks!() covers them.
 */
void *alloctag_krealloc(const void *object, size_t size, unsigned long align,
			gfp_t flags, int node, const void *location);
void *alloctag_kvrealloc(const void *object, size_t size, unsigned long align,
			 gfp_t flags, int node, const void *location);
void *alloctag_vrealloc(const void *object, size_t size, unsigned long align,
			gfp_t flags, int node, const void *location);
struct page *alloctag_alloc_pages(gfp_t flags, unsigned int order,
				  const void *location);

/*
 * For containers: a tag with the account of @tag that nobody frees. The account
 * may go to another call site once nothing is charged to it any more and the
 * module of @tag has gone, unless it is held: as often as alloctag_hold()
 * returned a tag, alloctag_release() is to be called with it. NULL for NULL, for
 * a tag without an account, and in an NMI. Take a raw spinlock for a moment;
 * alloctag_release() does not.
 */
struct alloc_tag *alloctag_record(struct alloc_tag *tag);
struct alloc_tag *alloctag_hold(struct alloc_tag *tag);
void alloctag_release(struct alloc_tag *tag);

/*
 * With CONFIG_ALLOCTAG_STATS. An allocator gives the current tag nothing of what it
 * has asked for; the failure that this context counted last was none; the current
 * tag makes mere attempts, until it is as it was before.
 */
void alloctag_failed(size_t bytes, unsigned int order, gfp_t flags);
void alloctag_retry(void);
struct alloc_tag *alloctag_attempt(void);
void alloctag_attempted(struct alloc_tag *before);
/* An object, or 2^@order pages, goes back as if it had never been given. */
void alloctag_slab_undo(struct kmem_cache *s, struct slab *slab,
			unsigned long offset);
void alloctag_page_undo(struct page *page, unsigned int order);
/* The pages' owner has @now bytes of them too many, *@slack so far. */
void alloctag_page_slack(struct page *first, unsigned long *slack,
			 unsigned long now);

/*
 * With CONFIG_ALLOCTAG_CALLS. Whether the call that the current tag makes has to
 * be asked for, not to be asked again within it; and whether one of @tag fails
 * that asks for so many bytes, as pages of an order or not, with such flags, and
 * that may wait for others if so, which is counted then.
 */
bool alloctag_asks(void);
bool alloctag_fails(struct alloc_tag *tag, size_t bytes, unsigned int order,
		    gfp_t flags, bool may_wait);

/*
 * With CONFIG_ALLOCTAG_EVENTS, for what the hooks cannot tell tracers: what a memcg
 * has taken upon it, of which they leave the event to these; per-CPU areas; and all
 * but the first of 2^@order pages, whose reference was read beforehand.
 */
void alloctag_slab_charged(struct kmem_cache *s, struct slab *slab,
			   unsigned long offset, size_t orig_size, gfp_t flags);
void alloctag_page_charged(struct page *page, unsigned int order, gfp_t flags);
void alloctag_area_given(const union codetag_ref *ref, const void *area,
			 size_t size, size_t bytes, gfp_t flags);
void alloctag_area_freed(const union codetag_ref *ref, const void *area,
			 size_t size, size_t bytes);
void alloctag_tail_freed(struct page *page, u32 reference, unsigned int order);

/* A call of @tag took so long. Called under RCU; without CONFIG_ALLOCTAG_LATENCY there is none. */
#ifdef CONFIG_ALLOCTAG_LATENCY
void alloctag_timed(struct alloc_tag *tag, u64 ns);
#else
static inline void alloctag_timed(struct alloc_tag *tag, u64 ns) {}
#endif

/* The totals of a call site, summed over CPUs. */
void alloctag_read(const struct alloc_tag *tag, struct alloctag_totals *totals);

#endif /* _ALLOCTAG_HOOKS_H */
