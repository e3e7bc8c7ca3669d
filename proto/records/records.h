/*
 * records.h - every record of the protocol, as rows.
 *
 * record.h explains the columns. Add fields freely, but never give a name a new meaning. Field
 * names are snake_case, times are ms since the epoch, ids are strings. The tables of
 * proto/README.md are generated from these rows.
 *
 * Not here: records of shared data (records_data.h), of questions (records_question.h,
 * records_subscription.h), and of users and groups (records_team.h).
 */
#ifndef PROTO_RECORDS_RECORDS_H
#define PROTO_RECORDS_RECORDS_H

#include "proto/base/limits.h"
#include "proto/keys/fingerprint.h"
#include "proto/records/policy.h"
#include "proto/records/record.h"
#include "proto/records/records_data.h"
#include "proto/records/records_question.h"
#include "proto/records/records_subscription.h"
#include "proto/records/records_team.h"

/* Fields that many records share: one definition, one meaning. */
#define F_ROOM_ID(F) F(STR, room_id, _, FIELD_REQ, 6, 16, "The room's code; lower case is accepted")
#define F_USER_KEY(F) F(STR, user_key, _, FIELD_OPT_SECRET, 43, 43, "Proof of a seat; optional if this connection has already sent it")
#define F_HOST_KEY(F) F(STR, host_key, _, FIELD_OPT_SECRET, 43, 43, "Proof of being host; optional if this connection has already sent it, or its seat is host")
#define F_ONCE(F) F_ONCE_FOR(F, "within 24 h")
#define F_ONCE_FOR(F, time) F(STR, idempotency_key, _, FIELD_OPT, 1, 64, "A repeat with the same key " time " gets the first result. Unguessable, at least 16 bytes unless the caller logged in with a key")
/* The room, and the key of the caller: of a seat, of the host, or either. */
#define F_MEMBER_CALL(F) F_ROOM_ID(F) F_USER_KEY(F)
#define F_HOST_CALL(F) F_ROOM_ID(F) F_HOST_KEY(F)
#define F_MEMBER_OR_HOST_CALL(F) F_MEMBER_CALL(F) F_HOST_KEY(F)
#define F_ROLE(F, flags, help) F(ENUM, role, seat_role, flags, 0, WORDS_LAST(seat_role), help)
#define F_OF_ROOM(F) F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "The room")
#define F_SEAT_ID(F) F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The seat's public name")
#define F_CARDS(F) F(STRS, valid_sizes, _, FIELD_REQ | FIELD_LINE, 2, 32, "The cards")
/* The place in an order: at most one of the two, the id of another element. */
#define F_PLACE(F, id)                                                                             \
	F(STR, before, _, FIELD_OPT, 1, 64, id " of the one it goes before")                       \
	F(STR, after, _, FIELD_OPT, 1, 64, id " of the one it goes after")
#define F_VERSION(F) F(INT, version, _, FIELD_OPT, 0, INT64_MAX, "The update that shows this change brings this version or a later one")

/* ---- session and server ---- */
#define MAX_HOME_BYTES 272
#define F_HOME(F, help) F(STR, home, _, FIELD_OPT | FIELD_LINE, 1, MAX_HOME_BYTES, help)
#define RECORD_hello_params(F)                                                                     \
	F(INT, protocol, _, FIELD_REQ, 1, 1000, "Protocol version the client speaks: 1")           \
	F(STR, client, _, FIELD_REQ, 1, 128, "Name and version of the client program")             \
	F(STR, room_id, _, FIELD_OPT, 6, 16, "The room that the connection is for: of several servers, the one that has it will serve the connection. Otherwise without effect")

#define RECORD_hello_result(F)                                                                     \
	F(INT, protocol, _, FIELD_REQ, 1, 1000, "Protocol version of this connection")             \
	F(STR, server, _, FIELD_REQ | FIELD_LINE, 1, 128, "Name and version of the server program")             \
	F(STRS, features, _, FIELD_REQ, 0, 64, "What this server supports beyond protocol 1")      \
	F(ANY, limits, _, FIELD_REQ, 1, 8192, "Map of the limits in force, by their names in the limits table") \
	F(INT, now, _, FIELD_REQ, 0, INT64_MAX, "Server time")                                     \
	F(STR, nonce, _, FIELD_REQ | FIELD_ID, 43, 43, "Random, new for each connection; for signed logins") \
	F(STR, web, _, FIELD_OPT, 1, MAX_WEB_BYTES, "Address of the server's page for browsers, ending in /; absent: it has none") \
	F_HOME(F, "With room_id: the address of the server that has the room, as in error_view")

#define RECORD_nothing(F)

#define F_UTC_OFFSET(F) F(INT, utc_offset_minutes, _, FIELD_OPT, -720, 840, "How far the user's clock is ahead of UTC, which decides when their day starts; absent: unchanged, initially 0")
#define RECORD_login_params(F)                                                                     \
	F(STR, user_name, _, FIELD_REQ, 1, 4 * MAX_NAME_BYTES, "1 to 32 cells after cleaning; one live session a name, compared case-folded and NFKC-normalised") \
	F(STR, public_key, _, FIELD_OPT, 43, 43, "Ed25519 public key, base64url; creates a lasting user") \
	F(STR, signature, _, FIELD_OPT_SECRET, 86, 86, "Ed25519 signature over user_name and nonce, base64url: see Sessions") \
	F_CHARS(F, group_name, FIELD_OPT, 1, MAX_TEAM_NAME_CHARS, "Also create a first group of this name for a user with a key who was never in one") \
	F_UTC_OFFSET(F)                                                                            \
	F_ONCE(F)
#define RECORD_assert_params(F)                                                                    \
	F(STR, fingerprint, _, FIELD_REQ, FINGERPRINT_CHARS, FINGERPRINT_CHARS, "The ssh key as ssh-keygen -l names it: SHA256: and 43 characters of base64") \
	F(STR, user_name, _, FIELD_OPT, 1, 4 * MAX_NAME_BYTES, "As in session.login; absent: the last one of the key's user") \
	F_UTC_OFFSET(F)
#define RECORD_logout_params(F) F_ONCE(F)
#define F_SESSION(F)                                                                               \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The user")                                           \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "The cleaned name")        \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it expires if unused")
#define RECORD_login_result(F)                                                                      \
	F(STR, token, _, FIELD_REQ_SECRET | FIELD_ID, 43, 43, "Proof of the session; shown once")             \
	F_SESSION(F)                                                                               \
	F(STR, group_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The first group, if one was created; not in a repeat")
#define RECORD_resume_params(F)                                                                    \
	F(STR, token, _, FIELD_REQ_SECRET, 1, 256, "The token of session.login")                   \
	F_UTC_OFFSET(F)
#define RECORD_session_result(F) F_SESSION(F)
#define RECORD_whoami_result(F)                                                                    \
	F_SESSION(F)                                                                               \
	F(STRS, rooms, _, FIELD_REQ | FIELD_CODE, 0, 1024, "Codes of the rooms in which the user has a seat")
/*
 * The first fields of every notification of a topic. A client whose version is less than `since`,
 * or that receives reset, has missed a notification and requests the state again.
 */
#define F_TOPIC(F)                                                                                 \
	F(INT, since, _, FIELD_REQ, 0, INT64_MAX, "The topic's version that it follows")           \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "The topic's version that it brings")          \
	F(BOOL, reset, _, FIELD_OPT, 0, 0, "true: not all was sent; call again for the rest")
#define RECORD_session_view(F)                                                                     \
	F(STR, session_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Identifies the session; proves nothing") \
	F(INT, created_on, _, FIELD_REQ, 0, INT64_MAX, "When it started")                          \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it expires if unused; may be up to a minute later")
#define RECORD_session_watch_result(F)                                                             \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "Version of the topic; session.update continues from it") \
	F(STR, session_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The session of this connection; the watch ends with it") \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The user")                                           \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "The name")                             \
	F(RECS, sessions, session_view, FIELD_REQ, 0, 256, "The user's sessions, the first to expire first") \
	F(STRS, rooms, _, FIELD_REQ | FIELD_CODE, 0, 1024, "Codes of the rooms in which the user has a seat")
#define RECORD_session_renamed(F)                                                                  \
	F(STR, session_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The session")                          \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "Its new name")
#define RECORD_session_update(F)                                                                   \
	F_TOPIC(F)                                                                                 \
	F(REC, started, session_view, FIELD_OPT, 0, 0, "A session started")                        \
	F(STR, ended, _, FIELD_OPT | FIELD_ID, 1, 64, "session_id of one that ended")                         \
	F(REC, renamed, session_renamed, FIELD_OPT, 0, 0, "A session was renamed: user.update")    \
	F(STR, joined, _, FIELD_OPT | FIELD_CODE, 6, 16, "Code of a room in which the user took a seat") \
	F(STR, left, _, FIELD_OPT | FIELD_CODE, 6, 16, "Code of a room in which the user gave up the seat")
#define RECORD_session_nudged(F)                                                                   \
	F_OF_ROOM(F)                                                                               \
	F(STR, by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "The asker; absent if the caller has no name") \
	F(STR, story, _, FIELD_OPT | FIELD_LINE, 1, MAX_STORY_TITLE_BYTES, "What is voted on: the story's key, or its title if it has none; absent without a story")
#define RECORD_session_waiting(F)                                                                  \
	F_OF_ROOM(F)                                                                               \
	F(STR, title, _, FIELD_OPT | FIELD_LINE, 1, MAX_TITLE_BYTES, "Title of the room")          \
	F(INT, ends_at, _, FIELD_OPT, 0, INT64_MAX, "When the first of them is revealed, by the room's timer or a deadline of its own; absent: no deadline")
#define RECORD_room_keep_params(F)                                                                 \
	F_HOST_CALL(F)                                                                             \
	F(INT, days, _, FIELD_REQ, 1, MAX_ROOM_KEEP_DAYS, "From now")                              \
	F_ONCE(F)
#define RECORD_room_keep_result(F)                                                                 \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "The earliest time the room is deleted")    \
	F_VERSION(F)
#define RECORD_expiring_notice(F)                                                                  \
	F_OF_ROOM(F)                                                                               \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it is deleted if unused")

#define RECORD_ping_result(F) F(INT, now, _, FIELD_REQ, 0, INT64_MAX, "Server time")

#define RECORD_stats_result(F)                                                                     \
	F(INT, now, _, FIELD_REQ, 0, INT64_MAX, "Server time")                                     \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When the server started")                  \
	F(ANY, counters, _, FIELD_REQ, 1, 32768, "Map of metrics by name, see ayed(8): numbers, maps of numbers by method and result or by code, histograms {buckets, sum, count}")

#define RECORD_server_share_params(F)                                                              \
	F(STR, address, _, FIELD_OPT, 1, 128, "HOST, HOST:PORT or [IPV6]:PORT, in numbers; without PORT 2937 or the next free one") \
	F(ENUM, web_scheme, share_web, FIELD_OPT, 0, WORDS_LAST(share_web), "Listen for browsers on HOST, too, on port 2938 or the next free one; http is not encrypted") \
	F(BOOL, unshare, _, FIELD_OPT, 0, 0, "Without address: stop listening on those that this method added; open connections stay")

#define RECORD_server_share_result(F)                                                              \
	F(STRS, addresses, _, FIELD_REQ, 0, MAX_SERVER_ADDRESSES, "Where others reach the server, as tls://HOST:PORT, or tcp:// if unencrypted; none: nowhere") \
	F(STR, fingerprint, _, FIELD_OPT, 1, 64, "Of the certificate at those with tls://, and of a page with https://") \
	F(STR, web, _, FIELD_OPT, 1, MAX_WEB_BYTES, "Address of the page for browsers, as in hello_result")

/* ---- rooms: requests and results ---- */
#define F_LINK_TEMPLATE(F, flags) F(TEXT, link_template, 0, flags, 0, MAX_LINK_TEMPLATE_BYTES, "Where a story without a link is described: an http or https address with {key} in it; nil: nowhere")
/* Times and reactions that a room starts with, and those a team keeps for its rooms. */
#define F_ROOM_HABITS(F)                                                                           \
	F(INT, timer_seconds, _, FIELD_OPT, 0, MAX_TIMER_SECONDS, "How long a timer.start without seconds runs; 0: it needs seconds") \
	F(INT, reveal_in_seconds, _, FIELD_OPT, 0, MAX_TIMER_SECONDS, "A timer starts with the room, and reveals the cards so long after; 0: none") \
	F(TEXTS, reactions, MAX_REACTION_CELLS, FIELD_OPT, 0, MAX_REACTIONS, "Different words or emoji of 1 to 12 cells, offered as reactions; empty: the usual six")
#define RECORD_room_create_params(F)                                                               \
	F(STRS, valid_sizes, _, FIELD_OPT, 0, 64, "The cards; 2 to 32 different ones of 1 to 8 cells") \
	F(STR, deck, _, FIELD_OPT, 1, 32, "Name of a preset deck, instead of valid_sizes")         \
	F(TEXT, title, MAX_TITLE_CELLS, FIELD_NIL, 0, MAX_TITLE_BYTES, "Shown in everyone's header") \
	F_LINK_TEMPLATE(F, FIELD_NIL)                                                              \
	F_ROOM_HABITS(F)                                                                           \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "Create it in this group, which the caller is in: it starts with the group's defaults, its members enter freely, its owners may be hosts, and it lives longer") \
	F(REC, policy, policy_change, FIELD_OPT, 0, 0, "Changes to the policy such a room starts with, as in room.set_policy") \
	F_ONCE(F)
#define RECORD_room_create_result(F)                                                               \
	F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "The room code to share")                \
	F(STR, host_key, _, FIELD_REQ_SECRET | FIELD_ID, 43, 43, "Proof of being host; shown once")           \
	F_CARDS(F)

#define RECORD_since(F)                                                                            \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Epoch of the last update seen")                 \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "Version of the last update seen")
#define RECORD_room_subscribe_params(F)                                                            \
	F_MEMBER_CALL(F)                                                                           \
	F(REC, since, since, FIELD_OPT, 0, 0, "Where the caller's copy is; the missing frames follow, or a full update") \
	F(STR, passcode, _, FIELD_OPT_SECRET, 1, 256, "For a new seat in a room with a passcode")  \
	F(BOOL, data, _, FIELD_OPT, 0, 0, "false: no shared data in this connection's updates")    \
	F(STR, host_key, _, FIELD_OPT_SECRET, 43, 43, "Proof of being host: admits the caller regardless of the room's rules, and as host if it was never used before; ignored if wrong")
#define F_STORY_ID(F) F(STR, story_id, _, FIELD_REQ, 1, 64, "The story")
#define RECORD_room_subscribe_result(F)                                                            \
	F(STR, user_key, _, FIELD_REQ_SECRET | FIELD_ID, 43, 43, "Proof of the seat; keep it to return to the seat") \
	F_SEAT_ID(F)                                                                               \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Versions count within one epoch")               \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "Version the room has now")

#define RECORD_room_params(F) F_ROOM_ID(F)
#define RECORD_room_get_params(F) F_HOST_CALL(F)
#define RECORD_room_seat_params(F) F_MEMBER_CALL(F) F_ONCE(F)
#define RECORD_room_host_params(F) F_HOST_CALL(F) F_ONCE(F)
#define RECORD_room_leave_params(F)                                                                \
	F_MEMBER_CALL(F)                                                                           \
	F(BOOL, if_last, _, FIELD_OPT, 0, 0, "Only if no other connection follows the room on this seat; otherwise nothing changes") \
	F_ONCE(F)
#define RECORD_room_leave_result(F)                                                                \
	F(BOOL, is_kept, _, FIELD_OPT, 0, 0, "With if_last: another connection uses the seat, which is unchanged") \
	F_VERSION(F)
#define RECORD_room_barred_params(F) F_HOST_CALL(F)

#define RECORD_room_join_params(F)                                                                 \
	F_MEMBER_CALL(F)                                                                           \
	F(TEXT, username, MAX_NAME_CELLS, FIELD_OPT, 1, MAX_NAME_BYTES, "Gets a number if another member has it; a login's own seat has the login's name, and may omit it") \
	F_ROLE(F, FIELD_OPT, "Absent: as the seat is, initially a voter")                          \
	F(BOOL, is_bot, _, FIELD_OPT, 0, 0, "Whether the seat is a program's")                     \
	F_ONCE(F)
#define RECORD_room_join_result(F)                                                                 \
	F_SEAT_ID(F)                                                                               \
	F(STR, username, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "The name of the seat: as requested, or with a number") \
	F_VERSION(F)

#define F_OPEN_STORY_ID(F) F(STR, story_id, _, FIELD_OPT, 1, 64, "With open_stories: another story than the one at the table; absent: the table's")
#define RECORD_room_vote_params(F)                                                                 \
	F_MEMBER_CALL(F)                                                                           \
	F_OPEN_STORY_ID(F)                                                                         \
	F(TEXT, vote, MAX_CARD_CELLS, FIELD_REQ_NIL, 1, MAX_CARD_BYTES, "One of valid_sizes, or nil to retract")   \
	F(TEXT, comment, MAX_COMMENT_CELLS, FIELD_NIL, 0, MAX_COMMENT_BYTES, "One line on the vote, shown after the reveal; absent: unchanged") \
	F(INT, confidence, _, FIELD_OPT, 1, 3, "How sure: 1 to 3; if the policy asks for it")      \
	F(INT, keep_seconds, _, FIELD_OPT, 1, MAX_VOTE_KEEP_SECONDS, "How long the vote, and the seat with it, are kept without a connection, until the next round at most; default and minimum: vote_grace_ms. Such a vote counts, but does not start the automatic reveal, unless its member has another connection") \
	F_ONCE(F)
#define RECORD_room_vote_result(F)                                                                 \
	F(BOOL, has_vote, _, FIELD_REQ, 0, 0, "Whether the seat now has a vote")                   \
	F_VERSION(F)

#define RECORD_room_set_valid_sizes_params(F)                                                      \
	F_HOST_CALL(F)                                                                             \
	F(STRS, valid_sizes, _, FIELD_REQ, 0, 64, "The new cards; votes for other cards are withdrawn at the reveal") \
	F_ONCE(F)
#define RECORD_room_set_valid_sizes_result(F)                                                      \
	F_CARDS(F)                                                                                 \
	F_VERSION(F)

#define RECORD_room_set_revealed_params(F)                                                         \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F_OPEN_STORY_ID(F)                                                                         \
	F(BOOL, is_revealed, _, FIELD_REQ, 0, 0, "true reveals the cards, false hides them and keeps the votes") \
	F_ONCE(F)
#define RECORD_room_set_title_params(F)                                                            \
	F_HOST_CALL(F)                                                                             \
	F(TEXT, title, MAX_TITLE_CELLS, FIELD_REQ_NIL, 0, MAX_TITLE_BYTES, "The new title, or nil for none")      \
	F_ONCE(F)
#define RECORD_room_set_link_template_params(F)                                                    \
	F_HOST_CALL(F)                                                                             \
	F_LINK_TEMPLATE(F, FIELD_REQ_NIL)                                                          \
	F_ONCE(F)
#define RECORD_room_reset_result(F)                                                                \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of the round that has started")          \
	F_VERSION(F)
#define RECORD_room_user_params(F)                                                                 \
	F_HOST_CALL(F)                                                                             \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "The member")                                         \
	F_ONCE(F)
#define RECORD_room_claim_host_params(F)                                                           \
	F_ROOM_ID(F)                                                                               \
	F(STR, host_key, _, FIELD_REQ_SECRET, 43, 43, "The key from room.create")                  \
	F_ONCE(F)
#define RECORD_version_result(F) F_VERSION(F)

/* ---- rounds, reveal, policy ---- */
#define POLICY_CHANGE_WHO(F, field, member, is_default, help, ...) F(ENUM, field, who_may, FIELD_DELTA, 0, WORDS_LAST(who_may), help)
#define POLICY_CHANGE_SWITCH(F, field, member, is_default, help, ...) F(BOOL, field, _, FIELD_DELTA, 0, 0, help)
#define RECORD_policy_change(F)                                                                    \
	POLICY_WHO(POLICY_CHANGE_WHO, F)                                                           \
	F(ENUM, who_edits_data, data_editors, FIELD_DELTA, 0, WORDS_LAST(data_editors), "Maps, lists and presences; members are those with a name, and the default") \
	POLICY_SWITCHES(POLICY_CHANGE_SWITCH, F)                                                   \
	F(INT, quorum, _, FIELD_DELTA, 0, MAX_ROOM_SEATS, "Number of counted votes that is enough for the reveal; default 0: those of everyone who is here") \
	F(STR, passcode, _, FIELD_NIL | FIELD_DELTA | FIELD_SECRET, 1, 256, "Required for new seats; nil: none")
#define RECORD_room_set_policy_params(F)                                                           \
	F_HOST_CALL(F)                                                                             \
	F(REC, policy, policy_change, FIELD_REQ, 0, 0, "The fields to change")                     \
	F_ONCE(F)
#define RECORD_room_member_params(F) F_MEMBER_OR_HOST_CALL(F) F_ONCE(F)
#define RECORD_round_settle_params(F)                                                              \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F_OPEN_STORY_ID(F)                                                                         \
	F(TEXT, estimate, MAX_CARD_CELLS, FIELD_REQ_NIL, 1, MAX_CARD_BYTES, "The estimate; nil clears it") \
	F_ONCE(F)
#define RECORD_round_settle_agreed_result(F)                                                       \
	F(STRS, settled, _, FIELD_REQ | FIELD_ID, 0, MAX_STORIES, "story_id of each story that was settled") \
	F_VERSION(F)
#define RECORD_reveal_cancel_params(F)                                                             \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(INT, token, _, FIELD_OPT, 0, INT64_MAX, "The countdown meant; any other is not stopped") \
	F_ONCE(F)
#define RECORD_reveal_arm_params(F)                                                                \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(BOOL, is_armed, _, FIELD_OPT, 0, 0, "false undoes it; default true")                 \
	F_ONCE(F)
#define RECORD_page_params(F)                                                                      \
	F_HOST_CALL(F)                                                                             \
	F(INT, limit, _, FIELD_OPT, 1, MAX_PAGE, "Most entries of the page; default all that a page takes") \
	F(STR, cursor, _, FIELD_NIL, 1, 64, "The cursor of the previous page; absent for the first")
#define RECORD_timer_start_params(F)                                                               \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(INT, seconds, _, FIELD_OPT, 1, MAX_TIMER_SECONDS, "From now; default the room's timer_seconds, required if it has none") \
	F(BOOL, reveal_at_zero, _, FIELD_OPT, 0, 0, "Reveal the cards when it ends; for members who may reveal")               \
	F_ONCE(F)
#define RECORD_timer_start_result(F)                                                               \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When it expires")                             \
	F_VERSION(F)
#define RECORD_room_pause_params(F)                                                                \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(INT, minutes, _, FIELD_REQ, 0, MAX_PAUSE_MINUTES, "From now; 0 ends the break")          \
	F_ONCE(F)
#define RECORD_room_nudge_params(F)                                                                \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(STR, user_id, _, FIELD_OPT, 1, 64, "The member; absent: all others who have not voted")          \
	F_ONCE(F)
#define RECORD_room_nudge_result(F)                                                                \
	F(INT, nudged, _, FIELD_REQ, 0, INT64_MAX, "How many were nudged, in the room or, logged in, elsewhere; members nudged less than 30 s ago are skipped; while who voted is hidden, the count includes those who have voted, but they are not nudged") \
	F_VERSION(F)
#define RECORD_room_react_params(F)                                                                \
	F_MEMBER_CALL(F)                                                                           \
	F(TEXT, word, MAX_REACTION_CELLS, FIELD_REQ, 1, 256, "One word or emoji; shown for a moment, never stored") \
	F_ONCE(F)

/* ---- stories ---- */
#define F_STORY_FIELDS(F, title_flags)                                                             \
	F(TEXT, title, MAX_STORY_TITLE_CELLS, title_flags, 1, MAX_STORY_TITLE_BYTES, "What is estimated")             \
	F(TEXT, key, MAX_STORY_KEY_CELLS, FIELD_NIL, 0, MAX_STORY_KEY_BYTES, "Its key in a tracker, such as PAY-101 or #12; nil: none") \
	F(TEXT, link, 0, FIELD_NIL, 0, MAX_STORY_LINK_BYTES, "Where it is described; nil: nowhere") \
	F(TEXT, description, 0, FIELD_NIL | FIELD_LINES, 0, MAX_STORY_DESCRIPTION_BYTES, "Its description; nil: none") \
	F(ENUM, status, story_status, FIELD_OPT, STORY_TODO, STORY_SKIPPED, "Its status; voting is set by story.select") \
	F(TEXT, estimate, MAX_CARD_CELLS, FIELD_NIL, 0, MAX_CARD_BYTES, "The estimate; nil: none") \
	F(INT, reveal_in_seconds, _, FIELD_OPT, 0, MAX_TIMER_SECONDS, "With open_stories: its votes are revealed so long after; 0: never by themselves. Only for those who may reveal (policy.who_reveals)")
#define RECORD_story_add_params(F)                                                                 \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F_STORY_FIELDS(F, FIELD_OPT)                                                               \
	F(STR, container_id, _, FIELD_OPT, 1, 64, "With item_id: the container of the item that becomes a story. Its name and note become title and description if these are absent; only for members of its group") \
	F(STR, item_id, _, FIELD_OPT, 1, 64, "The item; without it a title is required")           \
	F(BOOL, is_unique, _, FIELD_OPT, 0, 0, "Refuse if a story that is not removed has the same key, in any case, and the same link if both have one") \
	F_PLACE(F, "story_id")                                                                     \
	F_ONCE(F)
#define RECORD_story_result(F)                                                                     \
	F(STR, story_id, _, FIELD_REQ_NIL | FIELD_ID, 1, 64, "The story; nil if none")             \
	F_VERSION(F)
#define RECORD_story_update_params(F)                                                              \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F_STORY_ID(F)                                                                              \
	F_STORY_FIELDS(F, FIELD_OPT)                                                               \
	F_ONCE(F)
#define RECORD_story_move_params(F)                                                                \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F_STORY_ID(F)                                                                              \
	F_PLACE(F, "story_id")                                                                     \
	F_ONCE(F)
#define RECORD_story_params(F)                                                                     \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F_STORY_ID(F)                                                                              \
	F_ONCE(F)
#define RECORD_story_select_params(F)                                                              \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(STR, story_id, _, FIELD_REQ_NIL, 1, 64, "What to vote on; nil: nothing in particular")   \
	F_ONCE(F)
#define RECORD_item_ref(F)                                                                         \
	F(STR, container_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The container")                      \
	F(STR, item_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The item in it")
#define RECORD_story_view(F)                                                                       \
	F(STR, story_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The story")                                         \
	F(STR, rank, _, FIELD_REQ, 1, 64, "Order: compare as bytes")                               \
	F(STR, title, _, FIELD_REQ | FIELD_LINE, 1, MAX_STORY_TITLE_BYTES, "Title")                             \
	F(STR, key, _, FIELD_NIL | FIELD_LINE, 1, MAX_STORY_KEY_BYTES, "Its key in a tracker; shown before the title") \
	F(STR, link, _, FIELD_NIL, 0, MAX_STORY_LINK_BYTES, "Where it is described")               \
	F(STR, description, _, FIELD_NIL | FIELD_LINES, 0, MAX_STORY_DESCRIPTION_BYTES, "Its description") \
	F(ENUM, status, story_status, FIELD_REQ, 0, WORDS_LAST(story_status), "Its status")        \
	F(STR, estimate, _, FIELD_NIL, 1, MAX_CARD_BYTES, "The estimate")                          \
	F(BOOL, is_removed, _, FIELD_OPT, 0, 0, "Removed; story.restore restores it")              \
	F(REC, item, item_ref, FIELD_OPT, 0, 0, "The item of a container from which it was created") \
	F(BOOL, is_unsaved, _, FIELD_OPT, 0, 0, "Its last estimate is not written to the item, or not yet") \
	F(ENUM, unsaved_reason, unsaved_reason, FIELD_OPT, 0, WORDS_LAST(unsaved_reason), "Why it will not be; settle again once that has changed") \
	F(INT, ends_at, _, FIELD_OPT, 1, INT64_MAX, "When its votes are revealed; absent: it has no deadline of its own")
#define RECORD_story_list_result(F)                                                                \
	F(RECS, stories, story_view, FIELD_REQ, 0, MAX_PAGE, "In order, removed ones last")        \
	F(STR, cursor, _, FIELD_NIL, 1, 64, "For the next page; absent at the end")

/* ---- rooms: what every member sees ---- */
#define POLICY_VIEW_WHO(F, field, ...) F(ENUM, field, who_may, FIELD_REQ, 0, WORDS_LAST(who_may), "As in room.set_policy")
#define POLICY_VIEW_SWITCH(F, field, ...) F(BOOL, field, _, FIELD_REQ, 0, 0, "As in room.set_policy")
#define RECORD_policy_view(F)                                                                      \
	POLICY_WHO(POLICY_VIEW_WHO, F)                                                             \
	F(ENUM, who_edits_data, data_editors, FIELD_REQ, 0, WORDS_LAST(data_editors), "As in room.set_policy")                   \
	POLICY_SWITCHES(POLICY_VIEW_SWITCH, F)                                                     \
	F(INT, quorum, _, FIELD_REQ, 0, MAX_ROOM_SEATS, "As in room.set_policy")                   \
	F(BOOL, has_passcode, _, FIELD_REQ, 0, 0, "Whether new seats need one")
#define RECORD_countdown_view(F)                                                                   \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When the cards are revealed")                 \
	F(INT, token, _, FIELD_REQ, 0, INT64_MAX, "For reveal.cancel")
#define RECORD_timer_view(F)                                                                       \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When it expires")                             \
	F(BOOL, reveal_at_zero, _, FIELD_REQ, 0, 0, "Whether the cards are revealed then")
#define RECORD_result_card(F)                                                                      \
	F(STR, card, _, FIELD_REQ, 1, MAX_CARD_BYTES, "The card")                                  \
	F(INT, votes, _, FIELD_REQ, 1, INT64_MAX, "Votes for it; where names may be known, users, left_votes and the history have them")
#define RECORD_room_result(F)                                                                      \
	F(INT, votes, _, FIELD_REQ, 0, INT64_MAX, "Votes counted")                                 \
	F(INT, withdrawn, _, FIELD_OPT, 0, INT64_MAX, "Votes withdrawn at the reveal, because their card was removed from the deck; absent: none") \
	F(RECS, cards, result_card, FIELD_REQ, 0, MAX_CARDS_MAX, "Cards with votes, in the deck's order") \
	F(NUM, average, _, FIELD_OPT, INT64_MIN, INT64_MAX, "Of the numeric cards; absent without any") \
	F(NUM, median, _, FIELD_OPT, INT64_MIN, INT64_MAX, "Of the numeric cards; absent without any") \
	F(STR, mode, _, FIELD_OPT, 1, MAX_CARD_BYTES, "The card with most votes; absent without votes") \
	F(INT, agreement_percent, _, FIELD_REQ, 0, 100, "Share of the votes on that card")         \
	F(INT, spread_steps, _, FIELD_OPT, 0, MAX_CARDS_MAX, "Cards between the lowest and the highest vote; absent with fewer than two that have an order") \
	F(STR, lowest, _, FIELD_OPT, 1, MAX_CARD_BYTES, "Lowest card voted; its voters speak first") \
	F(STR, highest, _, FIELD_OPT, 1, MAX_CARD_BYTES, "Highest card voted; its voters speak first") \
	F(STR, suggestion, _, FIELD_OPT, 1, MAX_CARD_BYTES, "The suggested card; absent: talk")    \
	F(BOOL, is_unanimous, _, FIELD_REQ, 0, 0, "Two votes or more, all for one card")
#define RECORD_round_vote(F)                                                                       \
	F(STR, vote, _, FIELD_REQ, 1, MAX_CARD_BYTES, "The card")                                  \
	F(STR, user_id, _, FIELD_OPT | FIELD_ID, 1, 64, "Whose; absent if results were anonymous") \
	F(STR, username, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Their name then")                       \
	F_ROLE(F, FIELD_REQ, "Whether the seat votes")                                    \
	F(BOOL, is_bot, _, FIELD_REQ, 0, 0, "Whether a program voted")                             \
	F(STR, comment, _, FIELD_OPT, 1, MAX_COMMENT_BYTES, "Their comment")                                \
	F(INT, confidence, _, FIELD_OPT, 1, 3, "Their confidence")                                 \
	F(BOOL, is_changed, _, FIELD_OPT, 0, 0, "Changed after the reveal")
#define RECORD_round_view(F)                                                                       \
	F(INT, n, _, FIELD_REQ, 1, INT64_MAX, "Number of the round")                               \
	F(STR, story_id, _, FIELD_OPT | FIELD_ID, 1, 64, "What was voted on; absent for a quick vote")        \
	F(STR, story, _, FIELD_OPT | FIELD_LINE, 1, MAX_STORY_TITLE_BYTES, "Its title then")                    \
	F(STR, key, _, FIELD_OPT | FIELD_LINE, 1, MAX_STORY_KEY_BYTES, "Its key then")                          \
	F(INT, story_round, _, FIELD_OPT, 1, INT64_MAX, "How many times the story has been voted on, including this round; absent for a quick vote") \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When the round started")                   \
	F(INT, revealed_at, _, FIELD_REQ, 0, INT64_MAX, "When the cards were revealed")            \
	F(RECS, votes, round_vote, FIELD_REQ, 0, 100000, "All votes")                              \
	F(STR, outcome, _, FIELD_NIL, 1, MAX_CARD_BYTES, "The estimate; absent if none was settled") \
	F(REC, result, room_result, FIELD_REQ, 0, 0, "Statistics of the votes")
#define RECORD_round_list_result(F)                                                                \
	F(RECS, rounds, round_view, FIELD_REQ, 0, MAX_PAGE, "The newest first")                    \
	F(STR, cursor, _, FIELD_NIL, 1, 64, "For the next page; absent at the end")
#define RECORD_room_view(F)                                                                        \
	F(STR, title, _, FIELD_REQ_NIL | FIELD_LINE, 0, MAX_TITLE_BYTES, "nil if there is none")   \
	F(STR, group_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The group of the room; absent: none")    \
	F(STR, link_template, _, FIELD_OPT | FIELD_LINE, 1, MAX_LINK_TEMPLATE_BYTES, "The link of a story without one, with its key in place of {key}") \
	F_CARDS(F)                                                                                 \
	F(BOOL, is_revealed, _, FIELD_REQ, 0, 0, "Whether the cards are revealed")                 \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Counts from 1; every reset starts the next")    \
	F(STR, host_user_id, _, FIELD_REQ_NIL | FIELD_ID, 1, 64, "The host; nil if there is none") \
	F(STR, host_kept_for, _, FIELD_OPT | FIELD_ID, 1, 64, "The host who went away, and is host again when back; they may have no seat now") \
	F(STR, next_host_user_id, _, FIELD_OPT | FIELD_ID, 1, 64, "While the host is away: who stands in next; absent: nobody would") \
	F(INT, next_host_at, _, FIELD_OPT, 0, INT64_MAX, "When that is, unless the host is back") \
	F(ENUM, phase, room_phase, FIELD_REQ, 0, WORDS_LAST(room_phase), "Of the round")                        \
	F(STR, story_id, _, FIELD_REQ_NIL | FIELD_ID, 1, 64, "What is voted on; nil: nothing in particular")  \
	F(INT, story_round, _, FIELD_REQ, 1, INT64_MAX, "How many times this story has been voted on, including this round") \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When the round started")                   \
	F(REC, policy, policy_view, FIELD_REQ, 0, 0, "Who may do what, and what is automatic")     \
	F(REC, countdown, countdown_view, FIELD_OPT, 0, 0, "While the phase is countdown")         \
	F(REC, timer, timer_view, FIELD_OPT, 0, 0, "While a timer runs")                           \
	F(INT, timer_seconds, _, FIELD_OPT, 1, MAX_TIMER_SECONDS, "How long a timer.start without seconds runs; absent: it needs seconds") \
	F(TEXTS, reactions, MAX_REACTION_CELLS, FIELD_OPT, 1, MAX_REACTIONS, "What it offers as reactions; absent: the usual six") \
	F(INT, pause_ends_at, _, FIELD_OPT, 0, INT64_MAX, "While there is a break: when it ends")  \
	F(BOOL, is_armed, _, FIELD_OPT, 0, 0, "The last missing vote reveals at once")             \
	F(BOOL, can_undo, _, FIELD_OPT, 0, 0, "The last reset can still be undone")            \
	F(STR, outcome, _, FIELD_OPT, 1, MAX_CARD_BYTES, "The estimate this round was settled with") \
	F(REC, result, room_result, FIELD_OPT, 0, 0, "While the cards are revealed")
#define RECORD_story_votes(F)                                                                      \
	F(STR, story_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The story")                              \
	F(INT, voted, _, FIELD_OPT, 0, INT64_MAX, "How many counted votes there are on it")         \
	F(INT, revealed_at, _, FIELD_OPT, 0, INT64_MAX, "When they were revealed; absent: they are hidden") \
	F(RECS, votes, round_vote, FIELD_OPT, 0, 100000, "Once revealed: all votes")               \
	F(REC, result, room_result, FIELD_OPT, 0, 0, "Likewise: statistics of them")
#define RECORD_own_vote(F)                                                                         \
	F(STR, story_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The story")                              \
	F(STR, vote, _, FIELD_REQ_NIL, 1, MAX_CARD_BYTES, "Your card; nil: your vote was cleared") \
	F(STR, comment, _, FIELD_OPT, 1, MAX_COMMENT_BYTES, "Your comment on it")                  \
	F(INT, confidence, _, FIELD_OPT, 1, 3, "Your confidence in it")
#define RECORD_user_view(F)                                                                        \
	F_SEAT_ID(F)                                                                               \
	F(STR, username, _, FIELD_NIL | FIELD_DELTA | FIELD_LINE, 1, MAX_NAME_BYTES, "nil while the seat is a spectator") \
	F_ROLE(F, FIELD_DELTA, "Whether the seat votes")                                    \
	F(BOOL, is_bot, _, FIELD_DELTA, 0, 0, "Whether the seat is a program's")                   \
	F(BOOL, is_connected, _, FIELD_DELTA, 0, 0, "Whether at least one connection uses it")     \
	F(INT, away_since, _, FIELD_NIL | FIELD_DELTA, 1, INT64_MAX, "Since when no connection uses it; nil: one does, or none has since the server last read the room from the table") \
	F(BOOL, is_host, _, FIELD_DELTA, 0, 0, "Whether this seat is host")                          \
	F(BOOL, has_vote, _, FIELD_DELTA, 0, 0, "Whether the seat has voted")                      \
	F(STR, vote, _, FIELD_NIL | FIELD_DELTA, 1, MAX_CARD_BYTES, "The card; only while the cards are revealed, and never if results are anonymous") \
	F(STR, comment, _, FIELD_NIL | FIELD_DELTA, 1, MAX_COMMENT_BYTES, "Their comment; visible as the card is") \
	F(INT, confidence, _, FIELD_NIL | FIELD_DELTA, 1, 3, "Their confidence; visible as the card is") \
	F(BOOL, is_changed, _, FIELD_DELTA, 0, 0, "The vote was changed after the reveal")           \
	F(BOOL, is_waiting, _, FIELD_DELTA, 0, 0, "In the lobby, until a host admits them")        \
	F(INT, stories_voted, _, FIELD_DELTA, 0, MAX_STORY_VOTES, "On how many open stories, besides the one at the table, they have voted; never sent while who voted is hidden")
#define RECORD_barred_view(F)                                                                      \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "For room.unkick")                         \
	F(STR, username, _, FIELD_REQ_NIL | FIELD_LINE, 1, MAX_NAME_BYTES, "The name at the ban; nil: none")
#define RECORD_room_barred_result(F)                                                               \
	F(RECS, barred, barred_view, FIELD_REQ, 0, MAX_BARRED, "The banned members, the oldest first")
#define RECORD_room_update(F)                                                                      \
	F_OF_ROOM(F)                                                                               \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Changed since the last update: ask for a full update") \
	F(INT, since, _, FIELD_REQ, 0, INT64_MAX, "The version before this update; equal to version in a full one") \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "The version after this update")               \
	F(BOOL, full, _, FIELD_OPT, 0, 0, "true: replaces everything; absent: only what changed")  \
	F(REC, room, room_view, FIELD_OPT, 0, 0, "The whole room")                                 \
	F(BOOL, votes_cleared, _, FIELD_OPT, 0, 0, "true: every user's vote is cleared, with its comment and confidence; apply it before users") \
	F(INT, votes_n, _, FIELD_OPT, 0, INT64_MAX, "While who voted is hidden, in every update except those with data alone: how many counted votes there are; who has voted is not known: as votes_cleared") \
	F(BOOL, left_cleared, _, FIELD_OPT, 0, 0, "true: the previous left_votes are cleared; apply it before left_votes") \
	F(RECS, left_votes, round_vote, FIELD_OPT, 0, 100000, "Revealed cards whose members left, were removed or became spectators: they stay in the result until the round ends. In a full update all; otherwise the new ones") \
	F(RECS, users, user_view, FIELD_OPT, 0, 100000, "In a full update all users, in the order they joined; otherwise those that changed: an absent field is unchanged, nil clears it") \
	F(STRS, gone, _, FIELD_OPT | FIELD_ID, 0, 100000, "user_ids of seats that ended; remove them before applying users: a user who joined again is in both") \
	F(RECS, stories, story_view, FIELD_OPT, 0, MAX_STORIES, "Stories, each complete")          \
	F(RECS, story_votes, story_votes, FIELD_OPT, 0, MAX_STORIES, "Votes on stories that are open together, each complete; hidden ones of which none counts have their story_id alone") \
	F(RECS, data, data_change, FIELD_OPT, 0, MAX_DATA_NAMES, "Shared data")                    \
	F(STR, by, _, FIELD_OPT | FIELD_ID, 1, 64, "user_id of the one member whose request changed the room for everyone: reveal, round, timer, hosts' actions; absent: none, several, or a caller without a seat; never of a vote")
#define RECORD_room_you(F)                                                                         \
	F_OF_ROOM(F)                                                                               \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Your seat's public name")                            \
	F(STR, username, _, FIELD_REQ_NIL | FIELD_LINE, 1, MAX_NAME_BYTES, "nil while you are a spectator") \
	F(STR, vote, _, FIELD_REQ_NIL, 1, MAX_CARD_BYTES, "Your own card, or nil")                 \
	F(BOOL, is_withdrawn, _, FIELD_OPT, 0, 0, "With a card; true: it was removed from the deck, and the reveal withdraws it: choose again") \
	F_ROLE(F, FIELD_REQ, "Whether the seat votes")                                    \
	F(BOOL, is_host, _, FIELD_REQ, 0, 0, "Whether you are host")                               \
	F(BOOL, is_host_again, _, FIELD_OPT, 0, 0, "You became host by coming back, and have been connected since") \
	F(STR, comment, _, FIELD_OPT, 1, MAX_COMMENT_BYTES, "Your comment on the vote")                     \
	F(INT, confidence, _, FIELD_OPT, 1, 3, "Your confidence in it")                            \
	F(BOOL, is_waiting, _, FIELD_OPT, 0, 0, "You are in the lobby; a host must admit you")     \
	F(RECS, barred, barred_view, FIELD_OPT, 0, MAX_BARRED, "For hosts: the banned members; absent: none") \
	F(BOOL, all_story_votes, _, FIELD_OPT, 0, 0, "true: story_votes are all there are; absent: those that changed, and the others are as they were") \
	F(RECS, story_votes, own_vote, FIELD_OPT, 0, 2 * MAX_STORY_VOTES, "Your votes on open stories, besides the one at the table")
#define RECORD_nudged_notice(F)                                                                    \
	F_OF_ROOM(F)                                                                               \
	F(STR, by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "The asker; absent if the caller has no name")
#define RECORD_reaction_notice(F)                                                                  \
	F_OF_ROOM(F)                                                                               \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Who")                                                \
	F(STR, word, _, FIELD_REQ | FIELD_LINE, 1, 256, "What")
#define RECORD_room_notice(F) F_OF_ROOM(F)
#define RECORD_kicked_notice(F)                                                                    \
	F_OF_ROOM(F)                                                                               \
	F(STR, by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Who did it; absent if the caller has no name") \
	F(BOOL, is_barred, _, FIELD_OPT, 0, 0, "true: banned until a host calls room.unkick")
#define MAX_CLOSING_REASON_BYTES 200
#define RECORD_closing_notice(F) F(STR, reason, _, FIELD_REQ | FIELD_LINE, 1, MAX_CLOSING_REASON_BYTES, "For people to read")
#define MAX_FAULT_BOUND (INT64_C(1) << 53) /* largest integer that all JSON readers keep exact */
#define RECORD_error_view(F)                                                                       \
	F(STR, code, _, FIELD_REQ, 1, 64, "One of the codes below")                                \
	F(STR, message, _, FIELD_REQ | FIELD_LINE, 0, 400, "For people to read: what happened, and what to do") \
	F(STR, field, _, FIELD_OPT | FIELD_LINE, 1, 128, "The field at fault, as a path")                       \
	F(ENUM, rule, fault_rule, FIELD_OPT, 0, WORDS_LAST(fault_rule), "Kind of bound exceeded: `range` of a number, `length` of a text or value, `count` of entries or of what one caller may have, `choice` of words. Absent: no such bound") \
	F(INT, least, _, FIELD_OPT, -MAX_FAULT_BOUND, MAX_FAULT_BOUND, "With a rule: the least that is allowed; absent: 0") \
	F(INT, most, _, FIELD_OPT, -MAX_FAULT_BOUND, MAX_FAULT_BOUND, "With a rule: the most that is allowed; absent: any") \
	F(STR, unit, _, FIELD_OPT | FIELD_LINE, 1, 31, "What the two count: `bytes`, `characters`, `cells`, `cards`, `items` ...; absent: the number itself") \
	F(INT, retry_after_ms, _, FIELD_OPT, 1, INT64_MAX, "When to try again")                    \
	F(STR, room_id, _, FIELD_OPT | FIELD_CODE, 6, 16, "With ELSEWHERE: the room")             \
	F_HOME(F, "With ELSEWHERE: the address of the server that has the room, as tls://HOST:PORT, or tcp:// if unencrypted; absent: connect to the same address again") \
	F(ANY, current, _, FIELD_OPT, 1, 65536, "With CONFLICT on shared data: {value, revision, by?} as it is now; {} if there is nothing")

/* Every record above, inner ones first. */
#define RECORDS(X)                                                                                 \
	X(hello_params)                                                                            \
	X(hello_result)                                                                            \
	X(nothing)                                                                                 \
	X(login_params) \
	X(assert_params) \
	X(logout_params) \
	X(login_result) \
	X(resume_params) \
	X(session_result) \
	X(whoami_result) \
	X(session_view) \
	X(session_watch_result) \
	X(session_renamed) \
	X(session_update) \
	X(session_nudged) \
	X(session_waiting) \
	X(since)                                                                                   \
	QUESTION_RECORDS(X)                                                                        \
	SUBSCRIPTION_RECORDS(X)                                                                    \
	X(policy_change)                                                                           \
	X(policy_view)                                                                             \
	TEAM_RECORDS(X)                                                                            \
	X(room_keep_params) \
	X(room_keep_result) \
	X(expiring_notice) \
	X(ping_result)                                                                             \
	X(stats_result)                                                                            \
	X(server_share_params)                                                                     \
	X(server_share_result)                                                                     \
	X(room_create_params)                                                                      \
	X(room_create_result)                                                                      \
	X(room_subscribe_params)                                                                   \
	X(room_subscribe_result)                                                                   \
	X(room_params)                                                                             \
	X(room_get_params)                                                                         \
	X(room_seat_params)                                                                        \
	X(room_leave_params)                                                                       \
	X(room_leave_result)                                                                       \
	X(room_barred_params) \
	X(room_host_params)                                                                        \
	X(room_join_params)                                                                        \
	X(room_join_result)                                                                        \
	X(room_vote_params)                                                                        \
	X(room_vote_result)                                                                        \
	X(room_set_valid_sizes_params)                                                             \
	X(room_set_valid_sizes_result)                                                             \
	X(room_set_revealed_params)                                                                \
	X(room_set_link_template_params)                                                           \
	X(room_set_title_params)                                                                   \
	X(room_reset_result)                                                                       \
	X(room_user_params)                                                                        \
	X(room_claim_host_params)                                                                  \
	X(version_result)                                                                          \
	X(room_set_policy_params)                                                                  \
	X(room_member_params)                                                                      \
	X(round_settle_params)                                                                     \
	X(round_settle_agreed_result)                                                              \
	X(reveal_cancel_params)                                                                    \
	X(reveal_arm_params)                                                                       \
	X(page_params)                                                                             \
	X(timer_start_params)                                                                      \
	X(timer_start_result)                                                                      \
	X(room_pause_params)                                                                       \
	X(room_nudge_params)                                                                       \
	X(room_nudge_result)                                                                       \
	X(room_react_params)                                                                       \
	X(story_add_params)                                                                        \
	X(story_result)                                                                            \
	X(story_update_params)                                                                     \
	X(story_move_params)                                                                       \
	X(story_params)                                                                            \
	X(story_select_params)                                                                     \
	X(item_ref)                                                                                \
	X(story_view)                                                                              \
	X(story_list_result)                                                                       \
	X(countdown_view)                                                                          \
	X(timer_view)                                                                              \
	X(result_card)                                                                             \
	X(room_result)                                                                             \
	X(round_vote)                                                                              \
	X(story_votes)                                                                             \
	X(own_vote)                                                                                \
	X(round_view)                                                                              \
	X(round_list_result)                                                                       \
	X(nudged_notice)                                                                           \
	X(reaction_notice)                                                                         \
	DATA_RECORDS(X)                                                                            \
	X(room_view)                                                                               \
	X(user_view)                                                                               \
	X(barred_view) \
	X(room_barred_result)                                                                             \
	X(room_update)                                                                             \
	X(room_you)                                                                                \
	X(room_notice)                                                                             \
	X(kicked_notice)                                                                           \
	X(closing_notice)                                                                          \
	X(error_view)

RECORDS(RECORD_DECLARE)

/* All records, for the reference tables and the tests; ends with NULL. */
extern const struct record *const wire_records[];

#endif
