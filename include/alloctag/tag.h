/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The static data of a call site, shared by C, Rust and the linker script.
 */
#ifndef _ALLOCTAG_TAG_H
#define _ALLOCTAG_TAG_H

/* Bytes a tag, and the counters of one account on one CPU. */
#define ALLOC_TAG_SIZE			24
#ifdef CONFIG_ALLOCTAG_STATS
#define ALLOC_TAG_COUNTERS_SIZE		40
#else
#define ALLOC_TAG_COUNTERS_SIZE		16
#endif

/* Accounts 0 (none) and 1 (deliberately not counted) belong to no tag. */
#define ALLOC_TAG_RESERVED_ACCOUNTS	2

/*
 * Where tags of this layout lie in an object. The C core's lie in alloc_tags, so
 * each tag says for itself which headers its object was compiled with.
 */
#define ALLOC_TAG_SECTION_NAME		"alloctag"
#define ALLOC_TAG_OTHER_SECTION_NAME	"alloc_tags"
/* Where scripts/module.lds.S puts those of a module, whichever they are. */
#define ALLOC_TAG_MODULE_SECTION_NAME	".codetag.alloc_tags"

/*
 * What a module with tags says in its .modinfo, and the loader asks of it: to be
 * changed with the struct below.
 */
#define ALLOC_TAG_MODINFO		alloc_tags
#define ALLOC_TAG_LAYOUT		"24 bytes: filename, function, lineno, handle"

/* Accounts that are made at run time: for the tags of modules, above all. */
#define ALLOC_TAG_SPARE_ACCOUNTS	CONFIG_ALLOCTAG_SPARE_ACCOUNTS

/* Accounts of the call sites of Rust code that are met at run time. */
#ifdef CONFIG_ALLOCTAG_RUST_CALLERS
#define ALLOC_TAG_CALLERS_ORDER		CONFIG_ALLOCTAG_RUST_CALLERS_ORDER
/* The linker script has no BIT(). */
#define ALLOC_TAG_CALLERS		(0x1 << ALLOC_TAG_CALLERS_ORDER)
#else
#define ALLOC_TAG_CALLERS		0
#endif

/*
 * What stands in the low bits of current->alloc_tag beside the tag's address:
 * 0 where a call site put it there for itself, else the tag covers whatever
 * Rust code allocates that no tag further in claims, on the level of interrupts
 * of which this is the number plus 1: ALLOC_TAG_MARK_TASK for a task. Or else
 * it is a call site's own, for what may fail without being a failure.
 */
#define ALLOC_TAG_MARK			7
#define ALLOC_TAG_MARK_TASK		1
#define ALLOC_TAG_MARK_ATTEMPT		7

/* What stands in alloc_tag.lineno: the line, and beside it what is no line. */
#define ALLOC_TAG_LINE_BITS		23
#define ALLOC_TAG_LINE			0x007fffff
#define ALLOC_TAG_TIMED			0x00800000
#define ALLOC_TAG_ARMING		0x7f000000

#ifdef LINKER_SCRIPT
/*
 * The tags of the kernel, or of a module. Who walks them takes the section for
 * an array, so no link may make anything else of it.
 */
#define ALLOC_TAG_SECTION						\
	. = ALIGN(8);							\
	__start_alloc_tags = .;						\
	KEEP(*(alloctag))						\
	__stop_alloc_tags = .;						\
	ASSERT((__stop_alloc_tags - __start_alloc_tags) % ALLOC_TAG_SIZE == 0, \
	       "alloctag: not a whole number of tags: an object was compiled with a struct alloc_tag of other size or alignment");

/*
 * The counters of the built-in tags: one row for every CPU, dense and indexed
 * by handle, so that a free finds its counter without the tag and a reader
 * streams over them. Where there is one CPU, per-CPU data are ordinary data,
 * and what lies in the per-CPU section goes with the rest of init's.
 */
#define ALLOC_TAG_ROW_OF_COUNTERS					\
	. = ALIGN(64);							\
	__alloc_tag_counters = .;					\
	. += ((__stop_alloc_tags - __start_alloc_tags) / ALLOC_TAG_SIZE	\
	      + ALLOC_TAG_RESERVED_ACCOUNTS				\
	      + ALLOC_TAG_CALLERS					\
	      + ALLOC_TAG_SPARE_ACCOUNTS) * ALLOC_TAG_COUNTERS_SIZE;

#ifdef CONFIG_SMP
#define ALLOC_TAG_PERCPU_COUNTERS	ALLOC_TAG_ROW_OF_COUNTERS
#define ALLOC_TAG_DATA_COUNTERS
#define ALLOC_TAG_DATA_FILL
#else
#define ALLOC_TAG_PERCPU_COUNTERS
#define ALLOC_TAG_DATA_COUNTERS		ALLOC_TAG_ROW_OF_COUNTERS
#define ALLOC_TAG_DATA_FILL		= 0
#endif
#else /* LINKER_SCRIPT */

#include <linux/build_bug.h>
#include <linux/types.h>

/**
 * struct alloc_tag - one call site that allocates
 * @filename: path of the source file, relative to the tree
 * @function: the enclosing function
 * @lineno: the line, in %ALLOC_TAG_LINE_BITS bits; above it %ALLOC_TAG_TIMED,
 *	where it is measured how long calls take; in the bits of
 *	%ALLOC_TAG_ARMING, whether and when the call site is to fail; the top
 *	bit says that the account's totals are inaccurate
 * @handle: the account's name, given at boot or when the module is loaded, until
 *	then 0; above it, what rules say of its contexts and its objects' lives
 *
 * Lies in section alloctag, which is an array of these. Nothing on the hot
 * path writes to it.
 */
struct alloc_tag {
	const char *filename;
	const char *function;
	u32 lineno;
	u32 handle;
} __aligned(8);

static_assert(!IS_ENABLED(CONFIG_64BIT) ||
	      sizeof(struct alloc_tag) == ALLOC_TAG_SIZE);

/**
 * struct alloctag_counters - what one CPU has done for an account
 * @given: bytes that it allocated
 * @allocs: objects, pages or areas that it allocated
 * @taken: bytes that it took back
 * @frees: objects, pages or areas that it took back
 * @slack: what live slab objects have beyond what was asked for, as their
 *	references say it: in the bits above the handle
 * @bytes: without %CONFIG_ALLOCTAG_STATS, @given less @taken
 * @calls: without %CONFIG_ALLOCTAG_STATS, @allocs less @frees
 *
 * All wrap around. What one CPU allocates another may free, so only sums over
 * all CPUs have a meaning.
 */
struct alloctag_counters {
#ifdef CONFIG_ALLOCTAG_STATS
	u64 given;
	u64 allocs;
	u64 taken;
	u64 frees;
	u64 slack;
#else
	u64 bytes;
	u64 calls;
#endif
};

static_assert(sizeof(struct alloctag_counters) == ALLOC_TAG_COUNTERS_SIZE);

/**
 * struct alloctag_totals - what an account has, over all CPUs
 * @bytes: live bytes
 * @calls: live objects, pages or areas
 * @slack: of the live bytes, those that nobody asked for
 * @allocs: objects, pages or areas that were ever allocated
 * @frees: those of them that were taken back
 * @allocated: bytes that were ever allocated
 * @failed: how often there was nothing to allocate
 *
 * All but the first two are 0 without %CONFIG_ALLOCTAG_STATS.
 */
struct alloctag_totals {
	s64 bytes;
	u64 calls;
	s64 slack;
	u64 allocs;
	u64 frees;
	u64 allocated;
	u64 failed;
};

/**
 * union codetag_ref - where an object keeps its account
 * @ct: 0 for none, else the account's handle, and beside it for slab objects
 *	their slack, for pages their order; only the Rust model packs and
 *	unpacks it
 */
union codetag_ref {
	u32 ct;
};

#endif /* LINKER_SCRIPT */
#endif /* _ALLOCTAG_TAG_H */
