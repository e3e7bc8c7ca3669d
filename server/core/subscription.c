/*
 * subscription.c - making rooms, and who follows them.
 *
 * A subscription is one connection's following of one room, on one seat. It begins
 * with the unit of work of its subscription, so that the answer, room.you and
 * the first update leave together, and never before they are durable.
 */
#include <stdlib.h>

#include <utlist.h>

#include "proto/assert.h"
#include "proto/deck.h"
#include "proto/format.h"
#include "proto/text.h"
#include "server/core/conn.h"
#include "server/core/guess_limit.h"
#include "server/core/rate_limit.h"
#include "server/core/request.h"
#include "server/core/room_partition.h"
#include "server/core/send_queue.h"
#include "server/core/server_priv.h"
#include "server/core/session_cache.h"
#include "server/core/subscription.h"
#include "server/core/unit_of_work.h"

/* ---- subscriptions ---- */

static void subscription_pend(struct subscription *sub)
{
	if (sub->state == SUBSCRIPTION_LIVE) {
		DL_APPEND2(sub->partition->pending, sub, pending_prev, pending_next);
	}
	sub->state = SUBSCRIPTION_NEW;
}

struct subscription *subscription_begin(struct server *s, struct partition *p, struct conn *c,
					struct pass *pass, struct seat *seat)
{
	struct subscription *sub = &pass->subscription;
	ASSERT(sub->conn == NULL);
	*sub = (struct subscription){.conn = c,
				     .partition = p,
				     .seat = seat,
				     .state = SUBSCRIPTION_LIVE,
				     .is_first = true};
	subscription_pend(sub);
	DL_APPEND(p->subscriptions, sub);
	LL_APPEND2(seat->subscriptions, sub, seat_next);
	p->subscriptions_n++;
	s->counters.subscriptions_now++;
	room_attach(p->room, seat, s->now.mono_ms, server_limit(s, LIMIT_VOTE_GRACE_MS));
	return sub;
}

/* A full update that is half sent must be finished, whatever becomes of the subscription. */
void subscription_remove(struct server *s, struct subscription *sub)
{
	struct partition *p = sub->partition;
	if (sub->state != SUBSCRIPTION_LIVE) {
		DL_DELETE2(p->pending, sub, pending_prev, pending_next);
	}
	if (p->fan_next == sub) {
		p->fan_next = sub->next;
	}
	DL_DELETE(p->subscriptions, sub);
	p->subscriptions_n--;
	s->counters.subscriptions_now--;
	if (sub->seat != NULL) {
		LL_DELETE2(sub->seat->subscriptions, sub, seat_next);
		room_detach(p->room, sub->seat, s->now.mono_ms, s->config.limits);
		room_settle_reveal(p->room, s->now.mono_ms, s->now.wall_ms, s->config.limits);
		if (sub->seat->username != NULL) {
			room_extend(p->room, s->now.wall_ms, server_limit(s, LIMIT_ROOM_LIFE_MS));
		}
		room_end_change(p->room);
		partition_dirty(s, p);
	}
	p->used_mono = s->now.mono_ms;
	frame_unref(s, sub->full);
	*sub = (struct subscription){.conn = NULL};
	partition_schedule(s, p);
}

void subscription_start_over(struct server *s, struct subscription *sub)
{
	frame_unref(s, sub->full);
	sub->full = NULL;
	sub->resumes = false;
	sub->is_told = false; /* what told it may have failed, or was not kept */
	subscription_pend(sub);
	partition_dirty(s, sub->partition);
}

/* ---- room.create ---- */

static bool may_create(struct server *s, struct conn *c, struct fault *fault)
{
	struct bucket *b = c->address == NULL ? NULL : &c->address->creates;
	return address_may(s, c, b, LIMIT_ROOM_CREATES_PER_MINUTE, "new rooms", fault);
}

/* Ids and host_key of a new room: random, or, for a call that may be repeated, derived from its
 * key. */
struct founding_ids {
	char room_id[CODE_CHARS_MAX + 1];
	struct key_text host_key;
	bool is_derived;
};

/* Whose repeat a call with an idempotency_key may be: of the login, the user of a unix socket, or the address. */
static size_t creator_name(struct server *s, struct conn *c, char *out, size_t cap)
{
	const struct live_session *l = conn_session(s, c);
	if (l != NULL) {
		return format_to(out, cap, "login %s", l->is.user_id);
	}
	if (c->address == NULL) {
		return format_to(out, cap, "uid %lu", (unsigned long)c->uid);
	}
	size_t len = format_to(out, cap, "address ");
	for (size_t i = 0; i < sizeof(c->address->key.bytes); i++) {
		len += format_to(out + len, cap - len, "%02x", c->address->key.bytes[i]);
	}
	return len;
}

static void founding_ids_make(struct server *s, struct conn *c, const struct room_create_params *p,
			      struct founding_ids *ids)
{
	enum { CREATOR_BYTES_MAX = 96, ONCE_BYTES_MAX = 64 };
	char text[CREATOR_BYTES_MAX + ONCE_BYTES_MAX + 2];
	ids->is_derived = p->with_idempotency_key;
	if (!ids->is_derived) {
		code_make(&s->random, ids->room_id, s->config.room_code_chars);
		ids->host_key = key_make(&s->random);
		return;
	}
	unsigned char seed[SEED_BYTES];
	struct random derived;
	size_t len = creator_name(s, c, text, CREATOR_BYTES_MAX);
	text[len++] = '#';
	ASSERT_CMP(p->idempotency_key.len, <=, ONCE_BYTES_MAX);
	memcpy(text + len, p->idempotency_key.data, p->idempotency_key.len);
	len += p->idempotency_key.len;
	derive_bytes(s->config.server_key, "room.create", slice_of(text, len), seed, sizeof(seed));
	random_seed(&derived, seed);
	code_make(&derived, ids->room_id, s->config.room_code_chars);
	ids->host_key = key_make(&derived);
}

static enum err founding_deck(struct server *s, const struct room_create_params *p,
			      struct slices *deck, struct fault *f)
{
	if (p->with_valid_sizes && p->with_deck) {
		fault_field(f, "deck", "give either deck or valid_sizes, not both");
		return ERR_INVALID;
	}
	if (p->with_valid_sizes) {
		return deck_clean(p->valid_sizes, &s->scratch, deck, f);
	}
	return deck_preset(p->with_deck ? p->deck : SLICE(DECK_DEFAULT), &s->scratch, deck, f);
}

static enum err founding_title(struct server *s, const struct room_create_params *p,
			       struct slice *title, struct fault *f)
{
	char *clean = arena_alloc(&s->scratch, MAX_TITLE_BYTES);
	size_t len = 0;
	int32_t bad = 0;
	if (clean == NULL) {
		return ERR_NOMEM;
	}
	if (p->title.len > 0) {
		enum err e = text_clean(p->title, clean, MAX_TITLE_BYTES, &len, &bad);
		if (e != OK || text_cells(slice_of(clean, len)) > MAX_TITLE_CELLS) {
			fault_field(f, "title",
				    "is longer than %d cells, or holds a character that may not be "
				    "shown",
				    MAX_TITLE_CELLS);
			return ERR_INVALID;
		}
	}
	*title = slice_of(clean, len);
	return OK;
}

static void create_refuse(struct server *s, struct request *rq, enum err e, struct fault *fault)
{
	if (e == ERR_NOMEM) {
		fault_set(fault, FAULT_UNAVAILABLE, "the server is out of memory");
	}
	request_refuse(s, rq, fault);
}

/*
 * Also for a room that is there already: the same call was made before, and gets
 * the same answer, the deck it asked for and not the one the room has come to.
 */
static void create_answer(struct server *s, struct partition *p, struct request *rq,
			  const struct founding_ids *ids, struct slices deck)
{
	struct room_create_result result = {
		.room_id = slice_str(p->room_id),
		.host_key = slice_of(ids->host_key.text, KEY_CHARS),
		.valid_sizes = deck,
	};
	unit_result(s, p, rq->conn, rq->msgid, &record_room_create_result, &result);
}

static enum err founding_read(struct server *s, struct request *rq, struct room_founding *f,
			      struct fault *fault)
{
	const struct room_create_params *p = &rq->params.ROOM_CREATE;
	enum err e = founding_deck(s, p, &f->deck, fault);
	return e == OK ? founding_title(s, p, &f->title, fault) : e;
}

static void create_in(struct server *s, struct partition *p, struct request *rq,
		      const struct founding_ids *ids, struct room_founding *f)
{
	struct fault fault = {0};
	enum err e = may_create(s, rq->conn, &fault) ? OK : ERR_BUSY;
	f->room_id = p->room_id;
	f->host_key_hash = hash_host_key(s, slice_of(ids->host_key.text, KEY_CHARS));
	f->epoch = (int64_t)(random_u64(&s->random) >> 16);
	f->wall_ms = s->now.wall_ms;
	f->life_ms = server_limit(s, LIMIT_ROOM_LIFE_MS);
	if (e == OK && (p->room = room_create(f)) == NULL) {
		e = ERR_NOMEM;
	}
	if (e != OK) {
		create_refuse(s, rq, e, &fault);
		return;
	}
	p->room->trace = s->config.trace;
	room_await_maker(p->room, s->now.wall_ms, s->now.mono_ms,
			 server_limit(s, LIMIT_VOTE_GRACE_MS));
	s->counters.rooms_created++;
	create_answer(s, p, rq, ids, f->deck);
	conn_keep_host(rq->conn, &f->host_key_hash);
}

/* A partition that is not in memory, or, for a derived id, the one it names. */
static struct partition *create_place(struct server *s, const struct request *rq,
				      struct founding_ids *ids)
{
	do {
		founding_ids_make(s, rq->conn, &rq->params.ROOM_CREATE, ids);
	} while (!ids->is_derived && partition_find(s, ids->room_id) != NULL);
	return partition_get(s, ids->room_id);
}

/* A derived code is as short as any other: what stands there may have been made by another call. */
static bool create_is_same(const struct server *s, const struct room *r,
			   const struct founding_ids *ids)
{
	struct key_text hash = hash_host_key(s, slice_of(ids->host_key.text, KEY_CHARS));
	return key_hash_eq(&r->host_key_hash, slice_of(hash.text, KEY_CHARS));
}

/*
 * A new room's partition is loaded like any other, to see that it is free; the
 * request waits there. A random code that turns out to be taken is thrown
 * again; a derived one that is taken means that this call was made before.
 */
void attend_create(struct server *s, struct request *rq)
{
	struct founding_ids ids = {.is_derived = false};
	struct fault fault = {0};
	struct room_founding f = {0};
	struct partition *p = rq->parked_in;
	enum err e = founding_read(s, rq, &f, &fault);
	if (e != OK) {
		create_refuse(s, rq, e, &fault);
		return;
	}
	if (p != NULL) {
		founding_ids_make(s, rq->conn, &rq->params.ROOM_CREATE, &ids);
	}
	/* Who logged in while it waited is another caller now. */
	bool is_moved = p != NULL && ids.is_derived && strcmp(ids.room_id, p->room_id) != 0;
	if (p == NULL || is_moved || (p->room != NULL && !ids.is_derived)) {
		p = create_place(s, rq, &ids);
	}
	if (p == NULL || (p->room != NULL && p->room->is_deleted)) {
		fault_set(&fault, FAULT_UNAVAILABLE, "no room can be made now; try again");
		request_refuse(s, rq, &fault);
	} else if (p->state == PARTITION_LOADING) {
		request_park(s, p, rq);
	} else if (p->room != NULL && !create_is_same(s, p->room, &ids)) {
		fault_set(&fault, FAULT_CONFLICT,
			  "that idempotency_key leads to a room of somebody else's; take another");
		request_refuse(s, rq, &fault);
	} else if (p->room != NULL && p->room->created_on + MAX_ONCE_LIFE_MS <= s->now.wall_ms) {
		fault_set(&fault, FAULT_CONFLICT,
			  "that idempotency_key made a room more than a day ago; take another");
		request_refuse(s, rq, &fault);
	} else {
		rq->conn->pending += rq->parked_in == NULL;
		rq->parked_in = p; /* it has been counted: a refusal from here on gives it back */
		if (p->room == NULL) {
			create_in(s, p, rq, &ids, &f);
		} else {
			create_answer(s, p, rq, &ids, f.deck);
		}
		partition_dirty(s, p);
	}
}

/* ---- room.subscribe, room.unsubscribe ---- */

/* Who is logged in has one seat in a room, on whatever connection: its key follows from the user.
 */
static struct key_text account_key(const struct server *s, const struct live_session *l,
				   const char *room_id)
{
	char text[2 * CODE_CHARS_MAX + 2];
	unsigned char key[SEED_BYTES];
	size_t len = format_to(text, sizeof(text), "%s#%s", l->is.user_id, room_id);
	derive_bytes(s->config.server_key, "seat", slice_of(text, len), key, sizeof(key));
	return key_from_bytes(key);
}

/* The key that was sent, else the one this connection has shown before, else a new one. */
static struct key_text subscribe_key(struct server *s, const struct request *rq,
				     const struct pass *pass, const char *room_id)
{
	const struct room_subscribe_params *p = &rq->params.ROOM_SUBSCRIBE;
	struct key_text key = {{0}};
	if (p->with_user_key) {
		memcpy(key.text, p->user_key.data, KEY_CHARS);
		return key;
	}
	if (pass != NULL && pass->user_key.text[0] != '\0') {
		return pass->user_key;
	}
	const struct live_session *l = conn_session(s, rq->conn);
	return l != NULL ? account_key(s, l, room_id) : key_make(&s->random);
}

struct seat *attend_account_seat(struct server *s, const struct partition *p, struct conn *c)
{
	const struct live_session *l = conn_session(s, c);
	if (l == NULL) {
		return NULL;
	}
	struct key_text key = account_key(s, l, p->room_id);
	struct key_text hash = hash_user_key(s, slice_of(key.text, KEY_CHARS));
	return room_seat_by_key(p->room, &hash);
}

static bool seat_is_accounts(const struct server *s, const struct live_session *l,
			     const char *room_id, const struct key_text *hash)
{
	struct key_text key = account_key(s, l, room_id);
	struct key_text own = hash_user_key(s, slice_of(key.text, KEY_CHARS));
	return key_hash_eq(&own, slice_of(hash->text, KEY_CHARS));
}

/* Seats are kept for a while when their connection goes: one address must not take all there are.
 */
static enum fault_code subscribe_rate(struct server *s, struct conn *c, struct fault *fault)
{
	struct bucket *b = c->address == NULL ? NULL : &c->address->seats;
	return address_may(s, c, b, LIMIT_SEATS_PER_MINUTE, "new seats", fault) ? FAULT_NONE
										: fault->code;
}

/* Who was kicked for good is, with whatever key, as a login; else the key is all that is known. */
static bool subscribe_is_barred(struct server *s, const struct partition *p, struct conn *c,
				const struct key_text *hash)
{
	const struct live_session *l = conn_session(s, c);
	if (l != NULL) {
		struct key_text key = account_key(s, l, p->room_id);
		struct key_text own = hash_user_key(s, slice_of(key.text, KEY_CHARS));
		if (room_is_barred(p->room, &own)) {
			return true;
		}
	}
	return room_is_barred(p->room, hash);
}

/* Whether there is a place for the connection: on the seat that the key names, or for a stranger in
 * the room. Until then nothing is kept of who asks. */
static enum fault_code subscribe_check(struct server *s, struct partition *p, struct request *rq,
				       struct pass *pass, const struct seat *seat,
				       const struct key_text *hash, bool has_host_key,
				       struct fault *fault)
{
	if (seat != NULL) {
		const struct subscription *sub = pass_subscription(pass);
		bool sits_here = sub != NULL && sub->seat == seat;
		return sits_here || seat->connections < MAX_SEAT_CONNECTIONS
			       ? FAULT_NONE
			       : fault_set(fault, FAULT_TOO_LARGE,
					   "a seat takes at most %d connections",
					   MAX_SEAT_CONNECTIONS);
	}
	enum fault_code f =
		!has_host_key && subscribe_is_barred(s, p, rq->conn, hash)
			? fault_set(fault, FAULT_ROOM_NOT_FOUND, ROOM_UNKNOWN)
			: room_lets_in(p->room, s->config.server_key,
				       rq->params.ROOM_SUBSCRIBE.passcode, has_host_key, fault);
	if (f != FAULT_NONE) {
		struct fault ignored;
		(void)guess_miss(s, rq, p->room_id, &ignored);
		return f;
	}
	if (pass != NULL && pass->seats_n >= MAX_CONNECTION_SEATS) {
		return fault_set(fault, FAULT_TOO_LARGE,
				 "one connection makes at most %d seats of a room",
				 MAX_CONNECTION_SEATS);
	}
	return subscribe_rate(s, rq->conn, fault);
}

/*
 * Who the key is in this room, whenever and however often it sits down: the
 * table need not know of a seat for its user_id to hold.
 */
static void seat_user_id(const struct server *s, const char *room_id, const struct key_text *hash,
			 char out[CODE_CHARS_MAX + 1])
{
	char text[KEY_CHARS + CODE_CHARS_MAX + 2];
	size_t len = format_to(text, sizeof(text), "%s#%s", hash->text, room_id);
	code_derive(s->config.server_key, "user_id", slice_of(text, len), out, USER_ID_CHARS);
}

static struct seat *subscribe_sit(struct server *s, struct partition *p, struct conn *c,
				  const struct key_text *hash, bool has_host_key,
				  struct fault *fault)
{
	char user_id[CODE_CHARS_MAX + 1];
	const struct live_session *l = conn_session(s, c);
	bool is_account = l != NULL && seat_is_accounts(s, l, p->room_id, hash);
	if (is_account) {
		memcpy(user_id, l->is.user_id, sizeof(user_id));
	} else {
		seat_user_id(s, p->room_id, hash, user_id);
	}
	if (room_seat_by_id(p->room, slice_str(user_id)) != NULL) {
		/* One key in 10^14: nobody is two people, and another key is soon made. */
		fault_set(fault, FAULT_CONFLICT,
			  "that key leads to somebody else's user_id; come with another key");
		return NULL;
	}
	struct seat *seat =
		room_seat_add(p->room, hash, user_id, room_seat_time(p->room, s->now.wall_ms),
			      s->now.mono_ms, server_limit(s, LIMIT_ROOM_SEATS), fault);
	if (seat != NULL) {
		room_unbar(p->room, hash); /* the host_key comes in whatever was */
		seat->is_account = is_account;
		seat->is_waiting = p->room->policy.lobby && !has_host_key;
		room_seat_changed(p->room, seat, SEAT_IS_NEW);
	}
	return seat;
}

/* The subscription that this connection has, or a new one; on another seat than before, the old one ends.
 */
static struct subscription *subscribe_begin(struct server *s, struct partition *p, struct conn *c,
					    struct pass *pass, struct seat *seat)
{
	struct subscription *old = pass_subscription(pass);
	bool followed_before = old != NULL && !old->is_first;
	if (old != NULL && old->seat == seat) {
		subscription_start_over(s, old);
		return old;
	}
	if (old != NULL) {
		subscription_remove(s, old);
	}
	struct subscription *sub = subscription_begin(s, p, c, pass, seat);
	if (followed_before) {
		struct key_text before = hash_user_key(s, slice_str(pass->user_key.text));
		sub->is_first = false; /* if this fails it does not just end without a word */
		sub->is_moved = !key_hash_eq(&before, slice_of(seat->key_hash.text, KEY_CHARS));
	}
	return sub;
}

struct seat *attend_seat_again(struct server *s, struct partition *p, struct subscription *sub)
{
	const struct pass *pass = subscription_pass(sub);
	struct key_text hash = hash_user_key(s, slice_of(pass->user_key.text, KEY_CHARS));
	struct seat *seat = p->room == NULL ? NULL : room_seat_by_key(p->room, &hash);
	struct fault ignored;
	if (seat != NULL || p->room == NULL || sub->is_moved) {
		return seat;
	}
	return subscribe_sit(s, p, sub->conn, &hash, conn_is_host(sub->conn, p->room), &ignored);
}

enum fault_code attend_subscribe(struct server *s, struct partition *p, struct request *rq,
				 bool has_host_key, union method_result *result,
				 struct fault *fault)
{
	const struct room_subscribe_params *params = &rq->params.ROOM_SUBSCRIBE;
	if (params->with_user_key && !key_is_formed(params->user_key)) {
		return fault_field(fault, "user_key", "is not a key: 43 characters of base64url");
	}
	struct pass *pass = conn_pass(rq->conn, p->room_id);
	struct key_text key = subscribe_key(s, rq, pass, p->room_id);
	struct key_text hash = hash_user_key(s, slice_of(key.text, KEY_CHARS));
	struct seat *seat = room_seat_by_key(p->room, &hash);
	if (subscribe_check(s, p, rq, pass, seat, &hash, has_host_key, fault) != FAULT_NONE ||
	    (pass = conn_pass_make(rq->conn, p->room_id, fault)) == NULL) {
		return fault->code;
	}
	bool is_new = seat == NULL;
	seat = is_new ? subscribe_sit(s, p, rq->conn, &hash, has_host_key, fault) : seat;
	if (seat == NULL) {
		return fault->code;
	}
	pass->seats_n += is_new;
	struct subscription *sub = subscribe_begin(s, p, rq->conn, pass, seat);
	bool lacks_data = sub->spares_data; /* a copy made without it cannot go on with it */
	sub->spares_data = params->with_data && !params->data;
	lacks_data = lacks_data && !sub->spares_data;
	/* Who was not here has no copy to go on from, and no right to what was shown before. */
	sub->resumes = params->with_since && !is_new && !lacks_data;
	sub->since_epoch = params->since.epoch;
	sub->since_version = params->since.version;
	pass->user_key = key;
	if (has_host_key) {
		room_offer_host(p->room, seat);
	}
	room_settle_reveal(p->room, s->now.mono_ms, s->now.wall_ms, s->config.limits);
	room_end_change(p->room);
	result->ROOM_SUBSCRIBE = (struct room_subscribe_result){
		.user_key = slice_of(pass->user_key.text, KEY_CHARS),
		.user_id = slice_str(seat->user_id),
		.epoch = p->room->epoch,
		.version = p->room->version,
	};
	return FAULT_NONE;
}

enum fault_code attend_unsubscribe(struct server *s, struct partition *p, struct request *rq,
				   union method_result *result, struct fault *fault)
{
	struct subscription *sub = pass_subscription(conn_pass(rq->conn, p->room_id));
	if (sub == NULL) {
		return fault_set(fault, FAULT_CONFLICT,
				 "this connection does not follow that room");
	}
	/* A lost connection may come back; the last one that unsubscribes says goodbye. */
	if (sub->seat != NULL && !seat_is_gone(sub->seat) && sub->seat->connections == 1) {
		room_presence_end(p->room, sub->seat, s->now.mono_ms);
	}
	subscription_remove(s, sub);
	result->ROOM_UNSUBSCRIBE =
		(struct version_result){.version = p->room->version, .with_version = true};
	return FAULT_NONE;
}
