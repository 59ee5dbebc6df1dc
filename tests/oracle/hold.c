// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold KIND COUNT FILE: takes so many of a kind of thing from the kernel, makes
 * FILE when it has them, and keeps them until it is killed. A freestanding
 * program over the kernel's nolibc, so that it takes next to nothing for itself.
 */
#define PAGE	4096
#define MIB	(1024 * 1024)

/* <linux/mman.h> and its like bring these; nolibc has no names for them. */
#define ADVISE_HUGE	14
#define ADVISE_SMALL	15
#define HUGE		(2 * MIB)
#define UNIX		1
#define INET		2
#define INET6		10
#define STREAM		1
#define DATAGRAM	2

static char something[2 * PAGE];

static bool hold_pipes(void)
{
	int ends[2];

	return !pipe(ends) && write(ends[1], something, sizeof(something)) == sizeof(something);
}

static bool hold_sockets(void)
{
	int ends[2];

	return !syscall(__NR_socketpair, UNIX, STREAM, 0, ends) &&
	       write(ends[1], something, PAGE) == PAGE &&
	       syscall(__NR_socket, INET, STREAM, 0) >= 0 &&
	       syscall(__NR_socket, INET6, DATAGRAM, 0) >= 0;
}

static bool hold_files(void)
{
	static int watching = -1;

	if (watching < 0)
		watching = syscall(__NR_inotify_init1, 0);
	return open("/etc/passwd", O_RDONLY) >= 0 && syscall(__NR_eventfd2, 0, 0) >= 0 &&
	       syscall(__NR_epoll_create1, 0) >= 0 && watching >= 0;
}

static bool hold_children(void)
{
	pid_t child = fork();

	if (!child) {
		/* Goes when its parent does. */
		prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		while (true)
			poll(NULL, 0, -1);
	}
	return child > 0;
}

/* Memory of so many bytes at a multiple of as many, in small pages or huge ones. */
static bool touch(size_t size, int advice)
{
	char *area = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *memory = (char *)(((unsigned long)area + size - 1) & -size);

	if (area == MAP_FAILED || syscall(__NR_madvise, memory, size, advice))
		return false;
	for (size_t place = 0; place < size; place += PAGE)
		memory[place] = 1;
	return true;
}

static bool hold_memory(void)
{
	return touch(MIB, ADVISE_SMALL);
}

static bool hold_huge(void)
{
	return touch(HUGE, ADVISE_HUGE);
}

static const struct {
	const char *name;
	bool (*hold)(void);
} kinds[] = {
	{ "pipes", hold_pipes },	{ "sockets", hold_sockets },
	{ "files", hold_files },	{ "children", hold_children },
	{ "memory", hold_memory },	{ "huge", hold_huge },
};

int main(int argc, char **argv)
{
	bool (*hold)(void) = NULL;

	for (unsigned int i = 0; argc == 4 && i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(argv[1], kinds[i].name))
			hold = kinds[i].hold;
	if (!hold) {
		printf("usage: hold pipes|sockets|files|children|memory|huge COUNT FILE\n");
		return 2;
	}
	for (int left = atoi(argv[2]); left > 0; left--) {
		if (!hold()) {
			printf("%s: errno %d, %d to go\n", argv[1], errno, left);
			return 1;
		}
	}
	if (open(argv[3], O_WRONLY | O_CREAT, 0600) < 0)
		return 1;
	while (true)
		poll(NULL, 0, -1);
}
