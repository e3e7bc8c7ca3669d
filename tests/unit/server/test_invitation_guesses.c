/*
 * test_invitation_guesses.c - codes that let nobody in are all alike, and few may be tried.
 */
#include "tests/unit/server/club.h"

/* A code of each kind that lets nobody in. */
static size_t bad_codes(struct club *d, char codes[6][40])
{
	char id[32];
	(void)snprintf(codes[0], 40, "2222-2222-2222-2222-2222");
	invite(d, &d->ada, ",'expires_in_seconds':60", codes[1]);
	rig_advance(&d->r, MINUTE_MS);
	invite_as(d, &d->ada, "", codes[2], id);
	(void)of_invitation(d, &d->ada, "invitation.revoke", id);
	invite(d, &d->ada, ",'uses':1", codes[3]);
	(void)join(&d->bob, codes[3]);
	(void)snprintf(codes[4], 40, "x");
	(void)snprintf(codes[5], 40, "22-\\u0000\xc3\xa4");
	return 6;
}

CLUB_TEST(test_codes_that_let_nobody_in_are_all_alike, d)
{
	static const char *const methods[] = {"invitation.get", "group.join"};
	char codes[6][40];
	size_t n = bad_codes(d, codes);
	rig_must(d->cy.peer, "session.whoami", RIG_NONE); /* the session is written back now */
	for (size_t m = 0; m < 2; m++) {
		char first[200];
		size_t first_loads = 0;
		for (size_t i = 0; i < n; i++) {
			size_t loads = d->r.loads;
			const char *refusal =
				rig_refused(d->cy.peer, methods[m], "'code':'%s'", codes[i]);
			if (i == 0) {
				first_loads = d->r.loads - loads;
				(void)snprintf(first, sizeof(first), "%s", refusal);
				assert_true(says(first, "NOT_FOUND"));
			}
			assert_string_equal(refusal, first);
			assert_int_equal(d->r.loads - loads, first_loads);
		}
	}
}

/* The same number as of room codes, and out of the same. */
CLUB_TEST(test_an_address_may_try_few, d)
{
	struct club_user eve = {.peer = rig_connect_as(&d->r, "eve", PEER_NETWORK, 66, false),
				.key = make_pair('e')};
	char code[40];
	eve.session = login_signed(eve.peer, "eve", &eve.key);
	invite(d, &d->ada, "", code);
	for (int i = 0; i < 15; i++) {
		assert_string_equal(join(&eve, "2222-2222-2222-2222-2222"), "NOT_FOUND");
		assert_string_equal(rig_code(eve.peer, "room.get", "'room_id':'222222'"),
				    "ROOM_NOT_FOUND");
	}
	assert_string_equal(join(&eve, "2222-2222-2222-2222-2222"), "RATE_LIMITED");
	assert_string_equal(join(&eve, code), "RATE_LIMITED"); /* whether it is one or not */
	assert_string_equal(rig_code(eve.peer, "room.get", "'room_id':'222222'"), "RATE_LIMITED");
	assert_string_equal(join(&d->bob, code), "ok");
	rig_advance(&d->r, 3 * SECOND_MS);
	assert_string_equal(join(&eve, code), "ok");
}

/* Requests that arrive together are counted, too. */
CLUB_TEST(test_guesses_that_arrive_together_are_counted, d)
{
	struct club_user eve = {.peer = rig_connect_as(&d->r, "eve", PEER_NETWORK, 66, false),
				.key = make_pair('e')};
	uint32_t sent[40];
	size_t limited = 0;
	eve.session = login_signed(eve.peer, "eve", &eve.key);
	rig_hold(&d->r);
	for (size_t i = 0; i < 40; i++) {
		sent[i] = rig_send(eve.peer, "invitation.get", "'code':'%zu'", i);
	}
	rig_release(&d->r);
	for (size_t i = 0; i < 40; i++) {
		limited += strcmp(rig_outcome(eve.peer, sent[i]), "RATE_LIMITED") == 0;
	}
	assert_int_equal(limited, 10);
}

CLUB_TEST(test_the_table_has_no_code, d)
{
	char code[40], bare[40] = "", sk[64];
	invite(d, &d->ada, "", code);
	for (const char *c = code; *c != '\0'; c++) {
		strncat(bare, c, *c == '-' ? 0 : 1);
	}
	(void)snprintf(sk, sizeof(sk), "INVITATION#%s", bare);
	assert_int_equal(stored_of(d, "GROUP", d->group, sk), 0);
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 1);
}

/* Codes are not made of ids and dates: two of one moment share nothing. */
CLUB_TEST(test_codes_differ, d)
{
	char a[40], b[40];
	size_t same = 0;
	invite(d, &d->ada, "", a);
	invite(d, &d->ada, "", b);
	for (size_t i = 0; i < 24; i++) {
		same += a[i] == b[i] && a[i] != '-';
	}
	assert_in_range(same, 0, 8);
}
