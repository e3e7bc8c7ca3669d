/*
 * script.c - scenarios: a text that is both what to do and what must come of it.
 *
 *   # anything          a remark
 *   > ada votes 5       somebody does something, and everything settles
 *   + ada votes 5       the same, but nothing settles yet
 *   ~ ada votes 5       the same, and the server reads it, but the disk does nothing yet
 *
 * All other lines are the trace. Running a scenario writes the same text with
 * the trace it gives now; they must be equal. Members, rooms and versions have
 * names and numbers that do not depend on the seed.
 */
#include "tests/sim/features/data.h"
#include "tests/sim/features/requests.h"
#include "tests/sim/world/acts.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "tests/support/store_mem.h"

struct script {
	struct world *w;
	char *words[12];
	size_t n;
	bool is_elsewhere; /* "ada elsewhere votes 5": on the last of its connections, not the first */
};

static int script_member(const struct script *s)
{
	for (int i = 0; i < SIM_MEMBERS_MAX; i++) {
		if (strcmp(s->w->members[i].name, s->words[0]) == 0) {
			return i;
		}
	}
	return -1;
}

static struct conn *script_conn(const struct script *s, int member)
{
	struct conn *found = NULL;
	for (size_t i = 0; i < s->w->conns_n && (found == NULL || s->is_elsewhere); i++) {
		if (s->w->conns[i]->member == member && s->w->conns[i]->client_has) {
			found = s->w->conns[i];
		}
	}
	return found;
}

static const char *script_word(const struct script *s, size_t i)
{
	return i < s->n ? s->words[i] : "";
}

static bool script_says(const struct script *s, const char *verb)
{
	return strcmp(script_word(s, 1), verb) == 0;
}

/* "connects as the owner": of the server, by its unix socket. */
static void script_connect(const struct script *s, int member)
{
	struct member *m = &s->w->members[member];
	if (strcmp(script_word(s, 4), "owner") == 0) {
		m->peer = (struct peer){.kind = PEER_UNIX, .uid = 1000, .is_owner = true};
		m->has_peer = true;
	}
	struct conn *c = net_open(s->w, member);
	ASSERT(c != NULL);
	send_hello(s->w, c);
}

static const char *script_target(const struct script *s)
{
	for (int i = 0; i < SIM_MEMBERS_MAX; i++) {
		if (strcmp(s->w->members[i].name, script_word(s, 2)) == 0) {
			return s->w->members[i].rooms[0].user_id;
		}
	}
	return "nobody";
}

/* The last call with an idempotency_key once more. */
static bool script_repeats(const struct script *s, struct conn *c)
{
	struct world *w = s->w;
	for (size_t i = w->ops_n; i-- > 0;) {
		if (w->ops[i].member == c->member && w->ops[i].once[0] != '\0') {
			send_again(w, c, i);
			return true;
		}
	}
	return false;
}

static bool script_room_act(const struct script *s, struct conn *c)
{
	struct world *w = s->w;
	const char *word = script_word(s, 2);
	if (script_says(s, "subscribes")) {
		send_subscribe(w, c, 0, false);
	} else if (script_says(s, "resumes")) {
		send_subscribe(w, c, 0, true);
	} else if (script_says(s, "joins")) {
		send_join(w, c, 0, word, word, strcmp(script_word(s, 3), "spectator") == 0, false,
			  NULL);
	} else if (script_says(s, "votes")) {
		send_vote(w, c, 0, word, NULL);
	} else if (script_says(s, "retracts")) {
		send_vote(w, c, 0, NULL, NULL);
	} else if (script_says(s, "reveals") || script_says(s, "hides")) {
		send_reveal(w, c, 0, script_says(s, "reveals"), false, NULL);
	} else if (script_says(s, "arms")) {
		send_arm(w, c, 0, true, false, NULL);
	} else if (script_says(s, "resets")) {
		send_member(w, c, METHOD_ROOM_RESET, 0, false, NULL);
	} else if (script_says(s, "deletes")) {
		send_delete(w, c, 0, false, NULL);
	} else if (script_says(s, "kicks")) {
		send_target(w, c, METHOD_ROOM_KICK, 0, script_target(s), false, NULL);
	} else if (script_says(s, "leaves")) {
		send_leave(w, c, 0, false, NULL);
	} else if (script_says(s, "unsubscribes")) {
		send_unsubscribe(w, c, 0);
	} else if (script_says(s, "gives")) { /* "gives up its seat" */
		send_seat(w, c, METHOD_ROOM_DELETE_USER, 0, NULL);
	} else if (script_says(s, "nudges")) {
		send_nudge(w, c, 0, NULL, NULL);
	} else if (script_says(s, "opens")) { /* "opens all stories" */
		send_open(w, c, 0, true, false, NULL);
	} else if (script_says(s, "adds")) { /* "adds Refunds" */
		send_story_add(w, c, 0, word, NULL, NULL, NULL);
	} else if (script_says(s, "gets")) {
		act_get(w, c, 0);
	} else if (script_says(s, "maps")) {
		send_data(w, c, METHOD_MAP_CREATE, 0, "m", NULL);
	} else {
		return false;
	}
	return true;
}

static bool script_member_acts(const struct script *s, int member)
{
	struct world *w = s->w;
	if (script_says(s, "connects")) {
		script_connect(s, member);
		return true;
	}
	struct conn *c = script_conn(s, member);
	if (c == NULL) {
		return false;
	}
	/* "creates with a key", "asks with a key" */
	const char *once = strcmp(script_word(s, 4), "key") == 0 ? "once-of-a-scenario" : NULL;
	if (script_says(s, "creates")) {
		send_create(w, c, (struct slices){0}, NULL, NULL, once);
	} else if (script_says(s, "asks")) {
		send_ask(w, c, 1, 60, once);
	} else if (script_says(s, "repeats")) {
		return script_repeats(s, c);
	} else if (script_says(s, "logs")) { /* "logs in as ada", "logs in as ada with its key" */
		send_login_as(w, c, script_word(s, 4), strcmp(script_word(s, 7), "key") == 0);
	} else if (script_says(s, "watches")) { /* its sessions */
		send_plain(w, c, METHOD_SESSION_WATCH, -1);
	} else if (script_says(s, "shares")) {
		send_share(w, c, true);
	} else if (script_says(s, "stops")) { /* "stops reading": all that is for it waits */
		c->pipe_bytes = 0;
	} else if (script_says(s, "reads")) {
		c->pipe_bytes = 65536;
	} else if (script_says(s, "vanishes")) {
		net_cut(w, c);
	} else if (script_says(s, "hurries")) {
		c->pace =
			PACE_AT_ONCE; /* what it sends before the server reads comes in one read */
	} else {
		return script_room_act(s, c);
	}
	return true;
}

/* "the next commit fails", "the next answer is lost", "the next answer is lost with the server", "the server crashes",
 * "the disk acts 3 times", "61 seconds pass" */
static bool script_world_acts(const struct script *s)
{
	struct world *w = s->w;
	if (strcmp(script_word(s, 1), "seconds") == 0) {
		world_advance(w, 1000 * strtoll(script_word(s, 0), NULL, 10));
	} else if (strcmp(script_word(s, 2), "commit") == 0) {
		store_mem_fail_commits(w->store, 1, ERR_FULL);
	} else if (strcmp(script_word(s, 2), "answer") == 0) {
		store_mem_lose_answers(w->store, 1);
		w->must_end_unsure = strcmp(script_word(s, 5), "with") == 0;
	} else if (strcmp(script_word(s, 1), "disk") == 0) {
		shell_disk(w, strtoul(script_word(s, 3), NULL, 10));
	} else if (strcmp(script_word(s, 2), "crashes") == 0) {
		shell_crash(w);
	} else if (strcmp(script_word(s, 2), "stops") == 0) {
		shell_stop(w);
	} else {
		return false;
	}
	return true;
}

static bool script_command(struct script *s, char *line)
{
	s->n = 0;
	for (char *word = strtok(line, " "); word != NULL && s->n < 12; word = strtok(NULL, " ")) {
		s->words[s->n++] = word;
	}
	int member = s->n == 0 ? -1 : script_member(s);
	s->is_elsewhere = script_says(s, "elsewhere");
	if (s->is_elsewhere) {
		s->n--;
		memmove(&s->words[1], &s->words[2], (s->n - 1) * sizeof(s->words[0]));
	}
	return member >= 0 ? script_member_acts(s, member) : script_world_acts(s);
}

static void script_deliver(struct world *w)
{
	for (size_t i = 0; i < w->conns_n && !w->is_broken; i++) {
		net_deliver_up_to(w, w->conns[i], w->conns[i]->up.len);
	}
	shell_turn(w);
}

static bool script_line(struct script *s, char *line, FILE *out)
{
	if (line[0] == '#' || line[0] == '\0') {
		fprintf(out, "%s\n", line);
		return true;
	}
	if (line[0] != '>' && line[0] != '+' && line[0] != '~') {
		return true; /* of the trace */
	}
	char kind = line[0];
	fprintf(out, "%s\n", line);
	bool ok = script_command(s, line + 1);
	if (kind == '>') {
		calm_settle(s->w);
	} else if (kind == '~') {
		script_deliver(s->w);
	}
	return ok && !s->w->is_broken;
}

static char *script_read(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	if (f != NULL) {
		text = calloc(1, 65536);
		ASSERT(text != NULL);
		size_t len = fread(text, 1, 65535, f);
		text[len] = '\0';
		fclose(f);
	}
	return text;
}

static bool script_play(char *text, FILE *out, char *why, size_t why_cap)
{
	struct world_options o = {.seed = 1, .is_scripted = true, .trace = out};
	struct script s = {.w = world_create(&o)};
	bool ok = true;
	for (char *line = text; ok && *line != '\0';) {
		char *end = line + strcspn(line, "\n");
		char *next = *end == '\0' ? end : end + 1;
		*end = '\0';
		ok = script_line(&s, line, out);
		if (!ok) {
			snprintf(why, why_cap, "%.80s: %.300s", line,
				 s.w->is_broken ? s.w->why : "not understood");
		}
		line = next;
	}
	if (ok) {
		calm_check(s.w);
		ok = !s.w->is_broken;
		if (!ok) {
			snprintf(why, why_cap, "at the end: %s", s.w->why);
		}
	}
	world_destroy(s.w);
	return ok;
}

/* The first line that is another one, for a person. */
static void script_tell(const char *want, const char *got, char *why, size_t why_cap)
{
	unsigned line = 1;
	const char *a = want;
	const char *b = got;
	while (*want == *got && *want != '\0') {
		if (*want++ == '\n') {
			line++;
			a = want;
			b = got + 1;
		}
		got++;
	}
	snprintf(why, why_cap, "line %u is \"%.*s\", not \"%.*s\"", line, (int)strcspn(b, "\n"), b,
		 (int)strcspn(a, "\n"), a);
}

bool script_run(const char *path, FILE *out, char *why, size_t why_cap)
{
	char *want = script_read(path);
	char *text = script_read(path);
	char *got = NULL;
	size_t len = 0;
	if (want == NULL || text == NULL) {
		snprintf(why, why_cap, "cannot be read");
		return false;
	}
	FILE *to = open_memstream(&got, &len);
	ASSERT(to != NULL);
	bool ok = script_play(text, to, why, why_cap);
	fclose(to);
	if (out != NULL) {
		fputs(got, out);
	} else if (ok && strcmp(want, got) != 0) {
		ok = false;
		script_tell(want, got, why, why_cap);
	}
	free(want);
	free(text);
	free(got);
	return ok;
}
