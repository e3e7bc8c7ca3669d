/*
 * update_log.c - chunks of frames, each with the marks where its frames end.
 */
#include "server/core/update_log.h"

#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/assert.h"

/* A room that is quiet needs little, and most rooms are; one that talks gets larger pieces. */
#define CHUNK_BYTES	   4096
#define CHUNK_FRAMES	   48
#define CHUNK_BYTES_FIRST  1024
#define CHUNK_FRAMES_FIRST 12

/* What stands for a frame with some readers. */
struct log_variants {
	uint64_t author;
	size_t for_author_len;
	size_t without_len;
	char bytes[]; /* both, one behind the other */
};

struct log_mark {
	uint32_t end;		       /* of the frame, within the chunk */
	int64_t version;	       /* that it brings */
	struct log_variants *variants; /* NULL: the frame is the same for all */
};

struct log_chunk {
	struct log_chunk *next, *prev;
	uint64_t base; /* position of bytes[0] */
	int64_t since; /* version its first frame follows */
	uint32_t len;
	uint32_t capacity;
	uint32_t frames;
	uint32_t frames_max;
	bool has_variants;
	size_t variant_bytes; /* beside len: kept like it */
	char *bytes;	      /* behind the marks */
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
	for (uint32_t i = 0; i < chunk->frames; i++) {
		free(chunk->marks[i].variants);
	}
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
static struct log_chunk *update_log_chunk(struct update_log *log, size_t frame_len, int64_t since)
{
	struct log_chunk *last = log->last;
	if (last != NULL && last->frames < last->frames_max &&
	    frame_len <= last->capacity - last->len) {
		return last;
	}
	size_t frames_max = last == NULL ? CHUNK_FRAMES_FIRST : CHUNK_FRAMES;
	size_t capacity = last == NULL ? CHUNK_BYTES_FIRST : CHUNK_BYTES;
	capacity = frame_len > capacity ? frame_len : capacity;
	size_t marks_bytes = frames_max * sizeof(struct log_mark);
	struct log_chunk *chunk = malloc(sizeof(*chunk) + marks_bytes + capacity);
	if (chunk == NULL) {
		return NULL;
	}
	*chunk = (struct log_chunk){.base = log->end,
				    .since = since,
				    .capacity = (uint32_t)capacity,
				    .frames_max = (uint32_t)frames_max,
				    .bytes = (char *)chunk->marks + marks_bytes};
	if (log->first == NULL) {
		log->start = log->end;
		log->first_since = since;
	}
	DL_APPEND(log->first, chunk);
	log->last = chunk;
	return chunk;
}

/* OK also where there are none to keep. */
static enum err variants_copy(const struct log_frame *frame, struct log_variants **out)
{
	size_t len = frame->for_author.len + frame->without.len;
	*out = NULL;
	if (len == 0) {
		return OK;
	}
	struct log_variants *v = malloc(sizeof(*v) + len);
	if (v == NULL) {
		return ERR_NOMEM;
	}
	*v = (struct log_variants){
		.author = frame->author,
		.for_author_len = frame->for_author.len,
		.without_len = frame->without.len,
	};
	memcpy(v->bytes, frame->for_author.data, frame->for_author.len);
	memcpy(v->bytes + frame->for_author.len, frame->without.data, frame->without.len);
	*out = v;
	return OK;
}

bool update_log_append(struct update_log *log, const struct log_frame *frame, size_t bytes_max)
{
	struct slice whole = frame->whole;
	struct log_variants *variants;
	ASSERT_CMP(whole.len, >, 0);
	ASSERT_CMP(whole.len, <, UINT32_MAX);
	enum err e = variants_copy(frame, &variants);
	struct log_chunk *chunk = e == OK ? update_log_chunk(log, whole.len, frame->since) : NULL;
	if (chunk == NULL) {
		free(variants);
		update_log_clear(log);
		log->end += whole.len;
		log->start = log->end;
		return false;
	}
	memcpy(chunk->bytes + chunk->len, whole.data, whole.len);
	chunk->len += (uint32_t)whole.len;
	chunk->marks[chunk->frames++] = (struct log_mark){.end = chunk->len,
							  .version = frame->version,
							  .variants = variants};
	chunk->has_variants = chunk->has_variants || variants != NULL;
	size_t variant_bytes = frame->for_author.len + frame->without.len;
	chunk->variant_bytes += variant_bytes;
	log->variant_bytes += variant_bytes;
	log->end += whole.len;
	while (log->end - log->start + log->variant_bytes > bytes_max && log->first != log->last) {
		update_log_drop_first(log);
	}
	return true;
}

void update_log_trim(struct update_log *log, uint64_t position)
{
	while (log->first != NULL && log->first->base + log->first->len <= position &&
	       log->first != log->last) {
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
			if (chunk->marks[i - 1].version == version) {
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

/* The chunk that holds `position`; searched from the end, where nearly every watcher is. */
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

/* What stands for the frame with this reader; empty where that is the frame itself. */
static struct slice mark_variant(const struct log_mark *mark, const struct log_reader *reader)
{
	const struct log_variants *v = mark->variants;
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
	if (chunk->has_variants) {
		uint32_t i = chunk_frame_at(chunk, position);
		struct slice variant = mark_variant(&chunk->marks[i], reader);
		if (variant.len > 0) {
			*next = chunk->base + chunk->marks[i].end;
			return variant;
		}
		while (i + 1 < chunk->frames &&
		       mark_variant(&chunk->marks[i + 1], reader).len == 0) {
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
	struct slice variant = mark_variant(&chunk->marks[i], reader);
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
