/*
 * test_creator.c - the creator, who has shown the host_key on a seat, outranks co-hosts:
 * they neither remove the creator nor end the creator's rights. And who was removed learns by whom.
 */
#include <stdio.h>

#include "tests/unit/server/table.h"

#define STAYS                                                                               \
	"{'code':'FORBIDDEN','message':'ada created this room; co-hosts cannot remove its " \
	"creator'}"
#define KEEPS "{'code':'FORBIDDEN','message':'ada created this room; its creator stays host'}"

/* Bob leads, and ada, who has made the room, is host beside him. */
static void hand_over(struct table *t)
{
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob host");
}

/* Who is removed follows the room no longer. */
static void remove_member(struct rig_peer *by, struct rig_peer *whom, const char *params)
{
	rig_must(by, "kick", "'user_id':'%s'%s", whom->user_id, params);
	(void)rig_heard(whom); /* what came before the kick */
	rig_copies_free(whom);
}

static void assert_protected(struct rig_peer *cohost, const char *creator_id)
{
	assert_string_equal(rig_refused(cohost, "kick", "'user_id':'%s'", creator_id), STAYS);
	assert_string_equal(rig_refused(cohost, "unset_host", "'user_id':'%s'", creator_id), KEEPS);
}

TABLE_TEST(test_a_host_whom_the_creator_made_cannot_remove_or_demote_the_creator, t)
{
	hand_over(t);
	assert_protected(t->bob, t->ada->user_id);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob host");
	/* A lock changes nothing about it: a kick there would have barred the key. */
	rig_must(t->bob, "set_policy", "'policy':{'locked':true}");
	assert_protected(t->bob, t->ada->user_id);
	assert_int_equal(rig_stored(&t->r, "BARRED:"), 0);
}

TABLE_TEST(test_a_host_by_succession_cannot_remove_the_creator_either, t)
{
	rig_cut(t->ada);
	rig_advance(&t->r, MINUTE_MS);
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada away, bob host");
	assert_string_equal(rig_refused(t->bob, "kick", "'user_id':'%s'", t->ada->user_id), STAYS);
}

TABLE_TEST(test_the_rank_survives_a_reconnect_and_a_restart, t)
{
	hand_over(t);
	rig_cut(t->ada);
	struct rig_peer *ada = rig_return(t->ada, true);
	assert_protected(t->bob, ada->user_id);
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_protected(bob, ada->user_id);
	remove_member(rig_return(t->ada, false), bob, "");
}

TABLE_TEST(test_claiming_with_the_key_makes_a_seat_the_creators, t)
{
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(cy, "claim_host", "'host_key':'%s'", t->r.host_key);
	assert_string_equal(rig_code(t->bob, "kick", "'user_id':'%s'", cy->user_id), "FORBIDDEN");
	rig_crash(&t->r);
	struct rig_peer *bob = rig_return(t->bob, false);
	assert_string_equal(rig_code(bob, "kick", "'user_id':'%s'", cy->user_id), "FORBIDDEN");
}

TABLE_TEST(test_with_the_host_key_the_creators_seat_can_be_removed, t)
{
	hand_over(t);
	char key[64];
	(void)snprintf(key, sizeof(key), ",'host_key':'%s'", t->r.host_key);
	remove_member(t->bob, t->ada, key);
	assert_string_equal(rig_table(t->bob), "#1 hidden: - away, bob host");
}

TABLE_TEST(test_the_creator_may_step_down_and_remove_co_hosts, t)
{
	hand_over(t);
	remove_member(t->ada, t->bob, "");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(t->ada, "set_host", "'user_id':'%s'", cy->user_id);
	rig_must(t->ada, "unset_host", "'user_id':'%s'", t->ada->user_id);
	assert_string_equal(rig_table(cy), "#1 hidden: ada, - away, cy host");
	assert_string_equal(rig_code(cy, "kick", "'user_id':'%s'", t->ada->user_id), "FORBIDDEN");
}

TABLE_TEST(test_other_hosts_have_no_such_rank, t)
{
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_must(t->ada, "set_host", "'user_id':'%s'", cy->user_id);
	rig_must(t->ada, "set_host", "'user_id':'%s'", t->bob->user_id);
	rig_must(t->bob, "unset_host", "'user_id':'%s'", cy->user_id);
	remove_member(t->bob, cy, "");
}

/* ---- who did it ---- */

TABLE_TEST(test_a_member_who_is_removed_is_told_by_whom, t)
{
	remove_member(t->ada, t->bob, "");
	assert_int_equal(rig_count(t->bob, "room.kicked"), 1);
	const char *notice = rig_next(t->bob);
	while (strncmp(notice, "room.kicked", 11) != 0) {
		notice = rig_next(t->bob);
	}
	assert_string_equal(notice, "room.kicked {'room_id':'ROOM','by':'ada'}");
}

TABLE_TEST(test_and_whether_they_stay_out, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'locked':true}");
	rig_forget(t->bob);
	remove_member(t->ada, t->bob, "");
	const char *notice = rig_next(t->bob);
	assert_string_equal(notice, "room.kicked {'room_id':'ROOM','by':'ada','is_barred':true}");
}

TABLE_TEST(test_a_caller_without_a_name_is_not_named, t)
{
	struct rig_peer *key = rig_guest(&t->r, "key");
	rig_forget(t->bob);
	char params[64];
	(void)snprintf(params, sizeof(params), ",'host_key':'%s'", t->r.host_key);
	remove_member(key, t->bob, params);
	assert_string_equal(rig_next(t->bob), "room.kicked {'room_id':'ROOM'}");
}

TABLE_TEST(test_a_stranger_turned_away_from_the_lobby_is_told_by_whom, t)
{
	rig_must(t->ada, "set_policy", "'policy':{'lobby':true}");
	struct rig_peer *cy = rig_sit(&t->r, "cy");
	rig_forget(cy);
	rig_copies_free(cy);
	rig_must(t->ada, "reject", "'user_id':'%s'", cy->user_id);
	assert_string_equal(rig_next(cy), "room.kicked {'room_id':'ROOM','by':'ada'}");
}

/* The kick is done whole or not at all: with each allocation failing, bob sits there, or has been told by whom. */
TABLE_HEAP_TEST(test_a_kick_survives_each_failed_allocation, t, nth)
{
	heap_fail_nth(nth, false);
	(void)rig_send(t->ada, "kick", "'user_id':'%s'", t->bob->user_id);
	heap_fail_never();
	bool is_told = false;
	for (const char *notice = rig_next(t->bob); notice[0] != '\0'; notice = rig_next(t->bob)) {
		is_told =
			is_told || strcmp(notice, "room.kicked {'room_id':'ROOM','by':'ada'}") == 0;
	}
	bool is_there = strstr(rig_truth(t->ada), "bob") != NULL;
	assert_true(is_told || is_there || !t->bob->is_open);
	if (!is_there) {
		rig_copies_free(t->bob);
	}
}
