/*
 * reaction.h - reactions: words or emoji that are shown for a moment, and those a room offers.
 */
#ifndef PROTO_REACTION_H
#define PROTO_REACTION_H

#include <stdbool.h>

#include "proto/base/fault.h"
#include "proto/base/slice.h"

/* Return whether a clean text is one word. */
bool reaction_is_word(struct slice text);

/*
 * Check the value of a request's reactions: clean texts that are different words, each 1 to
 * MAX_REACTION_CELLS cells wide; or none. Returns FAULT_NONE, or the code of *fault.
 */
enum fault_code reactions_check(const struct slices *reactions, struct fault *fault);

#endif
