/*
 * instructions.c - what instructions.sh counts: the pure core and the codec at
 * work, with no libuv, disk or socket around them.
 *
 * usage: instructions vote|full|decode|vote40|story|compiler
 *
 * The scene is laid by the rig of the unit tests: a room of ten; for vote40 one of forty, and for story the same with
 * sixty stories open together, on all of which all have voted. What is counted is what runs inside count_vote(), count_full() and count_decode(), each INSTRUCTIONS_RUNS
 * times; the durable commit is answered at once, as if the disk cost nothing.
 * Nothing in it depends on time or chance, and so two runs of one binary count
 * the same. `compiler` says what built it: figures of another do not compare.
 */
#include <stdio.h>

#include <jansson.h>

#include "proto/base/frame_scan.h"
#include "proto/methods.h"
#include "proto/rpc.h"
#include "tests/support/rig.h"

#define INSTRUCTIONS_RUNS 1000

#define ROOM_MEMBERS  10
#define LARGE_MEMBERS 40 /* of vote40 and story */
#define LARGE_STORIES 60
#define MEMBERS_MAX   LARGE_MEMBERS
#define RUNS_MAX      8 /* slices of one gather, as the shell takes them */

static const char *const cards[] = {"1", "2", "3", "5", "8", "13"};
#define CARDS (sizeof(cards) / sizeof(cards[0]))

struct scene {
	struct rig r;
	size_t members_n;
	struct rig_peer *members[MEMBERS_MAX];
	struct buf votes[MEMBERS_MAX][CARDS]; /* the requests, ready to be sent */
	size_t delivered;
	size_t deliveries;
};

/* ---- the scene ---- */

static void scene_sit(struct scene *sc, size_t members_n)
{
	sc->members_n = members_n;
	rig_open(&sc->r);
	sc->members[0] = rig_guest(&sc->r, "member0");
	rig_found(&sc->r, sc->members[0], "");
	rig_follow(sc->members[0], "");
	rig_must(sc->members[0], "join", "'username':'member0'");
	for (size_t i = 1; i < members_n; i++) {
		char name[24];
		(void)snprintf(name, sizeof(name), "member%zu", i);
		sc->members[i] = rig_sit(&sc->r, name);
	}
}

/* Each member's votes, on the story of that id; "": at the table. */
static void scene_compose(struct scene *sc, size_t member, const char *story_id)
{
	for (size_t card = 0; card < CARDS; card++) {
		struct buf *out = &sc->votes[member][card];
		out->max = 1024;
		if (story_id[0] == '\0') {
			rig_compose(sc->members[member], out, "vote", "'vote':'%s'", cards[card]);
		} else {
			rig_compose(sc->members[member], out, "vote", "'story_id':'%s','vote':'%s'",
				    story_id, cards[card]);
		}
	}
}

static void scene_lay(struct scene *sc, size_t members_n)
{
	scene_sit(sc, members_n);
	for (size_t i = 0; i < members_n; i++) {
		rig_must(sc->members[i], "vote", "'vote':'20'");
		scene_compose(sc, i, "");
	}
}

/* Everybody has voted on every story. */
static void scene_open_stories(struct scene *sc)
{
	static char ids[LARGE_STORIES][32];
	scene_sit(sc, LARGE_MEMBERS);
	rig_must(sc->members[0], "set_policy", "'policy':{'open_stories':true}");
	for (size_t k = 0; k < LARGE_STORIES; k++) {
		char title[24];
		(void)snprintf(title, sizeof(title), "story %zu", k);
		rig_must(sc->members[0], "story.add", "'room_id':'%s','title':'%s'", sc->r.room_id,
			 title);
		(void)snprintf(ids[k], sizeof(ids[k]), "%s", rig_story(sc->members[0], title));
		for (size_t i = 0; i < LARGE_MEMBERS; i++) {
			rig_must(sc->members[i], "vote", "'story_id':'%s','vote':'20'", ids[k]);
		}
	}
	for (size_t i = 0; i < LARGE_MEMBERS; i++) {
		scene_compose(sc, i, ids[i]);
	}
}

static void scene_clear(struct scene *sc)
{
	for (size_t i = 0; i < sc->members_n; i++) {
		for (size_t card = 0; card < CARDS; card++) {
			buf_finish(&sc->votes[i][card]);
		}
	}
	rig_finish(&sc->r);
}

/* ---- one vote in, a delivery to each member out ---- */

static struct clocks scene_now(const struct scene *sc)
{
	return (struct clocks){.wall_ms = sc->r.wall_ms, .mono_ms = sc->r.mono_ms};
}

/* Every commit is durable at once; whatever else is asked for would not be the cost of a vote. */
static void scene_perform(struct scene *sc)
{
	for (size_t i = 0; i < sc->r.fx.n; i++) {
		const struct effect *fx = &sc->r.fx.items[i];
		assert_int_equal(fx->kind, FX_COMMIT);
		struct event durable = {.kind = EVENT_COMMITTED,
					.now = scene_now(sc),
					.ticket = fx->ticket,
					.result = OK};
		struct effects none = {0};
		server_step(sc->r.server, &durable, &none);
		assert_int_equal(none.n, 0);
	}
	sc->r.fx.n = 0;
}

static void scene_write(struct scene *sc)
{
	struct conn_id id;
	while (server_next_output(sc->r.server, &id)) {
		struct slice runs[RUNS_MAX];
		size_t len = 0;
		size_t n = server_gather(sc->r.server, id, runs, RUNS_MAX);
		for (size_t i = 0; i < n; i++) {
			len += runs[i].len;
		}
		server_wrote(sc->r.server, id, len, false, sc->r.mono_ms);
		sc->delivered += len;
		sc->deliveries += len > 0;
	}
}

__attribute__((noinline)) static void count_vote(struct scene *sc, size_t run)
{
	size_t member = run % sc->members_n;
	size_t card = run / sc->members_n % CARDS;
	struct event bytes = {.kind = EVENT_BYTES,
			      .now = scene_now(sc),
			      .conn = sc->members[member]->id,
			      .bytes = buf_slice(&sc->votes[member][card])};
	server_step(sc->r.server, &bytes, &sc->r.fx);
	server_turn(sc->r.server, scene_now(sc), &sc->r.fx);
	scene_perform(sc);
	server_turn(sc->r.server, scene_now(sc), &sc->r.fx);
	scene_write(sc);
}

static void run_vote(struct scene *sc, size_t run)
{
	sc->r.mono_ms += 100; /* nobody reaches the limit of requests a second */
	sc->r.wall_ms += 100;
	count_vote(sc, run);
	assert_int_equal(sc->r.fx.n, 0);
	assert_int_equal(sc->deliveries, (run + 1) * sc->members_n);
}

/* ---- a full update ---- */

__attribute__((noinline)) static enum err count_full(struct scene *sc, struct buf *out)
{
	return server_peek_room(sc->r.server, slice_str(sc->r.room_id), out);
}

static void run_full(struct scene *sc, size_t run)
{
	struct buf out = {.max = 65536};
	(void)run;
	assert_int_equal(count_full(sc, &out), OK);
	sc->delivered += out.len;
	buf_finish(&out);
}

/* ---- the request of a vote, from bytes to a record ---- */

__attribute__((noinline)) static enum method
count_decode(struct decoder *d, struct arena *arena, struct slice in, union method_params *params)
{
	struct frame_scan scan;
	struct rpc_message m;
	struct fault fault = {0};
	bool answerable = false;
	frame_scan_init(&scan);
	arena_reset(arena);
	if (frame_scan_value(&scan, in, MAX_FRAME_BYTES) != OK ||
	    rpc_decode(d, slice_of(in.data, scan.at), &m, &answerable) != OK) {
		return METHOD_COUNT;
	}
	enum method method = method_find(m.method);
	return method != METHOD_COUNT &&
			       record_from_object(method_rows[method].params, m.params,
						  RECORD_STRICT, arena, params, &fault) == OK
		       ? method
		       : METHOD_COUNT;
}

static void run_decode(struct scene *sc, size_t run)
{
	static struct decoder decoder;
	static struct arena arena;
	union method_params params = {0};
	struct slice in = buf_slice(&sc->votes[run % ROOM_MEMBERS][run % CARDS]);
	assert_int_equal(count_decode(&decoder, &arena, in, &params), METHOD_ROOM_VOTE);
	assert_true(slice_eq(params.ROOM_VOTE.vote, slice_str(cards[run % CARDS])));
	if (run + 1 == INSTRUCTIONS_RUNS) {
		decoder_finish(&decoder);
		arena_finish(&arena);
	}
}

/* ---- main ---- */

static const struct counted {
	const char *name;
	size_t members_n; /* who have voted at the table; 0: on open stories */
	void (*run)(struct scene *sc, size_t run);
} counted[] = {
	{"vote", ROOM_MEMBERS, run_vote},
	{"full", ROOM_MEMBERS, run_full},
	{"decode", ROOM_MEMBERS, run_decode},
	{"vote40", LARGE_MEMBERS, run_vote},
	{"story", 0, run_vote},
};

static int measure(const struct counted *what)
{
	static struct scene sc;
	json_object_seed(1); /* the heap that the rig leaves behind is the same, too */
	if (what->members_n > 0) {
		scene_lay(&sc, what->members_n);
	} else {
		scene_open_stories(&sc);
	}
	for (size_t i = 0; i < INSTRUCTIONS_RUNS; i++) {
		what->run(&sc, i);
	}
	scene_clear(&sc);
	printf("runs=%d bytes=%zu\n", INSTRUCTIONS_RUNS, sc.delivered);
	return 0;
}

static int say_compiler(void)
{
#ifdef __clang__
	printf("clang-%d\n", __clang_major__);
#else
	printf("gcc-%d.%d\n", __GNUC__, __GNUC_MINOR__);
#endif
	return 0;
}

int main(int argc, char **argv)
{
	for (size_t i = 0; argc == 2 && i < sizeof(counted) / sizeof(counted[0]); i++) {
		if (strcmp(argv[1], counted[i].name) == 0) {
			return measure(&counted[i]);
		}
	}
	if (argc == 2 && strcmp(argv[1], "compiler") == 0) {
		return say_compiler();
	}
	(void)fputs("usage: instructions vote|full|decode|vote40|story|compiler\n", stderr);
	return 2;
}
