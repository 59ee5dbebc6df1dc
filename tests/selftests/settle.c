// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waits until all is freed that was to be after a grace period.
 *
 * Usage: settle [--as-nobody]
 *
 * As nobody: who has opened the file may, who asks may not.
 */
#include <err.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../include/uapi/linux/alloctag.h"

#define NOBODY	65534

int main(int argc, char **argv)
{
	(void)argv;
	int file = open("/proc/allocinfo", O_RDONLY);

	if (argc > 1 && setuid(NOBODY))
		err(2, NULL);
	if (file < 0 || ioctl(file, ALLOCTAG_IOC_SETTLE))
		err(1, NULL);
	return 0;
}
