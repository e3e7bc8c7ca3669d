/*
 * test_verbs.c - what verbs ask of a server, and how they end whatever it does.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#include "client/cli/state_login.h"

/* ---- idempotency keys ---- */

/* The key of the last request of that method. */
static struct slice key_sent(struct verb_desk *d, enum method method)
{
	const struct record *rec = method_rows[method].params;
	const struct field *f = record_field(rec, SLICE("idempotency_key"));
	size_t n = scripted_count(&d->server, method);
	void *params = arena_alloc(&d->server.arena, rec->size);
	assert_non_null(params);
	assert_non_null(f);
	if (n == 0) {
		fail_msg("%s was not asked for: %s%s", method_rows[method].name, d->out, d->err);
	}
	scripted_read(&d->server, scripted_find(&d->server, method, n - 1), params);
	if (!field_with(f, params)) {
		fail_msg("%s went without an idempotency_key", method_rows[method].name);
	}
	return *(const struct slice *)field_member(f, params);
}

TEST(test_each_verb_that_changes_something_sends_a_new_idempotency_key)
{
	static const struct {
		const char *line;
		enum method method;
	} rows[] = {
		{"new", METHOD_ROOM_CREATE},
		{"room|create", METHOD_ROOM_CREATE},
		{"room|vote|" CODE "|5", METHOD_ROOM_VOTE},
		{"room|reveal|" CODE, METHOD_ROOM_SET_REVEALED},
		{"room|hide|" CODE, METHOD_ROOM_SET_REVEALED},
		{"room|reset|" CODE, METHOD_ROOM_RESET},
		{"room|title|" CODE "|T", METHOD_ROOM_SET_TITLE},
		{"room|deck|" CODE "|1 2 3", METHOD_ROOM_SET_VALID_SIZES},
		{"room|kick|" CODE "|Grace", METHOD_ROOM_KICK},
		{"room|policy|" CODE "|locked=on", METHOD_ROOM_SET_POLICY},
		{"room|admit|" CODE "|Grace", METHOD_ROOM_ADMIT},
		{"room|reject|" CODE "|Grace", METHOD_ROOM_REJECT},
		{"room|host|" CODE "|Grace", METHOD_ROOM_SET_HOST},
		{"room|unhost|" CODE "|Grace", METHOD_ROOM_UNSET_HOST},
		{"room|keep|" CODE "|3", METHOD_ROOM_KEEP},
		{"story|add|" CODE "|T", METHOD_STORY_ADD},
		{"story|update|" CODE "|S1|--description|N", METHOD_STORY_UPDATE},
		{"story|move|" CODE "|S1|--before|S1", METHOD_STORY_MOVE},
		{"story|remove|" CODE "|S1", METHOD_STORY_REMOVE},
		{"story|restore|" CODE "|S1", METHOD_STORY_RESTORE},
		{"story|select|" CODE "|S1", METHOD_STORY_SELECT},
		{"story|next|" CODE, METHOD_STORY_NEXT},
		{"ask|Ship it today?", METHOD_QUESTION_ASK},
		{"answer|q_1|yes", METHOD_QUESTION_ANSWER},
		{"question|skip|q_1", METHOD_QUESTION_SKIP},
		{"question|cancel|q_1", METHOD_QUESTION_CANCEL},
		{"notify|on", METHOD_SUBSCRIPTION_CREATE},
		{"notify|off|s_1", METHOD_SUBSCRIPTION_DELETE},
		{"round|again|" CODE, METHOD_ROUND_AGAIN},
		{"round|undo|" CODE, METHOD_ROUND_UNDO_RESET},
		{"round|settle|" CODE "|5", METHOD_ROUND_SETTLE},
		{"reveal|cancel|" CODE, METHOD_REVEAL_CANCEL},
		{"reveal|arm|" CODE, METHOD_REVEAL_ARM},
		{"timer|start|" CODE "|90s", METHOD_TIMER_START},
		{"timer|stop|" CODE, METHOD_TIMER_STOP},
		{"nudge|" CODE, METHOD_ROOM_NUDGE},
		{"react|" CODE "|tea", METHOD_ROOM_REACT},
		{"data|set|" CODE "|map|notes|k|1", METHOD_MAP_SET},
		{"data|set|" CODE "|list|agenda|E1|1", METHOD_LIST_SET},
		{"data|set|" CODE "|presence|here|1|--timeout|0.3", METHOD_PRESENCE_SET},
		{"data|remove|" CODE "|map|notes|k", METHOD_MAP_REMOVE},
		{"data|remove|" CODE "|list|agenda|E1", METHOD_LIST_REMOVE},
		{"data|remove|" CODE "|presence|here", METHOD_PRESENCE_REMOVE},
		{"data|push|" CODE "|list|agenda|1", METHOD_LIST_PUSH},
		{"data|insert|" CODE "|list|agenda|before|E1|1", METHOD_LIST_INSERT},
		{"data|move|" CODE "|list|agenda|E1|before|E2", METHOD_LIST_MOVE},
		{"data|create|" CODE "|map|notes", METHOD_MAP_CREATE},
		{"data|create|" CODE "|list|agenda", METHOD_LIST_CREATE},
		{"data|create|" CODE "|presence|here", METHOD_PRESENCE_CREATE},
		{"data|delete|" CODE "|map|notes", METHOD_MAP_DELETE},
		{"data|delete|" CODE "|list|agenda", METHOD_LIST_DELETE},
		{"data|delete|" CODE "|presence|here", METHOD_PRESENCE_DELETE},
		{"room|delete|" CODE, METHOD_ROOM_DELETE},
	};
	enum { ROWS_N = sizeof(rows) / sizeof(rows[0]), EACH = 2 };
	static struct verb_desk d;
	static char keys[ROWS_N * EACH][80];
	size_t n = 0;
	verb_desk_open(&d);
	for (size_t i = 0; i < ROWS_N; i++) {
		for (size_t k = 0; k < EACH; k++) {
			keep_host_key(&d);
			play_room(&d, NULL, 0);
			verb_run(&d, rows[i].line);
			struct slice key = key_sent(&d, rows[i].method);
			(void)snprintf(keys[n], sizeof(keys[n]), "%.*s", (int)key.len, key.data);
			for (size_t before = 0; before < n; before++) {
				assert_string_not_equal(keys[n], keys[before]);
			}
			n++;
		}
	}
	verb_desk_close(&d);
}

/* ---- how it ends ---- */

TEST(test_a_server_that_falls_silent_behind_hello_is_a_timeout)
{
	static const char *const lines[] = {
		"room|create|--timeout|0.1",	     "room|show|" CODE "|--timeout|0.1",
		"room|reset|" CODE "|--timeout|0.1", "call|server.ping|--timeout|0.1",
		"server|ping|--timeout|0.1",
	};
	static const struct scripted_rule rules[] = {
		{.method = "session.hello"},
		{.act = SCRIPTED_IS_SILENT},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		scripted_play(&d.server, rules, 2);
		verb_ends(&d, lines[i], EXIT_TIMED_OUT);
		assert_non_null(strstr(d.err, "did not answer in time"));
	}
	verb_desk_close(&d);
}

TEST(test_a_server_that_was_not_reached_is_no_timeout)
{
	static const struct {
		enum scripted_act act;
		const char *json;
		const char *why;
	} rows[] = {
		{SCRIPTED_IS_SILENT, NULL, "no answer in time"},
		{SCRIPTED_HANGS_UP, NULL, ""}, /* seen by a read, or by the next write */
		{SCRIPTED_REFUSES, "{\"code\":\"UNAVAILABLE\",\"message\":\"not today\"}",
		 "not today"},
		{SCRIPTED_BABBLES, "HTTP/1.1 400 Bad Request\r\n\r\n", "does not speak"},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct scripted_rule rule = {.act = rows[i].act, .json = rows[i].json};
		scripted_play(&d.server, &rule, 1);
		verb_ends(&d, "room|create|--timeout|0.3", EXIT_NO_SERVER);
		if (strstr(d.err, "cannot reach") == NULL || strstr(d.err, rows[i].why) == NULL) {
			fail_msg("not \"%s\": %s", rows[i].why, d.err);
		}
	}
	verb_desk_close(&d);
}

/* ---- whose seat ---- */

TEST(test_a_login_uses_its_own_seat_whatever_seat_of_its_name_is_kept)
{
	static const char *const lines[] = {"room|reset|" CODE, "room|vote|" CODE "|5"};
	static struct verb_desk d;
	struct errmsg why = {""};
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		for (int is_login = 0; is_login < 2; is_login++) {
			struct room_subscribe_params p;
			const struct state_login login = {.user_name = "Ada", .token = KEY2};
			const struct scripted_rule resume = {
				.method = "session.resume",
				.json = "{\"user_id\":\"U1\",\"user_name\":\"Ada\","
					"\"expires_at\":9999999999999}",
			};
			assert_int_equal(state_keep_seat(&d.state, d.server.address, CODE, NULL,
							 "Ada", KEY, &why),
					 OK);
			if (is_login) {
				assert_int_equal(state_keep_login(&d.state, d.server.address, NULL,
								  &login, &why),
						 OK);
			}
			play_room(&d, &resume, 1);
			verb_ends(&d, lines[i], EXIT_DONE);
			scripted_read(&d.server, scripted_find(&d.server, METHOD_ROOM_SUBSCRIBE, 0),
				      &p);
			assert_int_equal(p.with_user_key, !is_login);
			assert_int_equal(scripted_count(&d.server, METHOD_SESSION_RESUME),
					 is_login);
		}
		assert_int_equal(state_forget_login(&d.state, d.server.address, NULL, &why), OK);
	}
	verb_desk_close(&d);
}

/* ---- an import ---- */

static void write_stories(struct verb_desk *d, char path[PATH_MAX])
{
	(void)snprintf(path, PATH_MAX, "%s/stories.txt", d->home);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs("One\nTwo\nThree\nFour\n", f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static void import_stories(struct verb_desk *d, const char *more, int code)
{
	char path[PATH_MAX];
	char line[PATH_MAX + 80];
	write_stories(d, path);
	(void)snprintf(line, sizeof(line), "story|import|" CODE "|%s%s", path, more);
	verb_ends(d, line, code);
}

/* Each story under one key and each key for one story, however often it was sent. */
static void assert_one_key_a_story(struct verb_desk *d, size_t sent_at_least)
{
	size_t n = scripted_count(&d->server, METHOD_STORY_ADD);
	assert_true(n >= sent_at_least);
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k <= i; k++) {
			struct story_add_params a;
			struct story_add_params b;
			scripted_read(&d->server, scripted_find(&d->server, METHOD_STORY_ADD, i),
				      &a);
			scripted_read(&d->server, scripted_find(&d->server, METHOD_STORY_ADD, k),
				      &b);
			assert_true(a.with_idempotency_key);
			assert_int_equal(slice_eq(a.title, b.title),
					 slice_eq(a.idempotency_key, b.idempotency_key));
		}
	}
}

TEST(test_a_story_that_is_sent_again_has_the_key_it_had)
{
	static const struct scripted_rule troubles[] = {
		{.method = "story.add",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"RATE_LIMITED\",\"message\":\"slowly\",\"retry_after_ms\":1}"},
		{.method = "story.add",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNAVAILABLE\",\"message\":\"later\",\"retry_after_ms\":1}"},
		{.method = "story.add", .times = 1, .act = SCRIPTED_HANGS_UP},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	keep_host_key(&d);
	for (size_t i = 0; i < sizeof(troubles) / sizeof(troubles[0]); i++) {
		const struct scripted_rule rules[] = {
			{.method = "story.add", .times = 1, .json = "{\"story_id\":\"S1\"}"},
			troubles[i],
			{.method = "story.add", .json = "{\"story_id\":\"S2\"}"},
		};
		play_room(&d, rules, 3);
		import_stories(&d, "", EXIT_DONE);
		assert_non_null(strstr(d.out, "4 stories added"));
		assert_one_key_a_story(&d, 5);
	}
	verb_desk_close(&d);
}

/* What is taken back is what was added, also by answers that came behind the refusal. */
TEST(test_a_strict_import_waits_for_what_is_on_its_way_before_it_takes_back)
{
	static const char *const added[] = {"S1", "S3", "S4"};
	static const struct scripted_rule rules[] = {
		{.method = "story.add", .times = 1, .json = "{\"story_id\":\"S1\"}"},
		{.method = "story.add",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"VALIDATION_ERROR\",\"message\":\"no\",\"field\":\"title\"}"},
		{.method = "story.add", .times = 1, .json = "{\"story_id\":\"S3\"}"},
		{.method = "story.add", .times = 1, .json = "{\"story_id\":\"S4\"}"},
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	keep_host_key(&d);
	play_room(&d, rules, 4);
	import_stories(&d, "|--strict", EXIT_REFUSED);
	assert_int_equal(scripted_count(&d.server, METHOD_STORY_ADD), 4);
	assert_int_equal(scripted_count(&d.server, METHOD_STORY_REMOVE), 3);
	for (size_t i = 0; i < 3; i++) {
		struct story_params p;
		scripted_read(&d.server, scripted_find(&d.server, METHOD_STORY_REMOVE, i), &p);
		assert_true(slice_eq(p.story_id, slice_str(added[i])));
	}
	verb_desk_close(&d);
}

TEST(test_an_import_ends_where_a_story_comes_back_without_an_id)
{
	static const char *const answers[] = {"{\"story_id\":\"$(id)\"}", "{\"story_id\":null}",
					      "{}", "[]"};
	static struct verb_desk d;
	verb_desk_open(&d);
	keep_host_key(&d);
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		const struct scripted_rule rules[] = {
			{.method = "story.add", .times = 1, .json = answers[i]},
			{.method = "story.add",
			 .act = SCRIPTED_REFUSES,
			 .json = "{\"code\":\"VALIDATION_ERROR\",\"message\":\"no\"}"},
		};
		play_room(&d, rules, 2);
		import_stories(&d, "|--strict", EXIT_NO_SERVER);
		assert_non_null(strstr(d.err, "not what it should be"));
		assert_int_equal(scripted_count(&d.server, METHOD_STORY_REMOVE), 0);
	}
	verb_desk_close(&d);
}
