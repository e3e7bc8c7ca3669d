/*
 * room_subscribe.c - room.subscribe and room.unsubscribe: on which seat of the
 * room a connection is, and what proves it.
 *
 * The user_key that is sent names the seat, else the one that the connection
 * has shown before, else that of its login. A key that names no seat gets a new
 * one, if the room takes strangers. What the connection is sent from then on is
 * the core's.
 */
#include "server/domain/room/room_state.h"

#include <string.h>

#include "proto/base/format.h"
#include "server/domain/base/user_key.h"

struct key_text room_hash_host_key(const unsigned char *server_key, struct slice key)
{
	return key_hash(server_key, "host", key);
}

struct seat *room_account_seat(struct room *r, const unsigned char *server_key,
			       struct slice user_id)
{
	struct key_text hash = user_key_hash_of_login(server_key, user_id, slice_str(r->room_id));
	return room_seat_by_key(r, &hash);
}

/* A member who was kicked for good is barred as a login, with any key; without a login only the key is known. */
static bool is_barred(const struct room *r, const struct room_call *c, const struct key_text *hash)
{
	struct key_text own =
		user_key_hash_of_login(c->server_key, c->account_id, slice_str(r->room_id));
	return room_is_barred(r, &own) || room_is_barred(r, hash);
}

/* @is_account  it is the seat of the caller's login. NULL with *c->fault. */
static struct seat *make_seat(struct room *r, struct room_call *c, const struct key_text *hash,
			      bool is_account)
{
	char derived[CODE_CHARS_MAX + 1];
	struct slice user_id = c->account_id;
	if (!is_account) {
		/* It is derived from key and room, so that the key has the same user_id again where the table never had the seat. */
		char text[KEY_CHARS + CODE_CHARS_MAX + 2];
		size_t len = format_to(text, sizeof(text), "%s#%s", hash->text, r->room_id);
		code_derive(c->server_key, "user_id", slice_of(text, len), derived, USER_ID_CHARS);
		user_id = slice_str(derived);
	}
	if (room_seat_by_id(r, user_id) != NULL) {
		/* One key in 10^14: two seats never share a user_id, and another key is soon made. */
		fault_set(c->fault, FAULT_CONFLICT,
			  "that key is for another user_id; use another key");
		return NULL;
	}
	const int64_t seats_max = c->limits[LIMIT_ROOM_SEATS];
	if ((int64_t)r->seats_n >= seats_max) {
		room_clear_place(r);
	}
	if ((int64_t)r->seats_n >= seats_max) {
		fault_set(c->fault, FAULT_ROOM_FULL, "the room is full: all %lld seats are taken",
			  (long long)seats_max);
		return NULL;
	}
	/* Later than all before it, so that their order survives the table. */
	int64_t last = r->seats == NULL ? 0 : r->seats->prev->created_on;
	struct seat *seat = room_seat_add(r, hash, user_id,
					  c->wall_ms > last ? c->wall_ms : last + 1, c->mono_ms);
	if (seat == NULL) {
		(void)room_out_of_memory(c);
		return NULL;
	}
	room_unbar(r, hash); /* a caller with the host_key is admitted all the same */
	seat->is_account = is_account;
	seat->is_waiting = r->policy.lobby && !c->has_host_key && !room_is_of_member(r, c->facts);
	room_seat_changed(r, seat, SEAT_IS_NEW);
	return seat;
}

struct seat *room_seat_again(struct room *r, struct room_call *c, const struct key_text *user_key)
{
	struct key_text hash = user_key_hash(c->server_key, slice_of(user_key->text, KEY_CHARS));
	struct seat *seat = room_seat_by_key(r, &hash);
	if (seat == NULL && (c->has_host_key || !is_barred(r, c, &hash))) {
		/* The table has every login's seat: whoever has logged in meanwhile stays who they were. */
		seat = make_seat(r, c, &hash, false);
	}
	if (seat != NULL && c->has_host_key) {
		room_set_creator(r, seat);
	}
	if (seat != NULL) {
		room_attach(r, seat, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	}
	return seat;
}

void room_disconnected(struct room *r, struct seat *seat, int64_t mono_ms, int64_t wall_ms,
		       const int64_t *limits)
{
	room_detach(r, seat, mono_ms, wall_ms, limits);
	room_settle_reveal(r, mono_ms, wall_ms, limits);
	if (seat->username != NULL) {
		room_extend(r, wall_ms, room_life_ms(r, limits));
	}
	room_end_change(r);
}

/* Whether the caller may take a new seat, under a key that has none: the room admits strangers, and there are not too many
 * of the connection or its address. */
static enum fault_code check_new_seat(const struct room *r, struct room_call *c,
				      const struct key_text *hash)
{
	const struct room_subscribe_params *p = c->params;
	struct room_subscriber *sub = c->subscriber;
	const struct room_entrant entrant = {.has_host_key = c->has_host_key,
					     .is_member = room_is_of_member(r, c->facts),
					     .passcode = p->passcode};
	enum fault_code f = !c->has_host_key && is_barred(r, c, hash)
				    ? fault_set(c->fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN)
				    : room_lets_in(r, c->server_key, &entrant, c->fault);
	if (f != FAULT_NONE) {
		sub->is_wrong_guess = true;
		return f;
	}
	if (sub->seats_made >= MAX_CONNECTION_SEATS) {
		(void)fault_set(c->fault, FAULT_TOO_LARGE,
				"one connection can create at most %d seats in a room",
				MAX_CONNECTION_SEATS);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_CONNECTION_SEATS, "seats");
	}
	/* Seats are kept for a while after their connection is lost: one address must not take all there are. */
	sub->wants_seat = true;
	if (sub->seat_wait_ms > 0) {
		fault_set(c->fault, FAULT_RATE_LIMITED,
			  "more than %lld new seats a minute from your address",
			  (long long)c->limits[LIMIT_SEATS_PER_MINUTE]);
		c->fault->retry_after_ms = sub->seat_wait_ms;
		return c->fault->code;
	}
	return FAULT_NONE;
}

enum fault_code on_ROOM_SUBSCRIBE(struct room *r, struct room_call *c)
{
	const struct room_subscribe_params *p = c->params;
	struct room_subscriber *sub = c->subscriber;
	struct room_subscribe_result *result = c->result;
	struct key_text *key = arena_alloc(c->arena, sizeof(*key));
	if (key == NULL) {
		return room_out_of_memory(c);
	}
	*key = (struct key_text){{0}};
	if (p->with_user_key && !key_is_formed(p->user_key)) {
		return fault_field(c->fault, "user_key",
				   "is not a key: 43 characters of base64url");
	}
	if (p->with_user_key) {
		memcpy(key->text, p->user_key.data, KEY_CHARS);
	} else if (sub->user_key.text[0] != '\0') {
		*key = sub->user_key;
	} else if (c->account_id.len > 0) {
		*key = user_key_of_login(c->server_key, c->account_id, slice_str(r->room_id));
	} else {
		*key = key_make(c->random);
	}
	struct key_text hash = user_key_hash(c->server_key, slice_of(key->text, KEY_CHARS));
	struct seat *seat = room_seat_by_key(r, &hash);
	sub->is_new = seat == NULL;

	if (seat != NULL && seat != sub->seat && seat->connections >= MAX_SEAT_CONNECTIONS) {
		(void)fault_set(c->fault, FAULT_TOO_LARGE,
				"at most %d connections can share a seat", MAX_SEAT_CONNECTIONS);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_SEAT_CONNECTIONS,
				    "connections");
	}
	if (seat == NULL && check_new_seat(r, c, &hash) != FAULT_NONE) {
		return c->fault->code;
	}
	if (!sub->may_subscribe) {
		(void)fault_set(c->fault, FAULT_TOO_LARGE,
				"one connection can follow at most %d rooms", MAX_CONNECTION_ROOMS);
		return fault_bounds(c->fault, FAULT_RULE_COUNT, 0, MAX_CONNECTION_ROOMS, "rooms");
	}
	struct key_text own =
		user_key_hash_of_login(c->server_key, c->account_id, slice_str(r->room_id));
	bool is_account = key_hash_eq(&own, slice_of(hash.text, KEY_CHARS));
	if (seat == NULL && (seat = make_seat(r, c, &hash, is_account)) == NULL) {
		return c->fault->code;
	}

	/* On another seat than before, the connection leaves that one. */
	if (seat != sub->seat && sub->seat != NULL) {
		room_disconnected(r, sub->seat, c->mono_ms, c->wall_ms, c->limits);
	}
	if (seat != sub->seat) {
		room_attach(r, seat, c->mono_ms, c->limits[LIMIT_VOTE_GRACE_MS]);
	}
	sub->is_subscribed = true;
	sub->seat = seat;
	sub->user_key = *key;
	if (c->has_host_key) {
		room_set_creator(r, seat);
		room_offer_host(r, seat);
	}
	if (room_is_of_member(r, c->facts)) {
		room_let_in(r, seat);
	}
	room_note_facts(r, seat, c->facts);
	room_settle_reveal(r, c->mono_ms, c->wall_ms, c->limits);
	room_end_change(r);
	*result = (struct room_subscribe_result){
		.user_key = slice_of(key->text, KEY_CHARS),
		.user_id = slice_str(seat->user_id),
		.epoch = r->epoch,
		.version = r->version,
	};
	return FAULT_NONE;
}

enum fault_code on_ROOM_UNSUBSCRIBE(struct room *r, struct room_call *c)
{
	struct room_subscriber *sub = c->subscriber;
	struct version_result *result = c->result;
	if (!sub->is_subscribed) {
		return fault_set(c->fault, FAULT_CONFLICT,
				 "this connection does not follow that room");
	}
	/* A lost connection may be replaced; with the last one that unsubscribes the member's presence ends. */
	if (sub->seat != NULL && !seat_is_gone(sub->seat) && sub->seat->connections == 1) {
		room_presence_end(r, sub->seat, c->mono_ms);
	}
	if (sub->seat != NULL) {
		room_disconnected(r, sub->seat, c->mono_ms, c->wall_ms, c->limits);
	}
	sub->is_subscribed = false;
	sub->seat = NULL;
	*result = (struct version_result){.version = r->version};
	return FAULT_NONE;
}
