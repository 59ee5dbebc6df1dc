// SPDX-License-Identifier: GPL-2.0-only
/*
 * around FILE BEFORE AFTER WORD PLACE: reads a file, writes a word to a place,
 * and reads the file again, without memory that it has not had before; then
 * leaves the two readings in two other files.
 */

#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Far more than /proc/allocinfo has. */
#define ROOM	(4 * 1024 * 1024)

static char before[ROOM], after[ROOM];

static size_t read_all(const char *name, char *text)
{
	int fd = open(name, O_RDONLY);
	size_t size = 0;
	ssize_t got;

	if (fd < 0)
		err(1, "%s", name);
	while ((got = read(fd, text + size, ROOM - size)) > 0)
		size += got;
	if (got < 0 || size == ROOM)
		err(1, "%s: not read whole", name);
	close(fd);
	return size;
}

static void write_all(const char *name, const char *text, size_t size)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text, size) != (ssize_t)size)
		err(1, "%s", name);
	close(fd);
}

int main(int argc, char **argv)
{
	size_t size_before, size_after;

	if (argc != 6)
		errx(2, "usage: around FILE BEFORE AFTER WORD PLACE");
	/* Something that is not the zero page. */
	memset(before, '-', ROOM);
	memset(after, '-', ROOM);
	size_before = read_all(argv[1], before);
	write_all(argv[5], argv[4], strlen(argv[4]));
	size_after = read_all(argv[1], after);
	write_all(argv[2], before, size_before);
	write_all(argv[3], after, size_after);
	return 0;
}
