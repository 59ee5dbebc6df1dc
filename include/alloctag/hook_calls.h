/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the inline hooks of slab objects and pages call the core: whichever set of
 * hooks is in place, by static calls where these are direct ones.
 *
 * An allocator that might make a call holds what it needs afterwards in
 * registers that survive one, and saves those for its own caller; or it reads
 * again from memory what the call might have changed. It does so where nothing
 * is counted, too. On x86-64 the compiler is told no more than the truth, by
 * assembly: which registers are lost, and of memory only what the allocator
 * looks at. Elsewhere these are the calls that they stand for.
 */
#ifndef _ALLOCTAG_HOOK_CALLS_H
#define _ALLOCTAG_HOOK_CALLS_H

#include <linux/sched.h>
#include <linux/types.h>

#ifdef CONFIG_HAVE_STATIC_CALL_INLINE

#include <linux/static_call.h>

DECLARE_STATIC_CALL(alloctag_slab_alloc, alloctag_slab_alloc);
DECLARE_STATIC_CALL(alloctag_slab_free, alloctag_slab_free);
DECLARE_STATIC_CALL(alloctag_page_alloc, alloctag_page_alloc);
DECLARE_STATIC_CALL(alloctag_page_free, alloctag_page_free);

#define alloc_tag_call(_hook, ...) static_call(_hook)(__VA_ARGS__)

#else /* CONFIG_HAVE_STATIC_CALL_INLINE */

#include <linux/jump_label.h>

DECLARE_STATIC_KEY_FALSE(alloctag_detailed_key);

#ifdef CONFIG_ALLOCTAG_EVENTS
/* Is enabled only while that one is. */
DECLARE_STATIC_KEY_FALSE(alloctag_traced_key);

#define alloc_tag_call_detailed(_hook, ...)				\
	(static_branch_unlikely(&alloctag_traced_key) ?			\
	 _hook##_traced(__VA_ARGS__) : _hook##_detailed(__VA_ARGS__))
#else
#define alloc_tag_call_detailed(_hook, ...)	_hook##_detailed(__VA_ARGS__)
#endif

#define alloc_tag_call(_hook, ...)					\
	(static_branch_unlikely(&alloctag_detailed_key) ?		\
	 alloc_tag_call_detailed(_hook, __VA_ARGS__) : _hook(__VA_ARGS__))

#endif /* CONFIG_HAVE_STATIC_CALL_INLINE */

/*
 * The current tag. On x86-64 read here and now: as a constant, current would
 * be fetched where the function begins and keep a register that must be saved.
 */
static __always_inline struct alloc_tag *alloc_tag_current(void)
{
#ifdef CONFIG_X86
	return this_cpu_read(current_task)->alloc_tag;
#else
	return current->alloc_tag;
#endif
}

/* User-mode Linux has a red zone below the stack, which a call would overwrite. */
#if defined(CONFIG_X86_64) && !defined(CONFIG_UML)

#include <asm/asm.h>

/* What objtool knows for a static call, to be had with its key. */
#define ALLOC_TAG_CALL(_hook) "call " STATIC_CALL_TRAMP_STR(_hook)

/*
 * What no register holds. A hook that warns, or that a checker watches, looks at
 * more memory than its own.
 */
#if defined(CONFIG_MEM_ALLOC_PROFILING_DEBUG) || \
	defined(CONFIG_KASAN) || defined(CONFIG_KCSAN)
#define ALLOC_TAG_BESIDES "cc", "memory"
#else
#define ALLOC_TAG_BESIDES "cc"
#endif

/* What a function may change that is told nothing in these registers. */
#define ALLOC_TAG_CLOBBERED						\
	"rax", "r8", "r9", "r10", "r11", ALLOC_TAG_BESIDES

/* Flags for a hook; widened here, and not for those who do not count. */
static __always_inline u64 alloc_tag_widened(gfp_t flags)
{
	u64 widened;

	asm("movl %[flags], %k[widened]"
	    : [widened] "=r" (widened) : [flags] "r" (flags));
	return widened;
}

/* The slab may get its vector here, hence "memory". */
static __always_inline void
alloc_tag_call_slab_alloc(struct kmem_cache *s, struct slab *slab,
			  unsigned long offset, size_t orig_size,
			  struct alloc_tag *tag, u64 context)
{
	register struct alloc_tag *r8 asm("r8") = tag;
	register u64 r9 asm("r9") = context;

	__STATIC_CALL_ADDRESSABLE(alloctag_slab_alloc);
	asm volatile(ALLOC_TAG_CALL(alloctag_slab_alloc)
		     : "+D" (s), "+S" (slab), "+d" (offset), "+c" (orig_size),
		       "+r" (r8), "+r" (r9), ASM_CALL_CONSTRAINT
		     : : "rax", "r10", "r11", "cc", "memory");
}

/*
 * Changes the object's reference and counters, which no allocator looks at; and
 * looks at what is settled as long as the slab has objects. Where it is written
 * for it, it leaves most registers alone: see src/hooks/slab/x86_64.rs.
 */
static __always_inline void
alloc_tag_call_slab_free(struct kmem_cache *s, struct slab *slab,
			 unsigned long offset)
{
	__STATIC_CALL_ADDRESSABLE(alloctag_slab_free);
#ifdef CONFIG_ALLOCTAG_SLAB_FREE_ASM
	asm volatile(ALLOC_TAG_CALL(alloctag_slab_free)
		     : "+d" (offset), ASM_CALL_CONSTRAINT
		     : "D" (s), "S" (slab)
		     : "rax", "rcx", ALLOC_TAG_BESIDES);
#else
	asm volatile(ALLOC_TAG_CALL(alloctag_slab_free)
		     : "+D" (s), "+S" (slab), "+d" (offset),
		       ASM_CALL_CONSTRAINT
		     : : "rcx", ALLOC_TAG_CLOBBERED);
#endif
}

/* The same of pages, whose reference may be among their flags. */
static __always_inline void
alloc_tag_call_page_alloc(struct page *page, struct alloc_tag *tag,
			  unsigned int order, gfp_t flags)
{
	__STATIC_CALL_ADDRESSABLE(alloctag_page_alloc);
	asm volatile(ALLOC_TAG_CALL(alloctag_page_alloc)
		     : "+m" (page->flags), "+D" (page), "+S" (tag),
		       "+d" (order), "+c" (flags), ASM_CALL_CONSTRAINT
		     : : ALLOC_TAG_CLOBBERED);
}

static __always_inline void
alloc_tag_call_page_free(struct page *page, unsigned int order)
{
	__STATIC_CALL_ADDRESSABLE(alloctag_page_free);
	asm volatile(ALLOC_TAG_CALL(alloctag_page_free)
		     : "+m" (page->flags), "+D" (page), "+S" (order),
		       ASM_CALL_CONSTRAINT
		     : : "rcx", "rdx", ALLOC_TAG_CLOBBERED);
}

#else /* CONFIG_X86_64 && !CONFIG_UML */

static __always_inline u64 alloc_tag_widened(gfp_t flags)
{
	return (__force u32)flags;
}

static __always_inline void
alloc_tag_call_slab_alloc(struct kmem_cache *s, struct slab *slab,
			  unsigned long offset, size_t orig_size,
			  struct alloc_tag *tag, u64 context)
{
	alloc_tag_call(alloctag_slab_alloc, s, slab, offset, orig_size, tag,
		       context);
}

static __always_inline void
alloc_tag_call_slab_free(struct kmem_cache *s, struct slab *slab,
			 unsigned long offset)
{
	alloc_tag_call(alloctag_slab_free, s, slab, offset);
}

static __always_inline void
alloc_tag_call_page_alloc(struct page *page, struct alloc_tag *tag,
			  unsigned int order, gfp_t flags)
{
	alloc_tag_call(alloctag_page_alloc, page, tag, order, flags);
}

static __always_inline void
alloc_tag_call_page_free(struct page *page, unsigned int order)
{
	alloc_tag_call(alloctag_page_free, page, order);
}

#endif /* CONFIG_X86_64 && !CONFIG_UML */

#endif /* _ALLOCTAG_HOOK_CALLS_H */
