/*
 * create_room.c - a deck by name or by its cards, a title, and a new room.
 */
#include "client/cli/rooms/create_room.h"

#include <string.h>

#include "client/acts/team_settings.h"
#include "client/cli/output/print.h"
#include "client/cli/people/team_find.h"
#include "client/cli/reach/room_command.h"
#include "client/model/request.h"
#include "proto/base/format.h"
#include "proto/text/decimal.h"

#define CREATE_ROOM_BETWEEN " ,"

enum {
	A_DAY_SECONDS = 86400,
	CREATE_ROOM_KEEP_DAYS = 7, /* from the deadline, or from now without one */
};

void create_room_split(const char *const *words, size_t words_n, struct slices *out)
{
	out->n = 0;
	for (size_t i = 0; i < words_n; i++) {
		out->n +=
			cards_split(words[i], out->items + out->n, CREATE_ROOM_CARDS_MAX - out->n);
	}
}

/* Whether an option is given to do without what the team keeps for its rooms. */
static bool create_room_is_without(const struct cli *c, enum option o, enum team_setting s)
{
	const char *typed = c->args.value[o];
	return typed != NULL && team_setting_is_none(s, typed);
}

/* The rules of --async and --quorum beside those given, and the deadline; 0: none. */
static int create_room_read(const struct cli *c, struct policy_change *rules,
			    int64_t *until_seconds)
{
	const char *quorum = c->args.value[OPTION_QUORUM];
	*until_seconds = 0;
	if (!create_room_is_without(c, OPTION_UNTIL, TEAM_SETTING_REVEAL) &&
	    !verbs_span(c, OPTION_UNTIL, until_seconds)) {
		return EXIT_USAGE;
	}
	if (quorum != NULL && !decimal_read(slice_str(quorum), 1, MAX_ROOM_SEATS, &rules->quorum)) {
		print_problem("--quorum: %s is not a number of votes", print_typed(quorum));
		return EXIT_USAGE;
	}
	if (quorum != NULL) {
		rules->with_quorum = true;
		/* So many votes are enough for a reveal that nobody else asks for. */
		rules->auto_reveal = !rules->with_auto_reveal || rules->auto_reveal;
		rules->with_auto_reveal = true;
	}
	if (c->args.value[OPTION_TOGETHER] != NULL) {
		rules->open_stories = true;
		rules->with_open_stories = true;
	}
	if (c->args.value[OPTION_ASYNC] != NULL) {
		rules->keep_votes = true;
		rules->with_keep_votes = true;
	}
	return EXIT_DONE;
}

/* Days enough to look at what the deadline brought. */
static int create_room_keep(struct visit *v, bool keeps_votes, int64_t until_seconds)
{
	int code = EXIT_DONE;
	if (keeps_votes || until_seconds > 0) {
		struct room_keep_result result;
		int64_t days =
			(until_seconds + A_DAY_SECONDS - 1) / A_DAY_SECONDS + CREATE_ROOM_KEEP_DAYS;
		struct room_keep_params p = {
			.days = days < MAX_ROOM_KEEP_DAYS ? days : MAX_ROOM_KEEP_DAYS};
		code = visit_call(v, METHOD_ROOM_KEEP, &p, &result);
	}
	return code;
}

int create_room(struct visit *v, const struct policy_change *given, struct room_create_result *out)
{
	struct policy_change rules = *given;
	int64_t until_seconds;
	if (create_room_read(v->cli, &rules, &until_seconds) != EXIT_DONE) {
		return EXIT_USAGE;
	}
	struct slice cards[CREATE_ROOM_CARDS_MAX];
	struct slices list = {cards, 0};
	char once[REACH_ONCE_CHARS + 1];
	char host_key[KEY_CHARS + 1];
	struct request *r = request_make(METHOD_ROOM_CREATE);
	const char *deck = v->cli->args.value[OPTION_DECK];
	const char *title = v->cli->args.value[OPTION_TITLE];
	const char *links = v->cli->args.value[OPTION_LINKS];
	const char *team = v->cli->args.value[OPTION_TEAM];
	char group_id[TEAM_FIND_ID_BYTES] = "";
	int code = EXIT_DONE;
	bool has_title = title != NULL && title[0] != '\0';
	if (deck != NULL && strpbrk(deck, CREATE_ROOM_BETWEEN) != NULL) {
		create_room_split(&deck, 1, &list);
		request_texts(r, "valid_sizes", &list);
	} else if (deck != NULL && deck[0] != '\0') {
		request_text(r, "deck", deck);
	}
	if (has_title) {
		request_text(r, "title", title);
	}
	if (team != NULL) {
		code = team_find(v, TEAM_KIND_TEAM, team, NULL, group_id);
		request_text(r, "group_id", group_id);
	}
	if (create_room_is_without(v->cli, OPTION_LINKS, TEAM_SETTING_LINKS)) {
		request_nil(r, "link_template");
	} else if (links != NULL) {
		request_text(r, "link_template", links);
	}
	struct room_create_params *p = r->params;
	p->reveal_in_seconds = until_seconds;
	p->with_reveal_in_seconds = v->cli->args.value[OPTION_UNTIL] != NULL;
	p->policy = rules;
	p->with_policy = record_has_any(&record_policy_change, &rules);
	(void)reach_once(once);
	request_fill_common(r, &(struct request_common){.idempotency_key = once});
	if (code == EXIT_DONE) {
		code = r->fault.code != FAULT_NONE
			       ? print_slip(v->cli, &r->fault)
			       : visit_call(v, METHOD_ROOM_CREATE, r->params, out);
	}
	request_free(r);
	if (code != EXIT_DONE) {
		return code;
	}
	format_to(v->room_id, sizeof(v->room_id), "%.*s", (int)out->room_id.len, out->room_id.data);
	format_to(host_key, sizeof(host_key), "%.*s", (int)out->host_key.len, out->host_key.data);
	visit_keep_host_key(v, host_key);
	if (has_title) {
		visit_keep_title(v, title);
	}
	bool keeps_votes = (rules.with_keep_votes && rules.keep_votes) ||
			   (rules.with_open_stories && rules.open_stories);
	return create_room_keep(v, keeps_votes, until_seconds);
}
