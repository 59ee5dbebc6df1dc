// SPDX-License-Identifier: GPL-2.0-only
/*
 * Prints the content id of /proc/allocinfo.
 */
#include "ask.h"

int main(void)
{
	printf("%llu\n", content_id(open_file()));
	return 0;
}
