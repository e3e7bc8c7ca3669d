/*
 * redis_greeting.c - HELLO and what follows it.
 */
#include "store/redis/link/redis_greeting.h"

#include <utlist.h>

#include "proto/base/format.h"
#include "proto/text/decimal.h"

/* ---- said ---- */

static enum err greeting_add(struct redis_call **calls, enum redis_call_kind kind,
			     const struct slice *words, size_t n, int script)
{
	struct redis_call *call = NULL;
	enum err e = redis_call_create(kind, words, n, NULL, 0, &call);
	if (e == OK) {
		call->script = script;
		DL_APPEND(*calls, call);
	}
	return e;
}

static enum err greeting_add_hello(const struct redis_address *a, struct redis_call **calls)
{
	struct slice words[7] = {SLICE("HELLO"), SLICE("2")};
	size_t n = 2;
	if (a->user[0] != '\0' || a->password[0] != '\0') {
		words[n++] = SLICE("AUTH");
		words[n++] = a->user[0] == '\0' ? SLICE("default") : slice_str(a->user);
		words[n++] = slice_str(a->password);
	}
	words[n++] = SLICE("SETNAME");
	words[n++] = SLICE("ayed");
	return greeting_add(calls, CALL_HELLO, words, n, REDIS_NO_SCRIPT);
}

enum err redis_greeting_append(const struct redis_link_config *c, struct redis_call **calls)
{
	enum err e = greeting_add_hello(c->address, calls);
	if (e == OK && c->address->database != 0) {
		char number[12];
		(void)format_to(number, sizeof(number), "%d", (int)c->address->database);
		struct slice words[] = {SLICE("SELECT"), slice_str(number)};
		e = greeting_add(calls, CALL_SELECT, words, 2, REDIS_NO_SCRIPT);
	}
	if (e == OK && c->needs_master) {
		struct slice words[] = {SLICE("INFO"), SLICE("replication")};
		e = greeting_add(calls, CALL_INFO, words, 2, REDIS_NO_SCRIPT);
	}
	for (size_t i = 0; i < c->scripts_n && e == OK; i++) {
		struct slice words[] = {SLICE("SCRIPT"), SLICE("LOAD"), c->scripts[i]};
		e = greeting_add(calls, CALL_SCRIPT, words, 3, (int)i);
	}
	struct slice ping = SLICE("PING");
	e = e != OK ? e : greeting_add(calls, CALL_PING, &ping, 1, REDIS_NO_SCRIPT);
	if (e == OK && c->channel.len > 0) {
		struct slice words[] = {SLICE("SSUBSCRIBE"), c->channel};
		e = greeting_add(calls, CALL_SUBSCRIBE, words, 2, REDIS_NO_SCRIPT);
	}
	return e;
}

/* ---- heard ---- */

/* Names and values, one after the other. */
static bool read_hello(const struct redis_reply *reply, struct redis_server *out)
{
	struct redis_server found = {.major = 0};
	const struct redis_reply *at = reply->kind == REDIS_ARRAY ? reply->first : NULL;
	while (at != NULL && at->next != NULL) {
		struct slice name = at->text;
		struct slice value = at->next->text;
		size_t digits;
		if (slice_eq(name, SLICE("version")) && value.len < sizeof(found.version)) {
			memcpy(found.version, value.len == 0 ? "" : value.data, value.len);
			found.major = (int32_t)decimal_front(value, INT32_MAX, &digits);
		} else if (slice_eq(name, SLICE("role"))) {
			found.is_master = slice_eq(value, SLICE("master"));
		} else if (slice_eq(name, SLICE("mode"))) {
			found.is_cluster = slice_eq(value, SLICE("cluster"));
		}
		at = at->next->next;
	}
	memcpy(found.history, out->history, sizeof(found.history));
	*out = found;
	return found.major > 0;
}

/* What stands behind NAME: on its line of INFO's text. */
static struct slice info_value(struct slice text, struct slice name)
{
	while (text.len > 0) {
		const char *end = memchr(text.data, '\n', text.len);
		size_t len = end == NULL ? text.len : (size_t)(end - text.data);
		if (slice_starts(text, name)) {
			struct slice value = slice_of(text.data + name.len, len - name.len);
			value.len -= value.len > 0 && value.data[value.len - 1] == '\r';
			return value;
		}
		len += end != NULL;
		text = slice_of(text.data + len, text.len - len);
	}
	return (struct slice){NULL, 0};
}

static bool read_history(const struct redis_reply *reply, struct redis_server *out)
{
	struct slice id = reply->kind == REDIS_STRING
				  ? info_value(reply->text, SLICE("master_replid:"))
				  : (struct slice){NULL, 0};
	if (id.len == 0 || id.len >= sizeof(out->history)) {
		return false;
	}
	memset(out->history, 0, sizeof(out->history));
	memcpy(out->history, id.data, id.len);
	return true;
}

static bool read_sha(const struct redis_reply *reply, char out[REDIS_SHA_CHARS])
{
	if (reply->kind != REDIS_STRING || reply->text.len != REDIS_SHA_CHARS) {
		return false;
	}
	memcpy(out, reply->text.data, REDIS_SHA_CHARS);
	return true;
}

static bool is_subscribed(const struct redis_reply *reply)
{
	return reply->kind == REDIS_ARRAY && reply->n == 3 &&
	       slice_eq(reply->first->text, SLICE("ssubscribe"));
}

bool redis_greeting_read(const struct redis_call *call, const struct redis_reply *reply,
			 struct redis_greeted *out)
{
	return call->kind == CALL_HELLO	      ? read_hello(reply, &out->server)
	       : call->kind == CALL_INFO      ? read_history(reply, &out->server)
	       : call->kind == CALL_SCRIPT    ? read_sha(reply, out->shas[call->script])
	       : call->kind == CALL_SUBSCRIBE ? is_subscribed(reply)
					      : reply->kind == REDIS_STATUS;
}

/* ---- errors ---- */

static bool slice_has(struct slice s, struct slice part)
{
	for (size_t i = 0; part.len > 0 && i + part.len <= s.len; i++) {
		if (memcmp(s.data + i, part.data, part.len) == 0) {
			return true;
		}
	}
	return false;
}

void redis_error_say(const struct redis_address *a, const struct redis_reply *error,
		     struct errmsg *why)
{
	char text[120];
	size_t len = error->text.len < sizeof(text) - 1 ? error->text.len : sizeof(text) - 1;
	for (size_t i = 0; i < len; i++) {
		char c = error->text.data[i];
		text[i] = c >= ' ' && c <= '~' ? c : '?';
	}
	text[len] = '\0';
	/* Old versions repeat what they were sent of HELLO, or the beginning of it. */
	bool repeats = slice_starts(error->text, SLICE("ERR unknown command")) ||
		       slice_has(error->text, slice_str(a->password));
	errmsg_set(why, repeats ? "%s %s" : "%s %s: %s", a->text,
		   redis_ends[redis_end_of(error)].says, text);
}
