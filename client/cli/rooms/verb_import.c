/*
 * verb_import.c - aye story import: stories from a file, or from a backlog.
 */
#include <stdlib.h>

#include "client/cli/output/print.h"
#include "client/cli/people/team_find.h"
#include "client/cli/reach/pages.h"
#include "client/cli/rooms/import_send.h"
#include "client/model/memory.h"
#include "proto/base/format.h"

static void import_fill_story(const void *from, size_t at, void *params)
{
	const struct stories_import *read = from;
	const struct import_story *s = &read->stories[at];
	*(struct story_add_params *)params = (struct story_add_params){
		.key = s->key,
		.is_unique = !read->is_again,
		.title = s->title,
		.link = s->link,
		.description = s->description,
		.estimate = s->estimate,
		.status = s->status,
		.with_status = true,
	};
}

/* The estimate and the status are the room's. */
static bool import_change_story(const void *from, size_t at, void *params)
{
	const struct stories_import *read = from;
	const struct import_story *s = &read->stories[at];
	*(struct story_update_params *)params = (struct story_update_params){
		.story_id = s->story_id,
		.key = s->key,
		.title = s->title,
		.link = s->link,
		.description = s->description,
	};
	return s->story_id.len > 0;
}

static size_t import_line_of_story(const void *from, size_t at)
{
	const struct stories_import *read = from;
	return read->stories[at].line;
}

static const struct import_kind import_stories = {
	.one = "story",
	.many = "stories",
	.add = METHOD_STORY_ADD,
	.update = METHOD_STORY_UPDATE,
	.remove = METHOD_STORY_REMOVE, /* out of sight for everybody */
	.id = "story_id",
	.known = "key",
	.fill = import_fill_story,
	.change = import_change_story,
	.line = import_line_of_story,
};

/* The stories, with the deck's labels; where it has to be all or nothing, whether it can be all. */
static int import_read(struct import_send *s, struct slice text, enum import_format format,
		       struct arena *arena, struct stories_import *read)
{
	struct replica r;
	int code = room_command_look(s->visit, &r);
	if (code == EXIT_DONE) {
		stories_import_read(text, format, r.room.valid_sizes, arena, read);
		import_send_remarks(read, s->kind->one);
		if (read->lacks_header) {
			print_problem("no header row: columns are read as title, link and "
				      "description, with a key before the title");
		}
		read->is_again = s->visit->cli->args.value[OPTION_AGAIN] != NULL;
		if (!read->is_again) {
			s->known_n = stories_import_compare(read, &r, arena);
		}
		stories_import_fit(read, &r);
		s->from = read;
		s->n = read->stories_n;
		s->is_document = read->is_document;
		s->skipped_n = stories_import_skipped(read) + read->left_n;
	}
	replica_finish(&r);
	if (code == EXIT_DONE && read->left_n > 0) {
		print_problem("a room has at most %d stories, including removed ones: %zu from %s "
			      "%zu on %s not added",
			      MAX_STORIES, read->left_n, s->is_document ? s->kind->one : "line",
			      read->left_line, read->left_n == 1 ? "was" : "were");
	}
	if (code == EXIT_DONE && s->is_strict && (read->remarks_n > 0 || read->left_n > 0)) {
		print_problem("nothing was sent");
		return EXIT_REFUSED;
	}
	return code;
}

/* ---- from a backlog ---- */

/* Items that become stories of the room. */
struct import_backlog {
	struct replica room;
	char container_id[TEAM_FIND_ID_BYTES];
	char (*item_ids)[TEAM_FIND_ID_BYTES];
	size_t n;
	size_t left_n; /* for which the room has no place */
};

static void import_fill_item_story(const void *from, size_t at, void *params)
{
	const struct import_backlog *b = from;
	*(struct story_add_params *)params = (struct story_add_params){
		.container_id = slice_str(b->container_id),
		.item_id = slice_str(b->item_ids[at]),
	};
}

static size_t import_line_of_backlog(const void *from, size_t at)
{
	(void)from;
	return at + 1;
}

static const struct import_kind import_backlog_stories = {
	.one = "story",
	.many = "stories",
	.add = METHOD_STORY_ADD,
	.update = METHOD_COUNT,
	.remove = METHOD_STORY_REMOVE,
	.id = "story_id",
	.again = "repeat it to resume: what the room already has is not added again",
	.fill = import_fill_item_story,
	.line = import_line_of_backlog,
};

static bool import_has_item(const struct replica *room, struct slice item_id)
{
	for (size_t i = 0; i < room->stories.n; i++) {
		const struct story_view *s = replica_story_at(room, i);
		if (s->with_item && slice_eq(s->item.item_id, item_id)) {
			return true;
		}
	}
	return false;
}

/* One without a quantity, which the room has not yet. */
static int import_take_unestimated(void *owner, const void *entry)
{
	struct import_backlog *b = owner;
	const struct item_view *item = entry;
	size_t has = b->room.stories.n + b->room.removed.n;
	if (item->quantity.len > 0 || import_has_item(&b->room, item->item_id)) {
		return EXIT_DONE;
	}
	if (has + b->n >= MAX_STORIES) {
		b->left_n++;
		return EXIT_DONE;
	}
	(void)format_to(b->item_ids[b->n++], TEAM_FIND_ID_BYTES, "%.*s", (int)item->item_id.len,
			item->item_id.data);
	return EXIT_DONE;
}

static int import_read_backlog(struct visit *v, struct import_backlog *b)
{
	const char *const *value = v->cli->args.value;
	char team[TEAM_FIND_ID_BYTES] = "";
	struct request *list = request_make(METHOD_ITEM_LIST);
	int code = EXIT_DONE;
	if (value[OPTION_TEAM] != NULL) {
		code = team_find(v, TEAM_KIND_TEAM, value[OPTION_TEAM], NULL, team);
	}
	if (code == EXIT_DONE) {
		code = team_find(v, TEAM_KIND_BACKLOG, value[OPTION_FROM],
				 team[0] == '\0' ? NULL : team, b->container_id);
	}
	if (code == EXIT_DONE) {
		code = room_command_look(v, &b->room);
	}
	if (code == EXIT_DONE) {
		b->item_ids = memory_new(MAX_STORIES, sizeof(*b->item_ids));
		request_text(list, "container_id", b->container_id);
		code = pages_each(v, list, import_take_unestimated, b);
	}
	if (code == EXIT_DONE && b->left_n > 0) {
		print_problem("a room has at most %d stories; %zu item%s", MAX_STORIES, b->left_n,
			      b->left_n == 1 ? " was not added" : "s were not added");
	}
	request_free(list);
	return code;
}

static int import_from_backlog(struct cli *c)
{
	struct import_send s;
	struct visit v = {.cli = c};
	struct import_backlog b = {.n = 0};
	if (c->args.words_n > 1 || c->args.value[OPTION_RETRY] != NULL) {
		print_problem("--from cannot be combined with a file or --retry");
		return EXIT_USAGE;
	}
	int code = import_send_begin(&s, &import_backlog_stories, &v);
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, NEEDS_MEMBER);
		if (code == EXIT_DONE) {
			code = import_read_backlog(&v, &b);
		}
		if (code == EXIT_DONE) {
			s.from = &b;
			s.n = b.n;
			s.is_document = true;
			code = import_send_say(&s, import_send_run(&s));
		}
		room_command_close(&v);
	}
	import_send_end(&s);
	replica_finish(&b.room);
	free(b.item_ids);
	return code;
}

/* ---- from a file ---- */

int verb_story_import(struct cli *c)
{
	if (c->args.value[OPTION_FROM] != NULL) {
		return import_from_backlog(c);
	}
	if (c->args.words_n < 2) {
		print_problem(
			"FILE is required: - for standard input, --from BACKLOG for a backlog");
		return EXIT_USAGE;
	}
	struct import_send s;
	struct stories_import read = {.stories_n = 0};
	struct visit v = {.cli = c};
	struct arena arena = {0};
	struct buf text;
	enum import_format format;
	buf_init(&text, IMPORT_SEND_BYTES);
	int code = import_send_begin(&s, &import_stories, &v);
	if (code == EXIT_DONE) {
		code = import_send_load(c, &format, &text);
	}
	if (code == EXIT_DONE) {
		code = room_command_open(c, &v, NEEDS_MEMBER);
		if (code == EXIT_DONE) {
			code = import_read(&s, buf_slice(&text), format, &arena, &read);
		}
		if (code == EXIT_DONE) {
			code = import_send_say(&s, import_send_run(&s));
		}
		room_command_close(&v);
	}
	import_send_end(&s);
	buf_finish(&text);
	arena_finish(&arena);
	return code;
}
