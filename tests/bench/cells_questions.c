/*
 * cells_questions.c - what questions cost beside many others that are open.
 *
 * One person reads the list page after page, and answers a question of each; an
 * asker reads their own, and the person the boards.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "proto/base/format.h"
#include "tests/bench/cell.h"
#include "tests/bench/filling.h"
#include "tests/bench/machine.h"
#include "tests/bench/requests.h"

#define ASKED	    60 /* by the asker: three pages */
#define READS	    400
#define READS_QUICK 100
#define ID_BYTES    24
#define A_WEEK	    (7L * 86400)

struct visit {
	pid_t server;
	struct net_peer asker, person;
	char cursor[REQUESTS_CURSOR_BYTES];
	char ids[READS][ID_BYTES]; /* a question of each page of the list */
	size_t n;		   /* how often each request is made */
};

/* ---- requests ---- */

static void list(void *arg, size_t i)
{
	struct visit *v = arg;
	requests_text(requests_page(&v->person, "question.list", "", v->cursor), "question_id",
		      v->ids[i], sizeof(v->ids[i]));
}

static void mine(void *arg, size_t i)
{
	struct visit *v = arg;
	(void)i;
	(void)requests_page(&v->asker, "question.mine", "", v->cursor);
}

static void board(void *arg, size_t i)
{
	static const char *const params[] = {"{\"period\":\"daily\"}", "{\"period\":\"weekly\"}",
					     "{\"period\":\"all_time\"}"};
	struct visit *v = arg;
	(void)net_must(&v->person, "leaderboard.get", params[i % 3]);
}

static void answer(void *arg, size_t i)
{
	struct visit *v = arg;
	char params[96];
	format_to(params, sizeof(params), "{\"question_id\":\"%s\",\"selected_option\":0}",
		  v->ids[i]);
	(void)net_must(&v->person, "question.answer", params);
}

static double cpu_us(struct visit *v, void (*request)(void *, size_t))
{
	v->cursor[0] = '\0';
	return requests_cpu_us(v->server, v->n, request, v);
}

/* ---- runs ---- */

static void visit_enter(struct net_peer *p, int port, const char *name)
{
	char params[64]; /* a name of this run: the session of an earlier one may still have it */
	net_peer_open(p, net_connect_tcp("127.0.0.1", port));
	net_hello(p);
	format_to(params, sizeof(params), "{\"user_name\":\"%s %llu\"}", name,
		  (unsigned long long)machine_now_ns());
	(void)net_must(p, "session.login", params);
}

static void run_questions(const struct bench *b, const struct contender *c, struct sample *out)
{
	static struct visit v;
	static const char *const limits[] = {"--limit", "question_lists_per_hour=1000000",
					     "--limit", "answers_per_hour=1000000",
					     "--limit", "answers_per_minute=1000000",
					     NULL};
	struct run r;
	if (!filling_start(b, c, limits, &r, out)) {
		return;
	}
	v = (struct visit){.server = r.server.pid, .n = b->is_quick ? READS_QUICK : READS};
	visit_enter(&v.asker, r.server.port, "Asker");
	visit_enter(&v.person, r.server.port, "Person");
	for (int i = 0; i < ASKED; i++) {
		(void)net_must(&v.asker, "question.ask",
			       "{\"prompt\":\"Shall we ship "
			       "it?\",\"type\":\"multiple_choice\",\"options\":[\"yes\",\"no\"],"
			       "\"timeout_seconds\":60}");
	}
	(void)cpu_us(&v, list); /* the first pages are read from the disk */
	out->figures[FIGURE_LIST_US] = cpu_us(&v, list);
	out->figures[FIGURE_MINE_US] = cpu_us(&v, mine);
	out->figures[FIGURE_ANSWER_US] = cpu_us(&v, answer);
	out->figures[FIGURE_BOARD_US] = cpu_us(&v, board);
	out->is_done = true;
	net_peer_close(&v.asker);
	net_peer_close(&v.person);
	run_stop(&r);
}

#define OPEN(name, n)                                                              \
	{                                                                          \
		name, SERVER_AYE, run_questions, {{0}}, 0, &(const struct filling) \
		{                                                                  \
			.questions = (n), .due_s = A_WEEK                          \
		}                                                                  \
	}

const struct cell cells_questions[] = {
	{"15",
	 "pages of questions and boards, and an answer, beside so many open questions",
	 {OPEN("10,000", 10000), OPEN("100,000", 100000), OPEN("1,000,000", FILLING_LARGE)},
	 {FIGURE_LIST_US, FIGURE_MINE_US, FIGURE_BOARD_US, FIGURE_ANSWER_US},
	 4,
	 {{"CPU per list", FIGURE_LIST_US, "1,000,000", "10,000", false, 1.2},
	  {"CPU per mine", FIGURE_MINE_US, "1,000,000", "10,000", false, 1.2},
	  {"CPU per board", FIGURE_BOARD_US, "1,000,000", "10,000", false, 1.2},
	  {"CPU per answer", FIGURE_ANSWER_US, "1,000,000", "10,000", false, 1.2}}},
	{0},
};
