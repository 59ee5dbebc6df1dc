// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts a table of questions to /proc/allocinfo, on numbers, places and files,
 * and prints each with its answer, a tab between. Answers name nothing that
 * differs from boot to boot, so that two kernels with the same call sites give
 * the same table.
 */
#include "ask.h"

/* A file with call sites that no core needs to edit. */
#define SOURCE		"kernel/fork.c"

/* Two pages, of which the second cannot be used. */
static char *edge;

static void make_edge(void)
{
	edge = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (edge == MAP_FAILED || munmap(edge + PAGE, PAGE))
		die("mmap");
}

/* What a kernel must not write to. */
static void *read_only(const void *content, size_t size)
{
	char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		die("mmap");
	memcpy(page, content, size);
	if (syscall(__NR_mprotect, page, PAGE, PROT_READ))
		die("mprotect");
	return page;
}

static void ask_for_the_content_id(int fd)
{
	struct allocinfo_content_id id = { 0 }, zero = { 0 };

	show_result("content id", get_id(fd, &id));
	show_result("the id is", id.id);
	show_result("content id to NULL", get_id(fd, NULL));
	show_result("content id to memory that is not there", get_id(fd, edge + PAGE));
	show_result("content id to 4 bytes before such", get_id(fd, edge + PAGE - 4));
	show_result("content id to the last 8 bytes before such", get_id(fd, edge + PAGE - 8));
	show_result("content id to memory that may only be read",
		    get_id(fd, read_only(&zero, sizeof(zero))));
}

static void ask_by_number(int fd)
{
	static char argument[1024];
	static const struct {
		const char *name;
		unsigned int number;
	} table[] = {
		{ "number 0", 0 },
		{ "all bits", ~0U },
		{ "the first number that is free", _IOR(ALLOCINFO_IOC_BASE, 3, __u64) },
		{ "content id, but without a direction", _IO(ALLOCINFO_IOC_BASE, 0) },
		{ "content id, but of 4 bytes", _IOR(ALLOCINFO_IOC_BASE, 0, __u32) },
		{ "get at, but only read", _IOR(ALLOCINFO_IOC_BASE, 1, struct allocinfo_get_at) },
		{ "get at, but of a record's size",
		  _IOWR(ALLOCINFO_IOC_BASE, 1, struct allocinfo_tag_data) },
		{ "get next, but written too",
		  _IOWR(ALLOCINFO_IOC_BASE, 2, struct allocinfo_tag_data) },
		{ "get next of another base",
		  _IOR(ALLOCINFO_IOC_BASE + 1, 2, struct allocinfo_tag_data) },
		{ "a terminal's (TCGETS)", 0x5401 },
		{ "every file's (FIOCLEX)", 0x5451 },
		{ "a regular file's (FIBMAP)", 1 },
	};
	char question[80];

	for (unsigned int i = 0; i < sizeof(table) / sizeof(*table); i++) {
		snprintf(question, sizeof(question), "ioctl: %s", table[i].name);
		show_result(question, ioctl(fd, table[i].number, argument));
	}
}

static void ask_for_places(int fd)
{
	struct allocinfo_tag_data record;
	struct allocinfo_get_at question;

	show_names("the first record", ask(fd, NULL, 0, &record), &record);
	show_number("the record at 7", ask(fd, NULL, 7, &record), &record);
	show_number("the next one", get_next(fd, &record), &record);
	show_truth("the last record is there", !ask(fd, NULL, nr_rows - 1, &record));
	show_result("behind it there is none", get_next(fd, &record));
	show_number("then it begins anew", get_next(fd, &record), &record);
	show_result("the record behind the last", ask(fd, NULL, nr_rows, &record));
	show_result("the record at the highest place", ask(fd, NULL, ~0ULL, &record));
	show_number("such a question moves nothing", get_next(fd, &record), &record);

	ask(fd, NULL, 7, &record);
	show_result("get at NULL", get_at(fd, NULL));
	show_result("get at memory that is not there", get_at(fd, edge + PAGE));
	show_result("get at memory that ends too early",
		    get_at(fd, edge + PAGE - sizeof(question) + 1));
	show_number("these move nothing", get_next(fd, &record), &record);
	memset(&question, 0, sizeof(question));
	question.pos = 20;
	show_result("get at 20 with an answer that may not be written",
		    get_at(fd, read_only(&question, sizeof(question))));
	show_number("which moves there all the same", get_next(fd, &record), &record);

	show_result("get next to NULL", get_next(fd, NULL));
	show_number("which is passed over", get_next(fd, &record), &record);
	show_result("get next to memory that ends too early",
		    get_next(fd, edge + PAGE - sizeof(record) + 1));
	show_result("get next to memory that just suffices",
		    get_next(fd, edge + PAGE - sizeof(record)));
	show_number("the next one after both", get_next(fd, &record), &record);
}

static void ask_on_a_fresh_file(void)
{
	struct allocinfo_tag_data record;
	struct allocinfo_filter none = { .mask = ALLOCINFO_FILTER_MASK_FUNCTION };
	struct allocinfo_filter file = {
		.mask = ALLOCINFO_FILTER_MASK_FILENAME, .fields.filename = SOURCE,
	};
	int fd = open_file(), other = open_file();
	long matches = count(other, &file);

	show_number("fresh: the next record is the first", get_next(fd, &record), &record);
	close(fd);
	fd = open_file();
	show_result("fresh: a filter that nothing passes", ask(fd, &none, 0, &record));
	show_result("fresh: then there is no next", get_next(fd, &record));
	show_result("fresh: nor afterwards", get_next(fd, &record));
	close(fd);
	fd = open_file();
	show_result("fresh: a place behind the matches", ask(fd, &file, matches, &record));
	show_names("fresh: then the first match is next", get_next(fd, &record), &record);
	show_result("a place behind the matches", ask(fd, &file, matches, &record));
	show_result("then there is no next", get_next(fd, &record));
	show_names("then the first match is next", get_next(fd, &record), &record);
	close(fd);

	fd = open_file();
	ask(fd, NULL, 3, &record);
	ask(other, NULL, 30, &record);
	show_number("two open files ask apart", get_next(fd, &record), &record);
	close(other);
	other = dup(fd);
	show_number("a duplicate goes on", get_next(other, &record), &record);
	close(other);
	show_result("a closed file", get_next(other, &record));
	close(fd);
	fd = open(FILE_NAME, O_PATH);
	show_result("a file that was opened by O_PATH", get_next(fd, &record));
	close(fd);
	fd = open("/proc/meminfo", O_RDONLY);
	show_result("another file of procfs", get_next(fd, &record));
	close(fd);
}

static void read_between(int fd)
{
	static char first[PAGE], second[PAGE];
	struct allocinfo_tag_data record;

	ask(fd, NULL, 40, &record);
	show_result("a seek to 0", lseek(fd, 0, SEEK_SET));
	show_number("the seek moves no question", get_next(fd, &record), &record);
	show_result("the header's first bytes", read(fd, first, 24));
	show_truth("read is what was asked for", !memcmp(first, "allocinfo - version: 2.0", 24));
	show_number("reading moves no question", get_next(fd, &record), &record);
	show_result("reading goes on behind a question", read(fd, first, 28));
	show_truth("at the right place",
		   !memcmp(first, "\n#     <size>  <calls> <tag i", 28));
	show_result("a seek to 1 MiB, past the end", lseek(fd, 1 << 20, SEEK_SET));
	show_number("nor does that one", get_next(fd, &record), &record);
	show_result("a read there", read(fd, first, 10));
	show_result("a seek to -1", lseek(fd, -1, SEEK_SET));
	show_result("a seek from the end", lseek(fd, 0, SEEK_END));
	show_result("a seek to 10", lseek(fd, 10, SEEK_SET));
	show_result("a seek on by 5", lseek(fd, 5, SEEK_CUR));
	show_result("a read there", read(fd, first, 9));
	show_truth("gives the header's middle", !memcmp(first, "rsion: 2.", 9));
	lseek(fd, 0, SEEK_SET);
	show_truth("the header comes again", read(fd, second, 10) == 10 &&
		   !memcmp(second, "allocinfo ", 10));
	show_result("a read to NULL", read(fd, NULL, 10));
	show_result("a write", write(fd, "0", 1));
	show_truth("a mapping is refused",
		   mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED);
}

/* Tries it as somebody else, in a child. */
static void ask_as_nobody(void)
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (!child) {
		syscall(__NR_setgid, 1000);
		syscall(__NR_setuid, 1000);
		show_result("nobody opens the file", open(FILE_NAME, O_RDONLY));
		fflush(stdout);
		exit(0);
	}
	waitpid(child, &status, 0);
}

int main(void)
{
	int fd = open_file();

	make_edge();
	read_rows(fd);
	ask_for_the_content_id(fd);
	ask_by_number(fd);
	ask_for_places(fd);
	ask_on_a_fresh_file();
	read_between(fd);
	ask_as_nobody();
	return 0;
}
