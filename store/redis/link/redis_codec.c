/*
 * redis_codec.c - hiredis, held to our limits.
 *
 * The reader calls us for each element as soon as it is whole, so that the tree grows with what
 * has come. What it cannot be told are limits: those are looked at before each of its turns.
 */
#include "store/redis/link/redis_codec.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <hiredis/hiredis.h>

#include "proto/base/assert.h"
#include "proto/base/wipe.h"
#include "proto/text/decimal.h"
#include "store/redis/link/redis_link.h"

/*
 * After each reply the reader moves what it has left to the front of its buffer, once more than
 * a kilobyte was used: small pieces keep that cheap.
 */
#define CODEC_FEED_BYTES 16384
struct node {
	struct redis_reply reply;
	struct redis_reply *last; /* of an array: the newest element */
};

/* ---- elements, as the reader finds them ---- */

static struct redis_reply *codec_add(const redisReadTask *task, enum redis_reply_kind kind)
{
	struct redis_codec *c = task->privdata;
	struct node *node = arena_alloc(&c->arena, sizeof(*node));
	if (node == NULL) {
		c->error = ERR_NOMEM;
		return NULL;
	}
	node->reply.kind = kind;
	if (task->parent != NULL) {
		struct node *parent = task->parent->obj;
		*(parent->last == NULL ? &parent->reply.first : &parent->last->next) = &node->reply;
		parent->last = &node->reply;
	}
	return &node->reply;
}

/* The reader skips two bytes behind a string without a look at them. */
static void *codec_on_string(const redisReadTask *task, char *text, size_t len)
{
	struct redis_codec *c = task->privdata;
	bool ok = true;
	if (text[len] != '\r' || text[len + 1] != '\n') {
		c->error = ERR_PROTO;
		return NULL;
	}
	enum redis_reply_kind kind = task->type == REDIS_REPLY_ERROR	? REDIS_ERROR
				     : task->type == REDIS_REPLY_STATUS ? REDIS_STATUS
									: REDIS_STRING;
	struct redis_reply *r = codec_add(task, kind);
	if (r != NULL) {
		r->text = arena_copy(&c->arena, slice_of(text, len), &ok);
		c->error = ok ? c->error : ERR_NOMEM;
	}
	return ok ? r : NULL;
}

static void *codec_on_array(const redisReadTask *task, int n)
{
	struct redis_codec *c = task->privdata;
	if ((size_t)n > REDIS_REPLY_NODES_MAX - c->nodes) {
		c->error = ERR_TOO_LARGE;
		return NULL;
	}
	c->nodes += (size_t)n;
	struct redis_reply *r = codec_add(task, REDIS_ARRAY);
	if (r != NULL) {
		r->n = (size_t)n;
	}
	return r;
}

static void *codec_on_integer(const redisReadTask *task, long long integer)
{
	struct redis_reply *r = codec_add(task, REDIS_INTEGER);
	if (r != NULL) {
		r->integer = integer;
	}
	return r;
}

static void *codec_on_nil(const redisReadTask *task)
{
	return codec_add(task, REDIS_NIL);
}

/* Elements are the arena's: there is nothing to free. */
static redisReplyObjectFunctions codec_functions = {
	.createString = codec_on_string,
	.createArray = codec_on_array,
	.createInteger = codec_on_integer,
	.createNil = codec_on_nil,
};

/* ---- replies ---- */

enum err redis_codec_begin(struct redis_codec *c)
{
	redis_codec_finish(c);
	c->reader = redisReaderCreateWithFunctions(&codec_functions);
	if (c->reader == NULL) {
		return ERR_NOMEM;
	}
	c->reader->privdata = c;
	return OK;
}

void redis_codec_finish(struct redis_codec *c)
{
	if (c->reader != NULL) {
		redisReaderFree(c->reader);
	}
	arena_finish(&c->arena);
	*c = (struct redis_codec){0};
}

static size_t codec_unread(const struct redis_codec *c)
{
	return c->reader->len - c->reader->pos;
}

/*
 * What is unread begins with a line: a status, an error, a number, or the length in front of a
 * string, which the reader leaves there until all of the string has come.
 */
static bool codec_line_is_too_long(const struct redis_codec *c)
{
	return codec_unread(c) > REDIS_REPLY_LINE_MAX &&
	       memchr(c->reader->buf + c->reader->pos, '\n', REDIS_REPLY_LINE_MAX) == NULL;
}

static enum err codec_feed(struct redis_codec *c, struct slice *in)
{
	size_t n = in->len < CODEC_FEED_BYTES ? in->len : CODEC_FEED_BYTES;
	if (codec_line_is_too_long(c) || n > REDIS_REPLY_BYTES_MAX - c->bytes) {
		return ERR_TOO_LARGE;
	}
	if (redisReaderFeed(c->reader, in->data, n) != REDIS_OK) {
		return ERR_NOMEM;
	}
	c->bytes += n;
	*in = slice_of(in->data + n, in->len - n);
	return OK;
}

enum err redis_codec_next(struct redis_codec *c, struct slice *in, const struct redis_reply **out)
{
	/* A reply that is incomplete stays where it is. */
	if (c->reader->ridx < 0) {
		arena_reset(&c->arena);
		c->nodes = 1;
		c->bytes = codec_unread(c);
	}
	for (;;) {
		void *found = NULL;
		if (redisReaderGetReply(c->reader, &found) != REDIS_OK) {
			return c->error != OK			 ? c->error
			       : c->reader->err == REDIS_ERR_OOM ? ERR_NOMEM
								 : ERR_PROTO;
		}
		if (found != NULL) {
			*out = found;
			return OK;
		}
		if (in->len == 0) {
			return ERR_MORE;
		}
		enum err e = codec_feed(c, in);
		if (e != OK) {
			return e;
		}
	}
}

/* ---- commands ---- */

/* "*3" or "$12", and the end of the line. */
static char *codec_put_header(char *at, char sign, size_t number)
{
	*at++ = sign;
	at += decimal_write(number, at);
	*at++ = '\r';
	*at++ = '\n';
	return at;
}

#define CODEC_HEADER_BYTES (1 + DECIMAL_BYTES_MAX + 2)

static char *codec_put_words(char *at, const struct slice *words, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		at = codec_put_header(at, '$', words[i].len);
		if (words[i].len > 0) {
			memcpy(at, words[i].data, words[i].len);
		}
		at += words[i].len;
		*at++ = '\r';
		*at++ = '\n';
	}
	return at;
}

static size_t codec_most_bytes(const struct slice *words, size_t n)
{
	size_t bytes = 0;
	for (size_t i = 0; i < n; i++) {
		bytes += CODEC_HEADER_BYTES + words[i].len + 2;
	}
	return bytes;
}

/* redisFormatCommandArgv() makes the same, by a printf() for each word. */
enum err redis_codec_command(const struct slice *first, size_t first_n, const struct slice *args,
			     size_t n, char **out, size_t *len)
{
	ASSERT(first_n + n > 0 && first_n + n <= INT_MAX);
	char *command = malloc(CODEC_HEADER_BYTES + codec_most_bytes(first, first_n) +
			       codec_most_bytes(args, n));
	if (command == NULL) {
		return ERR_NOMEM;
	}
	char *at = codec_put_header(command, '*', first_n + n);
	at = codec_put_words(at, first, first_n);
	at = codec_put_words(at, args, n);
	*out = command;
	*len = (size_t)(at - command);
	return OK;
}

void redis_codec_free(char *command, size_t len)
{
	if (command != NULL) {
		wipe(command, len);
		free(command);
	}
}
