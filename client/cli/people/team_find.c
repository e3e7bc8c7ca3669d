/*
 * team_find.c - see team_find.h.
 */
#include "client/cli/people/team_find.h"

#include <string.h>

#include "client/acts/spelling.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/pages.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/text/text.h"

/* So many ids are named where they share a name. */
enum { TEAM_FIND_NAMED_MAX = 16 };

/* More than a name has when it is folded. */
enum { TEAM_FOLDED_BYTES = 4 * MAX_NAME_BYTES };

static const struct team_kind_row {
	enum method list;
	const char *prefix; /* of an id */
	const char *in;	    /* the field that says what to look in; NULL: none */
	const char *id;	    /* and those of an entry */
	const char *name;
	const char *nowhere; /* "no team of yours": where none is called that */
	const char *several;
	const char *look;   /* what prints them */
	const char *narrow; /* what else says which of several is meant; NULL: nothing */
	bool (*is_same)(struct slice a, struct slice b); /* how names are compared */
} team_kinds[] = {
	[TEAM_KIND_TEAM] = {METHOD_GROUP_LIST, "g_", NULL, "group_id", "group_name",
			    "no team of yours", "teams of yours", "aye team list", NULL, slice_eq},
	[TEAM_KIND_MEMBER] = {METHOD_GROUP_USERS, "", "group_id", "user_id", "user_name",
			      "no member", "members of the team", "aye team users TEAM", NULL,
			      team_is_same_name},
	[TEAM_KIND_BACKLOG] = {METHOD_CONTAINER_LIST, "c_", "group_id", "container_id",
			       "container_name", "no backlog of your teams",
			       "backlogs of your teams", "aye backlog list", "--team TEAM",
			       slice_eq},
	[TEAM_KIND_ITEM] = {METHOD_ITEM_LIST, "i_", "container_id", "item_id", "name",
			    "no item of the backlog", "items of the backlog",
			    "aye item list BACKLOG", NULL, slice_eq},
};

struct team_search {
	const struct team_kind_row *row;
	const struct record *rec;
	struct slice word;
	char ids[TEAM_FIND_NAMED_MAX][TEAM_FIND_ID_BYTES];
	size_t n;	/* that have the name; all of them, also where not all are in ids */
	bool is_narrow; /* was looked for where row->narrow said */
	bool is_exact;	/* one has that id: it is the first */
	struct spelling spelling;
	char nearest[SPELLING_WORD_BYTES];
};

/* The name as the server compares it; as it is where it cannot be folded. */
static struct slice team_folded(struct slice name, char out[TEAM_FOLDED_BYTES])
{
	char clean[MAX_NAME_BYTES];
	size_t len = text_soften(name, clean, sizeof(clean));
	enum err e = memory_check(text_fold(slice_of(clean, len), out, TEAM_FOLDED_BYTES, &len));
	return e == OK ? slice_of(out, len) : name;
}

bool team_is_same_name(struct slice a, struct slice b)
{
	char folded_a[TEAM_FOLDED_BYTES];
	char folded_b[TEAM_FOLDED_BYTES];
	return a.len > 0 && b.len > 0 &&
	       slice_eq(team_folded(a, folded_a), team_folded(b, folded_b));
}

/* An id of that kind by its form: in capitals in out. */
static bool team_is_id(const char *prefix, const char *word, char out[TEAM_FIND_ID_BYTES])
{
	char code[CODE_CHARS_MAX + 1];
	size_t before = strlen(prefix);
	bool is_one = before > 0 && strncmp(word, prefix, before) == 0 &&
		      strlen(word + before) == USER_ID_CHARS &&
		      code_normalise(slice_str(word + before), code);
	if (is_one) {
		(void)format_to(out, TEAM_FIND_ID_BYTES, "%s%s", prefix, code);
	}
	return is_one;
}

static int team_search_try(void *owner, const void *entry)
{
	struct team_search *s = owner;
	struct slice id =
		*(const struct slice *)field_member(record_field(s->rec, slice_str(s->row->id)),
						    entry);
	struct slice name =
		*(const struct slice *)field_member(record_field(s->rec, slice_str(s->row->name)),
						    entry);
	s->is_exact = slice_eq(id, s->word);
	if (s->is_exact) {
		s->n = 0;
	}
	if (s->is_exact || s->row->is_same(name, s->word)) {
		if (s->n < TEAM_FIND_NAMED_MAX) {
			(void)format_to(s->ids[s->n], TEAM_FIND_ID_BYTES, "%.*s", (int)id.len,
					id.data);
		}
		s->n++;
	} else {
		spelling_offer_passing(&s->spelling, name, s->nearest);
	}
	return s->is_exact ? EXIT_NO : EXIT_DONE; /* no other has that id: the search is over */
}

static int team_search_refuse(const struct team_search *s)
{
	struct buf ids;
	if (s->n == 0 && s->spelling.meant.len > 0) {
		print_problem("%s is called %s; did you mean %s? (list them: %s)", s->row->nowhere,
			      print_soft(s->word), print_soft(s->spelling.meant), s->row->look);
		return EXIT_REFUSED;
	}
	if (s->n == 0) {
		print_problem("%s is called %s (list them: %s)", s->row->nowhere,
			      print_soft(s->word), s->row->look);
		return EXIT_REFUSED;
	}
	buf_init(&ids, sizeof(s->ids) + TEAM_FIND_NAMED_MAX * 8);
	for (size_t i = 0; i < s->n && i < TEAM_FIND_NAMED_MAX; i++) {
		(void)buf_printf(&ids, "%s%s", format_between(i, s->n, " and "),
				 print_soft(slice_str(s->ids[i])));
	}
	(void)buf_append(&ids, "", 1);
	if (memory_check(ids.error) == OK) {
		const char *narrow = s->is_narrow ? NULL : s->row->narrow;
		print_problem("%zu %s are called %s: %s; use an id%s%s", s->n, s->row->several,
			      print_soft(s->word), ids.data, narrow == NULL ? "" : ", or ",
			      narrow == NULL ? "" : narrow);
	}
	buf_finish(&ids);
	return EXIT_USAGE;
}

int team_find(struct visit *v, enum team_kind kind, const char *word, const char *in,
	      char out[TEAM_FIND_ID_BYTES])
{
	const struct team_kind_row *row = &team_kinds[kind];
	if (team_is_id(row->prefix, word, out)) {
		return EXIT_DONE;
	}
	struct team_search s = {
		.row = row,
		.rec = pages_field(row->list)->of,
		.word = slice_str(word),
		.is_narrow = in != NULL,
		.spelling = {.typed = slice_str(word)},
	};
	struct request *r = request_make(row->list);
	if (row->in != NULL && in != NULL) {
		request_text(r, row->in, in);
	}
	int code = pages_each(v, r, team_search_try, &s);
	code = s.is_exact ? EXIT_DONE : code;
	request_free(r);
	if (code != EXIT_DONE) {
		return code;
	}
	(void)format_to(out, TEAM_FIND_ID_BYTES, "%s", s.ids[0]);
	return s.n == 1 ? EXIT_DONE : team_search_refuse(&s);
}
