/*
 * verb_method.h - verbs that are one request: their rows say all of it.
 *
 * The words and options of the command line become the fields of the method's
 * params, what the room has to say of them (who is called that, which story is
 * meant) is looked up in the visit, the request is made, and its result printed.
 */
#ifndef CLIENT_CLI_VERB_METHOD_H
#define CLIENT_CLI_VERB_METHOD_H

#include "client/cli/verbs.h"

/* The field that an option fills, of whichever verb takes it; NULL: none. */
const char *verb_method_option_field(enum option o);
/* Whether a word of that kind stands in the line; a switch does not. */
bool verb_method_takes_word(enum word_kind kind);

#endif
