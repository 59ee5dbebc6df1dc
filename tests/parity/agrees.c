// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares what /proc/allocinfo says as a text with what its ioctls say: the
 * same rows in the same order, the same totals, and every row of at least some
 * size where those of that size are asked for. See places.c for the form.
 * Usage: agrees [ROUNDS]
 *
 * Totals move while they are read, and some come back to what they were, so that
 * a row may differ though two readings of the text have the same. But what the
 * one way of asking gets wrong it gets wrong every time: it is asked in rounds,
 * until every row has agreed in one of them.
 */
#include "ask.h"

/* The whole text, with room for it to grow. */
#define TEXT	(1024 * 1024)
/* No row moves in just the wrong moment of so many of them. */
#define ROUNDS	200

static char before[TEXT], after[TEXT];

/* Sizes that ever fewer rows have, so that ever more are passed over. */
static const __u64 sizes[] = { 4096, 65536, 1024 * 1024 };
#define SIZES	(sizeof(sizes) / sizeof(*sizes))

/* Which of all rows have come for a size, in this round. */
static bool came[SIZES][MAX_ROWS];

/* What has been right of a row in some round. */
static struct {
	bool totals, sizes;
} right[MAX_ROWS];

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
	memset(came, 0, sizeof(came));
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

/* Whether a row came for just the sizes that it has, as the first of its names. */
static bool came_for_its_sizes(long number)
{
	long first = number_of(&rows[number]);

	for (unsigned int i = 0; i < SIZES; i++) {
		bool has = false;

		/* Rows of the same names are one here. */
		for (long row = first; row < nr_rows; row++)
			if (!memcmp(&rows[row].tag, &rows[number].tag, sizeof(rows[row].tag)))
				has |= rows[row].counter.bytes >= sizes[i];
		if (has != came[i][first])
			return false;
	}
	return true;
}

/* A round in which no row comes or goes; nor has one since the round before, or all begins anew. */
static void read_round(int fd)
{
	static unsigned long long known;
	unsigned long long id;

	do {
		id = content_id(fd);
		if (id != known)
			memset(right, 0, sizeof(right));
		known = id;
		read_text(fd, before);
		read_rows(fd);
		read_sizes(fd);
		read_text(fd, after);
	} while (content_id(fd) != id);
}

/* The rows that were wrong to the end. */
static void show_wrong(long lines)
{
	for (long i = 0; i < lines; i++) {
		if (!right[i].totals)
			show_names("wrong totals", 0, &rows[i]);
		if (!right[i].sizes)
			show_names("wrong for its size", 0, &rows[i]);
	}
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atoi(argv[1]) : ROUNDS;
	long lines = 0, same_names = 0, wrong_totals, wrong_sizes, round = 0;
	bool negative, stays_negative = true;
	char *text, *again, *line;
	int fd = open_file();

	do {
		read_round(fd);
		text = before;
		again = after;
		for (int header = 0; header < 2; header++) {
			next_line(&text);
			next_line(&again);
		}
		negative = false;
		same_names = 0;
		wrong_totals = 0;
		wrong_sizes = 0;
		for (lines = 0; lines < nr_rows && (line = next_line(&text)); lines++) {
			char record[512], *then = next_line(&again);

			write_record(record, sizeof(record), &rows[lines]);
			same_names += !strcmp(names_of(record), names_of(line));
			negative |= rows[lines].counter.bytes >> 63;
			if (then && (!strcmp(line, record) || !strcmp(then, record)))
				right[lines].totals = true;
			if (!right[lines].sizes)
				right[lines].sizes = came_for_its_sizes(lines);
			wrong_totals += !right[lines].totals;
			wrong_sizes += !right[lines].sizes;
		}
		stays_negative &= negative;
	} while ((wrong_totals || wrong_sizes || stays_negative) && ++round < rounds);
	show_truth("the text has as many rows as there are records",
		   lines == nr_rows && !next_line(&text));
	show_truth("they name the same", same_names == lines);
	show_truth("they have the same totals", !wrong_totals);
	show_truth("they come for just the sizes that they have", !wrong_sizes);
	show_truth("no size stays negative", !stays_negative);
	show_wrong(lines);
	return 0;
}
