/*
 * link.h - web addresses, and those that follow from a story's key.
 *
 * A template is an http or https address with {key} in it, once or more:
 * "https://example.org/browse/{key}".
 */
#ifndef PROTO_LINK_H
#define PROTO_LINK_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/slice.h"

/* Something that a browser opens, and does nothing else with. */
bool link_is_web(struct slice link);

/* @text  clean. */
bool link_is_template(struct slice text);

/*
 * The template with the key in each place, percent-encoded where it must be; of #12 the 12 alone, as GitHub has it.
 * Returns the length; 0, and "", where it does not fit cap bytes with the terminator, or there is no key.
 */
size_t link_of_key(struct slice link_template, struct slice key, char *out, size_t cap);

#endif
