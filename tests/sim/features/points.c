/*
 * points.c - points, streaks and boards: what each answer on the disk must have earned, counted
 * anew from its question and the answers before; that STATS changes with an answer alone and
 * agrees at all times; that a repeat earns nothing more; what stats show; that a board is made
 * no sooner than it may, from what people have, and is shown as it was made.
 *
 * Everybody's clock here is UTC: test_points.c has the others.
 */
#include "tests/sim/features/feature.h"
#include "tests/sim/features/requests.h"

#include <stdlib.h>
#include <string.h>

#include "proto/base/assert.h"
#include "proto/keys/key_hash.h"

#define MINUTE_MS INT64_C(60000)
#define DAY_MS	  (1440 * MINUTE_MS)

/* ---- the count ---- */

static struct sim_person *person_find(const struct world *w, struct slice fingerprint)
{
	for (size_t i = 0; i < w->points.people_n; i++) {
		if (slice_eq(slice_str(w->points.people[i].fingerprint), fingerprint)) {
			return &w->points.people[i];
		}
	}
	return NULL;
}

static struct sim_person *person_make(struct world *w, struct slice fingerprint)
{
	struct sim_points *p = &w->points;
	struct sim_person *person = person_find(w, fingerprint);
	if (person == NULL) {
		p->people = realloc(p->people, (p->people_n + 1) * sizeof(*p->people));
		ASSERT(p->people != NULL);
		person = &p->people[p->people_n++];
		*person = (struct sim_person){.last_day = -1};
		view_text(person->fingerprint, sizeof(person->fingerprint), fingerprint);
	}
	return person;
}

/* The first day of the period that a time is in; a week's is a Monday. */
static int64_t period_of(enum board_period period, int64_t wall_ms)
{
	int64_t day = wall_ms / DAY_MS;
	return period == BOARD_DAILY ? day : period == BOARD_WEEKLY ? day - (day + 3) % 7 : 0;
}

static int64_t streak_bonus(int64_t days)
{
	return days == 3 ? 10 : days == 7 ? 25 : days == 30 ? 100 : days == 100 ? 500 : 0;
}

/* Count an answer as of that time; what it earns. */
static int64_t person_answers(struct sim_person *person, const struct response_item *r,
			      const struct question_item *q, int64_t notified_at, int64_t wall_ms)
{
	int64_t capped = 0;
	int64_t bonus = 0;
	int64_t today = wall_ms / DAY_MS;
	for (int period = BOARD_DAILY; period <= BOARD_ALL_TIME; period++) {
		struct sim_tally *tally = &person->tally[period];
		int64_t since = period_of((enum board_period)period, wall_ms);
		if (since > tally->since) {
			*tally = (struct sim_tally){.since = since};
			person->capped = period == BOARD_DAILY ? 0 : person->capped;
		}
		tally->answers++;
	}
	if (!r->is_fast) {
		bool is_soon = notified_at > 0 && wall_ms >= notified_at &&
			       wall_ms <= notified_at + 5 * MINUTE_MS;
		capped = (q->type == QUESTION_TEXT ? 10 : 5) + (r->confidence > 0 ? 2 : 0) +
			 (is_soon ? 3 : 0) +
			 (q->required_responses > 2 * q->current_responses ? 5 : 0);
		capped = person->capped + capped > 500 ? 500 - person->capped : capped;
		person->capped += capped;
		if (today > person->last_day) {
			person->streak = today == person->last_day + 1 ? person->streak + 1 : 1;
			person->last_day = today;
			bonus = streak_bonus(person->streak);
		}
	}
	for (int period = BOARD_DAILY; period <= BOARD_ALL_TIME; period++) {
		person->tally[period].points += capped + bonus;
	}
	return capped + bonus;
}

/* What differs between the count and an item; NULL: nothing. */
static const char *person_differs(const struct sim_person *person, const struct stats_item *is)
{
	const struct category_counts *by = &is->answers_by_category;
	const struct sim_tally items[] = {
		[BOARD_DAILY] = {0, is->day_points, is->day_answers},
		[BOARD_WEEKLY] = {0, is->week_points, is->week_answers},
		[BOARD_ALL_TIME] = {0, is->total_points, is->total_answers},
	};
	for (int period = BOARD_DAILY; period <= BOARD_ALL_TIME; period++) {
		const struct sim_tally *tally = &person->tally[period];
		if (tally->points != items[period].points ||
		    tally->answers != items[period].answers) {
			return words_text(&words_board_period, period);
		}
	}
	if (by->technical + by->product + by->ethics + by->creative + by->general !=
	    is->total_answers) {
		return "categories";
	}
	return is->streak_days == person->streak ? NULL : "streak";
}

/* ---- what is on the disk ---- */

/* In the arena, until it is reset. */
static const void *item_of(struct world *w, struct slice pk, struct slice sk, struct slice value)
{
	void *item = NULL;
	struct fault fault;
	enum err e =
		item_decode(item_kind_of(pk, sk), value, RECORD_STRICT, &w->arena, &item, &fault);
	ASSERT_CMP(e, ==, OK);
	return item;
}

/* The item that a commit writes of a kind; NULL: none. */
static const struct store_op *put_of(const struct sim_commit *c, enum item_kind kind)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind == STORE_PUT && item_kind_of(op->pk, op->sk) == kind) {
			return op;
		}
	}
	return NULL;
}

static int64_t notified_at(struct world *w, struct slice question_pk, struct slice fingerprint)
{
	char sk[64];
	size_t len = (size_t)snprintf(sk, sizeof(sk), "NOTIFIED:%.*s", (int)fingerprint.len,
				      fingerprint.data);
	const struct table_row *row = table_find(&w->table, question_pk, slice_of(sk, len));
	const struct notified_item *item = row == NULL
						   ? NULL
						   : item_of(w, question_pk, slice_of(sk, len),
							     slice_of(row->value, row->value_len));
	return item == NULL ? 0 : item->created_on;
}

static bool is_on_disk(const struct world *w, const struct store_op *op)
{
	const struct table_row *row = table_find(&w->table, op->pk, op->sk);
	return row != NULL && slice_eq(slice_of(row->value, row->value_len), op->value);
}

/* What an answer that was counted has earned; NULL: it has not been counted. */
static const struct sim_earned *earned_find(const struct sim_points *p, struct slice response_id)
{
	for (size_t i = 0; i < p->earned_n; i++) {
		if (slice_eq(slice_str(p->earned[i].response_id), response_id)) {
			return &p->earned[i];
		}
	}
	return NULL;
}

/* Whoever is deleted has earned nothing, and neither have they where the commit was made before it was known. */
static void points_forget(struct world *w, const struct sim_commit *c, bool is_made)
{
	struct sim_points *p = &w->points;
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		struct sim_person *person = NULL;
		if (op->kind == STORE_DELETE && item_kind_of(op->pk, op->sk) == ITEM_STATS &&
		    (is_made || table_find(&w->table, op->pk, op->sk) == NULL)) {
			person = person_find(w, slice_of(op->pk.data + 6, op->pk.len - 6));
		}
		if (person != NULL) {
			*person = p->people[--p->people_n];
			p->forgotten_n++;
		}
	}
}

/* An answer that goes leaves what it has earned, and may be given again. */
static void answers_forget(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		const struct table_row *row =
			op->kind != STORE_DELETE || item_kind_of(op->pk, op->sk) != ITEM_RESPONSE
				? NULL
				: table_find(&w->table, op->pk, op->sk);
		if (row == NULL) {
			continue;
		}
		arena_reset(&w->arena);
		const struct response_item *r =
			item_of(w, op->pk, op->sk, slice_of(row->value, row->value_len));
		for (size_t k = 0; k < w->points.earned_n; k++) {
			if (slice_eq(slice_str(w->points.earned[k].response_id), r->response_id)) {
				w->points.earned[k].response_id[0] = '\0';
			}
		}
	}
}

/* How many people have so many points of the period that a time is in, or more. */
static size_t people_with(const struct world *w, enum board_period period, int64_t wall_ms,
			  int64_t points)
{
	size_t n = 0;
	for (size_t i = 0; i < w->points.people_n; i++) {
		const struct sim_tally *tally = &w->points.people[i].tally[period];
		n += tally->since == period_of(period, wall_ms) && tally->points >= points;
	}
	return n;
}

/* What has become of people since the board was read can only have made more of them, but for those who are deleted. */
static void board_made(struct world *w, enum board_period period, const struct board_item *was,
		       const struct board_item *now)
{
	size_t people = 0;
	if (was != NULL && now->made_at == was->made_at) {
		return; /* put off */
	}
	if (was != NULL && now->made_at < was->expires_at) {
		broken(w, CLAIM_RULES, "a board is made before its time");
	}
	for (size_t i = 0; i < now->places_n; i++) {
		const struct place_item *place = &now->places[i];
		people += (size_t)place->people;
		if (place->points % w->config.limits[LIMIT_BOARD_STEP] != 0 ||
		    (i > 0 && place->points >= now->places[i - 1].points)) {
			broken(w, CLAIM_RULES, "a board has a place of %lld points",
			       (long long)place->points);
		}
		if (place->people < w->config.limits[LIMIT_BOARD_PEOPLE] ||
		    people > people_with(w, period, now->made_at, place->points) +
				     w->points.forgotten_n) {
			broken(w, CLAIM_RULES, "a board has %lld people with %lld points",
			       (long long)place->people, (long long)place->points);
		}
	}
}

static void boards_made(struct world *w, const struct sim_commit *c)
{
	for (size_t i = 0; c->room < 0 && i < c->n; i++) {
		const struct store_op *op = &c->ops[i];
		if (op->kind != STORE_PUT || item_kind_of(op->pk, op->sk) != ITEM_BOARD) {
			continue;
		}
		int period =
			words_find(&words_board_period, slice_of(op->pk.data + 6, op->pk.len - 6));
		const struct table_row *row = table_find(&w->table, op->pk, op->sk);
		w->points.boards_n++;
		arena_reset(&w->arena);
		if (period < 0) {
			broken(w, CLAIM_RULES, "a board of no period");
		} else if (!w->is_batched) {
			board_made(w, (enum board_period)period,
				   row == NULL ? NULL
					       : item_of(w, op->pk, op->sk,
							 slice_of(row->value, row->value_len)),
				   item_of(w, op->pk, op->sk, op->value));
		}
	}
}

/* An answer and what it earns are one commit; with the question, which counts the answer by then. */
static void points_earn(struct world *w, const struct sim_commit *c)
{
	const struct store_op *response = put_of(c, ITEM_RESPONSE);
	const struct store_op *stats = put_of(c, ITEM_STATS);
	const struct store_op *question = put_of(c, ITEM_QUESTION);
	if (response == NULL || stats == NULL || question == NULL) {
		broken(w, CLAIM_RULES,
		       "a commit has one of an answer, its points and its question");
		return;
	}
	arena_reset(&w->arena);
	const struct response_item *r = item_of(w, response->pk, response->sk, response->value);
	const struct stats_item *is = item_of(w, stats->pk, stats->sk, stats->value);
	struct question_item q;
	memcpy(&q, item_of(w, question->pk, question->sk, question->value), sizeof(q));
	q.current_responses--;
	if (!slice_eq(slice_of(stats->pk.data + 6, stats->pk.len - 6), r->fingerprint_hash)) {
		broken(w, CLAIM_RULES, "points are given for another's answer");
		return;
	}
	struct sim_points *p = &w->points;
	struct sim_person *person = person_make(w, r->fingerprint_hash);
	int64_t notified = notified_at(w, response->pk, r->fingerprint_hash);
	int64_t points = person_answers(person, r, &q, notified, is->updated_on);
	const char *differs = person_differs(person, is);
	if (differs != NULL) {
		broken(w, CLAIM_RULES, "an answer that earns %lld of %lld: other points (%s)",
		       (long long)points, (long long)person->tally[BOARD_ALL_TIME].points, differs);
	}
	p->earned = realloc(p->earned, (p->earned_n + 1) * sizeof(*p->earned));
	ASSERT(p->earned != NULL);
	struct sim_earned *earned = &p->earned[p->earned_n++];
	*earned = (struct sim_earned){.points = points,
				      .total = person->tally[BOARD_ALL_TIME].points};
	view_text(earned->response_id, sizeof(earned->response_id), r->response_id);
}

/* An answer that is there already is changed, and that earns nothing. */
static void points_count(struct world *w, const struct sim_commit *c)
{
	const struct store_op *response = put_of(c, ITEM_RESPONSE);
	const struct store_op *stats = put_of(c, ITEM_STATS);
	bool is_change =
		response != NULL && table_find(&w->table, response->pk, response->sk) != NULL;
	points_forget(w, c, true);
	answers_forget(w, c);
	boards_made(w, c);
	if (w->is_batched || (response == NULL && stats == NULL)) {
		return; /* of several answers of a person only what they earned together is seen */
	}
	if (!is_change) {
		points_earn(w, c);
	} else if (stats != NULL || planted(w, BREAK_POINTS_AGAIN, 1)) {
		broken(w, CLAIM_RULES, "a changed answer earns points again");
	}
}

/*
 * Count what was on its way if it is there; but not again a commit whose outcome the server did
 * not learn, and which was on its way a second time, nor the same answer from two sessions.
 */
static void points_recover(struct world *w, const struct sim_commit *c)
{
	const struct store_op *response = put_of(c, ITEM_RESPONSE);
	const struct store_op *stats = put_of(c, ITEM_STATS);
	if (response == NULL || stats == NULL ||
	    (!is_on_disk(w, response) && !is_on_disk(w, stats))) {
		return; /* a change has no points; and may have come after the answer */
	}
	arena_reset(&w->arena);
	const struct response_item *r = item_of(w, response->pk, response->sk, response->value);
	if (earned_find(&w->points, r->response_id) == NULL) {
		points_earn(w, c);
	}
}

/* After a crash: all that was counted is there, and nothing else. */
static void points_hold(struct world *w)
{
	size_t n = 0;
	if (w->is_batched) {
		return;
	}
	for (const struct sim_commit *c = w->commits; c != NULL; c = c->next) {
		points_forget(w, c, false);
		points_recover(w, c);
	}
	TABLE_EACH (&w->table, ITEM_STATS, row) {
		arena_reset(&w->arena);
		const struct sim_person *person =
			person_find(w, slice_of(row->pk + 6, row->pk_len - 6));
		const struct stats_item *is = item_of(w, row_pk(row), SLICE("STATS"),
						      slice_of(row->value, row->value_len));
		const char *differs = person == NULL ? "person" : person_differs(person, is);
		n++;
		if (differs != NULL) {
			broken(w, CLAIM_RULES, "points on the disk that nobody earned (%s)",
			       differs);
		}
	}
	if (n != w->points.people_n) {
		broken(w, CLAIM_RULES, "%zu of %zu have points on the disk", n, w->points.people_n);
	}
}

/* ---- answers leave ---- */

static size_t points_changes(const struct world *w)
{
	return w->points.earned_n + w->points.forgotten_n + w->points.boards_n;
}

static void points_delivered(struct world *w, struct conn *c, struct op *op)
{
	(void)c;
	if (op->method == METHOD_STATS_GET || op->method == METHOD_LEADERBOARD_GET) {
		op->value = points_changes(w);
	}
}

/* The count of who asked; NULL: they have answered nothing, or it is not certain who they are. */
static const struct sim_person *person_of_op(const struct world *w, const struct op *op)
{
	if (!op->is_settled || op->session == 0) {
		return NULL;
	}
	struct key_text fingerprint = key_hash(w->config.server_key, "fingerprint",
					       slice_str(w->sessions.all[op->session - 1].user_id));
	return person_find(w, slice_str(fingerprint.text));
}

/* Nobody has earned anything, and no day has begun, since it was asked. */
static bool is_unchanged(const struct world *w, const struct op *op)
{
	return op->value == points_changes(w) && op->jumps_before == w->jumps &&
	       op->delivered_wall / DAY_MS == w->wall_ms / DAY_MS && !w->is_lagging;
}

/* The board as it is shown now; NULL: none was made of this time. */
static const struct board_item *board_now(struct world *w, enum board_period period)
{
	char pk[32];
	size_t len = (size_t)snprintf(pk, sizeof(pk), "BOARD:%s",
				      words_text(&words_board_period, (int)period));
	const struct table_row *row = table_find(&w->table, slice_of(pk, len), SLICE("BOARD"));
	const struct board_item *board = row == NULL
						 ? NULL
						 : item_of(w, slice_of(pk, len), SLICE("BOARD"),
							   slice_of(row->value, row->value_len));
	bool is_of_now = board != NULL && board->made_at > 0 &&
			 period_of(period, board->made_at) == period_of(period, w->wall_ms);
	return is_of_now ? board : NULL;
}

static int64_t rank_of(const struct board_item *board, int64_t points)
{
	int64_t rank = 1;
	for (size_t i = 0; board != NULL && i < board->places_n; i++) {
		if (board->places[i].points <= points) {
			return rank;
		}
		rank += board->places[i].people;
	}
	return 0;
}

static void board_judge(struct world *w, const struct op *op,
			const struct leaderboard_get_result *r)
{
	enum board_period period = (enum board_period)op->token;
	const struct sim_person *own = person_of_op(w, op);
	if (!is_unchanged(w, op)) {
		return;
	}
	const struct board_item *board = board_now(w, period);
	size_t places = board == NULL ? 0 : board->places_n;
	int64_t rank = 1;
	if (r->entries_n != (places < 10 ? places : 10)) {
		broken(w, CLAIM_RULES, "a board shows %zu of %zu places", r->entries_n, places);
		return;
	}
	for (size_t i = 0; i < r->entries_n; i++) {
		const struct board_entry *e = &r->entries[i];
		const struct place_item *place = &board->places[i];
		if (e->rank != rank || e->people != place->people || e->points != place->points ||
		    e->is_me != (e->rank == r->your_rank)) {
			broken(w, CLAIM_RULES, "a board shows %lld people with %lld points",
			       (long long)e->people, (long long)e->points);
		}
		rank += place->people;
	}
	if (own != NULL) {
		const struct sim_tally *tally = &own->tally[period];
		bool is_listed = tally->since == period_of(period, w->wall_ms);
		if (r->your_points != (is_listed ? tally->points : 0) ||
		    r->your_rank != (is_listed ? rank_of(board, tally->points) : 0)) {
			broken(w, CLAIM_RULES, "a board says %lld points at rank %lld",
			       (long long)r->your_points, (long long)r->your_rank);
		}
	}
}

static void stats_judge(struct world *w, const struct op *op, const struct stats_get_result *stats)
{
	const struct sim_person *own = person_of_op(w, op);
	if (own == NULL || !is_unchanged(w, op)) {
		return;
	}
	const struct sim_tally *all = &own->tally[BOARD_ALL_TIME];
	bool goes_on = own->last_day >= w->wall_ms / DAY_MS - 1;
	if (stats->total_points != all->points || stats->total_answers != all->answers ||
	    stats->streak_days != (goes_on ? own->streak : 0) ||
	    stats->rank != rank_of(board_now(w, BOARD_ALL_TIME), all->points)) {
		broken(w, CLAIM_RULES, "stats say %lld points of %lld",
		       (long long)stats->total_points, (long long)all->points);
	}
}

static void answer_judge(struct world *w, const struct question_answer_result *a)
{
	const struct sim_earned *earned = earned_find(&w->points, a->response_id);
	if (a->is_changed && (a->points_earned != 0 || a->points_n > 0 || a->new_badges_n > 0)) {
		broken(w, CLAIM_RULES, "a changed answer says that it earned %lld",
		       (long long)a->points_earned);
	} else if (earned != NULL && !a->is_changed &&
		   (a->points_earned != earned->points || a->total_points != earned->total)) {
		broken(w, CLAIM_RULES, "an answer that earned %lld of %lld says %lld of %lld",
		       (long long)earned->points, (long long)earned->total,
		       (long long)a->points_earned, (long long)a->total_points);
	}
}

static void points_granted(struct world *w, struct conn *c, const struct op *op,
			   const union method_result *result)
{
	(void)c;
	if (w->is_batched) {
		return;
	}
	if (op->method == METHOD_LEADERBOARD_GET) {
		board_judge(w, op, &result->LEADERBOARD_GET);
	} else if (op->method == METHOD_STATS_GET) {
		stats_judge(w, op, &result->STATS_GET);
	} else if (op->method == METHOD_QUESTION_ANSWER) {
		answer_judge(w, &result->QUESTION_ANSWER);
	}
}

static void points_judge(struct world *w, struct conn *c, const struct op *op,
			 const struct fault *f)
{
	(void)c;
	bool is_excused = f->code == FAULT_UNAVAILABLE &&
			  (op->faults_before != w->faults || w->node->is_stopping ||
			   w->commits != NULL || w->nodes_n > 1);
	if (!is_excused && f->code != FAULT_UNAUTHENTICATED && f->code != FAULT_RATE_LIMITED) {
		broken(w, CLAIM_RULES, "%s is refused without a reason: %s",
		       method_rows[op->method].name, fault_code_name(f->code));
	}
}

static const struct request points_requests[] = {
	{.method = METHOD_STATS_GET, .refused = points_judge},
	{.method = METHOD_LEADERBOARD_GET, .refused = points_judge},
};

/* ---- acts ---- */

static void act_look(struct world *w, struct conn *c, int room)
{
	struct op about = {.token = dice_below(&w->dice, WORDS_COUNT(board_period))};
	struct leaderboard_get_params board = {.period = (enum board_period)about.token,
					       .with_period = true};
	(void)room;
	if (session_of_conn(w, c) == NULL) {
		return;
	}
	if (dice_percent(&w->dice, 50)) {
		send_op(w, c, METHOD_LEADERBOARD_GET, -1, &board, &about);
	} else {
		struct nothing none = {.end_of_record = 0};
		send_op(w, c, METHOD_STATS_GET, -1, &none, &about);
	}
}

static const struct act points_acts[] = {
	{8, act_look, false},
};

static void points_finish(struct world *w)
{
	free(w->points.people);
	free(w->points.earned);
}

const struct feature feature_points = {
	.name = "points",
	FEATURE_ROWS(desk_acts, points_acts),
	.is_in_clusters = true,
	FEATURE_ROWS(requests, points_requests),
	.delivered = points_delivered,
	.granted = points_granted,
	.commit_before = points_count,
	.table = points_hold,
	.finish = points_finish,
};
