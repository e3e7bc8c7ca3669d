/*
 * test_methods.c - what must hold for every row of methods, notifications,
 * limits, errors and faults, now and for rows to come.
 */
#include <string.h>

#include "proto/keys/room_code.h"
#include "proto/methods.h"
#include "tests/support/test.h"

static bool takes(const struct record *rec, const char *field)
{
	return record_field(rec, slice_str(field)) != NULL;
}

TEST(test_each_method_is_found_by_its_name_and_no_other)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		const char *name = method_rows[m].name;
		/* The first of two rows of one name would be found for both. */
		assert_int_equal(method_find(slice_str(name)), m);
		assert_int_equal(method_find(slice_of(name, strlen(name) - 1)), METHOD_COUNT);
		assert_int_equal(method_find(slice_of(name, strlen(name) + 1)), METHOD_COUNT);
		assert_int_equal(notice_find(slice_str(name)), NOTICE_COUNT);
	}
	assert_int_equal(method_find(SLICE("")), METHOD_COUNT);
	assert_int_equal(method_find((struct slice){NULL, 0}), METHOD_COUNT);
}

TEST(test_each_notification_is_found_by_its_name)
{
	for (int n = 0; n < NOTICE_COUNT; n++) {
		assert_int_equal(notice_find(slice_str(notice_rows[n].name)), n);
		assert_true(notice_rows[n].record->n > 0);
	}
	assert_int_equal(notice_find(SLICE("")), NOTICE_COUNT);
}

TEST(test_names_are_a_noun_a_dot_and_words)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		const char *name = method_rows[m].name;
		const char *dot = strchr(name, '.');
		assert_non_null(dot);
		assert_ptr_equal(dot, strrchr(name, '.'));
		assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz_."), strlen(name));
		assert_true(method_rows[m].help[0] != '\0');
	}
}

TEST(test_methods_that_change_take_an_idempotency_key_and_others_do_not)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		assert_int_equal(takes(method_rows[m].params, "idempotency_key"),
				 method_rows[m].effect == EFFECT_CHANGES);
	}
}

TEST(test_methods_of_a_room_say_which)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		const struct field *room = record_field(method_rows[m].params, SLICE("room_id"));
		bool is_on_room = method_rows[m].where == WHERE_ROOM;
		assert_true(room != NULL || !is_on_room);
		if (room != NULL) { /* elsewhere it may say for whom something is */
			assert_int_equal(room->flags, is_on_room ? FIELD_REQ : FIELD_OPT);
			assert_int_equal(room->min, CODE_CHARS);
			assert_int_equal(room->max, CODE_CHARS_MAX);
		}
	}
}

TEST(test_methods_of_a_seat_take_its_key_and_those_of_the_host_the_hosts)
{
	for (int m = 0; m < METHOD_COUNT; m++) {
		const struct method_row *row = &method_rows[m];
		if (row->who == WHO_SEATED) {
			assert_true(takes(row->params, "user_key") ||
				    takes(row->params, "host_key"));
		}
		assert_true(row->who != WHO_HOST || takes(row->params, "host_key"));
	}
}

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names != NULL; names++) {
		if (strcmp(name, *names) == 0) {
			return true;
		}
	}
	return false;
}

/* A session's token is secret; a countdown's only says which one is meant. So is an invitation's code; an error's says what went wrong. */
static bool is_secret(const struct record *rec, const struct field *f)
{
	static const char *const secrets[] = {"user_key", "host_key", "passcode", "signature",
					      NULL};
	return is_one_of(f->name, secrets) ||
	       (strcmp(f->name, "token") == 0 && f->kind == FIELD_STR) ||
	       (strcmp(f->name, "code") == 0 && rec != &record_error_view);
}

/*
 * A place in a room's history is a pair in a request and a number in an update;
 * votes are counted in a result and listed in a round; confidence is a switch
 * in a policy and a number on a vote; a list's entries are in order, those of
 * the others a map; a subscription says whether it wants the data there is; a
 * group says how many its users are, and a page of them who; a closing is
 * explained in words, points by one; points and answers are counted on a board and
 * listed elsewhere, where ranks are numbers, and in an order text; a container says
 * how many its items are, and a page of them what; a place in an order is before
 * another one, and what expires before a time; a user's rooms are codes, and a
 * group's have titles.
 */
static bool has_two_kinds(const char *name)
{
	static const char *const names[] = {"since", "votes", "confidence", "token",  "entries",
					    "data",  "users", "reason",	    "points", "answers",
					    "rank",  "items", "before",	    "rooms",  NULL};
	return is_one_of(name, names);
}

/* A field's name means one thing: keys are secret wherever they stand, and a time is an integer. */
/* A TEXT is a string that comes in; what is stored and shown of it is one that is clean already. */
static enum field_kind kind_on_the_wire(const struct field *f)
{
	return f->kind == FIELD_TEXT ? FIELD_STR : f->kind;
}

TEST(test_a_name_has_one_kind_everywhere)
{
	for (const struct record *const *a = wire_records; *a != NULL; a++) {
		for (size_t i = 0; i < (*a)->n; i++) {
			const struct field *f = &(*a)->fields[i];
			assert_int_equal((f->flags & FIELD_SECRET) != 0, is_secret(*a, f));
			for (const struct record *const *b = a + 1; *b != NULL; b++) {
				const struct field *g = record_field(*b, slice_str(f->name));
				if (g != NULL && !has_two_kinds(f->name)) {
					assert_int_equal(kind_on_the_wire(f), kind_on_the_wire(g));
				}
			}
		}
	}
}

TEST(test_every_record_on_the_wire_belongs_to_something)
{
	for (const struct record *const *rec = wire_records; *rec != NULL; rec++) {
		bool is_used = *rec == &record_error_view;
		for (int m = 0; m < METHOD_COUNT; m++) {
			is_used = is_used || method_rows[m].params == *rec ||
				  method_rows[m].result == *rec;
		}
		for (int n = 0; n < NOTICE_COUNT; n++) {
			is_used = is_used || notice_rows[n].record == *rec;
		}
		for (const struct record *const *in = wire_records; *in != NULL; in++) {
			for (size_t i = 0; i < (*in)->n; i++) {
				is_used = is_used || (*in)->fields[i].of == *rec;
			}
		}
		if (!is_used) {
			fail_msg("%s is in no method and no notification", (*rec)->name);
		}
	}
}

TEST(test_limits_have_names_units_and_sense)
{
	for (int i = 0; i < LIMIT_COUNT; i++) {
		const struct limit_row *row = &limit_rows[i];
		assert_true(row->name[0] != '\0' && row->unit[0] != '\0' && row->help[0] != '\0');
		assert_true(row->value > 0);
		for (int j = 0; j < i; j++) {
			assert_string_not_equal(row->name, limit_rows[j].name);
		}
	}
	assert_int_equal(limit_rows[LIMIT_FRAME_BYTES].value, MAX_FRAME_BYTES);
	assert_true(MAX_FRAME_BYTES_GUEST < MAX_FRAME_BYTES);
	assert_true(MAX_CARDS_MIN < MAX_CARDS_MAX);
}

TEST(test_a_fault_names_the_field_it_is_about)
{
	struct fault f;
	char line[FAULT_LINE_BYTES_MAX];
	fault_field(&f, "username", "is wider than %d columns", 32);
	fault_line(&f, line, sizeof(line));
	assert_string_equal(line, "username: is wider than 32 columns");
	assert_true(fault_is_of_name(&f));
	fault_set(&f, FAULT_CONFLICT, "the cards are revealed");
	fault_line(&f, line, sizeof(line));
	assert_string_equal(line, "the cards are revealed");
	assert_false(fault_is_of_name(&f));
	fault_set(&f, FAULT_NAME_TAKEN, "that name is taken");
	assert_true(fault_is_of_name(&f));
}

TEST(test_fault_codes_are_found_by_their_names)
{
	for (int code = FAULT_NONE + 1; code < FAULT_COUNT; code++) {
		const char *name = fault_code_name((enum fault_code)code);
		assert_int_equal(fault_code_of(slice_str(name)), code);
	}
	assert_int_equal(fault_code_of(SLICE("NONE")), FAULT_NONE);
	assert_int_equal(fault_code_of(SLICE("")), FAULT_NONE);
	assert_int_equal(fault_code_of(SLICE("CONFLICTS")), FAULT_NONE);
	assert_string_equal(fault_code_name(FAULT_COUNT), "SERVER_ERROR");
}

TEST(test_faults_are_filled_whole)
{
	struct fault f;
	assert_int_equal(fault_field(&f, "since.epoch", "must be %d", 7), FAULT_VALIDATION_ERROR);
	assert_string_equal(f.field, "since.epoch");
	assert_string_equal(f.message, "must be 7");
	assert_int_equal(fault_set_field(&f, FAULT_TOO_LARGE, "value", "is %d bytes", 9),
			 FAULT_TOO_LARGE);
	assert_string_equal(f.field, "value");
	assert_string_equal(f.message, "is 9 bytes");
	assert_int_equal(fault_set(&f, FAULT_CONFLICT, "not %s", "now"), FAULT_CONFLICT);
	assert_string_equal(f.field, "");
	assert_string_equal(f.message, "not now");
	assert_int_equal(f.retry_after_ms, 0);
}
