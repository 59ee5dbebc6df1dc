// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbers [ROOM]: prints what /proc/allocinfo says of all call sites by its
 * ioctls, so many records at a time, as the file "sites" of debugfs has it; on
 * the last line, the content id.
 *
 * numbers --refused: prints what is said to questions that are no good, a line
 * for each.
 */

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "../../include/uapi/linux/alloctag.h"

#define MOST	65536
/* Words of a record, and bytes of one as it was before faults were counted. */
#define WORDS		(sizeof(struct alloctag_numbers) / 8)
#define FIRST_SIZE	offsetof(struct alloctag_numbers, injected)

static struct alloctag_names names[MOST];
static struct alloctag_numbers numbers[MOST];

/* Which numbers this kernel counts. */
static __u64 fields;

/* Reads all records, @room at a time. Returns how many there are. */
static unsigned int read_all(int fd, unsigned long request, void *records,
			     unsigned int size, unsigned int room, __u64 *id)
{
	struct alloctag_query query = { .record_size = size };
	unsigned int count = 0;

	do {
		query.room = room < MOST - count ? room : MOST - count;
		query.records = (unsigned long)records + (unsigned long)count * size;
		if (ioctl(fd, request, &query))
			err(1, "ioctl");
		if (query.count > query.room)
			errx(1, "%u records where there is room for %u",
			     query.count, query.room);
		if (!count)
			*id = query.content_id;
		fields = query.fields;
		count += query.count;
	} while (query.count == query.room && query.room);
	return count;
}

static void print(const struct alloctag_numbers *n, const struct alloctag_names *of)
{
	if (!n->allocs && !n->failed && !n->stalls)
		return;
	printf("%lld %lld %llu %llu %llu %llu %llu %llu ", n->bytes, n->slack,
	       n->calls, n->allocs, n->frees, n->allocated, n->failed,
	       n->injected);
	if (fields & ALLOCTAG_FIELD_STALLS)
		printf("%llu %llu %llu ", n->stalls, n->stall_ns,
		       n->stall_max_ns);
	printf("%s:%u ", of->file, of->line);
	if (of->module[0])
		printf("[%s] ", of->module);
	printf("func:%s\n", of->function);
}

static void print_all(int fd, unsigned int room)
{
	unsigned int count, named;
	__u64 id, id_of_names;

	named = read_all(fd, ALLOCTAG_IOC_NAMES, names, sizeof(*names), room,
			 &id_of_names);
	count = read_all(fd, ALLOCTAG_IOC_NUMBERS, numbers, sizeof(*numbers),
			 room, &id);
	if (count != named || id != id_of_names)
		errx(1, "%u records of numbers (content %llu), %u of names (content %llu)",
		     count, id, named, id_of_names);
	for (unsigned int i = 0; i < count; i++) {
		if (numbers[i].id != names[i].id)
			errx(1, "record %u has two ids", i);
		print(&numbers[i], &names[i]);
	}
	printf("%llu\n", id);
}

/* What a query of @size bytes is answered with. */
static void ask(int fd, const char *what, const void *query, unsigned int size)
{
	unsigned long request = _IOC(_IOC_READ | _IOC_WRITE, ALLOCTAG_IOC_TYPE,
				     16, size);
	char copy[256] = { 0 };

	memcpy(copy, query, size < 128 ? size : 128);
	printf("%s: %s\n", what,
	       ioctl(fd, request, copy) ? strerrorname_np(errno) : "taken");
}

static void print_refused(int fd)
{
	static __u64 longer[32];
	const unsigned int size = sizeof(struct alloctag_query);
	const struct alloctag_query good = { .room = 1, .record_size = sizeof(*numbers),
					     .records = (unsigned long)numbers };
	struct alloctag_query query = good;
	char grown[2 * sizeof(good)] = { 0 };

	ask(fd, "as it should be", &good, size);
	query.flags = 1;
	ask(fd, "an unknown flag", &query, size);
	query = good;
	query.record_size = FIRST_SIZE - 8;
	ask(fd, "a record that is too short", &query, size);
	query.record_size = sizeof(*numbers) + 4;
	ask(fd, "a record of no whole words", &query, size);
	ask(fd, "a query that is too short", &good, size - 8);
	memcpy(grown, &good, size);
	ask(fd, "a longer query of zeroes", grown, sizeof(grown));
	grown[sizeof(grown) - 1] = 1;
	ask(fd, "a longer query with something in it", grown, sizeof(grown));
	query = good;
	query.records = 8;
	ask(fd, "no memory for records", &query, size);
	query = good;
	query.cursor[0] = ~0ULL;
	query.cursor[1] = ~0ULL;
	ask(fd, "a place that is none", &query, size);

	memset(longer, 0xff, sizeof(longer));
	query = good;
	query.record_size = FIRST_SIZE;
	query.records = (unsigned long)longer;
	ask(fd, "a record of the first version", &query, size);
	printf("behind that: %s\n", ~longer[FIRST_SIZE / 8] ? "written" : "left");
	query = good;
	query.record_size = 2 * sizeof(*numbers);
	query.records = (unsigned long)longer;
	ask(fd, "a longer record", &query, size);
	printf("its rest: %s\n", longer[WORDS] || longer[2 * WORDS - 1] ? "left" : "zeroes");
	printf("behind it: %s\n", ~longer[2 * WORDS] ? "written" : "left");
}

int main(int argc, char **argv)
{
	int fd = open("/proc/allocinfo", O_RDONLY);

	if (fd < 0)
		err(1, "/proc/allocinfo");
	if (argc == 2 && !strcmp(argv[1], "--refused"))
		print_refused(fd);
	else
		print_all(fd, argc == 2 ? atoi(argv[1]) : MOST);
	return 0;
}
