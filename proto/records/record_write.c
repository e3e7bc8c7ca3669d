/*
 * record_write.c - from structs to MessagePack, in the order of the rows.
 */
#include "proto/records/record.h"

#include <msgpack.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/base/limits.h"
#include "proto/records/record_pack.h"

int record_pack_bytes(void *data, const char *bytes, size_t len)
{
	return buf_append(data, bytes, len) == OK ? 0 : -1;
}

/* "fixstr" of the MessagePack specification: most of a message is names and short texts, so these
 * go the short way. */
#define FIXSTR_BYTES_MAX 31
#define FIXSTR_HEADER	 0xa0u

/* False where it is too long for that, or memory is out. */
static inline bool record_pack_fixstr(struct buf *out, const char *data, size_t len)
{
	char *to = len <= FIXSTR_BYTES_MAX ? buf_reserve(out, len + 1) : NULL;
	if (to == NULL) {
		return false;
	}
	to[0] = (char)(FIXSTR_HEADER | len);
	memcpy(to + 1, data, len);
	out->len += len + 1;
	return true;
}

void record_pack_text(msgpack_packer *p, struct slice text)
{
	if (!record_pack_fixstr(p->data, text.len == 0 ? "" : text.data, text.len)) {
		msgpack_pack_str(p, text.len);
		msgpack_pack_str_body(p, text.data, text.len);
	}
}

/* Of an optional field without its with_: whether its value says something. */
static bool record_says(const struct field *f, const void *member)
{
	switch (f->kind) {
	case FIELD_BOOL:
		return *(const bool *)member;
	case FIELD_INT:
		return *(const int64_t *)member > 0;
	case FIELD_STR:
	case FIELD_TEXT:
	case FIELD_ANY:
		return ((const struct slice *)member)->len > 0;
	case FIELD_STRS:
		return ((const struct slices *)member)->n > 0;
	case FIELD_RECS:
		return field_recs_n(member) > 0;
	case FIELD_NUM:
	case FIELD_ENUM:
	case FIELD_REC:
		break; /* no value of these stands for none */
	}
	return false;
}

static void record_write_text(msgpack_packer *p, const struct field *f, struct slice text)
{
	if (text.data == NULL && (f->flags & FIELD_NIL) != 0) {
		msgpack_pack_nil(p);
		return;
	}
	if (f->kind ==
	    FIELD_TEXT) { /* as somebody wrote it: its reader cleans it, and bounds it then */
		record_pack_text(p, text);
		return;
	}
	ASSERT_CMP((int64_t)text.len, >=, f->min);
	ASSERT_CMP((int64_t)text.len, <=, f->max);
	record_pack_text(p, text);
}

static void record_write_word(msgpack_packer *p, const struct field *f, const void *member)
{
	int value;
	memcpy(&value, member, sizeof(value));
	ASSERT_CMP(value, >=, f->min);
	ASSERT_CMP(value, <=, f->max);
	record_pack_text(p, f->words->list[value]);
}

static void record_write_strs(msgpack_packer *p, const struct field *f, const struct slices *strs)
{
	ASSERT_CMP((int64_t)strs->n, >=, f->min);
	ASSERT_CMP((int64_t)strs->n, <=, f->max);
	msgpack_pack_array(p, strs->n);
	const size_t most = field_each_bytes(f);
	for (size_t i = 0; i < strs->n; i++) {
		ASSERT_CMP(strs->items[i].len, <=, most);
		record_pack_text(p, strs->items[i]);
	}
}

static void record_write_recs(msgpack_packer *p, const struct field *f, const void *member,
			      struct buf *out)
{
	const char *items;
	size_t n = field_recs_n(member);
	memcpy(&items, member, sizeof(items));
	ASSERT_CMP((int64_t)n, >=, f->min);
	ASSERT_CMP((int64_t)n, <=, f->max);
	msgpack_pack_array(p, n);
	for (size_t i = 0; i < n; i++) {
		record_write(f->of, items + i * f->of->size, out);
	}
}

static void record_write_value(msgpack_packer *p, const struct field *f, const void *member,
			       struct buf *out)
{
	switch (f->kind) {
	case FIELD_BOOL:
		if (*(const bool *)member) {
			msgpack_pack_true(p);
		} else {
			msgpack_pack_false(p);
		}
		return;
	case FIELD_INT:
		if ((f->flags & FIELD_NIL) != 0 && *(const int64_t *)member == 0) {
			msgpack_pack_nil(p);
			return;
		}
		ASSERT_CMP(*(const int64_t *)member, >=, f->min);
		ASSERT_CMP(*(const int64_t *)member, <=, f->max);
		msgpack_pack_int64(p, *(const int64_t *)member);
		return;
	case FIELD_NUM:
		msgpack_pack_double(p, *(const double *)member);
		return;
	case FIELD_STR:
	case FIELD_TEXT:
		record_write_text(p, f, *(const struct slice *)member);
		return;
	case FIELD_ENUM:
		record_write_word(p, f, member);
		return;
	case FIELD_STRS:
		record_write_strs(p, f, member);
		return;
	case FIELD_REC:
		record_write(f->of, member, out);
		return;
	case FIELD_RECS:
		record_write_recs(p, f, member, out);
		return;
	case FIELD_ANY:
		ASSERT_CMP(((const struct slice *)member)->len, >, 0);
		buf_append_slice(out, *(const struct slice *)member);
		return;
	}
}

void record_write(const struct record *rec, const void *in, struct buf *out)
{
	msgpack_packer p;
	msgpack_packer_init(&p, out, record_pack_bytes);
	size_t n = 0;
	uint64_t writes = 0; /* a bit a field */
	ASSERT_CMP(rec->n, <=, 64);
	for (size_t i = 0; i < rec->n; i++) {
		const struct field *f = &rec->fields[i];
		unsigned asked = f->flags & (FIELD_REQ | FIELD_DELTA);
		if ((asked & FIELD_REQ) != 0 || field_with(f, in) ||
		    (asked == 0 && record_says(f, field_member(f, in)))) {
			n++;
			writes |= UINT64_C(1) << i;
		}
	}
	msgpack_pack_map(&p, n);
	for (size_t i = 0; writes != 0; i++, writes >>= 1) {
		const struct field *f = &rec->fields[i];
		if ((writes & 1) != 0) {
			if (!record_pack_fixstr(out, f->name, f->name_len)) {
				record_pack_text(&p, slice_of(f->name, f->name_len));
			}
			record_write_value(&p, f, field_member(f, in), out);
		}
	}
}
