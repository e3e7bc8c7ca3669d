/*
 * link.h - web addresses, and those built from a story's key.
 *
 * A template is an http or https address that contains {key} at least once:
 * "https://example.org/browse/{key}".
 */
#ifndef PROTO_LINK_H
#define PROTO_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"

/* Return whether the link is an address that a browser only opens. */
bool link_is_web(struct slice link);

/* Return whether the text, which must be clean, is a template. */
bool link_is_template(struct slice text);

/*
 * Replace each {key} of the template by the key, percent-encoded where necessary; a leading # is
 * removed (#12 becomes 12, as on GitHub). Returns the length; 0, and "", if it does not fit into
 * cap bytes with the terminator, or there is no key.
 */
size_t link_of_key(struct slice link_template, struct slice key, char *out, size_t cap);

#endif
