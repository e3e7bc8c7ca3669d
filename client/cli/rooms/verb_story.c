/*
 * verb_story.c - aye story list, and which story is next.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "client/acts/story_words.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"

/* Its title; the answer has only its id. */
int verb_story_was_chosen(struct visit *v, const struct record *rec, const void *result)
{
	const struct story_result *r = result;
	struct replica room = {0};
	char id[65];
	bool is_any = r->story_id.len > 0;
	if (v->cli->is_json || !is_any) {
		int code = room_command_say(v, rec, r, "No stories left to vote on.");
		return code == EXIT_DONE && !is_any ? EXIT_NO : code;
	}
	int code = room_command_look(v, &room);
	(void)format_to(id, sizeof(id), "%.*s", (int)r->story_id.len, r->story_id.data);
	const struct story_view *s = code == EXIT_DONE ? replica_story(&room, id) : NULL;
	struct story_name name;
	if (code == EXIT_DONE && !print_line("%s", s == NULL ? id : story_name(s, &name))) {
		code = EXIT_BROKEN;
	}
	replica_finish(&room);
	return code;
}

/* What is voted on now: the round in the answer may be the one that there was, if nobody had voted. */
int verb_story_was_selected(struct visit *v, const struct record *rec, const void *result)
{
	struct replica room = {0};
	struct story_name name;
	if (v->cli->is_json) {
		return room_command_say(v, rec, result, NULL);
	}
	int code = room_command_look(v, &room);
	const struct story_view *s =
		code == EXIT_DONE ? replica_story(&room, room.room.story_id.data) : NULL;
	if (code == EXIT_DONE && !(s != NULL ? print_line("Voting on: %s", story_name(s, &name))
					     : print_line("No story is selected."))) {
		code = EXIT_BROKEN;
	}
	replica_finish(&room);
	return code;
}

#define VERB_SETTLED_BYTES 256

/* Each with its estimate; for people, how many are left, and why. With --json their ids, as sent. */
int verb_stories_were_settled(struct visit *v, const struct record *rec, const void *result)
{
	const struct round_settle_agreed_result *r = result;
	struct replica room = {0};
	char id[65];
	if (v->cli->is_json) {
		return room_command_say(v, rec, r, NULL);
	}
	int code = room_command_look(v, &room);
	for (size_t i = 0; code == EXIT_DONE && i < r->settled.n; i++) {
		struct story_name name;
		(void)format_to(id, sizeof(id), "%.*s", (int)r->settled.items[i].len,
				r->settled.items[i].data);
		const struct story_view *s = replica_story(&room, id);
		if (s != NULL &&
		    !print_line("%s  %s", s->estimate.data == NULL ? "-" : s->estimate.data,
				story_name(s, &name))) {
			code = EXIT_BROKEN;
		}
	}
	if (code == EXIT_DONE && (r->settled.n == 0 || print_is_for_a_person())) {
		struct buf line = {.max = VERB_SETTLED_BYTES};
		story_settled_line(&room, r, &line);
		code = print_line("%.*s.", (int)line.len, line.data) ? EXIT_DONE : EXIT_BROKEN;
		buf_finish(&line);
	}
	replica_finish(&room);
	return code;
}

bool verb_story_is_listed(const struct replica *before, const void *params)
{
	const struct story_params *p = params;
	const struct story_view *s = replica_story(before, p->story_id.data);
	return s != NULL && !s->is_removed;
}

/* "(3 voted; you 5)" of a story that is open together with others; "" of any other. */
static void verb_story_votes(const struct visit *v, const struct replica *r,
			     const struct story_view *s, struct buf *out)
{
	const struct replica *own = &room_client_membership(v->client)->room; /* has room.you */
	const struct story_votes *votes = replica_story_votes(r, s);
	const struct own_vote *mine = replica_own_story_vote(own, s);
	struct buf left = {.max = 64};
	story_ends_in(r, s, room_client_server_ms(v->client), false, &left);
	if (replica_is_open(r, s) && (votes != NULL || left.len > 0)) {
		(void)buf_printf(out, "  (");
		if (votes != NULL) {
			story_votes_summary(r, votes, out);
		}
		if (mine != NULL) {
			(void)buf_printf(out, "; you %s", mine->vote.data);
		}
		(void)buf_printf(out, "%s%.*s)", votes != NULL && left.len > 0 ? "; " : "",
				 (int)left.len, left.len == 0 ? "" : left.data);
	}
	buf_finish(&left);
}

static bool verb_story_line(const struct visit *v, const struct replica *r,
			    const struct story_view *s, size_t place)
{
	struct buf votes = {.max = 256};
	verb_story_votes(v, r, s, &votes);
	const char *estimate = s->estimate.data == NULL ? "-" : s->estimate.data;
	struct story_name name;
	(void)story_name(s, &name);
	if (s->is_removed) {
		buf_finish(&votes);
		return print_line("%3s  %-8s  %-8s  %s  %s", "", "removed", estimate,
				  s->story_id.data, name.text);
	}
	bool is_printed = print_line("%3zu  %-8s  %-8s  %s  %s%.*s", place,
				     words_text(&words_story_status, (int)s->status), estimate,
				     s->story_id.data, name.text, (int)votes.len,
				     votes.len == 0 ? "" : votes.data);
	buf_finish(&votes);
	return is_printed;
}

/*         one line of --json: the story, and what is known of the votes on it where it is open */
#define RECORD_listed_story(F)                                                                    \
	RECORD_story_view(F)                                                                      \
		F(BOOL, is_open, _, FIELD_OPT, 0, 0, "It is open together with others")           \
			F(INT, voted, _, FIELD_OPT, 0, INT64_MAX,                                 \
			  "How many counted votes there are on it")                               \
				F(STR, your_vote, _, FIELD_OPT, 1, MAX_CARD_BYTES, "Your card")   \
					F(INT, revealed_at, _, FIELD_OPT, 0, INT64_MAX,           \
					  "When they were revealed")                              \
						F(RECS, votes, round_vote, FIELD_OPT, 0, 100000,  \
						  "Once revealed: all votes")                     \
							F(REC, result, room_result, FIELD_OPT, 0, \
							  0, "Likewise: statistics of them")

RECORD_DECLARE(listed_story)
RECORD_DEFINE(listed_story)

static_assert(offsetof(struct listed_story, is_open) == offsetof(struct story_view, end_of_record),
	      "a listed story has the fields of a story first");

static int verb_story_json(const struct visit *v, const struct replica *r,
			   const struct story_view *s)
{
	const struct replica *own = &room_client_membership(v->client)->room; /* has room.you */
	const struct story_votes *votes = replica_story_votes(r, s);
	const struct own_vote *mine = replica_own_story_vote(own, s);
	struct listed_story line = {.is_open = replica_is_open(r, s)};
	memcpy(&line, s, offsetof(struct listed_story, is_open));
	line.with_voted = line.is_open;
	if (line.is_open && mine != NULL) {
		line.your_vote = mine->vote;
	}
	if (line.is_open && votes != NULL) {
		line.voted = votes->voted;
		line.revealed_at = votes->revealed_at;
		line.with_revealed_at = votes->revealed_at > 0;
		line.votes = votes->votes;
		line.votes_n = votes->votes_n;
		line.with_votes = votes->with_votes;
		line.result = votes->result;
		line.with_result = votes->with_result;
	}
	return print_record(&record_listed_story, &line);
}

int verb_story_list(struct cli *c)
{
	struct visit v;
	struct replica r = {0};
	int code = room_command_open(c, &v, NEEDS_SEAT);
	if (code == EXIT_DONE) {
		code = room_command_look(&v, &r);
	}
	/* One's own votes are told to the seat alone; who shows a host key comes without it. */
	if (code == EXIT_DONE && r.room.policy.open_stories && v.known.user_key[0] != '\0' &&
	    !v.has_seat) {
		code = visit_subscribe(&v, NULL);
	}
	size_t n = r.stories.n + (c->args.value[OPTION_ALL] != NULL ? r.removed.n : 0);
	for (size_t i = 0; code == EXIT_DONE && i < n; i++) {
		if (c->is_json) {
			code = verb_story_json(&v, &r, replica_story_at(&r, i));
		} else if (!verb_story_line(&v, &r, replica_story_at(&r, i), i + 1)) {
			code = EXIT_BROKEN;
		}
	}
	replica_finish(&r);
	room_command_close(&v);
	return code;
}
