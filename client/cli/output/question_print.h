/*
 * question_print.h - get and print a question, for verbs.
 *
 * Functions that return an int return an exit code (verbs.h), and have reported a failure.
 */
#ifndef CLIENT_CLI_OUTPUT_QUESTION_PRINT_H
#define CLIENT_CLI_OUTPUT_QUESTION_PRINT_H

#include "client/cli/reach/visit.h"
#include "client/model/questions/question_whole.h"

/* The server's time, or the local time if that is not known. */
int64_t question_now_ms(const struct room_client *client);

/* Get all that the caller may see of the question. The caller always finishes *out. */
int question_get_whole(struct visit *v, const char *question_id, struct question_whole *out);

/*
 * Print it as JSON, or in words: with_head with the question, otherwise only its state and the
 * answers.
 */
int question_print_whole(const struct cli *c, const struct question_whole *w, bool with_head, int64_t now_ms);

/*
 * Print the id of a question that was asked; and for a person its link, if the server has a page
 * for browsers. On stderr, since what runs aye reads the id.
 */
int question_print_asked(const struct cli *c, const struct room_client *client, const struct question_ask_result *asked);

/*
 * Print the points earned by an answer, if the settings show them (cli.config). Returns false if
 * stdout is closed.
 */
bool question_print_result(const struct cli *c, const struct question_answer_result *r);

/* Print lines on stdout. */
int question_print_lines(const struct buf *lines);

#endif
