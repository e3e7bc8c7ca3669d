/*
 * test_verb_ask.c - aye ask --wait and aye question watch against a server that loses answers,
 * forgets its subscribers, says odd things, and ends a question in every way.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#include "client/state/state_login.h"

#define ASK "ask|Ship it today?|-o|yes|-o|no|--need|3|--wait"
#define VIEW(status, more)                                                                  \
	"{\"question_id\":\"q_K7QX3M7HQ2\",\"status\":\"" status "\",\"prompt\":\"Ship it " \
	"today?\",\"type\":\"multiple_choice\",\"options\":[\"yes\",\"no\"],"               \
	"\"audience\":[\"general\"],\"required_responses\":3,\"current_responses\":3,"      \
	"\"responses_needed\":0,\"created_at\":1,\"expires_at\":9000000000000" more "}"
#define VOTES(yes, no) \
	",\"summary\":[{\"option\":\"yes\",\"votes\":" yes "},{\"option\":\"no\",\"votes\":" no "}]"
#define ASKED                                                                                    \
	"{\"question_id\":\"q_K7QX3M7HQ2\",\"status\":\"OPEN\",\"created_at\":1,\"expires_at\":" \
	"9000000000000,\"required_responses\":3,\"people\":4}"
#define WATCHED(status)	  "{\"version\":7,\"question\":" VIEW(status, "") "}"
#define GOT(status, more) "{\"question\":" VIEW(status, more) "}"

static struct scripted_rule rule_of(const char *method, unsigned times, enum scripted_act act,
				    const char *json)
{
	return (struct scripted_rule){.method = method, .times = times, .act = act, .json = json};
}

/* With a login, whose user asks. */
static void desk_open(struct verb_desk *d)
{
	const struct state_login ada = {.user_name = "Ada", .token = KEY};
	struct errmsg why = {""};
	verb_desk_open(d);
	assert_int_equal(state_keep_login(&d->state, d->server.address, NULL, &ada, &why), OK);
}

static void play(struct verb_desk *d, const struct scripted_rule *first, size_t first_n,
		 const char *watched, const char *got)
{
	struct scripted_rule rules[SCRIPTED_RULES_MAX];
	size_t n = 0;
	for (; n < first_n; n++) {
		rules[n] = first[n];
	}
	rules[n++] = rule_of("question.ask", 0, SCRIPTED_ANSWERS, ASKED);
	rules[n++] = rule_of("question.watch", 0, SCRIPTED_ANSWERS, watched);
	rules[n++] = rule_of("question.get", 0, SCRIPTED_ANSWERS, got);
	scripted_play(&d->server, rules, n);
}

static struct slice key_of(struct verb_desk *d, size_t nth)
{
	struct question_ask_params p;
	scripted_read(&d->server, scripted_find(&d->server, METHOD_QUESTION_ASK, nth), &p);
	assert_true(p.with_idempotency_key);
	return p.idempotency_key;
}

TEST(test_an_answer_that_is_lost_is_asked_for_with_the_same_key)
{
	const struct scripted_rule first[] = {
		rule_of("question.ask", 2, SCRIPTED_HANGS_UP, NULL),
		rule_of("question.watch", 1, SCRIPTED_HANGS_UP, NULL),
		rule_of("question.get", 1, SCRIPTED_HANGS_UP, NULL),
	};
	static struct verb_desk d;
	desk_open(&d);
	play(&d, first, 3, WATCHED("CLOSED"), GOT("CLOSED", VOTES("3", "0")));
	verb_ends(&d, ASK, EXIT_DONE);
	assert_int_equal(scripted_count(&d.server, METHOD_QUESTION_ASK), 3);
	assert_true(slice_eq(key_of(&d, 0), key_of(&d, 1)));
	assert_true(slice_eq(key_of(&d, 0), key_of(&d, 2)));
	assert_int_equal(scripted_count(&d.server, METHOD_QUESTION_WATCH), 3);
	assert_string_equal(d.out, "q_K7QX3M7HQ2\nclosed: 3 of 3 answered\n  3  yes\n  0  no\n");
	assert_string_equal(d.err, "");
	verb_desk_close(&d);
}

TEST(test_a_server_that_is_busy_is_asked_again)
{
	const struct scripted_rule first[] = {
		rule_of("question.ask", 1, SCRIPTED_REFUSES,
			"{\"code\":\"UNAVAILABLE\",\"message\":\"later\"}"),
		rule_of("question.watch", 1, SCRIPTED_REFUSES,
			"{\"code\":\"RATE_LIMITED\",\"message\":\"later\",\"retry_after_ms\":1}"),
	};
	static struct verb_desk d;
	desk_open(&d);
	play(&d, first, 2, WATCHED("CLOSED"), GOT("CLOSED", VOTES("3", "0")));
	verb_ends(&d, ASK, EXIT_DONE);
	assert_true(slice_eq(key_of(&d, 0), key_of(&d, 1)));
	verb_desk_close(&d);
}

TEST(test_each_end_has_its_exit_code)
{
	static const struct {
		const char *line, *watched, *got;
		int code;
	} rows[] = {
		{ASK, WATCHED("CLOSED"), GOT("CLOSED", VOTES("1", "2")), EXIT_DONE},
		{ASK "|--expect|no", WATCHED("CLOSED"), GOT("CLOSED", VOTES("1", "2")), EXIT_DONE},
		{ASK "|--expect|2", WATCHED("CLOSED"), GOT("CLOSED", VOTES("1", "2")), EXIT_DONE},
		{ASK "|--expect|yes", WATCHED("CLOSED"), GOT("CLOSED", VOTES("1", "2")), EXIT_NO},
		{ASK "|--expect|yes", WATCHED("CLOSED"), GOT("CLOSED", VOTES("2", "2")), EXIT_NO},
		{ASK "|--expect|yes", WATCHED("CLOSED"), GOT("CLOSED", ""), EXIT_NO},
		{ASK "|--expect|yes", WATCHED("EXPIRED"), GOT("EXPIRED", VOTES("2", "0")),
		 EXIT_TIMED_OUT},
		{ASK, WATCHED("CANCELLED"), GOT("CANCELLED", VOTES("2", "0")), EXIT_CANCELLED},
		{ASK "|--timeout|0.3", WATCHED("PARTIAL"), GOT("PARTIAL", ""), EXIT_TIMED_OUT},
		{"question|watch|q_K7QX3M7HQ2", WATCHED("CLOSED"), GOT("CLOSED", VOTES("1", "2")),
		 EXIT_DONE},
		{"question|watch|q_K7QX3M7HQ2|--expect|yes", WATCHED("CLOSED"),
		 GOT("CLOSED", VOTES("1", "2")), EXIT_NO},
		{"question|watch|q_K7QX3M7HQ2|--expect|maybe", WATCHED("PARTIAL"),
		 GOT("CLOSED", ""), EXIT_USAGE},
	};
	static struct verb_desk d;
	desk_open(&d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		play(&d, NULL, 0, rows[i].watched, rows[i].got);
		verb_ends(&d, rows[i].line, rows[i].code);
	}
	verb_desk_close(&d);
}

TEST(test_a_refusal_ends_it)
{
	const struct scripted_rule first[] = {
		rule_of("question.ask", 0, SCRIPTED_REFUSES,
			"{\"code\":\"RATE_LIMITED\",\"message\":\"too many "
			"questions\",\"retry_after_ms\":1}"),
	};
	const struct scripted_rule gone[] = {
		rule_of("question.watch", 0, SCRIPTED_REFUSES,
			"{\"code\":\"QUESTION_NOT_FOUND\",\"message\":\"no such question\"}"),
	};
	static struct verb_desk d;
	desk_open(&d);
	play(&d, first, 1, WATCHED("CLOSED"), GOT("CLOSED", ""));
	verb_ends(&d, ASK, EXIT_REFUSED);
	assert_string_equal(d.err, "aye: too many questions\n");
	play(&d, gone, 1, WATCHED("CLOSED"), GOT("CLOSED", ""));
	verb_ends(&d, ASK, EXIT_REFUSED);
	assert_string_equal(d.out, "q_K7QX3M7HQ2\n");
	verb_desk_close(&d);
}

/* What is missed makes it ask again; what is old, or another's, is passed over. */
TEST(test_updates_are_followed_to_the_end)
{
	static struct verb_desk d;
	struct question_update u;
	struct scripted_rule first[2];
	desk_open(&d);
	scripted_least(&d.server, &record_question_update, &u);
	u = (struct question_update){.version = 8,
				     .with_version = true,
				     .reset = true,
				     .with_reset = true};
	first[0] = rule_of("question.watch", 1, SCRIPTED_ANSWERS, WATCHED("PARTIAL"));
	first[0].notices[0] =
		(struct scripted_notice){"question.update",
					 scripted_bytes(&d.server, &record_question_update, &u)};
	play(&d, first, 1, WATCHED("CLOSED"), GOT("CLOSED", VOTES("3", "0")));
	verb_ends(&d, "question|watch|q_K7QX3M7HQ2", EXIT_DONE);
	assert_int_equal(scripted_count(&d.server, METHOD_QUESTION_WATCH), 2);

	u = (struct question_update){.since = 5,
				     .with_since = true,
				     .version = 7,
				     .with_version = true,
				     .with_question = true};
	scripted_least(&d.server, &record_question_view, &u.question);
	u.question.status = QUESTION_CANCELLED;
	first[0].notices[0].params = scripted_bytes(&d.server, &record_question_update, &u);
	u.version = 9;
	u.question.status = QUESTION_CLOSED;
	first[0].notices[1] =
		(struct scripted_notice){"question.update",
					 scripted_bytes(&d.server, &record_question_update, &u)};
	play(&d, first, 1, WATCHED("CLOSED"), GOT("CLOSED", VOTES("3", "0")));
	verb_ends(&d, "question|watch|q_K7QX3M7HQ2", EXIT_DONE);
	assert_int_equal(scripted_count(&d.server, METHOD_QUESTION_WATCH), 1);
	assert_int_equal(scripted_count(&d.server, METHOD_QUESTION_GET), 1);
	verb_desk_close(&d);
}

TEST(test_pages_are_fetched_to_the_last)
{
	const struct scripted_rule first[] = {
		rule_of("question.get", 1, SCRIPTED_ANSWERS,
			"{\"question\":" VIEW(
				"CLOSED",
				VOTES("2", "1") ",\"responses\":[{\"selected_option\":0,"
						"\"comment\":\"one\"}]") ",\"cursor\":\"c1\"}"),
	};
	static struct verb_desk d;
	desk_open(&d);
	play(&d, first, 1, WATCHED("CLOSED"),
	     GOT("CLOSED",
		 VOTES("2", "1") ",\"responses\":[{\"selected_option\":1,\"comment\":\"two\"}]"));
	verb_ends(&d, ASK, EXIT_DONE);
	assert_non_null(strstr(d.out, "yes: one\nno: two\n"));
	play(&d, first, 1, WATCHED("CLOSED"),
	     GOT("CLOSED", ",\"responses\":[{\"selected_option\":1}]"));
	verb_ends(&d, "question|show|q_K7QX3M7HQ2|--json", EXIT_DONE);
	assert_non_null(strstr(d.out, "\"responses\":[{\"selected_option\":0,\"comment\":\"one\"},{"
				      "\"selected_option\":1}]"));
	verb_desk_close(&d);
}

TEST(test_what_a_hostile_server_says_is_softened)
{
	static const char view[] = "{\"question_id\":\"q_\\u001b[2J\",\"status\":\"OPEN\","
				   "\"prompt\":\"a\\u001b[31m\\u202eb\\nc\","
				   "\"type\":\"multiple_choice\",\"options\":[\"\\u0007yes\","
				   "\"n\\u009bo\"],\"audience\":[\"\\u001b]0;x\"],"
				   "\"required_responses\":-3,\"current_responses\":99,\"responses_"
				   "needed\":-1,\"created_at\":-1,"
				   "\"expires_at\":-9,\"asked_by\":\"\\u001bc\",\"can_answer\":"
				   "true,\"summary\":[{\"option\":\"\\u001b\",\"votes\":-1}],"
				   "\"responses\":[{\"selected_option\":77,\"answer\":"
				   "\"\\u001b\\n\\r\\t\",\"comment\":\"\\u001b\"}]}";
	static char got[2048];
	static char list[2048];
	static const char *const lines[] = {
		"question|show|q_1", "question|watch|q_1|--timeout|0.3",
		"question|list",     "question|mine|--json",
		"answer|q_1|1",	     ASK "|--timeout|0.3",
	};
	static struct verb_desk d;
	desk_open(&d);
	(void)snprintf(got, sizeof(got), "{\"question\":%s,\"version\":1}", view);
	(void)snprintf(list, sizeof(list), "{\"questions\":[%s]}", view);
	const struct scripted_rule first[] = {
		rule_of("question.list", 0, SCRIPTED_ANSWERS, list),
		rule_of("question.mine", 0, SCRIPTED_ANSWERS, list),
	};
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		play(&d, first, 2, got, got);
		verb_run(&d, lines[i]);
		verb_assert_clean(&d);
	}
	verb_desk_close(&d);
}

/* ---- who is asked ---- */

#define A_TEAM(id, name)                                                                          \
	"{\"group_id\":\"" id "\",\"group_name\":\"" name "\",\"role\":\"member\",\"joined_on\":" \
	"1}"
#define A_USER(id, name) \
	"{\"user_id\":\"" id "\",\"user_name\":\"" name "\",\"role\":\"member\",\"joined_on\":1}"
#define USERS(entries) "{\"users\":[" entries "],\"version\":1}"

/* Three teams: their members, as they are asked for one after another. */
static void play_teams(struct verb_desk *d, const char *first, const char *second,
		       const char *third)
{
	const struct scripted_rule rules[] = {
		rule_of("group.list", 0, SCRIPTED_ANSWERS,
			"{\"groups\":[" A_TEAM("g_AAAAAAAAAA", "Payments") "," A_TEAM(
				"g_BBBBBBBBBB", "Search") "," A_TEAM("g_CCCCCCCCCC", "Infra") "]}"),
		rule_of("group.users", 1, SCRIPTED_ANSWERS, first),
		rule_of("group.users", 1, SCRIPTED_ANSWERS, second),
		rule_of("group.users", 1, SCRIPTED_ANSWERS, third),
		rule_of("question.ask", 0, SCRIPTED_ANSWERS, ASKED),
	};
	scripted_play(&d->server, rules, sizeof(rules) / sizeof(rules[0]));
}

static void assert_asked(struct verb_desk *d, const char *user_id)
{
	struct question_ask_params p;
	assert_int_equal(scripted_count(&d->server, METHOD_QUESTION_ASK), 1);
	scripted_read(&d->server, scripted_find(&d->server, METHOD_QUESTION_ASK, 0), &p);
	assert_true(p.with_user_id && slice_eq(p.user_id, slice_str(user_id)));
}

/* Names are the same here where they are on the server: capitals and width tell none apart. */
TEST(test_a_member_is_found_in_any_case)
{
	static const char *const lines[] = {
		"ask|Ship it?|--to|Grace",
		"ask|Ship it?|--to|grace",
		"ask|Ship it?|--to|\uff27race",
		"ask|Ship it?|--to|GRACE|--team|g_BBBBBBBBBB",
	};
	static struct verb_desk d;
	desk_open(&d);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		play_teams(&d, USERS(A_USER("U1", "Ada") "," A_USER("U2", "Grace")),
			   USERS(A_USER("U2", "Grace")), USERS(A_USER("U3", "Gracie")));
		verb_ends(&d, lines[i], EXIT_DONE);
		assert_asked(&d, "U2");
	}
	verb_desk_close(&d);
}

TEST(test_a_member_who_is_not_found_is_offered_the_nearest_name)
{
	static const struct {
		const char *line, *err;
	} rows[] = {
		{"ask|Ship it?|--to|Grase",
		 "aye: no member of your teams is called Grase; did you mean Grace?\n"},
		{"ask|Ship it?|--to|Katherine",
		 "aye: no member of your teams is called Katherine\n"},
		{"ask|Ship it?|--to=", "aye: no member of your teams is called \"\"\n"},
		{"ask|Ship it?|--to|Grase|--team|g_AAAAAAAAAA",
		 "aye: no member is called Grase; did you mean Grace? (list them: aye team users "
		 "TEAM)\n"},
	};
	static struct verb_desk d;
	desk_open(&d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		play_teams(&d, USERS(A_USER("U1", "Ada") "," A_USER("U2", "Grace")), USERS(""),
			   USERS(A_USER("U3", "Linus")));
		verb_ends(&d, rows[i].line, EXIT_REFUSED);
		assert_string_equal(d.err, rows[i].err);
	}
	verb_desk_close(&d);
}

TEST(test_the_search_ends_with_the_second_of_that_name)
{
	static struct verb_desk d;
	desk_open(&d);
	play_teams(&d, USERS(A_USER("U2", "Grace")), USERS(A_USER("U9", "GRACE")),
		   USERS(A_USER("U3", "Linus")));
	verb_ends(&d, "ask|Ship it?|--to|Grace", EXIT_USAGE);
	assert_string_equal(
		d.err, "aye: several members of your teams are called Grace; add --team TEAM\n");
	assert_int_equal(scripted_count(&d.server, METHOD_GROUP_USERS), 2);
	verb_desk_close(&d);
}

TEST(test_a_member_of_the_room_is_found_the_same_way)
{
	static struct verb_desk d;
	desk_open(&d);
	const struct room_update room = room_of_two(&d.server);
	const struct scripted_rule rules[] = {
		{.method = "room.get",
		 .raw = scripted_bytes(&d.server, &record_room_update, &room)},
		rule_of("question.ask", 0, SCRIPTED_ANSWERS, ASKED),
	};
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "ask|Ship it?|--room|" CODE "|--to|grace", EXIT_DONE);
	assert_asked(&d, "U2");
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "ask|Ship it?|--room|" CODE "|--to|Grase", EXIT_REFUSED);
	assert_string_equal(d.err,
			    "aye: no member of the room is called Grase; did you mean Grace?\n");
	verb_desk_close(&d);
}
