// SPDX-License-Identifier: GPL-2.0-only
/*
 * Instructions per row of reading /proc/allocinfo, under QEMU's -icount shift=0 (see count.h).
 * Prints a name, a tab, thousandths of an instruction.
 *
 * Every system call is timed by itself, in several passes over the file. The least that a call ever
 * took had no interrupt in it; the sum of these over the calls is the cost of a pass. It is divided
 * by the number of rows in the file, also where a filter lets few of them through: that is the cost
 * of asking about a row.
 *
 * Compiled with -include of the kernel's uapi/linux/alloc_tag.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../include/uapi/linux/alloctag.h"
#include "count.h"

#define FILE_NAME	"/proc/allocinfo"
#define PASSES		5
/* More than the calls of a pass: one for each row and one for the end. */
#define MAX_CALLS	65536
/* What a reader would take; seq_file hands out less. */
#define BUFFER_SIZE	65536
/* Lines before the first row. */
#define HEADER_LINES	2

static unsigned long long least[MAX_CALLS];
static unsigned long rows;
static char buffer[BUFFER_SIZE];

static void fail(const char *what)
{
	fprintf(stderr, "reader: %s: %s\n", what, strerror(errno));
	exit(1);
}

static void keep(unsigned long call, unsigned long long took)
{
	if (call >= MAX_CALLS) {
		errno = E2BIG;
		fail("calls in one pass");
	}
	if (!least[call] || took < least[call])
		least[call] = took;
}

/* What two readings of the clock have between them when nothing else is. */
static unsigned long long clock_cost(void)
{
	unsigned long long best = ~0ULL, before, took;

	for (int i = 0; i < 100; i++) {
		before = instructions();
		took = instructions() - before;
		if (took < best)
			best = took;
	}
	return best;
}

/* Every CPU has a counter of its own. */
static void stay_here(void)
{
	cpu_set_t first;

	CPU_ZERO(&first);
	CPU_SET(0, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		fail("sched_setaffinity");
}

/* A pass by read(). Counts the rows. Returns the number of calls. */
static unsigned long pass_text(int fd, const struct allocinfo_filter *unused)
{
	unsigned long calls = 0, lines = 0;
	unsigned long long before, after;
	ssize_t got;

	(void)unused;
	if (lseek(fd, 0, SEEK_SET))
		fail("lseek");
	do {
		before = instructions();
		got = read(fd, buffer, sizeof(buffer));
		after = instructions();
		if (got < 0)
			fail("read");
		keep(calls++, after - before);
		for (ssize_t i = 0; i < got; i++)
			lines += buffer[i] == '\n';
	} while (got);
	rows = lines - HEADER_LINES;
	return calls;
}

/* A pass by ioctl(). Returns the number of calls. */
static unsigned long pass_ioctl(int fd, const struct allocinfo_filter *filter)
{
	static struct allocinfo_get_at first;
	static struct allocinfo_tag_data next;
	unsigned long calls = 0;
	unsigned long long before, after;
	bool more;

	memset(&first, 0, sizeof(first));
	first.filter = *filter;
	do {
		before = instructions();
		if (calls)
			more = !ioctl(fd, ALLOCINFO_IOC_GET_NEXT, &next);
		else
			more = !ioctl(fd, ALLOCINFO_IOC_GET_AT, &first);
		after = instructions();
		keep(calls++, after - before);
	} while (more);
	if (errno != ENOENT)
		fail("ioctl");
	return calls;
}

/* A pass to the last match by one question. Returns the number of calls that it takes. */
static unsigned long pass_at(int fd, const struct allocinfo_filter *filter)
{
	static struct allocinfo_get_at question;
	static struct allocinfo_tag_data next;
	unsigned long matches = 0;
	unsigned long long before, after;
	bool more;

	memset(&question, 0, sizeof(question));
	question.filter = *filter;
	for (more = !ioctl(fd, ALLOCINFO_IOC_GET_AT, &question); more;
	     more = !ioctl(fd, ALLOCINFO_IOC_GET_NEXT, &next))
		matches++;
	question.pos = matches - 1;
	before = instructions();
	more = !ioctl(fd, ALLOCINFO_IOC_GET_AT, &question);
	after = instructions();
	/* One that is gone meanwhile was looked for as far. */
	if (!matches || (!more && errno != ENOENT))
		fail("ioctl");
	keep(0, after - before);
	return 1;
}

/* A pass by the ioctl that gives the numbers of many rows. Returns the number of calls. */
static unsigned long pass_numbers(int fd, const struct allocinfo_filter *unused)
{
	static struct alloctag_numbers records[BUFFER_SIZE / sizeof(struct alloctag_numbers)];
	struct alloctag_query query = {
		.record_size = sizeof(*records), .records = (unsigned long)records,
		.room = sizeof(records) / sizeof(*records),
	};
	unsigned long calls = 0;
	unsigned long long before, after;

	(void)unused;
	do {
		before = instructions();
		if (ioctl(fd, ALLOCTAG_IOC_NUMBERS, &query))
			fail("ioctl");
		after = instructions();
		keep(calls++, after - before);
	} while (query.count);
	return calls;
}

/* Whether this core has that ioctl. */
static bool has_numbers(void)
{
	struct alloctag_query query = { .record_size = sizeof(struct alloctag_numbers) };
	int fd = open(FILE_NAME, O_RDONLY);
	bool has = fd >= 0 && !ioctl(fd, ALLOCTAG_IOC_NUMBERS, &query);

	close(fd);
	return has;
}

typedef unsigned long (*pass_t)(int fd, const struct allocinfo_filter *filter);

static void measure(const char *name, pass_t pass, const struct allocinfo_filter *filter)
{
	unsigned long long total = 0, own = clock_cost();
	unsigned long calls = 0, again;
	int fd = open(FILE_NAME, O_RDONLY);

	if (fd < 0)
		fail(FILE_NAME);
	memset(least, 0, sizeof(least));
	for (int i = 0; i < PASSES; i++) {
		again = pass(fd, filter);
		if (calls && again != calls)
			fprintf(stderr, "reader: %s: %lu calls in one pass, %lu in another\n",
				name, calls, again);
		calls = again;
	}
	close(fd);
	for (unsigned long i = 0; i < calls; i++)
		total += least[i] - own;
	printf("%s\t%llu\n", name, total * 1000 / rows);
}

int main(void)
{
	const struct allocinfo_filter all = { .mask = 0 };
	/* A file that every kernel has call sites in. */
	const struct allocinfo_filter file = {
		.mask = ALLOCINFO_FILTER_MASK_FILENAME, .fields.filename = "kernel/fork.c",
	};
	/* A function of every kernel that has a network, behind most others. */
	const struct allocinfo_filter function = {
		.mask = ALLOCINFO_FILTER_MASK_FUNCTION,
		.fields.function = "sk_prot_alloc",
	};
	const struct allocinfo_filter large = {
		.mask = ALLOCINFO_FILTER_MASK_MIN_SIZE, .min_size = 1 << 20,
	};
	/* As nearly all are: a filter that says nothing of sizes, and many match. */
	const struct allocinfo_filter accurate = { .mask = ALLOCINFO_FILTER_MASK_INACCURATE };

	stay_here();
	measure("read-text", pass_text, &all);
	measure("read-ioctl", pass_ioctl, &all);
	measure("read-ioctl-file", pass_ioctl, &file);
	measure("read-ioctl-min-size", pass_ioctl, &large);
	measure("read-ioctl-at", pass_at, &all);
	measure("read-ioctl-at-file", pass_at, &file);
	measure("read-ioctl-at-function", pass_at, &function);
	measure("read-ioctl-at-min-size", pass_at, &large);
	measure("read-ioctl-at-accurate", pass_at, &accurate);
	if (has_numbers())
		measure("read-numbers", pass_numbers, &all);
	printf("setting/rows\t%lu\n", rows);
	return 0;
}
