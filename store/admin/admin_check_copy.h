/*
 * admin_check_copy.h - whether a copy of the data is as good as what it was made of.
 */
#ifndef STORE_ADMIN_ADMIN_CHECK_COPY_H
#define STORE_ADMIN_ADMIN_CHECK_COPY_H

#include "store/admin/admin.h"

/*
 * What admin_check() does, on the copy in `directory`, from which LMDB's lock file
 * is removed again. *why speaks of c->from, which the copy was made of. Ranges that an earlier repair lost are
 * OK, and counted. Errors as admin_check(), and ERR_CLOSED, ERR_CONFLICT (c->owner).
 */
NODISCARD enum err admin_check_copy(const struct admin_copy *c, const char *directory,
				    struct admin_counts *counts, struct errmsg *why);

#endif
