/*
 * redis_publication.c - what commits published, passed on by number.
 *
 * They come on a link of their own, in order; replies on the others may be read before them. So a job whose
 * answer names a number that was not passed on waits in `held`. Where the link was lost, or one does not come
 * within a second, the number is read: what lies between is told as missed, and what comes late is
 * dropped.
 * Numbers compare within one history of the data (redis_link.h). After a failover, or a restart, Redis may have
 * lost the last moments, and give their numbers to others: so in another history everything up to the number
 * that is read there is told as missed, whatever it is. A job that was answered in another history than the
 * last publication waits until the subscription has come there, too.
 */
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "store/redis/redis_table.h"

/* The history that the server of the link was in when it was greeted. */
static const char *history_of(const struct redis_link *l)
{
	return redis_link_server(l)->history;
}

static bool history_is(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

bool redis_publication_is_due(const struct redis_job *job)
{
	const struct redis_table *t = job->t;
	if (job->number == 0 || t->is_left) {
		return false;
	}
	/* Of a history that its link has left, too, nothing will come. */
	return history_is(job->history, t->history)
		       ? job->number > t->applied
		       : history_is(job->history, history_of(job->lane->link));
}

static void publication_release(struct redis_table *t)
{
	struct redis_job *job;
	struct redis_job *next;
	DL_FOREACH_SAFE (t->held, job, next) {
		if (!redis_publication_is_due(job)) {
			DL_DELETE(t->held, job);
			t->jobs--;
			redis_table_finish(t, job->w);
			free(job);
		}
	}
}

/* Pass it on; an empty body: what came up to it may have been missed. */
static bool publication_tell(struct redis_table *t, uint64_t number, struct slice body)
{
	struct store_request *w = store_request_of_publication(number, body);
	if (w == NULL) {
		t->is_behind = true; /* told as missed, later */
		return false;
	}
	t->applied = number;
	redis_table_finish(t, w);
	return true;
}

void redis_publication_on_body(void *arg, struct slice body)
{
	struct redis_table *t = arg;
	if (!t->is_open || body.len < 8) {
		return;
	}
	uint64_t number = key_get_u64((const unsigned char *)body.data);
	struct slice text = slice_of(body.data + 8, body.len - 8);
	if (number <= t->applied || !history_is(t->history, history_of(t->publications))) {
		return;
	}
	if (number > t->applied + 1 && !publication_tell(t, number - 1, NO_SLICE)) {
		return;
	}
	if (publication_tell(t, number, text)) {
		publication_release(t);
	}
}

/* ---- the number ---- */

static void on_number(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct redis_table *t = arg;
	t->asks_number = false;
	if (end != REDIS_END_OK || (reply->kind != REDIS_STRING && reply->kind != REDIS_NIL)) {
		t->is_behind = true;
		return;
	}
	uint64_t number = 0;
	for (size_t i = 0; i < reply->text.len; i++) {
		number = 10 * number + (uint64_t)(reply->text.data[i] - '0');
	}
	/* Less than it was: Redis has lost the last ones, and will give their numbers again. */
	bool is_back = number < t->asked_after;
	const char *heard = history_of(t->publications);
	bool is_another = !history_is(t->history, heard);
	t->is_behind = !history_is(history_of(t->reads.link), heard);
	t->is_torn = t->is_torn || t->is_behind;
	if (t->is_behind || ((number > t->applied || is_back || is_another) &&
			     !publication_tell(t, number, NO_SLICE))) {
		return;
	}
	memcpy(t->history, heard, sizeof(t->history));
	publication_release(t);
}

static void publication_ask(struct redis_table *t)
{
	struct slice words[] = {SLICE("GET"), SLICE("{d}p")};
	struct redis_command c = {.script = REDIS_NO_SCRIPT,
				  .args = words,
				  .n = 2,
				  .within_ms = REDIS_READ_MS};
	if (!t->asks_number && redis_link_is_ready(t->reads.link) &&
	    redis_link_is_ready(t->publications)) {
		t->asked_after = t->applied;
		t->asks_number = redis_link_send(t->reads.link, &c, on_number, t) == OK;
		redis_link_flush(t->reads.link);
	}
}

void redis_publication_on_link(void *arg)
{
	struct redis_table *t = arg;
	if (t->is_open) {
		t->is_behind = true;
		publication_ask(t);
	}
}

/* Links that were greeted in different histories although they are ready: nobody knows which of them lag. */
static void publication_join(struct redis_table *t)
{
	const char *heard = history_of(t->publications);
	bool lags = redis_link_is_ready(t->commits.link) && history_is(t->history, heard) &&
		    !history_is(history_of(t->commits.link), heard);
	if (t->is_torn || lags) {
		t->is_torn = false;
		redis_link_move(t->publications, &t->master);
		redis_link_move(t->reads.link, &t->master);
		redis_link_move(t->commits.link, &t->master);
	}
}

void redis_publication_tick(struct redis_table *t, int64_t now_ms)
{
	publication_join(t);
	if (t->is_left) {
		publication_release(t);
	}
	bool is_late = t->held != NULL && now_ms - t->held->held_ms >= REDIS_BEHIND_MS;
	if (t->is_open && (t->is_behind || is_late)) {
		publication_ask(t);
	}
}
