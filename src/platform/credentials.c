// SPDX-License-Identifier: GPL-2.0-only
/*
 * For src/platform/credentials.rs: some of it are inline functions.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/security.h>

#include "../bindings.h"

/*
 * Whether kallsyms shows addresses to whoever asks, and did to whoever has
 * opened the file.
 */
bool alloctag_may_see_addresses(const struct file *file)
{
	return kallsyms_show_value(file->f_cred) &&
	       kallsyms_show_value(current_cred());
}

bool alloctag_may_administer(void)
{
	return capable(CAP_SYS_ADMIN);
}

/* Whether debugfs takes nothing from anybody. */
bool alloctag_is_locked_down(void)
{
	return security_locked_down(LOCKDOWN_DEBUGFS);
}
