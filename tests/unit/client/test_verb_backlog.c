/*
 * test_verb_backlog.c - which backlog and item a word means, and imports and exports of items,
 * against a server that obeys a script.
 */
#define _XOPEN_SOURCE 700
#include "tests/unit/client/verb_kit.h"

#define A_BACKLOG(id, team, name)                                                                 \
	"{\"container_id\":\"" id "\",\"group_id\":\"" team "\",\"container_name\":\"" name "\"," \
	"\"items\":2,\"version\":3}"
#define BACKLOGS(entries, more) "{\"containers\":[" entries "]" more "}"
#define AN_ITEM(id, name, more)                                                                 \
	"{\"item_id\":\"" id "\",\"name\":\"" name "\",\"category\":\"none\",\"created_at\":1," \
	"\"updated_at\":1,\"revision\":1" more "}"
#define ITEMS(entries, more) "{\"items\":[" entries "],\"version\":3" more "}"
#define BACKLOG		     "c_AAAAAAAAAA"

static struct scripted_rule answer(const char *method, unsigned times, const char *json)
{
	return (struct scripted_rule){.method = method, .times = times, .json = json};
}

/* The text that the nth request of a method had in a field. */
static struct slice text_sent(struct verb_desk *d, enum method method, size_t nth, const char *name)
{
	static char params[1024];
	scripted_read(&d->server, scripted_find(&d->server, method, nth), params);
	const struct field *f = record_field(method_rows[method].params, slice_str(name));
	return *(const struct slice *)field_member(f, params);
}

TEST(test_a_backlog_is_looked_for_in_all_teams_or_in_one)
{
	const struct scripted_rule rules[] = {
		answer("group.list", 0,
		       "{\"groups\":[{\"group_id\":\"g_BBBBBBBBBB\",\"group_name\":\"Home\","
		       "\"role\":"
		       "\"owner\",\"joined_on\":1}]}"),
		answer("container.list", 1,
		       BACKLOGS(A_BACKLOG("c_AAAAAAAAAA", "g_AAAAAAAAAA", "Pantry"),
				",\"cursor\":\"c1\"")),
		answer("container.list", 1,
		       BACKLOGS(A_BACKLOG("c_BBBBBBBBBB", "g_BBBBBBBBBB", "Pantry"), "")),
		answer("container.list", 1,
		       BACKLOGS(A_BACKLOG("c_BBBBBBBBBB", "g_BBBBBBBBBB", "Pantry"), "")),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 4);
	verb_ends(&d, "backlog|rename|Pantry|Larder", EXIT_USAGE);
	assert_string_equal(d.err, "aye: 2 backlogs of your teams are called Pantry: c_AAAAAAAAAA "
				   "and c_BBBBBBBBBB; use an id, or --team TEAM\n");
	verb_ends(&d, "backlog|rename|Pantry|Larder|--team|Home", EXIT_DONE);
	assert_true(slice_eq(text_sent(&d, METHOD_CONTAINER_LIST, 2, "group_id"),
			     SLICE("g_BBBBBBBBBB")));
	assert_true(slice_eq(text_sent(&d, METHOD_CONTAINER_RENAME, 0, "container_id"),
			     SLICE("c_BBBBBBBBBB")));
	verb_desk_close(&d);
}

TEST(test_backlogs_of_several_teams_are_listed_with_their_teams)
{
	const struct scripted_rule rules[] = {
		answer("group.list", 0,
		       "{\"groups\":[{\"group_id\":\"g_AAAAAAAAAA\",\"group_name\":\"Work\","
		       "\"role\":\"owner\",\"joined_on\":1},"
		       "{\"group_id\":\"g_BBBBBBBBBB\",\"group_name\":\"Ho\\u001bme\","
		       "\"role\":\"owner\",\"joined_on\":1}]}"),
		answer("container.list", 0,
		       BACKLOGS(A_BACKLOG("c_AAAAAAAAAA", "g_AAAAAAAAAA", "Sprint") "," A_BACKLOG(
					"c_BBBBBBBBBB", "g_BBBBBBBBBB", "Pantry"),
				"")),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 2);
	verb_ends(&d, "backlog|list", EXIT_DONE);
	assert_non_null(strstr(d.out, "Sprint  of Work\n"));
	assert_non_null(strstr(d.out, "Pantry  of Ho"));
	verb_assert_clean(&d);
	verb_ends(&d, "backlog|list|g_AAAAAAAAAA", EXIT_DONE);
	assert_null(strstr(d.out, "Work"));
	verb_ends(&d, "backlog|list|--json", EXIT_DONE);
	assert_non_null(strstr(d.out, "\"group_id\":\"g_AAAAAAAAAA\""));
	verb_desk_close(&d);
}

TEST(test_an_item_is_looked_for_in_its_backlog)
{
	const struct scripted_rule rules[] = {
		answer("item.list", 1,
		       ITEMS(AN_ITEM("i_AAAAAAAAAA", "Salt", ""), ",\"cursor\":\"c1\"")),
		answer("item.list", 0,
		       ITEMS(AN_ITEM("i_BBBBBBBBBB", "Milk", "") "," AN_ITEM("i_CCCCCCCCCC", "Tea",
									     ""),
			     "")),
		answer("item.adjust", 0, "{\"quantity\":\"1.5\",\"revision\":2}"),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "item|adjust|" BACKLOG "|Milk|-0.5", EXIT_DONE);
	assert_string_equal(d.out, "1.5\n");
	assert_true(slice_eq(text_sent(&d, METHOD_ITEM_LIST, 1, "container_id"), SLICE(BACKLOG)));
	assert_true(slice_eq(text_sent(&d, METHOD_ITEM_LIST, 1, "cursor"), SLICE("c1")));
	assert_true(
		slice_eq(text_sent(&d, METHOD_ITEM_ADJUST, 0, "item_id"), SLICE("i_BBBBBBBBBB")));
	verb_ends(&d, "item|remove|" BACKLOG "|Mlik", EXIT_REFUSED);
	assert_string_equal(d.err, "aye: no item of the backlog is called Mlik; did you mean Milk? "
				   "(list them: aye item list BACKLOG)\n");
	verb_desk_close(&d);
}

TEST(test_an_item_is_changed_by_what_is_said_of_it)
{
	static struct verb_desk d;
	verb_desk_open(&d);
	verb_ends(&d, "item|set|" BACKLOG "|milk", EXIT_USAGE);
	assert_string_equal(d.err, "aye: give at least one change: --name, --unit, --quantity, "
				   "--category, --expiry or --note\n");
	assert_int_equal(scripted_count(&d.server, METHOD_ITEM_UPDATE), 0);
	verb_desk_close(&d);
}

TEST(test_an_item_that_is_good_for_a_week_is_good_until_a_day)
{
	static struct verb_desk d;
	struct item_add_params p;
	verb_desk_open(&d);
	scripted_play(&d.server, NULL, 0);
	verb_ends(&d, "item|add|" BACKLOG "|Milk|--expiry|7d", EXIT_DONE);
	scripted_read(&d.server, scripted_find(&d.server, METHOD_ITEM_ADD, 0), &p);
	assert_int_equal(p.expiry % 86400000, 0);
	assert_true(p.expiry / 1000 > time(NULL) + 5 * 86400 &&
		    p.expiry / 1000 <= time(NULL) + 7 * 86400);
	verb_desk_close(&d);
}

/* ---- imports ---- */

#define ADDED		    "{\"item_id\":\"i_AAAAAAAAAA\",\"revision\":1}"
#define REFUSED(code, more) "{\"code\":\"" code "\",\"message\":\"no\"" more "}"

TEST(test_items_are_sent_once_whatever_happens)
{
	const struct scripted_rule rules[] = {
		answer("item.add", 1, ADDED),
		{.method = "item.add",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = REFUSED("RATE_LIMITED", ",\"retry_after_ms\":1")},
		{.method = "item.add", .times = 1, .act = SCRIPTED_HANGS_UP},
		answer("item.add", 0, ADDED),
	};
	static struct verb_desk d;
	size_t n;
	verb_desk_open(&d);
	d.input = "One\nTwo\nThree\nFour\n";
	scripted_play(&d.server, rules, 4);
	verb_ends(&d, "backlog|import|" BACKLOG "|-", EXIT_DONE);
	assert_string_equal(d.out, "4 items added\n");
	n = scripted_count(&d.server, METHOD_ITEM_ADD);
	assert_true(n >= 6);
	for (size_t i = 0; i < n; i++) {
		struct slice name = text_sent(&d, METHOD_ITEM_ADD, i, "name");
		struct slice once = text_sent(&d, METHOD_ITEM_ADD, i, "idempotency_key");
		for (size_t k = 0; k < i; k++) {
			assert_int_equal(slice_eq(name, text_sent(&d, METHOD_ITEM_ADD, k, "name")),
					 slice_eq(once, text_sent(&d, METHOD_ITEM_ADD, k,
								  "idempotency_key")));
		}
		assert_true(slice_eq(text_sent(&d, METHOD_ITEM_ADD, i, "container_id"),
				     SLICE(BACKLOG)));
	}
	verb_desk_close(&d);
}

/* By the key that their names begin with, else by the name; what they are worth stays as it is. */
TEST(test_items_that_are_there_already_are_updated)
{
	const struct scripted_rule rules[] = {
		answer("item.list", 0,
		       ITEMS(AN_ITEM("i_BBBBBBBBBB", "PAY-1 Old title",
				     ",\"quantity\":\"5\"") "," AN_ITEM("i_CCCCCCCCCC", "Milk",
									"") "," AN_ITEM("i_"
											"DDDDDDDDD"
											"D",
											"PAY-2 "
											"Same",
											",\"note\":"
											"\"as it "
											"was\""),
			     "")),
		answer("item.update", 0, "{\"item_id\":\"i_BBBBBBBBBB\",\"revision\":2}"),
		answer("item.add", 0, ADDED),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	d.input = "name,quantity,note\nPAY-1 New title,8,\nMilk,,\nPAY-2 Same,,as it was\nPAY-10 "
		  "New,,\n";
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "backlog|import|" BACKLOG "|-", EXIT_DONE);
	assert_string_equal(d.out, "1 item added, 3 known, 1 of them changed\n");
	assert_int_equal(scripted_count(&d.server, METHOD_ITEM_ADD), 1);
	assert_true(slice_eq(text_sent(&d, METHOD_ITEM_ADD, 0, "name"), SLICE("PAY-10 New")));
	assert_int_equal(scripted_count(&d.server, METHOD_ITEM_UPDATE), 1);
	assert_true(
		slice_eq(text_sent(&d, METHOD_ITEM_UPDATE, 0, "item_id"), SLICE("i_BBBBBBBBBB")));
	assert_true(
		slice_eq(text_sent(&d, METHOD_ITEM_UPDATE, 0, "name"), SLICE("PAY-1 New title")));
	assert_int_equal(text_sent(&d, METHOD_ITEM_UPDATE, 0, "quantity").len, 0);
	d.input = "name,note\nPAY-2 Same,no longer as it was\n";
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "backlog|import|" BACKLOG "|-", EXIT_DONE);
	assert_true(
		slice_eq(text_sent(&d, METHOD_ITEM_UPDATE, 0, "item_id"), SLICE("i_DDDDDDDDDD")));
	assert_true(slice_eq(text_sent(&d, METHOD_ITEM_UPDATE, 0, "note"),
			     SLICE("no longer as it was")));
	verb_desk_close(&d);
}

TEST(test_a_server_that_takes_nothing_is_given_up)
{
	const struct scripted_rule rule = {.method = "item.add",
					   .act = SCRIPTED_REFUSES,
					   .json = REFUSED("UNAVAILABLE", ",\"retry_after_ms\":1")};
	static struct verb_desk d;
	verb_desk_open(&d);
	d.input = "One\nTwo\nThree\nFour\n";
	scripted_play(&d.server, &rule, 1);
	verb_ends(&d, "backlog|import|" BACKLOG "|-", EXIT_TIMED_OUT);
	assert_non_null(strstr(d.err, "the server does not accept it"));
	verb_desk_close(&d);
}

TEST(test_a_line_that_is_refused_is_told_by_its_number)
{
	const struct scripted_rule rules[] = {
		answer("item.add", 1, ADDED),
		{.method = "item.add",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = REFUSED("QUOTA_EXCEEDED", "")},
		answer("item.add", 0, ADDED),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	d.input = "name,quantity\nOne,1\n,2\nThree,x\nFour,4\nFive,\n";
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "backlog|import|" BACKLOG "|-", EXIT_REFUSED);
	assert_string_equal(d.out, "2 items added\n");
	assert_string_equal(d.err, "aye: line 3 has no name; skipped\n"
				   "aye: line 4 quantity is not a number like 12 or 0.5, with two "
				   "decimals at most; skipped\n"
				   "aye: line 5 was refused: no\n");
	assert_true(slice_eq(text_sent(&d, METHOD_ITEM_ADD, 1, "quantity"), SLICE("4")));
	verb_desk_close(&d);
}

TEST(test_a_strict_import_is_all_or_nothing)
{
	const struct scripted_rule rules[] = {
		answer("item.add", 1, ADDED),
		{.method = "item.add",
		 .times = 1,
		 .act = SCRIPTED_REFUSES,
		 .json = REFUSED("QUOTA_EXCEEDED", "")},
		answer("item.add", 0, ADDED),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	d.input = "name,quantity\nOne,1\nTwo,x\n";
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "backlog|import|" BACKLOG "|-|--strict", EXIT_REFUSED);
	assert_int_equal(scripted_count(&d.server, METHOD_ITEM_ADD), 0);
	d.input = "One\nTwo\nThree\n";
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "backlog|import|" BACKLOG "|-|--strict", EXIT_REFUSED);
	assert_int_equal(scripted_count(&d.server, METHOD_ITEM_ADD), 3);
	assert_int_equal(scripted_count(&d.server, METHOD_ITEM_REMOVE), 2);
	assert_true(slice_eq(text_sent(&d, METHOD_ITEM_REMOVE, 0, "container_id"), SLICE(BACKLOG)));
	verb_desk_close(&d);
}

/* ---- into a room ---- */

TEST(test_a_room_takes_items_that_have_no_quantity_and_are_none_of_its_stories)
{
	static struct verb_desk d;
	struct story_add_params p;
	struct story_view there;
	verb_desk_open(&d);
	keep_host_key(&d);
	struct room_update u = room_of_two(&d.server);
	there = u.stories[0];
	there.with_item = true;
	there.item.container_id = SLICE(BACKLOG);
	there.item.item_id = SLICE("i_BBBBBBBBBB");
	u.stories = &there;
	const struct scripted_rule rules[] = {
		answer("container.list", 0,
		       BACKLOGS(A_BACKLOG(BACKLOG, "g_AAAAAAAAAA", "Sprint 42"), "")),
		answer("item.list", 1,
		       ITEMS(AN_ITEM("i_AAAAAAAAAA", "Settled", ",\"quantity\":\"5\"") "," AN_ITEM(
				     "i_BBBBBBBBBB", "There", ""),
			     ",\"cursor\":\"c1\"")),
		answer("item.list", 1, ITEMS(AN_ITEM("i_CCCCCCCCCC", "New", ""), "")),
		answer("story.add", 0, "{\"story_id\":\"S2\",\"version\":2}"),
		{.method = "room.get", .raw = scripted_bytes(&d.server, &record_room_update, &u)},
	};
	scripted_play(&d.server, rules, 5);
	verb_ends(&d, "story|import|" CODE "|--from|Sprint 42", EXIT_DONE);
	assert_string_equal(d.out, "1 story added\n");
	assert_int_equal(scripted_count(&d.server, METHOD_STORY_ADD), 1);
	scripted_read(&d.server, scripted_find(&d.server, METHOD_STORY_ADD, 0), &p);
	assert_true(slice_eq(p.container_id, SLICE(BACKLOG)));
	assert_true(slice_eq(p.item_id, SLICE("i_CCCCCCCCCC")));
	assert_true(!p.with_title && p.with_idempotency_key);
	verb_desk_close(&d);
}

/* Removed stories have their place until the room ends. */
TEST(test_items_that_a_room_has_no_place_for_stay_behind)
{
	static struct story_view stories[MAX_STORIES];
	static char ids[MAX_STORIES][24];
	static const char *const says[] = {
		"aye: a room has at most 500 stories; 1 item was not added\n",
		"aye: a room has at most 500 stories; 2 items were not added\n",
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	keep_host_key(&d);
	for (size_t behind = 1; behind <= 2; behind++) {
		struct room_update u = room_of_two(&d.server);
		u.stories_n = MAX_STORIES - 3 + behind;
		for (size_t i = 0; i < u.stories_n; i++) {
			(void)snprintf(ids[i], sizeof(ids[i]), "S%zu", i + 1);
			stories[i] = u.stories[0];
			stories[i].story_id = slice_str(ids[i]);
			stories[i].is_removed = i > 0;
		}
		u.stories = stories;
		const struct scripted_rule rules[] = {
			answer("item.list", 0,
			       ITEMS(AN_ITEM("i_AAAAAAAAAA", "One", "") "," AN_ITEM(
					     "i_BBBBBBBBBB", "Two", "") "," AN_ITEM("i_CCCCCCCCCC",
										    "Three", ""),
				     "")),
			answer("story.add", 0, "{\"story_id\":\"S501\",\"version\":2}"),
			{.method = "room.get",
			 .raw = scripted_bytes(&d.server, &record_room_update, &u)},
		};
		scripted_play(&d.server, rules, 3);
		verb_ends(&d, "story|import|" CODE "|--from|" BACKLOG, EXIT_DONE);
		assert_int_equal(scripted_count(&d.server, METHOD_STORY_ADD), 3 - behind);
		assert_string_equal(d.err, says[behind - 1]);
	}
	verb_desk_close(&d);
}

/* ---- exports ---- */

TEST(test_an_export_has_all_pages)
{
	const struct scripted_rule rules[] = {
		answer("container.get", 0, A_BACKLOG(BACKLOG, "g_AAAAAAAAAA", "Pantry")),
		answer("item.list", 1,
		       ITEMS(AN_ITEM("i_AAAAAAAAAA", "Salt", ""), ",\"cursor\":\"c1\"")),
		answer("item.list", 1,
		       ITEMS(AN_ITEM("i_BBBBBBBBBB", "Milk",
				     ",\"quantity\":\"2\",\"unit\":\"l\",\"expiry\":1798070400000"),
			     "")),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "backlog|export|" BACKLOG "|--format|csv", EXIT_DONE);
	assert_string_equal(d.out, "name,unit,quantity,category,expiry,note\r\n"
				   "Salt,,,none,,\r\n"
				   "Milk,l,2,none,2026-12-24,\r\n");
	scripted_play(&d.server, rules, 3);
	verb_ends(&d, "backlog|show|" BACKLOG, EXIT_DONE);
	assert_string_equal(d.out,
			    "Pantry  c_AAAAAAAAAA\n"
			    "2 items, of the team 1\n"
			    "i_AAAAAAAAAA  -         -         -           -           Salt\n"
			    "i_BBBBBBBBBB  2         l         -           2026-12-24  Milk\n");
	verb_desk_close(&d);
}

TEST(test_what_expires_within_a_week_is_listed_unless_another_time_is_said)
{
	const struct scripted_rule rules[] = {answer("item.expiring", 0, "{\"items\":[]}")};
	const int64_t a_week_ms = 7 * INT64_C(86400000);
	struct item_expiring_params asked;
	static struct verb_desk d;
	verb_desk_open(&d);
	scripted_play(&d.server, rules, 1);
	int64_t least = (int64_t)time(NULL) * 1000 + a_week_ms;
	verb_ends(&d, "item|expiring|g_AAAAAAAAAA", EXIT_DONE);
	int64_t most = (int64_t)time(NULL) * 1000 + a_week_ms;
	scripted_read(&d.server, scripted_find(&d.server, METHOD_ITEM_EXPIRING, 0), &asked);
	assert_in_range(asked.before, least, most);
	verb_ends(&d, "item|expiring|g_AAAAAAAAAA|2027-01-01", EXIT_DONE);
	scripted_read(&d.server, scripted_find(&d.server, METHOD_ITEM_EXPIRING, 1), &asked);
	assert_true(asked.before > 0 && asked.before % 60000 == 0);
	verb_desk_close(&d);
}

TEST(test_what_a_hostile_server_says_of_items_is_softened)
{
	static const char *const lines[] = {
		"backlog|list",
		"backlog|show|" BACKLOG,
		"item|list|" BACKLOG,
		"backlog|export|" BACKLOG "|--format|text",
		"item|expiring|g_AAAAAAAAAA",
		"item|remove|" BACKLOG "|x|--yes",
	};
	const struct scripted_rule rules[] = {
		answer("container.list", 0,
		       BACKLOGS(A_BACKLOG("\\u001b", "\\u009b", "a\\u001b[31m\\u202eb\\nc"), "")),
		answer("container.get", 0, A_BACKLOG("c_1", "g_1", "\\u001b]0;x")),
		answer("item.list", 0,
		       ITEMS(AN_ITEM("i_1", "\\u001b[2J",
				     ",\"quantity\":\"\\u0007\",\"unit\":\"\\u001b\","
				     "\"expiry\":9000000000000000000,\"note\":\"\\u001b\\r\\n\""),
			     ",\"cursor\":\"again\"")),
		answer("item.expiring", 0,
		       "{\"items\":[" AN_ITEM("i_1", "\\u202e",
					      ",\"container_id\":\"c_1\",\"expiry\":-1") "]}"),
	};
	static struct verb_desk d;
	verb_desk_open(&d);
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		scripted_play(&d.server, rules, 4);
		verb_run(&d, lines[i]);
		for (char *at = d.out; (at = strchr(at, '\r')) != NULL;) {
			*at = '\n';
		}
		verb_assert_clean(&d);
	}
	verb_desk_close(&d);
}
