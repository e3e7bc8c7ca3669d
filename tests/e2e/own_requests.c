/*
 * own_requests.c - many requests at once that change the same thing: a real server does all of them, and refuses
 * none because of the others.
 */
#include <signal.h>
#include <string.h>

#include "proto/base/format.h"
#include "proto/base/limits.h"
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
	net_peer_open(p, net_connect(s));
	(void)net_login(p, name);
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
	net_peer_open(&ada, net_connect(s));
	(void)net_login_with_key(&ada, "Ada");
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
