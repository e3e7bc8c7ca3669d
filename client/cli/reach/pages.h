/*
 * pages.h - a list of the server that comes in pages, entry by entry.
 */
#ifndef CLIENT_CLI_REACH_PAGES_H
#define CLIENT_CLI_REACH_PAGES_H

#include "client/cli/reach/visit.h"
#include "client/model/request.h"

/* The field of a list's result that has its entries: the only one of records. */
const struct field *pages_field(enum method method);

/* One entry, of the record that pages_field() names; valid until it returns. EXIT_DONE: go on; else the end of it. */
typedef int (*pages_cb)(void *owner, const void *entry);

/* Every entry of every page, in order. The exit code, told, or what the callback ended with. */
int pages_each(struct visit *v, struct request *r, pages_cb each, void *owner);

#endif
