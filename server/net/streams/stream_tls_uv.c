/*
 * stream_tls_uv.c - connections that are encrypted: their handshakes, and what lies
 * between a socket's bytes and the core's.
 *
 * Happy path: the handshake, before which the core knows nothing of the connection;
 * then each read is decrypted and given to the core as one piece, and what the core
 * has is encrypted a record at a time, as the socket takes it.
 *
 * A handshake has an end, and its first byte an earlier one; all have a number, and so have
 * those of one address: a peer that stops in the middle costs its channel for that time. Where
 * there are too many, a newcomer takes the place of one from the network that has most of them:
 * who opens them without end drops their own, and a newcomer from elsewhere stays.
 * A record has an end as well, since the core sees nothing of one that has not come whole.
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

#include "proto/base/wipe.h"
#include "server/core/cluster/preface.h"
#include "server/net/event_loop_uv.h"

#define HANDSHAKE_LOOK_EVERY_MS 500
#define NETWORK_BYTES_V4	15 /* of an address mapped into IPv6: a /24 */
#define NETWORK_BYTES_V6	6  /* a /48: what one site has at most */

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

/* A connection that the server does not read itself, since it owes answers, is not late. */
static void records_look(struct event_loop *loop)
{
	struct stream_tls *tls;
	struct stream_tls *next;
	int64_t now_ms = event_loop_mono_ms(loop);
	DL_FOREACH_SAFE (loop->handshakes.amid, tls, next) {
		if (tls->stream->is_paused || !loop->is_reading) {
			tls->since_ms = now_ms;
		} else if (tls->since_ms <= now_ms - loop->handshakes.limits.record_ms) {
			server_counters(loop->server)->broken_frames++;
			stream_drop(tls->stream);
		}
	}
}

void handshakes_look(struct event_loop *loop)
{
	struct handshakes *hs = &loop->handshakes;
	struct stream_tls *tls;
	struct stream_tls *next;
	int64_t now_ms = event_loop_mono_ms(loop);
	DL_FOREACH_SAFE (hs->first, tls, next) {
		bool is_late = tls->since_ms <= now_ms - hs->limits.ms;
		if (is_late ||
		    (!tls->has_sent && tls->since_ms <= now_ms - hs->limits.first_byte_ms)) {
			handshake_fail(tls->stream, "too slow");
		}
	}
	records_look(loop);
	if (hs->first == NULL && hs->amid == NULL) {
		(void)uv_timer_stop(&hs->timer);
	}
}

static void handshakes_on_timer(uv_timer_t *timer)
{
	event_loop_judge_later(timer->data, DUE_HANDSHAKES);
}

static void handshakes_watch(struct handshakes *hs)
{
	if (!uv_is_active((const uv_handle_t *)&hs->timer)) {
		(void)uv_timer_start(&hs->timer, handshakes_on_timer, HANDSHAKE_LOOK_EVERY_MS,
				     HANDSHAKE_LOOK_EVERY_MS);
	}
}

static size_t network_of(const struct tls_room *room, const struct peer *peer)
{
	unsigned char network[sizeof(peer->address)] = {0};
	unsigned char hash[crypto_shorthash_BYTES];
	uint16_t place;
	bool is_v4 = peer->address[10] == 0xff && peer->address[11] == 0xff;
	memcpy(network, peer->address, is_v4 ? NETWORK_BYTES_V4 : NETWORK_BYTES_V6);
	(void)crypto_shorthash(hash, network, sizeof(network), room->networks_key);
	memcpy(&place, hash, sizeof(place));
	return place % NETWORKS;
}

static bool is_of(const struct stream_tls *tls, const struct peer *peer)
{
	return memcmp(tls->peer.address, peer->address, sizeof(peer->address)) == 0;
}

/*
 * Whose place a newcomer takes: of the address, or, where that is NULL, of the network
 * that has most, the oldest that has sent nothing, and only where all have, the oldest.
 */
static struct stream_tls *handshake_to_end(struct handshakes *hs, bool is_node,
					   const struct peer *address)
{
	size_t *networks = hs->room->networks;
	struct stream_tls *tls;
	struct stream_tls *oldest = NULL;
	struct stream_tls *silent = NULL;
	size_t most = 0;
	memset(networks, 0, sizeof(hs->room->networks));
	DL_FOREACH (hs->first, tls) {
		size_t n = networks[tls->network] += tls->is_node == is_node;
		most = n > most ? n : most;
	}
	DL_FOREACH (hs->first, tls) {
		if (tls->is_node == is_node &&
		    (address != NULL ? is_of(tls, address) : networks[tls->network] == most)) {
			oldest = oldest == NULL ? tls : oldest;
			silent = silent == NULL && !tls->has_sent ? tls : silent;
		}
	}
	return silent != NULL ? silent : oldest;
}

/*
 * Room for one more of that peer, made where there is none. Nodes have room of their own, and each
 * has one address for all the clients that it forwards.
 */
static void handshakes_make_room(struct event_loop *loop, const struct peer *peer, bool is_node)
{
	struct handshakes *hs = &loop->handshakes;
	const struct stream_tls *tls;
	size_t same = 0;
	if (peer->kind == PEER_NETWORK && !is_node) {
		DL_FOREACH (hs->first, tls) {
			same += !tls->is_node && is_of(tls, peer);
		}
	}
	if (same > 0 && same >= hs->limits.of_address) {
		handshake_fail(handshake_to_end(hs, false, peer)->stream,
			       "too many from its address");
	}
	size_t n = is_node ? hs->nodes_n : hs->n - hs->nodes_n;
	if (n > 0 && (n >= (is_node ? hs->limits.of_nodes : hs->limits.all) ||
		      loop->streams.open + hs->n >= loop->connections_max)) {
		handshake_fail(handshake_to_end(hs, is_node, NULL)->stream, "too many");
	}
}

bool stream_tls_begin(struct stream *c, const struct peer *peer, bool is_node)
{
	struct event_loop *loop = stream_loop(c);
	struct handshakes *hs = &loop->handshakes;
	const struct tls_context *context = is_node ? loop->nodes : loop->certificate;
	handshakes_make_room(loop, peer, is_node);
	if (loop->streams.open + hs->n >= loop->connections_max) {
		server_counters(loop->server)->connections_refused++;
		loop->refused_why = "limit connections";
		return false;
	}
	if (context == NULL) {
		server_counters(loop->server)->handshakes_failed++;
		return false;
	}
	struct stream_tls *tls = calloc(1, sizeof(*tls));
	struct tls_channel *channel = tls == NULL ? NULL : tls_channel_new(context, NULL);
	if (channel == NULL) {
		free(tls);
		return false;
	}
	if (c->web != NULL) {
		tls_channel_serve_web(channel);
	}
	event_loop_turn_begins(loop);
	*tls = (struct stream_tls){.channel = channel,
				   .stream = c,
				   .loop = hs,
				   .peer = *peer,
				   .since_ms = event_loop_mono_ms(loop),
				   .network = network_of(hs->room, peer),
				   .is_node = is_node,
				   .is_shaking = true};
	buf_init(&tls->preface, PREFACE_BYTES_MAX + TLS_PLAIN_BYTES);
	c->tls = tls;
	DL_APPEND(hs->first, tls);
	hs->n++;
	hs->nodes_n += is_node;
	handshakes_watch(hs);
	return true;
}

void stream_tls_settle(struct stream_tls *tls)
{
	struct handshakes *hs = tls->loop;
	if (tls->is_amid) {
		DL_DELETE(hs->amid, tls);
	}
	if (tls->is_waiting) {
		DL_DELETE2(hs->waiting, tls, prev_waiting, next_waiting);
	}
	if (tls->is_shaking) {
		DL_DELETE(hs->first, tls);
		hs->n--;
		hs->nodes_n -= tls->is_node;
	}
	tls->is_amid = false;
	tls->is_waiting = false;
	tls->is_shaking = false;
}

/* Time a record that has begun, unless it is timed already and no other has ended since. */
static void stream_tls_time_record(struct stream_tls *tls, bool has_read)
{
	struct handshakes *hs = tls->loop;
	bool is_amid = tls_channel_is_amid_record(tls->channel);
	if (tls->is_amid && (has_read || !is_amid)) {
		DL_DELETE(hs->amid, tls);
		tls->is_amid = false;
	}
	if (is_amid && !tls->is_amid) {
		tls->is_amid = true;
		tls->since_ms = event_loop_mono_ms(stream_loop(tls->stream));
		DL_APPEND(hs->amid, tls);
		handshakes_watch(hs);
	}
}

void stream_tls_free(struct stream *c)
{
	if (c->tls != NULL) {
		stream_tls_settle(c->tls);
		tls_channel_free(c->tls->channel);
		buf_finish(&c->tls->preface);
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

/* The connection may begin: the core is told who it is. Returns false if it is closed. */
static bool tls_enter(struct stream *c)
{
	stream_tls_settle(c->tls);
	server_counters(stream_loop(c)->server)->handshakes_done++;
	return stream_enter(c, &c->tls->peer);
}

/* What another node says first. Whoever has the key has said who its client is; others never come here. */
static void tls_take_preface(struct stream *c, struct slice bytes)
{
	struct buf *preface = &c->tls->preface;
	size_t used = 0;
	enum err e = buf_append_slice(preface, bytes);
	e = e != OK ? e : preface_read(buf_slice(preface), &used, &c->tls->peer);
	if (e == ERR_MORE) {
		return;
	}
	if (e != OK) {
		struct event_loop *loop = stream_loop(c);
		log_pair(loop->config.log, LOG_WARN, "preface_refused", "reason", err_text(e));
		handshake_fail(c, err_text(e));
		return;
	}
	struct buf all = *preface;
	buf_init(preface, 0);
	if (tls_enter(c) && !c->is_closing && all.len > used) {
		stream_on_bytes(c, slice_of(all.data + used, all.len - used));
	}
	wipe(all.data, all.len);
	buf_finish(&all);
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
	if (c->tls->is_shaking && state != TLS_SHAKING && !c->tls->is_node && !tls_enter(c)) {
		return;
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
	if (len > 0 && c->tls->is_shaking) {
		tls_take_preface(c, slice_of(plain, len));
	} else if (len > 0) {
		stream_on_bytes(c, slice_of(plain, len));
	}
	wipe(plain, len);
	/* The core may have closed it meanwhile. */
	if (c->is_closing || c->tls->is_shaking) {
		return;
	}
	stream_tls_time_record(c->tls, len > 0);
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
	c->tls->has_sent = true;
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

enum err handshakes_make_ready(struct event_loop *loop)
{
	struct handshakes *hs = &loop->handshakes;
	if (hs->room == NULL) {
		hs->room = malloc(sizeof(*hs->room));
		if (hs->room == NULL) {
			return ERR_NOMEM;
		}
		crypto_shorthash_keygen(hs->room->networks_key);
	}
	return OK;
}

enum err event_loop_use_certificate(struct event_loop *loop, struct tls_context *certificate)
{
	if (handshakes_make_ready(loop) != OK) {
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
	tls_context_free(loop->nodes);
	free(loop->handshakes.room);
}
