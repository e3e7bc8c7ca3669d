/*
 * redis_ask.h - a command at a start, and waiting for its answer: one at a time, with the patience that a
 * server needs which restarts, fails over or moves slots. Private to store/redis.
 */
#ifndef STORE_REDIS_REDIS_ASK_H
#define STORE_REDIS_REDIS_ASK_H

#include "store/redis/redis_table.h"

#define REDIS_ASK_MS	      5000 /* a command has that long */
#define REDIS_ASKED_BYTES_MAX 65536

/* ---- what passes by itself ---- */

struct redis_patience {
	int64_t from_ms, until_ms;
	bool has_told;
};

/* 30 s from now on. */
struct redis_patience redis_patience_begin(const struct redis_table *t);
/*
 * Return whether there is time left to wait for that, which a server has said; loading takes as long as it
 * takes. After a second, once, it is told as a warning.
 */
bool redis_patience_lasts(const struct redis_table *t, struct redis_patience *p, enum redis_end end);
/* Return whether the same is worth trying again: asking twice is the same as asking once. */
bool redis_ask_passes(struct redis_table *t, enum redis_end end);
/* Let a moment pass. */
void redis_ask_pause(struct redis_table *t);
void redis_ask_warn(const struct redis_table *t, const char *line);

/* ---- questions ---- */

/* Life: a zeroed struct .. buf_finish(&text). */
struct redis_asked {
	bool is_over;
	enum redis_end end;
	int64_t number;	 /* where the reply is one */
	struct buf text; /* all texts of the reply, a newline behind each */
};

/* Ask. The words end with NULL, at most 8; a->text is empty unless it ended with OK. ERR_NOMEM, ERR_BUSY. */
NODISCARD enum err redis_ask(struct redis_table *t, struct redis_asked *a, const char *const *words);
/* For a command of another kind: its callback, with `a` as its arg, and waiting for that. */
void redis_on_asked(void *arg, enum redis_end end, const struct redis_reply *reply);
void redis_asked_wait(struct redis_table *t, const struct redis_asked *a);
bool redis_asked_has(const struct redis_asked *a, const char *text);
/* Set *why to how it ended; returns ERR_IO. */
enum err redis_ask_fail(const struct redis_table *t, enum redis_end end, struct errmsg *why);

#endif
