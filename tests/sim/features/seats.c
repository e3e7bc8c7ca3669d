/*
 * seats.c - who follows a room, under which name and role; a seat is its key's
 * for as long as the room lives, and empties itself where nobody is left.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/groups.h"
#include "tests/sim/features/requests.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "server/domain/base/user_key.h"

/* ---- requests ---- */

void send_subscribe(struct world *w, struct conn *c, int room, bool with_since)
{
	struct member_room *mine = &w->members[c->member].rooms[room];
	struct room_subscribe_params p = {0};
	struct op about = {0};
	if (c->subs[room] == NULL) {
		c->subs[room] = calloc(1, sizeof(*c->subs[room]));
		ASSERT(c->subs[room] != NULL);
	}
	struct sub *sub = c->subs[room];
	SEND_ROOM_ID(p, w, room);
	p.with_data = c->is_without_data;
	about.brings_passcode = !w->o.is_scripted && dice_percent(&w->dice, 60);
	p.passcode = slice_str(about.brings_passcode ? SIM_PASSCODE : "");
	send_identity(w, c, room);
	p.user_key = slice_str(c->is_desk ? "" : c->my_key[room]); /* that of its login */
	about.shows_user_key = p.user_key.len > 0;
	bool has_host_key = w->members[c->member].rooms[room].has_host_key;
	SEND_HOST_KEY(p, about, w, room,
		      has_host_key && !w->o.is_scripted && !w->is_calm &&
			      dice_percent(&w->dice, 30));
	if (with_since && mine->last != NULL && !sub->is_on) {
		p.with_since = true;
		p.since =
			(struct since){.epoch = mine->last->epoch, .version = mine->last->version};
		view_copy(&sub->view, mine->last);
		about.has_since = true;
		w->figures.resumes++;
	}
	sub->asks++;
	send_op(w, c, METHOD_ROOM_SUBSCRIBE, room, &p, &about);
}

void send_seat(struct world *w, struct conn *c, enum method method, int room, const char *once)
{
	struct room_seat_params p = {0};
	struct op about = {0};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	send_op(w, c, method, room, &p, &about);
}

void send_leave(struct world *w, struct conn *c, int room, bool if_last, const char *once)
{
	struct room_leave_params p = {.if_last = if_last, .with_if_last = if_last};
	struct op about = {.flag = if_last};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	send_op(w, c, METHOD_ROOM_LEAVE, room, &p, &about);
}

void send_join(struct world *w, struct conn *c, int room, const char *raw, const char *clean,
	       bool spectator, bool is_bot, const char *once)
{
	struct room_join_params p = {.username = slice_str(raw),
				     .with_username = true,
				     .is_bot = is_bot,
				     .with_is_bot = is_bot};
	struct op about = {.flag = spectator, .is_bot = is_bot};
	SEND_ROOM_ID(p, w, room);
	SEND_ONCE(p, about, once);
	about.shows_user_key = send_shows_key(w, c, room, &p.user_key);
	p.role = spectator ? ROLE_SPECTATOR : ROLE_VOTER;
	p.with_role = about.has_role = spectator || w->o.is_scripted || dice_percent(&w->dice, 50);
	view_text(about.text, sizeof(about.text), slice_str(clean));
	about.expect = clean == NULL ? FAULT_VALIDATION_ERROR : FAULT_NONE;
	send_op(w, c, METHOD_ROOM_JOIN, room, &p, &about);
}

void send_unsubscribe(struct world *w, struct conn *c, int room)
{
	if (c->subs[room] != NULL) {
		c->subs[room]->is_leaving = true;
	}
	send_plain(w, c, METHOD_ROOM_UNSUBSCRIBE, room);
}

/* ---- acts ---- */

struct act_name {
	const char *raw;
	const char *clean; /* NULL: must be refused */
};
static const struct act_name act_names[] = {
	{"Ada", "Ada"},
	{"Grace Hopper", "Grace Hopper"},
	{"  Linus   T ", "Linus T"},
	{"Zo\xc3\xab", "Zo\xc3\xab"},
	{"\xe6\xbc\xa2\xe5\xad\x97", "\xe6\xbc\xa2\xe5\xad\x97"},
	{"x", "x"},
	{"ADA", "ADA"},
	{"\xef\xbd\x98", "\xef\xbd\x98"}, /* x, wide */
	{"   ", NULL},
	{"tab\x1b[2J", NULL},
	{"evil\xe2\x80\xaetxt", NULL},
	{"zero\xe2\x80\x8bwidth", NULL},
	{"a name that is very much longer than any name should be", NULL},
};

#define ACT_NAMES (sizeof(act_names) / sizeof(act_names[0]))

void act_join(struct world *w, struct conn *c, int room)
{
	char once[40];
	uint32_t which = dice_percent(&w->dice, 85) ? dice_below(&w->dice, 8)
						    : dice_below(&w->dice, ACT_NAMES);
	send_join(w, c, room, act_names[which].raw, act_names[which].clean,
		  dice_percent(&w->dice, 12), w->members[c->member].is_bot, act_once(w, once));
}

/* Whoever votes only watches from now on, and the other way. */
static void act_change_role(struct world *w, struct conn *c, int room)
{
	char once[40];
	const struct sub *sub = c->subs[room];
	if (sub == NULL || !sub->has_you || sub->you_name[0] == '\0') {
		act_join(w, c, room);
		return;
	}
	send_join(w, c, room, sub->you_name, sub->you_name, !sub->you_is_spectator, false,
		  act_once(w, once));
}

static void act_leave(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_leave(w, c, room, dice_percent(&w->dice, 50), act_once(w, once));
}

static void act_delete_user(struct world *w, struct conn *c, int room)
{
	char once[40];
	send_seat(w, c, METHOD_ROOM_DELETE_USER, room, act_once(w, once));
}

void act_unsubscribe(struct world *w, struct conn *c, int room)
{
	send_unsubscribe(w, c, room);
}

static void act_subscribe_again(struct world *w, struct conn *c, int room)
{
	send_subscribe(w, c, room, false);
}

/* ---- answers ---- */

/* Whether that is the key of the user's login in the room. */
static bool key_is_of_login(const struct world *w, const struct sim_room *room,
			    const char *user_key, struct slice user_id)
{
	struct key_text own = user_key_of_login(w->config.server_key, user_id, slice_str(room->id));
	return strcmp(own.text, user_key) == 0;
}

/* Whether the caller was that user from when the call came until now, and nobody had what it is given instead. */
static bool key_comes_with_login(struct world *w, const struct op *op, const struct owner *o,
				 const char *given_id)
{
	const struct sim_room *room = &w->rooms[op->room];
	const struct view *v = room_at(room, op->from_epoch, op->from_version);
	const struct session *s = op->session == 0 ? NULL : &w->sessions.all[op->session - 1];
	bool is_new = v != NULL && view_user_const(v, given_id) == NULL;
	for (size_t i = 0; i < room->owners_n; i++) {
		is_new = is_new && (&room->owners[i] == &room->owners[room->owners_n - 1] ||
				    strcmp(room->owners[i].user_id, given_id) != 0);
	}
	return is_new && s != NULL && strcmp(s->user_id, o->user_id) == 0 && op->is_settled &&
	       op->was_in_use && session_is_in_use(w, s, op) &&
	       table_token(&w->table, s->hash) != NULL;
}

/*
 * A key is the same person for as long as the room lives, whatever crashed meanwhile. Where it is the key
 * of a login whose seat has been given up, it makes that user's seat only with the login: without it,
 * another user follows from the key, and stays until that seat is given up in its turn.
 */
static void granted_key(struct world *w, const struct op *op, const struct room_subscribe_result *r)
{
	const struct sim_room *room = &w->rooms[op->room];
	char given_id[20];
	view_text(given_id, sizeof(given_id), r->user_id);
	for (size_t i = 0; i < room->owners_n; i++) {
		const struct owner *o = &room->owners[i];
		bool is_same = strcmp(o->user_id, given_id) == 0 && !planted(w, BREAK_OTHER_ID, 10);
		if (!slice_eq(slice_str(o->user_key), r->user_key) || is_same) {
			continue;
		}
		bool was_login = key_is_of_login(w, room, o->user_key, slice_str(o->user_id));
		bool is_login = key_is_of_login(w, room, o->user_key, r->user_id);
		if (was_login == is_login ||
		    (was_login && key_comes_with_login(w, op, o, given_id))) {
			broken(w, CLAIM_DURABLE, "in %s a user_key is another user than before",
			       room->id);
		}
	}
}

/* That it held something then and at all times since: a seat given up and taken again with the same
 * key is called the same, and is not written until it holds something again. */
static bool granted_keeps_since(const struct sim_room *room, const struct room_subscribe_result *r,
				const char *user_id)
{
	bool keeps = room->mem->in_memory && r->epoch == room->mem->now.epoch;
	for (int64_t version = r->version; keeps && version <= room->mem->now.version; version++) {
		const struct view *v = room_at(room, r->epoch, version);
		const struct view_user *u = v == NULL ? NULL : view_user_const(v, user_id);
		keeps = u != NULL && view_keeps(v, u);
	}
	return keeps;
}

static bool refused_follows_not(struct world *w, const struct op *op)
{
	const struct conn *c = net_by_serial(w, op->conn);
	return c == NULL || !c->leaving_on[op->room];
}

static bool refused_full(const struct world *w, const struct op *op, const struct view *v)
{
	(void)op;
	return (int64_t)v->n >= w->config.limits[LIMIT_ROOM_SEATS];
}

/* Whether the connection may be on the seat: it is by what left, or has asked for it or for one that is not certain. */
static bool seats_may_hold(const struct world *w, const struct conn *c, int room,
			   const char *user_id)
{
	bool holds = c->leaving_on[room] && strcmp(c->leaving_id[room], user_id) == 0;
	for (size_t i = w->ops_first; i < w->ops_n && !holds; i++) {
		const struct op *op = &w->ops[i];
		holds = op->conn == c->serial && op->method == METHOD_ROOM_SUBSCRIBE &&
			op->room == room && op->is_delivered && !op->is_answered &&
			(op->user_id[0] == '\0' || strcmp(op->user_id, user_id) == 0);
	}
	return holds;
}

/* How many connections but the caller's may be on its seat; where that is not certain, on the one that has the most. */
static size_t seats_others(const struct world *w, const struct op *op)
{
	const struct view *now = &w->rooms[op->room].mem->now;
	size_t most = 0;
	for (size_t i = 0; i < now->n; i++) {
		const char *user_id = now->users[i].user_id;
		size_t n = 0;
		for (size_t k = 0; k < w->conns_n; k++) {
			const struct conn *c = w->conns[k];
			n += c->server_has && c->serial != op->conn &&
			     seats_may_hold(w, c, op->room, user_id);
		}
		bool is_its = op->user_id[0] == '\0' || strcmp(op->user_id, user_id) == 0;
		most = is_its && n > most ? n : most;
	}
	return most;
}

/* Whether who follows the room on the caller's seat may change by a call that is with the server: its member's own, or one about anybody. */
static bool seats_may_change(const struct world *w, const struct op *leave)
{
	static const struct {
		enum method method;
		bool is_own;
	} rows[] = {
		{METHOD_ROOM_SUBSCRIBE, true},	 {METHOD_ROOM_UNSUBSCRIBE, true},
		{METHOD_ROOM_DELETE_USER, true}, {METHOD_ROOM_KICK, false},
		{METHOD_ROOM_REJECT, false},	 {METHOD_ROOM_DELETE, false},
	};
	for (size_t i = w->ops_first; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
			if (op->method == rows[k].method && op->room == leave->room &&
			    (!rows[k].is_own || op->member == leave->member) && op->is_delivered &&
			    (!op->is_answered || op->is_shadowed)) {
				return true;
			}
		}
	}
	return false;
}

/* Another connection that follows the room on the caller's seat, for certain: that one, or any (0). 0: there is none. */
static uint32_t seats_other(const struct world *w, const struct op *op, uint32_t which)
{
	bool is_known = op->user_id[0] != '\0' && w->rooms[op->room].mem->in_memory &&
			!seats_may_change(w, op);
	for (size_t i = 0; i < w->conns_n && is_known; i++) {
		const struct conn *c = w->conns[i];
		if ((which == 0 || which == c->serial) && c->server_has && c->serial != op->conn &&
		    c->leaving_on[op->room] && strcmp(c->leaving_id[op->room], op->user_id) == 0) {
			return c->serial;
		}
	}
	return 0;
}

static void seats_delivered(struct world *w, struct conn *c, struct op *op)
{
	(void)c;
	bool is_leave = op->method == METHOD_ROOM_LEAVE;
	if ((op->method == METHOD_ROOM_SUBSCRIBE || is_leave) && op->room >= 0) {
		op->others_on_seat = seats_others(w, op);
		op->other_on_seat = is_leave ? seats_other(w, op, 0) : 0;
	}
}

/* A seat is kept for another connection on it, where that was asked for, and only then. */
static void granted_leave(struct world *w, const struct op *op, const struct room_leave_result *r)
{
	bool is_kept = r->is_kept && !planted(w, BREAK_LEAVE_OTHERS, 1);
	bool may_be = op->flag && (op->others_on_seat > 0 || seats_others(w, op) > 0);
	bool must_be =
		op->flag && op->other_on_seat != 0 && seats_other(w, op, op->other_on_seat) != 0;
	if (!op->is_again && (is_kept ? !may_be : must_be)) {
		broken(w, CLAIM_ANSWERS, "%s leaves %s, and the seat is %s",
		       member_name(w, op->member), w->rooms[op->room].id,
		       is_kept ? "kept for nobody" : "given up under another connection");
	}
}

static void seats_granted(struct world *w, struct conn *c, const struct op *op,
			  const union method_result *result)
{
	char pk[32];
	char user_id[20];
	const struct room_subscribe_result *r = &result->ROOM_SUBSCRIBE;
	(void)c;
	if (op->method == METHOD_ROOM_LEAVE && op->room >= 0) {
		granted_leave(w, op, &result->ROOM_LEAVE);
	}
	if (op->method != METHOD_ROOM_SUBSCRIBE || op->room < 0) {
		return;
	}
	struct sim_room *room = &w->rooms[op->room];
	struct slice key = slice_of(pk, (size_t)snprintf(pk, sizeof(pk), "ROOM:%s", room->id));
	if (!view_text(user_id, sizeof(user_id), r->user_id)) {
		broken(w, CLAIM_ANSWERS, "a user_id of another length");
		return;
	}
	if (granted_keeps_since(room, r, user_id) && table_seat(&w->table, key, user_id) == NULL) {
		broken(w, CLAIM_DURABLE, "a user_key is given, and the disk has no such seat");
	}
	granted_key(w, op, r);
}

/* Connections that came or went meanwhile count for the server. */
static bool refused_seat_is_taken(const struct world *w, const struct op *op)
{
	return op->others_on_seat >= MAX_SEAT_CONNECTIONS ||
	       seats_others(w, op) >= MAX_SEAT_CONNECTIONS;
}

static bool seats_excuse(struct world *w, const struct op *op, enum fault_code code)
{
	return op->room >= 0 && ((op->method == METHOD_ROOM_SUBSCRIBE && code == FAULT_TOO_LARGE &&
				  refused_seat_is_taken(w, op)) ||
				 (op->method == METHOD_ROOM_UNSUBSCRIBE && code == FAULT_CONFLICT &&
				  refused_follows_not(w, op)) ||
				 (op->method == METHOD_ROOM_SUBSCRIBE && code == FAULT_ROOM_FULL &&
				  answers_some(w, op, refused_full)));
}

/* Whether it may be carried out for a login: that of its connection when it came, or one that came while it waited. */
static bool is_of_some_login(const struct op *op)
{
	return op->session != 0 || op->is_overtaken || !op->is_settled;
}

/*
 * As it asked to be called; on the seat of its login as that is, whatever it says: of one of its member's, where that is not
 * certain. Where the login came behind it, and before it was carried out for good, either is right: on that login's own seat.
 */
static bool is_called_so(const struct world *w, const struct op *op, const char *name)
{
	bool is_so = view_is_name_for(op->text, name) || !op->is_settled;
	for (size_t i = 0; i < w->sessions.n && !is_so && is_of_some_login(op); i++) {
		const struct session *s = &w->sessions.all[i];
		bool is_its = op->session != 0 || op->user_id[0] == '\0' ||
			      strcmp(op->user_id, s->user_id) == 0;
		is_so = is_its && s->member == op->member && view_is_name_for(s->user_name, name);
	}
	return is_so;
}

static const char *join_lacks(const struct op *op, const union method_result *result,
			      const struct view *v)
{
	const struct view_user *me = view_user_const(v, op->user_id);
	bool is_logins = is_of_some_login(op); /* see is_called_so() */
	return me == NULL || (!is_logins && !view_is_name_for(op->text, me->username)) ||
			       !slice_eq(result->ROOM_JOIN.username, slice_str(me->username)) ||
			       (op->has_role && me->is_spectator != op->flag)
		       ? "the name"
		       : NULL;
}

static const char *leave_lacks(const struct op *op, const union method_result *result,
			       const struct view *v)
{
	const struct view_user *me = view_user_const(v, op->user_id);
	bool is_empty = me != NULL && !me->has_name && !me->has_vote;
	return result->ROOM_LEAVE.is_kept || is_empty ? NULL : "the empty seat";
}

static const char *delete_lacks(const struct op *op, const union method_result *result,
				const struct view *v)
{
	(void)result;
	return view_user_const(v, op->user_id) != NULL ? "the end of the seat" : NULL;
}

static const struct request seat_requests[] = {
	{.method = METHOD_ROOM_SUBSCRIBE, .names_version = true},
	{.method = METHOD_ROOM_UNSUBSCRIBE},
	{.method = METHOD_ROOM_JOIN,
	 .names_version = true,
	 .lacks = join_lacks,
	 .forbidden = has_no_seat,
	 .takes_no_key = true},
	{.method = METHOD_ROOM_LEAVE,
	 .names_version = true,
	 .lacks = leave_lacks,
	 .forbidden = has_no_seat,
	 .takes_no_key = true},
	{.method = METHOD_ROOM_DELETE_USER,
	 .names_version = true,
	 .lacks = delete_lacks,
	 .forbidden = has_no_seat,
	 .takes_no_key = true},
};

/* ---- rules ---- */

static bool rules_joined(const struct change *ch, const struct view_user *was,
			 const struct view_user *u)
{
	size_t at = ch->w->ops_first;
	const struct op *op;
	bool several = ch->after->version > ch->before->version + 1;
	while ((op = rules_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), u->user_id, &at)) != NULL) {
		/* What it does not say it keeps, and that may come from another call carried out in
		 * the same step. */
		bool role = op->has_role ? op->flag == u->is_spectator
					 : was->is_spectator == u->is_spectator || several;
		bool is_bot = op->is_bot ? u->is_bot : was->is_bot == u->is_bot || several;
		if (is_called_so(ch->w, op, u->username) && role && is_bot) {
			return true;
		}
	}
	return false;
}

/* So many seats the room may have had at once: within several changes some came before others were given up. */
static size_t rules_most_seats(const struct change *ch)
{
	size_t before = ch->before->n;
	size_t both = before;
	for (size_t i = 0; i < ch->after->n; i++) {
		both += view_user_const(ch->before, ch->after->users[i].user_id) == NULL;
	}
	size_t least = before > ch->after->n ? before : ch->after->n;
	bool several = ch->after->version > ch->before->version + 1;
	/* One that gives way goes before another comes. */
	return several && both > least + 1 ? both - 1 : least;
}

/* In a full room it gives way to whoever comes, but where a host let it in and none has kicked it since. */
static bool rules_gives_way(const struct change *ch, const struct view_user *u)
{
	bool was_let_in = ch->before->policy.lobby && ch->after->policy.lobby && !u->is_waiting &&
			  !rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK), u->user_id);
	/* Of several changes in one step the first may have been that its user unsubscribed. */
	bool is_away = !u->is_connected ||
		       (ch->after->version > ch->before->version + 1 &&
			rules_has_cause(ch, METHODS_OF(METHOD_ROOM_UNSUBSCRIBE), u->user_id));
	return !was_let_in && (!u->has_name || rules_emptied(ch, u->user_id)) && is_away &&
	       (int64_t)rules_most_seats(ch) >= ch->w->config.limits[LIMIT_ROOM_SEATS] &&
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), NULL);
}

/* Given up and taken again in one step: then nothing is left of what it was. */
static bool rules_is_anew(const struct change *ch, const struct view_user *was,
			  const struct view_user *is)
{
	return ch->after->version > ch->before->version + 1 && !is->is_spectator && !is->is_bot &&
	       rules_gives_way(ch, was) &&
	       rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), is->user_id);
}

/* Since when it is away: from the moment its last connection went, as long as none comes, and the room is not loaded. */
static void rules_away(const struct change *ch, const struct view_user *was,
		       const struct view_user *is)
{
	bool is_loaded = ch->before->version < 0;
	bool is_steady = ch->w->jumps == 0 && !is_loaded && !is->is_connected;
	if (is->is_connected && is->away_since != 0) {
		rules_broken(ch, "since when one is away who is here", is->user_id);
	}
	if (!is_loaded && was->is_connected && !is->is_connected && is->away_since == 0) {
		rules_broken(ch, "no time since which one is away", is->user_id);
	}
	if (is_steady && (is->away_since < was->away_since || is->away_since > ch->w->wall_ms)) {
		rules_broken(ch, "another time since which one is away", is->user_id);
	}
	if (!is_loaded && !was->is_connected && !is->is_connected &&
	    ch->after->version == ch->before->version + 1 && is->away_since != was->away_since) {
		rules_broken(ch, "another start of the same absence", is->user_id);
	}
}

static void rules_seat(const struct change *ch, const struct view_user *was,
		       const struct view_user *is)
{
	rules_away(ch, was, is);
	bool other_name = was->has_name != is->has_name || strcmp(was->username, is->username) != 0;
	if (other_name &&
	    !(is->has_name ? rules_joined(ch, was, is) : rules_emptied(ch, is->user_id))) {
		rules_broken(ch, is->has_name ? "another name" : "the end of the name",
			     is->user_id);
	}
	if ((was->is_spectator != is->is_spectator || was->is_bot != is->is_bot) &&
	    !rules_joined(ch, was, is) && !rules_emptied(ch, is->user_id) &&
	    !rules_is_anew(ch, was, is)) {
		rules_broken(ch, "another role", is->user_id);
	}
}

/* Asks something of strangers: then a kick is for good. */
static bool rules_is_shut(const struct view *v)
{
	return v->policy.locked || v->policy.has_passcode;
}

static void rules_seat_gone(const struct change *ch, const struct view_user *u)
{
	bool unnamed = !u->has_name && rules_was_away(ch, u->user_id, LIMIT_VOTE_GRACE_MS);
	/* Who is taken out of a team loses the seats in its rooms that ask something of strangers. */
	bool is_removed = ch->r->group_id[0] != '\0' &&
			  removal_of(ch->w, ch->r->group_id, u->user_id) != NULL;
	bool is_barred = (rules_is_shut(ch->before) || rules_is_shut(ch->after)) &&
			 rules_has_target(ch, METHODS_OF(METHOD_ROOM_KICK), u->user_id);
	if (!unnamed && !rules_gives_way(ch, u) && !is_barred && !is_removed &&
	    !rules_has_target(ch, METHODS_OF(METHOD_ROOM_REJECT), u->user_id) &&
	    !rules_has_cause(ch, METHODS_OF(METHOD_ROOM_DELETE_USER), u->user_id) &&
	    !rules_grace_is_over(ch, u->user_id, LIMIT_NAME_GRACE_MS)) {
		rules_broken(ch, "the end of the seat", u->user_id);
	}
}

static void rules_seat_new(const struct change *ch, const struct view_user *u)
{
	/* Who follows a room that is loaded again sits down again where the disk has no seat. */
	bool is_back =
		ch->before->version < 0 && room_owner(ch->r, u->user_id) >= 0 &&
		(!u->has_name || rules_has_cause(ch, METHODS_OF(METHOD_ROOM_JOIN), u->user_id));
	if (!is_back && !rules_has_cause(ch, METHODS_OF(METHOD_ROOM_SUBSCRIBE), NULL)) {
		rules_broken(ch, "a new seat", NULL);
	}
}

static void seats_follow(const struct change *ch)
{
	for (size_t i = 0; i < ch->after->n; i++) {
		const struct view_user *was =
			view_user_const(ch->before, ch->after->users[i].user_id);
		if (was == NULL) {
			rules_seat_new(ch, &ch->after->users[i]);
		} else {
			rules_seat(ch, was, &ch->after->users[i]);
		}
	}
	for (size_t i = 0; i < ch->before->n; i++) {
		if (view_user_const(ch->after, ch->before->users[i].user_id) == NULL) {
			rules_seat_gone(ch, &ch->before->users[i]);
		}
	}
}

/* ---- when all is quiet ---- */

static size_t calm_connections(const struct world *w, int room, const char *user_id)
{
	size_t n = 0;
	for (size_t i = 0; i < w->conns_n; i++) {
		const struct conn *c = w->conns[i];
		n += c->server_has && c->leaving_on[room] &&
		     strcmp(c->leaving_id[room], user_id) == 0;
	}
	return n;
}

static void seats_settled(struct world *w, int room)
{
	const struct sim_room *r = &w->rooms[room];
	for (size_t i = 0; i < r->mem->now.n; i++) {
		const struct view_user *u = &r->mem->now.users[i];
		size_t connections = calm_connections(w, room, u->user_id);
		if (connections > MAX_SEAT_CONNECTIONS) {
			broken(w, CLAIM_BOUNDS, "%s has a seat with %zu connections", r->id,
			       connections);
		}
		if (u->is_connected != (connections > 0)) {
			broken(w, CLAIM_RULES, "%s shows a seat as %s that is not", r->id,
			       u->is_connected ? "connected" : "away");
		}
		int64_t since = room_alone_since(w, room, u->user_id);
		int64_t name_ms = room_grace_ms(w, room, u->user_id, LIMIT_NAME_GRACE_MS);
		if (u->has_name && !view_keeps_votes(&r->mem->now) && since != INT64_MAX &&
		    w->mono_ms - since > name_ms + 1100) {
			broken(w, CLAIM_RULES, "%s keeps a name past its grace", r->id);
		}
		if (!u->has_name && since != INT64_MAX &&
		    w->mono_ms - since > w->config.limits[LIMIT_VOTE_GRACE_MS] + 1100) {
			broken(w, CLAIM_RULES, "%s keeps an empty seat past its grace", r->id);
		}
	}
}

static const struct act seat_acts[] = {
	{90, act_join, false},	      {40, act_change_role, false}, {20, act_leave, false},
	{20, act_unsubscribe, false}, {8, act_delete_user, false},  {8, act_subscribe_again, false},
};

const struct feature feature_seats = {
	.name = "seats",
	FEATURE_ROWS(acts, seat_acts),
	FEATURE_ROWS(requests, seat_requests),
	.delivered = seats_delivered,
	.granted = seats_granted,
	.excuses = seats_excuse,
	.follow = seats_follow,
	.settled_room = seats_settled,
};
