/*
 * link.h - web addresses, and those built from a story's key.
 *
 * A template is an http or https address that contains {key} at least once:
 * "https://example.org/browse/{key}".
 *
 * A page is where a server shows itself to browsers: "https://poker.example/". What it opens at a
 * room or a question is in the fragment, which a browser keeps to itself: proxies and logs see
 * neither.
 */
#ifndef PROTO_LINK_H
#define PROTO_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/fault.h"
#include "proto/base/limits.h"
#include "proto/base/slice.h"

/* Return whether the link is an address that a browser only opens. */
bool link_is_web(struct slice link);
/*
 * Return the address that an import puts below the note of an item: the note's last line, if it is
 * such an address; else an empty slice.
 */
struct slice link_below(struct slice note);

/* Return whether the text, which must be clean, is a template. */
bool link_is_template(struct slice text);
/*
 * Check the value of a request's link_template: empty, or a template. Returns FAULT_NONE, or the
 * code of *fault.
 */
enum fault_code link_check_template(struct slice text, struct fault *fault);

/*
 * Replace each {key} of the template by the key, percent-encoded where necessary; a leading # is
 * removed (#12 becomes 12, as on GitHub). Returns the length; 0, and "", if it does not fit into
 * cap bytes with the terminator, or there is no key.
 */
size_t link_of_key(struct slice link_template, struct slice key, char *out, size_t cap);

/* Of a page's address, #, and the longest id. */
enum { LINK_OF_PAGE_BYTES_MAX = MAX_WEB_BYTES + 1 + 64 };

/*
 * Return whether the text is the address of a page: http or https, visible ASCII characters
 * without any that could end the address or start its query or fragment, a / at the end, at most
 * MAX_WEB_BYTES bytes.
 */
bool link_is_page(struct slice text);

/*
 * Write the address that opens the page at this room or question: "https://poker.example/#K7QX3M".
 * Returns its length; 0, and "", if the page is empty or it does not fit into cap bytes with the
 * terminator.
 */
size_t link_of_page(struct slice page, struct slice id, char *out, size_t cap);

#endif
