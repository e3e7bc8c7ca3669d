/*
 * export_desk.h - a room whose members, stories and rounds have texts that mean something in the
 * formats that it is exported to.
 */
#ifndef TESTS_UNIT_CLIENT_EXPORT_DESK_H
#define TESTS_UNIT_CLIENT_EXPORT_DESK_H

#include <stdlib.h>
#include <string.h>

#include "client/formats/export.h"
#include "tests/support/test.h"

/* Names, titles, notes and links that would be something else where they are written. */
static const char *const hostile[] = {
	"<script>alert(1)</script>",
	"\"><img src=x onerror=alert(1)>",
	"' onmouseover='alert(1)",
	"</td></tr></table><h1>",
	"</title><style>*{display:none}</style>",
	"<!-- -->",
	"&lt;b&gt; & &#60;",
	"a | b | c",
	"`code` *bold* _it_ [x](y) ![z](w) #1 ~s~ $m$",
	"@everyone",
	"=1+1",
	"+1",
	"-1",
	"@SUM(A1)",
	"'=1",
	"''@x",
	"\"quoted\", with comma; and semicolon",
	"\\",
	"|",
};
#define HOSTILE_N (sizeof(hostile) / sizeof(hostile[0]))

struct desk {
	struct replica room;
	struct round_vote votes[HOSTILE_N];
	struct export_room x;
	struct buf out;
};

static inline struct story_view desk_story(size_t i, char ids[][4])
{
	static const enum story_status statuses[] = {STORY_TODO, STORY_DONE, STORY_SKIPPED};
	ids[i][0] = 'S';
	ids[i][1] = (char)('a' + i);
	return (struct story_view){
		.story_id = slice_of(ids[i], 2),
		.rank = slice_of(ids[i] + 1, 1),
		.title = slice_str(hostile[i]),
		.link = slice_str(i % 2 == 0 ? hostile[i] : "https://x.example/?a=<b>&c='\"|d"),
		.with_link = i % 3 != 0,
		.description = slice_str(i % 2 == 0 ? "- one\n= two\n" : hostile[i]),
		.with_description = i % 4 != 0,
		.status = statuses[i % 3],
		.estimate = slice_str(i % 2 == 0 ? "5" : "-1"),
		.with_estimate = i % 5 != 0,
	};
}

/* The newest first. */
static inline void take_rounds(struct export_room *x, struct round_view *rounds, size_t n)
{
	struct round_list_result page = {.rounds = rounds, .rounds_n = n};
	round_history_finish(&x->rounds);
	round_history_take(&x->rounds, &page, true);
}

static inline void desk_rounds(struct desk *d)
{
	struct round_view rounds[HOSTILE_N];
	for (size_t i = 0; i < HOSTILE_N; i++) {
		d->votes[i] = (struct round_vote){
			.vote = SLICE("5"),
			.username = slice_str(hostile[i]),
			.with_username = true,
			.role = ROLE_VOTER,
			.comment = slice_str(hostile[HOSTILE_N - 1 - i]),
			.with_comment = true,
		};
		rounds[HOSTILE_N - 1 - i] = (struct round_view){
			.n = (int64_t)i + 1,
			.story = slice_str(hostile[i]),
			.started_at = 951782400000 + (int64_t)i * 60000,
			.revealed_at = 951782400000 + (int64_t)i * 60000 + 30000,
			.votes = &d->votes[i],
			.votes_n = 1,
			.result = {.votes = 1,
				   .average = 5,
				   .with_average = true,
				   .median = 5,
				   .with_median = true,
				   .agreement_percent = 100},
		};
	}
	d->x.room = &d->room;
	d->x.is_all = true;
	take_rounds(&d->x, rounds, HOSTILE_N);
}

static inline void desk_open(struct desk *d)
{
	static struct slice cards[] = {{"5", 1}, {"8", 1}};
	static char ids[HOSTILE_N][4];
	struct story_view stories[HOSTILE_N];
	struct user_view users[HOSTILE_N];
	char names[HOSTILE_N][4];
	*d = (struct desk){0};
	buf_init(&d->out, 4u << 20);
	for (size_t i = 0; i < HOSTILE_N; i++) {
		stories[i] = desk_story(i, ids);
		names[i][0] = 'U';
		names[i][1] = (char)('a' + i);
		users[i] = (struct user_view){.user_id = slice_of(names[i], 2),
					      .username = slice_str(hostile[i]),
					      .role = ROLE_VOTER};
	}
	struct room_update u = {
		.room_id = SLICE("K7QX3M"),
		.epoch = 1,
		.since = 1,
		.version = 1,
		.full = true,
		.room = {.title = SLICE("<b>Sprint</b>"),
			 .valid_sizes = {cards, 2},
			 .round = 1,
			 .story_round = 1},
		.with_room = true,
		.users = users,
		.users_n = HOSTILE_N,
		.with_users = true,
		.stories = stories,
		.stories_n = HOSTILE_N,
		.with_stories = true,
	};
	assert_int_equal(replica_update(&d->room, &u), OK);
	desk_rounds(d);
}

static inline void desk_close(struct desk *d)
{
	round_history_finish(&d->x.rounds);
	replica_finish(&d->room);
	buf_finish(&d->out);
}

static const char *desk_write(struct desk *d, enum export_format format)
{
	buf_clear(&d->out);
	export_write(&d->x, format, &d->out);
	assert_int_equal(buf_append(&d->out, "", 1), OK);
	return d->out.data;
}

static inline void desk_keep(struct desk *d, size_t stories, size_t rounds)
{
	while (d->room.stories.n > stories) {
		(void)rows_drop(&d->room.stories,
				((struct story_view *)d->room.stories.items[0])->story_id);
	}
	while (d->x.rounds.n > rounds) {
		free(d->x.rounds.items[--d->x.rounds.n]);
	}
}

static inline void put_story(struct desk *d, size_t i, const char *key, const char *title,
		      const char *estimate, const char *link)
{
	struct story_view s = *replica_story_at(&d->room, i);
	s.key = slice_str(key);
	s.title = slice_str(title);
	s.estimate = slice_str(estimate);
	s.link = slice_str(link);
	s.description = (struct slice){0};
	rows_put(&d->room.stories, &s);
}

/* Two rounds on one story, the newer first; no two values of the newer are the same. */
static inline void desk_take_distinct(struct desk *d)
{
	struct round_vote votes[] = {
		{.vote = SLICE("13"),
		 .username = SLICE("Ada"),
		 .with_username = true,
		 .role = ROLE_VOTER,
		 .is_bot = true,
		 .comment = SLICE("cards"),
		 .with_comment = true},
		{.vote = SLICE("3"),
		 .username = SLICE("Grace"),
		 .with_username = true,
		 .role = ROLE_SPECTATOR,
		 .confidence = 4,
		 .with_confidence = true,
		 .is_changed = true},
	};
	struct round_view rounds[] = {
		{.n = 9,
		 .story_id = SLICE("Sa"),
		 .key = SLICE("PAY-1"),
		 .story = SLICE("Pay"),
		 .started_at = 951782400000,
		 .revealed_at = 951782430000,
		 .votes = votes,
		 .votes_n = 2,
		 .outcome = SLICE("8"),
		 .result = {.votes = 6,
			    .average = 7.5,
			    .with_average = true,
			    .median = 5.5,
			    .with_median = true,
			    .mode = SLICE("5"),
			    .agreement_percent = 67,
			    .lowest = SLICE("2"),
			    .highest = SLICE("20")}},
		{.n = 7,
		 .story_id = SLICE("Sa"),
		 .key = SLICE("PAY-1"),
		 .story = SLICE("Pay"),
		 .started_at = 951700000000,
		 .revealed_at = 951700001000,
		 .result = {.votes = 1,
			    .average = 1,
			    .with_average = true,
			    .median = 1,
			    .with_median = true,
			    .agreement_percent = 100}},
	};
	desk_keep(d, 1, 0);
	*(struct story_view *)d->room.stories.items[0] =
		(struct story_view){.story_id = SLICE("Sa"),
				    .key = SLICE("PAY-1"),
				    .title = SLICE("Pay"),
				    .estimate = SLICE("8"),
				    .status = STORY_SKIPPED,
				    .link = SLICE("https://x.example/1"),
				    .description = SLICE("by card")};
	take_rounds(&d->x, rounds, 2);
}

#endif
