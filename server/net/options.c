/*
 * options.c - the options of ayed as rows, and what reads and explains them.
 *
 * One row per option feeds getopt_long and --help: there is no second list.
 */
#include "server/net/options.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/decimal.h"
#include "proto/room_code.h"
#include "server/net/log.h"

#define OPTIONS_RESERVE_BYTES (8u << 20)
#define OPTIONS_NUMBER_MAX    1000000000000000 /* far beyond any limit's use, far below overflow */

typedef bool option_take(struct options *o, const char *value, struct errmsg *why);

/* ---- what each option does with its argument ---- */

static bool option_bytes(const char *text, uint64_t *out)
{
	static const char suffixes[] = "KMGT";
	size_t n = strspn(text, "0123456789");
	const char *unit = text + n;
	int shift = 0;
	int64_t value = 0;
	if (*unit != '\0') {
		const char *found = strchr(suffixes, *unit);
		if (found == NULL || (unit[1] != '\0' && strcmp(unit + 1, "iB") != 0)) {
			return false;
		}
		shift = 10 * (int)(found - suffixes + 1);
	}
	if (!decimal_read(slice_of(text, n), 0, OPTIONS_NUMBER_MAX >> shift, &value)) {
		return false;
	}
	*out = (uint64_t)value << shift;
	return true;
}

static bool option_data(struct options *o, const char *value, struct errmsg *why)
{
	o->data = value;
	if (*value == '\0') {
		errmsg_set(why, "it must name a directory");
	}
	return *value != '\0';
}

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

static bool option_limit(struct options *o, const char *value, struct errmsg *why)
{
	const char *equals = strchr(value, '=');
	struct slice name =
		slice_of(value, equals == NULL ? strlen(value) : (size_t)(equals - value));
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		if (!slice_eq(slice_str(limit_rows[i].name), name)) {
			continue;
		}
		if (limit_rows[i].changeable != LIMIT_SET) {
			errmsg_set(why, "%s is part of the protocol and cannot be changed",
				   limit_rows[i].name);
			return false;
		}
		if (equals == NULL ||
		    !decimal_read(slice_str(equals + 1), 1, INT32_MAX, &o->limits[i])) {
			errmsg_set(why, "it is NAME=NUMBER, with a number from 1 to %ld",
				   (long)INT32_MAX);
			return false;
		}
		return true;
	}
	errmsg_set(why, "there is no such limit; `ayed help limits` lists them");
	return false;
}

static bool option_room_code_length(struct options *o, const char *value, struct errmsg *why)
{
	int64_t n = 0;
	if (!decimal_read(slice_str(value), CODE_CHARS, CODE_CHARS_MAX, &n)) {
		errmsg_set(why, "it is a number from %d to %d", CODE_CHARS, CODE_CHARS_MAX);
		return false;
	}
	o->room_code_chars = (size_t)n;
	return true;
}

static bool option_map_size(struct options *o, const char *value, struct errmsg *why)
{
	bool good = option_bytes(value, &o->map_bytes) && o->map_bytes >= 1u << 20;
	if (!good) {
		errmsg_set(why, "it is a size of at least 1M, such as 512M or 16G");
	}
	return good;
}

static bool option_reserve(struct options *o, const char *value, struct errmsg *why)
{
	bool good = option_bytes(value, &o->reserve_bytes);
	if (!good) {
		errmsg_set(why, "it is a size, such as 0, 64M or 1G");
	}
	return good;
}

static bool option_log_level(struct options *o, const char *value, struct errmsg *why)
{
	bool good = log_level_of(value, &o->level);
	if (!good) {
		errmsg_set(why, "it is error, warn, info or debug");
	}
	return good;
}

static bool option_idle_exit(struct options *o, const char *value, struct errmsg *why)
{
	bool good = decimal_read(slice_str(value), 1, 86400, &o->idle_exit_s);
	if (!good) {
		errmsg_set(why, "it is a number of seconds from 1 to 86400");
	}
	return good;
}

static bool option_socket_mode(struct options *o, const char *value, struct errmsg *why)
{
	size_t n = strspn(value, "01234567");
	if (n == 0 || n > 4 || value[n] != '\0') {
		errmsg_set(why, "it is an octal mode, such as 0600 or 0666");
		return false;
	}
	o->socket_mode = (mode_t)strtoul(value, NULL, 8) & 0777;
	return true;
}

static bool option_hidden_votes(struct options *o, const char *value, struct errmsg *why)
{
	(void)value;
	(void)why;
	o->with_hidden = true;
	return true;
}

static bool option_help(struct options *o, const char *value, struct errmsg *why)
{
	(void)value;
	(void)why;
	o->command = COMMAND_HELP;
	return true;
}

static bool option_version(struct options *o, const char *value, struct errmsg *why)
{
	(void)value;
	(void)why;
	o->command = COMMAND_VERSION;
	return true;
}

struct option_row {
	const char *name;
	const char *argument; /* NULL: takes none */
	option_take *take;
	const char *help;
};

static const struct option_row option_rows[] = {
	{"data", "DIR", option_data,
	 "Directory of the data; made when missing, private to this user"},
	{"listen", "ADDR", option_listen,
	 "unix:/path or tcp://host:port; may be given several times"},
	{"limit", "NAME=VALUE", option_limit,
	 "Change a limit of the table below; may be given several times"},
	{"room-code-length", "N", option_room_code_length,
	 "Characters of new room codes, 6 to 16 (default 6)"},
	{"socket-mode", "OCTAL", option_socket_mode,
	 "Mode of unix sockets (default 0600: this user only)"},
	{"map-size", "SIZE", option_map_size,
	 "Most the data may ever take, such as 512M (default 16G)"},
	{"reserve", "SIZE", option_reserve,
	 "Disk space taken at once, for when others fill it (default 8M)"},
	{"log-level", "LEVEL", option_log_level,
	 "error, warn, info (default) or debug; the log goes to stderr"},
	{"idle-exit", "SECONDS", option_idle_exit, "End after so long without a connection"},
	{"hidden-votes", NULL, option_hidden_votes,
	 "With dump: also the votes of rounds that were not revealed"},
	{"help", NULL, option_help, "Print this"},
	{"version", NULL, option_version, "Print the version"},
};
#define OPTION_ROWS (sizeof(option_rows) / sizeof(option_rows[0]))

struct command_row {
	const char *name;
	enum command command;
	const char *help;
};

static const struct command_row command_rows[] = {
	{"check", COMMAND_CHECK,
	 "Look at every item and index entry; exit 1 where something is wrong"},
	{"dump", COMMAND_DUMP,
	 "Write the data to stdout as JSON, one item a line (secrets stay hashes; a backup wants "
	 "--hidden-votes)"},
	{"load", COMMAND_LOAD, "Read such lines from stdin into a directory without data"},
};
#define COMMAND_ROWS (sizeof(command_rows) / sizeof(command_rows[0]))

/* ---- reading ---- */

static void options_defaults(struct options *o)
{
	*o = (struct options){
		.command = COMMAND_SERVE,
		.room_code_chars = CODE_CHARS,
		.reserve_bytes = OPTIONS_RESERVE_BYTES,
		.level = LOG_INFO,
		.socket_mode = 0600,
	};
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		o->limits[i] = limit_rows[i].value;
	}
}

static enum err options_parse_command(int n, char **words, struct options *o, struct errmsg *why)
{
	if (strcmp(words[0], "help") == 0 && n <= 2) {
		bool limits = n == 2 && strcmp(words[1], "limits") == 0;
		o->command = limits ? COMMAND_HELP_LIMITS : COMMAND_HELP;
		return OK;
	}
	for (size_t i = 0; i < COMMAND_ROWS; i++) {
		if (strcmp(words[0], command_rows[i].name) != 0) {
			continue;
		}
		if (n != 2) {
			errmsg_set(why, "ayed %s takes the data directory and nothing else",
				   words[0]);
			return ERR_INVALID;
		}
		o->command = command_rows[i].command;
		o->data = words[1];
		return OK;
	}
	errmsg_set(why, "there is no command '%.80s'", words[0]);
	return ERR_INVALID;
}

static enum err options_take(const struct option_row *row, struct options *o, struct errmsg *why)
{
	if (row->take(o, optarg, why)) {
		return OK;
	}
	char what[120];
	(void)snprintf(what, sizeof(what), "--%s %.80s", row->name, optarg);
	errmsg_prefix(why, what);
	return ERR_INVALID;
}

enum err options_parse(int argc, char **argv, struct options *out, struct errmsg *why)
{
	struct option table[OPTION_ROWS + 1] = {{0}};
	int found = 0;
	for (size_t i = 0; i < OPTION_ROWS; i++) {
		table[i].name = option_rows[i].name;
		table[i].has_arg =
			option_rows[i].argument == NULL ? no_argument : required_argument;
		table[i].flag = &found;
		table[i].val = (int)i;
	}
	options_defaults(out);
	optind = 0; /* begin anew, also where a test reads a second line */
	opterr = 0;
	int c;
	while ((c = getopt_long(argc, argv, ":", table, NULL)) == 0) {
		enum err e = options_take(&option_rows[found], out, why);
		if (e != OK) {
			return e;
		}
	}
	if (c != -1) {
		errmsg_set(why, c == ':' ? "%.80s needs an argument" : "there is no option %.80s",
			   argv[optind - 1]);
		return ERR_INVALID;
	}
	if (out->command != COMMAND_SERVE || optind == argc) {
		return OK;
	}
	return options_parse_command(argc - optind, argv + optind, out, why);
}

/* ---- explaining ---- */

void options_print_limits(void)
{
	(void)puts("Limits (those marked * can be changed: --limit name=value):");
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *r = &limit_rows[i];
		(void)printf("  %c %-24s %9lld %-9s %s\n", r->changeable == LIMIT_SET ? '*' : ' ',
			     r->name, (long long)r->value, r->unit, r->help);
	}
}

void options_print_help(void)
{
	(void)puts("usage: ayed --data DIR --listen ADDR [--listen ADDR]... [OPTION]...");
	for (size_t i = 0; i < COMMAND_ROWS; i++) {
		(void)printf("       ayed %s DIR\n", command_rows[i].name);
	}
	(void)puts("       ayed help limits\n\nThe server of aye: planning poker and team voting "
		   "for the terminal.\n");
	for (size_t i = 0; i < OPTION_ROWS; i++) {
		const struct option_row *r = &option_rows[i];
		char left[40];
		(void)snprintf(left, sizeof(left), "--%s %s", r->name,
			       r->argument == NULL ? "" : r->argument);
		(void)printf("  %-24s %s\n", left, r->help);
	}
	(void)putchar('\n');
	for (size_t i = 0; i < COMMAND_ROWS; i++) {
		(void)printf("  %-24s %s\n", command_rows[i].name, command_rows[i].help);
	}
	(void)puts("\nExamples:\n"
		   "  ayed --data ~/.local/state/ayed --listen unix:/tmp/ayed.sock\n"
		   "  ayed --data /var/lib/ayed --listen unix:/run/ayed/ayed.sock --socket-mode "
		   "0666 \\\n"
		   "       --listen tcp://127.0.0.1:" ADDRESS_PORT_DEFAULT "\n"
		   "  ayed check /var/lib/ayed && ayed dump --hidden-votes /var/lib/ayed > "
		   "backup.jsonl\n\n"
		   "TCP is not encrypted: listen on loopback, or on a network you trust.\n"
		   "Once it serves, one line on stdout names the addresses: ready unix:/path "
		   "tcp://host:port\n"
		   "SIGTERM and SIGINT end it when all is written. Exit: 0 done, 1 failed, 2 "
		   "usage.\n");
	options_print_limits();
}
