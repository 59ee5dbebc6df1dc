// SPDX-License-Identifier: GPL-2.0-only
/*
 * sparse FILE MEGABYTES: a file on a tmpfs that has every second page of so much,
 * so that memory is in pieces that can be moved.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	size_t size, page = sysconf(_SC_PAGESIZE), at;
	char *memory;
	int fd;

	if (argc != 3)
		errx(2, "usage: sparse FILE MEGABYTES");
	size = strtoul(argv[2], NULL, 10) << 20;
	fd = open(argv[1], O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, size))
		err(1, "%s", argv[1]);
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		err(1, "mmap");
	memset(memory, 1, size);
	for (at = 0; at < size; at += 2 * page)
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			      at, page))
			err(1, "fallocate");
	return 0;
}
