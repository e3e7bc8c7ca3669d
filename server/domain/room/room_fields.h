/*
 * room_fields.h - the plain fields of a room, which are stored, loaded and shown unchanged; and
 * those of a seat that are stored and loaded unchanged.
 *
 * One row of ROOM_FIELDS feeds struct room, writing and reading of its item (room_items.c,
 * room_read.c), the room_view of an update (room_view.c), and what the simulator keeps and
 * compares. Each row has a row of the same name in room_item (store/items.h) and, if it is SHOWN,
 * in room_view (proto/records/records.h).
 *
 * Rows:  X(KIND, name, bytes, VIEW)
 *   BOOL, INT, TEXT  false, 0 and "" mean the same as absent; bytes: size of a TEXT
 *   SHOWN, HIDDEN    whether members see it
 */
#ifndef SERVER_DOMAIN_ROOM_ROOM_FIELDS_H
#define SERVER_DOMAIN_ROOM_ROOM_FIELDS_H

#include "proto/base/limits.h"
#include "proto/keys/room_code.h"

/* "g_" and the id, with its NUL. */
#define GROUP_ID_BYTES (2 + USER_ID_CHARS + 1)

#define ROOM_FIELDS(X)                                                                             \
	X(BOOL, had_host, 0, HIDDEN) /* until the host_key is sent, the host is a substitute */ \
	X(TEXT, host_kept_for, CODE_CHARS_MAX + 1, SHOWN) /* user_id of the host who went; "": nobody */ \
	X(TEXT, group_id, GROUP_ID_BYTES, SHOWN) /* its group, set when it is created; "": none */ \
	X(BOOL, is_revealed, 0, SHOWN)                                                             \
	X(INT, round, 0, SHOWN)                                                                    \
	X(INT, started_at, 0, SHOWN)                                                               \
	X(INT, revealed_at, 0, HIDDEN) /* 0 while the cards are hidden */                          \
	X(TEXT, story_id, USER_ID_CHARS + 1, SHOWN) /* "": no story */ \
	X(TEXT, outcome, MAX_CARD_BYTES + 1, SHOWN)                                                \
	X(BOOL, is_armed, 0, SHOWN)                                                                \
	X(BOOL, is_held, 0, HIDDEN) /* the countdown was stopped, until the next vote */ \
	X(INT, timer_ends_at, 0, HIDDEN) /* wall ms; shown as the timer. 0: no timer */           \
	X(BOOL, timer_reveals, 0, HIDDEN)                                                          \
	X(INT, timer_seconds, 0, SHOWN) /* of a timer without a time, set when it is created */ \
	X(INT, pause_ends_at, 0, SHOWN) /* wall ms; a set clock moves it. 0: no break */ \
	X(BOOL, is_round_late, 0, HIDDEN) /* the round's item lacks late votes */

/* A field as a member of a struct. */
#define ROOM_FIELD_BOOL(name, bytes)             bool name;
#define ROOM_FIELD_INT(name, bytes)              int64_t name;
#define ROOM_FIELD_TEXT(name, bytes)             char name[bytes];
#define ROOM_FIELD_MEMBER(KIND, name, bytes, VIEW) ROOM_FIELD_##KIND(name, bytes)

/*
 * Which member of struct seat is which field of its item, in both directions. Times, user_id,
 * account and role are not here: they have their own code.
 *
 * Rows:  X(KIND, field of seat_item, member of struct seat)
 *   TEXT   an allocated string, or NULL    BOOL   bool
 *   INT    int64_t                         CARD   a card number of room_card(), or CARD_NONE
 *   SMALL  int64_t in the item, int in the seat
 */
#define SEAT_MAP(X)                                                                                \
	X(TEXT, username, username)                                                                \
	X(CARD, vote, card)                                                                        \
	X(BOOL, is_bot, is_bot)                                                                    \
	X(INT, joined_at, joined_at)                                                               \
	X(TEXT, comment, comment)                                                                        \
	X(SMALL, confidence, confidence)                                                           \
	X(BOOL, is_changed, is_changed)                                                            \
	X(INT, keep_seconds, keep_seconds)                                                         \
	X(CARD, last_vote, last.card)                                                              \
	X(TEXT, last_comment, last.comment)                                                              \
	X(SMALL, last_confidence, last.confidence)                                                 \
	X(BOOL, last_is_changed, last.is_changed)                                                  \
	X(BOOL, is_vote_aside, is_vote_aside)                                                      \
	X(BOOL, is_cohost, is_cohost)                                                              \
	X(BOOL, is_creator, is_creator)                                                            \
	X(BOOL, is_waiting, is_waiting)

#endif
