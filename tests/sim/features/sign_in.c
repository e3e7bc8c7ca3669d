/*
 * sign_in.c - what people do with sessions: they log in under few names, so
 * that they get into each other's way, come back with tokens that are good,
 * old or invented, ask who they are, and log out.
 *
 * Two thirds have a key, and a few sign with another's.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <string.h>

#include <sodium.h>

#include "proto/base/assert.h"
#include "proto/keys/fingerprint.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/signature.h"

struct desk_name {
	const char *raw;
	const char *clean; /* NULL: must be refused */
	const char *folded;
};
static const struct desk_name desk_names[] = {
	{"Ada", "Ada", "ada"},
	{"ADA", "ADA", "ada"},
	{" ada ", "ada", "ada"},
	{"Bob", "Bob", "bob"},
	{"\xef\xbc\xa2ob", "\xef\xbc\xa2ob", "bob"},
	{"Stra\xc3\x9f"
	 "e",
	 "Stra\xc3\x9f"
	 "e",
	 "strasse"},
	{"STRASSE", "STRASSE", "strasse"},
	{"tab\x1b[2J", NULL, ""},
};
#define DESK_NAMES (sizeof(desk_names) / sizeof(desk_names[0]))

static bool desk_has_key(int member)
{
	return member % 3 != 2;
}

struct desk_pair {
	char public_key[44];
	unsigned char secret[crypto_sign_SECRETKEYBYTES];
};

static void desk_base64(char *out, size_t cap, const unsigned char *bytes, size_t n)
{
	sodium_bin2base64(out, cap, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING);
}

static struct desk_pair desk_pair(int member)
{
	struct desk_pair k;
	unsigned char seed[crypto_sign_SEEDBYTES];
	unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
	memset(seed, member + 1, sizeof(seed));
	crypto_sign_seed_keypair(public_key, k.secret, seed);
	desk_base64(k.public_key, sizeof(k.public_key), public_key, sizeof(public_key));
	return k;
}

/* An old nonce: who received a signature once has nothing. */
#define DESK_YESTERDAYS "YesterdaysYesterdaysYesterdaysYesterdays-xx"

/* Before hello was answered there is no nonce: the text is then no login's. */
static void desk_sign_nonce(const struct desk_pair *k, const char *name, struct slice nonce,
			    char out[87])
{
	unsigned char signature[crypto_sign_BYTES];
	char text[LOGIN_TEXT_BYTES_MAX];
	size_t len = nonce.len == KEY_CHARS ? login_text(slice_str(name), nonce, text) : 0;
	crypto_sign_detached(signature, NULL, (const unsigned char *)text, len, k->secret);
	desk_base64(out, 87, signature, sizeof(signature));
}

static void desk_sign(struct world *w, const struct conn *c, const struct desk_pair *k,
		      const char *name, char out[87], bool *is_good)
{
	*is_good = dice_percent(&w->dice, 93);
	desk_sign_nonce(k, name, slice_str(*is_good ? c->nonce : DESK_YESTERDAYS), out);
}

/* As ssh-keygen names the member's ssh key; @is_good  false: cut short by a letter that none has. */
static void desk_fingerprint(int member, bool is_good, char out[FINGERPRINT_CHARS + 1])
{
	(void)snprintf(out, FINGERPRINT_CHARS + 1, FINGERPRINT_PREFIX "%042dA", member);
	out[FINGERPRINT_CHARS - 1] = is_good ? out[FINGERPRINT_CHARS - 1] : '!';
}

/* What only the kiosk may say; about.deck has the key, as it has of a login. */
static void send_assert(struct world *w, struct conn *c, const struct desk_name *name, bool is_good)
{
	char fingerprint[FINGERPRINT_CHARS + 1];
	struct op about = {.flag = true};
	desk_fingerprint(c->member, is_good, fingerprint);
	struct assert_params p = {.fingerprint = slice_str(fingerprint),
				  .user_name = slice_str(name->raw),
				  .with_user_name = true};
	about.expect = !net_is_kiosk(w, c)		 ? FAULT_FORBIDDEN
		       : !is_good || name->clean == NULL ? FAULT_VALIDATION_ERROR
							 : FAULT_NONE;
	view_text(about.text, sizeof(about.text), slice_str(name->clean));
	view_text(about.other, sizeof(about.other), slice_str(name->folded));
	view_text(about.deck, sizeof(about.deck), p.fingerprint);
	send_op(w, c, METHOD_SESSION_ASSERT, -1, &p, &about);
}

/*
 * @signature   "" without a key. Whoever has come by ssh has signed there.
 * @asks_group  with a key, for a first group.
 */
static void send_login(struct world *w, struct conn *c, const struct desk_name *name, bool has_key,
		       const char *signature, bool asks_group, enum fault_code expect,
		       const char *once)
{
	struct login_params p = {.user_name = slice_str(name->raw)};
	struct op about = {.flag = has_key, .expect = expect, .asks_group = has_key && asks_group};
	struct desk_pair k;
	if (has_key && net_is_kiosk(w, c)) {
		send_assert(w, c, name, expect != FAULT_UNAUTHENTICATED);
		return;
	}
	if (has_key) {
		k = desk_pair(c->member);
		p.public_key = slice_str(k.public_key);
		p.signature = slice_str(signature);
		view_text(about.deck, sizeof(about.deck), p.public_key);
		p.group_name = about.asks_group ? SLICE("First") : (struct slice){0};
	}
	SEND_ONCE(p, about, once);
	view_text(about.text, sizeof(about.text), slice_str(name->clean));
	view_text(about.other, sizeof(about.other), slice_str(name->folded));
	send_op(w, c, METHOD_SESSION_LOGIN, -1, &p, &about);
}

void send_login_as(struct world *w, struct conn *c, const char *name, bool has_key)
{
	const struct desk_name as = {name, name, name};
	const struct desk_pair k = desk_pair(c->member);
	char signature[87] = "";
	if (has_key) {
		desk_sign_nonce(&k, name, slice_str(c->nonce), signature);
	}
	send_login(w, c, &as, has_key, signature, false, FAULT_NONE, NULL);
}

static void desk_login(struct world *w, struct conn *c, int room)
{
	char signature[87] = "";
	char once[40];
	bool is_good = true;
	const struct desk_name *name = &desk_names[dice_below(&w->dice, DESK_NAMES)];
	bool has_key = desk_has_key(c->member) && dice_percent(&w->dice, 85);
	(void)room;
	if (has_key) {
		struct desk_pair k = desk_pair(c->member);
		desk_sign(w, c, &k, name->raw, signature, &is_good);
		bool is_signed = dice_percent(&w->dice, 98);
		signature[0] = is_signed ? signature[0] : '\0';
		is_good = is_good && is_signed;
	}
	send_login(w, c, name, has_key, signature, dice_percent(&w->dice, 50),
		   name->clean == NULL ? FAULT_VALIDATION_ERROR
		   : is_good	       ? FAULT_NONE
				       : FAULT_UNAUTHENTICATED,
		   act_once(w, once));
}

/* Who comes by no kiosk says it all the same. */
static void desk_assert(struct world *w, struct conn *c, int room)
{
	(void)room;
	send_assert(w, c, &desk_names[dice_below(&w->dice, DESK_NAMES)],
		    dice_percent(&w->dice, 90));
}

static void send_token(struct world *w, struct conn *c, const char *token, enum fault_code expect)
{
	struct resume_params p = {.token = slice_str(token)};
	struct op about = {.expect = expect};
	view_text(about.user_key, sizeof(about.user_key), p.token);
	send_op(w, c, METHOD_SESSION_RESUME, -1, &p, &about);
}

static void desk_logout(struct world *w, struct conn *c, int room)
{
	char once[40];
	struct op about = {0};
	struct logout_params p = {0};
	const char *key = act_once(w, once);
	SEND_ONCE(p, about, key);
	send_op(w, c, METHOD_SESSION_LOGOUT, room, &p, &about);
}

/*
 * The call whose answer was lost, or that could not be done, once more with the
 * same key. A signature is good on one connection only: there is another by now.
 */
static void desk_repeat(struct world *w, struct conn *c, int room)
{
	struct member *m = &w->members[c->member];
	const struct op *first = m->retry == 0 ? NULL : &w->ops[m->retry - 1];
	if (first == NULL || !op_is_of_directory(first)) {
		return;
	}
	size_t index = m->retry - 1;
	m->retry = 0;
	if (first->jumps_before != w->jumps) {
		return; /* the key may be older than a day */
	}
	if (first->method != METHOD_SESSION_LOGIN || !first->flag) {
		send_again(w, c, index);
		return;
	}
	struct login_params p;
	struct fault fault;
	char signature[87];
	bool is_good = true;
	struct op about = {.flag = true, .is_again = true, .asks_group = first->asks_group};
	struct desk_pair k = desk_pair(c->member);
	enum err e = record_from_bytes(&record_login_params, buf_slice(&first->sent), RECORD_STRICT,
				       &w->arena, &p, &fault);
	ASSERT_CMP(e, ==, OK);
	char name[4 * MAX_NAME_BYTES + 1];
	view_text(name, sizeof(name), p.user_name);
	desk_sign(w, c, &k, name, signature, &is_good);
	p.signature = slice_str(signature);
	p.with_signature = true;
	memcpy(about.once, first->once, sizeof(about.once));
	memcpy(about.text, first->text, sizeof(about.text));
	memcpy(about.other, first->other, sizeof(about.other));
	memcpy(about.deck, first->deck, sizeof(about.deck));
	about.expect = first->expect == FAULT_VALIDATION_ERROR ? first->expect
		       : is_good			       ? FAULT_NONE
							       : FAULT_UNAUTHENTICATED;
	send_op(w, c, METHOD_SESSION_LOGIN, room, &p, &about);
	w->figures.repeats++;
}

static void desk_resume(struct world *w, struct conn *c, int room)
{
	static const char *const invented[] = {"x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"};
	const struct member *m = &w->members[c->member];
	enum fault_code expect = FAULT_NONE;
	const char *token = m->token;
	if (token[0] == '\0' || dice_percent(&w->dice, 5)) {
		token = invented[dice_below(&w->dice, 2)];
		expect = FAULT_UNAUTHENTICATED;
	} else if (m->old_token[0] != '\0' && dice_percent(&w->dice, 15)) {
		token = m->old_token;
	}
	(void)room;
	send_token(w, c, token, expect);
}

static void desk_whoami(struct world *w, struct conn *c, int room)
{
	send_plain(w, c, METHOD_SESSION_WHOAMI, room);
}

/* As many calls as that, each when the one before is answered: one of them comes just when the session is written back. */
static void send_calls(struct world *w, struct conn *c, uint64_t n)
{
	struct op about = {.value = n};
	struct room_params p = {0};
	if (n > 0) {
		send_op(w, c, METHOD_SESSION_WHOAMI, -1, &p, &about);
	}
}

static void desk_watch(struct world *w, struct conn *c, int room)
{
	send_plain(w, c, METHOD_SESSION_WATCH, room);
}

static void desk_unwatch(struct world *w, struct conn *c, int room)
{
	send_plain(w, c, METHOD_SESSION_UNWATCH, room);
}

static void desk_ping(struct world *w, struct conn *c, int room)
{
	send_plain(w, c, METHOD_SERVER_PING, room);
}

/* ---- the client ---- */

/*
 * When all is calm a few watch, each under a name of its own, and some unwatch at once; as soon as one watches, its user
 * logs in on another connection, takes a seat, gives it up or leaves it to be rung, and logs out.
 */
static void desk_open(struct world *w, int member, bool is_brief)
{
	struct conn *c = net_open(w, member);
	if (c != NULL) {
		c->is_desk = true;
		c->is_brief = is_brief;
		send_hello(w, c);
	}
}

/* In the first room that takes it. */
static void desk_sits_down(struct world *w, struct conn *c)
{
	for (int room = 0; room < (int)w->rooms_n; room++) {
		const struct sim_room *r = &w->rooms[room];
		if (r->is_public && r->mem->in_memory && !r->is_deleted &&
		    !r->mem->now.policy.locked) {
			send_subscribe(w, c, room, false);
			return;
		}
	}
}

static void desk_goes_on(struct world *w, struct conn *c, const struct op *op)
{
	enum method heard = sessions_begins(op->method) ? METHOD_SESSION_LOGIN : op->method;
	char text[32];
	char signature[87] = "";
	bool is_good = true;
	struct desk_name name = {text, text, text};
	snprintf(text, sizeof(text), "member %d%s", c->member, c->is_brief ? " too" : "");
	if (heard == METHOD_SESSION_HELLO && desk_has_key(c->member)) {
		struct desk_pair k = desk_pair(c->member);
		desk_sign(w, c, &k, text, signature, &is_good);
		send_login(w, c, &name, true, signature, true,
			   is_good ? FAULT_NONE : FAULT_UNAUTHENTICATED, NULL);
	} else if (heard == METHOD_SESSION_WHOAMI && op->value > 0) {
		send_calls(w, c, op->value - 1);
	} else if (heard == METHOD_SESSION_LOGIN && c->is_brief) {
		desk_sits_down(w, c);
	} else if (heard == METHOD_ROOM_SUBSCRIBE && c->is_brief && dice_percent(&w->dice, 50)) {
		send_join(w, c, op->room, text, text, false, false, NULL);
	} else if (heard == METHOD_ROOM_JOIN && c->is_brief) {
		send_unsubscribe(w, c, op->room);
	} else if ((heard == METHOD_ROOM_SUBSCRIBE || heard == METHOD_ROOM_UNSUBSCRIBE) &&
		   c->is_brief) {
		struct op about = {0};
		struct logout_params p = {0};
		int room = op->room; /* where op is moves with what is sent */
		if (heard == METHOD_ROOM_UNSUBSCRIBE) {
			send_nudge_by_another(w, c, room);
		} else if (dice_percent(&w->dice, 50)) {
			send_seat(w, c, METHOD_ROOM_DELETE_USER, room, NULL);
		}
		send_op(w, c, METHOD_SESSION_LOGOUT, -1, &p, &about);
	} else if (heard == METHOD_SESSION_LOGIN && !c->has_gone_on) {
		/* Once, however many logins waited: each would found a team and ask everybody into it. */
		c->has_gone_on = true;
		send_plain(w, c, METHOD_SESSION_WATCH, -1);
	} else if (heard == METHOD_SESSION_WATCH && !c->is_brief) {
		if (dice_percent(&w->dice, 25)) {
			send_plain(w, c, METHOD_SESSION_UNWATCH, -1);
		} else if (dice_percent(&w->dice, 25)) {
			send_calls(w, c, 60);
		}
		desk_open(w, c->member, true);
	}
}

static void desk_heard(struct world *w, struct conn *c, const struct op *op,
		       const union method_result *result)
{
	struct member *m = &w->members[c->member];
	if (op->method == METHOD_SESSION_LOGIN) {
		memcpy(m->old_token, m->token, sizeof(m->old_token));
		view_text(m->token, sizeof(m->token), result->SESSION_LOGIN.token);
	}
	if (w->is_calm && !w->is_night && c->is_desk && !c->is_broken) {
		desk_goes_on(w, c, op);
	}
}

static void desk_comes_back(struct world *w, struct conn *c)
{
	if (!w->is_night) {
		if (c->member < 3) {
			desk_open(w, c->member, false);
		}
	} else if (w->members[c->member].token[0] != '\0') {
		send_token(w, c, w->members[c->member].token, FAULT_NONE);
	}
}

static const struct act desk_acts[] = {
	{30, desk_login, false}, {20, desk_resume, false}, {12, desk_whoami, false},
	{8, desk_watch, false},	 {4, desk_unwatch, false}, {10, desk_logout, false},
	{20, desk_ping, false},	 {20, desk_repeat, false}, {3, desk_assert, false},
};

const struct feature feature_sign_in = {
	.name = "sign-in",
	FEATURE_ROWS(desk_acts, desk_acts),
	.is_in_clusters = true,
	.heard = desk_heard,
	.comes_back = desk_comes_back,
};
