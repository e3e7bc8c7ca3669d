/*
 * own_requests.c - many requests at once that change the same thing: a real server does all of them, and refuses
 * none because of the others.
 */
#include <signal.h>
#include <string.h>

#include <sodium.h>

#include "proto/base/format.h"
#include "proto/base/limits.h"
#include "proto/keys/key_hash.h"
#include "proto/keys/signature.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define AT_ONCE	 MAX_REQUESTS_PENDING
#define ASKERS	 10
#define PEOPLE	 60
#define ID_BYTES 32
#define ASK_TEXT "\"prompt\":\"What would you name it?\",\"type\":\"text\""

static void start(struct net_server *s)
{
	net_start(s, (const char *const[]){"--limit", "questions_per_hour=100000", "--limit",
					   "answers_per_hour=100000", "--limit",
					   "answers_per_minute=100000", "--limit",
					   "groups_per_hour=100000", NULL});
}

static void come_in(struct net_server *s, struct net_peer *p, const char *name)
{
	char params[64];
	net_peer_open(p, net_connect(s));
	net_hello(p);
	(void)format_to(params, sizeof(params), "{\"user_name\":\"%s\"}", name);
	(void)net_must(p, "session.login", params);
}

static void base64(char *out, size_t size, const unsigned char *bytes, size_t n)
{
	assert_non_null(
		sodium_bin2base64(out, size, bytes, n, sodium_base64_VARIANT_URLSAFE_NO_PADDING));
}

/* With a key. */
static void come_in_for_good(struct net_server *s, struct net_peer *p, const char *name)
{
	unsigned char public_key[crypto_sign_PUBLICKEYBYTES];
	unsigned char secret[crypto_sign_SECRETKEYBYTES];
	unsigned char signature[crypto_sign_BYTES];
	char key[KEY_CHARS + 1], signed_text[SIGNATURE_CHARS + 1], nonce[KEY_CHARS + 1];
	char text[LOGIN_TEXT_BYTES_MAX], params[512];
	net_peer_open(p, net_connect(s));
	net_field(net_must(p, "session.hello", "{\"protocol\":1,\"client\":\"t\"}"), "nonce", nonce,
		  sizeof(nonce));
	assert_int_equal(crypto_sign_keypair(public_key, secret), 0);
	size_t len = login_text(slice_str(name), slice_str(nonce), text);
	assert_int_equal(crypto_sign_detached(signature, NULL, (const unsigned char *)text, len,
					      secret),
			 0);
	base64(key, sizeof(key), public_key, sizeof(public_key));
	base64(signed_text, sizeof(signed_text), signature, sizeof(signature));
	(void)format_to(params, sizeof(params),
			"{\"user_name\":\"%s\",\"public_key\":\"%s\",\"signature\":\"%s\"}", name,
			key, signed_text);
	(void)net_must(p, "session.login", params);
}

/* The next answer, whatever it answers, which must be a result; notifications are passed over. */
static const char *next_result(struct net_peer *p)
{
	const char *json;
	do {
		json = net_message(p);
		assert_non_null(json);
	} while (strncmp(json, "[1,", 3) != 0);
	if (strncmp(strchr(json + 3, ','), ",null,", 6) != 0) {
		fail_msg("refused: %s", json);
	}
	return json;
}

/* ASK_TEXT asked n times at once; the ids in whatever order they are answered. */
static void ask(struct net_peer *p, size_t n, const char *more, char ids[][ID_BYTES])
{
	char params[256];
	(void)format_to(params, sizeof(params), "{%s%s}", ASK_TEXT, more);
	for (size_t i = 0; i < n; i++) {
		(void)net_request(p, "question.ask", params);
	}
	for (size_t i = 0; i < n; i++) {
		net_field(next_result(p), "question_id", ids[i], ID_BYTES);
	}
}

static void send_answer(struct net_peer *p, const char *question_id)
{
	char params[128];
	(void)format_to(params, sizeof(params),
			"{\"question_id\":\"%s\",\"answer\":\"Call it Ada.\",\"confidence\":3}",
			question_id);
	(void)net_request(p, "question.answer", params);
}

NET_TEST_OVER_STORES(questions_that_one_login_asks_at_once_are_all_asked, s)
{
	struct net_peer ada;
	static char ids[AT_ONCE][ID_BYTES];
	start(s);
	come_in(s, &ada, "Ada");
	ask(&ada, AT_ONCE, "", ids);
	net_peer_close(&ada);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST_OVER_STORES(answers_that_one_login_gives_at_once_are_all_counted, s)
{
	struct net_peer ada, grace;
	static char ids[AT_ONCE][ID_BYTES];
	char answers[32];
	start(s);
	come_in(s, &ada, "Ada");
	come_in(s, &grace, "Grace");
	ask(&ada, AT_ONCE, "", ids);
	for (size_t i = 0; i < AT_ONCE; i++) {
		send_answer(&grace, ids[i]);
	}
	for (size_t i = 0; i < AT_ONCE; i++) {
		(void)next_result(&grace);
	}
	(void)format_to(answers, sizeof(answers), "\"total_answers\":%d", AT_ONCE);
	assert_non_null(strstr(net_must(&grace, "stats.get", "{}"), answers));
	net_peer_close(&ada);
	net_peer_close(&grace);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST_OVER_STORES(groups_that_one_login_makes_at_once_are_all_made, s)
{
	struct net_peer ada;
	start(s);
	come_in_for_good(s, &ada, "Ada");
	for (size_t i = 0; i < AT_ONCE; i++) {
		(void)net_request(&ada, "group.create",
				  "{\"group_name\":\"Payments\",\"container_name\":\"Backlog\"}");
	}
	for (size_t i = 0; i < AT_ONCE; i++) {
		(void)next_result(&ada);
	}
	net_peer_close(&ada);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/* Each of the people closes another question; six of them are one asker's. */
NET_TEST_OVER_STORES(answers_that_close_an_askers_questions_at_once_all_do, s)
{
	struct net_peer askers[ASKERS], people[PEOPLE];
	static char ids[PEOPLE][ID_BYTES];
	char name[16];
	start(s);
	for (size_t i = 0; i < ASKERS; i++) {
		(void)format_to(name, sizeof(name), "asker %zu", i);
		come_in(s, &askers[i], name);
		ask(&askers[i], PEOPLE / ASKERS, ",\"min_responses\":1",
		    &ids[i * (PEOPLE / ASKERS)]);
	}
	for (size_t i = 0; i < PEOPLE; i++) {
		(void)format_to(name, sizeof(name), "person %zu", i);
		come_in(s, &people[i], name);
	}
	for (size_t i = 0; i < PEOPLE; i++) {
		send_answer(&people[i], ids[i]);
	}
	for (size_t i = 0; i < PEOPLE; i++) {
		(void)next_result(&people[i]);
		net_peer_close(&people[i]);
	}
	/* None is open: as many as one may have can be asked. */
	static char more[MAX_QUESTIONS_OPEN][ID_BYTES];
	for (size_t i = 0; i < ASKERS; i++) {
		ask(&askers[i], MAX_QUESTIONS_OPEN / 2, "", more);
		ask(&askers[i], MAX_QUESTIONS_OPEN / 2, "", more);
		net_peer_close(&askers[i]);
	}
	assert_int_equal(net_end(s, SIGTERM), 0);
}
