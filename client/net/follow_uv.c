/*
 * follow_uv.c - the glue between membership.h and connection_uv.h.
 */
#include "client/net/follow_uv.h"

#include <stdlib.h>

#include <sodium.h>

#include "client/net/connection_uv.h"
#include "proto/assert.h"
#include "proto/buf.h"
#include "proto/rpc.h"

/* Methods that membership_next() gives; their answers go back to it. */
static bool follow_is_attending(enum method method)
{
	return method == METHOD_ROOM_SUBSCRIBE || method == METHOD_ROOM_JOIN ||
	       method == METHOD_ROOM_VOTE || method == METHOD_ROOM_CLAIM_HOST;
}

struct follow;

/* A callback's argument that says which method it was: one per method and follow, at a fixed place.
 */
struct follow_slot {
	struct follow *follow;
	enum method method;
};

struct follow {
	struct membership attend;
	struct connection *link;
	uv_timer_t retry;
	struct follow_handler on;
	void *owner;
	bool is_closing;
	struct follow_slot attending[METHOD_COUNT];
	struct follow_slot asked[METHOD_COUNT];
};

static void follow_tell(struct follow *f, unsigned news)
{
	if (news != 0 && !f->is_closing) {
		f->on.on_news(f->owner, news);
	}
}

static void follow_on_answer(void *arg, uint32_t id, enum err e,
			     const struct msgpack_object *refusal,
			     const struct msgpack_object *result)
{
	const struct follow_slot *slot = arg;
	struct follow *f = slot->follow;
	(void)id;
	unsigned news = membership_answer(&f->attend, slot->method, e, refusal, result);
	follow_tell(f, news);
	if (!f->is_closing) {
		follow_go(f);
	}
}

/* As rpc_read_fault(), with what a CONFLICT says is there now. */
static void follow_read_refusal(const struct msgpack_object *refusal, struct arena *arena,
				struct fault *out)
{
	struct error_view view;
	struct fault ignored;
	rpc_read_fault(refusal, out);
	if (record_from_object(&record_error_view, refusal, RECORD_LENIENT, arena, &view,
			       &ignored) == OK &&
	    view.with_current) {
		out->current = view.current;
	}
}

static void follow_on_asked(void *arg, uint32_t id, enum err e,
			    const struct msgpack_object *refusal,
			    const struct msgpack_object *result)
{
	const struct follow_slot *slot = arg;
	struct follow *f = slot->follow;
	struct fault fault;
	(void)id;
	if (e == OK && refusal == NULL && result != NULL && f->on.on_result != NULL) {
		f->on.on_result(f->owner, slot->method, result);
	}
	if (f->is_closing) {
		return;
	}
	if (e != OK) {
		fault_set(&fault, FAULT_UNAVAILABLE,
			  "the connection was lost before the server answered; look before you "
			  "repeat it");
		f->on.on_refusal(f->owner, slot->method, &fault);
	} else if (refusal != NULL) {
		struct arena arena = {0};
		follow_read_refusal(refusal, &arena, &fault);
		f->on.on_refusal(f->owner, slot->method, &fault);
		arena_finish(&arena);
	} else if (f->on.on_done != NULL) {
		f->on.on_done(f->owner, slot->method);
	}
}

static void follow_on_retry(uv_timer_t *timer)
{
	struct follow *f = timer->data;
	membership_retry(&f->attend);
	follow_go(f);
}

static bool follow_send(struct follow *f, enum method method, struct slice params)
{
	enum err e = connection_request(f->link, slice_str(method_rows[method].name), params,
					follow_on_answer, &f->attending[method], NULL);
	if (e != OK) {
		/* Not sent: as if its connection had ended, and again in a while where there is
		 * one. */
		(void)membership_answer(&f->attend, method, ERR_CLOSED, NULL, NULL);
		(void)uv_timer_start(&f->retry, follow_on_retry, 1000, 0);
	}
	return e == OK;
}

/* Everything that is to be asked now. */
static void follow_send_all(struct follow *f, struct buf *params, unsigned *news)
{
	bool goes_on = true;
	while (goes_on) {
		buf_clear(params);
		enum method method = membership_next(&f->attend, params, news);
		if (method == METHOD_COUNT) {
			break;
		}
		ASSERT(follow_is_attending(method));
		goes_on = follow_send(f, method, buf_slice(params));
	}
}

void follow_go(struct follow *f)
{
	struct buf params;
	unsigned news = 0;
	buf_init(&params, MAX_FRAME_BYTES);
	if (connection_is_open(f->link)) {
		connection_hold(f->link);
		follow_send_all(f, &params, &news);
		connection_let_go(f->link);
	}
	buf_finish(&params);
	if (f->attend.retry_ms > 0 && !uv_is_active((uv_handle_t *)&f->retry)) {
		(void)uv_timer_start(&f->retry, follow_on_retry, (uint64_t)f->attend.retry_ms, 0);
	}
	follow_tell(f, news);
}

/* ---- the link's news ---- */

static void follow_enter(struct follow *f)
{
	f->attend.is_stranger = connection_is_stranger(f->link);
	membership_up(&f->attend);
}

/* What it asks leaves with hello. */
static void follow_on_open(void *owner)
{
	follow_enter(owner);
	follow_go(owner);
}

static void follow_on_up(void *owner)
{
	struct follow *f = owner;
	f->on.on_link(f->owner, true, NULL, 0);
}

static void follow_on_down(void *owner, const char *why, int64_t retry_ms)
{
	struct follow *f = owner;
	membership_down(&f->attend);
	(void)uv_timer_stop(&f->retry);
	f->on.on_link(f->owner, false, why, retry_ms);
}

static void follow_on_notice(void *owner, struct slice method, const struct msgpack_object *params)
{
	struct follow *f = owner;
	if (f->on.on_raw != NULL) {
		f->on.on_raw(f->owner, method, params);
	}
	if (f->is_closing) {
		return;
	}
	f->attend.server_ms = connection_server_ms(f->link);
	follow_tell(f, membership_notice(&f->attend, method, params));
	if (!f->is_closing) {
		follow_go(f);
	}
}

static const struct connection_handler follow_link_handler = {
	.on_open = follow_on_open,
	.on_up = follow_on_up,
	.on_down = follow_on_down,
	.on_notice = follow_on_notice,
};

/* ---- life ---- */

struct membership *follow_attend(struct follow *f)
{
	return &f->attend;
}

void follow_sign_in(struct follow *f, struct sign_in *s)
{
	connection_sign_in(f->link, s);
}

bool follow_is_up(const struct follow *f)
{
	return connection_is_up(f->link);
}

int64_t follow_server_ms(const struct follow *f)
{
	return connection_server_ms(f->link);
}

enum err follow_ask(struct follow *f, enum method method, const void *params)
{
	struct buf bytes;
	buf_init(&bytes, MAX_FRAME_BYTES);
	record_write(method_rows[method].params, params, &bytes);
	enum err e = bytes.error;
	if (e == OK) {
		e = connection_request(f->link, slice_str(method_rows[method].name),
				       buf_slice(&bytes), follow_on_asked, &f->asked[method], NULL);
	}
	buf_finish(&bytes);
	return e;
}

static void follow_on_closed(uv_handle_t *handle)
{
	struct follow *f = handle->data;
	membership_finish(&f->attend);
	free(f);
}

void follow_close(struct follow *f)
{
	if (f == NULL || f->is_closing) {
		return;
	}
	f->is_closing = true;
	connection_close(f->link);
	uv_close((uv_handle_t *)&f->retry, follow_on_closed);
}

struct connection *follow_release(struct follow *f)
{
	struct connection *link = f->link;
	f->link = NULL;
	follow_close(f);
	return link;
}

/* Without a link yet; NULL when memory is out. */
static struct follow *follow_create(const struct follow_handler *on, void *owner)
{
	struct follow *f = calloc(1, sizeof(*f));
	if (f == NULL) {
		return NULL;
	}
	for (size_t i = 0; i < METHOD_COUNT; i++) {
		f->attending[i] = (struct follow_slot){f, (enum method)i};
		f->asked[i] = (struct follow_slot){f, (enum method)i};
	}
	f->on = *on;
	f->owner = owner;
	return f;
}

static void follow_start(struct follow *f, uv_loop_t *loop, const char *room_id,
			 const char *user_key)
{
	unsigned char seed[SEED_BYTES];
	randombytes_buf(seed, sizeof(seed));
	membership_start(&f->attend, room_id, user_key, seed);
	sodium_memzero(seed, sizeof(seed));
	(void)uv_timer_init(loop, &f->retry);
	f->retry.data = f;
}

enum err follow_open(uv_loop_t *loop, const struct address *address, const char *room_id,
		     const char *user_key, const struct follow_handler *on, void *owner,
		     struct follow **out)
{
	struct follow *f = follow_create(on, owner);
	if (f == NULL) {
		return ERR_NOMEM;
	}
	enum err e = connection_open(loop, address, true, &follow_link_handler, f, &f->link);
	if (e != OK) {
		free(f);
		return e;
	}
	follow_start(f, loop, room_id, user_key);
	*out = f;
	return OK;
}

enum err follow_take(uv_loop_t *loop, struct connection **link, const char *room_id,
		     const char *user_key, const struct follow_handler *on, void *owner,
		     struct follow **out)
{
	struct follow *f = follow_create(on, owner);
	if (f == NULL) {
		return ERR_NOMEM;
	}
	f->link = *link;
	*link = NULL;
	connection_hand_over(f->link, &follow_link_handler, f);
	follow_start(f, loop, room_id, user_key);
	if (connection_is_open(f->link)) {
		follow_enter(f);
	}
	*out = f;
	return OK;
}
