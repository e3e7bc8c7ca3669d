/*
 * import_markdown.h - lines, lists and tables as stories, without their marks.
 */
#ifndef CLIENT_FORMATS_IMPORT_MARKDOWN_H
#define CLIENT_FORMATS_IMPORT_MARKDOWN_H

#include "client/formats/import_check.h"

/* Headings are no stories, which is remarked upon; rules and blank lines are nothing at all. */
void import_markdown(struct import *im, struct slice text);

#endif
