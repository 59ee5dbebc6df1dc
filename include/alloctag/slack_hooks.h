/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inline hook of what is made of whole pages although less was asked for:
 * large kmalloc() and vmalloc(). Their pages are charged as pages; here what
 * nobody asked for is told, and whoever owns the pages keeps how much it was.
 */
#ifndef _ALLOCTAG_SLACK_HOOKS_H
#define _ALLOCTAG_SLACK_HOOKS_H

#ifdef CONFIG_ALLOCTAG_STATS

/* For who would have to look for what it tells. */
static inline bool alloc_tag_counts_slack(void)
{
	return mem_alloc_profiling_enabled();
}

/* Of the pages of which @first is the first, @now bytes are slack; @slack were. */
static inline void alloc_tag_set_slack(struct page *first, unsigned long *slack,
				       unsigned long now)
{
	if (mem_alloc_profiling_enabled() && *slack != now)
		alloctag_page_slack(first, slack, now);
}

/*
 * The same pages are about to be freed. Also while nothing is counted: their
 * references stay behind then, and whoever has the pages next takes the bytes
 * away by them, but knows of no slack.
 */
static inline void alloc_tag_clear_slack(struct page *first, unsigned long *slack)
{
	if (unlikely(*slack))
		alloctag_page_slack(first, slack, 0);
}

#else /* CONFIG_ALLOCTAG_STATS */

#define alloc_tag_counts_slack()			false
/* Evaluates none of these: there may be no place for slack. */
#define alloc_tag_set_slack(_first, _slack, _now)	do {} while (0)
#define alloc_tag_clear_slack(_first, _slack)		do {} while (0)

#endif /* CONFIG_ALLOCTAG_STATS */

#endif /* _ALLOCTAG_SLACK_HOOKS_H */
