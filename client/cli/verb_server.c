/*
 * verb_server.c - aye server ...: what is printed of how the server is.
 */
#include "client/cli/print.h"
#include "client/cli/room_command.h"
#include "proto/format.h"
#include "proto/json.h"

#include <jansson.h>

int verb_server_has_answered(struct visit *v, const struct record *rec, const void *result)
{
	char line[ADDRESS_TEXT_BYTES + 40];
	(void)format_to(line, sizeof(line), "%s answers in %lld ms", v->place.address.text,
			(long long)v->took_ms);
	return room_command_say(v, rec, result, line);
}

/* name value, a line each, as the server orders them. */
int verb_server_has_counted(struct visit *v, const struct record *rec, const void *result)
{
	const struct stats_result *r = result;
	struct buf text;
	const char *name;
	json_t *value;
	if (v->cli->is_json) {
		return print_record(rec, r);
	}
	buf_init(&text, 1u << 20);
	enum err e = json_from_bytes(r->counters, &text);
	json_t *counters = e == OK ? json_loadb(text.data, text.len, 0, NULL) : NULL;
	buf_finish(&text);
	if (!json_is_object(counters)) {
		json_decref(counters);
		return print_failure(e == OK ? ERR_PROTO : e, NULL);
	}
	(void)print_line("%-24s %lld", "up_ms", (long long)(r->now - r->started_at));
	json_object_foreach(counters, name, value)
	{
		(void)print_line("%-24s %lld", print_soft(slice_str(name)),
				 (long long)json_integer_value(value));
	}
	json_decref(counters);
	return EXIT_DONE;
}
