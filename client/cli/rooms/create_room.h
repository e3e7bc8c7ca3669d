/*
 * create_room.h - create a room from the command line.
 */
#ifndef CLIENT_CLI_ROOMS_CREATE_ROOM_H
#define CLIENT_CLI_ROOMS_CREATE_ROOM_H

#include "client/acts/cards.h"
#include "client/cli/reach/visit.h"

#define CREATE_ROOM_CARDS_MAX CARDS_TYPED_MAX

/*
 * Create a room with --deck and --title, the given rules, and those of --async, --quorum and
 * --until; store its host_key, and select it in the visit. Invalid options are refused before.
 * Returns the exit code; has reported a failure.
 */
int create_room(struct visit *v, const struct policy_change *given, struct room_create_result *out);

/*
 * Split words at blanks and commas into cards; out->items has room for CREATE_ROOM_CARDS_MAX,
 * further ones are dropped.
 */
void create_room_split(const char *const *words, size_t words_n, struct slices *out);

#endif
