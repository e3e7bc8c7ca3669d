/*
 * client_frame.h - a client's end of a WebSocket: what it asks for, frames as it sends them, masked, and as
 * it is sent them. Written from RFC 6455, 5.2, and not with the library that the server reads with.
 */
#ifndef TESTS_SUPPORT_CLIENT_FRAME_H
#define TESTS_SUPPORT_CLIENT_FRAME_H

#include <stdint.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/base/slice.h"

/* The fields that ask for a WebSocket. */
#define CLIENT_KEY "dGhlIHNhbXBsZSBub25jZQ=="
#define CLIENT_UPGRADE                                                                          \
	"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"            \
	"Sec-WebSocket-Key: " CLIENT_KEY "\r\n"

/* The first byte of a frame: an opcode, and bits. */
enum client_frame {
	FRAME_CONTINUED = 0,
	FRAME_TEXT = 1,
	FRAME_BINARY = 2,
	FRAME_CLOSE = 8,
	FRAME_PING = 9,
	FRAME_PONG = 10,
	FRAME_LAST = 0x80,
	FRAME_RESERVED = 0x40,
};

static inline void client_frame_put(struct buf *b, unsigned first, struct slice payload)
{
	static const unsigned char key[4] = {0x37, 0xfa, 0x00, 0x3d};
	size_t digits = payload.len < 126 ? 0 : payload.len < 65536 ? 2 : 8;
	size_t len = digits == 0 ? payload.len : digits == 2 ? 126 : 127;
	unsigned char head[14] = {(unsigned char)first, (unsigned char)(0x80 | len)};
	size_t n = 2;
	for (size_t i = digits; i > 0; i--) {
		head[n++] = (unsigned char)((uint64_t)payload.len >> (8 * (i - 1)));
	}
	memcpy(head + n, key, sizeof(key));
	(void)buf_append(b, head, n + sizeof(key));
	for (size_t i = 0; i < payload.len; i++) {
		unsigned char byte = (unsigned char)payload.data[i] ^ key[i % 4];
		(void)buf_append(b, &byte, 1);
	}
}

/* The length of a server's frame in front of `in`, with its first byte and what is in it; 0: it has not come whole. */
static inline size_t client_frame_find(struct slice in, unsigned *first, struct slice *payload)
{
	const unsigned char *at = (const unsigned char *)in.data;
	size_t len = in.len < 2 ? 0 : at[1];
	size_t digits = len == 126 ? 2 : len == 127 ? 8 : 0;
	if (in.len < 2 + digits) {
		return 0;
	}
	for (size_t i = 0; i < digits; i++) {
		len = (i == 0 ? 0 : len << 8) | at[2 + i];
	}
	if (in.len - 2 - digits < len) {
		return 0;
	}
	*first = at[0];
	*payload = slice_of(in.data + 2 + digits, len);
	return 2 + digits + len;
}

#endif
