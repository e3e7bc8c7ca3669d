/*
 * test_compatible.c - what a client of protocol 1 may rely on holds: what was promised by a release is there still.
 *
 * protocol_1.txt has the promises, one a line: methods, notifications and error codes; the fields that may be sent (to)
 * and are received (from), with their kinds; the words that may be sent. A line may go only with a new protocol. What is
 * new is no promise until a release adds it: AYE_PROMISE=1 writes the file as the program is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/base/buf.h"
#include "proto/methods.h"
#include "tests/support/test.h"

#define PROMISES     "tests/unit/proto/protocol_1.txt"
#define TEXT_BYTES   (1u << 20)
#define RECORDS_MOST 512

/* The records that have been told of, each once for each way. */
struct told {
	const struct record *records[RECORDS_MOST];
	size_t n;
};

static const char *const kinds[] = {
	[FIELD_BOOL] = "boolean", [FIELD_INT] = "integer", [FIELD_NUM] = "number",
	[FIELD_STR] = "string",	  [FIELD_TEXT] = "string", [FIELD_ENUM] = "string",
	[FIELD_STRS] = "strings", [FIELD_REC] = "map",	   [FIELD_RECS] = "maps",
	[FIELD_ANY] = "any"};

static void tell_record(const struct record *r, const char *way, struct told *told, struct buf *out)
{
	for (size_t i = 0; i < told->n; i++) {
		if (told->records[i] == r) {
			return;
		}
	}
	assert_true(told->n < RECORDS_MOST);
	told->records[told->n++] = r;
	for (size_t i = 0; i < r->n; i++) {
		const struct field *f = &r->fields[i];
		(void)buf_printf(out, "%s %s.%s %s %s%s\n", way, r->name, f->name, kinds[f->kind],
				 (f->flags & FIELD_REQ) != 0 ? "required" : "optional",
				 (f->flags & FIELD_NIL) != 0 ? " nil" : "");
		for (int64_t w = f->min; f->kind == FIELD_ENUM && way[0] == 't' && w <= f->max;
		     w++) {
			(void)buf_printf(out, "%s %s.%s=%s\n", way, r->name, f->name,
					 words_text(f->words, (int)w));
		}
	}
	for (size_t i = 0; i < r->n; i++) {
		if (r->fields[i].of != NULL) {
			tell_record(r->fields[i].of, way, told, out);
		}
	}
}

/* All that could be promised now; a NUL is behind it. */
static void tell_protocol(struct buf *out)
{
	struct told to = {.n = 0}, from = {.n = 0};
	buf_init(out, TEXT_BYTES);
	(void)buf_printf(out, "\nprotocol %d\n", PROTOCOL_VERSION);
	for (int m = 0; m < METHOD_COUNT; m++) {
		const struct method_row *row = &method_rows[m];
		(void)buf_printf(out, "method %s %s %s\n", row->name, row->params->name,
				 row->result->name);
	}
	for (int n = 0; n < NOTICE_COUNT; n++) {
		(void)buf_printf(out, "notification %s %s\n", notice_rows[n].name,
				 notice_rows[n].record->name);
	}
	for (int f = FAULT_NONE + 1; f < FAULT_COUNT; f++) {
		(void)buf_printf(out, "error %s\n", fault_code_name((enum fault_code)f));
	}
	for (int m = 0; m < METHOD_COUNT; m++) {
		tell_record(method_rows[m].params, "to", &to, out);
		tell_record(method_rows[m].result, "from", &from, out);
	}
	for (int n = 0; n < NOTICE_COUNT; n++) {
		tell_record(notice_rows[n].record, "from", &from, out);
	}
	assert_int_equal(buf_append(out, "", 1), OK);
}

static void read_promises(struct buf *out)
{
	char chunk[4096];
	FILE *f = fopen(PROMISES, "r");
	assert_non_null(f);
	buf_init(out, TEXT_BYTES);
	(void)buf_append(out, "\n", 1);
	for (size_t n; (n = fread(chunk, 1, sizeof(chunk), f)) > 0;) {
		(void)buf_append(out, chunk, n);
	}
	assert_int_equal(fclose(f), 0);
	assert_int_equal(buf_append(out, "", 1), OK);
}

/* The line of the text that begins like that, or NULL. */
static const char *line_of(const char *text, const char *begin)
{
	size_t len = strlen(begin);
	for (const char *at = text; (at = strchr(at, '\n')) != NULL;) {
		at++;
		if (strncmp(at, begin, len) == 0) {
			return at;
		}
	}
	return NULL;
}

static bool line_has(const char *line, const char *word)
{
	const char *at = strstr(line, word);
	return at != NULL && at < strchr(line, '\n');
}

/* Whoever relied on the promise is served by what is now: no more is asked of what is sent, and no less is received. */
static bool is_kept(const char *promise, const char *now)
{
	bool was_required = line_has(promise, " required"),
	     is_required = line_has(now, " required");
	bool was_nil = line_has(promise, " nil"), is_nil = line_has(now, " nil");
	return promise[0] == 't' ? (was_required || !is_required) && (!was_nil || is_nil)
				 : (!was_required || is_required) && (was_nil || !is_nil);
}

/* How many promises are broken. Each is printed. */
static size_t broken(const char *promises, const char *now)
{
	size_t n = 0;
	char head[256];
	for (const char *at = promises + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
		size_t len = strcspn(at, "\n");
		bool is_field = at[0] == 't' || at[0] == 'f';
		if (is_field &&
		    !line_has(at, "=")) { /* up to its kind, which ends with the third blank */
			len = (size_t)(strchr(strchr(strchr(at, ' ') + 1, ' ') + 1, ' ') - at);
		}
		assert_true(len + 2 < sizeof(head));
		memcpy(head, at, len);
		head[len] = at[len];
		head[len + 1] = '\0';
		const char *line = line_of(now, head);
		if (line == NULL || (is_field && !is_kept(at, line))) {
			print_message("# no longer: %.*s\n", (int)strcspn(at, "\n"), at);
			n++;
		}
	}
	return n;
}

/* How many fields are required now of records that could be sent without. */
static size_t demanded(const char *promises, const char *now)
{
	size_t n = 0;
	char record[128];
	for (const char *at = line_of(now, "to "); at != NULL; at = line_of(at, "to ")) {
		size_t len = strcspn(at, ".") + 1, field = strcspn(at + 3, " ") + 4;
		assert_true(field + 1 < sizeof(record));
		memcpy(record, at, len);
		record[len] = '\0';
		bool is_old = line_of(promises, record) != NULL;
		memcpy(record, at, field);
		record[field] = '\0';
		if (is_old && line_has(at, " required") && line_of(promises, record) == NULL) {
			print_message("# required now: %.*s\n", (int)strcspn(at, "\n"), at);
			n++;
		}
	}
	return n;
}

/* promise: same-protocol */
TEST(test_what_was_promised_of_protocol_1_holds)
{
	struct buf now, promises;
	tell_protocol(&now);
	if (getenv("AYE_PROMISE") != NULL) {
		FILE *f = fopen(PROMISES, "w");
		assert_non_null(f);
		assert_int_equal(fputs(now.data + 1, f) >= 0, 1);
		assert_int_equal(fclose(f), 0);
	}
	read_promises(&promises);
	assert_int_equal(broken(promises.data, now.data), 0);
	assert_int_equal(demanded(promises.data, now.data), 0);
	buf_finish(&now);
	buf_finish(&promises);
}

TEST(test_promises_that_are_broken_are_found)
{
	static const struct {
		const char *promises, *now;
		size_t broken, demanded;
	} rows[] = {
		{"\nmethod a.b p r\n", "\nmethod a.b p r\nmethod a.c p r\n", 0, 0},
		{"\nmethod a.b p r\n", "\nmethod a.c p r\n", 1, 0},
		{"\nmethod a.b p r\n", "\nmethod a.b p s\n", 1, 0},
		{"\nerror TOO_LATE\n", "\nerror TOO_LATER\n", 1, 0},
		{"\nto p.x string required\n", "\nto p.x string optional\n", 0, 0},
		{"\nto p.x string optional\n", "\nto p.x string required\n", 1, 0},
		{"\nto p.x string optional nil\n", "\nto p.x string optional\n", 1, 0},
		{"\nto p.x string optional\n", "\nto p.x integer optional\n", 1, 0},
		{"\nfrom r.x string required\n", "\nfrom r.x string optional\n", 1, 0},
		{"\nfrom r.x string required\n", "\nfrom r.x string required nil\n", 1, 0},
		{"\nfrom r.x string optional\n", "\nfrom r.x string required\n", 0, 0},
		{"\nto p.x=host\n", "\nto p.x=hosts\n", 1, 0},
		{"\nto p.x string optional\n", "\nto p.x string optional\nto p.y string required\n",
		 0, 1},
		{"\nto p.x string optional\n", "\nto p.x string optional\nto q.y string required\n",
		 0, 0},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(broken(rows[i].promises, rows[i].now), rows[i].broken);
		assert_int_equal(demanded(rows[i].promises, rows[i].now), rows[i].demanded);
	}
}
