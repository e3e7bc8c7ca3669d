/*
 * items.c - the rows of items.h as tables, and which row a key falls under.
 */
#include "store/items.h"

#include <sodium.h>

#include "proto/base/format.h"

ITEM_RECORDS(RECORD_DEFINE)

const struct item_row item_rows[ITEM_COUNT] = {
#define ITEM_ROW(symbol_, pk, sk_, match_, rec, expires_, rest, help_) \
	{.symbol = #symbol_,                                           \
	 .pk_prefix = pk,                                              \
	 .sk = sk_,                                                    \
	 .pk_prefix_len = sizeof(pk) - 1,                              \
	 .sk_len = sizeof(sk_) - 1,                                    \
	 .match = match_,                                              \
	 .record = &record_##rec,                                      \
	 .expires = expires_,                                          \
	 .sk_rest = rest,                                              \
	 .help = help_},
	ITEM_KINDS(ITEM_ROW)
#undef ITEM_ROW
};

#define ITEM_TEXTS(symbol, pk, sk, match, record, expires, rest, help) \
	_Static_assert(sizeof(pk) > 1 && sizeof(sk) > 1, "first bytes are compared");
ITEM_KINDS(ITEM_TEXTS)
#undef ITEM_TEXTS

/* `s` is not shorter. */
static bool item_begins(struct slice s, const char *text, size_t len)
{
	return s.data[0] == text[0] && memcmp(s.data, text, len) == 0;
}

static bool item_row_matches(const struct item_row *row, struct slice pk, struct slice sk)
{
	bool has_length =
		row->match == ITEM_SK_EXACT ? sk.len == row->sk_len : sk.len > row->sk_len;
	return has_length && pk.len > row->pk_prefix_len && item_begins(sk, row->sk, row->sk_len) &&
	       item_begins(pk, row->pk_prefix, row->pk_prefix_len);
}

enum item_kind item_kind_of(struct slice pk, struct slice sk)
{
	enum item_kind best = ITEM_COUNT;
	size_t best_weight = 0;
	for (size_t i = 0; i < ITEM_COUNT && sk.len > 0; i++) {
		const struct item_row *row = &item_rows[i];
		if (row->sk[0] != sk.data[0]) {
			continue; /* as nearly all: so a further kind costs a vote next to nothing */
		}
		/* How much of the key it pins down. Whole keys come before any prefix of the same length. */
		size_t weight = 2 * (row->pk_prefix_len + row->sk_len) +
				(row->match == ITEM_SK_EXACT ? 1 : 0);
		if (item_row_matches(row, pk, sk) && weight > best_weight) {
			best = (enum item_kind)i;
			best_weight = weight;
		}
	}
	return best;
}

unsigned item_scope_of(struct slice pk)
{
	unsigned char hash[crypto_generichash_BYTES_MIN];
	if (!slice_starts(pk, SLICE("ROOM:"))) {
		return ITEM_SCOPE_DIRECTORY;
	}
	(void)crypto_generichash(hash, sizeof(hash), (const unsigned char *)pk.data, pk.len, NULL,
				 0);
	return ((unsigned)hash[0] << 8 | hash[1]) % ITEM_BUCKETS;
}

bool item_is_reserved(enum item_kind kind)
{
	switch (kind) {
	case ITEM_TOKEN:
	case ITEM_USER_NAME:
	case ITEM_USER:
	case ITEM_DIRECTORY_ONCE:
		return true;
	default:
		return kind < ITEM_COUNT &&
		       strcmp(item_rows[kind].pk_prefix, item_rows[ITEM_ROOM].pk_prefix) == 0;
	}
}

struct slice item_pk_of(struct item_pk *pk, enum item_kind kind, struct slice rest)
{
	size_t len = format_to(pk->text, sizeof(pk->text), "%s%.*s", item_rows[kind].pk_prefix,
			       (int)rest.len, rest.data);
	return slice_of(pk->text, len);
}

enum err item_decode(enum item_kind kind, struct slice value, enum record_mode mode,
		     struct arena *arena, void **item, struct fault *fault)
{
	const struct record *rec = item_rows[kind].record;
	*fault = (struct fault){.code = FAULT_NONE};
	*item = arena_alloc(arena, rec->size);
	return *item == NULL ? ERR_NOMEM : record_from_bytes(rec, value, mode, arena, *item, fault);
}
