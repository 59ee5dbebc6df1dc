// SPDX-License-Identifier: GPL-2.0-only
/*
 * halfway MODULE FUNCTION: prints the functions of a module's records, as they
 * come one after the other; behind that of FUNCTION, wherever a compiler has put
 * it, it stands until its standard input ends.
 */
#include "ask.h"

int main(int argc, char **argv)
{
	struct allocinfo_tag_data record;
	int fd = open_file();
	char byte;

	if (argc != 3) {
		printf("usage: halfway MODULE FUNCTION\n");
		return 2;
	}
	while (!get_next(fd, &record)) {
		if (strcmp(record.tag.modname, argv[1]))
			continue;
		printf("%s\n", record.tag.function);
		fflush(stdout);
		while (!strcmp(record.tag.function, argv[2]) && read(0, &byte, 1) > 0)
			;
	}
	return errno != ENOENT;
}
