/*
 * items.c - the rows of items.h as tables, and which row a key falls under.
 */
#include "store/items.h"

ITEM_RECORDS(RECORD_DEFINE)

const struct item_row item_rows[ITEM_COUNT] = {
#define ITEM_ROW(symbol, pk, sk, match, record, expires, rest, help) \
	{#symbol, pk, sk, match, &record_##record, expires, rest, help},
	ITEM_KINDS(ITEM_ROW)
#undef ITEM_ROW
};

const struct index_row index_rows[] = {
#define INDEX_ROW(symbol, name, kind, partition, sort, help) \
	{INDEX_##symbol, name, ITEM_##kind, partition, sort, help},
	INDEX_ROWS(INDEX_ROW)
#undef INDEX_ROW
		{.name = NULL},
};

const char *const index_names[INDEX_COUNT] = {
#define INDEX_NAME(symbol, name) name,
	INDEXES(INDEX_NAME)
#undef INDEX_NAME
};

static bool item_row_matches(const struct item_row *row, struct slice pk, struct slice sk)
{
	struct slice prefix = slice_str(row->pk_prefix);
	if (!slice_starts(pk, prefix) || pk.len == prefix.len) {
		return false;
	}
	if (row->match == ITEM_SK_EXACT) {
		return slice_eq(sk, slice_str(row->sk));
	}
	return slice_starts(sk, slice_str(row->sk)) && sk.len > strlen(row->sk);
}

/* How much of the key a row pins down. Whole keys come before any prefix of the same length. */
static size_t item_row_weight(const struct item_row *row)
{
	size_t len = strlen(row->pk_prefix) + strlen(row->sk);
	return 2 * len + (row->match == ITEM_SK_EXACT ? 1 : 0);
}

enum item_kind item_kind_of(struct slice pk, struct slice sk)
{
	enum item_kind best = ITEM_COUNT;
	size_t best_weight = 0;
	for (size_t i = 0; i < ITEM_COUNT; i++) {
		const struct item_row *row = &item_rows[i];
		if (item_row_matches(row, pk, sk) && item_row_weight(row) > best_weight) {
			best = (enum item_kind)i;
			best_weight = item_row_weight(row);
		}
	}
	return best;
}
