/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What allocations wait for. A cause that is within one of a higher number is
 * the deeper one.
 */
#ifndef _ALLOCTAG_STALL_CAUSES_H
#define _ALLOCTAG_STALL_CAUSES_H

#define ALLOCTAG_STALL_RECLAIM		0
#define ALLOCTAG_STALL_COMPACTION	1
#define ALLOCTAG_STALL_OOM		2
/* The rest of the page allocator's slow path. */
#define ALLOCTAG_STALL_PAGES		3
/* A new slab, or objects for a sheaf. */
#define ALLOCTAG_STALL_SLAB		4
/* The per-CPU allocator's mutex, or pages for areas. */
#define ALLOCTAG_STALL_PERCPU		5
/* An area of vmalloc(). */
#define ALLOCTAG_STALL_VMALLOC		6
#define ALLOCTAG_STALL_CAUSES		7

#endif /* _ALLOCTAG_STALL_CAUSES_H */
