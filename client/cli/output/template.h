/*
 * template.h - a line of a verb's row with the values of a record in it.
 *
 *   {name}    the field; - where it is not there
 *   {1}       a word of the command line
 *   {name@}   ms since 1970 as local time: 2026-11-24 06:32
 *   {name#}   ms since 1970 as the day of an expiry (item_text.h)
 *   {name:8}  any of them, filled up with blanks to 8 cells
 *
 * What a server or a stranger wrote is softened.
 */
#ifndef CLIENT_CLI_OUTPUT_TEMPLATE_H
#define CLIENT_CLI_OUTPUT_TEMPLATE_H

#include "client/cli/options.h"
#include "proto/base/buf.h"
#include "proto/records/record.h"

/* Append it, without an end of line. Names that the record has not are a mistake of the row. */
void template_write(const char *says, const struct args *a, const struct record *rec, const void *value,
		    struct buf *out);

#endif
