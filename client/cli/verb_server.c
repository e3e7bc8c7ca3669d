/*
 * verb_server.c - aye server ...: what is printed of how the server is.
 */
#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "proto/base/format.h"
#include "proto/json.h"

#include <jansson.h>

int verb_server_has_answered(struct visit *v, const struct record *rec, const void *result)
{
	char line[ADDRESS_TEXT_BYTES + 40];
	(void)format_to(line, sizeof(line), "%s answers in %lld ms", v->place.address.text,
			(long long)v->took_ms);
	return room_command_say(v, rec, result, line);
}

int verb_server_was_unshared(struct visit *v, const struct record *rec, const void *result)
{
	const struct server_share_result *r = result;
	return room_command_say(v, rec, result,
				r->addresses.n == 0
					? INVITE_UNSHARED "."
					: "The server still listens on the addresses it was "
					  "started with.");
}

/*
 * "name value", a line each, as the server orders them. Of those that are maps the numbers
 * that are not 0, as "name.key value"; of histograms how often and the sum (`ayed stats` says more).
 */
static void verb_server_print(const char *name, json_t *value)
{
	char line[160];
	char number[40];
	const char *key;
	json_t *inner;
	if (!json_is_object(value)) {
		size_t n = json_dumpb(value, number, sizeof(number) - 1,
				      JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
		number[n < sizeof(number) ? n : 0] = '\0';
		(void)print_line("%-24s %s", name, print_soft(slice_str(number)));
		return;
	}
	json_object_foreach(value, key, inner)
	{
		if (strcmp(key, "buckets") != 0 &&
		    (json_is_object(inner) || json_number_value(inner) > 0)) {
			(void)format_to(line, sizeof(line), "%s.%s", name,
					print_soft(slice_str(key)));
			verb_server_print(line, inner);
		}
	}
}

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
		char top[80];
		(void)format_to(top, sizeof(top), "%s", print_soft(slice_str(name)));
		verb_server_print(top, value);
	}
	json_decref(counters);
	return EXIT_DONE;
}
