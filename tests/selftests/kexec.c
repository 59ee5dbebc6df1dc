// SPDX-License-Identifier: GPL-2.0-only
/*
 * kexec [--on-crash] KERNEL INITRAMFS PARAMETERS: goes on with another kernel,
 * at once and without asking anybody to end, or when this one crashes.
 */

#include <err.h>
#include <fcntl.h>
#include <linux/kexec.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_file(const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd < 0)
		err(1, "%s", name);
	return fd;
}

int main(int argc, char **argv)
{
	int kernel, initramfs;
	unsigned long flags = 0;

	if (argc == 5 && !strcmp(argv[1], "--on-crash")) {
		flags = KEXEC_FILE_ON_CRASH;
		argv++;
		argc--;
	}
	if (argc != 4)
		errx(2, "usage: kexec [--on-crash] KERNEL INITRAMFS PARAMETERS");
	kernel = open_file(argv[1]);
	initramfs = open_file(argv[2]);
	/* The length counts the final zero. */
	if (syscall(SYS_kexec_file_load, kernel, initramfs, strlen(argv[3]) + 1, argv[3], flags))
		err(1, "the kernel was not taken");
	if (flags)
		return 0;
	reboot(RB_KEXEC);
	err(1, "the kernel was not entered");
}
