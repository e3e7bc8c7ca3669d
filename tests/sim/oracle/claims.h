/*
 * claims.h - what is promised, and the faults that are planted to see whether
 * a broken promise is noticed.
 */
#ifndef TESTS_SIM_ORACLE_CLAIMS_H
#define TESTS_SIM_ORACLE_CLAIMS_H

#include <stdbool.h>

/*        SYMBOL       the promise, and those of the documents that it stands for (tests/promises.py) */
#define CLAIMS(X)                                                                                  \
	X(DURABLE,     "what was acknowledged or shown is on disk") /* promise: answered */ \
	X(CONVERGE,    "every copy of a room, or of a user's sessions, equals what it is of") /* promise: full-is-safe */ \
	X(VERSIONS,    "versions have no gap, no repeat, and never go back") /* promise: same-order */ \
	X(SECRECY,     "no vote is seen before the reveal, nothing private by others") /* promises: lobby, secret-votes */ \
	X(ANSWERS,     "every request has exactly one answer, or its connection is gone")  \
	X(BOUNDS,      "limits hold, and nobody is closed without a reason")               \
	X(RULES,       "a room changes only as its rules say") /* promises: kept-a-minute, one-answer */ \
	X(REPEATS,     "a repeated call has the first result and no second effect") /* promise: once */ \
	X(ENDED,       "a room that has ended stays ended")                                \
	X(SESSIONS,    "one session a name, that ends when its time is over and not before") /* promise: session-hour */ \
	X(LIFETIMES,   "a room ends when its time is over, and not before") /* promise: never-shorter */ \
	X(PRESENCE,    "presence is live, its user's alone, and seldom enough") /* promise: presence */ \
	X(DATA,        "what is set only at its revision overwrites nobody") /* promise: at-its-revision */ \
	X(LIVENESS,    "when all is quiet, everything has been done")                      \
	X(STORE,       "each commit has a version of its own, whatever a failover takes back") \
	X(LISTS,       "what an index should list is listed")                              \
	X(PUBLISHED,   "who follows what commits publish has what the table has")          \
	X(HOMES,       "a room has one home, which is silent once its lease is over; no read is older than that") \
	X(REPEATABLE,  "the same seed gives the same run")

enum claim {
#define CLAIM_ENUM(symbol, promise) CLAIM_##symbol,
	CLAIMS(CLAIM_ENUM)
#undef CLAIM_ENUM
	CLAIM_COUNT
};
extern const char *const claim_names[CLAIM_COUNT];
extern const char *const claim_promises[CLAIM_COUNT];

/* Faults planted in the harness: each must be caught, or the oracle is asleep. */
/*        SYMBOL         name               caught as    what is done */
#define BREAKS(X)                                                                                  \
	X(DROP_COMMIT,   "drop-commit",     DURABLE,   "a commit is reported durable and never made")       \
	X(EARLY_ACK,     "early-ack",       DURABLE,   "a commit is reported durable before it is")         \
	X(OLD_DISK,      "old-disk",        DURABLE,   "a restart finds an older disk")                     \
	X(OLD_BACKUP,    "old-backup",      DURABLE,   "a backup lacks what was acknowledged before it was taken") \
	X(OTHER_ID,      "other-id",        DURABLE,   "a user_key comes to another user_id")               \
	X(OTHER_VOTE,    "other-vote",      RULES,     "a commit's vote is changed on its way to the disk") \
	X(LOSE_KEEP,     "lose-keep",       RULES,     "that a vote is to be kept is lost on its way to the disk") \
	X(LOSE_UNDO,     "lose-undo",       RULES,     "an undone reset does not bring a vote back")        \
	X(OTHER_UNDO,    "other-undo",      RULES,     "an undone reset brings an earlier card of the seat back") \
	X(LOSE_ASIDE,    "lose-aside",      RULES,     "who watched and votes again has lost the vote")     \
	X(KEEP_ASIDE,    "keep-aside",      RULES,     "who watched through a reveal or a reset has a vote again") \
	X(LOSE_LEFT,     "lose-left",       RULES,     "who leaves takes the card out of the open result")    \
	X(SHOW_VOTE,     "show-vote",       SECRECY,   "a hidden vote is put into an update")               \
	X(TELL_OTHER,    "tell-other",      SECRECY,   "room.you goes to somebody else")                    \
	X(HINT_VOTE,     "hint-vote",       SECRECY,   "bytes for others depend on a hidden vote")          \
	X(SHOW_NOTE,     "show-note",       SECRECY,   "the note on a hidden vote is put into an update")   \
	X(OPEN_DOOR,     "open-door",       SECRECY,   "who waits in the lobby is sent what members are")   \
	X(OPEN_ROOM,     "open-room",       SECRECY,   "a stranger is let into a locked room")              \
	X(LOSE_UPDATE,   "lose-update",     VERSIONS,  "an update is lost on the way")                      \
	X(REPEAT_UPDATE, "repeat-update",   VERSIONS,  "an update comes twice")                             \
	X(BEND_UPDATE,   "bend-update",     CONVERGE,  "a name is changed in an update")                    \
	X(LOSE_ANSWER,   "lose-answer",     LIVENESS,  "an answer is lost on the way")                      \
	X(REPEAT_ANSWER, "repeat-answer",   ANSWERS,   "an answer comes twice")                             \
	X(LEAVE_OTHERS,  "leave-others",    ANSWERS,   "who leaves takes another connection's seat along")  \
	X(REPEAT_NUDGE,  "repeat-nudge",    BOUNDS,    "a member is rung again at once")                     \
	X(OTHER_NUDGE,   "other-nudge",     SECRECY,   "session.nudged goes to another user")                \
	X(CLOSE_SLOW,    "close-slow",      BOUNDS,    "a slow reader is closed early")                     \
	X(NO_TICKS,      "no-ticks",        LIVENESS,  "the server is never told the time")                 \
	X(GHOST_VOTE,    "ghost-vote",      RULES,     "a vote appears that nobody cast")                   \
	X(GHOST_COUNT,   "ghost-count",     RULES,     "a vote is counted that nobody cast, where who voted is hidden") \
	X(SHOW_STORY,    "show-story",      SECRECY,   "hidden votes on an open story are put into an update") \
	X(OTHER_STORY,   "other-story",     RULES,     "a vote on an open story is changed on its way to the disk") \
	X(NO_STORY,      "no-story",        RULES,     "a vote is on no story, although others are open") \
	X(LOSE_LAID,     "lose-laid",       RULES,     "a story comes to the table without a vote that was on it") \
	X(LONG_END,      "long-end",        LIVENESS,  "the deadline of a story goes on past its time")     \
	X(SHOW_NOTHING,  "show-nothing",    RULES,     "an open story is revealed before anybody has voted on it") \
	X(QUIET_END,     "quiet-end",       RULES,     "the deadline of a story is over, and its votes stay hidden") \
	X(KEEP_OPEN,     "keep-open",       LIVENESS,    "what has enough votes is not revealed")       \
	X(LOSE_STORY,    "lose-story",      RULES,     "a story is gone that nobody took")           \
	X(BLIND_NAMES,   "blind-names",     SESSIONS,  "the store does not say who has a name, and lets another take it")  \
	X(FORGET_ONCE,   "forget-once",     REPEATS,   "what a login with a key answered is not remembered") \
	X(LOSE_RESPONSE, "lose-response",   RULES,     "an answer is lost by the store, and its person answers again") \
	X(LOSE_POINTS,   "lose-points",     RULES,     "what an answer earned is lost by the store")         \
	X(LOSE_NOTICE,   "lose-notice",     RULES,     "the store forgets who was notified")                \
	X(KEEP_GROUP,    "keep-group",      LIVENESS,  "what is left of a deleted group stays on the disk")  \
	X(KEEP_USER,     "keep-user",       LIVENESS,  "what is left of a deleted user stays on the disk")   \
	X(KEEP_MEMBERSHIP, "keep-membership", RULES,   "who was in a deleted group still is")               \
	X(KEEP_USE,      "keep-use",        RULES,     "who comes into a group takes no use of the invitation") \
	X(KEEP_ITEM,     "keep-item",       RULES,     "an item that was removed stays on the disk")         \
	X(KEEP_KEY,      "keep-key",        RULES,     "an item that is removed or renamed keeps its key")  \
	X(BEND_ADJUST,   "bend-adjust",     RULES,     "a quantity is adjusted by more than was asked for")  \
	X(LOSE_ITEM_REVISION, "lose-item-revision", DATA, "the condition of an item's change is lost on its way") \
	X(LOSE_ITEM_UPDATE, "lose-item-update", CONVERGE, "an item is left out of a container's update") \
	X(LOSE_ROOMS,    "lose-rooms",      LIVENESS,  "a deleted group does not find its rooms")           \
	X(SHORT_ROOM,    "short-room",      LIFETIMES, "a group's room lives no longer than any other")     \
	X(SHUT_MEMBER,   "shut-member",     RULES,     "a member of its group is asked for a room's passcode") \
	X(LOBBY_MEMBER,  "lobby-member",    RULES,     "a member of its group waits in a room's lobby")     \
	X(SHUT_OWNER,    "shut-owner",      RULES,     "an owner of its group may not lead a room")         \
	X(OTHER_ROOM,    "other-room",      SECRECY,   "group.rooms lists a room of another group")         \
	X(OTHER_USUAL,   "other-usual",     RULES,     "a room of a group begins with other links, times or reactions than the group's") \
	X(NO_FIRST,      "no-first",        RULES,     "a login that asks for a first group creates none") \
	X(NO_SAVE,       "no-save",         RULES,     "a settlement is not to come to its story's item")    \
	X(LOSE_SAVE,     "lose-save",       LIVENESS,  "an estimate never comes to its item")               \
	X(BEND_SAVE,     "bend-save",       RULES,     "an estimate comes to its item with another unit")   \
	X(LOSE_WITNESS,  "lose-witness",    RULES,     "that an estimate was written is not remembered")    \
	X(REPEAT_SAVE,   "repeat-save",     REPEATS,   "an estimate is written twice")                      \
	X(FALSE_REASON,  "false-reason",    RULES,     "an estimate is not written, for no reason")         \
	X(LOSE_MARK,     "lose-mark",       DURABLE,   "a settlement leaves no mark")                       \
	X(OTHER_ITEM,    "other-item",      RULES,     "a story is another item's than was asked for")      \
	X(REPEAT_RUN,    "repeat-run",      RULES,     "the command is run twice for one notice")            \
	X(KEEP_TOKEN,    "keep-token",      SESSIONS,  "a session that was ended stays on the disk")        \
	X(LATE_SESSION,  "late-session",    SESSIONS,  "the server looks at a session as of yesterday")     \
	X(EARLY_SESSION, "early-session",   SESSIONS,  "the server looks at a session as of tomorrow")      \
	X(KEEP_ENDED,    "keep-ended",      CONVERGE,  "a session that has ended stays in a copy of session.watch")   \
	X(KEEP_WATCH,    "keep-watch",      SECRECY,   "session.update is sent after session.unwatch")      \
	X(KEEP_TOPIC,    "keep-topic",      SECRECY,   "what a connection has unwatched is sent to it still") \
	X(OTHER_MINE,    "other-mine",      SECRECY,   "question.mine lists what others have asked")         \
	X(OTHER_ADDRESS, "other-address",   SECRECY,   "a user is told of a stranger")                       \
	X(OTHER_SSH,     "other-ssh",       SESSIONS,  "an ssh key is another user")                          \
	X(EMPTY_UPDATE,  "empty-update",    CONVERGE,  "a change of a group is published without what it is") \
	X(SOON_RENEWED,  "soon-renewed",    BOUNDS,    "a session is written back before it is due")        \
	X(OTHER_USER,    "other-user",      SECRECY,   "whoami tells of another")                           \
	X(NO_SWEEP,      "no-sweep",        CONVERGE,  "nothing that has expired is ever found")            \
	X(EARLY_END,     "early-end",       LIFETIMES, "the server looks at a room as of tomorrow")         \
	X(LATE_END,      "late-end",        LIFETIMES, "the server looks at a room as of yesterday")        \
	X(FAST_PRESENCE, "fast-presence",   PRESENCE,  "a presence is said too soon after the last time")   \
	X(BEND_PRESENCE, "bend-presence",   PRESENCE,  "a presence shows what its user never set")          \
	X(STAY_PRESENCE, "stay-presence",   PRESENCE,  "who has gone is present still")                     \
	X(DISK_PRESENCE, "disk-presence",   PRESENCE,  "a presence gets on the disk")                       \
	X(LOSE_REVISION, "lose-revision",   DATA,      "the condition of a set is lost on its way")         \
	X(BEND_LIST,     "bend-list",       CONVERGE,  "an entry of a list is put elsewhere in an update")  \
	X(BEND_PAGE,     "bend-page",       CONVERGE,  "a page of a room's stories is of no state that it was in") \
	X(OTHER_FIELD,   "other-field",     RULES,     "a field is shown changed that nobody asked to change") \
	X(LONG_VOTE,     "long-vote",       RULES,     "a vote outlasts its grace")                         \
	X(LONG_SEAT,     "long-seat",       RULES,     "a seat outlasts its grace")                         \
	X(LONG_PRESENCE, "long-presence",   PRESENCE,  "a presence outlasts its grace")                     \
	X(LONG_TTL,      "long-ttl",        PRESENCE,  "a presence outlasts the time that was given with it") \
	X(LONG_COUNTDOWN, "long-countdown", LIVENESS,  "a countdown goes on past its end")                  \
	X(LONG_TIMER,    "long-timer",      LIVENESS,  "a timer goes on past its end")                      \
	X(LOSE_AWAY,     "lose-away",       RULES,     "since when a member is away is not shown")            \
	X(LONG_HOST,     "long-host",       RULES,     "a host who has gone stays host")                    \
	X(LOSE_RETURN,   "lose-return",     RULES,     "a host who comes back is not host again")           \
	X(LOSE_NEXT,     "lose-next",       RULES,     "nobody is shown to follow a host who is away")      \
	X(LOW_RANK,      "low-rank",        RULES,     "a co-host removes the creator")                     \
	X(LONG_HELLO,    "long-hello",      BOUNDS,    "who says nothing stays connected")                  \
	X(LONG_FRAME,    "long-frame",      BOUNDS,    "who never ends a message stays connected")          \
	X(LONG_STALL,    "long-stall",      BOUNDS,    "who reads nothing stays connected")                 \
	X(LOSE_WARNING,  "lose-warning",    LIFETIMES, "the end of a room is not announced")                \
	X(LOSE_AGAIN,    "lose-again",      LIVENESS,  "a commit whose answer was lost is never sent again") \
	X(OTHER_TOKEN,   "other-token",     DURABLE,   "a commit whose answer was lost is sent again with another token") \
	X(FENCE_FIRST,   "fence-first",     DURABLE,   "a token is looked at after the fence") \
	X(NO_WAIT,       "no-wait",         DURABLE,   "a commit is acknowledged before a replica has it") \
	X(VERSION_TWICE, "version-twice",   STORE,     "a version that a failover took back is given again") \
	X(LATE_COMMIT,   "late-commit",     DURABLE,   "a commit that was given up is made when its command comes") \
	X(EARLY_UNLIST,  "early-unlist",    LISTS,     "an entry that fits no item is removed within a minute of its writing") \
	X(LIST_ONCE,     "list-once",       LISTS,     "entries that a failover took back are not written again") \
	X(READ_AHEAD,    "read-ahead",      PUBLISHED, "a read is answered before what it includes was told") \
	X(OWN_AT_REPLY,  "own-at-reply",    PUBLISHED, "what a process publishes itself is told at the answer, not at its number") \
	X(MISS_GAP,      "miss-gap",        PUBLISHED, "who subscribes again does not notice that something was missed") \
	X(LATE_NEWS,     "late-news",       PUBLISHED, "a publication that comes late is told, too") \
	X(FOLLOW_ASK,    "follow-ask",      DURABLE,   "a load goes where its scope moves to, and finds nothing yet") \
	X(FAIL_UNSURE,   "fail-unsure",     RULES,     "a commit whose answer was lost is taken for one that failed") \
	X(KEEP_ONCE,     "keep-once",       LIFETIMES, "the result of a call is kept for more than a day")  \
	X(LATE_CHANGE,   "late-change",     RULES,     "an answer is changed when its question has ended") \
	X(POINTS_AGAIN,  "points-again",    RULES,     "a changed answer earns points again")           \
	X(OTHER_END,     "other-end",       SECRECY,   "the end of a question is told to another than its asker") \
	X(NO_RERUN,      "no-rerun",        RULES,     "a request that met a conflict is refused")          \
	X(MADE_CONFLICT, "made-conflict",   DURABLE,   "a commit that was made is reported as a conflict, and its requests run twice") \
	X(NO_TAKING,     "no-taking",       DURABLE,   "a node does not take buckets, and names no fence")  \
	X(AFTER_FENCED,  "after-fenced",    LIVENESS,  "a home goes on when another node has taken its bucket") \
	X(NEWS_GAP,      "news-gap",        CONVERGE,  "a node does not notice that it has missed publications") \
	X(NEWS_AT_REPLY, "news-at-reply",   SESSIONS,  "a node applies what it publishes itself at the answer") \
	X(FALSE_LEASE,   "false-lease",     HOMES,     "a node that is cut off from the table renews its lease") \
	X(STOPPED_CLOCK, "stopped-clock",   HOMES,     "the clock of a lease stands still while its node is stopped") \
	X(CLOCK_LEAK,    "clock-leak",      REPEATABLE, "a run depends on something besides its seed")

/*
 * Faults that most seeds miss, with the first that sees each, by `sim --break NAME`: it is tried first, as hundreds may
 * come before it. Where the server or the world has changed so that another one sees the fault, it is found all the same.
 */
#define BREAKS_RARE(X) \
	X(LOSE_ASIDE, 72) X(LEAVE_OTHERS, 117) X(GHOST_COUNT, 106) X(LOSE_LAID, 50) X(LONG_END, 54) \
	X(SHOW_NOTHING, 97) X(QUIET_END, 644) X(KEEP_OPEN, 348) X(SHUT_MEMBER, 23) X(SHUT_OWNER, 49) \
	X(REPEAT_RUN, 49) X(KEEP_TOPIC, 223) X(OTHER_MINE, 211) X(LOSE_REVISION, 36) \
	X(BEND_PAGE, 27) X(LOW_RANK, 28) X(FENCE_FIRST, 158) X(LATE_COMMIT, 314) X(LATE_NEWS, 23) \
	X(NO_TAKING, 396) X(AFTER_FENCED, 288) X(NEWS_AT_REPLY, 715)

enum sim_break {
	BREAK_NONE,
#define BREAK_ENUM(symbol, name, claim, what) BREAK_##symbol,
	BREAKS(BREAK_ENUM)
#undef BREAK_ENUM
	BREAK_COUNT
};

/* Whether it takes several nodes to see it. */
static inline bool break_is_of_cluster(enum sim_break planted)
{
	return planted >= BREAK_NO_TAKING && planted <= BREAK_STOPPED_CLOCK;
}

struct world;

/* The first broken claim counts; later ones are its echo. */
void broken(struct world *w, enum claim claim, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Whether a planted fault of that kind should happen now; counts it. */
bool planted(struct world *w, enum sim_break which, unsigned one_in);

#endif
