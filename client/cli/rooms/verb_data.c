/*
 * verb_data.c - what aye data get prints: a JSON line an entry.
 *
 * Following changes is verb_data_watch.c.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/model/memory.h"
#include "proto/json.h"

#define VERB_DATA_ANSWER_BYTES (24u << 20)

/* The result as jansson has it; NULL, told, where a value has no form in JSON. */
static json_t *verb_data_load(const struct record *rec, const void *result)
{
	struct buf bytes;
	struct buf text;
	json_t *json = NULL;
	buf_init(&bytes, VERB_DATA_ANSWER_BYTES);
	buf_init(&text, VERB_DATA_ANSWER_BYTES);
	record_write(rec, result, &bytes);
	enum err e = memory_check(bytes.error);
	e = e == OK ? memory_check(json_from_bytes(buf_slice(&bytes), &text)) : e;
	if (e == OK) {
		json = memory_have(json_loadb(text.data, text.len, 0, NULL));
	} else {
		(void)print_failure(e, "a value cannot be written as JSON");
	}
	buf_finish(&bytes);
	buf_finish(&text);
	return json;
}

/* {id_field: id} and what the entry has; an entry of a list has its own id. */
static int verb_data_print(const char *id_field, const char *id, json_t *entry)
{
	bool is_list = id_field == NULL;
	json_t *line = is_list ? json_incref(entry) : memory_have(json_object());
	bool is_plain = !is_list && strcmp(id_field, "user_id") == 0;
	if (!is_list) {
		(void)json_object_set_new(line, id_field, json_string(id));
	}
	if (is_plain) {
		(void)json_object_set(line, "value", entry);
	} else if (!is_list) {
		(void)json_object_update(line, entry);
	}
	char *text = memory_have(json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII));
	bool is_told = print_json(text);
	free(text);
	json_decref(line);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

/* Every entry, or the one whose id is the word behind the name. */
int verb_data_was_read(struct visit *v, const struct record *rec, const void *result)
{
	const struct args *a = &v->cli->args;
	const char *only = a->words_n > 3 ? a->words[3] : NULL;
	const char *id_field = strcmp(a->words[1], "presence") == 0 ? "user_id" : "key";
	json_t *json = verb_data_load(rec, result);
	json_t *entries = json_object_get(json, "entries");
	json_t *entry;
	const char *id;
	size_t i;
	bool is_found = only == NULL;
	int code = json == NULL ? EXIT_NO_SERVER : EXIT_DONE;
	json_object_foreach(entries, id, entry)
	{
		if (code == EXIT_DONE && (only == NULL || strcmp(only, id) == 0)) {
			code = verb_data_print(id_field, id, entry);
			is_found = true;
		}
	}
	json_array_foreach(entries, i, entry)
	{
		id = json_string_value(json_object_get(entry, "entry_id"));
		if (code == EXIT_DONE && (only == NULL || strcmp(only, id) == 0)) {
			code = verb_data_print(NULL, id, entry);
			is_found = true;
		}
	}
	json_decref(json);
	if (code == EXIT_DONE && !is_found) {
		print_problem("no entry %s", print_typed(only));
		code = EXIT_REFUSED;
	}
	return code;
}
