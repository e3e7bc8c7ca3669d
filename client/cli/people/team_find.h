/*
 * team_find.h - find the team, backlog, item or member that a word of the command line means.
 *
 * A word is an id, or a unique name: among the user's teams, the backlogs of all these teams,
 * the items of a backlog, or the members of a team.
 */
#ifndef CLIENT_CLI_PEOPLE_TEAM_FIND_H
#define CLIENT_CLI_PEOPLE_TEAM_FIND_H

#include "client/cli/reach/visit.h"

#define TEAM_FIND_ID_BYTES 65

enum team_kind { TEAM_KIND_TEAM, TEAM_KIND_MEMBER, TEAM_KIND_BACKLOG, TEAM_KIND_ITEM };

/*
 * Write the id to out. Returns EXIT_DONE, or the exit code after a report: EXIT_USAGE if several
 * have that name, listing their ids; EXIT_REFUSED if none has. A word in the form of an id is not
 * looked up.
 *
 * @in  the id of the team or backlog to search; NULL: all.
 */
int team_find(struct visit *v, enum team_kind kind, const char *word, const char *in,
	      char out[TEAM_FIND_ID_BYTES]);

/*
 * Whether two names of users are the same to the server, which tells none apart by case or width.
 * An empty name equals no other.
 */
bool team_is_same_name(struct slice a, struct slice b);

#endif
