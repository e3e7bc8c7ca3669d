/*
 * template.c - see template.h.
 */
#include "client/cli/output/template.h"

#include <string.h>

#include "client/cli/output/local_time.h"
#include "client/cli/output/print.h"
#include "client/model/lists/item_text.h"
#include "proto/text/decimal.h"
#include "proto/text/text.h"

enum { TEMPLATE_CELLS_MAX = 200 };

/* @form  '@': a moment, '#': a day, '~': a text that may be "none"; else the field as it is. */
static void template_put(const struct field *f, const void *in, char form, struct buf *out)
{
	char moment[LOCAL_TIME_BYTES];
	const void *member = field_member(f, in);
	const struct slices *all = member;
	bool is_none = form == '~' && slice_eq(*(const struct slice *)member, SLICE("none"));
	bool is_there = !is_none && ((f->flags & FIELD_REQ) != 0 || field_with(f, in));
	if (!is_there) {
		(void)buf_printf(out, "-");
	} else if (f->kind == FIELD_INT && form == '@') {
		(void)buf_printf(out, "%s",
				 local_time(*(const int64_t *)member, LOCAL_MINUTE, moment));
	} else if (f->kind == FIELD_INT && form == '#') {
		(void)buf_printf(out, "%s", item_expiry(*(const int64_t *)member, moment));
	} else if (f->kind == FIELD_INT) {
		(void)buf_printf(out, "%lld", (long long)*(const int64_t *)member);
	} else if (f->kind == FIELD_ENUM) {
		(void)buf_printf(out, "%s", words_text(f->words, field_enum(f, in)));
	} else if (f->kind == FIELD_STRS) {
		for (size_t i = 0; i < all->n; i++) {
			(void)buf_printf(out, "%s%s", i == 0 ? "" : " ", print_soft(all->items[i]));
		}
	} else {
		(void)buf_printf(out, "%s", print_soft(*(const struct slice *)member));
	}
}

/* What stands between { and }. */
static void template_fill(struct slice hole, const struct args *a, const struct record *rec,
			  const void *value, struct buf *out)
{
	size_t begin = out->len;
	size_t digits;
	size_t name_len = 0;
	while (name_len < hole.len && strchr(":@#~", hole.data[name_len]) == NULL) {
		name_len++;
	}
	struct slice behind = slice_of(hole.data + name_len, hole.len - name_len);
	char form = behind.len > 0 && behind.data[0] != ':' ? behind.data[0] : '\0';
	if (form != '\0') {
		behind = slice_of(behind.data + 1, behind.len - 1);
	}
	if (hole.data[0] >= '0' && hole.data[0] <= '9') {
		(void)buf_printf(out, "%s", print_soft(slice_str(a->words[hole.data[0] - '0'])));
	} else {
		template_put(record_field(rec, slice_of(hole.data, name_len)), value, form, out);
	}
	if (behind.len == 0 || out->error != OK) {
		return;
	}
	struct slice wanted = slice_of(behind.data + 1, behind.len - 1);
	size_t cells = (size_t)decimal_front(wanted, TEMPLATE_CELLS_MAX, &digits);
	for (size_t has = text_cells(slice_of(out->data + begin, out->len - begin)); has < cells;
	     has++) {
		(void)buf_append(out, " ", 1);
	}
}

void template_write(const char *says, const struct args *a, const struct record *rec,
		    const void *value, struct buf *out)
{
	for (const char *at = says; *at != '\0';) {
		size_t before = strcspn(at, "{");
		(void)buf_append(out, at, before);
		at += before;
		if (*at == '{') {
			size_t len = strcspn(at, "}");
			template_fill(slice_of(at + 1, len - 1), a, rec, value, out);
			at += len + 1;
		}
	}
}
