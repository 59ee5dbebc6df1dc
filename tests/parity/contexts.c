// SPDX-License-Identifier: GPL-2.0-only
/*
 * contexts [ROOM]: prints what the ioctls of /proc/allocinfo say of contexts, so
 * many records at a time, as the file "contexts" of debugfs has it, but without
 * the paths of cgroups.
 *
 * contexts --rules [SIZE]: prints the rules, as far as there is room.
 * contexts --obey TEXT: obeys rules.
 * contexts --refused: prints what is said to questions that are no good, a line
 * for each.
 * contexts --unprivileged: the same for questions of one who has no privileges
 * any more, but the open file.
 *
 * Over the kernel's nolibc, so that one source makes a program of 64 bits and
 * one of 32. See ask.h.
 */
#include "ask.h"

#include "../../include/uapi/linux/alloctag.h"

#define MOST		16384
#define MOST_FRAMES	32768
#define MOST_TEXT	65536

static struct alloctag_context contexts[MOST];
static struct alloctag_frame frames[MOST_FRAMES];
static struct alloctag_names names[MAX_ROWS];
static unsigned int nr_frames, nr_names;
static char text[MOST_TEXT];

static __u64 address_of(const void *memory)
{
	return (unsigned long)memory;
}

/* Reads all records, @room at a time. Returns how many there are. */
static unsigned int read_all(int fd, unsigned long request, void *records,
			     unsigned int size, unsigned int most, unsigned int room)
{
	struct alloctag_query query = { .record_size = size };
	unsigned int count = 0;

	do {
		query.room = room < most - count ? room : most - count;
		query.records = address_of(records) + (__u64)count * size;
		if (ioctl(fd, request, &query))
			die("records");
		count += query.count;
	} while (query.count == query.room && query.room);
	return count;
}

static const struct alloctag_names *site_of(const struct alloctag_context *c)
{
	for (unsigned int i = 0; i < nr_names; i++)
		if (names[i].id == c->site)
			return &names[i];
	return NULL;
}

/* The text has blanks as octal numbers, where a blank would end a value. */
static void print_function(const struct alloctag_frame *frame, const char *blank)
{
	if (!frame->function[0]) {
		printf("?");
		return;
	}
	printf("%s+0x%x/0x%x", frame->function, frame->offset, frame->size);
	if (frame->module[0])
		printf("%s[%s]", blank, frame->module);
}

static void print_caller(const struct alloctag_context *c,
			 const struct alloctag_frame *first)
{
	printf(" caller:");
	for (unsigned int i = 0; i < c->frames; i++)
		if (first[i].place == 1)
			return print_function(&first[i], "\\040");
	printf("?");
}

static void print_site(const struct alloctag_context *c)
{
	const struct alloctag_names *site = site_of(c);

	printf("%lld %llu ", (long long)c->bytes, (unsigned long long)c->calls);
	if (!site)
		printf("(unloaded):0 func:?");
	else if (site->module[0])
		printf("%s:%u [%s] func:%s", site->file, site->line,
		       site->module, site->function);
	else
		printf("%s:%u func:%s", site->file, site->line, site->function);
}

/* What is for a task, unless an interrupt allocated. */
static void print_task(const struct alloctag_context *c)
{
	bool is_interrupt = c->flags & ALLOCTAG_CONTEXT_INTERRUPT;

	if (c->keys & ALLOCTAG_KEY_COMM)
		printf(" comm:%s", is_interrupt ? "irq" : c->comm);
	if (c->keys & ALLOCTAG_KEY_PID && is_interrupt)
		printf(" pid:irq");
	else if (c->keys & ALLOCTAG_KEY_PID)
		printf(" pid:%u", c->pid);
}

static void print(const struct alloctag_context *c,
		  const struct alloctag_frame *first)
{
	print_site(c);
	printf(" ctx:%u slack:%lld allocs:%llu frees:%llu allocated:%llu",
	       (__u32)c->id, (long long)c->slack, (unsigned long long)c->allocs,
	       (unsigned long long)c->frees, (unsigned long long)c->allocated);
	if (c->keys & ALLOCTAG_KEY_CALLER)
		print_caller(c, first);
	print_task(c);
	if (c->keys & ALLOCTAG_KEY_NODE && c->node < 0)
		printf(" node:any");
	else if (c->keys & ALLOCTAG_KEY_NODE)
		printf(" node:%d", c->node);
	if (c->keys & ALLOCTAG_KEY_CGROUP && c->flags & ALLOCTAG_CONTEXT_INTERRUPT)
		printf(" cgroup:irq");
	else if (c->keys & ALLOCTAG_KEY_CGROUP)
		printf(" cgroup:%llu", (unsigned long long)c->cgroup);
	if (c->keys & ALLOCTAG_KEY_ORDER)
		printf(" order:%u", c->order);
	if (c->keys & ALLOCTAG_KEY_STACK)
		for (unsigned int i = 0; i < c->frames; i++) {
			printf("\n  ");
			print_function(&first[i], " ");
		}
	printf("\n");
}

static void print_all(int fd, unsigned int room)
{
	unsigned int count, frame = 0;

	nr_names = read_all(fd, ALLOCTAG_IOC_NAMES, names, sizeof(*names),
			    MAX_ROWS, MAX_ROWS);
	count = read_all(fd, ALLOCTAG_IOC_CONTEXTS, contexts, sizeof(*contexts),
			 MOST, room);
	nr_frames = read_all(fd, ALLOCTAG_IOC_FRAMES, frames, sizeof(*frames),
			     MOST_FRAMES, room);
	printf("contexts - version: 1.0\n");
	for (unsigned int i = 0; i < count; i++) {
		/* Both come in the order of places; one may have come or gone. */
		while (frame < nr_frames && (__u32)frames[frame].context < (__u32)contexts[i].id)
			frame++;
		if (frame + contexts[i].frames > nr_frames)
			break;
		print(&contexts[i], &frames[frame]);
	}
}

static void print_rules(int fd, unsigned int size)
{
	struct alloctag_text question = { .size = size, .text = address_of(text) };

	if (ioctl(fd, ALLOCTAG_IOC_RULES, &question))
		die("rules");
	printf("%s", text);
	if (size < MOST_TEXT)
		printf("... of %llu bytes\n", (unsigned long long)question.length);
}

static long obey(int fd, const char *rules, unsigned int length)
{
	struct alloctag_text question = { .size = length, .text = address_of(rules) };

	return ioctl(fd, ALLOCTAG_IOC_OBEY, &question);
}

/* What a request of @size bytes is answered with. */
static void ask_sized(int fd, const char *what, unsigned int number,
		      const void *question, unsigned int size)
{
	char copy[256] = { 0 };
	long result;

	memcpy(copy, question, size < 128 ? size : 128);
	result = ioctl(fd, _IOC(_IOC_READ | _IOC_WRITE, ALLOCTAG_IOC_TYPE, number, size), copy);
	printf("%s: ", what);
	if (result && errno == E2BIG)
		printf("E2BIG\n");
	else if (result && errno == EFAULT)
		printf("EFAULT\n");
	else if (result && errno == EPERM)
		printf("EPERM\n");
	else if (result && errno == EINVAL)
		printf("EINVAL\n");
	else
		printf("%s\n", result ? said(result) : "taken");
}

/* Whether the frames of the last context can be asked for by its id. */
static bool frames_of_last(int fd)
{
	struct alloctag_query query = { .record_size = sizeof(*frames), .room = 1,
					.records = address_of(frames) };
	unsigned int count = read_all(fd, ALLOCTAG_IOC_CONTEXTS, contexts,
				      sizeof(*contexts), MOST, MOST);

	if (!count)
		return false;
	query.cursor[0] = contexts[count - 1].id << 32;
	return !ioctl(fd, ALLOCTAG_IOC_FRAMES, &query) && query.count == 1 &&
	       frames[0].context == contexts[count - 1].id;
}

static void print_refused(int fd)
{
	const unsigned int size = sizeof(struct alloctag_query);
	const struct alloctag_query good = { .room = 1, .record_size = sizeof(*contexts),
					     .records = address_of(contexts) };
	const struct alloctag_text fine = { .size = 8, .text = address_of(text) };
	struct alloctag_query query = good;
	struct alloctag_text question = fine;
	char grown[2 * sizeof(good)] = { 0 };

	ask_sized(fd, "as it should be", 18, &good, size);
	query.flags = 1;
	ask_sized(fd, "an unknown flag", 18, &query, size);
	query = good;
	query.record_size -= 8;
	ask_sized(fd, "a record that is too short", 18, &query, size);
	ask_sized(fd, "a query that is too short", 18, &good, size - 8);
	memcpy(grown, &good, size);
	ask_sized(fd, "a longer query of zeroes", 18, grown, sizeof(grown));
	grown[sizeof(grown) - 1] = 1;
	ask_sized(fd, "a longer query with something in it", 18, grown, sizeof(grown));
	query = good;
	query.records = 8;
	ask_sized(fd, "no memory for records", 18, &query, size);
	query = good;
	query.cursor[0] = ~0ULL;
	query.cursor[1] = ~0ULL;
	ask_sized(fd, "a place that is none", 18, &query, size);
	query = good;
	query.record_size = sizeof(*frames);
	query.records = address_of(frames);
	ask_sized(fd, "frames", 19, &query, size);
	query.flags = 1;
	ask_sized(fd, "frames by an unknown flag", 19, &query, size);
	show_truth("frames of one context", frames_of_last(fd));
	ask_sized(fd, "rules", 20, &fine, sizeof(fine));
	question.flags = 1;
	ask_sized(fd, "rules by an unknown flag", 20, &question, sizeof(fine));
	ask_sized(fd, "obeying by an unknown flag", 21, &question, sizeof(fine));
	question = fine;
	question.text = 8;
	ask_sized(fd, "no memory for rules", 20, &question, sizeof(fine));
	question.size = 4097;
	ask_sized(fd, "a text that is too long", 21, &question, sizeof(fine));
	question = fine;
	question.text = address_of("no rule");
	question.size = 7;
	ask_sized(fd, "a text that is no rule", 21, &question, sizeof(fine));
}

static void print_unprivileged(int fd)
{
	struct alloctag_query query = { .room = 1, .record_size = sizeof(*contexts),
					.records = address_of(contexts) };
	struct alloctag_text question = { .size = MOST_TEXT, .text = address_of(text) };
	const int nobody = 65534;

#ifdef __NR_setresuid32
	if (syscall(__NR_setresuid32, nobody, nobody, nobody))
#else
	if (syscall(__NR_setresuid, nobody, nobody, nobody))
#endif
		die("being nobody");
	ask_sized(fd, "contexts", 18, &query, sizeof(query));
	query.record_size = sizeof(*frames);
	query.records = address_of(frames);
	ask_sized(fd, "frames", 19, &query, sizeof(query));
	ask_sized(fd, "rules", 20, &question, sizeof(question));
	question.size = 2;
	question.text = address_of("=_");
	ask_sized(fd, "obeying", 21, &question, sizeof(question));
}

int main(int argc, char **argv)
{
	int fd = open_file();
	long result = 0;

	if (argc == 2 && !strcmp(argv[1], "--refused"))
		print_refused(fd);
	else if (argc == 2 && !strcmp(argv[1], "--unprivileged"))
		print_unprivileged(fd);
	else if (argc >= 2 && !strcmp(argv[1], "--rules"))
		print_rules(fd, argc == 3 ? atoi(argv[2]) : MOST_TEXT);
	else if (argc == 3 && !strcmp(argv[1], "--obey"))
		result = obey(fd, argv[2], strlen(argv[2]));
	else
		print_all(fd, argc == 2 ? atoi(argv[1]) : MOST);
	return !!result;
}
