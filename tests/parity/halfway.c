// SPDX-License-Identifier: GPL-2.0-only
/*
 * halfway MODULE: prints the functions of a module's records, as they come one
 * after the other; behind the first it stands until its standard input ends.
 */
#include "ask.h"

int main(int argc, char **argv)
{
	struct allocinfo_tag_data record;
	int fd = open_file();
	bool stood = false;
	char byte;

	if (argc != 2) {
		printf("usage: halfway MODULE\n");
		return 2;
	}
	while (!get_next(fd, &record)) {
		if (strcmp(record.tag.modname, argv[1]))
			continue;
		printf("%s\n", record.tag.function);
		fflush(stdout);
		while (!stood && read(0, &byte, 1) > 0)
			;
		stood = true;
	}
	return errno != ENOENT;
}
