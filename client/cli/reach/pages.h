/*
 * pages.h - iterate over a paged list of the server.
 */
#ifndef CLIENT_CLI_REACH_PAGES_H
#define CLIENT_CLI_REACH_PAGES_H

#include "client/cli/reach/visit.h"
#include "client/model/request.h"

/* The field of a list's result that holds its entries: the only list of records in it. */
const struct field *pages_field(enum method method);

/*
 * Take one entry, of the record of pages_field(); valid only during the call. Returns EXIT_DONE to
 * continue.
 */
typedef int (*pages_cb)(void *owner, const void *entry);

/*
 * Call `each` for all entries in order. Returns the exit code after a report, or that of the
 * callback.
 */
int pages_each(struct visit *v, struct request *r, pages_cb each, void *owner);

#endif
