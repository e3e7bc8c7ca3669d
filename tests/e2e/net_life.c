/*
 * net_life.c - a real server's beginning and end: what it needs, what it
 * refuses to begin with, what it leaves behind, and what it never loses.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "proto/base/limits.h"
#include "tests/support/net_kit.h"
#include "tests/support/test.h"

/* A start that must fail: its exit status, after its log has held the words. */
static int refused_start(const struct net_server *like, const char *listen_at, const char *words)
{
	struct net_server other = *like;
	const char *args[] = {"--listen", listen_at, NULL};
	net_spawn(&other, args);
	assert_true(net_wait_log(&other, words));
	return net_wait(&other);
}

static void unix_address(const struct net_server *s, char out[NET_PATH_BYTES + 8])
{
	(void)snprintf(out, NET_PATH_BYTES + 8, "unix:%s", s->socket);
}

static void assert_serves(int fd)
{
	struct net_peer p;
	net_peer_open(&p, fd);
	net_hello(&p);
	(void)net_must(&p, "server.ping", "{}");
	net_peer_close(&p);
}

/* The port in {"addresses":["tls://127.0.0.1:PORT"],"fingerprint":"SHA256:..."}, the only one. */
static int shared_port(const char *answer)
{
	const char *at = strstr(answer, "[\"tls://127.0.0.1:");
	assert_non_null(at);
	char *end;
	long port = strtol(at + strlen("[\"tls://127.0.0.1:"), &end, 10);
	assert_memory_equal(end, "\"]", 2);
	assert_non_null(strstr(answer, "\"fingerprint\":\"SHA256:"));
	return (int)port;
}

/* A connection that openssl's own client encrypts, which ends with it. */
static int connect_tls(int port)
{
	int ends[2];
	char at[40];
	(void)snprintf(at, sizeof(at), "127.0.0.1:%d", port);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		/* Nobody here waits for it: it is init's child. */
		if (fork() != 0 || dup2(ends[1], 0) < 0 || dup2(ends[1], 1) < 0) {
			_exit(0);
		}
		int nowhere = open("/dev/null", O_WRONLY);
		(void)dup2(nowhere, 2);
		(void)execlp("openssl", "openssl", "s_client", "-quiet", "-no_ign_eof", "-connect",
			     at, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	(void)close(ends[1]);
	return ends[0];
}

NET_TEST(its_owner_lets_others_in_while_it_runs, s)
{
	const char *args[] = {NULL};
	char params[64];
	struct net_peer owner;
	struct net_peer other;
	net_start(s, args);
	net_peer_open(&owner, net_connect(s));
	net_hello(&owner);
	assert_non_null(strstr(net_must(&owner, "server.share", "{}"), "{\"addresses\":[]}"));
	int port = shared_port(net_must(&owner, "server.share", "{\"address\":\"127.0.0.1:0\"}"));
	assert_serves(connect_tls(port));

	/* Again, in the words that were used and by what came of them: it is there. */
	(void)snprintf(params, sizeof(params), "{\"address\":\"127.0.0.1:%d\"}", port);
	assert_int_equal(shared_port(net_must(&owner, "server.share", params)), port);
	assert_int_equal(shared_port(
				 net_must(&owner, "server.share", "{\"address\":\"127.0.0.1:0\"}")),
			 port);
	assert_int_equal(shared_port(net_must(&owner, "server.share", "{}")), port);

	net_peer_open(&other, connect_tls(port));
	net_hello(&other);
	assert_non_null(strstr(net_call(&other, "server.share", "{}"), "FORBIDDEN"));
	net_peer_close(&other);
	net_peer_close(&owner);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

static bool is_listened_on(int port)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	bool is_there = connect(fd, (const struct sockaddr *)&at, sizeof(at)) == 0;
	(void)close(fd);
	return is_there;
}

/* Those who came stay; what was listened on from the start stays too, and so many can be added again. */
NET_TEST(its_owner_lets_others_in_no_longer, s)
{
	const char *args[] = {"--listen", "tcp://127.0.0.1:0", NULL};
	char params[64];
	struct net_peer owner;
	struct net_peer other;
	net_start(s, args);
	int first = net_port(s, "tcp://127.0.0.1:");
	net_peer_open(&owner, net_connect(s));
	net_hello(&owner);
	(void)net_must(&owner, "server.share", "{\"address\":\"127.0.0.2:0\"}");
	const char *answer = net_must(&owner, "server.share",
				      "{\"address\":\"127.0.0.1:0\",\"web_scheme\":\"http\"}");
	const char *at = strstr(answer, "tls://127.0.0.1:");
	assert_non_null(at);
	assert_non_null(strstr(answer, "\"web\":\"http://127.0.0.1:"));
	int port = (int)strtol(at + strlen("tls://127.0.0.1:"), NULL, 10);
	net_peer_open(&other, connect_tls(port));
	net_hello(&other);

	answer = net_must(&owner, "server.share", "{\"unshare\":true}");
	assert_null(strstr(answer, "tls://"));
	assert_null(strstr(answer, "\"web\""));
	assert_false(is_listened_on(port));
	assert_true(is_listened_on(first));
	(void)net_must(&other, "server.ping", "{}");

	for (int i = 0; i < MAX_SERVER_ADDRESSES; i++) {
		(void)snprintf(params, sizeof(params), "{\"address\":\"127.0.0.%d:0\"}", i + 1);
		(void)net_must(&owner, "server.share", params);
	}
	assert_non_null(strstr(net_call(&owner, "server.share", "{\"address\":\"127.0.0.99:0\"}"),
			       "TOO_LARGE"));
	net_peer_close(&other);
	net_peer_close(&owner);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST(an_address_that_cannot_be_shared_is_refused_and_the_rest_goes_on, s)
{
	static const struct {
		const char *address, *words;
	} refused[] = {
		{"192.0.2.1", "no such address"},
		{"poker.example.org", "names are not looked up"},
		{"127.0.0.1:x", "a TCP address is"},
		{"127.0.0.1:70000", "a TCP address is"},
		{"::1", "a TCP address is"},
	};
	const char *args[] = {NULL};
	char params[64];
	struct net_server taken = {.pid = 0};
	struct net_peer owner;
	const char *tcp[] = {"--listen", "tcp://127.0.0.1:0", NULL};
	net_dir(&taken);
	net_start(&taken, tcp);
	net_start(s, args);
	net_peer_open(&owner, net_connect(s));
	net_hello(&owner);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		(void)snprintf(params, sizeof(params), "{\"address\":\"%s\"}", refused[i].address);
		assert_non_null(strstr(net_call(&owner, "server.share", params), refused[i].words));
	}
	(void)snprintf(params, sizeof(params), "{\"address\":\"127.0.0.1:%d\"}",
		       net_port(&taken, "tcp://127.0.0.1:"));
	assert_non_null(strstr(net_call(&owner, "server.share", params), "CONFLICT"));
	assert_non_null(strstr(net_must(&owner, "server.share", "{}"), "{\"addresses\":[]}"));
	for (int i = 0; i < MAX_SERVER_ADDRESSES; i++) {
		(void)snprintf(params, sizeof(params), "{\"address\":\"127.0.0.%d:0\"}", i + 1);
		(void)net_must(&owner, "server.share", params);
	}
	assert_non_null(strstr(net_call(&owner, "server.share", "{\"address\":\"127.0.0.99:0\"}"),
			       "TOO_LARGE"));
	net_peer_close(&owner);
	assert_int_equal(net_end(&taken, SIGTERM), 0);
	net_remove(&taken);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST(the_ready_line_names_every_address_in_order, s)
{
	const char *args[] = {"--listen", "tcp://127.0.0.1:0", "--listen", "tcp://[::1]:0", NULL};
	char begin[NET_PATH_BYTES + 40];
	net_start(s, args);
	(void)snprintf(begin, sizeof(begin), "ready unix:%s tcp://127.0.0.1:", s->socket);
	assert_memory_equal(s->ready, begin, strlen(begin));
	assert_non_null(strstr(s->ready, " tcp://[::1]:"));
	assert_serves(net_connect(s));
	assert_serves(net_connect_tcp("127.0.0.1", net_port(s, "tcp://127.0.0.1:")));
	assert_serves(net_connect_tcp("::1", net_port(s, "tcp://[::1]:")));
	assert_int_equal(net_end(s, SIGINT), 0);
	assert_int_not_equal(access(s->socket, F_OK), 0);
}

NET_TEST(only_this_user_gets_at_socket_and_data, s)
{
	char path[NET_PATH_BYTES + 16];
	struct stat st;
	net_start(s, NULL);
	assert_int_equal(stat(s->socket, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(s->data, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	static const char *const files[] = {"server.key", "data.mdb", "lock.mdb"};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", s->data, files[i]);
		assert_int_equal(stat(path, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0600);
	}
	assert_int_equal(net_end(s, SIGTERM), 0);
	const char *args[] = {"--socket-mode", "0666", NULL};
	net_start(s, args);
	assert_int_equal(stat(s->socket, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0666);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

static bool holds(const struct buf *b, const char *text)
{
	size_t len = strlen(text);
	for (size_t i = 0; i + len <= b->len; i++) {
		if (memcmp(b->data + i, text, len) == 0) {
			return true;
		}
	}
	return false;
}

/* What `printf ... | nc -N` does: the answers still come, the one that waits for the disk too, then
 * the end. */
NET_TEST_OVER_TRANSPORTS_AND_NODES(a_peer_that_sends_no_more_still_gets_its_answers, s)
{
	struct net_peer p;
	struct buf rest = {.max = 65536};
	net_start(s, NULL);
	net_peer_open(&p, net_connect(s));
	net_hello(&p);
	(void)net_request(&p, "room.create", "{}");
	assert_int_equal(shutdown(p.fd, SHUT_WR), 0);
	net_receive_all(p.fd, &rest);
	assert_int_equal(rest.error, OK);
	assert_true(holds(&rest, "host_key"));
	buf_finish(&rest);
	net_peer_close(&p);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/* What it has not read makes its end a reset. */
NET_TEST_OVER_TRANSPORTS_AND_NODES(a_member_who_goes_without_reading_is_shown_as_gone, s)
{
	enum { STAYS, GOES, PEERS };
	struct net_peer peers[PEERS];
	char room[32] = "", params[128];
	const char *json;
	net_start(s, NULL);
	for (int i = 0; i < PEERS; i++) {
		net_peer_open(&peers[i], net_connect(s));
		net_hello(&peers[i]);
		if (i == 0) {
			net_field(net_must(&peers[i], "room.create", "{}"), "room_id", room,
				  sizeof(room));
		}
		(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\"}", room);
		(void)net_must(&peers[i], "room.subscribe", params);
		(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\",\"username\":\"m%d\"}",
			       room, i);
		(void)net_must(&peers[i], "room.join", params);
	}
	for (int i = 0; i < 100; i++) {
		(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\",\"title\":\"%d\"}",
			       room, i);
		(void)net_must(&peers[STAYS], "room.set_title", params);
	}
	net_peer_close(&peers[GOES]);
	do {
		json = net_message(&peers[STAYS]);
		assert_non_null(json);
	} while (strstr(json, "\"is_connected\":false") == NULL);
	net_peer_close(&peers[STAYS]);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST(a_second_server_on_the_same_data_is_refused, s)
{
	net_start(s, NULL);
	assert_int_equal(refused_start(s, "tcp://127.0.0.1:0", "open"), 1);
	assert_serves(net_connect(s));
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST(an_address_in_use_is_refused_and_left_alone, s)
{
	struct net_server other;
	char at[NET_PATH_BYTES + 8];
	const char *args[] = {"--listen", "tcp://127.0.0.1:0", NULL};
	net_start(s, args);
	net_dir(&other);
	unix_address(s, at);
	assert_int_equal(refused_start(&other, at, "another server uses it"), 1);
	(void)snprintf(at, sizeof(at), "tcp://127.0.0.1:%d", net_port(s, "tcp://127.0.0.1:"));
	assert_int_equal(refused_start(&other, at, "another program uses the port"), 1);
	net_remove(&other);
	assert_serves(net_connect(s));
	assert_int_equal(net_end(s, SIGTERM), 0);
}

NET_TEST(a_socket_that_nobody_listens_on_is_replaced, s)
{
	net_start(s, NULL);
	assert_int_equal(net_end(s, SIGKILL), 1000 + SIGKILL);
	assert_int_equal(access(s->socket, F_OK), 0);
	net_start(s, NULL);
	assert_serves(net_connect(s));
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/* As one is that has stopped, or has more newcomers than it takes in. */
NET_TEST(a_server_whose_queue_of_newcomers_is_full_keeps_its_socket, s)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char address[NET_PATH_BYTES + 8];
	int waiting[8];
	size_t n = 0;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	memcpy(at.sun_path, s->socket, strlen(s->socket));
	assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 1), 0);
	for (int failed = 0; failed == 0; n++) {
		assert_true(n < sizeof(waiting) / sizeof(waiting[0]));
		waiting[n] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
		failed = connect(waiting[n], (const struct sockaddr *)&at, sizeof(at));
	}
	assert_int_equal(errno, EAGAIN);
	unix_address(s, address);
	assert_int_equal(refused_start(s, address, "another server uses it"), 1);
	while (n > 0) {
		(void)close(waiting[--n]);
	}
	(void)close(fd);
}

/* By another server, that was started when somebody had removed the first one's socket. */
NET_TEST(a_socket_that_was_replaced_outlives_the_first_server, s)
{
	struct net_server second;
	char at[NET_PATH_BYTES + 8];
	net_start(s, NULL);
	assert_int_equal(unlink(s->socket), 0);
	net_dir(&second);
	unix_address(s, at);
	const char *args[] = {"--listen", at, NULL};
	net_start(&second, args);
	assert_int_equal(net_end(s, SIGTERM), 0);
	assert_serves(net_connect_unix(s->socket));
	assert_int_equal(net_end(&second, SIGTERM), 0);
	assert_int_not_equal(access(s->socket, F_OK), 0);
	net_remove(&second);
}

NET_TEST(a_file_at_the_sockets_path_is_left_alone, s)
{
	char at[NET_PATH_BYTES + 8];
	struct stat st;
	int fd = open(s->socket, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	(void)close(fd);
	unix_address(s, at);
	assert_int_equal(refused_start(s, at, "the path exists"), 1);
	assert_int_equal(stat(s->socket, &st), 0);
	assert_true(S_ISREG(st.st_mode));
}

NET_TEST(a_path_too_long_for_a_socket_is_refused, s)
{
	char at[200] = "unix:/tmp/";
	memset(at + 10, 'x', 150);
	assert_int_equal(refused_start(s, at, "at most 107"), 2);
}

NET_TEST(data_open_to_others_are_refused, s)
{
	assert_int_equal(mkdir(s->data, 0700), 0);
	assert_int_equal(chmod(s->data, 0755), 0);
	assert_int_equal(refused_start(s, "tcp://127.0.0.1:0", "chmod 700"), 1);
}

NET_TEST(data_without_their_key_are_refused, s)
{
	char key[NET_PATH_BYTES + 16];
	net_start(s, NULL);
	assert_int_equal(net_end(s, SIGTERM), 0);
	(void)snprintf(key, sizeof(key), "%s/server.key", s->data);
	assert_int_equal(unlink(key), 0);
	assert_int_equal(refused_start(s, "tcp://127.0.0.1:0", "server.key is missing"), 1);
	int fd = open(key, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_int_equal(write(fd, "short", 5), 5);
	(void)close(fd);
	assert_int_equal(refused_start(s, "tcp://127.0.0.1:0", "damaged"), 1);
}

NET_TEST(it_ends_by_itself_when_nobody_is_there, s)
{
	const char *args[] = {"--idle-exit", "1", NULL};
	net_start(s, args);
	assert_serves(net_connect(s));
	assert_true(net_wait_log(s, "no connections"));
	assert_int_equal(net_wait(s), 0);
}

NET_TEST(it_tells_the_service_manager, s)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	char word[64];
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	(void)snprintf(at.sun_path, sizeof(at.sun_path), "%.80s/notify", s->dir);
	assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	s->notify = at.sun_path;
	net_start(s, NULL);
	word[net_receive(fd, word, sizeof(word) - 1)] = '\0';
	assert_string_equal(word, "READY=1");
	assert_int_equal(net_end(s, SIGTERM), 0);
	word[net_receive(fd, word, sizeof(word) - 1)] = '\0';
	assert_string_equal(word, "STOPPING=1");
	(void)close(fd);
}

NET_TEST(it_serves_on_a_socket_it_is_handed, s)
{
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (const struct sockaddr *)&at, sizeof(at)), 0);
	assert_int_equal(listen(fd, 16), 0);
	s->inherited = fd;
	net_spawn(s, NULL);
	assert_true(net_line(s->out, s->ready));
	assert_serves(net_connect_tcp("127.0.0.1", net_port(s, "ready tcp://127.0.0.1:")));
	assert_int_equal(net_end(s, SIGTERM), 0);
	(void)close(fd);
}

/* One voter, as fast as answers come; a signal at a random instant. What was acknowledged is there
 * afterwards. */
NET_TEST_OVER_ALL(a_stop_amid_votes_loses_nothing_acknowledged, s)
{
	struct net_peer p;
	char room[32];
	char key[64];
	char params[256];
	const char *vote = "";
	net_start(s, NULL);
	net_peer_open(&p, net_connect(s));
	net_hello(&p);
	net_field(net_must(&p, "room.create", "{\"deck\":\"fibonacci\"}"), "room_id", room,
		  sizeof(room));
	(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\"}", room);
	net_field(net_must(&p, "room.subscribe", params), "user_key", key, sizeof(key));
	(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\",\"username\":\"Ada\"}", room);
	(void)net_must(&p, "room.join", params);
	bool is_over = false;
	for (int i = 0; !is_over; i++) {
		const char *next = i % 2 == 0 ? "3" : "5";
		(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\",\"vote\":\"%s\"}", room,
			       next);
		(void)net_request(&p, "room.vote", params);
		if (i == 200) {
			assert_int_equal(kill(s->pid, SIGTERM), 0);
		}
		const char *json = "";
		while (json != NULL && strncmp(json, "[1,", 3) != 0) {
			json = net_message(&p);
		}
		is_over = json == NULL;
		if (json != NULL && strstr(json, ",null,{") != NULL) {
			vote = next;
		}
	}
	net_peer_close(&p);
	assert_int_equal(net_wait(s), 0);
	net_start(s, NULL);
	net_peer_open(&p, net_connect(s));
	net_hello(&p);
	(void)snprintf(params, sizeof(params), "{\"room_id\":\"%s\",\"user_key\":\"%s\"}", room,
		       key);
	(void)net_must(&p, "room.subscribe", params);
	const char *json = "";
	while (strstr(json, "room.you") == NULL) {
		json = net_message(&p);
		assert_non_null(json);
	}
	char found[16];
	net_field(json, "vote", found, sizeof(found));
	assert_string_equal(found, vote);
	net_peer_close(&p);
	assert_int_equal(net_end(s, SIGTERM), 0);
}

/* Both are at hand when it wakes, so that the second cannot come too late. */
NET_TEST(a_second_signal_ends_it_at_once, s)
{
	int status = 0;
	net_start(s, NULL);
	assert_int_equal(kill(s->pid, SIGSTOP), 0);
	assert_int_equal(waitpid(s->pid, &status, WUNTRACED), s->pid);
	assert_true(WIFSTOPPED(status));
	assert_int_equal(kill(s->pid, SIGTERM), 0);
	assert_int_equal(kill(s->pid, SIGINT), 0);
	assert_int_equal(net_end(s, SIGCONT), 1);
}

/* While it is stopped the time for the message ends, and the rest of it comes. */
NET_TEST_OVER_TRANSPORTS_AND_NODES(a_message_whose_rest_lay_in_the_socket_is_served_after_a_stall,
				   s)
{
	const char *args[] = {"--limit", "frame_ms=2000",
			      NULL}; /* enough for one ping, wherever it runs */
	struct net_peer p;
	struct net_peer guest;
	static const char ping[] = "\x94\x00\x07\xabserver.ping\x90";
	const struct timespec longer = {2, 300000000};
	net_start(s, args);
	net_peer_open(&p, net_connect(s));
	net_hello(&p);
	net_peer_open(&guest, net_connect(s));
	net_hello(&guest);
	net_send(p.fd, ping, 5);
	(void)net_must(&guest, "server.ping", "{}"); /* behind it: the first part has been read */
	net_stop_asleep(s);
	net_send(p.fd, ping + 5, sizeof(ping) - 1 - 5);
	for (int i = 0; i < 2; i++) { /* they have passed it on */
		if (s->relays[i] > 0) {
			net_wait_until_asleep(s->relays[i]);
		}
	}
	assert_int_equal(nanosleep(&longer, NULL), 0);
	assert_int_equal(kill(s->pid, SIGCONT), 0);
	const char *json = net_message(&p);
	assert_non_null(json);
	assert_memory_equal(json, "[1,7,null,", 10);
	net_peer_close(&guest);
	net_peer_close(&p);
	assert_int_equal(net_end(s, SIGTERM), 0);
}
