// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the content id of /proc/allocinfo.
 */
#include "ask.h"

int main(void)
{
	struct allocinfo_content_id id;

	if (get_id(open_file(), &id))
		die("the content id");
	printf("%llu\n", (unsigned long long)id.id);
	return 0;
}
