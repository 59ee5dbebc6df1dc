/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Allocation tags for C call sites: what <linux/alloc_tag.h> is where the Rust
 * core is configured.
 */
#ifndef _ALLOCTAG_ALLOC_TAG_H
#define _ALLOCTAG_ALLOC_TAG_H

#include <linux/bug.h>
#include <linux/codetag.h>
#include <linux/container_of.h>
#include <linux/preempt.h>
#include <asm/percpu.h>
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/static_key.h>
#include <linux/irqflags.h>

#include <alloctag/hooks.h>
#include <alloctag/tag.h>

/*
 * Aligned as variables, too: what only the type aligns, gcc may align further,
 * and an array with gaps is none (see __setup_param() in <linux/init.h>).
 */
#define DEFINE_ALLOC_TAG(_alloc_tag)					\
	static struct alloc_tag _alloc_tag				\
	__used __aligned(__alignof__(struct alloc_tag))			\
	__section(ALLOC_TAG_SECTION_NAME) = {				\
		.filename = __FILE__,					\
		.function = __func__,					\
		.lineno = __LINE__ & ALLOC_TAG_LINE,			\
	}

DECLARE_STATIC_KEY_MAYBE(CONFIG_MEM_ALLOC_PROFILING_ENABLED_BY_DEFAULT,
			 mem_alloc_profiling_key);

/*
 * Whatever the key begins with, who does not count pays for a nop: what counting
 * needs stands out of the way, with the moves between registers that it needs.
 */
static inline bool mem_alloc_profiling_enabled(void)
{
	return static_branch_unlikely(&mem_alloc_profiling_key);
}

/* Notes the current tag, for a container that allocates on others' behalf. */
#define alloc_tag_record(p)	((p) = alloctag_record(current->alloc_tag))

/*
 * The level of interrupts on which this runs, as interrupt_context_level() has
 * it. That asks the preemption counter, which on PREEMPT_RT knows nothing of
 * softirqs: there a task runs them and keeps count itself.
 */
#define alloc_tag_level()						\
	(interrupt_context_level() ?:					\
	 (IS_ENABLED(CONFIG_PREEMPT_RT) && in_serving_softirq()))

/* Whether a tag of Rust code covers what is allocated here without one. */
#define alloc_tag_is_covered()						\
	(((unsigned long)current->alloc_tag & ALLOC_TAG_MARK) ==		\
	 ALLOC_TAG_MARK_TASK + alloc_tag_level())

#ifdef CONFIG_MEM_ALLOC_PROFILING_DEBUG
/* As ALLOC_TAG_RESERVED_ACCOUNTS says: not counted, and that is no mistake. */
#define ALLOC_TAG_EMPTY		1
#else
#define ALLOC_TAG_EMPTY		0
#endif

static inline bool is_codetag_empty(union codetag_ref *ref)
{
	return IS_ENABLED(CONFIG_MEM_ALLOC_PROFILING_DEBUG) &&
	       ref->ct == ALLOC_TAG_EMPTY;
}

static inline void set_codetag_empty(union codetag_ref *ref)
{
	if (ref)
		ref->ct = ALLOC_TAG_EMPTY;
}

/* Charge and uncharge an object whose reference the caller has at hand. */
static inline void alloc_tag_add(union codetag_ref *ref, struct alloc_tag *tag,
				 size_t bytes)
{
	alloctag_ref_charge(ref, tag, bytes);
}

static inline void alloc_tag_sub(union codetag_ref *ref, size_t bytes)
{
	alloctag_ref_uncharge(ref, bytes);
}

/*
 * Evaluates an expression with @_tag as the current tag: what it allocates is
 * charged there, save where a tag further in takes over.
 */
#define alloc_hooks_tag(_tag, _do_alloc)				\
({									\
	typeof(_do_alloc) _res;						\
									\
	if (mem_alloc_profiling_enabled()) {				\
		struct alloc_tag * __maybe_unused _old;			\
									\
		_old = alloc_tag_save(_tag);				\
		_res = _do_alloc;					\
		alloc_tag_restore(_tag, _old);				\
	} else {							\
		_res = _do_alloc;					\
	}								\
	_res;								\
})

/* The same with a tag of its own, in the place where the macro is used. */
#define alloc_hooks(_do_alloc)						\
({									\
	DEFINE_ALLOC_TAG(_alloc_tag);					\
	alloc_hooks_tag(&_alloc_tag, _do_alloc);			\
})

/* The same for helpers of Rust code, whose own tag is but the last resort. */
#define alloc_hooks_uncovered(_do_alloc)				\
({									\
	typeof(_do_alloc) _uncovered;					\
									\
	if (mem_alloc_profiling_enabled() && alloc_tag_is_covered())	\
		_uncovered = _do_alloc;					\
	else								\
		_uncovered = alloc_hooks(_do_alloc);			\
	_uncovered;							\
})

#include <alloctag/failure_hooks.h>
#include <alloctag/slack_hooks.h>

#endif /* _ALLOCTAG_ALLOC_TAG_H */
