/*
 * rounds.c - pages of history, taken whole or not at all; see rounds.h.
 */
#include "client/model/rounds.h"

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

void rounds_finish(struct rounds *r)
{
	rounds_free(r->items, r->n);
	free(r->cursor);
	*r = (struct rounds){0};
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

enum err rounds_take(struct rounds *r, const struct round_list_result *page, bool is_first)
{
	char *cursor = NULL;
	struct past_round *made = rounds_make_page(page);
	if (made == NULL || !replica_soften_nil(page->cursor, page->with_cursor, &cursor)) {
		rounds_free(made, made == NULL ? 0 : page->rounds_n);
		return ERR_NOMEM;
	}
	size_t kept = is_first ? 0 : r->n;
	struct past_round *all = calloc(kept + page->rounds_n + 1, sizeof(*all));
	if (all == NULL) {
		rounds_free(made, page->rounds_n);
		free(cursor);
		return ERR_NOMEM;
	}
	if (is_first) {
		rounds_free(r->items, r->n);
	} else {
		memcpy(all, kept > 0 ? r->items : made, kept * sizeof(*all));
		free(r->items); /* an empty history has a list, too */
	}
	memcpy(all + kept, made, page->rounds_n * sizeof(*all));
	free(made);
	free(r->cursor);
	*r = (struct rounds){.items = all, .n = kept + page->rounds_n, .cursor = cursor};
	return OK;
}
