/*
 * send.c - requests on their way out, and the note the oracle keeps of each.
 */
#include "tests/sim/sim.h"

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

#define SEND_ROOM_ID(p, w, room)                              \
	do {                                                  \
		(p).room_id = slice_str((w)->rooms[room].id); \
		(p).with_room_id = true;                      \
	} while (false)
#define SEND_ONCE(p, about, key)                                                       \
	do {                                                                           \
		(p).idempotency_key = slice_str(key);                                  \
		(p).with_idempotency_key = (key) != NULL;                              \
		if ((key) != NULL) {                                                   \
			view_text((about).once, sizeof((about).once), slice_str(key)); \
		}                                                                      \
	} while (false)
#define SEND_HOST_KEY(p, about, w, room, show)                       \
	do {                                                         \
		(p).host_key = slice_str((w)->rooms[room].host_key); \
		(p).with_host_key = (show) && (p).host_key.len > 0;  \
		(about).shows_host_key = (p).with_host_key;          \
	} while (false)

/* Half the time the key is shown again although the connection has shown it: both ways must do. */
static bool send_shows_key(struct world *w, struct conn *c, int room, struct slice *key)
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
	send_identity(w, c, room);
	p.user_key = slice_str(c->my_key[room]);
	p.with_user_key = p.user_key.len > 0;
	about.shows_user_key = p.with_user_key;
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
	p.role = spectator ? SLICE("spectator") : SLICE("voter");
	p.with_role = about.has_role = spectator || dice_percent(&w->dice, 50);
	view_text(about.text, sizeof(about.text), slice_str(clean));
	about.expect = clean == NULL ? FAULT_VALIDATION_ERROR : FAULT_NONE;
	send_op(w, c, METHOD_ROOM_JOIN, room, &p, &about);
}

void send_vote(struct world *w, struct conn *c, int room, const char *card, const char *once)
{
	struct room_vote_params p = {.with_vote = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	p.with_user_key = about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	if (card != NULL) {
		card = w->o.is_twin ? twin_card(card) : card;
		p.vote = slice_str(card);
		view_text(about.card, sizeof(about.card), p.vote);
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

/* ---- rounds, timers, stories ---- */

void send_policy(struct world *w, struct conn *c, int room, uint32_t which, bool flag,
		 bool with_key, const char *once)
{
	struct room_set_policy_params p = {0};
	struct op about = {0};
	struct slice who = flag ? SLICE("everyone") : SLICE("host");
	struct policy_change *change = &p.policy;
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	change->who_reveals = change->who_resets = change->who_edits_stories = who;
	change->auto_reveal = change->vote_after_reveal = change->bots_count = flag;
	change->with_who_reveals = which == 0;
	change->with_who_resets = which == 1;
	change->with_who_edits_stories = which == 2;
	change->with_auto_reveal = which == 3;
	change->with_vote_after_reveal = which == 4;
	change->with_bots_count = which == 5;
	send_op(w, c, METHOD_ROOM_SET_POLICY, room, &p, &about);
}

/* Those that say no more than who asks. */
void send_member(struct world *w, struct conn *c, enum method method, int room, bool with_key,
		 const char *once)
{
	struct room_member_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, method, room, &p, &about);
}

/* @token 0: whichever runs. */
void send_cancel(struct world *w, struct conn *c, int room, int64_t token, bool with_key,
		 const char *once)
{
	struct reveal_cancel_params p = {.token = token, .with_token = token != 0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	about.token = token;
	send_op(w, c, METHOD_REVEAL_CANCEL, room, &p, &about);
}

void send_arm(struct world *w, struct conn *c, int room, bool is_armed, bool with_key,
	      const char *once)
{
	struct reveal_arm_params p = {.is_armed = is_armed, .with_is_armed = true};
	struct op about = {.flag = is_armed};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_REVEAL_ARM, room, &p, &about);
}

void send_timer(struct world *w, struct conn *c, int room, int64_t seconds, bool reveals,
		bool with_key, const char *once)
{
	struct timer_start_params p = {.seconds = seconds,
				       .reveal_at_zero = reveals,
				       .with_reveal_at_zero = true};
	struct op about = {.flag = reveals};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_TIMER_START, room, &p, &about);
}

void send_nudge(struct world *w, struct conn *c, int room, const char *once)
{
	struct room_nudge_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	send_op(w, c, METHOD_ROOM_NUDGE, room, &p, &about);
}

void send_settle(struct world *w, struct conn *c, int room, const char *card, bool with_key,
		 const char *once)
{
	struct round_settle_params p = {.estimate = slice_str(card), .with_estimate = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	send_op(w, c, METHOD_ROUND_SETTLE, room, &p, &about);
}

void send_story_add(struct world *w, struct conn *c, int room, const char *title,
		    const char *before, const char *once)
{
	struct story_add_params p = {.title = slice_str(title),
				     .with_title = true,
				     .before = slice_str(before),
				     .with_before = before != NULL};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), p.title);
	view_text(about.target, sizeof(about.target), p.before);
	send_op(w, c, METHOD_STORY_ADD, room, &p, &about);
}

void send_story_update(struct world *w, struct conn *c, int room, const char *story_id,
		       const char *title, const char *once)
{
	struct story_update_params p = {.story_id = slice_str(story_id),
					.title = slice_str(title),
					.with_title = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), p.title);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_STORY_UPDATE, room, &p, &about);
}

void send_story_move(struct world *w, struct conn *c, int room, const char *story_id,
		     const char *to, bool behind, const char *once)
{
	struct story_move_params p = {.story_id = slice_str(story_id),
				      .before = slice_str(to),
				      .with_before = !behind,
				      .after = slice_str(to),
				      .with_after = behind};
	struct op about = {.flag = behind};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.story_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_STORY_MOVE, room, &p, &about);
}

/* story.remove, story.restore */
void send_story(struct world *w, struct conn *c, enum method method, int room, const char *story_id,
		const char *once)
{
	struct story_params p = {.story_id = slice_str(story_id)};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, method, room, &p, &about);
}

void send_select(struct world *w, struct conn *c, int room, const char *story_id, bool with_key,
		 const char *once)
{
	struct story_select_params p = {.story_id = slice_str(story_id), .with_story_id = true};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	SEND_HOST_KEY(p, about, w, room, with_key);
	view_text(about.target, sizeof(about.target), p.story_id);
	send_op(w, c, METHOD_STORY_SELECT, room, &p, &about);
}

/* ---- shared data ---- */

/* One map and one list are enough to disagree on. */
#define SEND_DATA(p, about, w, c, room, set)                       \
	do {                                                       \
		SEND_ROOM_ID(p, w, room);                          \
		(p).name = slice_str(set);                         \
		(p).with_user_key = (about).shows_user_key =       \
			send_shows_key(w, c, room, &(p).user_key); \
	} while (false)

/* A value that no other has, as MessagePack. */
static struct slice send_value(struct world *w, struct op *about, char out[9])
{
	out[0] = (char)0xcf;
	dice_bytes(&w->dice, (unsigned char *)out + 1, 8);
	about->value = sim_hash(SIM_HASH_START, out, 9);
	return slice_of(out, 9);
}

/* create and delete */
void send_data(struct world *w, struct conn *c, enum method method, int room, const char *set,
	       const char *once)
{
	struct data_params p = {0};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, set);
	SEND_ONCE(p, about, once);
	send_op(w, c, method, room, &p, &about);
}

/* @revision -1: whatever it is now. */
void send_map_set(struct world *w, struct conn *c, int room, const char *key, int64_t revision,
		  const char *once)
{
	char value[9];
	struct map_set_params p = {.key = slice_str(key)};
	struct op about = {.token = revision};
	SEND_DATA(p, about, w, c, room, "m");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	p.if_revision = revision;
	p.with_if_revision = revision >= 0;
	view_text(about.target, sizeof(about.target), p.key);
	send_op(w, c, METHOD_MAP_SET, room, &p, &about);
}

void send_map_remove(struct world *w, struct conn *c, int room, const char *key, const char *once)
{
	struct map_remove_params p = {.key = slice_str(key)};
	struct op about = {0};
	SEND_DATA(p, about, w, c, room, "m");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.key);
	send_op(w, c, METHOD_MAP_REMOVE, room, &p, &about);
}

/* @to NULL: at the end. */
void send_list_add(struct world *w, struct conn *c, int room, const char *to, bool behind,
		   const char *once)
{
	char value[9];
	struct op about = {.token = -1};
	if (to == NULL) {
		struct list_push_params p = {0};
		SEND_DATA(p, about, w, c, room, "l");
		SEND_ONCE(p, about, once);
		p.value = send_value(w, &about, value);
		send_op(w, c, METHOD_LIST_PUSH, room, &p, &about);
		return;
	}
	struct list_insert_params p = {.before = slice_str(to),
				       .with_before = !behind,
				       .after = slice_str(to),
				       .with_after = behind};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_LIST_INSERT, room, &p, &about);
}

void send_list_set(struct world *w, struct conn *c, int room, const char *entry, const char *once)
{
	char value[9];
	struct list_set_params p = {.entry_id = slice_str(entry)};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	p.value = send_value(w, &about, value);
	view_text(about.target, sizeof(about.target), p.entry_id);
	send_op(w, c, METHOD_LIST_SET, room, &p, &about);
}

void send_list_move(struct world *w, struct conn *c, int room, const char *entry, const char *to,
		    bool behind, const char *once)
{
	struct list_move_params p = {.entry_id = slice_str(entry),
				     .before = slice_str(to),
				     .with_before = !behind,
				     .after = slice_str(to),
				     .with_after = behind};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.entry_id);
	view_text(about.other, sizeof(about.other), slice_str(to));
	send_op(w, c, METHOD_LIST_MOVE, room, &p, &about);
}

void send_list_remove(struct world *w, struct conn *c, int room, const char *entry,
		      const char *once)
{
	struct list_remove_params p = {.entry_id = slice_str(entry)};
	struct op about = {.token = -1};
	SEND_DATA(p, about, w, c, room, "l");
	SEND_ONCE(p, about, once);
	view_text(about.target, sizeof(about.target), p.entry_id);
	send_op(w, c, METHOD_LIST_REMOVE, room, &p, &about);
}
