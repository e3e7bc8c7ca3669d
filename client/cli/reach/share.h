/*
 * share.h - our own server, reached by others.
 */
#ifndef CLIENT_CLI_REACH_SHARE_H
#define CLIENT_CLI_REACH_SHARE_H

#include "client/cli/reach/visit.h"

/*
 * Have the server of a visit that is connected listen for others.
 * @typed   where: HOST, HOST:PORT, [IPV6]:PORT; "": on all addresses of this machine.
 * @out     where it is for them.
 * @result  the answer, for --json; may be NULL.
 * The exit code, told.
 */
int share_begin(struct visit *v, const char *typed, struct invite_place *out, struct server_share_result *result);
/* Where the server of a visit that is connected is for others, as far as it says. */
void share_look(struct visit *v, struct invite_place *out);
/* The lines to pass on: of that room, or, where NULL, of the server. False where stdout is gone. */
bool share_print(const struct invite_place *place, const char *room_id);
/* On stderr, where those lines are no use but on this machine. */
void share_warn(const struct invite_place *place);

#endif
