/*
 * directory_user.c - what a change of a user means for other features.
 *
 * Beside directory.c, whose tables a test may have its own of.
 */
#include "server/domain/directory.h"
#include "server/domain/team/team.h"

enum txn_step directory_rename_user(struct txn *t, struct slice user_id,
				    const struct user_item *user, struct slice name)
{
	return group_write_name(t, user_id, user, name);
}

struct slice directory_create_first_group(struct txn *t, struct slice user_id, struct slice name,
					  struct user_item *user)
{
	return group_create_first(t, user_id, name, user);
}
