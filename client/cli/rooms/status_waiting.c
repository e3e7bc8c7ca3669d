/*
 * status_waiting.c - see status_waiting.h.
 */
#include "client/cli/rooms/status_waiting.h"

#include <arpa/inet.h>
#include <string.h>
#include <time.h>

#include <sodium.h>

#include "client/cli/reach/find_server.h"
#include "client/net/room_client_wait_uv.h"
#include "client/state/state_login.h"
#include "proto/base/format.h"

/* What was seen longer ago is worth nothing to a prompt: most questions are open for an hour. */
#define STATUS_SEEN_MS INT64_C(3600000)

bool status_is_at_hand(const struct address *a)
{
	unsigned char bytes[sizeof(struct in6_addr)];
	return a->is_unix || (!a->is_ssh && (strcmp(a->host, "localhost") == 0 ||
					     inet_pton(AF_INET, a->host, bytes) == 1 ||
					     inet_pton(AF_INET6, a->host, bytes) == 1));
}

/* False: no answer in time, or a refusal. */
static bool waiting_ask(const struct address *server, const struct state_login *login,
			int64_t end_ms, struct state_waiting *seen)
{
	const struct question_list_params p = {.limit = MAX_QUESTION_PAGE, .with_limit = true};
	/* A prompt signs nothing, and what it hears of a session changes nothing that is kept. */
	struct sign_in sign_in = {.is_guest = true, .on = &sign_in_nobody};
	struct room_client_options o = {.address = *server, .sign_in = &sign_in};
	struct question_list_result page;
	struct reply reply = {.is_refused = true};
	struct arena arena = {0};
	struct errmsg unseen;
	(void)format_to(sign_in.token, sizeof(sign_in.token), "%s", login->token);
	struct room_client *client = room_client_open(NULL, &o);
	int64_t left_ms = end_ms - loop_clock_ms();
	bool is_told = left_ms > 0 && room_client_connect(client, false, left_ms, &unseen) == OK &&
		       (left_ms = end_ms - loop_clock_ms()) > 0 &&
		       room_client_ask_record(client, METHOD_QUESTION_LIST, &p, left_ms, &arena,
					      &page, &reply) == OK &&
		       !reply.is_refused;
	if (is_told) {
		seen->waiting = (int64_t)page.questions_n;
		seen->has_more = page.cursor.len > 0;
	}
	room_client_close(client);
	arena_finish(&arena);
	sodium_memzero(&sign_in, sizeof(sign_in));
	return is_told;
}

void status_waiting_find(const struct state *state, const char *server, int64_t end_ms,
			 struct status_waiting *out)
{
	struct server_place place;
	struct state_login login;
	struct state_waiting seen;
	struct errmsg unseen = {""};
	int64_t now_ms = (int64_t)time(NULL) * 1000;
	*out = (struct status_waiting){.is_known = false};
	if (server_seek(server, &place, &unseen) != OK ||
	    state_get_login(state, place.address.text, NULL, &login, &unseen) != OK ||
	    login.user_name[0] == '\0') {
		return;
	}
	state_get_waiting(state, place.address.text, login.user_name, now_ms, &seen);
	bool may_ask = login.token[0] != '\0' && !place.is_down &&
		       status_is_at_hand(&place.address) && loop_clock_ms() < end_ms &&
		       state_waiting_may_ask(&seen, now_ms);
	if (may_ask) {
		out->is_from_server = waiting_ask(&place.address, &login, end_ms, &seen);
		seen.seen_at = out->is_from_server ? now_ms : seen.seen_at;
		state_put_waiting(state, &seen);
	}
	out->is_known = now_ms - seen.seen_at < STATUS_SEEN_MS;
	out->waiting = seen.waiting;
	out->has_more = seen.has_more;
	sodium_memzero(&login, sizeof(login));
}

void status_waiting_short(const struct status_waiting *w, char out[STATUS_WAITING_BYTES])
{
	out[0] = '\0';
	if (w->is_known && w->waiting > 0) {
		(void)format_to(out, STATUS_WAITING_BYTES, "%lld%s waiting", (long long)w->waiting,
				w->has_more ? "+" : "");
	}
}
