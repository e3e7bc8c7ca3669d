/*
 * options.c - sorts the command line; see options.h.
 */
#include "client/cli/options.h"

#include <string.h>

#include "proto/limits.h"

const struct option_row option_rows[OPTION_COUNT] = {
#define OPTION_ROW(symbol, name, value, help) {name, value, help},
	OPTIONS(OPTION_ROW)
#undef OPTION_ROW
};

/* The row of that name that is in the set, else the first of that name, else OPTION_COUNT. */
static enum option options_find(const char *name, size_t len, uint64_t set)
{
	enum option found = OPTION_COUNT;
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		if (strlen(option_rows[i].name) == len &&
		    memcmp(option_rows[i].name, name, len) == 0 &&
		    (found == OPTION_COUNT || (set & OPTION_BIT(i)) != 0)) {
			found = (enum option)i;
		}
	}
	return found;
}

/* One option at argv[*at]; moves *at on when the value is a word of its own. */
static enum err options_take(int argc, char **argv, int *at, uint64_t set, struct args *out,
			     struct errmsg *why)
{
	const char *name = argv[*at] + 2;
	const char *equals = strchr(name, '=');
	size_t len = equals == NULL ? strlen(name) : (size_t)(equals - name);
	enum option o = options_find(name, len, set);
	if (o == OPTION_COUNT) {
		errmsg_set(why, "there is no option --%.*s", (int)len, name);
		return ERR_INVALID;
	}
	const struct option_row *row = &option_rows[o];
	const char *value = equals == NULL ? "" : equals + 1;
	if (row->value == NULL && equals != NULL) {
		errmsg_set(why, "--%s takes no value", row->name);
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
	if (out->value[o] != NULL) {
		errmsg_set(why, "--%s is given twice", row->name);
		return ERR_INVALID;
	}
	out->value[o] = value;
	return OK;
}

/* -o FILE is --output FILE, as everywhere. */
static enum err options_take_output(int argc, char **argv, int *at, struct args *out,
				    struct errmsg *why)
{
	if (*at + 1 >= argc || out->value[OPTION_OUTPUT] != NULL) {
		errmsg_set(why, *at + 1 >= argc ? "-o needs a value: FILE" : "-o is given twice");
		return ERR_INVALID;
	}
	out->value[OPTION_OUTPUT] = argv[++*at];
	return OK;
}

static enum err options_add_word(struct args *out, const char *word, struct errmsg *why)
{
	if (out->words_n == ARGS_WORDS_MAX) {
		errmsg_set(why, "too many words");
		return ERR_INVALID;
	}
	out->words[out->words_n++] = word;
	return OK;
}

enum err options_parse(int argc, char **argv, uint64_t (*takes)(const struct args *a),
		       struct args *out, struct errmsg *why)
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
			e = options_take_output(argc, argv, &i, &found, why);
		} else if (!is_over && word[0] == '-' && word[1] == '-') {
			e = options_take(argc, argv, &i, takes(&found), &found, why);
		} else {
			e = options_add_word(&found, word, why);
		}
	}
	if (e == OK) {
		*out = found;
	}
	return e;
}

enum err options_parse_seconds(const char *text, int64_t *ms)
{
	int64_t sum = 0;
	int digits = 0;
	int decimals = -1; /* none yet */
	for (const char *at = text; *at != '\0'; at++) {
		if (*at == '.' && decimals < 0) {
			decimals = 0;
		} else if (*at >= '0' && *at <= '9' && digits < 9 && decimals < 3) {
			sum = sum * 10 + (*at - '0');
			digits++;
			decimals += decimals >= 0;
		} else {
			return ERR_INVALID;
		}
	}
	for (int i = decimals < 0 ? 0 : decimals; i < 3; i++) {
		sum *= 10;
	}
	if (digits == 0 || sum == 0) {
		return ERR_INVALID;
	}
	*ms = sum;
	return OK;
}

enum err options_parse_time(const char *text, int64_t bare, int64_t *seconds)
{
	static const struct {
		char sign;
		int64_t seconds;
	} units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
	char digits[16] = "";
	size_t len = strlen(text);
	int64_t unit = bare;
	int64_t ms;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]) && len > 0; i++) {
		if (text[len - 1] == units[i].sign) {
			unit = units[i].seconds;
			len--;
			break;
		}
	}
	if (unit == 0 || len >= sizeof(digits)) {
		return ERR_INVALID;
	}
	memcpy(digits, text, len);
	if (options_parse_seconds(digits, &ms) != OK || ms * unit / 1000 < 1 ||
	    ms * unit / 1000 > MAX_TIMER_SECONDS) {
		return ERR_INVALID;
	}
	*seconds = ms * unit / 1000;
	return OK;
}
