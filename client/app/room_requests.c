/*
 * room_requests.c - one ask, one request; see room_requests.h.
 */
#include "client/app/room_requests.h"

#include <string.h>

#include <sodium.h>

#include "client/app/room_requests_parts.h"
#include "client/model/parse_cards.h"
#include "proto/arena.h"
#include "proto/deck.h"

static void room_acts_prepare(struct room_requests_frame *f, const char *room_id,
			      const char *host_key)
{
	unsigned char bytes[SEED_BYTES];
	randombytes_buf(bytes, sizeof(bytes));
	memcpy(f->once_text, key_from_bytes(bytes).text, sizeof(f->once_text));
	f->once = slice_of(f->once_text, KEY_CHARS);
	f->room_id = slice_str(room_id);
	f->host_key = slice_str(host_key);
}

static enum err room_acts_turn(struct room_client *to, const struct room_requests_frame *f,
			       bool is_revealed)
{
	struct room_set_revealed_params p = {
		.room_id = f->room_id,
		.host_key = f->host_key,
		.is_revealed = is_revealed,
		.idempotency_key = f->once,
	};
	return room_client_call(to, METHOD_ROOM_SET_REVEALED, &p, NULL);
}

static enum err room_acts_delete(struct room_client *to, const struct room_requests_frame *f)
{
	struct room_host_params p = {
		.room_id = f->room_id,
		.host_key = f->host_key,
		.idempotency_key = f->once,
	};
	return room_client_call(to, METHOD_ROOM_DELETE, &p, NULL);
}

/* The acts on one member take the same. */
static enum err room_acts_user(struct room_client *to, const struct room_requests_frame *f,
			       enum method method, const char *user_id)
{
	struct room_user_params p = {
		.room_id = f->room_id,
		.host_key = f->host_key,
		.user_id = slice_str(user_id),
		.idempotency_key = f->once,
	};
	return room_client_call(to, method, &p, NULL);
}

static enum err room_acts_title(struct room_client *to, const struct room_requests_frame *f,
				const char *title)
{
	struct room_set_title_params p = {
		.room_id = f->room_id,
		.host_key = f->host_key,
		.title = title[0] == '\0' ? (struct slice){0} : slice_str(title),
		.idempotency_key = f->once,
	};
	return room_client_call(to, METHOD_ROOM_SET_TITLE, &p, NULL);
}

static enum err room_acts_claim(struct room_client *to, const struct room_requests_frame *f,
				struct errmsg *why)
{
	struct room_claim_host_params p = {
		.room_id = f->room_id,
		.host_key = f->host_key,
		.idempotency_key = f->once,
	};
	if (f->host_key.len == 0) {
		errmsg_set(why, "Only who made the room has its host key.");
		return ERR_INVALID;
	}
	return room_client_call(to, METHOD_ROOM_CLAIM_HOST, &p, NULL);
}

static enum err room_acts_deck(struct room_client *to, const struct room_requests_frame *f,
			       const char *text, struct errmsg *why)
{
	struct slice cards[CARDS_TYPED_MAX];
	struct slices deck = {cards, 0};
	struct arena arena = {0};
	struct fault fault = {0};
	enum err e = OK;
	deck.n = cards_split(text, cards, CARDS_TYPED_MAX);
	if (deck.n == 1) {
		e = deck_preset(cards[0], &arena, &deck, &fault);
	}
	if (e == ERR_INVALID) {
		errmsg_set(why, "%s", fault.message);
	}
	if (e == OK) {
		struct room_set_valid_sizes_params p = {
			.room_id = f->room_id,
			.host_key = f->host_key,
			.valid_sizes = deck,
			.idempotency_key = f->once,
		};
		e = room_client_call(to, METHOD_ROOM_SET_VALID_SIZES, &p, NULL);
	}
	arena_finish(&arena);
	return e;
}

enum err room_requests_send(struct room_client *to, const char *room_id, const char *host_key,
			    const struct ask *ask, struct errmsg *why)
{
	struct room_requests_frame f;
	room_acts_prepare(&f, room_id, host_key);
	switch (ask->kind) {
	case ASK_REVEAL:
		return room_acts_turn(to, &f, true);
	case ASK_HIDE:
		return room_acts_turn(to, &f, false);
	case ASK_DELETE:
		return room_acts_delete(to, &f);
	case ASK_CLAIM_HOST:
		return room_acts_claim(to, &f, why);
	case ASK_SET_HOST:
		return room_acts_user(to, &f, METHOD_ROOM_SET_HOST, ask->text);
	case ASK_KICK:
		return room_acts_user(to, &f, METHOD_ROOM_KICK, ask->text);
	case ASK_UNKICK:
		return room_acts_user(to, &f, METHOD_ROOM_UNKICK, ask->text);
	case ASK_SET_DECK:
		return room_acts_deck(to, &f, ask->text, why);
	case ASK_SET_TITLE:
		return room_acts_title(to, &f, ask->text);
	case ASK_UNSET_HOST:
		return room_acts_user(to, &f, METHOD_ROOM_UNSET_HOST, ask->text);
	case ASK_ADMIT:
		return room_acts_user(to, &f, METHOD_ROOM_ADMIT, ask->text);
	case ASK_REJECT:
		return room_acts_user(to, &f, METHOD_ROOM_REJECT, ask->text);
	default:
		return room_requests_play(to, &f, ask);
	}
}
