/*
 * spelling.c - the distance of two words; see spelling.h.
 */
#include "client/acts/spelling.h"

#include "proto/base/format.h"

/* No word of our tables is longer; a longer one is near to nothing. */
enum { SPELLING_BYTES_MAX = SPELLING_WORD_BYTES - 1 };

static size_t spelling_least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Damerau and Levenshtein's, over three rows of the table. */
static size_t spelling_distance(struct slice a, struct slice b)
{
	size_t rows[3][SPELLING_BYTES_MAX + 1];
	for (size_t k = 0; k <= b.len; k++) {
		rows[0][k] = k;
	}
	for (size_t i = 1; i <= a.len; i++) {
		size_t *row = rows[i % 3];
		const size_t *last = rows[(i + 2) % 3];
		const size_t *last_but_one = rows[(i + 1) % 3];
		row[0] = i;
		for (size_t k = 1; k <= b.len; k++) {
			bool is_same = a.data[i - 1] == b.data[k - 1];
			row[k] = spelling_least(last[k - 1] + !is_same,
						spelling_least(last[k], row[k - 1]) + 1);
			bool is_swapped = i > 1 && k > 1 && a.data[i - 1] == b.data[k - 2] &&
					  a.data[i - 2] == b.data[k - 1];
			if (is_swapped) {
				row[k] = spelling_least(row[k], last_but_one[k - 2] + 1);
			}
		}
	}
	return rows[a.len % 3][b.len];
}

bool spelling_offer(struct spelling *s, struct slice word)
{
	struct slice typed = s->typed;
	if (word.len == 0 || word.len > SPELLING_BYTES_MAX || typed.len == 0 ||
	    typed.len > SPELLING_BYTES_MAX) {
		return false;
	}
	/* A beginning is near, however much is missing; else a third of the letters may be wrong. */
	size_t wrong = spelling_distance(typed, word);
	bool is_begun = typed.len > 1 && slice_starts(word, typed);
	size_t distance = is_begun && wrong > 1 ? 1 : wrong;
	bool is_near = distance <= (typed.len + 1) / 3 || is_begun;
	if (!is_near || (s->meant.len > 0 && distance >= s->distance)) {
		return false;
	}
	s->meant = word;
	s->distance = distance;
	return true;
}

void spelling_offer_passing(struct spelling *s, struct slice word, char kept[SPELLING_WORD_BYTES])
{
	if (spelling_offer(s, word)) {
		size_t len = format_to(kept, SPELLING_WORD_BYTES, "%.*s", (int)word.len, word.data);
		s->meant = slice_of(kept, len);
	}
}
