/*
 * room_fields.h - a room's plain fields: those that are stored, loaded and
 * shown as they are.
 *
 * One row feeds struct room, its item both ways (room_items.c, room_read.c),
 * the room_view of an update (room_view.c), and what the simulator keeps and
 * compares. Each has a row of the same name in room_item (store/items.h), and
 * where it is SHOWN in room_view (proto/records.h).
 *
 * Rows:  X(KIND, name, bytes, VIEW)
 *   BOOL  false, INT 0 and TEXT "" are as good as absent; bytes: of a TEXT
 *   SHOWN to everybody, or HIDDEN
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_FIELDS_H
#define SERVER_DOMAIN_ROOM_ROOM_FIELDS_H

#include "proto/limits.h"
#include "proto/room_code.h"

#define ROOM_FIELDS(X)                                                                             \
	X(BOOL, had_host, 0, HIDDEN) /* with the host_key: until then whoever leads stands in */   \
	X(BOOL, is_revealed, 0, SHOWN)                                                             \
	X(INT, round, 0, SHOWN)                                                                    \
	X(INT, started_at, 0, SHOWN)                                                               \
	X(INT, revealed_at, 0, HIDDEN) /* 0 while the cards are hidden */                          \
	X(TEXT, story_id, USER_ID_CHARS + 1, SHOWN) /* "" for a quick vote */                      \
	X(TEXT, outcome, MAX_CARD_BYTES + 1, SHOWN)                                                \
	X(BOOL, is_armed, 0, SHOWN)                                                                \
	X(BOOL, is_held, 0, HIDDEN) /* stopped by hand, until the next vote */                     \
	X(INT, timer_ends_at, 0, HIDDEN) /* wall ms; shown as the timer. 0: none runs */           \
	X(BOOL, timer_reveals, 0, HIDDEN)                                                          \
	X(BOOL, is_round_late, 0, HIDDEN) /* the open round's item lacks votes that the seats have */

/* As members of a struct. */
#define ROOM_FIELD_BOOL(name, bytes)             bool name;
#define ROOM_FIELD_INT(name, bytes)              int64_t name;
#define ROOM_FIELD_TEXT(name, bytes)             char name[bytes];
#define ROOM_FIELD_MEMBER(KIND, name, bytes, VIEW) ROOM_FIELD_##KIND(name, bytes)

#endif
