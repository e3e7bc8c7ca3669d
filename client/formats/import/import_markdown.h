/*
 * import_markdown.h - stories from Markdown lines, lists and tables, without the markup.
 */
#ifndef CLIENT_FORMATS_IMPORT_IMPORT_MARKDOWN_H
#define CLIENT_FORMATS_IMPORT_IMPORT_MARKDOWN_H

#include "client/formats/import/import_check.h"

/* Headings are skipped with a remark; rules and blank lines are skipped silently. */
void import_markdown(struct import *im, struct slice text);

#endif
