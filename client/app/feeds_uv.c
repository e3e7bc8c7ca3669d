/*
 * feeds_uv.c - see feeds_uv.h.
 */
#include "client/app/feeds_uv.h"

#include "client/acts/fault_words.h"

static void app_feeds_drop(struct app_feed_read *read)
{
	request_free(read->request);
	read->request = NULL;
	read->feed = NULL;
}

static void app_feeds_on_page(void *owner, const struct reply *r)
{
	struct app_feed_read *read = owner;
	struct app_feeds *x = read->x;
	struct feed *feed = read->feed;
	char why[FAULT_WORDS_BYTES_MAX];
	if (r->result != NULL) {
		feed_take(feed, read->request, r->result);
		if (request_is_partial(r->method, r->result)) {
			app_screen_say(x->screen, "Some entries are damaged on the server");
		}
	} else if (r->error != ERR_CLOSED) { /* what is lost is read on the next connection */
		fault_words(&r->fault, why);
		feed_take_refusal(feed, read->request, why, r->fault.retry_after_ms);
		x->on_refusal(x->owner, feed);
		if (!feed->kind->is_quiet) {
			app_screen_answer_fault(x->screen, &r->fault);
		}
	}
	app_feeds_drop(read);
	app_screen_touch(x->screen);
}

void app_feeds_read(struct app_feeds *x, struct feed *feed, struct request *r)
{
	struct app_feed_read *read = NULL;
	for (size_t i = 0; i < APP_FEEDS_READ_MAX; i++) {
		if (x->reads[i].feed == feed) { /* it waits for something else by now */
			room_client_forget(x->client, &x->reads[i]);
			app_feeds_drop(&x->reads[i]);
		}
		if (x->reads[i].feed == NULL) {
			read = &x->reads[i];
		}
	}
	if (read == NULL || x->client == NULL ||
	    room_client_request(x->client, r, app_feeds_on_page, read) != OK) {
		return;
	}
	read->x = x;
	read->feed = feed;
	read->request = request_ref(r);
	feed_sent(feed, r);
	app_screen_touch(x->screen); /* another one may be wanted, too */
}

void app_feeds_use(struct app_feeds *x, struct room_client *client)
{
	for (size_t i = 0; i < APP_FEEDS_READ_MAX; i++) {
		if (client != x->client && x->reads[i].feed != NULL) {
			room_client_forget(x->client, &x->reads[i]);
			app_feeds_drop(&x->reads[i]);
		}
	}
	x->client = client;
}

void app_feeds_init(struct app_feeds *x, struct app_screen *screen,
		    void (*on_refusal)(void *owner, const struct feed *feed), void *owner)
{
	*x = (struct app_feeds){.screen = screen, .on_refusal = on_refusal, .owner = owner};
}

void app_feeds_finish(struct app_feeds *x)
{
	for (size_t i = 0; i < APP_FEEDS_READ_MAX; i++) {
		app_feeds_drop(&x->reads[i]);
	}
}
