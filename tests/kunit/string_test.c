// SPDX-License-Identifier: GPL-2.0-only
/*
 * The length of a string, which is looked for by words.
 */
#include <kunit/test.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "slab.h"
#include "../../src/bindings.h"

#define WORD	sizeof(unsigned long)
/* Bytes that are awkward for arithmetic on whole words; the last is a mark. */
static const char letters[] = { 0x01, 0x7f, (char)0x80, (char)0x81, (char)0xff, 'a' };

/* Of that length, of one letter throughout, behind and before nothing else. */
static void expect_length(struct kunit *test, char *string, size_t length,
			  char letter)
{
	memset(string, letter, length);
	string[length] = '\0';
	KUNIT_EXPECT_EQ_MSG(test, alloctag_strlen(string), length,
			    "%zu times %#x", length, letter);
}

/* Behind an area of vmalloc() there is a page that is not there. */
static void a_string_at_the_end_of_memory_has_its_length(struct kunit *test)
{
	char *page = vmalloc(PAGE_SIZE);

	KUNIT_ASSERT_NOT_NULL(test, page);
	for (int i = 0; i < ARRAY_SIZE(letters); i++)
		for (size_t length = 0; length <= 4 * WORD; length++)
			expect_length(test, page + PAGE_SIZE - length - 1,
				      length, letters[i]);
	vfree(page);
}

static void a_string_ends_at_its_first_zero_wherever_it_begins(struct kunit *test)
{
	char memory[8 * WORD];

	for (size_t begin = 0; begin < 2 * WORD; begin++) {
		for (size_t length = 0; length <= 4 * WORD; length++) {
			memset(memory, 0, sizeof(memory));
			expect_length(test, memory + begin, length, 'a');
			memset(memory, 'b', sizeof(memory));
			expect_length(test, memory + begin, length, 'a');
		}
	}
}

static struct kunit_case cases[] = {
	KUNIT_CASE(a_string_at_the_end_of_memory_has_its_length),
	KUNIT_CASE(a_string_ends_at_its_first_zero_wherever_it_begins),
	{}
};

static struct kunit_suite suite = {
	.name = "alloctag_string",
	.test_cases = cases,
};

kunit_test_suite(suite);
