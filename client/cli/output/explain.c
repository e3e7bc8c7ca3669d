/*
 * explain.c - from the field at fault back to what was typed for it; see explain.h.
 */
#include "client/cli/output/explain.h"

#include <string.h>

#include "client/cli/output/print.h"
#include "client/cli/verb_method.h"
#include "client/acts/cards.h"
#include "proto/base/ascii.h"
#include "proto/deck.h"
#include "proto/text/decimal.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

/* More cards than that are no deck that anybody typed. */
enum { EXPLAIN_CARDS_MAX = 256, EXPLAIN_NAME_BYTES = 64 };

/* What was typed for the field at fault. */
struct explained {
	char name
		[EXPLAIN_NAME_BYTES]; /* of the field, without what it is in and its place in a list */
	int64_t at;		      /* that place; negative: none */
	char label[40];		      /* "--deck"; "" for a word of the verb */
	const char *takes; /* what the option is given; NULL: a word, or an option without */
	const char *value; /* NULL: nothing, or nobody knows */
	size_t words_n;	   /* how many words it is */
	size_t given_n;	   /* how often the option was given */
	const char *const *words;
};

/* Options of the verbs whose requests no row of verb_method.c describes. */
static const struct {
	const char *field;
	enum option option;
} explain_options[] = {
	{"deck", OPTION_DECK},	       {"valid_sizes", OPTION_DECK},
	{"username", OPTION_NAME},     {"confidence", OPTION_CONFIDENCE},
	{"passcode", OPTION_PASSCODE}, {"link_template", OPTION_LINKS},
	{"channel", OPTION_COMMAND},   {"group_id", OPTION_TEAM},
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
		if (verb_takes(c->verb, o) && explain_is_for(o, field) &&
		    (found == OPTION_COUNT || c->args.value[o] != NULL)) {
			found = o;
		}
	}
	return found;
}

/* "TIME" is the second word of "[CODE] [TIME]". */
static struct slice explain_usage_word(const char *usage, size_t at)
{
	static const char between[] = " [].";
	const char *word = usage + strspn(usage, between);
	for (; at > 0 && *word != '\0'; at--) {
		word += strcspn(word, between);
		word += strspn(word, between);
	}
	return slice_of(word, strcspn(word, between));
}

/* The word of the verb's row that fills the field, or would. False where there is none. */
static bool explain_word(const struct cli *c, struct explained *x)
{
	size_t at = verb_method_first_word(c->verb);
	for (const struct act_word *w = c->verb->words; w->kind != WORD_NONE; w++) {
		if (!verb_method_takes_word(w->kind)) {
			continue;
		}
		bool is_deck = w->kind == WORD_DECK && strcmp(x->name, "deck") == 0;
		/* The place that the word before it names. */
		const char *field = w->field == NULL && at > 0 ? c->args.words[at - 1] : w->field;
		bool is_meant = field != NULL && (strcmp(field, x->name) == 0 || is_deck);
		if (is_meant && at >= c->args.words_n) {
			struct slice word = explain_usage_word(c->verb->usage, at);
			(void)format_to(x->label, sizeof(x->label), "%.*s", (int)word.len,
					word.data);
			return word.len > 0;
		}
		if (is_meant) {
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
	x->takes = option_rows[o].value;
	/* A secret, and the name of the file it is in, are not repeated. */
	if (c->args.value[o] != NULL && o != OPTION_PASSCODE) {
		const char *at = x->at < 0 ? NULL : args_value(&c->args, o, (size_t)x->at);
		x->value = at == NULL ? c->args.value[o] : at;
		x->words = &c->args.value[o];
		x->words_n = 1;
		while (args_value(&c->args, o, x->given_n) != NULL) {
			x->given_n++;
		}
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
	size_t len = format_to(out, EXPLAIN_BYTES_MAX, "%s is not a card here; the cards are",
			       print_soft(slice_str(x->value)));
	for (size_t i = 0; i < c->cards.n; i++) {
		len += format_to(out + len, EXPLAIN_BYTES_MAX - len, " %s",
				 print_soft(c->cards.items[i]));
	}
	return true;
}

/* Which card of a deck it is about; true where all is said: it has too few of them, or too many. */
static bool explain_deck(const struct explained *x, const struct fault *f,
			 char subject[EXPLAIN_BYTES_MAX], char out[EXPLAIN_BYTES_MAX])
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
	if (f->rule != FAULT_RULE_COUNT) {
		return false;
	}
	(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%zu %s; use %lld to %lld", x->label,
			x->label[0] == '\0' ? "" : ": ", n, n == 1 ? "card" : "cards",
			(long long)f->least, (long long)f->most);
	return true;
}

/* "must be open or closed", "must be 1 to 5": words in small letters, as they are typed. */
static void explain_must(const struct cli *c, const struct explained *x, const struct fault *f,
			 char out[EXPLAIN_BYTES_MAX])
{
	const struct field *of =
		c->verb->act != NULL
			? NULL
			: record_field(method_rows[c->verb->method].params, slice_str(x->name));
	if (f->rule == FAULT_RULE_CHOICE && of != NULL && of->kind == FIELD_ENUM) {
		size_t len = format_to(out, EXPLAIN_BYTES_MAX, "must be ");
		for (int64_t i = of->min; i <= of->max; i++) {
			const char *sep = i == of->min ? "" : i == of->max ? " or " : ", ";
			len += format_to(out + len, EXPLAIN_BYTES_MAX - len, "%s%s", sep,
					 words_text(of->words, (int)i));
		}
		for (size_t i = 0; i < len; i++) {
			out[i] = ascii_lower(out[i]);
		}
	} else if (f->rule == FAULT_RULE_CHOICE) {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s", print_soft(slice_str(f->message)));
	} else if (f->most == INT64_MAX) {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "must be at least %lld",
				(long long)f->least);
	} else {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "must be %lld to %lld%s%s%s",
				(long long)f->least, (long long)f->most,
				f->unit[0] == '\0' ? "" : " ", print_soft(slice_str(f->unit)),
				f->rule == FAULT_RULE_LENGTH ? " long" : "");
	}
}

/* What is beyond its bounds, and by how much. False where there are none, or they say less than the message. */
static bool explain_bounds(const struct cli *c, const struct explained *x, const struct fault *f,
			   const char *subject, char out[EXPLAIN_BYTES_MAX])
{
	char must[EXPLAIN_BYTES_MAX];
	const char *label = print_soft(slice_str(x->label));
	const char *between = label[0] == '\0' || subject[0] == '\0' ? "" : ": ";
	bool is_length = f->rule == FAULT_RULE_LENGTH;
	if (is_length && strcmp(f->unit, "cells") == 0) {
		size_t cells = x->value == NULL
				       ? 0
				       : text_cells(slice_str(print_soft(slice_str(x->value))));
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s is %zu wide; at most %lld", label,
				between, subject, cells, (long long)f->most);
		return (int64_t)cells > f->most;
	}
	if (is_length && strcmp(f->unit, "bytes") == 0) {
		bool is_short = x->value != NULL && (int64_t)strlen(x->value) < f->least;
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s is too %s", label, between, subject,
				is_short ? "short" : "long");
		return true;
	}
	if (f->rule == FAULT_RULE_COUNT && x->given_n > 0) {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s: %zu given; use %lld to %lld", label,
				x->given_n, (long long)f->least, (long long)f->most);
		return true;
	}
	if (f->rule != FAULT_RULE_RANGE && f->rule != FAULT_RULE_CHOICE && !is_length) {
		return false;
	}
	explain_must(c, x, f, must);
	(void)format_to(out, EXPLAIN_BYTES_MAX, "%s %s", label[0] != '\0' ? label : subject, must);
	return true;
}

void explain(const struct cli *c, const struct fault *f, char out[EXPLAIN_BYTES_MAX])
{
	struct explained x;
	char subject[EXPLAIN_BYTES_MAX] = "";
	const char *message = f->message;
	if (c->verb == NULL || f->field[0] == '\0') {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s", print_soft(slice_str(f->field)),
				f->field[0] == '\0' ? "" : ": ", print_soft(slice_str(message)));
		return;
	}
	explain_typed(c, f, &x);
	if (explain_no_card(c, &x, out) || explain_deck(&x, f, subject, out)) {
		return;
	}
	if (subject[0] == '\0' && x.value != NULL) {
		(void)format_to(subject, sizeof(subject), "%s", print_typed(x.value));
	}
	if (explain_bounds(c, &x, f, subject, out)) {
		return;
	}
	/* "--deck: 1 is there twice", "4 is too much", "TIME is required", "--story STORY is required". */
	const char *label = print_soft(slice_str(x.label));
	bool is_sentence = subject[0] == '\0' && strncmp(message, "is ", 3) == 0;
	(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s%s%s%s%s", label,
			is_sentence && x.takes != NULL ? " " : "",
			is_sentence && x.takes != NULL ? x.takes : "",
			label[0] == '\0' ? ""
			: is_sentence	 ? " "
					 : ": ",
			subject, subject[0] == '\0' ? "" : " ", print_soft(slice_str(message)));
}
