/*
 * verb_room.c - aye room show and create, and what becomes of a room's results.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/acts/narrate.h"
#include "client/acts/narrate_result.h"
#include "client/acts/story_words.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/rooms/create_room.h"
#include "client/model/memory.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"

enum verb_room_part { ROOM_WHOLE, ROOM_RESULT };

/* Ask for the room, and print it: all of it as JSON, or that part in sentences. */
static int verb_room_print(struct visit *v, enum verb_room_part part)
{
	struct replica r;
	struct room_update u;
	struct buf text;
	if (v->cli->is_json) {
		int code = room_command_get(v, &u);
		return code == EXIT_DONE ? print_record(&record_room_update, &u) : code;
	}
	int code = room_command_look(v, &r);
	buf_init(&text, 1u << 20);
	if (code == EXIT_DONE) {
		if (part == ROOM_WHOLE) {
			narrate_room(&r, room_client_server_ms(v->client), &text);
		} else {
			narrate_result(&r, &text);
		}
		enum err e = memory_check(text.error);
		bool is_told = e == OK &&
			       (text.len == 0 || print_line("%.*s", (int)text.len - 1, text.data));
		code = is_told ? EXIT_DONE : print_failure(e == OK ? ERR_IO : e, NULL);
	}
	buf_finish(&text);
	replica_finish(&r);
	return code;
}

int verb_room_show(struct cli *c)
{
	struct visit v;
	int code = visit_open(c, &v);
	if (code == EXIT_DONE) {
		code = verb_room_print(&v, ROOM_WHOLE);
	}
	visit_close(&v);
	return code;
}

int verb_room_create(struct cli *c)
{
	struct visit v;
	struct room_create_result r;
	struct policy_change rules = {0};
	int code = visit_begin(c, &v);
	if (code == EXIT_DONE) {
		code = room_command_read_policy(&v, c->args.words, c->args.words_n, &rules);
	}
	if (code == EXIT_DONE) {
		code = visit_connect(&v);
	}
	if (code == EXIT_DONE) {
		code = create_room(&v, &rules, &r);
	}
	if (code == EXIT_DONE) {
		code = room_command_say(&v, &record_room_create_result, &r, v.room_id);
	}
	visit_close(&v);
	return code;
}

static int verb_room_print_text(const struct visit *v, const char *field, struct slice text,
				const char *none)
{
	if (!v->cli->is_json) {
		bool is_told = text.data != NULL
				       ? print_line("%s", print_soft(text))
				       : !print_is_for_a_person() || print_line("%s", none);
		return is_told ? EXIT_DONE : EXIT_BROKEN;
	}
	json_t *line = text.data == NULL ? json_pack("{s:n}", field)
					 : json_pack("{s:s%}", field, text.data, text.len);
	char *json = line == NULL ? NULL : json_dumps(line, JSON_COMPACT);
	bool is_told = json != NULL && print_json(json);
	free(json);
	json_decref(line);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* With one more word it is changed, and '' clears it; without, it is printed. */
static int verb_room_text(struct cli *c, const char *field, size_t at, const char *none)
{
	struct visit v;
	struct room_update u;
	if (c->args.words_n > 1) {
		return verb_method(c);
	}
	int code = room_command_open(c, &v, NEEDS_RIGHTS);
	if (code == EXIT_DONE) {
		code = room_command_get(&v, &u);
	}
	if (code == EXIT_DONE) {
		const struct slice *text = (const void *)((const char *)&u.room + at);
		code = verb_room_print_text(&v, field, *text, none);
	}
	room_command_close(&v);
	return code;
}

int verb_room_title(struct cli *c)
{
	return verb_room_text(c, "title", offsetof(struct room_view, title),
			      "The room has no title.");
}

int verb_room_links(struct cli *c)
{
	return verb_room_text(c, "link_template", offsetof(struct room_view, link_template),
			      "Stories have no links of their own.");
}

/* ---- results ---- */

/* The votes on a story that is open together with others. */
static int verb_room_print_story(struct visit *v)
{
	struct replica room = {0};
	struct story_found found;
	struct buf text = {.max = MAX_FRAME_BYTES};
	int code = room_command_look(v, &room);
	story_find(&room, v->cli->args.value[OPTION_STORY], false, &found);
	const struct story_view *s = found.one; /* the request has found it; it may be gone since */
	const struct story_votes *votes = s == NULL ? NULL : replica_story_votes(&room, s);
	if (s != NULL && replica_is_current(&room, s)) {
		code = verb_room_print(v, ROOM_RESULT);
	} else if (s != NULL && v->cli->is_json) {
		const struct story_votes none = {.story_id = s->story_id};
		code = print_record(&record_story_votes, votes == NULL ? &none : votes);
	} else if (s != NULL && (votes == NULL || votes->votes_n == 0)) {
		code = print_line("Nobody has voted on it.") ? EXIT_DONE : EXIT_BROKEN;
	} else if (s != NULL) {
		story_votes_lines(&room, votes, &text);
		code = print_part("%.*s", (int)text.len, text.data) ? EXIT_DONE : EXIT_BROKEN;
	}
	buf_finish(&text);
	replica_finish(&room);
	return code;
}

int verb_room_was_revealed(struct visit *v, const struct record *rec, const void *result)
{
	(void)rec, (void)result;
	if (v->cli->args.value[OPTION_STORY] != NULL) {
		return verb_room_print_story(v);
	}
	return verb_room_print(v, ROOM_RESULT);
}

/* What its row tells people. */
static int verb_room_tell(const struct visit *v, const struct record *rec, const void *result)
{
	const struct cli *c = v->cli;
	return room_command_say(v, rec, result,
				!print_is_for_a_person() ? NULL
				: c->was_so		 ? c->verb->tells_so
							 : c->verb->tells);
}

bool verb_room_is_hidden(const struct replica *before, const void *params)
{
	(void)params;
	return !before->room.is_revealed;
}

int verb_room_was_hidden(struct visit *v, const struct record *rec, const void *result)
{
	return v->cli->is_json ? verb_room_print(v, ROOM_RESULT) : verb_room_tell(v, rec, result);
}

/* Has not voted, and does not have the own name: a host's verb acts without a seat. */
static bool verb_room_waits_for(const struct replica *room, size_t at, const char *own)
{
	const struct user_view *m = replica_member_at(room, at);
	return replica_is_missing(room, m) &&
	       !slice_eq(m->username, slice_str(own == NULL ? "" : own));
}

/* "Grace and Linus", the others who have not voted. Returns how many they are. */
static size_t verb_room_missing(const struct replica *room, const char *own, struct buf *out)
{
	size_t n = 0;
	size_t named = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		n += verb_room_waits_for(room, i, own);
	}
	for (size_t i = 0; i < room->users.n; i++) {
		if (verb_room_waits_for(room, i, own)) {
			(void)buf_printf(out, "%s%s", format_between(named++, n, " and "),
					 replica_name_of(room, replica_member_at(room, i)));
		}
	}
	return n;
}

/*
 * Who was nudged has not voted yet. Where others have not either, as they were nudged just before,
 * or are nudged where they are logged in, the number is told.
 */
static int verb_room_tell_nudged(struct visit *v, int64_t nudged)
{
	struct replica room = {0};
	struct buf names = {.max = MAX_FRAME_BYTES};
	int code = room_command_look(v, &room);
	bool is_all = code == EXIT_DONE &&
		      (int64_t)verb_room_missing(&room, visit_name(v), &names) == nudged;
	bool is_told = memory_check(names.error) == OK &&
		       (code != EXIT_DONE ||
			(is_all ? print_line("Nudged %s.", print_soft(buf_slice(&names)))
				: print_line("Nudged %lld.", (long long)nudged)));
	buf_finish(&names);
	replica_finish(&room);
	return code != EXIT_DONE ? code : is_told ? EXIT_DONE : EXIT_BROKEN;
}

int verb_room_was_nudged(struct visit *v, const struct record *rec, const void *result)
{
	int64_t nudged = ((const struct room_nudge_result *)result)->nudged;
	if (v->cli->is_json) {
		return room_command_say(v, rec, result, NULL);
	}
	if (!print_is_for_a_person()) {
		return print_line("%lld nudged", (long long)nudged) ? EXIT_DONE : EXIT_BROKEN;
	}
	if (nudged > 0) {
		return verb_room_tell_nudged(v, nudged);
	}
	return print_text("Nobody was nudged: all others have voted, or were nudged less than 30 s "
			  "ago.")
		       ? EXIT_DONE
		       : EXIT_BROKEN;
}

int verb_room_was_deleted(struct visit *v, const struct record *rec, const void *result)
{
	struct errmsg why = {""};
	if (state_forget_room(&v->state, v->place.address.text, v->room_id, &why) != OK) {
		print_problem("%s", why.text);
	}
	return verb_room_tell(v, rec, result);
}
