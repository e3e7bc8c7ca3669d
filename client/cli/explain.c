/*
 * explain.c - from the field at fault back to what was typed for it; see explain.h.
 */
#include "client/cli/explain.h"

#include <ctype.h>
#include <stdio.h>
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
	size_t given_n;		      /* how often the option was given */
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

/* The word of the verb's row that fills the field. False where there is none. */
static bool explain_word(const struct cli *c, struct explained *x)
{
	size_t at = verb_method_first_word(c->verb);
	for (const struct verb_word *w = c->verb->words; w->kind != WORD_NONE; w++) {
		if (!verb_method_takes_word(w->kind)) {
			continue;
		}
		bool is_deck = w->kind == WORD_DECK && strcmp(x->name, "deck") == 0;
		/* The place that the word before it names. */
		const char *field = w->field == NULL && at > 0 ? c->args.words[at - 1] : w->field;
		bool is_meant = field != NULL && (strcmp(field, x->name) == 0 || is_deck);
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

/* Of the verb's params; NULL: they have none of that name, or what is typed chooses the method. */
static const struct field *explain_field(const struct cli *c, const char *name)
{
	return c->verb->act != NULL
		       ? NULL
		       : record_field(method_rows[c->verb->method].params, slice_str(name));
}

/* How many cells a text of that field may have; 0: any number, or it is none. */
static size_t explain_cells_max(const struct cli *c, const char *name)
{
	const struct field *f = explain_field(c, name);
	return f == NULL || (f->flags & FIELD_CHARS) != 0 ? 0 : f->cells;
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

/* What the wire counts in bytes and strings. False where it is not that. */
static bool explain_size(const struct explained *x, const char *message, const char *subject,
			 char out[EXPLAIN_BYTES_MAX])
{
	long long least = 0;
	long long most = 0;
	const char *between = x->label[0] == '\0' || subject[0] == '\0' ? "" : ": ";
	bool has_range = sscanf(message, "must be %lld to %lld ", &least, &most) == 2;
	if (has_range && strstr(message, " strings") != NULL) {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s: %zu given; %lld to %lld are possible",
				x->label, x->given_n, least, most);
		return true;
	}
	if ((has_range && strstr(message, " bytes long") != NULL) ||
	    (strncmp(message, "is longer than ", strlen("is longer than ")) == 0 &&
	     strstr(message, " bytes") != NULL)) {
		bool is_short = x->value != NULL && (long long)strlen(x->value) < least;
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s is too %s", x->label, between,
				subject, is_short ? "short" : "long");
		return true;
	}
	return false;
}

/* The verb that makes such a request; NULL: none does. Rows without a method have the first one, which is none's. */
static const struct verb *explain_verb(enum method m)
{
	const struct verb *v = verbs;
	while (v->name != NULL && v->method != m) {
		v++;
	}
	return v->name == NULL || m == METHOD_COUNT || m == 0 ? NULL : v;
}

/* What the wire calls a group is a team to those who type verbs of one, and a container a backlog; else the word itself. */
static struct slice explain_of_team(const struct cli *c, struct slice word, size_t *taken)
{
	static const struct {
		struct slice wire, ours;
	} rows[] = {{{"group", 5}, {"team", 4}}, {{"container", 9}, {"backlog", 7}}};
	bool is_of_team = c->verb->group == GROUP_TEAM || c->args.value[OPTION_TEAM] != NULL;
	*taken = word.len;
	for (size_t i = 0; is_of_team && i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice wire = rows[i].wire;
		bool is_one = slice_starts(word, wire) &&
			      (word.len == wire.len || strchr("s.", word.data[wire.len]) != NULL);
		if (is_one) {
			*taken = wire.len;
			return rows[i].ours;
		}
	}
	return word;
}

/* Words of a field in small letters, "aye notify list" for subscription.list, and a team for a group. */
static void explain_in_words(const struct cli *c, const struct fault *f, const char *field,
			     char out[EXPLAIN_BYTES_MAX])
{
	const struct field *of = explain_field(c, field);
	bool is_word = of != NULL && of->kind == FIELD_ENUM;
	const char *at = print_soft(slice_str(f->message));
	size_t len = 0;
	out[0] = '\0';
	while (*at != '\0') {
		size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz_.");
		const struct verb *v = n == 0 ? NULL : explain_verb(method_find(slice_of(at, n)));
		if (v != NULL) {
			len += format_to(out + len, EXPLAIN_BYTES_MAX - len, "aye %s", v->name);
		} else {
			struct slice word = explain_of_team(c, slice_of(at, n + (n == 0)), &n);
			len += format_to(out + len, EXPLAIN_BYTES_MAX - len, "%.*s", (int)word.len,
					 word.data);
		}
		at += n;
	}
	for (size_t i = 0; i < len && is_word; i++) {
		out[i] = (char)tolower((unsigned char)out[i]);
	}
}

void explain(const struct cli *c, const struct fault *f, char out[EXPLAIN_BYTES_MAX])
{
	struct explained x;
	char subject[EXPLAIN_BYTES_MAX] = "";
	char message[EXPLAIN_BYTES_MAX];
	if (c->verb == NULL) {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s%s", print_soft(slice_str(f->field)),
				f->field[0] == '\0' ? "" : ": ", print_soft(slice_str(f->message)));
		return;
	}
	if (f->field[0] == '\0') {
		explain_in_words(c, f, "", out);
		return;
	}
	explain_typed(c, f, &x);
	explain_in_words(c, f, x.name, message);
	if (explain_no_card(c, &x, out) || explain_deck(&x, subject, out)) {
		return;
	}
	bool is_whole = subject[0] == '\0';
	if (is_whole && x.value != NULL) {
		(void)format_to(subject, sizeof(subject), "%s", print_typed(x.value));
	}
	if (explain_width(c, &x, subject, out) || explain_size(&x, message, subject, out)) {
		return;
	}
	/* "--status must be todo or done", "--deck: 1 is there twice", "4 is too much". */
	const char *label = print_soft(slice_str(x.label));
	bool is_must = strncmp(message, "must ", strlen("must ")) == 0 && is_whole;
	bool is_sentence = strncmp(message, "the ", strlen("the ")) == 0;
	if (label[0] == '\0') {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s %s", subject, is_sentence ? ":" : "",
				message);
	} else if (is_must || subject[0] == '\0') {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s%s %s", label, is_must ? "" : ":",
				message);
	} else {
		(void)format_to(out, EXPLAIN_BYTES_MAX, "%s: %s %s", label, subject, message);
	}
}
