/*
 * unit_undo.c - a unit of work that was not made: what it did is undone, and its
 * requests are refused, or run again.
 *
 * Nothing of it has left, so nothing has to be taken back outside: the room is
 * loaded again, its subscribers stay and start over with a full update, and each
 * connection is subscribed as it was before the first request that is undone.
 * The open unit was built on the one in flight and goes the same way.
 *
 * Why it was not made decides about its requests:
 *
 *   CONFLICT   the ROOM item is not the one the room was loaded from or last
 *              stored as (room_take_ops()): another process has changed the room.
 *              All requests run again on what it has left, the flight's and then
 *              the open unit's, in the order in which they came, and before those
 *              that have come since. So each is answered once, by its last run.
 *   UNKNOWN    it may have been made, so its requests are neither answered nor run
 *              again: their connections are closed, and their clients repeat with
 *              the idempotency_key. What topics would have been told of it is in
 *              doubt, too (unit_doubt_outside()). Those of the open unit were surely
 *              not made, and run again.
 *   FENCED     another node has taken the room's bucket, so nothing was written, and nothing
 *              is from here. The requests are refused, and the room is left (room_bucket.h).
 *   any other  the requests are refused with UNAVAILABLE. What asked for nothing
 *              durable (room.unsubscribe) was done, and stays so.
 *
 * A request that runs again is one that waits for its room to be loaded (struct
 * parked). It has been counted, and has paid for its guesses and its rates. A
 * request runs UNIT_RUNS_MAX times at most, then it is refused, as it is where
 * memory is out. One whose connection has closed is dropped: nothing of it was
 * sent, and its client repeats it with its idempotency_key.
 *
 * What else the undone units had done:
 *   - presences, nudges, reactions: live, and gone with the room's memory. Those
 *     that a request brought come again with it; presences from before do not, as
 *     after any load.
 *   - what the room did by itself (a countdown or timer that ran out, a grace, its
 *     end): it was never sent; the loaded room is checked before the requests
 *     run, and does what is due by its own state.
 *   - connections that closed, and whatever else happened outside the room: as it is.
 *
 * BUSY undoes nothing: the store has not taken the commit, and it is sent again.
 */
#include <stdlib.h>

#include <utlist.h>

#include "proto/base/format.h"
#include "server/core/cluster/room_bucket.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/request.h"
#include "server/core/directory_rooms.h"
#include "server/core/rooms/parked.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/subscription.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/server_priv.h"

/* The end of a room that cannot be written is not tried over and over as fast as it fails. */
#define REST_MS 1000

#define TOO_MANY_CHANGES "too many changes at once in the room; nothing was saved; try again"

static void follow_as_before(struct server *s, struct partition *p, const struct following *f,
			     bool follows)
{
	struct conn *c = conn_find(s, f->conn);
	if (c == NULL || c->is_closing) {
		return;
	}
	struct pass *pass = follows ? conn_pass_make(c, p->room_id) : conn_pass(c, p->room_id);
	if (pass == NULL) {
		if (follows) { /* its places are filled with other rooms, or memory is out */
			conn_end(s, c, "the subscription could not be kept; connect again");
		}
		return;
	}
	pass->user_key = f->user_key;
	pass->seats_n = f->seats_n;
	struct subscription *sub = pass_subscription(pass);
	if (sub != NULL && !follows) {
		subscription_end(s, sub);
	} else if (follows) {
		sub = sub == NULL ? subscription_begin(s, p, c, pass, NULL, SUBSCRIPTION_STALE)
				  : sub;
		sub->spares_data = f->spares_data;
	}
}

/* The request waits for the room as one that has just come; false where it has run too often, or memory is out. */
static bool reply_run_again(struct server *s, struct partition *p, const struct unit *u,
			    const struct reply *r)
{
	struct conn *c = conn_find(s, r->conn);
	if (c == NULL || c->is_closing) {
		return true; /* nobody waits for its answer */
	}
	struct request rq = {
		.conn = c,
		.method = r->method,
		.message = slice_of(u->bytes.data + r->at - r->asked, r->asked),
		.is_guess = r->is_guess,
		.runs = (unsigned char)(r->runs + 1),
	};
	if (rq.runs >= UNIT_RUNS_MAX || !parked_add(&p->parked, &rq, NULL)) {
		return false;
	}
	c->owed -= r->asked + reply_bytes(r);
	return true;
}

/* Nobody can say whether what it asked for was made. */
static void reply_lose(struct server *s, const struct unit *u, const struct reply *r)
{
	struct conn *c = conn_find(s, r->conn);
	if (r->stands) {
		unit_answer(s, u, r, NULL);
	} else if (c != NULL) {
		conn_end(s, c, CONN_UNKNOWN);
	}
}

/* The last change first. What stands is undone only where its request runs again, and stands no more. */
static void undo_followings(struct server *s, struct partition *p, const struct unit *u,
			    bool runs_again)
{
	for (const struct following *f = u == NULL ? NULL : u->followings; f != NULL;
	     f = f->before) {
		if (!f->stands || runs_again) {
			follow_as_before(s, p, f, f->follows && (runs_again || !f->is_over));
		}
	}
}

/* What becomes of the requests of a unit that is undone. */
enum undo { UNDO_REFUSES, UNDO_RUNS_AGAIN, UNDO_LOSES };

static void undo_replies(struct server *s, struct partition *p, const struct unit *u, enum undo how,
			 const char *why)
{
	struct fault fault = {0};
	struct reply *r;
	fault_set(&fault, FAULT_UNAVAILABLE, "%s", why);
	DL_FOREACH (u == NULL ? NULL : u->replies, r) {
		r->stands = r->stands && how != UNDO_RUNS_AGAIN;
		if (how == UNDO_LOSES) {
			reply_lose(s, u, r);
		} else if (how == UNDO_REFUSES || !reply_run_again(s, p, u, r)) {
			unit_answer(s, u, r, &fault);
		}
	}
}

/* Undo both units, and load the room. */
static void unit_undo(struct server *s, struct partition *p, enum undo flight, enum undo open,
		      const char *why)
{
	struct unit *in_flight = p->flight;
	struct unit *opened = p->open;
	partition_forget_room(s, p);
	undo_followings(s, p, opened, open == UNDO_RUNS_AGAIN);
	undo_followings(s, p, in_flight, flight == UNDO_RUNS_AGAIN);
	p->flight = NULL;
	p->open = NULL;
	p->is_broken = false;
	p->to_resend = false;
	undo_replies(s, p, in_flight, flight, why);
	undo_replies(s, p, opened, open, why);
	unit_drop(s, in_flight);
	unit_drop(s, opened);
	partition_reload(s, p);
}

void unit_fail(struct server *s, struct partition *p, enum err why)
{
	char room[9];
	(void)format_to(room, sizeof(room), "%.8s", partition_log_name(s, p).text);
	commit_log_failed(s, room, why);
	p->rests_mono = s->now.mono_ms + REST_MS;
	unit_undo(s, p, UNDO_REFUSES, UNDO_REFUSES, "the change could not be saved; try again");
}

void unit_conflict(struct server *s, struct partition *p)
{
	s->counters.units_rerun++;
	server_log(s, LOG_WARN, "event=room_conflict room=%.8s", partition_log_name(s, p).text);
	unit_undo(s, p, UNDO_RUNS_AGAIN, UNDO_RUNS_AGAIN, TOO_MANY_CHANGES);
}

void unit_unknown(struct server *s, struct partition *p)
{
	s->counters.commits_unknown++;
	server_log(s, LOG_ERROR, "event=commit_unknown room=%.8s", partition_log_name(s, p).text);
	unit_doubt_outside(s, p, p->flight);
	unit_undo(s, p, UNDO_LOSES, UNDO_RUNS_AGAIN, TOO_MANY_CHANGES);
}

void unit_fenced(struct server *s, struct partition *p)
{
	unit_undo(s, p, UNDO_REFUSES, UNDO_REFUSES, ROOM_ELSEWHERE);
}
