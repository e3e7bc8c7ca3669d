/*
 * fault_words.h - a refusal in the words of the screens.
 *
 * A fault names a field of the request; people at a screen or in lines mode do not know the
 * fields, so this uses the words of the screens. The command line has its own words
 * (client/cli/output/explain.h); programs get the fields (fault_line()).
 */
#ifndef CLIENT_ACTS_FAULT_WORDS_H
#define CLIENT_ACTS_FAULT_WORDS_H

#include <stdbool.h>

#include "proto/base/fault.h"

enum { FAULT_WORDS_BYTES_MAX = FAULT_LINE_BYTES_MAX };

/* What the screens call a field, or one of its values; the field itself if they have no word for it. */
const char *fault_field_word(const char *field, bool is_one);

/*
 * Write "name: is wider than 32 cells", "card 4: must not be empty", or the message alone; cut to
 * fit.
 */
void fault_words(const struct fault *f, char out[FAULT_WORDS_BYTES_MAX]);

#endif
