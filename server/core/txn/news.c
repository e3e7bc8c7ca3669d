/*
 * news.c - see news.h.
 */
#include "server/core/txn/news.h"

#include <utlist.h>

#include "proto/base/assert.h"
#include "proto/base/frame_scan.h"
#include "proto/rpc.h"
#include "server/core/cluster/cluster.h"
#include "server/core/conns/conn.h"
#include "server/core/directory_rooms.h"
#include "server/core/server_priv.h"
#include "server/core/txn/session_cache.h"
#include "server/core/txn/txn.h"
#include "server/domain/directory.h"

/* What a publication says of one transaction; it is one such map after another. */
#define RECORD_news_topic(F)                                                                   \
	F(STR, pk, _, FIELD_REQ, 1, ITEM_KEY_BYTES_MAX, "Its partition")                       \
	F(STR, notice, _, FIELD_OPT, 1, 64, "Name of the notification; absent: read again")    \
	F(ANY, record, _, FIELD_OPT, 1, MAX_FRAME_BYTES, "What it says")                       \
	F(BOOL, counted, _, FIELD_OPT, 0, 0, "Its versions are those of the partition's item") \
	F(BOOL, aside, _, FIELD_OPT, 0, 0, "It brings no new version")
#define RECORD_news_item(F)                                                         \
	F(STR, pk, _, FIELD_REQ, 1, ITEM_KEY_BYTES_MAX, "An item that was deleted") \
	F(STR, sk, _, FIELD_REQ, 1, ITEM_KEY_BYTES_MAX, "")
#define RECORD_news_notice(F)                                                 \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Whose connections are sent it") \
	F(STR, notice, _, FIELD_REQ, 1, 64, "Name of the notification")       \
	F(ANY, record, _, FIELD_REQ, 1, MAX_FRAME_BYTES, "What it says")
#define RECORD_news_task(F)                                                \
	F(STR, room_id, _, FIELD_REQ, 1, 64, "Whose home does it; a hint") \
	F(STR, task, _, FIELD_REQ, 1, 64, "Its name in directory_tasks[]") \
	F(STR, key, _, FIELD_OPT, 0, ITEM_KEY_BYTES_MAX, "")
#define RECORD_news_signal(F)                                                                 \
	F(STR, user_id, _, FIELD_REQ, 1, 64, "Those who watch this user are sent it; a hint") \
	F(ANY, message, _, FIELD_REQ, 1, MAX_FRAME_BYTES, "The notification")
#define RECORD_news_look(F)                                                        \
	F(STR, look, _, FIELD_REQ, 1, 64, "Its name in directory_looks[]; a hint") \
	F(STR, key, _, FIELD_OPT, 0, ITEM_KEY_BYTES_MAX, "")
#define RECORD_news_session(F)                                                 \
	F(STR, token_hash, _, FIELD_REQ, KEY_CHARS, KEY_CHARS, "")             \
	F(STR, user_name, _, FIELD_OPT, 1, MAX_NAME_BYTES, "Its new name")     \
	F(STR, name_key, _, FIELD_OPT, 1, MAX_NAME_BYTES + MAX_NAME_BYTES / 2, \
	  "The same to compare")
#define RECORD_news_map(F)                                                                       \
	F(RECS, topics, news_topic, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS,                         \
	  "Notifications of topics")                                                             \
	F(RECS, ended, news_topic, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS, "Topics that end")       \
	F(RECS, gone, news_item, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS, "Items that were deleted") \
	F(RECS, renamed, news_session, FIELD_OPT, 0, 1, "A session with a new name")             \
	F(RECS, notices, news_notice, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS, "To users")           \
	F(RECS, tasks, news_task, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS, "Of rooms")               \
	F(RECS, signals, news_signal, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS,                       \
	  "To those who watch a user")                                                           \
	F(RECS, looks, news_look, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS, "Of each node")           \
	F(RECS, sessions, news_session, FIELD_OPT, 0, MAX_TRANSACTION_ITEMS, "That end")         \
	F(BOOL, all, _, FIELD_OPT, 0, 0, "true: not all is here; everyone reads again")
RECORD_DECLARE(news_topic)
RECORD_DECLARE(news_item)
RECORD_DECLARE(news_notice)
RECORD_DECLARE(news_task)
RECORD_DECLARE(news_signal)
RECORD_DECLARE(news_look)
RECORD_DECLARE(news_session)
RECORD_DECLARE(news_map)
RECORD_DEFINE(news_topic)
RECORD_DEFINE(news_item)
RECORD_DEFINE(news_notice)
RECORD_DEFINE(news_task)
RECORD_DEFINE(news_signal)
RECORD_DEFINE(news_look)
RECORD_DEFINE(news_session)
RECORD_DEFINE(news_map)

/* ---- applied ---- */

static bool publishes_to(const struct news *n, struct slice pk)
{
	const struct publication *p;
	LL_FOREACH (n->publications, p) {
		if (slice_eq(p->pk, pk)) {
			break;
		}
	}
	return p != NULL;
}

/* Its versions are those that subscribers have. */
static void news_set_aside(const struct server *s, struct slice pk, const struct record *rec,
			   struct topic_stamp *record)
{
	const struct since at = topic_at(s, pk);
	const struct field *epoch = record_field(rec, SLICE("epoch"));
	record->since = record->version = at.version;
	if (epoch != NULL) {
		field_put_int(epoch, record, at.epoch);
	}
}

/* What came encoded is decoded where somebody follows it. */
static void news_apply_publication(struct server *s, const struct publication *p)
{
	struct fault fault;
	struct topic_stamp *record = p->record;
	if (p->notice == NOTICE_COUNT) {
		topic_doubt(s, p->pk);
		return;
	}
	const struct record *rec = notice_rows[p->notice].record;
	if (record == NULL && topic_version(s, p->pk) == 0) {
		return;
	}
	if (record == NULL) {
		record = arena_alloc(&s->scratch, rec->size);
		if (record == NULL || record_from_bytes(rec, p->bytes, RECORD_LENIENT, &s->scratch,
							record, &fault) != OK) {
			topic_doubt(s, p->pk);
			return;
		}
		record->since = p->is_counted ? record->since : 0;
		record->version = p->is_counted ? record->version : 0;
	}
	if (p->is_aside) {
		news_set_aside(s, p->pk, rec, record);
	}
	topic_publish(s, p->pk, p->notice, record);
}

static void news_apply_notification(struct server *s, const struct notification *n)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	rpc_write_notice_raw(&b, slice_str(notice_rows[n->notice].name), n->params);
	if (b.error == OK) {
		user_notify(s, n->user_id, buf_slice(&b));
	}
	buf_finish(&b);
}

static void news_begin_looks(struct server *s, const struct news *n)
{
	const struct look *l;
	LL_FOREACH (n->looks, l) {
		txn_begin(s, l->key, l->run, &(struct txn_next){.key = l->key});
	}
}

/* The end of a session is published before it ends, as the last that its connections are sent. */
void news_apply(struct server *s, const struct news *n)
{
	const struct publication *p;
	const struct topic_ending *t;
	const struct gone_item *g;
	const struct notification *notification;
	const struct errand *errand;
	const struct user_signal *signal;
	const struct ending *e;
	LL_FOREACH (n->publications, p) {
		news_apply_publication(s, p);
	}
	LL_FOREACH (n->topic_endings, t) {
		topic_end(s, t->pk, !publishes_to(n, t->pk));
	}
	LL_FOREACH (n->gone, g) {
		topic_item_gone(s, g->pk, g->sk);
		if (item_kind_of(g->pk, g->sk) == ITEM_SEAT) {
			txn_overtake_readers(s, g->pk, g->sk);
		} else {
			txn_overtake_subscribers(s, g->pk, g->sk);
		}
	}
	if (n->renamed != NULL) {
		session_set_name(s, n->renamed);
	}
	LL_FOREACH (n->notifications, notification) {
		news_apply_notification(s, notification);
	}
	LL_FOREACH (n->errands, errand) {
		if (s->cluster == NULL || cluster_is_home(s, errand->room_id)) {
			room_give_task(s, errand->room_id, errand->run, errand->key);
		}
	}
	LL_FOREACH (n->signals, signal) {
		user_signal(s, signal->user_id, signal->message);
	}
	news_begin_looks(s, n);
	LL_FOREACH (n->endings, e) {
		session_end(s, &e->token_hash);
		txn_overtake_session(s, &e->token_hash);
	}
}

void news_doubt(struct server *s, const struct news *n)
{
	const struct publication *p;
	const struct topic_ending *t;
	const struct gone_item *g;
	const struct ending *e;
	LL_FOREACH (n->publications, p) {
		topic_doubt(s, p->pk);
	}
	LL_FOREACH (n->topic_endings, t) {
		topic_doubt_end(s, t->pk);
	}
	LL_FOREACH (n->gone, g) {
		topic_doubt_item(s, g->pk, g->sk);
	}
	LL_FOREACH (n->endings, e) {
		session_doubt(s, &e->token_hash);
		txn_overtake_session(s, &e->token_hash);
	}
	if (n->renamed != NULL) {
		session_doubt(s, &n->renamed->token_hash);
	}
	news_begin_looks(s, n);
}

/* ---- written ---- */

/* Kinds of items on which subscriptions stand, or that those who subscribe have read. */
static bool is_stood_on(struct slice pk, struct slice sk)
{
	enum item_kind kind = item_kind_of(pk, sk);
	return kind == ITEM_MEMBERSHIP || kind == ITEM_SEAT || kind == ITEM_GROUP ||
	       kind == ITEM_CONTAINER || kind == ITEM_QUESTION;
}

/* A version that counts in memory is each node's own: the receiver finds it. */
static bool news_map_topic(const struct publication *p, struct arena *arena, struct news_topic *out)
{
	struct buf b = {.max = MAX_FRAME_BYTES};
	bool ok = true;
	out->pk = p->pk;
	if (p->notice == NOTICE_COUNT) {
		return true;
	}
	const struct topic_stamp was = *p->record;
	out->notice = slice_str(notice_rows[p->notice].name);
	out->aside = p->is_aside;
	out->counted = was.version > 0 && !p->is_aside;
	p->record->version = out->counted ? was.version : 1;
	record_write(notice_rows[p->notice].record, p->record, &b);
	p->record->version = was.version;
	out->record = arena_copy(arena, buf_slice(&b), &ok);
	ok = ok && b.error == OK;
	buf_finish(&b);
	return ok;
}

static const char *task_name(room_task_handler *run)
{
	const struct directory_task *row = directory_tasks;
	while (row->run != run) {
		row++;
		ASSERT(row->name != NULL);
	}
	return row->name;
}

/* False when memory is out. */
static bool news_map_topics(const struct news *n, struct arena *arena, struct news_map *m)
{
	const struct publication *p;
	const struct topic_ending *t;
	const struct gone_item *g;
	size_t topics, ended, gone;
	LL_COUNT(n->publications, p, topics);
	LL_COUNT(n->topic_endings, t, ended);
	LL_COUNT(n->gone, g, gone);
	m->topics = arena_alloc(arena, (topics + 1) * sizeof(*m->topics));
	m->ended = arena_alloc(arena, (ended + 1) * sizeof(*m->ended));
	m->gone = arena_alloc(arena, (gone + 1) * sizeof(*m->gone));
	if (m->topics == NULL || m->ended == NULL || m->gone == NULL) {
		return false;
	}
	LL_FOREACH (n->publications, p) {
		if (!news_map_topic(p, arena, &m->topics[m->topics_n++])) {
			return false;
		}
	}
	LL_FOREACH (n->topic_endings, t) {
		m->ended[m->ended_n++].pk = t->pk;
	}
	LL_FOREACH (n->gone, g) {
		if (is_stood_on(g->pk, g->sk)) {
			m->gone[m->gone_n++] = (struct news_item){.pk = g->pk, .sk = g->sk};
		}
	}
	return true;
}

const char *look_name(txn_handler *run)
{
	const struct directory_look *row = directory_looks;
	while (row->name != NULL && row->run != run) {
		row++;
	}
	return row->name;
}

static bool news_map_hints(const struct news *n, struct arena *arena, struct news_map *m)
{
	const struct user_signal *signal;
	const struct look *l;
	size_t signals, looks;
	LL_COUNT(n->signals, signal, signals);
	LL_COUNT(n->looks, l, looks);
	m->signals = arena_alloc(arena, (signals + 1) * sizeof(*m->signals));
	m->looks = arena_alloc(arena, (looks + 1) * sizeof(*m->looks));
	if (m->signals == NULL || m->looks == NULL) {
		return false;
	}
	LL_FOREACH (n->signals, signal) {
		m->signals[m->signals_n++] = (struct news_signal){.user_id = signal->user_id,
								  .message = signal->message};
	}
	LL_FOREACH (n->looks, l) {
		m->looks[m->looks_n++] =
			(struct news_look){.look = slice_str(look_name(l->run)), .key = l->key};
	}
	return true;
}

static bool news_map_users(const struct news *n, struct arena *arena, struct news_map *m)
{
	const struct notification *notification;
	const struct errand *errand;
	const struct ending *e;
	size_t notices, tasks, sessions;
	LL_COUNT(n->notifications, notification, notices);
	LL_COUNT(n->errands, errand, tasks);
	LL_COUNT(n->endings, e, sessions);
	m->notices = arena_alloc(arena, (notices + 1) * sizeof(*m->notices));
	m->tasks = arena_alloc(arena, (tasks + 1) * sizeof(*m->tasks));
	m->sessions = arena_alloc(arena, (sessions + 1) * sizeof(*m->sessions));
	m->renamed = arena_alloc(arena, sizeof(*m->renamed));
	if (m->notices == NULL || m->tasks == NULL || m->sessions == NULL || m->renamed == NULL) {
		return false;
	}
	LL_FOREACH (n->notifications, notification) {
		m->notices[m->notices_n++] =
			(struct news_notice){.user_id = notification->user_id,
					     .notice = slice_str(
						     notice_rows[notification->notice].name),
					     .record = notification->params};
	}
	LL_FOREACH (n->errands, errand) {
		m->tasks[m->tasks_n++] =
			(struct news_task){.room_id = errand->room_id,
					   .task = slice_str(task_name(errand->run)),
					   .key = errand->key};
	}
	LL_FOREACH (n->endings, e) {
		m->sessions[m->sessions_n++].token_hash = slice_str(e->token_hash.text);
	}
	if (n->renamed != NULL) {
		m->renamed_n = 1;
		m->renamed->token_hash = slice_str(n->renamed->token_hash.text);
		m->renamed->user_name = slice_str(n->renamed->user_name);
		m->renamed->name_key = slice_str(n->renamed->name_key);
	}
	return true;
}

static bool news_map_is_empty(const struct news_map *m)
{
	return m->topics_n + m->ended_n + m->gone_n + m->renamed_n + m->notices_n + m->tasks_n +
		       m->signals_n + m->looks_n + m->sessions_n ==
	       0;
}

/* Without what topics say, if that is too large; else that everyone reads again. */
static void news_map_write(struct news_map *m, struct buf *out)
{
	const struct news_map all = {.all = true};
	struct buf b = {.max = NEWS_BYTES_MAX};
	record_write(&record_news_map, m, &b);
	if (b.error == ERR_TOO_LARGE) {
		buf_finish(&b);
		b = (struct buf){.max = NEWS_BYTES_MAX};
		for (size_t i = 0; i < m->topics_n; i++) {
			m->topics[i] = (struct news_topic){.pk = m->topics[i].pk};
		}
		record_write(&record_news_map, m, &b);
	}
	if (b.error == ERR_TOO_LARGE) {
		buf_finish(&b);
		b = (struct buf){.max = NEWS_BYTES_MAX};
		record_write(&record_news_map, &all, &b);
	}
	if (b.error == OK) {
		(void)buf_append_slice(out, buf_slice(&b));
	} else {
		out->error = b.error;
	}
	buf_finish(&b);
}

void news_write(const struct news *n, struct buf *out)
{
	struct arena arena = {0};
	struct news_map m = {.topics = NULL};
	if (!news_map_topics(n, &arena, &m) || !news_map_users(n, &arena, &m) ||
	    !news_map_hints(n, &arena, &m)) {
		out->error = ERR_NOMEM;
	} else if (!news_map_is_empty(&m)) {
		news_map_write(&m, out);
	}
	arena_finish(&arena);
}

/* ---- read ---- */

static room_task_handler *task_named(struct slice name)
{
	const struct directory_task *row = directory_tasks;
	while (row->name != NULL && !slice_eq(name, slice_str(row->name))) {
		row++;
	}
	return row->run; /* NULL: a newer server's */
}

/* What a newer server says and this one does not know, nobody here follows. */
static bool news_read_topics(const struct news_map *m, struct arena *arena, struct news *n)
{
	for (size_t i = m->topics_n; i-- > 0;) {
		const struct news_topic *from = &m->topics[i];
		struct publication *p = arena_alloc(arena, sizeof(*p));
		if (p == NULL) {
			return false;
		}
		*p = (struct publication){.pk = from->pk,
					  .notice = notice_find(from->notice),
					  .bytes = from->record,
					  .is_counted = from->counted,
					  .is_aside = from->aside};
		LL_PREPEND(n->publications, p);
	}
	for (size_t i = m->ended_n; i-- > 0;) {
		struct topic_ending *t = arena_alloc(arena, sizeof(*t));
		if (t == NULL) {
			return false;
		}
		t->pk = m->ended[i].pk;
		LL_PREPEND(n->topic_endings, t);
	}
	for (size_t i = m->gone_n; i-- > 0;) {
		struct gone_item *g = arena_alloc(arena, sizeof(*g));
		if (g == NULL) {
			return false;
		}
		g->pk = m->gone[i].pk;
		g->sk = m->gone[i].sk;
		LL_PREPEND(n->gone, g);
	}
	return true;
}

static struct key_text key_of(struct slice text)
{
	struct key_text key = {{0}};
	memcpy(key.text, text.data, text.len < KEY_CHARS ? text.len : KEY_CHARS);
	return key;
}

static bool news_read_sessions(const struct news_map *m, struct arena *arena, struct news *n)
{
	for (size_t i = m->sessions_n; i-- > 0;) {
		struct ending *e = arena_alloc(arena, sizeof(*e));
		if (e == NULL) {
			return false;
		}
		e->token_hash = key_of(m->sessions[i].token_hash);
		LL_PREPEND(n->endings, e);
	}
	if (m->renamed_n > 0) {
		const struct news_session *from = &m->renamed[0];
		struct session *session = arena_alloc(arena, sizeof(*session));
		if (session == NULL || from->user_name.len >= sizeof(session->user_name) ||
		    from->name_key.len >= sizeof(session->name_key)) {
			return false;
		}
		session->token_hash = key_of(from->token_hash);
		memcpy(session->user_name, from->user_name.data, from->user_name.len);
		memcpy(session->name_key, from->name_key.data, from->name_key.len);
		n->renamed = session;
	}
	return true;
}

static bool news_read_users(const struct news_map *m, struct arena *arena, struct news *n)
{
	for (size_t i = m->notices_n; i-- > 0;) {
		const struct news_notice *from = &m->notices[i];
		struct notification *to = arena_alloc(arena, sizeof(*to));
		if (to == NULL) {
			return false;
		}
		*to = (struct notification){.user_id = from->user_id,
					    .notice = notice_find(from->notice),
					    .params = from->record};
		if (to->notice != NOTICE_COUNT) {
			LL_PREPEND(n->notifications, to);
		}
	}
	for (size_t i = m->tasks_n; i-- > 0;) {
		const struct news_task *from = &m->tasks[i];
		struct errand *to = arena_alloc(arena, sizeof(*to));
		if (to == NULL) {
			return false;
		}
		*to = (struct errand){from->room_id, task_named(from->task), from->key, NULL};
		if (to->run != NULL) {
			LL_PREPEND(n->errands, to);
		}
	}
	return true;
}

static txn_handler *look_named(struct slice name)
{
	const struct directory_look *row = directory_looks;
	while (row->name != NULL && !slice_eq(name, slice_str(row->name))) {
		row++;
	}
	return row->run; /* NULL: a newer server's */
}

static bool news_read_hints(const struct news_map *m, struct arena *arena, struct news *n)
{
	for (size_t i = m->signals_n; i-- > 0;) {
		struct user_signal *to = arena_alloc(arena, sizeof(*to));
		if (to == NULL) {
			return false;
		}
		*to = (struct user_signal){m->signals[i].user_id, m->signals[i].message, NULL};
		LL_PREPEND(n->signals, to);
	}
	for (size_t i = m->looks_n; i-- > 0;) {
		struct look *to = arena_alloc(arena, sizeof(*to));
		if (to == NULL) {
			return false;
		}
		*to = (struct look){look_named(m->looks[i].look), m->looks[i].key, NULL};
		if (to->run != NULL) {
			LL_PREPEND(n->looks, to);
		}
	}
	return true;
}

/* False where it cannot be read, or says that it does not say all. */
static bool news_read(struct slice bytes, struct arena *arena, struct news *n)
{
	struct news_map m;
	struct fault fault;
	return record_from_bytes(&record_news_map, bytes, RECORD_LENIENT, arena, &m, &fault) ==
		       OK &&
	       !m.all && news_read_topics(&m, arena, n) && news_read_sessions(&m, arena, n) &&
	       news_read_users(&m, arena, n) && news_read_hints(&m, arena, n);
}

void news_published(struct server *s, struct slice body)
{
	while (body.len > 0) {
		struct frame_scan scan;
		struct news n = {.publications = NULL};
		frame_scan_init(&scan);
		if (frame_scan_value(&scan, body, MAX_FRAME_BYTES) != OK ||
		    !news_read(slice_of(body.data, scan.at), &s->scratch, &n)) {
			news_missed(s);
			return;
		}
		news_apply(s, &n);
		body = slice_of(body.data + scan.at, body.len - scan.at);
	}
}

void news_missed(struct server *s)
{
	server_log(s, LOG_WARN, "event=publications_missed");
	txn_overtake_all(s);
	topics_missed(s);
	sessions_missed(s);
}

void news_lost(struct server *s)
{
	txn_overtake_all(s);
	topics_missed(s);
}
