/*
 * room_fields.h - a room's plain fields: those that are stored, loaded and
 * shown as they are; and a seat's that are stored and loaded.
 *
 * One row of ROOM_FIELDS feeds struct room, its item both ways (room_items.c, room_read.c),
 * the room_view of an update (room_view.c), and what the simulator keeps and
 * compares. Each has a row of the same name in room_item (store/items.h), and
 * where it is SHOWN in room_view (proto/records/records.h).
 *
 * Rows:  X(KIND, name, bytes, VIEW)
 *   BOOL  false, INT 0 and TEXT "" are as good as absent; bytes: of a TEXT
 *   SHOWN to everybody, or HIDDEN
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_FIELDS_H
#define SERVER_DOMAIN_ROOM_ROOM_FIELDS_H

#include "proto/base/limits.h"
#include "proto/keys/room_code.h"

/* "g_" and the id, with its NUL. */
#define GROUP_ID_BYTES (2 + USER_ID_CHARS + 1)

#define ROOM_FIELDS(X)                                                                             \
	X(BOOL, had_host, 0, HIDDEN) /* the host_key was presented: until then the host stands in for its owner */   \
	X(TEXT, group_id, GROUP_ID_BYTES, SHOWN) /* whose room it is; "" for a room of nobody's; from its making on */ \
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
	X(INT, pause_ends_at, 0, SHOWN) /* wall ms, a time of day: a clock that is set moves it. 0: no break */ \
	X(BOOL, is_round_late, 0, HIDDEN) /* the open round's item lacks votes that the seats have */

/* As members of a struct. */
#define ROOM_FIELD_BOOL(name, bytes)             bool name;
#define ROOM_FIELD_INT(name, bytes)              int64_t name;
#define ROOM_FIELD_TEXT(name, bytes)             char name[bytes];
#define ROOM_FIELD_MEMBER(KIND, name, bytes, VIEW) ROOM_FIELD_##KIND(name, bytes)

/*
 * Which member of a seat is which field of its item; both directions follow from the row.
 * What is not here has a rule of its own: the times, user_id, account and role.
 *
 * Rows:  X(KIND, field of seat_item, member of struct seat)
 *   TEXT   a string of its own, or NULL     BOOL   bool
 *   INT    int64_t                          CARD   of room_card(), or CARD_NONE
 *   SMALL  the same as an int
 */
#define SEAT_MAP(X)                                                                                \
	X(TEXT, username, username)                                                                \
	X(CARD, vote, card)                                                                        \
	X(BOOL, is_bot, is_bot)                                                                    \
	X(INT, joined_at, joined_at)                                                               \
	X(INT, voted_at, voted_at)                                                                 \
	X(TEXT, comment, comment)                                                                        \
	X(SMALL, confidence, confidence)                                                           \
	X(BOOL, is_changed, is_changed)                                                            \
	X(CARD, last_vote, last.card)                                                              \
	X(TEXT, last_comment, last.comment)                                                              \
	X(SMALL, last_confidence, last.confidence)                                                 \
	X(BOOL, last_is_changed, last.is_changed)                                                  \
	X(BOOL, is_vote_aside, is_vote_aside)                                                      \
	X(BOOL, is_cohost, is_cohost)                                                              \
	X(BOOL, is_creator, is_creator)                                                            \
	X(BOOL, is_waiting, is_waiting)

#endif
