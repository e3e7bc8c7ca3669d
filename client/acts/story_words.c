/*
 * story_words.c - see story_words.h. The table's votes are narrate_result.c's.
 */
#include "client/acts/story_words.h"

#include "client/model/questions/question_text.h"
#include "proto/text/text.h"

/* All within one card, and one to suggest. Of revealed votes, as what follows. */
static bool are_near(const struct story_votes *votes)
{
	const struct room_result *result = &votes->result;
	return result->suggestion.len > 0 &&
	       (!result->with_spread_steps || result->spread_steps <= 1);
}

static bool lacks_quorum(const struct replica *r, const struct story_votes *votes)
{
	int64_t quorum = r->room.policy.quorum;
	return votes->result.votes < (quorum > 0 ? quorum : 1);
}

bool story_votes_agree(const struct replica *r, const struct story_votes *votes)
{
	return votes->revealed_at > 0 && are_near(votes) && !lacks_quorum(r, votes);
}

void story_votes_summary(const struct replica *r, const struct story_votes *votes, struct buf *out)
{
	const struct room_result *result = &votes->result;
	if (votes->revealed_at == 0) {
		(void)buf_printf(out, "%lld voted", (long long)votes->voted);
	} else if (result->votes == 0) {
		(void)buf_printf(out, "no votes");
	} else if (story_votes_agree(r, votes)) {
		(void)buf_printf(out, "%s, agreed", result->suggestion.data);
	} else if (are_near(votes)) {
		(void)buf_printf(out, "%s, %lld of %lld needed", result->suggestion.data,
				 (long long)result->votes, (long long)r->room.policy.quorum);
	} else if (result->lowest.data != NULL && result->highest.data != NULL) {
		(void)buf_printf(out, "%s to %s", result->lowest.data, result->highest.data);
	} else {
		(void)buf_printf(out, "%s, most votes", result->mode.data);
	}
}

void story_ends_in(const struct replica *r, const struct story_view *s, int64_t now_ms,
		   bool is_short, struct buf *out)
{
	char span[24];
	const struct story_votes *votes = replica_story_votes(r, s);
	bool is_revealed = votes != NULL && votes->revealed_at > 0;
	if (replica_is_open(r, s) && !is_revealed && now_ms > 0 && s->ends_at > now_ms) {
		question_span(s->ends_at - now_ms, is_short, span, sizeof(span));
		(void)buf_printf(out, is_short ? "%s" : "%s left", span);
	}
}

static bool was_settled(const struct round_settle_agreed_result *done, const struct story_view *s)
{
	bool was = false;
	for (size_t i = 0; done != NULL && i < done->settled.n; i++) {
		was = was || slice_eq(done->settled.items[i], s->story_id);
	}
	return was;
}

/* How many open stories agree, and why the others do not. @done  those settled are not among them; NULL: none. */
struct story_counts {
	size_t agreed, apart, lacking, hidden;
};

static struct story_counts count_open(const struct replica *r,
				      const struct round_settle_agreed_result *done)
{
	struct story_counts n = {0};
	for (size_t i = 0; i < r->stories.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		const struct story_votes *votes = replica_story_votes(r, s);
		if (!replica_is_open(r, s) || was_settled(done, s)) {
			continue;
		}
		if (votes == NULL || votes->revealed_at == 0) {
			n.hidden++;
		} else if (!are_near(votes)) {
			n.apart++;
		} else if (lacks_quorum(r, votes)) {
			n.lacking++;
		} else {
			n.agreed++;
		}
	}
	return n;
}

bool story_settle_question(const struct replica *r, struct buf *out)
{
	enum { NAMED = 4, TITLE_CELLS = 24 };
	const struct story_counts n = count_open(r, NULL);
	size_t named = 0;
	if (n.agreed == 0) {
		return false;
	}
	(void)buf_printf(out, n.agreed == 1 ? "Settle " : "Settle %zu stories: ", n.agreed);
	for (size_t i = 0; i < r->stories.n && named < NAMED; i++) {
		const struct story_view *s = replica_story_at(r, i);
		const struct story_votes *votes = replica_story_votes(r, s);
		struct story_name name;
		if (replica_is_open(r, s) && votes != NULL && story_votes_agree(r, votes)) {
			const struct slice text = slice_str(story_short(s, &name));
			size_t fits = text_fit(text, TITLE_CELLS);
			(void)buf_printf(out, "%s%.*s%s", named == 0 ? "" : ", ", (int)fits,
					 text.data, fits < text.len ? "..." : "");
			named++;
		}
	}
	if (n.agreed > named) {
		(void)buf_printf(out, " and %zu more", n.agreed - named);
	}
	(void)buf_printf(out, "?");
	if (n.lacking > 0) {
		(void)buf_printf(out, " %zu %s a quorum", n.lacking,
				 n.lacking == 1 ? "lacks" : "lack");
	}
	return true;
}

void story_settled_line(const struct replica *r, const struct round_settle_agreed_result *done,
			struct buf *out)
{
	const struct story_counts left = count_open(r, done);
	const char *comma = ";";
	size_t left_n = left.apart + left.lacking + left.hidden;
	if (done->settled.n == 0) {
		(void)buf_printf(out, left_n == 0 ? "No open stories to settle"
						  : "No revealed story on which the votes agree");
	} else {
		(void)buf_printf(out, "Settled %zu %s", done->settled.n,
				 done->settled.n == 1 ? "story" : "stories");
	}
	if (left.apart > 0) {
		(void)buf_printf(out, "%s %zu left to talk about", comma, left.apart);
		comma = ",";
	}
	if (left.lacking > 0) {
		(void)buf_printf(out, "%s %zu %s a quorum", comma, left.lacking,
				 left.lacking == 1 ? "lacks" : "lack");
		comma = ",";
	}
	if (left.hidden > 0) {
		(void)buf_printf(out, "%s %zu not revealed yet", comma, left.hidden);
	}
	if (left_n == 0 && done->settled.n > 0) {
		(void)buf_printf(out, "; none left");
	}
}

static const char *name_of(const struct replica *r, const struct round_vote *v)
{
	bool is_me = r->you.user_id.data != NULL && slice_eq(r->you.user_id, v->user_id);
	return is_me ? "you" : v->username.data;
}

void story_votes_lines(const struct replica *r, const struct story_votes *votes, struct buf *out)
{
	for (size_t k = 0; k < r->room.valid_sizes.n; k++) {
		const struct slice card = r->room.valid_sizes.items[k];
		size_t n = 0;
		size_t named = 0;
		for (size_t i = 0; i < votes->votes_n; i++) {
			const struct round_vote *v = &votes->votes[i];
			if (!slice_eq(v->vote, card)) {
				continue;
			}
			n++;
			if (v->username.data != NULL) {
				(void)buf_printf(out, "%s%s%s%s", named == 0 ? card.data : "",
						 named == 0 ? "  " : ", ", name_of(r, v),
						 v->is_changed ? " (changed)" : "");
				named++;
			}
		}
		if (n > 0 && named == 0) {
			(void)buf_printf(out, "%s  %zu %s", card.data, n,
					 n == 1 ? "vote" : "votes");
		}
		(void)buf_printf(out, "%s", n > 0 ? "\n" : "");
	}
	for (size_t i = 0; i < votes->votes_n; i++) {
		const struct round_vote *v = &votes->votes[i];
		if (v->comment.data != NULL && v->username.data != NULL) {
			(void)buf_printf(out, "%s: %s\n", name_of(r, v), v->comment.data);
		}
	}
}

void story_voters_line(const struct replica *r, struct buf *out)
{
	const char *comma = "";
	for (size_t i = 0; i < r->users.n && !r->room.policy.hide_who_voted; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (replica_is_voter(m)) {
			(void)buf_printf(out, "%s%s %lld", comma, replica_name_of(r, m),
					 (long long)m->stories_voted);
			comma = ", ";
		}
	}
}

const char *story_short(const struct story_view *s, struct story_name *out)
{
	const struct slice name = s->key.len > 0 ? s->key : s->title;
	return story_name_of((struct slice){0}, name, out);
}

void story_references_line(const struct group_references_result *r, struct buf *out)
{
	const struct slice estimate = r->estimate; /* as it came: nothing ends it */
	if (r->stories_n == 0) {
		(void)buf_printf(out, "No story of the team's other rooms has %.*s",
				 (int)estimate.len, estimate.data);
		return;
	}
	(void)buf_printf(out, "%.*s was: ", (int)estimate.len, estimate.data);
	for (size_t i = 0; i < r->stories_n; i++) {
		const struct group_reference *s = &r->stories[i];
		struct story_name name;
		(void)buf_printf(out, "%s%s", i == 0 ? "" : ", ",
				 story_name_of((struct slice){0},
					       s->key.len > 0 ? s->key : s->title, &name));
	}
}

size_t stories_next_unvoted(const struct replica *r, size_t at)
{
	for (size_t i = 1; i <= r->stories.n; i++) {
		size_t next = (at + i) % r->stories.n;
		if (replica_awaits_vote(r, replica_story_at(r, next))) {
			return next;
		}
	}
	return r->stories.n;
}

void stories_progress(const struct replica *r, struct buf *out)
{
	size_t open;
	size_t voted;
	size_t next = r->stories.n == 0 ? 0 : stories_next_unvoted(r, r->stories.n - 1);
	replica_count_open(r, &open, &voted);
	if (open == 0) {
		return;
	}
	(void)buf_printf(out, "You have voted on %zu of %zu %s", voted, open,
			 open == 1 ? "story" : "stories");
	if (next < r->stories.n) {
		const struct story_view *s = replica_story_at(r, next);
		struct story_name name;
		(void)buf_printf(out, "; next: ");
		if (s->key.len == 0) {
			(void)buf_printf(out, "%zu, ", next + 1);
		}
		(void)buf_printf(out, "%s", story_name(s, &name));
	}
	(void)buf_printf(out, ".\n");
}
