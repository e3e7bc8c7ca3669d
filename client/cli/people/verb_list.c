/*
 * verb_list.c - verbs that print a list of the server: their rows say what a line of it is.
 */
#include "client/cli/output/print.h"
#include "client/cli/output/template.h"
#include "client/cli/reach/pages.h"
#include "client/cli/reach/room_command.h"
#include "client/cli/verb_method.h"
#include "client/model/memory.h"

struct verb_list {
	const struct cli *cli;
	const struct record *rec;
	size_t n; /* so far */
};

static int verb_list_print(void *owner, const void *entry)
{
	struct verb_list *l = owner;
	struct buf line;
	l->n++;
	if (l->cli->is_json) {
		return print_record(l->rec, entry);
	}
	buf_init(&line, MAX_FRAME_BYTES);
	template_write(l->cli->verb->says, &l->cli->args, l->rec, entry, &line);
	bool is_told =
		memory_check(line.error) == OK && print_line("%.*s", (int)line.len, line.data);
	buf_finish(&line);
	return is_told ? EXIT_DONE : EXIT_BROKEN;
}

int verb_list_count(struct visit *v, struct request *r, size_t *n)
{
	struct verb_list l = {.cli = v->cli, .rec = pages_field(r->method)->of};
	int code = pages_each(v, r, verb_list_print, &l);
	*n = l.n;
	return code;
}

int verb_list_all(struct visit *v, struct request *r)
{
	size_t n;
	int code = verb_list_count(v, r, &n);
	if (code == EXIT_DONE && n == 0 && v->cli->verb->tells_none != NULL) {
		print_progress("%s", v->cli->verb->tells_none);
	}
	return code;
}

int verb_list(struct cli *c)
{
	return verb_method_with(c, verb_list_all);
}
