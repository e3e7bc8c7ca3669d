/*
 * webs_uv.c - what is decided for all connections of web listeners: when they are pinged, when they have
 * been silent or unfinished for too long, and which of them go where all hold too much memory.
 *
 * One timer looks once a second; each connection is looked at when its next ping is due.
 */
#include <utlist.h>

#include "proto/base/assert.h"
#include "server/net/event_loop_uv.h"
#include "server/web/web_reply.h"

#define WEBS_LOOK_EVERY_MS 1000

/* ---- time ---- */

static void webs_look_later(struct stream_web *web, int64_t now_ms)
{
	DL_DELETE(web->webs->all, web);
	web->look_ms = now_ms + web->webs->limits.ping_ms;
	DL_APPEND(web->webs->all, web);
}

/* One that the server does not read is not silent. */
static void webs_look_at(struct stream_web *web, int64_t now_ms)
{
	struct stream *c = web->stream;
	if (c->is_paused || !stream_loop(c)->is_reading) {
		web->heard_ms = now_ms;
	}
	if (now_ms - web->heard_ms >= web->webs->limits.silent_ms) {
		log_pair(stream_loop(c)->config.log, LOG_DEBUG, "web_silent", "phase",
			 web->is_open ? "websocket" : "http");
		stream_drop(c);
	} else if (web->is_open && !web->is_ending && c->blocked == NULL) {
		stream_websocket_ping(c);
	}
}

static void webs_look_amid(struct event_loop *loop, int64_t now_ms)
{
	struct stream_web *web;
	struct stream_web *next;
	for (web = loop->webs.amid; web != NULL; web = next) {
		next = web->next_amid;
		struct stream *c = web->stream;
		if (c->is_paused || !loop->is_reading) {
			web->since_ms = now_ms;
		} else if (now_ms - web->since_ms >= loop->webs.limits.frame_ms && !c->is_closing &&
			   !web->is_ending) {
			stream_websocket_break(c, WEB_CLOSE_REFUSED,
					       "a message was not finished in time");
		}
	}
}

void webs_look(struct event_loop *loop)
{
	struct webs *webs = &loop->webs;
	int64_t now_ms = event_loop_mono_ms(loop);
	while (webs->all != NULL && webs->all->look_ms <= now_ms) {
		struct stream_web *web = webs->all;
		webs_look_later(web, now_ms);
		if (!web->stream->is_closing) {
			webs_look_at(web, now_ms);
		}
	}
	webs_look_amid(loop, now_ms);
	if (webs->all == NULL) {
		(void)uv_timer_stop(&webs->timer);
	}
}

static void webs_on_timer(uv_timer_t *timer)
{
	event_loop_judge_later(timer->data, DUE_WEBS);
}

void webs_enter(struct stream_web *web, int64_t now_ms)
{
	struct webs *webs = web->webs;
	DL_APPEND(webs->all, web);
	webs_look_later(web, now_ms);
	if (uv_is_active((const uv_handle_t *)&webs->timer) == 0) {
		(void)uv_timer_start(&webs->timer, webs_on_timer, WEBS_LOOK_EVERY_MS,
				     WEBS_LOOK_EVERY_MS);
	}
}

void webs_leave(struct stream_web *web)
{
	if (web->is_amid) {
		DL_DELETE2(web->webs->amid, web, prev_amid, next_amid);
	}
	DL_DELETE(web->webs->all, web);
}

void webs_time_message(struct stream_web *web, bool has_ended)
{
	struct webs *webs = web->webs;
	bool is_amid = web->is_open && web_socket_is_amid(&web->socket);
	if (web->is_amid && (has_ended || !is_amid)) {
		DL_DELETE2(webs->amid, web, prev_amid, next_amid);
		web->is_amid = false;
	}
	if (is_amid && !web->is_amid) {
		web->is_amid = true;
		web->since_ms = event_loop_mono_ms(stream_loop(web->stream));
		DL_APPEND2(webs->amid, web, prev_amid, next_amid);
	}
}

/* ---- memory ---- */

/* The one that holds most, weighed by how long its peer has taken nothing. */
static struct stream_web *webs_heaviest(struct webs *webs, int64_t now_ms)
{
	struct stream_web *web;
	struct stream_web *heaviest = NULL;
	uint64_t most = 0;
	DL_FOREACH (webs->all, web) {
		uint64_t held =
			web->waits == NULL || web->stream->is_closing ? 0 : web->waits->bytes;
		uint64_t weight = held * (uint64_t)(now_ms - web->heard_ms + 1);
		if (weight > most) {
			most = weight;
			heaviest = web;
		}
	}
	return heaviest;
}

void webs_turn(struct event_loop *loop)
{
	struct webs *webs = &loop->webs;
	const uint64_t most = webs->limits.bytes_all;
	const uint64_t until = webs->frame_bytes > most ? most - most / 8 : most;
	while (webs->frame_bytes > until) {
		struct stream_web *web = webs_heaviest(webs, event_loop_mono_ms(loop));
		if (web == NULL) {
			break;
		}
		struct log_line l;
		server_counters(loop->server)->connections_shed++;
		log_begin(&l, loop->config.log, LOG_WARN, "shed");
		log_int(&l, "bytes", (int64_t)web->waits->bytes);
		log_end(&l);
		stream_web_drop_waits(web);
		stream_drop(web->stream);
	}
}

/* ---- life ---- */

enum err webs_init(struct event_loop *loop)
{
	struct webs *webs = &loop->webs;
	web_files_list(webs->files);
	webs->text = web_text_create(&webs->frame_bytes, &webs->translations);
	bool ok = webs->text != NULL;
	for (size_t i = 0; i < WEB_FILE_COUNT && ok; i++) {
		webs->bodies[i] = web_frame_create(&webs->frame_bytes, webs->files[i].bytes,
						   (struct slice){0});
		ok = webs->bodies[i] != NULL;
	}
	buf_init(&webs->reply, WEB_REPLY_BYTES_MAX);
	/* The first refusal takes the memory of all, which are as long. */
	buf_init(&webs->refusal, WEB_REPLY_BYTES_MAX);
	(void)stream_http_refusal(webs);
	return ok && webs->refusal.error == OK ? OK : ERR_NOMEM;
}

void webs_finish(struct event_loop *loop)
{
	struct webs *webs = &loop->webs;
	for (size_t i = 0; i < WEB_FILE_COUNT; i++) {
		web_frame_unref(webs->bodies[i]);
	}
	web_text_destroy(webs->text);
	buf_finish(&webs->reply);
	buf_finish(&webs->refusal);
	ASSERT_CMP(webs->frame_bytes, ==, 0);
}
