/*
 * question_outcome.c - see question_outcome.h.
 */
#include "client/model/questions/question_outcome.h"

#include "proto/text/decimal.h"
#include "proto/text/text.h"

/* More than an option has when it is folded. */
enum { FOLDED_BYTES = 4 * FIELD_CHAR_BYTES * MAX_QUESTION_OPTION_CHARS };

/* The text without what only looks otherwise: capitals, and blanks around it. Empty where it is too long for an option. */
static struct slice outcome_folded(struct slice text, char out[FOLDED_BYTES])
{
	char clean[FIELD_CHAR_BYTES * MAX_QUESTION_OPTION_CHARS];
	size_t len = text_soften(text, clean, sizeof(clean));
	return text_fold(slice_of(clean, len), out, FOLDED_BYTES, &len) == OK ? slice_of(out, len)
									      : slice_of("", 0);
}

int question_option(const struct slices *options, struct slice typed)
{
	char meant_bytes[FOLDED_BYTES];
	char option_bytes[FOLDED_BYTES];
	struct slice meant = outcome_folded(typed, meant_bytes);
	int64_t number = 0;
	int begun = -1;
	size_t begun_n = 0;
	for (size_t i = 0; i < options->n; i++) {
		if (slice_eq(options->items[i], typed)) {
			return (int)i;
		}
	}
	for (size_t i = 0; i < options->n && meant.len > 0; i++) {
		struct slice option = outcome_folded(options->items[i], option_bytes);
		if (slice_eq(option, meant)) {
			return (int)i;
		}
		if (slice_starts(option, meant)) {
			begun = (int)i;
			begun_n++;
		}
	}
	if (decimal_read(typed, 1, (int64_t)options->n, &number)) {
		return (int)number - 1;
	}
	return begun_n == 1 ? begun : -1;
}

int question_most(const struct question_view *q)
{
	int most = -1;
	int64_t votes = 0;
	for (size_t i = 0; i < q->summary_n; i++) {
		if (q->summary[i].votes > votes) {
			most = (int)i;
			votes = q->summary[i].votes;
		} else if (q->summary[i].votes == votes) {
			most = -1;
		}
	}
	return most;
}

enum question_outcome question_outcome(const struct question_view *q, int expected)
{
	switch (q->status) {
	case QUESTION_OPEN:
	case QUESTION_PARTIAL:
		return OUTCOME_NONE_YET;
	case QUESTION_CLOSED:
		return expected < 0 || question_most(q) == expected ? OUTCOME_ENOUGH
								    : OUTCOME_UNEXPECTED;
	case QUESTION_EXPIRED:
		return OUTCOME_EXPIRED;
	case QUESTION_CANCELLED:
		break;
	}
	return OUTCOME_CANCELLED;
}
