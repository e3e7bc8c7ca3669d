/*
 * reference_doc.h - generated tables of documents: those of proto/README.md, and the
 * filling of marked sections.
 *
 * Sections: methods, notifications, records, errors, limits, decks, and
 * dictionary (for fuzzers; in no README).
 */
#ifndef TESTS_DOCS_REFERENCE_DOC_H
#define TESTS_DOCS_REFERENCE_DOC_H

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/records/record.h"

/*
 * Append one section, Markdown that ends with a newline.
 * ERR_NOT_FOUND for a name that is no section; ERR_NOMEM and ERR_TOO_LARGE as the buffer has them.
 */
NODISCARD enum err reference_doc_write(const char *section, struct buf *out);

/*
 * Append a record's fields as a Markdown table: for other references over records.
 */
void reference_doc_record(const struct record *rec, struct buf *out);

/*
 * Append `text` with what stands between each pair of lines
 * `<!-- begin: SECTION -->` and `<!-- end: SECTION -->` written anew by `write`; but "contents" is made of the
 * headings that `text` has, so after other sections got new headings it is to be done once more.
 *
 * ERR_INVALID    a begin has no end, or the name is too long.
 * Else the result of `write`, ERR_NOMEM or ERR_TOO_LARGE.
 */
NODISCARD enum err reference_doc_fill(struct slice text, enum err (*write)(const char *section, struct buf *out),
				  struct buf *out);

#endif
