/*
 * check.c - see check.h.
 */
#include "store/base/check.h"

#include "proto/base/format.h"
#include "store/base/index.h"
#include "store/key.h"
#include "store/stored_value.h"

#define CHECK_SK_SHOWN 16

/* A part of a key, which may be any bytes. */
static void check_show(char *out, size_t cap, struct slice s, size_t max)
{
	size_t len = s.len < max ? s.len : max;
	len = len < cap - 1 ? len : cap - 1;
	for (size_t i = 0; i < len; i++) {
		out[i] = s.data[i] > ' ' && s.data[i] < 0x7f ? s.data[i] : '?';
	}
	out[len] = '\0';
}

void check_show_pk(char *out, size_t cap, struct slice key)
{
	struct slice pk = key, sk;
	(void)key_split(key, &pk, &sk);
	check_show(out, cap, pk, cap);
}

void check_problem(struct check *c, const char *what, struct slice key, const char *problem)
{
	char pk_text[64], sk_text[CHECK_SK_SHOWN + 1], line[256];
	struct slice pk, sk = {NULL, 0};
	(void)key_split(key, &pk, &sk);
	check_show_pk(pk_text, sizeof(pk_text), key);
	check_show(sk_text, sizeof(sk_text), sk, CHECK_SK_SHOWN);
	size_t len = format_to(line, sizeof(line), "%s %s %s%s: %s", what, pk_text, sk_text,
			       sk.len > CHECK_SK_SHOWN ? "..." : "", problem);
	c->on_problem(c->arg, slice_of(line, len));
}

/* ---- items ---- */

static enum err check_is_listed(struct check *c, enum item_kind kind, struct slice key,
				struct slice value, bool says_unlisted)
{
	struct index_entries entries;
	if (c->kv->lags) {
		return OK;
	}
	enum err e = index_entries_of(kind, key, value, &c->arena, &entries);
	if (e == OK && entries.n > 0 && says_unlisted) {
		check_problem(c, "item", key, "says that no index lists it");
	}
	for (size_t i = 0; i < entries.n && e == OK; i++) {
		struct slice leads_to;
		unsigned db = KV_INDEX + (unsigned)entries.at[i].index;
		if ((c->kv->absent & KV_BIT(db)) != 0) {
			continue;
		}
		e = kv_get(c->kv, db, entries.at[i].key, &leads_to);
		if (e == ERR_NOT_FOUND || (e == OK && !slice_eq(leads_to, key))) {
			check_problem(c, "item", key, "is missing from an index");
			e = OK;
		}
	}
	return e;
}

/* ERR_NOMEM, or an error of the engine; problems of the item are reported and are OK. */
static enum err check_item(struct check *c, struct slice key, struct slice stored)
{
	struct slice pk, sk, value;
	struct fault fault;
	char problem[128];
	uint64_t version;
	void *item;

	if (!key_split(key, &pk, &sk) || item_kind_of(pk, sk) == ITEM_COUNT) {
		check_problem(c, "item", key, "is of no known kind");
		return OK;
	}
	enum item_kind kind = item_kind_of(pk, sk);
	if (stored_value_open(key, stored, &version, &value) != OK) {
		check_problem(c, "item", key, "the checksum does not match");
		return OK;
	}
	if (version > c->version) {
		check_problem(c, "item", key, "has a version later than any commit");
	}
	enum err e = item_decode(kind, value, RECORD_LENIENT, &c->arena, &item, &fault);
	if (e == OK) {
		e = check_is_listed(c, kind, key, value, stored_value_is_unlisted(stored));
	} else if (e != ERR_NOMEM) {
		format_to(problem, sizeof(problem), "does not decode: %s",
			  e == ERR_INVALID ? fault.field : err_text(e));
		check_problem(c, "item", key, problem);
	}
	arena_reset(&c->arena);
	return e == ERR_NOMEM || e == ERR_IO ? e : OK;
}

/* ---- indexes ---- */

static enum err check_index_entry(struct check *c, enum index_id index, struct slice key,
				  struct slice item_key)
{
	const struct index_entry entry = {.index = index, .key = key};
	struct index_entries entries;
	struct slice pk, sk, stored, value;
	uint64_t version;

	enum err e = kv_get(c->kv, KV_ITEMS, item_key, &stored);
	if (e == ERR_NOT_FOUND || e == ERR_CORRUPT || !key_split(item_key, &pk, &sk)) {
		check_problem(c, index_names[index], item_key, "points to no item");
		return OK;
	}
	if (e != OK) {
		return e;
	}
	if (stored_value_open(item_key, stored, &version, &value) != OK) {
		return OK; /* reported with the item */
	}
	e = index_entries_of(item_kind_of(pk, sk), item_key, value, &c->arena, &entries);
	if (e == OK && !index_entries_have(&entries, &entry)) {
		check_problem(c, index_names[index], item_key, "lists the item in the wrong place");
	}
	arena_reset(&c->arena);
	return e == ERR_NOMEM ? e : OK;
}

/* ---- beside the items ---- */

static enum err check_token(struct check *c, struct slice key, struct slice value)
{
	unsigned char when[8 + 16];
	struct slice found;
	if (key.len != 16 || value.len != 16 ||
	    key_get_u64((const unsigned char *)value.data) > c->version) {
		check_problem(c, "token", SLICE("-"), "is damaged");
		return OK;
	}
	memcpy(when, value.data + 8, 8);
	memcpy(when + 8, key.data, 16);
	enum err e = kv_get(c->kv, KV_TOKEN_TIMES, slice_of(when, sizeof(when)), &found);
	if (e == ERR_NOT_FOUND) {
		check_problem(c, "token", SLICE("-"), "would never be deleted");
		return OK;
	}
	return e;
}

enum err check_entry(struct check *c, unsigned db, struct slice key, struct slice value)
{
	switch (db) {
	case KV_META:
	case KV_TOKEN_TIMES:
		return OK;
	case KV_ITEMS:
		return check_item(c, key, value);
	case KV_TOKENS:
		return check_token(c, key, value);
	default: /* one that is behind the items proves nothing */
		return c->kv->lags
			       ? OK
			       : check_index_entry(c, (enum index_id)(db - KV_INDEX), key, value);
	}
}
