/*
 * web_request.h - what a request asks for, and whether it may have it.
 *
 * A browser acts for any page that its user visits, so two fields are checked that other clients do not
 * have to care about. Host: over plain HTTP, a name that is not ours would be somebody else's page whose
 * name was pointed at this server (DNS rebinding); over TLS the certificate settles that. Origin: only
 * pages of this server, and of the origins it was given, may open the WebSocket.
 *
 * Not here: reading the head (http_head.h), writing the answer (web_reply.h).
 */
#ifndef SERVER_WEB_WEB_REQUEST_H
#define SERVER_WEB_WEB_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "server/web/http_head.h"
#include "server/web/web_files.h"

#define WEB_SOCKET_PATH   "/ws"
#define WEB_HEALTH_PATH   "/healthz"
#define WEB_SUBPROTOCOL   "aye.v1"
#define WEB_ORIGINS_MAX   8
#define WEB_ORIGIN_BYTES_MAX 280 /* scheme, a host name of 253 bytes, port */

/* An origin as browsers write it: "https://poker.example" or "http://192.0.2.7:2938". */
struct web_origin {
	char text[WEB_ORIGIN_BYTES_MAX + 1];
};
struct web_origins {
	struct web_origin items[WEB_ORIGINS_MAX];
	size_t n;
};

/*
 * Parse the URL of an origin: http or https, a host, perhaps a port, and nothing else but one "/". The
 * default port is left out, as browsers do.
 *
 * ERR_INVALID  *why says what it should be.
 */
NODISCARD enum err web_origin_parse(const char *url, struct web_origin *out, struct errmsg *why);

/* How the request came. */
struct web_way {
	bool is_tls;
	bool is_proxied; /* by the proxy of --web-proxy, which answers for Host and X-Forwarded-For */
	const struct web_origins *origins;
	const struct web_file *files; /* WEB_FILE_COUNT of them */
};

enum web_want_kind {
	WEB_WANT_FILE,    /* `file` */
	WEB_WANT_SAME,    /* `file`, of which the client has these very bytes: 304 */
	WEB_WANT_SOCKET,  /* `key`, names_protocol, `forwarded` */
	WEB_WANT_HEALTH,
	WEB_WANT_NOTHING  /* `status`, `why` */
};

struct web_want {
	enum web_want_kind kind;
	bool without_body; /* HEAD */
	const struct web_file *file;
	struct slice key;     /* of Sec-WebSocket-Key; points into the head */
	bool names_protocol;  /* the client offered WEB_SUBPROTOCOL, so the answer names it */
	struct slice forwarded; /* the client's address, as the proxy saw it; points into the head */
	int status;
	const char *why; /* for people; static */
};

/* Return what a whole head asks for. */
struct web_want web_request_want(const struct http_head *head, const struct web_way *way);

#endif
