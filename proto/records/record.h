/*
 * record.h - structs that know their own fields.
 *
 * A record is declared once, as rows of an X-macro (records.h, store/items.h);
 * from the rows come the struct, its MessagePack form, the checks and the
 * reference tables. JSON is a view of the MessagePack form (json.h), so one
 * set of checks serves both.
 *
 * Rows:  F(KIND, name, of, flags, min, max, help)
 *   BOOL  bool name                        min, max unused
 *   INT   int64_t name                     min..max inclusive
 *   NUM   double name                      finite; min..max inclusive
 *   STR   struct slice name                min..max bytes of valid UTF-8
 *   TEXT  struct slice name                what people write, clean (text.h): min..max bytes and up to
 *                                          `of` cells, 0 for any number; with CHARS min..`of` characters
 *                                          (code points), in up to max bytes
 *   ENUM  enum of name                     a word of `of` (words.h), whose value is min..max
 *   STRS  struct slices name               min..max strings, each up to CARD_BYTES bytes
 *   TEXTS struct slices name               min..max texts, each clean and of 1..`of` characters
 *   REC   struct of name                   an embedded record
 *   RECS  struct of *name; size_t name_n   min..max records
 *   ANY   struct slice name                one MessagePack value as raw bytes, min..max bytes
 * Every field also has `bool with_name`: whether it was on the wire. A field that may be
 * left out is written where with_name is set or its value says something: a text, list or
 * ANY that is not empty, a true BOOL, an INT above 0. A DELTA field, whose absence means
 * "as it was", is written only where with_name is set.
 * An INT may also come as a float that is integral and within 2^53.
 * flags: REQ must be there (written whatever with_name says), OPT may be left
 * out, which nil does as well (not of ANY, where nil is a value), NIL may be left
 * out or nil and the two differ (a nil STR has with_name set and data NULL, a nil
 * INT is 0), plus SECRET for what never reaches a log, and CODE, ID or LINE for
 * the form of a string.
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
	FIELD_TEXTS = FIELD_STRS /* the same but for what each may be: its row has `cells` */ };

enum field_flag {
	FIELD_OPT = 0,
	FIELD_REQ = 1,
	FIELD_NIL = 2,
	FIELD_SECRET = 4,
	FIELD_HIDDEN = 8, /* of an item: what nobody may know before the reveal */
	FIELD_TAKEN = 16, /* likewise, and it may never have been shown: nor after it */
	/* What a string, or each of a list, looks like to who reads it RECORD_LENIENT. */
	FIELD_CODE = 32, /* a room's code, in upper case; anything else is refused */
	FIELD_ID = 64,   /* letters, digits, - and _, as ids and keys are; likewise */
	FIELD_LINE = 128, /* a line for people: softened (text.h) */
	FIELD_LINES = 256, /* of several lines; of a TEXT, each is clean by itself */
	FIELD_CHARS = 1024, /* of a TEXT: counted in characters, not in cells */
	FIELD_QUANTITY = 2048, /* of a STR: a number may come for its text (quantity.h) */
	FIELD_DELTA = 512, /* absent means unchanged: written where with_<name> says so */
	FIELD_REQ_NIL = FIELD_REQ | FIELD_NIL, /* must be there, may be nil */
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
	size_t size;   /* of the member; with_<member> follows it at once, see field_with() */
	int64_t min;
	int64_t max;
	const struct record *of;   /* REC and RECS, else NULL */
	const struct words *words; /* ENUM, else NULL */
	size_t cells;              /* TEXT: most of them, 0 for any number; of FIELD_CHARS, and in each of TEXTS, characters */
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

/* struct rec and the descriptor record_rec; the last member keeps a record without fields legal C. */
#define RECORD_DECLARE(rec)                                                                        \
	struct rec {                                                                               \
		RECORD_##rec(FIELD_DECLARE) unsigned char end_of_record;                           \
	};                                                                                         \
	extern const struct record record_##rec;

/* What `of` says of each kind. */
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
 * A row does not know which record it is in, so the record comes first:
 * FIELD_ROW(rec) ends where the row's own arguments, FIELD_REST(...), go on.
 */
#define FIELD_ROW(rec) {.offset = (size_t) & ((struct rec *)NULL)->FIELD_REST
#define FIELD_REST(kind_, name_, of_, flags_, min_, max_, help_)                                   \
	name_, .name = #name_, .name_len = sizeof(#name_) - 1, .kind = FIELD_##kind_, .flags = (unsigned)(flags_),                 \
	.size = FIELD_SIZE_##kind_(of_), .min = (min_), .max = (max_), FIELD_OF_##kind_(of_), .help = (help_)},

/*
 * The definition that belongs to RECORD_DECLARE(rec), for one .c file. With a
 * list of records as above, `RECORDS(RECORD_DEFINE)` defines all of them. The
 * table ends with an empty row, which also keeps a record without fields legal.
 */
#define RECORD_DEFINE(rec)                                                                         \
	static const struct field fields_##rec[] = {RECORD_##rec(FIELD_ROW(rec)){.name = NULL}};   \
	const struct record record_##rec = {                                                       \
		.name = #rec,                                                                      \
		.fields = fields_##rec,                                                            \
		.n = sizeof(fields_##rec) / sizeof(fields_##rec[0]) - 1,                           \
		.size = sizeof(struct rec),                                                        \
	};

/* The member of *in (which has rec->size bytes), and whether it is there. */
static inline const void *field_member(const struct field *f, const void *in)
{
	return (const char *)in + f->offset;
}

/* A character of UTF-8 has up to four bytes. */
#define FIELD_CHAR_BYTES 4

/* Most bytes of each string of a STRS, or text of a TEXTS. */
size_t field_each_bytes(const struct field *f);

/* How many records the member of a RECS has. */
static inline size_t field_recs_n(const void *member)
{
	size_t n;
	memcpy(&n, (const char *)member + sizeof(void *), sizeof(n));
	return n;
}

/* Of an ENUM. */
static inline int field_enum(const struct field *f, const void *in)
{
	int value; /* compilers give an enum without negative values an unsigned of this size */
	memcpy(&value, (const char *)in + f->offset, sizeof(value));
	return value;
}

static inline bool field_with(const struct field *f, const void *in)
{
	bool with;
	memcpy(&with, (const char *)in + f->offset + f->size, sizeof(with));
	return with;
}

/* An INT of our own making, with_<name> too; record_set_int() checks others. */
static inline void field_put_int(const struct field *f, void *in, int64_t value)
{
	const bool with = true;
	memcpy((char *)in + f->offset, &value, sizeof(value));
	memcpy((char *)in + f->offset + f->size, &with, sizeof(with));
}

/* As if it had never been there; for fields that need not be. */
static inline void field_clear(const struct field *f, void *in)
{
	memset((char *)in + f->offset, 0, f->size + sizeof(bool));
}

/* ---- codec ---- */

struct msgpack_object;

/*
 * A server reads requests STRICT: a field that has no row is refused, so is a
 * word that is none of an ENUM's. A TEXT comes out clean, or is refused; what
 * another string looks like is for its handler to judge and to explain.
 * What a server sent, or the store holds, is read LENIENT: such a field is
 * skipped (a newer server may say more), an unknown word is its words' `otherwise`, and strings have their row's form
 * when they come out, so that they may be printed, pasted and used in a path: a TEXT is softened to
 * one line (text.h) and cut to its bytes and cells, not refused.
 */
enum record_mode { RECORD_STRICT, RECORD_LENIENT };

/*
 * Read a decoded MessagePack map into the struct that rec describes.
 *
 * @map    NULL is an empty map, as rpc.h has it for params that were left out.
 * @out    rec->size bytes; overwritten whole, members that are absent are zero.
 * Strings point into the message or the arena: they live as long as the shorter.
 *
 * ERR_INVALID  *fault is a VALIDATION_ERROR naming the field.
 * ERR_NOMEM    the arena could not grow.
 */
NODISCARD enum err record_from_object(const struct record *rec, const struct msgpack_object *map,
				      enum record_mode mode, struct arena *arena, void *out,
				      struct fault *fault);

/*
 * The same from one MessagePack value as bytes. All strings are copied into
 * the arena, so the result does not depend on `bytes` staying.
 * ERR_PROTO where the bytes are not exactly one well-formed, bounded value (frame_scan.h).
 */
NODISCARD enum err record_from_bytes(const struct record *rec, struct slice bytes, enum record_mode mode,
				     struct arena *arena, void *out, struct fault *fault);

/*
 * Append the MessagePack map of *in. Fields go in row order; which of those that
 * may be left out, the top of this file says. ERR_NOMEM and ERR_TOO_LARGE stay in the buffer.
 * Bounds are asserted, not checked: what we write was checked when it came in.
 */
void record_write(const struct record *rec, const void *in, struct buf *out);

/*
 * A copy of *in with all that it points to, in one block that free() frees; NULL when
 * memory is out. Strings are softened (text.h), those of FIELD_LINES line by line, so that
 * they may be drawn as they are, cut where they are too long then, and end with NUL; one that is
 * nil has no data.
 */
NODISCARD void *record_own(const struct record *rec, const void *in);
/* The same of *in as it is after *was, which may be NULL: FIELD_DELTA fields that are absent are those of *was. */
NODISCARD void *record_merge(const struct record *rec, const void *was, const void *in);

/* The row of that name, or NULL. */
const struct field *record_field(const struct record *rec, struct slice name);

/*
 * Set one field of *out by its name, and with_<name>: as record_from_object() would,
 * with the same checks and the same words. Texts are borrowed; a text sets an ENUM by its word.
 * False, and nothing set, where the record has no such field or it may not be that;
 * *fault is a VALIDATION_ERROR naming it.
 */
NODISCARD bool record_set_text(const struct record *rec, void *out, struct slice name, struct slice text,
			       struct fault *fault);
NODISCARD bool record_set_int(const struct record *rec, void *out, struct slice name, int64_t value,
			      struct fault *fault);
NODISCARD bool record_set_bool(const struct record *rec, void *out, struct slice name, bool value,
			       struct fault *fault);
NODISCARD bool record_set_nil(const struct record *rec, void *out, struct slice name, struct fault *fault);

#endif
