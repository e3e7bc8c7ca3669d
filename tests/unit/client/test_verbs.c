/*
 * test_verbs.c - what verbs ask of a server, and how they end whatever it does.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#include "client/cli/reach/room_context.h"
#include "client/state/state_login.h"
#include "client/state/state_status.h"

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

/* What is typed for a word of that kind; "": nothing; NULL: no row that makes a request by itself has one. */
static const char *const typed[] = {
	[WORD_TEXT] = "T",
	[WORD_TEXTS] = "T",
	[WORD_TITLE] = "T",
	[WORD_NEW_STORY] = "T",
	[WORD_LINK] = "https://x.example/1",
	[WORD_CARD] = "5",
	[WORD_USER] = "Grace",
	[WORD_STORY] = "S1",
	[WORD_QUANTITY] = "2",
	[WORD_WHEN] = "2099-12-24",
	[WORD_SECONDS] = "90s",
	[WORD_MINUTES] = "5m",
	[WORD_NUMBER] = "3",
	[WORD_DECK] = "1 2 3",
	[WORD_TRUE] = "",
	[WORD_FALSE] = "",
	[WORD_NEIGHBOUR] = "--before|S1",
	[WORD_TEAM] = "g_AAAAAAAAAA",
	[WORD_TEAM_MEMBER] = "Grace",
	[WORD_BACKLOG] = "c_AAAAAAAAAA",
	[WORD_ITEM] = "i_AAAAAAAAAA",
	[WORD_INVITATION] = "v_AAAAAAAAAA",
	[WORD_QUESTION] = "q_AAAAAAAAAA",
	[WORD_BARRED] = "Grace",
};

/* The shortest line that a row allows. */
static void line_of(const struct verb *v, char *line, size_t cap)
{
	bool has_code = v->needs > NEEDS_NEW_ASKER;
	size_t words = has_code;
	size_t n = (size_t)snprintf(line, cap, "%s%s%s", v->name, has_code ? "|" CODE : "",
				    v->is_for_good ? "|--yes" : "");
	for (const struct act_word *w = v->words; w->kind != WORD_NONE; w++) {
		const struct field *f =
			w->field == NULL
				? NULL
				: record_field(method_rows[v->method].params, slice_str(w->field));
		const char *word =
			w->kind == WORD_CHOICE ? f->words->list[f->min].data : typed[w->kind];
		assert_non_null(word);
		if (word[0] != '\0' && w->kind != WORD_NEIGHBOUR && words++ >= v->words_min) {
			break;
		}
		n += (size_t)snprintf(line + n, cap - n, "%s%s", word[0] == '\0' ? "" : "|", word);
	}
	for (char *at = strchr(line, ' '); at != NULL && at < strchr(line, '|');
	     at = strchr(at, ' ')) {
		*at = '|';
	}
}

enum { EACH = 2, KEYS_MAX = 256 };

struct keys {
	struct verb_desk desk;
	char text[KEYS_MAX][80];
	size_t n;
	bool is_tried[METHOD_COUNT];
};

/* Whom a verb may name who is in a team, or was removed from the room. */
static const struct scripted_rule known[] = {
	{.method = "group.users",
	 .json = "{\"users\":[{\"user_id\":\"U2\",\"user_name\":\"Grace\",\"role\":\"owner\","
		 "\"joined_on\":1}],\"version\":3}"},
	{.method = "room.barred",
	 .json = "{\"barred\":[{\"user_id\":\"U2\",\"username\":\"Grace\"}]}"},
};

static void assert_new_keys(struct keys *k, const char *line, enum method method)
{
	for (size_t i = 0; i < EACH; i++) {
		keep_host_key(&k->desk);
		play_room(&k->desk, known, sizeof(known) / sizeof(known[0]));
		verb_run(&k->desk, line);
		struct slice key = key_sent(&k->desk, method);
		assert_true(k->n < KEYS_MAX);
		(void)snprintf(k->text[k->n], sizeof(k->text[0]), "%.*s", (int)key.len, key.data);
		for (size_t before = 0; before < k->n; before++) {
			assert_string_not_equal(k->text[k->n], k->text[before]);
		}
		k->n++;
	}
	k->is_tried[method] = true;
}

static const char no_verb[] = "aye call makes it, with the key that is given there";
static const char of_seat[] = "made for the seat that a verb sits on, not by the verb";
static const char of_another[] =
	"made in place of another method that is tried, where there is one already";
static const char of_login[] = "a repeat is another login, or none";
static const char *const why_no_verb[METHOD_COUNT] = {
	[METHOD_SESSION_LOGIN] = of_login,
	[METHOD_SESSION_LOGOUT] = of_login,
	[METHOD_ROOM_JOIN] = of_seat,
	[METHOD_ROOM_LEAVE] = of_seat,
	[METHOD_ROOM_CLAIM_HOST] = no_verb,
	[METHOD_ROOM_DELETE_USER] = of_seat,
	[METHOD_SUBSCRIPTION_UPDATE] = of_another,
	[METHOD_USER_UPDATE] = no_verb,
	[METHOD_USER_DELETE] = no_verb,
};

TEST(test_each_verb_that_changes_something_sends_a_new_idempotency_key)
{
	/* Verbs that are more than a row, or whose row does not say what they need. */
	static const struct {
		const char *line;
		enum method method;
	} rows[] = {
		{"new", METHOD_ROOM_CREATE},
		{"room|create", METHOD_ROOM_CREATE},
		{"room|vote|" CODE "|5", METHOD_ROOM_VOTE},
		{"room|title|" CODE "|T", METHOD_ROOM_SET_TITLE},
		{"room|links|" CODE "|https://x.example/{key}", METHOD_ROOM_SET_LINK_TEMPLATE},
		{"room|policy|" CODE "|locked=on", METHOD_ROOM_SET_POLICY},
		{"invite|g_AAAAAAAAAA", METHOD_INVITATION_CREATE},
		{"team|set|g_AAAAAAAAAA|deck=fibonacci", METHOD_GROUP_SET_DEFAULTS},
		{"item|set|c_AAAAAAAAAA|i_AAAAAAAAAA|--note|N", METHOD_ITEM_UPDATE},
		{"ask|Ship it today?", METHOD_QUESTION_ASK},
		{"answer|q_1|yes", METHOD_QUESTION_ANSWER},
		{"notify|on", METHOD_SUBSCRIPTION_CREATE},
		{"notify|off|s_1", METHOD_SUBSCRIPTION_DELETE},
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
	};
	static struct keys k;
	char line[200];
	verb_desk_open(&k.desk);
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		bool is_row = v->run == NULL && v->act == NULL &&
			      method_rows[v->method].effect == EFFECT_CHANGES;
		if (is_row) {
			line_of(v, line, sizeof(line));
			assert_new_keys(&k, line, v->method);
		}
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_new_keys(&k, rows[i].line, rows[i].method);
	}
	for (enum method m = 0; m < METHOD_COUNT; m++) {
		bool is_meant = method_rows[m].effect == EFFECT_CHANGES && why_no_verb[m] == NULL;
		if (k.is_tried[m] != is_meant) {
			fail_msg("%s: %s", method_rows[m].name,
				 is_meant ? "no verb was tried" : "a verb was tried after all");
		}
	}
	verb_desk_close(&k.desk);
}

/* ---- what was not given ---- */

/*
 * As many names as the verb has words that must be given: its usage and its row say the same. A code in brackets is
 * only named where it alone is missing, and no room is known.
 */
TEST(test_every_verb_names_the_words_that_are_missing)
{
	static struct verb_desk d;
	verb_desk_open(&d);
	for (const struct verb *v = verbs; v->name != NULL; v++) {
		char line[80];
		(void)snprintf(line, sizeof(line), "%s", v->name);
		for (char *at = strchr(line, ' '); at != NULL; at = strchr(at, ' ')) {
			*at = '|';
		}
		if (v->words_min == 0) {
			continue;
		}
		size_t least = v->words_min - (v->usage[0] == '[');
		const char *says = least == 0	? ROOM_CONTEXT_NONE "\n"
				   : least == 1 ? " is required\n"
						: " are required\n";
		verb_ends(&d, line, EXIT_USAGE);
		const char *end = strstr(d.err, says);
		size_t names = 1;
		for (const char *at = d.err; end != NULL && at < end; at++) {
			names += strncmp(at, ", ", 2) == 0 || strncmp(at, " and ", 5) == 0;
		}
		if (end == NULL || (least > 0 && names != least)) {
			fail_msg("aye %s: %s", v->name, d.err);
		}
	}
	verb_ends(&d, "story|move|" CODE, EXIT_USAGE);
	assert_non_null(strstr(d.err, "aye: STORY is required\n"));
	verb_ends(&d, "data|set|" CODE, EXIT_USAGE);
	assert_non_null(strstr(d.err, "aye: KIND, NAME and VALUE are required\n"));
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

/* ---- the status beside a screen ---- */

/* The screen is this process: a verb's own, which has ended, is no longer in the room. */
TEST(test_a_vote_beside_a_screen_leaves_it_the_status)
{
	static struct verb_desk d;
	struct state_status status = {.room_id = CODE, .name = "Ada", .terminal = "TMUX:1"};
	struct errmsg why = {""};
	verb_desk_open(&d);
	assert_int_equal(unsetenv("AYE_NAME"), 0);
	assert_int_equal(setenv("USER", "Ada", 1), 0);
	(void)snprintf(status.server, sizeof(status.server), "%s", d.server.address);
	for (int is_running = 0; is_running < 2; is_running++) {
		struct room_update u = room_of_two(&d.server);
		struct user_view users[2] = {u.users[0], u.users[1]};
		struct state_status is;
		users[0].with_is_connected = true;
		u.users = users;
		status.pid = is_running ? getpid() : 0;
		status.is.is_in = true;
		assert_int_equal(state_put_status(&d.state, &status, &why), OK);
		play_room_of(&d, &u, NULL, 0);
		verb_ends(&d, "vote|" CODE "|5", EXIT_DONE);
		assert_true(state_get_status(&d.state, d.server.address, CODE, &is));
		assert_int_equal(is.pid == getpid(), is_running);
		assert_int_equal(strcmp(is.terminal, "TMUX:1") == 0, is_running);
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

/* The server knows the seat by the login, once it is asked for it. */
TEST(test_a_verb_for_rights_takes_the_seat_that_a_login_has_and_no_new_one)
{
	static struct verb_desk d;
	const struct state_login login = {.user_name = "Ada", .token = KEY2};
	const struct scripted_rule resume = {
		.method = "session.resume",
		.json = "{\"user_id\":\"U1\",\"user_name\":\"Ada\","
			"\"expires_at\":9999999999999}",
	};
	struct errmsg why = {""};
	verb_desk_open(&d);
	assert_int_equal(state_keep_login(&d.state, d.server.address, NULL, &login, &why), OK);
	for (size_t seats = 0; seats < 2; seats++) {
		play_room(&d, &resume, 1);
		verb_ends(&d, "room|reveal|" CODE, EXIT_DONE);
		assert_int_equal(scripted_count(&d.server, METHOD_ROOM_SUBSCRIBE), seats);
		assert_int_equal(scripted_count(&d.server, METHOD_ROOM_DELETE_USER), 0);
		assert_int_equal(state_keep_seat(&d.state, d.server.address, CODE, NULL, "Ada", KEY,
						 &why),
				 OK);
	}
	verb_desk_close(&d);
}

/* ---- leaving ---- */

/* For aye status: also where no update has told of it yet, and not while another window of the seat is in. */
TEST(test_who_leaves_is_noted_as_out_of_the_room_unless_another_window_is_in_it)
{
	static const char *const lefts[] = {"{\"version\":2}", "{\"is_kept\":true,\"version\":1}"};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(lefts) / sizeof(lefts[0]); i++) {
		const struct scripted_rule rules[] = {{.method = "room.leave", .json = lefts[i]}};
		struct room_update u = room_of_two(&d.server);
		struct user_view users[2] = {u.users[0], u.users[1]};
		struct state_status noted;
		users[0].with_is_connected = true;
		u.users = users;
		play_room_of(&d, &u, rules, 1);
		d.input = "quit\n";
		verb_ends(&d, "join|" CODE, EXIT_DONE);
		assert_int_equal(scripted_count(&d.server, METHOD_ROOM_LEAVE), 1);
		assert_true(state_get_status(&d.state, d.server.address, CODE, &noted));
		assert_int_equal(noted.is.is_in, i == 1);
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

/* One that the room has is changed, if at all; one that was removed keeps its place. */
TEST(test_a_strict_import_needs_room_for_new_stories_only)
{
	enum { HAS = MAX_STORIES - 1 };
	static const struct scripted_rule rules[] = {
		{.method = "story.add", .json = "{\"story_id\":\"S\"}"},
		{.method = "story.update", .json = "{}"},
	};
	static struct story_view stories[HAS];
	static char keys[HAS][16];
	static char text[32 * (HAS + 2)];
	static struct verb_desk d;
	verb_desk_open(&d);
	keep_host_key(&d);
	struct room_update u = room_of_two(&d.server);
	size_t len = (size_t)snprintf(text, sizeof(text), "key,title\n");
	for (size_t i = 0; i < HAS; i++) {
		(void)snprintf(keys[i], sizeof(keys[i]), "PAY-%zu", i);
		stories[i] = u.stories[0];
		stories[i].story_id = slice_str(keys[i]);
		stories[i].key = slice_str(keys[i]);
		stories[i].with_key = true;
		stories[i].is_removed = i == 0;
		if (i > 0) {
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s,%s\n", keys[i],
						i == 1 ? "Changed" : "Story");
		}
	}
	u.stories = stories;
	u.stories_n = HAS;
	d.input = text;
	play_room_of(&d, &u, rules, 2);
	(void)snprintf(text + len, sizeof(text) - len, ",New\n");
	verb_ends(&d, "story|import|" CODE "|-|--strict", EXIT_DONE);
	assert_int_equal(scripted_count(&d.server, METHOD_STORY_ADD), 1);
	assert_int_equal(scripted_count(&d.server, METHOD_STORY_UPDATE), 1);
	play_room_of(&d, &u, rules, 2);
	(void)snprintf(text + len, sizeof(text) - len, ",New\n,Newer\n");
	verb_ends(&d, "story|import|" CODE "|-|--strict", EXIT_REFUSED);
	assert_int_equal(scripted_count(&d.server, METHOD_STORY_ADD), 0);
	assert_int_equal(scripted_count(&d.server, METHOD_STORY_UPDATE), 0);
	assert_non_null(strstr(d.err, "nothing was sent"));
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
		assert_non_null(strstr(d.err, "invalid answer"));
		assert_int_equal(scripted_count(&d.server, METHOD_STORY_REMOVE), 0);
	}
	verb_desk_close(&d);
}
