/*
 * template.h - fills a line of a verb's row with the values of a record.
 *
 *   {name}    the field; - if it is absent
 *   {1}       a word of the command line
 *   {name@}   ms since 1970 as local time: 2026-11-24 06:32
 *   {name#}   ms since 1970 as the day of an expiry (item_text.h)
 *   {name~}   the field; - also if it is "none"
 *   {name:8}  any of these, padded with blanks to 8 cells
 *
 * All values are softened.
 */
#ifndef CLIENT_CLI_OUTPUT_TEMPLATE_H
#define CLIENT_CLI_OUTPUT_TEMPLATE_H

#include "client/cli/options.h"
#include "proto/base/buf.h"
#include "proto/records/record.h"

/* Append the line, without a newline. The record must have all names of the template. */
void template_write(const char *says, const struct args *a, const struct record *rec, const void *value,
		    struct buf *out);

#endif
