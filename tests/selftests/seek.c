// SPDX-License-Identifier: GPL-2.0-only
/*
 * seek FILE BYTES: reads so many bytes of a file, one a time, goes back to its
 * beginning, and copies all of it to stdout.
 */

#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char buffer[4096];
	ssize_t size;
	int fd;

	if (argc != 3)
		errx(2, "usage: seek FILE BYTES");
	fd = open(argv[1], O_RDONLY);
	if (fd < 0)
		err(1, "%s", argv[1]);
	for (long left = atol(argv[2]); left > 0; left--)
		if (read(fd, buffer, 1) != 1)
			err(1, "%s: a read of one byte", argv[1]);
	if (lseek(fd, 0, SEEK_SET) != 0)
		err(1, "%s: a seek to 0", argv[1]);
	while ((size = read(fd, buffer, sizeof(buffer))) > 0)
		if (write(STDOUT_FILENO, buffer, size) != size)
			err(1, "stdout");
	if (size < 0)
		err(1, "%s", argv[1]);
	return 0;
}
