/*
 * live_note.c - see live_note.h.
 */
#include "server/core/live_note.h"

#include <stdlib.h>

#include "proto/key_hash.h"
#include "server/core/server_priv.h"

static struct live_note *live_note_find(const struct server *s, const unsigned char *key)
{
	struct live_note *n = NULL;
	HASH_FIND(hh, s->live_notes, key, LIVE_NOTE_BYTES, n);
	return n;
}

static void live_note_free(struct server *s, struct live_note *n)
{
	HASH_DELETE(hh, s->live_notes, n);
	free(n);
}

void live_note_add(struct server *s, struct slice what)
{
	unsigned char key[LIVE_NOTE_BYTES];
	derive_bytes(s->config.server_key, "live note", what, key, sizeof(key));
	if (live_note_find(s, key) != NULL) {
		return;
	}
	struct live_note *n = calloc(1, sizeof(*n));
	if (n == NULL) {
		return;
	}
	memcpy(n->key, key, sizeof(key));
	n->mono_ms = s->now.mono_ms;
	HASH_ADD(hh, s->live_notes, key, sizeof(n->key), n);
	if (n->hh.tbl == NULL) {
		free(n);
	} else if (HASH_COUNT(s->live_notes) > MAX_LIVE_NOTES) {
		live_note_free(s, s->live_notes); /* a hash keeps the order in which they came */
	}
}

int64_t live_note_age_ms(const struct server *s, struct slice what)
{
	unsigned char key[LIVE_NOTE_BYTES];
	derive_bytes(s->config.server_key, "live note", what, key, sizeof(key));
	const struct live_note *n = live_note_find(s, key);
	return n == NULL ? -1 : s->now.mono_ms - n->mono_ms;
}

void live_notes_forget_all(struct server *s)
{
	while (s->live_notes != NULL) {
		live_note_free(s, s->live_notes);
	}
}
