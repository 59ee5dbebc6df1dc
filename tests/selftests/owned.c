// SPDX-License-Identifier: GPL-2.0-only
/*
 * owned RULES COMMAND [ARGUMENT]…: runs the command, which may fail allocations
 * (make-it-fail), while the rules hold. They belong to a file that this has open.
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../include/uapi/linux/alloctag.h"

static void may_fail(void)
{
	int fd = open("/proc/self/make-it-fail", O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, "1", 1) != 1)
		err(1, "/proc/self/make-it-fail");
	close(fd);
}

int main(int argc, char **argv)
{
	struct alloctag_text text = { .flags = ALLOCTAG_TEXT_OWNED };
	int fd, status;
	pid_t child;

	if (argc < 3)
		errx(2, "usage: owned RULES COMMAND [ARGUMENT]...");
	fd = open("/proc/allocinfo", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "/proc/allocinfo");
	text.text = (unsigned long)argv[1];
	text.size = strlen(argv[1]);
	if (ioctl(fd, ALLOCTAG_IOC_OBEY, &text))
		err(1, "%s", argv[1]);
	child = fork();
	if (child < 0)
		err(1, "fork");
	if (!child) {
		may_fail();
		execvp(argv[2], argv + 2);
		err(127, "%s", argv[2]);
	}
	if (waitpid(child, &status, 0) != child)
		err(1, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
