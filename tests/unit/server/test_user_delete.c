/*
 * test_user_delete.c - the end of a user: sessions, name, address, groups, seats and subscriptions, step by step.
 */
#include "tests/unit/server/club.h"

static const char *delete_user(struct club_user *u)
{
	return rig_code(u->peer, "user.delete", RIG_NONE);
}

/* The table has nothing that is the user's alone. */
static bool is_gone(struct club *d, const struct club_user *u)
{
	return stored_of(d, "USER", u->session.user_id, "") == 0 &&
	       stored_of(d, "SUBSCRIBER", u->session.user_id, "") == 0 &&
	       stored_of(d, "USER_NAME", u->session.user_name, "") == 0;
}

static struct session login_again(struct club *d, struct club_user *u, const char *name)
{
	u->peer = rig_connect(&d->r, name);
	return login_signed(u->peer, name, &u->key);
}

/* user.delete is answered, and the server ends before anything follows. */
static void mark(struct club *d, struct club_user *u)
{
	rig_hold(&d->r);
	uint32_t sent = rig_send(u->peer, "user.delete", RIG_NONE);
	while (!rig_is_answered(u->peer, sent)) {
		rig_let(&d->r, 1);
	}
	assert_string_equal(rig_outcome(u->peer, sent), "ok");
	rig_crash(&d->r);
	rig_release(&d->r);
}

/* ---- what goes ---- */

CLUB_TEST(test_a_user_in_no_group_goes_at_once, d)
{
	rig_must(d->bob.peer, "user.update", "'email_address':'bob@example.org'");
	assert_string_equal(delete_user(&d->bob), "ok");
	assert_true(is_gone(d, &d->bob));
	assert_int_equal(stored_of(d, "EMAIL", "bob@example.org", ""), 0);
	assert_string_equal(rig_code(d->bob.peer, "user.get", RIG_NONE), "UNAUTHENTICATED");
	rig_must(d->cy.peer, "user.update", "'user_name':'bob','email_address':'bob@example.org'");
}

CLUB_TEST(test_all_their_sessions_end, d)
{
	struct rig_peer *again = resumed(d, &d->bob);
	struct club_user other = {.key = d->bob.key};
	other.session = login_again(d, &other, "bobby");
	rig_must(other.peer, "session.watch", RIG_NONE);
	assert_string_equal(delete_user(&d->bob), "ok");
	assert_string_equal(rig_code(again, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(other.peer, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	assert_int_equal(stored_of(d, "USER_NAME", "bobby", ""), 0);
	assert_int_equal(rig_count(other.peer, "session.update"), 2);
	assert_string_equal(resume(rig_guest(&d->r, "eve"), other.session.token),
			    "UNAUTHENTICATED");
}

CLUB_TEST(test_a_group_of_theirs_alone_goes_with_them, d)
{
	assert_string_equal(delete_user(&d->ada), "ok");
	assert_true(is_gone(d, &d->ada));
	assert_int_equal(stored_of(d, "GROUP", d->group, ""), 0);
	assert_int_equal(stored_of(d, "CONTAINER", d->container, ""), 0);
}

CLUB_TEST(test_other_groups_they_leave, d)
{
	enrol(d, &d->bob);
	enrol(d, &d->cy);
	assert_string_equal(delete_user(&d->bob), "ok");
	assert_true(says(group_of(d, &d->ada), "'users':2,'version':4"));
	assert_false(says(rig_must(d->cy.peer, "group.users", "'group_id':'%s'", d->group), "bob"));
	assert_string_equal(rig_code(d->ada.peer, "user.get", "'user_id':'%s'",
				     d->bob.session.user_id),
			    "NOT_FOUND");
	assert_true(is_gone(d, &d->bob));
}

/* In each of their groups, those of others stay; and a group takes as many new ones. */
CLUB_TEST(test_their_invitations_end_in_every_group, d)
{
	enum { GROUPS = 3 };
	char code[40], of_ada[40], groups[GROUPS][32];
	for (size_t i = 0; i < GROUPS; i++) {
		found_group(d, &d->ada, "");
		strcpy(groups[i], d->group);
		enrol(d, &d->bob);
		invite(d, &d->ada, "", of_ada);
		for (size_t k = 0; k <= i; k++) {
			invite(d, &d->bob, "", code);
		}
	}
	assert_string_equal(delete_user(&d->bob), "ok");
	assert_string_equal(join(&d->cy, code), "NOT_FOUND");
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_true(is_gone(d, &d->bob));
	for (size_t i = 0; i < GROUPS; i++) {
		assert_int_equal(stored_of(d, "GROUP", groups[i], "INVITATION#"), 1);
	}
	for (size_t k = 1; k < MAX_GROUP_INVITATIONS; k++) { /* they are counted no more */
		rig_advance(&d->r, MINUTE_MS);
		invite(d, &d->ada, "", code);
	}
	assert_string_equal(of_group(d, &d->ada, "invitation.create", ""), "QUOTA_EXCEEDED");
	assert_string_equal(join(&d->cy, of_ada), "ok");
}

/* The table has them for a moment more: they lead nowhere from the beginning. */
CLUB_TEST(test_their_invitations_open_nothing_while_the_rest_goes, d)
{
	char code[40];
	enrol(d, &d->bob);
	invite(d, &d->bob, "", code);
	mark(d, &d->bob);
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 1);
	d->cy.peer = resumed(d, &d->cy);
	assert_string_equal(join(&d->cy, code), "NOT_FOUND");
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_int_equal(stored_of(d, "GROUP", d->group, "INVITATION#"), 0);
	assert_true(is_gone(d, &d->bob));
}

CLUB_TEST(test_a_group_is_not_left_without_an_owner, d)
{
	enrol(d, &d->bob);
	const char *refusal = rig_refused(d->ada.peer, "user.delete", RIG_NONE);
	assert_true(says(refusal, "CONFLICT"));
	assert_true(says(refusal, "Payments"));
	assert_true(says(refusal, d->group));
	assert_string_equal(rig_code(d->ada.peer, "session.whoami", RIG_NONE), "ok");
	assert_true(says(group_of(d, &d->ada), "'role':'owner','users':2"));
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->bob, ",'role':'owner'"),
			    "ok");
	assert_string_equal(delete_user(&d->ada), "ok");
	assert_true(says(group_of(d, &d->bob), "'role':'owner','users':1"));
}

/* The longest name there is does not fit the message. */
CLUB_TEST(test_a_long_name_is_cut_in_the_refusal, d)
{
	char name[4 * MAX_TEAM_NAME_CHARS + 32] = ",'group_name':'";
	for (int i = 0; i < MAX_TEAM_NAME_CHARS; i++) {
		strcat(name, "\xf0\x9f\x82\xa1");
	}
	strcat(name, "'");
	assert_string_equal(of_group(d, &d->ada, "group.rename", name), "ok");
	enrol(d, &d->bob);
	const char *refusal = rig_refused(d->ada.peer, "user.delete", RIG_NONE);
	assert_true(says(refusal, d->group));
	assert_true(says(refusal, "choose another first"));
}

CLUB_TEST(test_their_subscriptions_and_points_go, d)
{
	char id[32];
	for (int i = 0; i < 3; i++) {
		rig_must(d->bob.peer, "subscription.create", "'channel':'live'");
	}
	rig_field(rig_must(d->ada.peer, "question.ask",
			   "'prompt':'Shall we ship it today?','type':'text'"),
		  "question_id", id, sizeof(id));
	rig_must(d->bob.peer, "question.answer", "'question_id':'%s','answer':'yes'", id);
	assert_string_equal(delete_user(&d->bob), "ok");
	assert_true(is_gone(d, &d->bob));
	assert_int_equal(stored_of(d, "QUESTION", id, "RESPONSE:"), 1);
	login_again(d, &d->bob, "bob");
	assert_true(says(rig_must(d->bob.peer, "stats.get", RIG_NONE), "'total_points':0"));
	assert_false(says(rig_must(d->bob.peer, "subscription.list", RIG_NONE), "s_"));
}

struct naming {
	const char *text;
	size_t n;
};

static void on_items(void *arg, enum err e, const struct store_item *items, size_t n,
		     uint64_t version, bool has_more)
{
	struct naming *of = arg;
	size_t len = strlen(of->text);
	(void)has_more;
	(void)version;
	assert_int_equal(e, OK);
	for (size_t i = 0; i < n; i++) {
		struct slice value = items[i].value;
		bool has_it = false;
		for (size_t at = 0; at + len <= value.len; at++) {
			has_it = has_it || memcmp(value.data + at, of->text, len) == 0;
		}
		of->n += has_it;
	}
}

/* How many items of a question have the text in them. */
static size_t question_names(struct club *d, const char *id, const char *text)
{
	char pk[48];
	struct naming of = {.text = text};
	(void)snprintf(pk, sizeof(pk), "QUESTION:%s", id);
	struct store_load l = {.pk = slice_str(pk)};
	store_load(d->r.store, &l, on_items, &of);
	store_mem_run(d->r.store, SIZE_MAX);
	store_poll(d->r.store);
	return of.n;
}

/* Open ones are cancelled, and neither they nor those that have ended name the asker: more than one step takes. */
CLUB_TEST(test_their_questions_are_cancelled_and_name_nobody, d)
{
	enum { QUESTIONS = 40, CLOSED = 2 };
	char ids[QUESTIONS][32], of_ada[32];
	for (int i = 0; i < QUESTIONS; i++) {
		rig_field(rig_must(d->bob.peer, "question.ask",
				   "'prompt':'Shall we ship it today?','type':'text',"
				   "'min_responses':%d",
				   i < CLOSED ? 1 : 2),
			  "question_id", ids[i], sizeof(ids[i]));
		if (i <= CLOSED) {
			rig_must(d->ada.peer, "question.answer",
				 "'question_id':'%s','answer':'yes'", ids[i]);
		}
	}
	rig_field(rig_must(d->ada.peer, "question.ask", "'prompt':'Shall we wait?','type':'text'"),
		  "question_id", of_ada, sizeof(of_ada));
	rig_must(d->ada.peer, "question.watch", "'question_id':'%s'", ids[QUESTIONS - 1]);
	assert_int_equal(question_names(d, ids[0], "bob"), 1);
	assert_int_equal(question_names(d, ids[0], d->bob.session.user_id), 1);
	assert_string_equal(delete_user(&d->bob), "ok");
	rig_settle(&d->r);
	assert_true(is_gone(d, &d->bob));
	assert_int_equal(stored_of(d, "ASKER", d->bob.session.user_id, ""), 0);
	assert_int_equal(rig_count(d->ada.peer, "question.update"), 1);
	for (int i = 0; i < QUESTIONS; i++) {
		assert_int_equal(question_names(d, ids[i], "bob"), 0);
		assert_int_equal(question_names(d, ids[i], d->bob.session.user_id), 0);
		const char *left =
			rig_must(d->ada.peer, "question.get", "'question_id':'%s'", ids[i]);
		assert_true(says(left, i < CLOSED ? "'status':'CLOSED'" : "'status':'CANCELLED'"));
		assert_false(says(left, "asked_by"));
	}
	assert_int_equal(stored_of(d, "QUESTION", ids[CLOSED], "RESPONSE:"), 1);
	const char *other = rig_must(d->cy.peer, "question.get", "'question_id':'%s'", of_ada);
	assert_true(says(other, "'status':'OPEN'") && says(other, "'asked_by':'ada'"));
	assert_int_equal(question_names(d, of_ada, d->ada.session.user_id), 1);
}

/* The user sits in a room of their own under their name; its code goes to room_id. */
static void sit_down(struct club_user *u, char room_id[CODE_CHARS_MAX + 1])
{
	rig_field(rig_must(u->peer, "room.create", RIG_NONE), "room_id", room_id,
		  CODE_CHARS_MAX + 1);
	rig_must(u->peer, "room.subscribe", "'room_id':'%s'", room_id);
	rig_must(u->peer, "room.join", "'room_id':'%s','username':'bob'", room_id);
}

CLUB_TEST(test_their_seats_are_free_and_rounds_stay, d)
{
	char room_id[CODE_CHARS_MAX + 1];
	sit_down(&d->bob, room_id);
	rig_must(d->ada.peer, "room.subscribe", "'room_id':'%s'", room_id);
	rig_must(d->ada.peer, "room.join", "'room_id':'%s','username':'ada'", room_id);
	rig_must(d->bob.peer, "room.vote", "'room_id':'%s','vote':'5'", room_id);
	rig_must(d->bob.peer, "room.set_revealed", "'room_id':'%s','is_revealed':true", room_id);
	assert_int_equal(stored_of(d, "ROOM", room_id, "USER:"), 2);
	assert_string_equal(delete_user(&d->bob), "ok");
	assert_int_equal(stored_of(d, "ROOM", room_id, "USER:"), 1);
	rig_advance(&d->r, 10 * SECOND_MS);
	assert_true(is_gone(d, &d->bob));
	rig_assert_same(d->ada.peer);
	assert_true(says(rig_must(d->ada.peer, "round.list", "'room_id':'%s'", room_id), "bob"));
	login_again(d, &d->bob, "bob");
	assert_false(says(rig_must(d->bob.peer, "session.whoami", RIG_NONE), room_id));
}

static void on_done(void *arg, enum err e, uint64_t version)
{
	(void)version;
	*(enum err *)arg = e;
}

/* A room that cannot be loaded keeps its seat, and does not keep the key from logging in for long. */
CLUB_TEST(test_a_room_that_is_damaged_is_given_up, d)
{
	char room_id[CODE_CHARS_MAX + 1], pk[32];
	enum err e = ERR_MORE;
	sit_down(&d->bob, room_id);
	mark(d, &d->bob);
	(void)snprintf(pk, sizeof(pk), "ROOM:%s", room_id);
	struct store_op op = {.kind = STORE_DELETE, .pk = slice_str(pk), .sk = SLICE("ROOM")};
	struct store_commit c = {.ops = &op, .n = 1, .now_ms = 1};
	assert_int_equal(store_commit(d->r.store, &c, on_done, &e), OK);
	rig_advance(&d->r, 9 * MINUTE_MS);
	assert_int_equal(e, OK);
	assert_false(is_gone(d, &d->bob));
	rig_advance(&d->r, 2 * MINUTE_MS);
	assert_true(is_gone(d, &d->bob));
	assert_int_equal(stored_of(d, "ROOM", room_id, "USER:"), 1);
}

/* ---- coming back ---- */

CLUB_TEST(test_the_key_may_log_in_again_as_somebody_new, d)
{
	enrol(d, &d->bob);
	rig_must(d->bob.peer, "user.update", "'email_address':'bob@example.org'");
	assert_string_equal(delete_user(&d->bob), "ok");
	login_again(d, &d->bob, "bob");
	assert_string_equal(rig_must(d->bob.peer, "group.list", RIG_NONE), "{'groups':[]}");
	assert_false(says(rig_must(d->bob.peer, "user.get", RIG_NONE), "email"));
	assert_string_equal(rig_code(d->bob.peer, "group.create", RIG_NONE), "ok");
}

/* Where indexes are behind, a session outlives the first step. */
CLUB_TEST(test_what_is_left_of_them_is_nobodys, d)
{
	struct club_user other = {.key = d->bob.key};
	bool is_refusal = false;
	store_mem_delay_indexes(d->r.store, 1);
	other.session = login_again(d, &other, "bobby");
	mark(d, &d->bob);
	struct rig_peer *p = rig_connect(&d->r, "bob");
	assert_true(says(rig_answer(p, send_signed(p, "bob", &d->bob.key), &is_refusal),
			 "UNAVAILABLE"));
	other.peer = resumed(d, &other); /* it ends soon, and changes nothing any more */
	assert_string_equal(rig_code(other.peer, "group.create", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(other.peer, "user.update", "'email_address':'b@example.org'"),
			    "UNAUTHENTICATED");
	assert_string_equal(delete_user(&other), "UNAUTHENTICATED");
	assert_string_equal(rig_code(other.peer, "user.get", RIG_NONE), "NOT_FOUND");
	rig_must(resumed(d, &d->ada), "group.create", RIG_NONE); /* now the indexes are not */
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_true(is_gone(d, &d->bob));
	assert_string_equal(rig_code(other.peer, "session.whoami", RIG_NONE), "UNAUTHENTICATED");
	login_again(d, &d->bob, "bob");
}

/* ---- two at once, and what ends in between ---- */

/* Two owners go at the same moment: the second is the only owner then. */
CLUB_TEST(test_of_two_owners_who_go_at_once_one_stays, d)
{
	enrol(d, &d->bob);
	enrol(d, &d->cy);
	assert_string_equal(of_user(d, &d->ada, "group.set_role", &d->bob, ",'role':'owner'"),
			    "ok");
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada.peer, "user.delete", RIG_NONE);
	uint32_t second = rig_send(d->bob.peer, "user.delete", RIG_NONE);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, first), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, second), "CONFLICT");
	assert_true(says(group_of(d, &d->bob), "'role':'owner','users':2"));
}

CLUB_TEST(test_a_group_that_is_made_meanwhile_goes_as_well, d)
{
	struct rig_peer *again = resumed(d, &d->bob);
	rig_hold(&d->r);
	uint32_t making = rig_send(again, "group.create", RIG_NONE);
	uint32_t ending = rig_send(d->bob.peer, "user.delete", RIG_NONE);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(again, making), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, ending), "ok");
	assert_true(is_gone(d, &d->bob));
}

/* They are in a group that ends at the same moment. */
CLUB_TEST(test_a_group_that_ends_meanwhile_is_left, d)
{
	enrol(d, &d->bob);
	rig_hold(&d->r);
	uint32_t first = rig_send(d->ada.peer, "group.delete", "'group_id':'%s'", d->group);
	uint32_t second = rig_send(d->bob.peer, "user.delete", RIG_NONE);
	rig_release(&d->r);
	assert_string_equal(rig_outcome(d->ada.peer, first), "ok");
	assert_string_equal(rig_outcome(d->bob.peer, second), "ok");
	assert_true(is_gone(d, &d->bob));
	assert_int_equal(stored_of(d, "GROUP", d->group, ""), 0);
}

/* The power goes after so many loads and commits; in time the end goes on where it stood. */
TEST(test_a_restart_at_every_step_goes_on)
{
	bool is_over = false;
	for (size_t n = 0; !is_over; n++) {
		void *state;
		char own[32], room_id[CODE_CHARS_MAX + 1];
		club_open(&state);
		struct club *d = state;
		enrol(d, &d->bob);
		rig_must(d->bob.peer, "subscription.create", "'channel':'live'");
		sit_down(&d->bob, room_id);
		rig_field(rig_must(d->bob.peer, "group.create", RIG_NONE), "group_id", own,
			  sizeof(own));
		struct club_user other = {.key = d->bob.key};
		other.session = login_again(d, &other, "bobby");
		rig_hold(&d->r);
		uint32_t sent = rig_send(d->bob.peer, "user.delete", RIG_NONE);
		for (size_t i = 0; i < n; i++) {
			rig_let(&d->r, 1);
		}
		is_over = store_mem_waiting(d->r.store) == 0;
		bool is_answered = rig_is_answered(d->bob.peer, sent);
		rig_crash(&d->r);
		rig_release(&d->r);
		d->ada.peer = resumed(d, &d->ada);
		bool is_marked = says(group_of(d, &d->ada), "'users':1");
		assert_true(is_marked || !is_answered);
		rig_advance(&d->r, 20 * SECOND_MS);
		assert_true(is_gone(d, &d->bob) == is_marked);
		assert_int_equal(stored_of(d, "GROUP", own, "") == 0, is_marked);
		assert_int_equal(stored_of(d, "ROOM", room_id, "USER:"), is_marked ? 0 : 1);
		assert_true(is_marked || is_logged_in(resumed(d, &other)));
		scene_finish(&state);
	}
}

CLUB_TEST(test_guests_have_nothing_to_delete, d)
{
	struct rig_peer *p = rig_guest(&d->r, "eve");
	assert_string_equal(rig_code(p, "user.delete", RIG_NONE), "UNAUTHENTICATED");
	login(p, "eve");
	assert_string_equal(rig_code(p, "user.delete", RIG_NONE), "FORBIDDEN");
}

/* Whatever fails for want of memory can be done when there is some, and is done once. */
CLUB_HEAP_TEST(test_any_allocation_may_fail, d, nth)
{
	enrol(d, &d->bob);
	rig_must(d->bob.peer, "subscription.create", "'channel':'live'");
	heap_fail_nth(nth, false);
	rig_send(d->bob.peer, "user.delete", RIG_NONE);
	rig_settle(&d->r);
	heap_fail_never();
	rig_settle(&d->r);
	if (says(group_of(d, &d->ada), "'users':2")) {
		d->bob.peer = resumed(d, &d->bob);
		assert_string_equal(delete_user(&d->bob), "ok");
	}
	rig_advance(&d->r, 20 * SECOND_MS);
	assert_true(is_gone(d, &d->bob));
	assert_true(says(group_of(d, &d->ada), "'users':1"));
}
