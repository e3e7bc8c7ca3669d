/*
 * team_find.h - which team, backlog, item or member a word of the command line means.
 *
 * A word is an id, or the name that exactly one has: of the caller's own teams, of the backlogs
 * of all of them, of the items of a backlog, of the members of a team.
 */
#ifndef CLIENT_CLI_PEOPLE_TEAM_FIND_H
#define CLIENT_CLI_PEOPLE_TEAM_FIND_H

#include "client/cli/reach/visit.h"

#define TEAM_FIND_ID_BYTES 65

enum team_kind { TEAM_KIND_TEAM, TEAM_KIND_MEMBER, TEAM_KIND_BACKLOG, TEAM_KIND_ITEM };

/*
 * EXIT_DONE: its id is in out. Else the exit code, told: EXIT_USAGE where several have that name,
 * whose ids are named, EXIT_REFUSED where none has it. What is an id by its form is not looked up.
 *
 * @in  the id of what it is looked for in; NULL: in all there is
 */
int team_find(struct visit *v, enum team_kind kind, const char *word, const char *in,
	      char out[TEAM_FIND_ID_BYTES]);

#endif
