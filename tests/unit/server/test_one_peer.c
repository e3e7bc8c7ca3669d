/*
 * test_one_peer.c - how much one peer may do under many names: a user of the unix socket, who reaches it as whoever they
 * like to be called, and an address whose users bring new keys.
 */
#include "tests/unit/server/desk.h"

#define TRIES 3000

/* A connection of the same user of the unix socket, or from the same address. */
static struct rig_peer *come(struct rig *r, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *p = rig_connect_as(r, "eve", kind, host, false);
	rig_hello(p);
	return p;
}

static bool is_over(const char *outcome)
{
	if (strcmp(outcome, "ok") != 0) {
		assert_string_equal(outcome, "RATE_LIMITED");
		return true;
	}
	return false;
}

static size_t rooms_made(struct rig *r, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *p = come(r, kind, host);
	size_t n = 0;
	while (n < TRIES && !is_over(rig_code(p, "room.create", RIG_NONE))) {
		n++;
	}
	return n;
}

static size_t logins_made(struct rig *r, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *p = come(r, kind, host);
	size_t n = 0;
	while (n < 200 &&
	       !is_over(rig_code(p, "session.login", "'user_name':'eve %d %zu'", host, n))) {
		n++;
	}
	return n;
}

/* Seats of one room, each on a connection of its own. */
static size_t seats_taken(struct rig *r, enum peer_kind kind, unsigned char host)
{
	for (size_t n = 0; n < TRIES; n++) {
		struct rig_peer *p = come(r, kind, host);
		if (is_over(rig_code(p, "room.subscribe", "'room_id':'%s'", r->room_id))) {
			return n;
		}
		rig_cut(p);
	}
	return TRIES;
}

/* A login with a key on a new connection from that address. */
static struct rig_peer *come_with(struct rig *r, unsigned char host, const char *name,
				  unsigned char key, const char **outcome)
{
	struct pair pair = make_pair(key);
	struct rig_peer *p = rig_connect_as(r, "eve", PEER_NETWORK, host, false);
	*outcome = rig_outcome(p, send_signed(p, name, &pair));
	return p;
}

/* Each of another guest, who may each ask as many. */
static size_t questions_asked(struct rig *r, enum peer_kind kind, unsigned char host)
{
	struct rig_peer *p = come(r, kind, host);
	size_t n = 0;
	for (; n < 200; n++) {
		if (n % 20 == 0) {
			rig_advance(r, MINUTE_MS);
			rig_must(p, "session.login", "'user_name':'asker %d %zu'", host, n);
		}
		if (is_over(rig_code(p, "question.ask",
				     "'prompt':'Shall we ship it?','type':'text'"))) {
			break;
		}
	}
	return n;
}

DESK_TEST(test_a_user_of_the_unix_socket_is_bounded_as_an_address_is, d)
{
	static const struct {
		enum peer_kind kind;
		unsigned char host;
	} peers[] = {{PEER_UNIX, 7}, {PEER_LOOPBACK, 1}, {PEER_NETWORK, 9}};
	rig_limit_peers(&d->r);
	both_greet(d);
	rig_found(&d->r, d->ada, "");
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(rooms_made(&d->r, peers[i].kind, peers[i].host),
				 MAX_ROOM_CREATES_PER_MINUTE);
		assert_int_equal(logins_made(&d->r, peers[i].kind, peers[i].host),
				 MAX_LOGINS_PER_MINUTE);
		assert_in_range(questions_asked(&d->r, peers[i].kind, peers[i].host),
				MAX_QUESTIONS_PER_HOUR, MAX_QUESTIONS_PER_HOUR + 10);
		assert_int_equal(seats_taken(&d->r, peers[i].kind, peers[i].host),
				 MAX_SEATS_PER_MINUTE);
	}
	/* Another user of it has theirs, and the server's own is not counted. */
	assert_string_equal(rig_code(come(&d->r, PEER_UNIX, 8), "room.create", RIG_NONE), "ok");
	struct rig_peer *own = rig_connect_as(&d->r, "own", PEER_UNIX, 7, true);
	rig_hello(own);
	for (size_t i = 0; i < 2 * MAX_ROOM_CREATES_PER_MINUTE; i++) {
		rig_must(own, "room.create", RIG_NONE);
	}
}

DESK_TEST(test_new_keys_from_one_address_are_so_many_an_hour, d)
{
	const char *outcome;
	char name[16];
	size_t n = 0;
	for (; n < 100; n++) {
		(void)snprintf(name, sizeof(name), "eve %zu", n);
		(void)come_with(&d->r, 9, name, (unsigned char)(n + 1), &outcome);
		if (is_over(outcome)) {
			break;
		}
	}
	assert_int_equal(n, MAX_NEW_USERS_PER_HOUR);
	/* One that is known already comes in; and so does a new one, elsewhere or later. */
	(void)come_with(&d->r, 9, "eve 0", 1, &outcome);
	assert_string_equal(outcome, "ok");
	(void)come_with(&d->r, 8, "fay", 200, &outcome);
	assert_string_equal(outcome, "ok");
	rig_advance(&d->r, 2 * MINUTE_MS);
	(void)come_with(&d->r, 9, "gus", 201, &outcome);
	assert_string_equal(outcome, "ok");
}

static int few_users(void **state)
{
	struct desk *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_ADDRESS_USERS] = 3;
	d->r.config.limits[LIMIT_ANSWERS_PER_MINUTE] = 2;
	rig_start(&d->r);
	d->ada = rig_connect(&d->r, "ada");
	d->bob = rig_connect(&d->r, "bob");
	return 0;
}

/* Each answers once: who comes with one key after the other gives no more than so many people do. */
TEST_IN(test_users_with_keys_count_together_for_their_address, struct desk, d, few_users,
	scene_clear)
{
	char id[32], name[16];
	size_t answers = 0;
	both_greet(d);
	(void)login(d->ada, "ada");
	rig_field(rig_must(d->ada, "question.ask",
			   "'prompt':'Shall we ship it?','type':'multiple_choice',"
			   "'options':['yes','no'],'min_responses':50"),
		  "question_id", id, sizeof(id));
	for (unsigned char i = 1; i <= 20; i++) {
		const char *outcome;
		(void)snprintf(name, sizeof(name), "eve %d", i);
		struct rig_peer *p = come_with(&d->r, 9, name, i, &outcome);
		assert_string_equal(outcome, "ok");
		answers += !is_over(rig_code(p, "question.answer",
					     "'question_id':'%s','selected_option':0", id));
	}
	assert_int_equal(answers, 6);
	const char *outcome;
	struct rig_peer *other = come_with(&d->r, 10, "other", 100, &outcome);
	assert_string_equal(outcome, "ok");
	assert_string_equal(rig_code(other, "question.answer",
				     "'question_id':'%s','selected_option':0", id),
			    "ok");
}
