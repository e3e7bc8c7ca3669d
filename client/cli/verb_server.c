/*
 * verb_server.c - aye server ...: how the server is.
 */
#include "client/cli/print.h"
#include "client/cli/reach.h"
#include "proto/json.h"

#include <jansson.h>

int verb_server_ping(struct cli *c)
{
	struct place place;
	struct room_client *client = NULL;
	struct nothing p = {0};
	struct ping_result r;
	struct arena arena = {0};
	int code = reach_server(c, &place, &client);
	if (code == EXIT_DONE) {
		int64_t began_ms = loop_clock_ms();
		code = reach_call(c, client, METHOD_SERVER_PING, &p, &arena, &r);
		int64_t took_ms = loop_clock_ms() - began_ms;
		if (code == EXIT_DONE && c->is_json) {
			enum err e = print_record(&record_ping_result, &r);
			code = e == OK ? EXIT_DONE : print_failure(e, NULL);
		} else if (code == EXIT_DONE) {
			(void)print_line("%s answers in %lld ms", place.address.text,
					 (long long)took_ms);
		}
	}
	room_client_close(client);
	arena_finish(&arena);
	return code;
}

/* name value, a line each, as the server orders them. */
static int verb_server_lines(const struct stats_result *r)
{
	struct buf text;
	buf_init(&text, 1u << 20);
	enum err e = json_from_bytes(r->counters, &text);
	json_t *counters = e == OK ? json_loadb(text.data, text.len, 0, NULL) : NULL;
	buf_finish(&text);
	if (!json_is_object(counters)) {
		json_decref(counters);
		return print_failure(e == OK ? ERR_PROTO : e, NULL);
	}
	(void)print_line("%-24s %lld", "up_ms", (long long)(r->now - r->started_at));
	const char *name;
	json_t *value;
	json_object_foreach(counters, name, value)
	{
		(void)print_line("%-24s %lld", print_soft(slice_str(name)),
				 (long long)json_integer_value(value));
	}
	json_decref(counters);
	return EXIT_DONE;
}

int verb_server_stats(struct cli *c)
{
	struct place place;
	struct room_client *client = NULL;
	struct nothing p = {0};
	struct stats_result r;
	struct arena arena = {0};
	int code = reach_server(c, &place, &client);
	if (code == EXIT_DONE) {
		code = reach_call(c, client, METHOD_SERVER_STATS, &p, &arena, &r);
	}
	if (code == EXIT_DONE && c->is_json) {
		enum err e = print_record(&record_stats_result, &r);
		code = e == OK ? EXIT_DONE : print_failure(e, NULL);
	} else if (code == EXIT_DONE) {
		code = verb_server_lines(&r);
	}
	room_client_close(client);
	arena_finish(&arena);
	return code;
}
