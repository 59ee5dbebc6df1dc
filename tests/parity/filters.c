// SPDX-License-Identifier: GPL-2.0-only
/*
 * filters MODULE: asks /proc/allocinfo for records by every kind of filter and
 * prints each question with its answer, a tab between; see places.c.
 *
 * MODULE is loaded and has call sites. Its first is in a file and a function
 * whose names are longer than a record has room for.
 */
#include "ask.h"

/* A call site in a file that no core needs to edit. */
#define FUNCTION	"dup_mm"
#define SOURCE		"kernel/fork.c"

static int fd;
static const char *module;

static struct allocinfo_filter by(__u64 mask)
{
	return (struct allocinfo_filter){ .mask = mask };
}

static struct allocinfo_filter by_function(const char *name)
{
	struct allocinfo_filter filter = by(ALLOCINFO_FILTER_MASK_FUNCTION);

	snprintf(filter.fields.function, ALLOCINFO_STR_SIZE, "%s", name);
	return filter;
}

static struct allocinfo_filter by_file(const char *name)
{
	struct allocinfo_filter filter = by(ALLOCINFO_FILTER_MASK_FILENAME);

	snprintf(filter.fields.filename, ALLOCINFO_STR_SIZE, "%s", name);
	return filter;
}

static struct allocinfo_filter by_module(const char *name)
{
	struct allocinfo_filter filter = by(ALLOCINFO_FILTER_MASK_MODNAME);

	snprintf(filter.fields.modname, ALLOCINFO_STR_SIZE, "%s", name);
	return filter;
}

/* The first record that passes, by its names. */
static void show_first(const char *question, const struct allocinfo_filter *filter)
{
	struct allocinfo_tag_data record;

	show_names(question, ask(fd, filter, 0, &record), &record);
}

/* The result of the first question alone. */
static void show_answer(const char *question, const struct allocinfo_filter *filter)
{
	struct allocinfo_tag_data record;

	show_result(question, ask(fd, filter, 0, &record));
}

static void ask_by_names(void)
{
	struct allocinfo_filter filter = by_function(FUNCTION);

	show_first("a function", &filter);
	show_result("its records", count(fd, &filter));
	memset(filter.fields.function + sizeof(FUNCTION), 'x',
	       ALLOCINFO_STR_SIZE - sizeof(FUNCTION));
	show_first("a function with something behind its zero", &filter);
	filter.fields.function[sizeof(FUNCTION) - 1] = 'x';
	show_answer("a function without a zero", &filter);
	filter = by_function("dup_m");
	show_answer("a function's beginning", &filter);
	filter = by_function("up_mm");
	show_answer("a function's end", &filter);
	filter = by_function("DUP_MM");
	show_answer("a function in capitals", &filter);
	filter = by_function("");
	show_answer("a function without a name", &filter);

	filter = by_file(SOURCE);
	show_first("a file", &filter);
	show_result("its records", count(fd, &filter));
	filter = by_file("fork.c");
	show_answer("a file without its directory", &filter);
	filter = by_file("./" SOURCE);
	show_answer("a file by another path", &filter);
	filter = by_file("");
	show_answer("a file without a name", &filter);
	memset(filter.fields.filename, 'a', ALLOCINFO_STR_SIZE);
	show_answer("a file without a zero", &filter);
}

static void ask_by_line(void)
{
	struct allocinfo_filter filter = by_function(FUNCTION);
	struct allocinfo_tag_data record;

	ask(fd, &filter, 0, &record);
	filter.mask |= ALLOCINFO_FILTER_MASK_LINENO;
	filter.fields.lineno = record.tag.lineno;
	show_first("a function and its line", &filter);
	filter.fields.lineno++;
	show_answer("a function and the line behind", &filter);
	filter.fields.lineno = 0;
	show_answer("a function and line 0", &filter);
	filter.fields.lineno = record.tag.lineno | 1ULL << 32;
	show_answer("a function and its line with bit 32", &filter);
	filter = by(ALLOCINFO_FILTER_MASK_LINENO);
	show_answer("line 0", &filter);
	filter.fields.lineno = ~0ULL;
	show_answer("the highest line", &filter);
}

static void ask_by_module(void)
{
	struct allocinfo_filter filter = by_module(module);
	struct allocinfo_tag_data record;
	long of_module = count(fd, &filter), others;
	bool builtin = true;
	long result;

	show_result("a module's records", of_module);
	filter = by_module("");
	others = count(fd, &filter);
	show_truth("all others are of no module", of_module + others == nr_rows);
	result = ask(fd, &filter, 0, &record);
	while (!result) {
		builtin &= !record.tag.modname[0];
		result = get_next(fd, &record);
	}
	show_truth("and say so", builtin);
	filter = by_module("no_such_module");
	show_answer("a module that there is not", &filter);
	filter = by_module(module);
	filter.fields.modname[strlen(module) - 1] = 0;
	show_answer("a module's beginning", &filter);
	memset(filter.fields.modname, 'a', ALLOCINFO_STR_SIZE);
	show_answer("a module without a zero", &filter);
}

/* Of names that are too long, the end is given and asked for. */
static void ask_by_long_names(void)
{
	struct allocinfo_filter filter = by_module(module);
	struct allocinfo_tag_data record;

	show_names("a record with long names", ask(fd, &filter, 0, &record), &record);
	show_result("as much of the file as there is room", strlen(record.tag.filename));
	show_result("as much of the function", strlen(record.tag.function));
	filter = by_file(record.tag.filename);
	show_answer("a file by its last 63 characters", &filter);
	filter = by_file(record.tag.filename + 1);
	show_answer("a file by its last 62", &filter);
	filter = by_function(record.tag.function);
	show_answer("a function by its last 63 characters", &filter);
}

/* Whether all that pass are within the sizes, and that there are some. */
static bool all_within(const struct allocinfo_filter *filter, __u64 min, __u64 max)
{
	struct allocinfo_tag_data record;
	long result = ask(fd, filter, 0, &record);
	bool within = !result;

	while (!result) {
		within &= record.counter.bytes >= min && record.counter.bytes <= max;
		result = get_next(fd, &record);
	}
	return within;
}

static void ask_by_size(void)
{
	struct allocinfo_filter filter = by(ALLOCINFO_FILTER_MASK_MIN_SIZE);
	struct allocinfo_tag_data record;

	filter.min_size = PAGE;
	show_truth("at least a page", all_within(&filter, PAGE, ~0ULL));
	filter.min_size = ~0ULL;
	show_answer("at least all that a number can say", &filter);
	filter.min_size = 1ULL << 63;
	show_answer("at least what would be negative", &filter);
	filter = by(ALLOCINFO_FILTER_MASK_MAX_SIZE);
	show_truth("at most nothing", all_within(&filter, 0, 0));
	filter.min_size = 2;
	filter.max_size = 1;
	show_truth("at most a byte, beside a least that does not count",
		   all_within(&filter, 0, 1));
	filter.mask = ALLOCINFO_FILTER_MASK_MIN_SIZE;
	show_truth("at least two bytes, beside a most that does not count",
		   all_within(&filter, 2, ~0ULL));
	filter.mask |= ALLOCINFO_FILTER_MASK_MAX_SIZE;
	show_answer("at least 2, at most 1", &filter);
	filter.max_size = PAGE;
	show_truth("at least 2, at most a page", all_within(&filter, 2, PAGE));
	filter.min_size = PAGE;
	show_truth("exactly a page", all_within(&filter, PAGE, PAGE));
	filter.min_size = ~0ULL;
	filter.max_size = ~0ULL;
	show_answer("exactly all that a number can say", &filter);
	show_result("what is refused leaves the last filter", get_next(fd, &record));
}

static void ask_by_accuracy(void)
{
	struct allocinfo_filter filter = by(ALLOCINFO_FILTER_MASK_INACCURATE);
	long accurate = count(fd, &filter), inaccurate;

	filter.inaccurate = 1;
	inaccurate = count(fd, &filter);
	show_truth("a record is accurate or inaccurate", accurate + inaccurate == nr_rows);
	show_truth("there are inaccurate ones", inaccurate > 0);
	filter.inaccurate = 2;
	show_truth("2 asks for the inaccurate as well", count(fd, &filter) == inaccurate);
}

static void ask_by_mask(void)
{
	struct allocinfo_filter filter = by_function(FUNCTION);
	struct allocinfo_tag_data record;
	unsigned int bit, refused = 0;

	for (bit = __ALLOCINFO_FILTER_LAST + 1; bit < 64; bit++) {
		filter.mask = ALLOCINFO_FILTER_MASK_FUNCTION | 1ULL << bit;
		refused += ask(fd, &filter, 0, &record) && errno == EINVAL;
	}
	show_result("unknown bits of the mask that are refused", refused);
	filter.mask = ~0ULL;
	show_answer("all bits of the mask", &filter);
	filter.mask = 0;
	show_truth("a filter without a mask is none", count(fd, &filter) == nr_rows);

	filter = by_function(FUNCTION);
	ask(fd, &filter, 0, &record);
	filter.mask = ALLOCINFO_FILTER_MASKS;
	filter.fields = record.tag;
	filter.max_size = ~0ULL;
	filter.inaccurate = !record.counter.accurate;
	show_first("all known bits at once", &filter);
	filter.fields.filename[0]++;
	show_answer("all of them, one of which does not pass", &filter);

	filter = by_file(SOURCE);
	ask(fd, &filter, 1, &record);
	show_names("the second record of a file", 0, &record);
	show_names("the next of that file", get_next(fd, &record), &record);
	filter.mask = 1ULL << 40;
	show_answer("then a filter that is refused", &filter);
	show_names("leaves the one before", get_next(fd, &record), &record);
	ask(fd, NULL, 2, &record);
	show_number("a question without a filter ends it", get_next(fd, &record), &record);
}

/* Bytes that no name and no number takes up. */
static void look_at_padding(void)
{
	struct allocinfo_get_at question;
	struct allocinfo_tag_data record;
	const struct allocinfo_tag *tag = &question.data.tag;
	bool zero = true;

	memset(&question, 0xaa, sizeof(question));
	question.pos = 0;
	question.filter = by_function(FUNCTION);
	show_result("a question whose answer was full of something", get_at(fd, &question));
	for (size_t i = strlen(tag->function); i < ALLOCINFO_STR_SIZE; i++)
		zero &= !tag->function[i];
	for (size_t i = strlen(tag->filename); i < ALLOCINFO_STR_SIZE; i++)
		zero &= !tag->filename[i];
	show_truth("behind names there are zeroes", zero);
	show_truth("of no module, that is all there is", !tag->modname[0]);
	show_truth("in a name that is not there, too", !tag->modname[1]);
	show_truth("in the padding, too", !question.data.counter.pad[6]);
	memset(&record, 0xaa, sizeof(record));
	ask(fd, NULL, 4, &record);
	get_next(fd, &record);
	show_truth("the next record has zeroes there", !record.tag.modname[1] &&
		   !record.counter.pad[6]);
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		printf("usage: filters MODULE\n");
		return 2;
	}
	module = argv[1];
	fd = open_file();
	read_rows(fd);
	ask_by_names();
	ask_by_line();
	ask_by_module();
	ask_by_long_names();
	ask_by_size();
	ask_by_accuracy();
	ask_by_mask();
	look_at_padding();
	return 0;
}
