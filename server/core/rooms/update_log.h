/*
 * update_log.h - per-room ring buffer of encoded update frames, shared by all subscribers.
 *
 * Frames stand one behind the other in chunks; a subscriber is a position in that
 * stream, always at a frame's beginning. Nothing is copied for a subscriber and
 * nothing is kept for a slow one: when the log has moved past a position, its
 * owner gets one full update instead.
 *
 * Positions count bytes since the room came into memory and never repeat.
 *
 * Life: a zeroed struct .. update_log_finish().
 */
#ifndef SERVER_CORE_ROOMS_UPDATE_LOG_H
#define SERVER_CORE_ROOMS_UPDATE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/err.h"
#include "proto/base/slice.h"

struct log_chunk;

struct update_log {
	struct log_chunk *first, *last;
	uint64_t start; /* position of the oldest byte kept */
	uint64_t end;   /* position behind the newest */
	int64_t first_since; /* version that the oldest frame kept follows */
	size_t variant_bytes; /* of what stands for frames with some readers; counts towards what may be kept */
};

void update_log_finish(struct update_log *log);

/* A subscriber: some frames are shorter for the author of the change, and for clients that opt out of shared data. */
struct log_reader {
	uint64_t id; /* as frame's author; 0: nobody */
	bool wants_data;
};

/* A frame to append: follows version `since`, brings `version`. */
struct log_frame {
	struct slice whole;
	int64_t since;
	int64_t version;
	uint64_t author;
	struct slice for_author; /* instead of whole; empty: the frame is the same for all, and so is the next */
	struct slice without;    /* instead of whole for readers that want no data */
};

/*
 * Append one frame. The log keeps at most bytes_max, variants counted (or that
 * one chunk of frames, if it is larger). False when memory is out: then the log has been emptied, so that
 * every position is behind it and every subscriber gets a full update.
 */
bool update_log_append(struct update_log *log, const struct log_frame *frame, size_t bytes_max);

/* Forget everything; every position short of the end has fallen off. */
void update_log_clear(struct update_log *log);

/*
 * Forget the oldest frames, as far as whole chunks go and `bytes` of the newest
 * (variants not counted) stay.
 */
void update_log_keep(struct update_log *log, size_t bytes);

/* Where a copy that stands at `version` goes on; false when what follows it is no longer here. */
bool update_log_find(const struct update_log *log, int64_t version, uint64_t *position);

/*
 * What the reader is sent next from `position` (a frame's beginning, start <=
 * position < end): one run of bytes, and in *next the frame's beginning behind
 * it. Valid until the next append, clear or trim.
 */
struct slice update_log_next(const struct update_log *log, const struct log_reader *reader, uint64_t position,
			     uint64_t *next);

/*
 * The run that begins at `position` was cut after n bytes: where does the frame
 * that was cut begin again, and what is left of it? *rest is empty where the
 * cut fell between frames.
 */
uint64_t update_log_cut(const struct update_log *log, const struct log_reader *reader, uint64_t position, size_t n,
			struct slice *rest);

#endif
