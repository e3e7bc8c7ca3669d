/*
 * test_verb_status.c - aye status: what it says where the server does not, and that it
 * waits for nothing that it was not told to wait for.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <sys/epoll.h>

#include "client/state/state_login.h"
#include "client/state/state_status.h"
#include "client/state/state_waiting.h"
#include "tests/unit/client/verb_kit.h"

enum { MAY_WAIT_MS = 10 };

static pid_t parent;
static int may_wait_ms = MAY_WAIT_MS;

/* ---- what the verb may not do, said where its problems are ---- */

static void object(const char *what, int n)
{
	if (getpid() != parent) {
		char line[80];
		int len = snprintf(line, sizeof(line), "%s %d\n", what, n);
		ssize_t written = write(STDERR_FILENO, line, (size_t)len);
		(void)written;
	}
}

/* All waiting of the verb together, as long as the kernel was asked to wait and nothing came. */
static void count_wait(int timeout_ms, int found)
{
	static int waited_ms;
	waited_ms += found == 0 && timeout_ms > 0 ? timeout_ms : 0;
	if (timeout_ms < 0 || timeout_ms > may_wait_ms || waited_ms > may_wait_ms) {
		object("waits for", timeout_ms);
	}
}

int epoll_wait(int fd, struct epoll_event *events, int most, int timeout_ms)
{
	int (*wait)(int, struct epoll_event *, int, int);
	*(void **)&wait = dlsym(RTLD_NEXT, "epoll_wait");
	int found = wait(fd, events, most, timeout_ms);
	count_wait(timeout_ms, found);
	return found;
}

int epoll_pwait(int fd, struct epoll_event *events, int most, int timeout_ms, const sigset_t *set)
{
	int (*wait)(int, struct epoll_event *, int, int, const sigset_t *);
	*(void **)&wait = dlsym(RTLD_NEXT, "epoll_pwait");
	int found = wait(fd, events, most, timeout_ms, set);
	count_wait(timeout_ms, found);
	return found;
}

int fsync(int fd)
{
	object("waits for the disk with", fd);
	return 0;
}

int getaddrinfo(const char *host, const char *port, const struct addrinfo *hints,
		struct addrinfo **out)
{
	(void)host, (void)port, (void)hints, (void)out;
	object("asks a name server", 1);
	return EAI_FAIL;
}

/* ---- the claims ---- */

static const struct scripted_rule silence[] = {{.act = SCRIPTED_IS_SILENT}};

/* Ada's room as a client left it. */
static void follow(struct verb_desk *d, const char *server, const struct room_status *is)
{
	struct state_status s = {.name = "Ada", .room_id = CODE, .is = *is};
	struct errmsg why = {""};
	(void)snprintf(s.server, sizeof(s.server), "%s", server);
	assert_int_equal(state_put_status(&d->state, &s, &why), OK);
}

static void assert_says(struct verb_desk *d, const char *line, int code, const char *out)
{
	verb_ends(d, line, code);
	assert_string_equal(d->err, "");
	assert_string_equal(d->out, out);
}

/* With all the time that a slow machine needs, so that it is the server that says so. */
static void says_in_time(struct verb_desk *d, const char *line, int code, const char *out)
{
	char patient[80];
	(void)snprintf(patient, sizeof(patient), "%s|--timeout|60", line);
	may_wait_ms = 60000;
	assert_says(d, patient, code, out);
	may_wait_ms = MAY_WAIT_MS;
}

static void be_told_no(struct verb_desk *d)
{
	struct state_status is;
	says_in_time(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	assert_true(state_get_status(&d->state, d->server.address, CODE, &is));
	assert_true(is.is.is_closed);
}

static void open_desk(struct verb_desk *d)
{
	parent = getpid();
	verb_desk_open(d);
	scripted_play(&d->server, silence, 1);
}

#define STATUS_TEST(name, d) TEST_OF(name, struct verb_desk, d, open_desk(d), verb_desk_close(d))

static const struct room_status waits = {
	.subject = "PAY-3",
	.round = 4,
	.voters = 5,
	.voted = 3,
	.is_in = true,
	.is_mine = true,
};

STATUS_TEST(test_who_is_in_no_room_is_told_so_and_a_prompt_nothing, d)
{
	assert_says(d, "status", EXIT_NO, "you are in no room\n");
	assert_says(d, "status|--short", EXIT_DONE, "");
	assert_says(d, "status|--json", EXIT_DONE, "{\"text\":\"\"}\n");
	assert_int_equal(d->server.connections, 0);
}

STATUS_TEST(test_without_an_answer_it_says_what_is_known, d)
{
	char json[400];
	follow(d, d->server.address, &waits);
	assert_says(d, "status", EXIT_DONE, "PAY-3: 3 of 5, waiting for you\n");
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	(void)snprintf(json, sizeof(json),
		       "{\"text\":\"3 of 5, waiting for you\",\"room_id\":\"" CODE
		       "\",\"server\":\"%s\",\"name\":\"Ada\",\"subject\":\"PAY-3\",\"value\":\"\","
		       "\"round\":4,\"voters\":5,\"voted\":3,\"is_in\":true,\"waits_for_you\":true,"
		       "\"is_revealed\":false,\"is_settled\":false,\"from\":\"cache\","
		       "\"age_seconds\":0}\n",
		       d->server.address);
	verb_ends(d, "status|" CODE "|--json", EXIT_DONE);
	assert_string_equal(d->err, "");
	char *age = strstr(d->out, "\"age_seconds\":");
	assert_non_null(age);
	(void)strcpy(age, "\"age_seconds\":0}\n"); /* the machine may be slow */
	assert_string_equal(d->out, json);
}

STATUS_TEST(test_a_server_with_a_name_is_not_looked_up, d)
{
	follow(d, "tcp://poker.example:2937", &waits);
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	assert_int_equal(d->server.connections, 0);
}

STATUS_TEST(test_a_server_that_is_not_there_is_not_started, d)
{
	char server[160];
	(void)snprintf(server, sizeof(server), "unix:%s/ayed.sock", d->home);
	follow(d, server, &waits);
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	assert_int_equal(access(server + strlen("unix:"), F_OK), -1);
}

/* The server counts what strangers ask for in vain as guesses. */
STATUS_TEST(test_a_room_that_is_closed_to_strangers_is_not_asked_for, d)
{
	struct room_status closed = waits;
	closed.is_closed = true;
	follow(d, d->server.address, &closed);
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	assert_int_equal(d->server.connections, 0);
}

static void age(struct verb_desk *d, time_t seconds)
{
	char line[2 * PATH_MAX + 200];
	(void)snprintf(line, sizeof(line), "touch -d '%lld seconds ago' '%s'/status/*.json",
		       (long long)seconds, d->state.dir);
	assert_int_equal(system(line), 0);
}

STATUS_TEST(test_a_room_that_says_no_is_asked_once, d)
{
	static const char *const noes[] = {
		"{\"code\":\"PASSCODE_REQUIRED\",\"message\":\"a passcode\"}",
		"{\"code\":\"FORBIDDEN\",\"message\":\"in the lobby\"}",
		"{\"code\":\"ROOM_LOCKED\",\"message\":\"locked\"}",
	};
	for (size_t i = 0; i < sizeof(noes) / sizeof(noes[0]); i++) {
		const struct scripted_rule rules[] = {
			{.method = "room.get", .act = SCRIPTED_REFUSES, .json = noes[i]},
		};
		follow(d, d->server.address, &waits);
		scripted_play(&d->server, rules, 1);
		be_told_no(d);
		unsigned so_far = d->server.connections;
		assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
		assert_says(d, "status|" CODE, EXIT_DONE, "PAY-3: 3 of 5, waiting for you\n");
		assert_int_equal(d->server.connections, so_far);
	}
	/* Its host proves who they are. */
	unsigned so_far = d->server.connections;
	keep_host_key(d);
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	assert_true(d->server.connections > so_far);
}

/* Where a room of that code may be as well. */
static void assert_another_server_is_asked(struct verb_desk *d)
{
	char address[160];
	const char *link = address + strlen("unix:");
	unsigned so_far = d->server.connections;
	(void)snprintf(address, sizeof(address), "unix:%s/other", d->home);
	assert_int_equal(symlink(d->server.address + strlen("unix:"), link), 0);
	assert_int_equal(setenv("AYE_SERVER", address, 1), 0);
	assert_says(d, "status|" CODE "|--short", EXIT_DONE, "");
	assert_true(d->server.connections > so_far);
	state_drop_status(&d->state, address, CODE);
	assert_int_equal(setenv("AYE_SERVER", d->server.address, 1), 0);
	assert_int_equal(unlink(link), 0);
}

STATUS_TEST(test_a_room_that_was_never_followed_and_says_no_is_asked_once_an_hour, d)
{
	static const char *const noes[] = {
		"{\"code\":\"PASSCODE_REQUIRED\",\"message\":\"a passcode\"}",
		"{\"code\":\"FORBIDDEN\",\"message\":\"in the lobby\"}",
		"{\"code\":\"ROOM_LOCKED\",\"message\":\"locked\"}",
		"{\"code\":\"ROOM_NOT_FOUND\",\"message\":\"no such room\"}",
	};
	struct state_status other = {.room_id = "ABCDEF", .name = "Ada", .is = waits};
	struct errmsg why = {""};
	(void)snprintf(other.server, sizeof(other.server), "%s", d->server.address);
	for (size_t i = 0; i < sizeof(noes) / sizeof(noes[0]); i++) {
		const struct scripted_rule rules[] = {
			{.method = "room.get", .act = SCRIPTED_REFUSES, .json = noes[i]},
		};
		struct state_status is = {.server = ""};
		assert_int_equal(state_put_status(&d->state, &other, &why), OK);
		state_drop_status(&d->state, d->server.address, CODE);
		scripted_play(&d->server, rules, 1);
		for (int tries = 0; tries < 15 && !is.is.is_closed; tries++) {
			assert_says(d, "status|" CODE "|--short", EXIT_DONE, "");
			(void)state_get_status(&d->state, d->server.address, CODE, &is);
		}
		assert_true(is.is.is_closed);
		unsigned so_far = d->server.connections;
		assert_says(d, "status|" CODE "|--short", EXIT_DONE, "");
		assert_says(d, "status|" CODE, EXIT_NO, "you are in no room\n");
		assert_int_equal(d->server.connections, so_far);
		assert_another_server_is_asked(d);
		/* It hides no room that was. */
		scripted_play(&d->server, silence, 1);
		assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
		so_far = d->server.connections;
		age(d, 2 * 3600);
		assert_says(d, "status|" CODE "|--short", EXIT_DONE, "");
		assert_true(d->server.connections > so_far);
	}
}

STATUS_TEST(test_who_has_left_is_not_bothered, d)
{
	struct room_status left = waits;
	room_status_leave(&left);
	follow(d, d->server.address, &left);
	assert_says(d, "status|--short", EXIT_DONE, "");
	assert_says(d, "status", EXIT_DONE, "PAY-3: 3 of 5; you have no seat\n");
}

STATUS_TEST(test_what_is_old_is_nothing_for_a_prompt, d)
{
	follow(d, d->server.address, &waits);
	age(d, 40 * 60 + 20);
	assert_says(d, "status", EXIT_DONE, "PAY-3: 3 of 5, waiting for you (40 min ago)\n");
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	age(d, 2 * 3600 + 20);
	assert_says(d, "status", EXIT_DONE, "PAY-3: 3 of 5, waiting for you (2 h ago)\n");
	assert_says(d, "status|--short", EXIT_DONE, "");
	struct room_status kept = waits;
	kept.keeps_votes = true;
	follow(d, d->server.address, &kept);
	age(d, 48 * 3600);
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
}

STATUS_TEST(test_the_room_followed_last_is_meant_or_the_one_that_is_said, d)
{
	struct state_status other = {.room_id = "ABCDEF", .name = "Ada", .is = waits};
	struct errmsg why = {""};
	follow(d, d->server.address, &waits);
	age(d, 60);
	(void)snprintf(other.server, sizeof(other.server), "%s", d->server.address);
	other.is.voted = 1;
	assert_int_equal(state_put_status(&d->state, &other, &why), OK);
	assert_says(d, "status|--short", EXIT_DONE, "1 of 5, waiting for you\n");
	assert_says(d, "status|k7qx3m|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	assert_says(d, "status|--short|--server|tcp://127.0.0.1:1", EXIT_DONE, "");
	state_drop_status(&d->state, other.server, other.room_id);
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
}

STATUS_TEST(test_a_file_that_somebody_has_broken_is_no_room, d)
{
	char line[2 * PATH_MAX + 200];
	follow(d, d->server.address, &waits);
	(void)snprintf(line, sizeof(line), "for f in '%s'/status/*.json; do echo '{' >\"$f\"; done",
		       d->state.dir);
	assert_int_equal(system(line), 0);
	assert_says(d, "status|--short", EXIT_DONE, "");
}

STATUS_TEST(test_few_files_are_kept_for_their_owner_alone, d)
{
	static const char signs[] = "23456789ABCDEFGHJKMNPQRSTVWXYZ";
	char line[2 * PATH_MAX + 200];
	struct errmsg why = {""};
	for (size_t i = 0; i < STATE_STATUS_MAX + 4; i++) {
		struct state_status s = {.server = "unix:/s", .is = waits};
		(void)snprintf(s.room_id, sizeof(s.room_id), "AAAAA%c", signs[i]);
		assert_int_equal(state_put_status(&d->state, &s, &why), OK);
	}
	(void)snprintf(line, sizeof(line),
		       "test $(ls '%s'/status | wc -l) -eq %d && "
		       "test -z \"$(find '%s'/status -type f ! -perm 600)\"",
		       d->state.dir, STATE_STATUS_MAX, d->state.dir);
	assert_int_equal(system(line), 0);
}

/* ---- the questions that wait ---- */

static void log_in(struct verb_desk *d, const char *user_name)
{
	struct state_login login = {.token = KEY};
	struct errmsg why = {""};
	(void)snprintf(login.user_name, sizeof(login.user_name), "%s", user_name);
	assert_int_equal(state_keep_login(&d->state, d->server.address, NULL, &login, &why), OK);
}

#define ONE_QUESTION                                                                         \
	"{\"question_id\":\"q_1\",\"status\":\"OPEN\",\"prompt\":\"why\",\"type\":\"text\"," \
	"\"audience\":[\"general\"],\"required_responses\":1,\"current_responses\":0,"       \
	"\"responses_needed\":1,\"created_at\":1,\"expires_at\":2}"

static void play_waiting(struct verb_desk *d, const char *page)
{
	const struct scripted_rule rules[] = {
		{.method = "question.list", .json = page},
		{.method = "session.hello"},
		{.method = "session.resume"},
		{.act = SCRIPTED_IS_SILENT},
	};
	scripted_play(&d->server, rules, 4);
}

STATUS_TEST(test_what_waits_is_counted_and_remembered, d)
{
	struct room_status status = waits;
	log_in(d, "Ada");
	play_waiting(d, "{\"questions\":[" ONE_QUESTION "," ONE_QUESTION "]}");
	says_in_time(d, "status|--short", EXIT_DONE, "2 waiting\n");
	says_in_time(d, "status|--json", EXIT_DONE,
		     "{\"text\":\"2 waiting\",\"waiting\":2,\"waiting_has_more\":false,"
		     "\"waiting_from\":\"server\"}\n");
	assert_int_equal(scripted_count(&d->server, METHOD_SESSION_LOGIN), 0);
	scripted_play(&d->server, silence, 1);
	assert_says(d, "status|--short", EXIT_DONE, "2 waiting\n");
	assert_says(d, "status", EXIT_NO, "you are in no room\n2 questions for you (aye inbox)\n");
	follow(d, d->server.address, &status);
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you; 2 waiting\n");
	assert_says(d, "status|" CODE "|--short", EXIT_DONE, "3 of 5, waiting for you\n");
	log_in(d, "Grace"); /* for whom nothing was seen */
	assert_says(d, "status|--short", EXIT_DONE, "3 of 5, waiting for you\n");
}

STATUS_TEST(test_a_list_with_more_behind_it_and_an_empty_one_are_told_apart, d)
{
	log_in(d, "Ada");
	play_waiting(d, "{\"questions\":[" ONE_QUESTION "],\"cursor\":\"c\"}");
	says_in_time(d, "status|--short", EXIT_DONE, "1+ waiting\n");
	play_waiting(d, "{\"questions\":[]}");
	says_in_time(d, "status|--short", EXIT_DONE, "");
}

/* A person has so many lists an hour: a prompt that is drawn at every key does not use them up. */
STATUS_TEST(test_a_prompt_asks_only_so_often, d)
{
	char path[2 * PATH_MAX];
	log_in(d, "Ada");
	play_waiting(d, "{\"questions\":[" ONE_QUESTION "]}");
	says_in_time(d, "status|--short", EXIT_DONE, "1 waiting\n");
	for (int i = 0; i < STATE_WAITING_ASKS + 10; i++) {
		assert_says(d, "status|--short", EXIT_DONE, "1 waiting\n");
	}
	size_t n = scripted_count(&d->server, METHOD_QUESTION_LIST);
	assert_true(n <= STATE_WAITING_ASKS + 1);
	/* Nor is it believed what a file says of a time to come. */
	(void)snprintf(path, sizeof(path),
		       "sed -i 's/_at\": [0-9]*/_at\": 9999999999999999/' '%s'/waiting/*.json",
		       d->state.dir);
	assert_int_equal(system(path), 0);
	scripted_play(&d->server, silence, 1);
	assert_says(d, "status|--short", EXIT_DONE, "");
	(void)snprintf(path, sizeof(path),
		       "sed -i 's/seen_at\": [0-9]*/seen_at\": 1/' '%s'/waiting/*.json",
		       d->state.dir);
	assert_int_equal(system(path), 0);
	assert_says(d, "status|--short", EXIT_DONE, "");
}

STATUS_TEST(test_who_is_not_logged_in_is_not_asked_about, d)
{
	const struct scripted_rule lapsed[] = {
		{.method = "session.resume",
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNAUTHENTICATED\",\"message\":\"log in again\"}"},
		{.method = "question.list",
		 .act = SCRIPTED_REFUSES,
		 .json = "{\"code\":\"UNAUTHENTICATED\",\"message\":\"nobody\"}"},
	};
	play_waiting(d, "{\"questions\":[" ONE_QUESTION "]}");
	assert_says(d, "status|--short", EXIT_DONE, "");
	assert_int_equal(d->server.connections, 0);
	log_in(d, "Ada");
	scripted_play(&d->server, lapsed, 2);
	assert_says(d, "status|--short", EXIT_DONE, "");
	assert_int_equal(scripted_count(&d->server, METHOD_SESSION_LOGIN), 0);
	/* What a prompt heard of the session is not what the next verb goes by. */
	play_waiting(d, "{\"questions\":[" ONE_QUESTION "]}");
	says_in_time(d, "status|--short", EXIT_DONE, "1 waiting\n");
}
