/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hooks around an allocator's call, for call sites that are timed and
 * that no rule has fail; part of mm's allocators.
 */
#ifndef _ALLOCTAG_LATENCY_HOOKS_H
#define _ALLOCTAG_LATENCY_HOOKS_H

#include <alloctag/ticks.h>
#include <linux/alloc_tag.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

/**
 * struct alloctag_timing - a call of an allocator that is timed
 * @before: the current tag, as it was, with what stands beside its address
 * @since: when it began
 */
struct alloctag_timing {
	unsigned long before;
	u64 since;
};

#ifdef CONFIG_ALLOCTAG_LATENCY

/* Of @word, the current tag, which makes mere attempts from here on. */
static __always_inline void alloc_tag_timing_begin(struct alloctag_timing *timing,
						   unsigned long word)
{
	timing->before = word;
	current->alloc_tag = (void *)(word | ALLOC_TAG_MARK_ATTEMPT);
	timing->since = alloc_tag_ticks();
}

static __always_inline void alloc_tag_timing_end(struct alloctag_timing *timing)
{
	u64 ns = alloc_tag_elapsed(timing->since);

	rcu_read_lock();
	alloctag_timed((void *)(timing->before & ~ALLOC_TAG_MARK), ns);
	rcu_read_unlock();
	current->alloc_tag = (void *)timing->before;
}

#else /* CONFIG_ALLOCTAG_LATENCY */

static inline void alloc_tag_timing_begin(struct alloctag_timing *timing,
					  unsigned long word) {}
static inline void alloc_tag_timing_end(struct alloctag_timing *timing) {}

#endif /* CONFIG_ALLOCTAG_LATENCY */

#endif /* _ALLOCTAG_LATENCY_HOOKS_H */
