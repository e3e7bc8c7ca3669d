/*
 * schema_doc.h - the tables of store/README.md, made from the rows.
 */
#ifndef TESTS_DOCS_SCHEMA_DOC_H
#define TESTS_DOCS_SCHEMA_DOC_H

#include "proto/base/buf.h"
#include "proto/base/err.h"

/*
 * Append the Markdown of a section: "items", "attributes", "indexes".
 * ERR_NOT_FOUND where there is none of that name; ERR_NOMEM and ERR_TOO_LARGE as the buffer says.
 */
NODISCARD enum err schema_doc_write(const char *section, struct buf *out);

/* The sections in the order of the page; ends with NULL. */
extern const char *const schema_doc_sections[];

#endif
