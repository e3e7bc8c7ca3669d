/*
 * story_save.h - what follows when the change of a room is durable: see room_follow.h.
 */
#ifndef SERVER_DOMAIN_TEAM_STORY_SAVE_H
#define SERVER_DOMAIN_TEAM_STORY_SAVE_H

#include "server/domain/txn.h"

/* Write the estimate of a story to its item, and tell the room. */
txn_handler story_save;
/* The same where that was lost. @params struct store_item: the UNSAVED that was found. */
txn_handler story_save_again;

#endif
