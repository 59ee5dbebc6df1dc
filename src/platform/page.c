// SPDX-License-Identifier: GPL-2.0-only
/*
 * What src/platform/page.rs needs of mm's inline functions.
 */
#include <linux/mm.h>

#include "../bindings.h"

bool alloctag_is_device_page(const struct page *page)
{
	return is_zone_device_page(page);
}

int alloctag_page_node(const struct page *page)
{
	return page_to_nid(page);
}
