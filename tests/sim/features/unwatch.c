/*
 * unwatch.c - question.unwatch and group.unwatch: once that is answered nothing more is sent of what was watched,
 * until it is watched again.
 */
#include "tests/sim/features/feature.h"

#include <string.h>

#include "tests/sim/net/send.h"

static bool is_watch(enum method method)
{
	return method == METHOD_QUESTION_WATCH || method == METHOD_GROUP_WATCH;
}

static bool is_unwatch(enum method method)
{
	return method == METHOD_QUESTION_UNWATCH || method == METHOD_GROUP_UNWATCH;
}

static void act_unwatch(struct world *w, struct conn *c, int room)
{
	struct op about = {0};
	struct question_params question = {.question_id = slice_str(c->watched)};
	struct group_params group = {.group_id = slice_str(c->watched)};
	(void)room;
	view_text(about.text, sizeof(about.text), slice_str(c->watched));
	if (c->watched[0] == 'q') {
		send_op(w, c, METHOD_QUESTION_UNWATCH, -1, &question, &about);
	} else if (c->watched[0] == 'g') {
		send_op(w, c, METHOD_GROUP_UNWATCH, -1, &group, &about);
	}
}

/* A watch of the same that was with the server at the same time, or has come since: it may have begun behind it. */
static bool is_watched_since(const struct world *w, const struct op *unwatch)
{
	for (size_t i = 0; i < w->ops_n; i++) {
		const struct op *op = &w->ops[i];
		if (op->conn == unwatch->conn && is_watch(op->method) && op->is_delivered &&
		    (!op->is_answered || op->answered > unwatch->order) &&
		    strcmp(op->text, unwatch->text) == 0) {
			return true;
		}
	}
	return false;
}

static void unwatch_delivered(struct world *w, struct conn *c, struct op *op)
{
	(void)w;
	if (is_watch(op->method) && strcmp(c->unwatched_topic, op->text) == 0) {
		c->unwatched_topic[0] = '\0';
	}
}

static void unwatch_granted(struct world *w, struct conn *c, const struct op *op,
			    const union method_result *result)
{
	(void)result;
	if (is_watch(op->method)) {
		view_text(c->watched, sizeof(c->watched), slice_str(op->text));
	} else if (is_unwatch(op->method) && !is_watched_since(w, op)) {
		view_text(c->unwatched_topic, sizeof(c->unwatched_topic), slice_str(op->text));
	}
}

static void topic_leaves(struct world *w, struct conn *c, struct slice topic)
{
	if (topic.len > 0 && slice_eq(slice_str(c->unwatched_topic), topic)) {
		broken(w, CLAIM_SECRECY, "%s is sent an update of %s after it has unwatched it",
		       member_name(w, c->member), c->unwatched_topic);
	}
}

static void unwatch_notice(struct world *w, struct conn *c, enum notice notice,
			   const union notice_record *rec)
{
	struct slice topic = notice == NOTICE_QUESTION_UPDATE ? rec->question_update.question_id
			     : notice == NOTICE_GROUP_UPDATE  ? rec->group_update.group_id
							      : (struct slice){0};
	topic_leaves(w, c, topic);
	for (size_t i = 0; i < w->conns_n; i++) {
		struct conn *other = w->conns[i];
		if (slice_eq(slice_str(other->unwatched_topic), topic) && topic.len > 0 &&
		    planted(w, BREAK_KEEP_TOPIC, 1)) {
			topic_leaves(w, other, topic);
		}
	}
}

static const struct act unwatch_acts[] = {
	{10, act_unwatch, false},
};

const struct feature feature_unwatch = {
	.name = "unwatch",
	FEATURE_ROWS(desk_acts, unwatch_acts),
	.is_in_clusters = true,
	.delivered = unwatch_delivered,
	.granted = unwatch_granted,
	.notice = unwatch_notice,
};
