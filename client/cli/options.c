/*
 * options.c - sorts the command line; see options.h.
 */
#include "client/cli/options.h"

#include <string.h>

#include "client/acts/spelling.h"
#include "proto/base/format.h"
#include "proto/base/limits.h"

const struct option_row option_rows[OPTION_COUNT] = {
#define OPTION_ROW(symbol, name, value, help) {name, value, help},
	OPTIONS(OPTION_ROW)
#undef OPTION_ROW
};

static bool options_takes_none(const struct args *a, enum option o)
{
	(void)a, (void)o;
	return false;
}

/* The row of that name that is taken, else the first of that name, else OPTION_COUNT. */
static enum option options_find(struct slice name, options_take_cb takes, const struct args *a)
{
	enum option found = OPTION_COUNT;
	for (enum option o = 0; o < OPTION_COUNT; o++) {
		if (slice_eq(slice_str(option_rows[o].name), name) &&
		    (found == OPTION_COUNT || takes(a, o))) {
			found = o;
		}
	}
	return found;
}

enum option options_named(struct slice name)
{
	return options_find(name, options_takes_none, NULL);
}

/* What was probably meant, of those that the verb takes; of all where it takes none like it. */
static enum err options_unknown(struct slice name, options_take_cb takes, const struct args *a,
				struct errmsg *why)
{
	struct spelling s = {.typed = name};
	for (size_t i = 0; i < 2 * OPTION_COUNT; i++) {
		if (takes(a, (enum option)(i % OPTION_COUNT)) == (i < OPTION_COUNT)) {
			(void)spelling_offer(&s, slice_str(option_rows[i % OPTION_COUNT].name));
		}
	}
	errmsg_set(why,
		   s.meant.len > 0 ? "unknown option --%.*s; did you mean --%.*s?"
				   : "unknown option --%.*s (aye --help shows what there is)",
		   (int)name.len, name.data, (int)s.meant.len, s.meant.data);
	return ERR_INVALID;
}

bool option_repeats(enum option o)
{
	const char *value = option_rows[o].value;
	size_t len = value == NULL ? 0 : strlen(value);
	return len > 3 && strcmp(value + len - 3, "...") == 0;
}

const char *args_value(const struct args *a, enum option o, size_t at)
{
	if (at == 0) {
		return a->value[o];
	}
	for (size_t i = 0; i < a->repeats_n; i++) {
		if (a->repeats[i].option == o && --at == 0) {
			return a->repeats[i].value;
		}
	}
	return NULL;
}

/* @name  as it was typed, for what is said of it. */
static enum err options_put(struct args *out, enum option o, const char *name, const char *value,
			    struct errmsg *why)
{
	if (out->value[o] == NULL) {
		out->value[o] = value;
		return OK;
	}
	if (!option_repeats(o) || out->repeats_n == ARGS_REPEATS_MAX) {
		errmsg_set(why, "%s is given %s", name, option_repeats(o) ? "too often" : "twice");
		return ERR_INVALID;
	}
	out->repeats[out->repeats_n].option = o;
	out->repeats[out->repeats_n++].value = value;
	return OK;
}

/* One option at argv[*at]; moves *at on when the value is a word of its own. */
static enum err options_take(int argc, char **argv, int *at, options_take_cb takes,
			     struct args *out, struct errmsg *why)
{
	const char *name = argv[*at] + 2;
	const char *equals = strchr(name, '=');
	size_t len = equals == NULL ? strlen(name) : (size_t)(equals - name);
	enum option o = options_find(slice_of(name, len), takes, out);
	if (o == OPTION_COUNT) {
		return options_unknown(slice_of(name, len), takes, out, why);
	}
	const struct option_row *row = &option_rows[o];
	const char *value = equals == NULL ? "" : equals + 1;
	if (row->value == NULL && equals != NULL) {
		errmsg_set(why, "--%s does not take a value", row->name);
		return ERR_INVALID;
	}
	if (row->value != NULL && equals == NULL) {
		if (*at + 1 >= argc) {
			errmsg_set(why, "--%s needs a value: %s", row->name, row->value);
			return ERR_INVALID;
		}
		(*at)++;
		value = argv[*at];
	}
	char typed[40];
	(void)format_to(typed, sizeof(typed), "--%s", row->name);
	return options_put(out, o, typed, value, why);
}

/* -o FILE is --output FILE, as everywhere; of a question, -o TEXT is --option TEXT. */
static enum err options_take_o(int argc, char **argv, int *at, options_take_cb takes,
			       struct args *out, struct errmsg *why)
{
	enum option o = takes(out, OPTION_CHOICE) ? OPTION_CHOICE : OPTION_OUTPUT;
	if (*at + 1 >= argc) {
		errmsg_set(why, "-o needs a value: %s", option_rows[o].value);
		return ERR_INVALID;
	}
	return options_put(out, o, "-o", argv[++*at], why);
}

static enum err options_add_word(struct args *out, const char *word, struct errmsg *why)
{
	if (out->words_n == ARGS_WORDS_MAX) {
		errmsg_set(why, "too many arguments");
		return ERR_INVALID;
	}
	out->words[out->words_n++] = word;
	return OK;
}

enum err options_parse(int argc, char **argv, options_take_cb takes, struct args *out,
		       struct errmsg *why)
{
	struct args found = {0};
	bool is_over = false;
	enum err e = OK;
	for (int i = 1; i < argc && e == OK; i++) {
		const char *word = argv[i];
		if (!is_over && strcmp(word, "--") == 0) {
			is_over = true;
		} else if (!is_over && strcmp(word, "-h") == 0) {
			found.value[OPTION_HELP] = "";
		} else if (!is_over && strcmp(word, "-o") == 0) {
			e = options_take_o(argc, argv, &i, takes, &found, why);
		} else if (!is_over && word[0] == '-' && word[1] == '-') {
			e = options_take(argc, argv, &i, takes, &found, why);
		} else {
			e = options_add_word(&found, word, why);
		}
	}
	if (e == OK) {
		*out = found;
	}
	return e;
}
