/*
 * test_fill_rooms.c - somebody fills the table with rooms: by how much one address and one user may let them grow, and
 * what goes on when that is used up.
 */
#include "tests/unit/server/club.h"

#define MIB	    INT64_C(1048576)
#define STORY_BYTES 4000

static struct rig_peer *come(struct rig *r, unsigned char host, bool is_owner)
{
	struct rig_peer *p = rig_connect_as(r, "eve", PEER_UNIX, host, is_owner);
	rig_hello(p);
	return p;
}

static const char *text_of(size_t bytes)
{
	static char text[STORY_BYTES + 1];
	memset(text, 'x', bytes);
	text[bytes] = '\0';
	return text;
}

static void make_room(struct rig_peer *p)
{
	rig_field(rig_must(p, "room.create", RIG_NONE), "room_id", p->room_id, sizeof(p->room_id));
}

static const char *add_story(struct rig_peer *p, size_t bytes)
{
	return rig_code(p, "story.add", "'room_id':'%s','title':'x','description':'%s'", p->room_id,
			text_of(bytes));
}

/* Stories in room after room, until one is refused for what they take together; returns how many there are. */
static size_t fill(struct rig_peer *p, size_t bytes)
{
	const char *outcome = "TOO_LARGE";
	size_t n = 0;
	while (strcmp(outcome, "TOO_LARGE") == 0) {
		make_room(p);
		while (strcmp(outcome = add_story(p, bytes), "ok") == 0) {
			assert_true(++n < 5000);
		}
	}
	assert_string_equal(outcome, "RATE_LIMITED");
	return n;
}

static struct club *small(void **state)
{
	struct club *d = scene_init(state, sizeof(*d));
	d->r.config.limits[LIMIT_ROOM_BYTES_PER_HOUR] = MIB;
	d->r.config.limits[LIMIT_ADDRESS_USERS] = 2;
	return d;
}

static int small_hours(void **state)
{
	return club_begin(small(state));
}

#define SMALL_TEST(name, d) TEST_IN(name, struct club, d, small_hours, scene_finish)

SMALL_TEST(test_an_address_lets_rooms_grow_by_so_much_an_hour, d)
{
	struct rig_peer *eve = come(&d->r, 7, false);
	size_t n = fill(eve, STORY_BYTES);
	assert_in_range(n * STORY_BYTES, MIB / 4 * 3, MIB);
	const char *refusal =
		rig_refused(eve, "story.add", "'room_id':'%s','title':'x','description':'%s'",
			    eve->room_id, text_of(STORY_BYTES));
	int64_t wait_ms = rig_field_number(refusal, "retry_after_ms");
	assert_in_range(wait_ms, 1, HOUR_MS / 100);

	/* By any connection of it, in any room; others have theirs, and the server's own user any amount. */
	struct rig_peer *again = come(&d->r, 7, false);
	make_room(again);
	assert_string_equal(add_story(again, STORY_BYTES), "RATE_LIMITED");
	struct rig_peer *other = come(&d->r, 8, false);
	make_room(other);
	assert_string_equal(add_story(other, STORY_BYTES), "ok");
	struct rig_peer *own = come(&d->r, 7, true);
	for (int i = 0; i < 300; i++) {
		if (i % 100 == 0) {
			make_room(own);
		}
		assert_string_equal(add_story(own, STORY_BYTES), "ok");
	}

	rig_advance(&d->r, wait_ms + SECOND_MS);
	assert_string_equal(add_story(eve, STORY_BYTES), "ok");
	assert_string_equal(add_story(eve, STORY_BYTES), "RATE_LIMITED");
}

static const char *push(struct rig_peer *p)
{
	return rig_code(p, "list.push", "'room_id':'%s','name':'l','value':'%s'", p->room_id,
			text_of(STORY_BYTES));
}

static const char *set(struct rig_peer *p, size_t key)
{
	return rig_code(p, "map.set", "'room_id':'%s','name':'m','key':'k%zu','value':'%s'",
			p->room_id, key, text_of(STORY_BYTES));
}

SMALL_TEST(test_shared_data_is_growth_of_a_room_as_well, d)
{
	struct rig_peer *eve = come(&d->r, 7, false);
	size_t n = 0;
	const char *outcome = "TOO_LARGE";
	while (strcmp(outcome, "TOO_LARGE") == 0) {
		make_room(eve);
		rig_must(eve, "room.subscribe", "'room_id':'%s'", eve->room_id);
		rig_must(eve, "list.create", "'room_id':'%s','name':'l'", eve->room_id);
		rig_must(eve, "map.create", "'room_id':'%s','name':'m'", eve->room_id);
		while (strcmp(outcome = n % 2 == 0 ? push(eve) : set(eve, n), "ok") == 0) {
			assert_true(++n < 5000);
		}
	}
	assert_string_equal(outcome, "RATE_LIMITED");
	assert_in_range(n * STORY_BYTES, MIB / 4 * 3, MIB);
}

SMALL_TEST(test_users_with_a_key_are_bounded_each_and_together_by_their_address, d)
{
	size_t n = fill(d->ada.peer, STORY_BYTES);
	assert_in_range(n * STORY_BYTES, MIB / 4 * 3, MIB);
	struct rig_peer *elsewhere = resumed(d, &d->ada);
	make_room(elsewhere);
	assert_string_equal(add_story(elsewhere, STORY_BYTES), "RATE_LIMITED");

	static const char *const names[] = {"fay", "gus", "hal"};
	size_t made[3];
	for (size_t i = 0; i < 3; i++) {
		struct pair key = make_pair((unsigned char)names[i][0]);
		struct rig_peer *p = rig_connect_as(&d->r, names[i], PEER_NETWORK, 9, false);
		(void)login_signed(p, names[i], &key);
		made[i] = fill(p, STORY_BYTES);
	}
	assert_in_range(made[0] * STORY_BYTES, MIB / 4 * 3, MIB);
	assert_in_range(made[1] * STORY_BYTES, MIB / 4 * 3, MIB);
	assert_true(made[2] * STORY_BYTES < MIB / 4);
}

SMALL_TEST(test_what_replaces_and_what_a_round_needs_goes_on, d)
{
	char story[32];
	struct rig_peer *eve = come(&d->r, 7, false);
	rig_found(&d->r, eve, "'valid_sizes':['1','2'],'policy':{'who_resets':'everyone'}");
	rig_follow(eve, "");
	rig_must(eve, "join", "'username':'eve'");
	rig_field(rig_must(eve, "story.add", "'room_id':'%s','title':'x','description':'first'",
			   eve->room_id),
		  "story_id", story, sizeof(story));
	rig_must(eve, "list.create", "'room_id':'%s','name':'l'", eve->room_id);
	rig_must(eve, "list.push", "'room_id':'%s','name':'l','value':'first','entry_id':'e'",
		 eve->room_id);
	rig_must(eve, "presence.create", "'room_id':'%s','name':'p'", eve->room_id);
	struct rig_peer *filler = come(&d->r, 7, false);
	(void)fill(filler, STORY_BYTES);
	(void)fill(filler, 1);

	assert_string_equal(add_story(eve, 1), "RATE_LIMITED");
	assert_string_equal(rig_code(eve, "list.push", "'room_id':'%s','name':'l','value':1",
				     eve->room_id),
			    "RATE_LIMITED");
	assert_string_equal(rig_code(eve, "map.create", "'room_id':'%s','name':'m'", eve->room_id),
			    "RATE_LIMITED");
	assert_string_equal(rig_code(eve, "story.update",
				     "'room_id':'%s','story_id':'%s','description':'longer'",
				     eve->room_id, story),
			    "RATE_LIMITED");
	assert_string_equal(rig_code(eve, "story.update",
				     "'room_id':'%s','story_id':'%s','description':'other'",
				     eve->room_id, story),
			    "ok");
	assert_string_equal(rig_code(eve, "list.set",
				     "'room_id':'%s','name':'l','entry_id':'e','value':'other'",
				     eve->room_id),
			    "ok");
	assert_string_equal(rig_code(eve, "presence.set",
				     "'room_id':'%s','name':'p','value':'writes a story'",
				     eve->room_id),
			    "ok");
	assert_string_equal(rig_code(eve, "story.select", "'room_id':'%s','story_id':'%s'",
				     eve->room_id, story),
			    "ok");
	struct rig_peer *also = come(&d->r, 7, false);
	strcpy(also->room_id, eve->room_id);
	rig_follow(also, "");
	assert_string_equal(rig_code(also, "join", "'username':'also'"), "ok");
	assert_string_equal(rig_code(also, "vote", "'vote':'2','comment':'nearly nothing'"), "ok");
	assert_string_equal(rig_code(eve, "vote", "'vote':'1'"), "ok");
	assert_string_equal(rig_code(eve, "set_revealed", "'is_revealed':true"), "ok");
	assert_string_equal(rig_code(eve, "round.settle", "'room_id':'%s','estimate':'1'",
				     eve->room_id),
			    "ok");
	assert_int_equal(rig_stored(&d->r, "ROUND#"), 1);

	/* Another round would be more history, whichever way it begins. */
	assert_string_equal(rig_code(eve, "reset", RIG_NONE), "RATE_LIMITED");
	assert_string_equal(rig_code(eve, "story.next", "'room_id':'%s'", eve->room_id),
			    "RATE_LIMITED");
	assert_string_equal(rig_code(eve, "round.again", "'room_id':'%s'", eve->room_id),
			    "RATE_LIMITED");
	struct rig_peer *other = come(&d->r, 8, false);
	strcpy(other->room_id, eve->room_id);
	rig_follow(other, "");
	assert_string_equal(rig_code(other, "join", "'username':'other'"), "ok");
	assert_string_equal(rig_code(other, "reset", RIG_NONE), "ok");
}

SMALL_TEST(test_what_comes_in_place_of_what_was_removed_is_no_growth, d)
{
	struct rig_peer *eve = come(&d->r, 7, false);
	make_room(eve);
	rig_must(eve, "room.subscribe", "'room_id':'%s'", eve->room_id);
	rig_must(eve, "list.create", "'room_id':'%s','name':'l'", eve->room_id);
	for (int i = 0; i < 2 * MIB / STORY_BYTES; i++) {
		rig_must(eve, "list.push", "'room_id':'%s','name':'l','entry_id':'e','value':'%s'",
			 eve->room_id, text_of(STORY_BYTES));
		rig_must(eve, "list.remove", "'room_id':'%s','name':'l','entry_id':'e'",
			 eve->room_id);
	}
}

static int one_story(void **state)
{
	struct club *d = small(state);
	d->r.config.limits[LIMIT_ROOM_BYTES_PER_HOUR] = STORY_BYTES * 3 / 2;
	return club_begin(d);
}

TEST_IN(test_what_runs_again_is_paid_once, struct club, d, one_story, scene_finish)
{
	struct rig_peer *eve = come(&d->r, 7, false);
	rig_found(&d->r, eve, "");
	rig_touch(&d->r);
	assert_string_equal(add_story(eve, STORY_BYTES), "ok");
	assert_string_equal(add_story(eve, STORY_BYTES / 4), "ok");
	assert_string_equal(add_story(eve, STORY_BYTES / 2), "RATE_LIMITED");
}
