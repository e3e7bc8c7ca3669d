/*
 * options.c - the options of ayed as rows, and what reads them.
 *
 * One row per option feeds getopt_long, the check that a command takes it, and
 * options_help.c: there is no second list. The commands' rows are in commands.h.
 */
#include "server/cli/options.h"

#include <getopt.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/keys/room_code.h"
#include "proto/rpc.h"
#include "proto/text/decimal.h"
#include "server/cli/limit_values.h"
#include "server/cli/option_rows.h"
#include "server/cli/option_values.h"
#include "server/cli/commands/stats_cmd.h"
#include "server/net/log.h"

#define OPTIONS_RESERVE_BYTES (8 << 20)

/* ---- arguments ---- */

/* Sets *why. */
static bool option_listen(struct options *o, const char *value, struct errmsg *why)
{
	if (o->listens_n == LISTEN_MAX) {
		errmsg_set(why, "at most %d addresses can be listened on", LISTEN_MAX);
		return false;
	}
	if (address_parse(value, &o->listens[o->listens_n], why) != OK) {
		return false;
	}
	o->listens_n++;
	return true;
}

/* Sets *why. */
static bool option_announce(struct options *o, const char *value, struct errmsg *why)
{
	struct address address;
	o->announce = value;
	if (address_parse(value, &address, why) != OK) {
		return false;
	}
	if (address.kind != ADDRESS_TCP || address.is_web || strlen(value) > NODE_ADDRESS_CHARS) {
		errmsg_set(why, "it is tls://HOST:PORT or tcp://HOST:PORT, as in `aye join`");
		return false;
	}
	return true;
}

/* Sets *why. */
static bool option_origin(struct options *o, const char *value, struct errmsg *why)
{
	struct web_origins *all = &o->web_origins;
	if (all->n == WEB_ORIGINS_MAX) {
		errmsg_set(why, "at most %d origins can be given", WEB_ORIGINS_MAX);
		return false;
	}
	if (web_origin_parse(value, &all->items[all->n], why) != OK) {
		return false;
	}
	all->n++;
	return true;
}

/* Sets *why. */
static bool option_store(struct options *o, const char *value, struct errmsg *why)
{
	if (!redis_address_is_one(value)) {
		errmsg_set(why, "it is an address of Redis, such as redis://10.0.0.5; a directory "
				"is given with --data");
		return false;
	}
	o->has_redis = true;
	return redis_address_parse(value, &o->redis, why) == OK;
}

/* User and password of an address: everybody on the machine sees the arguments of a process. */
static void option_hide(char *address)
{
	char *from = strstr(address, "://");
	char *to = strrchr(address, '@');
	if (from != NULL && to != NULL && to > from) {
		memset(from + 3, '*', (size_t)(to - from - 3));
	}
}

/* Sets *why. */
static bool option_limit(struct options *o, const char *value, struct errmsg *why)
{
	enum limit which;
	if (limit_value_take(value, o->limits, &which, why) != OK) {
		return false;
	}
	o->limits_given[which] = true;
	return true;
}

/* By name, else by number. Sets *why. */
static bool option_user(struct options *o, const char *value, struct errmsg *why)
{
	const struct passwd *user = getpwnam(value);
	int64_t number = 0;
	if (user != NULL) {
		number = user->pw_uid;
	} else if (!decimal_read(slice_str(value), 0, UINT32_MAX - 1, &number)) {
		errmsg_set(why, "this system has no user with that name");
		return false;
	}
	o->has_kiosk = true;
	o->kiosk_uid = (uint32_t)number;
	return true;
}

/* ---- rows ---- */

#define OF(symbol) (1U << COMMAND_##symbol)

const struct option_row option_table[OPTION_COUNT] = {
	[OPTION_DATA] = {"data", "DIR", OF(SERVE), "it must name a directory",
			 "Data directory; created if missing, private to this user"},
	[OPTION_STORE] = {"store", "URL", OF(SERVE) | OF(CHECK) | OF(DUMP), NULL,
			  "Keep the data in Redis 7 instead of a directory, such as "
			  "redis://10.0.0.5; rediss:// with TLS"},
	[OPTION_KEY_FILE] =
		{"key-file", "FILE", OF(SERVE) | OF(CHECK) | OF(DUMP) | OF(COPY),
		 "it must name a file",
		 "The server's key of data in Redis, from `ayed key new`; servers that share "
		 "their data share it"},
	[OPTION_LISTEN] = {"listen", "ADDR", OF(SERVE), NULL,
			   "unix:/path; tls://host:port or tcp://host:port; https://host:port or "
			   "http://host:port for browsers; may be repeated"},
	[OPTION_CLUSTER_LISTEN] =
		{"cluster-listen", "HOST:PORT", OF(SERVE), NULL,
		 "Share the data of --store with other servers, which reach this one at that "
		 "address of this machine"},
	[OPTION_ANNOUNCE] =
		{"announce", "ADDR", OF(SERVE), NULL,
		 "Of a server that shares its data: where clients reach this one alone, "
		 "such as tls://poker2.example"},
	[OPTION_INSECURE_WEB] = {"insecure-web", NULL, OF(SERVE), NULL,
				 "Serve http:// to others than this machine, which is refused "
				 "otherwise: everyone on the way can read and change it"},
	[OPTION_WEB_PROXY] =
		{"web-proxy", "ADDRESS", OF(SERVE),
		 "it is an address without a name, such as 127.0.0.1 or 2001:db8::7",
		 "Reverse proxy in front of http:// whose X-Forwarded-For is believed"},
	[OPTION_WEB_ORIGIN] =
		{"web-origin", "URL", OF(SERVE), NULL,
		 "Address of the page, such as https://poker.example; other sites' "
		 "pages may not connect; may be repeated, the first is in invitations"},
	[OPTION_TLS_CERT] =
		{"tls-cert", "FILE", OF(SERVE), "it must name a file",
		 "Certificate of tls:// and https:// addresses, followed by its chain (PEM)"},
	[OPTION_TLS_KEY] = {"tls-key", "FILE", OF(SERVE), "it must name a file",
			    "Its key (PEM); without both, the server creates a pair"},
	[OPTION_LIMIT] = {"limit", "NAME=VALUE", OF(SERVE), NULL,
			  "Change a limit of the table below; may be repeated"},
	[OPTION_LIMITS] = {"limits", "FILE", OF(SERVE), "it must name a file",
			   "Lines NAME=VALUE, read again on SIGHUP; --limit overrides them"},
	[OPTION_ROOM_CODE_LENGTH] = {"room-code-length", "N", OF(SERVE),
				     "it is a number from 6 to 16",
				     "Length of new room codes, 6 to 16 (default 6)"},
	[OPTION_SOCKET_MODE] = {"socket-mode", "OCTAL", OF(SERVE),
				"it is an octal mode, such as 0600 or 0666",
				"Mode of unix sockets (default 0600: this user only)"},
	[OPTION_MAP_SIZE] = {"map-size", "SIZE", OF(SERVE),
			     "it is a size of at least 1M, such as 512M or 16G",
			     "Maximum size of the data, such as 512M (default 16G)"},
	[OPTION_RESERVE] = {"reserve", "SIZE", OF(SERVE), "it is a size, such as 0, 64M or 1G",
			    "Disk space reserved at once, in case others fill it (default 8M)"},
	[OPTION_LOG_LEVEL] = {"log-level", "LEVEL", OF(SERVE), "it is error, warn, info or debug",
			      "error, warn, info (default) or debug; the log goes to stderr"},
	[OPTION_IDLE_EXIT] = {"idle-exit", "SECONDS", OF(SERVE),
			      "it is a number of seconds from 1 to 86400",
			      "Stop after so long without a connection"},
	[OPTION_NOTIFY_COMMAND] =
		{"notify-command", "PATH", OF(SERVE),
		 "it is an absolute path, such as /usr/local/bin/aye-mail",
		 "Run for each notification to an address, with a line of JSON on stdin"},
	[OPTION_KIOSK_USER] = {"kiosk-user", "USER", OF(SERVE), NULL,
			       "Trust this system user, over a unix socket, to assert ssh keys "
			       "(default: AYED_KIOSK_USER)"},
	[OPTION_ALLOW_ROOT] = {"allow-root", NULL, OF(SERVE), NULL,
			       "Run even as root, which is refused otherwise"},
	[OPTION_HIDDEN_VOTES] = {"hidden-votes", NULL, OF(DUMP), NULL,
				 "Include unrevealed votes, and answers to open questions"},
	[OPTION_KEEP] = {"keep", "N", OF(BACKUP), "it is a number from 1 to 100000",
			 "DEST is a directory of backups: create one in it, then delete the oldest "
			 "beyond N"},
	[OPTION_EVERY] =
		{"every", "TIME", OF(BACKUP), "it is a time such as 30m, 12h or 1d",
		 "With --keep: keep running, one backup each TIME; for machines without a timer"},
	[OPTION_PROMETHEUS] = {"prometheus", NULL, OF(STATS), NULL,
			       "Print in the text format of Prometheus"},
	[OPTION_JSON] = {"json", NULL, OF(STATS) | OF(BACKUP) | OF(RESTORE) | OF(COPY), NULL,
			 "Print the result as one line of JSON"},
	[OPTION_OUTPUT] = {"output", "FILE", OF(STATS), "it must name a file",
			   "Replace this file atomically instead of printing"},
	[OPTION_HELP] = {"help", NULL, OF_ALL, NULL, "Print this help"},
	[OPTION_VERSION] = {"version", NULL, OF_ALL, NULL, "Print the version"},
};
_Static_assert(CODE_CHARS == 6 && CODE_CHARS_MAX == 16, "as the row says");
_Static_assert(COMMAND_COUNT <= 32, "a set of commands is bits");

const struct command_row command_table[COMMAND_COUNT] = {
#define COMMAND_ROW(symbol, name, arguments, least, most, run, help, examples) \
	[COMMAND_##symbol] = {name, arguments, least, most, help, examples},
	COMMANDS(COMMAND_ROW)
#undef COMMAND_ROW
};

#define COMMAND_FITS(symbol, name, arguments, least, most, ...) \
	_Static_assert((least) <= (most) && (most) <= COMMAND_WORDS_MAX, name " takes too many");
COMMANDS(COMMAND_FITS)
#undef COMMAND_FITS

enum command command_find(const char *name)
{
	enum command c = COMMAND_SERVE;
	while (c < COMMAND_COUNT &&
	       (command_table[c].name == NULL || strcmp(command_table[c].name, name) != 0)) {
		c++;
	}
	return c;
}

/* False where the argument is wrong; *why is set where the row has no sentence for that. */
static bool option_take(enum option_id id, struct options *o, const char *value, struct errmsg *why)
{
	switch (id) {
	case OPTION_DATA:
		o->data = value;
		return *value != '\0';
	case OPTION_STORE:
		return option_store(o, value, why);
	case OPTION_KEY_FILE:
		o->key_file = value;
		return *value != '\0';
	case OPTION_LISTEN:
		return option_listen(o, value, why);
	case OPTION_CLUSTER_LISTEN:
		o->is_node = true;
		return address_parse_node(value, &o->cluster_listen, why) == OK;
	case OPTION_ANNOUNCE:
		return option_announce(o, value, why);
	case OPTION_INSECURE_WEB:
		o->insecure_web = true;
		return true;
	case OPTION_WEB_PROXY:
		o->has_web_proxy = true;
		return whole_address_parse(slice_str(value), &o->web_proxy);
	case OPTION_WEB_ORIGIN:
		return option_origin(o, value, why);
	case OPTION_TLS_CERT:
		o->tls_cert = value;
		return *value != '\0';
	case OPTION_TLS_KEY:
		o->tls_key = value;
		return *value != '\0';
	case OPTION_LIMIT:
		return option_limit(o, value, why);
	case OPTION_LIMITS:
		o->limits_file = value;
		return *value != '\0';
	case OPTION_ROOM_CODE_LENGTH:
		return decimal_read(slice_str(value), CODE_CHARS, CODE_CHARS_MAX,
				    &o->room_code_chars);
	case OPTION_SOCKET_MODE:
		return option_mode(value, &o->socket_mode);
	case OPTION_MAP_SIZE:
		return option_bytes(value, 1 << 20, &o->map_bytes);
	case OPTION_RESERVE:
		return option_bytes(value, 0, &o->reserve_bytes);
	case OPTION_LOG_LEVEL:
		return log_level_of(value, &o->level);
	case OPTION_IDLE_EXIT:
		return decimal_read(slice_str(value), 1, 86400, &o->idle_exit_s);
	case OPTION_NOTIFY_COMMAND:
		o->notify_command = value;
		return *value == '/';
	case OPTION_KIOSK_USER:
		return option_user(o, value, why);
	case OPTION_ALLOW_ROOT:
		o->allow_root = true;
		return true;
	case OPTION_HIDDEN_VOTES:
		o->with_hidden = true;
		return true;
	case OPTION_KEEP:
		return decimal_read(slice_str(value), 1, 100000, &o->keep);
	case OPTION_EVERY:
		return option_time(value, &o->every_s);
	case OPTION_PROMETHEUS:
		o->is_prometheus = true;
		return true;
	case OPTION_JSON:
		o->is_json = true;
		return true;
	case OPTION_OUTPUT:
		o->output = value;
		return *value != '\0';
	case OPTION_HELP:
	case OPTION_VERSION:
		return true;
	case OPTION_COUNT:
		break;
	}
	return false;
}

/* ---- reading ---- */

/* The words behind the options: a command and its arguments. */
static enum err options_parse_words(int n, char **words, struct options *o, struct errmsg *why)
{
	if (n == 0) {
		return OK;
	}
	o->command = command_find(words[0]);
	if (o->command == COMMAND_COUNT) {
		errmsg_set(why, "unknown command '%.80s'", words[0]);
		return ERR_INVALID;
	}
	const struct command_row *row = &command_table[o->command];
	if (n - 1 > row->most) {
		errmsg_set(why, "ayed %s takes only %s", row->name, row->arguments);
		return ERR_INVALID;
	}
	for (int i = 1; i < n; i++) {
		o->words[i - 1] = words[i];
	}
	return OK;
}

#define OPTIONS_LMDB "lmdb:"

static enum err options_parse_place(char *word, struct options_place *out, struct errmsg *why)
{
	size_t scheme = strlen(OPTIONS_LMDB);
	if (strncmp(word, OPTIONS_LMDB, scheme) == 0 && word[scheme] != '\0') {
		out->directory = word + scheme;
		return OK;
	}
	if (!redis_address_is_one(word)) {
		errmsg_set(why, "ayed copy takes lmdb:DIR, such as lmdb:/var/lib/ayed, or an "
				"address of Redis, such as redis://10.0.0.5");
		return ERR_INVALID;
	}
	enum err e = redis_address_parse(word, &out->redis, why);
	option_hide(word);
	return e;
}

/* Before the options are checked; the words that are missing are told there. */
static enum err options_parse_places(int n, char **words, struct options *o, struct errmsg *why)
{
	enum err e = OK;
	if (o->command == COMMAND_COPY && n == 3) {
		e = options_parse_place(words[1], &o->from, why);
		e = e == OK ? options_parse_place(words[2], &o->to, why) : e;
	}
	return e;
}

/* The data that a command is about: a directory, or Redis with its key. */
static enum err options_check_store(const struct options *o, struct errmsg *why)
{
	const struct command_row *row = &command_table[o->command];
	bool reads = o->command == COMMAND_CHECK || o->command == COMMAND_DUMP;
	bool has_key = o->key_file != NULL;
	if (reads && o->has_redis == (o->words[0] != NULL)) {
		errmsg_set(why, "ayed %s needs %s", row->name,
			   o->has_redis ? "one of DIR and --store, not both" : "DIR or --store");
	} else if (reads && has_key && !o->has_redis) {
		errmsg_set(why, "--key-file goes with --store");
	} else if (o->command == COMMAND_COPY && !has_key &&
		   (o->from.directory == NULL || o->to.directory == NULL)) {
		errmsg_set(why, "ayed copy needs --key-file, the key of the data in Redis");
	} else if (o->has_redis && o->data != NULL) {
		errmsg_set(why, "choose one of --data and --store, not both");
	} else if (o->command == COMMAND_SERVE && o->has_redis != has_key) {
		errmsg_set(why, "--store and --key-file go together; `ayed key new FILE` creates a "
				"key");
	} else if (o->is_node && !o->has_redis) {
		errmsg_set(why, "--cluster-listen goes with --store and --key-file: servers share "
				"data in Redis");
	} else if (o->announce != NULL && !o->is_node) {
		errmsg_set(why, "--announce goes with --cluster-listen");
	} else {
		return OK;
	}
	return ERR_INVALID;
}

/* Whether what was given makes a command, once all is known. */
static enum err options_check(const struct options *o, unsigned given, struct errmsg *why)
{
	const struct command_row *row = &command_table[o->command];
	for (int i = 0; i < OPTION_COUNT; i++) {
		if ((given & (1U << i)) != 0 && (option_table[i].of & (1U << o->command)) == 0) {
			errmsg_set(why, "ayed%s%s does not take --%s", row->name == NULL ? "" : " ",
				   row->name == NULL ? "" : row->name, option_table[i].name);
			return ERR_INVALID;
		}
	}
	for (int i = 0; i < row->least; i++) {
		if (o->words[i] == NULL || *o->words[i] == '\0') {
			errmsg_set(why, "ayed %s needs %s", row->name, row->arguments);
			return ERR_INVALID;
		}
	}
	unsigned both = 1U << OPTION_PROMETHEUS | 1U << OPTION_JSON;
	if ((given & both) == both) {
		errmsg_set(why, "choose one of --prometheus and --json, not both");
		return ERR_INVALID;
	}
	struct address at;
	if (o->command == COMMAND_STATS && stats_address(o->words[0], &at, why) != OK) {
		return ERR_INVALID;
	}
	if (options_check_store(o, why) != OK) {
		return ERR_INVALID;
	}
	if ((o->tls_cert == NULL) != (o->tls_key == NULL)) {
		errmsg_set(why, "--tls-cert and --tls-key go together");
		return ERR_INVALID;
	}
	if (o->every_s > 0 && o->keep == 0) {
		errmsg_set(why, "--every goes with --keep, the number of backups to keep");
		return ERR_INVALID;
	}
	if (o->command == COMMAND_HELP && o->words[0] != NULL &&
	    strcmp(o->words[0], "limits") != 0 && command_find(o->words[0]) == COMMAND_COUNT) {
		errmsg_set(why, "unknown command '%.80s'", o->words[0]);
		return ERR_INVALID;
	}
	return OK;
}

enum err options_parse(int argc, char **argv, struct options *out, struct errmsg *why)
{
	struct option table[OPTION_COUNT + 1] = {{0}};
	unsigned given = 0;
	for (int i = 0; i < OPTION_COUNT; i++) {
		bool has_argument = option_table[i].argument != NULL;
		table[i] =
			(struct option){.name = option_table[i].name,
					.has_arg = has_argument ? required_argument : no_argument,
					.val = i};
	}
	*out = (struct options){
		.command = COMMAND_SERVE,
		.room_code_chars = CODE_CHARS,
		.reserve_bytes = OPTIONS_RESERVE_BYTES,
		.level = LOG_INFO,
		.socket_mode = 0600,
	};
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		out->limits[i] = limit_rows[i].value;
	}
	optind = 0; /* begin anew, also where a test reads a second line */
	opterr = 0;
	int c;
	while ((c = getopt_long(argc, argv, ":", table, NULL)) >= 0 && c < OPTION_COUNT) {
		const struct option_row *row = &option_table[c];
		bool is_taken = option_take((enum option_id)c, out, optarg, why);
		if (c == OPTION_STORE) {
			option_hide(optarg);
		}
		if (!is_taken) {
			char what[120];
			bool is_secret = c == OPTION_STORE;
			(void)snprintf(what, sizeof(what), "--%s %.80s", row->name,
				       is_secret ? "URL" : optarg);
			if (row->wrong != NULL) {
				errmsg_set(why, "%s", row->wrong);
			}
			errmsg_prefix(why, what);
			return ERR_INVALID;
		}
		given |= 1U << c;
	}
	if (c != -1) {
		errmsg_set(why, c == ':' ? "%.80s needs an argument" : "unknown option %.80s",
			   argv[optind - 1]);
		return ERR_INVALID;
	}
	enum err e = options_parse_words(argc - optind, argv + optind, out, why);
	e = e == OK ? options_parse_places(argc - optind, argv + optind, out, why) : e;
	if (e == OK && (given & (1U << OPTION_VERSION)) != 0) {
		out->command = COMMAND_VERSION;
		return OK;
	}
	if (e == OK && (given & (1U << OPTION_HELP)) != 0) {
		out->words[0] = command_table[out->command].name;
		out->command = COMMAND_HELP;
		return OK;
	}
	const char *kiosk = getenv("AYED_KIOSK_USER"); /* what aye ssh-setup tells the service */
	if (e == OK && out->command == COMMAND_SERVE && !out->has_kiosk && kiosk != NULL &&
	    kiosk[0] != '\0' && !option_user(out, kiosk, why)) {
		errmsg_prefix(why, "AYED_KIOSK_USER");
		return ERR_INVALID;
	}
	return e == OK ? options_check(out, given, why) : e;
}
