/*
 * test_replica_data.c - what members do and the notes, in the copy of a room.
 */
#include <stdlib.h>
#include <string.h>

#include "client/model/room/replica.h"
#include "tests/support/test.h"
#include "tests/unit/client/view_kit.h"

static struct slice cards[] = {{"1", 1}, {"2", 1}};

/* {"doing": ..., "story_id": ...}, a later client's field among them; then a text. */
#define LOOKING_S1 "\203\245doing\247looking\243new\303\250story_id\242s1"
#define CHOOSING   "\201\245doing\250choosing"
#define DANCING	   "\201\245doing\247dancing"
#define DANCING_S1 "\202\245doing\247dancing\250story_id\242s1"
#define TEXT_ONE   "\254one\n\033[31mtwo"
#define TEXT_TWO   "\243two"

struct news {
	struct room_update u;
	struct data_change changes[2];
	struct data_entry entries[2][3];
};

static struct room_update *news_of(struct news *n, int64_t since, int64_t version)
{
	n->u.room_id = SLICE("K7QX3M");
	n->u.epoch = 7;
	n->u.since = since;
	n->u.version = version;
	n->u.data = n->changes;
	n->u.with_data = n->u.data_n > 0;
	return &n->u;
}

static struct data_change *change_of(struct news *n, enum data_kind kind, const char *name)
{
	size_t i = n->u.data_n++;
	n->changes[i] = (struct data_change){.kind = kind,
					     .name = slice_str(name),
					     .entries = n->entries[i]};
	return &n->changes[i];
}

static struct data_entry *entry_of(struct data_change *c, const char *id, const char *value)
{
	struct data_entry *e = &c->entries[c->entries_n++];
	*e = (struct data_entry){.entry_id = slice_str(id)};
	if (value != NULL) {
		e->value = slice_of(value, strlen(value));
		e->with_value = true;
	}
	return e;
}

static void add_note(struct data_change *c, const char *key, const char *value, int64_t revision)
{
	struct data_entry *e = entry_of(c, key, value);
	e->revision = revision;
	e->with_revision = true;
}

static void be_full(struct news *n)
{
	n->u.full = n->u.with_full = true;
	n->u.with_room = true;
	n->u.room = first_view(cards, 2);
}

/* Version 5: one looks, one chooses, one does what we do not know; two notes. */
static enum err take_full(struct replica *r)
{
	struct news n = {.u = {.data_n = 0}};
	be_full(&n);
	struct data_change *c = change_of(&n, DATA_PRESENCE, "aye");
	(void)entry_of(c, "U1", LOOKING_S1);
	(void)entry_of(c, "U2", CHOOSING);
	(void)entry_of(c, "U3", DANCING);
	c = change_of(&n, DATA_MAP, "notes");
	add_note(c, "s1", TEXT_ONE, 3);
	add_note(c, "quick", TEXT_TWO, 1);
	return replica_update(r, news_of(&n, 5, 5));
}

TEST(test_a_full_update_tells_who_does_what_and_the_notes)
{
	struct replica r = {0};
	const char *story = NULL;
	assert_int_equal(take_full(&r), OK);
	assert_true(r.data.has_presence);
	assert_int_equal(replica_doing(&r, "U1", &story), ACTIVITY_LOOKING);
	assert_string_equal(story, "s1");
	assert_int_equal(replica_doing(&r, "U2", &story), ACTIVITY_CHOOSING);
	assert_null(story);
	assert_int_equal(replica_doing(&r, "U3", &story), ACTIVITY_NOTHING);
	assert_int_equal(replica_doing(&r, "U4", &story), ACTIVITY_NOTHING);
	assert_string_equal(replica_note(&r, "s1")->text.data, "one\n\xef\xbf\xbd[31mtwo");
	assert_int_equal(replica_note(&r, "s1")->revision, 3);
	assert_string_equal(replica_note(&r, "quick")->text.data, "two");
	assert_null(replica_note(&r, "s2"));
	struct news n = {.u = {.data_n = 0}};
	be_full(&n);
	assert_int_equal(replica_update(&r, news_of(&n, 9, 9)), OK);
	assert_false(r.data.has_presence);
	assert_null(replica_note(&r, "s1"));
	replica_finish(&r);
}

/* A later client's word: at the story it shows nobody. */
TEST(test_who_does_what_we_do_not_know_is_at_no_story)
{
	struct replica r = {0};
	const char *story = NULL;
	assert_int_equal(take_full(&r), OK);
	struct news n = {.u = {.data_n = 0}};
	(void)entry_of(change_of(&n, DATA_PRESENCE, "aye"), "U1", DANCING_S1);
	assert_int_equal(replica_update(&r, news_of(&n, 5, 6)), OK);
	assert_int_equal(replica_doing(&r, "U1", &story), ACTIVITY_NOTHING);
	assert_null(story);
	assert_non_null(rows_find(&r.data.presents, SLICE("U2")));
	assert_null(rows_find(&r.data.presents, SLICE("U1")));
	replica_finish(&r);
}

TEST(test_what_changed_replaces_and_what_is_gone_goes)
{
	struct replica r = {0};
	const char *story = NULL;
	assert_int_equal(take_full(&r), OK);
	struct news n = {.u = {.data_n = 0}};
	struct data_change *c = change_of(&n, DATA_PRESENCE, "aye");
	(void)entry_of(c, "U2", LOOKING_S1);
	struct data_entry *gone = entry_of(c, "U1", NULL);
	gone->is_gone = gone->with_is_gone = true;
	c = change_of(&n, DATA_MAP, "notes");
	add_note(c, "s1", TEXT_TWO, 4);
	gone = entry_of(c, "quick", NULL);
	gone->is_gone = gone->with_is_gone = true;
	assert_int_equal(replica_update(&r, news_of(&n, 5, 6)), OK);
	assert_int_equal(replica_doing(&r, "U1", &story), ACTIVITY_NOTHING);
	assert_int_equal(replica_doing(&r, "U2", &story), ACTIVITY_LOOKING);
	assert_string_equal(replica_note(&r, "s1")->text.data, "two");
	assert_null(replica_note(&r, "quick"));
	n = (struct news){.u = {.data_n = 0}};
	change_of(&n, DATA_PRESENCE, "aye")->is_gone = true;
	n.changes[0].with_is_gone = true;
	change_of(&n, DATA_MAP, "notes")->is_gone = true;
	n.changes[1].with_is_gone = true;
	assert_int_equal(replica_update(&r, news_of(&n, 6, 7)), OK);
	assert_false(r.data.has_presence);
	assert_false(r.data.has_notes);
	assert_int_equal(r.data.presents.n + r.data.notes.n, 0);
	replica_finish(&r);
}

TEST(test_other_names_and_other_values_pass_by)
{
	struct replica r = {0};
	const char *story = NULL;
	assert_int_equal(take_full(&r), OK);
	struct news n = {.u = {.data_n = 0}};
	(void)entry_of(change_of(&n, DATA_PRESENCE, "cursors"), "U2", LOOKING_S1);
	add_note(change_of(&n, DATA_LIST, "notes"), "s1", TEXT_TWO, 9);
	assert_int_equal(replica_update(&r, news_of(&n, 5, 6)), OK);
	assert_int_equal(replica_doing(&r, "U2", &story), ACTIVITY_CHOOSING);
	assert_int_equal(replica_note(&r, "s1")->revision, 3);
	n = (struct news){.u = {.data_n = 0}};
	(void)entry_of(change_of(&n, DATA_PRESENCE, "aye"), "U2", "\x05");
	add_note(change_of(&n, DATA_MAP, "notes"), "s1", CHOOSING, 4);
	assert_int_equal(replica_update(&r, news_of(&n, 6, 7)), OK);
	assert_int_equal(replica_doing(&r, "U2", &story), ACTIVITY_NOTHING);
	assert_null(replica_note(&r, "s1")->text.data);
	assert_int_equal(replica_note(&r, "s1")->revision, 4);
	replica_finish(&r);
}

TEST(test_our_own_text_comes_with_the_answer)
{
	struct replica r = {0};
	assert_int_equal(take_full(&r), OK);
	struct news n = {.u = {.data_n = 0}};
	add_note(change_of(&n, DATA_MAP, "notes"), "s1", NULL, 4);
	assert_int_equal(replica_update(&r, news_of(&n, 5, 6)), OK);
	assert_null(replica_note(&r, "s1")->text.data);
	replica_put_note(&r, "s1", "ours", 4);
	assert_string_equal(replica_note(&r, "s1")->text.data, "ours");
	replica_put_note(&r, "s2", "new", 1);
	n = (struct news){.u = {.data_n = 0}};
	add_note(change_of(&n, DATA_MAP, "notes"), "s2", NULL, 1); /* the answer was faster */
	assert_int_equal(replica_update(&r, news_of(&n, 6, 7)), OK);
	assert_string_equal(replica_note(&r, "s2")->text.data, "new");
	replica_put_note(&r, "s1", "late", 3); /* somebody was faster */
	assert_string_equal(replica_note(&r, "s1")->text.data, "ours");
	replica_finish(&r);
}

TEST(test_a_text_is_read_as_it_was_written)
{
	struct buf b;
	char *text = NULL;
	buf_init(&b, MAX_DATA_VALUE_BYTES);
	shared_text_write("one\ntwo", &b);
	assert_int_equal(b.error, OK);
	assert_int_equal(b.len, 8);
	assert_int_equal(shared_text_read(buf_slice(&b), &text), OK);
	assert_string_equal(text, "one\ntwo");
	free(text);
	assert_int_equal(shared_text_read(SLICE("\xc0"), &text), ERR_INVALID);
	assert_int_equal(shared_text_read(SLICE("\xa1"), &text), ERR_INVALID);
	assert_int_equal(shared_text_read(SLICE("\241aa"), &text), ERR_INVALID);
	buf_finish(&b);
}
