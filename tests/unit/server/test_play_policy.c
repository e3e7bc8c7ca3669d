/*
 * test_play_policy.c - who may do what in a room, and the words of who may not.
 *
 * Who may come in at all is in test_play_door.c; what a switch does to reveal,
 * rounds and time is with those.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

#include "proto/rights.h"
#include "tests/unit/server/play.h"

#define DEFAULTS                                                                              \
	"{'who_reveals':'host','who_resets':'host','who_edits_stories':'everyone',"           \
	"'who_edits_data':'members',"                                                         \
	"'auto_reveal':true,'vote_after_reveal':false,'anonymous':false,'confidence':false,"  \
	"'bots_count':false,'hide_who_voted':false,'keep_votes':false,'open_stories':false,'" \
	"lobby':false,'locked':"                                                              \
	"false,'quorum':0,'has_passcode':"                                                    \
	"false}"
#define ALL_CHANGED                                                                                \
	"{'who_reveals':'everyone','who_resets':'everyone','who_edits_stories':'host',"            \
	"'who_edits_data':'everyone',"                                                             \
	"'auto_reveal':false,'vote_after_reveal':true,'anonymous':true,'confidence':true,"         \
	"'bots_count':true,'hide_who_voted':true,'keep_votes':false,'open_stories':false,'lobby':" \
	"true,'locked':true,'"                                                                     \
	"quorum':0,'has_passcode':true}"

/* ---- making a room with it ---- */

/* A room of cy's in place of that of the table, with these params; the host's peer. */
static struct rig_peer *other_room(struct table *t, const char *params)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, params);
	rig_follow(cy, "");
	(void)rig_must(cy, "join", "'username':'cy'");
	return cy;
}

/* What a program that knows nothing of countdowns relies on: whoever votes may think again until it asks for the reveal. */
TABLE_TEST(test_a_new_room_reveals_only_when_it_is_asked_to, t)
{
	rig_field(rig_must(t->ada, "room.create", RIG_NONE), "room_id", t->r.room_id,
		  sizeof(t->r.room_id));
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	struct rig_peer *dee = rig_sit(&t->r, "dee");
	play_vote(cy, "3");
	play_vote(dee, "5");
	rig_advance(&t->r, 60000);
	assert_string_equal(rig_of(dee, "is_revealed"), "false");
	play_vote(dee, "8");
	assert_non_null(strstr(rig_of(dee, "policy"), "'auto_reveal':false"));
	rig_crash(&t->r);
	dee = rig_return(dee, false);
	assert_non_null(strstr(rig_of(dee, "policy"), "'auto_reveal':false"));
}

TABLE_TEST(test_a_new_room_reveals_by_itself_where_it_was_made_to, t)
{
	struct rig_peer *cy = other_room(t, "'policy':{'auto_reveal':true}");
	assert_string_equal(rig_of(cy, "policy"), DEFAULTS);
	play_vote(cy, "3");
	rig_advance(&t->r, 3000);
	assert_string_equal(rig_of(cy, "is_revealed"), "true");
}

TABLE_TEST(test_a_room_is_made_with_every_switch_and_survives_a_restart, t)
{
	struct rig_peer *cy =
		other_room(t,
			   "'policy':{'who_reveals':'everyone','who_resets':'everyone',"
			   "'who_edits_stories':'host','who_edits_data':'everyone',"
			   "'vote_after_reveal':true,'anonymous':true,'locked':true,'lobby':true,"
			   "'bots_count':true,'hide_who_voted':true,'confidence':true,"
			   "'passcode':'sesame'}");
	assert_string_equal(rig_of(cy, "policy"), ALL_CHANGED);
	rig_crash(&t->r);
	cy = rig_return(cy, false);
	assert_string_equal(rig_of(cy, "policy"), ALL_CHANGED);
	assert_false(play_is_stored(&t->r, "sesame"));
	struct rig_peer *eve = rig_guest(&t->r, "eve");
	assert_string_equal(rig_code(eve, "subscribe", RIG_NONE), "PASSCODE_REQUIRED");
	assert_string_equal(rig_code(eve, "subscribe", "'passcode':'nonsense'"),
			    "PASSCODE_REQUIRED");
}

/* The second call finds the room that the first one made, whatever has become of it. */
TABLE_TEST(test_a_repeated_call_leaves_the_policy_as_it_is, t)
{
	static const char call[] = "'policy':{'quorum':2},'idempotency_key':'0123456789abcdef'";
	struct rig_peer *cy = other_room(t, call);
	assert_non_null(strstr(rig_of(cy, "policy"), "'quorum':2"));
	play_policy(cy, "'quorum':3");
	(void)rig_must(cy, "room.create", "%s", call);
	assert_non_null(strstr(rig_must(cy, "get", RIG_NONE), "'quorum':3"));
}

/* ---- setting it ---- */

TABLE_TEST(test_every_switch_is_shown_to_everybody_and_survives_a_restart, t)
{
	play_policy(
		t->ada,
		"'who_reveals':'everyone','who_resets':'everyone',"
		"'who_edits_stories':'host','who_edits_data':'everyone',"
		"'auto_reveal':false,"
		"'vote_after_reveal':true,'anonymous':true,'locked':true,'lobby':true,"
		"'bots_count':true,'hide_who_voted':true,'confidence':true,'passcode':'sesame'");
	assert_string_equal(rig_of(t->bob, "policy"), ALL_CHANGED);
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_of(bob, "policy"), ALL_CHANGED);
}

TABLE_TEST(test_what_is_not_given_stays, t)
{
	static const char *const changes[][2] = {
		{"'who_reveals':'everyone'", "'who_reveals':'everyone'"},
		{"'who_resets':'everyone'", "'who_resets':'everyone'"},
		{"'who_edits_stories':'host'", "'who_edits_stories':'host'"},
		{"'who_edits_data':'host'", "'who_edits_data':'host'"},
		{"'auto_reveal':false", "'auto_reveal':false"},
		{"'vote_after_reveal':true", "'vote_after_reveal':true"},
		{"'anonymous':true", "'anonymous':true"},
		{"'locked':true", "'locked':true"},
		{"'lobby':true", "'lobby':true"},
		{"'bots_count':true", "'bots_count':true"},
		{"'hide_who_voted':true", "'hide_who_voted':true"},
		{"'confidence':true", "'confidence':true"},
		{"'passcode':'sesame'", "'has_passcode':true"},
	};
	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		play_policy(t->ada, changes[i][0]);
		for (size_t j = 0; j < sizeof(changes) / sizeof(changes[0]); j++) {
			bool is_set = strstr(rig_of(t->bob, "policy"), changes[j][1]) != NULL;
			assert_int_equal(is_set, j <= i);
		}
	}
}

TABLE_TEST(test_a_policy_that_is_none_changes_nothing, t)
{
	static const char *const bad[][2] = {
		{"'who_reveals':'nobody'", "policy.who_reveals"},
		{"'who_resets':''", "policy.who_resets"},
		{"'who_edits_stories':'HOST'", "policy.who_edits_stories"},
		{"'who_edits_stories':1", "policy.who_edits_stories"},
		{"'auto_reveal':'yes'", "policy.auto_reveal"},
		{"'who_edits_data':'Members'", "policy.who_edits_data"},
		{"'who_edits_data':['host']", "policy.who_edits_data"},
		{"'anonymous':0", "policy.anonymous"},
		{"'passcode':''", "policy.passcode"},
		{"'anonymos':true", "policy.anonymos"},
		{"'lobby':true,'who_reveals':'x'", "policy.who_reveals"},
	};
	char expected[96];
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		(void)snprintf(expected, sizeof(expected), "VALIDATION_ERROR %s", bad[i][1]);
		assert_string_equal(rig_code(t->ada, "set_policy", "'policy':{%s}", bad[i][0]),
				    expected);
		assert_string_equal(rig_code(t->ada, "room.create", "'policy':{%s}", bad[i][0]),
				    expected);
	}
	assert_string_equal(rig_of(t->bob, "policy"), DEFAULTS);
}

TABLE_TEST(test_only_hosts_set_the_policy, t)
{
	assert_string_equal(rig_code(t->bob, "set_policy", "'policy':{'locked':true}"),
			    "FORBIDDEN");
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	play_policy(t->bob, "'confidence':true");
	play_policy(t->ada, "'bots_count':true");
	assert_non_null(strstr(rig_of(t->bob, "policy"), "'confidence':true"));
	assert_non_null(strstr(rig_of(t->bob, "policy"), "'bots_count':true"));
}

TABLE_TEST(test_the_passcode_is_in_no_frame_no_log_and_not_in_the_table, t)
{
	play_policy(t->ada, "'passcode':'xyzzyplugh'");
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(cy, "subscribe", "'passcode':'xyzzyplugh'");
	(void)rig_must(cy, "get", RIG_NONE);
	struct rig_peer *const all[] = {t->ada, t->bob, cy};
	for (size_t i = 0; i < 3; i++) {
		assert_false(play_was_sent(all[i], "xyzzyplugh"));
	}
	assert_int_equal(buf_append(&t->r.log, "", 1), OK);
	assert_null(strstr(t->r.log.data, "xyzzyplugh"));
	assert_false(play_is_stored(&t->r, "xyzzyplugh"));
	assert_true(play_is_stored(&t->r, "passcode"));
}

/* ---- the message of a refusal ---- */

/* What a method needs in a room. */
static enum right needed(enum method method)
{
	return method_rows[method].where == WHERE_ROOM ? right_of_method(method) : RIGHT_NONE;
}

/* Every act that the standing may not do is refused with its code and its words. */
static size_t assert_refusals(struct rig_peer *p, const struct standing *who)
{
	size_t refused = 0;
	for (enum method m = 0; m < METHOD_COUNT; m++) {
		const char *why = NULL;
		char message[200];
		if (right_refusal(needed(m), who, &why) == FAULT_NONE) {
			continue;
		}
		char *params = rig_least_params(m, p->rig->room_id, NULL);
		const char *error = rig_refused(p, method_rows[m].name, "%s", params);
		(void)snprintf(message, sizeof(message), "'message':'%s'", why);
		/* A lead's act is refused at the door, whoever knocks. */
		bool is_at_the_door = needed(m) == RIGHT_LEAD &&
				      strstr(error, "'only a host can do that'") != NULL;
		if (!is_at_the_door && strstr(error, message) == NULL) {
			fail_msg("%s {%s}: %s", method_rows[m].name, params, error);
		}
		free(params);
		refused++;
	}
	return refused;
}

/* How many acts need one of the rights. */
static size_t acts_that_need(unsigned rights)
{
	size_t n = 0;
	for (enum method m = 0; m < METHOD_COUNT; m++) {
		n += needed(m) != RIGHT_NONE && (rights & 1u << needed(m)) != 0;
	}
	return n;
}

/* What the defaults of the policy leave to hosts. */
#define HOSTS_RIGHTS (1u << RIGHT_REVEAL | 1u << RIGHT_RESET | 1u << RIGHT_LEAD)

TABLE_TEST(test_a_member_is_refused_as_rights_says, t)
{
	struct standing who = {.has_name = true, .policy.everyone_edits_stories = true};
	assert_int_equal(assert_refusals(t->bob, &who), acts_that_need(HOSTS_RIGHTS));
	play_policy(t->ada, "'who_edits_stories':'host'");
	who.policy.everyone_edits_stories = false;
	assert_int_equal(assert_refusals(t->bob, &who),
			 acts_that_need(HOSTS_RIGHTS | 1u << RIGHT_EDIT_STORIES));
}

TABLE_TEST(test_a_spectator_is_refused_as_rights_says, t)
{
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	const struct standing who = {.has_name = true,
				     .is_spectator = true,
				     .policy.everyone_edits_stories = true};
	assert_int_equal(assert_refusals(t->bob, &who),
			 acts_that_need(HOSTS_RIGHTS | 1u << RIGHT_VOTE));
}

TABLE_TEST(test_a_seat_without_a_name_is_refused_as_rights_says, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	play_policy(t->ada, "'who_reveals':'everyone','who_resets':'everyone'");
	const struct standing who = {.policy.everyone_reveals = true,
				     .policy.everyone_resets = true,
				     .policy.everyone_edits_stories = true};
	assert_int_equal(assert_refusals(cy, &who),
			 acts_that_need(HOSTS_RIGHTS | 1u << RIGHT_VOTE | 1u << RIGHT_EDIT_STORIES |
					1u << RIGHT_EDIT_DATA | 1u << RIGHT_SIGNAL));
}

TABLE_TEST(test_a_member_in_the_lobby_is_refused_as_rights_says, t)
{
	play_policy(t->ada, "'lobby':true,'who_reveals':'everyone','who_resets':'everyone'");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	const struct standing who = {.has_name = true,
				     .is_waiting = true,
				     .policy.everyone_reveals = true,
				     .policy.everyone_resets = true,
				     .policy.everyone_edits_stories = true};
	assert_int_equal(assert_refusals(cy, &who), acts_that_need(~0u));
}

TABLE_TEST(test_a_late_vote_is_refused_as_rights_says, t)
{
	play_open(t, "3", "5");
	const struct standing who = {.has_name = true,
				     .is_revealed = true,
				     .policy.everyone_edits_stories = true};
	assert_int_equal(assert_refusals(t->bob, &who),
			 acts_that_need(HOSTS_RIGHTS | 1u << RIGHT_VOTE));
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'8'"), "CONFLICT");
}

/* Nothing of what was refused has happened, and what is refused tells nobody. */
TABLE_TEST(test_a_refused_act_is_sent_to_nobody_else, t)
{
	const struct standing who = {.has_name = true, .policy.everyone_edits_stories = true};
	char *before = play_state(t->ada);
	rig_forget(t->ada);
	(void)assert_refusals(t->bob, &who);
	assert_string_equal(rig_heard(t->ada), "");
	char *after = play_state(t->ada);
	assert_string_equal(after, before);
	free(before);
	free(after);
}

/* ---- co-hosts ---- */

static void set_host(struct rig_peer *host, const struct rig_peer *who)
{
	(void)rig_must(host, "set_host", "'user_id':'%s'", who->user_id);
}

static const char *unset_host(struct rig_peer *host, const struct rig_peer *who)
{
	return rig_code(host, "unset_host", "'user_id':'%s'", who->user_id);
}

TABLE_TEST(test_setting_a_host_leaves_the_one_before_as_co_host, t)
{
	set_host(t->ada, t->bob);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob host");
	assert_string_equal(rig_of(t->ada, "host_user_id"), "'@bob'");
	assert_string_equal(rig_self(t->ada), "ada voter host");
	rig_must(t->ada, "reset", RIG_NONE);
	rig_must(t->bob, "reset", RIG_NONE);
	set_host(t->ada, t->ada);
	assert_string_equal(rig_table(t->ada), "#3 hidden: ada host, bob host");
	assert_string_equal(rig_of(t->ada, "host_user_id"), "'@ada'");
}

TABLE_TEST(test_a_co_hosts_rights_can_be_taken_back, t)
{
	set_host(t->ada, t->bob);
	assert_string_equal(unset_host(t->bob, t->ada), "FORBIDDEN"); /* ada made the room */
	assert_string_equal(unset_host(t->ada, t->ada), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada, bob host");
	assert_string_equal(rig_self(t->ada), "ada voter");
	assert_string_equal(rig_code(t->ada, "set_title", "'title':'x'"),
			    "ok"); /* by the host_key that she made the room with */
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_code(ada, "set_title", "'title':'x'"), "FORBIDDEN");
}

TABLE_TEST(test_the_host_hands_over_to_a_co_host_by_being_unset, t)
{
	set_host(t->ada, t->bob);
	assert_string_equal(unset_host(t->ada, t->bob), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_string_equal(rig_of(t->bob, "host_user_id"), "'@ada'");
}

TABLE_TEST(test_a_host_who_is_unset_hands_over_to_a_co_host_who_is_connected, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	set_host(t->ada, t->bob);
	set_host(t->bob, cy);
	rig_cut(t->ada);
	assert_string_equal(unset_host(cy, cy), "ok");
	assert_string_equal(rig_of(t->bob, "host_user_id"), "'@bob'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host away, bob host, cy");
}

TABLE_TEST(test_the_only_host_is_not_unset_nor_one_who_is_none, t)
{
	assert_string_equal(unset_host(t->ada, t->ada), "CONFLICT");
	assert_string_equal(unset_host(t->ada, t->bob), "CONFLICT");
	assert_string_equal(rig_code(t->ada, "unset_host", "'user_id':'NOBODY'"),
			    "NOT_FOUND user_id");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_co_hosts_follow_before_those_who_joined_earlier, t)
{
	rig_advance(&t->r, 10);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "join", "'username':'cy','role':'spectator'");
	set_host(t->ada, cy);
	set_host(t->ada, t->ada);
	rig_must(t->ada, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->bob), "#1 hidden: -, bob, cy host watches");
	assert_string_equal(rig_of(t->bob, "host_user_id"), "'@cy'");
	rig_must(cy, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->bob), "#1 hidden: -, bob host, - watches");
}

TABLE_TEST(test_a_co_host_who_leaves_or_is_kicked_is_one_no_longer, t)
{
	set_host(t->ada, t->bob);
	set_host(t->ada, t->ada);
	rig_must(t->bob, "leave", RIG_NONE);
	rig_must(t->bob, "join", "'username':'bob'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	set_host(t->ada, t->bob);
	set_host(t->ada, t->ada);
	rig_must(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, - away");
	rig_forget(t->bob);
	rig_copies_free(t->bob);
}

TABLE_TEST(test_co_hosts_survive_a_restart, t)
{
	set_host(t->ada, t->bob);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_string_equal(rig_table(ada), "#1 hidden: ada host, bob host away");
	rig_must(ada, "reset", RIG_NONE);
}

TABLE_TEST(test_a_claimed_room_has_its_claimer_as_host_however_they_stood, t)
{
	set_host(t->ada, t->bob);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "claim_host", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_of(t->ada, "host_user_id"), "'@cy'");
	rig_must(cy, "set_host", "'user_id':'%s'", t->ada->user_id);
	assert_string_equal(rig_of(t->ada, "host_user_id"), "'@ada'");
}

/* ---- acts in flight ---- */

TABLE_TEST(test_acts_are_judged_by_the_policy_that_was_there_when_they_came, t)
{
	rig_hold(&t->r);
	uint32_t early = rig_send(t->bob, "set_revealed", "'is_revealed':true");
	uint32_t change = rig_send(t->ada, "set_policy", "'policy':{'who_reveals':'everyone'}");
	uint32_t late = rig_send(t->bob, "set_revealed", "'is_revealed':true");
	uint32_t back = rig_send(t->ada, "set_policy", "'policy':{'who_reveals':'host'}");
	uint32_t latest = rig_send(t->bob, "set_revealed", "'is_revealed':false");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(t->bob, early), "FORBIDDEN");
	assert_string_equal(rig_outcome(t->ada, change), "ok");
	assert_string_equal(rig_outcome(t->bob, late), "ok");
	assert_string_equal(rig_outcome(t->ada, back), "ok");
	assert_string_equal(rig_outcome(t->bob, latest), "FORBIDDEN");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob");
}

TABLE_TEST(test_a_policy_that_could_not_be_stored_is_not_in_force, t)
{
	rig_fail_commits(&t->r, 1, ERR_IO);
	assert_string_equal(rig_code(t->ada, "set_policy", "'policy':{'who_reveals':'everyone'}"),
			    "UNAVAILABLE");
	assert_string_equal(rig_of(t->bob, "policy"), DEFAULTS);
	assert_string_equal(rig_code(t->bob, "set_revealed", "'is_revealed':true"), "FORBIDDEN");
}
