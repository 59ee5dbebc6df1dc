/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * How the table of questions is asked: over the kernel's nolibc, so that one
 * source makes a program of 64 bits and one of 32.
 */
#ifndef ALLOCTAG_ASK_H
#define ALLOCTAG_ASK_H

#include <linux/alloc_tag.h>

#define FILE_NAME	"/proc/allocinfo"
#define PAGE		4096
/* More than the kernel has call sites. */
#define MAX_ROWS	16384

/* What an answer is written as; the longest is a record. */
static char answer[512];

/* The names of the errors that may come; others are numbers. */
static const struct {
	int number;
	const char *name;
} errors[] = {
	{ EACCES, "EACCES" }, { EBADF, "EBADF" },   { EFAULT, "EFAULT" },
	{ EINVAL, "EINVAL" }, { EIO, "EIO" },	    { ENODEV, "ENODEV" },
	{ ENOENT, "ENOENT" }, { ENOTTY, "ENOTTY" }, { ESPIPE, "ESPIPE" },
};

/* A result of a system call as a reader wants it. */
static inline const char *said(long result)
{
	int number = errno;

	if (result >= 0) {
		snprintf(answer, sizeof(answer), "%ld", result);
		return answer;
	}
	for (unsigned int i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (errors[i].number == number)
			return errors[i].name;
	snprintf(answer, sizeof(answer), "errno %d", number);
	return answer;
}

static inline void show(const char *question, const char *text)
{
	printf("%s\t%s\n", question, text);
}

static inline void show_result(const char *question, long result)
{
	show(question, said(result));
}

static inline void show_truth(const char *question, bool truth)
{
	show(question, truth ? "yes" : "no");
}

static inline void die(const char *what)
{
	printf("%s: errno %d\n", what, errno);
	exit(2);
}

static inline int open_file(void)
{
	int fd = open(FILE_NAME, O_RDONLY);

	if (fd < 0)
		die(FILE_NAME);
	return fd;
}

static inline long get_id(int fd, void *id)
{
	return ioctl(fd, ALLOCINFO_IOC_CONTENT_ID, id);
}

static inline unsigned long long content_id(int fd)
{
	struct allocinfo_content_id id;

	if (get_id(fd, &id))
		die("the content id");
	return id.id;
}

static inline long get_at(int fd, void *question)
{
	return ioctl(fd, ALLOCINFO_IOC_GET_AT, question);
}

static inline long get_next(int fd, void *record)
{
	return ioctl(fd, ALLOCINFO_IOC_GET_NEXT, record);
}

/* The record at a place, by a filter or without. */
static inline long ask(int fd, const struct allocinfo_filter *filter,
		       __u64 pos, struct allocinfo_tag_data *record)
{
	struct allocinfo_get_at question = { .pos = pos };
	long result;

	if (filter)
		question.filter = *filter;
	result = get_at(fd, &question);
	*record = question.data;
	return result;
}

/* All records, as they come without a filter. */
static struct allocinfo_tag_data rows[MAX_ROWS];
static long nr_rows;

static inline void read_rows(int fd)
{
	long result = ask(fd, NULL, 0, &rows[0]);

	for (nr_rows = 0; !result && nr_rows < MAX_ROWS - 1; nr_rows++)
		result = get_next(fd, &rows[nr_rows + 1]);
	if (result != -1 || errno != ENOENT)
		die("reading all records");
}

/* Which of all records this one is, by its names. */
static inline long number_of(const struct allocinfo_tag_data *record)
{
	for (long i = 0; i < nr_rows; i++)
		if (!memcmp(&rows[i].tag, &record->tag, sizeof(record->tag)))
			return i;
	return -1;
}

/* A result, or of a record its number among all. */
static inline void show_number(const char *question, long result,
			       const struct allocinfo_tag_data *record)
{
	if (result)
		return show_result(question, result);
	snprintf(answer, sizeof(answer), "record %ld", number_of(record));
	show(question, answer);
}

/* A result, or of a record its names. */
static inline void show_names(const char *question, long result,
			      const struct allocinfo_tag_data *record)
{
	if (result)
		return show_result(question, result);
	snprintf(answer, sizeof(answer), "%s:%lld [%s] func:%s",
		 record->tag.filename, (long long)record->tag.lineno,
		 record->tag.modname, record->tag.function);
	show(question, answer);
}

/* How many records a filter lets through, or the error of the first. */
static inline long count(int fd, const struct allocinfo_filter *filter)
{
	struct allocinfo_tag_data record;
	long number = 0, result = ask(fd, filter, 0, &record);

	while (!result) {
		number++;
		result = get_next(fd, &record);
	}
	return number || errno == ENOENT ? number : result;
}

#endif /* ALLOCTAG_ASK_H */
