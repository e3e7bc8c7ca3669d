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
#include "client/model/request.h"

/*
 * The request of a verb that needs no room, as its row, its words and options say; for a verb that has more
 * to do than make it. The exit code, told; the caller frees *out in any case.
 */
int verb_method_request(struct cli *c, struct request **out);

/*
 * Make the request of a verb, with what the server has to say of its words, and hand it to `act` in an open
 * visit. The exit code, told.
 */
typedef int (*verb_method_cb)(struct visit *v, struct request *r);
int verb_method_with(struct cli *c, verb_method_cb act);

/* For verb_method_with(): make the request, and print its result as the row says. */
int verb_method_act(struct visit *v, struct request *r);
/* Likewise: print every page of a list, a line of the row's `says` for each entry. */
int verb_list_all(struct visit *v, struct request *r);

/* More than any text may have, so that the server's words say what is wrong with it. */
#define VERB_INPUT_BYTES (4u * FIELD_CHAR_BYTES * MAX_QUESTION_ANSWER_CHARS)
/* All of standard input but the end of its last line, which is a text of several lines where the line has - for it. NUL-terminated; the exit code, told. */
int verb_method_read_input(struct buf *out);

/* The field that an option fills, of whichever verb takes it; NULL: none. */
const char *verb_method_option_field(enum option o);
/* Where the words of the verb's row begin in the line: behind the room's code, where it has one. */
size_t verb_method_first_word(const struct verb *v);
/* Whether a word of that kind stands in the line; a switch does not. */
bool verb_method_takes_word(enum word_kind kind);

#endif
