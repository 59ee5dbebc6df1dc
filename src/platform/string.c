// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/string.rs.
 */
#include <linux/string.h>
#include <asm/word-at-a-time.h>

#include "../bindings.h"

/*
 * A string's length, looked for as strscpy() does: a word may reach into a page
 * behind the string, which need not be there.
 */
size_t alloctag_strlen(const char *string)
{
#ifdef CONFIG_DCACHE_WORD_ACCESS
	const struct word_at_a_time constants = WORD_AT_A_TIME_CONSTANTS;
	const char *at = string;
	unsigned long word, zeros;

	for (;; at += sizeof(word)) {
		word = load_unaligned_zeropad(at);
		if (has_zero(word, &zeros, &constants))
			break;
	}
	zeros = prep_zero_mask(word, zeros, &constants);
	return at + find_zero(create_zero_mask(zeros)) - string;
#else
	return strlen(string);
#endif
}
