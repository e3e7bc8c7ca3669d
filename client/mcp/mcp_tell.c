/*
 * mcp_tell.c - sentences; see mcp_tell.h.
 */
#include "client/mcp/mcp_tell.h"

#include "client/model/questions/question_text.h"
#include "proto/text/utc_time.h"

static int mcp_len(struct slice s)
{
	return (int)s.len;
}

/* "in 3 minutes", to the nearest; where the time now is not known, nothing. */
static void mcp_tell_span(int64_t now_ms, int64_t then_ms, struct buf *out)
{
	int64_t minutes = (then_ms - now_ms + 30000) / 60000;
	if (now_ms <= 0 || then_ms <= now_ms) {
		return;
	}
	if (minutes < 120) {
		(void)buf_printf(out, " (in %lld minute%s)", (long long)minutes,
				 minutes == 1 ? "" : "s");
	} else {
		(void)buf_printf(out, " (in %lld hours)", (long long)((minutes + 30) / 60));
	}
}

static void mcp_tell_until(int64_t expires_at, int64_t now_ms, struct buf *out)
{
	char at[UTC_TIME_CHARS + 1];
	(void)buf_printf(out, "until %s", utc_time(expires_at, at));
	mcp_tell_span(now_ms, expires_at, out);
}

/* Text of people, each line marked as theirs. */
static void mcp_tell_quoted(struct slice text, struct buf *out)
{
	for (size_t at = 0; at < text.len;) {
		const char *end = memchr(text.data + at, '\n', text.len - at);
		size_t len = end == NULL ? text.len - at : (size_t)(end - text.data) - at;
		(void)buf_printf(out, "> %.*s\n", (int)len, text.data + at);
		at += len + 1;
	}
}

/* How it stands, in one line. */
static void mcp_tell_status(const struct question_view *v, int64_t now_ms, struct buf *out)
{
	long long n = v->current_responses;
	long long of = v->required_responses;
	switch (v->status) {
	case QUESTION_OPEN:
	case QUESTION_PARTIAL:
		(void)buf_printf(out, "%lld of %lld answers so far. It is open ", n, of);
		mcp_tell_until(v->expires_at, now_ms, out);
		(void)buf_printf(out, ", or until all have come.\n");
		break;
	case QUESTION_CLOSED:
		(void)buf_printf(out, "It is closed: all %lld answers have come.\n", n);
		break;
	case QUESTION_EXPIRED:
		(void)buf_printf(out, "It has expired: %lld of %lld answers came in time.\n", n,
				 of);
		break;
	case QUESTION_CANCELLED:
		(void)buf_printf(out, "It was cancelled with %lld of %lld answers.\n", n, of);
		break;
	}
	if (n == 0) {
		(void)buf_printf(
			out,
			!question_is_open(v)
				? "Nobody answered. That is neither a yes nor a no.\n"
				: "Nobody has answered yet. That is neither a yes nor a no.\n");
	}
}

static void mcp_tell_next(struct slice id, struct buf *out)
{
	(void)buf_printf(out,
			 "People answer in their own time. Continue with something else, and call "
			 "check_human_responses with question_id \"%.*s\" later; if there is "
			 "nothing else to do, add wait_seconds.\n",
			 mcp_len(id), id.data);
}

void mcp_tell_asked(const struct question_ask_result *asked, const struct question_view *view,
		    int64_t now_ms, struct buf *out)
{
	struct slice id = asked->question_id;
	char state[QUESTION_STATE_BYTES];
	question_asked(asked, state);
	(void)buf_printf(out, "Question asked: %s. Its question_id is \"%.*s\".\n", state,
			 mcp_len(id), id.data);
	if (view != NULL) {
		mcp_tell_status(view, now_ms, out);
	} else {
		(void)buf_printf(out, "It can be answered ");
		mcp_tell_until(asked->expires_at, now_ms, out);
		(void)buf_printf(out, "; its status could not be read now.\n");
	}
	if (view == NULL || question_is_open(view)) {
		mcp_tell_next(id, out);
	} else {
		(void)buf_printf(out, "It was already asked with the same idempotency_key: "
				      "check_human_responses has its answers.\n");
	}
}

static void mcp_tell_response(const struct question_view *v, size_t i, struct buf *out)
{
	const struct response_view *r = &v->responses[i];
	(void)buf_printf(out, "Answer %zu", i + 1);
	if (r->confidence > 0) {
		(void)buf_printf(out, ", confidence: %lld of %d", (long long)r->confidence,
				 MAX_QUESTION_CONFIDENCE);
	}
	if (r->is_fast) {
		(void)buf_printf(out, ", given too fast to be considered");
	}
	(void)buf_printf(out, ":\n");
	if (r->with_selected_option && (size_t)r->selected_option < v->options.n) {
		mcp_tell_quoted(v->options.items[r->selected_option], out);
	}
	mcp_tell_quoted(r->answer, out);
	if (r->comment.len > 0) {
		(void)buf_printf(out, "with the comment:\n");
		mcp_tell_quoted(r->comment, out);
	}
}

void mcp_tell_question(const struct question_view *v, struct slice cursor, int64_t now_ms,
		       struct buf *out)
{
	struct slice id = v->question_id;
	(void)buf_printf(out, "Question \"%.*s\":\n", mcp_len(id), id.data);
	mcp_tell_quoted(v->prompt, out);
	mcp_tell_status(v, now_ms, out);
	if (v->summary_n > 0) {
		(void)buf_printf(out, "Votes:\n");
	}
	for (size_t i = 0; i < v->summary_n; i++) {
		struct slice option = v->summary[i].option;
		(void)buf_printf(out, "%lld: %.*s\n", (long long)v->summary[i].votes,
				 mcp_len(option), option.data);
	}
	for (size_t i = 0; i < v->responses_n; i++) {
		mcp_tell_response(v, i, out);
	}
	if (cursor.len > 0) {
		(void)buf_printf(out,
				 "There are more answers. To read them, call check_human_responses "
				 "again, with the cursor \"%.*s\" as well.\n",
				 mcp_len(cursor), cursor.data);
	}
	if (v->can_answer && v->current_responses > 0) {
		(void)buf_printf(
			out,
			"You did not ask it, so you will see the answers when it has ended.\n");
	}
	if (question_is_open(v)) {
		mcp_tell_next(id, out);
	}
}

/* What a model, or whom it works for, can do about it; NULL: the message says it. */
static const char *const mcp_advice[FAULT_COUNT] = {
	[FAULT_VALIDATION_ERROR] = "Correct the arguments and call again.",
	[FAULT_QUESTION_NOT_FOUND] = "A question is removed some days after it has ended.",
	[FAULT_QUOTA_EXCEEDED] =
		"Read the answers to the open questions, and ask again once a question has ended.",
	[FAULT_NAME_TAKEN] = "The person who runs this program must give it a different name: aye "
			     "mcp --name NAME.",
	[FAULT_UNAUTHENTICATED] = "The person who runs this program must log in, with aye login "
				  "NAME, or give it a name: aye mcp --name NAME.",
};

void mcp_tell_refusal(const struct mcp_tool *tool, const struct fault *f, struct buf *out)
{
	char text[MCP_EXPLAIN_BYTES_MAX];
	const char *advice = mcp_advice[f->code];
	mcp_tool_explain(tool, f, text, sizeof(text));
	(void)buf_printf(out, "%s: %s.", fault_code_name(f->code), text);
	if (f->retry_after_ms > 0) {
		(void)buf_printf(out, " Try again in %lld seconds.",
				 (long long)((f->retry_after_ms + 999) / 1000));
	}
	(void)buf_printf(out, "%s%s", advice == NULL ? "" : " ", advice == NULL ? "" : advice);
}

void mcp_tell_outage(const struct mcp_tool *tool, const char *why, struct slice key, bool was_sent,
		     struct buf *out)
{
	(void)buf_printf(out, "No answer from the server: %s.", why);
	if (tool->is_read_only) {
		(void)buf_printf(out,
				 " The question and its answers are kept. Try again in a minute.");
	} else if (!was_sent) {
		(void)buf_printf(out, " The question was not asked. Try again in a minute.");
	} else {
		(void)buf_printf(out,
				 " It is not known whether the question was asked. Try again in a "
				 "minute with idempotency_key \"%.*s\", and it is not asked twice.",
				 mcp_len(key), key.data);
	}
}
