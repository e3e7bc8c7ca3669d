/*
 * web_reply.c - see web_reply.h.
 */
#include "server/web/web_reply.h"

#include <http_parser.h>

#include "proto/text/utc_time.h"
#include "server/web/web_request.h"

#define WEB_SECURITY_FIELDS                                                                  \
	"Content-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'; " \
	"frame-ancestors 'none'\r\n"                                                         \
	"X-Frame-Options: DENY\r\n"                                                          \
	"X-Content-Type-Options: nosniff\r\n"                                                \
	"Referrer-Policy: no-referrer\r\n"                                                   \
	"Cross-Origin-Opener-Policy: same-origin\r\n"                                        \
	"Cross-Origin-Resource-Policy: same-origin\r\n"

/* What a head of this status has besides. */
static const char *web_status_fields(int status)
{
	return status == HTTP_STATUS_METHOD_NOT_ALLOWED ? "Allow: GET, HEAD\r\n"
	       : status == HTTP_STATUS_UPGRADE_REQUIRED
		       ? "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
		       : "";
}

static void web_head(struct buf *b, const struct web_reply *r, int status)
{
	char date[UTC_TIME_HTTP_CHARS + 1];
	const char *connection = status == HTTP_STATUS_UPGRADE_REQUIRED ? "Connection: Upgrade\r\n"
				 : r->keeps_alive			? ""
									: "Connection: close\r\n";
	(void)buf_printf(b, "HTTP/1.1 %d %s\r\nDate: %s\r\n%s%s" WEB_SECURITY_FIELDS, status,
			 http_status_str((enum http_status)status), utc_time_http(r->wall_ms, date),
			 connection, web_status_fields(status));
}

/* Asked again each time: an answer of 304 costs a round trip, an old page a mystery. */
void web_reply_file(struct buf *b, const struct web_reply *r, const struct web_file *file,
		    bool is_same)
{
	web_head(b, r, is_same ? 304 : 200);
	(void)buf_printf(b, "ETag: %s\r\nCache-Control: no-cache\r\n", file->etag);
	if (!is_same) {
		(void)buf_printf(b, "Content-Type: %.*s\r\nContent-Length: %zu\r\n",
				 (int)file->type.len, file->type.data, file->bytes.len);
	}
	(void)buf_append_slice(b, SLICE("\r\n"));
}

void web_reply_status(struct buf *b, const struct web_reply *r, int status, const char *text)
{
	web_head(b, r, status);
	(void)buf_printf(b,
			 "Cache-Control: no-store\r\nContent-Type: text/plain; charset=utf-8\r\n"
			 "Content-Length: %zu\r\n\r\n",
			 strlen(text) + 1);
	if (!r->without_body) {
		(void)buf_printf(b, "%s\n", text);
	}
}

void web_reply_socket(struct buf *b, const char *accept, bool names_protocol)
{
	(void)buf_printf(b,
			 "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
			 "Connection: Upgrade\r\nSec-WebSocket-Accept: %s\r\n%s\r\n",
			 accept,
			 names_protocol ? "Sec-WebSocket-Protocol: " WEB_SUBPROTOCOL "\r\n" : "");
}
