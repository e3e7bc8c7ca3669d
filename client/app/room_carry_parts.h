/*
 * room_carry_parts.h - what room_carry_uv.c and room_carry_texts_uv.c share; only for them.
 */
#ifndef CLIENT_APP_ROOM_CARRY_PARTS_H
#define CLIENT_APP_ROOM_CARRY_PARTS_H

#include "client/app/room_carry_uv.h"

/* Told through on_answer where it is not OK. */
bool room_carry_is_sent(struct room_carry *c, enum err e, const char *why);

/* room_carry_texts_uv.c: notes that all share, and many stories at once */
bool room_carry_save_note(struct room_carry *c, const struct ask *ask);
void room_carry_note_saved(struct room_carry *c, int64_t revision);
void room_carry_note_refused(struct room_carry *c, const struct fault *f);
bool room_carry_add_stories(struct room_carry *c, const char *lines);
/* A story was added: the next one. */
void room_carry_story_added(struct room_carry *c);
/* False where there were not many to add. */
bool room_carry_story_refused(struct room_carry *c, const struct fault *f);

#endif
