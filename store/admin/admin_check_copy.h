/*
 * admin_check_copy.h - check a copy of the data.
 */
#ifndef STORE_ADMIN_ADMIN_CHECK_COPY_H
#define STORE_ADMIN_ADMIN_CHECK_COPY_H

#include "store/admin/admin.h"

/*
 * Check the copy in `directory` as by admin_check(), and remove LMDB's lock file from it again.
 * *why refers to c->from, the source of the copy. Ranges lost in an earlier repair are OK, and
 * counted. Errors as of admin_check(); ERR_CLOSED; ERR_CONFLICT (c->owner).
 */
NODISCARD enum err admin_check_copy(const struct admin_copy *c, const char *directory,
				    struct admin_counts *counts, struct errmsg *why);

#endif
