/*
 * link_kit.h - a link to a fake Redis: commands, and how they end.
 *
 * Functions are inline so that each test program may use some of them.
 */
#ifndef TESTS_UNIT_STORE_LINK_KIT_H
#define TESTS_UNIT_STORE_LINK_KIT_H

#include "store/redis/link/redis_link.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/format.h"
#include "tests/support/redis_fake.h"
#include "tests/support/test.h"

#define LINK_TEST(name, f) TEST_OF(name, struct fake, f, fake_lay(f), fake_clear(f))

static const struct slice scripts[] = {SLICE_INIT("return 1"), SLICE_INIT("return 2")};

/* ---- commands, and what became of them ---- */

struct asked {
	struct fake *f;
	unsigned times; /* that the callback ran */
	enum redis_end end;
	char reply[128];
	bool asks_again; /* in the callback */
	struct asked *again;
};

static inline void write_reply(const struct redis_reply *r, char *out, size_t cap)
{
	size_t len = strlen(out);
	if (r->kind == REDIS_NIL) {
		(void)format_to(out + len, cap - len, "nil");
	} else if (r->kind == REDIS_INTEGER) {
		(void)format_to(out + len, cap - len, "%lld", (long long)r->integer);
	} else if (r->kind != REDIS_ARRAY) {
		(void)format_to(out + len, cap - len, "%.*s", (int)r->text.len,
				r->text.len == 0 ? "" : r->text.data);
	} else {
		(void)format_to(out + len, cap - len, "[");
		for (const struct redis_reply *e = r->first; e != NULL; e = e->next) {
			write_reply(e, out, cap);
			(void)format_to(out + strlen(out), cap - strlen(out),
					e->next == NULL ? "" : " ");
		}
		(void)format_to(out + strlen(out), cap - strlen(out), "]");
	}
}

static inline void ask(struct fake *f, struct asked *a, const char *word);

static inline void on_end(void *arg, enum redis_end end, const struct redis_reply *reply)
{
	struct asked *a = arg;
	a->times++;
	a->end = end;
	a->reply[0] = '\0';
	bool has_reply =
		end == REDIS_END_OK || end == REDIS_END_REFUSED || redis_ends[end].code.len > 0;
	assert_int_equal(has_reply, reply != NULL);
	if (reply != NULL) {
		write_reply(reply, a->reply, sizeof(a->reply));
	}
	if (a->again != NULL) {
		ask(a->f, a->again, "AGAIN");
	}
}

static inline enum err ask_within(struct fake *f, struct asked *a, const char *word, int script,
			   int64_t within_ms)
{
	struct slice arg = slice_str(word);
	struct redis_command c = {.script = script, .args = &arg, .n = 1, .within_ms = within_ms};
	a->f = f;
	return redis_link_send(f->link, &c, on_end, a);
}

static inline void ask(struct fake *f, struct asked *a, const char *word)
{
	assert_int_equal(ask_within(f, a, word, REDIS_NO_SCRIPT, 60000), OK);
}

static inline void ask_script(struct fake *f, struct asked *a, int script)
{
	assert_int_equal(ask_within(f, a, "0", script, 60000), OK);
}

#define assert_heard(f, text)                                                        \
	do {                                                                         \
		char heard_[4096];                                                   \
		(void)format_to(heard_, sizeof(heard_), "%.*s", (int)(f)->heard.len, \
				(f)->heard.data);                                    \
		buf_clear(&(f)->heard);                                              \
		assert_string_equal(heard_, text);                                   \
	} while (0)

#define assert_ended(a, end_, reply_)                                  \
	do {                                                           \
		assert_int_equal((a)->times, 1);                       \
		assert_string_equal(redis_ends[(a)->end].name, #end_); \
		assert_string_equal((a)->reply, reply_);               \
	} while (0)

#endif
