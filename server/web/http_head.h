/*
 * http_head.h - one request head of HTTP/1.x, read from untrusted bytes as they arrive.
 *
 * Bounded by WEB_HEAD_BYTES; nothing is allocated before a byte has come. What is no request, is too
 * long, or has a body is refused with a status. Requests that follow in the same bytes are left to the
 * caller.
 *
 * Not here: what the request asks for, and whether it may (web_request.h).
 *
 * Life: http_head_init() .. http_head_finish(), for one request.
 */
#ifndef SERVER_WEB_HTTP_HEAD_H
#define SERVER_WEB_HTTP_HEAD_H

#include <http_parser.h>
#include <stdbool.h>
#include <stddef.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

/*
 * The fields that are read; all others are skipped. ONE: a second field of this name is refused, because
 * readers would disagree about which counts. LAST: the last one counts.
 *
 *        SYMBOL            name                        repeated */
#define HTTP_FIELDS(X)                                                     \
	X(HOST,             "Host",                     ONE)               \
	X(ORIGIN,           "Origin",                   ONE)               \
	X(UPGRADE,          "Upgrade",                  LAST)              \
	X(WEBSOCKET_KEY,    "Sec-WebSocket-Key",        ONE)               \
	X(WEBSOCKET_VERSION, "Sec-WebSocket-Version",   ONE)               \
	X(WEBSOCKET_PROTOCOL, "Sec-WebSocket-Protocol", LAST)              \
	X(IF_NONE_MATCH,    "If-None-Match",            LAST)              \
	X(FORWARDED_FOR,    "X-Forwarded-For",          LAST)              \
	X(TRANSFER_ENCODING, "Transfer-Encoding",       LAST)

enum http_field {
#define HTTP_FIELD_ENUM(symbol, name, repeated) HTTP_##symbol,
	HTTP_FIELDS(HTTP_FIELD_ENUM)
#undef HTTP_FIELD_ENUM
	HTTP_FIELD_COUNT,
	HTTP_FIELD_OTHER = HTTP_FIELD_COUNT
};

enum http_head_state {
	HTTP_HEAD_MORE,   /* incomplete */
	HTTP_HEAD_WHOLE,
	HTTP_HEAD_REFUSED /* answer with `status`, then close: what follows cannot be read */
};

/* A text of the head, by its place, since the buffer moves when it grows. */
struct http_text {
	size_t at;
	size_t len;
	bool is_there;
};

struct http_head {
	enum http_head_state state;
	int status;      /* of HTTP_HEAD_REFUSED */
	const char *why; /* likewise: for people; static */
	bool keeps_alive; /* of HTTP_HEAD_WHOLE: the peer may send another request */
	bool is_upgrade;  /* likewise: it has Upgrade, and Connection: upgrade */
	struct buf raw;  /* the head's bytes so far */
	http_parser parser;
	struct http_text target; /* path and query */
	struct http_text name;   /* of the field being read */
	bool in_value;
	enum http_field field;   /* being read */
	struct http_text fields[HTTP_FIELD_COUNT];
};

void http_head_init(struct http_head *h);
void http_head_finish(struct http_head *h);

/*
 * Read on; h->state must be HTTP_HEAD_MORE. Returns how many bytes belong to the head: after
 * HTTP_HEAD_WHOLE, the rest is the next request or, after an upgrade, the other protocol. ERR_NOMEM is
 * HTTP_HEAD_REFUSED with 503.
 */
size_t http_head_take(struct http_head *h, struct slice in);

/* Of a whole head; valid until the next call with the same head. */
enum http_method http_head_method(const struct http_head *h);
/* The path, without the query. */
struct slice http_head_path(const struct http_head *h);
/* The value of a field; data NULL: it is not there. */
struct slice http_head_field(const struct http_head *h, enum http_field which);
/* Return whether a comma-separated value has the token, in any case of letters. */
bool http_has_token(struct slice value, struct slice token);

#endif
