/*
 * share.h - open the user's own server to others.
 */
#ifndef CLIENT_CLI_REACH_SHARE_H
#define CLIENT_CLI_REACH_SHARE_H

#include "client/cli/reach/visit.h"

/*
 * Check --web and --insecure-web, which only go with sharing. Returns the exit code; has reported a
 * failure.
 */
int share_check(const struct cli *c, bool shares);
/*
 * Let the server of a connected visit listen for others, and with --web or --insecure-web for
 * browsers. Returns the exit code; has reported a failure.
 * @typed   the address to listen on: HOST, HOST:PORT, [IPV6]:PORT; "": all of this machine's.
 * @out     where it is for others.
 * @result  the result, for --json; may be NULL.
 */
int share_begin(struct visit *v, const char *typed, struct invite_place *out, struct server_share_result *result);
/* Ask the server of a connected visit where it is for others. */
void share_look(struct visit *v, struct invite_place *out);
/*
 * Print the commands for others, for the room, or with NULL for the server. Returns false if stdout
 * is closed.
 */
bool share_print(const struct invite_place *place, const char *room_id);
/* Warn on stderr if those commands work only on this machine. */
void share_warn(const struct invite_place *place);

#endif
