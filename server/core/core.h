/*
 * core.h - what the files of the core share; nobody else includes it.
 *
 *   conn.c       a connection: its bytes in, its answers out, its end
 *   request.c    one message: decode, check, hand it on
 *   request_room.c  a request on a room: its partition, its caller, the call
 *   connection_methods.c  the methods that act on no partition
 *   attend.c     room.create, room.subscribe, room.unsubscribe; who follows what
 *   room_partition.c  a room in memory: load, wait, drop
 *   rounds_page.c       what a request needs of a room that is not in memory
 *   unit_of_work.c       the unit of work: from handlers' marks to one commit; unit_replies.c what it holds
 *   publish.c    from its outcome to answers and updates
 *   fanout.c     who is written to next, and what; send_queue.c what is for one alone
 *   rate_limit.c      rates, per connection and per address; guess_limit.c room codes that are tried
 *   txn.c        transactions on the directory: load, run, commit, run again, answer
 *   topic.c      who is told of a partition's changes
 *   session_cache.c  the sessions that connections use now
 *   ticket.c     who waits for an answer of the store
 *   update_log.c what a room has said lately; timers.c who is to be looked at next
 *   expiry.c      what has expired
 *   server.c     events in, effects out
 *
 * One request's way: conn -> request -> partition -> room_call() -> unit ->
 * FX_COMMIT -> EVENT_COMMITTED -> publish -> output.
 */
#ifndef SERVER_CORE_CORE_H
#define SERVER_CORE_CORE_H

#include "proto/arena.h"
#include "proto/buf.h"
#include "proto/frame_scan.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "server/core/server.h"
#include "server/core/ticket.h"
#include "server/core/timers.h"
#include "server/core/update_log.h"
#include "server/domain/room/room.h"
#include "server/domain/txn.h"

/* ---- rates ---- */

/* A token bucket as one time: when it would be empty again if all that was taken so far drained at the rate. */
struct bucket {
	int64_t drained_at_us; /* monotonic */
};
/* Take one of `per_period` tokens; false, taking none, when `burst` are out already. */
bool bucket_take(struct bucket *b, int64_t mono_ms, int64_t per_period, int64_t period_ms, int64_t burst);
/* Take what has cost so much already, whether it is there or not. */
void bucket_charge(struct bucket *b, int64_t mono_ms, int64_t cost_us);
/* Ms until one could be taken; 0: now. */
int64_t bucket_wait_ms(const struct bucket *b, int64_t mono_ms, int64_t per_period, int64_t period_ms, int64_t burst);

struct conn;
struct request;

/* What peers are told apart by: a host's address, the IPv6 network it is in, or the user behind a unix socket. */
enum address_kind { ADDRESS_HOST, ADDRESS_NETWORK, ADDRESS_UID };
struct address_key {
	unsigned char kind; /* enum address_kind */
	unsigned char bytes[16];
};

/* One of them, while it has connections, its buckets are not drained, or a room is loaded for it. */
struct address {
	struct address_key key;
	struct address *network; /* of an IPv6 host: the /48, which counts its hosts as connections; NULL: none */
	unsigned connections;
	struct bucket creates;
	struct bucket misses;
	int64_t missed_mono; /* the last miss that was charged; 0: none lately */
	uint64_t missed_load; /* the load it was charged for: others who waited for it pay nothing; 0: none */
	char missed[CODE_CHARS_MAX + 1]; /* whose subscription was the last miss; "": another's was */
	unsigned loads; /* on their way for its guesses */
	struct partition *loads_waiting; /* that wait until those have ended */
	unsigned loads_waiting_n;
	struct bucket logins;
	struct bucket login_misses;
	struct bucket seats;
	UT_hash_handle hh;
};
/* Of that peer; NULL when memory is out. */
struct address *address_get(struct server *s, const struct peer *peer);
void address_release(struct server *s, struct address *a);
/*
 * Take one of what the connection's address may do in a minute; `b` is a bucket
 * of the address, NULL where there is none. Loopback and unix peers may always.
 * False with *fault RATE_LIMITED; `what` is its words.
 */
bool address_may(struct server *s, const struct conn *c, struct bucket *b, enum limit limit, const char *what,
		 struct fault *fault);
/* Those that have no connection and owe nothing; called now and then, for those whose last connection went earlier. */
void address_forget_quiet(struct server *s);
void address_forget_all(struct server *s);

/* ---- guesses: guess_limit.c ---- */

/*
 * A request on a room by a caller who has proved nothing yet is a guess of its
 * code. It costs a token of the caller's address where the room does not exist
 * or does not let the caller in, and nothing else does; a caller without proof
 * is refused while no token is left, whether the room exists or not.
 */
/* Whether the request carries what may prove to be a right to enter; such a request is looked at even without a token. */
bool guess_has_claim(const struct request *rq);
/* Ms until the connection may guess again; 0: now. */
int64_t guess_wait_ms(const struct server *s, const struct conn *c);
/* False, with *fault RATE_LIMITED, where it may not now. */
bool guess_may(struct server *s, const struct conn *c, struct fault *fault);
/*
 * The guess was wrong. A room.join that comes behind a room.subscribe that was,
 * and a request that waited for the same load of the room as one that has paid,
 * are no guesses of their own.
 * @room_id  "" for what can be no code
 * False, with *fault RATE_LIMITED, where no token is left.
 */
bool guess_miss(struct server *s, const struct request *rq, const char *room_id, struct fault *fault);
/*
 * The partition that is guessed at. Of rooms that are not in memory only some
 * are loaded at a time for one address; the others wait for those.
 * NULL with *fault: as partition_get(), or too many wait.
 */
struct partition *guess_partition(struct server *s, const struct conn *c, const char *room_id, struct fault *fault);
/*
 * A room that is in memory would refuse the guess sooner than one that has to be
 * looked for: the request waits for a load that finds nothing.
 * False where it need not, or not any more, and is to be refused.
 */
bool guess_wait_for_nothing(struct server *s, struct request *rq, const char *room_id, struct fault *fault);
/* The partition waits no more, and nothing is loaded on behalf of anybody. */
void guess_load_forget(struct partition *p);
/* The same, because it has been loaded or could not be; the next that waits is loaded. */
void guess_load_ended(struct server *s, struct partition *p);

/* ---- sessions in use ---- */

/* A session that connections use now, shared by them. */
struct live_session {
	struct session is; /* expires_at is for the table: a clock that is set back never lowers it */
	int64_t used_mono;         /* the last call: its life is counted from here */
	int64_t stored_expires_at; /* what the table has of expires_at, up to a minute less, or was last asked to have */
	bool is_renewing;
	bool is_over; /* logged out, or replaced */
	unsigned refs;
	UT_hash_handle hh; /* by is.token_hash.text */
};
struct live_session *session_ref(struct live_session *l);
void session_unref(struct server *s, struct live_session *l); /* NULL is fine */
/* The connection's, if it is not over; every call prolongs it. NULL: nobody is logged in there. */
struct live_session *conn_session(struct server *s, struct conn *c);
/* The connection has this session from now on, with NULL none. False when memory is out. */
bool conn_set_session(struct server *s, struct conn *c, const struct session *is);
/* Whether a session lives: by its use, where connections have it, else by what the table says of its end. */
bool session_is_live(const struct server *s, struct slice token_hash, int64_t expires_at);
/* One that connections use, and that the table takes for over: bring the table up to date. */
void session_keep(struct server *s, struct slice token_hash);
/* Whether that user is logged in on the connection; asks only, and prolongs nothing. */
bool conn_is_user(const struct server *s, const struct conn *c, struct slice user_id);
/* It is over for all connections that use it. */
void session_end(struct server *s, const struct key_text *token_hash);

/* ---- connections ---- */

struct partition;
struct watch;

/* A message of which only a part is here, or messages that wait because too much is unanswered. */
struct unread {
	struct buf bytes;
	struct scan scan;
	int64_t since_mono; /* when the oldest of it came */
};

/*
 * A full update, encoded once and shared by all connections that are sent it, as
 * a notification or as the answer of room.get. The partition finds it again for
 * as long as somebody holds it.
 */
struct frame {
	unsigned refs;
	struct frame **home; /* the partition's pointer to it, or NULL */
	int64_t version;     /* of the room */
	size_t len;
	size_t body; /* where the notification's params begin, which are the result of room.get */
	char bytes[];
};
struct frame *frame_ref(struct frame *f);
void frame_unref(struct server *s, struct frame *f); /* NULL is fine */

/* The rest of a shared frame, in its place among the words. */
struct quote {
	struct frame *frame;
	size_t from;
	size_t at; /* it is sent before the words from here on */
	bool is_answer;
	struct quote *next;
};

/*
 * What a connection alone is to be sent, beside what its rooms say: most of the
 * time nothing, and then there is none.
 */
struct outbox {
	struct buf words;
	struct quote *quotes;  /* in order */
	size_t answers;        /* bytes of the quotes that are answers */
	bool is_begun;         /* a part of what was in it has gone out: what is left begins within a message */
	struct outbox *next;   /* of the spare ones */
};

/* There is one for each of thousands of peers: what a delivery touches stands first and together: about one cache line. */
struct conn {
	struct conn_id id;
	bool is_greeted;
	bool is_eof;     /* the peer sends no more: close when it has what it is owed */
	bool is_closing; /* FX_CLOSE is wanted; nothing more is read */
	bool close_sent;
	bool is_paused;
	bool is_blocked; /* the socket takes no more for now */
	bool has_parked_read; /* something that reads waits for its room to be loaded */
	bool is_ready;   /* in server->ready */
	bool to_resume;  /* in server->resuming */
	bool is_owner;   /* as struct peer has it */
	unsigned char peer_kind; /* enum peer_kind */
	unsigned char passes_n;
	uint32_t uid; /* of a unix peer */
	unsigned short hosts_n;
	unsigned short hosts_next; /* where the next is written, once there are CONNECTION_HOSTS */
	unsigned pending; /* requests read and not answered */
	struct pass *passes;
	struct key_text *hosts; /* hashes of the host_keys it has shown; the oldest is overwritten where there are too many */
	struct outbox *outbox; /* NULL: nothing is in it */
	int64_t progress_mono; /* when the peer last took a byte, while blocked */
	struct conn *ready_next, *ready_prev;

	struct live_session *session; /* NULL: nobody is logged in */
	struct subscription *subscriptions; /* to topics, by conn_next */
	struct address *address; /* NULL for unix peers */
	struct address *guesser; /* whose guesses its guesses are: its address, or on a unix socket its user; NULL for the server's own and root */
	struct bucket requests;
	struct bucket answers; /* of their bytes */
	size_t owed;      /* bytes of answers that wait in units of work */
	struct unread *unread; /* NULL: nothing */
	union {
		int64_t opened_mono; /* until it is greeted */
		uint64_t hello; /* from then on: which of all that were ever said its last session.hello was, for each has a nonce of its own */
	};
	struct timer timer;
	struct conn *resume_next, *resume_prev;
};

/* No connection has this id. */
#define CONN_NOBODY ((struct conn_id){UINT32_MAX, 0})
/* A connection as one number, never 0. */
uint64_t conn_number(const struct conn *c);
struct conn *conn_find(struct server *s, struct conn_id id);
void conn_open(struct server *s, struct conn_id id, const struct peer *peer);
void conn_bytes(struct server *s, struct conn *c, struct slice bytes);
/* Nothing more comes from the peer; its answers still go out, then the connection ends. */
void conn_eof(struct server *s, struct conn *c);
/* Say why (where the peer can still hear it), then close. */
void conn_end(struct server *s, struct conn *c, const char *reason);
/* The same without a word: memory is out, or what it was sent is cut. */
void conn_lose(struct server *s, struct conn *c);
/* conn_end() where what the peer sent cannot be taken: counted and logged. */
void conn_break(struct server *s, struct conn *c, const char *reason);
#define CONN_NO_MESSAGE "what was sent is not MessagePack-RPC"
void conn_destroy(struct server *s, struct conn *c);
void conn_timer(struct server *s, struct conn *c);
/* The nonce of its last session.hello. */
struct key_text conn_nonce(const struct server *s, const struct conn *c);
/* Append to its own words, and make it output. Where memory is out, or they are too many, the connection ends. */
void conn_say(struct server *s, struct conn *c, struct slice bytes);
/* The same, and behind it the frame's bytes from its body on. */
void conn_say_full(struct server *s, struct conn *c, struct slice bytes, struct frame *f);
/* It has asked for so many bytes: when they are too many a second, the next request is read later. */
void conn_charge(struct server *s, struct conn *c, size_t bytes);
void conn_answered(struct server *s, struct conn *c);
/* Go on with what waits in c->unread, if what made it wait is over. */
void conn_resume_soon(struct server *s, struct conn *c);
void conn_resume_all(struct server *s);
struct pass *conn_pass(struct conn *c, const char *room_id);
/* The pass, made where there is none; NULL with *fault. */
struct pass *conn_pass_make(struct conn *c, const char *room_id, struct fault *fault);
/* That a room's host_key was shown. Without memory it is not kept, and has to be shown again, no more. */
void conn_keep_host(struct conn *c, const struct key_text *host_hash);
bool conn_is_host(const struct conn *c, const struct room *r);
/* Answer now, outside any unit of work. */
void conn_refuse(struct server *s, struct conn *c, uint32_t msgid, const struct fault *fault);
void conn_result(struct server *s, struct conn *c, uint32_t msgid, const struct record *rec, const void *result);

/* ---- followers ---- */

enum watch_state {
	WATCH_NEW,    /* is to be told everything by the next unit of work that closes */
	WATCH_FLIGHT, /* will be, when that unit is durable */
	WATCH_LIVE    /* follows the log */
};

/* A connection's following of a room. What a delivery touches stands first and together: about one cache line. */
struct watch {
	struct conn *conn; /* NULL: it does not follow */
	struct partition *partition;
	uint64_t at;        /* position in the partition's log, at a frame's beginning */
	struct frame *full; /* to be sent before the log; NULL: none */
	struct watch *next, *prev; /* of the partition */
	struct seat *seat; /* NULL only while the room is being loaded again */
	unsigned char state; /* enum watch_state */
	bool is_first;     /* NEW or FLIGHT for the first time: its subscription is not durable yet */
	bool is_moved;     /* from another key's seat, and that is not durable yet */
	bool resumes;      /* NEW: has a copy at since_version of since_epoch */
	bool needs_full;   /* FLIGHT */
	bool was_flight;   /* is in the unit in flight, even if a repeat has made it NEW again */
	bool is_ending;    /* kicked, or its seat is gone: ends when that is durable */
	bool spares_data;  /* wants no shared data */
	bool is_told;      /* waits in the lobby and knows it */
	bool missed_tell;  /* a room.you was not kept for it while it was slow */

	int64_t since_epoch;
	int64_t since_version;
	struct watch *pending_next, *pending_prev; /* of the partition, while NEW or FLIGHT */
	struct watch *seat_next;                   /* of the seat; a seat has few */
};

/*
 * The user_key a connection has shown in a room, kept until it closes or makes
 * place for another room, so that it need not be sent again; and its following,
 * which may begin and end several times. Host rights do not depend on it: see
 * conn_keep_host().
 */
struct pass {
	struct watch watch; /* conn is NULL while it does not follow the room */
	struct pass *next;
	char room_id[CODE_CHARS_MAX + 1];
	struct key_text user_key; /* also for a subscription that is repeated without it; "": none shown */
	unsigned seats_n; /* that its subscriptions have made */
};

/* NULL where it does not follow; NULL is nobody's. */
static inline struct watch *pass_watch(struct pass *pass)
{
	return pass != NULL && pass->watch.conn != NULL ? &pass->watch : NULL;
}

static inline struct pass *watch_pass(struct watch *w)
{
	_Static_assert(offsetof(struct pass, watch) == 0, "a pass begins with its watch");
	return (struct pass *)(void *)w;
}

/*
 * Begin to follow: the pass does not yet. Everything in one place so that the
 * lists and the counts cannot disagree.
 */
struct watch *watch_begin(struct server *s, struct partition *p, struct conn *c, struct pass *pass, struct seat *seat);
void watch_remove(struct server *s, struct watch *w);
/* Its copy cannot be brought up to date from the log: send everything with the next unit. */
void watch_start_over(struct server *s, struct watch *w);

/* ---- partitions ---- */

struct reply {
	struct conn_id conn;
	uint32_t msgid;
	size_t at; /* in unit->bytes */
	size_t len;
	struct frame *full; /* its body follows; NULL: the answer is whole */
	bool stands; /* true whatever becomes of the unit */
};

/* With what it quotes. */
static inline size_t reply_bytes(const struct reply *r)
{
	return r->len + (r->full == NULL ? 0 : r->full->len - r->full->body);
}

/*
 * Words for one seat's connections. The seat is there at least until the unit
 * has been published: seats that are gone are freed when the next one closes.
 */
struct tell {
	struct seat *seat;
	size_t at; /* in unit->bytes */
	size_t len;
};

/* Answers of one unit of work, or an update; requests pending bound it long before. */
#define UNIT_BYTES_MAX ((size_t)256 << 20)

/*
 * What handlers have done to a partition since it last closed, or what is on
 * its way to the disk. Only when that has arrived does any of it leave.
 */
struct unit {
	struct reply *replies;
	size_t replies_n, replies_capacity;
	struct tell *tells;
	size_t tells_n, tells_capacity;
	struct conn_id *endings; /* connections whose watch is_ending */
	size_t endings_n, endings_capacity;
	struct buf bytes; /* what replies and tells point into */
	bool ends_room;   /* the room is deleted by it */
	struct buf delta; /* one room.update for everybody, and words said to all behind it; may be empty */
	bool has_words;
	int64_t since, version;
	struct data_frame *data;   /* changes of shared data, each a frame of its own before the delta */
	struct frame *full;        /* for watches that begin; NULL: nobody does */
	struct frame *full_sparse; /* the same without shared data */
	struct account_change *accounts; /* users whose list of rooms it changes */
	struct arena arena; /* what ops point into */
	struct store_op *ops;
	size_t ops_n;
	struct unit *next; /* of the spare ones */
};

struct parked {
	struct conn_id conn;
	bool is_guess;
	bool is_read; /* its answer may be long */
	size_t len;
	struct parked *next;
	char bytes[];
};

enum partition_state { PARTITION_LOADING, PARTITION_READY };

struct partition {
	char room_id[CODE_CHARS_MAX + 1];
	enum partition_state state;
	struct room *room; /* NULL while loading, and where there is no such room */
	struct parked *parked, *parked_last;
	struct unit *open;   /* NULL: nothing has been done since the last closed */
	struct unit *flight; /* NULL: nothing is on its way */
	bool is_broken;      /* memory ran out: the open one must fail */
	bool to_resend; /* the store was busy: the flight's commit goes again with the next turn */
	bool is_dirty;  /* in server->dirty */
	bool is_marked; /* in server->marked: some watch may have something to read */
	bool is_large;  /* and then it had more watches than one turn takes */
	struct watch *fan_next; /* where the fan-out goes on */
	bool fan_again;         /* more came while it went: go round once more */
	struct update_log log;
	struct frame *full;        /* the latest full update, if somebody holds it still; not a reference */
	struct frame *full_sparse; /* the same without shared data */
	size_t full_bytes; /* of the last full update with shared data; of the longest, if all were without */
	uint64_t words_end; /* the log's position behind the last words: who resumes before it would hear them late */
	struct watch *watches;
	struct watch *pending;
	size_t watches_n;
	int64_t used_mono; /* last request or update */
	int64_t rests_mono; /* a commit failed: the room does not end before that */
	struct timer timer;
	struct partition *dirty_next, *dirty_prev;
	struct partition *marked_next, *marked_prev;
	UT_hash_handle hh;        /* by room_id */
	struct ticket ticket;     /* of its load, or of its flight's commit */
	struct page *page;        /* being loaded; NULL: none */
	bool loads_all;           /* also the rounds that are not kept in memory */
	uint64_t load;            /* which load of any partition was its last */
	struct address *asker;    /* for whose guess it is loaded, or waits to be; NULL: nobody's */
	bool waits_to_load;       /* in asker->loads_waiting */
	struct partition *wait_next, *wait_prev;
};

/* The partition, being loaded if it was not in memory. NULL: no memory for it, or too many. */
struct partition *partition_get(struct server *s, const char *room_id);
/* One that is not in memory, as LOADING, without a load. NULL: no memory for it, or too many. */
struct partition *partition_add(struct server *s, const char *room_id);
/* Load it. False when memory is out. */
bool partition_begin_load(struct server *s, struct partition *p);
/* It could not be loaded: who waits is told, and without watchers it goes. */
void partition_give_up(struct server *s, struct partition *p);
struct partition *partition_find(struct server *s, const char *room_id);
#define ROOMS_FULL "the server holds all the rooms it can; try again later"
/* Tell a connection that its following has ended, and how. */
void partition_say_ended(struct server *s, const struct partition *p, struct conn *c, enum notice which);
/* Keep the message until the partition is loaded. False when memory is out. */
bool partition_park(struct partition *p, const struct request *rq);
/* One to be kept; NULL when memory is out. */
struct parked *parked_make(const struct request *rq);
/* Whose request it is; NULL where they have gone. */
struct conn *parked_conn(struct server *s, const struct parked *parked);
/* Answer it with UNAVAILABLE, and free it. */
void parked_refuse(struct server *s, struct parked *parked);
/* "ROOM:{room_id}", in the scratch arena; empty when memory is out. */
struct slice partition_pk(struct server *s, const struct partition *p);
void partition_loaded(struct server *s, struct partition *p, const struct event *e);
/* Throw the state away and load it again; watchers stay and start over. */
void partition_reload(struct server *s, struct partition *p);
void partition_destroy(struct server *s, struct partition *p);
/* A reference to the full update of the room as it is, encoded where nobody holds it yet; NULL when memory is out. */
struct frame *partition_full(struct server *s, struct partition *p, bool with_data);
/* The room goes: those who hold its full update keep it, nobody else is given it. */
void partition_forget_full(struct partition *p);
void partition_timer(struct server *s, struct partition *p);
/* It has work for the next turn. */
void partition_dirty(struct server *s, struct partition *p);
/* Look at it again not later than its room, or its idleness, wants. */
void partition_schedule(struct server *s, struct partition *p);
/* Graces and lifetimes that have ended by now. */
void partition_look(struct server *s, struct partition *p);
bool partition_is_busy(const struct partition *p);

/* ---- pages ---- */

/* Rounds of a partition that are being loaded, and the requests that wait for them. */
struct page {
	struct ticket ticket;
	struct partition *partition;
	struct rounds_page rounds;
	struct parked *parked; /* in order */
};
/* Have the request wait for those rounds, then taken again; it has been counted. False when memory is out. */
bool page_want(struct server *s, struct partition *p, const struct request *rq, const struct rounds_page *rounds);
void page_loaded(struct server *s, struct ticket *ticket, const struct event *e);
void page_destroy(struct server *s, struct page *page); /* NULL is fine */

/* ---- units of work ---- */

/* Answers that leave with the open unit. Where memory is out the connection ends, and the unit fails when it closes. */
void unit_result(struct server *s, struct partition *p, struct conn *c, uint32_t msgid, const struct record *rec,
		 const void *result);
void unit_result_raw(struct server *s, struct partition *p, struct conn *c, uint32_t msgid, struct slice result);
/* The room as it is; false, with no answer given, when memory is out. */
bool unit_result_full(struct server *s, struct partition *p, struct conn *c, uint32_t msgid);
void unit_fault(struct server *s, struct partition *p, struct conn *c, uint32_t msgid, const struct fault *fault);
/* The answer just given waits its turn, but holds even if the unit fails: nothing durable was asked for. */
void unit_let_stand(struct partition *p);
/* End of turn: the open unit becomes the flight. */
void unit_close(struct server *s, struct partition *p);
/* Its outcome: publish.c. */
void unit_committed(struct server *s, struct partition *p, const struct event *e);
void unit_publish(struct server *s, struct partition *p);
void unit_fail(struct server *s, struct partition *p, enum err why);
/* The partition's open unit, made where there is none; NULL, and p->is_broken, when memory is out. */
struct unit *unit_open(struct server *s, struct partition *p);
/* To the open unit, which is there: p->is_broken when memory is out. Words of a tell are u->bytes from `at` on. */
void unit_add_ending(struct partition *p, struct watch *w);
void unit_add_tell(struct partition *p, struct seat *seat, size_t at);
/* Give one back; NULL is fine. */
void unit_drop(struct server *s, struct unit *u);
void unit_finish_spare(struct server *s);
/* ---- requests ---- */

/* Texts that the params of many methods have; found by name once, not with every request. */
#define SHARED_FIELDS(X)                                                                           \
	X(ROOM_ID, "room_id")                                                                      \
	X(USER_KEY, "user_key")                                                                    \
	X(HOST_KEY, "host_key")                                                                    \
	X(IDEMPOTENCY_KEY, "idempotency_key")
enum shared_field {
#define SHARED_ENUM(symbol, name) SHARED_##symbol,
	SHARED_FIELDS(SHARED_ENUM)
#undef SHARED_ENUM
	SHARED_COUNT
};
struct shared_fields {
	const struct field *of[METHOD_COUNT][SHARED_COUNT]; /* NULL: that method has none */
};
void shared_fields_find(struct shared_fields *all);

struct request {
	struct conn *conn;
	const struct field *const *shared; /* of its method */
	uint32_t msgid;
	enum method method;
	union method_params params;
	struct slice message; /* as it came, for parking */
	bool is_guess; /* of a room code: nothing on this connection says that the caller knows the room */
	const struct rounds_page *page; /* loaded for it, or NULL */
	bool waits; /* for another: it is taken again when that has come */
	struct partition *parked_in; /* where it waited, if it did: then it has been counted already */
	uint64_t load; /* that it waited for; 0: none */
};

/* One whole message. May end the connection. */
void request_take(struct server *s, struct conn *c, struct slice message);
/* The same for one that waited for the partition to be loaded. */
void request_take_parked(struct server *s, struct conn *c, const struct parked *parked,
			 struct partition *p, const struct rounds_page *page);
void request_refuse(struct server *s, const struct request *rq, const struct fault *fault);
/* Have it wait for the partition to be loaded, then taken again. */
void request_park(struct server *s, struct partition *p, struct request *rq);

/* WHERE_ROOM, request_room.c */
void request_room(struct server *s, struct request *rq);
/* Text of a param that its method may have; empty where it was not sent. */
struct slice param_text(const struct request *rq, enum shared_field which);

/* WHERE_NOWHERE */
enum err connection_methods_start(struct server *s); /* ERR_NOMEM */
void connection_call(struct server *s, struct request *rq);
/* WHERE_NEW_ROOM; and the two that change who follows, on a loaded room. */
void attend_create(struct server *s, struct request *rq);
enum fault_code attend_subscribe(struct server *s, struct partition *p, struct request *rq, bool has_host_key,
				 union method_result *result, struct fault *fault);
/* The seat that the connection's login has in the room; NULL: none. */
struct seat *attend_account_seat(struct server *s, const struct partition *p, struct conn *c);
/* The seat of somebody who follows a room that was loaded again: the one the table has, or, where it was
 * only live, the same anew. NULL: there is no place for it any more. */
struct seat *attend_seat_again(struct server *s, struct partition *p, struct watch *w);
enum fault_code attend_unsubscribe(struct server *s, struct partition *p, struct request *rq,
				   union method_result *result, struct fault *fault);
/* Hashes as the table has them. */
struct key_text hash_user_key(const struct server *s, struct slice key);
struct key_text hash_host_key(const struct server *s, struct slice key);

/* ---- output ---- */

/*
 * Append words, or the rest of a frame; false when memory is out, or they are too many.
 * @is_begun   a part of the message has gone out.
 * @is_answer  it counts among the answers that wait.
 */
bool outbox_add(struct server *s, struct conn *c, struct slice words, bool is_begun);
bool outbox_quote(struct server *s, struct conn *c, struct frame *f, size_t from, bool is_answer);
/* Give it back, with what is in it. */
void outbox_drop(struct server *s, struct conn *c);
void outbox_finish(struct server *s); /* the spare ones */
/* Bytes of words and answers that wait there; of words alone. */
size_t outbox_len(const struct conn *c);
size_t outbox_words(const struct conn *c);
/* End of turn: where all outboxes together hold too much, end the connections that take nothing. */
void outbox_relieve(struct server *s);
/* What is in it, as up to max slices; max is not 0. */
size_t outbox_gather(const struct conn *c, struct slice *out, size_t max);
/* So many bytes have gone out: those of them that were not from here. */
size_t outbox_wrote(struct server *s, struct conn *c, size_t n);
void output_ready(struct server *s, struct conn *c);
void output_forget(struct server *s, struct conn *c);
void output_mark(struct server *s, struct partition *p);
void output_unmark(struct server *s, struct partition *p); /* it is marked */

/* ---- sweeper ---- */

void sweep_tick(struct server *s);
/* At the end of a turn: go on, if there is more and little else to do. */
void sweep_turn(struct server *s);
int64_t sweep_deadline(const struct server *s);
/* A room's time is over: for the log, which has one line a second for all of them. */
void sweep_count(struct server *s);
void sweep_due(struct server *s, const struct event *e);

/* ---- the server ---- */

struct server {
	struct server_config config;
	struct random random;
	unsigned char nonce_key[SEED_BYTES]; /* nonces follow from it */
	struct buf hello_limits; /* the limits in force, as session.hello tells them */
	struct clocks now;
	struct effects *fx; /* of the step that runs; NULL between steps */
	struct arena scratch; /* results of handlers, log lines; reset when a step begins */
	struct arena decoded; /* params of the message at hand */
	struct decoder decoder;
	struct shared_fields shared;

	struct conn **conns; /* by slot */
	size_t conns_capacity;
	size_t conns_n;
	struct partition *partitions; /* uthash by room_id */
	size_t partitions_n;
	struct address *addresses;
	struct live_session *sessions; /* uthash by token_hash */
	struct transaction *transactions;     /* utlist */
	struct transaction *transactions_due; /* utlist by due_next */
	size_t transactions_n;
	struct line *lines; /* uthash by partition */
	struct topic *topics; /* uthash by PK */
	struct bucket misses; /* of everybody */
	char missed[CODE_CHARS_MAX + 1]; /* as an address has it, of those who have none */
	struct timers timers;

	struct outbox *spare_outboxes; /* that nobody needs now */
	unsigned spare_outboxes_n;
	struct unit *spare_units;
	unsigned spare_units_n;
	struct conn *ready;        /* have words of their own to write */
	struct conn *resuming;     /* may read on */
	struct partition *dirty;   /* have a unit to close */
	struct partition *marked;  /* have frames to fan out */
	unsigned slice_used;       /* of its slice, by the partition in front */
	unsigned large_n;          /* marked ones that are large */
	bool to_relieve;           /* the outboxes hold too much, and a peer takes nothing */

	struct ticket *tickets; /* uthash by number */
	uint64_t last_ticket;
	uint64_t last_subscription;
	uint64_t hellos; /* session.hello that were answered, on whatever connection */
	struct ticket sweep_ticket;
	size_t sweep_limit;    /* of its items */
	int64_t sweep_mono;    /* when the next begins in any case */
	uint64_t sweep_first;  /* version of the first item that the last one found */
	uint64_t sweep_requests; /* requests that had come when it last began, */
	int64_t sweep_asked_mono; /* and when that number was last seen to have grown */
	bool sweep_goes_on;    /* there is more: the next begins when the store is quiet */
	uint64_t sweep_expired; /* rooms of which the log has not told */
	int64_t sweep_tell_mono; /* when it tells of them */
	int64_t addresses_mono; /* when quiet addresses are next forgotten */
	bool is_stopping;
	int64_t started_wall;
	struct counters counters;
};

/* Append an effect; false when memory is out. */
bool server_effect(struct server *s, const struct effect *e);
void server_log(struct server *s, enum log_level level, const char *format, ...) __attribute__((format(printf, 3, 4)));
int64_t server_limit(const struct server *s, enum limit limit);

#endif
