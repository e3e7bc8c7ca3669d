/*
 * live_note.h - when something happened for the first time since the server was started.
 *
 * In memory alone, at most LIVE_NOTES; beyond that the oldest is forgotten.
 */
#ifndef SERVER_CORE_LIVE_NOTE_H
#define SERVER_CORE_LIVE_NOTE_H

#include <stdint.h>

#include "proto/slice.h"
#include "server/domain/uthash_config.h"

#define LIVE_NOTE_BYTES 16

struct server;

struct live_note {
	unsigned char key[LIVE_NOTE_BYTES]; /* keyed hash of what it was */
	int64_t mono_ms;
	UT_hash_handle hh;
};

/* Note that it has happened, if that is not noted; where memory is out it is not. */
void live_note_add(struct server *s, struct slice what);
/* Ms since then; -1: it is not noted. */
int64_t live_note_age_ms(const struct server *s, struct slice what);
void live_notes_forget_all(struct server *s);

#endif
