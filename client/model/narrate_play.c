/*
 * narrate_play.c - differences in what is played, as sentences.
 */
#include "client/model/narrate_play.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* More stories of one kind of news than this are counted instead of named: an import is one event.
 */
#define NARRATE_NAMED_MAX 3

struct narrate_story {
	char *story_id;
	char *rank;
	char *title;
	char *estimate;
	enum story_status status;
	bool is_removed;
};

struct narrate_play {
	struct narrate_story *stories;
	size_t stories_n;
	char *story_id;
	char *outcome;
	struct policy_view policy;
	enum room_phase phase;
	int64_t round;
	int64_t timer_ends_at;
	bool is_armed;
};

/* ---- remembering ---- */

void narrate_play_destroy(struct narrate_play *p)
{
	if (p == NULL) {
		return;
	}
	for (size_t i = 0; i < p->stories_n; i++) {
		free(p->stories[i].story_id);
		free(p->stories[i].rank);
		free(p->stories[i].title);
		free(p->stories[i].estimate);
	}
	free(p->stories);
	free(p->story_id);
	free(p->outcome);
	free(p);
}

static char *narrate_keep(const char *text, bool *ok)
{
	char *copy = text == NULL ? NULL : strdup(text);
	*ok = *ok && (text == NULL || copy != NULL);
	return copy;
}

struct narrate_play *narrate_play_copy(const struct replica *r)
{
	struct narrate_play *p = calloc(1, sizeof(*p));
	if (p == NULL) {
		return NULL;
	}
	size_t n = r->stories.n + r->removed.n;
	bool ok = true;
	p->stories = calloc(n + 1, sizeof(*p->stories));
	ok = p->stories != NULL;
	for (size_t i = 0; i < n && p->stories != NULL; i++) {
		const struct story_view *s = replica_story_at(r, i);
		p->stories[p->stories_n++] = (struct narrate_story){
			.story_id = narrate_keep(s->story_id.data, &ok),
			.rank = narrate_keep(s->rank.data, &ok),
			.title = narrate_keep(s->title.data, &ok),
			.estimate = narrate_keep(s->estimate.data, &ok),
			.status = s->status,
			.is_removed = s->is_removed,
		};
	}
	p->story_id = narrate_keep(r->room.story_id.data, &ok);
	p->outcome = narrate_keep(r->room.outcome.data, &ok);
	p->policy = r->room.policy;
	p->phase = r->room.phase;
	p->round = r->room.round;
	p->timer_ends_at = r->room.timer.ends_at;
	p->is_armed = r->room.is_armed;
	if (!ok) {
		narrate_play_destroy(p);
		return NULL;
	}
	return p;
}

/* ---- stories ---- */

static bool narrate_is_other(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a != b : strcmp(a, b) != 0;
}

static const struct narrate_story *narrate_old_story(const struct narrate_play *was,
						     const struct story_view *s, size_t hint)
{
	if (hint < was->stories_n && strcmp(was->stories[hint].story_id, s->story_id.data) == 0) {
		return &was->stories[hint];
	}
	for (size_t i = 0; i < was->stories_n; i++) {
		if (strcmp(was->stories[i].story_id, s->story_id.data) == 0) {
			return &was->stories[i];
		}
	}
	return NULL;
}

enum narrate_news {
	NARRATE_ADDED,
	NARRATE_REMOVED,
	NARRATE_RESTORED,
	NARRATE_MOVED,
	NARRATE_KINDS
};

static const struct {
	const char *named;
	const char *counted;
} narrate_news_rows[NARRATE_KINDS] = {
	[NARRATE_ADDED] = {"Story added", "stories were added"},
	[NARRATE_REMOVED] = {"Story removed", "stories were removed"},
	[NARRATE_RESTORED] = {"Story restored", "stories were restored"},
	[NARRATE_MOVED] = {"Story moved", "stories were moved"},
};

static enum narrate_news narrate_story_news(const struct narrate_story *old,
					    const struct story_view *s)
{
	if (old == NULL) {
		return s->is_removed ? NARRATE_KINDS : NARRATE_ADDED;
	}
	if (old->is_removed != s->is_removed) {
		return s->is_removed ? NARRATE_REMOVED : NARRATE_RESTORED;
	}
	return strcmp(old->rank, s->rank.data) != 0 ? NARRATE_MOVED : NARRATE_KINDS;
}

/* What happened to the list: the first few by name, or only how many. */
static void narrate_list(const struct narrate_play *was, const struct replica *r, struct buf *out)
{
	size_t count[NARRATE_KINDS + 1] = {0};
	const char *named[NARRATE_KINDS + 1][NARRATE_NAMED_MAX] = {{NULL}};
	for (size_t i = 0; i < r->stories.n + r->removed.n; i++) {
		const struct story_view *s = replica_story_at(r, i);
		enum narrate_news news = narrate_story_news(narrate_old_story(was, s, i), s);
		if (count[news] < NARRATE_NAMED_MAX) {
			named[news][count[news]] = s->title.data;
		}
		count[news]++;
	}
	for (size_t kind = 0; kind < NARRATE_KINDS; kind++) {
		if (count[kind] > NARRATE_NAMED_MAX) {
			(void)buf_printf(out, "%zu %s.\n", count[kind],
					 narrate_news_rows[kind].counted);
			continue;
		}
		for (size_t i = 0; i < count[kind]; i++) {
			(void)buf_printf(out, "%s: %s\n", narrate_news_rows[kind].named,
					 named[kind][i]);
		}
	}
}

static void narrate_story(const struct narrate_story *old, const struct story_view *s,
			  struct buf *out)
{
	if (strcmp(old->title, s->title.data) != 0) {
		(void)buf_printf(out, "Story %s is now called %s\n", old->title, s->title.data);
	}
	if (narrate_is_other(old->estimate, s->estimate.data)) {
		(void)buf_printf(out,
				 s->estimate.data == NULL ? "No estimate any more: %s\n"
							  : "Estimate of %s: %s\n",
				 s->title.data, s->estimate.data);
	}
	if (old->status != s->status && s->status == STORY_SKIPPED) {
		(void)buf_printf(out, "Story skipped: %s\n", s->title.data);
	}
}

static void narrate_stories(const struct narrate_play *was, const struct replica *r,
			    struct buf *out)
{
	narrate_list(was, r, out);
	for (size_t i = 0; i < r->stories.n; i++) {
		const struct narrate_story *old = narrate_old_story(was, replica_story_at(r, i), i);
		if (old != NULL) {
			narrate_story(old, replica_story_at(r, i), out);
		}
	}
}

/* ---- policy ---- */

static const char *const narrate_data_editors[WORDS_COUNT(data_editors)] = {
	[DATA_EDITORS_MEMBERS] = "All who have joined may edit notes and other shared data now.",
	[DATA_EDITORS_EVERYONE] = "Everyone may edit notes and other shared data now.",
	[DATA_EDITORS_HOST] = "Only hosts edit notes and other shared data now.",
};

static void narrate_flag(bool was, bool is, const char *on, const char *off, struct buf *out)
{
	if (was != is) {
		(void)buf_printf(out, "%s\n", is ? on : off);
	}
}

static void narrate_policy(const struct policy_view *was, const struct policy_view *is,
			   struct buf *out)
{
	if (was->who_edits_data != is->who_edits_data) {
		(void)buf_printf(out, "%s\n", narrate_data_editors[is->who_edits_data]);
	}
#define FLAG(F, field, flag, is_default, help, label, on, off) \
	narrate_flag(was->field, is->field, on, off, out);
	POLICY_FLAGS(FLAG, _)
#undef FLAG
	narrate_flag(was->has_passcode, is->has_passcode, "New members need a passcode now.",
		     "New members need no passcode any more.", out);
}

/* ---- what runs ---- */

/* A moment of the server's day, which has no leap seconds. */
static void narrate_clock(int64_t at_ms, struct buf *out)
{
	int64_t s = at_ms / 1000 % 86400;
	(void)buf_printf(out, "%02d:%02d:%02d UTC", (int)(s / 3600), (int)(s / 60 % 60),
			 (int)(s % 60));
}

static void narrate_timer(const struct replica *r, struct buf *out)
{
	(void)buf_printf(out, "A timer runs until ");
	narrate_clock(r->room.timer.ends_at, out);
	(void)buf_printf(out, r->room.timer.reveal_at_zero ? ", and turns the cards over then.\n"
							   : ".\n");
}

static void narrate_target(const struct replica *r, struct buf *out)
{
	const struct story_view *s = replica_story(r, r->room.story_id.data);
	if (s == NULL) {
		return;
	}
	(void)buf_printf(out, "Voting on: %s", s->title.data);
	if (r->room.story_round > 1) {
		(void)buf_printf(out, " (time %lld)", (long long)r->room.story_round);
	}
	(void)buf_printf(out, "\n");
}

static void narrate_reveal(const struct narrate_play *was, const struct replica *r, struct buf *out)
{
	bool is_same_round = was->round == r->room.round;
	if (r->room.phase == PHASE_COUNTDOWN && was->phase != PHASE_COUNTDOWN) {
		(void)buf_printf(out, "Everybody has voted: the cards turn over in a moment.\n");
	} else if (r->room.phase == PHASE_VOTING && was->phase == PHASE_COUNTDOWN &&
		   is_same_round) {
		(void)buf_printf(out, "The countdown has stopped.\n");
	}
	if (r->room.is_armed && !was->is_armed) {
		(void)buf_printf(out, "The last missing vote turns the cards over.\n");
	} else if (!r->room.is_armed && was->is_armed && r->room.phase == PHASE_VOTING &&
		   is_same_round) {
		(void)buf_printf(out, "The last missing vote turns nothing over any more.\n");
	}
}

void narrate_play_changes(const struct narrate_play *was, const struct replica *r, struct buf *out)
{
	narrate_policy(&was->policy, &r->room.policy, out);
	narrate_stories(was, r, out);
	if (narrate_is_other(was->story_id, r->room.story_id.data) || was->round != r->room.round) {
		narrate_target(r, out);
	}
	if (was->timer_ends_at != r->room.timer.ends_at && r->room.timer.ends_at != 0) {
		narrate_timer(r, out);
	} else if (was->timer_ends_at != r->room.timer.ends_at) {
		(void)buf_printf(out, "The timer has ended.\n");
	}
}

void narrate_play_reveal(const struct narrate_play *was, const struct replica *r, struct buf *out)
{
	narrate_reveal(was, r, out);
	if (r->room.outcome.data != NULL && narrate_is_other(was->outcome, r->room.outcome.data)) {
		(void)buf_printf(out, "Settled on %s.\n", r->room.outcome.data);
	}
}

void narrate_play_state(const struct replica *r, struct buf *out)
{
	size_t estimated = 0;
	for (size_t i = 0; i < r->stories.n; i++) {
		estimated += replica_story_at(r, i)->estimate.data != NULL;
	}
	if (r->stories.n > 0) {
		(void)buf_printf(out, "Stories: %zu, %zu with an estimate\n", r->stories.n,
				 estimated);
	}
	narrate_target(r, out);
	if (r->room.timer.ends_at != 0) {
		narrate_timer(r, out);
	}
}

/* ---- the result ---- */

static void narrate_voters(const struct replica *r, const char *label, struct slice card,
			   struct buf *out)
{
	const struct result_card *found = NULL;
	for (size_t i = 0; i < r->room.result.cards_n; i++) {
		if (slice_eq(r->room.result.cards[i].card, card)) {
			found = &r->room.result.cards[i];
		}
	}
	(void)buf_printf(out, "%s %s", label, card.data);
	for (size_t i = 0; found != NULL && i < found->user_ids.n; i++) {
		const struct user_view *m = replica_member(r, found->user_ids.items[i].data);
		if (m != NULL && m->username.data != NULL) {
			(void)buf_printf(out, "%s%s", i == 0 ? " by " : ", ", m->username.data);
		}
	}
}

void narrate_play_result(const struct replica *r, struct buf *out)
{
	const struct room_result *result = replica_result(r);
	if (result == NULL || result->votes == 0) {
		return;
	}
	if (result->is_unanimous) {
		(void)buf_printf(out, "All agree on %s.\n",
				 result->mode.data == NULL ? "one card" : result->mode.data);
	} else if (result->suggestion.data != NULL) {
		(void)buf_printf(out, "Close enough to accept %s.\n", result->suggestion.data);
	} else if (result->lowest.data != NULL && result->highest.data != NULL &&
		   result->spread_steps > 0) {
		narrate_voters(r, "To speak first:", result->lowest, out);
		narrate_voters(r, ";", result->highest, out);
		(void)buf_printf(out, ".\n");
	}
}
