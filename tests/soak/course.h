/*
 * course.h - how a server did in the course of hours: its figures, what happened to it, and whether it stayed as it was.
 *
 * Pure: no clock, file or process. Life: course_init() .. course_finish().
 */
#ifndef TESTS_SOAK_COURSE_H
#define TESTS_SOAK_COURSE_H

#include <stdbool.h>
#include <stddef.h>

#include "proto/base/buf.h"

/* What is recorded each time; one line each of the drawing. */
/*          SYMBOL       json name         title                                    decimals */
#define COURSE_FIGURES(X)                                                                       \
	X(MEMORY,      "memory_kb",       "Memory of the server's own (kB)",           0)       \
	X(DESCRIPTORS, "descriptors",     "Open descriptors",                          0)       \
	X(DISK,        "disk_kb",         "Data in use on disk (kB)",                  0)       \
	X(KEPT,        "changes_kept",    "Acknowledged changes that are kept on disk", 0)      \
	X(CHANGES,     "changes_a_second", "Acknowledged changes a second",            0)       \
	X(P50,         "p50_ms",          "Longest time of the faster half of all changes (ms)", 2)       \
	X(P99,         "p99_ms",          "Longest time of the fastest 99 % (ms)", 2)

enum course_figure {
#define COURSE_ENUM(symbol, json, title, decimals) COURSE_##symbol,
	COURSE_FIGURES(COURSE_ENUM)
#undef COURSE_ENUM
	COURSE_FIGURE_COUNT
};

struct course_sample {
	double at_s;   /* since the beginning */
	unsigned life; /* of the server: one more with each start */
	double figures[COURSE_FIGURE_COUNT];
};

struct course_event {
	double at_s;
	const char *text; /* the caller's */
};

struct course {
	struct course_sample *samples;
	size_t samples_n, samples_room;
	struct course_event *events;
	size_t events_n, events_room;
};

void course_init(struct course *c);
void course_finish(struct course *c);
/* In the order of their times. ERR_NOMEM: it was not added. */
NODISCARD enum err course_add_sample(struct course *c, const struct course_sample *sample);
NODISCARD enum err course_add_event(struct course *c, double at_s, const char *text);

/*
 * Judged are the last two thirds of the server's last life, the earlier against the later one. Its first third is for
 * warming up. Each of the two has to have at least COURSE_SAMPLES_MIN samples; otherwise the course is too short.
 *
 * - memory: the median has not grown by more than 2 % and 1 MB, or 2 MB where that is more: each crowd that comes at once
 *   may leave the heap of a small server so much larger, until the largest has come
 * - descriptors: the least has not grown
  * - disk: over both of them a change that is kept takes no more than a quarter above what it took from the beginning of
 *   the course to theirs. A tenth of the data is free, as a backup that is made keeps pages from being used again.
 */
#define COURSE_SAMPLES_MIN 30

enum course_verdict { COURSE_FLAT, COURSE_GREW, COURSE_SHORT };

struct course_judgement {
	enum course_verdict memory, descriptors, disk;
	/* Of the earlier and of the later part; of the disk, bytes for a change that is kept, before both and in them. */
	double memory_kb[2], least_descriptors[2], bytes_a_change[2];
};

void course_judge(const struct course *c, struct course_judgement *out);
/* "flat", "grew" or "too short to tell". */
const char *course_verdict_text(enum course_verdict v);

/* One JSON object, and a drawing of it: figures one below the other, events as lines across all. Sticky in out->error. */
void course_write_json(const struct course *c, struct buf *out);
void course_write_svg(const struct course *c, struct buf *out);

#endif
