/*
 * create_room.h - room.create from the command line's words.
 */
#ifndef CLIENT_CLI_ROOMS_CREATE_ROOM_H
#define CLIENT_CLI_ROOMS_CREATE_ROOM_H

#include "client/acts/cards.h"
#include "client/cli/reach/visit.h"

#define CREATE_ROOM_CARDS_MAX CARDS_TYPED_MAX

/*
 * Make a room of --deck and --title, remember its host_key, and make the visit one to it; with the given rules, and
 * those and the deadline of --async, --quorum and --until. Words of those that make no sense are refused before. The
 * exit code, told.
 */
int create_room(struct visit *v, const struct policy_change *given, struct room_create_result *out);

/* Cards from words, themselves split at blanks and commas; out->items has room for CREATE_ROOM_CARDS_MAX, more are left out. */
void create_room_split(const char *const *words, size_t words_n, struct slices *out);

#endif
