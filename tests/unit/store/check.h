/*
 * check.h - what `ayed check` says of a store's data, as lines of text.
 */
#ifndef TESTS_UNIT_STORE_CHECK_H
#define TESTS_UNIT_STORE_CHECK_H

#include "fixture.h"

#include "store/admin/admin.h"

/* Lines that were told, each ended by a newline. */
struct lines {
	unsigned n;
	char text[8192];
};

static inline void take_line(struct lines *l, struct slice line)
{
	size_t len = strlen(l->text);
	l->n++;
	format_to(l->text + len, sizeof(l->text) - len, "%.*s\n", (int)line.len, line.data);
}

static inline bool on_line(void *arg, struct slice line)
{
	take_line(arg, line);
	return true;
}

/* The verdict, and a line for each problem; *why is set where there is no going on. The store may be closed. */
static inline enum err check(const struct fixture *f, struct lines *problems, struct errmsg *why)
{
	struct admin_counts counts;
	*problems = (struct lines){.n = 0};
	return admin_check(f->directory, NO_SLICE, on_line, problems, &counts, why);
}

static inline void assert_check_clean(const struct fixture *f)
{
	struct lines problems;
	struct errmsg why = {""};
	enum err e = check(f, &problems, &why);
	assert_string_equal(problems.text, "");
	assert_string_equal(why.text, "");
	assert_int_equal(e, OK);
}

#endif
