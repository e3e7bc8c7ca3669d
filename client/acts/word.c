/*
 * word.c - see word.h.
 */
#include "client/acts/word.h"

#include <string.h>

#include "client/acts/cards.h"
#include "client/acts/fault_words.h"
#include "client/acts/span.h"
#include "client/acts/spelling.h"
#include "client/formats/import/issue_address.h"
#include "client/model/lists/item_text.h"
#include "client/model/memory.h"
#include "proto/base/ascii.h"
#include "proto/base/format.h"
#include "proto/deck.h"
#include "proto/link.h"
#include "proto/reaction.h"
#include "proto/text/decimal.h"
#include "proto/text/quantity.h"
#include "proto/text/text.h"

enum { DAY_S = 86400, WORD_DECKS_BYTES = 160 };

/* One word on its way into a request. */
struct word_typed {
	struct request *request;
	const char *name;      /* of the field */
	const struct field *f; /* its row */
	const char *text;
	const char *option; /* NULL: none */
	char *why;
};

const char *word_quote(const char *typed, char out[WORD_QUOTE_BYTES])
{
	enum { CELLS_MAX = 60 }; /* enough to know it by */
	char soft[WORD_QUOTE_BYTES];
	soft[text_soften(slice_str(typed), soft, sizeof(soft) - 1)] = '\0';
	const char *quote = soft[0] == '\0' || strchr(soft, ' ') != NULL ? "\"" : "";
	size_t fits = text_fit(slice_str(soft), CELLS_MAX);
	(void)format_to(out, WORD_QUOTE_BYTES, "%s%.*s%s%s", quote, (int)fits, soft,
			soft[fits] != '\0' ? "..." : "", quote);
	return out;
}

/* "--need: 51 is no number from 1 to 50"; false, for the caller to return. */
static bool word_refuse(const struct word_typed *t, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static bool word_refuse(const struct word_typed *t, const char *format, ...)
{
	char quote[WORD_QUOTE_BYTES];
	va_list args;
	size_t n = format_to(t->why, WORD_WHY_BYTES, "%s%s%s%s ", t->option == NULL ? "" : "--",
			     t->option == NULL ? "" : t->option, t->option == NULL ? "" : ": ",
			     word_quote(t->text, quote));
	va_start(args, format);
	(void)format_to_v(t->why + n, WORD_WHY_BYTES - n, format, args);
	va_end(args);
	return false;
}

static bool word_may_be_nil(const struct word_typed *t)
{
	return (t->f->flags & FIELD_NIL) != 0;
}

/* One of the few words that the field may be. */
static bool word_fill_choice(const struct word_typed *t)
{
	const char *word = t->text;
	for (int i = 0; i < t->f->words->n; i++) {
		if (ascii_is_alike(t->f->words->list[i], slice_str(word))) {
			word = words_text(t->f->words, i);
			break;
		}
	}
	request_text(t->request, t->name, word);
	return true;
}

/* @unit_s  seconds of what the field counts; what is left of one counts as one. */
static bool word_fill_span(const struct word_typed *t, int64_t unit_s)
{
	char least[SPAN_TEXT_BYTES];
	char most[SPAN_TEXT_BYTES];
	int64_t seconds = 0;
	if (t->f->min == 0 && strcmp(t->text, "none") == 0) {
		request_int(t->request, t->name, 0);
		return true;
	}
	if (span_parse(t->text, 60, &seconds) != OK) {
		bool is_most = t->f->max * unit_s >= MAX_TIMER_SECONDS;
		return word_refuse(t, "is not a time: use minutes, or 90s, 5m, 1h, 2d%s",
				   is_most ? "; up to 90 days" : "");
	}
	int64_t n = (seconds + unit_s - 1) / unit_s;
	if (n < t->f->min || n > t->f->max) {
		return word_refuse(t, "is not from %s to %s", span_text(t->f->min * unit_s, least),
				   span_text(t->f->max * unit_s, most));
	}
	request_int(t->request, t->name, n);
	return true;
}

static bool word_fill_number(const struct word_typed *t, bool is_revision)
{
	int64_t n = 0;
	if (!decimal_read(slice_str(t->text), t->f->min, t->f->max, &n)) {
		return is_revision
			       ? word_refuse(t, "is not a revision")
			       : word_refuse(t, "is not a number%s%s from %lld to %lld",
					     t->option == NULL ? " of " : "",
					     t->option == NULL ? fault_field_word(t->f->name, false)
							       : "",
					     (long long)t->f->min, (long long)t->f->max);
	}
	request_int(t->request, t->name, n);
	return true;
}

/* "12", "0.5", and of a change "-1.5". */
static bool word_fill_quantity(const struct word_typed *t)
{
	int64_t ignored;
	const char *why = NULL;
	struct slice text = slice_str(t->text);
	bool is_nil = text.len == 0 && word_may_be_nil(t);
	bool is_change = strcmp(t->name, "by") == 0;
	if (!is_nil && !(is_change ? quantity_read_change(text, &ignored, &why)
				   : quantity_read(text, &ignored, &why))) {
		return word_refuse(t, "%s", why);
	}
	request_value(t->request, t->name, t->text);
	return true;
}

/* A day, or so long from now. */
static bool word_fill_when(const struct word_typed *t, int64_t now_ms)
{
	int64_t ms;
	int64_t seconds;
	if (t->text[0] == '\0' && word_may_be_nil(t)) {
		request_nil(t->request, t->name);
	} else if (item_read_expiry(slice_str(t->text), &ms)) {
		request_int(t->request, t->name, ms);
	} else if (span_parse(t->text, 0, &seconds) == OK) {
		/* What is good for a week is good until a day, not until a second of it. */
		int64_t at = now_ms / 1000 + seconds;
		bool is_day = seconds % DAY_S == 0 && strcmp(t->name, "expiry") == 0;
		request_int(t->request, t->name, (is_day ? at - at % DAY_S : at) * 1000);
	} else {
		return word_refuse(t, "is not a day or a time from now: use 2026-12-24, 7d or 12h");
	}
	return true;
}

/* A preset's name, kept as that where the method has a field for it, or the cards. */
static bool word_fill_deck(const struct word_typed *t)
{
	struct slice cards[CARDS_TYPED_MAX];
	struct slices deck = {cards, cards_split(t->text, cards, CARDS_TYPED_MAX)};
	struct arena arena = {0};
	struct fault ignored;
	bool is_name = deck.n == 1;
	bool is_one =
		!is_name || memory_check(deck_preset(cards[0], &arena, &deck, &ignored)) == OK;
	const void *in;
	bool has_names = request_field(t->request, "deck", &in) != NULL;
	if (is_one && is_name && has_names) {
		request_text(t->request, "deck", t->text);
	} else if (is_one) {
		request_texts(t->request, t->name, &deck);
	} else {
		struct spelling s = {.typed = cards[0]};
		char names[WORD_DECKS_BYTES] = "";
		size_t len = 0;
		for (const struct deck_row *row = deck_rows; row->name != NULL; row++) {
			(void)spelling_offer(&s, slice_str(row->name));
			len += format_to(names + len, sizeof(names) - len, "%s %s",
					 len > 0 ? "," : "", row->name);
		}
		(void)(s.meant.len > 0
			       ? word_refuse(t, "is not a deck; did you mean %.*s?",
					     (int)s.meant.len, s.meant.data)
			       : word_refuse(
					 t, "is not a deck: use cards split by spaces, or one of%s",
					 names));
	}
	arena_finish(&arena);
	return is_one;
}

static bool word_fill_reactions(const struct word_typed *t)
{
	struct slice words[MAX_REACTIONS];
	struct slices reactions = {words, 0};
	char one[WORD_QUOTE_BYTES];
	struct fault fault;
	for (const char *at = t->text + strspn(t->text, " "); *at != '\0'; at += strspn(at, " ")) {
		size_t len = strcspn(at, " ");
		if (reactions.n == MAX_REACTIONS) {
			return word_refuse(t, "has more than %d words", MAX_REACTIONS);
		}
		words[reactions.n++] = slice_of(at, len);
		if (reactions_check(&reactions, &fault) != FAULT_NONE) {
			(void)format_to(one, sizeof(one), "%.*s", (int)len, at);
			return word_refuse(&(struct word_typed){.text = one, .why = t->why}, "%s",
					   fault.message);
		}
		at += len;
	}
	request_texts(t->request, t->name, &reactions);
	return true;
}

/* What an option says of key and link stays. */
static bool word_fill_new_story(const struct word_typed *t)
{
	struct issue_address address;
	struct slice title = slice_str(t->text);
	struct slice link;
	char text[MAX_STORY_LINK_BYTES + 1];
	if (issue_address_take(&title, &link, &address)) {
		(void)format_to(text, sizeof(text), "%.*s", (int)link.len, link.data);
		if (!request_has(t->request, "link")) {
			request_text(t->request, "link", text);
		}
		if (!request_has(t->request, "key")) {
			request_text(t->request, "key", address.key);
		}
	}
	request_text(t->request, t->name, title.data);
	return true;
}

bool word_fill(struct request *r, const struct act_word *w, const char *option, const char *typed,
	       int64_t now_ms, char why[WORD_WHY_BYTES])
{
	const void *in;
	struct word_typed t = {.request = r,
			       .name = w->field,
			       .f = request_field(r, w->field, &in),
			       .text = typed,
			       .option = option,
			       .why = why};
	switch (w->kind) {
	case WORD_TRUE:
	case WORD_FALSE:
		request_bool(r, t.name, w->kind == WORD_TRUE);
		return true;
	case WORD_CHOICE:
		return word_fill_choice(&t);
	case WORD_SECONDS:
		return word_fill_span(&t, 1);
	case WORD_MINUTES:
		return word_fill_span(&t, 60);
	case WORD_NUMBER:
	case WORD_REVISION:
		return word_fill_number(&t, w->kind == WORD_REVISION);
	case WORD_QUANTITY:
		return word_fill_quantity(&t);
	case WORD_WHEN:
		return word_fill_when(&t, now_ms);
	case WORD_DECK:
		return word_fill_deck(&t);
	case WORD_REACTIONS:
		return word_fill_reactions(&t);
	case WORD_LINK:
		if (typed[0] != '\0' && !link_is_web(slice_str(typed))) {
			return word_refuse(
				&t, "is not a web address: it must start with http:// or https://");
		}
		break;
	case WORD_CARD:
		typed = strcmp(typed, "-") == 0 && word_may_be_nil(&t) ? "" : typed;
		break;
	case WORD_TITLE:
		request_text(r, t.name, typed);
		return true;
	case WORD_NEW_STORY:
		return word_fill_new_story(&t);
	default:
		break;
	}
	request_value(r, t.name, typed);
	return true;
}

bool word_is_in_focus(enum word_kind kind)
{
	return kind == WORD_STORY || kind == WORD_TEAM || kind == WORD_TEAM_MEMBER ||
	       kind == WORD_BACKLOG || kind == WORD_ITEM || kind == WORD_INVITATION ||
	       kind == WORD_QUESTION;
}

void word_put_name(const char *sentence, const char *name, char *out, size_t cap)
{
	size_t n = strcspn(sentence, "*");
	bool names = sentence[n] == '*';
	(void)format_to(out, cap, "%.*s%s%s", (int)n, sentence, names ? name : "",
			sentence + n + (names ? 1 : 0));
}
