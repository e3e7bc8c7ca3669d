/*
 * seat_map.h - which member of a seat is which field of its item.
 *
 * One row feeds both directions: room_items.c writes it, room_read.c reads it.
 * What is not here has a rule of its own: the times, user_id, account and role.
 *
 * Rows:  X(KIND, field of seat_item, member of struct seat)
 *   TEXT   a string of its own, or NULL     BOOL   bool
 *   INT    int64_t                          CARD   of room_card(), or CARD_NONE
 *   SMALL  the same as an int
 */
#ifndef SERVER_DOMAIN_ROOM_SEAT_MAP_H
#define SERVER_DOMAIN_ROOM_SEAT_MAP_H

#define SEAT_MAP(X)                                                                                \
	X(TEXT, username, username)                                                                \
	X(CARD, vote, card)                                                                        \
	X(BOOL, is_bot, is_bot)                                                                    \
	X(INT, joined_at, joined_at)                                                               \
	X(INT, voted_at, voted_at)                                                                 \
	X(TEXT, note, note)                                                                        \
	X(SMALL, confidence, confidence)                                                           \
	X(BOOL, is_changed, is_changed)                                                            \
	X(CARD, last_vote, last.card)                                                              \
	X(TEXT, last_note, last.note)                                                              \
	X(SMALL, last_confidence, last.confidence)                                                 \
	X(BOOL, last_is_changed, last.is_changed)                                                  \
	X(BOOL, is_cohost, is_cohost)                                                              \
	X(BOOL, is_waiting, is_waiting)

#endif
