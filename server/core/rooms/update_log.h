/*
 * update_log.h - a ring buffer of a room's encoded update frames, shared by all its subscribers.
 *
 * Frames are stored one after another in chunks. A subscriber is a position in that stream,
 * always at the start of a frame. Nothing is copied per subscriber and nothing is kept for slow
 * ones: when the log no longer has a subscriber's position, that subscriber gets a full update
 * instead.
 *
 * Positions count bytes since the room was loaded into memory and never repeat.
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
	uint64_t end;   /* position after the newest byte */
	int64_t first_since; /* the version before the oldest frame kept */
	/* bytes of the shorter variants of frames; they count towards the size of the log */
	size_t variant_bytes;
};

void update_log_finish(struct update_log *log);

/*
 * A subscriber. Some frames have shorter variants for the author of the change, and for clients
 * that opt out of shared data.
 */
struct log_reader {
	uint64_t id; /* compared with the frame's author; 0: none */
	bool wants_data;
};

/* A frame to append: follows version `since`, ends at `version`. */
struct log_frame {
	struct slice whole;
	int64_t since;
	int64_t version;
	uint64_t author;
	/*
	 * instead of `whole` for the author; empty, as is `without`: the frame is the same for
	 * all readers
	 */
	struct slice for_author;
	struct slice without;    /* instead of `whole` for readers without wants_data */
};

/*
 * Append one frame. The log keeps at most bytes_max, including variants (or the one chunk of
 * frames, if that is larger). Returns false if memory is out: the log is then empty, so that
 * every subscriber gets a full update.
 */
bool update_log_append(struct update_log *log, const struct log_frame *frame, size_t bytes_max);

/* Discard all frames; every position before the end is lost. */
void update_log_clear(struct update_log *log);

/*
 * Discard the oldest frames in whole chunks, keeping at least `bytes` of the newest (without
 * variants).
 */
void update_log_keep(struct update_log *log, size_t bytes);

/*
 * Find the position from which a copy at `version` can be updated; false if the log no longer has
 * the frames that follow.
 */
bool update_log_find(const struct update_log *log, int64_t version, uint64_t *position);

/*
 * Return the bytes that the reader is sent next from `position` (the start of a frame, start <=
 * position < end), and in *next the start of the frame after them. Valid until the next append,
 * clear or keep.
 */
struct slice update_log_next(const struct update_log *log, const struct log_reader *reader, uint64_t position,
			     uint64_t *next);

/*
 * Only the first n bytes that update_log_next() returned for `position` were sent: set *rest to
 * the unsent rest of the last frame that was sent in part, and return the position after that
 * frame. *rest is empty if no frame was cut.
 */
uint64_t update_log_cut(const struct update_log *log, const struct log_reader *reader, uint64_t position, size_t n,
			struct slice *rest);

#endif
