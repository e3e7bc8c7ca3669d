/*
 * index_rows.c - the index rows of items.h as tables, and the rows of ByExpiry, which follow from the
 * kinds.
 *
 * Nothing else is in this file: a test program that brings tables of its own is linked without it.
 */
#include "store/items.h"

const struct index_row index_rows[] = {
#define EXPIRY_true(kind) \
	{INDEX_BY_EXPIRY, \
	 "ByExpiry",      \
	 kind,            \
	 "",              \
	 "expires_at",    \
	 "What may be removed, the earliest first"},
#define EXPIRY_false(kind)
#define EXPIRY_ROW(symbol, pk, sk, match, record, expires, rest, help) \
	EXPIRY_##expires(ITEM_##symbol)
	ITEM_KINDS(EXPIRY_ROW)
#undef EXPIRY_ROW
#undef EXPIRY_false
#undef EXPIRY_true
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
