/*
 * main.c - ayed: reads the command line and runs the command.
 *
 * The only place in the server that prints for people and chooses exit codes:
 * 0 done, 1 failed, 2 usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "proto/keys/random.h"
#include "server/cli/commands/admin_cmd.h"
#include "server/cli/commands/backup_cmd.h"
#include "server/cli/commands/copy_cmd.h"
#include "server/cli/commands/key_file.h"
#include "server/cli/main_serve.h"
#include "server/cli/options.h"
#include "server/cli/process.h"
#include "server/cli/commands/stats_cmd.h"

#define EXIT_USAGE 2

static int main_failed(const struct errmsg *why)
{
	(void)fprintf(stderr, "ayed: %s\n", why->text);
	return EXIT_FAILURE;
}

static int main_usage(const struct errmsg *why)
{
	(void)fprintf(stderr, "ayed: %s\nTry `ayed --help`.\n", why->text);
	return EXIT_USAGE;
}

static int main_serve(const struct options *o)
{
	struct errmsg why = {{0}};
	bool has_place = o->data != NULL || o->has_redis;
	if (!has_place || (o->listens_n == 0 && getenv("LISTEN_FDS") == NULL)) {
		errmsg_set(&why,
			   "--data DIR (or --store URL) and --listen ADDR are needed, such as "
			   "--data ./data --listen unix:./ayed.sock");
		return main_usage(&why);
	}
	if (geteuid() == 0 && !o->allow_root) {
		errmsg_set(&why, "will not run as root; start it as its own user, as `systemctl "
				 "start ayed` does, or add --allow-root");
		return main_failed(&why);
	}
	enum err e = serve(o, &why);
	if (e == ERR_CLOSED) {
		_exit(EXIT_FAILURE); /* it is in the log; the state is not sound enough to clean up
				      */
	}
	return e == OK ? EXIT_SUCCESS : main_failed(&why);
}

static int main_run(const struct options *o)
{
	static command_run *const runs[COMMAND_COUNT] = {
#define MAIN_RUN(symbol, name, arguments, least, most, run, ...) [COMMAND_##symbol] = run,
		COMMANDS(MAIN_RUN)
#undef MAIN_RUN
	};
	struct errmsg why = {{0}};
	if (o->command == COMMAND_SERVE) {
		return main_serve(o);
	}
	if (o->command == COMMAND_VERSION) {
		(void)puts("ayed " AYE_VERSION);
	} else if (runs[o->command](o, &why) != OK) {
		return main_failed(&why);
	}
	/* What was printed for a person has to have arrived. */
	return fflush(stdout) == 0 && ferror(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	struct options o;
	struct errmsg why = {{0}};
	process_prepare();
	if (!crypto_start()) {
		errmsg_set(&why, "the system provides no random numbers");
		return main_failed(&why);
	}
	if (options_parse(argc, argv, &o, &why) != OK) {
		return main_usage(&why);
	}
	return main_run(&o);
}
