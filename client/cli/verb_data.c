/*
 * verb_data.c - aye data ...: a room's maps, lists and presences, one act each.
 *
 * A verb's words become the members of the method KIND.ACT; what a method takes
 * is the server's to check. Following changes is verb_data_watch.c.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/cli/print.h"
#include "client/cli/room_command.h"
#include "client/cli/visit.h"
#include "client/model/memory.h"
#include "proto/format.h"
#include "proto/json.h"

#define VERB_DATA_ANSWER_BYTES (24u << 20)

struct verb_data {
	struct visit visit;
	struct cli *cli;
	enum method method;
	json_t *params;
	json_t *result; /* after verb_data_run() */
};

/* ---- words ---- */

/* KIND.act as a method; METHOD_COUNT, told, where there is none. */
static enum method verb_data_method(const char *kind, const char *act)
{
	char name[64];
	enum method m = METHOD_COUNT;
	bool is_kind = words_find(&words_data_kind, slice_str(kind)) >= 0;
	if (is_kind) {
		format_to(name, sizeof(name), "%s.%s", kind, act);
		m = method_find(slice_str(name));
	}
	if (!is_kind) {
		print_problem("%s is no map, list or presence", print_soft(slice_str(kind)));
	} else if (m == METHOD_COUNT) {
		print_problem("there is no %s for a %s", act, kind);
	}
	return m;
}

static bool verb_data_text(struct verb_data *d, const char *field, const char *text)
{
	json_t *value = json_string(text);
	if (value == NULL) {
		print_problem("%s is not UTF-8", field);
		return false;
	}
	return json_object_set_new(d->params, field, value) == 0;
}

/* JSON, or else the text itself. */
static bool verb_data_value(struct verb_data *d, const char *text)
{
	json_error_t ignored;
	json_t *value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &ignored);
	return value != NULL ? json_object_set_new(d->params, "value", value) == 0
			     : verb_data_text(d, "value", text);
}

static bool verb_data_place(struct verb_data *d, const char *where, const char *entry)
{
	if (strcmp(where, "before") != 0 && strcmp(where, "after") != 0) {
		print_problem("%s is neither before nor after", print_soft(slice_str(where)));
		return false;
	}
	return verb_data_text(d, where, entry);
}

static bool verb_data_revision(struct verb_data *d)
{
	const char *text = d->cli->args.value[OPTION_IF_REVISION];
	if (text == NULL) {
		return true;
	}
	size_t len = strlen(text);
	if (len == 0 || len > 15 || strspn(text, "0123456789") != len) {
		print_problem("--if-revision: %s is no revision", print_soft(slice_str(text)));
		return false;
	}
	return json_object_set_new(d->params, "if_revision", json_integer(atoll(text))) == 0;
}

/* Begin with what every act has: room, name, kind. The exit code, told. */
static int verb_data_begin(struct cli *c, struct verb_data *d, const char *act)
{
	*d = (struct verb_data){.cli = c, .params = json_object()};
	d->method = verb_data_method(c->args.words[1], act);
	if (d->method == METHOD_COUNT) {
		return EXIT_USAGE;
	}
	return verb_data_text(d, "name", c->args.words[2]) && verb_data_revision(d) ? EXIT_DONE
										    : EXIT_USAGE;
}

/* The word that names an entry of this kind: a map's key, a list's entry_id, nothing of a presence.
 */
static const char *verb_data_key_field(const struct cli *c)
{
	if (strcmp(c->args.words[1], "presence") == 0) {
		return NULL;
	}
	return strcmp(c->args.words[1], "map") == 0 ? "key" : "entry_id";
}

/* ---- the call ---- */

static int verb_data_read(struct verb_data *d, struct slice value)
{
	struct buf text;
	buf_init(&text, VERB_DATA_ANSWER_BYTES);
	enum err e = memory_check(json_from_bytes(value, &text));
	if (e == OK) {
		d->result = memory_have(json_loadb(text.data, text.len, JSON_DECODE_ANY, NULL));
	}
	buf_finish(&text);
	return e == OK ? EXIT_DONE : print_failure(e, "a value has no form in JSON");
}

static int verb_data_send(struct verb_data *d)
{
	struct buf params;
	struct errmsg why = {""};
	struct slice value = {0};
	char *text = memory_have(json_dumps(d->params, JSON_COMPACT));
	buf_init(&params, MAX_FRAME_BYTES);
	enum err e = memory_check(json_to_bytes(slice_str(text), &params, &why));
	int code = e == OK ? reach_call_raw(d->cli, d->visit.client,
					    slice_str(method_rows[d->method].name),
					    buf_slice(&params), &value)
			   : print_failure(e, why.text);
	free(text);
	buf_finish(&params);
	return code == EXIT_DONE ? verb_data_read(d, value) : code;
}

/* To change what is shared takes the host_key, or for as long as the visit lasts a name on the seat. */
static int verb_data_show_rights(struct verb_data *d)
{
	bool is_own = d->method == METHOD_PRESENCE_SET || d->method == METHOD_PRESENCE_REMOVE;
	if (is_own || method_rows[d->method].effect != EFFECT_CHANGES) {
		return EXIT_DONE;
	}
	return d->visit.known.host_key[0] != '\0' ? EXIT_DONE : room_command_join(&d->visit);
}

/* The name that was put on for the visit; where this fails, the server forgets it in a while. */
static void verb_data_leave(struct verb_data *d)
{
	struct version_result r;
	struct reply ignored;
	struct room_seat_params p = {.room_id = slice_str(d->visit.room_id)};
	if (d->visit.client != NULL && d->visit.has_joined) {
		(void)!room_client_ask_record(d->visit.client, METHOD_ROOM_LEAVE, &p,
					      d->cli->answer_ms, &d->visit.arena, &r, &ignored);
	}
}

/* Sit down, and make the call; on the seat of the name, so that it is one seat for all of them. */
static int verb_data_run(struct verb_data *d)
{
	char once[REACH_ONCE_CHARS + 1];
	int code = visit_open(d->cli, &d->visit);
	if (code == EXIT_DONE) {
		code = visit_subscribe(&d->visit, visit_name(&d->visit));
	}
	code = code == EXIT_DONE ? verb_data_show_rights(d) : code;
	if (code == EXIT_DONE && !verb_data_text(d, "room_id", d->visit.room_id)) {
		code = print_failure(ERR_NOMEM, NULL);
	}
	if (code == EXIT_DONE && method_rows[d->method].effect == EFFECT_CHANGES) {
		(void)reach_once(once);
		code = verb_data_text(d, "idempotency_key", once) ? EXIT_DONE
								  : print_failure(ERR_NOMEM, NULL);
	}
	return code == EXIT_DONE ? verb_data_send(d) : code;
}

static int verb_data_end(struct verb_data *d, int code)
{
	json_decref(d->params);
	json_decref(d->result);
	if (d->visit.cli != NULL) {
		verb_data_leave(d);
		visit_close(&d->visit);
	}
	return code;
}

static int verb_data_print(const json_t *value)
{
	char *text = json_dumps(value, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_ENCODE_ANY);
	bool is_told = text != NULL && print_json(text);
	free(text);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* The result where JSON is wanted; else the id of a new entry, and nothing for the rest. */
static int verb_data_say(struct verb_data *d)
{
	if (d->cli->is_json) {
		return verb_data_print(d->result);
	}
	bool is_new = d->method == METHOD_LIST_PUSH || d->method == METHOD_LIST_INSERT;
	const char *id = json_string_value(json_object_get(d->result, "entry_id"));
	if (is_new && id != NULL) {
		return print_line("%s", print_soft(slice_str(id))) ? EXIT_DONE : EXIT_BROKEN;
	}
	return EXIT_DONE;
}

static int verb_data_act(struct verb_data *d, int code)
{
	code = code == EXIT_DONE ? verb_data_run(d) : code;
	code = code == EXIT_DONE ? verb_data_say(d) : code;
	return verb_data_end(d, code);
}

/* ---- the verbs ---- */

int verb_data_create(struct cli *c)
{
	struct verb_data d;
	return verb_data_act(&d, verb_data_begin(c, &d, "create"));
}

int verb_data_delete(struct cli *c)
{
	struct verb_data d;
	return verb_data_act(&d, verb_data_begin(c, &d, "delete"));
}

static int verb_data_wants(struct cli *c, size_t words_n)
{
	if (c->args.words_n == words_n) {
		return EXIT_DONE;
	}
	print_problem("a %s takes %s here", c->args.words[1],
		      c->args.words_n < words_n ? "one word more" : "one word less");
	return EXIT_USAGE;
}

int verb_data_set(struct cli *c)
{
	struct verb_data d;
	int code = verb_data_begin(c, &d, "set");
	const char *field = code == EXIT_DONE ? verb_data_key_field(c) : NULL;
	code = code == EXIT_DONE ? verb_data_wants(c, field == NULL ? 4 : 5) : code;
	if (code == EXIT_DONE && field != NULL && !verb_data_text(&d, field, c->args.words[3])) {
		code = EXIT_USAGE;
	}
	if (code == EXIT_DONE && !verb_data_value(&d, c->args.words[c->args.words_n - 1])) {
		code = EXIT_USAGE;
	}
	return verb_data_act(&d, code);
}

int verb_data_remove(struct cli *c)
{
	struct verb_data d;
	int code = verb_data_begin(c, &d, "remove");
	const char *field = code == EXIT_DONE ? verb_data_key_field(c) : NULL;
	code = code == EXIT_DONE ? verb_data_wants(c, field == NULL ? 3 : 4) : code;
	if (code == EXIT_DONE && field != NULL && !verb_data_text(&d, field, c->args.words[3])) {
		code = EXIT_USAGE;
	}
	return verb_data_act(&d, code);
}

int verb_data_push(struct cli *c)
{
	struct verb_data d;
	int code = verb_data_begin(c, &d, "push");
	if (code == EXIT_DONE && !verb_data_value(&d, c->args.words[3])) {
		code = EXIT_USAGE;
	}
	return verb_data_act(&d, code);
}

int verb_data_insert(struct cli *c)
{
	struct verb_data d;
	int code = verb_data_begin(c, &d, "insert");
	if (code == EXIT_DONE && (!verb_data_place(&d, c->args.words[3], c->args.words[4]) ||
				  !verb_data_value(&d, c->args.words[5]))) {
		code = EXIT_USAGE;
	}
	return verb_data_act(&d, code);
}

int verb_data_move(struct cli *c)
{
	struct verb_data d;
	int code = verb_data_begin(c, &d, "move");
	if (code == EXIT_DONE && (!verb_data_text(&d, "entry_id", c->args.words[3]) ||
				  !verb_data_place(&d, c->args.words[4], c->args.words[5]))) {
		code = EXIT_USAGE;
	}
	return verb_data_act(&d, code);
}

/* ---- get ---- */

/* {id_field: id} and what the entry has. */
static int verb_data_print_entry(const char *id_field, const char *id, json_t *entry, bool is_plain)
{
	json_t *line = json_object();
	int failed = json_object_set_new(line, id_field, json_string(id));
	failed |=
		is_plain ? json_object_set(line, "value", entry) : json_object_update(line, entry);
	int code = failed ? print_failure(ERR_NOMEM, NULL) : verb_data_print(line);
	json_decref(line);
	return code;
}

/* Every entry, or the one whose id is `only`. *found counts. */
static int verb_data_print_all(struct verb_data *d, const char *only, size_t *found)
{
	json_t *entries = json_object_get(d->result, "entries");
	json_t *entry;
	const char *id;
	size_t i;
	int code = EXIT_DONE;
	bool is_presence = d->method == METHOD_PRESENCE_GET;
	json_object_foreach(entries, id, entry)
	{
		if (code == EXIT_DONE && (only == NULL || strcmp(only, id) == 0)) {
			code = verb_data_print_entry(is_presence ? "user_id" : "key", id, entry,
						     is_presence);
			(*found)++;
		}
	}
	json_array_foreach(entries, i, entry)
	{
		id = json_string_value(json_object_get(entry, "entry_id"));
		if (code == EXIT_DONE && (only == NULL || (id != NULL && strcmp(only, id) == 0))) {
			code = verb_data_print(entry);
			(*found)++;
		}
	}
	return code;
}

int verb_data_get(struct cli *c)
{
	struct verb_data d;
	size_t found = 0;
	const char *only = c->args.words_n > 3 ? c->args.words[3] : NULL;
	int code = verb_data_begin(c, &d, "get");
	code = code == EXIT_DONE ? verb_data_run(&d) : code;
	code = code == EXIT_DONE ? verb_data_print_all(&d, only, &found) : code;
	if (code == EXIT_DONE && only != NULL && found == 0) {
		print_problem("there is no entry %s", print_soft(slice_str(only)));
		code = EXIT_REFUSED;
	}
	return verb_data_end(&d, code);
}
