/*
 * verb_people.c - aye nudge, react, room policy, admit, reject, host, unhost.
 */
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/room_command.h"

int verb_nudge(struct cli *c)
{
	struct visit v;
	struct room_nudge_result r;
	struct room_nudge_params p = {0};
	struct errmsg plain;
	int code = room_command_open(c, &v, ACT_MEMBER);
	if (code == EXIT_DONE && c->args.words_n > 1) {
		code = room_command_whom(&v, c->args.words[1], &p.user_id);
	}
	if (code == EXIT_DONE) {
		code = room_command_call(&v, METHOD_ROOM_NUDGE, &p, &r);
	}
	if (code == EXIT_DONE) {
		errmsg_set(&plain, "%lld rung", (long long)r.nudged);
		code = room_command_say(&v, &record_room_nudge_result, &r, plain.text);
	}
	room_command_close(&v);
	return code;
}

int verb_react(struct cli *c)
{
	struct version_result r;
	struct room_react_params p = {.word = slice_str(c->args.words[1])};
	return room_command_run(c, ACT_SEAT, METHOD_ROOM_REACT, &p, &r, NULL);
}

/* ---- members ---- */

static int verb_people_user(struct cli *c, enum method method)
{
	struct visit v;
	struct room_user_params p = {0};
	int code = room_command_open(c, &v, ACT_READS);
	if (code == EXIT_DONE) {
		code = room_command_whom(&v, c->args.words[1], &p.user_id);
	}
	return room_command_end(&v, code, method, &p);
}

int verb_room_kick(struct cli *c)
{
	return verb_people_user(c, METHOD_ROOM_KICK);
}

int verb_room_unkick(struct cli *c)
{
	struct visit v;
	struct room_user_params p = {0};
	int code = room_command_open(c, &v, ACT_READS);
	if (code == EXIT_DONE) {
		code = room_command_whom_barred(&v, c->args.words[1], &p.user_id);
	}
	return room_command_end(&v, code, METHOD_ROOM_UNKICK, &p);
}

int verb_room_admit(struct cli *c)
{
	return verb_people_user(c, METHOD_ROOM_ADMIT);
}

int verb_room_reject(struct cli *c)
{
	return verb_people_user(c, METHOD_ROOM_REJECT);
}

int verb_room_host(struct cli *c)
{
	return verb_people_user(c, METHOD_ROOM_SET_HOST);
}

int verb_room_unhost(struct cli *c)
{
	return verb_people_user(c, METHOD_ROOM_UNSET_HOST);
}

/* ---- policy ---- */

/* The rows of the record are the list of what there is. */
static bool verb_policy_lines(const struct policy_view *view)
{
	bool is_fine = true;
	for (size_t i = 0; i < record_policy_view.n && is_fine; i++) {
		const struct field *f = &record_policy_view.fields[i];
		const void *member = field_member(f, view);
		if (f->kind == FIELD_BOOL) {
			is_fine =
				print_line("%s=%s", f->name, *(const bool *)member ? "on" : "off");
		} else {
			is_fine = print_line("%s=%s", f->name,
					     words_text(f->words, field_enum(f, view)));
		}
	}
	return is_fine;
}

static int verb_policy_print(struct visit *v)
{
	struct replica r;
	int code = room_command_look(v, &r);
	const struct policy_view *view = &r.room.policy;
	if (code == EXIT_DONE && v->cli->is_json) {
		enum err e = print_record(&record_policy_view, view);
		code = e == OK ? EXIT_DONE : print_failure(e, NULL);
	} else if (code == EXIT_DONE && !verb_policy_lines(view)) {
		code = EXIT_BROKEN;
	}
	replica_finish(&r);
	return code;
}

static bool verb_policy_switch(const char *text, bool *on)
{
	static const char *const words[][2] = {{"on", "off"}, {"true", "false"}, {"yes", "no"}};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(text, words[i][0]) == 0 || strcmp(text, words[i][1]) == 0) {
			*on = strcmp(text, words[i][0]) == 0;
			return true;
		}
	}
	return false;
}

/* passcode=off takes it away; a new one comes from --passcode-file or the keyboard. */
static int verb_policy_passcode(struct visit *v, const char *text, struct policy_change *out)
{
	out->with_passcode = true;
	if (strcmp(text, "off") == 0) {
		return EXIT_DONE;
	}
	if (strcmp(text, "ask") == 0 && passcode_ask("New passcode: ", v->passcode)) {
		out->passcode = slice_str(v->passcode);
		return EXIT_DONE;
	}
	print_problem("passcode=off, passcode=ask at a terminal, or --passcode-file: a passcode "
		      "does not belong on the command line");
	return EXIT_USAGE;
}

/* One key=value into the record, by its row. */
static int verb_policy_set(struct visit *v, const char *word, struct policy_change *out)
{
	const char *equals = strchr(word, '=');
	size_t len = equals == NULL ? 0 : (size_t)(equals - word);
	const struct field *f = record_field(&record_policy_change, slice_of(word, len));
	if (f == NULL) {
		print_problem("%.*s is nothing of the policy; aye room policy CODE shows what is",
			      (int)(len == 0 ? strlen(word) : len), print_soft(slice_str(word)));
		return EXIT_USAGE;
	}
	if (strcmp(f->name, "passcode") == 0) {
		return verb_policy_passcode(v, equals + 1, out);
	}
	const struct slice name = slice_str(f->name);
	struct fault fault;
	bool is_on = false;
	if (f->kind == FIELD_BOOL && !verb_policy_switch(equals + 1, &is_on)) {
		print_problem("%s is on or off", f->name);
		return EXIT_USAGE;
	}
	if (f->kind == FIELD_BOOL
		    ? !record_set_bool(&record_policy_change, out, name, is_on, &fault)
		    : !record_set_text(&record_policy_change, out, name, slice_str(equals + 1),
				       &fault)) {
		print_problem("%s %s", fault.field, fault.message);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

int verb_room_policy(struct cli *c)
{
	struct visit v;
	struct version_result r;
	struct room_set_policy_params p = {0};
	bool has_passcode = c->args.value[OPTION_PASSCODE] != NULL;
	int code = room_command_open(c, &v, ACT_READS);
	for (size_t i = 1; code == EXIT_DONE && i < c->args.words_n; i++) {
		code = verb_policy_set(&v, c->args.words[i], &p.policy);
	}
	if (code == EXIT_DONE && has_passcode) {
		p.policy.passcode = slice_str(v.passcode);
		p.policy.with_passcode = true;
	}
	bool changes = c->args.words_n > 1 || has_passcode;
	if (code == EXIT_DONE && changes) {
		code = room_command_call(&v, METHOD_ROOM_SET_POLICY, &p, &r);
	}
	if (code == EXIT_DONE) {
		code = changes ? room_command_say(&v, &record_version_result, &r, NULL)
			       : verb_policy_print(&v);
	}
	room_command_close(&v);
	return code;
}
