/*
 * verb_room.c - aye room ...: one act on a room, from top to bottom.
 */
#include <string.h>

#include "client/cli/create_room.h"
#include "client/cli/print.h"
#include "client/cli/room_command.h"
#include "client/cli/visit.h"
#include "client/model/memory.h"
#include "client/model/narrate.h"
#include "proto/deck.h"

/* Print the result as the wire has it where JSON is wanted, else say it plainly; plain may be NULL.
 */
static int verb_room_say(const struct visit *v, const struct record *rec, const void *result,
			 const char *plain)
{
	if (v->cli->is_json) {
		enum err e = print_record(rec, result);
		return e == OK ? EXIT_DONE : print_failure(e, NULL);
	}
	return plain == NULL || print_line("%s", plain) ? EXIT_DONE : EXIT_BROKEN;
}

/* ---- looking ---- */

typedef void (*verb_room_tell_cb)(const struct replica *r, struct buf *out);

static enum err verb_room_tell(const struct room_update *u, verb_room_tell_cb tell)
{
	struct replica r = {0};
	struct buf text;
	buf_init(&text, 1u << 20);
	enum err e = replica_update(&r, u);
	if (e == OK) {
		tell(&r, &text);
		e = memory_check(text.error);
	}
	if (e == OK && text.len > 0 && !print_line("%.*s", (int)text.len - 1, text.data)) {
		e = ERR_IO;
	}
	buf_finish(&text);
	replica_finish(&r);
	return e;
}

/* Ask for the room, and print it: all of it as JSON, or what `tell` makes of it. */
static int verb_room_print(struct visit *v, verb_room_tell_cb tell)
{
	struct room_update u;
	int code = room_command_get(v, &u);
	if (code != EXIT_DONE) {
		return code;
	}
	enum err e =
		v->cli->is_json ? print_record(&record_room_update, &u) : verb_room_tell(&u, tell);
	return e == OK ? EXIT_DONE : print_failure(e, NULL);
}

int verb_room_show(struct cli *c)
{
	struct visit v;
	int code = visit_open(c, &v);
	if (code == EXIT_DONE) {
		code = verb_room_print(&v, narrate_room);
	}
	visit_close(&v);
	return code;
}

int verb_room_create(struct cli *c)
{
	struct visit v;
	struct room_create_result r;
	int code = visit_begin(c, &v);
	if (code == EXIT_DONE) {
		code = visit_connect(&v);
	}
	if (code == EXIT_DONE) {
		code = create_room(&v, &r);
	}
	if (code == EXIT_DONE) {
		code = verb_room_say(&v, &record_room_create_result, &r, v.room_id);
	}
	visit_close(&v);
	return code;
}

/* ---- acts of the host ---- */

/* Open the visit and show what rights we have. */
static int verb_room_open_as_host(struct cli *c, struct visit *v)
{
	int code = visit_open(c, v);
	return code == EXIT_DONE ? visit_show_rights(v) : code;
}

static int verb_room_turn(struct cli *c, bool is_revealed)
{
	struct visit v;
	char once[REACH_ONCE_CHARS + 1];
	int code = verb_room_open_as_host(c, &v);
	if (code == EXIT_DONE) {
		struct version_result r;
		struct room_set_revealed_params p = {
			.room_id = slice_str(v.room_id),
			.host_key = visit_host_key(&v),
			.is_revealed = is_revealed,
			.idempotency_key = reach_once(once),
		};
		code = visit_call(&v, METHOD_ROOM_SET_REVEALED, &p, &r);
	}
	if (code == EXIT_DONE && (is_revealed || c->is_json)) {
		code = verb_room_print(&v, narrate_result);
	}
	visit_close(&v);
	return code;
}

int verb_room_reveal(struct cli *c)
{
	return verb_room_turn(c, true);
}

int verb_room_hide(struct cli *c)
{
	return verb_room_turn(c, false);
}

int verb_room_delete(struct cli *c)
{
	struct visit v;
	char once[REACH_ONCE_CHARS + 1];
	int code = verb_room_open_as_host(c, &v);
	if (code == EXIT_DONE) {
		struct nothing r;
		struct errmsg why = {""};
		struct room_host_params p = {
			.room_id = slice_str(v.room_id),
			.host_key = visit_host_key(&v),
			.idempotency_key = reach_once(once),
		};
		code = visit_call(&v, METHOD_ROOM_DELETE, &p, &r);
		if (code == EXIT_DONE &&
		    state_forget_room(&v.state, v.place.address.text, v.room_id, &why) != OK) {
			print_problem("%s", why.text);
		}
		if (code == EXIT_DONE) {
			code = verb_room_say(&v, &record_nothing, &r, NULL);
		}
	}
	visit_close(&v);
	return code;
}

int verb_room_title(struct cli *c)
{
	struct visit v;
	char once[REACH_ONCE_CHARS + 1];
	int code = verb_room_open_as_host(c, &v);
	if (code == EXIT_DONE) {
		struct version_result r;
		bool has_title = c->args.words_n > 1 && c->args.words[1][0] != '\0';
		struct room_set_title_params p = {
			.room_id = slice_str(v.room_id),
			.host_key = visit_host_key(&v),
			.title = has_title ? slice_str(c->args.words[1]) : (struct slice){0},
			.idempotency_key = reach_once(once),
		};
		code = visit_call(&v, METHOD_ROOM_SET_TITLE, &p, &r);
		if (code == EXIT_DONE) {
			code = verb_room_say(&v, &record_version_result, &r, NULL);
		}
	}
	visit_close(&v);
	return code;
}

int verb_room_deck(struct cli *c)
{
	struct visit v;
	char once[REACH_ONCE_CHARS + 1];
	struct slice cards[CREATE_ROOM_CARDS_MAX];
	struct slices deck = {cards, 0};
	struct fault fault = {0};
	int code = verb_room_open_as_host(c, &v);
	if (code == EXIT_DONE && c->args.words_n == 2 && strpbrk(c->args.words[1], " ,") == NULL &&
	    deck_preset(slice_str(c->args.words[1]), &v.arena, &deck, &fault) != OK) {
		code = print_refusal(c, &fault);
	} else if (code == EXIT_DONE && deck.n == 0) {
		create_room_split(c->args.words + 1, c->args.words_n - 1, &deck);
	}
	if (code == EXIT_DONE) {
		struct room_set_valid_sizes_result r;
		struct room_set_valid_sizes_params p = {
			.room_id = slice_str(v.room_id),
			.host_key = visit_host_key(&v),
			.valid_sizes = deck,
			.idempotency_key = reach_once(once),
		};
		code = visit_call(&v, METHOD_ROOM_SET_VALID_SIZES, &p, &r);
		if (code == EXIT_DONE) {
			code = verb_room_say(&v, &record_room_set_valid_sizes_result, &r, NULL);
		}
	}
	visit_close(&v);
	return code;
}
