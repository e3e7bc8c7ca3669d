/*
 * redis_cluster.c - which master of a cluster has which bucket of rooms.
 *
 * The map is read at the start, and again when a master is lost or answers that a slot has moved (redis_seek.c).
 * What waited for a master follows its bucket to the next one; what is under way there comes back by itself,
 * and goes before what was called later.
 */
#include <stdlib.h>
#include <string.h>

#include <utlist.h>

#include "proto/base/format.h"
#include "proto/text/decimal.h"
#include "store/redis/redis_table.h"

#define CLUSTER_SLOTS 16384

/* CRC-16 of XMODEM, of what is in the braces of a key. */
static uint16_t slot_of(struct slice tag)
{
	unsigned crc = 0;
	for (size_t i = 0; i < tag.len; i++) {
		crc ^= (unsigned)(unsigned char)tag.data[i] << 8;
		for (int bit = 0; bit < 8; bit++) {
			crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
		}
		crc &= 0xffff;
	}
	return (uint16_t)(crc % CLUSTER_SLOTS);
}

void redis_cluster_begin(struct redis_table *t)
{
	for (unsigned scope = 0; scope < ITEM_BUCKETS; scope++) {
		char tag[12];
		size_t len = format_to(tag, sizeof(tag), "b%u", scope);
		t->slots[scope] = slot_of(slice_of(tag, len));
	}
	t->slots[ITEM_SCOPE_DIRECTORY] = slot_of(SLICE("d"));
}

/* ---- masters ---- */

/* The one at that place; NULL: memory is out, or there have been too many. */
static struct redis_master *master_at(struct redis_table *t, const struct redis_place *at)
{
	for (size_t i = 0; i < t->masters_n; i++) {
		if (redis_place_is(&t->masters[i]->address.at, at)) {
			return t->masters[i];
		}
	}
	struct redis_master *m = t->masters_n < REDIS_MASTERS_MAX ? calloc(1, sizeof(*m)) : NULL;
	if (m != NULL) {
		redis_address_of_server(&t->address, at, &m->address);
		m->commits = (struct redis_lane){.t = t, .master = m, .is_commits = true};
		m->reads = (struct redis_lane){.t = t, .master = m};
		t->masters[t->masters_n++] = m;
	}
	return m;
}

static void lane_close(struct redis_lane *lane)
{
	struct redis_link *link = lane->link;
	redis_info_leave(lane->t, link);
	redis_link_destroy(link);
	lane->link = NULL;
}

/* What waits in the lane, and does not belong there any more, goes where it does. */
static void lane_rehome(struct redis_lane *lane)
{
	struct redis_job *jobs = lane->again;
	struct redis_job *job;
	struct redis_job *next;
	DL_CONCAT(jobs, lane->waiting);
	lane->again = NULL;
	lane->waiting = NULL;
	DL_FOREACH_SAFE (jobs, job, next) {
		redis_lane_return(job);
	}
}

static void cluster_rehome(struct redis_table *t)
{
	for (size_t i = 0; i < t->masters_n; i++) {
		lane_rehome(&t->masters[i]->commits);
		lane_rehome(&t->masters[i]->reads);
	}
}

/* Jobs may point to their lanes, so those stay; there may be slots at that place again. */
void redis_cluster_tick(struct redis_table *t)
{
	bool has_closed = false;
	for (size_t i = 0; i < t->masters_n; i++) {
		struct redis_master *m = t->masters[i];
		if (!m->is_named && (m->commits.link != NULL || m->reads.link != NULL)) {
			/* What is under way there ends, and is sent again elsewhere. */
			lane_close(&m->commits);
			lane_close(&m->reads);
			has_closed = true;
		}
	}
	if (has_closed) {
		cluster_rehome(t);
		redis_lanes_run(t);
	}
}

void redis_cluster_finish(struct redis_table *t)
{
	for (size_t i = 0; i < t->masters_n; i++) {
		lane_close(&t->masters[i]->commits);
		lane_close(&t->masters[i]->reads);
		redis_address_finish(&t->masters[i]->address);
		free(t->masters[i]);
	}
	t->masters_n = 0;
}

/* ---- the map ---- */

/* A range of slots: the first, the last, and the master, which has no host where it is the server that was asked. */
struct range {
	int64_t first, last;
	struct redis_place at;
};

static bool range_read(const struct redis_reply *reply, const struct redis_place *asked,
		       struct range *out)
{
	const struct redis_reply *first = redis_reply_at(reply, 0);
	const struct redis_reply *last = redis_reply_at(reply, 1);
	const struct redis_reply *master = redis_reply_at(reply, 2);
	const struct redis_reply *host = redis_reply_at(master, 0);
	const struct redis_reply *port = redis_reply_at(master, 1);
	*out = (struct range){.first = 0};
	if (port == NULL || first->kind != REDIS_INTEGER || last->kind != REDIS_INTEGER ||
	    port->kind != REDIS_INTEGER || port->integer < 1 || port->integer > 65535 ||
	    host->text.len >= sizeof(out->at.host)) {
		return false;
	}
	out->first = first->integer;
	out->last = last->integer;
	if (host->kind == REDIS_STRING && host->text.len > 0) {
		memcpy(out->at.host, host->text.data, host->text.len);
	} else {
		memcpy(out->at.host, asked->host, sizeof(out->at.host));
	}
	(void)format_to(out->at.port, sizeof(out->at.port), "%d", (int)port->integer);
	return true;
}

/* The scopes of the range belong to its master. */
static bool range_apply(struct redis_table *t, const struct range *range,
			struct redis_master *(*of)[ITEM_BUCKETS + 1])
{
	struct redis_master *m = NULL;
	for (unsigned scope = 0; scope <= ITEM_SCOPE_DIRECTORY; scope++) {
		if (t->slots[scope] < range->first || t->slots[scope] > range->last) {
			continue;
		}
		m = m != NULL ? m : master_at(t, &range->at);
		if (m == NULL) {
			return false;
		}
		(*of)[scope] = m;
	}
	return true;
}

static bool map_read(struct redis_table *t, const struct redis_reply *reply,
		     const struct redis_place *asked, struct redis_master *(*of)[ITEM_BUCKETS + 1])
{
	const struct redis_reply *r = reply->kind == REDIS_ARRAY ? reply->first : NULL;
	for (; r != NULL; r = r->next) {
		struct range range;
		if (!range_read(r, asked, &range) || !range_apply(t, &range, of)) {
			return false;
		}
	}
	for (unsigned scope = 0; scope <= ITEM_SCOPE_DIRECTORY; scope++) {
		if ((*of)[scope] == NULL) {
			return false;
		}
	}
	return true;
}

/* Whether it is the one that commands are sent by. */
static bool map_is_known(const struct redis_table *t, struct redis_master *const *of)
{
	return memcmp(t->of_bucket, of, sizeof(t->of_bucket)) == 0 &&
	       redis_place_is(&of[ITEM_SCOPE_DIRECTORY]->address.at, &t->master.at);
}

bool redis_cluster_read(struct redis_table *t, const struct redis_reply *reply,
			struct redis_place *home)
{
	struct redis_master *of[ITEM_BUCKETS + 1] = {NULL};
	bool is_map = map_read(t, reply, &t->seek.place, &of);
	if (is_map) {
		t->map += !map_is_known(t, of);
		memcpy(t->of_bucket, of, sizeof(t->of_bucket));
		*home = of[ITEM_SCOPE_DIRECTORY]->address.at;
		for (size_t i = 0; i < t->masters_n; i++) {
			t->masters[i]->is_named = false;
		}
		for (unsigned scope = 0; scope <= ITEM_SCOPE_DIRECTORY; scope++) {
			of[scope]->is_named = true;
		}
	}
	cluster_rehome(t);
	return is_map;
}

/* ---- a walk through all servers ---- */

/* From this one on, the first that has slots: those that have none any more have nothing, and may be gone. */
static size_t walk_named(const struct redis_table *t, size_t nth)
{
	while (nth < t->masters_n && !t->masters[nth]->is_named) {
		nth++;
	}
	return nth;
}

/* The number at the front of the cursor, and what is behind its colon; *rest is empty if there is none. */
static uint64_t walk_number(struct slice *rest, uint64_t max)
{
	size_t digits = 0;
	int64_t n = decimal_front(*rest, (int64_t)max, &digits);
	bool is_one = n >= 0 && rest->len > digits && rest->data[digits] == ':';
	*rest = is_one ? slice_of(rest->data + digits + 1, rest->len - digits - 1) : NO_SLICE;
	return is_one ? (uint64_t)n : 0;
}

/* A cursor in a cluster is "map:nth:rest"; behind the last server nothing is named. */
struct redis_walk redis_cluster_walk(struct redis_table *t, struct slice cursor)
{
	struct redis_walk walk = {.lane = &t->reads,
				  .rest = cursor.len > 0 ? cursor : SLICE("0"),
				  .map = t->map};
	if (!t->address.is_cluster) {
		return walk;
	}
	walk.rest = cursor;
	bool goes_on = walk_number(&walk.rest, INT64_MAX) == t->map;
	size_t nth = (size_t)walk_number(&walk.rest, REDIS_MASTERS_MAX);
	if (!goes_on || walk.rest.len == 0) {
		nth = 0;
		walk.rest = SLICE("0");
	}
	nth = walk_named(t, nth);
	walk.is_end = nth == t->masters_n;
	walk.lane = walk.is_end ? &t->reads : &t->masters[nth]->reads;
	return walk;
}

static size_t walk_write(uint64_t map, size_t nth, struct slice rest, char out[REDIS_WALK_BYTES])
{
	return format_to(out, REDIS_WALK_BYTES, "%llu:%zu:%.*s", (unsigned long long)map, nth,
			 (int)rest.len, rest.data);
}

size_t redis_cluster_walked(const struct redis_table *t, const struct redis_walk *walk,
			    struct slice rest, char out[REDIS_WALK_BYTES])
{
	bool is_over = slice_eq(rest, SLICE("0"));
	size_t nth = 0;
	if (!t->address.is_cluster) {
		return is_over ? 0
			       : format_to(out, REDIS_WALK_BYTES, "%.*s", (int)rest.len, rest.data);
	}
	while (nth < t->masters_n && &t->masters[nth]->reads != walk->lane) {
		nth++;
	}
	return walk_write(walk->map, is_over ? walk_named(t, nth + 1) : nth, rest, out);
}

size_t redis_cluster_walked_all(struct redis_table *t, const struct redis_walk *walk,
				const struct redis_reply *map, char out[REDIS_WALK_BYTES])
{
	struct redis_master *of[ITEM_BUCKETS + 1] = {NULL};
	bool is_known = map_read(t, map, &t->master.at, &of) && map_is_known(t, of);
	if (is_known && walk->map == t->map) {
		return 0;
	}
	t->seek.is_wanted = t->seek.is_wanted || !is_known;
	return walk_write(0, 0, SLICE("0"), out); /* no map has that number */
}
