/*
 * round_history.c - pages of history, taken whole or not at all; see round_history.h.
 */
#include "client/model/round_history.h"

#include <stdlib.h>
#include <string.h>

#include "client/model/replica_parts.h"

static void rounds_finish_vote(struct past_vote *v)
{
	free(v->card);
	free(v->user_id);
	free(v->username);
	free(v->note);
}

static void rounds_finish_round(struct past_round *p)
{
	for (size_t i = 0; i < p->votes_n; i++) {
		rounds_finish_vote(&p->votes[i]);
	}
	free(p->votes);
	free(p->story);
	free(p->outcome);
	replica_finish_result(&p->result);
}

static void rounds_free(struct past_round *items, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		rounds_finish_round(&items[i]);
	}
	free(items);
}

void round_history_finish(struct round_history *r)
{
	rounds_free(r->items, r->n);
	free(r->cursor);
	*r = (struct round_history){0};
}

static bool rounds_make_vote(const struct round_vote *v, struct past_vote *out)
{
	*out = (struct past_vote){
		.confidence = v->with_confidence ? (int)v->confidence : 0,
		.is_changed = v->with_is_changed && v->is_changed,
		.is_bot = v->is_bot,
	};
	out->card = replica_soften(v->vote);
	bool is_made = out->card != NULL &&
		       replica_soften_nil(v->user_id, v->with_user_id, &out->user_id) &&
		       replica_soften_nil(v->username, v->with_username, &out->username) &&
		       replica_soften_nil(v->note, v->with_note, &out->note);
	if (!is_made) {
		rounds_finish_vote(out);
	}
	return is_made;
}

static bool rounds_make_votes(const struct round_view *v, struct past_round *out)
{
	out->votes = calloc(v->votes_n + 1, sizeof(*out->votes));
	if (out->votes == NULL) {
		return false;
	}
	for (size_t i = 0; i < v->votes_n; i++) {
		if (!rounds_make_vote(&v->votes[i], &out->votes[i])) {
			return false;
		}
		out->votes_n++;
	}
	return true;
}

static bool rounds_make_round(const struct round_view *v, struct past_round *out)
{
	*out = (struct past_round){
		.n = v->n,
		.started_at = v->started_at,
		.revealed_at = v->revealed_at,
	};
	bool is_made = replica_soften_nil(v->story, v->with_story, &out->story) &&
		       replica_soften_nil(v->outcome, v->with_outcome, &out->outcome) &&
		       rounds_make_votes(v, out) && replica_make_result(&v->result, &out->result);
	if (!is_made) {
		rounds_finish_round(out);
	}
	return is_made;
}

/* Own copies of the page's rounds; NULL when memory is out. */
static struct past_round *rounds_make_page(const struct round_list_result *page)
{
	struct past_round *made = calloc(page->rounds_n + 1, sizeof(*made));
	for (size_t i = 0; made != NULL && i < page->rounds_n; i++) {
		if (!rounds_make_round(&page->rounds[i], &made[i])) {
			rounds_free(made, i);
			return NULL;
		}
	}
	return made;
}

/*
 * Where in the history begins what is older than a page of the newest rounds:
 * behind the round that both have. Where they do not meet nothing is kept, as
 * rounds in between may be missing.
 */
static size_t rounds_older(const struct round_history *r, const struct round_list_result *page)
{
	size_t at = 0;
	if (page->rounds_n == 0 || !page->with_cursor || page->cursor.data == NULL) {
		return r->n;
	}
	int64_t oldest = page->rounds[page->rounds_n - 1].n;
	while (at < r->n && r->items[at].n > oldest) {
		at++;
	}
	return at < r->n && r->items[at].n == oldest ? at + 1 : r->n + 1;
}

/* `from` of what is there stays, in front of the page or behind it. */
static void rounds_put(struct round_history *r, struct past_round *all, struct past_round *made,
		       size_t n, bool is_first, size_t from)
{
	size_t kept = r->n - from;
	if (is_first) {
		for (size_t i = 0; i < from; i++) {
			rounds_finish_round(&r->items[i]);
		}
	}
	memcpy(all + (is_first ? 0 : kept), made, n * sizeof(*all));
	if (kept > 0) {
		memcpy(all + (is_first ? n : 0), r->items + from, kept * sizeof(*all));
	}
	free(made);
	free(r->items); /* an empty history has a list, too */
	r->items = all;
	r->n = kept + n;
}

enum err round_history_take(struct round_history *r, const struct round_list_result *page,
			    bool is_first)
{
	char *cursor = NULL;
	size_t older = is_first ? rounds_older(r, page) : 0;
	bool is_apart = older > r->n; /* nothing of the old is kept, its cursor neither */
	bool goes_on = is_first && !is_apart && page->with_cursor && page->cursor.data != NULL;
	size_t from = is_apart ? r->n : older;
	struct past_round *made = rounds_make_page(page);
	struct past_round *all = calloc(r->n - from + page->rounds_n + 1, sizeof(*all));
	if (made == NULL || all == NULL ||
	    (!goes_on && !replica_soften_nil(page->cursor, page->with_cursor, &cursor))) {
		rounds_free(made, made == NULL ? 0 : page->rounds_n);
		free(all);
		return ERR_NOMEM;
	}
	rounds_put(r, all, made, page->rounds_n, is_first, from);
	if (!goes_on) {
		free(r->cursor);
		r->cursor = cursor;
	}
	return OK;
}
