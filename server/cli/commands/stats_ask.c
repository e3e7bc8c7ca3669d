/*
 * stats_ask.c - see stats_ask.h: both requests at once, then messages until the answer.
 */
#include "server/cli/commands/stats_ask.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "proto/base/frame_scan.h"
#include "proto/json.h"
#include "proto/methods.h"
#include "proto/rpc.h"

#define ASK_SECONDS    10
#define ASK_BYTES_MAX  (4 * MAX_FRAME_BYTES) /* of all that comes before the answer, and it */
#define ASK_READ_BYTES 4096
enum { ASK_HELLO = 1, ASK_STATS = 2 }; /* msgids */

static enum err ask_connect(const struct address *at, int *fd, struct errmsg *why)
{
	struct sockaddr_un sun = {.sun_family = AF_UNIX};
	struct timeval patience = {.tv_sec = ASK_SECONDS};
	memcpy(sun.sun_path, at->path, sizeof(at->path));
	*fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (*fd < 0 || setsockopt(*fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) != 0 ||
	    setsockopt(*fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience)) != 0 ||
	    connect(*fd, (const struct sockaddr *)&sun, sizeof(sun)) != 0) {
		errmsg_set(why,
			   "cannot reach a server at unix:%s: %s; start it, or give another "
			   "socket: ayed stats unix:/path",
			   at->path, strerror(errno));
		return ERR_CLOSED;
	}
	return OK;
}

static enum err ask_send(int fd, struct errmsg *why)
{
	struct hello_params hello = {.protocol = PROTOCOL_VERSION,
				     .client = SLICE("ayed stats " AYE_VERSION),
				     .with_client = true};
	struct buf b = {.max = MAX_FRAME_BYTES_GUEST};
	rpc_write_request(&b, ASK_HELLO, slice_str(method_rows[METHOD_SESSION_HELLO].name),
			  method_rows[METHOD_SESSION_HELLO].params, &hello);
	rpc_write_request(&b, ASK_STATS, slice_str(method_rows[METHOD_SERVER_STATS].name), NULL,
			  NULL);
	enum err e = b.error;
	for (size_t at = 0; e == OK && at < b.len;) {
		ssize_t n = send(fd, b.data + at, b.len - at, MSG_NOSIGNAL);
		if (n < 0 && errno != EINTR) {
			errmsg_set(why, "the server did not accept the request: %s",
				   strerror(errno));
			e = ERR_CLOSED;
		}
		at += n > 0 ? (size_t)n : 0;
	}
	buf_finish(&b);
	return e;
}

/* The next message is the first `*len` bytes of `in`. */
static enum err ask_receive(int fd, struct buf *in, size_t *len, struct errmsg *why)
{
	struct frame_scan scan;
	frame_scan_init(&scan);
	enum err e;
	while ((e = frame_scan_value(&scan, buf_slice(in), ASK_BYTES_MAX)) == ERR_MORE) {
		char *room = buf_reserve(in, ASK_READ_BYTES);
		if (room == NULL) {
			return in->error;
		}
		ssize_t n = recv(fd, room, ASK_READ_BYTES, 0);
		if (n == 0 || (n < 0 && errno != EINTR)) {
			errmsg_set(why, "the server did not answer: %s",
				   n == 0	     ? "it closed the connection"
				   : errno == EAGAIN ? "waited 10 seconds"
						     : strerror(errno));
			return ERR_CLOSED;
		}
		in->len += n > 0 ? (size_t)n : 0;
	}
	*len = scan.at;
	return e;
}

/* ERR_MORE: it is no answer to server.stats, nor a refusal of session.hello. */
static enum err ask_take(struct decoder *decoder, struct slice message, struct buf *json,
			 struct errmsg *why)
{
	struct rpc_message m;
	bool answerable = false;
	enum err e = rpc_decode(decoder, message, &m, &answerable);
	if (e != OK || m.kind != RPC_RESPONSE || (m.msgid != ASK_STATS && m.error == NULL)) {
		return e == OK ? ERR_MORE : e;
	}
	if (m.error != NULL) {
		struct fault fault = {0};
		rpc_read_fault(m.error, NULL, &fault);
		errmsg_set(why, "the server refused: %s", fault.message);
		return ERR_INVALID;
	}
	return json_from_object(m.result, json);
}

enum err stats_ask(const struct address *at, struct buf *json, struct errmsg *why)
{
	struct decoder decoder = {0};
	struct buf in = {.max = ASK_BYTES_MAX};
	int fd = -1;
	enum err e = ask_connect(at, &fd, why);
	e = e != OK ? e : ask_send(fd, why);
	e = e != OK ? e : ERR_MORE;
	while (e == ERR_MORE) {
		size_t len = 0;
		e = ask_receive(fd, &in, &len, why);
		e = e != OK ? e : ask_take(&decoder, slice_of(in.data, len), json, why);
		buf_drop(&in, len);
	}
	if (e != OK && why->text[0] == '\0') {
		errmsg_set(why, "the server at unix:%s sent an unreadable answer: %s", at->path,
			   err_text(e));
	}
	if (fd >= 0) {
		(void)close(fd);
	}
	decoder_finish(&decoder);
	buf_finish(&in);
	return e;
}
