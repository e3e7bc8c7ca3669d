/*
 * narrate_result.c - what the open cards of a round say, as sentences.
 */
#include "client/acts/narrate_result.h"

const char *narrate_sure(int64_t confidence)
{
	static const char *const words[] = {"", "low confidence", "medium confidence",
					    "high confidence"};
	return words[confidence >= 1 && confidence <= 3 ? confidence : 0];
}

/* Of somebody with a name, and on a card that is known. */
static bool narrate_is_vote(const struct round_vote *v)
{
	return v->username.data != NULL && v->vote.data != NULL;
}

static void narrate_votes(const struct replica *r, struct buf *out)
{
	const char *between = "";
	for (size_t i = 0; i < replica_votes_n(r); i++) {
		struct round_vote v = replica_vote_at(r, i);
		const char *sure = narrate_sure(v.confidence);
		if (narrate_is_vote(&v)) {
			(void)buf_printf(out, "%s%s%s %s", between, v.username.data,
					 replica_has_gone(r, i) ? " (left)" : "", v.vote.data);
			if (sure[0] != '\0') {
				(void)buf_printf(out, " (%s)", sure);
			}
			between = ", ";
		}
	}
	(void)buf_printf(out, between[0] == '\0' ? "nobody has voted.\n" : ".\n");
	/* What was written on the votes, each on a line of its own: it is other people's text. */
	for (size_t i = 0; i < replica_votes_n(r); i++) {
		struct round_vote v = replica_vote_at(r, i);
		if (narrate_is_vote(&v) && v.comment.data != NULL) {
			(void)buf_printf(out, "%s commented: %s\n", v.username.data,
					 v.comment.data);
		}
	}
}

/* Without names: how often each card lies there. */
static void narrate_counts(const struct room_result *result, struct buf *out)
{
	for (size_t i = 0; i < result->cards_n; i++) {
		(void)buf_printf(out, "%s%lld x %s", i == 0 ? "" : ", ",
				 (long long)result->cards[i].votes, result->cards[i].card.data);
	}
	(void)buf_printf(out, result->cards_n == 0 ? "nobody has voted.\n" : ".\n");
}

static void narrate_voters(const struct replica *r, const char *label, struct slice card,
			   struct buf *out)
{
	const char *between = " by ";
	(void)buf_printf(out, "%s %s", label, card.data);
	for (size_t i = 0; i < replica_votes_n(r); i++) {
		struct round_vote v = replica_vote_at(r, i);
		bool counts = !v.is_bot || r->room.policy.bots_count;
		if (narrate_is_vote(&v) && counts && slice_eq(v.vote, card)) {
			(void)buf_printf(out, "%s%s%s", between, v.username.data,
					 replica_has_gone(r, i) ? " (left)" : "");
			between = ", ";
		}
	}
}

static int64_t narrate_votes_of(const struct room_result *result, struct slice card)
{
	size_t at = 0;
	while (at < result->cards_n && !slice_eq(result->cards[at].card, card)) {
		at++;
	}
	return at < result->cards_n ? result->cards[at].votes : 0;
}

bool narrate_is_outlier(const struct room_result *result, struct slice card)
{
	bool is_end = slice_eq(card, result->lowest) || slice_eq(card, result->highest);
	bool is_suggested = result->suggestion.data != NULL && slice_eq(card, result->suggestion);
	bool is_most = true;
	for (size_t i = 0; i < result->cards_n; i++) {
		bool is_other = !slice_eq(result->cards[i].card, card);
		is_most = is_most &&
			  (!is_other || result->cards[i].votes < narrate_votes_of(result, card));
	}
	return is_end && !is_suggested && !is_most && !slice_eq(result->lowest, result->highest);
}

/* Nobody is asked to say who they are where the votes have no names. */
static void narrate_outliers(const struct replica *r, struct buf *out)
{
	const struct room_result *result = &r->room.result;
	const struct slice ends[] = {result->lowest, result->highest};
	const char *label = "To speak first:";
	for (size_t i = 0; i < 2 && !r->room.policy.anonymous; i++) {
		if (narrate_is_outlier(result, ends[i])) {
			narrate_voters(r, label, ends[i], out);
			label = ";";
		}
	}
	if (label[0] == ';') {
		(void)buf_printf(out, ".\n");
	}
}

void narrate_result(const struct replica *r, struct buf *out)
{
	const struct room_result *result = &r->room.result;
	(void)buf_printf(out, "Revealed: ");
	if (r->room.policy.anonymous && r->room.with_result) {
		narrate_counts(result, out);
	} else {
		narrate_votes(r, out);
	}
	if (result->withdrawn > 0) {
		(void)buf_printf(out, "%lld vote%s withdrawn: not in the deck now.\n",
				 (long long)result->withdrawn,
				 result->withdrawn == 1 ? " was" : "s were");
	}
	if (result->with_average) {
		(void)buf_printf(out, "Average %.3g, median %.3g, agreement %d%%.\n",
				 result->average, result->median, (int)result->agreement_percent);
	} else if (result->votes > 0) {
		(void)buf_printf(out, "Agreement %d%%.\n", (int)result->agreement_percent);
	}
	if (result->votes == 0) {
		return;
	}
	if (result->is_unanimous) {
		(void)buf_printf(out, "All agree on %s.\n",
				 result->mode.data == NULL ? "one card" : result->mode.data);
	} else if (result->suggestion.data != NULL) {
		(void)buf_printf(out, "Suggested: %s.\n", result->suggestion.data);
	} else if (result->lowest.data != NULL && result->highest.data != NULL &&
		   result->spread_steps > 0) {
		narrate_outliers(r, out);
	}
}
