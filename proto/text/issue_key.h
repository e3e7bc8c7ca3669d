/*
 * issue_key.h - keys of issues in trackers, such as PAY-101 and #12, as a name begins with them.
 */
#ifndef PROTO_TEXT_ISSUE_KEY_H
#define PROTO_TEXT_ISSUE_KEY_H

#include <stddef.h>

#include "proto/base/slice.h"

/*
 * Return the length of the word that the text begins with, if it has the form of a key in any
 * case: letters, digits and _, two or more, a letter first, then - and digits; or # and digits.
 * 0: it has not, or is longer than MAX_STORY_KEY_CELLS.
 */
size_t issue_key_front(struct slice text);

#endif
