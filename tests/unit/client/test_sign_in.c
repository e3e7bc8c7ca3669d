/*
 * test_sign_in.c - being the same user on every connection: what is said to the
 * server, what is kept of it, and what becomes of both when memory is short.
 */
#include <string.h>
#include <sys/stat.h>

#include "client/cli/reach/login.h"
#include "client/state/state_login.h"
#include "proto/rpc.h"
#include "proto/text/text.h"
#include "proto/text/utf8.h"
#include "tests/unit/client/state_home.h"

#define SERVER "unix:/run/ayed/ayed.sock"
#define TOKEN  "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define NONCE  "B4bB2ZkUqNxHveJ59cJ56-GzTn_LQ3R5yEw1cXo7Fds"
#define TOKEN2 "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"

/* ---- what is said ---- */

struct person {
	struct sign_in s;
	bool has_key;
	unsigned kept; /* how often */
	char kept_token[KEY_CHARS + 1];
	char team[SIGN_IN_TEAM_BYTES]; /* asked for with the last login */
};

static bool person_signs(void *owner, struct slice text, char public_key[KEY_CHARS + 1],
			 char signature[SIGNATURE_CHARS + 1])
{
	const struct person *p = owner;
	char wanted[LOGIN_TEXT_BYTES_MAX];
	(void)snprintf(wanted, sizeof(wanted), "aye-login-1\n%s\n" NONCE "\n", p->s.user_name);
	assert_true(slice_eq(text, slice_str(wanted)));
	memset(public_key, 'P', KEY_CHARS);
	public_key[KEY_CHARS] = '\0';
	memset(signature, 'S', SIGNATURE_CHARS);
	signature[SIGNATURE_CHARS] = '\0';
	return p->has_key;
}

static void person_keeps(void *owner, const struct sign_in *s)
{
	struct person *p = owner;
	p->kept++;
	memcpy(p->kept_token, s->token, sizeof(p->kept_token));
}

static const struct sign_in_handler handler = {.sign = person_signs, .keep = person_keeps};

static struct person person(const char *name, const char *token, bool is_guest)
{
	struct person p = {.has_key = true};
	(void)snprintf(p.s.user_name, sizeof(p.s.user_name), "%s", name);
	(void)snprintf(p.s.token, sizeof(p.s.token), "%s", token);
	p.s.is_guest = is_guest;
	p.s.on = &handler;
	return p;
}

static enum method next(struct person *p)
{
	struct buf params = {.max = 4096};
	p->s.owner = p;
	enum method method = sign_in_next(&p->s, SLICE(NONCE), &params);
	assert_int_equal(params.error, OK);
	assert_int_equal(params.len > 0, method != METHOD_COUNT);
	if (method == METHOD_SESSION_LOGIN) {
		struct arena arena = {0};
		struct login_params asked;
		struct fault fault;
		assert_int_equal(record_from_bytes(&record_login_params, buf_slice(&params),
						   RECORD_STRICT, &arena, &asked, &fault),
				 OK);
		(void)snprintf(p->team, sizeof(p->team), "%.*s", (int)asked.group_name.len,
			       asked.group_name.len == 0 ? "" : asked.group_name.data);
		arena_finish(&arena);
	}
	buf_finish(&params);
	return method;
}

/* The server's answer, as it would have come. */
static void answer(struct person *p, enum method method, struct buf *frame)
{
	struct decoder d = {0};
	struct rpc_message m;
	bool answerable;
	assert_int_equal(rpc_decode(&d, buf_slice(frame), &m, &answerable), OK);
	sign_in_answer(&p->s, method, m.error, m.result);
	decoder_finish(&d);
	buf_finish(frame);
}

static void refuse(struct person *p, enum method method, enum fault_code code)
{
	struct buf b = {.max = 4096};
	struct fault f = {0};
	fault_set(&f, code, "no");
	rpc_write_fault(&b, 1, &f);
	answer(p, method, &b);
}

static void grant(struct person *p, enum method method)
{
	struct buf b = {.max = 4096};
	if (method != METHOD_SESSION_LOGIN) {
		struct session_result r = {.user_id = SLICE("U1"),
					   .user_name = SLICE("Ada"),
					   .expires_at = 7};
		rpc_write_result(&b, 1, &record_session_result, &r);
	} else {
		struct login_result r = {.token = SLICE(TOKEN2),
					 .user_id = SLICE("U1"),
					 .user_name = SLICE("Ada"),
					 .expires_at = 7};
		rpc_write_result(&b, 1, &record_login_result, &r);
	}
	answer(p, method, &b);
}

TEST(test_a_token_is_resumed_before_anything_else)
{
	struct person p = person("Ada", TOKEN, false);
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_RESUME);
	grant(&p, METHOD_SESSION_RESUME);
	assert_true(p.s.is_signed_in);
	assert_string_equal(p.s.user_id, "U1");
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_int_equal(p.kept, 0); /* it is the one that was kept */
}

TEST(test_a_lapsed_session_is_begun_anew_with_the_key)
{
	struct person p = person("Ada", TOKEN, false);
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_RESUME);
	refuse(&p, METHOD_SESSION_RESUME, FAULT_UNAUTHENTICATED);
	assert_string_equal(p.kept_token, "");
	assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
	grant(&p, METHOD_SESSION_LOGIN);
	assert_true(p.s.is_signed_in);
	assert_string_equal(p.kept_token, TOKEN2);
}

TEST(test_who_came_over_ssh_is_their_key_each_time_and_signs_nothing)
{
	struct person p = person("", TOKEN, false);
	memset(p.s.fingerprint, 'F', FINGERPRINT_CHARS);
	for (int i = 0; i < 2; i++) {
		sign_in_begin(&p.s);
		assert_false(sign_in_needs_nonce(&p.s));
		assert_int_equal(next(&p), METHOD_SESSION_ASSERT);
		grant(&p, METHOD_SESSION_ASSERT);
		assert_true(p.s.is_signed_in);
		assert_string_equal(p.s.user_name, "Ada");
		assert_int_equal(next(&p), METHOD_COUNT);
	}
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_ASSERT);
	refuse(&p, METHOD_SESSION_ASSERT, FAULT_NAME_TAKEN);
	assert_false(p.s.is_signed_in);
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_int_equal(p.kept, 0);
}

/* A login that is wanted for its own sake has a team; those that renew a session ask for none. */
TEST(test_a_first_team_is_asked_for_by_name)
{
	static const struct {
		const char *name, *team;
		bool is_guest;
	} rows[] = {
		{"Ada", "Ada's team", false},
		{" Ada  Lovelace ", "Ada Lovelace's team", false},
		{"a\x1b[2Jb", "", false}, /* the server says what is wrong with the name */
		{"Ada", "", true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct person p = person(rows[i].name, "", rows[i].is_guest);
		p.s.is_wanted = p.s.wants_team = true;
		sign_in_begin(&p.s);
		assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
		assert_string_equal(p.team, rows[i].team);
		grant(&p, METHOD_SESSION_LOGIN);
		assert_false(p.s.has_new_team);
	}
	struct person p = person("Ada", "", false);
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
	assert_string_equal(p.team, "");
}

TEST(test_a_server_that_cannot_now_costs_no_token)
{
	struct person p = person("Ada", TOKEN, false);
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_RESUME);
	refuse(&p, METHOD_SESSION_RESUME, FAULT_UNAVAILABLE);
	assert_false(p.s.is_signed_in);
	assert_string_equal(p.s.token, TOKEN);
	assert_int_equal(p.kept, 0);
	assert_int_equal(next(&p), METHOD_COUNT);
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_RESUME);
}

TEST(test_a_lapsed_guest_is_a_stranger)
{
	struct person p = person("Ada", TOKEN, true);
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_RESUME);
	refuse(&p, METHOD_SESSION_RESUME, FAULT_UNAUTHENTICATED);
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_false(p.s.is_signed_in);
}

TEST(test_a_guest_who_asks_for_it_logs_in_without_a_key)
{
	struct person p = person("Ada", "", true);
	p.has_key = false;
	p.s.is_wanted = true;
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
	grant(&p, METHOD_SESSION_LOGIN);
	assert_string_equal(p.kept_token, TOKEN2);
}

/* The session in the way may be its own that was being prolonged: the key asks twice. */
TEST(test_who_may_not_sign_in_asks_twice_and_is_a_stranger)
{
	struct person p = person("Ada", "", false);
	sign_in_begin(&p.s);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
		refuse(&p, METHOD_SESSION_LOGIN, FAULT_NAME_TAKEN);
	}
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_false(p.s.is_signed_in);
	assert_int_equal(p.s.fault.code, FAULT_NAME_TAKEN);
}

/* Who numbers names has the first free one; nine of one name are a refusal. */
TEST(test_a_name_that_is_taken_gets_the_next_number)
{
	struct person p = person("Ada", "", false);
	p.s.is_numbered = true;
	sign_in_begin(&p.s);
	for (int number = 0; number <= 9; number++) {
		char wanted[] = "Ada 0";
		wanted[number < 2 ? 3 : 4] = (char)(number < 2 ? '\0' : '0' + number);
		assert_string_equal(p.s.user_name, wanted);
		assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
		refuse(&p, METHOD_SESSION_LOGIN, FAULT_NAME_TAKEN);
	}
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_int_equal(p.s.fault.code, FAULT_NAME_TAKEN);
}

/* Only a name that is somebody else's gets one. */
TEST(test_another_refusal_numbers_no_name)
{
	struct person p = person("Ada", "", false);
	p.s.is_numbered = true;
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
	refuse(&p, METHOD_SESSION_LOGIN, FAULT_UNAVAILABLE);
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_string_equal(p.s.user_name, "Ada");
}

/* MAX_NAME_CELLS and MAX_NAME_BYTES hold with the number, and no character is cut in two. */
TEST(test_a_long_name_makes_room_for_its_number)
{
	static const char *const one[] = {"a", "\xe4\xb8\x96"};
	for (size_t i = 0; i < 2; i++) {
		char name[MAX_NAME_BYTES + 1] = "";
		while (text_cells(slice_str(name)) < MAX_NAME_CELLS &&
		       strlen(name) + strlen(one[i]) <= MAX_NAME_BYTES) {
			strcat(name, one[i]);
		}
		struct person p = person(name, "", false);
		p.s.is_numbered = true;
		sign_in_begin(&p.s);
		for (size_t tries = 0; tries < 2; tries++) {
			assert_int_equal(next(&p), METHOD_SESSION_LOGIN);
			refuse(&p, METHOD_SESSION_LOGIN, FAULT_NAME_TAKEN);
		}
		size_t len = strlen(p.s.user_name);
		assert_true(text_cells(slice_str(p.s.user_name)) <= MAX_NAME_CELLS);
		assert_true(len <= MAX_NAME_BYTES && utf8_is_valid(slice_str(p.s.user_name)));
		assert_string_equal(p.s.user_name + len - 2, " 2");
	}
}

TEST(test_a_number_is_no_part_of_a_name_that_is_numbered)
{
	struct person p = person("Ada 2", "", false);
	assert_false(sign_in_is_named(&p.s, "Ada"));
	assert_true(sign_in_is_named(&p.s, "Ada 2"));
	p.s.is_numbered = true;
	assert_true(sign_in_is_named(&p.s, "Ada"));
	assert_true(sign_in_is_named(&p.s, "Ada 2"));
	assert_true(sign_in_is_named(&p.s, " Ada ")); /* as the server cleans names */
	assert_false(sign_in_is_named(&p.s, "Ad"));
	assert_false(sign_in_is_named(&p.s, "Ada 3"));
}

TEST(test_without_a_key_nothing_is_signed)
{
	struct person p = person("Ada", "", false);
	p.has_key = false;
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_false(p.s.is_signed_in);
}

/* A server that asks for something else to be signed has nothing of it, and the person is told. */
TEST(test_what_is_no_nonce_is_not_signed)
{
	static const char *const asked[] = {"",
					    "the nonce",
					    NONCE "A",
					    "B4bB2ZkUqNxHveJ59cJ56-GzTn_LQ3R5yEw1cXo7Fd\n",
					    "B4bB2ZkUqNxHveJ59cJ56+GzTn/LQ3R5yEw1cXo7Fds",
					    "B4bB2ZkUqNxHveJ59cJ56-GzTn_LQ3R5yEw1cXo7Fd="};
	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		struct person p = person("Ada", "", false);
		struct buf params = {.max = 4096};
		p.s.owner = &p;
		sign_in_begin(&p.s);
		assert_int_equal(sign_in_next(&p.s, slice_str(asked[i]), &params), METHOD_COUNT);
		assert_int_equal(params.len, 0);
		assert_false(p.s.is_signed_in);
		assert_int_equal(p.s.fault.code, FAULT_SERVER_ERROR);
		assert_non_null(strstr(p.s.fault.message, "nonce"));
		buf_finish(&params);
	}
}

TEST(test_an_answer_that_is_none_ends_it)
{
	struct person p = person("Ada", TOKEN, false);
	sign_in_begin(&p.s);
	assert_int_equal(next(&p), METHOD_SESSION_RESUME);
	sign_in_answer(&p.s, METHOD_SESSION_RESUME, NULL, NULL);
	assert_int_equal(p.s.fault.code, FAULT_SERVER_ERROR);
	assert_int_equal(next(&p), METHOD_COUNT);
	assert_string_equal(p.s.token, TOKEN);
}

/* ---- what is kept ---- */

static struct state_login login_of(const struct home *h, const char *server)
{
	struct state_login l;
	struct errmsg why = {""};
	assert_int_equal(state_get_login(&h->state, server, NULL, &l, &why), OK);
	return l;
}

static void keep(struct home *h, const char *name, const char *token)
{
	struct state_login l = {.is_guest = false};
	(void)snprintf(l.user_name, sizeof(l.user_name), "%s", name);
	(void)snprintf(l.token, sizeof(l.token), "%s", token);
	assert_int_equal(state_keep_login(&h->state, SERVER, NULL, &l, &h->why), OK);
}

HOME_TEST(test_a_name_beside_the_person_has_a_session_of_its_own, h)
{
	char public_key[2][KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	char text[LOGIN_TEXT_BYTES_MAX];
	keep(h, "Ada", TOKEN);
	struct sign_in *s = login_beside(SERVER, "agent");
	struct slice agent = slice_of(text, login_text(SLICE("agent"), SLICE(NONCE), text));
	assert_string_equal(s->user_name, "agent");
	assert_string_equal(s->token, "");
	assert_true(s->on->sign(s->owner, agent, public_key[0], signature));
	(void)snprintf(s->token, sizeof(s->token), "%s", TOKEN2);
	s->on->keep(s->owner, s);
	assert_string_equal(login_beside(SERVER, "agent")->token, TOKEN2);
	assert_string_equal(login_beside(SERVER, "other")->token, "");
	assert_string_equal(login_beside("tcp:other:2937", "agent")->token, "");
	s = login_stored(SERVER);
	assert_string_equal(s->user_name, "Ada");
	assert_string_equal(s->token, TOKEN);
	assert_true(s->on->sign(s->owner, agent, public_key[1], signature));
	assert_string_not_equal(public_key[0], public_key[1]);
}

HOME_TEST(test_who_asks_without_a_login_has_the_persons_key_and_no_login, h)
{
	char public_key[2][KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	char text[LOGIN_TEXT_BYTES_MAX];
	struct slice said = slice_of(text, login_text(SLICE("Ada"), SLICE(NONCE), text));
	(void)h;
	assert_null(login_asker(SERVER, NULL));
	struct sign_in *s = login_asker(SERVER, "Ada");
	assert_string_equal(s->user_name, "Ada");
	assert_true(s->on->sign(s->owner, said, public_key[0], signature));
	(void)snprintf(s->token, sizeof(s->token), "%s", TOKEN);
	s->on->keep(s->owner, s);
	assert_null(login_stored(SERVER));
	assert_null(login_asker("tcp:other:2937", NULL));
	/* Another name makes no other user. */
	s = login_asker(SERVER, "Grace");
	assert_string_equal(s->user_name, "Ada");
	assert_string_equal(s->token, TOKEN);
	s = login_fresh(SERVER, "Ada", false, NULL);
	assert_true(s->on->sign(s->owner, said, public_key[1], signature));
	assert_string_equal(public_key[0], public_key[1]);
}

HOME_TEST(test_whoever_logs_in_asks_as_that_user, h)
{
	struct state_login left;
	struct sign_in *s = login_asker(SERVER, "Ada");
	(void)snprintf(s->token, sizeof(s->token), "%s", TOKEN);
	s->on->keep(s->owner, s);
	s = login_fresh(SERVER, "Grace", false, NULL);
	(void)snprintf(s->token, sizeof(s->token), "%s", TOKEN2);
	s->on->keep(s->owner, s);
	s = login_asker(SERVER, "Ada");
	assert_string_equal(s->user_name, "Grace");
	assert_string_equal(s->token, TOKEN2);
	assert_int_equal(state_get_login(&h->state, SERVER, STATE_LOGIN_ASKER, &left, &h->why), OK);
	assert_string_equal(left.user_name, "");
}

HOME_TEST(test_a_logout_forgets_who_asked_without_a_login, h)
{
	struct sign_in *s = login_asker(SERVER, "Ada");
	(void)h;
	(void)snprintf(s->token, sizeof(s->token), "%s", TOKEN);
	s->on->keep(s->owner, s);
	assert_non_null(login_asker(SERVER, NULL));
	login_forget(SERVER);
	assert_null(login_asker(SERVER, NULL));
}

HOME_TEST(test_a_login_is_kept_for_its_server_alone, h)
{
	assert_string_equal(login_of(h, SERVER).user_name, "");
	keep(h, "Ada", TOKEN);
	assert_string_equal(login_of(h, SERVER).user_name, "Ada");
	assert_string_equal(login_of(h, SERVER).token, TOKEN);
	assert_string_equal(login_of(h, "tcp:other:2937").user_name, "");
	assert_int_equal(state_forget_login(&h->state, SERVER, NULL, &h->why), OK);
	assert_string_equal(login_of(h, SERVER).user_name, "");
	assert_int_equal(state_forget_login(&h->state, SERVER, NULL, &h->why), OK);
}
