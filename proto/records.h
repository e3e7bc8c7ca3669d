/*
 * records.h - every record of the wire, as rows.
 *
 * record.h explains the columns. Add fields freely; never give a name a new
 * meaning. Field names are snake_case, times are ms since the epoch, ids are
 * strings. proto/README.md's tables are made from these rows.
 *
 * Not here: those of shared data (records_data.h), of questions (records_question.h,
 * records_subscription.h), of users and groups (records_team.h).
 */
#ifndef PROTO_RECORDS_H
#define PROTO_RECORDS_H

#include "proto/fingerprint.h"
#include "proto/limits.h"
#include "proto/policy.h"
#include "proto/record.h"
#include "proto/records_data.h"
#include "proto/records_question.h"
#include "proto/records_subscription.h"
#include "proto/records_team.h"

/* Fields that many records share: one definition, one meaning. */
#define F_ROOM_ID(F) F(STR, room_id, _, FIELD_REQ, 6, 16, "The room's code; lower case is accepted")
#define F_USER_KEY(F) F(STR, user_key, _, FIELD_OPT_SECRET, 43, 43, "Proof of a seat; may be left out where this connection has presented it")
#define F_HOST_KEY(F) F(STR, host_key, _, FIELD_OPT_SECRET, 43, 43, "Proof of being host; may be left out where this connection has presented it, or its seat is host")
#define F_ONCE(F) F(STR, idempotency_key, _, FIELD_OPT, 16, 64, "A repeat with the same key within 24 h gets the first result; make it unguessable")
/* Which room, and who asks: with the rights of a seat, of the host, of either. */
#define F_MEMBER_CALL(F) F_ROOM_ID(F) F_USER_KEY(F)
#define F_HOST_CALL(F) F_ROOM_ID(F) F_HOST_KEY(F)
#define F_MEMBER_OR_HOST_CALL(F) F_MEMBER_CALL(F) F_HOST_KEY(F)
#define F_ROLE(F, flags, help) F(ENUM, role, seat_role, flags, 0, WORDS_LAST(seat_role), help)
#define F_OF_ROOM(F) F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "The room")
#define F_SEAT_ID(F) F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The seat's public name")
#define F_CARDS(F) F(STRS, valid_sizes, _, FIELD_REQ | FIELD_LINE, 2, 32, "The cards")
/* In an order: at most one of the two, the id of another one. */
#define F_PLACE(F, id)                                                                             \
	F(STR, before, _, FIELD_OPT, 1, 64, id " of the one it goes in front of")                  \
	F(STR, after, _, FIELD_OPT, 1, 64, id " of the one it goes behind")
#define F_VERSION(F) F(INT, version, _, FIELD_OPT, 0, INT64_MAX, "The update that shows this change brings this version or a later one")

/* ---- session and server ---- */
#define RECORD_hello_params(F)                                                                     \
	F(INT, protocol, _, FIELD_REQ, 1, 1000, "Protocol version the client speaks: 1")           \
	F(STR, client, _, FIELD_REQ, 1, 128, "Name and version of the client program")

#define RECORD_hello_result(F)                                                                     \
	F(INT, protocol, _, FIELD_REQ, 1, 1000, "Protocol version of this connection")             \
	F(STR, server, _, FIELD_REQ | FIELD_LINE, 1, 128, "Name and version of the server program")             \
	F(STRS, features, _, FIELD_REQ, 0, 64, "What this server can do beyond protocol 1")        \
	F(ANY, limits, _, FIELD_REQ, 1, 8192, "Map of the limits in force, by their names in the limits table") \
	F(INT, now, _, FIELD_REQ, 0, INT64_MAX, "Server time")                                     \
	F(STR, nonce, _, FIELD_REQ | FIELD_ID, 43, 43, "Random, new for each connection; for signed logins")

#define RECORD_nothing(F)

#define F_UTC_OFFSET(F) F(INT, utc_offset_minutes, _, FIELD_OPT, -720, 840, "How far the user's clock is ahead of UTC: a day of theirs begins with it; absent: as it was, at first 0")
#define RECORD_login_params(F)                                                                     \
	F(STR, user_name, _, FIELD_REQ, 1, 4 * MAX_NAME_BYTES, "1 to 32 cells after cleaning; one live session a name, compared case-folded and NFKC-normalised") \
	F(STR, public_key, _, FIELD_OPT, 43, 43, "Ed25519 public key, base64url; makes a lasting user") \
	F(STR, signature, _, FIELD_OPT_SECRET, 86, 86, "Ed25519 signature over user_name and nonce, base64url: see Sessions") \
	F_UTC_OFFSET(F)                                                                            \
	F_ONCE(F)
#define RECORD_assert_params(F)                                                                    \
	F(STR, fingerprint, _, FIELD_REQ, FINGERPRINT_CHARS, FINGERPRINT_CHARS, "The ssh key as ssh-keygen -l names it: SHA256: and 43 characters of base64") \
	F(STR, user_name, _, FIELD_OPT, 1, 4 * MAX_NAME_BYTES, "As in session.login; absent: the last that the key's user had") \
	F_UTC_OFFSET(F)
#define RECORD_logout_params(F) F_ONCE(F)
#define F_SESSION(F)                                                                               \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The user")                                           \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "The name, clean")                             \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it ends if nothing is called")
#define RECORD_login_result(F)                                                                      \
	F(STR, token, _, FIELD_REQ_SECRET | FIELD_ID, 43, 43, "Proof of the session; shown once")             \
	F_SESSION(F)
#define RECORD_resume_params(F)                                                                    \
	F(STR, token, _, FIELD_REQ_SECRET, 1, 256, "The token of session.login")                   \
	F_UTC_OFFSET(F)
#define RECORD_session_result(F) F_SESSION(F)
#define RECORD_whoami_result(F)                                                                    \
	F_SESSION(F)                                                                               \
	F(STRS, rooms, _, FIELD_REQ | FIELD_CODE, 0, 1024, "Codes of the rooms where the user has a seat")
/*
 * The first fields of every notification of a topic. A client whose version is less
 * than `since`, or that is sent reset, has missed a notification and calls again.
 */
#define F_TOPIC(F)                                                                                 \
	F(INT, since, _, FIELD_REQ, 0, INT64_MAX, "The topic's version that it follows")           \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "The topic's version that it brings")          \
	F(BOOL, reset, _, FIELD_OPT, 0, 0, "true: more had to be sent than this connection could take; call again for all")
#define RECORD_session_view(F)                                                                     \
	F(STR, session_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Names the session; proves nothing")               \
	F(INT, created_on, _, FIELD_REQ, 0, INT64_MAX, "When it began")                            \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it ends if nothing is called; up to a minute later than that")
#define RECORD_session_watch_result(F)                                                             \
	F(INT, version, _, FIELD_REQ, 1, INT64_MAX, "Version of the topic; session.update continues from it") \
	F(STR, session_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The session of this connection: when it ends, so does the watch") \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The user")                                           \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "The name")                             \
	F(RECS, sessions, session_view, FIELD_REQ, 0, 256, "The user's sessions, the one that ends first at the front") \
	F(STRS, rooms, _, FIELD_REQ | FIELD_CODE, 0, 1024, "Codes of the rooms where the user has a seat")
#define RECORD_session_renamed(F)                                                                  \
	F(STR, session_id, _, FIELD_REQ | FIELD_ID, 1, 64, "The session")                          \
	F(STR, user_name, _, FIELD_REQ | FIELD_LINE, 1, MAX_NAME_BYTES, "Its name from now on")
#define RECORD_session_update(F)                                                                   \
	F_TOPIC(F)                                                                                 \
	F(REC, started, session_view, FIELD_OPT, 0, 0, "A session began")                          \
	F(STR, ended, _, FIELD_OPT | FIELD_ID, 1, 64, "session_id of one that ended")                         \
	F(REC, renamed, session_renamed, FIELD_OPT, 0, 0, "A session has another name: user.update")   \
	F(STR, joined, _, FIELD_OPT | FIELD_CODE, 6, 16, "Code of a room where the user has a seat from now on") \
	F(STR, left, _, FIELD_OPT | FIELD_CODE, 6, 16, "Code of a room where the user has none any more")
#define RECORD_session_nudged(F)                                                                   \
	F_OF_ROOM(F)                                                                               \
	F(STR, by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Who asks; absent for a caller without a name") \
	F(STR, story, _, FIELD_OPT | FIELD_LINE, 1, MAX_STORY_TITLE_BYTES, "What is voted on: the story's key, or its title where it has none; absent without a story")
#define RECORD_room_keep_params(F)                                                                 \
	F_HOST_CALL(F)                                                                             \
	F(INT, days, _, FIELD_REQ, 1, MAX_ROOM_KEEP_DAYS, "From now")                              \
	F_ONCE(F)
#define RECORD_room_keep_result(F)                                                                 \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When the room ends at the earliest")       \
	F_VERSION(F)
#define RECORD_expiring_notice(F)                                                                  \
	F_OF_ROOM(F)                                                                               \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it ends if nothing happens")

#define RECORD_ping_result(F) F(INT, now, _, FIELD_REQ, 0, INT64_MAX, "Server time")

#define RECORD_stats_result(F)                                                                     \
	F(INT, now, _, FIELD_REQ, 0, INT64_MAX, "Server time")                                     \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When the server started")                  \
	F(ANY, counters, _, FIELD_REQ, 1, 32768, "Map of metrics by name, see ayed(8): numbers, maps of numbers by method and outcome or by code, histograms {buckets, sum, count}")

#define RECORD_server_share_params(F)                                                              \
	F(STR, address, _, FIELD_OPT, 1, 128, "HOST, HOST:PORT or [IPV6]:PORT, in numbers; without PORT 2937 or the next that is free")

#define RECORD_server_share_result(F)                                                              \
	F(STRS, addresses, _, FIELD_REQ, 0, MAX_SERVER_ADDRESSES, "Where others reach the server, as tls://HOST:PORT, or tcp:// where it is not encrypted; none: nowhere") \
	F(STR, fingerprint, _, FIELD_OPT, 1, 64, "Of the certificate that is shown at those with tls://, as SHA256:...")

/* ---- rooms: requests and results ---- */
#define F_LINK_TEMPLATE(F, flags) F(TEXT, link_template, 0, flags, 0, MAX_LINK_TEMPLATE_BYTES, "Where a story without a link is described: an http or https address with {key} in it; nil: nowhere")
#define RECORD_room_create_params(F)                                                               \
	F(STRS, valid_sizes, _, FIELD_OPT, 0, 64, "The cards; 2 to 32 different ones of 1 to 8 cells") \
	F(STR, deck, _, FIELD_OPT, 1, 32, "Name of a preset deck, instead of valid_sizes")         \
	F(TEXT, title, MAX_TITLE_CELLS, FIELD_NIL, 0, MAX_TITLE_BYTES, "Shown in everybody's header")             \
	F_LINK_TEMPLATE(F, FIELD_NIL)                                                              \
	F(STR, group_id, _, FIELD_OPT, 1, 64, "Make it a room of this group, which the caller is in: it begins with the group's defaults, its members enter freely, its owners may lead, and it lives longer") \
	F_ONCE(F)
#define RECORD_room_create_result(F)                                                               \
	F(STR, room_id, _, FIELD_REQ | FIELD_CODE, 6, 16, "The code to read out")                               \
	F(STR, host_key, _, FIELD_REQ_SECRET | FIELD_ID, 43, 43, "Proof of being host; shown once")           \
	F_CARDS(F)

#define RECORD_since(F)                                                                            \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Epoch of the last update seen")                 \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "Version of the last update seen")
#define RECORD_room_subscribe_params(F)                                                            \
	F_MEMBER_CALL(F)                                                                           \
	F(REC, since, since, FIELD_OPT, 0, 0, "Where the caller's copy stands; the missing frames follow, or a full update") \
	F(STR, passcode, _, FIELD_OPT_SECRET, 1, 256, "For a new seat in a room that has one")     \
	F(BOOL, data, _, FIELD_OPT, 0, 0, "false: no shared data in this connection's updates")    \
	F(STR, host_key, _, FIELD_OPT_SECRET, 43, 43, "Proof of being host: enters whatever the room asks of strangers, and leads where nobody with it has come before; a wrong one counts for nothing")
#define F_STORY_ID(F) F(STR, story_id, _, FIELD_REQ, 1, 64, "The story")
#define RECORD_room_subscribe_result(F)                                                            \
	F(STR, user_key, _, FIELD_REQ_SECRET | FIELD_ID, 43, 43, "Proof of the seat; keep it to come back to it") \
	F_SEAT_ID(F)                                                                               \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Versions count within one epoch")               \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "Version the room has now")

#define RECORD_room_params(F) F_ROOM_ID(F)
#define RECORD_room_get_params(F) F_HOST_CALL(F)
#define RECORD_room_seat_params(F) F_MEMBER_CALL(F) F_ONCE(F)
#define RECORD_room_host_params(F) F_HOST_CALL(F) F_ONCE(F)
#define RECORD_room_leave_params(F)                                                                \
	F_MEMBER_CALL(F)                                                                           \
	F(BOOL, if_last, _, FIELD_OPT, 0, 0, "Only if no other connection follows the room on this seat; else nothing changes")  \
	F_ONCE(F)
#define RECORD_room_leave_result(F)                                                                \
	F(BOOL, is_kept, _, FIELD_OPT, 0, 0, "With if_last: another connection is on the seat, which is as it was") \
	F_VERSION(F)
#define RECORD_room_barred_params(F) F_HOST_CALL(F)

#define RECORD_room_join_params(F)                                                                 \
	F_MEMBER_CALL(F)                                                                           \
	F(TEXT, username, MAX_NAME_CELLS, FIELD_OPT, 1, MAX_NAME_BYTES, "Gets a number where another member has it; a login's own seat has the login's name, and may leave it out") \
	F_ROLE(F, FIELD_OPT, "Absent: as the seat is, at first a voter")                          \
	F(BOOL, is_bot, _, FIELD_OPT, 0, 0, "Whether a program sits here")                         \
	F_ONCE(F)
#define RECORD_room_join_result(F)                                                                 \
	F_SEAT_ID(F)                                                                               \
	F(STR, username, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "The name that the seat has: as it was asked for, or with a number") \
	F_VERSION(F)

#define RECORD_room_vote_params(F)                                                                 \
	F_MEMBER_CALL(F)                                                                           \
	F(TEXT, vote, MAX_CARD_CELLS, FIELD_REQ_NIL, 1, MAX_CARD_BYTES, "One of valid_sizes, or nil to retract")   \
	F(TEXT, comment, MAX_COMMENT_CELLS, FIELD_NIL, 0, MAX_COMMENT_BYTES, "One line on the vote, shown after the reveal; absent keeps what was there") \
	F(INT, confidence, _, FIELD_OPT, 1, 3, "How sure: 1 to 3; where the policy asks for it")   \
	F_ONCE(F)
#define RECORD_room_vote_result(F)                                                                 \
	F(BOOL, has_vote, _, FIELD_REQ, 0, 0, "Whether the seat now has a vote")                   \
	F_VERSION(F)

#define RECORD_room_set_valid_sizes_params(F)                                                      \
	F_HOST_CALL(F)                                                                             \
	F(STRS, valid_sizes, _, FIELD_REQ, 0, 64, "The new cards; votes that are none of them fall away at the reveal") \
	F_ONCE(F)
#define RECORD_room_set_valid_sizes_result(F)                                                      \
	F_CARDS(F)                                                                                 \
	F_VERSION(F)

#define RECORD_room_set_revealed_params(F)                                                         \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(BOOL, is_revealed, _, FIELD_REQ, 0, 0, "true turns the cards over, false hides them and keeps the votes") \
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
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of the round that has begun")            \
	F_VERSION(F)
#define RECORD_room_user_params(F)                                                                 \
	F_HOST_CALL(F)                                                                             \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Whom it concerns")                                   \
	F_ONCE(F)
#define RECORD_room_claim_host_params(F)                                                           \
	F_ROOM_ID(F)                                                                               \
	F(STR, host_key, _, FIELD_REQ_SECRET, 43, 43, "The key that room.create gave")             \
	F_ONCE(F)
#define RECORD_version_result(F) F_VERSION(F)

/* ---- rounds, reveal, policy ---- */
#define POLICY_CHANGE_WHO(F, field, member, is_default, help, ...) F(ENUM, field, who_may, FIELD_DELTA, 0, WORDS_LAST(who_may), help)
#define POLICY_CHANGE_SWITCH(F, field, member, is_default, help, ...) F(BOOL, field, _, FIELD_DELTA, 0, 0, help)
#define RECORD_policy_change(F)                                                                    \
	POLICY_WHO(POLICY_CHANGE_WHO, F)                                                           \
	F(ENUM, who_edits_data, data_editors, FIELD_DELTA, 0, WORDS_LAST(data_editors), "Maps, lists and presences; members are those with a name, and the default") \
	POLICY_SWITCHES(POLICY_CHANGE_SWITCH, F)                                                   \
	F(INT, quorum, _, FIELD_DELTA, 0, MAX_ROOM_SEATS, "So many votes that count are enough for the reveal; default 0: those of everybody who is here") \
	F(STR, passcode, _, FIELD_NIL | FIELD_DELTA | FIELD_SECRET, 1, 256, "New seats need it; nil: none")
#define RECORD_room_set_policy_params(F)                                                           \
	F_HOST_CALL(F)                                                                             \
	F(REC, policy, policy_change, FIELD_REQ, 0, 0, "The fields to change")                     \
	F_ONCE(F)
#define RECORD_room_member_params(F) F_MEMBER_OR_HOST_CALL(F) F_ONCE(F)
#define RECORD_round_settle_params(F)                                                              \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(TEXT, estimate, MAX_CARD_CELLS, FIELD_REQ_NIL, 1, MAX_CARD_BYTES, "The agreed value; nil clears it") \
	F_ONCE(F)
#define RECORD_reveal_cancel_params(F)                                                             \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(INT, token, _, FIELD_OPT, 0, INT64_MAX, "The countdown it is meant for; another one is left alone") \
	F_ONCE(F)
#define RECORD_reveal_arm_params(F)                                                                \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(BOOL, is_armed, _, FIELD_OPT, 0, 0, "false undoes it; default true")                 \
	F_ONCE(F)
#define RECORD_page_params(F)                                                                      \
	F_HOST_CALL(F)                                                                             \
	F(INT, limit, _, FIELD_OPT, 1, MAX_PAGE, "Most entries of the page; default all that a page takes") \
	F(STR, cursor, _, FIELD_NIL, 1, 64, "The cursor of the page before; absent for the first")
#define RECORD_timer_start_params(F)                                                               \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(INT, seconds, _, FIELD_REQ, 1, MAX_TIMER_SECONDS, "From now")                            \
	F(BOOL, reveal_at_zero, _, FIELD_OPT, 0, 0, "Turn the cards over when it ends")            \
	F_ONCE(F)
#define RECORD_timer_start_result(F)                                                               \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When it ends")                                \
	F_VERSION(F)
#define RECORD_room_pause_params(F)                                                                \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(INT, minutes, _, FIELD_REQ, 0, MAX_PAUSE_MINUTES, "From now; 0: the break is over") \
	F_ONCE(F)
#define RECORD_room_nudge_params(F)                                                                \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F(STR, user_id, _, FIELD_OPT, 1, 64, "The member; absent: all who have not voted")          \
	F_ONCE(F)
#define RECORD_room_nudge_result(F)                                                                \
	F(INT, nudged, _, FIELD_REQ, 0, INT64_MAX, "How many were rung, in the room or, logged in, elsewhere; members rung less than 30 s ago are left alone; while who voted is hidden, as if nobody had, though who has is not rung") \
	F_VERSION(F)
#define RECORD_room_react_params(F)                                                                \
	F_MEMBER_CALL(F)                                                                           \
	F(TEXT, word, MAX_REACTION_CELLS, FIELD_REQ, 1, 256, "One word or emoji; shown for a moment, never stored") \
	F_ONCE(F)

/* ---- stories ---- */
#define F_STORY_FIELDS(F, title_flags)                                                             \
	F(TEXT, title, MAX_STORY_TITLE_CELLS, title_flags, 1, MAX_STORY_TITLE_BYTES, "What is estimated")             \
	F(TEXT, key, MAX_STORY_KEY_CELLS, FIELD_NIL, 0, MAX_STORY_KEY_BYTES, "What a tracker calls it, as PAY-101 or #12; nil: nothing") \
	F(TEXT, link, 0, FIELD_NIL, 0, MAX_STORY_LINK_BYTES, "Where it is described; nil: nowhere") \
	F(TEXT, description, 0, FIELD_NIL | FIELD_LINES, 0, MAX_STORY_DESCRIPTION_BYTES, "What there is to say; nil: none")          \
	F(ENUM, status, story_status, FIELD_OPT, STORY_TODO, STORY_SKIPPED, "How it stands; voting is set by story.select") \
	F(TEXT, estimate, MAX_CARD_CELLS, FIELD_NIL, 0, MAX_CARD_BYTES, "The agreed value; nil: none")
#define RECORD_story_add_params(F)                                                                 \
	F_MEMBER_OR_HOST_CALL(F)                                                                   \
	F_STORY_FIELDS(F, FIELD_OPT)                                                               \
	F(STR, container_id, _, FIELD_OPT, 1, 64, "With item_id: the container of the item that becomes a story. Its name and note are title and description where these are absent; the caller is in its group") \
	F(STR, item_id, _, FIELD_OPT, 1, 64, "The item; without it a title is required")           \
	F_PLACE(F, "story_id")                                                                     \
	F_ONCE(F)
#define RECORD_story_result(F)                                                                     \
	F(STR, story_id, _, FIELD_REQ_NIL | FIELD_ID, 1, 64, "The story; nil where there is none")            \
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
	F(STR, key, _, FIELD_NIL | FIELD_LINE, 1, MAX_STORY_KEY_BYTES, "What a tracker calls it; shown before the title") \
	F(STR, link, _, FIELD_NIL, 0, MAX_STORY_LINK_BYTES, "Where it is described")               \
	F(STR, description, _, FIELD_NIL | FIELD_LINES, 0, MAX_STORY_DESCRIPTION_BYTES, "Lines of text")                     \
	F(ENUM, status, story_status, FIELD_REQ, 0, WORDS_LAST(story_status), "How it stands")                       \
	F(STR, estimate, _, FIELD_NIL, 1, MAX_CARD_BYTES, "The agreed value")                      \
	F(BOOL, is_removed, _, FIELD_OPT, 0, 0, "Taken off the list; story.restore restores it")   \
	F(REC, item, item_ref, FIELD_OPT, 0, 0, "The item of a container that it was made from")   \
	F(BOOL, is_unsaved, _, FIELD_OPT, 0, 0, "What it was last settled with is not written to the item, or not yet") \
	F(ENUM, unsaved_reason, unsaved_reason, FIELD_OPT, 0, WORDS_LAST(unsaved_reason), "Why it will not be: settle it again where that has changed")
#define RECORD_story_list_result(F)                                                                \
	F(RECS, stories, story_view, FIELD_REQ, 0, MAX_PAGE, "In order, removed ones last")        \
	F(STR, cursor, _, FIELD_NIL, 1, 64, "For the next page; absent at the end")

/* ---- rooms: what everybody sees ---- */
#define POLICY_VIEW_WHO(F, field, ...) F(ENUM, field, who_may, FIELD_REQ, 0, WORDS_LAST(who_may), "As in room.set_policy")
#define POLICY_VIEW_SWITCH(F, field, ...) F(BOOL, field, _, FIELD_REQ, 0, 0, "As in room.set_policy")
#define RECORD_policy_view(F)                                                                      \
	POLICY_WHO(POLICY_VIEW_WHO, F)                                                             \
	F(ENUM, who_edits_data, data_editors, FIELD_REQ, 0, WORDS_LAST(data_editors), "As in room.set_policy")                   \
	POLICY_SWITCHES(POLICY_VIEW_SWITCH, F)                                                     \
	F(INT, quorum, _, FIELD_REQ, 0, MAX_ROOM_SEATS, "As in room.set_policy")                   \
	F(BOOL, has_passcode, _, FIELD_REQ, 0, 0, "Whether new seats need one")
#define RECORD_countdown_view(F)                                                                   \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When the cards will be turned over")          \
	F(INT, token, _, FIELD_REQ, 0, INT64_MAX, "For reveal.cancel")
#define RECORD_timer_view(F)                                                                       \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When it ends")                                \
	F(BOOL, reveal_at_zero, _, FIELD_REQ, 0, 0, "Whether the cards are turned over then")
#define RECORD_result_card(F)                                                                      \
	F(STR, card, _, FIELD_REQ, 1, MAX_CARD_BYTES, "The card")                                  \
	F(INT, votes, _, FIELD_REQ, 1, INT64_MAX, "Votes on it")                                   \
	F(STRS, user_ids, _, FIELD_OPT | FIELD_ID, 0, 100000, "Whose; absent where results are anonymous")
#define RECORD_room_result(F)                                                                      \
	F(INT, votes, _, FIELD_REQ, 0, INT64_MAX, "Votes counted")                                 \
	F(INT, withdrawn, _, FIELD_OPT, 0, INT64_MAX, "Votes that fell away with the reveal, because the deck no longer had their card; absent: none") \
	F(RECS, cards, result_card, FIELD_REQ, 0, MAX_CARDS_MAX, "Cards with votes, in the deck's order") \
	F(NUM, average, _, FIELD_OPT, INT64_MIN, INT64_MAX, "Of the cards that are numbers; absent without any") \
	F(NUM, median, _, FIELD_OPT, INT64_MIN, INT64_MAX, "Of the cards that are numbers; absent without any") \
	F(STR, mode, _, FIELD_OPT, 1, MAX_CARD_BYTES, "The card most votes are for; absent without votes") \
	F(INT, agreement_percent, _, FIELD_REQ, 0, 100, "Share of the votes on that card")         \
	F(INT, spread_steps, _, FIELD_OPT, 0, MAX_CARDS_MAX, "Cards between the lowest and the highest vote; absent with fewer than two that have an order") \
	F(STR, lowest, _, FIELD_OPT, 1, MAX_CARD_BYTES, "Lowest card voted; its voters speak first") \
	F(STR, highest, _, FIELD_OPT, 1, MAX_CARD_BYTES, "Highest card voted; its voters speak first") \
	F(STR, suggestion, _, FIELD_OPT, 1, MAX_CARD_BYTES, "The card to accept; absent: talk")    \
	F(BOOL, is_unanimous, _, FIELD_REQ, 0, 0, "Two votes or more, all on one card")
#define RECORD_round_vote(F)                                                                       \
	F(STR, vote, _, FIELD_REQ, 1, MAX_CARD_BYTES, "The card")                                  \
	F(STR, user_id, _, FIELD_OPT | FIELD_ID, 1, 64, "Whose; absent where results were anonymous")         \
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
	F(INT, story_round, _, FIELD_OPT, 1, INT64_MAX, "How many times the story had been voted on, this round counted; absent for a quick vote") \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When the round began")                     \
	F(INT, revealed_at, _, FIELD_REQ, 0, INT64_MAX, "When the cards were turned over")         \
	F(RECS, votes, round_vote, FIELD_REQ, 0, 100000, "All votes")                              \
	F(STR, outcome, _, FIELD_NIL, 1, MAX_CARD_BYTES, "The agreed value; absent where none was settled") \
	F(REC, result, room_result, FIELD_REQ, 0, 0, "What the votes say")
#define RECORD_round_list_result(F)                                                                \
	F(RECS, rounds, round_view, FIELD_REQ, 0, MAX_PAGE, "The newest first")                    \
	F(STR, cursor, _, FIELD_NIL, 1, 64, "For the next page; absent at the end")
#define RECORD_room_view(F)                                                                        \
	F(STR, title, _, FIELD_REQ_NIL | FIELD_LINE, 0, MAX_TITLE_BYTES, "nil where there is none")             \
	F(STR, group_id, _, FIELD_OPT | FIELD_ID, 1, 64, "The group whose room it is; absent: nobody's") \
	F(STR, link_template, _, FIELD_OPT | FIELD_LINE, 1, MAX_LINK_TEMPLATE_BYTES, "The link of a story without one, its key in place of {key}") \
	F_CARDS(F)                                                                                 \
	F(BOOL, is_revealed, _, FIELD_REQ, 0, 0, "Whether the cards lie open")                     \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Counts from 1; every reset begins the next")    \
	F(STR, host_user_id, _, FIELD_REQ_NIL | FIELD_ID, 1, 64, "Who is host; nil where nobody is")          \
	F(ENUM, phase, room_phase, FIELD_REQ, 0, WORDS_LAST(room_phase), "Of the round")                        \
	F(STR, story_id, _, FIELD_REQ_NIL | FIELD_ID, 1, 64, "What is voted on; nil: nothing in particular")  \
	F(INT, story_round, _, FIELD_REQ, 1, INT64_MAX, "How many times this story has been voted on, this round counted") \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When the round began")                     \
	F(REC, policy, policy_view, FIELD_REQ, 0, 0, "Who may do what, and what happens by itself") \
	F(REC, countdown, countdown_view, FIELD_OPT, 0, 0, "While the phase is countdown")         \
	F(REC, timer, timer_view, FIELD_OPT, 0, 0, "While a timer runs")                           \
	F(INT, pause_ends_at, _, FIELD_OPT, 0, INT64_MAX, "While there is a break: when it ends")  \
	F(BOOL, is_armed, _, FIELD_OPT, 0, 0, "The last missing vote reveals at once")             \
	F(BOOL, can_undo, _, FIELD_OPT, 0, 0, "The last reset can still be undone")            \
	F(STR, outcome, _, FIELD_OPT, 1, MAX_CARD_BYTES, "What this round was settled with")       \
	F(REC, result, room_result, FIELD_OPT, 0, 0, "While the cards lie open")
#define RECORD_user_view(F)                                                                        \
	F_SEAT_ID(F)                                                                               \
	F(STR, username, _, FIELD_NIL | FIELD_DELTA | FIELD_LINE, 1, MAX_NAME_BYTES, "nil while the seat only watches") \
	F_ROLE(F, FIELD_DELTA, "Whether the seat votes")                                    \
	F(BOOL, is_bot, _, FIELD_DELTA, 0, 0, "Whether a program sits here")                         \
	F(BOOL, is_connected, _, FIELD_DELTA, 0, 0, "Whether at least one connection is there")      \
	F(BOOL, is_host, _, FIELD_DELTA, 0, 0, "Whether this seat is host")                          \
	F(BOOL, has_vote, _, FIELD_DELTA, 0, 0, "Whether a card lies on the table")                  \
	F(STR, vote, _, FIELD_NIL | FIELD_DELTA, 1, MAX_CARD_BYTES, "The card; only while the cards lie open, and never where results are anonymous") \
	F(STR, comment, _, FIELD_NIL | FIELD_DELTA, 1, MAX_COMMENT_BYTES, "Their comment; as the card")                   \
	F(INT, confidence, _, FIELD_NIL | FIELD_DELTA, 1, 3, "Their confidence; as the card")                    \
	F(BOOL, is_changed, _, FIELD_DELTA, 0, 0, "The vote was changed after the reveal")           \
	F(BOOL, is_waiting, _, FIELD_DELTA, 0, 0, "In the lobby, until a host admits them")
#define RECORD_barred_view(F)                                                                      \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "For room.unkick")                         \
	F(STR, username, _, FIELD_REQ_NIL | FIELD_LINE, 1, MAX_NAME_BYTES, "The name at the kick; nil: none")
#define RECORD_room_barred_result(F)                                                               \
	F(RECS, barred, barred_view, FIELD_REQ, 0, MAX_BARRED, "Who was kicked for good, the oldest first")
#define RECORD_room_update(F)                                                                      \
	F_OF_ROOM(F)                                                                               \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Another epoch than the last: ask for a full update") \
	F(INT, since, _, FIELD_REQ, 0, INT64_MAX, "The version this follows; equal to version in a full one") \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "The version this brings")                     \
	F(BOOL, full, _, FIELD_OPT, 0, 0, "true: replaces everything; absent: only what changed")  \
	F(REC, room, room_view, FIELD_OPT, 0, 0, "The room, whole")                                \
	F(BOOL, votes_cleared, _, FIELD_OPT, 0, 0, "true: every user's vote is gone, with what goes with it; apply it before users") \
	F(INT, votes_n, _, FIELD_OPT, 0, INT64_MAX, "While who voted is hidden, in every update but those of data alone: how many votes that count lie on the table; nobody is known to have one: as votes_cleared") \
	F(RECS, users, user_view, FIELD_OPT, 0, 100000, "In a full update all users, in the order they sat down; else those of whom something changed: a field that is absent stays as it was, nil takes it away") \
	F(STRS, gone, _, FIELD_OPT | FIELD_ID, 0, 100000, "user_ids of seats that ended; remove them before applying users: a user who took the seat again is in both") \
	F(RECS, stories, story_view, FIELD_OPT, 0, MAX_STORIES, "Stories, each whole")             \
	F(RECS, data, data_change, FIELD_OPT, 0, MAX_DATA_NAMES, "Shared data")                    \
	F(STR, by, _, FIELD_OPT | FIELD_ID, 1, 64, "user_id of the one member whose request changed the room for everybody: reveal, round, timer, what hosts may; absent: none, several, or a caller without a seat; never of a vote")
#define RECORD_room_you(F)                                                                         \
	F_OF_ROOM(F)                                                                               \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Your seat's public name")                            \
	F(STR, username, _, FIELD_REQ_NIL | FIELD_LINE, 1, MAX_NAME_BYTES, "nil while you only watch")          \
	F(STR, vote, _, FIELD_REQ_NIL, 1, MAX_CARD_BYTES, "Your own card, or nil")                 \
	F(BOOL, is_withdrawn, _, FIELD_OPT, 0, 0, "With a card; true: the deck no longer has it, and the reveal takes it away: choose again") \
	F_ROLE(F, FIELD_REQ, "Whether the seat votes")                                    \
	F(BOOL, is_host, _, FIELD_REQ, 0, 0, "Whether you are host")                               \
	F(STR, comment, _, FIELD_OPT, 1, MAX_COMMENT_BYTES, "Your comment on the vote")                     \
	F(INT, confidence, _, FIELD_OPT, 1, 3, "Your confidence in it")                            \
	F(BOOL, is_waiting, _, FIELD_OPT, 0, 0, "A host has yet to admit you")                     \
	F(RECS, barred, barred_view, FIELD_OPT, 0, MAX_BARRED, "For hosts: who was kicked for good; absent: nobody")
#define RECORD_nudged_notice(F)                                                                    \
	F_OF_ROOM(F)                                                                               \
	F(STR, by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Who asks; absent for a caller without a name")
#define RECORD_reaction_notice(F)                                                                  \
	F_OF_ROOM(F)                                                                               \
	F(STR, user_id, _, FIELD_REQ | FIELD_ID, 1, 64, "Who")                                                \
	F(STR, word, _, FIELD_REQ | FIELD_LINE, 1, 256, "What")
#define RECORD_room_notice(F) F_OF_ROOM(F)
#define RECORD_kicked_notice(F)                                                                    \
	F_OF_ROOM(F)                                                                               \
	F(STR, by, _, FIELD_OPT | FIELD_LINE, 1, MAX_NAME_BYTES, "Who did it; absent for a caller without a name") \
	F(BOOL, is_barred, _, FIELD_OPT, 0, 0, "true: the seat's key stays out until a host calls room.unkick")
#define RECORD_closing_notice(F) F(STR, reason, _, FIELD_REQ | FIELD_LINE, 1, 200, "For people")
#define RECORD_error_view(F)                                                                       \
	F(STR, code, _, FIELD_REQ, 1, 64, "One of the codes below")                                \
	F(STR, message, _, FIELD_REQ | FIELD_LINE, 0, 400, "For people: what happened, and what to do")         \
	F(STR, field, _, FIELD_OPT | FIELD_LINE, 1, 128, "The field at fault, as a path")                       \
	F(INT, retry_after_ms, _, FIELD_OPT, 1, INT64_MAX, "When to try again")                    \
	F(ANY, current, _, FIELD_OPT, 1, 65536, "With CONFLICT on shared data: {value, revision, by?} as it is now; {} where there is nothing")

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

/* All of them, for the reference tables and the tests; ends with NULL. */
extern const struct record *const wire_records[];

#endif
