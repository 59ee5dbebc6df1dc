/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * What /proc/allocinfo says to programs, beside its text and the ioctls of
 * <linux/alloc_tag.h>: all numbers of many call sites at a time.
 *
 * A reader asks for ALLOCTAG_IOC_NAMES once, and again when content_id has
 * changed; and for ALLOCTAG_IOC_NUMBERS as often as it likes. Records of both
 * belong together by their id.
 */
#ifndef _UAPI_LINUX_ALLOCTAG_H
#define _UAPI_LINUX_ALLOCTAG_H

#include <linux/ioctl.h>
#include <linux/types.h>

/**
 * struct alloctag_query - asks for the records of call sites
 * @flags: in: 0; bits that the kernel does not know are -EINVAL
 * @record_size: in: bytes of a record as the caller knows it, a multiple of 8;
 *	of a longer one the kernel fills the rest with zeroes, of a shorter one,
 *	but not shorter than that of the first version, it leaves out what was
 *	added since; at most 4096
 * @room: in: for how many records there is room at @records
 * @count: out: how many were written; none at the end, and fewer than @room
 *	there or where a signal came
 * @records: in: address of the records
 * @content_id: out: what changes when call sites come or go; as it was when
 *	the first record was taken
 * @fields: out: which numbers this kernel counts, by ALLOCTAG_FIELD_*: bit n
 *	is the n-th number behind the id
 * @cursor: in and out: the place behind the last record; zeroes are the
 *	beginning. It stays good while modules come and go: no call site that
 *	is there all the time is missed or seen twice.
 *
 * The size of the structure is part of the request's number and may grow. The
 * kernel takes what it does not know for zeroes; what is not is -E2BIG.
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
};

/* Bits of alloctag_query.fields. */
#define ALLOCTAG_FIELD_BYTES		(1 << 0)
#define ALLOCTAG_FIELD_CALLS		(1 << 1)
#define ALLOCTAG_FIELD_SLACK		(1 << 2)
#define ALLOCTAG_FIELD_ALLOCS		(1 << 3)
#define ALLOCTAG_FIELD_FREES		(1 << 4)
#define ALLOCTAG_FIELD_ALLOCATED	(1 << 5)
#define ALLOCTAG_FIELD_FAILED		(1 << 6)

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

/* Of the same type as those of <linux/alloc_tag.h>. */
#define ALLOCTAG_IOC_TYPE		0xA6
#define ALLOCTAG_IOC_NUMBERS		_IOWR(ALLOCTAG_IOC_TYPE, 16, struct alloctag_query)
#define ALLOCTAG_IOC_NAMES		_IOWR(ALLOCTAG_IOC_TYPE, 17, struct alloctag_query)

#endif /* _UAPI_LINUX_ALLOCTAG_H */
