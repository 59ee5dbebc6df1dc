// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares what /proc/allocinfo says as a text with what its ioctls say: the
 * same rows in the same order, and the same totals wherever two readings of the
 * text, one before and one after, have the same; and every row of at least some
 * size where those of that size are asked for. See places.c for the form.
 */
#include "ask.h"

/* The whole text, with room for it to grow. */
#define TEXT	(1024 * 1024)

static char before[TEXT], after[TEXT];

/* Sizes that ever fewer rows have, so that ever more are passed over. */
static const __u64 sizes[] = { 4096, 65536, 1024 * 1024 };
#define SIZES	(sizeof(sizes) / sizeof(*sizes))

/* Which of all rows have come for a size. */
static bool came[SIZES][MAX_ROWS];

/* All by one open file, whose buffer is counted as well. */
static void read_text(int fd, char *text)
{
	size_t length = 0;
	ssize_t got;

	lseek(fd, 0, SEEK_SET);
	while ((got = read(fd, text + length, TEXT - 1 - length)) > 0)
		length += got;
	if (got < 0 || length == TEXT - 1)
		die("reading the text");
	text[length] = 0;
}

/* Cuts a line off; NULL at the end. */
static char *next_line(char **text)
{
	char *line = *text, *end = strchr(line, '\n');

	if (!end)
		return NULL;
	*end = 0;
	*text = end + 1;
	return line;
}

/* A record, as the text has it. Long names are cut in a record only. */
static void write_record(char *line, size_t size, const struct allocinfo_tag_data *record)
{
	const struct allocinfo_tag *tag = &record->tag;
	bool module = tag->modname[0];

	snprintf(line, size, "%12lld %8llu %s:%llu %s%s%sfunc:%s%s ",
		 (long long)record->counter.bytes,
		 (unsigned long long)record->counter.calls,
		 tag->filename, (unsigned long long)tag->lineno,
		 module ? "[" : "", tag->modname, module ? "] " : "",
		 tag->function, record->counter.accurate ? "" : " accurate:no");
}

/* Where the names begin: behind two numbers. */
static const char *names_of(const char *line)
{
	for (int numbers = 0; numbers < 2; numbers++) {
		while (*line == ' ')
			line++;
		while (*line && *line != ' ')
			line++;
	}
	return line;
}

/* Asks for the rows of each size. */
static void read_sizes(int fd)
{
	for (unsigned int i = 0; i < SIZES; i++) {
		struct allocinfo_filter filter = {
			.mask = ALLOCINFO_FILTER_MASK_MIN_SIZE,
			.min_size = sizes[i],
		};
		struct allocinfo_tag_data record;
		long number, result = ask(fd, &filter, 0, &record);

		for (; !result; result = get_next(fd, &record)) {
			number = number_of(&record);
			if (number >= 0)
				came[i][number] = true;
		}
	}
}

/* For how many sizes a row that has them did not come. */
static long left_out(const struct allocinfo_tag_data *record)
{
	long number = number_of(record), sum = 0;

	for (unsigned int i = 0; i < SIZES; i++)
		sum += record->counter.bytes >= sizes[i] && !came[i][number];
	return sum;
}

int main(void)
{
	long left_outs = 0, lines = 0, same_names = 0, steady = 0, same_totals = 0, negative = 0;
	char *first = before, *second = after, *line, *again;
	int fd = open_file();

	read_text(fd, before);
	read_rows(fd);
	read_sizes(fd);
	read_text(fd, after);
	for (int header = 0; header < 2; header++) {
		next_line(&first);
		next_line(&second);
	}
	while ((line = next_line(&first)) && (again = next_line(&second))) {
		char record[512];

		if (lines == nr_rows)
			break;
		write_record(record, sizeof(record), &rows[lines]);
		same_names += !strcmp(names_of(record), names_of(line));
		negative += rows[lines].counter.bytes >> 63;
		if (!strcmp(line, again)) {
			steady++;
			same_totals += !strcmp(line, record);
			left_outs += left_out(&rows[lines]);
		}
		lines++;
	}
	show_truth("the text has as many rows as there are records", lines == nr_rows && !line);
	show_truth("they name the same", same_names == lines);
	show_truth("most totals did not move meanwhile", steady * 10 > lines * 9);
	show_truth("and are the same", same_totals == steady);
	show_result("negative sizes", negative);
	show_result("left out of those of some size", left_outs);
	return 0;
}
