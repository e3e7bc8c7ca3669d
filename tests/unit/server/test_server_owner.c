/*
 * test_server_owner.c - what the server's owner takes off the board, and whom they bar.
 */
#include "tests/unit/server/desk.h"

#define TEXT   "'prompt':'What would you name it?','type':'text'"
#define CHOICE "'prompt':'Shall we ship it?','type':'multiple_choice','options':['yes','no']"

struct board {
	struct desk d;
	struct rig *r;
	struct rig_peer *owner, *ada, *bob;
	struct session ada_is, bob_is;
	char id[32]; /* of the question that was asked last */
};

/* ada and bob have keys: 1 and 2. */
static int board_open(void **state)
{
	struct board *b = scene_init(state, sizeof(*b));
	const struct pair ada = make_pair(1), bob = make_pair(2);
	b->r = &b->d.r;
	rig_start(b->r);
	b->owner = rig_connect_as(b->r, "owner", PEER_UNIX, 0, true);
	rig_hello(b->owner);
	b->ada = rig_connect(b->r, "ada");
	b->bob = rig_connect(b->r, "bob");
	b->ada_is = login_signed(b->ada, "Ada", &ada);
	b->bob_is = login_signed(b->bob, "Bob", &bob);
	return 0;
}

#define BOARD_TEST(name, b) TEST_IN(name, struct board, b, board_open, scene_clear)

/* For five answers unless params say how many. */
static void ask(struct board *b, const char *params)
{
	const char *need = says(params, "min_responses") ? "" : ",'min_responses':5";
	rig_field(rig_must(b->ada, "question.ask", "%s%s", params, need), "question_id", b->id,
		  sizeof(b->id));
}

/* Bob's answer, whose response_id is returned. */
static const char *answer(struct board *b, const char *params)
{
	static char id[65];
	rig_field(rig_must(b->bob, "question.answer", "'question_id':'%s',%s", b->id, params),
		  "response_id", id, sizeof(id));
	return id;
}

static const char *view(struct board *b, struct rig_peer *p)
{
	return rig_must(p, "question.get", "'question_id':'%s'", b->id);
}

/* promise: owner-only */
BOARD_TEST(test_nobody_but_the_owner_may, b)
{
	static const char *const methods[][2] = {
		{"server.questions", "'limit':1"},
		{"server.answers", "'question_id':'q_2222222222'"},
		{"server.remove", "'question_id':'q_2222222222'"},
		{"server.bar", "'user_id':'K7QX3M'"},
		{"server.unbar", "'bar_id':'b_2222222222222222'"},
		{"server.barred", "'limit':1"},
	};
	struct rig_peer *other = rig_connect_as(b->r, "other", PEER_UNIX, 9, false);
	rig_hello(other);
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		assert_string_equal(rig_code(b->ada, methods[i][0], "%s", methods[i][1]),
				    "FORBIDDEN");
		assert_string_equal(rig_code(other, methods[i][0], "%s", methods[i][1]),
				    "FORBIDDEN");
		assert_string_not_equal(rig_code(b->owner, methods[i][0], "%s", methods[i][1]),
					"FORBIDDEN");
	}
}

/* Of any status, the newest first; anonymous ones with their asker. */
BOARD_TEST(test_the_owner_sees_all_questions, b)
{
	ask(b, CHOICE ",'min_responses':1");
	(void)answer(b, "'selected_option':0");
	rig_advance(b->r, 1000);
	ask(b, TEXT ",'anonymous':true");
	rig_must(b->ada, "question.cancel", "'question_id':'%s'", b->id);
	rig_advance(b->r, 1000);
	ask(b, TEXT);
	const char *all = rig_must(b->owner, "server.questions", RIG_NONE);
	const char *open = strstr(all, "'status':'OPEN'");
	const char *cancelled = strstr(all, "'status':'CANCELLED'");
	const char *closed = strstr(all, "'status':'CLOSED'");
	assert_true(open != NULL && cancelled != NULL && closed != NULL);
	assert_true(open < cancelled && cancelled < closed);
	assert_true(says(cancelled, b->ada_is.user_id));
	assert_false(says(all, "cursor"));
}

BOARD_TEST(test_pages_of_the_board_show_each_question_once, b)
{
	enum { ASKED = 45 };
	bool seen[ASKED] = {false};
	char cursor[160] = "";
	size_t n = 0;
	for (int i = 0; i < ASKED; i++) {
		char params[160];
		(void)snprintf(params, sizeof(params),
			       "'prompt':'Question number %03d','type':'text'", i);
		rig_advance(b->r, i % 2 * 1000);
		ask(b, params);
		if (i % 3 == 0) {
			rig_must(b->ada, "question.cancel", "'question_id':'%s'", b->id);
		}
	}
	do {
		const char *page = rig_must(b->owner, "server.questions", "'limit':7%s", cursor);
		for (const char *at = page; (at = strstr(at, "number ")) != NULL;) {
			at += strlen("number ");
			assert_false(seen[atoi(at)]);
			seen[atoi(at)] = true;
			n++;
		}
		char value[129] = "";
		if (says(page, "'cursor'")) {
			rig_field(page, "cursor", value, sizeof(value));
		}
		(void)snprintf(cursor, sizeof(cursor), value[0] == '\0' ? "%s" : ",'cursor':'%s'",
			       value);
	} while (cursor[0] != '\0');
	assert_int_equal(n, ASKED);
}

/* A cursor is its list's; and the owner's is no user's. */
BOARD_TEST(test_a_cursor_of_another_list_is_refused, b)
{
	char cursor[129];
	ask(b, TEXT);
	rig_advance(b->r, 1000);
	ask(b, TEXT);
	rig_field(rig_must(b->owner, "server.questions", "'limit':1"), "cursor", cursor,
		  sizeof(cursor));
	assert_string_equal(rig_code(b->owner, "server.questions", "'flagged':true,'cursor':'%s'",
				     cursor),
			    "VALIDATION_ERROR cursor");
	assert_string_equal(rig_code(b->ada, "question.mine", "'cursor':'%s'", cursor),
			    "VALIDATION_ERROR cursor");
}

BOARD_TEST(test_flagged_answers_are_found_and_removed, b)
{
	ask(b, TEXT);
	ask(b, CHOICE);
	assert_false(says(rig_must(b->owner, "server.questions", "'flagged':true"), "prompt"));
	(void)view(b, b->bob); /* and no time to think */
	const char *response = answer(b, "'selected_option':1,'comment':'first!'");
	const char *flagged = rig_must(b->owner, "server.questions", "'flagged':true");
	assert_true(says(flagged, b->id));
	assert_true(says(flagged, "'current_responses':1,'flagged_responses':1"));
	assert_false(says(flagged, "name it"));
	const char *answers = rig_must(b->owner, "server.answers", "'question_id':'%s'", b->id);
	assert_true(says(answers, response));
	assert_true(says(answers, "'selected_option':1"));
	assert_true(says(answers, "'option':'no','flagged':true"));
	assert_false(says(answers, b->bob_is.user_id));

	for (int i = 0; i < 2; i++) { /* a change is one answer still */
		rig_advance(b->r, 5 * SECOND_MS);
		(void)answer(b, "'selected_option':1");
		assert_true(says(rig_must(b->owner, "server.questions", "'flagged':true"),
				 "'current_responses':1,'flagged_responses':1"));
	}
	rig_must(b->owner, "server.remove", "'question_id':'%s','response_id':'%s'", b->id,
		 response);
	assert_string_equal(rig_code(b->owner, "server.remove",
				     "'question_id':'%s','response_id':'%s'", b->id, response),
			    "NOT_FOUND");
	const char *now = view(b, b->ada);
	assert_true(says(now, "'status':'OPEN'"));
	assert_true(says(now, "'current_responses':0,'responses_needed':5"));
	assert_false(says(now, "first!"));
	assert_false(says(rig_must(b->owner, "server.questions", "'flagged':true"), "prompt"));
	assert_string_equal(rig_code(b->bob, "question.answer",
				     "'question_id':'%s','selected_option':0", b->id),
			    "ok");
}

/* What has ended stays as it ended. */
BOARD_TEST(test_an_answer_goes_from_a_question_that_is_closed, b)
{
	ask(b, TEXT ",'min_responses':1");
	const char *response = answer(b, "'answer':'Rosebud'");
	rig_must(b->owner, "server.remove", "'question_id':'%s','response_id':'%s'", b->id,
		 response);
	const char *now = view(b, b->ada);
	assert_true(says(now, "'status':'CLOSED'"));
	assert_true(says(now, "'current_responses':0,'responses_needed':1"));
	assert_true(says(now, "'responses':[]"));
	assert_false(says(rig_must(b->bob, "answer.mine", RIG_NONE), "Rosebud"));
}

BOARD_TEST(test_subscribers_see_that_an_answer_went, b)
{
	ask(b, TEXT);
	const char *response = answer(b, "'answer':'Rosebud'");
	rig_must(b->ada, "question.watch", "'question_id':'%s'", b->id);
	rig_forget(b->ada);
	rig_must(b->owner, "server.remove", "'question_id':'%s','response_id':'%s'", b->id,
		 response);
	assert_true(says(rig_next(b->ada), "'current_responses':0"));
	rig_must(b->owner, "server.remove", "'question_id':'%s'", b->id);
	assert_true(says(rig_next(b->ada), "'reset':true"));
}

/* It counts no more among its asker's, and nothing of it is left in the table. */
BOARD_TEST(test_a_question_goes_with_its_answers, b)
{
	ask(b, TEXT);
	(void)answer(b, "'answer':'Rosebud'");
	rig_must(b->owner, "server.remove", "'question_id':'%s'", b->id);
	assert_string_equal(rig_code(b->ada, "question.get", "'question_id':'%s'", b->id),
			    "QUESTION_NOT_FOUND");
	assert_string_equal(rig_code(b->owner, "server.answers", "'question_id':'%s'", b->id),
			    "QUESTION_NOT_FOUND");
	assert_string_equal(rig_code(b->owner, "server.remove", "'question_id':'%s'", b->id),
			    "QUESTION_NOT_FOUND");
	assert_false(says(rig_must(b->ada, "question.mine", RIG_NONE), "prompt"));
	assert_false(says(rig_must(b->bob, "answer.mine", RIG_NONE), "Rosebud"));
	for (int i = 0; i < 3; i++) { /* of those that may be open */
		ask(b, TEXT);
		rig_must(b->owner, "server.remove", "'question_id':'%s'", b->id);
	}
	ask(b, TEXT);
	rig_must(b->ada, "question.cancel", "'question_id':'%s'", b->id);
}

BOARD_TEST(test_a_barred_user_is_out_and_stays_out, b)
{
	const struct pair ada = make_pair(1), bob = make_pair(2);
	char bar_id[65];
	ask(b, TEXT);
	assert_string_equal(rig_code(b->owner, "server.bar", "'user_id':'K7QX3M7HQ2MB4XNA'"),
			    "NOT_FOUND");
	const char *bar = rig_must(b->owner, "server.bar", "'user_id':'%s'", b->ada_is.user_id);
	rig_field(bar, "bar_id", bar_id, sizeof(bar_id));
	assert_false(is_logged_in(b->ada));
	assert_true(is_logged_in(b->bob));
	assert_string_equal(resume(b->ada, b->ada_is.token), "UNAUTHENTICATED");
	struct rig_peer *again = rig_connect(b->r, "again");
	assert_string_equal(rig_outcome(again, send_signed(again, "Ada", &ada)), "FORBIDDEN");
	rig_crash(b->r);
	again = rig_connect(b->r, "later");
	assert_string_equal(rig_outcome(again, send_signed(again, "Grace", &ada)), "FORBIDDEN");
	struct rig_peer *other = rig_connect(b->r, "bob");
	(void)login_signed(other, "Bob", &bob);

	b->owner = rig_connect_as(b->r, "owner", PEER_UNIX, 0, true);
	rig_hello(b->owner);
	const char *barred = rig_must(b->owner, "server.barred", RIG_NONE);
	assert_true(says(barred, bar_id) && says(barred, b->ada_is.user_id));
	assert_true(says(barred, "'user_name':'Ada'"));
	rig_must(b->owner, "server.unbar", "'bar_id':'%s'", bar_id);
	assert_string_equal(rig_code(b->owner, "server.unbar", "'bar_id':'%s'", bar_id),
			    "NOT_FOUND");
	assert_string_equal(rig_must(b->owner, "server.barred", RIG_NONE), "{'barred':[]}");
	again = rig_connect(b->r, "back");
	assert_string_equal(login_signed(again, "Ada", &ada).user_id, b->ada_is.user_id);
}

/* Nobody is named: neither in the bar nor in its answer; what they may do ends at once, and their session with its next use. */
BOARD_TEST(test_whoever_gave_an_answer_can_be_barred, b)
{
	const struct pair bob = make_pair(2);
	ask(b, TEXT);
	const char *response = answer(b, "'answer':'Rosebud'");
	assert_string_equal(rig_code(b->owner, "server.bar",
				     "'question_id':'%s','response_id':'r_2222222222'", b->id),
			    "NOT_FOUND");
	rig_must(b->owner, "server.bar", "'question_id':'%s','response_id':'%s'", b->id, response);
	const char *barred = rig_must(b->owner, "server.barred", RIG_NONE);
	assert_true(says(barred, response));
	assert_false(says(barred, b->bob_is.user_id) || says(barred, "Bob"));
	ask(b, TEXT);
	assert_string_equal(rig_code(b->bob, "question.answer", "'question_id':'%s','answer':'x'",
				     b->id),
			    "FORBIDDEN");
	assert_string_equal(rig_code(b->bob, "question.ask", TEXT), "FORBIDDEN");
	rig_advance(b->r, 2 * MINUTE_MS);
	(void)is_logged_in(b->bob); /* a use, which is written back */
	assert_false(is_logged_in(b->bob));
	struct rig_peer *again = rig_connect(b->r, "again");
	assert_string_equal(rig_outcome(again, send_signed(again, "Bob", &bob)), "FORBIDDEN");
	rig_must(b->owner, "server.bar", "'user_id':'%s'", b->bob_is.user_id);
	assert_true(says(rig_must(b->owner, "server.barred", RIG_NONE), b->bob_is.user_id));
}

BOARD_TEST(test_a_bar_is_of_a_user_or_of_an_answer, b)
{
	assert_string_equal(rig_code(b->owner, "server.bar", RIG_NONE),
			    "VALIDATION_ERROR response_id");
	assert_string_equal(rig_code(b->owner, "server.bar", "'question_id':'q_2222222222'"),
			    "VALIDATION_ERROR response_id");
	assert_string_equal(rig_code(b->owner, "server.bar",
				     "'user_id':'%s','question_id':'q_2222222222'",
				     b->ada_is.user_id),
			    "VALIDATION_ERROR user_id");
	assert_true(is_logged_in(b->ada));
}

/* A guest is another user with each login. */
BOARD_TEST(test_a_barred_guest_is_logged_out, b)
{
	struct rig_peer *cy = rig_connect(b->r, "cy");
	rig_hello(cy);
	struct session guest = login(cy, "cy");
	rig_must(b->owner, "server.bar", "'user_id':'%s'", guest.user_id);
	assert_false(is_logged_in(cy));
	(void)login(cy, "cy");
	assert_true(is_logged_in(cy));
}

BOARD_TEST(test_pages_of_the_barred_show_each_once, b)
{
	enum { BARRED = 5 };
	char cursor[160] = "";
	size_t n = 0;
	for (int i = 0; i < BARRED; i++) {
		struct rig_peer *p = rig_connect(b->r, "guest");
		char name[24];
		rig_hello(p);
		(void)snprintf(name, sizeof(name), "guest %d", i);
		rig_must(b->owner, "server.bar", "'user_id':'%s'", login(p, name).user_id);
	}
	do {
		const char *page = rig_must(b->owner, "server.barred", "'limit':2%s", cursor);
		char value[129] = "";
		for (const char *at = page; (at = strstr(at, "'bar_id'")) != NULL; at++) {
			n++;
		}
		if (says(page, "'cursor'")) {
			rig_field(page, "cursor", value, sizeof(value));
		}
		(void)snprintf(cursor, sizeof(cursor), value[0] == '\0' ? "%s" : ",'cursor':'%s'",
			       value);
	} while (cursor[0] != '\0');
	assert_int_equal(n, BARRED);
}
