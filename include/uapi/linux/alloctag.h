/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What /proc/allocinfo says to programs, beside its text and the ioctls of
 * <linux/alloc_tag.h>: all numbers of many call sites at a time, and what those
 * that rules have chosen are told apart by.
 *
 * A reader asks for ALLOCTAG_IOC_NAMES once, and again when content_id has
 * changed; and for ALLOCTAG_IOC_NUMBERS as often as it likes. Records of both
 * belong together by their id. ALLOCTAG_IOC_CONTEXTS gives what chosen call
 * sites have, by where it came from and for whom; and ALLOCTAG_IOC_FRAMES once
 * for each context the functions that called.
 */
#ifndef _UAPI_LINUX_ALLOCTAG_H
#define _UAPI_LINUX_ALLOCTAG_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct alloctag_query - asks for records
 * @flags: in: 0; bits that the kernel does not know are -EINVAL
 * @record_size: in: bytes of a record as the caller knows it, a multiple of 8;
 *	of a longer one the kernel fills the rest with zeroes, of a shorter one,
 *	but not shorter than that of the first version, it leaves out what was
 *	added since; at most 4096; others are -EINVAL
 * @room: in: for how many records there is room at @records
 * @count: out: how many were written; none means the end, while fewer than
 *	@room may be because of a signal
 * @records: in: address of the records
 * @content_id: out: what changes when call sites come or go; as it was when
 *	the first record was taken
 * @fields: out: which numbers of these records this kernel counts, by
 *	ALLOCTAG_FIELD_*: bit n is the n-th number behind the id
 * @cursor: in and out: the place behind the last record; zeroes are the
 *	beginning. It stays good while modules and contexts come and go: no
 *	call site or context that is there all the time is missed or seen
 *	twice.
 *
 * The size of the structure is part of the request's number and may grow. What
 * is behind the part that the kernel knows must be zeroes, or it is -E2BIG; less
 * than what stands here is -EINVAL.
 */
struct alloctag_query {
	__u32 flags;
	__u32 record_size;
	__u32 room;
	__u32 count;
	__aligned_u64 records;
	__aligned_u64 content_id;
	__aligned_u64 fields;
	__aligned_u64 cursor[2];
};

/**
 * struct alloctag_numbers - a record of ALLOCTAG_IOC_NUMBERS
 * @id: which call site, as long as content_id does not change
 * @bytes: live bytes; signed, because a free may be seen before its allocation
 * @calls: live objects, pages or areas
 * @slack: of the live bytes, those that nobody asked for
 * @allocs: how often it has allocated
 * @frees: how often that was freed; @allocs less @frees is @calls
 * @allocated: bytes that it has ever allocated
 * @failed: how often it was given nothing
 * @injected: how often of these because a rule said so
 * @stalls: how often it left the allocators' fast paths
 * @stall_ns: for how long altogether, in nanoseconds
 * @stall_max_ns: for how long at most
 */
struct alloctag_numbers {
	__aligned_u64 id;
	__s64 bytes;
	__aligned_u64 calls;
	__s64 slack;
	__aligned_u64 allocs;
	__aligned_u64 frees;
	__aligned_u64 allocated;
	__aligned_u64 failed;
	__aligned_u64 injected;
	__aligned_u64 stalls;
	__aligned_u64 stall_ns;
	__aligned_u64 stall_max_ns;
};

/* Bits of alloctag_query.fields. */
#define ALLOCTAG_FIELD_BYTES		(1 << 0)
#define ALLOCTAG_FIELD_CALLS		(1 << 1)
#define ALLOCTAG_FIELD_SLACK		(1 << 2)
#define ALLOCTAG_FIELD_ALLOCS		(1 << 3)
#define ALLOCTAG_FIELD_FREES		(1 << 4)
#define ALLOCTAG_FIELD_ALLOCATED	(1 << 5)
#define ALLOCTAG_FIELD_FAILED		(1 << 6)
#define ALLOCTAG_FIELD_INJECTED		(1 << 7)
#define ALLOCTAG_FIELD_STALLS		(1 << 8)
#define ALLOCTAG_FIELD_STALL_NS		(1 << 9)
#define ALLOCTAG_FIELD_STALL_MAX_NS	(1 << 10)

/* Bytes of names, with the zero behind them. */
#define ALLOCTAG_FILE_SIZE		256
#define ALLOCTAG_FUNCTION_SIZE		256
#define ALLOCTAG_MODULE_SIZE		64

/**
 * struct alloctag_names - a record of ALLOCTAG_IOC_NAMES
 * @id: which call site, as long as content_id does not change
 * @line: the line of the source file
 * @flags: ALLOCTAG_NAMES_*, which may come at any time
 * @file: the source file's path
 * @function: the function
 * @module: the module, empty for what is built in
 *
 * Of a name that is too long, the end is left out.
 */
struct alloctag_names {
	__aligned_u64 id;
	__u32 line;
	__u32 flags;
	char file[ALLOCTAG_FILE_SIZE];
	char function[ALLOCTAG_FUNCTION_SIZE];
	char module[ALLOCTAG_MODULE_SIZE];
};

/* Some of what the call site allocated could not be counted. */
#define ALLOCTAG_NAMES_INACCURATE	(1 << 0)

/* Bits of alloctag_context.keys: what is told of a context. */
#define ALLOCTAG_KEY_STACK		(1 << 0)
#define ALLOCTAG_KEY_CALLER		(1 << 1)
#define ALLOCTAG_KEY_COMM		(1 << 2)
#define ALLOCTAG_KEY_PID		(1 << 3)
#define ALLOCTAG_KEY_NODE		(1 << 4)
#define ALLOCTAG_KEY_CGROUP		(1 << 5)
#define ALLOCTAG_KEY_GFP		(1 << 6)
#define ALLOCTAG_KEY_ORDER		(1 << 7)
#define ALLOCTAG_KEY_AGE		(1 << 8)

/* An interrupt allocated: for no task, so there is no comm, pid nor cgroup. */
#define ALLOCTAG_CONTEXT_INTERRUPT	(1 << 0)
/*
 * No allocation that begins now finds it: its rule has gone, its call site or a
 * function of its stack, or its room was wanted. What is told apart likewise
 * from now on is another context.
 */
#define ALLOCTAG_CONTEXT_LEFT		(1 << 1)

/* Bytes of a task's name, with the zero behind it. */
#define ALLOCTAG_COMM_SIZE		16

/**
 * struct alloctag_context - a record of ALLOCTAG_IOC_CONTEXTS
 * @id: which context. No other one of the next 2^32 has the same, and never two
 *	at a time; what is told apart likewise and comes when this one has
 *	gone has another id. The lower half is its number in the text, which
 *	another one may have later.
 * @bytes: live bytes
 * @calls: live objects, pages or areas
 * @slack: of the live bytes, those that nobody asked for
 * @allocs: how often it has allocated
 * @frees: how often that was freed
 * @allocated: bytes that it has ever allocated
 * @site: the id of the call site in ALLOCTAG_IOC_NAMES, as long as content_id
 *	does not change; 0 if that has gone
 * @keys: what is told of it, by ALLOCTAG_KEY_*; what is not told is 0 below.
 *	Of a bit that a reader does not know, the value is behind this version
 *	of the structure.
 * @rule: the number of the rule that has chosen the call site
 * @flags: ALLOCTAG_CONTEXT_*, which may come at any time
 * @frames: how many records of ALLOCTAG_IOC_FRAMES it has
 * @pid: the process, in the first pid namespace
 * @node: the node where the memory lies; -1 for what lies on several
 * @order: the order of the pages
 * @gfp: the flags of the allocation, as this kernel numbers them; all ones
 *	where they are not known
 * @reserved: 0
 * @cgroup: the id of the cgroup that memory is charged to
 * @every: in bytes, how far apart allocations are that are looked at, on
 *	average, and for which the numbers are estimates; 0 for all of them
 * @age_from: how many seconds ago it was allocated, at least
 * @age_to: the same, at most; all ones for no limit
 * @comm: the name of the task
 */
struct alloctag_context {
	__aligned_u64 id;
	__s64 bytes;
	__aligned_u64 calls;
	__s64 slack;
	__aligned_u64 allocs;
	__aligned_u64 frees;
	__aligned_u64 allocated;
	__aligned_u64 site;
	__aligned_u64 keys;
	__u32 rule;
	__u32 flags;
	__u32 frames;
	__u32 pid;
	__s32 node;
	__u32 order;
	__u32 gfp;
	__u32 reserved;
	__aligned_u64 cgroup;
	__aligned_u64 every;
	__aligned_u64 age_from;
	__aligned_u64 age_to;
	char comm[ALLOCTAG_COMM_SIZE];
};

/* Bytes of a symbol, with the zero behind it. */
#define ALLOCTAG_SYMBOL_SIZE		512

/**
 * struct alloctag_frame - a record of ALLOCTAG_IOC_FRAMES
 * @context: the id of the context
 * @place: 0 for the call site's function, 1 for the one that called it, and so
 *	on; a context that is told apart by its caller alone has no other
 * @offset: how far into the function the call returns, in bytes; for a function
 *	that was interrupted, one more than where. So the byte before is always
 *	one of what it was at, on machines that tell the two apart (x86).
 * @size: how long the function is, in bytes
 * @flags: 0
 * @function: the function; empty if it is not known
 * @module: the module, empty for what is built in
 *
 * Each frame is a record, by its name and never by its address: so names
 * cannot grow out of a record that also has numbers, contexts can be read
 * often without looking a name up, and whoever may read one and not the other
 * asks for the one. As long as there is a context of an id, it has as many
 * frames, of the same functions, so they need to be asked for once. Their names
 * may be lost when their code goes: who asks later may find @function empty. To
 * begin with the frames of a context, set alloctag_query.cursor[0] to its id
 * shifted left by 32, and cursor[1] to 0.
 *
 * -EPERM for those to whom /proc/kallsyms shows no addresses, when the file was
 * opened or now.
 */
struct alloctag_frame {
	__aligned_u64 context;
	__u32 place;
	__u32 offset;
	__u32 size;
	__u32 flags;
	char function[ALLOCTAG_SYMBOL_SIZE];
	char module[ALLOCTAG_MODULE_SIZE];
};

/* What is measured, by call site: alloctag_histogram.kind. */
#define ALLOCTAG_HISTOGRAM_RECLAIM	0
#define ALLOCTAG_HISTOGRAM_COMPACTION	1
#define ALLOCTAG_HISTOGRAM_OOM		2
#define ALLOCTAG_HISTOGRAM_PAGES	3
#define ALLOCTAG_HISTOGRAM_SLAB		4
#define ALLOCTAG_HISTOGRAM_PERCPU	5
#define ALLOCTAG_HISTOGRAM_VMALLOC	6
#define ALLOCTAG_HISTOGRAM_LATENCY	7
#define ALLOCTAG_HISTOGRAM_LIFETIMES	8
#define ALLOCTAG_HISTOGRAM_AGES		9

/* Of all call sites for which there was no histogram left; @id is 0. */
#define ALLOCTAG_HISTOGRAM_SHARED	(1 << 0)

/* One for each binary logarithm of nanoseconds. */
#define ALLOCTAG_HISTOGRAM_BUCKETS	40

/**
 * struct alloctag_histogram - a record of ALLOCTAG_IOC_HISTOGRAMS
 * @id: the id of the call site in ALLOCTAG_IOC_NAMES, as long as content_id does
 *	not change; 0 if that has gone
 * @kind: ALLOCTAG_HISTOGRAM_*: how long allocations stalled, by what they waited
 *	for; how long those of rules with +l took; how long what was allocated
 *	lived, of rules with +s; and how old those of these are that live
 * @flags: ALLOCTAG_HISTOGRAM_SHARED or 0
 * @count: how many there were
 * @ns: nanoseconds of all together
 * @min_ns: of the shortest
 * @max_ns: of the longest
 * @lost: of lifetimes, how many could not be looked at
 * @reserved: 0
 * @buckets: how many there were of 2^n nanoseconds or more, and less than
 *	2^(n+1); the first has those of none as well, and the last those that are
 *	longer. A bucket that has 2^32 - 1 stays as it is.
 *
 * In alloctag_query.fields, bit n says that the kernel measures kind n.
 */
struct alloctag_histogram {
	__aligned_u64 id;
	__u32 kind;
	__u32 flags;
	__aligned_u64 count;
	__aligned_u64 ns;
	__aligned_u64 min_ns;
	__aligned_u64 max_ns;
	__aligned_u64 lost;
	__aligned_u64 reserved;
	__aligned_u64 buckets[ALLOCTAG_HISTOGRAM_BUCKETS];
};

/**
 * struct alloctag_text - rules, as text
 * @flags: in: of ALLOCTAG_IOC_OBEY, %ALLOCTAG_TEXT_OWNED or 0; else 0; bits that
 *	the kernel does not know are -EINVAL
 * @size: in: bytes at @text
 * @text: in: address of the text
 * @length: out: of ALLOCTAG_IOC_RULES, how long the text is. Where that is more
 *	than @size, its beginning is there.
 *
 * ALLOCTAG_IOC_RULES gives what /sys/kernel/debug/alloctag/control shows: a line
 * with the version, one with the names of columns, and one for each rule.
 * ALLOCTAG_IOC_OBEY takes what can be written there, a list of rules that holds
 * whole or not at all. It asks for CAP_SYS_ADMIN (-EPERM); what is wrong with a
 * rule (-EINVAL, -ENOENT, -ENOSPC) is in the log, and more than 4096 bytes are
 * -E2BIG. Under a lockdown that keeps everybody from debugfs, no rule may have
 * allocations fail (-EPERM).
 */
struct alloctag_text {
	__u32 flags;
	__u32 size;
	__aligned_u64 text;
	__aligned_u64 length;
};

/*
 * The rules that this adds belong to the open file and go with it, when it is
 * closed for the last time: open it with O_CLOEXEC, lest a child keeps them.
 */
#define ALLOCTAG_TEXT_OWNED		(1 << 0)

/* Of the same type as those of <linux/alloc_tag.h>. */
#define ALLOCTAG_IOC_TYPE		0xA6
#define ALLOCTAG_IOC_NUMBERS		_IOWR(ALLOCTAG_IOC_TYPE, 16, struct alloctag_query)
#define ALLOCTAG_IOC_NAMES		_IOWR(ALLOCTAG_IOC_TYPE, 17, struct alloctag_query)
#define ALLOCTAG_IOC_CONTEXTS		_IOWR(ALLOCTAG_IOC_TYPE, 18, struct alloctag_query)
#define ALLOCTAG_IOC_FRAMES		_IOWR(ALLOCTAG_IOC_TYPE, 19, struct alloctag_query)
#define ALLOCTAG_IOC_RULES		_IOWR(ALLOCTAG_IOC_TYPE, 20, struct alloctag_text)
#define ALLOCTAG_IOC_OBEY		_IOWR(ALLOCTAG_IOC_TYPE, 21, struct alloctag_text)

/*
 * Returns once all is freed, and so counted as such, that was to be after a grace
 * period (call_rcu(), kfree_rcu()) and was given to RCU before, and areas that were
 * given to vfree(); but what describes these (struct vmap_area) may be kept for the
 * next ones, until caches are dropped. Some of that would wait for ever otherwise, as
 * long as nobody frees more of the same kind. Rarely, an area that RCU gave to
 * vfree() is still on its way. Asks for CAP_SYS_ADMIN (-EPERM).
 */
#define ALLOCTAG_IOC_SETTLE		_IO(ALLOCTAG_IOC_TYPE, 22)

/*
 * How long allocations waited, how long they took, and how long what they gave
 * lived. -ENOTTY without CONFIG_ALLOCTAG_STALLS.
 */
#define ALLOCTAG_IOC_HISTOGRAMS		_IOWR(ALLOCTAG_IOC_TYPE, 23, struct alloctag_query)

#endif /* _UAPI_LINUX_ALLOCTAG_H */
