/*
 * verb_completion.c - aye completion: what makes a shell complete the words of aye.
 *
 * A shell's script asks `aye completion words` for each word, and the answer comes from the
 * tables: verbs and their options, and what the usage of a verb or the value of an option calls
 * CODE, CARD or STORY. No script has a list of its own that could grow old.
 */
#include <stdlib.h>
#include <string.h>

#include "client/acts/team_settings.h"
#include "client/cli/completion_script.h"
#include "client/cli/reach/login.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/reach/pages.h"
#include "client/state/state_recent.h"
#include "client/cli/people/team_find.h"
#include "client/formats/export.h"
#include "client/model/memory.h"
#include "client/formats/import/stories_import.h"
#include "proto/base/ascii.h"
#include "proto/deck.h"
#include "proto/base/format.h"

/* A person waits for it with a finger on the key. */
enum { COMPLETION_PATIENCE_MS = 1000, COMPLETION_WORD_BYTES = 1024, COMPLETION_ENTRIES_MAX = 1000 };

/* ---- words ---- */

struct completion {
	struct cli *cli;
	const struct verb *verb; /* the one that is typed; NULL: not yet */
	const char *const *said; /* the words behind it that are no options */
	size_t said_n;
	enum option option;  /* whose value is to be completed; OPTION_COUNT: a word of the verb */
	struct slice typed;  /* what there is of the word */
	struct slice before; /* goes in front of each answer: "--deck=" */
};

/* A word that begins as what was typed; what it means may be empty. */
static void completion_offer(const struct completion *x, struct slice word, const char *meaning)
{
	if (word.len > 0 && slice_starts(word, x->typed)) {
		(void)print_line("%.*s%.*s\t%s", (int)x->before.len,
				 x->before.len == 0 ? "" : x->before.data, (int)word.len, word.data,
				 meaning);
	}
}

static void completion_rooms(const struct completion *x)
{
	struct state state;
	struct errmsg why = {""};
	struct recent_rooms recent = {0};
	if (state_open(&state, &why) != OK) {
		return;
	}
	state_list_rooms(&state, &recent, &why);
	for (size_t i = 0; i < recent.n; i++) {
		completion_offer(x, slice_str(recent.rooms[i].room_id), recent.rooms[i].title);
	}
	recent_rooms_finish(&recent);
}

static void completion_cards(const struct completion *x, const struct replica *room)
{
	for (size_t i = 0; i < room->room.valid_sizes.n; i++) {
		completion_offer(x, slice_str(replica_card(room, i)), "");
	}
}

static void completion_members(const struct completion *x, const struct replica *room)
{
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (m->username.data != NULL) {
			completion_offer(x, m->username, m->is_host ? "host" : "");
		}
	}
}

static void completion_stories(const struct completion *x, const struct replica *room)
{
	for (size_t i = 0; i < room->stories.n; i++) {
		const struct story_view *s = replica_story_at(room, i);
		completion_offer(x, s->key, s->title.data);
		completion_offer(x, s->title, words_text(&words_story_status, (int)s->status));
	}
}

/*
 * Looks at the room of the first word and takes no seat for it; no server is started for a key
 * that was pressed. Nothing is offered where that fails.
 */
static void completion_of_room(const struct completion *x,
			       void (*offer)(const struct completion *x,
					     const struct replica *room))
{
	struct visit v = {.cli = x->cli};
	struct replica room = {0};
	struct room_update u;
	struct reply reply;
	struct errmsg why = {""};
	char room_id[CODE_CHARS_MAX + 1];
	if (x->said_n == 0 || !code_normalise(slice_str(x->said[0]), room_id) ||
	    visit_prepare(x->cli, &v, &why) != OK ||
	    server_seek(x->cli->args.value[OPTION_SERVER], &v.place, &why) != OK ||
	    v.place.is_down || visit_choose(&v, room_id, &why) != OK ||
	    visit_connect(&v) != EXIT_DONE) {
		visit_close(&v);
		return;
	}
	struct room_get_params p = {.room_id = slice_str(v.room_id),
				    .host_key = slice_str(v.known.host_key)};
	bool is_there = room_client_ask_record(v.client, METHOD_ROOM_GET, &p, x->cli->answer_ms,
					       &v.arena, &u, &reply) == OK &&
			!reply.is_refused && replica_update(&room, &u) == OK;
	if (is_there) {
		offer(x, &room);
	}
	replica_finish(&room);
	visit_close(&v);
}

/* ---- of a person who is logged in ---- */

/* The server of the person who is logged in; false where there is none, or it is not up. */
static bool completion_open(const struct completion *x, struct visit *v)
{
	struct errmsg why = {""};
	*v = (struct visit){.cli = x->cli};
	return server_seek(x->cli->args.value[OPTION_SERVER], &v->place, &why) == OK &&
	       !v->place.is_down && (v->sign_in = login_stored(v->place.address.text)) != NULL &&
	       reach_open(x->cli, &v->place, v->sign_in, &v->client) == EXIT_DONE;
}

static bool completion_list(const struct completion *x, struct visit *v, enum method method)
{
	union {
		struct question_list_params list;
		struct question_mine_params mine;
	} p = {.list = {.cursor = {0}}};
	struct question_list_result page;
	struct reply reply;
	bool is_there = room_client_ask_record(v->client, method, &p, x->cli->answer_ms, &v->arena,
					       &page, &reply) == OK &&
			!reply.is_refused;
	for (size_t i = 0; is_there && i < page.questions_n; i++) {
		const struct question_view *q = &page.questions[i];
		const char *end = memchr(q->prompt.data, '\n', q->prompt.len);
		size_t line = end == NULL ? q->prompt.len : (size_t)(end - q->prompt.data);
		char prompt[COMPLETION_WORD_BYTES];
		(void)format_to(prompt, sizeof(prompt), "%.*s", (int)line, q->prompt.data);
		completion_offer(x, q->question_id, prompt);
	}
	return is_there;
}

/* Those that may be meant, of the person who is logged in: one's own, those that wait, or both. */
static void completion_questions(const struct completion *x)
{
	enum method method = x->verb == NULL ? METHOD_COUNT : x->verb->method;
	struct visit v;
	if (completion_open(x, &v)) {
		bool is_mine = method == METHOD_QUESTION_CANCEL || method == METHOD_QUESTION_WATCH;
		bool waits = method == METHOD_QUESTION_ANSWER || method == METHOD_QUESTION_SKIP;
		bool is_up = waits || completion_list(x, &v, METHOD_QUESTION_MINE);
		if (is_up && !is_mine) {
			(void)completion_list(x, &v, METHOD_QUESTION_LIST);
		}
	}
	visit_close(&v);
}

/* ---- teams ---- */

struct completion_list {
	const struct completion *x;
	const struct record *rec;
	const char *word, *meaning; /* fields of an entry */
	size_t n;		    /* so far */
};

static int completion_offer_entry(void *owner, const void *entry)
{
	struct completion_list *l = owner;
	struct slice word = *(
		const struct slice *)field_member(record_field(l->rec, slice_str(l->word)), entry);
	struct slice meaning =
		*(const struct slice *)field_member(record_field(l->rec, slice_str(l->meaning)),
						    entry);
	completion_offer(l->x, word, print_soft(meaning));
	return ++l->n < COMPLETION_ENTRIES_MAX ? EXIT_DONE : EXIT_NO;
}

/* The names, or ids, of a list of the server; @of  a field of the request with an id. */
static void completion_entries(const struct completion *x, struct visit *v, enum method method,
			       const char *of, const char *id, const char *word,
			       const char *meaning)
{
	struct request *r = request_make(method);
	struct completion_list l = {x, pages_field(method)->of, word, meaning, 0};
	if (of != NULL) {
		request_text(r, of, id);
	}
	(void)pages_each(v, r, completion_offer_entry, &l);
	request_free(r);
}

static void completion_teams(const struct completion *x)
{
	struct visit v;
	if (completion_open(x, &v)) {
		completion_entries(x, &v, METHOD_GROUP_LIST, NULL, NULL, "group_name", "group_id");
	}
	visit_close(&v);
}

static void completion_backlogs(const struct completion *x)
{
	struct visit v;
	if (completion_open(x, &v)) {
		completion_entries(x, &v, METHOD_CONTAINER_LIST, NULL, NULL, "container_name",
				   "container_id");
	}
	visit_close(&v);
}

/* What is in the team, or the backlog, of the first word. */
static void completion_in(const struct completion *x, enum team_kind kind, enum method method,
			  const char *of, const char *word, const char *meaning)
{
	struct visit v = {.cli = x->cli};
	char id[TEAM_FIND_ID_BYTES];
	if (x->said_n > 0 && completion_open(x, &v) &&
	    team_find(&v, kind, x->said[0], NULL, id) == EXIT_DONE) {
		completion_entries(x, &v, method, of, id, word, meaning);
	}
	visit_close(&v);
}

static void completion_team_members(const struct completion *x)
{
	completion_in(x, TEAM_KIND_TEAM, METHOD_GROUP_USERS, "group_id", "user_name", "user_id");
}

static void completion_invitations(const struct completion *x)
{
	completion_in(x, TEAM_KIND_TEAM, METHOD_INVITATION_LIST, "group_id", "invitation_id",
		      "created_by");
}

static void completion_items(const struct completion *x)
{
	completion_in(x, TEAM_KIND_BACKLOG, METHOD_ITEM_LIST, "container_id", "name", "item_id");
}

/* A rule's name with its =, then what it may be. */
static void completion_rules(const struct completion *x)
{
	static const struct slice on_off[] = {{"on", 2}, {"off", 3}};
	static const struct slice ask_off[] = {{"ask", 3}, {"off", 3}};
	for (size_t i = 0; i < record_policy_change.n; i++) {
		const struct field *f = &record_policy_change.fields[i];
		const struct slice *values = f->kind == FIELD_ENUM   ? f->words->list
					     : f->kind == FIELD_BOOL ? on_off
								     : ask_off;
		size_t n = f->kind == FIELD_ENUM  ? (size_t)f->words->n
			   : f->kind == FIELD_INT ? 0
						  : 2;
		char text[COMPLETION_WORD_BYTES];
		size_t len = format_to(text, sizeof(text), "%s=", f->name);
		if (!slice_starts(x->typed, slice_of(text, len))) {
			completion_offer(x, slice_of(text, len), f->help);
			continue;
		}
		for (size_t k = 0; k < n; k++) {
			size_t all = len + format_to(text + len, sizeof(text) - len, "%s",
						     values[k].data);
			completion_offer(x, slice_of(text, all), "");
		}
	}
}

/* A setting of a team with its =, then the decks there are; or a rule. */
static void completion_settings(const struct completion *x)
{
	for (enum team_setting s = 0; s < TEAM_SETTINGS_N; s++) {
		char text[COMPLETION_WORD_BYTES];
		size_t len = format_to(text, sizeof(text), "%s=", team_settings[s].name);
		if (!slice_starts(x->typed, slice_of(text, len))) {
			completion_offer(x, slice_of(text, len), team_settings[s].label);
			continue;
		}
		for (const struct deck_row *deck = deck_rows;
		     s == TEAM_SETTING_DECK && deck->name != NULL; deck++) {
			size_t all =
				len + format_to(text + len, sizeof(text) - len, "%s", deck->name);
			completion_offer(x, slice_of(text, all), "");
		}
		(void)format_to(text + len, sizeof(text) - len, "%s", team_settings[s].none);
		completion_offer(x, slice_str(text), "");
	}
	completion_rules(x);
}

/* Whether a first word of two was offered before, or is a verb by itself. */
static bool completion_knows(struct slice word, const struct verb *v, size_t at)
{
	for (const struct verb *each = verbs; each->name != NULL; each++) {
		for (size_t i = 0; verb_name(each, i) != NULL; i++) {
			const char *name = verb_name(each, i);
			size_t len = strcspn(name, " ");
			bool is_before = each < v || (each == v && i < at);
			if (slice_eq(slice_of(name, len), word) &&
			    (name[len] == '\0' || is_before)) {
				return true;
			}
		}
	}
	return false;
}

/* By their first words; or by their second, of those that begin with this one. */
static void completion_verbs(const struct completion *x, const char *first)
{
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		const char *second = first == NULL ? NULL : verbs_in_group(v, first);
		if (second != NULL) {
			completion_offer(x, slice_str(second), v->help);
		}
		for (size_t at = 0; first == NULL && verb_name(v, at) != NULL; at++) {
			struct slice word =
				slice_of(verb_name(v, at), strcspn(verb_name(v, at), " "));
			bool is_all = verb_name(v, at)[word.len] == '\0';
			if (is_all || !completion_knows(word, v, at)) {
				completion_offer(x, word, is_all ? v->help : "");
			}
		}
	}
}

/* ---- what may stand somewhere ---- */

static void completion_kinds(const struct completion *x)
{
	for (int i = 0; i < words_data_kind.n; i++) {
		completion_offer(x, words_data_kind.list[i], "");
	}
}

/* As the verb's request may have it, in small letters. */
static void completion_statuses(const struct completion *x)
{
	const struct field *f = x->verb == NULL ? NULL
						: record_field(method_rows[x->verb->method].params,
							       SLICE("status"));
	for (int64_t i = f == NULL ? 0 : f->min; f != NULL && i <= f->max; i++) {
		char word[32];
		size_t n = format_to(word, sizeof(word), "%s", words_text(f->words, (int)i));
		for (size_t k = 0; k < n; k++) {
			word[k] = ascii_lower(word[k]);
		}
		completion_offer(x, slice_of(word, n), "");
	}
}

static void completion_audiences(const struct completion *x)
{
	for (int i = 0; i < words_audience.n; i++) {
		completion_offer(x, words_audience.list[i], "");
	}
}

static void completion_decks(const struct completion *x)
{
	for (const struct deck_row *d = deck_rows; d->name != NULL; d++) {
		completion_offer(x, slice_str(d->name), d->cards);
	}
}

static void completion_formats(const struct completion *x)
{
	bool is_import = x->verb != NULL &&
			 (x->verb->run == verb_story_import || x->verb->run == verb_backlog_import);
	const char *(*name)(size_t i) = is_import ? stories_import_format_name : export_format_name;
	for (size_t i = 0; name(i) != NULL; i++) {
		completion_offer(x, slice_str(name(i)), "");
	}
}

static void completion_methods(const struct completion *x)
{
	for (size_t i = 0; i < METHOD_COUNT; i++) {
		completion_offer(x, slice_str(method_rows[i].name), method_rows[i].help);
	}
}

static void completion_help(const struct completion *x)
{
	if (x->said_n == 0) {
		completion_offer(x, SLICE("all"), "");
	}
	completion_verbs(x, x->said_n == 0 ? NULL : x->said[0]);
}

static void completion_file(const struct completion *x)
{
	(void)x;
	(void)print_line(COMPLETION_FILE "\t");
}

/* What usages and options call it, and the words there are: without a room, or of one. */
static const struct {
	const char *called;
	void (*offer)(const struct completion *x);
	void (*offer_of)(const struct completion *x, const struct replica *room);
} completion_kinds_of_word[] = {
	{"CODE", completion_rooms, NULL},
	{"DECK", completion_decks, NULL},
	{"KIND", completion_kinds, NULL},
	{"STATUS", completion_statuses, NULL},
	{"FORMAT", completion_formats, NULL},
	{"KEY=VALUE", completion_rules, NULL},
	{"SETTING=VALUE", completion_settings, NULL},
	{"METHOD", completion_methods, NULL},
	{"VERB", completion_help, NULL},
	{"FILE", completion_file, NULL},
	{"AUDIENCE", completion_audiences, NULL},
	{"ID", completion_questions, NULL},
	{"CARD", NULL, completion_cards},
	{"WHO", NULL, completion_members},
	{"STORY", NULL, completion_stories},
	{"TEAM", completion_teams, NULL},
	{"BACKLOG", completion_backlogs, NULL},
	{"MEMBER", completion_team_members, NULL},
	{"ITEM", completion_items, NULL},
	{"INVITATION", completion_invitations, NULL},
};

/* @called  "CODE", "bash|zsh|fish". */
static void completion_called(const struct completion *x, struct slice called)
{
	size_t n = sizeof(completion_kinds_of_word) / sizeof(completion_kinds_of_word[0]);
	for (size_t i = 0; i < n; i++) {
		if (!slice_eq(called, slice_str(completion_kinds_of_word[i].called))) {
			continue;
		}
		if (completion_kinds_of_word[i].offer != NULL) {
			completion_kinds_of_word[i].offer(x);
		} else {
			completion_of_room(x, completion_kinds_of_word[i].offer_of);
		}
		return;
	}
	bool is_literal = called.len > 0 && called.data[0] >= 'a' && called.data[0] <= 'z';
	for (size_t at = 0, len; is_literal && at < called.len; at += len + 1) {
		const char *bar = memchr(called.data + at, '|', called.len - at);
		len = bar == NULL ? called.len - at : (size_t)(bar - called.data) - at;
		completion_offer(x, slice_of(called.data + at, len), "");
	}
}

/* The word of the usage at that place; one with dots behind it stands for all that follow. */
static struct slice completion_usage(const char *usage, size_t place)
{
	struct slice word = {0};
	for (const char *at = usage; *at != '\0';) {
		at += strspn(at, " []");
		size_t len = strcspn(at, " []");
		bool is_last = strncmp(at + len, "]...", strlen("]...")) == 0 ||
			       (len > 3 && memcmp(at + len - 3, "...", 3) == 0);
		size_t dots = len > 3 && memcmp(at + len - 3, "...", 3) == 0 ? 3 : 0;
		word = slice_of(at, len - dots);
		if (place == 0 || is_last) {
			return word;
		}
		place--;
		at += len + strspn(at + len, " []");
	}
	return (struct slice){0};
}

static void completion_value(const struct completion *x)
{
	const char *const *choice = config_choices(x->option);
	for (; choice != NULL && *choice != NULL; choice++) {
		completion_offer(x, slice_str(*choice), "");
	}
	if (config_choices(x->option) == NULL) {
		completion_called(x, completion_usage(option_rows[x->option].value, 0));
	}
}

/* Those that the verb takes and that were not given. */
static void completion_options(const struct completion *x)
{
	for (enum option o = 0; o < OPTION_COUNT; o++) {
		char text[COMPLETION_WORD_BYTES];
		size_t len = format_to(text, sizeof(text), "--%s", option_rows[o].name);
		bool may_come = x->cli->args.value[o] == NULL || option_repeats(o);
		bool is_taken = x->verb != NULL ? verb_takes(x->verb, o) : o == OPTION_VERSION;
		if ((is_taken || o == OPTION_HELP) && may_come) {
			completion_offer(x, slice_of(text, len), option_rows[o].help);
		}
	}
}

static void completion_of_line(const struct completion *x)
{
	const struct args *a = &x->cli->args;
	if (x->option != OPTION_COUNT) {
		completion_value(x);
	} else if (x->typed.len > 0 && x->typed.data[0] == '-') {
		completion_options(x);
	} else {
		if (a->words_n == 0) {
			completion_verbs(x, NULL);
		} else if (a->words_n == 1) {
			completion_verbs(x, a->words[0]);
		}
		if (x->verb != NULL) {
			completion_called(x, completion_usage(x->verb->usage, x->said_n));
		}
	}
}

/*
 * Print what could stand in place of the last word, one a line, a tab and what it means behind it.
 * What makes no sense before it is no reason to say so under somebody's fingers.
 */
static int completion_words(const char *const *words, size_t n)
{
	static char empty[] = "";
	char *argv[ARGS_WORDS_MAX + 1] = {empty};
	struct cli line = {.answer_ms = COMPLETION_PATIENCE_MS};
	struct completion x = {.cli = &line, .option = OPTION_COUNT};
	struct errmsg why;
	size_t used = 0;
	char *last = memory_have(strdup(n == 0 ? "" : words[n - 1]));
	char *equals = strncmp(last, "--", 2) == 0 ? strchr(last, '=') : NULL;
	size_t before_n = n == 0 ? 0 : n - 1;
	for (size_t i = 0; i < before_n; i++) {
		argv[i + 1] = memory_have(strdup(words[i]));
	}
	x.typed = slice_str(last);
	if (equals != NULL) {
		x.option = options_named(slice_of(last + 2, (size_t)(equals - last) - 2));
		x.typed = slice_str(equals + 1);
	} else if (before_n > 0 && strncmp(words[before_n - 1], "--", 2) == 0) {
		x.option = options_named(slice_str(words[before_n - 1] + 2));
	}
	bool has_value = x.option != OPTION_COUNT && option_rows[x.option].value != NULL;
	size_t whole_n = before_n - (has_value && equals == NULL);
	if (!has_value) {
		x.option = OPTION_COUNT;
	} else if (equals != NULL) {
		x.before = slice_of(last, (size_t)(equals + 1 - last));
	}
	if (options_parse((int)whole_n + 1, argv, verbs_take, &line.args, &why) == OK) {
		x.verb = verbs_find(&line.args, &used);
		x.said = line.args.words + used;
		x.said_n = line.args.words_n - used;
		completion_of_line(&x);
	}
	for (size_t i = 0; i < before_n; i++) {
		free(argv[i + 1]);
	}
	free(last);
	return EXIT_DONE;
}

int verb_completion(struct cli *c)
{
	const char *what = c->args.words[0];
	if (strcmp(what, "words") == 0) {
		return completion_words(c->args.words + 1, c->args.words_n - 1);
	}
	const char *script = c->args.words_n == 1 ? completion_script(what) : NULL;
	if (script != NULL) {
		return print_part("%s", script) ? EXIT_DONE : EXIT_BROKEN;
	}
	print_problem("completion is available for bash, zsh and fish");
	return EXIT_USAGE;
}
