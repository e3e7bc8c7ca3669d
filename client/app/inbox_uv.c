/*
 * inbox_uv.c - see inbox_uv.h.
 */
#include "client/app/inbox_uv.h"

#include <string.h>

#include "proto/base/format.h"

#define APP_INBOX_AGAIN_MS ((uint64_t)60 * 1000)

static void app_inbox_on_again(uv_timer_t *timer)
{
	app_inbox_refresh(timer->data);
}

void app_inbox_refresh(struct app_inbox *x)
{
	for (size_t i = 0; i < INBOX_LISTS; i++) {
		feed_refresh(&x->inbox.lists[i]);
	}
	if (x->inbox.read == FEED_IDLE) {
		x->inbox.read = FEED_WANTED;
	}
	app_screen_touch(x->screen); /* what is shown says what is read */
}

/* ---- answers ---- */

/* The question has ended, or was answered elsewhere: it stays on the screen with the reason, and is no more on the list. */
static bool app_inbox_is_over(enum fault_code code)
{
	return code == FAULT_QUESTION_CLOSED || code == FAULT_EXPIRED ||
	       code == FAULT_ALREADY_ANSWERED || code == FAULT_QUESTION_NOT_FOUND;
}

static void app_inbox_on_answered(void *owner, const struct reply *r)
{
	struct app_inbox *x = owner;
	const struct question_answer_params *p = x->answer->params;
	if (r->error == ERR_CLOSED) {
		return; /* app_inbox_use() sends it on the next connection */
	}
	if (r->result != NULL) {
		bool is_shown = inbox_is_sending(&x->inbox);
		inbox_take_answer(&x->inbox, p->question_id);
		if (is_shown) {
			tui_take_answered(x->screen->tui, r->result);
		}
	} else if (app_inbox_is_over(r->fault.code)) {
		inbox_bar(&x->inbox, p->question_id);
	}
	inbox_send(&x->inbox, NULL);
	request_free(x->answer);
	x->answer = NULL;
	if (r->is_refused) {
		app_screen_answer_fault(x->screen, &r->fault);
	}
	app_screen_touch(x->screen);
}

/* False where it cannot be sent now. */
static bool app_inbox_send(struct app_inbox *x, struct request *r, reply_fn *on)
{
	return x->client != NULL && room_client_request(x->client, r, on, x) == OK;
}

/* What is kept until it has its reply, where there is any: if it cannot be sent now it waits for the next connection. */
static void app_inbox_send_kept(struct app_inbox *x, struct request *kept, reply_fn *on)
{
	if (kept != NULL) {
		(void)app_inbox_send(x, kept, on);
	}
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
		app_screen_answer(x->screen, "Not connected. Your answer is sent on reconnect");
	}
	app_inbox_send_kept(x, x->answer, app_inbox_on_answered);
	app_screen_touch(x->screen);
}

/* ---- questions of one's own ---- */

static void app_inbox_on_asked(void *owner, const struct reply *r)
{
	struct app_inbox *x = owner;
	if (r->error == ERR_CLOSED) {
		return; /* app_inbox_use() sends it on the next connection */
	}
	request_free(x->asks);
	x->asks = NULL;
	if (r->result != NULL) {
		feed_refresh(&x->inbox.lists[INBOX_MINE]);
		tui_take_asked(x->screen->tui, r->result);
	}
	if (r->is_refused) {
		app_screen_answer_fault(x->screen, &r->fault);
	}
	app_screen_touch(x->screen);
}

static void app_inbox_ask(struct app_inbox *x, struct request *r)
{
	if (x->asks != NULL) {
		app_screen_answer(x->screen, "Your last question is still being sent");
		return;
	}
	x->asks = request_ref(r);
	if (x->client == NULL) {
		app_screen_answer(x->screen, "Not connected. Your question is sent on reconnect");
	}
	app_inbox_send_kept(x, x->asks, app_inbox_on_asked);
}

static void app_inbox_drop_kept(struct app_inbox *x)
{
	request_free(x->answer);
	request_free(x->asks);
	x->answer = NULL;
	x->asks = NULL;
}

static void app_inbox_clear(struct app_inbox *x)
{
	if (x->answer != NULL || x->asks != NULL) {
		app_screen_say(x->screen, "Not sent: you joined a room on another server");
	}
	app_inbox_drop_kept(x);
	inbox_finish(&x->inbox);
	inbox_init(&x->inbox);
}

void app_inbox_use(struct app_inbox *x, struct room_client *client, const char *server)
{
	bool is_other = client != NULL && strcmp(server, x->server) != 0;
	if (client == x->client && !is_other) {
		return;
	}
	if (x->client != NULL) {
		room_client_forget(x->client, x);
		(void)uv_timer_stop(&x->again);
		inbox_lost(&x->inbox);
	}
	if (is_other) {
		app_inbox_clear(x);
		(void)format_to(x->server, sizeof(x->server), "%s", server);
	}
	x->client = client;
	if (client != NULL) {
		(void)uv_timer_start(&x->again, app_inbox_on_again, APP_INBOX_AGAIN_MS,
				     APP_INBOX_AGAIN_MS);
		app_inbox_send_kept(x, x->answer, app_inbox_on_answered);
		app_inbox_send_kept(x, x->asks, app_inbox_on_asked);
		app_inbox_refresh(x);
	}
}

/* ---- what is read of one, and changed ---- */

/* It stays as it is known where it was refused: the timer asks again. */
static void app_inbox_on_question(void *owner, const struct reply *r)
{
	struct app_inbox *x = owner;
	if (r->error == ERR_CLOSED) {
		return;
	}
	x->inbox.read = FEED_IDLE; /* also where another one is open by now */
	if (r->result != NULL) {
		inbox_take_question(&x->inbox, r->result);
	} else if (x->inbox.question != NULL && app_inbox_is_over(r->fault.code)) {
		inbox_bar(&x->inbox, x->inbox.question->question_id);
	}
	if (r->is_refused) {
		app_screen_answer_fault(x->screen, &r->fault);
	}
	app_screen_touch(x->screen);
}

/* What the lists have on its way may be of before the change. */
static void app_inbox_on_changed(void *owner, const struct reply *r)
{
	struct app_inbox *x = owner;
	app_inbox_refresh(x);
	if (r->is_refused && r->error != ERR_CLOSED) {
		app_screen_answer_fault(x->screen, &r->fault);
	}
}

bool app_inbox_do(struct app_inbox *x, struct request *r)
{
	if (r->method == METHOD_QUESTION_ANSWER) {
		app_inbox_answer(x, r);
	} else if (r->method == METHOD_QUESTION_ASK) {
		app_inbox_ask(x, r);
	} else if (r->method == METHOD_QUESTION_GET) {
		if (app_inbox_send(x, r, app_inbox_on_question)) {
			x->inbox.read = FEED_ASKED;
		}
	} else if (method_rows[r->method].where == WHERE_QUESTION) {
		if (!app_inbox_send(x, r, app_inbox_on_changed)) {
			app_screen_answer(x->screen, "Not connected. Try again in a moment");
			app_inbox_refresh(x);
		}
	} else {
		return false;
	}
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
	app_inbox_drop_kept(x);
	inbox_finish(&x->inbox);
}
