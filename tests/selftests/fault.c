// SPDX-License-Identifier: GPL-2.0-only
/*
 * fault KIND COMMAND…: reads /proc/allocinfo into memory whose fault waits, for
 * userfaultfd asked that it do so; asks the same open file another question and
 * runs the command meanwhile, and lets the answer come when these have ended. KIND
 * is one of the table below.
 *
 * Ends with 1 where the command fails, or does not end before the answer comes,
 * or where the answer does not come then.
 */

#include <err.h>
#include <fcntl.h>
#include <linux/types.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/uapi/linux/alloctag.h"

#define FILE_NAME	"/proc/allocinfo"
#define PAGE		4096
/* Commands take a moment; one that still runs after so many seconds is stuck. */
#define PATIENCE	300

/* The questions of <linux/alloc_tag.h>, which not every system has yet. */
#define CONTENT_ID	_IOC(_IOC_READ, 0xA6, 0, 8)
#define GET_AT		_IOC(_IOC_READ | _IOC_WRITE, 0xA6, 1, 464)
#define GET_NEXT	_IOC(_IOC_READ, 0xA6, 2, 224)

static const struct {
	const char *name;
	/* 0 for read(). */
	unsigned long request;
} kinds[] = {
	{ "content-id", CONTENT_ID },
	{ "get-at", GET_AT },
	{ "get-next", GET_NEXT },
	{ "numbers", ALLOCTAG_IOC_NUMBERS },
	{ "contexts", ALLOCTAG_IOC_CONTEXTS },
	{ "frames", ALLOCTAG_IOC_FRAMES },
	{ "rules", ALLOCTAG_IOC_RULES },
	{ "read", 0 },
};

#define KINDS	(sizeof(kinds) / sizeof(*kinds))

static unsigned long request;
static int file;
static char *page;

/* A question whose answer is to be behind it in the page; the other ones ask nothing there. */
static void fill(void)
{
	struct alloctag_query *query = (struct alloctag_query *)page;
	struct alloctag_text *text = (struct alloctag_text *)page;

	if (request == ALLOCTAG_IOC_RULES) {
		text->size = PAGE - sizeof(*text);
		text->text = (unsigned long)(text + 1);
		return;
	}
	if (request == ALLOCTAG_IOC_NUMBERS)
		query->record_size = sizeof(struct alloctag_numbers);
	else if (request == ALLOCTAG_IOC_CONTEXTS)
		query->record_size = sizeof(struct alloctag_context);
	else if (request == ALLOCTAG_IOC_FRAMES)
		query->record_size = sizeof(struct alloctag_frame);
	else
		return;
	query->room = 2;
	query->records = (unsigned long)(query + 1);
}

/* A page that is there and can be read; who writes to it waits. */
static int trap(void)
{
	struct uffdio_api api = {
		.api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP,
	};
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_WP };
	struct uffdio_writeprotect protect = { .mode = UFFDIO_WRITEPROTECT_MODE_WP };
	int trap = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (trap < 0 || ioctl(trap, UFFDIO_API, &api))
		err(1, "userfaultfd");
	page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (page == MAP_FAILED)
		err(1, "mmap");
	memset(page, 0, PAGE);
	fill();
	area.range.start = (unsigned long)page;
	area.range.len = PAGE;
	protect.range = area.range;
	if (ioctl(trap, UFFDIO_REGISTER, &area) || ioctl(trap, UFFDIO_WRITEPROTECT, &protect))
		err(1, "userfaultfd: a page");
	return trap;
}

static void release(int trap)
{
	struct uffdio_writeprotect protect = {
		.range = { .start = (unsigned long)page, .len = PAGE },
	};

	if (ioctl(trap, UFFDIO_WRITEPROTECT, &protect))
		err(1, "userfaultfd: letting go");
}

/* Its result is NULL if the answer came. */
static void *ask(void *unused)
{
	ssize_t result;

	(void)unused;
	if (request)
		result = ioctl(file, request, page);
	else
		result = read(file, page, PAGE) > 0 ? 0 : -1;
	return result ? (void *)"no answer" : NULL;
}

/* Whether a child succeeds while the answer waits. */
static int succeeds(pid_t child, const char *name)
{
	int status, waited;

	if (child < 0)
		err(1, "fork");
	for (waited = 0; waitpid(child, &status, WNOHANG) == 0; waited++) {
		if (waited == PATIENCE * 100) {
			warnx("%s: has not ended while the answer waited", name);
			return 0;
		}
		usleep(10000);
	}
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		warnx("%s: status %#x", name, status);
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

static int runs(char **command)
{
	pid_t child = fork();

	if (child == 0) {
		execvp(command[0], command);
		err(127, "%s", command[0]);
	}
	return succeeds(child, command[0]);
}

/* Whether the open file answers another question, too. */
static int answers(void)
{
	char record[512];
	pid_t child = fork();

	if (child == 0)
		_exit(ioctl(file, GET_NEXT, record) != 0);
	return succeeds(child, "another question");
}

int main(int argc, char **argv)
{
	struct pollfd fault = { .events = POLLIN };
	unsigned int kind = 0;
	struct uffd_msg message;
	pthread_t asker;
	void *failure;
	int fine;

	while (argc > 2 && kind < KINDS && strcmp(argv[1], kinds[kind].name))
		kind++;
	if (argc < 3 || kind == KINDS)
		errx(2, "usage: fault KIND COMMAND...");
	request = kinds[kind].request;
	file = open(FILE_NAME, O_RDONLY);
	if (file < 0)
		err(1, FILE_NAME);
	fault.fd = trap();
	if (pthread_create(&asker, NULL, ask, NULL))
		errx(1, "no thread");
	if (poll(&fault, 1, PATIENCE * 1000) != 1)
		errx(1, "the answer did not wait");
	if (read(fault.fd, &message, sizeof(message)) != sizeof(message) ||
	    message.event != UFFD_EVENT_PAGEFAULT)
		errx(1, "userfaultfd: no fault");
	fine = answers() && runs(argv + 2);
	release(fault.fd);
	pthread_join(asker, &failure);
	if (failure)
		errx(1, "%s", (const char *)failure);
	return !fine;
}
