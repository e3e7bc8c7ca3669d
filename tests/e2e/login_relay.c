/*
 * login_relay.c - a server that hands on another server's nonce, and what it
 * gets of that: nothing of the person who logs in at it.
 *
 * The server S is a real ayed, the person a real aye; between them stands M,
 * which the person believes to be a server of its own.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proto/keys/key_hash.h"
#include "proto/keys/signature.h"
#include "proto/records/records.h"
#include "proto/rpc.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

#define TEXT_BYTES 512

struct scene {
	struct net_server s;
	char s_address[64];
	char home[64];
	int m; /* M listens */
	char m_address[64];
};

static int open_m(char address[64])
{
	struct sockaddr_in at = {.sin_family = AF_INET};
	socklen_t len = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	assert_true(fd >= 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 4), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&at, &len), 0);
	(void)snprintf(address, 64, "tcp://127.0.0.1:%u", (unsigned)ntohs(at.sin_port));
	return fd;
}

static int given_scene(void **state)
{
	struct scene *c = calloc(1, sizeof(*c));
	const char *args[] = {"--listen", "tcp://127.0.0.1:0", NULL};
	assert_non_null(c);
	net_dir(&c->s);
	net_start(&c->s, args);
	(void)snprintf(c->s_address, sizeof(c->s_address), "tcp://127.0.0.1:%d",
		       net_port(&c->s, "tcp://127.0.0.1:"));
	(void)snprintf(c->home, sizeof(c->home), "/tmp/aye-relay-XXXXXX");
	assert_non_null(mkdtemp(c->home));
	assert_int_equal(setenv("HOME", c->home, 1), 0);
	assert_int_equal(setenv("XDG_STATE_HOME", c->home, 1), 0);
	assert_int_equal(unsetenv("AYE_SERVER"), 0);
	c->m = open_m(c->m_address);
	*state = c;
	return 0;
}

static int wait_for(pid_t pid)
{
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static int scene_goes(void **state)
{
	struct scene *c = *state;
	pid_t pid = fork();
	if (pid == 0) {
		execlp("rm", "rm", "-rf", c->home, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(wait_for(pid), 0);
	(void)close(c->m);
	(void)net_end(&c->s, SIGKILL);
	net_remove(&c->s);
	free(c);
	return 0;
}

/* aye WORDS --server SERVER, with what it prints on *out. */
static pid_t spawn_aye(const char *const *words, const char *server, int *out)
{
	const char *program = getenv("AYE");
	const char *args[12] = {"aye"};
	size_t n = 1;
	int pipes[2];
	assert_int_equal(pipe(pipes), 0);
	for (size_t i = 0; words[i] != NULL; i++) {
		args[n++] = words[i];
	}
	args[n++] = "--server";
	args[n++] = server;
	union {
		const char *const *in;
		char *const *out;
	} all = {.in = args};
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		(void)dup2(pipes[1], STDOUT_FILENO);
		(void)dup2(pipes[1], STDERR_FILENO);
		(void)close(pipes[0]);
		(void)close(pipes[1]);
		(void)execv(program != NULL ? program : "build/debug/aye", all.out);
		_exit(127);
	}
	(void)close(pipes[1]);
	*out = pipes[0];
	return pid;
}

static int end_aye(pid_t pid, int out, char text[TEXT_BYTES])
{
	size_t n = 0;
	ssize_t got;
	char more[256];
	while ((got = read(out, more, sizeof(more))) > 0) {
		for (ssize_t i = 0; i < got && n + 1 < TEXT_BYTES; i++) {
			text[n++] = more[i];
		}
	}
	text[n] = '\0';
	(void)close(out);
	return wait_for(pid);
}

static void user_at_s(const struct scene *c, char user_id[65])
{
	const char *const words[] = {"login", "Ada", "--json", NULL};
	char text[TEXT_BYTES];
	int out;
	pid_t pid = spawn_aye(words, c->s_address, &out);
	assert_int_equal(end_aye(pid, out, text), 0);
	net_field(text, "user_id", user_id, 65);
}

static void leave_s(const struct scene *c)
{
	const char *const words[] = {"logout", NULL};
	char text[TEXT_BYTES];
	int out;
	pid_t pid = spawn_aye(words, c->s_address, &out);
	assert_int_equal(end_aye(pid, out, text), 0);
}

static uint32_t msgid_of(const char *json)
{
	assert_memory_equal(json, "[0,", 3);
	return (uint32_t)strtoul(json + 3, NULL, 10);
}

/* M lets the person in as far as hello, with a nonce of its choice. */
static void m_greets(const struct scene *c, struct net_peer *victim, const char *nonce)
{
	struct buf frame;
	struct hello_result r = {
		.protocol = 1,
		.server = SLICE("ayed/0.1.0"),
		.limits = SLICE("\x80"),
		.nonce = slice_str(nonce),
	};
	int fd = accept(c->m, NULL, NULL);
	assert_true(fd >= 0);
	net_peer_open(victim, fd);
	const char *json = net_message(victim);
	assert_non_null(json);
	assert_non_null(strstr(json, "\"session.hello\""));
	buf_init(&frame, 65536);
	rpc_write_result(&frame, msgid_of(json), &record_hello_result, &r);
	assert_int_equal(frame.error, OK);
	net_send(victim->fd, frame.data, frame.len);
	buf_finish(&frame);
}

/* What the person signs for M, sent to S as M's own. The answer of S. */
static const char *m_relays(const struct scene *c, const char *const *words, struct net_peer *at_s)
{
	struct net_peer victim;
	char nonce[KEY_CHARS + 1];
	char public_key[KEY_CHARS + 1];
	char signature[SIGNATURE_CHARS + 1];
	char params[TEXT_BYTES];
	char text[TEXT_BYTES];
	int out;
	pid_t pid = spawn_aye(words, c->m_address, &out);
	net_peer_open(at_s, net_connect(&c->s));
	net_field(net_must(at_s, "session.hello", "{\"protocol\":1,\"client\":\"relay\"}"), "nonce",
		  nonce, sizeof(nonce));
	m_greets(c, &victim, nonce);
	const char *json = net_message(&victim);
	assert_non_null(json);
	assert_non_null(strstr(json, "\"session.login\""));
	net_field(json, "public_key", public_key, sizeof(public_key));
	net_field(json, "signature", signature, sizeof(signature));
	net_peer_close(&victim);
	assert_int_equal(end_aye(pid, out, text), 3);
	(void)snprintf(params, sizeof(params),
		       "{\"user_name\":\"Ada\",\"public_key\":\"%s\",\"signature\":\"%s\"}",
		       public_key, signature);
	return net_call(at_s, "session.login", params);
}

static const char *const login[] = {"login", "Ada", NULL};

#define SCENE_TEST(name, c) TEST_IN(name, struct scene, c, given_scene, scene_goes)

SCENE_TEST(test_a_relay_is_nobody_whom_the_other_server_knows, c)
{
	struct net_peer at_s;
	char ada[65];
	char relay[65];
	user_at_s(c, ada);
	assert_non_null(strstr(m_relays(c, login, &at_s), "\"NAME_TAKEN\""));
	assert_non_null(strstr(net_call(&at_s, "session.whoami", "{}"), "\"UNAUTHENTICATED\""));
	net_peer_close(&at_s);
	/* With the name free it is one more user of that name, as anybody might be. */
	leave_s(c);
	net_field(m_relays(c, login, &at_s), "user_id", relay, sizeof(relay));
	assert_string_not_equal(relay, ada);
	assert_non_null(strstr(net_must(&at_s, "session.whoami", "{}"), "\"rooms\":[]"));
	(void)net_must(&at_s, "session.logout", "{}");
	net_peer_close(&at_s);
	user_at_s(c, relay);
	assert_string_equal(relay, ada);
}

/* Which is what --same-as is for, and why nothing but that does it. */
SCENE_TEST(test_a_key_that_is_shared_on_purpose_is_one_user, c)
{
	const char *const words[] = {"login", "Ada", "--same-as", c->s_address, NULL};
	struct net_peer at_s;
	char ada[65];
	char relay[65];
	user_at_s(c, ada);
	net_field(m_relays(c, words, &at_s), "user_id", relay, sizeof(relay));
	assert_string_equal(relay, ada);
	net_peer_close(&at_s);
}

SCENE_TEST(test_what_is_no_nonce_is_not_signed, c)
{
	static const char *const nonces[] = {
		"aye-login-1\nAda\nAAAAAAAAAAAAAAAAAAAAAAAAAAA",
		"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
	};
	for (size_t i = 0; i < sizeof(nonces) / sizeof(nonces[0]); i++) {
		struct net_peer victim;
		char text[TEXT_BYTES];
		int out;
		assert_int_equal(strlen(nonces[i]), KEY_CHARS);
		pid_t pid = spawn_aye(login, c->m_address, &out);
		m_greets(c, &victim, nonces[i]);
		assert_null(net_message(&victim)); /* it says no more and goes */
		assert_int_equal(end_aye(pid, out, text), 1);
		assert_non_null(strstr(text, "nonce is not 43 base64url characters"));
		net_peer_close(&victim);
	}
}
