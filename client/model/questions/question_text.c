/*
 * question_text.c - see question_text.h.
 */
#include "client/model/questions/question_text.h"

#include <assert.h>
#include <string.h>

#include "proto/base/format.h"
#include "proto/text/text.h"

enum { MINUTE_MS = 60 * 1000 };
static const int64_t HOUR_MS = 60 * (int64_t)MINUTE_MS;
static const int64_t DAY_MS = 24 * 60 * (int64_t)MINUTE_MS;

bool question_is_open(const struct question_view *q)
{
	return q->status == QUESTION_OPEN || q->status == QUESTION_PARTIAL;
}

const char *question_word(const struct question_view *q, bool is_mine)
{
	static const char *const states[] = {"open", "open", "closed", "expired", "cancelled"};
	static_assert(sizeof(states) / sizeof(states[0]) == QUESTION_CANCELLED + 1,
		      "each status has a word");
	return is_mine ? states[q->status] : q->audience.n > 0 ? q->audience.items[0].data : "";
}

void question_span(int64_t ms, bool is_short, char *out, size_t cap)
{
	const char *unit = ms < HOUR_MS ? " min" : ms < DAY_MS ? " h" : " d";
	int64_t n = ms < HOUR_MS ? ms / MINUTE_MS : ms < DAY_MS ? ms / HOUR_MS : ms / DAY_MS;
	if (ms < MINUTE_MS) {
		(void)format_to(out, cap, is_short ? "<1m" : "under 1 min");
	} else if (is_short) {
		(void)format_to(out, cap, "%lld%c", (long long)n, unit[1]);
	} else {
		(void)format_to(out, cap, "%lld%s", (long long)n, unit);
	}
}

void question_when(const struct question_view *q, int64_t now_ms, bool is_short, char *out,
		   size_t cap)
{
	char span[24];
	bool is_open = question_is_open(q);
	int64_t ms = is_open ? q->expires_at - now_ms : now_ms - q->closed_at;
	question_span(ms < 0 ? 0 : ms, is_short, span, sizeof(span));
	out[0] = '\0';
	if (now_ms == 0) {
		return;
	}
	if (is_open && ms <= 0) {
		(void)format_to(out, cap, is_short ? "over" : "time is up");
	} else {
		(void)format_to(out, cap, "%s%s", span, is_short ? "" : is_open ? " left" : " ago");
	}
}

void question_one_line(const char *text, char *out, size_t cap)
{
	size_t n = 0;
	for (const char *at = text == NULL ? "" : text; *at != '\0' && n + 1 < cap; at++) {
		bool is_blank = *at == '\n' || *at == '\t' || *at == ' ';
		if (!is_blank || (n > 0 && out[n - 1] != ' ')) {
			out[n++] = is_blank ? ' ' : *at;
		}
	}
	while (n > 0 && n + 1 == cap && ((unsigned char)out[n - 1] & 0x80) != 0) {
		n--; /* a character may have been cut */
	}
	out[n] = '\0';
}

void question_write_responses(const struct question_view *q, struct buf *out)
{
	for (size_t i = 0; i < q->responses_n; i++) {
		const struct response_view *r = &q->responses[i];
		bool is_option = r->with_selected_option && r->selected_option >= 0 &&
				 (uint64_t)r->selected_option < q->options.n;
		const char *between = "";
		if (is_option) {
			(void)buf_printf(out, "%s", q->options.items[r->selected_option].data);
			between = ", ";
		} else if (r->answer.len > 0) {
			(void)buf_printf(out, "%s%s", i > 0 ? "\n" : "", r->answer.data);
			between = "\n";
		}
		if (r->with_confidence) {
			(void)buf_printf(out, "%sconfidence %lld of %d", between,
					 (long long)r->confidence, MAX_QUESTION_CONFIDENCE);
			between = ", ";
		}
		if (r->is_fast) {
			(void)buf_printf(out, "%sfast", between);
		}
		if (r->comment.len > 0) {
			(void)buf_printf(out, "%s%s", is_option ? ": " : "\n", r->comment.data);
		}
		(void)buf_printf(out, "\n");
	}
}

enum { QUESTION_LEFT_BYTES = 64 };

/* Of those who were to answer, so many are still in the room or team: fewer than answers are needed. */
static void question_left(const struct question_view *q, char out[QUESTION_LEFT_BYTES])
{
	if (q->people == 0) {
		(void)format_to(out, QUESTION_LEFT_BYTES, ", nobody left who can answer");
	} else {
		(void)format_to(out, QUESTION_LEFT_BYTES, ", only %lld %s left in the %s",
				(long long)q->people, q->people == 1 ? "person" : "people",
				q->group_id.len > 0 ? "team" : "room");
	}
}

void question_state(const struct question_view *q, int64_t now_ms, char *out, size_t cap)
{
	static const char *const ends[] = {
		[QUESTION_CLOSED] = "closed: ",
		[QUESTION_EXPIRED] = "expired: ",
		[QUESTION_CANCELLED] = "cancelled: ",
	};
	char when[40] = "";
	bool is_open = question_is_open(q);
	if (is_open) {
		question_when(q, now_ms, false, when, sizeof(when));
	}
	if (!is_open && q->current_responses == 0) {
		(void)format_to(out, cap, "%snobody answered, %lld %s needed", ends[q->status],
				(long long)q->required_responses,
				q->required_responses == 1 ? "was" : "were");
	} else {
		char left[QUESTION_LEFT_BYTES] = "";
		if (is_open && q->with_people && q->people < q->required_responses) {
			question_left(q, left);
		}
		(void)format_to(out, cap, "%s%lld of %lld answered%s%s%s",
				is_open ? "" : ends[q->status], (long long)q->current_responses,
				(long long)q->required_responses, left, when[0] == '\0' ? "" : ", ",
				when);
	}
}

void question_asked(const struct question_ask_result *asked, char out[QUESTION_STATE_BYTES])
{
	const long long needed = (long long)asked->required_responses;
	const long long people = (long long)asked->people;
	size_t n = format_to(out, QUESTION_STATE_BYTES, "%lld %s needed; ", needed,
			     needed == 1 ? "answer" : "answers");
	if (people == 0) {
		(void)format_to(out + n, QUESTION_STATE_BYTES - n, "nobody can answer yet");
	} else { /* to everyone, the server counts no further */
		(void)format_to(out + n, QUESTION_STATE_BYTES - n, "%lld%s %s can answer", people,
				people == MAX_QUESTION_RESPONSES ? " or more" : "",
				people == 1 ? "person" : "people");
	}
}

/* So much of a text that may have lines. */
static void question_write_beginning(const char *text, size_t cells, struct buf *out)
{
	char line[FIELD_CHAR_BYTES * MAX_QUESTION_ANSWER_CHARS + 1];
	question_one_line(text, line, sizeof(line));
	size_t fits = text_fit(slice_str(line), cells);
	(void)buf_printf(out, "%.*s%s", (int)fits, line, line[fits] != '\0' ? "..." : "");
}

void question_write_row(const struct question_view *q, int64_t now_ms, struct buf *out)
{
	enum { PROMPT_CELLS = 60 };
	char state[QUESTION_STATE_BYTES];
	question_state(q, now_ms, state, sizeof(state));
	(void)buf_printf(out, "%s  %-29s  %-9s  ", q->question_id.data, state,
			 question_word(q, false));
	question_write_beginning(q->prompt.data, PROMPT_CELLS, out);
	(void)buf_printf(out, "\n");
}

void question_write_answer(const struct answer_view *a, struct buf *out)
{
	enum { PROMPT_CELLS = 40, ANSWER_CELLS = 40 };
	const struct question_view q = {.status = a->status};
	(void)buf_printf(out, "%s  %-9s  ", a->question_id.data,
			 a->with_status ? question_word(&q, true) : "gone");
	if (a->prompt.len > 0) {
		question_write_beginning(a->prompt.data, PROMPT_CELLS, out);
		(void)buf_printf(out, "  ");
	}
	if (a->with_selected_option && a->option.len == 0) {
		(void)buf_printf(out, "choice %lld", (long long)a->selected_option + 1);
	} else {
		question_write_beginning(a->with_selected_option ? a->option.data : a->answer.data,
					 ANSWER_CELLS, out);
	}
	if (a->with_confidence) {
		(void)buf_printf(out, ", confidence %lld of %d", (long long)a->confidence,
				 MAX_QUESTION_CONFIDENCE);
	}
	(void)buf_printf(out, "\n");
}

void question_write_head(const struct question_view *q, int64_t now_ms, struct buf *out)
{
	char state[QUESTION_STATE_BYTES];
	question_state(q, now_ms, state, sizeof(state));
	(void)buf_printf(out, "%s  %s\nasked by %s, for", q->question_id.data, state,
			 q->asked_by.len > 0 ? q->asked_by.data : "someone");
	for (size_t i = 0; i < q->audience.n; i++) {
		(void)buf_printf(out, "%s %s", i == 0 ? "" : ",", q->audience.items[i].data);
	}
	if (q->room_id.len > 0) {
		(void)buf_printf(out, ", in room %s", q->room_id.data);
	} else if (q->group_id.len > 0) {
		(void)buf_printf(out, ", in a team");
	}
	if (q->user_id.len > 0) {
		(void)buf_printf(out, ", %s", q->is_mine ? "to one member" : "to you alone");
	}
	(void)buf_printf(out, "\n\n%s\n", q->prompt.data);
	if (q->options.n > 0 || q->responses_n > 0) {
		(void)buf_printf(out, "\n");
	}
	for (size_t i = 0; i < q->options.n && q->summary_n == 0; i++) {
		(void)buf_printf(out, "%3zu) %s\n", i + 1, q->options.items[i].data);
	}
}

void question_write_answers(const struct question_view *q, struct buf *out)
{
	struct question_view said = *q;
	struct response_view responses[MAX_QUESTION_RESPONSES];
	for (size_t i = 0; i < q->summary_n; i++) {
		(void)buf_printf(out, "%3lld  %s\n", (long long)q->summary[i].votes,
				 q->summary[i].option.data);
	}
	said.responses = responses;
	said.responses_n = 0;
	for (size_t i = 0; i < q->responses_n && i < MAX_QUESTION_RESPONSES; i++) {
		if (q->responses[i].answer.len > 0 || q->responses[i].comment.len > 0) {
			responses[said.responses_n++] = q->responses[i];
		}
	}
	question_write_responses(&said, out);
}

void question_sent(const struct question_answer_result *r, bool with_points,
		   char out[QUESTION_SENT_BYTES])
{
	const size_t cap = QUESTION_SENT_BYTES;
	size_t n = format_to(out, cap, "Your answer was %s", r->is_changed ? "changed" : "sent");
	if (!with_points || r->is_changed) {
		return;
	}
	if (r->points_n == 0) {
		(void)format_to(out + n, cap - n,
				", without points: it was too fast to be considered");
		return;
	}
	n += format_to(out + n, cap - n, ": +%lld %s, %lld in all", (long long)r->points_earned,
		       r->points_earned == 1 ? "point" : "points", (long long)r->total_points);
	if (r->streak_days > 1) {
		n += format_to(out + n, cap - n, ", %lld days in a row", (long long)r->streak_days);
	}
	for (size_t i = 0; i < r->new_badges_n; i++) {
		n += format_to(out + n, cap - n, "%s%.*s", i == 0 ? "; new: " : ", ",
			       (int)r->new_badges[i].name.len, r->new_badges[i].name.data);
	}
}
