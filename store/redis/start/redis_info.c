/*
 * redis_info.c - see redis_info.h.
 */
#include <string.h>

#include "store/redis/redis_table.h"

#define INFO_TRIP_MS  1000 /* an answer that took longer tells too little of the clock */
#define INFO_FRESH_MS 5000 /* what is older says nothing about now */

/* The rest of the line that begins with the name and a colon. */
static bool info_find(struct slice text, const char *name, struct slice *out)
{
	size_t len = strlen(name);
	size_t line = 0;
	for (size_t i = 0; i < text.len; i++) {
		if (text.data[i] == '\n') {
			line = i + 1;
		} else if (i == line && text.len - i > len + 1 &&
			   memcmp(text.data + i, name, len) == 0 && text.data[i + len] == ':') {
			const char *at = text.data + i + len + 1;
			const char *end = memchr(at, '\r', text.len - i - len - 1);
			*out = slice_of(at,
					end == NULL ? text.len - i - len - 1 : (size_t)(end - at));
			return true;
		}
	}
	return false;
}

bool redis_info_number(struct slice text, const char *name, uint64_t *out)
{
	struct slice found;
	uint64_t number = 0;
	if (!info_find(text, name, &found)) {
		return false;
	}
	for (size_t i = 0; i < found.len && found.data[i] >= '0' && found.data[i] <= '9'; i++) {
		number = 10 * number + (uint64_t)(found.data[i] - '0');
	}
	*out = number;
	return true;
}

static void info_take_run(struct redis_info *info, struct slice text)
{
	struct slice run;
	if (!info_find(text, "run_id", &run) || run.len != REDIS_RUN_CHARS ||
	    slice_eq(run, slice_str(info->run))) {
		return;
	}
	info->failovers += info->run[0] != '\0';
	memcpy(info->run, run.data, run.len);
	info->run[run.len] = '\0';
}

/* It was said somewhere between sending and now; the middle is wrong by half of that at most. */
static void info_take_clock(struct redis_table *t, struct slice text, int64_t sent_ms)
{
	int64_t now_ms = redis_now(t);
	uint64_t usec;
	if (now_ms - sent_ms <= INFO_TRIP_MS &&
	    redis_info_number(text, "server_time_usec", &usec)) {
		t->info.clock_ms = usec / 1000;
		t->info.at_ms = sent_ms + (now_ms - sent_ms) / 2;
	}
}

/* Space is that of the fullest server. */
static void info_note_memory(struct redis_table *t)
{
	struct redis_lane *lanes[REDIS_LANES_MAX];
	size_t n = redis_lanes(t, lanes);
	uint64_t most = 0;
	for (size_t i = 0; i < n; i++) {
		const struct redis_lane *lane = lanes[i];
		uint64_t share =
			lane->bytes_max == 0 ? 0 : lane->bytes_used / (lane->bytes_max / 1000 + 1);
		if (i == 0 || share > most) {
			most = share;
			t->bytes_used = lane->bytes_used;
			t->bytes_max = lane->bytes_max;
		}
	}
}

void redis_info_take(struct redis_lane *lane, struct slice text, int64_t sent_ms)
{
	struct redis_table *t = lane->t;
	(void)redis_info_number(text, "used_memory", &lane->bytes_used);
	(void)redis_info_number(text, "maxmemory", &lane->bytes_max);
	info_note_memory(t);
	if (lane->master == NULL) {
		info_take_run(&t->info, text);
		info_take_clock(t, text, sent_ms);
	}
}

static void info_count(struct store_remote *r, const struct redis_link *link)
{
	struct redis_counters c;
	if (link != NULL) {
		redis_link_counters(link, &c);
		r->attempts += c.attempts;
		r->connections += c.connections;
		r->commands += c.commands;
		r->unanswered += c.ends[REDIS_END_LATE] + c.ends[REDIS_END_LOST];
	}
}

void redis_info_leave(struct redis_table *t, const struct redis_link *link)
{
	info_count(&t->info.left, link);
}

struct store_remote redis_info_remote(const struct redis_table *t)
{
	struct store_remote r = t->info.left;
	int64_t age_ms = redis_now(t) - t->info.at_ms;
	_Static_assert(sizeof(r.server) == sizeof(t->info.run), "the same name");
	memcpy(r.server, t->info.run, sizeof(r.server));
	r.commits = t->info.commits;
	r.conflicts = t->info.conflicts;
	r.waits_missed = t->waits_missed;
	r.failovers = t->info.failovers;
	r.has_clock = t->info.at_ms > 0 && age_ms <= INFO_FRESH_MS;
	r.clock_ms = (int64_t)t->info.clock_ms + age_ms;
	info_count(&r, t->commits.link);
	info_count(&r, t->reads.link);
	info_count(&r, t->publications);
	for (size_t i = 0; i < t->masters_n; i++) {
		info_count(&r, t->masters[i]->commits.link);
		info_count(&r, t->masters[i]->reads.link);
	}
	return r;
}
