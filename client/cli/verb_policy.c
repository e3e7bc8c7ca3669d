/*
 * verb_policy.c - aye room policy: who may do what, as KEY=VALUE.
 */
#include <string.h>

#include "client/cli/print.h"
#include "client/cli/room_command.h"
#include "proto/decimal.h"
#include "proto/format.h"

/* The rows of the record are the list of what there is. */
static int verb_policy_print(struct visit *v)
{
	struct replica r;
	int code = room_command_look(v, &r);
	const struct policy_view *view = &r.room.policy;
	if (code == EXIT_DONE && v->cli->is_json) {
		code = print_record(&record_policy_view, view);
		replica_finish(&r);
		return code;
	}
	for (size_t i = 0; i < record_policy_view.n && code == EXIT_DONE; i++) {
		const struct field *f = &record_policy_view.fields[i];
		char number[24];
		const char *value = number;
		if (f->kind == FIELD_INT) {
			(void)format_to(number, sizeof(number), "%lld",
					(long long)*(const int64_t *)field_member(f, view));
		} else if (f->kind == FIELD_ENUM) {
			value = words_text(f->words, field_enum(f, view));
		} else {
			value = *(const bool *)field_member(f, view) ? "on" : "off";
		}
		code = print_line("%s=%s", f->name, value) ? EXIT_DONE : EXIT_BROKEN;
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
	struct slice name = slice_of(word, len);
	const struct field *f = record_field(&record_policy_change, name);
	struct fault fault;
	bool is_on = false;
	if (f == NULL) {
		print_problem("%.*s is nothing of the policy; aye room policy CODE shows what is",
			      (int)(len == 0 ? strlen(word) : len), print_soft(slice_str(word)));
		return EXIT_USAGE;
	}
	if (strcmp(f->name, "passcode") == 0) {
		return verb_policy_passcode(v, equals + 1, out);
	}
	if (f->kind == FIELD_BOOL && !verb_policy_switch(equals + 1, &is_on)) {
		print_problem("%s is on or off", f->name);
		return EXIT_USAGE;
	}
	int64_t number = 0;
	if (f->kind == FIELD_INT && !decimal_read(slice_str(equals + 1), f->min, f->max, &number)) {
		print_problem("%s is a number from %lld to %lld", f->name, (long long)f->min,
			      (long long)f->max);
		return EXIT_USAGE;
	}
	bool is_set = f->kind == FIELD_BOOL
			      ? record_set_bool(&record_policy_change, out, name, is_on, &fault)
		      : f->kind == FIELD_INT
			      ? record_set_int(&record_policy_change, out, name, number, &fault)
			      : record_set_text(&record_policy_change, out, name,
						slice_str(equals + 1), &fault);
	if (!is_set) {
		print_problem("%s %s", fault.field, fault.message);
	}
	return is_set ? EXIT_DONE : EXIT_USAGE;
}

int verb_room_policy(struct cli *c)
{
	struct visit v;
	struct version_result r;
	struct room_set_policy_params p = {0};
	bool has_passcode = c->args.value[OPTION_PASSCODE] != NULL;
	int code = room_command_open(c, &v, NEEDS_SEAT);
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
