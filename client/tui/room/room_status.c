/*
 * room_status.c - the lines below the cards: how far the vote is and who is
 * waited for, then who is here without a card of their own.
 */
#include "client/tui/tui_state.h"

#include <stddef.h>
#include <string.h>

#include "client/acts/narrate.h"
#include "proto/base/format.h"

enum { ROOM_STATUS_BYTES_MAX = 400 };

/* All names of those who have not voted, with what stands between them. */
static int room_status_missing_cells(const struct replica *room, size_t left)
{
	int cells = left > 1 ? (int)(left - 2) * 2 + 5 : 0;
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		cells += replica_is_missing(room, m) ? draw_cells(replica_name_of(room, m)) : 0;
	}
	return cells;
}

/* The names of the `left` who have not voted, as far as they fit; then how many more there are. */
static int room_status_draw_missing(const struct tui *t, const struct replica *room, struct grid *g,
				    int x, int y, size_t left)
{
	enum { MORE_CELLS = 14 };
	bool is_first = true;
	int end = g->width - 1;
	int reserve = room_status_missing_cells(room, left) > end - x ? MORE_CELLS : 0;
	for (size_t i = 0; i < room->users.n && left > 0; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (!replica_is_missing(room, m)) {
			continue;
		}
		const char *name = replica_name_of(room, m);
		const char *between = is_first ? "" : left == 1 ? " and " : ", ";
		int width = end - x - draw_cells(between) - (left > 1 ? reserve : 0);
		if (draw_cells(name) > width && (left > 1 || !is_first)) {
			char more[40];
			(void)format_to(more, sizeof(more), is_first ? "%zu" : " and %zu more",
					left);
			return x + grid_text(g, x, y, STYLE_TEXT, more, end - x);
		}
		x += grid_text(g, x, y, STYLE_TEXT, between, -1);
		x += draw_cut(g, x, y, replica_is_me(room, m) ? STYLE_OWN : STYLE_TEXT, name, width,
			      t->signs);
		is_first = false;
		left--;
	}
	return x;
}

/* " · Linus is choosing", " · 2 are choosing": where it fits. */
static void room_status_draw_choosing(const struct tui *t, const struct replica *room,
				      struct grid *g, int x, int y)
{
	char line[ROOM_STATUS_BYTES_MAX];
	const char *name = "";
	size_t n = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		if (replica_is_voter(replica_member_at(room, i)) &&
		    doing_is_choosing(room, replica_member_at(room, i))) {
			name = replica_name_of(room, replica_member_at(room, i));
			n++;
		}
	}
	if (n == 1) {
		(void)format_to(line, sizeof(line), "%s%s is choosing", t->signs->dot, name);
	} else {
		(void)format_to(line, sizeof(line), "%s%zu are choosing", t->signs->dot, n);
	}
	if (n > 0 && x + draw_cells(line) < g->width) {
		(void)grid_text(g, x, y, STYLE_DIM, line, -1);
	}
}

static void room_status_draw_countdown(const struct tui *t, const struct replica *room,
				       struct grid *g, int y)
{
	char line[80];
	int64_t left = t->now_ms == 0 ? 0 : timing_left(t->now_ms, room->room.countdown.ends_at);
	(void)format_to(line, sizeof(line), left > 0 ? "Revealing in %lld" : "Revealing",
			(long long)left);
	int x = 1 + grid_text(g, 1, y, STYLE_GOOD, line, -1);
	bool may_cancel =
		action_is_in(ACTION_CANCEL, t->view) && action_is_allowed(ACTION_CANCEL, room);
	if (!may_cancel && !hand_is_held(room)) {
		return;
	}
	x += grid_text(g, x, y, STYLE_DIM, t->signs->dot, -1);
	const struct action_key k = action_key_in(ACTION_CANCEL, VIEW_ROOM, room);
	x += may_cancel ? grid_text(g, x, y, STYLE_STRONG, k.name, -1) : 0;
	(void)grid_text(g, x, y, STYLE_TEXT, may_cancel ? " to cancel" : "change while you can",
			-1);
}

/* " · U undoes the reset": behind who is waited for, where nobody has voted anew and it fits. */
static void room_status_draw_undo(const struct tui *t, const struct replica *room, struct grid *g,
				  int x, int y, size_t voted)
{
	char line[80];
	(void)format_to(line, sizeof(line), "%s%s to undo the reset", t->signs->dot,
			action_key_in(ACTION_UNDO, VIEW_ROOM, room).name);
	if (voted == 0 && x + draw_cells(line) < g->width && action_is_in(ACTION_UNDO, t->view) &&
	    action_is_allowed(ACTION_UNDO, room)) {
		(void)grid_text(g, x, y, STYLE_DIM, line, -1);
	}
}

/* ", waiting 47 s for Linus": all here have voted, and who is away keeps the round; false where nobody does. */
static bool room_status_draw_absent(const struct tui *t, const struct replica *room, struct grid *g,
				    int x, int y)
{
	const struct user_view *last = NULL;
	int64_t until = 0;
	char line[ROOM_STATUS_BYTES_MAX];
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		int64_t ends = replica_is_voter(m) ? news_waits_until(t, room, m) : 0;
		last = ends > until ? m : last;
		until = ends > until ? ends : until;
	}
	if (last == NULL) {
		return false;
	}
	(void)format_to(line, sizeof(line), ", waiting %lld s for %s",
			(long long)timing_left(t->now_ms, until), replica_name_of(room, last));
	(void)draw_cut(g, x, y, STYLE_WARN, line, g->width - 1 - x, t->signs);
	return true;
}

bool room_status_has_no_story(const struct replica *room)
{
	size_t open;
	size_t mine;
	replica_count_open(room, &open, &mine);
	return room->room.story_id.data == NULL && open > 0;
}

bool room_status_is_elsewhere(const struct replica *room)
{
	size_t voters;
	size_t voted;
	replica_count_votes(room, &voters, &voted);
	return voted == 0 && room_status_has_no_story(room);
}

bool room_status_is_over(const struct replica *room)
{
	size_t open;
	size_t mine;
	size_t voters;
	size_t voted;
	replica_count_open(room, &open, &mine);
	replica_count_votes(room, &voters, &voted);
	return room->room.policy.open_stories && room->room.story_id.data == NULL &&
	       room->stories.n > 0 && open == 0 && voted == 0;
}

/* "You voted on 3 of 12 stories · S to vote" */
static void room_status_draw_elsewhere(const struct tui *t, const struct replica *room,
				       struct grid *g, int y)
{
	size_t open;
	size_t mine;
	char line[ROOM_STATUS_BYTES_MAX];
	replica_count_open(room, &open, &mine);
	bool is_voter = room->you.role == ROLE_VOTER;
	const char *stories = open == 1 ? "story" : "stories";
	enum { WIDE = 44 };
	bool has_key = action_is_in(ACTION_STORIES, t->view);
	bool is_short = has_key && g->width < WIDE;
	size_t n = is_voter ? format_to(line, sizeof(line), "You voted on %zu of %zu%s%s", mine,
					open, is_short ? "" : " ", is_short ? "" : stories)
			    : format_to(line, sizeof(line), "%zu open %s", open, stories);
	if (has_key) {
		(void)format_to(line + n, sizeof(line) - n, "%s%s to %s", t->signs->dot,
				action_key_in(ACTION_STORIES, VIEW_ROOM, room).name,
				!is_voter     ? "see them"
				: mine < open ? "vote"
				: is_short    ? "change"
					      : "change a vote");
	}
	(void)draw_cut(g, 1, y, is_voter && mine < open ? STYLE_WARN : STYLE_TEXT, line,
		       g->width - 2, t->signs);
}

/* "2 of 5 voted · waiting for Ada, Grace and 1 more" */
void room_status_draw(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	size_t voters = 0;
	size_t voted = 0;
	char line[ROOM_STATUS_BYTES_MAX];
	replica_count_votes(room, &voters, &voted);
	if (room->room.phase == PHASE_COUNTDOWN) {
		room_status_draw_countdown(t, room, g, y);
		return;
	}
	if (room_status_is_elsewhere(room)) {
		room_status_draw_elsewhere(t, room, g, y);
		return;
	}
	if (voters == 0) {
		(void)grid_text(g, 1, y, STYLE_TEXT, "No voters yet", -1);
		return;
	}
	bool is_complete = voted == voters;
	bool may_reveal = is_complete && action_is_in(ACTION_REVEAL, t->view) &&
			  action_is_allowed(ACTION_REVEAL, room);
	int64_t quorum = room->room.policy.quorum;
	char enough[40] = "";
	if (quorum > (int64_t)voted) {
		(void)format_to(enough, sizeof(enough), ", %lld needed", (long long)quorum);
	}
	size_t n = format_to(line, sizeof(line), "%zu of %zu voted%s", voted, voters, enough);
	if (may_reveal) {
		(void)format_to(line + n, sizeof(line) - n, "%s%s to reveal", t->signs->dot,
				action_key_in(ACTION_REVEAL, VIEW_ROOM, room).name);
	}
	int x = 1 + grid_text(g, 1, y, is_complete ? STYLE_GOOD : STYLE_TEXT, line, -1);
	if (is_complete && room_status_draw_absent(t, room, g, x, y)) {
		return;
	}
	if (is_complete || (replica_hides_voters(room) && !room->room.is_armed)) {
		room_status_draw_undo(t, room, g, x, y, voted);
		return;
	}
	x += grid_text(g, x, y, STYLE_DIM, t->signs->dot, -1);
	if (replica_hides_voters(room)) {
		x += grid_text(g, x, y, STYLE_WARN, "armed", -1);
		room_status_draw_undo(t, room, g, x, y, voted);
		return;
	}
	x += room->room.is_armed ? grid_text(g, x, y, STYLE_WARN, "armed, ", -1) : 0;
	x += grid_text(g, x, y, STYLE_TEXT, "waiting for ", -1);
	x = room_status_draw_missing(t, room, g, x, y, voters - voted);
	room_status_draw_choosing(t, room, g, x, y);
	room_status_draw_undo(t, room, g, x, y, voted);
}

/* Ours is the only vote that is missing. */
static bool room_status_waits_for_me(const struct replica *room, size_t missing)
{
	const struct user_view *me = room->you.user_id.data == NULL
					     ? NULL
					     : replica_member(room, room->you.user_id.data);
	return missing == 1 && me != NULL && replica_is_counted(room, me) &&
	       !replica_has_vote(room, me);
}

void room_status_draw_round(const struct tui *t, const struct replica *room, struct grid *g, int y)
{
	size_t voters = 0;
	size_t voted = 0;
	char line[ROOM_STATUS_BYTES_MAX];
	replica_count_votes(room, &voters, &voted);
	if (room->room.is_revealed) {
		const struct room_result *result = replica_result(room);
		const char *value = room->room.outcome.data != NULL ? room->room.outcome.data
				    : result != NULL		    ? result->suggestion.data
								    : NULL;
		(void)format_to(line, sizeof(line), "Revealed%s%s%s",
				value == NULL ? "" : t->signs->dot,
				value == NULL			  ? ""
				: room->room.outcome.data != NULL ? "settled on "
								  : "suggested ",
				value == NULL ? "" : draw_label(t->signs, value));
		(void)draw_cut(g, 1, y, STYLE_TITLE, line, g->width - 2, t->signs);
		return;
	}
	if (room_status_is_over(room)) {
		(void)grid_text(g, 1, y, STYLE_TEXT, "No stories left to do", -1);
		return;
	}
	if (room->room.phase == PHASE_VOTING && voters > 1 && !room_status_is_elsewhere(room) &&
	    room_status_waits_for_me(room, voters - voted)) {
		(void)format_to(line, sizeof(line), "%zu of %zu voted%swaiting for you", voted,
				voters, t->signs->dot);
		(void)draw_cut(g, 1, y, STYLE_WARN, line, g->width - 2, t->signs);
		return;
	}
	room_status_draw(t, room, g, y);
}

/* ---- who has no card ---- */

enum room_status_group { GROUP_LOBBY, GROUP_WATCHING, GROUP_BOTS, GROUPS_N };

static enum room_status_group room_status_group_of(const struct user_view *m)
{
	return m->is_waiting ? GROUP_LOBBY : m->is_bot ? GROUP_BOTS : GROUP_WATCHING;
}

/* Who left has no name any more; the seat is kept for a while all the same. */
static bool room_status_is_other(const struct user_view *m)
{
	return !replica_is_voter(m) && (m->username.data != NULL || m->is_connected);
}

static size_t room_status_absent(const struct replica *room)
{
	size_t n = 0;
	for (size_t i = 0; i < room->users.n; i++) {
		n += replica_is_voter_away(room, replica_member_at(room, i)) ? 1 : 0;
	}
	return n;
}

/*
 * "34 away  Ada  Grace voted  +32": in at most so many rows. Returns how many it took.
 * @out  it is told how long they are away; then whether that fits
 */
static int room_status_draw_absent_in(const struct tui *t, const struct replica *room,
				      struct grid *g, int y, int most, bool *has_spans)
{
	char line[ROOM_STATUS_BYTES_MAX];
	struct draw_names names = {.g = g,
				   .signs = t->signs,
				   .end = g->width - 1,
				   .y = y,
				   .rows = most,
				   .n = room_status_absent(room)};
	if (names.n == 0 || most <= 0) {
		return 0;
	}
	(void)format_to(line, sizeof(line), "%zu away  ", names.n);
	(void)grid_text(g, 1, y, STYLE_DIM, line, -1);
	names.left = names.x = 1 + draw_cells(line);
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (replica_is_voter_away(room, m)) {
			char away[AWAY_BYTES];
			const char *span = narrate_away(m, *has_spans ? t->now_ms : 0, away) +
					   sizeof("away") - 1;
			(void)format_to(line, sizeof(line), "%s%s%s%s", replica_name_of(room, m),
					span, span[0] != '\0' && m->has_vote ? "," : "",
					m->has_vote ? " voted" : "");
			draw_name(&names, STYLE_AWAY, line);
		}
	}
	*has_spans = *has_spans && names.n == 0 && names.x < names.end;
	return names.y - y + 1;
}

/* "2 away  Ada 12 min  Grace 40 s, voted": names come before how long. */
static int room_status_draw_away(const struct tui *t, const struct replica *room, struct grid *g,
				 int y, int most)
{
	struct grid none = grid_rows(g, 0, 0);
	bool has_spans = true;
	bool is_brief = false;
	int plain = room_status_draw_absent_in(t, room, &none, 0, most, &is_brief);
	int whole = room_status_draw_absent_in(t, room, &none, 0, most, &has_spans);
	has_spans = has_spans && whole == plain;
	return room_status_draw_absent_in(t, room, g, y, most, &has_spans);
}

static bool room_status_has_others(const struct replica *room)
{
	size_t i = 0;
	while (i < room->users.n && !room_status_is_other(replica_member_at(room, i))) {
		i++;
	}
	return i < room->users.n;
}

int room_status_others(const struct tui *t, const struct replica *room, const struct grid *g,
		       int most)
{
	struct grid none = grid_rows(g, 0, 0);
	return (room_status_has_others(room) ? 1 : 0) +
	       room_status_draw_away(t, room, &none, 0, most);
}

/*
 * One group of the line below: its name, then its members as far as there is room. Returns where
 * the next begins.
 */
static int room_status_draw_group(const struct tui *t, const struct replica *room, struct grid *g,
				  int x, int y, enum room_status_group group)
{
	enum { WIDE = 60 }; /* from which on it is told how long one is away */
	static const char *const titles[GROUPS_N] = {"in the lobby: ", "spectators: ", "bots: "};
	size_t nameless = 0;
	bool is_first = true;
	int end = g->width - 1;
	char word[ROOM_STATUS_BYTES_MAX];
	for (size_t i = 0; i < room->users.n; i++) {
		const struct user_view *m = replica_member_at(room, i);
		if (!room_status_is_other(m) || room_status_group_of(m) != group) {
			continue;
		}
		if (m->username.data == NULL && !replica_is_me(room, m)) {
			nameless++;
			continue;
		}
		const char *vote = m->vote.data != NULL ? draw_label(t->signs, m->vote.data)
				   : m->has_vote	? "voted"
							: "";
		(void)format_to(word, sizeof(word), "%s%s%s%s%s%s", is_first ? titles[group] : ", ",
				replica_name_of(room, m), m->is_host ? " " : "",
				m->is_host ? t->signs->host : "", vote[0] != '\0' ? " " : "", vote);
		enum style style = !m->is_connected	  ? STYLE_AWAY
				   : group == GROUP_LOBBY ? STYLE_WARN
							  : STYLE_TEXT;
		x += draw_cut(g, x, y, style, word, end - x, t->signs);
		if (!m->is_connected) {
			char away[AWAY_BYTES];
			int cells = g->width < WIDE ? (int)sizeof("away") - 1 : end - x - 1;
			x += grid_text(g, x, y, STYLE_AWAY, " ", end - x > 0 ? end - x : 0);
			x += grid_text(g, x, y, STYLE_AWAY, away_text(t, m, cells, away),
				       end - x > 0 ? end - x : 0);
		}
		is_first = false;
	}
	if (nameless > 0) {
		(void)format_to(word, sizeof(word), "%s%zu without a name",
				is_first ? titles[group] : ", ", nameless);
		x += draw_cut(g, x, y, STYLE_DIM, word, end - x, t->signs);
		is_first = false;
	}
	return is_first ? x : x + 3;
}

void room_status_draw_others(const struct tui *t, const struct replica *room, struct grid *g, int y,
			     int rows)
{
	int x = 1;
	int groups = room_status_has_others(room) ? 1 : 0;
	for (enum room_status_group group = 0; group < GROUPS_N && rows >= groups; group++) {
		x = room_status_draw_group(t, room, g, x, y, group);
	}
	(void)room_status_draw_away(t, room, g, y + groups, rows - groups);
}

/* ---- alone ---- */

enum { ROOM_STATUS_COMMAND_X = 5 };
#define ROOM_STATUS_OR_OPEN "or open "

/* A server that nobody else reaches: what there is to do about that. */
static void room_status_draw_own(const struct replica *room, struct grid *g, int y, int end)
{
	char line[CODE_CHARS_MAX + 40];
	if (y + 1 >= end) {
		return;
	}
	(void)grid_text(g, 3, y++, STYLE_DIM, "Only you can reach this server.", -1);
	int x = 3 + grid_text(g, 3, y, STYLE_STRONG,
			      action_key_in(ACTION_SHARE, VIEW_ROOM, room).name, -1);
	(void)grid_text(g, x, y++, STYLE_DIM, " to open it to others.", -1);
	if (y < end) {
		(void)format_to(line, sizeof(line), "You, elsewhere: aye join %s", room->room_id);
		(void)grid_text(g, 3, y, STYLE_DIM, line, -1);
	}
}

/* The link for browsers, if it fits into a row: a part of one leads nowhere. Else "". */
static void room_status_link(const struct invite_place *place, const struct replica *room,
			     int width, char out[INVITE_LINK_BYTES_MAX + 1])
{
	invite_link(place, room->room_id, out);
	if (ROOM_STATUS_COMMAND_X + (int)strlen(ROOM_STATUS_OR_OPEN) + (int)strlen(out) > width) {
		out[0] = '\0';
	}
}

/* Returns the rows it takes, of up to `rows`. */
static int room_status_draw_link(const struct tui *t, const struct replica *room, struct grid *g,
				 int y, int rows)
{
	char link[INVITE_LINK_BYTES_MAX + 1];
	char hint[40];
	struct action_key key = action_key_in(ACTION_QR, VIEW_ROOM, room);
	room_status_link(&t->share.place, room, g->width, link);
	if (link[0] == '\0' || rows < 1) {
		return 0;
	}
	int x = ROOM_STATUS_COMMAND_X;
	x += grid_text(g, x, y, STYLE_DIM, ROOM_STATUS_OR_OPEN, -1);
	x += grid_text(g, x, y, STYLE_STRONG, link, -1);
	(void)format_to(hint, sizeof(hint), "  %s for a QR code", key.name);
	if (x + (int)strlen(hint) <= g->width) {
		(void)grid_text(g, x, y, STYLE_DIM, hint, -1);
		if (key.key != 0) {
			mouse_mark_key(g, x + 2, y, (int)strlen(hint) - 2, key.key);
		}
	}
	return 1;
}

/* What one types behind the tunnel to a server that we share. */
static void room_status_tunnel_command(const struct invite_place *place, const struct replica *room,
				       char out[INVITE_LINE_BYTES_MAX + 1])
{
	char server[INVITE_LINE_BYTES_MAX + 1];
	invite_tunnel_server(place, server);
	(void)format_to(out, INVITE_LINE_BYTES_MAX + 1, "aye join %s --server %s", room->room_id,
			server);
}

/*
 * How the others come in is what one needs to know: the command first, where there is no
 * room for more. Of a server that we share, each address, and the way by ssh.
 */
void room_status_draw_welcome(const struct tui *t, const struct replica *room, struct grid *g,
			      int y, int end)
{
	char line[INVITE_LINE_BYTES_MAX + 1];
	char tunnel[INVITE_LINE_BYTES_MAX + 1];
	const struct invite_place *place = &t->share.place;
	if (place->is_own && place->n == 0) {
		room_status_draw_own(room, g, y, end);
		return;
	}
	invite_line(place, 0, room->room_id, line);
	if (end - y > draw_command_rows(g->width, line)) {
		(void)grid_text(g, 3, y++, STYLE_DIM,
				invite_is_of_machine(place) ? "Nobody else here. On this machine:"
							    : "Nobody else here. To join, run:",
				-1);
	}
	for (size_t i = 0; i == 0 || i < place->n; i++) {
		invite_line(place, i, room->room_id, line);
		if (end - y < draw_command_rows(g->width, line)) {
			return;
		}
		y += draw_command(g, ROOM_STATUS_COMMAND_X, y, line);
	}
	invite_ssh_line(place, room->room_id, line);
	if (line[0] != '\0' && !place->is_ssh && end - y >= draw_command_rows(g->width, line)) {
		y += draw_command(g, ROOM_STATUS_COMMAND_X, y, line);
	}
	y += room_status_draw_link(t, room, g, y, end - y);
	room_status_tunnel_command(place, room, line);
	if (place->is_own && end - y >= 2 + draw_command_rows(g->width, line)) {
		invite_tunnel_line(place, tunnel);
		(void)grid_text(g, 3, y, STYLE_DIM, "or, with ssh access only:", -1);
		(void)grid_text(g, 5, y + 1, STYLE_STRONG, tunnel, -1);
		(void)draw_command(g, ROOM_STATUS_COMMAND_X, y + 2, line);
	}
}

int room_status_welcome_rows(const struct tui *t, const struct replica *room, int width,
			     bool is_roomy)
{
	char line[INVITE_LINE_BYTES_MAX + 1];
	char link[INVITE_LINK_BYTES_MAX + 1];
	const struct invite_place *place = &t->share.place;
	room_status_link(place, room, width, link);
	int page = link[0] == '\0' ? 0 : 1;
	if (!is_roomy) {
		invite_line(place, 0, room->room_id, line);
		int command = draw_command_rows(width, line);
		return (place->is_own && place->n == 0) || command < 2 ? 2 : command;
	}
	if (!place->is_own || place->n == 0) {
		invite_ssh_line(place, room->room_id, line);
		int kiosk = line[0] == '\0' || place->is_ssh ? 0 : draw_command_rows(width, line);
		return place->is_own ? 3 : 2 + kiosk + page;
	}
	room_status_tunnel_command(place, room, line);
	int rows = 3 + page + draw_command_rows(width, line);
	for (size_t i = 0; i < place->n; i++) {
		invite_line(place, i, room->room_id, line);
		rows += draw_command_rows(width, line);
	}
	return rows;
}
