/*
 * limits.h - every bound there is, with its unit, in one table.
 *
 * A row feeds the constant (LIMIT_<SYMBOL>), the `limits` map of
 * session.hello, `ayed --help`, ayed(8) and proto/README.md. A request that
 * crosses one gets a clear error, and other clients are not affected.
 *
 * A row marked SET can be changed when the server starts (--limit name=value);
 * the others are part of the protocol.
 */
#ifndef PROTO_LIMITS_H
#define PROTO_LIMITS_H

#include <stdint.h>

#define LIMIT_FIXED 0
#define LIMIT_SET   1

/*        SYMBOL                  name                     value      unit        changeable   help */
#define LIMITS(X)                                                                                             \
	X(FRAME_BYTES_GUEST,      frame_bytes_guest,       4096,      "bytes",    LIMIT_FIXED, "One message before session.hello")                        \
	X(FRAME_BYTES,            frame_bytes,             65536,     "bytes",    LIMIT_FIXED, "One message")                                             \
	X(FRAME_DEPTH,            frame_depth,             16,        "levels",   LIMIT_FIXED, "Nesting of one message")                                  \
	X(FRAME_NODES,            frame_nodes,             32768,     "values",   LIMIT_FIXED, "Values in one message, keys counted too")                 \
	X(CARDS_MIN,              cards_min,               2,         "cards",    LIMIT_FIXED, "Fewest cards of a deck")                                  \
	X(CARDS_MAX,              cards_max,               32,        "cards",    LIMIT_FIXED, "Most cards of a deck")                                    \
	X(CARD_CELLS,             card_cells,              8,         "cells",    LIMIT_FIXED, "Width of a card's label")                                 \
	X(CARD_BYTES,             card_bytes,              64,        "bytes",    LIMIT_FIXED, "Length of a card's label")                                \
	X(NAME_CELLS,             name_cells,              32,        "cells",    LIMIT_FIXED, "Width of a username")                                     \
	X(NAME_BYTES,             name_bytes,              256,       "bytes",    LIMIT_FIXED, "Length of a username")                                    \
	X(TITLE_CELLS,            title_cells,             80,        "cells",    LIMIT_FIXED, "Width of a room's title")                                 \
	X(TITLE_BYTES,            title_bytes,             512,       "bytes",    LIMIT_FIXED, "Length of a room's title")                                \
	X(LINK_TEMPLATE_BYTES,    link_template_bytes,     256,       "bytes",    LIMIT_FIXED, "Length of the address that stories' links are made of")   \
	X(STORIES,                stories,                 500,       "stories",  LIMIT_FIXED, "Stories of a room, removed ones counted until the room ends") \
	X(STORIES_BYTES,          stories_bytes,           524288,    "bytes",    LIMIT_FIXED, "Text of all stories of a room together")                  \
	X(STORY_TITLE_CELLS,      story_title_cells,       200,       "cells",    LIMIT_FIXED, "Width of a story's title")                                \
	X(STORY_TITLE_BYTES,      story_title_bytes,       1024,      "bytes",    LIMIT_FIXED, "Length of a story's title")                               \
	X(STORY_KEY_CELLS,        story_key_cells,         32,        "cells",    LIMIT_FIXED, "Width of a story's key")                                  \
	X(STORY_KEY_BYTES,        story_key_bytes,         128,       "bytes",    LIMIT_FIXED, "Length of a story's key")                                 \
	X(STORY_LINK_BYTES,       story_link_bytes,        1024,      "bytes",    LIMIT_FIXED, "Length of a story's link")                                \
	X(STORY_DESCRIPTION_BYTES,      story_description_bytes,       4096,      "bytes",    LIMIT_FIXED, "Length of a story's description")                               \
	X(COMMENT_CELLS,             comment_cells,              80,        "cells",    LIMIT_FIXED, "Width of the comment on a vote")                             \
	X(COMMENT_BYTES,             comment_bytes,              512,       "bytes",    LIMIT_FIXED, "Length of the comment on a vote")                            \
	X(REACTION_CELLS,         reaction_cells,          12,        "cells",    LIMIT_FIXED, "Width of a reaction")                                     \
	X(REACTIONS_PER_MINUTE,   reactions_per_minute,    20,        "1/min",    LIMIT_FIXED, "Reactions of one seat")                                   \
	X(NUDGE_MS,               nudge_ms,                30000,     "ms",       LIMIT_FIXED, "Least time between two nudges of the same member")        \
	X(COUNTDOWN_MS,           countdown_ms,            3000,      "ms",       LIMIT_SET,   "From the last vote to the reveal, where the policy reveals by itself") \
	X(TIMER_SECONDS,          timer_seconds,           7776000,   "s",        LIMIT_FIXED, "Longest timer: 90 days")                                  \
	X(PAUSE_MINUTES,          pause_minutes,           1440,      "min",      LIMIT_FIXED, "Longest break")                                           \
	X(ROUNDS_KEPT,            rounds_kept,             1000,      "rounds",   LIMIT_FIXED, "Revealed rounds a room remembers; the oldest goes first") \
	X(ROUNDS_BYTES,           rounds_bytes,            4194304,   "bytes",    LIMIT_FIXED, "Rounds that a room remembers together; the oldest goes first, the last stays") \
	X(PAGE,                   page,                    100,       "entries",  LIMIT_FIXED, "Most entries of one page of a list")                      \
	X(DATA_NAME_BYTES,        data_name_bytes,         64,        "bytes",    LIMIT_FIXED, "Name of a presence, map or list; key of a map")           \
	X(DATA_VALUE_BYTES,       data_value_bytes,        16384,     "bytes",    LIMIT_FIXED, "One value of shared data")                                \
	X(DATA_VALUE_DEPTH,       data_value_depth,        8,         "levels",   LIMIT_FIXED, "Nesting of one value of shared data")                     \
	X(DATA_NAMES,             data_names,              100,       "names",    LIMIT_FIXED, "Presences, maps and lists of a room together")            \
	X(MAP_KEYS,               map_keys,                1000,      "keys",     LIMIT_FIXED, "Keys of one map")                                         \
	X(SERVER_ADDRESSES,       server_addresses,        8,         "addresses", LIMIT_FIXED, "Addresses that server.share says, and listeners that it adds") \
	X(LIST_ENTRIES,           list_entries,            10000,     "entries",  LIMIT_FIXED, "Entries of one list")                                     \
	X(DATA_BYTES,             data_bytes,              1048576,   "bytes",    LIMIT_FIXED, "Shared data of a room together")                          \
	X(PRESENCE_EVERY_MS,      presence_every_ms,       50,        "ms",       LIMIT_FIXED, "A presence is sent to others at most this often, with its latest value") \
	X(PRESENCE_GRACE_MS,      presence_grace_ms,       15000,     "ms",       LIMIT_SET,   "How long the presence of a lost connection stays")        \
	X(ROOM_SEATS,              room_seats,              2500,      "seats",    LIMIT_SET,   "Seats in one room")                                       \
	X(BARRED,                 barred,                  128,       "members",  LIMIT_FIXED, "Members kicked for good that a room remembers; the oldest is forgotten") \
	X(SEAT_CONNECTIONS,       seat_connections,        8,         "conns",    LIMIT_FIXED, "Connections that share one seat")                         \
	X(CONNECTION_ROOMS,       connection_rooms,        32,        "rooms",    LIMIT_FIXED, "Rooms one connection may be subscribed to")               \
	X(CONNECTION_HOSTS,       connection_hosts,        1024,      "rooms",    LIMIT_FIXED, "Rooms of which one connection has shown the host_key, or which it made; the oldest is forgotten") \
	X(CONNECTION_SEATS,       connection_seats,        64,        "seats",    LIMIT_FIXED, "Seats of one room that one connection may make")          \
	X(CONNECTION_TOPICS,      connection_topics,       32,        "topics",   LIMIT_FIXED, "Topics one connection may be subscribed to")              \
	X(CONNECTIONS,            connections,             20000,     "conns",    LIMIT_SET,   "Connections in all (never more than open files allow)")   \
	X(CONNECTIONS_PER_ADDRESS, connections_per_address, 500,      "conns",    LIMIT_SET,   "Connections of one address; loopback and unix exempt")    \
	X(REQUESTS_PER_SECOND,    requests_per_second,     2000,      "1/s",      LIMIT_SET,   "Requests of one connection; twice this in a burst")       \
	X(ANSWER_BYTES_PER_SECOND, answer_bytes_per_second, 8388608,  "bytes/s",  LIMIT_SET,   "Answers and full updates of one connection; beyond it the next request is read later") \
	X(REQUESTS_PENDING,       requests_pending,        64,        "requests", LIMIT_FIXED, "Unanswered requests of a connection; then reading waits") \
	X(ROOM_CREATES_PER_MINUTE, room_creates_per_minute, 60,       "1/min",    LIMIT_SET,   "New rooms of one address; loopback and unix exempt")      \
	X(SEATS_PER_MINUTE,       seats_per_minute,        300,       "1/min",    LIMIT_SET,   "New seats of one address; loopback and unix exempt")      \
	X(ROOM_MISSES_PER_MINUTE, room_misses_per_minute,  30,        "1/min",    LIMIT_SET,   "Wrong codes of rooms and invitations of one address, or of one user of the unix socket; root and the server's own user exempt") \
	X(ROOM_MISSES_PER_NETWORK, room_misses_per_network, 300,      "1/min",    LIMIT_SET,   "Wrong codes of rooms and invitations of one IPv6 /48")                        \
	X(ROOM_MISSES_IN_ALL,     room_misses_in_all,      3000,      "1/min",    LIMIT_SET,   "Wrong codes of rooms and invitations of all addresses together; beyond, each address has one a minute") \
	X(ROOM_LOADS,             room_loads,              8,         "rooms",    LIMIT_FIXED, "Rooms loaded at once for callers of one address without proof of a seat") \
	X(ROOM_LOADS_WAITING,     room_loads_waiting,      1024,      "rooms",    LIMIT_FIXED, "Rooms that wait behind those; requests on further ones are refused") \
	X(ROOMS,                  rooms,                   1000000,   "rooms",    LIMIT_SET,   "Rooms held in memory at once")                            \
	X(ROOM_LOG_BYTES,         room_log_bytes,          262144,    "bytes",    LIMIT_SET,   "Updates a room keeps at most, for slow subscribers and those that resume") \
	X(OUT_BYTES,              out_bytes,               262144,    "bytes",    LIMIT_FIXED, "Answers waiting for one connection; then reading waits")  \
	X(OUT_BYTES_ALL,          out_bytes_all,           268435456, "bytes",   LIMIT_SET,   "Bytes waiting for all connections together; beyond it those that take nothing are closed") \
	X(ONCE_PER_ROOM,          once_per_room,           1024,      "keys",     LIMIT_FIXED, "Idempotency keys a room remembers; the oldest goes first") \
	X(ONCE_LIFE_MS,           once_life_ms,            86400000,  "ms",       LIMIT_FIXED, "How long an idempotency key is remembered")               \
	X(HANDSHAKE_MS,           handshake_ms,            10000,     "ms",       LIMIT_SET,   "Time for the handshake of a TLS connection")                       \
	X(HANDSHAKES,             handshakes,              1000,      "conns",    LIMIT_SET,   "TLS connections whose handshake is not over")                      \
	X(HANDSHAKES_PER_ADDRESS, handshakes_per_address,  64,        "conns",    LIMIT_SET,   "Those of them of one address; loopback exempt")                   \
	X(HELLO_MS,               hello_ms,                5000,      "ms",       LIMIT_SET,   "Time until session.hello")                                       \
	X(FRAME_MS,               frame_ms,                10000,     "ms",       LIMIT_SET,   "Time to finish a message that has begun")                 \
	X(STALL_MS,               stall_ms,                60000,     "ms",       LIMIT_SET,   "Time a peer may take no byte of those waiting for it")       \
	X(VOTE_GRACE_MS,          vote_grace_ms,           60000,     "ms",       LIMIT_SET,   "How long the vote of a lost connection is kept")          \
	X(NAME_GRACE_MS,          name_grace_ms,           600000,    "ms",       LIMIT_SET,   "How long the seat of a lost connection is kept")          \
	X(ROOM_LIFE_MS,           room_life_ms,            3600000,   "ms",       LIMIT_SET,   "Life of a room after its last change or last member")     \
	X(GROUP_ROOM_LIFE_MS,     group_room_life_ms,      2592000000, "ms",      LIMIT_SET,   "The same of a group's room: 30 days")                     \
	X(SESSION_LIFE_MS,        session_life_ms,         3600000,   "ms",       LIMIT_SET,   "Life of a login after its last call")                     \
	X(LOGINS_PER_MINUTE,      logins_per_minute,       60,        "1/min",    LIMIT_SET,   "Logins of one address; loopback and unix exempt")         \
	X(LOGIN_MISSES_PER_MINUTE, login_misses_per_minute, 10,       "1/min",    LIMIT_SET,   "Wrong tokens and signatures of one address; unix exempt") \
	X(TRANSACTIONS,           transactions,            4096,      "requests", LIMIT_FIXED, "Transactions on the directory under way at once, of all connections") \
	X(TRANSACTIONS_IN_LINE,   transactions_in_line,    1024,      "requests", LIMIT_FIXED, "Transactions that wait for each other at one partition")   \
	X(TRANSACTION_RUNS,       transaction_runs,        8,         "runs",     LIMIT_FIXED, "How often one transaction runs, where others are faster each time") \
	X(TRANSACTION_PAGES,      transaction_pages,       16,        "pages",    LIMIT_FIXED, "Pages of partitions and indexes that one transaction reads") \
	X(TRANSACTION_ITEMS,      transaction_items,       1024,      "items",    LIMIT_FIXED, "Items that one transaction reads and writes")                 \
	X(TRANSACTION_BYTES,      transaction_bytes,       4194304,   "bytes",    LIMIT_FIXED, "Length of those items together")                          \
	X(TRANSACTIONS_BYTES,     transactions_bytes,      67108864,  "bytes",    LIMIT_FIXED, "Requests and items that all transactions under way hold together; beyond it requests are refused") \
	X(QUESTION_PROMPT_CHARS_MIN, question_prompt_chars_min, 10,   "chars",    LIMIT_FIXED, "Shortest prompt of a question; characters are counted after cleaning") \
	X(QUESTION_PROMPT_CHARS,  question_prompt_chars,   2000,      "chars",    LIMIT_FIXED, "Longest prompt of a question")                            \
	X(QUESTION_OPTIONS_MIN,   question_options_min,    2,         "options",  LIMIT_FIXED, "Fewest options of a question")                            \
	X(QUESTION_OPTIONS,       question_options,        10,        "options",  LIMIT_FIXED, "Most options of a question")                              \
	X(QUESTION_OPTION_CHARS,  question_option_chars,   200,       "chars",    LIMIT_FIXED, "Longest option")                                          \
	X(QUESTION_AUDIENCES,     question_audiences,      5,         "words",    LIMIT_FIXED, "Audiences of one question; the first is its category")    \
	X(QUESTION_RESPONSES,     question_responses,      50,        "answers",  LIMIT_FIXED, "Most answers that a question may ask for")                \
	X(QUESTION_RESPONSES_USUAL, question_responses_usual, 5,      "answers",  LIMIT_FIXED, "Answers that a question asks for that does not say how many") \
	X(QUESTION_SECONDS_MIN,   question_seconds_min,    60,        "s",        LIMIT_FIXED, "Shortest time that a question is open")                   \
	X(QUESTION_SECONDS,       question_seconds,        86400,     "s",        LIMIT_FIXED, "Longest time that a question is open")                    \
	X(QUESTION_SECONDS_USUAL, question_seconds_usual,  3600,      "s",        LIMIT_FIXED, "Time that a question is open that does not say how long") \
	X(QUESTION_ANSWER_CHARS,  question_answer_chars,   5000,      "chars",    LIMIT_FIXED, "Longest answer")                                          \
	X(QUESTION_COMMENT_CHARS, question_comment_chars,  500,       "chars",    LIMIT_FIXED, "Longest comment on an answer")                            \
	X(QUESTION_CONFIDENCE,    question_confidence,     5,         "steps",    LIMIT_FIXED, "How sure an answer may be, from 1")                       \
	X(QUESTION_PAGE,          question_page,           50,        "entries",  LIMIT_FIXED, "Most entries of one page of questions or answers")        \
	X(QUESTION_PAGE_USUAL,    question_page_usual,     20,        "entries",  LIMIT_FIXED, "Entries of such a page where the request does not say how many") \
	X(QUESTIONS_OPEN,         questions_open,          100,       "questions", LIMIT_FIXED, "Open questions of one asker")                            \
	X(QUESTIONS_PER_HOUR,     questions_per_hour,      60,        "1/h",      LIMIT_SET,   "New questions of one asker; of guests, of one address as well, loopback and unix exempt") \
	X(QUESTION_READS_PER_HOUR, question_reads_per_hour, 600,      "1/h",      LIMIT_SET,   "Reads of single questions by one user; of guests likewise") \
	X(QUESTION_LISTS_PER_HOUR, question_lists_per_hour, 300,      "1/h",      LIMIT_SET,   "Pages of questions and answers, boards and stats read by one user; of guests likewise") \
	X(ANSWERS_PER_HOUR,       answers_per_hour,        30,        "1/h",      LIMIT_SET,   "Answers of one user; of guests likewise")                 \
	X(ANSWERS_PER_MINUTE,     answers_per_minute,      5,         "1/min",    LIMIT_SET,   "Answers of one user; of guests likewise")                 \
	X(QUESTION_CLOSED_LIFE_MS, question_closed_life_ms, 604800000, "ms",      LIMIT_FIXED, "How long a question is kept that has its answers")        \
	X(QUESTION_ENDED_LIFE_MS, question_ended_life_ms,  86400000,  "ms",       LIMIT_FIXED, "How long a question is kept that has expired or was cancelled") \
	X(RESPONSE_DAYS,          response_days,           30,        "days",     LIMIT_FIXED, "How long an answer is kept")                              \
	X(RESPONSE_FAST_CHOICE_MS, response_fast_choice_ms, 2000,     "ms",       LIMIT_FIXED, "A choice made sooner after its question was first read is marked as fast") \
	X(RESPONSE_FAST_TEXT_MS,  response_fast_text_ms,   5000,      "ms",       LIMIT_FIXED, "The same of an answer in words")                          \
	X(POINTS_PER_DAY,         points_per_day,          500,       "points",   LIMIT_FIXED, "Points of one user on a UTC day, streaks' apart")          \
	X(BOARD_PAGE,             board_page,              100,       "entries",  LIMIT_FIXED, "Most entries of a board that are shown")                  \
	X(BOARD_PAGE_USUAL,       board_page_usual,        10,        "entries",  LIMIT_FIXED, "Entries of a board where the request does not say how many") \
	X(BOARD_RANKS,            board_ranks,             1000,      "ranks",    LIMIT_FIXED, "Ranks that are counted; users behind them are told none") \
	X(SUBSCRIPTIONS,          subscriptions,           20,        "subscriptions", LIMIT_FIXED, "Subscriptions to notices of one user")                 \
	X(SUBSCRIPTIONS_PER_HOUR, subscriptions_per_hour,  10,        "1/h",      LIMIT_SET,   "New subscriptions of one user; of guests, of one address as well, loopback and unix exempt") \
	X(SUBSCRIPTION_MINUTES_MIN, subscription_minutes_min, 5,      "min",      LIMIT_FIXED, "Shortest time between two notices of one subscription")   \
	X(SUBSCRIPTION_MINUTES,   subscription_minutes,    1440,      "min",      LIMIT_FIXED, "Longest such time")                                       \
	X(SUBSCRIPTION_MINUTES_USUAL, subscription_minutes_usual, 30, "min",      LIMIT_FIXED, "Such time of a subscription that does not say how long")  \
	X(SUBSCRIPTION_ADDRESS_CHARS, subscription_address_chars, 200, "chars",   LIMIT_FIXED, "Longest address of a subscription")                       \
	X(NOTICES_PER_ANSWER,     notices_per_answer,      3,         "notices",  LIMIT_FIXED, "People who are sent a notice for each answer that a question still needs") \
	X(NOTICE_CANDIDATES,      notice_candidates,       1000,      "subscriptions", LIMIT_FIXED, "Subscriptions, those that have waited longest, among which they are drawn") \
	X(NOTICES_AGAIN_MS,       notices_again_ms,        900000,    "ms",       LIMIT_SET,   "From a question to its second round of notices, if it still needs answers") \
	X(NOTICE_FAILURES,        notice_failures,         3,         "notices",  LIMIT_FIXED, "Notices in a row of which the command failed that end a subscription's notices") \
	X(COMMANDS,               commands,                256,       "runs",     LIMIT_FIXED, "Runs of the command for notices that wait or have not ended; beyond it notices are dropped") \
	X(COMMANDS_AT_ONCE,       commands_at_once,        4,         "runs",     LIMIT_FIXED, "Those that run at once")                                  \
	X(COMMAND_MS,             command_ms,              10000,     "ms",       LIMIT_SET,   "How long a run may take; then it is killed")              \
	X(LIVE_NOTES,             live_notes,              65536,     "notes",    LIMIT_FIXED, "First reads of questions by users that the server knows at once; beyond it the oldest is forgotten") \
	X(USER_RATES,             user_rates,              65536,     "rates",    LIMIT_FIXED, "Users and addresses of which the server knows at once how often they did something; beyond it the one known longest is forgotten") \
	X(EMAIL_BYTES,            email_bytes,             254,       "bytes",    LIMIT_FIXED, "Length of an e-mail address")                             \
	X(TEAM_NAME_CHARS,        team_name_chars,         255,       "chars",    LIMIT_FIXED, "Longest name of a group or container")                    \
	X(TEAM_PAGE,              team_page,               256,       "entries",  LIMIT_FIXED, "Most entries of one page of groups, users, invitations, containers or items") \
	X(GROUPS_OF_USER,         groups_of_user,          100,       "groups",   LIMIT_FIXED, "Groups that one user is in")                              \
	X(GROUP_USERS,            group_users,             10000,     "users",    LIMIT_FIXED, "Users in one group")                                      \
	X(GROUP_CONTAINERS,       group_containers,        200,       "containers", LIMIT_FIXED, "Containers of one group")                                \
	X(CONTAINER_ITEMS,        container_items,         100000,    "items",    LIMIT_FIXED, "Items in one container")                                  \
	X(REMOVAL_ITEMS,          removal_items,           128,       "items",    LIMIT_FIXED, "Items of a deleted group or container that one commit removes")   \
	X(ITEM_NAME_CHARS,        item_name_chars,         200,       "chars",    LIMIT_FIXED, "Longest name of an item")                                 \
	X(ITEM_UNIT_CHARS,        item_unit_chars,         20,        "chars",    LIMIT_FIXED, "Longest unit of an item's quantity")                      \
	X(ITEM_CATEGORY_CHARS,    item_category_chars,     50,        "chars",    LIMIT_FIXED, "Longest category of an item")                             \
	X(ITEM_NOTE_BYTES,        item_note_bytes,         4096,      "bytes",    LIMIT_FIXED, "Longest note of an item")                                 \
	X(GROUP_INVITATIONS,      group_invitations,       50,        "invitations", LIMIT_FIXED, "Invitations that one group has at a time")                \
	X(INVITATION_SECONDS_MIN, invitation_seconds_min,  60,        "s",        LIMIT_FIXED, "Shortest time that an invitation is good")                \
	X(INVITATION_SECONDS,     invitation_seconds,      2592000,   "s",        LIMIT_FIXED, "Longest time that an invitation is good: 30 days")        \
	X(INVITATION_SECONDS_USUAL, invitation_seconds_usual, 86400,  "s",        LIMIT_FIXED, "Time that an invitation is good that does not say how long") \
	X(INVITATION_USES,        invitation_uses,         1000,      "uses",     LIMIT_FIXED, "Most uses of an invitation that says how many")           \
	X(INVITATION_CODE_BYTES,  invitation_code_bytes,   64,        "bytes",    LIMIT_FIXED, "What is taken as the code of an invitation, with dashes and blanks") \
	X(GROUPS_PER_HOUR,        groups_per_hour,         20,        "1/h",      LIMIT_SET,   "New groups of one user")                                  \
	X(ROOM_KEEP_DAYS,         room_keep_days,          90,        "days",     LIMIT_FIXED, "How long room.keep can keep a room")                      \
	X(SWEEP_ITEMS,            sweep_items,             128,       "items",    LIMIT_FIXED, "Expired items the sweeper reads at once")

/*
 * The order above as numbers (LIMIT_ROOM_SEATS, ...), an index into a table of
 * values: the defaults are limit_rows[i].value, a server's own are its config's.
 */
enum limit {
#define LIMIT_ENUM(symbol, name, value, unit, changeable, help) LIMIT_##symbol,
	LIMITS(LIMIT_ENUM)
#undef LIMIT_ENUM
	LIMIT_COUNT
};

/*
 * The default of each row as a constant expression, for array sizes: MAX_CARD_BYTES, ... An
 * enumerator is an int: where the default is more, which is a time, the constant is the greatest int.
 */
enum {
#define LIMIT_MAX(symbol, name, value, unit, changeable, help) MAX_##symbol = (value) < INT32_MAX ? (value) : INT32_MAX,
	LIMITS(LIMIT_MAX)
#undef LIMIT_MAX
};

struct limit_row {
	const char *name;
	int64_t value;
	const char *unit;
	int changeable;
	const char *help;
};

extern const struct limit_row limit_rows[LIMIT_COUNT];

#endif
