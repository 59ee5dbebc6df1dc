// SPDX-License-Identifier: GPL-2.0-only
/*
 * Asks for every record of /proc/allocinfo by its place and compares with those
 * that come one after the other, while the content id stays the same: once for
 * all of them, and once for those of the file that has most. Prints how many
 * there are; ends with 1 where one is not in its place.
 */
#include "ask.h"

static long is_in(long row, const struct allocinfo_filter *filter)
{
	return !filter->mask ||
	       !strcmp(rows[row].tag.filename, filter->fields.filename);
}

/* How many of all rows match, or minus the place of the first that differs. */
static long ask_for_each(int fd, const struct allocinfo_filter *filter)
{
	struct allocinfo_tag_data record;
	long place = 0;

	for (long row = 0; row < nr_rows; row++) {
		if (!is_in(row, filter))
			continue;
		if (ask(fd, filter, place, &record) ||
		    memcmp(&record.tag, &rows[row].tag, sizeof(record.tag)))
			return -place - 1;
		place++;
	}
	/* Behind the last there is none. */
	if (!ask(fd, filter, place, &record))
		return -place - 1;
	return place;
}

/* The file that has most rows; these need not lie side by side. */
static void choose(struct allocinfo_filter *filter)
{
	long most = 0;

	filter->mask = ALLOCINFO_FILTER_MASK_FILENAME;
	for (long row = 0; row < nr_rows; row++) {
		long same = 0;

		for (long other = row; other < nr_rows; other++)
			same += !strcmp(rows[row].tag.filename, rows[other].tag.filename);
		if (same > most) {
			most = same;
			filter->fields = rows[row].tag;
		}
	}
}

int main(void)
{
	struct allocinfo_filter all = { 0 }, file = { 0 };
	unsigned long long before;
	int fd = open_file();
	long found[2];

	/* Rows may come meanwhile, of code in Rust that allocates for the first time. */
	do {
		before = content_id(fd);
		read_rows(fd);
		choose(&file);
		found[0] = ask_for_each(fd, &all);
		found[1] = ask_for_each(fd, &file);
	} while (content_id(fd) != before);
	for (int i = 0; i < 2; i++) {
		if (found[i] < 0) {
			printf("no such record at %ld %s\n", -found[i] - 1,
			       i ? file.fields.filename : "");
			return 1;
		}
	}
	if (found[0] != nr_rows)
		return 1;
	printf("%ld, %ld in %s\n", found[0], found[1], file.fields.filename);
	return 0;
}
