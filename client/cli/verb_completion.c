/*
 * verb_completion.c - aye completion: what makes a shell complete the words of aye.
 *
 * A shell's script asks `aye completion words` for each word, and the answer comes from the
 * tables: verbs and their options, and what the usage of a verb or the value of an option calls
 * CODE, CARD or STORY. No script has a list of its own that could grow old.
 */
#include <stdlib.h>
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/room_command.h"
#include "client/cli/state_recent.h"
#include "client/model/export.h"
#include "client/model/memory.h"
#include "client/model/stories_import.h"
#include "proto/deck.h"
#include "proto/format.h"

/* A person waits for it with a finger on the key. */
enum { COMPLETION_PATIENCE_MS = 1000, COMPLETION_WORD_BYTES = 1024 };

/* What a script prints in place of words where it is a file that is to be named. */
#define COMPLETION_FILE "<file>"

static const char completion_bash[] =
	"# What makes bash complete the words of aye.\n"
	"_aye()\n"
	"{\n"
	"	local aye=aye joined=0 start word cut line IFS=$'\\n'\n"
	"	local -a typed=() lines=()\n"
	"	case $1 in */*) [ -x \"$1\" ] && aye=$1 ;; esac\n"
	"	# bash takes = and : for the ends of words; aye does not.\n"
	"	for word in \"${COMP_WORDS[@]:1:COMP_CWORD}\"; do\n"
	"		start=$joined joined=0\n"
	"		case $word in *[=:]) joined=1 ;; esac\n"
	"		case $word in [=:]*) start=1 ;; esac\n"
	"		if [ \"$start\" = 1 ] && [ ${#typed[@]} -gt 0 ]; then\n"
	"			typed[${#typed[@]} - 1]+=$word\n"
	"		else\n"
	"			typed+=(\"$word\")\n"
	"		fi\n"
	"	done\n"
	"	word=${typed[${#typed[@]} - 1]}\n"
	"	word=${word//\\\\/} word=${word#[\\'\\\"]}\n"
	"	typed[${#typed[@]} - 1]=$word\n"
	"	case $word in *[=:]*) cut=${word%\"${word##*[=:]}\"} ;; *) cut= ;; esac\n"
	"	COMPREPLY=()\n"
	"	mapfile -t lines < <(\"$aye\" completion words -- \"${typed[@]}\" 2>/dev/null)\n"
	"	for line in \"${lines[@]}\"; do\n"
	"		word=${line%%$'\\t'*}\n"
	"		if [ \"$word\" = '" COMPLETION_FILE "' ]; then\n"
	"			compopt -o default 2>/dev/null\n"
	"			continue\n"
	"		fi\n"
	"		case $word in *=) compopt -o nospace 2>/dev/null ;; esac\n"
	"		printf -v word %q \"${word#\"$cut\"}\"\n"
	"		COMPREPLY+=(\"$word\")\n"
	"	done\n"
	"}\n"
	"complete -F _aye aye\n";

static const char completion_zsh[] =
	"#compdef aye\n"
	"# What makes zsh complete the words of aye.\n"
	"_aye()\n"
	"{\n"
	"	local -a lines whole begun\n"
	"	local line word\n"
	"	lines=(\"${(@f)$(\"${(Q)words[1]}\" completion words -- "
	"\"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\" 2>/dev/null)}\")\n"
	"	for line in \"${lines[@]}\"; do\n"
	"		word=${line%%$'\\t'*}\n"
	"		[[ -n $word ]] || continue\n"
	"		if [[ $word == '" COMPLETION_FILE "' ]]; then\n"
	"			_files\n"
	"			continue\n"
	"		fi\n"
	"		line=\"${word//:/\\\\:}:${line#*$'\\t'}\"\n"
	"		if [[ $word == *= ]]; then begun+=(\"$line\"); else whole+=(\"$line\"); "
	"fi\n"
	"	done\n"
	"	(( $#whole )) && _describe aye whole\n"
	"	(( $#begun )) && _describe aye begun -S ''\n"
	"	return 0\n"
	"}\n"
	"if [[ ${funcstack[1]} == _aye ]]; then _aye \"$@\"; else compdef _aye aye; fi\n";

static const char completion_fish[] =
	"# What makes fish complete the words of aye.\n"
	"function __aye_words\n"
	"	set -l typed (commandline -opc)\n"
	"	$typed[1] completion words -- $typed[2..-1] (commandline -ct | string unescape) "
	"2>/dev/null\n"
	"end\n"
	"complete -c aye -f -a '(__aye_words | string match -v \"" COMPLETION_FILE "*\")'\n"
	"complete -c aye -n '__aye_words | string match -q \"" COMPLETION_FILE "*\"' -F\n";

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

static void completion_verbs(const struct completion *x, const char *first)
{
	struct slice last = {0};
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		size_t len = strcspn(v->name, " ");
		struct slice word = slice_of(v->name, len);
		if (first != NULL) {
			if (verbs_in_group(v, first)) {
				completion_offer(x, slice_str(v->name + len + 1), v->help);
			}
		} else if (!slice_eq(word, last)) {
			completion_offer(x, word, v->name[len] == ' ' ? "" : v->help);
		}
		if (first == NULL && v->alias != NULL) {
			completion_offer(x, slice_str(v->alias), v->help);
		}
		last = word;
	}
}

/* ---- what may stand somewhere ---- */

static void completion_kinds(const struct completion *x)
{
	for (int i = 0; i < words_data_kind.n; i++) {
		completion_offer(x, words_data_kind.list[i], "");
	}
}

/* A story that is voted on became that by being selected. */
static void completion_statuses(const struct completion *x)
{
	for (int i = 0; i < words_story_status.n; i++) {
		if (i != STORY_VOTING) {
			completion_offer(x, words_story_status.list[i], "");
		}
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
	bool is_import = x->verb != NULL && x->verb->run == verb_story_import;
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
	{"CODE", completion_rooms, NULL},     {"DECK", completion_decks, NULL},
	{"KIND", completion_kinds, NULL},     {"STATUS", completion_statuses, NULL},
	{"FORMAT", completion_formats, NULL}, {"KEY=VALUE", completion_rules, NULL},
	{"METHOD", completion_methods, NULL}, {"VERB", completion_help, NULL},
	{"FILE", completion_file, NULL},      {"CARD", NULL, completion_cards},
	{"WHO", NULL, completion_members},    {"STORY", NULL, completion_stories},
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
		completion_called(x, slice_str(option_rows[x->option].value));
	}
}

/* Those that the verb takes and that were not given. */
static void completion_options(const struct completion *x)
{
	uint64_t set = OPTION_BIT(OPTION_HELP);
	set |= x->verb != NULL ? x->verb->options : OPTION_BIT(OPTION_VERSION);
	for (enum option o = 0; o < OPTION_COUNT; o++) {
		char text[COMPLETION_WORD_BYTES];
		size_t len = format_to(text, sizeof(text), "--%s", option_rows[o].name);
		if ((set & OPTION_BIT(o)) != 0 && x->cli->args.value[o] == NULL) {
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
	if (options_parse((int)whole_n + 1, argv, verbs_options, &line.args, &why) == OK) {
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
	static const struct {
		const char *shell;
		const char *script;
	} rows[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
	const char *what = c->args.words[0];
	if (strcmp(what, "words") == 0) {
		return completion_words(c->args.words + 1, c->args.words_n - 1);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) && c->args.words_n == 1; i++) {
		if (strcmp(what, rows[i].shell) == 0) {
			return print_part("%s", rows[i].script) ? EXIT_DONE : EXIT_BROKEN;
		}
	}
	print_problem("there is completion for bash, zsh and fish");
	return EXIT_USAGE;
}
