/*
 * dialect_web.c - JSON over a WebSocket as ayed speaks it: what dialect_aye.c says and counts, in the
 * form that browsers have.
 *
 * A frame says how long it is, and what is counted stands before the rest of it, so a message is read no
 * further. Pings are not answered: no run is as long as a server waits for that.
 *
 * memmem() is beyond POSIX.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "tests/bench/dialect.h"
#include "tests/support/client_frame.h"

/* Message numbers: votes have their seq, the rest what lies above. */
#define STEP_ID 0x80000000U
#define MAKE_ID 0xc0000000U

#define SAY_BYTES  512
#define KEY_FORMAT "%021u%021uA"
#define UPGRADE	   "GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\n" CLIENT_UPGRADE "\r\n"
#define UPGRADED   "HTTP/1.1 101 "

/* ---- what is said ---- */

/* What `text` has is sent as one message, and emptied. */
static void web_say(struct buf *text, struct buf *out)
{
	if (text->error != OK) {
		out->error = text->error;
	} else {
		client_frame_put(out, FRAME_LAST | FRAME_TEXT, buf_slice(text));
	}
	buf_clear(text);
}

static bool web_greet(const struct speaker *who, unsigned step, struct buf *out)
{
	bool is_member = who->room_name[0] != '\0';
	struct buf text = {.max = SAY_BYTES};
	if (step == 0) {
		(void)buf_append_slice(out, SLICE(UPGRADE));
		(void)buf_printf(&text,
				 "{\"id\":%u,\"method\":\"session.hello\",\"params\":"
				 "{\"protocol\":1,\"client\":\"bench\"}}",
				 STEP_ID);
		web_say(&text, out);
	}
	if (step == 0 && is_member) {
		(void)buf_printf(&text,
				 "{\"id\":%u,\"method\":\"room.subscribe\",\"params\":"
				 "{\"room_id\":\"%s\",\"user_key\":\"" KEY_FORMAT "\"}}",
				 STEP_ID + 1, who->room_name, who->room, who->member);
		web_say(&text, out);
		(void)buf_printf(&text,
				 "{\"id\":%u,\"method\":\"room.join\",\"params\":"
				 "{\"room_id\":\"%s\",\"username\":\"Member %u\"}}",
				 STEP_ID + 2, who->room_name, who->member);
		web_say(&text, out);
	}
	buf_finish(&text);
	return step < (is_member ? 3 : 1);
}

static void web_make(uint32_t room, struct buf *out)
{
	struct buf text = {.max = SAY_BYTES};
	(void)buf_printf(
		&text, "{\"id\":%u,\"method\":\"room.create\",\"params\":{\"deck\":\"fibonacci\"}}",
		MAKE_ID + room);
	web_say(&text, out);
	buf_finish(&text);
}

static void web_vote(const struct speaker *who, uint64_t seq, struct buf *out)
{
	struct buf text = {.max = SAY_BYTES};
	(void)buf_printf(&text,
			 "{\"id\":%u,\"method\":\"room.vote\",\"params\":"
			 "{\"room_id\":\"%s\",\"vote\":\"%d\"}}",
			 (unsigned)seq, who->room_name, seq % 2 == 0 ? 5 : 8);
	web_say(&text, out);
	buf_finish(&text);
}

/* ---- what comes ---- */

/* What stands behind a text; data NULL: it is not there. */
static struct slice web_behind(struct slice in, const char *what)
{
	size_t len = strlen(what);
	const char *at = in.len == 0 ? NULL : memmem(in.data, in.len, what, len);
	return at == NULL ? (struct slice){0}
			  : slice_of(at + len, (size_t)(in.data + in.len - at) - len);
}

/* The number of a member; -1: there is none. The first is the message's own. */
static int64_t web_number(struct slice in, const char *member)
{
	struct slice at = web_behind(in, member);
	int64_t number = at.len > 0 && at.data[0] >= '0' && at.data[0] <= '9' ? 0 : -1;
	for (size_t i = 0; number >= 0 && i < at.len && at.data[i] >= '0' && at.data[i] <= '9';
	     i++) {
		number = number * 10 + (at.data[i] - '0');
	}
	return number;
}

static void web_read_response(struct slice text, struct incoming *out)
{
	uint32_t id = (uint32_t)web_number(text, "{\"id\":");
	struct slice room = web_behind(text, "\"room_id\":\"");
	if (web_behind(text, ",\"result\":").data == NULL) {
		out->kind = INCOMING_REFUSED;
		out->text = text;
		return;
	}
	out->kind = id >= MAKE_ID ? INCOMING_ROOM : id >= STEP_ID ? INCOMING_STEP : INCOMING_ANSWER;
	out->seq = id;
	/* The first answer has the limits, among which is no version. */
	out->version = id == STEP_ID ? -1 : web_number(text, "\"version\":");
	if (out->kind == INCOMING_ROOM && room.data != NULL) {
		const char *quote = memchr(room.data, '"', room.len);
		out->text = slice_of(room.data, quote == NULL ? 0 : (size_t)(quote - room.data));
	}
}

static void web_read_notice(struct slice text, struct incoming *out)
{
	if (slice_starts(text, SLICE("{\"method\":\"room.update\""))) {
		out->kind = INCOMING_VERSION;
		out->since = web_number(text, "\"since\":");
		out->version = web_number(text, "\"version\":");
		out->is_full = web_behind(text, "\"full\":true").data != NULL;
	} else if (slice_starts(text, SLICE("{\"method\":\"server.closing\""))) {
		out->kind = INCOMING_REFUSED;
		out->text = text;
	}
}

static size_t web_split_answer(struct slice in, struct incoming *out)
{
	size_t known = in.len < strlen(UPGRADED) ? in.len : strlen(UPGRADED);
	struct slice rest = web_behind(in, "\r\n\r\n");
	if (memcmp(in.data, UPGRADED, known) != 0) {
		return DIALECT_BAD;
	}
	out->kind = INCOMING_OTHER;
	return rest.data == NULL ? 0 : in.len - rest.len;
}

static size_t web_split(struct slice in, struct incoming *out)
{
	unsigned first = in.len == 0 ? FRAME_LAST : (unsigned char)in.data[0];
	struct slice text;
	if (first == 'H') {
		return web_split_answer(in, out);
	}
	if ((first & ~0x0fU) != FRAME_LAST) {
		return DIALECT_BAD;
	}
	size_t len = client_frame_find(in, &first, &text);
	if (len == 0) {
		return 0;
	}
	out->kind = INCOMING_OTHER;
	if (slice_starts(text, SLICE("{\"id\":"))) {
		web_read_response(text, out);
	} else {
		web_read_notice(text, out);
	}
	return len;
}

const struct dialect dialect_web = {
	.name = "aye web",
	.counts_versions = true,
	.greet = web_greet,
	.make = web_make,
	.vote = web_vote,
	.split = web_split,
};
