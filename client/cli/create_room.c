/*
 * create_room.c - a deck by name or by its cards, a title, and a new room.
 */
#include "client/cli/create_room.h"

#include <string.h>

#include "proto/format.h"

#define CREATE_ROOM_BETWEEN " ,"

void create_room_split(const char *const *words, size_t words_n, struct slices *out)
{
	out->n = 0;
	for (size_t i = 0; i < words_n; i++) {
		out->n +=
			cards_split(words[i], out->items + out->n, CREATE_ROOM_CARDS_MAX - out->n);
	}
}

int create_room(struct visit *v, struct room_create_result *out)
{
	struct slice cards[CREATE_ROOM_CARDS_MAX];
	char once[REACH_ONCE_CHARS + 1];
	char host_key[KEY_CHARS + 1];
	const char *deck = v->cli->args.value[OPTION_DECK];
	const char *title = v->cli->args.value[OPTION_TITLE];
	bool is_list = deck != NULL && strpbrk(deck, CREATE_ROOM_BETWEEN) != NULL;
	struct room_create_params p = {
		.valid_sizes = {cards, 0},
		.with_valid_sizes = is_list,
		.deck = is_list ? (struct slice){0} : slice_str(deck),
		.title = slice_str(title),
		.idempotency_key = reach_once(once),
	};
	if (is_list) {
		create_room_split(&deck, 1, &p.valid_sizes);
	}
	int code = visit_call(v, METHOD_ROOM_CREATE, &p, out);
	if (code != EXIT_DONE) {
		return code;
	}
	format_to(v->room_id, sizeof(v->room_id), "%.*s", (int)out->room_id.len, out->room_id.data);
	format_to(host_key, sizeof(host_key), "%.*s", (int)out->host_key.len, out->host_key.data);
	visit_keep_host_key(v, host_key);
	if (p.title.len > 0) {
		visit_keep_title(v, title);
	}
	return EXIT_DONE;
}
