/*
 * explain.c - from the field at fault back to what was typed for it; see explain.h.
 */
#include "client/cli/explain.h"

#include <string.h>

#include "client/cli/print.h"
#include "client/cli/verb_method.h"
#include "client/model/parse_cards.h"
#include "proto/deck.h"
#include "proto/decimal.h"
#include "proto/format.h"
#include "proto/text.h"

/* More cards than that are no deck that anybody typed. */
enum { EXPLAIN_CARDS_MAX = 256, EXPLAIN_NAME_BYTES = 64 };

/* What was typed for the field at fault. */
struct explained {
	char name
		[EXPLAIN_NAME_BYTES]; /* of the field, without what it is in and its place in a list */
	int64_t at;		      /* that place; negative: none */
	char label[40];		      /* "--deck"; "" for a word of the verb */
	const char *value;	      /* NULL: nothing, or nobody knows */
	size_t words_n;		      /* how many words it is */
	const char *const *words;
};

/* Options of the verbs whose requests no row of verb_method.c describes. */
static const struct {
	const char *field;
	enum option option;
} explain_options[] = {
	{"deck", OPTION_DECK},
	{"valid_sizes", OPTION_DECK},
	{"username", OPTION_NAME},
	{"comment", OPTION_COMMENT},
	{"confidence", OPTION_CONFIDENCE},
	{"passcode", OPTION_PASSCODE},
};

static bool explain_is_for(enum option o, const char *field)
{
	const char *of_method = verb_method_option_field(o);
	bool is = of_method != NULL && strcmp(of_method, field) == 0;
	for (size_t i = 0; i < sizeof(explain_options) / sizeof(explain_options[0]); i++) {
		is = is || (explain_options[i].option == o &&
			    strcmp(explain_options[i].field, field) == 0);
	}
	return is;
}

/* The option that fills the field and was given, else the one that could have been; OPTION_COUNT. */
static enum option explain_option(const struct cli *c, const char *field)
{
	enum option found = OPTION_COUNT;
	for (enum option o = 0; o < OPTION_COUNT; o++) {
		if ((c->verb->options & OPTION_BIT(o)) != 0 && explain_is_for(o, field) &&
		    (found == OPTION_COUNT || c->args.value[o] != NULL)) {
			found = o;
		}
	}
	return found;
}

/* The word of the verb's row that fills the field. False where there is none. */
static bool explain_word(const struct cli *c, struct explained *x)
{
	size_t at = 1;
	for (const struct verb_word *w = c->verb->words; w->kind != WORD_NONE; w++) {
		if (!verb_method_takes_word(w->kind)) {
			continue;
		}
		bool is_deck = w->kind == WORD_DECK && strcmp(x->name, "deck") == 0;
		bool is_meant = w->field != NULL && (strcmp(w->field, x->name) == 0 || is_deck);
		if (is_meant && at < c->args.words_n) {
			x->value = c->args.words[at];
			x->words = c->args.words + at;
			x->words_n = w->kind == WORD_DECK ? c->args.words_n - at : 1;
			return true;
		}
		at++;
	}
	return false;
}

/* policy.lobby is lobby, and valid_sizes[3] the fourth of valid_sizes. */
static void explain_name(struct explained *x, const char *field)
{
	size_t digits;
	const char *dot = strrchr(field, '.');
	const char *name = dot == NULL ? field : dot + 1;
	size_t len = strcspn(name, "[");
	(void)format_to(x->name, sizeof(x->name), "%.*s", (int)len, name);
	x->at = name[len] == '\0'
			? -1
			: decimal_front(slice_str(name + len + 1), EXPLAIN_CARDS_MAX, &digits);
}

static void explain_typed(const struct cli *c, const struct fault *f, struct explained *x)
{
	*x = (struct explained){.at = -1};
	explain_name(x, f->field);
	if (explain_word(c, x)) {
		return;
	}
	enum option o = explain_option(c, x->name);
	if (o == OPTION_COUNT) {
		(void)format_to(x->label, sizeof(x->label), "%s", x->name);
		return;
	}
	(void)format_to(x->label, sizeof(x->label), "--%s", option_rows[o].name);
	/* A secret, and the name of the file it is in, are not repeated. */
	if (c->args.value[o] != NULL && o != OPTION_PASSCODE) {
		x->value = c->args.value[o];
		x->words = &c->args.value[o];
		x->words_n = 1;
	}
}

/* All cards of a deck that was typed, and how many of them. */
static size_t explain_cards(const struct explained *x, struct slice cards[EXPLAIN_CARDS_MAX])
{
	size_t n = 0;
	for (size_t i = 0; i < x->words_n; i++) {
		n += cards_split(x->words[i], cards + n, EXPLAIN_CARDS_MAX - n);
	}
	return n;
}

/* "4 is no card here; the cards are 1 2 3 5". False where it is not about that. */
static bool explain_no_card(const struct cli *c, const struct explained *x,
			    char out[EXPLAIN_BYTES_MAX])
{
	bool is_card = x->value != NULL && strcmp(x->name, "vote") == 0 && c->cards.n > 0;
	if (!is_card || deck_find(c->cards, slice_str(x->value)) >= 0) {
		return false;
	}
	size_t len = format_to(out, EXPLAIN_BYTES_MAX, "%s is no card here; the cards are",
			       print_soft(slice_str(x->value)));
	for (size_t i = 0; i < c->cards.n; i++) {
		len += format_to(out + len, EXPLAIN_BYTES_MAX - len, " %s",
				 print_soft(c->cards.items[i]));
	}
	return true;
}

/* Which card of a deck it is about; true where all is said: it has too few of them, or too many. */
static bool explain_deck(const struct explained *x, char subject[EXPLAIN_BYTES_MAX],
			 char out[EXPLAIN_BYTES_MAX])
{
	struct slice cards[EXPLAIN_CARDS_MAX];
	if (strcmp(x->name, "valid_sizes") != 0 || x->value == NULL) {
		return false;
	}
	size_t n = explain_cards(x, cards);
	if (x->at >= 0 && (size_t)x->at < n) {
		(void)format_to(subject, EXPLAIN_BYTES_MAX, "%s", print_soft(cards[x->at]));
		return false;
	}
	if (n >= MAX_CARDS_MIN && n <= MAX_CARDS_MAX) {
		return false;
	}
	(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%zu %s; %d to %d are possible", x->label,
			x->label[0] == '\0' ? "" : ": ", n, n == 1 ? "card" : "cards",
			MAX_CARDS_MIN, MAX_CARDS_MAX);
	return true;
}

/* How many cells a text of that field may have; 0: any number, or it is none. */
static size_t explain_cells_max(const struct cli *c, const char *field)
{
	const struct record *params =
		c->verb->act == NULL ? method_rows[c->verb->method].params : NULL;
	const struct field *f = params == NULL ? NULL : record_field(params, slice_str(field));
	return f == NULL ? 0 : f->cells;
}

/* A text that is too wide, by how much. False where it is not that. */
static bool explain_width(const struct cli *c, const struct explained *x, const char *subject,
			  char out[EXPLAIN_BYTES_MAX])
{
	size_t most = explain_cells_max(c, x->name);
	size_t cells =
		x->value == NULL ? 0 : text_cells(slice_str(print_soft(slice_str(x->value))));
	if (most == 0 || cells <= most) {
		return false;
	}
	(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s is %zu wide; at most %zu", x->label,
			x->label[0] == '\0' ? "" : ": ", subject, cells, most);
	return true;
}

void explain(const struct cli *c, const struct fault *f, char out[EXPLAIN_BYTES_MAX])
{
	struct explained x;
	char subject[EXPLAIN_BYTES_MAX] = "";
	const char *message = print_soft(slice_str(f->message));
	if (f->field[0] == '\0' || c->verb == NULL) {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s", print_soft(slice_str(f->field)),
				f->field[0] == '\0' ? "" : ": ", message);
		return;
	}
	explain_typed(c, f, &x);
	if (explain_no_card(c, &x, out) || explain_deck(&x, subject, out)) {
		return;
	}
	bool is_whole = subject[0] == '\0';
	if (is_whole && x.value != NULL) {
		const char *quote = x.value[0] == '\0' || strchr(x.value, ' ') != NULL ? "\"" : "";
		(void)format_to(subject, sizeof(subject), "%s%s%s", quote,
				print_soft(slice_str(x.value)), quote);
	}
	if (explain_width(c, &x, subject, out)) {
		return;
	}
	/* "--status must be todo or done", "--deck: 1 is there twice", "4 is too much". */
	const char *label = print_soft(slice_str(x.label));
	bool is_must = strncmp(message, "must ", strlen("must ")) == 0 && is_whole;
	if (label[0] == '\0') {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s %s", subject, message);
	} else if (is_must || subject[0] == '\0') {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s %s", label, is_must ? "" : ":",
				message);
	} else {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s: %s %s", label, subject, message);
	}
}
