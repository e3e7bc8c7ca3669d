/*
 * limits.h - every limit, with its unit, in one table.
 *
 * A row feeds the constant (LIMIT_<SYMBOL>), the `limits` map of session.hello, `ayed --help`,
 * ayed-limits(5) and proto/README.md. A request that exceeds a limit gets a specific error; other
 * clients are not affected.
 *
 * Rows marked SET can be changed when the server starts (--limit name=value); the others are part
 * of the protocol.
 */
#ifndef PROTO_BASE_LIMITS_H
#define PROTO_BASE_LIMITS_H

#include <stdint.h>

#define LIMIT_FIXED 0
#define LIMIT_SET   1

/*        SYMBOL                  name                     value      unit        changeable   help */
#define LIMITS(X)                                                                                             \
	X(FRAME_BYTES_GUEST,      frame_bytes_guest,       4096,      "bytes",    LIMIT_FIXED, "One message before session.hello")                        \
	X(FRAME_BYTES,            frame_bytes,             65536,     "bytes",    LIMIT_FIXED, "One message")                                             \
	X(WEB_HEAD_BYTES,         web_head_bytes,          8192,      "bytes",    LIMIT_FIXED, "Head of one HTTP request") \
	X(WEB_REQUESTS,           web_requests,            100,       "requests", LIMIT_FIXED, "HTTP requests of one connection; then it is closed") \
	X(WEB_OUT_BYTES,          web_out_bytes,           65536,     "bytes",    LIMIT_FIXED, "Translated messages waiting for one WebSocket, not counting the last one; beyond it, translation pauses") \
	X(FRAME_DEPTH,            frame_depth,             16,        "levels",   LIMIT_FIXED, "Nesting of one message")                                  \
	X(FRAME_NODES,            frame_nodes,             32768,     "values",   LIMIT_FIXED, "Values in one message, including keys") \
	X(CARDS_MIN,              cards_min,               2,         "cards",    LIMIT_FIXED, "Fewest cards of a deck")                                  \
	X(CARDS_MAX,              cards_max,               32,        "cards",    LIMIT_FIXED, "Most cards of a deck")                                    \
	X(CARD_CELLS,             card_cells,              8,         "cells",    LIMIT_FIXED, "Width of a card's label")                                 \
	X(CARD_BYTES,             card_bytes,              64,        "bytes",    LIMIT_FIXED, "Length of a card's label")                                \
	X(NAME_CELLS,             name_cells,              32,        "cells",    LIMIT_FIXED, "Width of a username")                                     \
	X(NAME_BYTES,             name_bytes,              256,       "bytes",    LIMIT_FIXED, "Length of a username")                                    \
	X(TITLE_CELLS,            title_cells,             80,        "cells",    LIMIT_FIXED, "Width of a room's title")                                 \
	X(TITLE_BYTES,            title_bytes,             512,       "bytes",    LIMIT_FIXED, "Length of a room's title")                                \
	X(LINK_TEMPLATE_BYTES,    link_template_bytes,     256,       "bytes",    LIMIT_FIXED, "Length of the address pattern for story links") \
	X(STORIES,                stories,                 500,       "stories",  LIMIT_FIXED, "Stories in a room, including removed ones") \
	X(STORIES_BYTES,          stories_bytes,           524288,    "bytes",    LIMIT_FIXED, "Text of all stories in a room together") \
	X(STORY_TITLE_CELLS,      story_title_cells,       200,       "cells",    LIMIT_FIXED, "Width of a story's title")                                \
	X(STORY_TITLE_BYTES,      story_title_bytes,       1024,      "bytes",    LIMIT_FIXED, "Length of a story's title")                               \
	X(STORY_KEY_CELLS,        story_key_cells,         32,        "cells",    LIMIT_FIXED, "Width of a story's key")                                  \
	X(STORY_KEY_BYTES,        story_key_bytes,         128,       "bytes",    LIMIT_FIXED, "Length of a story's key")                                 \
	X(STORY_LINK_BYTES,       story_link_bytes,        1024,      "bytes",    LIMIT_FIXED, "Length of a story's link")                                \
	X(STORY_DESCRIPTION_BYTES,      story_description_bytes,       4096,      "bytes",    LIMIT_FIXED, "Length of a story's description")                               \
	X(COMMENT_CELLS,             comment_cells,              80,        "cells",    LIMIT_FIXED, "Width of the comment on a vote")                             \
	X(COMMENT_BYTES,             comment_bytes,              512,       "bytes",    LIMIT_FIXED, "Length of the comment on a vote")                            \
	X(STORY_VOTES,            story_votes,             200,       "votes",    LIMIT_FIXED, "Votes of one seat on stories that are open together") \
	X(STORY_COMMENTS_BYTES,   story_comments_bytes,    16384,     "bytes",    LIMIT_FIXED, "Comments on those votes together") \
	X(STORY_RESULTS_BYTES,    story_results_bytes,     2097152,   "bytes",    LIMIT_FIXED, "Revealed votes on open stories, and comments on hidden ones, in one room") \
	X(ROOM_STORY_VOTES,       room_story_votes,        20000,     "votes",    LIMIT_FIXED, "Votes of all seats of a room on stories that are open together") \
	X(VOTE_KEEP_SECONDS,      vote_keep_seconds,       7776000,   "s",        LIMIT_FIXED, "Longest time that a vote can be kept without a connection: 90 days") \
	X(REACTION_CELLS,         reaction_cells,          12,        "cells",    LIMIT_FIXED, "Width of a reaction")                                     \
	X(REACTIONS,              reactions,               6,         "reactions", LIMIT_FIXED, "Reactions a room offers")                                \
	X(REACTIONS_PER_MINUTE,   reactions_per_minute,    20,        "1/min",    LIMIT_FIXED, "Reactions by one seat") \
	X(NUDGE_MS,               nudge_ms,                30000,     "ms",       LIMIT_FIXED, "Shortest time between two nudges of the same member") \
	X(COUNTDOWN_MS,           countdown_ms,            3000,      "ms",       LIMIT_SET,   "From the last vote to the automatic reveal") \
	X(TIMER_SECONDS,          timer_seconds,           7776000,   "s",        LIMIT_FIXED, "Longest timer: 90 days")                                  \
	X(PAUSE_MINUTES,          pause_minutes,           1440,      "min",      LIMIT_FIXED, "Longest break")                                           \
	X(ROUNDS_KEPT,            rounds_kept,             1000,      "rounds",   LIMIT_FIXED, "Revealed rounds a room remembers; the oldest is forgotten first") \
	X(ROUNDS_BYTES,           rounds_bytes,            4194304,   "bytes",    LIMIT_FIXED, "Bytes of rounds a room remembers; the oldest is forgotten first, the last is kept") \
	X(PAGE,                   page,                    100,       "entries",  LIMIT_FIXED, "Most entries on one page of a list") \
	X(DATA_NAME_BYTES,        data_name_bytes,         64,        "bytes",    LIMIT_FIXED, "Name of a presence, map or list; key of a map")           \
	X(DATA_VALUE_BYTES,       data_value_bytes,        16384,     "bytes",    LIMIT_FIXED, "One value of shared data")                                \
	X(DATA_VALUE_DEPTH,       data_value_depth,        8,         "levels",   LIMIT_FIXED, "Nesting of one value of shared data")                     \
	X(DATA_NAMES,             data_names,              100,       "names",    LIMIT_FIXED, "Presences, maps and lists of a room together")            \
	X(MAP_KEYS,               map_keys,                1000,      "keys",     LIMIT_FIXED, "Keys of one map")                                         \
	X(SERVER_ADDRESSES,       server_addresses,        8,         "addresses", LIMIT_FIXED, "Addresses that server.share returns, and listeners that it adds") \
	X(WEB_BYTES,              web_bytes,               512,       "bytes",    LIMIT_FIXED, "Address of the server's page for browsers") \
	X(LIST_ENTRIES,           list_entries,            10000,     "entries",  LIMIT_FIXED, "Entries of one list")                                     \
	X(DATA_BYTES,             data_bytes,              1048576,   "bytes",    LIMIT_FIXED, "Shared data of a room together")                          \
	X(PRESENCE_EVERY_MS,      presence_every_ms,       50,        "ms",       LIMIT_FIXED, "Shortest time between two updates of one presence; the latest value is sent") \
	X(PRESENCE_GRACE_MS,      presence_grace_ms,       15000,     "ms",       LIMIT_SET,   "How long the presence of a lost connection is kept") \
	X(ROOM_SEATS,              room_seats,              2500,      "seats",    LIMIT_SET,   "Seats in one room")                                       \
	X(BARRED,                 barred,                  128,       "members",  LIMIT_FIXED, "Banned members a room remembers; the oldest is forgotten first") \
	X(SEAT_CONNECTIONS,       seat_connections,        8,         "conns",    LIMIT_FIXED, "Connections that share one seat")                         \
	X(CONNECTION_ROOMS,       connection_rooms,        32,        "rooms",    LIMIT_FIXED, "Rooms one connection may be subscribed to")               \
	X(CONNECTION_HOSTS,       connection_hosts,        1024,      "rooms",    LIMIT_FIXED, "Rooms for which one connection has sent the host_key or which it created; the oldest is forgotten first") \
	X(CONNECTION_SEATS,       connection_seats,        64,        "seats",    LIMIT_FIXED, "Seats one connection may create in one room") \
	X(CONNECTION_TOPICS,      connection_topics,       32,        "topics",   LIMIT_FIXED, "Topics one connection may be subscribed to")              \
	X(CONNECTIONS,            connections,             20000,     "conns",    LIMIT_SET,   "Connections in total (never more than open files allow)") \
	X(CONNECTIONS_PER_ADDRESS, connections_per_address, 500,      "conns",    LIMIT_SET,   "Connections from one address; loopback and unix sockets are exempt") \
	X(REQUESTS_PER_SECOND,    requests_per_second,     2000,      "1/s",      LIMIT_SET,   "Requests on one connection; twice as many in a burst") \
	X(ANSWER_BYTES_PER_SECOND, answer_bytes_per_second, 8388608,  "bytes/s",  LIMIT_SET,   "Answers and full updates on one connection; beyond it, the next request is read later") \
	X(REQUESTS_PENDING,       requests_pending,        64,        "requests", LIMIT_FIXED, "Unanswered requests on one connection; beyond it, reading stops") \
	X(ROOM_CREATES_PER_MINUTE, room_creates_per_minute, 60,       "1/min",    LIMIT_SET,   "New rooms from one address or one user of the unix socket; root and the server's own user are exempt") \
	X(SEATS_PER_MINUTE,       seats_per_minute,        300,       "1/min",    LIMIT_SET,   "New seats from one address or one user of the unix socket; root and the server's own user are exempt") \
	X(ROOM_MISSES_PER_MINUTE, room_misses_per_minute,  30,        "1/min",    LIMIT_SET,   "Wrong room and invitation codes from one address or one user of the unix socket; root and the server's own user are exempt") \
	X(ROOM_MISSES_PER_NETWORK, room_misses_per_network, 300,      "1/min",    LIMIT_SET,   "Wrong room and invitation codes from one IPv6 /48") \
	X(ROOM_MISSES_IN_ALL,     room_misses_in_all,      3000,      "1/min",    LIMIT_SET,   "Wrong room and invitation codes from all addresses together; beyond it, each address has one a minute") \
	X(ROOM_LOADS,             room_loads,              8,         "rooms",    LIMIT_FIXED, "Rooms loading at once for callers from one address without a seat") \
	X(ROOM_LOADS_WAITING,     room_loads_waiting,      1024,      "rooms",    LIMIT_FIXED, "Rooms waiting to load after those; requests for more are refused") \
	X(ROOMS,                  rooms,                   1000000,   "rooms",    LIMIT_SET,   "Rooms held in memory at once")                            \
	X(ROOM_LOG_BYTES,         room_log_bytes,          262144,    "bytes",    LIMIT_SET,   "Updates a room keeps for slow subscribers and reconnections") \
	X(OUT_BYTES,              out_bytes,               262144,    "bytes",    LIMIT_FIXED, "Answers waiting for one connection; beyond it, reading stops") \
	X(OUT_BYTES_ALL,          out_bytes_all,           268435456, "bytes",   LIMIT_SET,   "Bytes waiting for all connections together; beyond it, those that read nothing are closed") \
	X(ONCE_PER_ROOM,          once_per_room,           1024,      "keys",     LIMIT_FIXED, "Idempotency keys a room remembers; the oldest is forgotten first") \
	X(ONCE_BYTES_MIN,         once_bytes_min,          16,        "bytes",    LIMIT_FIXED, "Shortest idempotency key; callers logged in with a key may use shorter ones") \
	X(ONCE_LIFE_MS,           once_life_ms,            86400000,  "ms",       LIMIT_FIXED, "How long an idempotency key is remembered")               \
	X(HANDSHAKE_MS,           handshake_ms,            10000,     "ms",       LIMIT_SET,   "Time for the handshake of a TLS connection")                       \
	X(HANDSHAKE_FIRST_BYTE_MS, handshake_first_byte_ms, 3000,     "ms",       LIMIT_SET,   "Time for the first byte of it")                                   \
	X(HANDSHAKES,             handshakes,              1000,      "conns",    LIMIT_SET,   "Unfinished TLS handshakes; beyond it, a new one replaces one from the busiest network (IPv6 /48, IPv4 /24)") \
	X(HANDSHAKES_PER_ADDRESS, handshakes_per_address,  64,        "conns",    LIMIT_SET,   "Of those, from one address; loopback is exempt; beyond it, a new one replaces the oldest") \
	X(NODE_HANDSHAKES,        node_handshakes,         1000,      "conns",    LIMIT_SET,   "Connections at --cluster-listen that have not proved the key and sent their preface; beyond it, a new one replaces one from the busiest network") \
	X(HELLO_MS,               hello_ms,                5000,      "ms",       LIMIT_SET,   "Time until session.hello")                                       \
	X(WEB_PING_MS,            web_ping_ms,             20000,     "ms",       LIMIT_SET,   "Time between two pings of a WebSocket") \
	X(WEB_SILENT_MS,          web_silent_ms,           60000,     "ms",       LIMIT_SET,   "Time a WebSocket's client may send nothing, not even an answer to a ping, and take nothing") \
	X(FRAME_MS,               frame_ms,                10000,     "ms",       LIMIT_SET,   "Time to finish a message once it has started") \
	X(STALL_MS,               stall_ms,                60000,     "ms",       LIMIT_SET,   "Time a peer may read nothing of what is waiting for it") \
	X(VOTE_GRACE_MS,          vote_grace_ms,           60000,     "ms",       LIMIT_SET,   "How long the vote of a lost connection is kept")          \
	X(NAME_GRACE_MS,          name_grace_ms,           600000,    "ms",       LIMIT_SET,   "How long the seat of a lost connection is kept")          \
	X(ROOM_LIFE_MS,           room_life_ms,            3600000,   "ms",       LIMIT_SET,   "Lifetime of a room after its last change or last member") \
	X(GROUP_ROOM_LIFE_MS,     group_room_life_ms,      2592000000, "ms",      LIMIT_SET,   "The same for a team's room: 30 days") \
	X(SESSION_LIFE_MS,        session_life_ms,         3600000,   "ms",       LIMIT_SET,   "Lifetime of a login after its last call") \
	X(LOGINS_PER_MINUTE,      logins_per_minute,       60,        "1/min",    LIMIT_SET,   "Logins from one address or one user of the unix socket; root and the server's own user are exempt") \
	X(ASSERTS_PER_MINUTE,     asserts_per_minute,      600,       "1/min",    LIMIT_SET,   "session.assert calls of the host's ssh kiosk, for all its users together") \
	X(LOGIN_MISSES_PER_MINUTE, login_misses_per_minute, 10,       "1/min",    LIMIT_SET,   "Wrong tokens and signatures from one address; unix sockets are exempt") \
	X(NEW_USERS_PER_HOUR,     new_users_per_hour,      30,        "1/h",      LIMIT_SET,   "First logins with a key from one address or one user of the unix socket; root and the server's own user are exempt") \
	X(ADDRESS_USERS,          address_users,           16,        "users",    LIMIT_SET,   "Multiple of one user's hourly and minute limits that all users with a key share at one address or as one user of the unix socket; guests share one user's limit") \
	X(TRANSACTIONS,           transactions,            4096,      "requests", LIMIT_FIXED, "Concurrent directory transactions of all connections") \
	X(TRANSACTIONS_IN_LINE,   transactions_in_line,    1024,      "requests", LIMIT_FIXED, "Transactions waiting at one partition") \
	X(TRANSACTION_RUNS,       transaction_runs,        8,         "runs",     LIMIT_FIXED, "Attempts of one transaction when others commit first") \
	X(TRANSACTION_PAGES,      transaction_pages,       16,        "pages",    LIMIT_FIXED, "Pages of partitions and indexes one transaction reads") \
	X(TRANSACTION_ITEMS,      transaction_items,       1024,      "items",    LIMIT_FIXED, "Items one transaction reads and writes") \
	X(TRANSACTION_BYTES,      transaction_bytes,       4194304,   "bytes",    LIMIT_FIXED, "Size of those items together") \
	X(TRANSACTIONS_BYTES,     transactions_bytes,      67108864,  "bytes",    LIMIT_FIXED, "Requests and items held by all concurrent transactions; beyond it, requests are refused") \
	X(COMMIT_TRANSACTIONS,    commit_transactions,     256,       "requests", LIMIT_FIXED, "Directory transactions in one commit") \
	X(COMMIT_BYTES,           commit_bytes,            1048576,   "bytes",    LIMIT_FIXED, "Their size together, unless a single transaction is larger") \
	X(QUESTION_PROMPT_CHARS_MIN, question_prompt_chars_min, 2,    "chars",    LIMIT_FIXED, "Shortest prompt of a question; characters are counted after cleaning") \
	X(QUESTION_PROMPT_CHARS,  question_prompt_chars,   2000,      "chars",    LIMIT_FIXED, "Longest prompt of a question")                            \
	X(QUESTION_OPTIONS_MIN,   question_options_min,    2,         "options",  LIMIT_FIXED, "Fewest options of a question")                            \
	X(QUESTION_OPTIONS,       question_options,        10,        "options",  LIMIT_FIXED, "Most options of a question")                              \
	X(QUESTION_OPTION_CHARS,  question_option_chars,   200,       "chars",    LIMIT_FIXED, "Longest option")                                          \
	X(QUESTION_AUDIENCES,     question_audiences,      5,         "words",    LIMIT_FIXED, "Audiences of one question; the first is its category")    \
	X(QUESTION_RESPONSES,     question_responses,      50,        "answers",  LIMIT_FIXED, "Most answers a question may ask for") \
	X(QUESTION_RESPONSES_USUAL, question_responses_usual, 5,      "answers",  LIMIT_FIXED, "Answers a question asks for by default, if it concerns as many people") \
	X(QUESTION_SECONDS_MIN,   question_seconds_min,    60,        "s",        LIMIT_FIXED, "Shortest time a question is open") \
	X(QUESTION_SECONDS,       question_seconds,        2592000,   "s",        LIMIT_FIXED, "Longest time a question is open: 30 days") \
	X(QUESTION_SECONDS_USUAL, question_seconds_usual,  3600,      "s",        LIMIT_FIXED, "Time a question is open by default") \
	X(QUESTION_ANSWER_CHARS,  question_answer_chars,   5000,      "chars",    LIMIT_FIXED, "Longest answer")                                          \
	X(QUESTION_COMMENT_CHARS, question_comment_chars,  500,       "chars",    LIMIT_FIXED, "Longest comment on an answer")                            \
	X(QUESTION_CONFIDENCE,    question_confidence,     5,         "steps",    LIMIT_FIXED, "Highest confidence of an answer, from 1") \
	X(QUESTION_PAGE,          question_page,           50,        "entries",  LIMIT_FIXED, "Most entries on one page of questions or answers") \
	X(QUESTION_PAGE_USUAL,    question_page_usual,     20,        "entries",  LIMIT_FIXED, "Entries on such a page by default") \
	X(QUESTIONS_OPEN,         questions_open,          100,       "questions", LIMIT_FIXED, "Open questions of one asker")                            \
	X(QUESTIONS_PER_HOUR,     questions_per_hour,      60,        "1/h",      LIMIT_SET,   "New questions of one user with a key; address_users times as many from one address; guests share one user's limit at an address or as one user of the unix socket") \
	X(QUESTION_READS_PER_HOUR, question_reads_per_hour, 600,      "1/h",      LIMIT_SET,   "Reads of single questions by one user; per address as for questions_per_hour") \
	X(QUESTION_LISTS_PER_HOUR, question_lists_per_hour, 300,      "1/h",      LIMIT_SET,   "Pages of questions, answers, boards and stats read by one user; likewise") \
	X(ANSWERS_PER_HOUR,       answers_per_hour,        30,        "1/h",      LIMIT_SET,   "Answers by one user; likewise") \
	X(ANSWERS_PER_MINUTE,     answers_per_minute,      5,         "1/min",    LIMIT_SET,   "Answers by one user; likewise") \
	X(QUESTION_CLOSED_LIFE_MS, question_closed_life_ms, 604800000, "ms",      LIMIT_FIXED, "How long a question is kept once it has its answers") \
	X(QUESTION_ENDED_LIFE_MS, question_ended_life_ms,  86400000,  "ms",       LIMIT_FIXED, "How long an expired or cancelled question is kept") \
	X(RESPONSE_DAYS,          response_days,           30,        "days",     LIMIT_FIXED, "How long an answer is kept, and at least as long as its question")                            \
	X(RESPONSE_FAST_CHOICE_MS, response_fast_choice_ms, 2000,     "ms",       LIMIT_FIXED, "A choice made sooner after first reading its question is marked as fast") \
	X(RESPONSE_FAST_TEXT_MS,  response_fast_text_ms,   5000,      "ms",       LIMIT_FIXED, "The same for a text answer") \
	X(POINTS_PER_DAY,         points_per_day,          500,       "points",   LIMIT_FIXED, "Points of one user on a UTC day, not counting streaks") \
	X(BOARD_PAGE,             board_page,              100,       "entries",  LIMIT_FIXED, "Most entries of a leaderboard") \
	X(BOARD_PAGE_USUAL,       board_page_usual,        10,        "entries",  LIMIT_FIXED, "Entries of a leaderboard by default") \
	X(BOARD_RANKS,            board_ranks,             1000,      "users",    LIMIT_FIXED, "Users with places on a leaderboard, not counting ties with the last") \
	X(BOARD_PEOPLE,           board_people,            5,         "users",    LIMIT_FIXED, "Fewest users who share a place on a leaderboard, and fewest new answers before it is updated") \
	X(BOARD_STEP,             board_step,              50,        "points",   LIMIT_FIXED, "Points of a place on a leaderboard are a multiple of this") \
	X(BOARD_EVERY_MS,         board_every_ms,          3600000,   "ms",       LIMIT_FIXED, "Time between two updates of a leaderboard") \
	X(SUBSCRIPTIONS,          subscriptions,           20,        "subscriptions", LIMIT_FIXED, "Subscriptions of one user to notifications") \
	X(SUBSCRIPTIONS_PER_HOUR, subscriptions_per_hour,  10,        "1/h",      LIMIT_SET,   "New subscriptions of one user; per address as for questions_per_hour") \
	X(CHECK_WAIT_SECONDS,     check_wait_seconds,      50,        "s",        LIMIT_FIXED, "Longest wait of one check_human_responses, a tool of aye mcp") \
	X(SUBSCRIPTION_MINUTES_MIN, subscription_minutes_min, 5,      "min",      LIMIT_FIXED, "Shortest interval between two notifications of one subscription") \
	X(SUBSCRIPTION_MINUTES,   subscription_minutes,    1440,      "min",      LIMIT_FIXED, "Longest such interval") \
	X(SUBSCRIPTION_MINUTES_USUAL, subscription_minutes_usual, 30, "min",      LIMIT_FIXED, "Such an interval by default") \
	X(SUBSCRIPTION_ADDRESS_CHARS, subscription_address_chars, 200, "chars",   LIMIT_FIXED, "Longest address of a subscription")                       \
	X(NOTICES_PER_ANSWER,     notices_per_answer,      3,         "notices",  LIMIT_FIXED, "People notified for each answer a question still needs") \
	X(NOTICE_CANDIDATES,      notice_candidates,       1000,      "subscriptions", LIMIT_FIXED, "Subscriptions, longest waiting first, from which they are drawn") \
	X(NOTICES_AGAIN_MS,       notices_again_ms,        900000,    "ms",       LIMIT_SET,   "Time from a question to its second round of notifications, if it still needs answers") \
	X(WAITING_AGAIN_MS,       waiting_again_ms,        86400000,  "ms",       LIMIT_SET,   "How long before its deadline a room with open stories notifies members without a vote again") \
	X(NOTICE_FAILURES,        notice_failures,         3,         "notices",  LIMIT_FIXED, "Notifications in a row whose command failed before a subscription is switched off") \
	X(COMMANDS,               commands,                256,       "runs",     LIMIT_FIXED, "Runs of the notification command in progress or waiting; beyond it, notifications are dropped") \
	X(COMMANDS_AT_ONCE,       commands_at_once,        4,         "runs",     LIMIT_FIXED, "Runs in progress at once") \
	X(COMMAND_MS,             command_ms,              10000,     "ms",       LIMIT_SET,   "How long a run may take before it is killed") \
	X(LIVE_NOTES,             live_notes,              65536,     "notes",    LIMIT_FIXED, "First reads of questions the server remembers; beyond it, the oldest is forgotten") \
	X(USER_RATES,             user_rates,              65536,     "rates",    LIMIT_FIXED, "Users and addresses whose rates the server remembers; beyond it, the oldest is forgotten") \
	X(USER_BYTES_PER_HOUR,    user_bytes_per_hour,     67108864,  "bytes/h",  LIMIT_SET,   "Growth of the table by one user's requests, rooms excluded; also of one address") \
	X(ROOM_BYTES_PER_HOUR,    room_bytes_per_hour,     67108864,  "bytes/h",  LIMIT_SET,   "Growth of rooms' stories, shared data and rounds by one user with a key; also of one address; root and the server's own user are exempt") \
	X(EMAIL_BYTES,            email_bytes,             254,       "bytes",    LIMIT_FIXED, "Length of an e-mail address")                             \
	X(EMAILS_PER_HOUR,        emails_per_hour,         5,         "1/h",      LIMIT_SET,   "New e-mail addresses of one user, or from one address") \
	X(TEAM_NAME_CHARS,        team_name_chars,         255,       "chars",    LIMIT_FIXED, "Longest name of a team or backlog") \
	X(TEAM_PAGE,              team_page,               256,       "entries",  LIMIT_FIXED, "Most entries on one page of teams, members, invitations, backlogs or items") \
	X(REFERENCES,             references,              16,        "stories",  LIMIT_FIXED, "Stories that group.references finds at most") \
	X(GROUPS_OF_USER,         groups_of_user,          100,       "groups",   LIMIT_FIXED, "Teams one user is in") \
	X(GROUP_USERS,            group_users,             10000,     "users",    LIMIT_FIXED, "Members of one team") \
	X(GROUP_BYTES,            group_bytes,             268435456, "bytes",    LIMIT_SET,   "Items of one team; each of its backlogs counts in whole MiB") \
	X(GROUP_CONTAINERS,       group_containers,        200,       "containers", LIMIT_FIXED, "Backlogs of one team") \
	X(CONTAINER_ITEMS,        container_items,         100000,    "items",    LIMIT_FIXED, "Items in one backlog") \
	X(REMOVAL_ITEMS,          removal_items,           128,       "items",    LIMIT_FIXED, "Items of a deleted team or backlog that one commit removes") \
	X(ITEM_NAME_CHARS,        item_name_chars,         200,       "chars",    LIMIT_FIXED, "Longest name of an item")                                 \
	X(ITEM_UNIT_CHARS,        item_unit_chars,         20,        "chars",    LIMIT_FIXED, "Longest unit of an item's quantity")                      \
	X(ITEM_CATEGORY_CHARS,    item_category_chars,     50,        "chars",    LIMIT_FIXED, "Longest category of an item")                             \
	X(ITEM_NOTE_BYTES,        item_note_bytes,         4096,      "bytes",    LIMIT_FIXED, "Longest note of an item")                                 \
	X(GROUP_INVITATIONS,      group_invitations,       50,        "invitations", LIMIT_FIXED, "Invitations of one team at a time") \
	X(INVITATION_SECONDS_MIN, invitation_seconds_min,  60,        "s",        LIMIT_FIXED, "Shortest time an invitation is valid") \
	X(INVITATION_SECONDS,     invitation_seconds,      2592000,   "s",        LIMIT_FIXED, "Longest time an invitation is valid: 30 days") \
	X(INVITATION_SECONDS_USUAL, invitation_seconds_usual, 86400,  "s",        LIMIT_FIXED, "Time an invitation is valid by default") \
	X(INVITATION_USES,        invitation_uses,         1000,      "uses",     LIMIT_FIXED, "Most uses of a limited invitation") \
	X(INVITATION_CODE_BYTES,  invitation_code_bytes,   64,        "bytes",    LIMIT_FIXED, "Length accepted as an invitation code, with dashes and spaces") \
	X(GROUPS_PER_HOUR,        groups_per_hour,         20,        "1/h",      LIMIT_SET,   "New teams of one user") \
	X(ROOM_KEEP_DAYS,         room_keep_days,          90,        "days",     LIMIT_FIXED, "How long room.keep can keep a room")                      \
	X(SWEEP_ITEMS,            sweep_items,             128,       "items",    LIMIT_FIXED, "Expired items the sweeper reads at once")

/*
 * The rows as numbers (LIMIT_ROOM_SEATS, ...), for use as an index into an array of values: the
 * defaults are in limit_rows[i].value, the values of a server in its config.
 */
enum limit {
#define LIMIT_ENUM(symbol, name, value, unit, changeable, help) LIMIT_##symbol,
	LIMITS(LIMIT_ENUM)
#undef LIMIT_ENUM
	LIMIT_COUNT
};

/*
 * The default of each row as a constant expression (MAX_CARD_BYTES, ...), for array sizes. An
 * enumerator is an int: a default above INT32_MAX, which only a time can have, becomes INT32_MAX.
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
