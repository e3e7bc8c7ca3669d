/*
 * share_view.c - where one's own server is shared: at an address of this machine, at all of them, or
 * nowhere.
 *
 * The rows are the addresses that the program has found, then "All addresses" and "This machine
 * only".
 */
#include "client/tui/actions/action_acts.h"
#include "client/tui/tui_state.h"

#include <string.h>

#include "proto/base/format.h"

enum { SHARE_ALL, SHARE_NONE, SHARE_FIXED_N }; /* the rows behind the addresses */

void tui_set_machine(struct tui *t, const struct machine_address *list, size_t n)
{
	t->share.machine_n = n < MACHINE_ADDRESSES_MAX ? n : MACHINE_ADDRESSES_MAX;
	memcpy(t->share.machine, list, t->share.machine_n * sizeof(*list));
}

static size_t share_count(struct listing l)
{
	return l.t->share.machine_n + SHARE_FIXED_N;
}

static const char *share_address(struct list_cell *c)
{
	const struct share *s = &c->l.t->share;
	if (c->at >= s->machine_n) {
		return c->at == s->machine_n + SHARE_ALL ? "All addresses" : "This machine only";
	}
	return list_words(c, "%s (%s)", s->machine[c->at].host, s->machine[c->at].device);
}

/* Whether others reach the server at this host: "tls://192.0.2.7:2938#SHA256:..." */
static bool share_is_at(const struct invite_place *place, const char *host)
{
	size_t len = strlen(host);
	for (size_t i = 0; i < place->n; i++) {
		const char *at = strstr(place->addresses[i], "://");
		at = at == NULL ? place->addresses[i] : at + strlen("://");
		if (strncmp(at, host, len) == 0 &&
		    (at[len] == ':' || at[len] == '#' || at[len] == '\0')) {
			return true;
		}
	}
	return false;
}

static const char *share_state(struct list_cell *c)
{
	const struct share *s = &c->l.t->share;
	if (c->at < s->machine_n) {
		return share_is_at(&s->place, s->machine[c->at].host) ? "shared" : NULL;
	}
	return c->at == s->machine_n + SHARE_NONE && s->place.n == 0 ? "now" : NULL;
}

static const struct column share_columns[] = {
	{.text = share_address, .grows = true, .is_found = true},
	{.text = share_state, .look = STYLE_GOOD},
};

/* ---- what is chosen ---- */

/* @arg  not NULL: what was typed after the command */
struct act act_begin_share(struct tui *t, const struct replica *room, enum action a,
			   const char *arg)
{
	(void)arg;
	if (t->is_typed || t->view == VIEW_SHARE) {
		return act_open_line(t, room, a);
	}
	tui_open(t, VIEW_SHARE);
	return (struct act){0};
}

bool act_offers_share(struct tui *t, const struct replica *room)
{
	(void)room;
	return t->view == VIEW_SHARE;
}

struct act act_share_at(struct tui *t, const struct replica *room, enum action a, const char *arg)
{
	const struct share *s = &t->share;
	size_t at = list_at(tui_listing(t, room, VIEW_SHARE));
	char typed[sizeof(s->machine[0].host) + 8];
	(void)arg;
	tui_go_back(t);
	if (at == s->machine_n + SHARE_NONE) {
		return action_run(t, room, ACTION_UNSHARE, NULL);
	}
	(void)format_to(typed, sizeof(typed), "%s%s", a == ACTION_SHARE_WEB ? "web " : "",
			at < s->machine_n ? s->machine[at].host : "");
	return act_share(t, room, ACTION_SHARE, typed);
}

const struct view share_view = {
	.title = "Share your own server",
	.is_over = true,
	.rows =
		&(const struct list_rows){
			.count = share_count,
			COLUMNS(share_columns),
			.cells_most = 60,
		},
};
