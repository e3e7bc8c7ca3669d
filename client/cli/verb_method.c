/*
 * verb_method.c - one request, from the row of its verb to the line that is printed.
 */
#include "client/cli/verb_method.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jansson.h>

#include "client/cli/output/confirm.h"
#include "client/cli/output/explain.h"
#include "client/cli/output/print.h"
#include "client/cli/output/template.h"
#include "client/cli/people/team_find.h"
#include "client/cli/reach/room_command.h"
#include "client/model/memory.h"
#include "client/model/request.h"
#include "client/state/text_file.h"
#include "proto/base/format.h"
#include "proto/json.h"

#define VERB_QUESTION_BYTES 4096

struct method_call {
	struct cli *cli;
	const struct verb *verb;
	struct request *request;
	const char *place;  /* before or after: the field of the word behind it */
	enum option option; /* that is being set; OPTION_COUNT: a word is */
	struct visit *visit;
};

/* Options are the same field wherever they are taken. '' of a title is refused: a story has one. */
static const struct act_word verb_options[OPTION_COUNT] = {
	[OPTION_TITLE] = {WORD_TITLE, "title"},
	[OPTION_KEY] = {WORD_TEXT, "key"},
	[OPTION_LINK] = {WORD_LINK, "link"},
	[OPTION_DESCRIPTION] = {WORD_TEXT, "description"},
	[OPTION_ESTIMATE] = {WORD_TEXT, "estimate"},
	[OPTION_STATUS] = {WORD_CHOICE, "status"},
	[OPTION_UNTIL] = {WORD_SECONDS, "reveal_in_seconds"},
	[OPTION_BEFORE] = {WORD_STORY, "before"},
	[OPTION_AFTER] = {WORD_STORY, "after"},
	[OPTION_STORY] = {WORD_STORY, "story_id"},
	[OPTION_REVEAL] = {WORD_TRUE, "reveal_at_zero"},
	[OPTION_OFF] = {WORD_FALSE, "is_armed"},
	[OPTION_IF_REVISION] = {WORD_REVISION, "if_revision"},
	[OPTION_CHOICE] = {WORD_TEXTS, "options"},
	[OPTION_NEED] = {WORD_NUMBER, "min_responses"},
	[OPTION_OPEN] = {WORD_SECONDS, "timeout_seconds"},
	[OPTION_AUDIENCE] = {WORD_TEXTS, "audience"},
	[OPTION_ROOM] = {WORD_TEXT, "room_id"},
	[OPTION_ANONYMOUS] = {WORD_TRUE, "anonymous"},
	[OPTION_FLAGGED] = {WORD_TRUE, "flagged"},
	[OPTION_COMMENT] = {WORD_TEXT, "comment"},
	[OPTION_COMMAND] = {WORD_TEXT, "address"},
	[OPTION_EVERY] = {WORD_MINUTES, "min_interval_minutes"},
	[OPTION_SURE] = {WORD_NUMBER, "confidence"},
	[OPTION_ENDS] = {WORD_SECONDS, "expires_in_seconds"},
	[OPTION_USES] = {WORD_NUMBER, "uses"},
	[OPTION_CALLED] = {WORD_TEXT, "name"},
	[OPTION_UNIT] = {WORD_TEXT, "unit"},
	[OPTION_QUANTITY] = {WORD_QUANTITY, "quantity"},
	[OPTION_CATEGORY] = {WORD_TEXT, "category"},
	[OPTION_EXPIRY] = {WORD_WHEN, "expiry"},
	[OPTION_NOTE] = {WORD_TEXT, "note"},
};

const char *verb_method_option_field(enum option o)
{
	return verb_options[o].field;
}

static const struct field *verb_field(const struct method_call *call, const char *name)
{
	return record_field(method_rows[call->request->method].params, slice_str(name));
}

/* ---- words ---- */

/* Every value of an option that may be given several times. */
static int verb_set_texts(struct method_call *call, const char *name)
{
	struct slice each[ARGS_REPEATS_MAX + 1];
	struct slices all = {each, 0};
	const struct args *a = &call->cli->args;
	for (const char *value; (value = args_value(a, call->option, all.n)) != NULL; all.n++) {
		each[all.n] = slice_str(value);
		if (call->option == OPTION_AUDIENCE &&
		    words_find(&words_audience, each[all.n]) < 0) {
			print_problem("--audience: %s is not technical, product, ethics, creative "
				      "or general",
				      print_typed(value));
			return EXIT_USAGE;
		}
	}
	request_texts(call->request, name, &all);
	return EXIT_DONE;
}

/* JSON, or else the text itself. */
static int verb_set_json(struct method_call *call, const char *name, const char *word)
{
	json_error_t ignored;
	struct buf bytes;
	struct errmsg why = {""};
	json_t *value = json_loads(word, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &ignored);
	value = value == NULL ? json_string(word) : value;
	if (value == NULL) {
		print_problem("%s is not UTF-8", name);
		return EXIT_USAGE;
	}
	char *text = memory_have(json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY));
	json_decref(value);
	buf_init(&bytes, MAX_FRAME_BYTES);
	enum err e = memory_check(json_to_bytes(slice_str(text), &bytes, &why));
	request_bytes(call->request, name, buf_slice(&bytes));
	buf_finish(&bytes);
	free(text);
	return e == OK ? EXIT_DONE : print_failure(e, why.text);
}

/* As word.h reads it. What is none of the few words that a field may be is a slip, not a refusal. */
static int verb_fill(struct method_call *call, struct act_word w, const char *word)
{
	char why[WORD_WHY_BYTES];
	const struct fault *fault = &call->request->fault;
	const char *option = call->option == OPTION_COUNT ? NULL : option_rows[call->option].name;
	bool was_fine = fault->code == FAULT_NONE;
	if (!word_fill(call->request, &w, option, word, (int64_t)time(NULL) * 1000, why)) {
		print_problem("%s", why);
		return EXIT_USAGE;
	}
	if (w.kind == WORD_CHOICE && was_fine && fault->code != FAULT_NONE) {
		char text[EXPLAIN_BYTES_MAX];
		explain(call->cli, fault, text);
		print_problem("%s", text);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* This word and all behind it. */
static int verb_fill_rest(struct method_call *call, struct act_word w, size_t at)
{
	const struct args *a = &call->cli->args;
	struct buf line;
	buf_init(&line, MAX_FRAME_BYTES);
	for (size_t i = at; i < a->words_n; i++) {
		(void)buf_printf(&line, "%s%s", i == at ? "" : " ", a->words[i]);
	}
	enum err e = memory_check(buf_append(&line, "", 1));
	int code = e == OK ? verb_fill(call, w, line.data) : print_failure(e, NULL);
	buf_finish(&line);
	return code;
}

/* Who or what is meant, as the room knows them. */
static int verb_set_id(struct method_call *call, struct act_word w, const char *word)
{
	char id[ROOM_COMMAND_ID_BYTES];
	struct visit *v = call->visit;
	bool is_restore = call->request->method == METHOD_STORY_RESTORE;
	int code = w.kind == WORD_USER	   ? room_command_whom(v, word, id)
		   : w.kind == WORD_BARRED ? room_command_whom_barred(v, word, id)
					   : room_command_story(v, word, is_restore, id);
	if (code == EXIT_DONE) {
		request_text(call->request, w.field, id);
	}
	return code;
}

/* The id of a team or backlog, or of what is in the one that a word before has said. */
static int verb_set_team(struct method_call *call, struct act_word w, const char *word)
{
	char id[TEAM_FIND_ID_BYTES];
	char in[TEAM_FIND_ID_BYTES] = "";
	const char *narrow = call->cli->args.value[OPTION_TEAM];
	enum team_kind kind = w.kind == WORD_TEAM	   ? TEAM_KIND_TEAM
			      : w.kind == WORD_TEAM_MEMBER ? TEAM_KIND_MEMBER
			      : w.kind == WORD_BACKLOG	   ? TEAM_KIND_BACKLOG
							   : TEAM_KIND_ITEM;
	int code = EXIT_DONE;
	if (kind == TEAM_KIND_MEMBER || kind == TEAM_KIND_ITEM) {
		const void *params;
		const char *name = kind == TEAM_KIND_MEMBER ? "group_id" : "container_id";
		const struct field *f = request_field(call->request, name, &params);
		const struct slice *of = field_member(f, params);
		(void)format_to(in, sizeof(in), "%.*s", (int)of->len, of->data);
	} else if (kind == TEAM_KIND_BACKLOG && narrow != NULL) {
		code = team_find(call->visit, TEAM_KIND_TEAM, narrow, NULL, in);
	}
	if (code == EXIT_DONE) {
		code = team_find(call->visit, kind, word, in[0] == '\0' ? NULL : in, id);
	}
	if (code == EXIT_DONE) {
		request_text(call->request, w.field, id);
	}
	return code;
}

/* A map's key, a list's entry_id; NULL: of a presence, which has none. */
static const char *verb_key_field(const struct method_call *call)
{
	const struct field *key = verb_field(call, "key");
	const struct field *f = key != NULL ? key : verb_field(call, "entry_id");
	return f == NULL ? NULL : f->name;
}

int verb_method_read_input(struct buf *out)
{
	struct errmsg why = {""};
	if (text_file_read("-", out, &why) != OK) {
		return print_file_failure(&why);
	}
	while (out->len > 0 &&
	       (out->data[out->len - 1] == '\n' || out->data[out->len - 1] == '\r')) {
		out->len--;
	}
	if (out->len == 0 || memchr(out->data, '\0', out->len) != NULL) {
		print_problem("standard input has no text");
		return EXIT_USAGE;
	}
	(void)memory_check(buf_append(out, "", 1));
	return EXIT_DONE;
}

/* A text; of several lines it may come from standard input. */
static int verb_fill_text(struct method_call *call, struct act_word w, const char *word)
{
	struct buf input;
	if (strcmp(word, "-") != 0 || (verb_field(call, w.field)->flags & FIELD_LINES) == 0) {
		return verb_fill(call, w, word);
	}
	buf_init(&input, VERB_INPUT_BYTES);
	int code = verb_method_read_input(&input);
	code = code == EXIT_DONE ? verb_fill(call, w, input.data) : code;
	buf_finish(&input);
	return code;
}

/* Whether the server has to say something of it. */
static bool verb_is_looked_up(enum word_kind kind)
{
	return kind == WORD_USER || kind == WORD_BARRED || kind == WORD_STORY ||
	       kind == WORD_DECK || kind == WORD_TEAM || kind == WORD_TEAM_MEMBER ||
	       kind == WORD_BACKLOG || kind == WORD_ITEM;
}

/* @at  where the word stands in the line. */
static int verb_set_word(struct method_call *call, struct act_word w, const char *word, size_t at)
{
	const char *const *value = call->cli->args.value;
	w.field = w.field != NULL ? w.field : call->place;
	switch (w.kind) {
	case WORD_NONE:
	case WORD_KIND: /* has chosen the method */
		return EXIT_DONE;
	case WORD_TEXT:
		return verb_fill_text(call, w, word);
	case WORD_TEXTS:
		return verb_set_texts(call, w.field);
	case WORD_KEY:
		request_text(call->request, verb_key_field(call), word);
		return EXIT_DONE;
	case WORD_TITLE:
	case WORD_NEW_STORY:
		if (word[0] == '\0') {
			print_problem("a story must have a title");
			return EXIT_USAGE;
		}
		return verb_fill(call, w, word);
	case WORD_JSON:
		return verb_set_json(call, w.field, word);
	case WORD_DECK:
		return verb_fill_rest(call, w, at);
	case WORD_PLACE:
		call->place = word;
		if (strcmp(word, "before") == 0 || strcmp(word, "after") == 0) {
			return EXIT_DONE;
		}
		print_problem("%s is neither before nor after", print_typed(word));
		return EXIT_USAGE;
	case WORD_NEIGHBOUR:
		if ((value[OPTION_BEFORE] == NULL) != (value[OPTION_AFTER] == NULL)) {
			return EXIT_DONE;
		}
		print_problem("choose --before STORY or --after STORY, not both");
		return EXIT_USAGE;
	case WORD_STORY:
		if (strcmp(word, "-") == 0 && (verb_field(call, w.field)->flags & FIELD_NIL) != 0) {
			request_nil(call->request, w.field);
			return EXIT_DONE;
		}
		return verb_set_id(call, w, word);
	case WORD_USER:
	case WORD_BARRED:
		return verb_set_id(call, w, word);
	case WORD_TEAM:
	case WORD_TEAM_MEMBER:
	case WORD_BACKLOG:
	case WORD_ITEM:
		return verb_set_team(call, w, word);
	case WORD_LINK:
	case WORD_CARD:
	case WORD_CHOICE:
	case WORD_INVITATION:
	case WORD_QUESTION:
	case WORD_REACTIONS:
	case WORD_QUANTITY:
	case WORD_WHEN:
	case WORD_SECONDS:
	case WORD_MINUTES:
	case WORD_NUMBER:
	case WORD_REVISION:
	case WORD_TRUE:
	case WORD_FALSE:
		break;
	}
	return verb_fill(call, w, word);
}

size_t verb_method_first_word(const struct verb *v)
{
	return v->needs > NEEDS_SERVER && v->needs < NEEDS_RIGHTS ? 0 : 1;
}

bool verb_method_takes_word(enum word_kind kind)
{
	return kind != WORD_TRUE && kind != WORD_FALSE && kind != WORD_NEIGHBOUR;
}

/* Likewise in this call: a presence has no key. */
static bool verb_takes_word(const struct method_call *call, enum word_kind kind)
{
	return verb_method_takes_word(kind) && (kind != WORD_KEY || verb_key_field(call) != NULL);
}

/*
 * Words, then options, into the params.
 *
 * @is_inside  those that the server has to say something of; else the others.
 */
static int verb_set_all(struct method_call *call, bool is_inside)
{
	const struct args *a = &call->cli->args;
	int code = EXIT_DONE;
	size_t at = verb_method_first_word(call->verb);
	call->option = OPTION_COUNT;
	for (const struct act_word *w = call->verb->words; w->kind != WORD_NONE; w++) {
		bool takes_word = verb_takes_word(call, w->kind);
		bool is_there = takes_word ? at < a->words_n : w->kind != WORD_KEY;
		if (code == EXIT_DONE && is_there && verb_is_looked_up(w->kind) == is_inside) {
			code = verb_set_word(call, *w, takes_word ? a->words[at] : "", at);
		}
		at += takes_word;
	}
	for (enum option o = 0; o < OPTION_COUNT && code == EXIT_DONE; o++) {
		struct act_word w = verb_options[o];
		if (a->value[o] == NULL || w.kind == WORD_NONE ||
		    verb_is_looked_up(w.kind) != is_inside) {
			continue;
		}
		if (verb_field(call, w.field) == NULL) {
			print_problem("--%s does not apply to a %s", option_rows[o].name,
				      a->words[1]);
			return EXIT_USAGE;
		}
		call->option = o;
		code = verb_set_word(call, w, a->value[o], 0);
	}
	return code;
}

/* ---- the request ---- */

/* KIND.act, and as many words as one of that kind takes. */
static int verb_choose_kind(struct method_call *call)
{
	const struct args *a = &call->cli->args;
	const char *kind = a->words[1];
	bool has_key = false;
	size_t words_n = 1;
	char name[64];
	if (words_find(&words_data_kind, slice_str(kind)) < 0) {
		print_problem("%s is not a map, list or presence", print_typed(kind));
		return EXIT_USAGE;
	}
	(void)format_to(name, sizeof(name), "%s.%s", kind, call->verb->act);
	enum method method = method_find(slice_str(name));
	if (method == METHOD_COUNT) {
		print_problem("no %s for a %s", call->verb->act, kind);
		return EXIT_USAGE;
	}
	call->request = request_make(method);
	for (const struct act_word *w = call->verb->words; w->kind != WORD_NONE; w++) {
		has_key = has_key || w->kind == WORD_KEY;
		words_n += verb_takes_word(call, w->kind);
	}
	if (has_key && a->words_n != words_n) {
		print_problem("a %s takes %s here", kind,
			      a->words_n < words_n ? "one word more" : "one word less");
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

/* Whether it takes something away, or back. */
static bool verb_says_none(const struct args *a)
{
	const char *last = a->words[a->words_n - 1];
	return a->value[OPTION_OFF] != NULL || last[0] == '\0' || strcmp(last, "-") == 0 ||
	       strcmp(last, "0") == 0;
}

/* The row's line with all that stands in it: what is told only to people is for a terminal. */
static int verb_say(const struct visit *v, const struct record *rec, const void *result)
{
	const struct verb *verb = v->cli->verb;
	const char *says = verb->says;
	bool is_told = says == NULL && print_is_for_a_person();
	if (is_told) {
		says = v->cli->was_so ? verb->tells_so
		       : verb->tells_none != NULL && verb_says_none(&v->cli->args)
			       ? verb->tells_none
			       : verb->tells;
	}
	struct buf line;
	buf_init(&line, MAX_FRAME_BYTES);
	template_write(says == NULL ? "" : says, &v->cli->args, rec, result, &line);
	enum err e = memory_check(buf_append(&line, "", 1));
	int code = EXIT_DONE;
	if (e != OK) {
		code = print_failure(e, NULL);
	} else if (is_told && says != NULL && !v->cli->is_json) {
		code = print_text("%s", line.data) ? EXIT_DONE : EXIT_BROKEN;
	} else {
		code = room_command_say(v, rec, result, says == NULL ? NULL : line.data);
	}
	buf_finish(&line);
	return code;
}

/* Whether a name on our seat is what gives the right to it: not to what a member's presence is. */
static bool verb_needs_name(const struct method_call *call)
{
	enum method m = call->request->method;
	bool is_own = m == METHOD_PRESENCE_SET || m == METHOD_PRESENCE_REMOVE;
	return call->verb->needs == NEEDS_KEPT_SEAT && !is_own &&
	       method_rows[m].effect == EFFECT_CHANGES && call->visit->known.host_key[0] == '\0';
}

int verb_method_request(struct cli *c, struct request **out)
{
	struct method_call call = {.cli = c, .verb = c->verb};
	call.request = *out = request_make(c->verb->method);
	int code = verb_set_all(&call, false);
	/* What the server would refuse is refused in its words. */
	return code == EXIT_DONE && call.request->fault.code != FAULT_NONE
		       ? print_slip(c, &call.request->fault)
		       : code;
}

/* The row's question; one about the room after a look at it. */
static int verb_confirm(struct visit *v)
{
	const struct cli *c = v->cli;
	struct replica room = {0};
	struct buf question;
	if (c->verb->asks == NULL || !confirm_is_asked(c)) {
		return confirm(c);
	}
	buf_init(&question, VERB_QUESTION_BYTES);
	int code = room_command_look(v, &room);
	if (code == EXIT_DONE && c->verb->asks(&room, &question)) {
		enum err e = memory_check(buf_append(&question, "", 1));
		code = e == OK ? confirm_question(c, question.data) : print_failure(e, NULL);
	}
	buf_finish(&question);
	replica_finish(&room);
	return code;
}

int verb_method_with(struct cli *c, verb_method_cb act)
{
	struct visit v = {.cli = c};
	struct method_call call = {.cli = c, .verb = c->verb, .visit = &v};
	int code = EXIT_DONE;
	if (c->verb->act != NULL) {
		code = verb_choose_kind(&call);
	} else {
		call.request = request_make(c->verb->method);
	}
	if (code == EXIT_DONE) {
		code = verb_set_all(&call, false);
	}
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, c->verb->needs);
		if (code == EXIT_DONE && verb_needs_name(&call)) {
			code = room_command_join(&v);
		}
		if (code == EXIT_DONE) {
			code = verb_set_all(&call, true);
		}
		if (code == EXIT_DONE) {
			/* What the server would refuse is refused in its words. */
			code = call.request->fault.code != FAULT_NONE
				       ? print_slip(c, &call.request->fault)
				       : verb_confirm(&v);
		}
		if (code == EXIT_DONE) {
			code = act(&v, call.request);
		}
		room_command_close(&v);
	}
	request_free(call.request);
	return code;
}

/* Look whether the request will change anything, where the row has words for that. */
static int verb_look_before(struct visit *v, const struct request *r)
{
	struct cli *c = v->cli;
	struct replica before = {0};
	int code = EXIT_DONE;
	if (c->verb->was_so != NULL && print_is_for_a_person() && !c->is_json) {
		code = room_command_look(v, &before);
		c->was_so = code == EXIT_DONE && c->verb->was_so(&before, r->params);
		replica_finish(&before);
	}
	return code;
}

/* Make the request, and print its result as the row defines. */
static int verb_method_act(struct visit *v, struct request *r)
{
	const struct verb *verb = v->cli->verb;
	const struct record *rec = method_rows[r->method].result;
	void *result = memory_new(1, rec->size);
	int code = verb_look_before(v, r);
	if (code == EXIT_DONE) {
		code = visit_call(v, r->method, r->params, result);
	}
	if (code == EXIT_DONE) {
		code = verb->done != NULL ? verb->done(v, rec, result) : verb_say(v, rec, result);
	}
	free(result);
	return code;
}

int verb_method(struct cli *c)
{
	return verb_method_with(c, verb_method_act);
}
