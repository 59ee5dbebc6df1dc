/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the edits to the allocators call, where the Rust core is not configured:
 * nothing.
 */
#ifndef _ALLOCTAG_NO_HOOKS_H
#define _ALLOCTAG_NO_HOOKS_H

#define alloc_tag_failed(_bytes, _order, _flags)	do {} while (0)
#define alloc_tag_failed_pages(_order, _flags)		do {} while (0)
#define alloc_tag_retry()				do {} while (0)
#define alloc_tag_attempt()				NULL
#define alloc_tag_attempted(_before)			((void)(_before))
#define alloc_tag_counts_slack()			false
/* Evaluates none of these: there may be no place for slack. */
#define alloc_tag_set_slack(_first, _slack, _now)	do {} while (0)
#define alloc_tag_clear_slack(_first, _slack)		do {} while (0)

#endif /* _ALLOCTAG_NO_HOOKS_H */
