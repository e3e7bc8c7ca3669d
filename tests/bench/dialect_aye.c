/*
 * dialect_aye.c - MessagePack-RPC as ayed speaks it.
 *
 * Written with the product's own records; read by a walker that looks only at
 * what is counted, because the load generator must be faster than the server.
 * Setting up is what a client does: hello, subscribe and join in one write, and
 * three answers. A vote alternates between two cards, so each one changes
 * the room, and all of them raise its version by one.
 */
#include <string.h>

#include "proto/base/format.h"
#include "proto/keys/key_hash.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "tests/bench/dialect.h"

/* Message numbers: votes have their seq, the rest what lies above. */
#define STEP_MSGID 0x80000000U
#define MAKE_MSGID 0xc0000000U

/* ---- what is said ---- */

static void aye_request(uint32_t msgid, enum method m, const void *params, struct buf *out)
{
	rpc_write_request(out, msgid, slice_str(method_rows[m].name), method_rows[m].params,
			  params);
}

static void aye_hello(const struct speaker *who, struct buf *out)
{
	struct hello_params p = {.protocol = PROTOCOL_VERSION,
				 .client = SLICE("bench"),
				 .room_id = slice_str(who->room_name)};
	aye_request(STEP_MSGID, METHOD_SESSION_HELLO, &p, out);
}

/* A client that does not wait brings the key of its new seat. */
static void aye_subscribe(const struct speaker *who, struct buf *out)
{
	char key[KEY_CHARS + 1];
	struct room_subscribe_params p = {.room_id = slice_str(who->room_name),
					  .with_user_key = true};
	p.user_key =
		slice_of(key, format_to(key, sizeof(key), "%021u%021uA", who->room, who->member));
	aye_request(STEP_MSGID + 1, METHOD_ROOM_SUBSCRIBE, &p, out);
}

static void aye_join(const struct speaker *who, struct buf *out)
{
	char name[ROOM_NAME_BYTES];
	struct room_join_params p = {.room_id = slice_str(who->room_name), .with_username = true};
	p.username = slice_of(name, format_to(name, sizeof(name), "Member %u", who->member));
	aye_request(STEP_MSGID + 2, METHOD_ROOM_JOIN, &p, out);
}

static bool aye_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	bool is_member = who->room_name[0] != '\0';
	if (step == 0) {
		aye_hello(who, out);
	}
	if (step == 0 && is_member) {
		aye_subscribe(who, out);
		aye_join(who, out);
	}
	return step < (is_member ? 3 : 1);
}

/* It reveals only when it is asked to: publishers that vote alone, or all at once, would have its cards turned over. */
static void aye_make(uint32_t room, struct buf *out)
{
	struct room_create_params p = {.deck = SLICE("fibonacci"), .with_deck = true};
	aye_request(MAKE_MSGID + room, METHOD_ROOM_CREATE, &p, out);
}

static void aye_vote(const struct speaker *who, uint64_t seq, struct buf *out)
{
	struct room_vote_params p = {.room_id = slice_str(who->room_name),
				     .vote = seq % 2 == 0 ? SLICE("5") : SLICE("8")};
	aye_request((uint32_t)seq, METHOD_ROOM_VOTE, &p, out);
}

/* ---- what comes ---- */

/* A place in MessagePack bytes; at NULL once they ended too early or are none. */
struct walk {
	const unsigned char *at;
	const unsigned char *end;
	bool is_bad;
};

enum walk_type { WALK_NIL, WALK_INT, WALK_TEXT, WALK_ARRAY, WALK_MAP, WALK_OTHER };

struct walk_value {
	enum walk_type type;
	uint64_t number; /* of WALK_INT; entries of arrays and maps; 1 for true */
	struct slice text;
};

static uint64_t walk_number(struct walk *w, size_t bytes)
{
	uint64_t number = 0;
	if (w->at == NULL || (size_t)(w->end - w->at) < bytes) {
		w->at = NULL;
		return 0;
	}
	for (size_t i = 0; i < bytes; i++) {
		number = number << 8 | *w->at++;
	}
	return number;
}

static struct walk_value walk_text(struct walk *w, enum walk_type type, uint64_t len)
{
	if (w->at == NULL || (uint64_t)(w->end - w->at) < len) {
		w->at = NULL;
		return (struct walk_value){0};
	}
	struct walk_value v = {.type = type, .text = slice_of(w->at, (size_t)len)};
	w->at += len;
	return v;
}

static struct walk_value walk_wide(struct walk *w, unsigned char head)
{
	switch (head) {
	case 0xc0:
		return (struct walk_value){.type = WALK_NIL};
	case 0xc2:
	case 0xc3:
		return (struct walk_value){.type = WALK_OTHER, .number = head & 1U};
	case 0xc4:
	case 0xc5:
	case 0xc6:
		return walk_text(w, WALK_OTHER, walk_number(w, (size_t)1 << (head - 0xc4)));
	case 0xca:
		return walk_text(w, WALK_OTHER, 4);
	case 0xcb:
		return walk_text(w, WALK_OTHER, 8);
	case 0xcc:
	case 0xcd:
	case 0xce:
	case 0xcf:
		return (struct walk_value){WALK_INT,
					   walk_number(w, (size_t)1 << (head - 0xcc)),
					   {0}};
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3: /* negative ones are not told from others: nothing that is counted is negative */
		return (struct walk_value){WALK_INT,
					   walk_number(w, (size_t)1 << (head - 0xd0)),
					   {0}};
	case 0xd9:
	case 0xda:
	case 0xdb:
		return walk_text(w, WALK_TEXT, walk_number(w, (size_t)1 << (head - 0xd9)));
	case 0xdc:
	case 0xdd:
		return (struct walk_value){WALK_ARRAY, walk_number(w, head == 0xdc ? 2 : 4), {0}};
	case 0xde:
	case 0xdf:
		return (struct walk_value){WALK_MAP, walk_number(w, head == 0xde ? 2 : 4), {0}};
	default:
		w->is_bad = true;
		w->at = NULL;
		return (struct walk_value){0};
	}
}

/* The next value; of an array or a map, only its head. */
static struct walk_value walk_next(struct walk *w)
{
	unsigned char head = (unsigned char)walk_number(w, 1);
	if (w->at == NULL) {
		return (struct walk_value){0};
	}
	if (head < 0x80 || head >= 0xe0) {
		return (struct walk_value){.type = WALK_INT, .number = head};
	}
	if (head < 0x90) {
		return (struct walk_value){.type = WALK_MAP, .number = head & 15U};
	}
	if (head < 0xa0) {
		return (struct walk_value){.type = WALK_ARRAY, .number = head & 15U};
	}
	if (head < 0xc0) {
		return walk_text(w, WALK_TEXT, head & 31U);
	}
	return walk_wide(w, head);
}

/* Past one whole value. */
static void walk_past(struct walk *w)
{
	for (uint64_t left = 1; left > 0 && w->at != NULL; left--) {
		struct walk_value v = walk_next(w);
		left += v.type == WALK_ARRAY ? v.number : v.type == WALK_MAP ? 2 * v.number : 0;
	}
}

static bool walk_is(struct walk_value v, enum walk_type type)
{
	return v.type == type;
}

/* The map of an update, or of an answer: what is counted, and past the rest. */
static void aye_read_map(struct walk *w, struct incoming *out)
{
	struct walk_value map = walk_next(w);
	w->is_bad |= w->at != NULL && !walk_is(map, WALK_MAP);
	for (uint64_t i = 0; i < map.number && w->at != NULL && !w->is_bad; i++) {
		struct slice key = walk_next(w).text;
		if (slice_eq(key, SLICE("version"))) {
			out->version = (int64_t)walk_next(w).number;
		} else if (slice_eq(key, SLICE("since"))) {
			out->since = (int64_t)walk_next(w).number;
		} else if (slice_eq(key, SLICE("full"))) {
			out->is_full = walk_next(w).number != 0;
		} else if (slice_eq(key, SLICE("room_id"))) {
			out->text = walk_next(w).text;
		} else {
			walk_past(w);
		}
	}
}

static void aye_read_response(struct walk *w, struct incoming *out)
{
	uint32_t msgid = (uint32_t)walk_next(w).number;
	const unsigned char *error = w->at;
	struct walk_value head = walk_next(w);
	if (w->at != NULL && !walk_is(head, WALK_NIL)) {
		w->at = error;
		walk_past(w);
		out->kind = INCOMING_REFUSED;
		out->text = slice_of(error, w->at == NULL ? 0 : (size_t)(w->at - error));
		walk_past(w);
		return;
	}
	aye_read_map(w, out);
	out->kind = msgid >= MAKE_MSGID	  ? INCOMING_ROOM
		    : msgid >= STEP_MSGID ? INCOMING_STEP
					  : INCOMING_ANSWER;
	out->seq = msgid;
}

static void aye_read_notice(struct walk *w, struct incoming *out)
{
	struct slice method = walk_next(w).text;
	struct walk_value params = walk_next(w);
	w->is_bad |= w->at != NULL && (!walk_is(params, WALK_ARRAY) || params.number != 1);
	if (slice_eq(method, SLICE("room.update"))) {
		aye_read_map(w, out);
		out->kind = INCOMING_VERSION;
	} else {
		walk_past(w);
		bool is_closing = slice_eq(method, SLICE("server.closing"));
		out->kind = is_closing ? INCOMING_REFUSED : INCOMING_OTHER;
		out->text = method;
	}
}

static size_t aye_split(struct slice in, struct incoming *out)
{
	const unsigned char *begin = (const unsigned char *)in.data;
	struct walk w = {.at = begin, .end = begin + in.len};
	struct walk_value array = walk_next(&w);
	uint64_t type = walk_next(&w).number;
	if (w.at != NULL && !walk_is(array, WALK_ARRAY)) {
		return DIALECT_BAD;
	}
	if (type == RPC_RESPONSE && array.number == 4) {
		aye_read_response(&w, out);
	} else if (type == RPC_NOTICE && array.number == 3) {
		aye_read_notice(&w, out);
	} else if (w.at != NULL) {
		return DIALECT_BAD;
	}
	if (w.is_bad) {
		return DIALECT_BAD;
	}
	return w.at == NULL ? 0 : (size_t)(w.at - begin);
}

const struct dialect dialect_aye = {
	.name = "aye",
	.counts_versions = true,
	.greet = aye_greet,
	.make = aye_make,
	.vote = aye_vote,
	.split = aye_split,
};
