/*
 * room_status.c - the facts of a room's line, and the line; see room_status.h.
 */
#include "client/model/room/room_status.h"

#include <string.h>

#include "proto/base/format.h"
#include "proto/text/text.h"

static const struct user_view *room_status_me(const struct replica *r, const char *name)
{
	if (r->you.user_id.data != NULL) {
		return replica_member(r, r->you.user_id.data);
	}
	for (size_t i = 0; i < r->users.n && name != NULL; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (!m->is_bot && slice_eq(m->username, slice_str(name))) {
			return m;
		}
	}
	return NULL;
}

static void room_status_set_subject(const struct replica *r, struct room_status *out)
{
	const struct story_view *s = replica_story(r, r->room.story_id.data);
	struct slice text = s == NULL ? r->room.title : s->key.len > 0 ? s->key : s->title;
	size_t fits = text_fit(text, ROOM_STATUS_SUBJECT_CELLS);
	bool is_cut = fits < text.len;
	fits = is_cut ? text_fit(text, ROOM_STATUS_SUBJECT_CELLS - 1) : fits;
	(void)format_to(out->subject, sizeof(out->subject), "%.*s%s", (int)fits,
			text.len == 0 ? "" : text.data, is_cut ? "…" : "");
}

/* Where stories are open together: on how many of them the user has voted, as far as others may know that. */
static void room_status_set_together(const struct replica *r, const struct user_view *me,
				     struct room_status *out)
{
	size_t open = 0;
	size_t voted = 0;
	bool is_known = r->you.user_id.data != NULL;
	bool at_table = out->is_mine;
	replica_count_open(r, &open, &voted);
	if (!is_known && me != NULL) {
		voted = (size_t)me->stories_voted + me->has_vote;
	}
	out->voters = (int64_t)open;
	out->voted = (int64_t)(voted < open ? voted : open);
	out->is_mine = out->is_in && me != NULL && me->role == ROLE_VOTER &&
		       (is_known || !r->room.policy.hide_who_voted ? voted < open : at_table);
}

void room_status_of(const struct replica *r, const char *name, const struct room_status *was,
		    struct room_status *out)
{
	const struct user_view *me = room_status_me(r, name);
	const struct room_result *result = replica_result(r);
	bool is_known = r->you.user_id.data != NULL;
	size_t voters;
	size_t voted;
	*out = (struct room_status){
		.round = r->room.round,
		.is_revealed = r->room.is_revealed,
		.is_settled = r->room.is_revealed && r->room.outcome.len > 0,
		.keeps_votes = r->room.policy.keep_votes || r->room.policy.open_stories,
		.is_closed = r->room.policy.has_passcode || r->room.policy.lobby ||
			     r->room.policy.locked,
	};
	replica_count_votes(r, &voters, &voted);
	out->voters = (int64_t)voters;
	out->voted = (int64_t)voted;
	room_status_set_subject(r, out);
	if (out->is_revealed) {
		struct slice value = out->is_settled  ? r->room.outcome
				     : result != NULL ? result->suggestion
						      : (struct slice){0};
		(void)format_to(out->value, sizeof(out->value), "%.*s", (int)value.len,
				value.len == 0 ? "" : value.data);
	}
	out->is_lobby = r->you.is_waiting || (me != NULL && me->is_waiting);
	out->is_in = out->is_lobby ||
		     (me != NULL && me->username.len > 0 && (me->is_connected || out->keeps_votes));
	bool counts = out->is_in && me != NULL && replica_is_counted(r, me) && !out->is_revealed;
	if (counts && is_known) {
		out->is_mine = r->you.vote.len == 0;
	} else if (counts && replica_hides_voters(r)) {
		out->is_mine = was != NULL && was->round == out->round && was->is_mine;
	} else {
		out->is_mine = counts && !me->has_vote;
	}
	if (r->room.policy.open_stories) {
		room_status_set_together(r, me, out);
	}
}

void room_status_leave(struct room_status *s)
{
	s->is_in = s->is_in && s->keeps_votes && !s->is_lobby;
	s->is_lobby = false;
	s->is_mine = s->is_mine && s->is_in;
}

bool room_status_is_known(const struct room_status *s)
{
	return s->round > 0 || s->is_in;
}

bool room_status_eq(const struct room_status *a, const struct room_status *b)
{
	return strcmp(a->subject, b->subject) == 0 && strcmp(a->value, b->value) == 0 &&
	       a->round == b->round && a->voters == b->voters && a->voted == b->voted &&
	       a->is_in == b->is_in && a->is_lobby == b->is_lobby && a->is_mine == b->is_mine &&
	       a->is_revealed == b->is_revealed && a->is_settled == b->is_settled &&
	       a->keeps_votes == b->keeps_votes && a->is_closed == b->is_closed;
}

void room_status_short(const struct room_status *s, char out[ROOM_STATUS_LINE_BYTES])
{
	out[0] = '\0';
	if (!s->is_in) {
		return;
	}
	if (s->is_lobby) {
		(void)format_to(out, ROOM_STATUS_LINE_BYTES, "in the lobby");
	} else if (s->is_revealed) {
		(void)format_to(out, ROOM_STATUS_LINE_BYTES, "%s%s",
				s->is_settled	      ? "settled on "
				: s->value[0] != '\0' ? "revealed, suggested "
						      : "revealed",
				s->value);
	} else if (s->voters > 0) {
		(void)format_to(out, ROOM_STATUS_LINE_BYTES, "%lld of %lld%s", (long long)s->voted,
				(long long)s->voters, s->is_mine ? ", waiting for you" : "");
	}
}

void room_status_line(const struct room_status *s, const char *room_id,
		      char out[ROOM_STATUS_LINE_BYTES])
{
	struct room_status there = *s;
	char words[ROOM_STATUS_LINE_BYTES];
	there.is_in = true;
	room_status_short(&there, words);
	(void)format_to(out, ROOM_STATUS_LINE_BYTES, "%s: %s%s",
			s->subject[0] == '\0' ? room_id : s->subject,
			words[0] == '\0' ? "no voters" : words,
			s->is_in ? "" : "; you have no seat");
}
