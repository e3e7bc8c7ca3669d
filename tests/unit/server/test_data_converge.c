/*
 * test_data_converge.c - three who change one small list at once: in whatever
 * order their requests arrive, all end with the same list, and nothing in it is
 * lost or doubled.
 *
 * What each writer asks was decided before anything arrived. Played are every
 * three requests there are on a list of two, in every order, and every
 * interleaving of three scripts of two requests each on a list of three; all in
 * one unit of work, and each in its own.
 */
#include "tests/unit/server/data.h"

#define WRITERS 3
#define SCRIPT	2

enum act { ACT_INSERT, ACT_MOVE, ACT_REMOVE };

/* On the entries a, b, c (0, 1, 2) of the list as it was at the beginning. */
struct step {
	enum act act;
	size_t entry; /* that is moved or removed */
	size_t place; /* that it goes to */
	bool is_before;
};

static const struct step scripts[][SCRIPT] = {
	{{ACT_INSERT, 0, 1, true}, {ACT_MOVE, 0, 2, false}},
	{{ACT_MOVE, 2, 0, true}, {ACT_REMOVE, 1, 0, false}},
	{{ACT_REMOVE, 0, 0, false}, {ACT_INSERT, 0, 1, true}},
	{{ACT_MOVE, 1, 2, false}, {ACT_MOVE, 1, 0, true}},
	{{ACT_INSERT, 0, 0, false}, {ACT_REMOVE, 2, 0, false}},
	{{ACT_MOVE, 0, 1, false}, {ACT_INSERT, 0, 0, true}},
};
#define SCRIPTS (sizeof(scripts) / sizeof(scripts[0]))

struct play {
	struct table *t;
	struct rig_peer *writers[WRITERS];
	struct rig_peer *reader;
	char ids[3][32];
	const char *letters; /* what the list begins with */
	size_t entries;	     /* that there must be */
	bool is_held;
	char list[16];
};

static void begin_list(struct play *p, size_t number)
{
	rig_advance(&p->t->r, 100); /* requests a second are bounded */
	(void)snprintf(p->list, sizeof(p->list), "l%zu", number);
	data_fill(p->writers[0], p->list, p->letters);
	p->entries = strlen(p->letters);
	for (size_t i = 0; i < p->entries; i++) {
		(void)snprintf(p->ids[i], sizeof(p->ids[i]), "%s",
			       rig_entry(p->reader, p->list, i));
	}
}

static uint32_t send_step(struct play *p, size_t writer, const struct step *s)
{
	char more[256];
	const char *place = s->is_before ? "before" : "after";
	if (s->act == ACT_INSERT) {
		(void)snprintf(more, sizeof(more), "'value':'%c','%s':'%s'", (char)('x' + writer),
			       place, p->ids[s->place]);
		return data_send(p->writers[writer], "list.insert", p->list, more);
	}
	if (s->act == ACT_MOVE) {
		(void)snprintf(more, sizeof(more), "'entry_id':'%s','%s':'%s'", p->ids[s->entry],
			       place, p->ids[s->place]);
		return data_send(p->writers[writer], "list.move", p->list, more);
	}
	(void)snprintf(more, sizeof(more), "'entry_id':'%s'", p->ids[s->entry]);
	return data_send(p->writers[writer], "list.remove", p->list, more);
}

/* What was acknowledged has happened; what was not, because its entry had gone, has not. */
static void count_outcome(struct play *p, size_t writer, uint32_t msgid, enum act act)
{
	const char *outcome = rig_outcome(p->writers[writer], msgid);
	if (strcmp(outcome, "ok") == 0) {
		p->entries += act == ACT_INSERT;
		p->entries -= act == ACT_REMOVE;
	} else {
		assert_int_equal(strncmp(outcome, "NOT_FOUND ", 10), 0);
	}
}

static size_t count_entries(const char *list)
{
	size_t n = 0;
	for (const char *at = strchr(list, '@'); at != NULL; at = strchr(at + 1, '@')) {
		n++;
	}
	return n;
}

static void check_list(struct play *p)
{
	char sk[32];
	assert_int_equal(count_entries(rig_data(p->reader, "list", p->list)), p->entries);
	char *seen = strdup(p->reader->line);
	assert_string_equal(rig_data_truth(p->reader, "list", p->list), seen);
	free(seen);
	rig_assert_all_same(&p->t->r);
	(void)snprintf(sk, sizeof(sk), "LIST#%s#", p->list);
	assert_int_equal(rig_stored(&p->t->r, sk), p->entries);
	/* As a newcomer has it, and as the table has it in its order. */
	data_must(p->writers[0], "list.delete", p->list, "");
	for (size_t i = 0; i < WRITERS; i++) {
		rig_forget(p->writers[i]);
	}
	rig_forget(p->reader);
}

/* order: of each of the n requests, whose it is. */
static void play_order(struct play *p, const struct step *const *picked, const size_t *order,
		       size_t n)
{
	size_t at[WRITERS] = {0};
	uint32_t msgids[WRITERS * SCRIPT];
	enum act acts[WRITERS * SCRIPT];
	if (p->is_held) {
		rig_hold(&p->t->r);
		rig_send(p->writers[0], "set_title", "'title':'x','host_key':'%s'",
			 p->t->r.host_key);
	}
	for (size_t i = 0; i < n; i++) {
		const struct step *s = &picked[order[i]][at[order[i]]++];
		msgids[i] = send_step(p, order[i], s);
		acts[i] = s->act;
	}
	if (p->is_held) {
		rig_release(&p->t->r);
	}
	for (size_t i = 0; i < n; i++) {
		count_outcome(p, order[i], msgids[i], acts[i]);
	}
}

/* The next order of two 0s, two 1s and two 2s; false after the last. */
static bool next_order(size_t *order)
{
	const size_t n = WRITERS * SCRIPT;
	size_t i = n - 1;
	while (i > 0 && order[i - 1] >= order[i]) {
		i--;
	}
	if (i == 0) {
		return false;
	}
	size_t j = n - 1;
	while (order[j] <= order[i - 1]) {
		j--;
	}
	size_t swap = order[i - 1];
	order[i - 1] = order[j];
	order[j] = swap;
	for (size_t a = i, b = n - 1; a < b; a++, b--) {
		swap = order[a];
		order[a] = order[b];
		order[b] = swap;
	}
	return true;
}

static struct play play_begin(struct table *t, const char *letters, bool is_held)
{
	struct play p = {.t = t, .letters = letters, .is_held = is_held};
	p.writers[0] = t->ada;
	p.writers[1] = t->bob;
	p.writers[2] = rig_sit(&t->r, "cy");
	p.reader = rig_sit(&t->r, "dan");
	return p;
}

/* Everything that can be asked on a list of two. */
static const struct step requests[] = {
	{ACT_INSERT, 0, 0, true},  {ACT_INSERT, 0, 0, false}, {ACT_INSERT, 0, 1, true},
	{ACT_INSERT, 0, 1, false}, {ACT_MOVE, 0, 0, true},    {ACT_MOVE, 0, 1, true},
	{ACT_MOVE, 0, 1, false},   {ACT_MOVE, 1, 0, true},    {ACT_MOVE, 1, 0, false},
	{ACT_MOVE, 1, 1, false},   {ACT_REMOVE, 0, 0, false}, {ACT_REMOVE, 1, 0, false},
};
#define REQUESTS (sizeof(requests) / sizeof(requests[0]))

static void play_every_three(struct table *t, bool is_held)
{
	static const size_t order[WRITERS] = {0, 1, 2};
	struct play p = play_begin(t, "ab", is_held);
	for (size_t i = 0; i < REQUESTS * REQUESTS * REQUESTS; i++) {
		const struct step *const picked[WRITERS] = {
			&requests[i % REQUESTS],
			&requests[i / REQUESTS % REQUESTS],
			&requests[i / REQUESTS / REQUESTS],
		};
		begin_list(&p, i);
		play_order(&p, picked, order, WRITERS);
		check_list(&p);
	}
}

/* promise: converging-lists */
TABLE_TEST(test_every_three_requests_in_every_order_give_one_list, t)
{
	play_every_three(t, false);
}

TABLE_TEST(test_so_they_do_in_one_unit_of_work, t)
{
	play_every_three(t, true);
}

static void play_all(struct table *t, bool is_held)
{
	struct play p = play_begin(t, "abc", is_held);
	size_t played = 0;
	for (size_t a = 0; a < SCRIPTS; a++) {
		for (size_t b = a; b < SCRIPTS; b++) {
			for (size_t c = b; c < SCRIPTS; c++) {
				const struct step *const picked[WRITERS] = {scripts[a], scripts[b],
									    scripts[c]};
				size_t order[WRITERS * SCRIPT] = {0, 0, 1, 1, 2, 2};
				do {
					begin_list(&p, played++);
					play_order(&p, picked, order, WRITERS * SCRIPT);
					check_list(&p);
				} while (next_order(order));
			}
		}
	}
	assert_int_equal(played, 56 * 90);
}

TABLE_TEST(test_every_interleaving_of_three_writers_gives_one_list, t)
{
	play_all(t, false);
}

TABLE_TEST(test_so_it_does_when_all_of_it_is_one_unit_of_work, t)
{
	play_all(t, true);
}
