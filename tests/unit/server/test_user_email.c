/*
 * test_user_email.c - an e-mail address: its form, that it is one user's, and who is found by it.
 */
#include "tests/unit/server/club.h"

static const char *set_email(struct club_user *u, const char *address)
{
	return rig_code(u->peer, "user.update", "'email_address':%s", address);
}

static const char *find(struct club_user *by, const char *address)
{
	return rig_code(by->peer, "user.get_by_email", "'email_address':'%s'", address);
}

CLUB_TEST(test_the_form_of_an_address_is_checked, d)
{
	static const struct {
		const char *address;
		bool is_good;
	} cases[] = {
		{"ada@example.org", true},
		{"Ada.L+x@Example.ORG", true},
		{"ada@localhost", true},
		{"\xc3\xa4"
		 "da@b\xc3\xbc"
		 "cher.example",
		 true},
		{"ada", false},
		{"@example.org", false},
		{"ada@", false},
		{"ada@@example.org", false},
		{"a@b@example.org", false},
		{"ada@.example.org", false},
		{"ada@example.org.", false},
		{"ada@example..org", false},
		{"ada l@example.org", false},
		{"ada\\u0000@example.org", false},
		{"ada\\u202e@example.org", false},
		{"ada\\uff20x@example.org", false}, /* a wide @ is one, too */
		{"", false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[80];
		(void)snprintf(text, sizeof(text), "'%s'", cases[i].address);
		const char *outcome = set_email(&d->ada, text);
		const char *expected = cases[i].is_good ? "ok" : "VALIDATION_ERROR email_address";
		if (strcmp(outcome, expected) != 0) {
			fail_msg("%s: %s", cases[i].address, outcome);
		}
	}
}

CLUB_TEST(test_an_address_has_254_bytes_at_most, d)
{
	char text[10240 + 3];
	for (size_t len = MAX_EMAIL_BYTES; len <= 10240; len += len == MAX_EMAIL_BYTES ? 1 : 9985) {
		memset(text, 'a', len + 2);
		text[0] = text[len + 1] = '\'';
		text[65] = '@';
		text[len + 2] = '\0';
		assert_string_equal(set_email(&d->ada, text), len <= MAX_EMAIL_BYTES
								      ? "ok"
								      : "VALIDATION_ERROR "
									"email_address");
	}
}

CLUB_TEST(test_an_address_is_one_users_however_it_is_written, d)
{
	assert_string_equal(set_email(&d->ada, "'Ada@Example.org'"), "ok");
	assert_string_equal(set_email(&d->bob, "'ada@example.ORG'"), "ok");
	assert_string_equal(set_email(&d->ada, "'ADA@example.org'"), "ok");
	assert_true(says(rig_must(d->ada.peer, "user.get", RIG_NONE), "'ADA@example.org'"));
	assert_string_equal(set_email(&d->ada, "'ann@example.org'"), "ok");
	assert_string_equal(set_email(&d->bob, "'ada@example.org'"), "ok");
	assert_int_equal(stored_of(d, "EMAIL", "ada@example.org", ""), 1);
	assert_int_equal(stored_of(d, "EMAIL", "ann@example.org", ""), 1);
}

CLUB_TEST(test_nil_takes_an_address_away, d)
{
	assert_string_equal(set_email(&d->ada, "'ada@example.org'"), "ok");
	assert_false(says(rig_must(d->ada.peer, "user.update", "'email_address':null"), "email"));
	assert_false(says(rig_must(d->ada.peer, "user.get", RIG_NONE), "email"));
	assert_int_equal(stored_of(d, "EMAIL", "ada@example.org", ""), 0);
	assert_string_equal(set_email(&d->bob, "'ada@example.org'"), "ok");
	assert_string_equal(find(&d->ada, "ada@example.org"), "NOT_FOUND");
}

CLUB_TEST(test_of_two_who_take_an_address_at_once_one_gets_it, d)
{
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada.peer, "user.update", "'email_address':'x@example.org'");
	uint32_t second = rig_send(d->bob.peer, "user.update", "'email_address':'X@example.org'");
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, first), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, second), "ok");
	assert_int_equal(stored_of(d, "EMAIL", "x@example.org", ""), 1);
}

/* bob asks for addresses one after the other, to learn which are in use. */
CLUB_TEST(test_an_address_that_is_in_use_gets_the_same_answer, d)
{
	char taken[256], free_one[256];
	enrol(d, &d->cy);
	assert_string_equal(set_email(&d->ada, "'ada@example.org'"), "ok");
	(void)snprintf(taken, sizeof(taken), "%s",
		       rig_must(d->bob.peer, "user.update", "'email_address':'ada@example.org'"));
	size_t loads = d->r.loads;
	assert_string_equal(find(&d->bob, "ada@example.org"), "ok"); /* himself */
	size_t of_taken = d->r.loads - loads;
	assert_true(says(rig_must(d->bob.peer, "user.get", RIG_NONE), "'ada@example.org'"));
	(void)snprintf(free_one, sizeof(free_one), "%s",
		       rig_must(d->bob.peer, "user.update", "'email_address':'eve@example.org'"));
	substitute(taken, sizeof(taken), "ada@", "eve@");
	assert_string_equal(taken, free_one);
	loads = d->r.loads;
	assert_string_equal(find(&d->bob, "eve@example.org"), "ok");
	assert_int_equal(d->r.loads - loads, of_taken);

	/* It leads to ada still, also when bob has another, none, or is gone. */
	char user_id[32];
	(void)set_email(&d->bob, "'ada@example.org'");
	(void)set_email(&d->bob, "null");
	(void)set_email(&d->bob, "'ada@example.org'");
	rig_must(d->bob.peer, "user.delete", RIG_NONE);
	rig_field(rig_must(d->cy.peer, "user.get_by_email", "'email_address':'ada@example.org'"),
		  "user_id", user_id, sizeof(user_id));
	assert_string_equal(user_id, d->ada.session.user_id);
}

CLUB_TEST(test_addresses_cannot_be_tried_one_after_the_other, d)
{
	char text[40];
	for (int i = 0; i < MAX_EMAILS_PER_HOUR; i++) {
		(void)snprintf(text, sizeof(text), "'x%d@example.org'", i);
		assert_string_equal(set_email(&d->bob, text), "ok");
	}
	assert_string_equal(set_email(&d->bob, "'ada@example.org'"), "RATE_LIMITED");
	assert_string_equal(set_email(&d->bob, "null"), "ok");
	assert_string_equal(set_email(&d->cy, "'cy@example.org'"), "ok");
	rig_advance(&d->r, HOUR_MS / MAX_EMAILS_PER_HOUR);
	assert_string_equal(rig_code(d->bob.peer, "session.whoami", RIG_NONE), "ok");
	assert_string_equal(set_email(&d->bob, "'ada@example.org'"), "ok");
}

/* A name that is in use does not leave the address changed. */
CLUB_TEST(test_name_and_address_change_together_or_not_at_all, d)
{
	assert_string_equal(rig_code(d->ada.peer, "user.update",
				     "'user_name':'bob','email_address':'x@example.org'"),
			    "NAME_TAKEN");
	assert_int_equal(stored_of(d, "EMAIL", "x@example.org", ""), 0);
}

CLUB_TEST(test_a_login_keeps_the_address, d)
{
	assert_string_equal(set_email(&d->ada, "'ada@example.org'"), "ok");
	struct rig_peer *again = rig_connect(&d->r, "again");
	(void)login_signed(again, "ann", &d->ada.key);
	const char *me = rig_must(again, "user.get", RIG_NONE);
	assert_true(says(me, "'user_name':'ann','email_address':'ada@example.org'"));
}

CLUB_TEST(test_the_own_address_finds_oneself, d)
{
	assert_string_equal(set_email(&d->ada, "'ada@example.org'"), "ok");
	char user_id[32];
	rig_field(rig_must(d->ada.peer, "user.get_by_email", "'email_address':'ADA@example.org'"),
		  "user_id", user_id, sizeof(user_id));
	assert_string_equal(user_id, d->ada.session.user_id);
	assert_string_equal(find(&d->ada, "nobody"), "VALIDATION_ERROR email_address");
}

/* Whether they exist or not, strangers are the same, and as many reads are made. */
CLUB_TEST(test_a_stranger_is_as_one_who_does_not_exist, d)
{
	assert_string_equal(set_email(&d->ada, "'ada@example.org'"), "ok");
	char unknown[128];
	(void)snprintf(unknown, sizeof(unknown), "%s",
		       rig_refused(d->bob.peer, "user.get", "'user_id':'%s'", "2222222222222222"));
	assert_string_equal(rig_refused(d->bob.peer, "user.get", "'user_id':'%s'",
					d->ada.session.user_id),
			    unknown);
	assert_string_equal(rig_refused(d->bob.peer, "user.get", "'user_id':'x\\u0000'"), unknown);
	size_t loads = d->r.loads;
	assert_string_equal(find(&d->bob, "ada@example.org"), "NOT_FOUND");
	size_t of_ada = d->r.loads - loads;
	assert_string_equal(find(&d->bob, "eve@example.org"), "NOT_FOUND");
	assert_int_equal(d->r.loads - loads, 2 * of_ada);
}
