/*
 * script_wait.h - the `wait` lines of a script, and the notifications they match.
 *
 * Notifications are kept until a wait has passed them, so a script cannot miss one by
 * waiting late: a wait first checks those received since the one that ended the last
 * wait, then new ones.
 *
 * Life: a zeroed struct .. script_wait_finish().
 */
#ifndef CLIENT_CLI_ROOMS_SCRIPT_WAIT_H
#define CLIENT_CLI_ROOMS_SCRIPT_WAIT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/* The most notifications kept; beyond that the oldest is dropped. */
#define SCRIPT_WAIT_KEPT_MAX 4096

struct script_notice;
struct script_wait {
	struct script_notice *kept;
	size_t kept_n;
	json_t *pattern; /* {"method", "where"?}; NULL: no wait is active */
};

void script_wait_finish(struct script_wait *w);

/* Keep {"method", "params"}; takes the reference. */
void script_wait_keep(struct script_wait *w, json_t *take_notice);

/*
 * Remove and return the first kept notification that matches the pattern, or NULL; those
 * before it are dropped. The caller owns the reference.
 */
json_t *script_wait_find(struct script_wait *w);

/*
 * Whether `value` matches `where`: an object must have matching members, an array a
 * matching element for each element of `where`; other values must be equal.
 */
bool script_wait_fits(json_t *where, const json_t *value);

#endif
