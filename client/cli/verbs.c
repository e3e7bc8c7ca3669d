/*
 * verbs.c - the way from argv to the handler of a verb; the verbs are in verb_table.c.
 */
#include "client/cli/verbs.h"

#include <string.h>

#include "client/acts/span.h"
#include "client/acts/spelling.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/room_context.h"
#include "client/cli/verb_screen.h"
#include "client/kiosk/ssh_session.h"
#include "proto/base/format.h"

/* How many of the words the name is made of; 0 where they do not begin with it. */
static size_t verbs_match(const char *name, const struct args *a)
{
	const char *space = strchr(name, ' ');
	size_t first_len = space == NULL ? strlen(name) : (size_t)(space - name);
	if (a->words_n == 0 || strlen(a->words[0]) != first_len ||
	    memcmp(a->words[0], name, first_len) != 0) {
		return 0;
	}
	if (space == NULL) {
		return 1;
	}
	return a->words_n > 1 && strcmp(a->words[1], space + 1) == 0 ? 2 : 0;
}

const char *verb_name(const struct verb *v, size_t at)
{
	return at == 0 ? v->name : at == 1 ? v->alias : NULL;
}

const struct verb *verbs_find(const struct args *a, size_t *used)
{
	const struct verb *found = NULL;
	*used = 0;
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		for (size_t at = 0; verb_name(v, at) != NULL; at++) {
			size_t n = verbs_match(verb_name(v, at), a);
			if (n > *used) {
				found = v;
				*used = n;
			}
		}
	}
	return found;
}

static int verbs_usage(const struct verb *v, const char *what)
{
	print_problem("%s\nusage: aye %s%s%s", what, v->name, v->usage[0] == '\0' ? "" : " ",
		      v->usage);
	return EXIT_USAGE;
}

const char *verbs_in_group(const struct verb *v, const char *group)
{
	size_t len = strlen(group);
	for (size_t at = 0; verb_name(v, at) != NULL; at++) {
		const char *name = verb_name(v, at);
		if (strncmp(name, group, len) == 0 && name[len] == ' ') {
			return name + len + 1;
		}
	}
	return NULL;
}

/* What was probably meant, by a first word or a second one; of a group, by the second alone. Empty: nobody knows. */
static struct slice verbs_meant(const char *word, const char *group)
{
	struct spelling s = {.typed = slice_str(word)};
	struct slice meant = {0};
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		for (size_t at = 0; verb_name(v, at) != NULL; at++) {
			const char *name = verb_name(v, at);
			size_t len = strcspn(name, " ");
			const char *second = group == NULL ? name + len + (name[len] == ' ')
							   : verbs_in_group(v, group);
			if (group == NULL && spelling_offer(&s, slice_of(name, len))) {
				meant = slice_of(name, len);
			}
			if (second != NULL && second != name && *second != '\0' &&
			    spelling_offer(&s, slice_str(second))) {
				meant = slice_str(group == NULL ? name
								: second - strlen(group) - 1);
			}
		}
	}
	return meant;
}

int verbs_unknown(const struct args *a)
{
	const struct verb *v = verbs;
	while (v->name != NULL && verbs_in_group(v, a->words[0]) == NULL) {
		v++;
	}
	bool is_group = v->name != NULL;
	if (is_group && a->words_n == 1) {
		print_problem("%s what? (aye help %s lists its verbs)", a->words[0], a->words[0]);
		return EXIT_USAGE;
	}
	struct slice meant = verbs_meant(a->words[is_group], is_group ? a->words[0] : NULL);
	char typed[200];
	(void)format_to(typed, sizeof(typed), "%s%s%s", is_group ? a->words[0] : "",
			is_group ? " " : "", print_soft(slice_str(a->words[is_group])));
	if (meant.len > 0) {
		print_problem("no verb %s; did you mean aye %.*s?", typed, (int)meant.len,
			      meant.data);
	} else {
		print_problem("no verb %s (aye %s%s lists them)", typed,
			      is_group ? "help " : "--help", is_group ? a->words[0] : "");
	}
	return EXIT_USAGE;
}

static int verbs_set_timeout(struct cli *c)
{
	const char *given = c->args.value[OPTION_TIMEOUT];
	c->answer_ms = 10000;
	c->wait_ms = -1;
	if (given == NULL) {
		return EXIT_DONE;
	}
	if (span_parse_ms(given, &c->answer_ms) != OK) {
		print_problem("--timeout: %s is not a number of seconds", print_typed(given));
		return EXIT_USAGE;
	}
	c->wait_ms = c->answer_ms;
	return EXIT_DONE;
}

bool verbs_span(const struct cli *c, enum option o, int64_t *seconds)
{
	const char *given = c->args.value[o];
	if (given == NULL || span_parse(given, 0, seconds) == OK) {
		return true;
	}
	print_problem("--%s: %s is not a time: use 2d, 8h or 30m, up to 90 days",
		      option_rows[o].name, print_typed(given));
	return false;
}

int verbs_open_config(struct cli *c)
{
	struct errmsg why;
	if (config_open(&c->config, &c->args, &why) != OK) {
		print_problem("--%s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* The words of a usage without brackets have to be given: "NAME and VALUE are required". */
static void verbs_name_required(const char *usage, size_t given, struct errmsg *what)
{
	enum { WORDS = 8 };
	struct slice missing[WORDS] = {{0}};
	size_t n = 0, depth = 0;
	for (const char *at = usage; *at != '\0'; at += strspn(at, ".")) {
		size_t len = strcspn(at, " [].");
		depth += *at == '[';
		depth -= *at == ']';
		if (len > 0 && depth == 0 && given > 0) {
			given--;
		} else if (len > 0 && depth == 0 && n < WORDS) {
			missing[n++] = slice_of(at, len);
		}
		at += len > 0 ? len : 1;
	}
	char names[sizeof(what->text)];
	size_t end = 0;
	names[0] = '\0';
	for (size_t i = 0; i < n; i++) {
		end += format_to(names + end, sizeof(names) - end, "%s%.*s",
				 format_between(i, n, " and "), (int)missing[i].len,
				 missing[i].data);
	}
	errmsg_set(what, "%s %s required", names, n == 1 ? "is" : "are");
}

/* Codes are written in capitals, and most have a digit: "Payments" is a word where it can be one. */
static bool verbs_begins_with_code(const struct args *a)
{
	char unused[CODE_CHARS_MAX + 1];
	if (a->words_n == 0 || !code_normalise(slice_str(a->words[0]), unused)) {
		return false;
	}
	return strpbrk(a->words[0], "23456789") != NULL ||
	       strpbrk(a->words[0], "abcdefghijklmnopqrstuvwxyz") == NULL;
}

/*
 * Put the code first where it was left out: a word is missing, or there is a place for one more. A wrong code is not
 * taken for another word where there is none.
 */
static int verbs_fill_room(const struct verb *v, struct cli *c)
{
	const struct args *a = &c->args;
	bool has_place = a->words_n + 1 == v->words_min ||
			 (a->words_n >= v->words_min && a->words_n < v->words_max);
	bool found = false;
	if (strncmp(v->usage, "[CODE]", 6) != 0 || v->words_min == 0 || !has_place ||
	    verbs_begins_with_code(a)) {
		return EXIT_DONE;
	}
	int code = room_context_fill(c, &found);
	return code != EXIT_DONE || found ? code : verbs_usage(v, ROOM_CONTEXT_NONE);
}

static int verbs_run(const struct verb *v, struct cli *c)
{
	struct errmsg what;
	for (enum option i = 0; i < OPTION_COUNT; i++) {
		if (c->args.value[i] != NULL && !verb_takes(v, i)) {
			errmsg_set(&what, "%s does not take --%s", v->name, option_rows[i].name);
			return verbs_usage(v, what.text);
		}
	}
	int code = verbs_fill_room(v, c);
	if (code != EXIT_DONE) {
		return code;
	}
	if (c->args.words_n < v->words_min) {
		bool has_code = v->usage[0] == '[' && verbs_begins_with_code(&c->args);
		verbs_name_required(v->usage, c->args.words_n - has_code, &what);
		return verbs_usage(v, what.text);
	}
	if (c->args.words_n > v->words_max) {
		return verbs_usage(v, "too many arguments");
	}
	c->verb = v;
	c->is_json = c->args.value[OPTION_JSON] != NULL;
	code = verbs_set_timeout(c);
	return code != EXIT_DONE ? code : v->run == NULL ? verb_method(c) : v->run(c);
}

static const struct verb *verbs_named(const char *name)
{
	const struct verb *v = verbs;
	while (strcmp(v->name, name) != 0) {
		v++;
	}
	return v;
}

static int verbs_run_words(struct cli *c)
{
	size_t used;
	const struct verb *v = verbs_find(&c->args, &used);
	if (v == NULL) {
		return verbs_unknown(&c->args);
	}
	memmove(c->args.words, c->args.words + used,
		(c->args.words_n - used) * sizeof(c->args.words[0]));
	c->args.words_n -= used;
	return verbs_run(v, c);
}

bool verb_takes(const struct verb *v, enum option o)
{
	const unsigned char *at = v->options;
	while (at != NULL && *at != OPTION_COUNT && *at != o) {
		at++;
	}
	return at != NULL && *at == o;
}

bool verbs_take(const struct args *a, enum option o)
{
	size_t used;
	const struct verb *v = verbs_find(a, &used);
	return v != NULL && verb_takes(v, o);
}

int verbs_main(int argc, char **argv)
{
	struct cli c = {0};
	struct errmsg why = {""};
	if (options_parse(argc, argv, verbs_take, &c.args, &why) != OK) {
		print_problem("%s", print_soft(slice_str(why.text)));
		return EXIT_USAGE;
	}
	if (c.args.value[OPTION_SSH_SESSION] != NULL) {
		bool is_over;
		int code = verbs_set_timeout(&c);
		code = code == EXIT_DONE ? ssh_session_begin(&c, &is_over) : code;
		return code == EXIT_DONE && !is_over ? verbs_run_words(&c) : code;
	}
	bool wants_help = c.args.value[OPTION_HELP] != NULL;
	if (c.args.words_n == 0 && !wants_help && c.args.value[OPTION_VERSION] != NULL) {
		return verb_version(&c);
	}
	/* Whoever says nothing wants to see home at a terminal, and help elsewhere. */
	if (c.args.words_n == 0 && !wants_help && verb_screen_has_terminal()) {
		return verbs_run(verbs_named("home"), &c);
	}
	if (c.args.words_n == 0 || wants_help) {
		return verb_help(&c);
	}
	return verbs_run_words(&c);
}
