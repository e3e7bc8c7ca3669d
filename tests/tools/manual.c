/*
 * manual.c - prints the limits as ayed(8) has them, from their rows.
 *
 * `make docs` puts what it prints between the marks in server/ayed.8, and
 * tests/e2e/install_files.sh fails when that is stale.
 */
#include <inttypes.h>
#include <stdio.h>

#include "proto/limits.h"

static void manual_print(int changeable)
{
	for (size_t i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *row = &limit_rows[i];
		if (row->changeable == changeable) {
			(void)printf(".TP\n.BR %s \" %" PRId64 " %s\"\n%s.\n", row->name,
				     row->value, row->unit, row->help);
		}
	}
}

int main(void)
{
	(void)puts(".SS May be changed");
	manual_print(LIMIT_SET);
	(void)puts(".SS Part of the protocol");
	manual_print(LIMIT_FIXED);
	return ferror(stdout) || fclose(stdout) != 0;
}
