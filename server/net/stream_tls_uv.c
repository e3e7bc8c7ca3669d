/*
 * stream_tls_uv.c - connections that are encrypted: their handshakes, and what lies
 * between a socket's bytes and the core's.
 *
 * Happy path: the handshake, before which the core knows nothing of the connection;
 * then each read is decrypted and given to the core as one piece, and what the core
 * has is encrypted a record at a time, as the socket takes it.
 *
 * A handshake has an end, all have a number, and so have those of one address: a peer
 * that stops in the middle costs its channel for that time, and its place among the connections.
 * Handshakes are most of the work that TLS is, so a turn has a time for them: what comes
 * when it is over is kept, and goes on in later turns, first come, first served. The
 * peer is not read meanwhile, so that what is kept is one small read.
 * The socket takes no more: what is encrypted already, a record at most, waits in the
 * channel; the core keeps the rest, as for others. Each piece that the socket takes of
 * it counts as progress, so a peer that takes nothing ends as others do.
 * A peer that makes TLS itself answer and reads none of it is dropped.
 * A failure of TLS ends the connection, with an alert where one is to be sent.
 */
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/wipe.h"
#include "server/net/event_loop_uv.h"

#define TLS_RECORD_BYTES	16384 /* most that one has (RFC 8446, 5.1) */
#define TLS_PLAIN_BYTES		(EVENT_LOOP_READ_BYTES + TLS_RECORD_BYTES)
#define HANDSHAKE_LOOK_EVERY_MS 500

/* Shared by all: each read and each record is dealt with before the next. */
struct tls_room {
	char plain[TLS_PLAIN_BYTES];   /* decrypted: a read, behind it what was left of a record */
	char record[TLS_RECORD_BYTES]; /* to be encrypted */
};

/* ---- out ---- */

/* Send what is encrypted, as far as the socket takes it. */
static enum stream_wrote tls_flush(struct stream *c)
{
	struct slice waits = tls_channel_output(c->tls->channel);
	enum stream_wrote wrote = STREAM_WROTE_ALL;
	if (waits.len > 0 && c->blocked == NULL) {
		size_t sent = 0;
		wrote = stream_send(c, &waits, 1, &sent);
		tls_channel_sent(c->tls->channel, sent);
	}
	return wrote == STREAM_WROTE_FAILED ? wrote
	       : c->blocked != NULL	    ? STREAM_WROTE_SOME
					    : STREAM_WROTE_ALL;
}

/*
 * Where that fills the socket again, the core is told of room all the same: it finds none,
 * and learns that the peer takes something.
 */
bool stream_tls_on_room(struct stream *c)
{
	if (tls_flush(c) == STREAM_WROTE_FAILED) {
		stream_drop(c);
		return false;
	}
	return true;
}

/* So many bytes of the slices, from the one at *i on and in it from *at on, as one piece. */
static size_t tls_join(const struct slice *slices, size_t n, size_t *i, size_t *at, char *out)
{
	size_t len = 0;
	while (*i < n && len < TLS_RECORD_BYTES) {
		size_t part = slices[*i].len - *at;
		part = part < TLS_RECORD_BYTES - len ? part : TLS_RECORD_BYTES - len;
		memcpy(out + len, slices[*i].data + *at, part);
		len += part;
		*at += part;
		if (*at == slices[*i].len) {
			*at = 0;
			(*i)++;
		}
	}
	return len;
}

enum stream_wrote stream_tls_send(struct stream *c, const struct slice *slices, size_t n,
				  size_t *sent)
{
	char *record = c->tls->loop->room->record;
	size_t i = 0;
	size_t at = 0;
	enum stream_wrote wrote = tls_flush(c);
	while (i < n && wrote == STREAM_WROTE_ALL) {
		size_t len = tls_join(slices, n, &i, &at, record);
		enum err e = tls_channel_write(c->tls->channel, slice_of(record, len));
		wipe(record, len);
		if (e != OK) {
			return STREAM_WROTE_FAILED;
		}
		*sent += len;
		wrote = tls_flush(c);
	}
	return wrote;
}

void stream_tls_end(struct stream *c)
{
	tls_channel_end(c->tls->channel);
	(void)tls_flush(c);
}

/* ---- handshakes ---- */

static void handshake_fail(struct stream *c, const char *reason)
{
	struct event_loop *loop = stream_loop(c);
	server_counters(loop->server)->handshakes_failed++;
	log_pair(loop->config.log, LOG_DEBUG, "handshake_failed", "reason", reason);
	(void)tls_flush(c); /* the alert */
	stream_drop(c);
}

static void handshakes_look(uv_timer_t *timer)
{
	struct event_loop *loop = timer->data;
	struct handshakes *hs = &loop->handshakes;
	struct stream_tls *tls;
	struct stream_tls *next;
	int64_t oldest_ms = event_loop_mono_ms(loop) - hs->limits.ms;
	DL_FOREACH_SAFE (hs->first, tls, next) {
		if (tls->since_ms > oldest_ms) {
			break; /* the others began later */
		}
		handshake_fail(tls->stream, "too slow");
	}
}

static bool handshakes_are_full(const struct handshakes *hs, const struct peer *peer)
{
	const struct stream_tls *tls;
	size_t same = 0;
	DL_FOREACH (hs->first, tls) {
		same += memcmp(tls->peer.address, peer->address, sizeof(peer->address)) == 0;
	}
	return hs->n >= hs->limits.all ||
	       (peer->kind == PEER_NETWORK && same >= hs->limits.of_address);
}

bool stream_tls_begin(struct stream *c, const struct peer *peer)
{
	struct event_loop *loop = stream_loop(c);
	struct handshakes *hs = &loop->handshakes;
	if (loop->streams.open + hs->n >= loop->connections_max) {
		server_counters(loop->server)->connections_refused++;
		loop->refused_why = "limit connections";
		return false;
	}
	if (loop->certificate == NULL || handshakes_are_full(hs, peer)) {
		server_counters(loop->server)->handshakes_failed++;
		return false;
	}
	struct stream_tls *tls = calloc(1, sizeof(*tls));
	struct tls_channel *channel = tls == NULL ? NULL : tls_channel_new(loop->certificate, NULL);
	if (channel == NULL) {
		free(tls);
		return false;
	}
	event_loop_turn_begins(loop);
	*tls = (struct stream_tls){.channel = channel,
				   .stream = c,
				   .loop = hs,
				   .peer = *peer,
				   .since_ms = event_loop_mono_ms(loop),
				   .is_shaking = true};
	c->tls = tls;
	DL_APPEND(hs->first, tls);
	if (hs->n++ == 0) {
		(void)uv_timer_start(&hs->timer, handshakes_look, HANDSHAKE_LOOK_EVERY_MS,
				     HANDSHAKE_LOOK_EVERY_MS);
	}
	return true;
}

void stream_tls_settle(struct stream_tls *tls)
{
	struct handshakes *hs = tls->loop;
	if (!tls->is_shaking) {
		return;
	}
	if (tls->is_waiting) {
		DL_DELETE2(hs->waiting, tls, prev_waiting, next_waiting);
	}
	tls->is_waiting = false;
	tls->is_shaking = false;
	DL_DELETE(hs->first, tls);
	if (--hs->n == 0) {
		(void)uv_timer_stop(&hs->timer);
	}
}

void stream_tls_free(struct stream *c)
{
	if (c->tls != NULL) {
		stream_tls_settle(c->tls);
		tls_channel_free(c->tls->channel);
		free(c->tls);
		c->tls = NULL;
	}
}

void handshakes_follow_all(struct event_loop *loop)
{
	struct stream_tls *tls;
	struct stream_tls *next;
	DL_FOREACH_SAFE (loop->handshakes.first, tls, next) {
		stream_follow(tls->stream);
	}
}

void handshakes_drop_all(struct event_loop *loop)
{
	struct stream_tls *tls;
	struct stream_tls *next;
	DL_FOREACH_SAFE (loop->handshakes.first, tls, next) {
		stream_drop(tls->stream);
	}
}

/* ---- in ---- */

/* This turn's time for handshakes is over, or others came first: keep it for a later turn. */
static bool handshake_waits(struct stream *c, struct slice bytes)
{
	struct handshakes *hs = c->tls->loop;
	if (hs->waiting == NULL && hs->spent_ns < EVENT_LOOP_HANDSHAKES_US * 1000) {
		return false;
	}
	(void)tls_channel_take(c->tls->channel, bytes); /* a failure is found when it goes on */
	c->tls->is_waiting = true;
	DL_APPEND2(hs->waiting, c->tls, prev_waiting, next_waiting);
	stream_follow(c);
	server_counters(stream_loop(c)->server)->handshakes_deferred++;
	return true;
}

static enum tls_state tls_receive(struct stream *c, struct slice bytes)
{
	uint64_t began_ns = c->tls->is_shaking ? uv_hrtime() : 0;
	enum tls_state state = tls_channel_receive(c->tls->channel, bytes);
	c->tls->loop->spent_ns += began_ns == 0 ? 0 : uv_hrtime() - began_ns;
	return state;
}

static void tls_go_on(struct stream *c, struct slice bytes)
{
	struct tls_channel *channel = c->tls->channel;
	char *plain = c->tls->loop->room->plain;
	enum tls_state state = tls_receive(c, bytes);
	if (c->tls->is_shaking && state == TLS_FAILED) {
		handshake_fail(c, tls_channel_why(channel));
		return;
	}
	if (tls_flush(c) == STREAM_WROTE_FAILED) {
		stream_drop(c);
		return;
	}
	if (c->tls->is_shaking && state != TLS_SHAKING) {
		stream_tls_settle(c->tls);
		server_counters(stream_loop(c)->server)->handshakes_done++;
		if (!stream_enter(c, &c->tls->peer)) {
			return;
		}
	}
	size_t waited = tls_channel_output(channel).len;
	size_t len = 0;
	for (size_t n = 1; n > 0 && len < TLS_PLAIN_BYTES; len += n) {
		n = tls_channel_read(channel, plain + len, TLS_PLAIN_BYTES - len);
	}
	if (c->is_closing) {
		wipe(plain, len);
		return;
	}
	/* What the peer sent may have been answered at once, as a new hello is; it must read that before it sends more. */
	bool has_grown = tls_channel_output(channel).len > waited;
	if ((has_grown && c->blocked != NULL) || tls_flush(c) == STREAM_WROTE_FAILED) {
		stream_drop(c);
		return;
	}
	if (len > 0) {
		stream_on_bytes(c, slice_of(plain, len));
		wipe(plain, len);
	}
	/* The core may have closed it meanwhile. */
	if (c->is_closing || c->tls->is_shaking) {
		return;
	}
	state = tls_channel_state(channel);
	if (state == TLS_ENDED) {
		stream_on_eof(c);
	} else if (state == TLS_FAILED) {
		stream_drop(c);
	}
}

void stream_tls_on_bytes(struct stream *c, struct slice bytes)
{
	event_loop_turn_begins(stream_loop(c));
	if (!c->tls->is_shaking || !handshake_waits(c, bytes)) {
		tls_go_on(c, bytes);
	}
}

bool handshakes_turn(struct event_loop *loop)
{
	struct handshakes *hs = &loop->handshakes;
	while (loop->is_reading && hs->waiting != NULL &&
	       hs->spent_ns < EVENT_LOOP_HANDSHAKES_US * 1000) {
		struct stream_tls *tls = hs->waiting;
		DL_DELETE2(hs->waiting, tls, prev_waiting, next_waiting);
		tls->is_waiting = false;
		stream_follow(tls->stream);
		if (!tls->stream->is_closing) {
			tls_go_on(tls->stream, (struct slice){0});
		}
	}
	hs->spent_ns = 0;
	return loop->is_reading && hs->waiting != NULL;
}

/* ---- life ---- */

enum err event_loop_use_certificate(struct event_loop *loop, struct tls_context *certificate)
{
	struct handshakes *hs = &loop->handshakes;
	hs->room = hs->room != NULL ? hs->room : malloc(sizeof(*hs->room));
	if (hs->room == NULL) {
		tls_context_free(certificate);
		return ERR_NOMEM;
	}
	tls_context_free(loop->certificate);
	loop->certificate = certificate;
	return OK;
}

void handshakes_finish(struct event_loop *loop)
{
	tls_context_free(loop->certificate);
	free(loop->handshakes.room);
}
