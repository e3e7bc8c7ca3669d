/*
 * test_data_converge.c - three who change one small list at once: in whatever
 * order their requests arrive, all end with the same list, and nothing in it is
 * lost or doubled.
 *
 * Each writer has a script of two requests, decided before anything arrived.
 * Every interleaving of every three scripts is played, all in one unit of work
 * and each in its own.
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
	size_t entries; /* that there must be */
	bool is_held;
	char list[16];
};

static void begin_list(struct play *p, size_t number)
{
	rig_advance(&p->t->r, 100); /* requests a second are bounded */
	(void)snprintf(p->list, sizeof(p->list), "l%zu", number);
	data_fill(p->writers[0], p->list, "abc");
	for (size_t i = 0; i < 3; i++) {
		(void)snprintf(p->ids[i], sizeof(p->ids[i]), "%s",
			       rig_entry(p->reader, p->list, i));
	}
	p->entries = 3;
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

/* order: of each request, whose it is; 2 for each writer. */
static void play_order(struct play *p, const size_t *picked, const size_t *order)
{
	size_t at[WRITERS] = {0};
	uint32_t msgids[WRITERS * SCRIPT];
	enum act acts[WRITERS * SCRIPT];
	if (p->is_held) {
		rig_hold(&p->t->r);
		rig_send(p->writers[0], "set_title", "'title':'x','host_key':'%s'",
			 p->t->r.host_key);
	}
	for (size_t i = 0; i < WRITERS * SCRIPT; i++) {
		const struct step *s = &scripts[picked[order[i]]][at[order[i]]++];
		msgids[i] = send_step(p, order[i], s);
		acts[i] = s->act;
	}
	if (p->is_held) {
		rig_release(&p->t->r);
	}
	for (size_t i = 0; i < WRITERS * SCRIPT; i++) {
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

static void play_all(struct table *t, bool is_held)
{
	struct play p = {.t = t, .is_held = is_held};
	size_t played = 0;
	p.writers[0] = t->ada;
	p.writers[1] = t->bob;
	p.writers[2] = rig_sit(&t->r, "cy");
	p.reader = rig_sit(&t->r, "dan");
	for (size_t a = 0; a < SCRIPTS; a++) {
		for (size_t b = a; b < SCRIPTS; b++) {
			for (size_t c = b; c < SCRIPTS; c++) {
				const size_t picked[WRITERS] = {a, b, c};
				size_t order[WRITERS * SCRIPT] = {0, 0, 1, 1, 2, 2};
				do {
					begin_list(&p, played++);
					play_order(&p, picked, order);
					check_list(&p);
				} while (next_order(order));
			}
		}
	}
	assert_int_equal(played, 56 * 90);
}

static void test_every_interleaving_of_three_writers_gives_one_list(void **state)
{
	play_all(*state, false);
}

static void test_so_it_does_when_all_of_it_is_one_unit_of_work(void **state)
{
	play_all(*state, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		CLAIM(test_every_interleaving_of_three_writers_gives_one_list),
		CLAIM(test_so_it_does_when_all_of_it_is_one_unit_of_work),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
