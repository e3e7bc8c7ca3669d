/*
 * directory_rooms.c - see directory_rooms.h.
 */
#include "server/core/directory_rooms.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/format.h"
#include "proto/keys/room_code.h"
#include "server/core/cluster/cluster.h"
#include "server/core/conns/conn.h"
#include "server/core/conns/request.h"
#include "server/core/rooms/parked.h"
#include "server/core/rooms/partition.h"
#include "server/core/rooms/unit_of_work.h"
#include "server/core/txn/news.h"
#include "server/core/txn/topic.h"
#include "server/core/txn/txn.h"
#include "server/domain/base/user_key.h"
#include "server/domain/directory.h"
#include "server/domain/room/room.h"
#include "store/items.h"

void room_give_task(struct server *s, struct slice room_id, room_task_handler *run,
		    struct slice key)
{
	char id[CODE_CHARS_MAX + 1];
	if (code_normalise(room_id, id)) {
		partition_give_task(s, id, run, key);
	}
}

void room_begin_follow(struct server *s, const struct room_follow *f)
{
	txn_begin(s, f->key, directory_follows[f->kind], &(struct txn_next){.key = f->key});
}

size_t room_users_now(struct server *s, struct slice room_id)
{
	char id[CODE_CHARS_MAX + 1];
	const struct partition *p = code_normalise(room_id, id) ? partition_find(s, id) : NULL;
	return p == NULL || p->room == NULL ? 0 : room_users_here(p->room);
}

/* ---- who watches a user ---- */

bool user_is_watched(const struct server *s, struct slice user_id)
{
	struct item_pk pk;
	return topic_is_followed(s, item_pk_of(&pk, ITEM_USER, user_id));
}

bool user_may_be_watched(const struct server *s, struct slice user_id)
{
	return cluster_has_others(s) || user_is_watched(s, user_id);
}

void user_signal(struct server *s, struct slice user_id, struct slice notification)
{
	struct item_pk pk;
	topic_signal(s, item_pk_of(&pk, ITEM_USER, user_id), notification);
}

/* ---- what a unit brings outside of its room ---- */

/* At once, or as all nodes are told. */
static void room_news(struct server *s, struct slice room_id, const struct news *n)
{
	if (s->cluster == NULL) {
		news_apply(s, n);
	} else {
		txn_carry(s, room_id, n);
	}
}

/* The item of the user's seat. */
struct seat_name {
	struct item_pk pk_text;
	char sk_text[ITEM_KEY_BYTES_MAX + 1];
	struct slice pk, sk;
};

static void seat_name(const struct server *s, struct slice user_id, struct slice room_id,
		      struct seat_name *out)
{
	struct key_text hash = user_key_hash_of_login(s->config.server_key, user_id, room_id);
	size_t len = format_to(out->sk_text, sizeof(out->sk_text), "%s%s", item_rows[ITEM_SEAT].sk,
			       hash.text);
	out->pk = item_pk_of(&out->pk_text, ITEM_SEAT, room_id);
	out->sk = slice_of(out->sk_text, len);
}

static void user_account_changed(struct server *s, struct slice room_id,
				 const struct account_change *change)
{
	struct item_pk pk;
	struct seat_name seat;
	struct session_update update = {0};
	struct news news = {.publications = NULL};
	struct publication publication = {.pk = item_pk_of(&pk, ITEM_USER,
							   slice_str(change->user_id)),
					  .notice = NOTICE_SESSION_UPDATE,
					  .record = (struct topic_stamp *)(void *)&update};
	*(change->kind == ACCOUNT_LEFT ? &update.left : &update.joined) = room_id;
	if (change->kind != ACCOUNT_PUT_OUT) {
		news.publications = &publication;
	}
	seat_name(s, slice_str(change->user_id), room_id, &seat);
	struct gone_item gone = {.pk = seat.pk, .sk = seat.sk};
	if (change->kind != ACCOUNT_JOINED) {
		news.gone = &gone;
	}
	room_news(s, room_id, &news);
}

/*
 * A room is not in its group's partition: its changes do not raise the version of the group. So its entry is sent in
 * an update with the version that watchers already have.
 */
static bool group_room_note(const struct server *s, const struct partition *p, struct unit *u)
{
	struct group_room room;
	struct item_pk pk;
	if (!room_has_group(p->room)) {
		return true;
	}
	struct slice group_id = room_of_group(p->room, &room);
	if (s->cluster == NULL && !topic_is_followed(s, item_pk_of(&pk, ITEM_GROUP, group_id))) {
		return true;
	}
	bool ok = true;
	u->group_room = arena_alloc(&u->arena, sizeof(*u->group_room));
	room.title = arena_copy(&u->arena, room.title, &ok);
	if (u->group_room != NULL) {
		*u->group_room = room;
	}
	return u->group_room != NULL && ok;
}

static void group_room_publish(struct server *s, struct partition *p, const struct unit *u)
{
	if (u->group_room == NULL) { /* nobody is sent it: what was sent last may be so no longer */
		buf_finish(&p->group_line);
		return;
	}
	struct buf line = {.max = MAX_FRAME_BYTES};
	record_write(&record_group_room, u->group_room, &line);
	bool is_known = line.error == OK && slice_eq(buf_slice(&line), buf_slice(&p->group_line));
	if (u->ends_room || !is_known) {
		struct group_room ignored;
		struct slice room_id = slice_str(p->room_id);
		struct slice group_id = room_of_group(p->room, &ignored);
		struct item_pk text;
		struct group_update update = {.group_id = group_id};
		struct publication publication = {.pk = item_pk_of(&text, ITEM_GROUP, group_id),
						  .notice = NOTICE_GROUP_UPDATE,
						  .record = (struct topic_stamp *)(void *)&update,
						  .is_aside = true};
		if (u->ends_room) {
			update.gone = (struct slices){.items = &room_id, .n = 1};
		} else {
			update.rooms = u->group_room;
			update.rooms_n = 1;
		}
		room_news(s, room_id, &(struct news){.publications = &publication});
	}
	buf_finish(&p->group_line);
	p->group_line = line;
}

bool unit_note_outside(const struct server *s, const struct partition *p, struct unit *u,
		       bool is_stored)
{
	bool ok = true;
	if (is_stored) {
		u->accounts = room_account_changes(p->room, &u->arena, &ok);
		ok = ok && room_follows(p->room, &u->arena, &u->follows) == OK;
	}
	return group_room_note(s, p, u) && ok;
}

/* News have at most so many hints of a kind: a room may have more members than fit into one. */
#define HINTS_TOGETHER 256

void unit_signal_users(struct server *s, const struct partition *p, const struct unit *u)
{
	struct news news = {.signals = NULL};
	size_t n = 0;
	const struct seat_notification *t;
	DL_FOREACH (u->notifications, t) {
		struct user_signal *signal = t->is_to_sessions && !seat_is_gone(t->seat)
						     ? arena_alloc(&s->scratch, sizeof(*signal))
						     : NULL;
		if (signal != NULL) {
			*signal = (struct user_signal){
				.user_id = seat_user_id(t->seat),
				.message = slice_of(u->bytes.data + t->at, t->len),
			};
			LL_PREPEND(news.signals, signal);
			n++;
		}
		if (n == HINTS_TOGETHER) {
			room_news(s, slice_str(p->room_id), &news);
			news.signals = NULL;
			n = 0;
		}
	}
	if (news.signals != NULL) {
		room_news(s, slice_str(p->room_id), &news);
	}
}

/* Here; or what looks for people on each node. */
static void unit_begin_follows(struct server *s, const struct partition *p, const struct unit *u)
{
	struct look looks[HINTS_TOGETHER];
	size_t n = 0;
	const struct room_follow *f;
	LL_FOREACH (u->follows, f) {
		txn_handler *run = directory_follows[f->kind];
		if (s->cluster == NULL || look_name(run) == NULL) {
			room_begin_follow(s, f);
			continue;
		}
		looks[n] = (struct look){run, f->key, n == 0 ? NULL : &looks[n - 1]};
		if (++n == HINTS_TOGETHER) {
			room_news(s, slice_str(p->room_id), &(struct news){.looks = &looks[n - 1]});
			n = 0;
		}
	}
	if (n > 0) {
		room_news(s, slice_str(p->room_id), &(struct news){.looks = &looks[n - 1]});
	}
}

void unit_publish_outside(struct server *s, struct partition *p, const struct unit *u)
{
	const struct slice room_id = slice_str(p->room_id);
	const struct account_change *change;
	LL_FOREACH (u->accounts, change) {
		user_account_changed(s, room_id, change);
	}
	group_room_publish(s, p, u);
	if (u->follows != NULL) {
		unit_begin_follows(s, p, u);
	}
}

/* Subscribers of the partition read again, on every node. */
static void doubt_publish(struct server *s, struct slice room_id, enum item_kind kind,
			  struct slice id)
{
	struct item_pk text;
	struct publication doubt = {.pk = item_pk_of(&text, kind, id), .notice = NOTICE_COUNT};
	room_news(s, room_id, &(struct news){.publications = &doubt});
}

/* The same of what each node has: a seat that is not gone lets who subscribes again. */
static void unit_doubt_everywhere(struct server *s, struct partition *p, const struct unit *u)
{
	const struct slice room_id = slice_str(p->room_id);
	const struct account_change *change;
	struct group_room ignored;
	LL_FOREACH (u->accounts, change) {
		const struct slice user_id = slice_str(change->user_id);
		struct seat_name seat;
		seat_name(s, user_id, room_id, &seat);
		struct gone_item gone = {.pk = seat.pk, .sk = seat.sk};
		if (change->kind != ACCOUNT_PUT_OUT) {
			doubt_publish(s, room_id, ITEM_USER, user_id);
		}
		if (change->kind != ACCOUNT_JOINED) {
			room_news(s, room_id, &(struct news){.gone = &gone});
		}
	}
	if (u->group_room != NULL) {
		doubt_publish(s, room_id, ITEM_GROUP, room_of_group(p->room, &ignored));
	}
	unit_begin_follows(s, p, u);
}

void unit_doubt_outside(struct server *s, struct partition *p, const struct unit *u)
{
	const struct slice room_id = slice_str(p->room_id);
	const struct account_change *change;
	struct group_room ignored;
	struct item_pk text;
	if (s->cluster != NULL) {
		unit_doubt_everywhere(s, p, u);
		buf_finish(&p->group_line);
		return;
	}
	LL_FOREACH (u->accounts, change) {
		const struct slice user_id = slice_str(change->user_id);
		if (change->kind != ACCOUNT_PUT_OUT) {
			topic_doubt(s, item_pk_of(&text, ITEM_USER, user_id));
		}
		if (change->kind != ACCOUNT_JOINED) {
			struct seat_name seat;
			seat_name(s, user_id, room_id, &seat);
			topic_doubt_item(s, seat.pk, seat.sk);
			txn_overtake_readers(s, seat.pk, seat.sk);
		}
	}
	if (u->group_room != NULL) {
		topic_doubt(s, item_pk_of(&text, ITEM_GROUP, room_of_group(p->room, &ignored)));
	}
	buf_finish(&p->group_line);
}

/* ---- facts ---- */

/* A request that waits for facts; the transaction that reads them ends it. */
struct inquiry {
	struct partition *partition; /* NULL: it is gone */
	struct parked *parked;	     /* the request */
	struct parked *
		behind; /* what its connection has sent after it; they wait for the request, not for the facts */
	struct facts_wanted wanted;
	struct inquiry *next, *prev; /* of the partition */
	char text[];		     /* what the wish points to */
};

static void inquiry_ended(struct server *s, void *of, const void *result)
{
	struct inquiry *q = of;
	struct partition *p = q->partition;
	if (p != NULL) {
		DL_DELETE(p->inquiries, q);
		struct conn *c = conn_find(s, q->parked->conn);
		if (result == NULL) {
			parked_refuse_all(s, &q->parked, FACTS_UNREAD);
		} else {
			parked_take_all(s, p, &q->parked, &(struct parked_for){.facts = result});
		}
		parked_take_all(s, p, &q->behind, &(struct parked_for){.facts = NULL});
		if (c != NULL) {
			conn_resume_soon(s, c);
		}
		partition_dirty(s, p);
	}
	free(q);
}

/* Copies the text to *at, which goes on behind it. */
static struct slice copy_to(char **at, struct slice text)
{
	char *copy = *at;
	if (text.len > 0) {
		memcpy(copy, text.data, text.len);
		*at += text.len;
	}
	return slice_of(copy, text.len);
}

bool room_ask(struct server *s, struct partition *p, struct request *rq,
	      const struct facts_wanted *wanted)
{
	struct inquiry *q = malloc(sizeof(*q) + wanted->group_id.len + wanted->seat_of.len +
				   wanted->container_id.len + wanted->item_id.len);
	if (q == NULL) {
		return false;
	}
	*q = (struct inquiry){.partition = p, .parked = NULL};
	if (!parked_add(&q->parked, rq, NULL)) {
		free(q);
		return false;
	}
	char *at = q->text;
	q->wanted.group_id = copy_to(&at, wanted->group_id);
	q->wanted.seat_of = copy_to(&at, wanted->seat_of);
	q->wanted.container_id = copy_to(&at, wanted->container_id);
	q->wanted.item_id = copy_to(&at, wanted->item_id);
	if (!txn_ask(s, rq->conn, room_facts_find, &q->wanted, sizeof(struct room_facts),
		     inquiry_ended, q)) {
		parked_let_conn(rq->conn, q->parked);
		parked_drop_all(&q->parked);
		free(q);
		return false;
	}
	DL_APPEND(p->inquiries, q);
	parked_hold_conn(rq->conn, q->parked);
	rq->waits = true;
	return true;
}

struct parked **inquiry_behind(struct partition *p, const struct parked *parked)
{
	struct inquiry *q;
	DL_FOREACH (p->inquiries, q) {
		if (parked_has_before(q->parked, parked)) {
			return &q->behind;
		}
	}
	return NULL;
}

void inquiries_refuse_all(struct server *s, struct partition *p)
{
	struct inquiry *q;
	while ((q = p->inquiries) != NULL) {
		DL_DELETE(p->inquiries, q);
		parked_refuse_all(s, &q->parked, ROOM_UNREAD);
		parked_refuse_all(s, &q->behind, ROOM_UNREAD);
		q->partition = NULL;
	}
}

void inquiries_drop_all(struct partition *p)
{
	struct inquiry *q;
	while ((q = p->inquiries) != NULL) {
		DL_DELETE(p->inquiries, q);
		parked_drop_all(&q->parked);
		parked_drop_all(&q->behind);
		q->partition = NULL;
	}
}
