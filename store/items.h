/*
 * items.h - every kind of item in the table, as rows.
 *
 * A row says where an item lives (PK and SK pattern), what it holds, which
 * indexes list it and when it may go. Codec, index upkeep, sweeper, dump,
 * check and store/README.md follow from the rows. record.h explains fields.
 *
 * Not here: how items get to disk (store.h and its engines).
 */
#ifndef STORE_ITEMS_H
#define STORE_ITEMS_H

#include "proto/record.h"
#include "proto/records.h"

/* Attributes that every item has. Times are ms since the epoch. */
#define F_ITEM_TIMES(F)                                                                            \
	F(INT, created_on, _, FIELD_REQ, 0, INT64_MAX, "When the item was first written")          \
	F(INT, updated_on, _, FIELD_REQ, 0, INT64_MAX, "When the item was last written")
/* The attribute that ByExpiry lists. */
#define F_EXPIRES_AT(F) F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When it may be removed")

#define POLICY_ITEM(F, field, member, ...) F(BOOL, member, _, FIELD_OPT, 0, 0, #field " of room.set_policy; absent: as in a new room")
#define RECORD_policy_item(F)                                                                      \
	POLICY_FLAGS(POLICY_ITEM, F)                                                               \
	F(ENUM, who_edits_data, data_editors, FIELD_OPT, 0, WORDS_LAST(data_editors), "As in room.set_policy; absent: members")      \
	F(INT, quorum, _, FIELD_OPT, 0, MAX_ROOM_SEATS, "As in room.set_policy; absent: 0")         \
	F(STR, passcode, _, FIELD_OPT_SECRET, 43, 43, "Keyed hash of the passcode; absent: none")
#define RECORD_undo_item(F)                                                                        \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of the round that was ended")            \
	F(BOOL, was_revealed, _, FIELD_REQ, 0, 0, "Whether its cards lay open")                    \
	F(INT, started_at, _, FIELD_REQ, 0, INT64_MAX, "When it began")                            \
	F(INT, revealed_at, _, FIELD_REQ, 0, INT64_MAX, "When its cards were turned over; 0: never") \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "What was voted on")                                 \
	F(STR, outcome, _, FIELD_OPT, 1, 64, "What it was settled with")                           \
	F(ANY, result, _, FIELD_OPT, 1, 16384, "As in the ROOM item")
#define RECORD_round_mark(F)                                                                       \
	F(INT, n, _, FIELD_REQ, 1, INT64_MAX, "Number of the round")                               \
	F(INT, bytes, _, FIELD_REQ, 0, 4194304, "Length of its item's round")                      \
	F(STR, story_id, _, FIELD_OPT, 1, 64, "What was voted on")
#define RECORD_room_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, host_key, _, FIELD_REQ_SECRET, 43, 43, "Keyed hash of the host_key")                \
	F(STR, host_user_id, _, FIELD_NIL, 1, 64, "Who is host")                                   \
	F(BOOL, had_host, _, FIELD_OPT, 0, 0, "Whether the host_key was ever presented; until then the host leads in place of its owner") \
	F(STR, title, _, FIELD_NIL, 1, 512, "Title")                                               \
	F(STR, link_template, _, FIELD_OPT, 1, 256, "How a story's link follows from its key")     \
	F(STRS, valid_sizes, _, FIELD_REQ, 2, 32, "The cards")                                     \
	F(BOOL, is_revealed, _, FIELD_REQ, 0, 0, "Whether the cards lie open")                     \
	F(INT, version, _, FIELD_REQ, 0, INT64_MAX, "Version when the item was written")           \
	F(INT, epoch, _, FIELD_REQ, 0, INT64_MAX, "Epoch when the item was written; every load begins another") \
	F(INT, round, _, FIELD_REQ, 1, INT64_MAX, "Number of the round")                           \
	F(INT, started_at, _, FIELD_OPT, 0, INT64_MAX, "When the round began")                     \
	F(INT, revealed_at, _, FIELD_OPT, 0, INT64_MAX, "When its cards were turned over")         \
	F(STR, story_id, _, FIELD_NIL, 1, 64, "What is voted on; absent: nothing in particular")   \
	F(STR, outcome, _, FIELD_NIL, 1, 64, "What the round was settled with")                    \
	F(ANY, result, _, FIELD_OPT, 1, 16384, "While a round without names lies open: the room_result of its reveal") \
	F(BOOL, is_armed, _, FIELD_OPT, 0, 0, "The last missing vote reveals at once")             \
	F(BOOL, is_held, _, FIELD_OPT, 0, 0, "The countdown was stopped by hand: none until the next vote") \
	F(INT, timer_ends_at, _, FIELD_OPT, 0, INT64_MAX, "When the timer ends; absent: none runs") \
	F(BOOL, timer_reveals, _, FIELD_OPT, 0, 0, "Whether the cards are turned over then")       \
	F(INT, pause_ends_at, _, FIELD_OPT, 0, INT64_MAX, "When the break ends; absent: there is none") \
	F(REC, undo, undo_item, FIELD_OPT, 0, 0, "What the last reset ended; the votes are the seats' last_vote") \
	F(REC, policy, policy_item, FIELD_OPT, 0, 0, "Who may do what; absent: the defaults")      \
	F(INT, items, _, FIELD_OPT, 1, INT64_MAX, "How many items the partition has, this one included, rounds and results of calls not: a partition with fewer or more is damaged") \
	F(RECS, rounds, round_mark, FIELD_OPT, 0, MAX_ROUNDS_KEPT, "The ROUND items there are, the oldest first; absent in what version 0.1 wrote") \
	F(BOOL, is_round_late, _, FIELD_OPT, 0, 0, "The open round's item lacks votes that the seats have") \
	F_EXPIRES_AT(F)

#define RECORD_seat_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "The seat's public name")                             \
	F(STR, username, _, FIELD_NIL, 1, 256, "Absent while the seat only watches")               \
	F(STR, vote, _, FIELD_NIL_HIDDEN, 1, 64, "The card on the table; it may be of an earlier deck")   \
	F_ROLE(F, FIELD_REQ, "Whether the seat votes")                                    \
	F(BOOL, is_bot, _, FIELD_REQ, 0, 0, "Whether a program sits here")                         \
	F(STR, account, _, FIELD_OPT, 1, 64, "user_id of the login that sat down; it is the seat's user_id, too") \
	F(INT, joined_at, _, FIELD_OPT, 0, INT64_MAX, "When the name was put on; the earliest voter inherits the host's place") \
	F(INT, voted_at, _, FIELD_OPT_HIDDEN, 0, INT64_MAX, "When the card was laid")                     \
	F(STR, comment, _, FIELD_OPT_HIDDEN, 1, 512, "The comment on the vote")                                 \
	F(INT, confidence, _, FIELD_OPT_HIDDEN, 1, 3, "The confidence in the vote")                       \
	F(BOOL, is_changed, _, FIELD_OPT, 0, 0, "The vote was changed after the reveal")           \
	F(STR, last_vote, _, FIELD_OPT_TAKEN, 1, 64, "The card that the last reset took, for round.undo_reset; or see is_vote_aside") \
	F(STR, last_comment, _, FIELD_OPT_TAKEN, 1, 512, "The comment on it")                                  \
	F(INT, last_confidence, _, FIELD_OPT_TAKEN, 1, 3, "The confidence in it")                        \
	F(BOOL, last_is_changed, _, FIELD_OPT, 0, 0, "It was changed after the reveal")            \
	F(BOOL, is_vote_aside, _, FIELD_OPT_TAKEN, 0, 0, "last_vote is of this round: the seat only watches, and lays it again when it votes") \
	F(BOOL, is_cohost, _, FIELD_OPT, 0, 0, "Has a host's rights without being the host")       \
	F(BOOL, is_creator, _, FIELD_OPT, 0, 0, "Has shown the host_key: the creator, whom co-hosts cannot remove") \
	F(BOOL, is_waiting, _, FIELD_OPT, 0, 0, "Waits in the lobby")
#define RECORD_barred_item(F)                                                                      \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "The seat's public name, for room.unkick")            \
	F(STR, username, _, FIELD_OPT, 1, 256, "The name at the kick")
#define RECORD_round_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(ANY, round, _, FIELD_REQ, 1, 4194304, "The round as round.list shows it; nothing in it is secret any more")
#define RECORD_story_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, story_id, _, FIELD_REQ, 1, 64, "The story; stays when it moves")                    \
	F(STR, title, _, FIELD_REQ, 1, 1024, "Title")                                              \
	F(STR, key, _, FIELD_OPT, 1, 128, "What a tracker calls it")                               \
	F(STR, link, _, FIELD_OPT, 1, 1024, "Where it is described")                               \
	F(STR, description, _, FIELD_OPT, 1, 4096, "Lines of text")                                      \
	F(ENUM, status, story_status, FIELD_REQ, 0, WORDS_LAST(story_status), "How it stands")                       \
	F(STR, estimate, _, FIELD_OPT, 1, 64, "The agreed value")                                  \
	F(BOOL, is_removed, _, FIELD_OPT, 0, 0, "Taken off the list")

/* A presence, map or list itself, under its name, and its entries below; a presence has none here. */
#define RECORD_data_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, entry_id, _, FIELD_OPT, 1, 64, "In a list: the entry; stays when it moves")         \
	F(ANY, value, _, FIELD_OPT, 1, 16384, "The value; absent in the item of the whole")        \
	F(INT, revision, _, FIELD_OPT, 1, INT64_MAX, "Counts the changes of this entry")           \
	F(STR, by, _, FIELD_OPT, 1, 64, "user_id of the user who changed the entry last; of the whole, who created it")
#define RECORD_token_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Whose session")                                      \
	F(STR, user_name, _, FIELD_REQ, 1, 256, "The name as it is shown")                         \
	F(STR, name_key, _, FIELD_REQ, 1, 384, "The name in the form in which names are compared: USER_NAME's key")       \
	F(BOOL, is_keyed, _, FIELD_OPT, 0, 0, "A key signed the login; absent: a guest") \
	F(INT, utc_offset_minutes, _, FIELD_OPT, -720, 840, "Of the user's clock; absent: UTC") \
	F_EXPIRES_AT(F)
#define RECORD_user_name_item(F)                                                                   \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "The user who has the name")                               \
	F(STR, token_hash, _, FIELD_REQ_SECRET, 43, 43, "Keyed hash of the session's token")       \
	F_EXPIRES_AT(F)
#define RECORD_user_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, user_name, _, FIELD_REQ, 1, 256, "The name of the last login")                      \
	F(STR, public_key, _, FIELD_REQ, 43, 43, "Ed25519 public key, base64url")
#define RECORD_once_item(F)                                                                        \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, method, _, FIELD_REQ, 1, 64, "The method that was called")                          \
	F(ANY, result, _, FIELD_REQ, 1, 65536, "The result it had, as it travelled; nil where that has a secret")               \
	F_EXPIRES_AT(F)

/* ---- questions to people ---- */
#define RECORD_question_item(F)                                                                    \
	F_ITEM_TIMES(F)                                                                            \
	F(ENUM, status, question_status, FIELD_REQ, 0, WORDS_LAST(question_status), "How it stands, but that one whose time is up may not say so yet") \
	F_WRITTEN(F, prompt, FIELD_REQ, MAX_QUESTION_PROMPT_CHARS, "What is asked")                \
	F(ENUM, type, question_type, FIELD_REQ, 0, WORDS_LAST(question_type), "How it is answered") \
	F(TEXTS, options, MAX_QUESTION_OPTION_CHARS, FIELD_OPT, 0, MAX_QUESTION_OPTIONS, "What may be chosen") \
	F(STRS, audience, _, FIELD_REQ, 1, MAX_QUESTION_AUDIENCES, "Whom it concerns; the first is its category") \
	F(INT, required_responses, _, FIELD_REQ, 1, MAX_QUESTION_RESPONSES, "The answer that reaches it closes the question") \
	F(INT, current_responses, _, FIELD_REQ, 0, MAX_QUESTION_RESPONSES, "RESPONSE items that were written with it") \
	F(STR, agent_id, _, FIELD_REQ, 1, 64, "user_id of the asker")                              \
	F(STR, asked_by, _, FIELD_OPT, 1, MAX_NAME_BYTES, "Their name; absent: anonymous")         \
	F(STR, room_id, _, FIELD_OPT, 6, 16, "The room whose members alone see it")                \
	F(INT, ends_at, _, FIELD_REQ, 0, INT64_MAX, "When the time for answers is up")             \
	F(INT, closed_at, _, FIELD_OPT, 0, INT64_MAX, "When it ended")                             \
	F(INT, expires_at, _, FIELD_REQ, 0, INT64_MAX, "When the sweeper has something to do: end it, later remove it")
#define RECORD_response_item(F)                                                                    \
	F_ITEM_TIMES(F)                                                                            \
	F(STR, response_id, _, FIELD_REQ, 1, 64, "Names the answer, and orders it among the others; nothing follows from it") \
	F(STR, fingerprint_hash, _, FIELD_REQ_SECRET, 43, 43, "Keyed hash of the user_id")         \
	F_WRITTEN(F, answer, FIELD_OPT_HIDDEN, MAX_QUESTION_ANSWER_CHARS, "In words")              \
	F(INT, selected_option, _, FIELD_OPT_HIDDEN, 0, MAX_QUESTION_OPTIONS - 1, "The option, counted from 0") \
	F(INT, confidence, _, FIELD_OPT_HIDDEN, 1, MAX_QUESTION_CONFIDENCE, "How sure")                                  \
	F_WRITTEN(F, comment, FIELD_OPT_HIDDEN, MAX_QUESTION_COMMENT_CHARS, "What there is to add") \
	F(INT, response_time_ms, _, FIELD_OPT_HIDDEN, 0, INT64_MAX, "From the person's first question.get; absent where the server was started since") \
	F(BOOL, is_fast, _, FIELD_OPT_HIDDEN, 0, 0, "That was too soon")                           \
	F_EXPIRES_AT(F)
#define RECORD_skip_item(F) F_ITEM_TIMES(F) F_EXPIRES_AT(F)
#define RECORD_asker_item(F)                                                                       \
	F_ITEM_TIMES(F)                                                                            \
	F(INT, open_questions, _, FIELD_REQ, 1, MAX_QUESTIONS_OPEN, "How many of the user's questions have not ended; without any there is no item")

#define ITEM_RECORDS(X) X(policy_item) X(undo_item) X(round_mark) X(room_item) X(seat_item) X(barred_item) X(round_item) X(story_item) X(data_item) X(token_item) X(user_name_item) X(user_item) X(once_item) X(question_item) X(response_item) X(skip_item) X(asker_item)
ITEM_RECORDS(RECORD_DECLARE)

/*
 * SK patterns: EXACT is the whole key, PREFIX is followed by what differs
 * among items of the kind. The longest matching prefix wins.
 */
enum item_sk { ITEM_SK_EXACT, ITEM_SK_PREFIX };

/*        SYMBOL  PK prefix   SK         match           record     expires_at  rest of the SK      help */
#define ITEM_KINDS(X)                                                                              \
	X(ROOM,   "ROOM:",    "ROOM",    ITEM_SK_EXACT,  room_item, true,       "",                 "A room")                                             \
	X(SEAT,   "ROOM:",    "USER:",   ITEM_SK_PREFIX, seat_item, false,      "{user_key hash}",  "A seat and the vote on it")                          \
	X(BARRED, "ROOM:",    "BARRED:", ITEM_SK_PREFIX, barred_item, false,    "{user_key hash}",  "A user_key that was kicked for good")                \
	X(ROUND,  "ROOM:",    "ROUND#",  ITEM_SK_PREFIX, round_item, false,     "{n, 10 digits}",   "A round whose cards were turned over")                \
	X(STORY,  "ROOM:",    "STORY#",  ITEM_SK_PREFIX, story_item, false,     "{rank}",           "A story; the key says where it stands")               \
	X(PRESENCE, "ROOM:",  "PRESENCE#", ITEM_SK_PREFIX, data_item, false,    "{name}",           "A presence exists; its entries are live and never on disk") \
	X(MAP,    "ROOM:",    "MAP#",    ITEM_SK_PREFIX, data_item, false,      "{name} or {name}#{key}", "A map, or the value of a key")               \
	X(LIST,   "ROOM:",    "LIST#",   ITEM_SK_PREFIX, data_item, false,      "{name} or {name}#{rank}", "A list, or one of its entries")             \
	X(TOKEN,  "TOKEN:",   "SESSION", ITEM_SK_EXACT,  token_item, true,      "",                 "A session, under the keyed hash of its token")        \
	X(USER_NAME, "USER_NAME:", "SESSION", ITEM_SK_EXACT, user_name_item, true, "",             "The one live session of a name")                      \
	X(USER,   "USER:",    "USER",    ITEM_SK_EXACT,  user_item, false,      "",                 "A user who has a key")                                \
	X(ONCE,   "ROOM:",      "ONCE#",   ITEM_SK_PREFIX, once_item, true,       "{caller}#{key}",   "The result of a call with an idempotency_key") \
	X(DIRECTORY_ONCE, "ONCE:", "ONCE#", ITEM_SK_PREFIX, once_item, true,    "{hash}",           "The same on the directory; caller, and caller with key, as keyed hashes") \
	X(QUESTION, "QUESTION:", "QUESTION", ITEM_SK_EXACT, question_item, true, "",             "A question to people") \
	X(RESPONSE, "QUESTION:", "RESPONSE:", ITEM_SK_PREFIX, response_item, true, "{fingerprint_hash}", "A person's answer; the key makes a second one impossible") \
	X(SKIP,     "QUESTION:", "SKIP:",   ITEM_SK_PREFIX, skip_item, true,    "{fingerprint_hash}", "A person who does not want to answer it") \
	X(ASKER,    "ASKER:",    "ASKER",   ITEM_SK_EXACT,  asker_item, false,  "",                 "How many questions a user has open")

enum item_kind {
#define ITEM_ENUM(symbol, pk, sk, match, record, expires, rest, help) ITEM_##symbol,
	ITEM_KINDS(ITEM_ENUM)
#undef ITEM_ENUM
	ITEM_COUNT
};

struct item_row {
	const char *symbol;
	const char *pk_prefix;
	const char *sk;
	size_t pk_prefix_len; /* of the texts */
	size_t sk_len;
	enum item_sk match;
	const struct record *record;
	bool expires; /* has expires_at: is listed in ByExpiry */
	const char *sk_rest;
	const char *help;
};
extern const struct item_row item_rows[ITEM_COUNT];

/*
 * Indexes. Each is a database of its own, kept in the transaction of the item:
 * an entry is (partition attribute, sort attribute) -> (PK, SK). An item that
 * lacks one of the attributes is not listed (a sparse index). The partition
 * attribute may be a list of strings: then the item has an entry in the
 * partition of each element.
 */
/*        SYMBOL     name        kind  partition attribute ("" = one partition)  sort attribute  help */
#define INDEX_ROWS(X)                                                                              \
	X(BY_USER_ID, "ByUserId", TOKEN, "user_id", "expires_at", "Sessions of a user")             \
	X(BY_ACCOUNT, "SeatsOfUser", SEAT, "account", "created_on", "Seats of a user who logged in") \
	X(BY_STATUS, "ByStatus", QUESTION, "status", "created_on", "Questions that may be answered")    \
	X(BY_AGENT_ID, "ByAgentId", QUESTION, "agent_id", "created_on", "Questions of an asker")          \
	X(BY_FINGERPRINT, "ByFingerprint", RESPONSE, "fingerprint_hash", "created_on", "Answers of a person")
/* ByExpiry has no rows here: it lists each kind of ITEM_KINDS that has expires_at. */

/* Each index once; INDEX_ROWS may name it for several kinds. */
#define INDEXES(X) X(BY_EXPIRY, "ByExpiry") X(BY_USER_ID, "ByUserId") X(BY_ACCOUNT, "SeatsOfUser") X(BY_STATUS, "ByStatus") X(BY_AGENT_ID, "ByAgentId") X(BY_FINGERPRINT, "ByFingerprint")

enum index_id {
#define INDEX_ENUM(symbol, name) INDEX_##symbol,
	INDEXES(INDEX_ENUM)
#undef INDEX_ENUM
	INDEX_COUNT
};

struct index_row {
	enum index_id index;
	const char *name;
	enum item_kind kind;
	const char *partition;
	const char *sort;
	const char *help;
};
/* In index_rows.c. */
extern const struct index_row index_rows[]; /* ends with a NULL name */
extern const char *const index_names[INDEX_COUNT];

/*
 * The kind of the item at (pk, sk), or ITEM_COUNT where no row matches. What
 * stands for the rest of a PK or of a prefixed SK must not be empty.
 */
enum item_kind item_kind_of(struct slice pk, struct slice sk);

/* The record of an item of this kind, in the arena. ERR_NOMEM, or what record_from_bytes() says of the value. */
NODISCARD enum err item_decode(enum item_kind kind, struct slice value, enum record_mode mode, struct arena *arena,
			       void **item, struct fault *fault);

/* PK and SK together, in bytes: LMDB's keys end at 511, and one byte stands between the two. */
#define ITEM_KEY_BYTES_MAX 510

#endif
