/*
 * options_help.c - what --help and `ayed help` print of the rows.
 */
#include "server/cli/options.h"

#include <stdio.h>
#include <string.h>

#include "proto/rpc.h"
#include "server/cli/option_rows.h"

static void options_print_limits(void)
{
	(void)puts("Limits (those marked * can be changed: --limit name=value):");
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *r = &limit_rows[i];
		(void)printf("  %c %-24s %9lld %-9s %s\n", r->changeable == LIMIT_SET ? '*' : ' ',
			     r->name, (long long)r->value, r->unit, r->help);
	}
}

static void options_print_options(enum command c)
{
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *r = &option_table[i];
		char left[40];
		(void)snprintf(left, sizeof(left), "--%s %s", r->name,
			       r->argument == NULL ? "" : r->argument);
		if ((r->of & (1U << c)) != 0) {
			(void)printf("  %-24s %s\n", left, r->help);
		}
	}
}

static void options_print_usage(enum command c)
{
	const struct command_row *row = &command_table[c];
	(void)printf("ayed %s", row->name);
	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct option_row *r = &option_table[i];
		if (r->of != OF_ALL && (r->of & (1U << c)) != 0) {
			(void)printf(" [--%s%s%s]", r->name, r->argument == NULL ? "" : " ",
				     r->argument == NULL ? "" : r->argument);
		}
	}
	(void)printf(" %s\n", row->arguments);
}

static void options_print_command(enum command c)
{
	(void)fputs("usage: ", stdout);
	options_print_usage(c);
	(void)printf("\n%s.\n\n", command_table[c].help);
	options_print_options(c);
	(void)puts("\nExamples:");
	for (const char *line = command_table[c].examples; *line != '\0';) {
		size_t n = strcspn(line, "\n");
		(void)printf("  %.*s\n", (int)n, line);
		line += n + (line[n] == '\n' ? 1 : 0);
	}
}

static void options_print_all(void)
{
	(void)puts("usage: ayed --data DIR --listen ADDR [--listen ADDR]... [OPTION]...");
	for (enum command c = COMMAND_SERVE; c < COMMAND_COUNT; c++) {
		if (command_table[c].name != NULL) {
			(void)fputs("       ", stdout);
			options_print_usage(c);
		}
	}
	(void)puts("\nThe server of aye: planning poker and team voting for the terminal.\n");
	options_print_options(COMMAND_SERVE);
	(void)putchar('\n');
	for (enum command c = COMMAND_SERVE; c < COMMAND_COUNT; c++) {
		if (command_table[c].name != NULL) {
			(void)printf("  %-24s %s\n", command_table[c].name, command_table[c].help);
		}
	}
	(void)puts("\nExamples:\n"
		   "  ayed --data ~/.local/state/ayed --listen unix:/tmp/ayed.sock\n"
		   "  ayed --data /var/lib/ayed --listen unix:/run/ayed/ayed.sock --socket-mode "
		   "0666 \\\n"
		   "       --listen tcp://127.0.0.1:" RPC_PORT "\n"
		   "\n"
		   "`ayed help COMMAND` shows the options and examples of a command.\n"
		   "tcp:// is not encrypted: listen on loopback, or on a network you trust.\n"
		   "SIGHUP reads the files of --tls-cert, --tls-key and --limits again.\n"
		   "Once it serves, one line on stdout lists the addresses: ready unix:/path "
		   "tcp://host:port\n"
		   "SIGTERM and SIGINT stop it once all is written. Exit: 0 done, 1 failed, 2 "
		   "usage.\n");
	options_print_limits();
}

enum err options_print_help(const struct options *o, struct errmsg *why)
{
	(void)why;
	if (o->words[0] == NULL) {
		options_print_all();
	} else if (strcmp(o->words[0], "limits") == 0) {
		options_print_limits();
	} else {
		options_print_command(command_find(o->words[0]));
	}
	return OK;
}
