// SPDX-License-Identifier: GPL-2.0-only
/*
 * walk WAKES: one process has /proc/allocinfo walk over all call sites again and
 * again, for one that there is not; another, which comes first, wakes so many
 * times on the same CPU and asks the same open file. Prints how often it ran in
 * the midst of a walk: then it had to wait for the lock of the open file.
 */

#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* As in <linux/alloc_tag.h>, which not every system has yet. */
struct get_at {
	__u64 pos;
	__u64 mask;
	char module[64];
	char function[64];
	char file[64];
	__u64 rest[32];
};

#define GET_AT		_IOWR(0xA6, 1, struct get_at)
#define MASK_FUNCTION	0x2
/* No function is called so. */
#define NO_FUNCTION	"-"

/* Between two wakes. It grows, so as not to be in step with the walks. */
#define PAUSE_NS	1000000
#define GROWTH_NS	7000

static void walk_for_ever(int file)
{
	struct get_at all;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		all = (struct get_at){ .mask = MASK_FUNCTION, .function = NO_FUNCTION };
		if (!ioctl(file, GET_AT, &all) || errno != ENOENT)
			err(1, "a walk");
	}
}

/* How often this process gave its CPU away because it had to wait. */
static long waits(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		err(1, "getrusage");
	return usage.ru_nvcsw;
}

static int waits_for_first(int file)
{
	struct get_at first = { 0 };
	long before = waits();

	if (ioctl(file, GET_AT, &first))
		err(1, "the first call site");
	return waits() != before;
}

int main(int argc, char **argv)
{
	int file = open("/proc/allocinfo", O_RDONLY);
	int wakes = argc == 2 ? atoi(argv[1]) : 0, midst = 0;
	struct sched_param priority = { .sched_priority = 1 };
	cpu_set_t one;
	pid_t child;

	if (wakes <= 0)
		errx(2, "usage: walk WAKES");
	if (file < 0)
		err(1, "/proc/allocinfo");
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		err(1, "CPU 0");
	child = fork();
	if (!child)
		walk_for_ever(file);
	if (child < 0 || sched_setscheduler(0, SCHED_FIFO, &priority))
		err(1, "two processes");
	for (int i = 0; i < wakes; i++) {
		struct timespec pause = { .tv_nsec = PAUSE_NS + i * GROWTH_NS };

		nanosleep(&pause, NULL);
		midst += waits_for_first(file);
	}
	if (kill(child, SIGKILL))
		err(1, "the process that walks");
	printf("%d\n", midst);
	return 0;
}
