/*
 * inbox_uv.c - see inbox_uv.h.
 */
#include "client/app/inbox_uv.h"

#include "client/model/memory.h"

#define APP_INBOX_AGAIN_MS ((uint64_t)60 * 1000)

static void app_inbox_on_again(uv_timer_t *timer)
{
	app_inbox_refresh(timer->data);
}

void app_inbox_refresh(struct app_inbox *x)
{
	inbox_refresh(&x->inbox, INBOX_WAITING);
	inbox_refresh(&x->inbox, INBOX_MINE);
	if (x->inbox.read == INBOX_READ) {
		x->inbox.read = INBOX_WANTED;
	}
	app_screen_touch(x->screen); /* what is shown says what is read */
}

/* Where it cannot be sent now it waits for the next connection. */
static void app_inbox_send_answer(struct app_inbox *x)
{
	if (x->answer != NULL && x->client != NULL) {
		enum err e = room_client_request(x->client, x->answer, NULL);
		(void)e; /* as if it were lost on the way */
	}
}

void app_inbox_use(struct app_inbox *x, struct room_client *client)
{
	bool is_other = client != x->client;
	x->client = client;
	if (client == NULL) {
		(void)uv_timer_stop(&x->again);
		inbox_lost(&x->inbox);
	} else if (is_other) {
		(void)uv_timer_start(&x->again, app_inbox_on_again, APP_INBOX_AGAIN_MS,
				     APP_INBOX_AGAIN_MS);
		app_inbox_send_answer(x);
		app_inbox_refresh(x);
	}
}

/* ---- requests ---- */

static enum inbox_read *app_inbox_read_of(struct app_inbox *x, enum method method)
{
	return method == METHOD_QUESTION_LIST	? &x->inbox.lists[INBOX_WAITING].read
	       : method == METHOD_QUESTION_MINE ? &x->inbox.lists[INBOX_MINE].read
	       : method == METHOD_QUESTION_GET	? &x->inbox.read
						: NULL;
}

static void app_inbox_answer(struct app_inbox *x, struct request *r)
{
	const struct question_answer_params *p = r->params;
	if (x->answer != NULL) {
		return; /* the screen sends one after the other */
	}
	x->answer = request_ref(r);
	inbox_send(&x->inbox, p->question_id.data);
	if (x->client == NULL) {
		app_screen_answer(x->screen, "No connection: your answer is sent when it is back");
	}
	app_inbox_send_answer(x);
	app_screen_touch(x->screen);
}

bool app_inbox_do(struct app_inbox *x, struct request *r)
{
	enum inbox_read *read = app_inbox_read_of(x, r->method);
	if (r->method == METHOD_QUESTION_ANSWER) {
		app_inbox_answer(x, r);
		return true;
	}
	if (read == NULL && r->method != METHOD_QUESTION_SKIP) {
		return false;
	}
	enum err e = x->client == NULL ? ERR_CLOSED : room_client_request(x->client, r, NULL);
	if (read != NULL && e == OK) {
		*read = INBOX_ASKED;
	} else if (read == NULL && e != OK) {
		app_screen_answer(x->screen, "No connection: try again in a moment");
		inbox_refresh(&x->inbox, INBOX_WAITING);
	}
	return true;
}

/* ---- their ends ---- */

/* The result in *out, with its texts in the arena; false where it is none of the method's. */
static bool app_inbox_result(const struct event *event, struct arena *arena, void *out)
{
	struct fault ignored;
	return event->value != NULL &&
	       memory_check(record_from_object(method_rows[event->method].result, event->value,
					       RECORD_LENIENT, arena, out, &ignored)) == OK;
}

static void app_inbox_take_page(struct app_inbox *x, const struct event *event)
{
	enum inbox_which which = event->method == METHOD_QUESTION_MINE ? INBOX_MINE : INBOX_WAITING;
	struct arena arena = {0};
	struct question_list_result page;
	if (app_inbox_result(event, &arena, &page)) {
		inbox_take_page(&x->inbox, which, &page);
	} else {
		x->inbox.lists[which].read = INBOX_READ;
	}
	arena_finish(&arena);
}

static void app_inbox_take_question(struct app_inbox *x, const struct event *event)
{
	struct arena arena = {0};
	struct question_get_result r;
	x->inbox.read = INBOX_READ;
	if (app_inbox_result(event, &arena, &r)) {
		inbox_take_question(&x->inbox, &r);
	}
	arena_finish(&arena);
}

/* The end of an answer, either way. */
static void app_inbox_forget_answer(struct app_inbox *x)
{
	inbox_send(&x->inbox, NULL);
	request_free(x->answer);
	x->answer = NULL;
}

static void app_inbox_take_answer(struct app_inbox *x, const struct event *event)
{
	struct arena arena = {0};
	struct question_answer_result r;
	const struct question_answer_params *p = x->answer->params;
	if (app_inbox_result(event, &arena, &r)) {
		bool is_shown = inbox_is_sending(&x->inbox);
		inbox_take_answer(&x->inbox, p->question_id, &r);
		if (is_shown) {
			tui_take_answered(x->screen->tui);
		}
	}
	app_inbox_forget_answer(x);
	arena_finish(&arena);
}

/* The question has ended, or was answered elsewhere: it stays on the screen with the reason, and is no more on the list. */
static bool app_inbox_is_over(enum fault_code code)
{
	return code == FAULT_QUESTION_CLOSED || code == FAULT_EXPIRED ||
	       code == FAULT_ALREADY_ANSWERED || code == FAULT_QUESTION_NOT_FOUND;
}

static void app_inbox_take_refusal(struct app_inbox *x, const struct event *event)
{
	enum inbox_read *read = app_inbox_read_of(x, event->method);
	bool is_lost = event->error != OK;
	if (is_lost) {
		return; /* app_inbox_use() goes on with the next connection */
	}
	if (read != NULL) {
		*read = INBOX_READ; /* as it is known; the timer asks again */
	}
	if (event->method == METHOD_QUESTION_ANSWER) {
		const struct question_answer_params *p = x->answer->params;
		if (app_inbox_is_over(event->fault->code)) {
			inbox_bar(&x->inbox, p->question_id);
		}
		app_inbox_forget_answer(x);
	} else if (event->method == METHOD_QUESTION_GET && x->inbox.question != NULL &&
		   app_inbox_is_over(event->fault->code)) {
		inbox_bar(&x->inbox, x->inbox.question->question_id);
	} else if (event->method == METHOD_QUESTION_SKIP) {
		inbox_refresh(&x->inbox, INBOX_WAITING);
	}
	app_screen_answer_fault(x->screen, event->fault);
}

bool app_inbox_take_event(struct app_inbox *x, const struct event *event)
{
	bool is_ours = app_inbox_read_of(x, event->method) != NULL ||
		       event->method == METHOD_QUESTION_ANSWER ||
		       event->method == METHOD_QUESTION_SKIP;
	if ((event->kind != EVENT_ANSWER && event->kind != EVENT_REFUSAL) || !is_ours) {
		return false;
	}
	if (event->method == METHOD_QUESTION_ANSWER && x->answer == NULL) {
		return true; /* sent twice, and ended by the first of its answers */
	}
	if (event->kind == EVENT_REFUSAL) {
		app_inbox_take_refusal(x, event);
	} else if (event->method == METHOD_QUESTION_ANSWER) {
		app_inbox_take_answer(x, event);
	} else if (event->method == METHOD_QUESTION_GET) {
		app_inbox_take_question(x, event);
	} else if (event->method == METHOD_QUESTION_SKIP) {
		inbox_refresh(&x->inbox,
			      INBOX_WAITING); /* a list that is on its way may have it yet */
	} else {
		app_inbox_take_page(x, event);
	}
	app_screen_touch(x->screen);
	return true;
}

/* ---- life ---- */

void app_inbox_init(struct app_inbox *x, struct app_screen *screen)
{
	*x = (struct app_inbox){.screen = screen};
	inbox_init(&x->inbox);
	(void)uv_timer_init(&screen->loop->uv, &x->again);
	x->again.data = x;
}

void app_inbox_close(struct app_inbox *x)
{
	uv_close((uv_handle_t *)&x->again, NULL);
	request_free(x->answer);
	inbox_finish(&x->inbox);
}
