// SPDX-License-Identifier: GPL-2.0-only
/*
 * stand MODULE FILE: reads /proc/allocinfo over and over, as a text by tiny
 * reads and record by record, and stands still for a while whenever it has come
 * into the rows of MODULE, which comes and goes meanwhile. Whatever becomes of
 * these, the rows of what is built in have to be there in every pass, each once.
 * It ends when FILE is there.
 *
 * And as long as the content id stays the same, the records do.
 *
 * Prints a line for every stand, and in the end how many passes and stands there
 * were; ends with 1 at the first wrong row.
 */
#include "ask.h"

/* What is read at a time: less than a line. */
#define TINY	50
/* Longest stand, in microseconds; a module is loaded in less. */
#define STAND	300000

static const char *module;
static unsigned long passes, stands, builtin_rows;

/* What the last pass that the content id did not move in has met. */
static unsigned long long steady_id, steady_names;

/* Pauses of different lengths, in an order that repeats. */
static void stand(void)
{
	static unsigned int turn;

	stands++;
	printf("stands\n");
	fflush(stdout);
	usleep(STAND / 8 * (turn++ % 8));
}

static int wrong(const char *what, const char *row)
{
	printf("%s: %s\n", what, row);
	return 1;
}

/* Every pass has as many built-in rows as the first. */
static int end_pass(const char *kind, unsigned long builtin)
{
	passes++;
	if (!builtin_rows)
		builtin_rows = builtin;
	if (builtin == builtin_rows)
		return 0;
	printf("%lu built-in rows by %s, %lu before\n", builtin, kind, builtin_rows);
	return 1;
}

/* A row's two numbers, place, function and blank; more is tested elsewhere. */
static bool well_formed(const char *line)
{
	size_t length = strlen(line);
	const char *function = strstr(line, " func:");

	return length > 30 && line[length - 1] == ' ' && function &&
	       strchr(line, ':') < function && !strchr(function + 1, '[');
}

static int read_text(void)
{
	char line[1024], tag[80], tiny[TINY];
	unsigned long builtin = 0;
	size_t length = 0, number = 0;
	bool stood = false;
	int fd = open_file();
	ssize_t got;

	snprintf(tag, sizeof(tag), " [%s] ", module);
	while ((got = read(fd, tiny, sizeof(tiny))) > 0) {
		for (ssize_t i = 0; i < got; i++) {
			if (tiny[i] != '\n' && length < sizeof(line) - 1) {
				line[length++] = tiny[i];
				continue;
			}
			line[length] = 0;
			length = 0;
			if (number++ < 2)
				continue;
			if (!well_formed(line))
				return wrong("a garbled line", line);
			builtin += !strchr(line, '[');
			if (!stood && strstr(line, tag)) {
				stood = true;
				stand();
			}
		}
	}
	close(fd);
	if (got < 0)
		return wrong("a failed read", said(got));
	return end_pass("text", builtin);
}

/* Names one after the other, as a number (FNV-1a). */
static unsigned long long add_names(unsigned long long sum, const struct allocinfo_tag *tag)
{
	const unsigned char *bytes = (const unsigned char *)tag;

	for (size_t i = 0; i < sizeof(*tag); i++)
		sum = (sum ^ bytes[i]) * 0x100000001b3ULL;
	return sum;
}

static int read_records(void)
{
	unsigned long long id, names = 0xcbf29ce484222325ULL;
	struct allocinfo_tag_data record;
	unsigned long builtin = 0;
	bool stood = false;
	int fd = open_file();
	long result;

	id = content_id(fd);
	result = ask(fd, NULL, 0, &record);
	while (!result) {
		names = add_names(names, &record.tag);
		if (!record.tag.function[0] || !record.tag.filename[0] || !record.tag.lineno)
			return wrong("a garbled record", record.tag.filename);
		builtin += !record.tag.modname[0];
		if (!stood && !strcmp(record.tag.modname, module)) {
			stood = true;
			stand();
		}
		result = get_next(fd, &record);
	}
	if (errno != ENOENT)
		return wrong("a failed question", said(result));
	if (content_id(fd) == id) {
		if (id == steady_id && names != steady_names)
			return wrong("other records", "with the content id of the pass before");
		steady_id = id;
		steady_names = names;
	}
	close(fd);
	return end_pass("ioctl", builtin);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		printf("usage: stand MODULE FILE\n");
		return 2;
	}
	module = argv[1];
	while (access(argv[2], F_OK))
		if (read_text() || read_records())
			return 1;
	printf("%lu passes, %lu stands\n", passes, stands);
	return 0;
}
