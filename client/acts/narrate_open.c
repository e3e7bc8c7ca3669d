/*
 * narrate_open.c - see narrate_open.h.
 */
#include "client/acts/narrate_open.h"

#include "client/acts/story_words.h"
#include "client/model/room/story_find.h"
#include "proto/base/format.h"

enum { OPEN_NAMED_MAX = 3 };

/* What an update did to the votes on a story. */
enum open_news {
	OPEN_VOTED,
	OPEN_CLEARED,
	OPEN_REVEALED,
	OPEN_CHANGED, /* after the reveal */
	OPEN_HIDDEN,
	OPEN_SETTLED,
	OPEN_NOTHING
};

/* ---- what happened to a story ---- */

/*
 * The votes that come to the table or leave it, and those that a settled or a removed story loses,
 * are not news.
 */
static enum open_news open_news(const struct replica *was, const struct replica *r,
				const struct story_view *s)
{
	const struct story_view *old = rows_find(&was->stories, s->story_id);
	if (old == NULL || replica_is_current(was, old) || replica_is_current(r, s) ||
	    !replica_is_open(was, old)) {
		return OPEN_NOTHING;
	}
	if (!replica_is_open(r, s)) {
		return s->estimate.data != NULL && !s->is_removed ? OPEN_SETTLED : OPEN_NOTHING;
	}
	const struct story_votes none = {0};
	const struct story_votes *had = replica_story_votes(was, old);
	const struct story_votes *has = replica_story_votes(r, s);
	had = had == NULL ? &none : had;
	has = has == NULL ? &none : has;
	if (had->revealed_at != has->revealed_at) {
		return has->revealed_at > 0 ? OPEN_REVEALED : OPEN_HIDDEN;
	}
	if (has->revealed_at == 0) {
		return has->voted > had->voted	 ? OPEN_VOTED
		       : has->voted < had->voted ? OPEN_CLEARED
						 : OPEN_NOTHING;
	}
	bool is_same = had->votes_n == has->votes_n;
	for (size_t i = 0; is_same && i < has->votes_n; i++) {
		is_same = slice_eq(had->votes[i].vote, has->votes[i].vote);
	}
	return is_same ? OPEN_NOTHING : OPEN_CHANGED;
}

bool narrate_open_tells(const struct replica *was, const struct replica *r,
			const struct story_view *s)
{
	return open_news(was, r, s) == OPEN_SETTLED;
}

static void put_story(const struct replica *r, const struct story_view *s, enum open_news news,
		      struct buf *out)
{
	const struct story_votes *votes = replica_story_votes(r, s);
	struct story_name name;
	size_t voters;
	size_t voted;
	(void)buf_printf(out, "%s", story_short(s, &name));
	switch (news) {
	case OPEN_VOTED:
	case OPEN_CLEARED:
		replica_count_votes(r, &voters, &voted);
		(void)buf_printf(out, " (%lld of %zu)",
				 votes == NULL ? 0LL : (long long)votes->voted, voters);
		break;
	case OPEN_REVEALED:
	case OPEN_CHANGED:
		(void)buf_printf(out, ": ");
		story_votes_summary(r, votes, out);
		break;
	case OPEN_SETTLED:
		(void)buf_printf(out, " on %s", s->estimate.data);
		break;
	case OPEN_HIDDEN:
	case OPEN_NOTHING:
		break;
	}
}

/* ---- who it was ---- */

/* Whether the member has voted on more, or on fewer, stories than before. */
static bool is_voter_of(const struct replica *was, const struct replica *r,
			const struct user_view *m, enum open_news news, bool skips_own)
{
	const struct user_view *old = rows_find(&was->users, m->user_id);
	int64_t had = old == NULL ? 0 : old->stories_voted;
	bool is_less = news == OPEN_CLEARED;
	return m->username.data != NULL && !(skips_own && replica_is_me(r, m)) &&
	       (is_less ? m->stories_voted < had : m->stories_voted > had);
}

static size_t put_voters(const struct replica *was, const struct replica *r, enum open_news news,
			 bool skips_own, struct buf *out)
{
	size_t n = 0;
	size_t at = 0;
	for (size_t i = 0; i < r->users.n; i++) {
		n += is_voter_of(was, r, replica_member_at(r, i), news, skips_own);
	}
	for (size_t i = 0; n <= OPEN_NAMED_MAX && i < r->users.n; i++) {
		const struct user_view *m = replica_member_at(r, i);
		if (is_voter_of(was, r, m, news, skips_own)) {
			(void)buf_printf(out, "%s%s", format_between(at++, n, " and "),
					 m->username.data);
		}
	}
	if (n > OPEN_NAMED_MAX) {
		(void)buf_printf(out, "%zu members", n);
	}
	return n;
}

/* Append how the line begins. False: there is none, as what happened was not done by others. */
static bool put_start(const struct replica *was, const struct replica *r, const char *by,
		      bool skips_own, enum open_news news, struct buf *out)
{
	static const char *const starts[] = {
		[OPEN_VOTED] = "New votes on ",	  [OPEN_CLEARED] = "Votes were cleared on ",
		[OPEN_REVEALED] = "Revealed: ",	  [OPEN_CHANGED] = "Votes were changed on ",
		[OPEN_HIDDEN] = "Hidden again: ", [OPEN_SETTLED] = "Settled: ",
	};
	bool is_hidden = r->room.policy.hide_who_voted || was->room.policy.hide_who_voted;
	if ((news == OPEN_VOTED || news == OPEN_CLEARED) && !is_hidden) {
		if (put_voters(was, r, news, skips_own, out) == 0) {
			return false;
		}
		(void)buf_printf(out, news == OPEN_VOTED ? " voted on " : " retracted votes on ");
		return true;
	}
	bool is_deed = news == OPEN_HIDDEN || news == OPEN_SETTLED;
	(void)buf_printf(out, "%s%s", is_deed ? by : "", starts[news]);
	return true;
}

void narrate_open_votes(const struct replica *was, const struct replica *r, const char *by,
			bool skips_own, struct buf *out)
{
	size_t count[OPEN_NOTHING + 1] = {0};
	const struct story_view *named[OPEN_NOTHING + 1][OPEN_NAMED_MAX] = {{NULL}};
	for (size_t i = 0; was->room.policy.open_stories && i < r->stories.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		enum open_news news = open_news(was, r, s);
		if (count[news] < OPEN_NAMED_MAX) {
			named[news][count[news]] = s;
		}
		count[news]++;
	}
	for (enum open_news news = 0; news < OPEN_NOTHING; news++) {
		if (count[news] == 0 || !put_start(was, r, by, skips_own, news, out)) {
			continue;
		}
		for (size_t i = 0; count[news] <= OPEN_NAMED_MAX && i < count[news]; i++) {
			(void)buf_printf(out, "%s", i == 0 ? "" : ", ");
			put_story(r, named[news][i], news, out);
		}
		if (count[news] > OPEN_NAMED_MAX) {
			(void)buf_printf(out, "%zu stories", count[news]);
		}
		(void)buf_printf(out, ".\n");
	}
}

/* ---- one's own ---- */

/* The card of a vote that was cast or changed; that one has ended is what its member did, or was settled. */
static const char *own_news(const struct replica *was, const struct replica *r,
			    const struct story_view *s)
{
	const struct own_vote *had = replica_own_story_vote(was, s);
	const struct own_vote *has = replica_own_story_vote(r, s);
	bool is_new = has != NULL && (had == NULL || !slice_eq(had->vote, has->vote));
	return is_new && replica_is_open(r, s) && !replica_is_current(was, s) ? has->vote.data
									      : NULL;
}

void narrate_own_open_votes(const struct replica *was, const struct replica *r, bool is_first,
			    struct buf *out)
{
	size_t n = 0;
	for (size_t i = 0; !is_first && i < r->stories.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		const char *card = own_news(was, r, s);
		struct story_name name;
		if (card != NULL && n < OPEN_NAMED_MAX) {
			(void)buf_printf(out, "%s%s on %s", n == 0 ? "You voted " : ", ", card,
					 story_short(s, &name));
		}
		n += card != NULL;
	}
	if (n > OPEN_NAMED_MAX) {
		(void)buf_printf(out, " and %zu more", n - OPEN_NAMED_MAX);
	}
	(void)buf_printf(out, "%s", n > 0 ? ".\n" : "");
	bool at_table = r->room.story_id.data != NULL && r->room.round == was->room.round &&
			r->you.vote.data != NULL && was->you.vote.data == NULL;
	if (is_first || n > 0 || at_table) {
		stories_progress(r, out);
	}
}
