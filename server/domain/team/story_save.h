/*
 * story_save.h - transactions that write the estimates of a room's stories to items, after the
 * room's change is durable: see room_follow.h.
 */
#ifndef SERVER_DOMAIN_TEAM_STORY_SAVE_H
#define SERVER_DOMAIN_TEAM_STORY_SAVE_H

#include "server/domain/txn.h"

/* Write the estimate of a story to its item, and give the room the result as a task. */
txn_handler story_save;
/* The same if that was lost. params: struct store_item, the UNSAVED that was found. */
txn_handler story_save_again;

#endif
