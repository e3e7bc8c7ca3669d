/*
 * print.c - the trace, for people: who did what, what left the server. No keys
 * and no ids, so that a trace reads the same with every seed.
 */
#include "tests/sim/features/feature.h"

#include <stdlib.h>
#include <string.h>

#include "proto/json.h"

static const char *print_method(const struct op *op)
{
	return op->method == METHOD_COUNT ? "room.explode" : method_rows[op->method].name;
}

static void print_room(char out[16], int room)
{
	if (room < 0) {
		out[0] = '\0';
	} else {
		snprintf(out, 16, " #%d", room + 1);
	}
}

void print_request(struct world *w, const struct conn *c, const struct op *op)
{
	char room[16];
	if (w->o.trace == NULL) {
		return;
	}
	print_room(room, op->room);
	const char *what = op->card[0] != '\0' ? op->card : op->text;
	if (op->target[0] != '\0') {
		what = member_name(w, member_of_seat(w, op->room, op->target));
	}
	for (size_t i = 0; i < features_n; i++) {
		const char *says = features[i]->says == NULL ? NULL : features[i]->says(op);
		what = says == NULL ? what : says;
	}
	trace(w, "%s > %s%s%s%s%s%s", member_at(w, c), print_method(op), room,
	      what[0] == '\0' ? "" : " ", what, op->is_again ? " (again)" : "",
	      op->has_since ? " (since)" : "");
}

void print_answer(struct world *w, const struct conn *c, const struct op *op,
		  const struct fault *fault, const union method_result *result)
{
	char room[16];
	if (w->o.trace == NULL) {
		return;
	}
	print_room(room, op->room);
	if (fault != NULL) {
		trace(w, "  %s <- %s%s: %s%s%s", member_at(w, c), print_method(op), room,
		      fault_code_name(fault->code), fault->field[0] == '\0' ? "" : " ",
		      fault->field);
	} else if (op->method == METHOD_ROOM_VOTE) {
		trace(w, "  %s <- %s%s: has_vote %s", member_at(w, c), print_method(op), room,
		      result->ROOM_VOTE.has_vote ? "true" : "false");
	} else {
		trace(w, "  %s <- %s%s: ok", member_at(w, c), print_method(op), room);
	}
}

static void print_user(struct world *w, struct buf *b, int room, const struct user_view *u)
{
	char user_id[20];
	view_text(user_id, sizeof(user_id), u->user_id);
	buf_printf(b, "; %s", member_name(w, member_of_seat(w, room, user_id)));
	bool is_whole =
		u->with_username && u->with_is_connected && (u->with_has_vote || u->with_is_bot);
	if (u->with_username && u->username.data == NULL) {
		buf_printf(b, " watches");
	} else if (u->with_username) {
		buf_printf(b, " \"%.*s\"", (int)u->username.len, u->username.data);
	}
	if (u->with_role && (!is_whole || u->username.data != NULL)) {
		buf_printf(b, " %s", words_text(&words_seat_role, (int)u->role));
	}
	buf_printf(b, "%s", u->is_bot ? " bot" : "");
	if (u->with_is_connected && (!is_whole || !u->is_connected)) {
		buf_printf(b, u->is_connected ? " here" : " away");
	}
	if (u->with_is_host && (!is_whole || u->is_host)) {
		buf_printf(b, u->is_host ? " host" : " no host");
	}
	if (u->has_vote || u->vote.len > 0) {
		buf_printf(b, " voted %.*s", u->vote.len > 0 ? (int)u->vote.len : 1,
			   u->vote.len > 0 ? u->vote.data : "?");
	} else if (u->with_has_vote && !is_whole) {
		buf_printf(b, " no vote");
	}
}

void print_update(struct world *w, const struct conn *c, const struct room_update *u)
{
	if (w->o.trace == NULL) {
		return;
	}
	int room = room_of_id(w, u->room_id);
	struct buf b;
	buf_init(&b, 65536);
	if (u->full) {
		buf_printf(&b, "full %lld", (long long)u->version);
	} else {
		buf_printf(&b, "%lld to %lld", (long long)u->since, (long long)u->version);
	}
	if (u->with_room) {
		buf_printf(&b, "; round %lld %s", (long long)u->room.round,
			   u->room.is_revealed	    ? "open"
			   : u->room.with_countdown ? "counting down"
						    : "hidden");
	}
	if (u->votes_cleared) {
		buf_printf(&b, "; no votes");
	}
	if (u->with_votes_n) {
		buf_printf(&b, "; %lld voted", (long long)u->votes_n);
	}
	for (size_t i = 0; i < u->users_n; i++) {
		print_user(w, &b, room, &u->users[i]);
	}
	for (size_t i = 0; i < u->gone.n; i++) {
		buf_printf(&b, "; one is gone");
	}
	if (u->left_votes_n > 0 || u->left_cleared) {
		buf_printf(&b, "; %zu cards left%s", u->left_votes_n,
			   u->left_cleared ? " in all" : "");
	}
	trace(w, "  %s <- update #%d: %.*s", member_at(w, c), room + 1, (int)b.len, b.data);
	buf_finish(&b);
}

void print_you(struct world *w, const struct conn *c, const struct room_you *y)
{
	if (w->o.trace == NULL) {
		return;
	}
	trace(w, "  %s <- you #%d: %.*s%s%s%.*s", member_at(w, c), room_of_id(w, y->room_id) + 1,
	      y->username.data == NULL ? 7 : (int)y->username.len,
	      y->username.data == NULL ? "watches" : y->username.data, y->is_host ? " host" : "",
	      y->vote.data == NULL ? "" : " voted ", (int)y->vote.len,
	      y->vote.data == NULL ? "" : y->vote.data);
}
