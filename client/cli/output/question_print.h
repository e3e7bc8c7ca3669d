/*
 * question_print.h - a question as the verbs get and print it.
 */
#ifndef CLIENT_CLI_OUTPUT_QUESTION_PRINT_H
#define CLIENT_CLI_OUTPUT_QUESTION_PRINT_H

#include "client/cli/reach/visit.h"
#include "client/model/questions/question_whole.h"

/* The server's time, or ours where it has not told its own. */
int64_t question_now_ms(const struct room_client *client);

/* All that the caller may see of the question. The exit code, told; *out is finished by the caller in any case. */
int question_get_whole(struct visit *v, const char *question_id, struct question_whole *out);

/* As JSON, or in words: with what was asked, or only how it stands and what was answered. The exit code, told. */
int question_print_whole(const struct cli *c, const struct question_whole *w, bool with_head, int64_t now_ms);

/* What an answer has earned, where the settings show it (cli.config); false where stdout is gone. */
bool question_print_result(const struct cli *c, const struct question_answer_result *r);

/* Lines that were written, on stdout. The exit code, told. */
int question_print_lines(const struct buf *lines);

#endif
