/*
 * verb_method.h - verbs that make one request, defined by their rows.
 *
 * The words and options of the command line become the fields of the method's
 * params; members, stories and the like are looked up through the visit; then the
 * request is made, and its result printed.
 *
 * Functions that return an int return an exit code (verbs.h), and have reported a failure.
 */
#ifndef CLIENT_CLI_VERB_METHOD_H
#define CLIENT_CLI_VERB_METHOD_H

#include "client/cli/verbs.h"
#include "client/model/request.h"

/*
 * Build, but do not make, the request of a verb that needs no room, from its row, words and
 * options. The caller always frees *out.
 */
int verb_method_request(struct cli *c, struct request **out);

/*
 * Build the request of a verb, looking up its words on the server, and pass it to `act` in an open
 * visit.
 */
typedef int (*verb_method_cb)(struct visit *v, struct request *r);
int verb_method_with(struct cli *c, verb_method_cb act);

/* For verb_method_with(): print all pages of a list, with the row's `says` for each entry. */
int verb_list_all(struct visit *v, struct request *r);
/* The same without a word on an empty list; sets *n to the number of entries printed. */
int verb_list_count(struct visit *v, struct request *r, size_t *n);

/* More than the limit of any text, so that a text that is too long gets the server's refusal. */
#define VERB_INPUT_BYTES (4u * FIELD_CHAR_BYTES * MAX_QUESTION_ANSWER_CHARS)
/* Read standard input for a word that is -, without the final newline; NUL-terminated. */
int verb_method_read_input(struct buf *out);

/* The field that an option fills, for any verb; NULL: none. */
const char *verb_method_option_field(enum option o);
/*
 * The index of the first word of the verb's row on the command line: after the room code, if the
 * verb takes one.
 */
size_t verb_method_first_word(const struct verb *v);
/* Whether a word of that kind is typed; WORD_TRUE and the like are not. */
bool verb_method_takes_word(enum word_kind kind);

#endif
