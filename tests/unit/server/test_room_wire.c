/*
 * test_room_wire.c - what is sent, word by word: answers, room.update, room.you,
 * and how versions count.
 */
#include <stdio.h>

#include "tests/unit/server/table.h"

#define DECK "['1','2','3','5','8','13','20','?','∞']"
/* clang-format off */
#define POLICY                                                                                     \
	"{'who_reveals':'host','who_resets':'host','who_edits_stories':'everyone',"                \
	"'who_edits_data':'members',"                                                              \
	"'auto_reveal':true,'vote_after_reveal':false,'anonymous':false,'confidence':false,"       \
	"'bots_count':false,'hide_who_voted':false,'keep_votes':false,'open_stories':false,'lobby':false,'locked':false,'quorum':0,'has_passcode':false}"
#define ROOM(title, deck, is_revealed, round, phase, more)                                         \
	"'room':{'title':" title ",'valid_sizes':" deck ",'is_revealed':" is_revealed              \
	",'round':" round ",'host_user_id':'@ada','phase':'" phase "','story_id':null,"            \
	"'story_round':1,'started_at':1700000000000,'policy':" POLICY more "}"
#define FIVE                                                                                       \
	",'result':{'votes':1,'cards':[{'card':'5','votes':1}],"               \
	"'average':5.0,'median':5.0,'mode':'5','agreement_percent':100,'lowest':'5',"              \
	"'highest':'5','suggestion':'5','is_unanimous':false}"
/* clang-format on */
#define USER(id, name, is_host, rest)                                           \
	"{'user_id':'@" id "','username':" name                                 \
	",'role':'voter','is_bot':false,'is_connected':true,'is_host':" is_host \
	",'has_vote':" rest "}"
#define PART(id, changes) "{'user_id':'@" id "'," changes "}"
#define UPDATE(since, version) \
	"{'room_id':'ROOM','epoch':EPOCH,'since':" since ",'version':" version
#define ADA USER("ada", "'ada'", "true", "false")
#define BOB USER("bob", "'bob'", "false", "false")

/* ---- the session ---- */

TABLE_TEST(test_hello_says_protocol_server_features_limits_time_and_nonce, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	const char *result = rig_must(cy, "session.hello", "'protocol':1,'client':'test 1'");
	const char *begin = "{'protocol':1,'server':'ayed " AYE_VERSION
			    "','features':[],'limits':{'frame_bytes_guest':4096,";
	assert_memory_equal(result, begin, strlen(begin));
	assert_non_null(strstr(result, "'requests_pending':64,"));
	assert_non_null(strstr(result, "},'now':1700000000000,'nonce':'"));
}

TABLE_TEST(test_nonces_differ, t)
{
	char first[KEY_CHARS + 1];
	const char *result = rig_must(t->ada, "session.hello", "'protocol':1,'client':'x'");
	memcpy(first, strstr(result, "'nonce':'") + 9, KEY_CHARS);
	first[KEY_CHARS] = '\0';
	result = rig_must(t->bob, "session.hello", "'protocol':1,'client':'x'");
	assert_null(strstr(result, first));
}

TABLE_TEST(test_hello_says_where_the_page_for_browsers_is, t)
{
	static const char *const pages[] = {"https://poker.example/", "http://192.0.2.7:2938/"};
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	for (size_t i = 0; i < 2; i++) {
		char field[64];
		server_set_web(t->r.server, slice_str(pages[i]));
		(void)snprintf(field, sizeof(field), ",'web':'%s'}", pages[i]);
		const char *result = rig_must(cy, "session.hello", "'protocol':1,'client':'x'");
		assert_non_null(strstr(result, field));
	}
	server_set_web(t->r.server, (struct slice){0});
	const char *result = rig_must(cy, "session.hello", "'protocol':1,'client':'x'");
	assert_null(strstr(result, "'web'"));
}

/* promise: other-protocol */
TABLE_TEST(test_hello_refuses_another_protocol, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	assert_string_equal(rig_code(cy, "session.hello", "'protocol':2,'client':'x'"),
			    "VALIDATION_ERROR protocol");
	assert_string_equal(rig_code(cy, "room.create", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(cy, "session.hello", "'protocol':1,'client':'x'"), "ok");
}

TABLE_TEST(test_ping_answers_the_time_even_before_hello, t)
{
	struct rig_peer *cy = rig_connect(&t->r, "cy");
	assert_string_equal(rig_must(cy, "server.ping", RIG_NONE), "{'now':1700000000000}");
}

/* promise: owner-only */
TABLE_TEST(test_stats_are_for_the_servers_owner, t)
{
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	assert_string_equal(rig_code(owner, "server.stats", RIG_NONE), "UNAUTHENTICATED");
	rig_hello(owner);
	const char *result = rig_must(owner, "server.stats", RIG_NONE);
	assert_non_null(strstr(result, "'now':1700000000000,'started_at':1700000000000,"));
	assert_non_null(strstr(result, "'connections':3,"));
	assert_string_equal(rig_code(t->ada, "server.stats", RIG_NONE), "FORBIDDEN");
}

/* promise: owner-only */
TABLE_TEST(test_sharing_is_for_the_servers_owner_and_says_where, t)
{
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	assert_string_equal(rig_code(t->ada, "server.share", RIG_NONE), "FORBIDDEN");
	assert_string_equal(rig_must(owner, "server.share", RIG_NONE), "{'addresses':[]}");
	assert_string_equal(rig_refused(owner, "server.share", "'address':'192.0.2.7:80'"),
			    "{'code':'CONFLICT','message':'another program uses the port'}");
	assert_string_equal(rig_code(owner, "server.share", "'address':'198.51.100.1'"),
			    "VALIDATION_ERROR address");
	assert_string_equal(rig_code(owner, "server.share", "'address':''"),
			    "VALIDATION_ERROR address");
	assert_string_equal(rig_must(owner, "server.share", "'address':'192.0.2.7'"),
			    "{'addresses':['tcp://192.0.2.7:2937']}");
	assert_string_equal(rig_must(owner, "server.share", "'address':'192.0.2.7'"),
			    "{'addresses':['tcp://192.0.2.7:2937']}");
	assert_string_equal(rig_must(owner, "server.share", RIG_NONE),
			    "{'addresses':['tcp://192.0.2.7:2937']}");
}

TABLE_TEST(test_sharing_ends_when_its_owner_says, t)
{
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	assert_string_equal(rig_code(t->ada, "server.share", "'unshare':true"), "FORBIDDEN");
	rig_must(owner, "server.share", "'address':'192.0.2.7'");
	assert_string_equal(rig_refused(owner, "server.share",
					"'address':'192.0.2.7','unshare':true"),
			    "{'code':'VALIDATION_ERROR','message':'leave it out to listen on an "
			    "address','field':'unshare'}");
	assert_string_equal(rig_must(owner, "server.share", "'unshare':true"), "{'addresses':[]}");
	assert_string_equal(rig_must(owner, "server.share", "'unshare':true"), "{'addresses':[]}");
	assert_string_equal(rig_must(owner, "server.share", RIG_NONE), "{'addresses':[]}");
}

TABLE_TEST(test_browsers_are_let_in_where_others_are, t)
{
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	assert_string_equal(rig_refused(owner, "server.share", "'web_scheme':'https'"),
			    "{'code':'VALIDATION_ERROR','message':'needs an address to listen "
			    "on','field':'web_scheme'}");
	assert_string_equal(rig_code(owner, "server.share",
				     "'address':'192.0.2.7','web_scheme':'ftp'"),
			    "VALIDATION_ERROR web_scheme");
	assert_string_equal(rig_must(owner, "server.share",
				     "'address':'192.0.2.7','web_scheme':'none'"),
			    "{'addresses':['tcp://192.0.2.7:2937']}");
	assert_string_equal(
		rig_must(owner, "server.share", "'address':'192.0.2.7','web_scheme':'https'"),
		"{'addresses':['tcp://192.0.2.7:2937'],'web':'https://192.0.2.7:2938/'}");
	assert_string_equal(
		rig_must(owner, "server.share", RIG_NONE),
		"{'addresses':['tcp://192.0.2.7:2937'],'web':'https://192.0.2.7:2938/'}");
	assert_string_equal(
		rig_must(owner, "server.share", "'address':'192.0.2.7','web_scheme':'http'"),
		"{'addresses':['tcp://192.0.2.7:2937'],'web':'http://192.0.2.7:2938/'}");
	assert_non_null(strstr(rig_must(t->bob, "session.hello", "'protocol':1,'client':'x'"),
			       ",'web':'http://192.0.2.7:2938/'}"));
}

/* Strangers may guess from then on; a code that there is stays as short as it was. */
TABLE_TEST(test_new_rooms_of_a_shared_server_have_longer_codes, t)
{
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	rig_must(owner, "server.share", RIG_NONE);
	rig_found(&t->r, owner, "");
	assert_int_equal(strlen(t->r.room_id), CODE_CHARS);
	rig_must(owner, "server.share", "'address':'192.0.2.7'");
	rig_found(&t->r, owner, "");
	assert_int_equal(strlen(t->r.room_id), SHARED_CODE_CHARS);
	assert_string_equal(rig_code(t->ada, "get", RIG_NONE), "ok");
}

TABLE_TEST(test_a_room_made_before_sharing_is_joined_by_its_shorter_code, t)
{
	char room_id[CODE_CHARS_MAX + 1];
	(void)snprintf(room_id, sizeof(room_id), "%s", t->r.room_id);
	assert_int_equal(strlen(room_id), CODE_CHARS);
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	rig_must(owner, "server.share", "'address':'192.0.2.7'");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_sit(&t->r, "grace");
	struct rig_peer *p = rig_connect_as(&t->r, "stranger", PEER_NETWORK, 7, false);
	rig_hello(p);
	for (int life = 0; life < 2; life++) { /* in memory, and from the table */
		assert_string_equal(rig_code(p, "room.subscribe", "'room_id':'%s'", room_id), "ok");
		rig_crash(&t->r);
		owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
		rig_hello(owner);
		rig_must(owner, "server.share", "'address':'192.0.2.7'");
		p = rig_connect_as(&t->r, "stranger", PEER_NETWORK, 7, false);
		rig_hello(p);
	}
}

TABLE_TEST(test_a_room_made_before_sharing_is_found_by_a_repeat_after_it, t)
{
	char first[512];
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(owner, "room.create", "'idempotency_key':'the same call 1....'"));
	rig_must(owner, "server.share", "'address':'192.0.2.7'");
	assert_string_equal(rig_must(owner, "room.create",
				     "'idempotency_key':'the same call 1....'"),
			    first);
	(void)snprintf(first, sizeof(first), "%s",
		       rig_must(owner, "room.create", "'idempotency_key':'the same call 2....'"));
	assert_string_equal(rig_must(owner, "room.create",
				     "'idempotency_key':'the same call 2....'"),
			    first);
}

/* It waits for the longer code, which was not in use when it came; the room is under the shorter one. */
TABLE_TEST(test_a_repeat_that_waits_while_the_server_is_shared_finds_its_room, t)
{
	bool is_refusal;
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	char *first =
		strdup(rig_must(owner, "room.create", "'idempotency_key':'the same call 1....'"));
	rig_crash(&t->r);
	owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	rig_hold(&t->r);
	uint32_t repeat = rig_send(owner, "room.create", "'idempotency_key':'the same call 1....'");
	rig_must(owner, "server.share", "'address':'192.0.2.7'");
	assert_false(rig_is_answered(owner, repeat));
	rig_release(&t->r);
	assert_string_equal(rig_answer(owner, repeat, &is_refusal), first);
	free(first);
}

/* If that end could not be written, there would be two rooms of one call. */
TABLE_TEST(test_a_repeat_makes_no_second_room_while_the_first_is_being_deleted, t)
{
	char room_id[CODE_CHARS_MAX + 1];
	char host_key[KEY_CHARS + 1];
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	const char *first =
		rig_must(owner, "room.create", "'idempotency_key':'the same call 1....'");
	rig_field(first, "room_id", room_id, sizeof(room_id));
	rig_field(first, "host_key", host_key, sizeof(host_key));
	rig_must(owner, "server.share", "'address':'192.0.2.7'");
	rig_hold(&t->r);
	uint32_t end =
		rig_send(owner, "room.delete", "'room_id':'%s','host_key':'%s'", room_id, host_key);
	uint32_t repeat = rig_send(owner, "room.create", "'idempotency_key':'the same call 1....'");
	rig_release(&t->r);
	assert_string_equal(rig_outcome(owner, end), "ok");
	assert_string_equal(rig_outcome(owner, repeat), "UNAVAILABLE");
	rig_must(owner, "room.create", "'idempotency_key':'the same call 1....'");
}

TABLE_TEST(test_the_end_of_the_asker_hinders_no_sharing, t)
{
	struct rig_peer *owner = rig_connect_as(&t->r, "owner", PEER_UNIX, 0, true);
	rig_hello(owner);
	rig_send(owner, "server.share", "'address':'192.0.2.7'");
	rig_cut(owner);
	rig_settle(&t->r);
	assert_true(t->r.is_shared);
}

/* ---- what a newcomer is sent ---- */

TABLE_TEST(test_a_newcomer_gets_answer_you_and_everything, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	uint32_t msgid = rig_send(cy, "subscribe", RIG_NONE);
	assert_string_equal(rig_heard(cy), "answer room.you room.update");
	assert_string_equal(rig_outcome(cy, msgid), "ok");
	rig_follow(cy, "");
	rig_forget(cy);
	rig_must(cy, "subscribe", RIG_NONE);
	assert_string_equal(rig_next(cy),
			    "room.you {'room_id':'ROOM','user_id':'@cy','username':null,"
			    "'vote':null,'role':'voter','is_host':false}");
	assert_string_equal(rig_next(cy),
			    "room.update " UPDATE("5", "5") ",'full':true," ROOM(
				    "null", DECK, "false", "1", "voting",
				    "") ",'users':[" ADA "," BOB
					"," USER("cy", "null", "false",
						 "false") "],'stories':[],'data':[]}");
	assert_string_equal(rig_next(cy), "");
}

TABLE_TEST(test_a_subscription_answers_key_id_epoch_and_version, t)
{
	assert_string_equal(rig_must(t->bob, "subscribe", RIG_NONE),
			    "{'user_key':'KEY-bob','user_id':'@bob','epoch':EPOCH,'version':4}");
}

TABLE_TEST(test_room_get_answers_what_a_full_update_says, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "subscribe", RIG_NONE);
	assert_non_null(strstr(rig_next(t->ada), "'users'"));
	assert_non_null(strstr(rig_next(t->ada), "room.you"));
	char *full = strdup(rig_next(t->ada) + strlen("room.update "));
	assert_string_equal(rig_must(cy, "get", RIG_NONE), full);
	assert_non_null(strstr(full, "'full':true"));
	free(full);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob voted");
}

/* ---- what changes bring ---- */

TABLE_TEST(test_a_vote_brings_the_voter_alone, t)
{
	assert_string_equal(rig_must(t->bob, "vote", "'vote':'5'"),
			    "{'has_vote':true,'version':5}");
	assert_string_equal(rig_next(t->ada), "room.update " UPDATE("4", "5") ",'users':[" PART(
						      "bob", "'has_vote':true") "]}");
	assert_string_equal(rig_next(t->bob),
			    "room.you {'room_id':'ROOM','user_id':'@bob','username':'bob',"
			    "'vote':'5','is_withdrawn':false,'role':'voter','is_host':false}");
	assert_string_equal(rig_next(t->bob), "room.update " UPDATE("4", "5") ",'users':[" PART(
						      "bob", "'has_vote':true") "]}");
}

TABLE_TEST(test_a_reveal_brings_the_room_and_those_who_voted, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_forget(t->ada);
	assert_string_equal(rig_must(t->ada, "set_revealed", "'is_revealed':true"),
			    "{'version':6}");
	assert_string_equal(rig_next(t->ada),
			    "room.update " UPDATE("5", "6") "," ROOM(
				    "null", DECK, "true", "1", "revealed",
				    FIVE) ",'users':[" PART("bob", "'vote':'5'") "],'by':'@ada'}");
}

TABLE_TEST(test_a_reset_brings_the_room_and_that_all_votes_went, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_forget(t->ada);
	assert_string_equal(rig_must(t->ada, "reset", RIG_NONE), "{'round':2,'version':6}");
	assert_string_equal(rig_next(t->ada),
			    "room.update " UPDATE("5", "6") "," ROOM(
				    "null", DECK, "false", "2", "voting",
				    ",'can_undo':true") ",'votes_cleared':true,'by':'@ada'}");
}

/* Whether the next update names somebody, who is "@ada" or nobody. */
static bool names_ada(struct rig_peer *p)
{
	const char *update = rig_next(p);
	assert_true(strncmp(update, "room.update", 11) == 0);
	bool names = strstr(update, "'by':'@ada'") != NULL;
	assert_true(names || strstr(update, "'by':") == NULL);
	return names;
}

TABLE_TEST(test_an_update_names_whoever_led_and_never_a_voter, t)
{
	rig_must(t->ada, "vote", "'vote':'5'");
	assert_false(names_ada(t->bob));
	rig_must(t->ada, "vote", "'vote':null");
	assert_false(names_ada(t->bob));
	rig_must(t->ada, "set_title", "'title':'x'");
	assert_true(names_ada(t->bob));
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	assert_true(names_ada(t->bob));
	rig_must(t->ada, "timer.start", "'room_id':'%s','seconds':60", t->r.room_id);
	assert_true(names_ada(t->bob));
}

TABLE_TEST(test_a_reveal_by_itself_names_nobody, t)
{
	rig_must(t->ada, "vote", "'vote':'5'");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_advance(&t->r, 3000);
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =5, bob =5");
	for (const char *n = rig_next(t->bob); n[0] != '\0'; n = rig_next(t->bob)) {
		assert_null(strstr(n, "'by':"));
	}
}

TABLE_TEST(test_what_several_did_at_once_names_none_of_them, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'who_resets':'everyone'}");
	rig_forget(t->bob);
	struct rig_peer *key = rig_guest(&t->r, "key");
	rig_must(key, "get", "'host_key':'%s'", t->r.host_key);
	rig_hold(&t->r);
	(void)rig_send(t->ada, "set_title", "'title':'x'");
	/* Both wait for the commit of the first, and are one commit. */
	(void)rig_send(t->ada, "set_title", "'title':'y'");
	(void)rig_send(t->bob, "reset", RIG_NONE);
	(void)rig_send(key, "set_title", "'title':'z'");
	rig_release(&t->r);
	assert_true(names_ada(t->bob));
	assert_false(names_ada(t->bob));
	assert_int_equal(rig_count(t->bob, "room.update"), 0);
}

TABLE_TEST(test_results_carry_the_version_that_shows_the_change, t)
{
	assert_string_equal(rig_must(t->bob, "join", "'username':'Bob'"),
			    "{'user_id':'@bob','username':'Bob','version':5}");
	assert_string_equal(rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['a','b']"),
			    "{'valid_sizes':['a','b'],'version':6}");
	assert_string_equal(rig_must(t->bob, "leave", RIG_NONE), "{'version':7}");
	assert_string_equal(rig_must(t->ada, "set_title", "'title':'x'"), "{'version':8}");
	assert_string_equal(rig_must(t->bob, "unsubscribe", RIG_NONE), "{'version':9}");
	assert_string_equal(rig_must(t->bob, "delete_user", RIG_NONE), "{'version':10}");
	assert_string_equal(rig_must(t->ada, "delete", RIG_NONE), "{}");
	rig_copies_free(t->bob);
	rig_copies_free(t->ada);
}

TABLE_TEST(test_what_changes_nothing_brings_no_version_and_no_update, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_forget(t->ada);
	assert_string_equal(rig_must(t->bob, "join", "'username':'bob'"),
			    "{'user_id':'@bob','username':'bob','version':5}");
	assert_string_equal(rig_must(t->ada, "set_revealed", "'is_revealed':false"),
			    "{'version':5}");
	assert_string_equal(rig_must(t->ada, "set_valid_sizes", "'valid_sizes':" DECK),
			    "{'valid_sizes':" DECK ",'version':5}");
	assert_string_equal(rig_must(t->ada, "set_host", "'user_id':'%s'", t->ada->user_id),
			    "{'version':5}");
	assert_string_equal(rig_heard(t->ada), "");
}

TABLE_TEST(test_changes_that_arrive_together_travel_as_one_update, t)
{
	struct buf bytes = {.max = 65536};
	uint32_t first = rig_compose(t->bob, &bytes, "vote", "'vote':'5'");
	rig_compose(t->bob, &bytes, "vote", "'vote':'8'");
	rig_compose(t->bob, &bytes, "join", "'username':'Bob'");
	uint32_t last = rig_compose(t->bob, &bytes, "vote", "'vote':null");
	rig_bytes(t->bob, buf_slice(&bytes));
	buf_finish(&bytes);
	bool is_refusal;
	assert_string_equal(rig_answer(t->bob, first, &is_refusal),
			    "{'has_vote':true,'version':5}");
	assert_string_equal(rig_answer(t->bob, last, &is_refusal),
			    "{'has_vote':false,'version':8}");
	assert_string_equal(rig_next(t->ada),
			    "room.update " UPDATE("4", "8") ",'users':[" PART(
				    "bob", "'username':'Bob','has_vote':false") "]}");
	assert_string_equal(rig_next(t->ada), "");
}

/* promise: same-order */
TABLE_TEST(test_the_caller_sees_its_own_change_in_order_with_the_others, t)
{
	rig_must(t->ada, "vote", "'vote':'1'");
	rig_must(t->bob, "vote", "'vote':'2'");
	rig_must(t->ada, "vote", "'vote':'3'");
	assert_int_equal(rig_count(t->ada, "room.update"), 3);
	assert_int_equal(rig_count(t->bob, "room.update"), 3);
	for (size_t i = 0; i < 3; i++) {
		const char *update = "";
		while (strncmp(update, "room.update", 11) != 0) {
			update = rig_next(t->ada);
		}
		char *same = strdup(update);
		update = "";
		while (strncmp(update, "room.update", 11) != 0) {
			update = rig_next(t->bob);
		}
		assert_string_equal(same, update);
		free(same);
	}
}

TABLE_TEST(test_error_maps_have_code_message_field_and_wait, t)
{
	const char *error = rig_refused(t->bob, "vote", "'vote':'4'");
	assert_string_equal(error, "{'code':'VALIDATION_ERROR','message':'is not a card of this "
				   "room','field':'vote'}");
	error = rig_refused(t->bob, "reset", RIG_NONE);
	assert_string_equal(error, "{'code':'FORBIDDEN','message':'only a host can do that here'}");
}
