/*
 * verb_story.c - aye story ...: what a room has to estimate.
 */
#include <stdlib.h>
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/room_command.h"

/* Fields of story.add and story.update from the options; '' is nil. */
static struct slice verb_story_text(const char *given)
{
	return given == NULL || given[0] == '\0' ? (struct slice){0} : slice_str(given);
}

/* --before and --after as story_ids; both may be empty. */
static int verb_story_place(struct visit *v, struct slice *before, struct slice *after)
{
	const char *const *value = v->cli->args.value;
	int code = EXIT_DONE;
	if (value[OPTION_BEFORE] != NULL) {
		code = room_command_story(v, value[OPTION_BEFORE], before);
	}
	if (code == EXIT_DONE && value[OPTION_AFTER] != NULL) {
		code = room_command_story(v, value[OPTION_AFTER], after);
	}
	return code;
}

/* --status into the params by its row; an exit code, told. */
static int verb_story_status(const struct cli *c, const struct record *rec, void *params)
{
	const char *status = c->args.value[OPTION_STATUS];
	struct fault f;
	if (status == NULL ||
	    record_set_text(rec, params, SLICE("status"), slice_str(status), &f)) {
		return EXIT_DONE;
	}
	print_problem("%s %s", f.field, f.message);
	return EXIT_USAGE;
}

int verb_story_add(struct cli *c)
{
	struct visit v;
	struct story_result r;
	const char *const *value = c->args.value;
	struct story_add_params p = {
		.title = slice_str(c->args.words[1]),
		.link = verb_story_text(value[OPTION_LINK]),
		.notes = verb_story_text(value[OPTION_NOTES]),
		.estimate = verb_story_text(value[OPTION_ESTIMATE]),
	};
	int code = verb_story_status(c, &record_story_add_params, &p);
	if (code != EXIT_DONE) {
		return code;
	}
	code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE) {
		code = verb_story_place(&v, &p.before, &p.after);
	}
	if (code == EXIT_DONE) {
		code = room_command_call(&v, METHOD_STORY_ADD, &p, &r);
	}
	if (code == EXIT_DONE) {
		code = room_command_say(&v, &record_story_result, &r, print_soft(r.story_id));
	}
	room_command_close(&v);
	return code;
}

int verb_story_update(struct cli *c)
{
	struct visit v;
	const char *const *value = c->args.value;
	struct story_update_params p = {
		.title = verb_story_text(value[OPTION_TITLE]),
		.with_title = value[OPTION_TITLE] != NULL,
		.link = verb_story_text(value[OPTION_LINK]),
		.with_link = value[OPTION_LINK] != NULL,
		.notes = verb_story_text(value[OPTION_NOTES]),
		.with_notes = value[OPTION_NOTES] != NULL,
		.estimate = verb_story_text(value[OPTION_ESTIMATE]),
		.with_estimate = value[OPTION_ESTIMATE] != NULL,
	};
	if (p.with_title && p.title.len == 0) {
		print_problem("a story always has a title");
		return EXIT_USAGE;
	}
	int code = verb_story_status(c, &record_story_update_params, &p);
	if (code != EXIT_DONE) {
		return code;
	}
	code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE) {
		code = room_command_story(&v, c->args.words[1], &p.story_id);
	}
	return room_command_end(&v, code, METHOD_STORY_UPDATE, &p);
}

int verb_story_move(struct cli *c)
{
	struct visit v;
	struct story_move_params p = {0};
	if ((c->args.value[OPTION_BEFORE] == NULL) == (c->args.value[OPTION_AFTER] == NULL)) {
		print_problem("say either --before STORY or --after STORY");
		return EXIT_USAGE;
	}
	int code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE) {
		code = room_command_story(&v, c->args.words[1], &p.story_id);
	}
	if (code == EXIT_DONE) {
		code = verb_story_place(&v, &p.before, &p.after);
	}
	return room_command_end(&v, code, METHOD_STORY_MOVE, &p);
}

static int verb_story_put(struct cli *c, enum method method)
{
	struct visit v;
	struct story_params p = {0};
	int code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE) {
		code = room_command_story(&v, c->args.words[1], &p.story_id);
	}
	return room_command_end(&v, code, method, &p);
}

int verb_story_remove(struct cli *c)
{
	return verb_story_put(c, METHOD_STORY_REMOVE);
}

int verb_story_restore(struct cli *c)
{
	return verb_story_put(c, METHOD_STORY_RESTORE);
}

/* ---- what is voted on ---- */

int verb_story_select(struct cli *c)
{
	struct visit v;
	struct room_reset_result r;
	struct story_select_params p = {0};
	struct errmsg plain;
	int code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE && strcmp(c->args.words[1], "-") != 0) {
		code = room_command_story(&v, c->args.words[1], &p.story_id);
	}
	if (code == EXIT_DONE) {
		code = room_command_call(&v, METHOD_STORY_SELECT, &p, &r);
	}
	if (code == EXIT_DONE) {
		errmsg_set(&plain, "Round %lld begins.", (long long)r.round);
		code = room_command_say(&v, &record_room_reset_result, &r, plain.text);
	}
	room_command_close(&v);
	return code;
}

/* Say which one it is by its title; the answer has only its id. */
static int verb_story_say_next(struct visit *v, const struct story_result *r)
{
	struct replica room;
	char id[65] = "";
	if (v->cli->is_json) {
		return room_command_say(v, &record_story_result, r, NULL);
	}
	if (r->story_id.len == 0) {
		return print_line("Nothing is left to vote on.") ? EXIT_DONE : EXIT_BROKEN;
	}
	int code = room_command_look(v, &room);
	memcpy(id, r->story_id.data, r->story_id.len < sizeof(id) ? r->story_id.len : 0);
	const struct story_view *s = code == EXIT_DONE ? replica_story(&room, id) : NULL;
	if (code == EXIT_DONE && !print_line("%s", s == NULL ? id : s->title.data)) {
		code = EXIT_BROKEN;
	}
	replica_finish(&room);
	return code;
}

int verb_story_next(struct cli *c)
{
	struct visit v;
	struct story_result r;
	struct room_member_params p = {0};
	int code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE) {
		code = room_command_call(&v, METHOD_STORY_NEXT, &p, &r);
	}
	if (code == EXIT_DONE) {
		code = verb_story_say_next(&v, &r);
	}
	if (code == EXIT_DONE && r.story_id.len == 0) {
		code = EXIT_NO;
	}
	room_command_close(&v);
	return code;
}

/* ---- the list ---- */

static bool verb_story_line(const struct story_view *s, size_t place)
{
	const char *estimate = s->estimate.data == NULL ? "-" : s->estimate.data;
	if (s->is_removed) {
		return print_line("%3s  %-8s  %-8s  %s  %s", "", "removed", estimate,
				  s->story_id.data, s->title.data);
	}
	return print_line("%3zu  %-8s  %-8s  %s  %s", place,
			  words_text(&words_story_status, (int)s->status), estimate,
			  s->story_id.data, s->title.data);
}

int verb_story_list(struct cli *c)
{
	struct visit v;
	struct replica r = {0};
	int code = room_command_open(c, &v, ACT_READS);
	if (code == EXIT_DONE) {
		code = room_command_look(&v, &r);
	}
	size_t n = r.stories.n + (c->args.value[OPTION_ALL] != NULL ? r.removed.n : 0);
	for (size_t i = 0; code == EXIT_DONE && i < n; i++) {
		if (c->is_json) {
			enum err e = print_record(&record_story_view, replica_story_at(&r, i));
			code = e == OK ? EXIT_DONE : print_failure(e, NULL);
		} else if (!verb_story_line(replica_story_at(&r, i), i + 1)) {
			code = EXIT_BROKEN;
		}
	}
	replica_finish(&r);
	room_command_close(&v);
	return code;
}
