/*
 * web_text.h - JSON text messages for those of MessagePack-RPC, and back.
 *
 *   request       {"id": 7, "method": "room.vote", "params": {...}}     [0, 7, "room.vote", [{...}]]
 *   response      {"id": 7, "result": {...}} or {"id": 7, "error": {...}}  [1, 7, error, result]
 *   notification  {"method": "room.update", "params": {...}}            [2, "room.update", [{...}]]
 *
 * The core knows only MessagePack-RPC. A notification goes to many connections with the same bytes, so
 * the last ones are kept with their frames: for all but the first connection, comparing bytes is all
 * that is done.
 *
 * Life: web_text_create() .. web_text_destroy().
 */
#ifndef SERVER_WEB_WEB_TEXT_H
#define SERVER_WEB_WEB_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/slice.h"
#include "server/web/web_frame.h"

struct web_text;

/*
 * Create a translator; NULL if memory is out.
 *
 * @bytes_all     as for web_frame_create().
 * @translations  counts the messages that were translated, not those found among the last ones.
 *
 * Both must outlive it and its frames.
 */
struct web_text *web_text_create(uint64_t *bytes_all, uint64_t *translations);
void web_text_destroy(struct web_text *t); /* t may be NULL */

/*
 * Translate a request. *message is valid until the next call with the same translator.
 *
 * ERR_INVALID    it is no request; *why is for people, and does not repeat the text.
 * ERR_TOO_LARGE  its MessagePack form is above FRAME_BYTES.
 * ERR_NOMEM      memory is out.
 */
NODISCARD enum err web_text_request(struct web_text *t, struct slice json, struct slice *message, struct errmsg *why);

/*
 * Translate whole messages of the core, as WebSocket frames, until the queue is full or has bytes_max.
 *
 * @pieces  the bytes of whole messages, one after another; a message may begin in one piece and end in
 *          another.
 * @used    how many bytes of the pieces these messages have; set on failure, too.
 *
 * A message whose end is not in the pieces is left.
 *
 * ERR_NOMEM  memory is out. ERR_PROTO: a message has no JSON form, or is none, which the core does not
 *            send.
 */
NODISCARD enum err web_text_frames(struct web_text *t, const struct slice *pieces, size_t n, size_t bytes_max,
				   struct web_queue *out, size_t *used);

/*
 * Find the reason of a server.closing, for a client that has no WebSocket yet. *reason is empty if the
 * first message is none; valid as long as the pieces, until the next call with the same translator.
 */
void web_text_reason(struct web_text *t, const struct slice *pieces, size_t n, struct slice *reason);

#endif
