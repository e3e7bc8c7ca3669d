/*
 * send.c - requests on their way out, and the note the oracle keeps of each.
 */
#include "tests/sim/send.h"

#include <stdlib.h>
#include <string.h>

#include "proto/assert.h"

const char *twin_card(const char *card)
{
	static const char *const pairs[][2] = {{"1", "2"}, {"3", "5"}, {"13", "20"}};
	static char other[SIM_CARD_BYTES];
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		if (strcmp(card, pairs[i][0]) == 0 || strcmp(card, pairs[i][1]) == 0) {
			return pairs[i][strcmp(card, pairs[i][0]) == 0];
		}
	}
	/* The simulator's own cards: a letter, and 0 or 1. */
	if (strlen(card) == 2 && card[0] >= 'A' && card[0] <= 'Z' &&
	    (card[1] == '0' || card[1] == '1')) {
		other[0] = card[0];
		other[1] = card[1] == '0' ? '1' : '0';
		return other;
	}
	return card;
}

static struct op *send_note(struct world *w, const struct op *about)
{
	if (w->ops_n == w->ops_capacity) {
		w->ops_capacity = w->ops_capacity == 0 ? 256 : 2 * w->ops_capacity;
		w->ops = realloc(w->ops, w->ops_capacity * sizeof(*w->ops));
		ASSERT(w->ops != NULL);
	}
	struct op *op = &w->ops[w->ops_n++];
	*op = *about;
	buf_init(&op->sent, 1u << 17);
	return op;
}

/* A connection speaks for one seat of a room: the one it was given, or else the one its owner has
 * the key of. */
static void send_identity(struct world *w, struct conn *c, int room)
{
	const struct member_room *mine = &w->members[c->member].rooms[room];
	if (c->my_key[room][0] == '\0') {
		memcpy(c->my_key[room], mine->user_key, sizeof(c->my_key[room]));
		memcpy(c->my_id[room], mine->user_id, sizeof(c->my_id[room]));
	}
}

/*
 * Mostly the next number. Now and then one that is in use: both requests are
 * answered then, and only a client that is careless enough cannot tell which
 * is which; so only with requests that change nothing for the client itself.
 */
static uint32_t send_msgid(struct world *w, struct conn *c, struct op *op)
{
	struct op *other = w->ops_n < 2 ? NULL : op - 1;
	if (!w->o.is_scripted && op->method == METHOD_ROOM_VOTE && dice_percent(&w->dice, 2) &&
	    other->conn == c->serial && other->method == METHOD_ROOM_VOTE &&
	    other->room == op->room && !other->is_heard) {
		other->is_shadowed = true;
		op->is_shadowed = true;
		return other->msgid;
	}
	return c->next_msgid++;
}

/* Whose request it is, and what the connection had shown when it was sent. */
static void send_sign(struct world *w, struct conn *c, struct op *op, enum method method, int room)
{
	op->method = method;
	op->room = room;
	op->conn = c->serial;
	op->member = c->member;
	op->msgid = send_msgid(w, c, op);
	if (method == METHOD_SESSION_LOGIN || method == METHOD_SESSION_RESUME) {
		w->members[c->member].has_signed_in = true;
	}
	if (room >= 0) {
		send_identity(w, c, room);
		memcpy(op->user_id, c->my_id[room], sizeof(op->user_id));
		if (op->shows_user_key) {
			memcpy(op->user_key, c->my_key[room], sizeof(op->user_key));
		}
		op->host_key_was_shown = c->host_key_shown[room];
		c->host_key_shown[room] = c->host_key_shown[room] || op->shows_host_key;
	}
}

static void send_queue(struct world *w, struct conn *c, struct op *op, struct slice params)
{
	size_t before = c->up.len;
	struct slice name = op->method == METHOD_COUNT ? SLICE("room.explode")
						       : slice_str(method_rows[op->method].name);
	rpc_write_request_raw(&c->up, op->msgid, name, params);
	ASSERT_CMP(c->up.error, ==, OK);
	op->bytes = c->up.len - before;
	c->up_queued += op->bytes;
	op->ends_at = c->up_queued;
	w->figures.requests++;
	print_request(w, c, op);
}

struct op *send_op(struct world *w, struct conn *c, enum method method, int room,
		   const void *params, const struct op *about)
{
	struct op *op = send_note(w, about);
	send_sign(w, c, op, method, room);
	struct buf *b = &w->scratch;
	buf_clear(b);
	record_write(method_rows[method].params, params, b);
	ASSERT_CMP(b->error, ==, OK);
	if (op->once[0] != '\0') {
		buf_append_slice(&op->sent, buf_slice(b));
	}
	send_queue(w, c, op, buf_slice(b));
	return op;
}

struct op *send_raw(struct world *w, struct conn *c, enum method method, int room,
		    struct slice params, enum fault_code expect)
{
	struct op about = {.expect = expect};
	struct op *op = send_note(w, &about);
	send_sign(w, c, op, method, room);
	send_queue(w, c, op, params);
	return op;
}

void send_again(struct world *w, struct conn *c, size_t index)
{
	struct op about = w->ops[index];
	struct op *op = send_note(w, &about);
	op->is_delivered = op->is_answered = op->is_ok = op->is_dead = op->is_closed =
		op->is_heard = false;
	op->is_shadowed = false;
	op->is_again = true;
	buf_append_slice(&op->sent, buf_slice(&about.sent));
	send_sign(w, c, op, about.method, about.room);
	send_queue(w, c, op, buf_slice(&op->sent));
	w->figures.repeats++;
}

void send_bytes(struct world *w, struct conn *c, struct slice bytes)
{
	(void)w;
	buf_append_slice(&c->up, bytes);
	c->up_queued += bytes.len;
}

/* ---- one for each kind of params ---- */

/* Half the time the key is shown again although the connection has shown it: both ways must do. */
bool send_shows_key(struct world *w, struct conn *c, int room, struct slice *key)
{
	send_identity(w, c, room);
	*key = slice_str(c->my_key[room]);
	return key->len > 0 && (!c->user_key_shown[room] || dice_percent(&w->dice, 50));
}

void send_hello(struct world *w, struct conn *c)
{
	struct hello_params p = {.protocol = PROTOCOL_VERSION, .client = SLICE("sim 1")};
	struct op about = {0};
	c->said_hello = true;
	send_op(w, c, METHOD_SESSION_HELLO, -1, &p, &about);
}

void send_token(struct world *w, struct conn *c, const char *token, enum fault_code expect)
{
	struct resume_params p = {.token = slice_str(token)};
	struct op about = {.expect = expect};
	view_text(about.user_key, sizeof(about.user_key), p.token);
	send_op(w, c, METHOD_SESSION_RESUME, -1, &p, &about);
}

void send_plain(struct world *w, struct conn *c, enum method method, int room)
{
	struct op about = {0};
	struct room_params p = {0};
	if (room >= 0) {
		SEND_ROOM_ID(p, w, room);
	}
	if (method == METHOD_ROOM_UNSUBSCRIBE && c->subs[room] != NULL) {
		c->subs[room]->is_leaving = true;
	}
	send_op(w, c, method, room, &p, &about);
}

void send_create(struct world *w, struct conn *c, struct slices deck, const char *preset,
		 const char *title, const char *once)
{
	struct room_create_params p = {.valid_sizes = deck, .with_valid_sizes = deck.n > 0};
	struct op about = {0};
	p.deck = slice_str(preset);
	p.with_deck = preset != NULL;
	p.title = slice_str(title);
	p.with_title = title != NULL;
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), slice_str(title));
	if (deck.n > 0) {
		view_deck_text(about.deck, deck);
	}
	send_op(w, c, METHOD_ROOM_CREATE, -1, &p, &about);
}

void send_subscribe(struct world *w, struct conn *c, int room, bool with_since)
{
	struct member_room *mine = &w->members[c->member].rooms[room];
	struct room_subscribe_params p = {0};
	struct op about = {0};
	if (c->subs[room] == NULL) {
		c->subs[room] = calloc(1, sizeof(*c->subs[room]));
		ASSERT(c->subs[room] != NULL);
	}
	struct sub *sub = c->subs[room];
	SEND_ROOM_ID(p, w, room);
	p.with_data = c->is_without_data;
	about.brings_passcode = !w->o.is_scripted && dice_percent(&w->dice, 60);
	p.passcode = SLICE(SIM_PASSCODE);
	p.with_passcode = about.brings_passcode;
	send_identity(w, c, room);
	p.user_key = slice_str(c->my_key[room]);
	p.with_user_key = p.user_key.len > 0;
	about.shows_user_key = p.with_user_key;
	bool has_host_key = w->members[c->member].rooms[room].has_host_key;
	SEND_HOST_KEY(p, about, w, room,
		      has_host_key && !w->o.is_scripted && !w->is_calm &&
			      dice_percent(&w->dice, 30));
	if (with_since && mine->last != NULL && !sub->is_on) {
		p.with_since = true;
		p.since =
			(struct since){.epoch = mine->last->epoch, .version = mine->last->version};
		view_copy(&sub->view, mine->last);
		about.has_since = true;
		w->figures.resumes++;
	}
	sub->asks++;
	send_op(w, c, METHOD_ROOM_SUBSCRIBE, room, &p, &about);
}

void send_seat(struct world *w, struct conn *c, enum method method, int room, const char *once)
{
	struct room_seat_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	p.with_user_key = about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	send_op(w, c, method, room, &p, &about);
}

void send_join(struct world *w, struct conn *c, int room, const char *raw, const char *clean,
	       bool spectator, bool is_bot, const char *once)
{
	struct room_join_params p = {.username = slice_str(raw),
				     .with_username = true,
				     .is_bot = is_bot,
				     .with_is_bot = is_bot};
	struct op about = {.flag = spectator, .is_bot = is_bot};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	p.with_user_key = about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	p.role = spectator ? ROLE_SPECTATOR : ROLE_VOTER;
	p.with_role = about.has_role = spectator || dice_percent(&w->dice, 50);
	view_text(about.text, sizeof(about.text), slice_str(clean));
	about.expect = clean == NULL ? FAULT_VALIDATION_ERROR : FAULT_NONE;
	send_op(w, c, METHOD_ROOM_JOIN, room, &p, &about);
}

/* A note and a confidence, as secret as the card: in the twin's world they are others too. */
static void send_reasons(struct world *w, const struct conn *c, int room,
			 struct room_vote_params *p, struct op *about)
{
	if (w->o.is_scripted) {
		return;
	}
	snprintf(about->other, sizeof(about->other), "note %s", about->card);
	p->note = slice_str(about->other);
	p->with_note = dice_percent(&w->dice, 30);
	bool is_asked = c->subs[room]->view.policy.confidence;
	p->confidence = 1 + (dice_percent(&w->dice, 50) != w->o.is_twin);
	p->with_confidence = dice_percent(&w->dice, is_asked ? 50 : 3);
	about->is_unsure = p->with_confidence;
}

void send_vote(struct world *w, struct conn *c, int room, const char *card, const char *once)
{
	struct room_vote_params p = {.with_vote = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	p.with_user_key = about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	if (card != NULL) {
		/* Not always the other one: what is the same card again here is another one there. */
		card = w->o.is_twin && w->ops_n % 3 != 0 ? twin_card(card) : card;
		p.vote = slice_str(card);
		view_text(about.card, sizeof(about.card), p.vote);
		send_reasons(w, c, room, &p, &about);
	}
	w->figures.votes++;
	send_op(w, c, METHOD_ROOM_VOTE, room, &p, &about);
}

void send_host(struct world *w, struct conn *c, enum method method, int room, bool flag,
	       bool with_key, const char *once)
{
	struct op about = {.flag = flag};
	if (method == METHOD_ROOM_SET_REVEALED) {
		struct room_set_revealed_params p = {.is_revealed = flag};
		SEND_ROOM_ID(p, w, room);
		SEND_ONCE(p, about, once);
		SEND_HOST_KEY(p, about, w, room, with_key);
		send_op(w, c, method, room, &p, &about);
	} else if (method == METHOD_ROOM_RESET) {
		struct room_member_params p = {0};
		SEND_ROOM_ID(p, w, room);
		SEND_ONCE(p, about, once);
		SEND_HOST_KEY(p, about, w, room, with_key);
		send_op(w, c, method, room, &p, &about);
	} else {
		struct room_host_params p = {0};
		SEND_ROOM_ID(p, w, room);
		SEND_ONCE(p, about, once);
		SEND_HOST_KEY(p, about, w, room, with_key);
		send_op(w, c, method, room, &p, &about);
	}
}

void send_target(struct world *w, struct conn *c, enum method method, int room, const char *user_id,
		 bool with_key, const char *once)
{
	struct room_user_params p = {.user_id = slice_str(user_id)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.target, sizeof(about.target), p.user_id);
	send_op(w, c, method, room, &p, &about);
}

void send_deck(struct world *w, struct conn *c, int room, struct slices deck, bool with_key,
	       const char *once)
{
	struct room_set_valid_sizes_params p = {.valid_sizes = deck};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_deck_text(about.deck, deck);
	send_op(w, c, METHOD_ROOM_SET_VALID_SIZES, room, &p, &about);
}

void send_title(struct world *w, struct conn *c, int room, const char *title, bool with_key,
		const char *once)
{
	struct room_set_title_params p = {.title = slice_str(title), .with_title = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.text, sizeof(about.text), p.title);
	send_op(w, c, METHOD_ROOM_SET_TITLE, room, &p, &about);
}

void send_claim(struct world *w, struct conn *c, int room, const char *key)
{
	struct room_claim_host_params p = {.host_key = slice_str(key)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	about.shows_host_key = strcmp(key, w->rooms[room].host_key) == 0;
	about.expect = about.shows_host_key ? FAULT_NONE : FAULT_FORBIDDEN;
	send_op(w, c, METHOD_ROOM_CLAIM_HOST, room, &p, &about);
}
