/*
 * story_find.c - see story_find.h.
 */
#include "client/model/room/story_find.h"

#include <string.h>

#include "client/model/memory.h"
#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/link.h"
#include "proto/text/decimal.h"
#include "proto/text/text.h"

const char *story_name_of(struct slice key, struct slice title, struct story_name *out)
{
	key = slice_eq(key, title) ? (struct slice){0} : key;
	(void)format_to(out->text, sizeof(out->text), "%.*s%s%.*s", (int)key.len,
			key.len == 0 ? "" : key.data, key.len == 0 ? "" : " ", (int)title.len,
			title.len == 0 ? "" : title.data);
	return out->text;
}

const char *story_name(const struct story_view *s, struct story_name *out)
{
	return story_name_of(s->key, s->title, out);
}

const char *story_vote(int64_t n, char out[STORY_VOTE_CHARS + 1])
{
	static const char *const ends[] = {"th", "st", "nd", "rd"};
	bool is_teen = n / 10 % 10 == 1;
	(void)format_to(out, STORY_VOTE_CHARS + 1, "%lld%s vote", (long long)n,
			ends[is_teen || n % 10 > 3 ? 0 : n % 10]);
	return out;
}

const char *story_name_of_round(const struct round_view *r, struct story_name *out)
{
	char vote[STORY_VOTE_CHARS + 1];
	size_t len = strlen(story_name_of(r->key, r->story, out));
	if (r->story_round > 1) {
		(void)format_to(out->text + len, sizeof(out->text) - len, ", %s",
				story_vote(r->story_round, vote));
	}
	return out->text;
}

const char *story_link(const struct replica *room, const struct story_view *s,
		       struct story_link *out)
{
	size_t n = format_to(out->text, sizeof(out->text), "%.*s", (int)s->link.len,
			     s->link.len == 0 ? "" : s->link.data);
	if (n == 0 && link_is_template(room->room.link_template)) {
		(void)link_of_key(room->room.link_template, s->key, out->text, sizeof(out->text));
	}
	return out->text;
}

size_t story_place(const struct replica *room, const struct story_view *s)
{
	size_t at = 0;
	while (at < room->stories.n && replica_story_at(room, at) != s) {
		at++;
	}
	return at == room->stories.n ? 0 : at + 1;
}

/* As it is compared; what cannot be folded is compared as it is. */
struct story_folded {
	char text[2 * sizeof(struct story_name)];
	size_t len;
};

static void story_fold(struct slice in, struct story_folded *out)
{
	if (memory_check(text_fold(in, out->text, sizeof(out->text), &out->len)) != OK) {
		out->len = in.len < sizeof(out->text) ? in.len : sizeof(out->text);
		memcpy(out->text, in.data == NULL ? "" : in.data, out->len);
	}
}

static bool story_is_same(struct slice text, const struct story_folded *word)
{
	struct story_folded folded;
	story_fold(text, &folded);
	return text.len > 0 && folded.len == word->len &&
	       memcmp(folded.text, word->text, word->len) == 0;
}

static bool story_is_of_word(char c)
{
	return ascii_is_alnum(c) || ((unsigned char)c & 0x80) != 0;
}

/* @is_whole  the word ends where one of the text does. */
static bool story_begins(struct slice text, const struct story_folded *word, bool is_whole)
{
	struct story_folded folded;
	story_fold(text, &folded);
	if (word->len == 0 || folded.len < word->len ||
	    memcmp(folded.text, word->text, word->len) != 0) {
		return false;
	}
	char last = word->text[word->len - 1];
	char next = folded.len == word->len ? '\0' : folded.text[word->len];
	if (ascii_is_digit(last) && ascii_is_digit(next)) {
		return false;
	}
	return !is_whole || !(story_is_of_word(last) && story_is_of_word(next));
}

enum { STORY_FOUND_CELLS = 40 }; /* of each that is named */

enum story_step {
	BY_ID,
	BY_SAME_KEY,
	BY_KEY,
	BY_PLACE,
	BY_TITLE,
	BY_WORDS,
	BY_BEGINNING,
	STORY_STEPS
};

static bool story_matches(const struct replica *room, const struct story_view *s,
			  enum story_step step, struct slice word,
			  const struct story_folded *folded)
{
	struct story_name name;
	int64_t place;
	switch (step) {
	case BY_ID:
		return slice_eq(s->story_id, word);
	case BY_SAME_KEY:
		return word.len > 0 && slice_eq(s->key, word);
	case BY_KEY:
		return story_is_same(s->key, folded);
	case BY_PLACE:
		return decimal_read(word, 1, (int64_t)room->stories.n, &place) &&
		       story_place(room, s) == (size_t)place;
	case BY_TITLE:
		return story_is_same(s->title, folded) ||
		       story_is_same(slice_str(story_name(s, &name)), folded);
	case BY_WORDS:
	case BY_BEGINNING:
		return story_begins(s->title, folded, step == BY_WORDS) ||
		       story_begins(slice_str(story_name(s, &name)), folded, step == BY_WORDS);
	case STORY_STEPS:
		break;
	}
	return false;
}

void story_find(const struct replica *room, const char *word, bool wants_removed,
		struct story_found *out)
{
	struct story_folded folded;
	size_t all = room->stories.n + room->removed.n;
	*out = (struct story_found){0};
	story_fold(slice_str(word), &folded);
	for (size_t i = 0; i < 2 * STORY_STEPS && out->n == 0; i++) {
		bool is_removed = (i % 2 == 1) != wants_removed;
		size_t end = is_removed ? all : room->stories.n;
		for (size_t k = is_removed ? room->stories.n : 0; k < end; k++) {
			const struct story_view *s = replica_story_at(room, k);
			if (!story_matches(room, s, (enum story_step)(i / 2), slice_str(word),
					   &folded)) {
				continue;
			}
			if (out->n < STORY_FOUND_MAX) {
				out->some[out->n] = s;
			}
			out->n++;
		}
	}
	out->one = out->n == 1 ? out->some[0] : NULL;
}

/* So much of a name that it ends with a word, if there is more than one. */
static size_t story_name_end(struct slice name)
{
	size_t fits = text_fit(name, STORY_FOUND_CELLS);
	size_t end = fits;
	while (fits < name.len && end > 0 && name.data[end] != ' ') {
		end--;
	}
	return end > 0 ? end : fits;
}

void story_found_text(const struct replica *room, const struct story_found *found, const char *word,
		      char *out, size_t cap)
{
	size_t shown = found->n < STORY_FOUND_MAX ? found->n : STORY_FOUND_MAX;
	if (found->n == 0) {
		(void)format_to(out, cap, "No story %s", word);
		return;
	}
	size_t n = format_to(out, cap, "%s could be ", word);
	for (size_t i = 0; i < shown; i++) {
		struct story_name name;
		size_t place = story_place(room, found->some[i]);
		const char *between = format_between(i, found->n, " or ");
		(void)story_name(found->some[i], &name);
		struct slice whole = slice_str(name.text);
		int len = (int)story_name_end(whole);
		const char *cut = (size_t)len < whole.len ? "..." : "";
		n += place > 0 ? format_to(out + n, cap - n, "%s%zu: %.*s%s", between, place, len,
					   name.text, cut)
			       : format_to(out + n, cap - n, "%s%s: %.*s%s", between,
					   found->some[i]->story_id.data, len, name.text, cut);
	}
	(void)format_to(out + n, cap - n, "%s; use the number",
			shown < found->n ? " or others" : "");
}
