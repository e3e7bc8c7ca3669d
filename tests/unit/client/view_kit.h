/*
 * view_kit.h - a room in its first round, as the server sends it.
 */
#ifndef TESTS_UNIT_CLIENT_VIEW_KIT_H
#define TESTS_UNIT_CLIENT_VIEW_KIT_H

#include "proto/records/records.h"

/* Nobody has voted; who may do what is as in a new room, all else of the policy off. The cards are borrowed. */
static inline struct room_view first_view(struct slice *cards, size_t n)
{
	return (struct room_view){
		.valid_sizes = {cards, n},
		.round = 1,
		.story_round = 1,
		.phase = PHASE_VOTING,
		.policy = {.who_reveals = WHO_MAY_HOST,
			   .who_resets = WHO_MAY_HOST,
			   .who_edits_stories = WHO_MAY_EVERYONE,
			   .who_edits_data = DATA_EDITORS_MEMBERS},
	};
}

#endif
