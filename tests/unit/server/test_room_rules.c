/*
 * test_room_rules.c - seats, names, votes, rounds and decks, a sentence each.
 *
 * Who is host and who may do what is in test_room_host.c, who goes and comes
 * back in test_room_away.c, the shape of what is sent in test_room_wire.c.
 */
#include "tests/unit/server/table.h"

#include <stdio.h>

/* ---- making a room ---- */

TABLE_TEST(test_a_room_has_the_usual_deck_where_none_is_asked_for, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	const char *result = rig_must(cy, "room.create", RIG_NONE);
	assert_non_null(strstr(result, "'valid_sizes':['1','2','3','5','8','13','20','?','∞']"));
}

TABLE_TEST(test_room_codes_are_six_characters_of_the_alphabet, t)
{
	assert_int_equal(strlen(t->r.room_id), 6);
	assert_int_equal(strspn(t->r.room_id, "23456789ABCDEFGHJKMNPQRSTVWXYZ"), 6);
}

TABLE_TEST(test_every_preset_deck_can_be_named, t)
{
	static const char *const decks[][2] = {
		{"guesstimator", "['1','2','3','5','8','13','20','?','∞']"},
		{"fibonacci", "['0','1','2','3','5','8','13','21','34','55','89','?']"},
		{"modified", "['0','½','1','2','3','5','8','13','20','40','100','?']"},
		{"tshirt", "['XS','S','M','L','XL','XXL','?']"},
		{"powers", "['0','1','2','4','8','16','32','64','?']"},
		{"hours", "['1','2','4','6','8','12','16','24','?']"},
		{"fist", "['0','1','2','3','4','5']"},
		{"yesno", "['yes','no','?']"},
	};
	for (size_t i = 0; i < sizeof(decks) / sizeof(decks[0]); i++) {
		const char *result = rig_must(t->ada, "room.create", "'deck':'%s'", decks[i][0]);
		assert_non_null(strstr(result, decks[i][1]));
	}
}

TABLE_TEST(test_an_unknown_deck_is_refused_by_name, t)
{
	assert_string_equal(rig_code(t->ada, "room.create", "'deck':'tarot'"),
			    "VALIDATION_ERROR deck");
}

TABLE_TEST(test_deck_and_valid_sizes_exclude_each_other, t)
{
	assert_string_equal(rig_code(t->ada, "room.create",
				     "'deck':'fist','valid_sizes':['a','b']"),
			    "VALIDATION_ERROR deck");
}

/* Each deck that is no deck, and the field that says why. */
TABLE_TEST(test_a_deck_has_2_to_32_different_cards_of_1_to_8_cells, t)
{
	static const char *const bad[][2] = {
		{"", "valid_sizes"},
		{"'1'", "valid_sizes"},
		{"'1','1'", "valid_sizes[1]"},
		{"'1',' 1 '", "valid_sizes[1]"},
		{"'1',''", "valid_sizes[1]"},
		{"'1','   '", "valid_sizes[1]"},
		{"'1','123456789'", "valid_sizes[1]"},
		{"'1','日本語日本'", "valid_sizes[1]"},
		{"'1','\\u202e2'", "valid_sizes[1]"},
		{"'1','\\u0007'", "valid_sizes[1]"},
		{"1,2", "valid_sizes[0]"},
		{"'a',null", "valid_sizes[1]"},
		{"'0','1','2','3','4','5','6','7','8','9','a','b','c','d','e','f','g','h','i','j',"
		 "'k','l','m','n','o','p','q','r','s','t','u','v','w'",
		 "valid_sizes"},
	};
	char expected[64];
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(expected, sizeof(expected), "VALIDATION_ERROR %s", bad[i][1]);
		assert_string_equal(rig_code(t->ada, "room.create", "'valid_sizes':[%s]",
					     bad[i][0]),
				    expected);
		assert_string_equal(rig_code(t->ada, "set_valid_sizes", "'valid_sizes':[%s]",
					     bad[i][0]),
				    expected);
	}
	assert_string_equal(rig_code(t->ada, "set_valid_sizes",
				     "'valid_sizes':['0','1','2','3','4','5','6','7','8','9','a',"
				     "'b','c','d','e','f','g','h','i','j','k','l','m','n','o','p',"
				     "'q','r','s','t','u','日本語日']"),
			    "ok");
}

TABLE_TEST(test_titles_are_cleaned_and_at_most_80_cells, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	char wide[82];
	memset(wide, 'x', 81);
	wide[81] = '\0';
	rig_found(&t->r, cy, "'title':'  Sprint   42 '");
	rig_follow(cy, "");
	assert_non_null(strstr(rig_next(cy), "room.you"));
	assert_non_null(strstr(rig_next(cy), "'title':'Sprint 42'"));
	assert_string_equal(rig_code(cy, "room.create", "'title':'%s'", wide),
			    "VALIDATION_ERROR title");
	assert_string_equal(rig_code(cy, "room.create", "'title':'a\\u001bb'"),
			    "VALIDATION_ERROR title");
}

TABLE_TEST(test_links_follow_a_template_that_the_host_sets, t)
{
	static const char *const bad[] = {
		"ftp://x.example/{key}",       "x.example/{key}",
		"https://x.example/",	       "javascript:alert({key})",
		"https://x.example/a b/{key}", "{key}",
	};
	char wide[300] = "https://x.example/{key}";
	memset(wide + strlen(wide), 'x', 256);
	wide[257] = '\0';
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->ada, "room.set_link_template",
					     "'room_id':'%s','link_template':'%s'", t->r.room_id,
					     bad[i]),
				    "VALIDATION_ERROR link_template");
		assert_string_equal(rig_code(t->ada, "room.create", "'link_template':'%s'", bad[i]),
				    "VALIDATION_ERROR link_template");
	}
	assert_string_equal(rig_code(t->ada, "set_link_template", "'link_template':'%s'", wide),
			    "VALIDATION_ERROR link_template");
	assert_string_equal(rig_code(t->bob, "room.set_link_template",
				     "'room_id':'%s','link_template':null", t->r.room_id),
			    "FORBIDDEN");
	rig_must(t->ada, "room.set_link_template",
		 "'room_id':'%s','link_template':'http://y.example/?q={key}'", t->r.room_id);
	rig_crash(&t->r);
	struct rig_peer *ada = rig_return(t->ada, false);
	assert_non_null(strstr(rig_must(ada, "room.get", "'room_id':'%s'", t->r.room_id),
			       "'link_template':'http://y.example/?q={key}'"));
	rig_must(ada, "room.set_link_template", "'room_id':'%s','link_template':null",
		 t->r.room_id);
	assert_null(
		strstr(rig_must(ada, "room.get", "'room_id':'%s'", t->r.room_id), "link_template"));
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_found(&t->r, cy, "'link_template':'https://x.example/{key}'");
	rig_follow(cy, "");
	assert_non_null(strstr(rig_next(cy), "room.you"));
	assert_non_null(strstr(rig_next(cy), "'link_template':'https://x.example/{key}'"));
}

/* ---- finding it ---- */

TABLE_TEST(test_a_code_is_accepted_in_lower_case, t)
{
	char lower[CODE_CHARS + 1];
	for (size_t i = 0; i <= CODE_CHARS; i++) {
		char c = t->r.room_id[i];
		lower[i] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
	}
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	strcpy(cy->room_id, lower);
	assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "ok");
	assert_string_equal(rig_code(cy, "join", "'username':'cy'"), "ok");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
}

TABLE_TEST(test_a_room_that_is_not_there_is_not_found, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	static const char *const codes[] = {"222222", "22222U", "2222222", "2222-2", "ROOM:2"};
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		strcpy(cy->room_id, codes[i]);
		assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "ROOM_NOT_FOUND");
		assert_string_equal(rig_code(cy, "get", RIG_NONE), "ROOM_NOT_FOUND");
	}
}

/* ---- seats and names ---- */

TABLE_TEST(test_subscribing_makes_a_seat_without_a_name, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, -");
	assert_string_equal(rig_self(cy), "- voter");
}

TABLE_TEST(test_joining_names_the_seat, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	const char *result = rig_must(cy, "join", "'username':'cy'");
	assert_non_null(strstr(result, "'user_id':'@cy'"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob, cy");
	assert_string_equal(rig_self(cy), "cy voter");
}

TABLE_TEST(test_joining_again_changes_name_and_role, t)
{
	rig_must(t->bob, "join", "'username':'Robert'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, Robert");
	rig_must(t->bob, "join", "'username':'Robert','role':'spectator'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, Robert watches");
	rig_must(t->bob, "join", "'username':'Robert'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, Robert watches");
	rig_must(t->bob, "join", "'username':'bob','role':'voter','is_bot':true");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob bot");
}

TABLE_TEST(test_a_role_is_voter_or_spectator, t)
{
	assert_string_equal(rig_code(t->bob, "join", "'username':'bob','role':'king'"),
			    "VALIDATION_ERROR role");
}

TABLE_TEST(test_joining_needs_a_seat, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	assert_string_equal(rig_code(cy, "join", "'username':'cy'"), "UNAUTHENTICATED");
	assert_string_equal(rig_code(cy, "vote", "'vote':'5'"), "UNAUTHENTICATED");
	assert_string_equal(rig_code(cy, "leave", RIG_NONE), "UNAUTHENTICATED");
	assert_string_equal(rig_code(cy, "delete_user", RIG_NONE), "UNAUTHENTICATED");
}

TABLE_TEST(test_names_are_cleaned, t)
{
	rig_must(t->bob, "join", "'username':'  e\\u0301va \\u00a0  x '");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, éva x");
}

TABLE_TEST(test_names_are_1_to_32_cells, t)
{
	static const struct {
		const char *name;
		const char *code;
	} rows[] = {
		{"", "VALIDATION_ERROR username"},
		{"   ", "VALIDATION_ERROR username"},
		{"123456789012345678901234567890123", "VALIDATION_ERROR username"},
		{"日本語日本語日本語日本語日本語日本", "VALIDATION_ERROR username"},
		{"12345678901234567890123456789012", "ok"},
		{"日本語日本語日本語日本語日本語日", "ok"},
		{"      12345678901234567890123456789012          ", "ok"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_string_equal(rig_code(t->bob, "join", "'username':'%s'", rows[i].name),
				    rows[i].code);
	}
}

TABLE_TEST(test_leaving_takes_name_and_vote_and_goes_on_watching, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, -");
	assert_string_equal(rig_self(t->bob), "- voter");
	rig_must(t->ada, "vote", "'vote':'8'");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, -");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "FORBIDDEN");
}

TABLE_TEST(test_leaving_twice_is_fine, t)
{
	rig_must(t->bob, "leave", RIG_NONE);
	rig_must(t->bob, "leave", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, -");
}

TABLE_TEST(test_deleting_the_user_removes_the_seat, t)
{
	rig_must(t->bob, "delete_user", RIG_NONE);
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host");
	assert_non_null(strstr(rig_next(t->ada), "'gone':['@bob']"));
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'5'"), "UNAUTHENTICATED");
	assert_int_equal(rig_count(t->bob, "room.kicked"), 1);
	rig_copies_free(t->bob);
}

TEST(test_a_full_room_refuses_another_seat_and_keeps_the_others)
{
	struct rig r;
	struct rig_peer *ada = limited_room(&r, LIMIT_ROOM_SEATS, 2);
	struct rig_peer *bob = rig_sit(&r, "bob");
	struct rig_peer *cy = rig_guest(&r, "cy");
	assert_string_equal(rig_code(cy, "subscribe", RIG_NONE), "ROOM_FULL");
	assert_string_equal(rig_code(cy, "subscribe", "'user_key':'%s'", bob->user_key), "ok");
	assert_string_equal(rig_table(ada), "#1 hidden: - host, bob");
	rig_finish(&r);
}

/* ---- votes ---- */

TABLE_TEST(test_a_vote_shows_that_it_is_there_and_to_its_owner_what, t)
{
	const char *result = rig_must(t->bob, "vote", "'vote':'5'");
	assert_non_null(strstr(result, "'has_vote':true"));
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob voted");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
	assert_string_equal(rig_self(t->ada), "ada voter host");
}

TABLE_TEST(test_a_vote_may_change_and_be_retracted, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->bob, "vote", "'vote':'∞'");
	assert_string_equal(rig_self(t->bob), "bob voter =∞");
	const char *result = rig_must(t->bob, "vote", "'vote':null");
	assert_non_null(strstr(result, "'has_vote':false"));
	assert_string_equal(rig_self(t->bob), "bob voter");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
}

TABLE_TEST(test_only_a_joined_voter_votes, t)
{
	struct rig_peer *cy = rig_guest(&t->r, "cy");
	rig_follow(cy, "");
	assert_string_equal(rig_code(cy, "vote", "'vote':'5'"), "FORBIDDEN");
	rig_must(cy, "join", "'username':'cy','role':'spectator'");
	assert_string_equal(rig_code(cy, "vote", "'vote':'5'"), "FORBIDDEN");
	rig_must(cy, "join", "'username':'cy','role':'voter'");
	assert_string_equal(rig_code(cy, "vote", "'vote':'5'"), "ok");
}

TABLE_TEST(test_becoming_a_spectator_clears_the_vote, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->bob, "join", "'username':'bob','role':'spectator'");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob watches");
	assert_string_equal(rig_self(t->bob), "bob spectator");
}

TABLE_TEST(test_a_vote_is_one_of_the_cards, t)
{
	static const char *const bad[] = {"'4'", "''", "'5 5'", "'\\u00005'", "'xxxxxxxxx'"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_string_equal(rig_code(t->bob, "vote", "'vote':%s", bad[i]),
				    "VALIDATION_ERROR vote");
	}
	assert_string_equal(rig_code(t->bob, "vote", "'vote':5"), "VALIDATION_ERROR vote");
	assert_string_equal(rig_code(t->bob, "vote", RIG_NONE), "VALIDATION_ERROR vote");
	assert_string_equal(rig_table(t->ada), "#1 hidden: ada host, bob");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':' 5 '"), "ok");
}

TABLE_TEST(test_another_rooms_card_is_refused, t)
{
	char first[CODE_CHARS_MAX + 1];
	strcpy(first, t->r.room_id);
	rig_found(&t->r, t->ada, "'deck':'tshirt'");
	strcpy(t->ada->room_id, first);
	assert_string_equal(rig_code(t->ada, "vote", "'vote':'XL'"), "VALIDATION_ERROR vote");
}

TABLE_TEST(test_a_vote_while_revealed_is_a_conflict, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':'8'"), "CONFLICT");
	assert_string_equal(rig_code(t->bob, "vote", "'vote':null"), "CONFLICT");
	assert_string_equal(rig_code(t->ada, "vote", "'vote':'8'"), "CONFLICT");
	assert_string_equal(rig_table(t->ada), "#1 open: ada host, bob =5");
}

/* ---- rounds ---- */

TABLE_TEST(test_revealing_shows_all_votes_and_hiding_keeps_them, t)
{
	rig_must(t->ada, "vote", "'vote':'3'");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =5");
	rig_must(t->ada, "set_revealed", "'is_revealed':false");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
	rig_must(t->bob, "vote", "'vote':'8'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =3, bob =8");
}

TABLE_TEST(test_resetting_hides_and_clears_all_votes, t)
{
	rig_must(t->ada, "vote", "'vote':'3'");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	const char *result = rig_must(t->ada, "reset", RIG_NONE);
	assert_non_null(strstr(result, "'round':2"));
	assert_string_equal(rig_table(t->bob), "#2 hidden: ada host, bob");
	assert_string_equal(rig_self(t->bob), "bob voter");
	assert_string_equal(rig_self(t->ada), "ada voter host");
}

TABLE_TEST(test_a_narrower_deck_takes_no_hidden_vote_back, t)
{
	rig_must(t->ada, "vote", "'vote':'3'");
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['9','5','XL']");
	assert_string_equal(rig_table(t->bob), "#1 hidden: ada host voted, bob voted");
	assert_string_equal(rig_self(t->bob), "bob voter =5");
	assert_string_equal(rig_self(t->ada), "ada voter host =3");
	rig_must(t->ada, "vote", "'vote':'XL'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host =XL, bob =5");
}

TABLE_TEST(test_narrowing_an_open_deck_takes_the_cards_off_the_table, t)
{
	rig_must(t->bob, "vote", "'vote':'5'");
	rig_must(t->ada, "set_revealed", "'is_revealed':true");
	rig_must(t->ada, "set_valid_sizes", "'valid_sizes':['1','2']");
	assert_string_equal(rig_table(t->bob), "#1 open: ada host, bob");
}
