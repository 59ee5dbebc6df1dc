// SPDX-License-Identifier: GPL-2.0-only
/*
 * A call site whose names are longer than an ioctl's record has room for. As a
 * compiler takes paths, #line gives it one.
 */
#include "exact.h"

#define NAME	64

static void *object;

#line 1234 "a/directory/whose/name/is/long/enough/to/be/cut/in/a/record/of/the/ioctls/names.c"
static bool hold_in_a_function_whose_name_is_longer_than_what_a_record_has_room_for(void)
{
	object = kmalloc(NAME, GFP_KERNEL);
	if (!object)
		return false;
	exact_expect(__func__, exact_size(object), 1);
	return true;
}

static bool change(void)
{
	return true;
}

static void release(void)
{
	kfree(object);
	object = NULL;
}

const struct exact_part names_part = {
	.hold = hold_in_a_function_whose_name_is_longer_than_what_a_record_has_room_for,
	.change = change,
	.release = release,
};
