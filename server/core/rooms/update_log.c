/*
 * update_log.c - chunks of frames, each with the marks where its frames end.
 */
#include "server/core/rooms/update_log.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/assert.h"

/* Most rooms have few updates and need little; a log that holds more gets larger chunks. */
#define CHUNK_BYTES	   4096
#define CHUNK_FRAMES	   48
#define CHUNK_BYTES_SMALL  1024
#define CHUNK_FRAMES_SMALL 12

/* What stands for a frame with some readers. */
struct log_variants {
	uint64_t author;
	size_t for_author_len;
	size_t without_len;
	char bytes[]; /* both, one behind the other */
};

struct log_mark {
	uint32_t end;	 /* of the frame, within the chunk */
	uint32_t brings; /* its version, counted from the chunk's since */
};

struct log_chunk {
	struct log_chunk *next, *prev;
	uint64_t base; /* position of bytes[0] */
	int64_t since; /* version its first frame follows */
	uint32_t len;
	uint32_t capacity;
	uint32_t frames;
	uint32_t frames_max;
	size_t variant_bytes; /* beside len: kept like it */
	struct log_variants *
		*variants; /* of each frame, NULL where it is the same for all; NULL: all are */
	char *bytes;	   /* behind the marks */
	struct log_mark marks[];
};

static void update_log_drop_first(struct update_log *log)
{
	struct log_chunk *chunk = log->first;
	DL_DELETE(log->first, chunk);
	log->last = log->first == NULL ? NULL : log->last;
	log->start = log->first == NULL ? log->end : log->first->base;
	log->first_since = log->first == NULL ? 0 : log->first->since;
	log->variant_bytes -= chunk->variant_bytes;
	for (uint32_t i = 0; chunk->variants != NULL && i < chunk->frames; i++) {
		free(chunk->variants[i]);
	}
	free(chunk->variants);
	free(chunk);
}

void update_log_clear(struct update_log *log)
{
	while (log->first != NULL) {
		update_log_drop_first(log);
	}
	log->start = log->end;
}

void update_log_finish(struct update_log *log)
{
	update_log_clear(log);
}

/* A chunk that has room for the frame: the last one, or a new one. */
static struct log_chunk *update_log_chunk(struct update_log *log, const struct log_frame *frame)
{
	const struct log_chunk *last = log->last;
	if (last != NULL && last->frames < last->frames_max &&
	    frame->whole.len <= last->capacity - last->len &&
	    frame->version - last->since <=
		    UINT32_MAX) { /* its marks count from the chunk's version */
		return log->last;
	}
	bool is_small = log->end - log->start < CHUNK_BYTES;
	size_t frames_max = is_small ? CHUNK_FRAMES_SMALL : CHUNK_FRAMES;
	size_t capacity = is_small ? CHUNK_BYTES_SMALL : CHUNK_BYTES;
	capacity = frame->whole.len > capacity ? frame->whole.len : capacity;
	size_t marks_bytes = frames_max * sizeof(struct log_mark);
	struct log_chunk *chunk = malloc(sizeof(*chunk) + marks_bytes + capacity);
	if (chunk == NULL) {
		return NULL;
	}
	*chunk = (struct log_chunk){.base = log->end,
				    .since = frame->since,
				    .capacity = (uint32_t)capacity,
				    .frames_max = (uint32_t)frames_max,
				    .bytes = (char *)chunk->marks + marks_bytes};
	if (log->first == NULL) {
		log->start = log->end;
		log->first_since = frame->since;
	}
	DL_APPEND(log->first, chunk);
	log->last = chunk;
	return chunk;
}

/* What the next frame of the chunk is for some readers. False when memory is out. */
static bool chunk_put_variants(struct log_chunk *chunk, const struct log_frame *frame)
{
	size_t len = frame->for_author.len + frame->without.len;
	if (len == 0) {
		return true;
	}
	if (chunk->variants == NULL) {
		chunk->variants = calloc(chunk->frames_max, sizeof(struct log_variants *));
	}
	struct log_variants *v = chunk->variants == NULL ? NULL : malloc(sizeof(*v) + len);
	if (v == NULL) {
		return false;
	}
	*v = (struct log_variants){.author = frame->author,
				   .for_author_len = frame->for_author.len,
				   .without_len = frame->without.len};
	memcpy(v->bytes, frame->for_author.data, frame->for_author.len);
	memcpy(v->bytes + frame->for_author.len, frame->without.data, frame->without.len);
	chunk->variants[chunk->frames] = v;
	chunk->variant_bytes += len;
	return true;
}

bool update_log_append(struct update_log *log, const struct log_frame *frame, size_t bytes_max)
{
	ASSERT_CMP(frame->whole.len, >, 0);
	ASSERT_CMP(frame->whole.len, <, UINT32_MAX);
	ASSERT_CMP(frame->version - frame->since, <=, UINT32_MAX);
	struct log_chunk *chunk = update_log_chunk(log, frame);
	if (chunk == NULL || !chunk_put_variants(chunk, frame)) {
		update_log_clear(log);
		log->end += frame->whole.len;
		log->start = log->end;
		return false;
	}
	memcpy(chunk->bytes + chunk->len, frame->whole.data, frame->whole.len);
	chunk->len += (uint32_t)frame->whole.len;
	chunk->marks[chunk->frames++] =
		(struct log_mark){.end = chunk->len,
				  .brings = (uint32_t)(frame->version - chunk->since)};
	log->variant_bytes += frame->for_author.len + frame->without.len;
	log->end += frame->whole.len;
	while (log->end - log->start + log->variant_bytes > bytes_max && log->first != log->last) {
		update_log_drop_first(log);
	}
	return true;
}

void update_log_keep(struct update_log *log, size_t bytes)
{
	while (log->first != log->last && log->end - log->first->next->base >= bytes) {
		update_log_drop_first(log);
	}
}

bool update_log_find(const struct update_log *log, int64_t version, uint64_t *position)
{
	if (log->first == NULL || version < log->first_since) {
		return false;
	}
	for (const struct log_chunk *chunk = log->last;; chunk = chunk->prev) {
		for (uint32_t i = chunk->frames; i > 0; i--) {
			if (chunk->since + chunk->marks[i - 1].brings == version) {
				*position = chunk->base + chunk->marks[i - 1].end;
				return true;
			}
		}
		if (chunk->since == version) {
			*position = chunk->base;
			return true;
		}
		if (chunk == log->first) {
			return false;
		}
	}
}

/* The chunk that holds `position`; searched from the end, where nearly every subscriber is. */
static const struct log_chunk *update_log_at(const struct update_log *log, uint64_t position)
{
	ASSERT_CMP(position, >=, log->start);
	ASSERT_CMP(position, <, log->end);
	const struct log_chunk *chunk = log->last;
	while (chunk->base > position) {
		chunk = chunk->prev;
	}
	return chunk;
}

static uint32_t chunk_frame_at(const struct log_chunk *chunk, uint64_t position)
{
	uint32_t i = 0;
	while (chunk->base + chunk->marks[i].end <= position) {
		i++;
	}
	return i;
}

/* What stands for frame i with this reader; empty where that is the frame itself. */
static struct slice chunk_variant(const struct log_chunk *chunk, uint32_t i,
				  const struct log_reader *reader)
{
	const struct log_variants *v = chunk->variants == NULL ? NULL : chunk->variants[i];
	if (v == NULL) {
		return (struct slice){0};
	}
	if (!reader->wants_data) {
		return slice_of(v->bytes + v->for_author_len, v->without_len);
	}
	return v->author != 0 && v->author == reader->id ? slice_of(v->bytes, v->for_author_len)
							 : (struct slice){0};
}

struct slice update_log_next(const struct update_log *log, const struct log_reader *reader,
			     uint64_t position, uint64_t *next)
{
	const struct log_chunk *chunk = update_log_at(log, position);
	size_t from = (size_t)(position - chunk->base);
	size_t to = chunk->len;
	if (chunk->variants != NULL) {
		uint32_t i = chunk_frame_at(chunk, position);
		struct slice variant = chunk_variant(chunk, i, reader);
		if (variant.len > 0) {
			*next = chunk->base + chunk->marks[i].end;
			return variant;
		}
		while (i + 1 < chunk->frames && chunk_variant(chunk, i + 1, reader).len == 0) {
			i++;
		}
		to = chunk->marks[i].end;
	}
	*next = chunk->base + to;
	return slice_of(chunk->bytes + from, to - from);
}

uint64_t update_log_cut(const struct update_log *log, const struct log_reader *reader,
			uint64_t position, size_t n, struct slice *rest)
{
	const struct log_chunk *chunk = update_log_at(log, position);
	uint32_t i = chunk_frame_at(chunk, position);
	struct slice variant = chunk_variant(chunk, i, reader);
	*rest = (struct slice){0};
	if (n == 0) {
		return position;
	}
	if (variant.len > 0) {
		*rest = slice_of(variant.data + n, variant.len - n);
		return chunk->base + chunk->marks[i].end;
	}
	uint64_t at = position + n;
	uint32_t cut =
		chunk_frame_at(chunk, at - 1); /* the frame that the last byte sent belongs to */
	size_t end = chunk->marks[cut].end;
	size_t sent = (size_t)(at - chunk->base);
	*rest = slice_of(chunk->bytes + sent, end - sent);
	return chunk->base + end;
}
