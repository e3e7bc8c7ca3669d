/*
 * script_wait.h - `wait` lines of a script, and the notifications they look at.
 *
 * Every notification is kept until a wait has passed it, so a script cannot
 * miss one by asking late: a wait looks first at what has come since the
 * notification the last wait ended on, then at what comes.
 *
 * Life: a zeroed struct .. script_wait_finish().
 */
#ifndef CLIENT_CLI_ROOMS_SCRIPT_WAIT_H
#define CLIENT_CLI_ROOMS_SCRIPT_WAIT_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

/* Notifications kept; beyond it the oldest is dropped. */
#define SCRIPT_WAIT_KEPT_MAX 4096

struct script_notice;
struct script_wait {
	struct script_notice *kept;
	size_t kept_n;
	json_t *pattern; /* {"method", "where"?}; NULL: nothing is waited for */
};

void script_wait_finish(struct script_wait *w);

/* Keep {"method", "params"}; takes the reference. */
void script_wait_keep(struct script_wait *w, json_t *take_notice);

/*
 * The first kept notification that the pattern fits, or NULL. It and all before
 * it are no longer kept; the caller owns the reference.
 */
json_t *script_wait_find(struct script_wait *w);

/*
 * Whether everything in `where` is in `value`: an object's members in the
 * object, each element of an array in some element of the array, else equality.
 */
bool script_wait_fits(json_t *where, const json_t *value);

#endif
