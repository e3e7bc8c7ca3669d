/*
 * test_net_options.c - the command line of ayed, and the addresses in it.
 */
#include <stdbool.h>
#include <string.h>

#include "proto/rpc.h"
#include "proto/base/format.h"
#include "server/cli/options.h"
#include "tests/support/test.h"

#define WORDS_MAX 16

/* Words are split at blanks, as a person types them. */
static enum err parse(const char *line, struct options *o, struct errmsg *why)
{
	static char text[512];
	char *words[WORDS_MAX + 1];
	int n = 0;
	assert_true(strlen(line) < sizeof(text));
	memcpy(text, line, strlen(line) + 1);
	for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " ")) {
		assert_true(n < WORDS_MAX);
		words[n++] = word;
	}
	words[n] = NULL;
	*why = (struct errmsg){{0}};
	return options_parse(n, words, o, why);
}

TEST(every_option_is_taken)
{
	struct options o;
	struct errmsg why;
	assert_int_equal(
		parse("ayed --data d --listen unix:s --listen tcp://[::1]:0 --limit connections=7 "
		      "--room-code-length 16 --map-size 512M",
		      &o, &why),
		OK);
	assert_int_equal(o.command, COMMAND_SERVE);
	assert_string_equal(o.data, "d");
	assert_int_equal(o.listens_n, 2);
	assert_string_equal(o.listens[0].path, "s");
	assert_string_equal(o.listens[1].host, "::1");
	assert_int_equal(o.limits[LIMIT_CONNECTIONS], 7);
	assert_int_equal(o.limits[LIMIT_ROOM_SEATS], MAX_ROOM_SEATS);
	assert_int_equal(o.room_code_chars, 16);
	assert_true(o.map_bytes == 512u << 20);
	assert_int_equal(
		parse("ayed --reserve 64KiB --log-level debug --idle-exit 5 --socket-mode 0666 "
		      "--notify-command /bin/true",
		      &o, &why),
		OK);
	assert_int_equal(o.reserve_bytes, 65536);
	assert_int_equal(o.level, LOG_DEBUG);
	assert_int_equal(o.idle_exit_s, 5);
	assert_int_equal(o.socket_mode, 0666);
	assert_string_equal(o.notify_command, "/bin/true");
	assert_int_equal(parse("ayed --limits f --limit connections=7", &o, &why), OK);
	assert_string_equal(o.limits_file, "f");
	assert_true(o.limits_given[LIMIT_CONNECTIONS]);
	assert_false(o.limits_given[LIMIT_ROOM_SEATS]);
	assert_int_equal(o.listens_n, 0);
}

TEST(commands_take_their_words_and_options)
{
	struct options o;
	struct errmsg why;
	assert_int_equal(parse("ayed check d", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_CHECK);
	assert_string_equal(o.words[0], "d");
	assert_int_equal(parse("ayed dump d --hidden-votes", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_DUMP);
	assert_true(o.with_hidden);
	assert_int_equal(parse("ayed --store redis+cluster://h --key-file k", &o, &why), OK);
	assert_true(o.redis.is_cluster);
	assert_int_equal(parse("ayed check --store redis+cluster://h", &o, &why), OK);
	assert_int_equal(parse("ayed copy redis+cluster://h lmdb:d --key-file k", &o, &why), OK);
	assert_int_equal(parse("ayed dump --store redis://h", &o, &why), OK);
	assert_true(o.has_redis && o.words[0] == NULL);
	assert_int_equal(parse("ayed copy lmdb:d redis://:pw@h --key-file k --json", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_COPY);
	assert_string_equal(o.from.directory, "d");
	assert_null(o.to.directory);
	assert_string_equal(o.to.redis.at.host, "h");
	assert_null(strstr(o.words[1], "pw")); /* nor does anybody see it in the arguments */
	assert_int_equal(parse("ayed stats", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_STATS);
	assert_false(o.is_json || o.is_prometheus);
	assert_int_equal(parse("ayed stats /s --prometheus --output f", &o, &why), OK);
	assert_true(o.is_prometheus);
	assert_string_equal(o.output, "f");
	assert_int_equal(parse("ayed load d", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_LOAD);
	assert_int_equal(parse("ayed backup d e --keep 7 --every 12h --json", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_BACKUP);
	assert_string_equal(o.words[1], "e");
	assert_true(o.keep == 7 && o.every_s == 43200 && o.is_json);
	assert_int_equal(parse("ayed restore d e", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_RESTORE);
	assert_true(o.keep == 0 && o.every_s == 0 && !o.is_json);
	assert_int_equal(parse("ayed --version", &o, &why), OK);
	assert_int_equal(o.command, COMMAND_VERSION);
}

TEST(help_is_of_everything_or_of_one_command)
{
	struct options o;
	struct errmsg why;
	static const struct {
		const char *line;
		const char *about;
	} rows[] = {
		{"ayed help", NULL},
		{"ayed --help", NULL},
		{"ayed --data d --help", NULL},
		{"ayed help limits", "limits"},
		{"ayed help dump", "dump"},
		{"ayed dump --help", "dump"},
		{"ayed dump d --help", "dump"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(parse(rows[i].line, &o, &why), OK);
		assert_int_equal(o.command, COMMAND_HELP);
		if (rows[i].about == NULL) {
			assert_null(o.words[0]);
		} else {
			assert_string_equal(o.words[0], rows[i].about);
		}
	}
}

static const struct {
	const char *line;
	const char *word;
} wrong_lines[] = {
	{"ayed --frob", "--frob"},
	{"ayed --data", "--data"},
	{"ayed frob", "frob"},
	{"ayed check", "ayed check"},
	{"ayed check a b", "ayed check"},
	{"ayed --limit frame_bytes=1", "frame_bytes"},
	{"ayed --limit connections", "NAME=NUMBER"},
	{"ayed --limit connections=0", "NAME=NUMBER"},
	{"ayed --limit connections=-1", "NAME=NUMBER"},
	{"ayed --limit connections=99999999999999999999", "NAME=NUMBER"},
	{"ayed --limit connection=1", "unknown limit"},
	{"ayed --limit =1", "unknown limit"},
	{"ayed --room-code-length 5", "6 to 16"},
	{"ayed --room-code-length 17", "6 to 16"},
	{"ayed --map-size 1K", "at least 1M"},
	{"ayed --map-size 1X", "at least 1M"},
	{"ayed --map-size M", "at least 1M"},
	{"ayed --map-size 9999999999999999T", "at least 1M"},
	{"ayed --reserve -1", "size"},
	{"ayed --log-level loud", "debug"},
	{"ayed --idle-exit 0", "seconds"},
	{"ayed --notify-command tell", "absolute path"},
	{"ayed --socket-mode 0888", "octal"},
	{"ayed --socket-mode 06666", "octal"},
	{"ayed --listen here", "unix:, tcp://, tls://, http:// or https://"},
	{"ayed --listen http://a:x", "a web address is http://HOST:PORT"},
	{"ayed --listen tls://a:x", "a TCP address is tcp://HOST:PORT"},
	{"ayed --web-proxy localhost", "an address without a name"},
	{"ayed --web-origin poker.example", "https://poker.example"},
	{"ayed check --insecure-web d", "ayed check does not take --insecure-web"},
	{"ayed --tls-cert a.pem", "go together"},
	{"ayed check --hidden-votes d", "ayed check does not take --hidden-votes"},
	{"ayed --hidden-votes --data d", "ayed does not take --hidden-votes"},
	{"ayed dump --data d", "ayed dump does not take --data"},
	{"ayed stats tls://h", "only a unix socket"},
	{"ayed stats --json --prometheus", "choose one"},
	{"ayed stats d e", "ayed stats takes"},
	{"ayed check --json d", "ayed check does not take --json"},
	{"ayed help frob", "unknown command 'frob'"},
	{"ayed backup d", "needs DATA DEST"},
	{"ayed backup --every 1d d e", "--every goes with --keep"},
	{"ayed backup --every 1w --keep 1 d e", "1d"},
	{"ayed backup --every 0d --keep 1 d e", "1d"},
	{"ayed backup --every d --keep 1 d e", "1d"},
	{"ayed backup --every 1dd --keep 1 d e", "1d"},
	{"ayed backup --keep 0 d e", "from 1"},
	{"ayed restore --keep 1 d e", "does not take --keep"},
	{"ayed help dump load", "ayed help takes"},
	{"ayed --store /var/lib/ayed --key-file k", "given with --data"},
	{"ayed --store redis://h --key-file k --data d", "choose one of --data and --store"},
	{"ayed --store redis://h", "--key-file"},
	{"ayed --key-file k --data d", "--store"},
	{"ayed --cluster-listen 10.0.0.5:2939 --data d", "--cluster-listen goes with --store"},
	{"ayed --announce tls://h --data d", "--announce goes with --cluster-listen"},
	{"ayed --cluster-listen 10.0.0.5", "HOST:PORT"},
	{"ayed --cluster-listen :2939", "HOST:PORT"},
	{"ayed --cluster-listen h:99999", "HOST:PORT"},
	{"ayed --cluster-listen 0.0.0.0:2939", "name one address"},
	{"ayed --cluster-listen [::]:2939", "name one address"},
	{"ayed --announce unix:s", "tls://HOST:PORT or tcp://HOST:PORT"},
	{"ayed --announce https://h", "tls://HOST:PORT or tcp://HOST:PORT"},
	{"ayed check --cluster-listen h:1 d", "ayed check does not take --cluster-listen"},
	{"ayed key new", "ayed key needs new|show FILE"},
	{"ayed check --store redis://h d", "one of DIR and --store, not both"},
	{"ayed check --key-file k d", "--key-file goes with --store"},
	{"ayed load --store redis://h", "ayed load does not take --store"},
	{"ayed copy lmdb:d", "needs FROM TO"},
	{"ayed copy d redis://h", "ayed copy takes lmdb:DIR"},
	{"ayed copy lmdb: redis://h --key-file k", "ayed copy takes lmdb:DIR"},
	{"ayed copy lmdb:d redis://h", "needs --key-file"},
	{"ayed copy lmdb:d redis://h:0 --key-file k", "port"},
};

TEST(what_is_wrong_is_refused_and_named)
{
	for (size_t i = 0; i < sizeof(wrong_lines) / sizeof(wrong_lines[0]); i++) {
		struct options o;
		struct errmsg why;
		assert_int_equal(parse(wrong_lines[i].line, &o, &why), ERR_INVALID);
		if (strstr(why.text, wrong_lines[i].word) == NULL) {
			fail_msg("%s: %s", wrong_lines[i].line, why.text);
		}
	}
}

TEST(a_password_of_redis_stays_in_no_argument_and_no_message)
{
	char program[] = "ayed";
	char store[] = "--store";
	char good[] = "redis://ayed:s3cret@h:7000/2";
	char bad[] = "--store=redis://ayed:s3cret@h:x";
	char *words[] = {program, store, good, NULL};
	char *wrong[] = {program, bad, NULL};
	char key[] = "--key-file=k";
	char *whole[] = {program, store, good, key, NULL};
	struct options o;
	struct errmsg why;
	assert_int_equal(options_parse(4, whole, &o, &why), OK);
	assert_true(o.has_redis);
	assert_string_equal(o.redis.password, "s3cret");
	assert_string_equal(o.redis.text, "redis://h:7000/2");
	assert_string_equal(o.key_file, "k");
	assert_string_equal(good, "redis://***********@h:7000/2");
	assert_int_equal(options_parse(3, words, &o, &why), ERR_INVALID); /* without its key */
	assert_int_equal(options_parse(2, wrong, &o, &why), ERR_INVALID);
	assert_null(strstr(why.text, "s3cret"));
	assert_null(strstr(bad, "s3cret"));
}

TEST(no_more_addresses_than_there_is_room_for)
{
	char program[] = "ayed";
	char option[] = "--listen";
	char address[] = "unix:s";
	char *words[2 * (LISTEN_MAX + 1) + 2] = {program};
	struct options o;
	struct errmsg why;
	int n = 1;
	for (int i = 0; i <= LISTEN_MAX; i++) {
		words[n++] = option;
		words[n++] = address;
	}
	assert_int_equal(options_parse(n - 2, words, &o, &why), OK);
	assert_int_equal(o.listens_n, LISTEN_MAX);
	assert_int_equal(options_parse(n, words, &o, &why), ERR_INVALID);
}

TEST(addresses_are_read)
{
	static const struct {
		const char *text;
		const char *host; /* or the path */
		const char *port; /* NULL: unix */
	} rows[] = {
		{"unix:/run/s", "/run/s", NULL},
		{"unix:s", "s", NULL},
		{"tcp://127.0.0.1:0", "127.0.0.1", "0"},
		{"tcp://localhost:1", "127.0.0.1", "1"},
		{"tcp://", "127.0.0.1", RPC_PORT},
		{"tcp://:65535", "127.0.0.1", "65535"},
		{"tcp://0.0.0.0", "0.0.0.0", RPC_PORT},
		{"tls://:65535", "0.0.0.0", "65535"},
		{"tls://", "0.0.0.0", RPC_PORT},
		{"tls://localhost", "127.0.0.1", RPC_PORT},
		{"http://", "127.0.0.1", WEB_PORT},
		{"http://localhost:1", "127.0.0.1", "1"},
		{"https://", "0.0.0.0", WEB_PORT},
		{"https://poker.example:443", "poker.example", "443"},
		{"tcp://[::]", "::", RPC_PORT},
		{"tcp://[::1]:80", "::1", "80"},
		{"tcp://host.example:80", "host.example", "80"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct address a = {.is_tls = false};
		struct errmsg why;
		assert_int_equal(address_parse(rows[i].text, &a, &why), OK);
		assert_int_equal(a.kind, rows[i].port == NULL ? ADDRESS_UNIX : ADDRESS_TCP);
		assert_string_equal(rows[i].port == NULL ? a.path : a.host, rows[i].host);
		if (rows[i].port != NULL) {
			assert_string_equal(a.port, rows[i].port);
		}
	}
}

TEST(an_address_says_what_is_spoken_there)
{
	static const struct {
		const char *text;
		bool is_tls, is_web;
	} rows[] = {
		{"unix:s", false, false},    {"tcp://h:1", false, false},
		{"tls://h:1", true, false},  {"http://h:1", false, true},
		{"https://h:1", true, true},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct address a = {.is_tls = true, .is_web = true};
		struct errmsg why;
		assert_int_equal(address_parse(rows[i].text, &a, &why), OK);
		assert_int_equal(a.is_tls, rows[i].is_tls);
		assert_int_equal(a.is_web, rows[i].is_web);
	}
}

TEST(the_webs_options_are_read)
{
	struct options o;
	struct errmsg why;
	assert_int_equal(parse("ayed --web-origin https://poker.example/ --web-origin "
			       "http://a:8080 --web-proxy ::1 --insecure-web",
			       &o, &why),
			 OK);
	assert_int_equal(o.web_origins.n, 2);
	assert_string_equal(o.web_origins.items[0].text, "https://poker.example");
	assert_string_equal(o.web_origins.items[1].text, "http://a:8080");
	assert_true(o.has_web_proxy);
	assert_true(o.insecure_web);
}

TEST(the_address_of_a_node_is_read_and_written)
{
	static const char *const texts[] = {"10.0.0.5:2939", "ayed1.example:1",
					    "[2001:db8::5]:65535"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		char line[200];
		char text[ADDRESS_NODE_CHARS + 1];
		struct options o;
		struct errmsg why;
		format_to(line, sizeof(line),
			  "ayed --store redis://h --key-file k --cluster-listen %s "
			  "--announce tls://h",
			  texts[i]);
		assert_int_equal(parse(line, &o, &why), OK);
		assert_true(o.is_node);
		address_write_node(&o.cluster_listen, text);
		assert_string_equal(text, texts[i]);
		assert_string_equal(o.announce, "tls://h");
	}
}

TEST(what_is_no_address_is_refused)
{
	static const char *const texts[] = {
		"",	      "unix:",	    "unix:a\nb",    "/run/s",	     "tcp:",
		"tcp://h:",   "tcp://h:x",  "tcp://h:-1",   "tcp://h:65536", "tcp://h:123456",
		"tcp://[::1", "tcp://[]:1", "tcp://[::1]1", "tcp://::1:80",  "udp://h:1",
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct address a;
		struct errmsg why = {{0}};
		if (address_parse(texts[i], &a, &why) != ERR_INVALID) {
			fail_msg("taken: %s", texts[i]);
		}
		assert_true(why.text[0] != '\0');
	}
}

TEST(a_unix_path_has_at_most_107_bytes)
{
	char text[5 + 108 + 1] = "unix:";
	struct address a;
	struct errmsg why;
	memset(text + 5, 'p', 108);
	assert_int_equal(address_parse(text, &a, &why), ERR_INVALID);
	text[5 + 107] = '\0';
	assert_int_equal(address_parse(text, &a, &why), OK);
	assert_int_equal(strlen(a.path), 107);
}
