/*
 * list_page.c - the cursors of list_page.h: a keyed hash of place, list and user, then the place under a mask that
 * follows from the hash.
 */
#include "server/domain/base/list_page.h"

#include "proto/base/assert.h"
#include "proto/base/format.h"

/* A place as bytes: the number, the length of the id, the id. */
enum { PLACE_ID_AT = sizeof(int64_t) + 1, CURSOR_CHARS = 2 * KEY_CHARS };
_Static_assert(PLACE_ID_AT + CURSOR_ID_BYTES_MAX == SEED_BYTES, "a place is as long as a key");

static struct key_text cursor_mark(const struct txn *t, struct slice list,
				   const unsigned char place[SEED_BYTES])
{
	struct key_text of_place = key_from_bytes(place);
	char text[384];
	const char *user_id =
		t->session == NULL ? "" : t->session->user_id; /* the server's owner */
	size_t len = format_to(text, sizeof(text), "%s %s %.*s", user_id, of_place.text,
			       (int)list.len, list.data);
	return key_hash(t->server_key, "cursor", slice_of(text, len));
}

/* Masks and unmasks: one place has one mask, and another place another. */
static void cursor_mask(const struct txn *t, const struct key_text *mark,
			unsigned char place[SEED_BYTES])
{
	unsigned char mask[SEED_BYTES];
	derive_bytes(t->server_key, "cursor place", slice_str(mark->text), mask, sizeof(mask));
	for (size_t i = 0; i < SEED_BYTES; i++) {
		place[i] ^= mask[i];
	}
}

struct slice cursor_write(struct txn *t, struct slice list, const struct place *place)
{
	unsigned char bytes[SEED_BYTES] = {0};
	char text[CURSOR_CHARS + 1];
	ASSERT(place->id.len <= CURSOR_ID_BYTES_MAX);
	memcpy(bytes, &place->at, sizeof(place->at));
	bytes[PLACE_ID_AT - 1] = (unsigned char)place->id.len;
	memcpy(bytes + PLACE_ID_AT, place->id.data, place->id.len);
	struct key_text mark = cursor_mark(t, list, bytes);
	cursor_mask(t, &mark, bytes);
	struct key_text masked = key_from_bytes(bytes);
	size_t len = format_to(text, sizeof(text), "%s%s", mark.text, masked.text);
	return txn_copy(t, slice_of(text, len));
}

bool cursor_read(struct txn *t, struct slice list, struct slice cursor, struct place *place)
{
	unsigned char bytes[SEED_BYTES];
	*place = (struct place){.at = 0};
	if (cursor.len == 0) {
		return true;
	}
	if (cursor.len == CURSOR_CHARS &&
	    base64url_decode(slice_of(cursor.data + KEY_CHARS, KEY_CHARS), bytes, sizeof(bytes))) {
		struct key_text mark;
		memcpy(mark.text, cursor.data, KEY_CHARS);
		mark.text[KEY_CHARS] = '\0';
		cursor_mask(t, &mark, bytes);
		struct key_text made = cursor_mark(t, list, bytes);
		if (key_hash_eq(&made,
				slice_str(mark.text))) { /* so it is what cursor_write() wrote */
			memcpy(&place->at, bytes, sizeof(place->at));
			place->id = txn_copy(t, slice_of((const char *)bytes + PLACE_ID_AT,
							 bytes[PLACE_ID_AT - 1]));
			return true;
		}
	}
	fault_field(&t->fault, "cursor",
		    "belongs to another list or user; leave it out for the first page");
	return false;
}

struct slice place_sk(struct txn *t, enum item_kind kind, struct slice after)
{
	char sk[ITEM_KEY_BYTES_MAX + 1];
	if (after.len == 0) {
		return (struct slice){0};
	}
	size_t len =
		format_to(sk, sizeof(sk), "%s%.*s", item_rows[kind].sk, (int)after.len, after.data);
	return txn_copy(t, slice_of(sk, len));
}

/* Public ids have a prefix of two bytes, and so many letters. */
enum { PAIR_PREFIX = 2, PAIR_LETTERS = USER_ID_CHARS };
_Static_assert(2 * PAIR_LETTERS <= CURSOR_ID_BYTES_MAX, "two ids fit a cursor");

struct slice place_pair(struct txn *t, struct slice first, struct slice second)
{
	char text[2 * PAIR_LETTERS];
	size_t len = PAIR_LETTERS;
	ASSERT_CMP(first.len, ==, PAIR_PREFIX + PAIR_LETTERS);
	memcpy(text, first.data + PAIR_PREFIX, PAIR_LETTERS);
	if (second.len > 0) {
		ASSERT_CMP(second.len, ==, PAIR_PREFIX + PAIR_LETTERS);
		memcpy(text + len, second.data + PAIR_PREFIX, PAIR_LETTERS);
		len += PAIR_LETTERS;
	}
	return txn_copy(t, slice_of(text, len));
}

struct slice place_of_pair(struct txn *t, const struct place *place, const char *prefix, size_t nth)
{
	char text[PAIR_PREFIX + PAIR_LETTERS];
	if (place->id.len < (nth + 1) * PAIR_LETTERS) {
		return (struct slice){0};
	}
	memcpy(text, prefix, PAIR_PREFIX);
	memcpy(text + PAIR_PREFIX, place->id.data + nth * PAIR_LETTERS, PAIR_LETTERS);
	return txn_copy(t, slice_of(text, sizeof(text)));
}
