/*
 * create_room.c - a deck by name or by its cards, a title, and a new room.
 */
#include "client/cli/create_room.h"

#include <string.h>

#include "client/cli/print.h"
#include "client/model/request.h"
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
	struct slices list = {cards, 0};
	char once[REACH_ONCE_CHARS + 1];
	char host_key[KEY_CHARS + 1];
	struct request *r = request_make(METHOD_ROOM_CREATE);
	const char *deck = v->cli->args.value[OPTION_DECK];
	const char *title = v->cli->args.value[OPTION_TITLE];
	const char *links = v->cli->args.value[OPTION_LINKS];
	bool has_title = title != NULL && title[0] != '\0';
	if (deck != NULL && strpbrk(deck, CREATE_ROOM_BETWEEN) != NULL) {
		create_room_split(&deck, 1, &list);
		request_texts(r, "valid_sizes", &list);
	} else if (deck != NULL && deck[0] != '\0') {
		request_text(r, "deck", deck);
	}
	if (has_title) {
		request_text(r, "title", title);
	}
	if (links != NULL && links[0] != '\0') {
		request_text(r, "link_template", links);
	}
	(void)reach_once(once);
	request_fill_common(r, &(struct request_common){.idempotency_key = once});
	int code = r->fault.code != FAULT_NONE ? print_refusal(v->cli, &r->fault)
					       : visit_call(v, METHOD_ROOM_CREATE, r->params, out);
	request_free(r);
	if (code != EXIT_DONE) {
		return code;
	}
	format_to(v->room_id, sizeof(v->room_id), "%.*s", (int)out->room_id.len, out->room_id.data);
	format_to(host_key, sizeof(host_key), "%.*s", (int)out->host_key.len, out->host_key.data);
	visit_keep_host_key(v, host_key);
	if (has_title) {
		visit_keep_title(v, title);
	}
	return EXIT_DONE;
}
