/*
 * redis_check_index.c - a part of a check: a page of the entries of indexes, each with its item as a
 * script sees both.
 *
 * Entries of the directory that lead into rooms are not looked at: they may be written before their item, and
 * stay behind it until a reader finds that; no reader shows them.
 *
 * The indexes have places: first those of the directory, then ByExpiry of each bucket.
 */
#include "proto/base/assert.h"
#include "store/base/read.h"
#include "store/redis/admin/redis_check.h"
#include "store/redis/redis_item.h"

#define INDEX_PLACES  (INDEX_COUNT + ITEM_BUCKETS)
#define INDEX_AT_ONCE 64  /* asked for a page each */
#define INDEX_PAGE    128 /* entries */

static unsigned place_scope(unsigned place)
{
	return place < INDEX_COUNT ? ITEM_SCOPE_DIRECTORY : place - INDEX_COUNT;
}

static enum index_id place_index(unsigned place)
{
	return place < INDEX_COUNT ? (enum index_id)place : INDEX_BY_EXPIRY;
}

/* 2 bytes, the greater first. */
static unsigned place_read(const char *at)
{
	return (unsigned)(unsigned char)at[0] << 8 | (unsigned char)at[1];
}

static void place_write(unsigned place, char out[2])
{
	out[0] = (char)(place >> 8);
	out[1] = (char)(place & 0xff);
}

static unsigned cursor_place(const struct redis_job *job)
{
	struct slice cursor = job->w->cursor;
	unsigned place = cursor.len < 3 ? INDEX_PLACES : place_read(cursor.data + 1);
	return place < INDEX_PLACES ? place : INDEX_PLACES;
}

/* ---- first: pages of entries ---- */

static enum err index_send_page(struct redis_job *job, unsigned place, struct slice after)
{
	struct redis_args *args = &job->t->args;
	redis_args_clear(args);
	redis_args_add(args, SLICE("ZRANGEBYLEX"));
	redis_args_key(args, place_scope(place), "x:", slice_str(index_names[place_index(place)]));
	if (after.len > 0) { /* a member begins with it */
		redis_args_end(args, after);
	} else {
		redis_args_add(args, SLICE("-"));
	}
	redis_args_add(args, SLICE("+"));
	redis_args_add(args, SLICE("LIMIT"));
	redis_args_add(args, SLICE("0"));
	redis_args_number(args, INDEX_PAGE);
	return redis_job_call(job, REDIS_NO_SCRIPT);
}

static enum err index_send_first(struct redis_job *job)
{
	struct redis_check *c = job->check;
	unsigned first = cursor_place(job);
	struct slice cursor = job->w->cursor;
	struct slice after = cursor.len > 3 ? slice_of(cursor.data + 3, cursor.len - 3) : NO_SLICE;
	enum err e = OK;
	c->next_len = 0;
	for (c->asked = 0; c->asked < INDEX_AT_ONCE && first + c->asked < INDEX_PLACES && e == OK;
	     c->asked++) {
		e = index_send_page(job, first + c->asked, c->asked == 0 ? after : NO_SLICE);
	}
	if (c->asked == 0 && e == OK) { /* not a cursor of ours: there is no more */
		e = index_send_page(job, 0, slice_of("\xff", 1));
	}
	return e;
}

/* The members of a page; where they are enough for this part, the next begins behind them. */
static enum err index_on_page(struct redis_job *job, const struct redis_reply *reply)
{
	struct redis_check *c = job->check;
	unsigned place = cursor_place(job) + (unsigned)c->at++;
	char word[2 + REDIS_MEMBER_BYTES_MAX];
	struct slice entry_key = NO_SLICE, item_key;
	struct check problems = {.on_problem = read_on_problem, .arg = job->w};
	if (reply->kind != REDIS_ARRAY) {
		return ERR_IO;
	}
	if (c->is_full || place >= INDEX_PLACES) {
		return OK;
	}
	place_write(place, word);
	for (const struct redis_reply *r = reply->first; r != NULL; r = r->next) {
		job->w->checked.entries++;
		if (!redis_member_split(r->text, &entry_key, &item_key)) {
			entry_key =
				slice_of(r->text.data,
					 r->text.len < KEY_BYTES_MAX ? r->text.len : KEY_BYTES_MAX);
			check_problem(&problems, index_names[place_index(place)], NO_SLICE,
				      "has an entry that is damaged");
			continue;
		}
		memcpy(word + 2, r->text.data, r->text.len);
		redis_args_copy(&c->words, slice_of(word, 2 + r->text.len));
	}
	bool has_more = reply->n == INDEX_PAGE && entry_key.len > 0;
	c->is_full = has_more || c->words.n >= 2 * INDEX_PAGE;
	if (has_more) {
		redis_check_next(c, 'x', slice_of(word, 2), entry_key);
	} else if (place + 1 < INDEX_PLACES) {
		place_write(place + 1, word);
		redis_check_next(c, 'x', slice_of(word, 2), NO_SLICE);
	} else {
		c->next_len = 0;
	}
	return c->words.error;
}

/* ---- second: each entry with its item ---- */

static bool index_split(struct slice word, unsigned *place, struct slice *member, struct slice *pk,
			struct slice *sk)
{
	struct slice entry_key, item_key;
	*place = place_read(word.data);
	*member = slice_of(word.data + 2, word.len - 2);
	return redis_member_split(*member, &entry_key, &item_key) && key_split(item_key, pk, sk) &&
	       item_scope_of(*pk) == place_scope(*place);
}

static enum err index_send_second(struct redis_job *job)
{
	struct redis_args *args = &job->t->args;
	struct redis_check *c = job->check;
	enum err e = OK;
	for (size_t i = 0; i < c->words.n && e == OK; i++) {
		struct slice member, pk, sk;
		unsigned place;
		if (!index_split(c->words.at[i], &place, &member, &pk, &sk)) {
			continue;
		}
		redis_args_clear(args);
		redis_args_add(args, SLICE("2"));
		redis_args_key(args, place_scope(place),
			       "x:", slice_str(index_names[place_index(place)]));
		redis_args_key(args, place_scope(place), "i:", pk);
		redis_args_add(args, member);
		redis_args_add(args, sk);
		e = redis_job_call(job, REDIS_SCRIPT_ENTRY);
	}
	return e;
}

static enum err index_look(struct redis_job *job, unsigned place, struct slice member,
			   struct slice stored)
{
	struct check c = {.on_problem = read_on_problem, .arg = job->w};
	const char *name = index_names[place_index(place)];
	struct slice entry_key, item_key, pk, sk, section, value;
	struct index_entries entries;
	uint64_t version;
	bool is_member =
		redis_member_split(member, &entry_key, &item_key) && key_split(item_key, &pk, &sk);
	ASSERT(is_member);
	struct index_entry entry = {.index = place_index(place), .key = entry_key};
	if (stored.len == 0) {
		check_problem(&c, name, item_key, "points to no item");
		return OK;
	}
	if (redis_item_open(item_key, stored, &version, &section, &value) != OK) {
		return OK; /* told with the item */
	}
	enum item_kind kind = item_kind_of(pk, sk);
	enum err e = kind == ITEM_COUNT
			     ? ERR_CORRUPT
			     : index_entries_of(kind, item_key, value, &job->t->arena, &entries);
	if (e == OK && !index_entries_have(&entries, &entry)) {
		check_problem(&c, name, item_key, "lists the item in the wrong place");
	}
	arena_reset(&job->t->arena);
	return e == ERR_NOMEM ? e : OK;
}

/* The entry may have gone since the page; then it is not there, which is no problem. */
static enum err index_on_entry(struct redis_job *job, const struct redis_reply *reply)
{
	struct redis_check *c = job->check;
	const struct redis_reply *is_listed = redis_reply_at(reply, 0);
	const struct redis_reply *stored = redis_reply_at(reply, 1);
	struct slice member = NO_SLICE, pk, sk;
	unsigned place = 0;
	while (c->at < c->words.n && !index_split(c->words.at[c->at], &place, &member, &pk, &sk)) {
		c->at++;
	}
	if (stored == NULL || c->at == c->words.n) {
		return ERR_IO;
	}
	c->at++;
	return is_listed->integer == 1 ? index_look(job, place, member, stored->text) : OK;
}

/* ---- */

enum err redis_check_index_send(struct redis_job *job)
{
	return job->stage == REDIS_STAGE_FIRST ? index_send_first(job) : index_send_second(job);
}

enum err redis_check_index_on_reply(struct redis_job *job, const struct redis_reply *reply)
{
	return job->stage == REDIS_STAGE_FIRST ? index_on_page(job, reply)
					       : index_on_entry(job, reply);
}

bool redis_check_index_on_stage(struct redis_job *job)
{
	const struct redis_check *c = job->check;
	struct slice member, pk, sk;
	unsigned place;
	for (size_t i = 0; job->stage == REDIS_STAGE_FIRST && i < c->words.n; i++) {
		if (index_split(c->words.at[i], &place, &member, &pk, &sk)) {
			return true;
		}
	}
	return false;
}
