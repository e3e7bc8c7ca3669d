/*
 * test_feeds.c - feeds of the screen with a server that is the test: each page goes to the feed
 * that wanted it, and nowhere where that waits for something else by now.
 */
#include "client/app/feeds_uv.h"
#include "tests/unit/client/room_client_kit.h"

static const struct feed_kind teams = {.list = METHOD_GROUP_LIST,
				       .rows = "groups",
				       .entry = &record_group_entry,
				       .key = "group_id"};
static const struct feed_kind members = {.list = METHOD_GROUP_USERS,
					 .of = "group_id",
					 .rows = "users",
					 .entry = &record_group_user,
					 .key = "user_id"};

struct reader {
	struct desk desk;
	struct app_screen screen;
	struct app_feeds feeds;
	struct feed teams, members;
	unsigned refused;
};

static void reader_on_refusal(void *owner, const struct feed *feed)
{
	struct reader *r = owner;
	assert_true(feed->refused[0] != '\0');
	r->refused++;
}

static void reader_open(struct reader *r)
{
	static const struct app_options options = {.memory = NULL};
	struct desk *d = &r->desk;
	*r = (struct reader){.refused = 0};
	desk_open(d);
	desk_open_client(d);
	hear(d, "session.hello");
	grant_hello(d);
	say(d);
	turn_until(d, &d->ups, 1);
	app_screen_init(&r->screen, &d->loop, &options, NULL, NULL);
	app_screen_prepare(&r->screen, &(struct tui_options){.is_spectator = false});
	app_feeds_init(&r->feeds, &r->screen, reader_on_refusal, r);
	app_feeds_use(&r->feeds, d->client);
	feed_init(&r->teams, &teams);
	feed_init(&r->members, &members);
	feed_open(&r->members, SLICE("g_AAAAAAAAAA"));
}

static void reader_close(struct reader *r)
{
	app_feeds_finish(&r->feeds);
	feed_finish(&r->teams);
	feed_finish(&r->members);
	app_screen_end(&r->screen, APP_LEFT);
	turn(&r->desk); /* the end has woken the loop */
	desk_close(&r->desk);
	app_screen_finish(&r->screen);
}

#define READER_TEST(name, r) TEST_OF(name, struct reader, r, reader_open(r), reader_close(r))

static void ask(struct reader *r, struct feed *feed)
{
	struct request *asks = feed_ask(feed);
	assert_non_null(asks);
	app_feeds_read(&r->feeds, feed, asks);
	request_free(asks);
}

static void grant_user(struct reader *r, const char *user_id)
{
	struct group_user user = {.user_id = slice_str(user_id), .user_name = SLICE("Grace")};
	grant(&r->desk, METHOD_GROUP_USERS,
	      &(struct group_users_result){.users = &user, .users_n = 1, .version = 1});
}

static void grant_team(struct reader *r)
{
	struct group_entry team = {.group_id = SLICE("g_AAAAAAAAAA"),
				   .group_name = SLICE("Platform")};
	grant(&r->desk, METHOD_GROUP_LIST,
	      &(struct group_list_result){.groups = &team, .groups_n = 1});
}

/* Until nothing is on its way. */
static void settle(struct reader *r)
{
	for (unsigned i = 0; !room_client_is_settled(r->desk.client) && i < 100; i++) {
		turn(&r->desk);
	}
}

READER_TEST(test_each_page_goes_to_the_feed_that_wanted_it, r)
{
	ask(r, &r->members);
	ask(r, &r->teams);
	assert_null(feed_ask(&r->members));
	hear(&r->desk, "group.users group.list");
	grant_user(r, "u_1");
	grant_team(r);
	say(&r->desk);
	settle(r);
	assert_int_equal(r->members.rows.n, 1);
	assert_int_equal(r->teams.rows.n, 1);
}

READER_TEST(test_what_a_feed_waits_for_no_more_goes_nowhere, r)
{
	ask(r, &r->members);
	feed_open(&r->members, SLICE("g_BBBBBBBBBB"));
	ask(r, &r->members);
	hear(&r->desk, "group.users group.users");
	grant_user(r, "u_1");
	grant_user(r, "u_2");
	say(&r->desk);
	settle(r);
	assert_int_equal(r->members.rows.n, 1);
	assert_non_null(rows_find(&r->members.rows, SLICE("u_2")));
}

READER_TEST(test_a_refusal_is_told_and_waits, r)
{
	ask(r, &r->members);
	hear(&r->desk, "group.users");
	refuse(&r->desk, FAULT_FORBIDDEN, "only members");
	say(&r->desk);
	settle(r);
	assert_int_equal(r->refused, 1);
	assert_null(feed_ask(&r->members));
	assert_int_equal(feed_wait(&r->members, 1000), 15000);
}

READER_TEST(test_a_client_that_is_left_brings_nothing_more, r)
{
	ask(r, &r->members);
	ask(r, &r->teams);
	app_feeds_use(&r->feeds, NULL);
	feed_lost(&r->members);
	feed_lost(&r->teams);
	hear(&r->desk, "group.users group.list");
	grant_user(r, "u_1");
	grant_team(r);
	say(&r->desk);
	settle(r);
	assert_false(r->members.is_known);
	ask(r, &r->teams); /* and nothing is asked of it */
	hear_nothing(&r->desk);
	app_feeds_use(&r->feeds, r->desk.client);
	ask(r, &r->teams);
	hear(&r->desk, "group.list");
}
