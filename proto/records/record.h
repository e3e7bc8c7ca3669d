/*
 * record.h - structs with a description of their fields.
 *
 * A record is declared once, as rows of an X-macro (records.h, store/items.h). The rows define
 * the struct, its MessagePack form, the checks and the reference tables. JSON is converted from
 * and to the MessagePack form (json.h), so one set of checks serves both.
 *
 * Rows:  F(KIND, name, of, flags, min, max, help)
 *   BOOL  bool name                        min, max unused
 *   INT   int64_t name                     min..max inclusive
 *   NUM   double name                      finite; min..max inclusive
 *   STR   struct slice name                min..max bytes of valid UTF-8
 *   TEXT  struct slice name                text written by people, clean (text.h): min..max bytes
 *                                          and up to `of` cells, 0: any number; with CHARS
 *                                          min..`of` characters (code points), in up to max bytes
 *   ENUM  enum of name                     a word of `of` (words.h) whose value is min..max
 *   STRS  struct slices name               min..max strings, each up to CARD_BYTES bytes
 *   TEXTS struct slices name               min..max texts, each clean and of 1..`of` characters
 *   REC   struct of name                   an embedded record
 *   RECS  struct of *name; size_t name_n   min..max records
 *   ANY   struct slice name                one MessagePack value as raw bytes, min..max bytes
 * Every field also has `bool with_name`: whether it was present in the message. An optional field
 * is written if with_name is set or if its value is not the empty one: a text, list or ANY that
 * is not empty, a true BOOL, an INT above 0. A DELTA field, whose absence means "unchanged", is
 * written only if with_name is set.
 * An INT may also be received as a float that is integral and within 2^53.
 * Flags: REQ must be present (and is written whatever with_name is). OPT may be absent; nil means
 * the same as absent (except for ANY, where nil is a value). NIL may be absent or nil, with
 * different meanings (a nil STR has with_name set and data NULL, a nil INT is 0). SECRET is never
 * logged. CODE, ID and LINE describe the form of a string.
 */
#ifndef PROTO_RECORDS_RECORD_H
#define PROTO_RECORDS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "proto/base/arena.h"
#include "proto/base/buf.h"
#include "proto/base/err.h"
#include "proto/base/fault.h"
#include "proto/base/slice.h"
#include "proto/base/words.h"

enum field_kind { FIELD_BOOL, FIELD_INT, FIELD_NUM, FIELD_STR, FIELD_TEXT, FIELD_ENUM, FIELD_STRS, FIELD_REC, FIELD_RECS, FIELD_ANY,
	FIELD_TEXTS = FIELD_STRS /* as STRS, but each limited by `cells` */ };

enum field_flag {
	FIELD_OPT = 0,
	FIELD_REQ = 1,
	FIELD_NIL = 2,
	FIELD_SECRET = 4,
	FIELD_HIDDEN = 8, /* of an item: secret until the reveal */
	FIELD_TAKEN = 16, /* likewise, and perhaps never shown: secret after the reveal, too */
	/* The form of a string, or of each string of a list, after RECORD_LENIENT decoding. */
	FIELD_CODE = 32, /* a room's code, in upper case; anything else is refused */
	FIELD_ID = 64, /* letters, digits, - and _, as in ids and keys; anything else is refused */
	FIELD_LINE = 128, /* one line for display: softened (text.h) */
	FIELD_LINES = 256, /* several lines; in a TEXT, each line is clean */
	FIELD_CHARS = 1024, /* of a TEXT: limited in characters, not in cells */
	/* of a STR: a number is accepted in place of its text (quantity.h) */
	FIELD_QUANTITY = 2048,
	FIELD_DELTA = 512, /* absent means unchanged: written only if with_<name> is set */
	FIELD_REQ_NIL = FIELD_REQ | FIELD_NIL, /* must be present, may be nil */
	FIELD_OPT_SECRET = FIELD_OPT | FIELD_SECRET,
	FIELD_REQ_SECRET = FIELD_REQ | FIELD_SECRET,
	FIELD_OPT_HIDDEN = FIELD_OPT | FIELD_HIDDEN,
	FIELD_NIL_HIDDEN = FIELD_NIL | FIELD_HIDDEN,
	FIELD_OPT_TAKEN = FIELD_OPT | FIELD_HIDDEN | FIELD_TAKEN,
};

struct record;

struct field {
	const char *name;
	size_t name_len;
	enum field_kind kind;
	unsigned flags;
	size_t offset; /* of the member */
	size_t size;   /* of the member; with_<member> follows it directly, see field_with() */
	int64_t min;
	int64_t max;
	const struct record *of;   /* REC and RECS; otherwise NULL */
	const struct words *words; /* ENUM; otherwise NULL */
	/*
	 * TEXT: most cells, 0: any number; with FIELD_CHARS, and for each of TEXTS: most
	 * characters
	 */
	size_t cells;
	const char *help;
};

struct record {
	const char *name;
	const struct field *fields;
	size_t n;
	size_t size; /* sizeof(struct <name>) */
};

/* ---- from rows to structs and tables ---- */
#define FIELD_MEMBER_BOOL(name, of) bool name;
#define FIELD_MEMBER_INT(name, of)  int64_t name;
#define FIELD_MEMBER_NUM(name, of)  double name;
#define FIELD_MEMBER_STR(name, of)  struct slice name;
#define FIELD_MEMBER_TEXT(name, of) struct slice name;
#define FIELD_MEMBER_ENUM(name, of) enum of name;
#define FIELD_MEMBER_STRS(name, of) struct slices name;
#define FIELD_MEMBER_TEXTS(name, of) struct slices name;
#define FIELD_MEMBER_REC(name, of)  struct of name;
#define FIELD_MEMBER_RECS(name, of)                                                                \
	struct of *name;                                                                           \
	size_t name##_n;
#define FIELD_MEMBER_ANY(name, of) struct slice name;

#define FIELD_DECLARE(kind, name, of, flags, min, max, help)                                       \
	FIELD_MEMBER_##kind(name, of) bool with_##name;

/*
 * Declare struct rec and its descriptor record_rec. The last member makes a record without fields
 * legal C.
 */
#define RECORD_DECLARE(rec)                                                                        \
	struct rec {                                                                               \
		RECORD_##rec(FIELD_DECLARE) unsigned char end_of_record;                           \
	};                                                                                         \
	extern const struct record record_##rec;

/* The meaning of `of` for each kind. */
#define FIELD_OF_BOOL(of_) .of = NULL
#define FIELD_OF_INT(of_)  .of = NULL
#define FIELD_OF_NUM(of_)  .of = NULL
#define FIELD_OF_STR(of_)  .of = NULL
#define FIELD_OF_TEXT(of_) .cells = (of_)
#define FIELD_OF_ENUM(of_) .words = &words_##of_
#define FIELD_OF_STRS(of_) .of = NULL
#define FIELD_OF_TEXTS(of_) .cells = (of_)
#define FIELD_OF_REC(of_)  .of = &record_##of_
#define FIELD_OF_RECS(of_) .of = &record_##of_
#define FIELD_OF_ANY(of_)  .of = NULL

#define FIELD_SIZE_BOOL(of) sizeof(bool)
#define FIELD_SIZE_INT(of)  sizeof(int64_t)
#define FIELD_SIZE_NUM(of)  sizeof(double)
#define FIELD_SIZE_STR(of)  sizeof(struct slice)
#define FIELD_SIZE_TEXT(of) sizeof(struct slice)
#define FIELD_SIZE_ENUM(of) sizeof(enum of)
#define FIELD_SIZE_STRS(of) sizeof(struct slices)
#define FIELD_SIZE_TEXTS(of) sizeof(struct slices)
#define FIELD_SIZE_REC(of)  sizeof(struct of)
#define FIELD_SIZE_RECS(of) (sizeof(void *) + sizeof(size_t))
#define FIELD_SIZE_ANY(of)  sizeof(struct slice)

/*
 * A row does not contain the name of its record, so the record comes first: FIELD_ROW(rec) ends
 * where the row's own arguments, FIELD_REST(...), continue.
 */
#define FIELD_ROW(rec) {.offset = (size_t) & ((struct rec *)NULL)->FIELD_REST
#define FIELD_REST(kind_, name_, of_, flags_, min_, max_, help_)                                   \
	name_, .name = #name_, .name_len = sizeof(#name_) - 1, .kind = FIELD_##kind_, .flags = (unsigned)(flags_),                 \
	.size = FIELD_SIZE_##kind_(of_), .min = (min_), .max = (max_), FIELD_OF_##kind_(of_), .help = (help_)},

/*
 * The definition for RECORD_DECLARE(rec), in one .c file. With a list of records,
 * `RECORDS(RECORD_DEFINE)` defines all of them. The table ends with an empty row, which also
 * makes a record without fields legal C.
 */
#define RECORD_DEFINE(rec)                                                                         \
	static const struct field fields_##rec[] = {RECORD_##rec(FIELD_ROW(rec)){.name = NULL}};   \
	const struct record record_##rec = {                                                       \
		.name = #rec,                                                                      \
		.fields = fields_##rec,                                                            \
		.n = sizeof(fields_##rec) / sizeof(fields_##rec[0]) - 1,                           \
		.size = sizeof(struct rec),                                                        \
	};

/* Return the field's member in *in, which has rec->size bytes. */
static inline const void *field_member(const struct field *f, const void *in)
{
	return (const char *)in + f->offset;
}

/* A character of UTF-8 has up to four bytes. */
#define FIELD_CHAR_BYTES 4

/* Return the most bytes of each string of a STRS, or text of a TEXTS. */
size_t field_each_bytes(const struct field *f);

/* Return the number of records in the member of a RECS. */
static inline size_t field_recs_n(const void *member)
{
	size_t n;
	memcpy(&n, (const char *)member + sizeof(void *), sizeof(n));
	return n;
}

/* Return the value of an ENUM. */
static inline int field_enum(const struct field *f, const void *in)
{
	int value; /* compilers use an unsigned of this size for an enum without negative values */
	memcpy(&value, (const char *)in + f->offset, sizeof(value));
	return value;
}

static inline bool field_with(const struct field *f, const void *in)
{
	bool with;
	memcpy(&with, (const char *)in + f->offset + f->size, sizeof(with));
	return with;
}

/* Return whether a record whose fields are all optional has any of them. */
static inline bool record_has_any(const struct record *rec, const void *in)
{
	bool has_any = false;
	for (size_t i = 0; i < rec->n; i++) {
		has_any = has_any || field_with(&rec->fields[i], in);
	}
	return has_any;
}

/* Set an INT and its with_<name>, without checks; record_set_int() checks the value. */
static inline void field_put_int(const struct field *f, void *in, int64_t value)
{
	const bool with = true;
	memcpy((char *)in + f->offset, &value, sizeof(value));
	memcpy((char *)in + f->offset + f->size, &with, sizeof(with));
}

/* Set a field, which must be optional, to its absent state. */
static inline void field_clear(const struct field *f, void *in)
{
	memset((char *)in + f->offset, 0, f->size + sizeof(bool));
}

/* ---- codec ---- */

struct msgpack_object;

/*
 * A server decodes requests STRICT: a field without a row and a word that is not one of the
 * ENUM's are refused. A TEXT is clean, or refused; the form of other strings is checked by their
 * handlers.
 *
 * Messages from a server, and items of the store, are decoded LENIENT: an unknown field is
 * skipped (a newer server may send more), an unknown word becomes the `otherwise` of its enum,
 * and strings get the form that their row demands, so that they are safe to print, to paste and
 * to use in a path: a TEXT is softened to one line (text.h) and truncated to its bytes and cells,
 * not refused.
 */
enum record_mode { RECORD_STRICT, RECORD_LENIENT };

/*
 * Convert a decoded MessagePack map into the struct that rec describes.
 *
 * @map    NULL is an empty map, as for params that were left out (rpc.h).
 * @out    rec->size bytes; completely overwritten, absent members are zero. Strings point into
 *         the message or the arena: they are valid as long as both.
 *
 * ERR_INVALID  *fault is a VALIDATION_ERROR naming the field.
 * ERR_NOMEM    the arena could not grow.
 */
NODISCARD enum err record_from_object(const struct record *rec, const struct msgpack_object *map,
				      enum record_mode mode, struct arena *arena, void *out,
				      struct fault *fault);

/*
 * The same from one encoded MessagePack value. All strings are copied into the arena, so `bytes`
 * need not stay valid.
 *
 * ERR_PROTO  `bytes` is not exactly one well-formed value within the limits (frame_scan.h).
 */
NODISCARD enum err record_from_bytes(const struct record *rec, struct slice bytes, enum record_mode mode,
				     struct arena *arena, void *out, struct fault *fault);

/*
 * Append *in as a MessagePack map. Fields are written in the order of their rows; the top of this
 * file says which optional ones. ERR_NOMEM and ERR_TOO_LARGE are kept in the buffer. Bounds are
 * asserted, not checked: values were checked when they were received.
 */
void record_write(const struct record *rec, const void *in, struct buf *out);

/*
 * Copy *in with everything it points to, in one block that the caller must free(); NULL if memory
 * is out. Strings are softened (text.h), with FIELD_LINES line by line, so that they can be
 * displayed as they are; then truncated if too long, and NUL-terminated. A nil string has data
 * NULL.
 */
NODISCARD void *record_own(const struct record *rec, const void *in);
/*
 * The same with *in applied to *was, which may be NULL: FIELD_DELTA fields absent from *in are
 * copied from *was.
 */
NODISCARD void *record_merge(const struct record *rec, const void *was, const void *in);

/* Return the row with this name, or NULL. */
const struct field *record_field(const struct record *rec, struct slice name);

/*
 * Set one field of *out, and its with_<name>, by name: with the same checks and messages as
 * record_from_object(). Texts are borrowed; for an ENUM the text is its word. Returns false and
 * sets nothing if the record has no such field or the value is not allowed; *fault is then a
 * VALIDATION_ERROR naming the field.
 */
NODISCARD bool record_set_text(const struct record *rec, void *out, struct slice name, struct slice text,
			       struct fault *fault);
NODISCARD bool record_set_int(const struct record *rec, void *out, struct slice name, int64_t value,
			      struct fault *fault);
NODISCARD bool record_set_bool(const struct record *rec, void *out, struct slice name, bool value,
			       struct fault *fault);
NODISCARD bool record_set_nil(const struct record *rec, void *out, struct slice name, struct fault *fault);

#endif
