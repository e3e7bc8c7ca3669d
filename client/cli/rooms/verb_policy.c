/*
 * verb_policy.c - aye room policy: who may do what, as KEY=VALUE.
 */
#include <string.h>

#include "client/acts/spelling.h"
#include "client/cli/output/print.h"
#include "client/cli/reach/room_command.h"
#include "client/model/memory.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"

/* The rows of the record are the list of what there is. */
int room_command_print_policy(const struct policy_view *view)
{
	int code = EXIT_DONE;
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
	return code;
}

static int verb_policy_print(struct visit *v)
{
	struct replica r;
	int code = room_command_look(v, &r);
	if (code == EXIT_DONE) {
		code = v->cli->is_json ? print_record(&record_policy_view, &r.room.policy)
				       : room_command_print_policy(&r.room.policy);
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
	print_problem("use passcode=off, passcode=ask at a terminal, or --passcode-file: a "
		      "passcode does not belong on the command line");
	return EXIT_USAGE;
}

int room_command_unknown_rule(struct spelling *s, const char *what, const char *lists)
{
	for (size_t i = 0; i < record_policy_change.n; i++) {
		(void)spelling_offer(s, slice_str(record_policy_change.fields[i].name));
	}
	if (slice_eq(s->typed, s->meant)) {
		print_problem("use %s=VALUE; %s lists the %ss", print_soft(s->typed), lists, what);
	} else if (s->meant.len > 0) {
		print_problem("no %s %s; did you mean %s?", what, print_soft(s->typed),
			      print_soft(s->meant));
	} else {
		print_problem("no %s %s; %s lists them", what, print_soft(s->typed), lists);
	}
	return EXIT_USAGE;
}

/* One key=value into the record, by its row. */
static int verb_policy_set(struct visit *v, const char *word, struct policy_change *out)
{
	const char *equals = strchr(word, '=');
	size_t len = strcspn(word, "=");
	struct slice name = slice_of(word, len);
	const struct field *f = record_field(&record_policy_change, name);
	struct fault fault;
	bool is_on = false;
	if (f == NULL || equals == NULL) {
		struct spelling s = {.typed = slice_of(word, len)};
		return room_command_unknown_rule(&s, "rule", "aye room policy CODE");
	}
	if (strcmp(f->name, "passcode") == 0) {
		return verb_policy_passcode(v, equals + 1, out);
	}
	if (f->kind == FIELD_BOOL && !verb_policy_switch(equals + 1, &is_on)) {
		print_problem("%s must be on or off", f->name);
		return EXIT_USAGE;
	}
	int64_t number = 0;
	if (f->kind == FIELD_INT && !decimal_read(slice_str(equals + 1), f->min, f->max, &number)) {
		print_problem("%s must be a number from %lld to %lld", f->name, (long long)f->min,
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
		print_problem("%s %s", f->name, fault.message);
	}
	return is_set ? EXIT_DONE : EXIT_USAGE;
}

int room_command_read_policy(struct visit *v, const char *const *words, size_t words_n,
			     struct policy_change *out)
{
	int code = EXIT_DONE;
	for (size_t i = 0; i < words_n && code == EXIT_DONE; i++) {
		code = verb_policy_set(v, words[i], out);
	}
	return code;
}

int room_command_say_changed(const struct visit *v, const struct record *rec, const void *result)
{
	const struct args *a = &v->cli->args;
	struct buf line;
	buf_init(&line, MAX_FRAME_BYTES);
	(void)buf_printf(&line, "Changed:");
	for (size_t i = 1; i < a->words_n; i++) {
		(void)buf_printf(&line, " %s", print_soft(slice_str(a->words[i])));
	}
	(void)buf_printf(&line, "%s.", a->value[OPTION_PASSCODE] == NULL ? "" : " passcode");
	enum err e = memory_check(buf_append(&line, "", 1));
	int code = e == OK ? room_command_say(v, rec, result,
					      print_is_for_a_person() ? line.data : NULL)
			   : print_failure(e, NULL);
	buf_finish(&line);
	return code;
}

int verb_room_policy(struct cli *c)
{
	struct visit v;
	struct version_result r;
	struct room_set_policy_params p = {0};
	bool has_passcode = c->args.value[OPTION_PASSCODE] != NULL;
	int code = room_command_open(c, &v, NEEDS_SEAT);
	if (code == EXIT_DONE) {
		code = room_command_read_policy(&v, c->args.words + 1, c->args.words_n - 1,
						&p.policy);
	}
	if (code == EXIT_DONE && has_passcode) {
		p.policy.passcode = slice_str(v.passcode);
		p.policy.with_passcode = true;
	}
	bool changes = c->args.words_n > 1 || has_passcode;
	if (code == EXIT_DONE && changes) {
		code = visit_call(&v, METHOD_ROOM_SET_POLICY, &p, &r);
	}
	if (code == EXIT_DONE) {
		code = changes ? room_command_say_changed(&v, &record_version_result, &r)
			       : verb_policy_print(&v);
	}
	room_command_close(&v);
	return code;
}
