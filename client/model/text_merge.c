/*
 * text_merge.c - see text_merge.h.
 *
 * What a side changed is taken for one piece: all between the first and the
 * last of its lines that differ from the base. Where the pieces lie apart each
 * is taken over; else all that either piece covers is there twice.
 */
#include "client/model/text_merge.h"

#include <string.h>

#include "proto/base/slice.h"

static size_t merge_count(const char *text)
{
	size_t n = 1;
	for (; *text != '\0'; text++) {
		n += *text == '\n' ? 1 : 0;
	}
	return n;
}

static const char *merge_next(const char *line)
{
	const char *end = strchr(line, '\n');
	return end == NULL ? NULL : end + 1;
}

static struct slice merge_line(const char *line)
{
	return slice_of(line, strcspn(line, "\n"));
}

static const char *merge_nth(const char *text, size_t n)
{
	while (n > 0 && text != NULL) {
		text = merge_next(text);
		n--;
	}
	return text;
}

/* A changed piece: lines of the base, and how many lines stand there instead. */
struct merge_piece {
	const char *text;
	size_t lines; /* of the whole text */
	size_t from;
	size_t to;
};

static size_t merge_same_head(const char *a, const char *b)
{
	size_t n = 0;
	while (a != NULL && b != NULL && slice_eq(merge_line(a), merge_line(b))) {
		a = merge_next(a);
		b = merge_next(b);
		n++;
	}
	return n;
}

/* The line that ends at `end`, in front of which its text has `len` bytes. */
static struct slice merge_line_before(const char *text, size_t end)
{
	size_t start = end;
	while (start > 0 && text[start - 1] != '\n') {
		start--;
	}
	return slice_of(text + start, end - start);
}

/* Lines at the end that are the same, `most` at most. */
static size_t merge_same_tail(const char *a, const char *b, size_t most)
{
	size_t a_end = strlen(a);
	size_t b_end = strlen(b);
	size_t n = 0;
	while (n < most) {
		struct slice a_line = merge_line_before(a, a_end);
		struct slice b_line = merge_line_before(b, b_end);
		if (!slice_eq(a_line, b_line)) {
			break;
		}
		n++;
		if (a_end == a_line.len || b_end == b_line.len) {
			break; /* it was the first */
		}
		a_end -= a_line.len + 1;
		b_end -= b_line.len + 1;
	}
	return n;
}

static struct merge_piece merge_piece_of(const char *base, const char *text)
{
	size_t base_n = merge_count(base);
	size_t n = merge_count(text);
	size_t head = merge_same_head(base, text);
	size_t tail = merge_same_tail(base, text, (base_n < n ? base_n : n) - head);
	return (struct merge_piece){.text = text, .lines = n, .from = head, .to = base_n - tail};
}

/* Lines [from, to) of a text, each with an end in front but for the very first. */
static void merge_put(struct buf *out, size_t start, const char *text, size_t from, size_t to)
{
	const char *line = merge_nth(text, from);
	for (size_t i = from; i < to && line != NULL; i++) {
		if (out->len > start) {
			(void)buf_append(out, "\n", 1);
		}
		(void)buf_append_slice(out, merge_line(line));
		line = merge_next(line);
	}
}

/* What a side has in place of the base's lines [from, to), which cover its piece. */
static void merge_put_piece(struct buf *out, size_t start, const struct merge_piece *p,
			    size_t base_n, size_t from, size_t to)
{
	merge_put(out, start, p->text, from, p->lines - (base_n - to));
}

bool text_merge_lines(const char *base, const char *mine, const char *theirs, struct buf *out)
{
	size_t start = out->len;
	size_t base_n = merge_count(base);
	struct merge_piece a = merge_piece_of(base, theirs);
	struct merge_piece b = merge_piece_of(base, mine);
	bool is_same = strcmp(mine, theirs) == 0;
	bool is_apart = (a.to <= b.from || b.to <= a.from) && !(a.from == b.from && a.to == b.to);
	const struct merge_piece *first =
		a.from < b.from || (a.from == b.from && a.to <= b.to) ? &a : &b;
	const struct merge_piece *second = first == &a ? &b : &a;
	if (is_same) {
		merge_put(out, start, mine, 0, b.lines);
	} else if (is_apart) {
		merge_put(out, start, base, 0, first->from);
		merge_put_piece(out, start, first, base_n, first->from, first->to);
		merge_put(out, start, base, first->to, second->from);
		merge_put_piece(out, start, second, base_n, second->from, second->to);
		merge_put(out, start, base, second->to, base_n);
	} else {
		size_t from = first->from;
		size_t to = a.to > b.to ? a.to : b.to;
		merge_put(out, start, base, 0, from);
		merge_put_piece(out, start, &a, base_n, from, to);
		merge_put_piece(out, start, &b, base_n, from, to);
		merge_put(out, start, base, to, base_n);
	}
	(void)buf_append(out, "", 1);
	return !is_same && !is_apart;
}
